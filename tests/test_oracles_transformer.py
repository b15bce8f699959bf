"""The transformer's oracles against exact arithmetic, and against the loops of the lesson ``attention``."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from grader.bounds import Array, Bounded
from grader.checks.transformer import BATCHES, HEADS, ORDERS, Sizes
from grader.contract import reference
from grader.drawing import fill
from grader.oracles import attention as loops
from grader.oracles import transformer as oracle

SEEDS = range(8)


def sizes(seed: int) -> Sizes:
    return Sizes(3, 4, 6, 5, 1000 * seed)


def fractions(x: Array) -> Array:
    return np.vectorize(Fraction, otypes=[object])(x)


def within(got: Any, expected: Bounded) -> bool:
    return bool(np.all(np.abs(got - expected.value) <= expected.error))


@pytest.mark.parametrize("seed", SEEDS)
def test_arithmetic_on_bounded_values_holds_the_exact_result(seed: int) -> None:
    """Operands known to be off by their bound: the result with and without that error lies within the result's."""
    exact = [fill(seed + i, 4, 4) + 1 / 3 for i in range(3)]
    operands = [Bounded(x, np.full(x.shape, 2.0**-20)) for x in exact]
    for signs in ((0, 0, 0), (1, 1, 1), (-1, 1, -1), (1, -1, 1)):
        a, b, c = (fractions(x) + sign * Fraction(1, 2**20) for x, sign in zip(exact, signs, strict=True))
        bounded_a, bounded_b, bounded_c = operands
        for result, bound in (
            (a + b, bounded_a + bounded_b),
            (a - b, bounded_a - bounded_b),
            (a * b, bounded_a * bounded_b),
            (a @ b + c, bounded_a @ bounded_b + bounded_c),
            (a.sum(axis=-1, keepdims=True) / 4, bounded_a.mean()),
        ):
            assert np.all(np.abs(result - fractions(bound.value)) <= fractions(bound.error))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_head_is_attention_query_by_query(seed: int) -> None:
    case = sizes(seed)
    identity = {f"w_{name}": np.eye(case.d) for name in "qkvo"} | {f"b_{name}": np.zeros(case.d) for name in "qkvo"}
    for x in case.tokens():
        memory, mask = case.memory(x), case.memory_mask(x)
        one = oracle.multi_head_attention(x, identity, 1, mask, memory)
        slow = loops.attention(x, memory, memory, mask)[0]
        assert np.allclose(one.value, slow.value, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_layer_norm_token_by_token(seed: int) -> None:
    x, gain, bias = fill(seed, 3, 6) + 1000, fill(seed + 1, 6), fill(seed + 2, 6)
    for token, expected in zip(fractions(x), oracle.layer_norm(x, gain, bias, 0.25).value, strict=True):
        mean = sum(token) / 6
        variance = sum((feature - mean) ** 2 for feature in token) / 6
        slow = [float(f - mean) / float(variance + Fraction(1, 4)) ** 0.5 for f in token] * gain + bias
        assert np.allclose(expected, slow, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reference_lies_within_bounds_that_no_mistake_fits_into(seed: int) -> None:
    case = sizes(seed)
    for x in case.tokens():
        memory, mask, memory_mask = case.memory(x), case.mask(x), case.memory_mask(x)
        assert within(reference("layer_norm")(x, **case.norm(1)), oracle.layer_norm(x, **case.norm(1)))
        assert within(reference("feed_forward")(x, case.feed_forward()), oracle.feed_forward(x, case.feed_forward()))
        for n_heads in HEADS:
            calls: list[tuple[str, tuple[Any, ...]]] = [
                ("multi_head_attention", (x, case.attention(), n_heads, memory_mask, memory)),
                *(("encoder_block", (x, case.encoder(), n_heads, mask, "norm_first" in order)) for order in ORDERS),
                *(
                    ("decoder_block", (x, memory, case.decoder(), n_heads, mask, memory_mask, "norm_first" in order))
                    for order in ORDERS
                ),
            ]
            for name, arguments in calls:
                bound = getattr(oracle, name)(*arguments)
                assert within(reference(name)(*arguments), bound)
                assert np.all(bound.error < 1e-8)


def test_heads_are_slices() -> None:
    for batch in BATCHES:
        x = np.arange(float(np.prod(batch, dtype=int) * 4 * 6)).reshape(*batch, 4, 6)
        split = oracle.split_heads(x, 3)
        assert np.array_equal(split[..., 1, :, :], x[..., 2:4])
        assert np.array_equal(oracle.merge_heads(split), x)
