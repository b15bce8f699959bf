"""Trusted functions called in this process, with the same outcomes as through the sandbox.

The reference, the misconceptions and the right variants run here. A student's code never does.
"""

import copy
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader.callee import Arguments, Callee, Invoke
from grader.sandbox import Outcome, Raised, Returned, as_data, as_numpy, changes


def invoke(function: Callable[..., Any]) -> Invoke:
    """How a ``Callee`` calls a trusted function."""

    def call_each(calls: Sequence[Arguments]) -> list[Outcome]:
        finished = [_call(function, args, kwargs) for args, kwargs in calls]
        # Copied after the last call, as the sandbox does: a buffer used twice shows within these calls and no later.
        return [
            Returned(copy.deepcopy(as_data(outcome.value)), outcome.changed)
            if isinstance(outcome, Returned)
            else outcome
            for outcome in finished
        ]

    return call_each


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Outcome:
    own_args, own_kwargs = as_numpy((args, dict(kwargs)))  # the function's own copies, to do with what it likes
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = function(*own_args, **own_kwargs)
        except Exception as error:
            bases = tuple(base.__name__ for base in type(error).__mro__)
            return Raised(type=type(error).__name__, bases=bases, message=str(error), frames=(), changed=())
    return Returned(value, changes((args, kwargs), (own_args, own_kwargs)))


def callee(name: str, function: Callable[..., Any]) -> Callee:
    """A trusted function as a check sees it."""
    return Callee(name, invoke(function))
