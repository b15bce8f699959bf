"""Slow, obvious programs for the right answers, with error bounds: loops over indices, independent of the reference.

A class is asked the same questions, so answers are remembered by the values of the arguments.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from hashlib import blake2b
from typing import ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")
MOST_REMEMBERED = 5_000
SHORT = 64
"""Bytes of an array above which its digest stands for them."""


def remembered(oracle: Callable[P, R]) -> Callable[P, R]:
    """Answer a question that was asked before from memory. Arrays count by shape, type and bytes."""
    memory: OrderedDict[object, R] = OrderedDict()

    @wraps(oracle)
    def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        key = value_key((args, kwargs))
        if key not in memory:
            memory[key] = oracle(*args, **kwargs)
            if len(memory) > MOST_REMEMBERED:
                memory.popitem(last=False)
        return memory[key]

    return answer


def value_key(value: object) -> object:
    """A hashable stand-in for data: equal for equal values of equal types, whatever the objects."""
    kind = type(value)
    if isinstance(value, np.ndarray):
        content = value.tobytes()
        digest = content if len(content) <= SHORT else blake2b(content, digest_size=16).digest()
        return value.shape, value.dtype.str, digest
    if isinstance(value, dict):
        return tuple([(key, value_key(item)) for key, item in value.items()])
    if isinstance(value, list | tuple):
        return kind, tuple([value_key(item) for item in value])
    return kind, value
