"""What a check asserts about a value that came back. Each raises ``Violation`` with a plain sentence.

Shape and type come first, so that nothing is ever broadcast in a comparison.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.bounds import Array, Bounded
from grader.callee import Arguments, Callee, Violation
from grader.plain import type_named
from grader.sandbox import Opaque, Scalar

Shape = tuple[int, ...]
LATER = "after a second call, what the first call returned"


def kind_of(value: Any) -> str:
    """A value's type in words: ``a float64 array of shape (2, 3)``, ``a list``, ``None``."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"{_article(str(value.dtype))} array of shape {value.shape}"
    if isinstance(value, Scalar):
        return f"a single numpy.{value.dtype}"
    if isinstance(value, Opaque):
        return _article(type_named(value.type_name))
    return _article(type(value).__name__)


_ARRAY_OF = "ndarray of "
"""How the name of an array's type begins where what it holds does not cross: complex numbers, objects, texts."""
_ADVICE = {
    "NoneType": "is a return missing?",
    "builtin_function_or_method": "is it called, with brackets?",
    "coroutine": "write def, not async def",
    "function": "is it called, with brackets?",
    "generator": "write return, not yield",
    "method": "is it called, with brackets?",
}
"""What to do about an answer of a kind that is never right, by its type."""
_ADVICE_ON_ARRAYS = {
    "MaskedArray": "use np.where, not np.ma",
    "list": "np.array makes one of it",
    "matrix": "use np.array, not np.matrix",
}


def not_a(wanted: str, value: Any, advice: Mapping[str, str] = _ADVICE) -> str:
    """What is wrong with an answer of another kind than the one wanted, and what to do about it."""
    kind = value.type_name if isinstance(value, Opaque) else type(value).__name__
    return f"it returned {kind_of(value)}, not {wanted}" + (f": {advice[kind]}" if kind in advice else "")


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def array(value: Any, shape: Shape, dtype: str = "float64") -> Array:
    """A plain array of exactly this shape and type; ``dtype`` is ``"any float"`` where the contract leaves it open."""
    wanted = f"{_article(dtype)} array of shape {shape}"
    if isinstance(value, Opaque) and value.type_name.startswith(_ARRAY_OF):
        held = type_named(value.type_name.removeprefix(_ARRAY_OF))
        raise Violation(f"the array holds {held}, not {dtype}", value, wanted, about_form=True)
    if not isinstance(value, np.ndarray):
        raise Violation(not_a("an array", value, _ADVICE | _ADVICE_ON_ARRAYS), value, wanted, about_form=True)
    if value.shape != shape:
        raise Violation(f"the shape is {value.shape}, not {shape}", value, wanted, about_form=True)
    if value.dtype.kind != "f" if dtype == "any float" else value.dtype != np.dtype(dtype):
        raise Violation(f"the array holds {value.dtype}, not {dtype}", value, wanted, about_form=True)
    return value


def pair(value: Any, first: str, second: str) -> tuple[Any, Any]:
    """A tuple (or list) of two."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        wanted = f"the pair ({first}, {second})"
        if isinstance(value, tuple | list):
            problem = f"it returned {kind_of(value)} of {len(value)}, not {wanted}"
            raise Violation(problem, value, wanted, about_form=True)
        raise Violation(not_a(wanted, value), value, wanted, about_form=True)
    return value[0], value[1]


def close(got: Array, expected: Bounded, what: str = "the value") -> None:
    """Every entry within its rounding bound of the right value; NaN never is."""
    inside = _inside(got, expected)
    if not np.all(inside):
        where = _first(~inside)
        problem = "{} at {} is {}, not {}".format(what, list(where), *_apart(got[where], expected.value[where]))
        raise Violation(problem, got, expected.value)


def answered(
    callee: Callee, calls: Sequence[Arguments], expected: Sequence[Bounded | tuple[Bounded, Bounded]], what: str
) -> None:
    """Several calls in one go get the right array, or pair of arrays, looked at after the last has returned.

    What a call answers wrongly by itself is not laid to the calls that came after it.
    """
    for (args, kwargs), result, right in zip(calls, callee.each(calls), expected, strict=True):
        rights = (right,) if isinstance(right, Bounded) else right
        later = _arrays(result, rights)
        if all(np.all(_inside(got, bound)) for got, bound in zip(later, rights, strict=True)):
            continue
        for got, said in ((_arrays(callee(*args, **kwargs), rights), what), (later, LATER)):
            for part, bound in zip(got, rights, strict=True):
                close(part, bound, said)


def same(got: Array, expected: Array, what: str = "the value") -> None:
    """Every entry equal, for values that admit no rounding (booleans, exact zeros)."""
    differs = got != expected
    if np.any(differs):
        where = _first(differs)
        raise Violation(f"{what} at {list(where)} is {got[where]}, not {expected[where]}", got, expected)


def agree(got: Array, other: Array, error: Array, what: str = "the value") -> None:
    """Two answers of the submission, equal up to what both may have been rounded by."""
    close(got, Bounded(other.astype(np.float64), error), what)


def true(holds: Any, problem: str, got: Any = None, expected: Any = None) -> None:
    """A statement that must hold everywhere."""
    if not np.all(holds):
        raise Violation(problem, got, expected)


def unchanged(callee: Callee) -> None:
    """The last call left its arguments as they were."""
    if callee.changed:
        raise Violation(
            f"it changed {' and '.join(callee.changed)}",
            expected="arguments left as they were given",
            about_form=True,
        )


def _arrays(value: Any, rights: Sequence[Bounded]) -> list[Array]:
    parts = (value,) if len(rights) == 1 else pair(value, "output", "weights")
    return [array(part, right.value.shape) for part, right in zip(parts, rights, strict=True)]


def _inside(got: Array, expected: Bounded) -> Array:
    return np.abs(got.astype(np.float64) - expected.value) <= expected.error


def _apart(got: Any, wanted: Any) -> tuple[str, str]:
    """Two different numbers with as many digits as it takes to tell them apart, and at least six."""
    texts = ((f"{got:.{digits}g}", f"{wanted:.{digits}g}") for digits in range(6, 18))
    return next(((one, other) for one, other in texts if one != other), (repr(float(got)), repr(float(wanted))))


def _first(mask: Array) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argwhere(mask)[0])
