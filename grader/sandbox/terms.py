"""The words of the sandbox: its rungs, its limits, and what can come of loading a file or calling a function."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class Rung(enum.Enum):
    """How well student code is held, best first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    PLAIN = "plain"

    @property
    def label(self) -> str:
        """The rung in one sentence."""
        return _LABELS[self]


_LABELS = {
    Rung.BUBBLEWRAP: "Student code runs in a bubblewrap jail, confined further by Landlock and seccomp.",
    Rung.LANDLOCK: "Student code runs in a child process confined by Landlock and seccomp.",
    Rung.PLAIN: "Student code runs in a plain child process: not a sandbox, grade only code that you trust.",
}


@dataclass(frozen=True)
class Limits:
    """What a submission may use.

    Times are seconds of the processor, and four times as many by the clock; ``memory_mb`` is address space beyond what
    Python and NumPy need; ``output_mb`` is the largest reply, and the largest file that may be written.
    """

    seconds_per_call: float
    seconds_per_submission: float
    memory_mb: int
    output_mb: int


@dataclass(frozen=True)
class Frame:
    """One line of a traceback. ``file`` is relative to the submission."""

    file: str
    line: int
    function: str
    text: str


@dataclass(frozen=True)
class Returned:
    """The call returned. ``changed`` names the arguments that it altered, such as ``argument 1``."""

    value: Any
    changed: tuple[str, ...]


@dataclass(frozen=True)
class Raised:
    """An exception came out. ``bases`` names its class and all base classes; ``frames`` are the student's own."""

    type: str
    message: str
    frames: tuple[Frame, ...]
    changed: tuple[str, ...]
    bases: tuple[str, ...]


@dataclass(frozen=True)
class Died:
    """The process is gone. ``reason`` is time, memory, files, exit, signal or protocol; ``detail`` is a sentence."""

    reason: str
    detail: str


Failure = Raised | Died
Outcome = Returned | Raised | Died


@dataclass(frozen=True)
class Loss:
    """Why a name is not there: the cell of the lesson's notebook that would have defined it failed."""

    cell: int
    failure: Failure


@dataclass(frozen=True)
class LoadResult:
    """What came of importing a lesson's file; ``names`` are its public callables and its constants.

    ``lost`` are the names that failed cells of a notebook did not come to define.
    """

    error: Failure | None
    names: frozenset[str]
    lost: Mapping[str, Loss] = field(default_factory=dict)


class SandboxFault(Exception):
    """The sandbox itself does not work. Never a student's fault."""
