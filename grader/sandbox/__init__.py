"""The sandbox: student code runs in a process of its own, and only data comes back."""

from grader.sandbox.inside.changes import changes
from grader.sandbox.inside.wire import Opaque, Scalar, as_data, as_numpy
from grader.sandbox.rungs import best_rung, why_not
from grader.sandbox.session import Request, Session
from grader.sandbox.terms import (
    Died,
    Failure,
    Frame,
    Limits,
    LoadResult,
    Loss,
    Outcome,
    Raised,
    Returned,
    Rung,
    SandboxFault,
)
from grader.sandbox.worker import Worker

__all__ = [
    "Died",
    "Failure",
    "Frame",
    "Limits",
    "LoadResult",
    "Loss",
    "Opaque",
    "Outcome",
    "Raised",
    "Request",
    "Returned",
    "Rung",
    "SandboxFault",
    "Scalar",
    "Session",
    "Worker",
    "as_data",
    "as_numpy",
    "best_rung",
    "changes",
    "why_not",
]
