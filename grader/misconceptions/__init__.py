"""Named wrong solutions: each is wrong in exactly one way, and right in every other.

They prove the checks (every one must be caught) and name a student's mistake (a failing function that behaves like one
of them on a fixed battery). A lesson's file writes them as plain functions::

    @misconception("softmax")
    def softmax_shift_by_global_max(x, axis=-1):
        \"\"\"The largest score of the whole array is subtracted, so slices that lie far below it vanish.

        Next: subtract the largest score of each slice, along the same axis as the sum.
        \"\"\"

The name without the function's own is the slug (``shift-by-global-max``); the docstring says, to the student, what the
mistake is and what to do next.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Misconception:
    """One wrong solution of one function of the contract.

    Members of a ``family`` cannot be told apart by their answers and share one name in a diagnosis.
    """

    function: str
    slug: str
    family: str | None
    mistake: str
    next_step: str
    solution: Callable[..., Any]

    @property
    def name(self) -> str:
        """What a diagnosis calls it: the family where there is one."""
        return self.family or self.slug


_registry: list[Misconception] = []


def misconception(function: str, family: str | None = None) -> Callable[[F], F]:
    """Register a wrong solution of ``function``."""

    def register(solution: F) -> F:
        # Two backticks are code to whoever reads the source, one to a student.
        mistake, _, next_step = (solution.__doc__ or "").replace("``", "`").partition("Next:")
        slug = solution.__name__.removeprefix(f"{function.lower()}_").replace("_", "-")
        words = (" ".join(mistake.split()), " ".join(next_step.split()))
        _registry.append(Misconception(function, slug, family, *words, solution))
        return solution

    return register


@cache
def all_misconceptions() -> tuple[Misconception, ...]:
    """Every misconception, lesson file by lesson file, in the order written."""
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    return tuple(_registry)


def misconceptions_of(function: str) -> tuple[Misconception, ...]:
    """The misconceptions of one function, in the order written."""
    return tuple(m for m in all_misconceptions() if m.function == function)
