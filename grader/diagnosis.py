"""Naming the mistake: a failing function is compared with every misconception on a fixed battery of calls.

The battery is what the checks themselves ask of the reference, drawn from a fixed word instead of the course's secret.
A function that answers the whole battery like exactly one misconception (or like members of one family) gets its name;
one that answers like none, or like several, gets no name: a wrong name would teach the wrong thing.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from grader.callee import Arguments, Invoke
from grader.checks import checks_of
from grader.contract import reference
from grader.inprocess import callee, invoke
from grader.misconceptions import Misconception, misconceptions_of
from grader.sandbox import Died, Outcome, Raised

WORD = "the battery's own inputs"
BATCH = 64
"""Calls in one round trip."""
RTOL, ATOL = 1e-9, 1e-12
"""Far above rounding in any order of operations, far below the effect of any mistake in the bank."""


@cache
def battery(function: str) -> tuple[Arguments, ...]:
    """The calls of each check's largest example, in the order of the checks."""
    calls: list[Arguments] = []
    recorder = callee(function, reference(function))
    for check in checks_of(function):
        check.holds(recorder, check.examples(WORD)[-1])
        calls += recorder.calls
    return tuple(calls)


def diagnose(function: str, ask: Invoke) -> Misconception | None:
    """The one misconception (the first of its family) that ``ask`` behaves like on the battery, or None."""
    answers = _answers(function, ask)
    matches = [m for m, theirs in _signatures(function) if _alike(answers, theirs)]
    return matches[0] if len({m.name for m in matches}) == 1 else None


@cache
def _signatures(function: str) -> tuple[tuple[Misconception, list[Outcome]], ...]:
    return tuple((m, _answers(function, invoke(m.solution))) for m in misconceptions_of(function))


def _answers(function: str, ask: Callable[[Sequence[Arguments]], list[Outcome]]) -> list[Outcome]:
    calls = battery(function)
    return [outcome for start in range(0, len(calls), BATCH) for outcome in ask(calls[start : start + BATCH])]


def _alike(these: list[Outcome], those: list[Outcome]) -> bool:
    return len(these) == len(those) and all(map(_same_outcome, these, those))


def _same_outcome(this: Outcome, that: Outcome) -> bool:
    if isinstance(this, Died) or isinstance(that, Died):
        return False
    if isinstance(this, Raised) or isinstance(that, Raised):
        return isinstance(this, Raised) and isinstance(that, Raised)  # styles raise different types for one mistake
    return this.changed == that.changed and _same_value(this.value, that.value)


def _same_value(this: Any, that: Any) -> bool:
    if type(this) is not type(that):
        return False
    if isinstance(this, np.ndarray):
        if this.shape != that.shape or this.dtype != that.dtype:
            return False
        exact = this.dtype.kind not in "fc"
        return bool(np.array_equal(this, that) if exact else np.allclose(this, that, RTOL, ATOL, equal_nan=True))
    if isinstance(this, list | tuple):
        return len(this) == len(that) and all(map(_same_value, this, that))
    if isinstance(this, float):
        return bool(np.isclose(this, that, RTOL, ATOL, equal_nan=True))
    return bool(this == that)
