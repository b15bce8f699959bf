"""What the checks ask: the calls that they make of a right function, known before any submission is seen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from grader.callee import Arguments, Invoke
from grader.checks import Check, checks_of
from grader.contract import reference
from grader.inprocess import callee
from grader.oracles import value_key
from grader.sandbox import Outcome, Request

BATCH = 64
"""Calls in one round trip to the sandbox."""


@dataclass
class Once:
    """Asks the same single question only once: the checks of a function share their inputs.

    Several calls in one go are asked anew each time, since what they show is how one call affects another.
    """

    invoke: Invoke
    answers: dict[object, Outcome] = field(default_factory=dict)

    def __call__(self, calls: Sequence[Arguments]) -> list[Outcome]:
        if len(calls) > 1:
            return self.invoke(calls)
        question = value_key(calls[0])
        if question not in self.answers:
            [self.answers[question]] = self.invoke(calls)
        return [self.answers[question]]


def asked(function: str, runs: Iterable[tuple[Check, Any]]) -> tuple[tuple[Arguments, ...], ...]:
    """The calls that checks make of the reference, for each check and example of ``runs``."""
    recorder = callee(function, reference(function))
    calls = []
    for check, example in runs:
        check.holds(recorder, example)
        calls.append(tuple(recorder.calls))
    return tuple(calls)


@cache
def foreseen(lesson: str, function: str, secret: str) -> tuple[tuple[tuple[object, ...], Request], ...]:
    """The questions of a grading run, each once, in batches with the key of each; the first batch is one question.

    A function that never ends, or ends its process, most often does so at once; alone, it is found out at once.
    """
    runs = ((check, example) for check in checks_of(function) for example in check.examples(secret))
    questions = {value_key(call): call for calls in asked(function, runs) for call in calls}
    keys, calls = tuple(questions), tuple(questions.values())
    batches = [slice(0, 1), *(slice(start, start + BATCH) for start in range(1, len(keys), BATCH))]
    return tuple((keys[batch], Request.of(lesson, function, calls[batch], together=False)) for batch in batches)
