"""The oracles agree with the reference; their bounds have room for rounding and none for mistakes."""

import numpy as np
import pytest

from grader.contract import reference
from grader.drawing import coins, fill
from grader.oracles import attention as oracle
from grader.oracles import masking


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("scale", [1, 30, 1e4])
def test_softmax_bounds(seed: int, scale: float) -> None:
    x = fill(seed, 3, 4, 5) * scale
    for axis in (-3, -2, -1, 0, 1, 2):
        expected = oracle.softmax(x, axis)
        assert np.all(np.abs(reference("softmax")(x, axis) - expected.value) <= expected.error)
        assert np.all(expected.error <= 1e-10 * expected.value + 1e-299)


@pytest.mark.parametrize("seed", range(20))
def test_attention_bounds(seed: int) -> None:
    q, k, v = fill(seed, 2, 4, 3), fill(seed + 1, 2, 5, 3), fill(seed + 2, 2, 5, 2)
    for mask in (None, coins(seed, 4, 5), coins(seed, 2, 1, 5), np.zeros((1, 1), dtype=bool)):
        for got, expected in zip(reference("attention")(q, k, v, mask), oracle.attention(q, k, v, mask), strict=True):
            assert np.all(np.abs(got - expected.value) <= expected.error)
            assert np.all(expected.error <= 1e-12)


def test_masks_agree_with_the_reference() -> None:
    for n in range(6):
        assert np.array_equal(masking.causal_mask(n), reference("causal_mask")(n))
    assert np.array_equal(masking.padding_mask([0, 2, 3], 3), reference("padding_mask")([0, 2, 3], 3))
    masks = coins(1, 3, 4), coins(2, 2, 1, 4), coins(3, 3, 1)
    assert np.array_equal(masking.combine_masks(*masks), reference("combine_masks")(*masks))


def test_an_oracle_remembers_by_value_not_by_object() -> None:
    x = fill(5, 3).copy()
    before = oracle.softmax(x).value.copy()
    x += np.arange(3)
    assert not np.array_equal(oracle.softmax(x).value, before)
