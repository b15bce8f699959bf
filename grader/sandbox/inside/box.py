"""The folders that a submission lives in: its own files, and a home that it may write to."""

import contextlib
import errno
import itertools
import os
from pathlib import Path

SUBMISSION = "submission"
HOME = "home"
MOST_FILES = 1_000
"""Files and folders that a submission may have at home."""
LARGEST_FILES = 4
"""How many of the largest files that may be written they may amount to."""

_BLOCK = 512  # what the system counts the space of a file in
_NO_SUCH_FILE_CAN_BE = (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EINVAL)


def make(box: Path) -> None:
    """Make an empty box that only its owner may look into."""
    box.mkdir(mode=0o700)
    for name in (SUBMISSION, HOME):
        (box / name).mkdir()


def fill(box: Path, files: dict[str, bytes]) -> None:
    """Write the submission's files.

    A file whose name this system cannot have is left out: lessons are run from memory, so it costs no one anything.
    Raises ``OSError`` when the box cannot hold the files.
    """
    for path, content in files.items():
        target = box / SUBMISSION / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except OSError as error:
            if error.errno not in _NO_SUCH_FILE_CAN_BE:
                raise


def is_overfull(box: Path, megabytes: int) -> bool:
    """Whether more lies in the home than a submission may have, in number or in size; looks no further than that."""
    found, size = 0, 0
    waiting = [box / HOME]
    try:
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    found += 1
                    with contextlib.suppress(FileNotFoundError):  # it has been removed in the meantime
                        size += entry.stat(follow_symlinks=False).st_blocks * _BLOCK
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(Path(entry))
                    if found > MOST_FILES or size > megabytes << 20:
                        return True
    except FileNotFoundError:
        return False
    except OSError:
        return True  # it was closed to us on purpose, or lies deeper than a path can go
    return False


def empty(box: Path) -> None:
    """Remove whatever is in the box, but keep its two folders. Raises ``OSError`` when something cannot be removed."""
    for name in (SUBMISSION, HOME):
        _empty(box / name)


def remove(box: Path) -> None:
    """Remove the box and all that is in it. Raises ``OSError`` when something cannot be removed."""
    _empty(box)
    box.rmdir()


def _empty(folder: Path) -> None:
    # Folders are moved up before they are removed: a student can nest them deeper than a path or a recursion can go.
    numbers = itertools.count()
    entries = [Path(entry) for entry in os.scandir(folder)]
    while entries:
        entry = entries.pop()
        if entry.is_symlink() or not entry.is_dir():
            entry.unlink()
            continue
        entry.chmod(0o700)
        for inner in os.scandir(entry):
            if inner.is_dir(follow_symlinks=False):
                Path(inner).chmod(0o700)
            moved = _unused(folder, numbers)
            Path(inner).rename(moved)
            entries.append(moved)
        entry.rmdir()


def _unused(folder: Path, numbers: "itertools.count[int]") -> Path:
    return next(path for number in numbers if not os.path.lexists(path := folder / f"{number}.moved"))
