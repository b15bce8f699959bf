"""How a figure calls functions, and how it reads what comes back, which from a submission may be anything."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from grader.contract import reference

Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]
Array = NDArray[np.float64]

MOST_DIGITS = 300
"""Digits of an integer that a float can still hold."""


class Unusable(Exception):
    """A function gave nothing that could be drawn; the message says which function and what happened."""


class Functions(Protocol):
    """The functions that a figure is drawn from."""

    def each(self, function: str, calls: Sequence[Arguments]) -> list[Any]:
        """The values of these calls, in order. Raises ``Unusable`` when one of them has none."""


class Reference:
    """The kit's own functions, called in this process."""

    def each(self, function: str, calls: Sequence[Arguments]) -> list[Any]:
        """The values of these calls, in order."""
        called = reference(function)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            return [called(*args, **kwargs) for args, kwargs in calls]


def call(functions: Functions, function: str, *args: Any, **kwargs: Any) -> Any:
    """The value of one call. Raises ``Unusable``."""
    return functions.each(function, [(args, kwargs)])[0]


def array(function: str, value: Any, shape: tuple[int, ...]) -> Array:
    """A value as an array of floats; entries may be anything that a float can be, NaN and infinity too.

    Raises ``Unusable`` when it is not an array of real numbers of this shape.
    """
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
        raise Unusable(f"{function} gave {_kind(value)} where an array of shape {shape} is needed.")
    if value.shape != shape:
        raise Unusable(f"{function} gave an array of shape {value.shape} where {shape} is needed.")
    return value.astype(np.float64)


def mask(function: str, value: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """A value as a boolean array. Raises ``Unusable`` when it is not one of this shape."""
    if not isinstance(value, np.ndarray) or value.dtype != bool or value.shape != shape:
        raise Unusable(f"{function} gave {_kind(value)} where a boolean array of shape {shape} is needed.")
    return value


def pair(function: str, value: Any) -> tuple[Any, Any]:
    """A value as a pair. Raises ``Unusable`` when it is none."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise Unusable(f"{function} gave {_kind(value)} where a pair is needed.")
    return value[0], value[1]


def integer(function: str, value: Any) -> int:
    """A value as an integer. Raises ``Unusable`` when it is none, or one that no axis can show."""
    if type(value) is not int:
        raise Unusable(f"{function} gave {_kind(value)} where an integer is needed.")
    if abs(value) >= 10**MOST_DIGITS:
        raise Unusable(f"{function} gave an integer of more than {MOST_DIGITS} digits.")
    return value


def median(values: Array) -> float:
    """The median of numbers of any size; NaN where one of them is."""
    with np.errstate(all="ignore"):
        return float(np.median(values))


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} and shape {value.shape}"
    # What a sandbox hands over instead of a foreign object knows the name of the object's type.
    name = str(getattr(value, "type_name", "") or getattr(value, "dtype", "") or type(value).__name__)
    return f"a value of type {name}"
