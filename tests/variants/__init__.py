"""Right solutions in other styles than the reference's. They prove that the checks fail nothing right.

A lesson's file writes them as plain functions::

    @variant("softmax")
    def softmax_with_einsum(x, axis=-1): ...

The name without the function's own is the variant's name (``with-einsum``).
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Variant:
    """One right solution of one function of the contract."""

    function: str
    name: str
    solution: Callable[..., Any]


_registry: list[Variant] = []


def variant(function: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a right solution of ``function``."""

    def register(solution: Callable[..., Any]) -> Callable[..., Any]:
        name = solution.__name__.removeprefix(f"{function.lower()}_").replace("_", "-")
        _registry.append(Variant(function, name, solution))
        return solution

    return register


@cache
def all_variants() -> tuple[Variant, ...]:
    """Every variant, lesson file by lesson file, in the order written."""
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    return tuple(_registry)


def variants_of(function: str) -> tuple[Variant, ...]:
    """The variants of one function, in the order written."""
    return tuple(v for v in all_variants() if v.function == function)
