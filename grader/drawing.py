"""Inputs for checks: drawn once from a secret, smallest first, and exact in binary.

Hypothesis draws sizes and a seed; ``fill`` makes the arrays. A seed's bits come raw from PCG64, whose stream NumPy
keeps stable, and become multiples of 1/8 in [-2, 2). On such numbers shifting, doubling, tiling and permuting are
exact, so a relation between two calls is charged with the submission's own rounding only.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any
from unittest.mock import patch

import hypothesis
import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture.providers import HypothesisProvider
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

QUIET = {
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "verbosity": hypothesis.Verbosity.quiet,
    "print_blob": False,
}


@lru_cache(maxsize=4096)
def fill(seed: int, *shape: int) -> NDArray[np.float64]:
    """A read-only array of multiples of 1/8 in [-2, 2), the same for the same seed and shape on every machine."""
    bits: NDArray[np.uint64] = np.random.PCG64(seed).random_raw(int(np.prod(shape)))
    return _shared(((bits >> np.uint64(59)).astype(np.float64) / 8 - 2).reshape(shape))


@lru_cache(maxsize=4096)
def coins(seed: int, *shape: int) -> NDArray[np.bool_]:
    """A read-only boolean array of fair coins, the same for the same seed and shape on every machine."""
    bits: NDArray[np.uint64] = np.random.PCG64(seed).random_raw(int(np.prod(shape)))
    return _shared((bits >> np.uint64(63)).astype(bool).reshape(shape))


def masks(seed: int, batch: tuple[int, ...], n_q: int, n_k: int) -> Iterator[NDArray[np.bool_]]:
    """A mask of every shape that broadcasts to ``(*batch, n_q, n_k)``: by pair, by key, by query, for all; with and
    without the batch axes. Where there are several rows, the first is empty and the last one full."""
    shapes: list[tuple[int, ...]] = [(n_q, n_k), (1, n_k), (n_q, 1), (1, 1)]
    if batch:
        shapes += [(*batch, n_q, n_k), (*batch, 1, n_k), (*[1] * len(batch), n_q, n_k)]
        shapes += [(*batch[1:], n_q, n_k)]  # fewer batch axes than the scores have
    if len(batch) > 1:
        shapes += [(*batch[:-1], 1, n_q, n_k)]
    for i, shape in enumerate(shapes):
        mask = coins(seed + i, *shape).copy()
        if shape[-2] > 1:
            mask[..., 0, :] = False
            mask[..., -1, :] = True
        yield mask


def _shared(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)  # every submission of a class is asked with the same array
    return array


def shuffle(seed: int, n: int) -> NDArray[np.intp]:
    """A permutation of ``range(n)`` that moves every index when n > 1: a shuffle followed by a turn, if need be."""
    order = np.argsort(np.random.PCG64(seed).random_raw(n), kind="stable")
    return order if n < 2 or np.any(order != np.arange(n)) else np.roll(order, 1)


@contextmanager
def _steady() -> Iterator[None]:
    """Hypothesis without the constants that it picks from the source of loaded modules.

    With them the draws depend on which modules happen to be loaded, and on whether the grader is installed or run from
    a checkout: the same seed would not draw the same inputs for everyone. There is no setting for it.
    """
    with patch.object(HypothesisProvider, "_maybe_draw_constant", lambda *args, **kwargs: None):
        yield


def seed_of(*parts: str) -> int:
    """A 64-bit seed from words, the same on every machine."""
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:8], "big")


def draw(strategy: SearchStrategy[Any], seed: int, count: int) -> list[Any]:
    """At most ``count`` different examples of ``strategy``, in the order drawn (the smallest comes early)."""
    drawn: list[Any] = []

    @hypothesis.seed(seed)
    @settings(max_examples=count, phases=(Phase.generate,), **QUIET)  # type: ignore[arg-type]
    @hypothesis.given(strategy)
    def collect(example: Any) -> None:
        if example not in drawn:
            drawn.append(example)

    with _steady():
        collect()
    return drawn


def shrink(
    strategy: SearchStrategy[Any], seed: int, count: int, fails: Callable[[Any], bool], calls: int = 60
) -> Any | None:
    """The smallest failing example that Hypothesis finds within ``calls`` trials, or None.

    The budget is a number of trials, not a time, so that the example found does not depend on the machine.
    """
    smallest: Any | None = None
    tried = 0

    @hypothesis.seed(seed)
    @settings(max_examples=count, phases=(Phase.generate, Phase.shrink), **QUIET)  # type: ignore[arg-type]
    @hypothesis.given(strategy)
    def attempt(example: Any) -> None:
        nonlocal smallest, tried
        tried += 1
        if tried <= calls and fails(example):
            smallest = example  # Hypothesis only ever moves to smaller failures
            raise AssertionError

    # The failure itself, or Hypothesis's remark that it stopped failing once the budget was spent.
    with _steady(), suppress(AssertionError, hypothesis.errors.HypothesisException, BaseExceptionGroup):
        attempt()
    return smallest
