"""Folders on disk and in archives alike, looked at and read as data, within limits. Nothing is ever written."""

import stat
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.plain import plain

LARGEST_FILE = 2 * 2**20
LARGEST_NOTEBOOK = 16 * 2**20
"""Bytes of a notebook with its pictures; of its code alone the limit is ``LARGEST_FILE``."""
LARGEST_ARCHIVE = 32 * 2**20
LARGEST_TOTAL = 48 * 2**20
"""Bytes that are read for one submission, counted as they are inflated, whatever an archive says of them."""
MOST_FILES = 200
MOST_ENTRIES = 20_000
"""Files and folders that are looked at for one submission."""
DEEPEST = 20
LONGEST_NAME = 255
LINK = "is a link and was left out"
NO_FILE = "is not a file and was left out"
IGNORED = {"__pycache__", "__macosx", "desktop.ini", "thumbs.db"}


class UnreadableError(Exception):
    """A file or an archive cannot be read; the message says why, as the end of a sentence that begins with its name."""


class DiskError(UnreadableError):
    """The disk or its rights are in the way, which is not the student's fault."""


@dataclass(frozen=True)
class File:
    """A file. ``read(limit)`` gives at most so many bytes and raises ``UnreadableError``."""

    name: str
    read: Callable[[int], bytes]


@dataclass(frozen=True)
class Folder:
    """A folder. ``list()`` gives what is in it, without what a system or an editor put there, in order.

    Raises ``UnreadableError``.
    """

    name: str
    list: Callable[[], "Listing"]


@dataclass(frozen=True)
class Listing:
    """What is in a folder. ``remarks`` say of a name why it was left out, or what is odd about it."""

    files: tuple[File, ...] = ()
    folders: tuple[Folder, ...] = ()
    remarks: tuple[tuple[str, str], ...] = ()


def on_disk(path: Path) -> Folder:
    """A folder on disk. Links are not followed."""
    return Folder(path.name, lambda: _listing(path))


def file_on_disk(path: Path) -> File:
    """A file on disk."""
    return File(path.name, lambda limit: _read(path, limit))


def counts(name: str) -> bool:
    """Whether a name is one that a student chose, and not left behind by a system, an editor or Python."""
    return not name.startswith((".", "~$")) and name.casefold() not in IGNORED


def sort_key(name: str) -> tuple[str, str]:
    """Names in an order that is the same on every system."""
    return unicodedata.normalize("NFC", name), name


def _listing(path: Path) -> Listing:
    files, folders, remarks = [], [], []
    try:
        for entry in sorted(path.iterdir(), key=lambda entry: sort_key(entry.name)):
            if not counts(entry.name):
                continue
            mode = entry.lstat().st_mode
            if stat.S_ISDIR(mode):
                folders.append(on_disk(entry))
            elif stat.S_ISREG(mode):
                files.append(file_on_disk(entry))
            else:
                remarks.append((shown(entry.name), LINK if stat.S_ISLNK(mode) else NO_FILE))
    except OSError as error:
        raise DiskError(f"cannot be read ({error.strerror})") from None
    return Listing(tuple(files), tuple(folders), tuple(remarks))


def shown(name: str) -> str:
    """A name as it is written everywhere: in one line, and no longer than it may be."""
    return plain(name[:LONGEST_NAME]).replace("\n", "\\n")


def bad_name(name: str) -> str:
    """Why a file cannot go into the sandbox under this name; empty when it can."""
    if len(name) > LONGEST_NAME:
        return "has too long a name and was left out"
    return (
        "has a name that cannot be used here and was left out" if name != plain(name) or set(name) & set("\\\n") else ""
    )


def _read(path: Path, limit: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(limit)
    except OSError as error:
        raise DiskError(f"cannot be read ({error.strerror})") from None


class Reader:
    """Reads files for one submission until its total is used up."""

    def __init__(self) -> None:
        self._left = LARGEST_TOTAL

    def read(self, file: File, limit: int) -> bytes:
        """The whole file. Raises ``UnreadableError`` when it is larger than the limit or than what is left."""
        allowed = min(limit, self._left)
        content = file.read(allowed + 1)
        self._left -= min(len(content), self._left)
        if len(content) <= allowed:
            return content
        if allowed < limit:
            raise UnreadableError(f"was left out: all files together are larger than {LARGEST_TOTAL >> 20} MB")
        raise UnreadableError(f"is larger than {limit >> 20} MB and was left out")


def walk(folder: Folder) -> Iterator[tuple[str, "File | str"]]:
    """The files of a folder and of the folders in it, by their paths; for those left out, why.

    Shallow ones come first: what a student handed in is not to be lost behind the folders of a library. Raises
    ``DiskError``.
    """
    level = [("", folder)]
    looked_at = 0
    for _ in range(DEEPEST):
        deeper: list[tuple[str, Folder]] = []
        for prefix, inner in level:
            try:
                listing = inner.list()
            except DiskError:
                raise
            except UnreadableError as error:
                yield prefix.rstrip("/") or inner.name, str(error)
                continue
            looked_at += len(listing.files) + len(listing.folders)
            yield from ((prefix + name, reason) for name, reason in listing.remarks)
            entries: list[File | Folder] = [*listing.files, *listing.folders]
            for found in entries:
                if reason := bad_name(found.name):
                    yield prefix + shown(found.name), reason
                elif isinstance(found, File):
                    yield prefix + found.name, found
                else:
                    deeper.append((f"{prefix}{found.name}/", found))
            if looked_at > MOST_ENTRIES:
                yield prefix.rstrip("/") or inner.name, "holds very many files, and not all of them were looked at"
                return
        level = deeper
    yield from ((prefix.rstrip("/"), f"lies more than {DEEPEST} folders deep") for prefix, _ in level)
