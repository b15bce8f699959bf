"""One submission's files out of the folder or the archive that was handed in."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from grader.contract import all_lessons
from grader.sandbox.inside.notebooks import NOTEBOOK, NotebookError, code_cells, only_code
from grader.submissions.archives import archive, is_archive
from grader.submissions.text import repaired
from grader.submissions.tree import (
    LARGEST_FILE,
    LARGEST_NOTEBOOK,
    MOST_FILES,
    DiskError,
    File,
    Folder,
    Listing,
    Reader,
    UnreadableError,
    bad_name,
    walk,
)

MODULE = ".py"


@dataclass
class Gathered:
    """The files by path. ``unread`` says of each that could not be read why; ``remarks`` are about the others."""

    files: dict[str, bytes] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def is_code(name: str) -> bool:
    """Whether a file is a module or a notebook by its name."""
    return name.lower().endswith((MODULE, NOTEBOOK))


def gather(folder: Folder) -> Gathered:
    """Read what counts of a submission.

    A folder that holds nothing but another folder stands for that one, and so does one that holds nothing but an
    archive. Other archives in it are named and not opened. Raises ``DiskError``.
    """
    gathered = Gathered()
    try:
        _gather(_inner(folder, gathered), gathered)
    except DiskError:
        raise
    except UnreadableError as error:
        gathered.unread[folder.name] = str(error)
    return gathered


def _inner(folder: Folder, gathered: Gathered) -> Folder:
    """The folder that really holds the submission."""
    opened = False
    while True:
        listing = folder.list()
        if any(is_code(file.name) for file in listing.files):
            return folder
        archives = [file for file in listing.files if is_archive(file.name)]
        if len(listing.folders) == 1 and not listing.files:
            gathered.unread.update(_said(listing))
            (folder,) = listing.folders
        elif len(archives) == 1 and not listing.folders and not opened:
            opened = True
            gathered.unread.update(_said(listing))
            try:
                folder = archive(archives[0])
            except DiskError:
                raise
            except UnreadableError as error:
                gathered.unread[archives[0].name] = str(error)
                return Folder(folder.name, Listing)
        else:
            return folder


def _said(listing: Listing) -> dict[str, str]:
    return dict(listing.remarks)


def _gather(folder: Folder, gathered: Gathered) -> None:
    reader = Reader()
    lessons = all_lessons()
    # Where there are more files than are read, the lessons are not to be the ones that are left out.
    for path, found in sorted(walk(folder), key=lambda entry: PurePosixPath(entry[0]).stem not in lessons):
        if isinstance(found, str):
            gathered.unread[path] = found
        elif is_archive(path):
            gathered.unread[path] = "was not opened: hand in the files themselves, or one archive and nothing else"
        elif len(gathered.files) >= MOST_FILES:
            gathered.remarks.append(f"Only the first {MOST_FILES} files were read.")
            break
        else:
            _take(path, found, reader, gathered)
    gathered.files = _rooted(gathered.files)
    for path in [path for path in gathered.files if path.lower().endswith(NOTEBOOK)]:
        _take_written(path, gathered)


def _rooted(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files seen from the one folder that holds the modules, where there is one: they import each other flat."""
    depths: dict[int, set[PurePosixPath]] = {}
    for path in files:
        if is_code(path):
            depths.setdefault(path.count("/"), set()).add(PurePosixPath(path).parent)
    shallowest = depths[min(depths)] if depths else set()
    if len(shallowest) != 1 or 0 in depths:
        return files
    prefix = f"{shallowest.pop()}/"
    inside = {path.removeprefix(prefix): content for path, content in files.items() if path.startswith(prefix)}
    return {**{path: content for path, content in files.items() if not path.startswith(prefix)}, **inside}


def _take(path: str, file: File, reader: Reader, gathered: Gathered) -> None:
    is_notebook = path.lower().endswith(NOTEBOOK)
    try:
        content = reader.read(file, LARGEST_NOTEBOOK if is_notebook else LARGEST_FILE)
        if is_notebook:
            content = _code(content)
    except DiskError:
        raise
    except UnreadableError as error:
        gathered.unread[path] = str(error)
        return
    if path.lower().endswith(MODULE):
        content, remark = repaired(path, content)
        gathered.remarks += [remark] * bool(remark)
    gathered.files[path] = content


def _code(content: bytes) -> bytes:
    """A notebook's code alone."""
    try:
        content = only_code(content)
    except NotebookError as error:
        raise UnreadableError(f"is not a notebook that can be read: {error}") from None
    if len(content) > LARGEST_FILE:
        raise UnreadableError(f"has more than {LARGEST_FILE >> 20} MB of code")
    return content


def _take_written(path: str, gathered: Gathered) -> None:
    """Take the modules that a notebook writes (``%%writefile NAME``) as if they had been handed in beside it."""
    for cell in code_cells(gathered.files[path]):
        name = cell.writes or ""
        if not name.endswith(MODULE) or "/" in name or bad_name(name) or len(gathered.files) >= MOST_FILES:
            continue
        beside = str(PurePosixPath(path).with_name(name))
        if beside not in gathered.files:
            gathered.files[beside] = cell.source.encode("utf-8", "replace")
            gathered.remarks.append(f"{beside} was taken from cell {cell.number} of {path}, which writes it.")
