"""Naming the mistake: a failing function is compared with every misconception on a fixed battery of calls.

The battery is what the checks themselves ask of the reference, drawn from a fixed word instead of the course's secret.
A function that answers the whole battery like exactly one misconception (or like members of one family) gets its name;
one that answers like none, or like several, gets no name: a wrong name would teach the wrong thing.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from grader.answers import QUESTIONS, alike
from grader.bounds import Array
from grader.callee import Arguments, Invoke
from grader.checks import checks_of
from grader.contract import reference
from grader.inprocess import invoke
from grader.misconceptions import Misconception, misconceptions_of
from grader.oracles import value_key
from grader.questions import asked
from grader.sandbox import Died, Outcome, Raised, Returned, Scalar

WORD = "the battery's own inputs"
RTOL, ATOL = 1e-9, 1e-12
"""Far above rounding in any order of operations, far below the effect of any mistake in the bank."""
RESIDUE = 1e-21
"""Below this a number is no residue of rounding, so that a weight of 1e-22 is not taken for 0."""


@cache
def battery(function: str) -> tuple[tuple[Arguments, ...], ...]:
    """The calls of each check's smallest and largest example, without those that ask nothing new.

    Those with the fewest calls come first: they tell most mistakes apart, and the rest is asked of few.
    """
    checks = [check for check in checks_of(function) if check.in_battery]
    runs = ((check, example) for check in checks for example in (check.examples(WORD)[0], check.examples(WORD)[-1]))
    before: set[object] = set()
    parts = []
    for calls in asked(function, runs):
        keys = {value_key(call) for call in calls}
        if not keys <= before:
            before |= keys
            parts.append(calls)
    return tuple(sorted(parts, key=len))


def diagnose(function: str, ask: Invoke) -> Misconception | None:
    """The one misconception (the first of its family) that ``ask`` behaves like on the battery, or None.

    A function that answers nothing but exceptions has no name: a misspelt variable would do as much.
    """
    answered = False
    candidates: list[Misconception | None] = [None, *misconceptions_of(function)]  # None: right on the whole battery
    for number, calls in enumerate(battery(function)):
        answers, right = ask(calls), _answers(function, None, number)
        answered |= any(isinstance(answer, Returned) for answer in answers)
        candidates = [c for c in candidates if _alike(function, answers, _answers(function, c, number), right)]
        if not candidates:
            return None
    return candidates[0] if answered and len({c and c.name for c in candidates}) == 1 else None


@cache
def _answers(function: str, candidate: Misconception | None, number: int) -> list[Outcome]:
    solution = candidate.solution if candidate else reference(function)
    return invoke(solution)(battery(function)[number])


def _alike(function: str, these: list[Outcome], those: list[Outcome], right: list[Outcome]) -> bool:
    same_value = partial(alike, function) if function in QUESTIONS else _same_value
    return len(these) == len(those) and all(map(partial(_same_outcome, same_value), these, those, right))


def _same_outcome(same_value: Callable[[Any, Any], bool], this: Outcome, that: Outcome, right: Outcome) -> bool:
    if isinstance(this, Died) or isinstance(that, Died):
        return False
    if isinstance(this, Raised) or isinstance(that, Raised):
        # Styles raise different types for one mistake; where an exception is asked for, its type is the answer.
        if not (isinstance(this, Raised) and isinstance(that, Raised)):
            return False
        return not isinstance(right, Raised) or that.type in this.bases
    return this.changed == that.changed and same_value(this.value, that.value)


def _same_value(this: Any, that: Any) -> bool:
    this, that = _number(this), _number(that)
    if type(this) is not type(that):
        return False
    if isinstance(this, np.ndarray):
        if this.shape != that.shape or this.dtype != that.dtype:
            return False
        return bool(np.array_equal(this, that) if this.dtype.kind != "f" else np.all(_near(this, that)))
    if isinstance(this, list | tuple):
        return len(this) == len(that) and all(map(_same_value, this, that))
    if isinstance(this, float):
        return bool(np.all(_near(np.array(this), np.array(that))))
    return bool(this == that)


def _number(value: Any) -> Any:
    """A ``np.float64`` as the float that it is."""
    return value.value if isinstance(value, Scalar) and value.dtype == "float64" else value


def _near(this: Array, that: Array) -> Array:
    with np.errstate(invalid="ignore"):
        larger = np.maximum(np.abs(this), np.abs(that))
        near: Array = np.abs(this - that) <= RTOL * larger + np.where(larger < RESIDUE, 0, ATOL)
    same: Array = near | (this == that) | (np.isnan(this) & np.isnan(that))
    return same
