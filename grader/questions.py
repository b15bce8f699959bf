"""What the checks ask: the calls that they make of a right function, known before any submission is seen."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from grader.callee import Arguments
from grader.checks import Check, checks_of
from grader.contract import reference
from grader.inprocess import callee
from grader.oracles import value_key

BATCH = 64
"""Calls in one round trip to the sandbox."""


def asked(function: str, runs: Iterable[tuple[Check, Any]]) -> tuple[tuple[Arguments, ...], ...]:
    """The calls that checks make of the reference, for each check and example of ``runs``."""
    recorder = callee(function, reference(function))
    calls = []
    for check, example in runs:
        check.holds(recorder, example)
        calls.append(tuple(recorder.calls))
    return tuple(calls)


@cache
def foreseen(function: str, secret: str) -> tuple[tuple[tuple[object, Arguments], ...], ...]:
    """The questions of a grading run with their keys, each once, in batches, the first of one question only.

    A function that never ends, or ends its process, most often does so at once; alone, it is found out at once.
    """
    runs = ((check, example) for check in checks_of(function) for example in check.examples(secret))
    questions = tuple({value_key(call): call for calls in asked(function, runs) for call in calls}.items())
    starts = range(1, len(questions), BATCH)
    return questions[:1], *(questions[start : start + BATCH] for start in starts)
