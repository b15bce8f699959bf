"""Hidden checks: a check is a strategy that draws inputs and a property that calls the submission and asserts.

A lesson's file writes its checks top to bottom, in the order in which a student should read them::

    @check("softmax", given=slices())
    def sums_to_one(softmax: Callee, case: Slice) -> None:
        \"\"\"The weights of every slice sum to 1.\"\"\"

The first line of the docstring is what a student reads. A check that catches no mistake which others miss says after
``Kept:`` why it stays; the kill matrix test holds both to account.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy

from grader.callee import Callee, Ended, Unfinished, Violation
from grader.drawing import draw, seed_of, shrink

MOST = 8
"""Examples drawn from one strategy. They are few, since each holds every case that can be listed."""

Property = Callable[[Callee, Any], None]


@dataclass(frozen=True)
class Check:
    """One hidden check of one function of the contract."""

    function: str
    name: str
    sentence: str
    kept: str | None
    strategy: SearchStrategy[Any]
    property: Property
    count: int
    in_battery: bool

    def seed(self, secret: str, salt: str = "") -> int:
        """The seed of this check's inputs under a course's secret. Checks of one function share their inputs."""
        return seed_of(secret, salt, self.function)

    def examples(self, secret: str, salt: str = "") -> tuple[Any, ...]:
        """The inputs of a grading run, smallest first: drawn once, the same for everyone with this secret and salt."""
        seed = self.seed(secret, salt)
        drawn = [_with_secret(example, seed) for example in _drawn(self.strategy, seed)[: self.count]]
        return tuple(sorted(drawn, key=lambda example: (getattr(example, "size", 0), repr(example))))

    def holds(self, callee: Callee, example: Any) -> None:
        """Call the function and assert; raises ``Violation`` when the property breaks."""
        callee.calls.clear()
        with np.errstate(all="ignore"):
            self.property(callee, example)

    def smallest(self, callee: Callee, secret: str, salt: str = "") -> Any | None:
        """The smallest input on which the property breaks, or None when none is found again.

        The search ends at the first call that does not come back: the verdict stands, and every such call costs time.
        """
        lost, seed = False, self.seed(secret, salt)

        def breaks(example: Any) -> bool:
            nonlocal lost
            try:
                if not lost:
                    self.holds(callee, _with_secret(example, seed))
            except Violation:
                return True
            except (Ended, Unfinished):
                lost = True
            return False

        smallest = shrink(self.strategy, seed, MOST, breaks)
        return None if smallest is None else _with_secret(smallest, seed)


def _with_secret(example: Any, seed: int) -> Any:
    """The example with arrays that depend on the secret: the simplest example has the seed 0 under every secret."""
    return replace(example, seed=(example.seed + seed) % 2**32) if hasattr(example, "seed") else example


@cache
def _drawn(strategy: SearchStrategy[Any], seed: int) -> list[Any]:
    return draw(strategy, seed, MOST)


_registry: list[Check] = []


def check(
    function: str, given: SearchStrategy[Any], count: int = MOST, in_battery: bool = True
) -> Callable[[Property], Property]:
    """Register a property of ``function`` over the inputs ``given``; at most ``count`` examples are used.

    ``in_battery`` is false where right styles answer differently within the contract, which would blur a diagnosis.
    """

    def register(prop: Property) -> Property:
        sentence, _, rest = (prop.__doc__ or "").partition("\n")
        _, _, kept = rest.partition("Kept:")
        reason = " ".join(kept.split()) or None
        _registry.append(Check(function, prop.__name__, sentence.strip(), reason, given, prop, count, in_battery))
        return prop

    return register


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check, lesson file by lesson file, each in the order written."""
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    return tuple(_registry)


def checks_of(function: str, checks: Iterable[Check] | None = None) -> tuple[Check, ...]:
    """The checks of one function, in the order written."""
    return tuple(c for c in (all_checks() if checks is None else checks) if c.function == function)
