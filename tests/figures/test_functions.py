"""What comes back from a function is read, or said to be unusable."""

from typing import Any

import numpy as np
import pytest

from figures.functions import Reference, Unusable, array, call, integer, mask, pair
from grader.sandbox import Opaque, Scalar


def test_the_reference_is_called() -> None:
    assert call(Reference(), "crossover_length", 768) == 4608
    assert [row.tolist() for row in Reference().each("causal_mask", [((1,), {}), ((2,), {})])] == [
        [[True]],
        [[True, False], [True, True]],
    ]


def test_arrays_are_read_as_floats() -> None:
    for value in (np.ones((2, 3)), np.ones((2, 3), np.float32), np.ones((2, 3), int), np.ones((2, 3), bool)):
        read = array("f", value, (2, 3))
        assert read.dtype == np.float64
        assert read.shape == (2, 3)
    assert np.isnan(array("f", np.array([np.nan]), (1,))[0])


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (np.ones((3, 2)), "f gave an array of shape (3, 2) where (2, 3) is needed"),
        (None, "f gave None where an array"),
        ([[1, 2, 3], [4, 5, 6]], "f gave a value of type list"),
        ("animal", "f gave a value of type str"),
        (1.5, "f gave a value of type float"),
        (Scalar("float32", 1.0), "f gave a value of type float32"),
        (Opaque("Tensor"), "f gave a value of type Tensor"),
        (np.ones((2, 3), complex), "f gave an array of complex128 and shape (2, 3)"),
    ],
)
def test_what_is_no_array_is_named(value: Any, said: str) -> None:
    with pytest.raises(Unusable) as raised:
        array("f", value, (2, 3))
    assert str(raised.value).startswith(said)


def test_masks_are_boolean() -> None:
    assert mask("f", np.eye(2, dtype=bool), (2, 2)).tolist() == [[True, False], [False, True]]
    for value in (np.eye(2), np.eye(3, dtype=bool), None):
        with pytest.raises(Unusable, match="boolean array"):
            mask("f", value, (2, 2))


def test_pairs() -> None:
    assert pair("f", (1, 2)) == (1, 2)
    for value in (np.ones(2), (1,), (1, 2, 3), None):
        with pytest.raises(Unusable, match="pair"):
            pair("f", value)


def test_integers() -> None:
    assert integer("f", 10**299) == 10**299
    for value in (1.0, True, None, Scalar("int64", 4608), 10**300, -(10**400)):
        with pytest.raises(Unusable, match="integer"):
            integer("f", value)
