"""One process at a time for each submission: nbgrader itself lets two of them undo each other's work on it."""

import os
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: there, one process at a time is up to the teacher
    fcntl = None  # type: ignore[assignment]

LONGEST_WAIT = 300.0
"""Seconds. Longer than grading takes: whoever still holds a submission then has failed and not said so."""
_EACH_WAIT = 0.05

_held: int | None = None
"""The folder that this process has in hand. Closing it, or the end of the process, lets others at it."""


def take_turn(folder: Path) -> None:
    """Take a student's folder in hand, once no other process has it. The one taken before is free again."""
    global _held  # noqa: PLW0603  nbgrader converts one submission at a time
    end_turn()
    if fcntl is None:
        return
    deadline = time.monotonic() + LONGEST_WAIT
    _held = os.open(folder, os.O_RDONLY)
    while time.monotonic() < deadline:
        try:
            fcntl.flock(_held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_EACH_WAIT)
        except OSError:  # a file system without locks
            return
        else:
            return


def end_turn() -> None:
    """Let others at the folder in hand."""
    global _held  # noqa: PLW0603
    if _held is not None:
        os.close(_held)
        _held = None
