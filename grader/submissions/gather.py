"""One submission's files out of the folder or the archive that was handed in."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from grader.contract import all_lessons
from grader.sandbox.inside.notebooks import MOST_CELLS, NOTEBOOK, NotebookError, file_cells, only_code
from grader.submissions.archives import archive, is_archive
from grader.submissions.stubs import Names, has_work, is_untouched, wanted
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
MOST_VALUES = 1_500_000
"""Values in a notebook with its outputs, counted by what may stand before one: each takes time, however short it is."""


@dataclass
class Gathered:
    """The files by path. ``unread`` says of each that could not be read why; ``remarks`` are about the others."""

    files: dict[str, bytes] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    names: Names = field(default_factory=Names)


def is_code(name: str) -> bool:
    """Whether a file is a module or a notebook by its name."""
    return name.lower().endswith((MODULE, NOTEBOOK))


def gather(folder: Folder) -> Gathered:
    """Read what counts of a submission.

    A folder that holds nothing but another folder stands for that one, and so does one that holds nothing but
    archives. Other archives in it are named and not opened. Raises ``DiskError``.
    """
    gathered = Gathered()
    try:
        _gather(_inner(folder, gathered), gathered)
    except DiskError:
        raise
    except UnreadableError as error:
        gathered.unread[folder.name] = str(error)
    return gathered


def _inner(folder: Folder, gathered: Gathered, opened: bool = False) -> Folder:
    """The folder that really holds the submission."""
    while True:
        listing = folder.list()
        if any(is_code(file.name) for file in listing.files):
            return folder
        archives = [file for file in listing.files if is_archive(file.name)]
        if len(listing.folders) == 1 and not listing.files:
            gathered.unread.update(_said(listing))
            (folder,) = listing.folders
        elif archives and not listing.folders and not opened:
            gathered.unread.update(_said(listing))
            return _together(folder.name, archives, gathered)
        else:
            return folder


def _together(name: str, archives: list[File], gathered: Gathered) -> Folder:
    """What is in all the archives, as one folder; where two hold files of one name, as a folder for each."""
    folders: list[Folder] = []
    for file in archives:
        try:
            inner = _inner(archive(file, len(archives)), gathered, opened=True)
            folders.append(Folder(file.name, inner.list))
        except DiskError:
            raise
        except UnreadableError as error:
            gathered.unread[file.name] = str(error)
    if len(folders) == 1:
        return folders[0]
    listings = [folder.list() for folder in folders]
    names = [file.name for listing in listings for file in listing.files]
    names += [folder.name for listing in listings for folder in listing.folders]
    if len(set(names)) < len(names):
        return Folder(name, lambda: Listing(folders=tuple(folders)))
    joined = Listing(
        tuple(file for listing in listings for file in listing.files),
        tuple(folder for listing in listings for folder in listing.folders),
        tuple(remark for listing in listings for remark in listing.remarks),
    )
    return Folder(name, lambda: joined)


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
    gathered.files = _rooted(gathered.files, gathered.names)
    for path in [path for path in gathered.files if path.lower().endswith(NOTEBOOK)]:
        _take_written(path, gathered)


def _rooted(files: dict[str, bytes], names: Names) -> dict[str, bytes]:
    """The files seen from the one folder that holds the modules, where there is one: they import each other flat.

    Of several it is the one with work in it, as where ``exercises`` lies untouched beside ``solution``.
    """
    depths: dict[int, set[PurePosixPath]] = {}
    for path in files:
        if is_code(path):
            depths.setdefault(path.count("/"), set()).add(PurePosixPath(path).parent)
    shallowest = depths[min(depths)] if depths else set()
    if len(shallowest) > 1:
        shallowest = {
            folder
            for path, content in files.items()
            if (folder := PurePosixPath(path).parent) in shallowest and is_code(path)
            if has_work(PurePosixPath(path).stem, names.of(path, content))
        }
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
    if sum(map(content.count, (b"{", b"[", b","))) > MOST_VALUES:
        raise UnreadableError("holds very much besides code; clear its outputs and save it again")
    try:
        content = only_code(content)
    except NotebookError as error:
        raise UnreadableError(f"is not a notebook that can be read: {error}") from None
    if len(content) > LARGEST_FILE:
        raise UnreadableError(f"has more than {LARGEST_FILE >> 20} MB of code")
    if content.count(b'"cell_type"') > MOST_CELLS:  # within the code there are quotes only after a backslash
        raise UnreadableError(f"has more than {MOST_CELLS:,} cells of code")
    return content


def _take_written(path: str, gathered: Gathered) -> None:
    """Take the modules that a notebook writes (``%%writefile NAME``) as if they had been handed in beside it.

    They are not taken for a module that was handed in and has work in it. Wherever the notebook ran, the last part of
    the path is the module's name.
    """
    written: dict[str, list[str]] = {}
    numbers: dict[str, int] = {}
    for cell in file_cells(gathered.files[path]):
        name, appends = _target(cell.writes or "")
        if not name.endswith(MODULE) or bad_name(name):
            continue
        beside = str(PurePosixPath(path).with_name(name))
        if beside not in written or not appends:
            kept = gathered.files.get(beside, b"") if appends else b""
            written[beside] = [kept.decode("utf-8", "replace")] if kept else []
        written[beside].append(cell.source)
        numbers[beside] = cell.number
    for beside, sources in written.items():
        lesson, content = PurePosixPath(beside).stem, "\n".join(sources).encode("utf-8", "replace")
        mine = gathered.files.get(beside)
        if mine is None and len(gathered.files) >= MOST_FILES:
            continue
        why = ""
        if mine is not None:
            if not is_untouched(lesson, mine, gathered.names.of(beside, mine)):
                continue
            if wanted(lesson) and not has_work(lesson, gathered.names.of(beside, content)):
                continue
            why = ", since there is no work in the one that was handed in"
        gathered.files[beside] = content
        gathered.remarks.append(f"{beside} was taken from cell {numbers[beside]} of {path}, which writes it{why}.")


def _target(writes: str) -> tuple[str, bool]:
    """The name of the file that a cell writes, and whether it appends to it."""
    words = writes.split(maxsplit=1)
    appends = len(words) == 2 and words[0] in ("-a", "--append")
    target = words[1] if appends else writes
    return PurePosixPath(target.strip("\"' \t").replace("\\", "/")).name, appends
