"""Zip archives, read where they are and never unpacked. What they say of themselves is not believed."""

import io
import stat
import struct
import zipfile
import zlib
from pathlib import Path, PurePath
from typing import IO

from grader.submissions.tree import (
    DEEPEST,
    LARGEST_ARCHIVE,
    LINK,
    NO_FILE,
    DiskError,
    File,
    Folder,
    Listing,
    UnreadableError,
    counts,
    shown,
    sort_key,
)

ZIP = ".zip"
OTHER_ARCHIVES = (".7z", ".rar", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst")
MOST_MEMBERS = 50_000
_MEMBER = b"PK\x01\x02"
"""How each member's entry in an archive's directory begins."""
_DAMAGED = "is not a zip archive or is damaged; zip the files again"
_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError),
    *(struct.error, OverflowError, MemoryError, IndexError, KeyError, AttributeError, TypeError),
)
"""What ``zipfile`` raises on archives that are not as they should be."""


def is_archive(name: str) -> bool:
    """Whether a file is called like an archive, of a kind that can be read or another."""
    return name.lower().endswith((ZIP, *OTHER_ARCHIVES))


def archive_on_disk(path: Path) -> Folder:
    """A zip file on disk as a folder, of any size: it is read member by member."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise DiskError(f"cannot be read ({error.strerror})") from None
    return _archive(path.name, file, MOST_MEMBERS)


def archive(file: File, share: int = 1) -> Folder:
    """A zip file within something else as a folder. Raises ``UnreadableError`` when it is none.

    ``share`` is how many archives have to do together with what one may take.
    """
    if not file.name.lower().endswith(ZIP):
        raise UnreadableError(f"is an archive of a kind that is not read here; hand in a {ZIP} file")
    most = LARGEST_ARCHIVE // share
    content = file.read(most + 1)
    if len(content) > most:
        raise UnreadableError(f"is larger than {most / 2**20:.3g} MB")
    return _archive(file.name, io.BytesIO(content), MOST_MEMBERS // share)


def _archive(name: str, file: IO[bytes], most_members: int) -> Folder:
    bounded = _Bounded(file, most_members)
    try:
        opened = zipfile.ZipFile(bounded)
    except _ERRORS:
        raise UnreadableError(_DAMAGED) from None
    bounded.is_open = True
    members = opened.infolist()
    root = _Branch()
    for member in members:
        _plant(root, opened, member)
    return Folder(PurePath(name).stem, root.listing)


class _Bounded(io.BufferedIOBase):
    """An archive's bytes, which refuse a directory of too many members before ``zipfile`` makes a list of them.

    While it opens an archive, ``zipfile`` reads the directory and what ends it, and nothing of the members: so marks
    in what they hold are not counted.
    """

    def __init__(self, file: IO[bytes], most_members: int) -> None:
        self._file = file
        self._most_members = most_members
        self.is_open = False

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes. Raises ``UnreadableError`` for a directory that is too large, ``DiskError`` for the disk."""
        size = -1 if size is None else size
        if not self.is_open and size > LARGEST_ARCHIVE:
            raise self._too_many()
        try:
            content = self._file.read(size)
        except OSError as error:
            raise DiskError(f"cannot be read ({error.strerror})") from None
        if not self.is_open and content.count(_MEMBER) > self._most_members:
            raise self._too_many()
        return content

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to another place."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """The place."""
        return self._file.tell()

    def seekable(self) -> bool:
        """Whether there are other places to go to."""
        return True

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def close(self) -> None:
        """Close the file behind it."""
        self._file.close()
        super().close()

    def _too_many(self) -> UnreadableError:
        return UnreadableError(f"holds more than {self._most_members:,} files")


class _Branch:
    """A folder in an archive while it is being put together."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}
        self.branches: dict[str, _Branch] = {}
        self.remarks: list[tuple[str, str]] = []

    def listing(self) -> Listing:
        """What is in it."""
        return Listing(
            tuple(self.files[name] for name in sorted(self.files, key=sort_key)),
            tuple(Folder(name, self.branches[name].listing) for name in sorted(self.branches, key=sort_key)),
            tuple(self.remarks),
        )


def _plant(root: _Branch, opened: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    """Put a member in its place, or say why it has none."""
    name = _name(member)
    absolute = name.startswith("/") or name[1:2] == ":"
    parts = [part for part in (name[2:] if name[1:2] == ":" else name).split("/") if part not in ("", ".")]
    if not parts or not all(counts(part) for part in parts if part != ".."):
        return
    path = "/".join(parts)
    if ".." in parts:
        root.remarks.append((shown(path), "has a path that leads out of the archive"))
        return
    if len(parts) > DEEPEST:
        root.remarks.append((f"…/{shown(parts[-1])}", f"lies more than {DEEPEST} folders deep"))
        return
    branch = root
    for part in parts[:-1]:
        branch = branch.branches.setdefault(part, _Branch())
    last = parts[-1]
    if name.endswith("/"):
        branch.branches.setdefault(last, _Branch())
        return
    if problem := _problem(member):
        branch.remarks.append((shown(last), problem))
        return
    if absolute:
        branch.remarks.append((shown(last), "has an absolute path in the archive and was read as if it had none"))
    if last in branch.files:
        branch.remarks.append((shown(last), "is in the archive more than once; the last one counts"))
    branch.files[last] = File(last, lambda limit: _inflate(opened, member, limit))


def _name(member: zipfile.ZipInfo) -> str:
    """The member's name. Many programs write UTF-8 without saying so."""
    name = member.filename
    if not member.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = member.filename
    return name.replace("\\", "/")


def _problem(member: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return LINK if kind == stat.S_IFLNK else NO_FILE
    if member.flag_bits & 1:
        return "is encrypted; zip the files again without a password"
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed in a way that is not read here; zip the files again"
    return ""


def _inflate(opened: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> bytes:
    try:
        with opened.open(member) as file:
            return file.read(limit)
    except _ERRORS:
        raise UnreadableError("is damaged in the archive; zip the files again") from None
