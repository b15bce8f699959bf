"""What a check asserts: shape before value, no broadcasting, NaN never right."""

import numpy as np
import pytest

from grader import expect
from grader.bounds import Bounded
from grader.callee import Violation
from grader.sandbox import Opaque, Scalar


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "it returned None, not an array"),
        ([1.0], "it returned a list, not an array"),
        (1.0, "it returned a float, not an array"),
        (Scalar("float64", 1.0), "it returned a single numpy.float64, not an array"),
        (Opaque("matrix"), "it returned a matrix, not an array"),
        (np.zeros((3, 1)), r"the shape is \(3, 1\), not \(3,\)"),
        (np.zeros(3, dtype=np.float32), "the array holds float32, not float64"),
        (np.zeros(3, dtype=int), "the array holds int64, not float64"),
    ],
)
def test_form_is_checked_and_said(value: object, said: str) -> None:
    with pytest.raises(Violation, match=said) as caught:
        expect.array(value, (3,))
    assert caught.value.about_form


def test_any_float_takes_short_floats_and_no_integers() -> None:
    assert expect.array(np.zeros(3, dtype=np.float16), (3,), "any float").shape == (3,)
    with pytest.raises(Violation):
        expect.array(np.zeros(3, dtype=int), (3,), "any float")


@pytest.mark.parametrize("value", [(1,), (1, 2, 3), None, 4, np.zeros(2)])
def test_a_pair_is_two(value: object) -> None:
    with pytest.raises(Violation):
        expect.pair(value, "output", "weights")
    assert expect.pair([1, 2], "output", "weights") == (1, 2)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1.1])
def test_close_refuses_what_is_outside_the_bound(wrong: float) -> None:
    expected = Bounded(np.ones(3), np.full(3, 0.01))
    expect.close(np.array([1.0, 1.005, 0.995]), expected)
    with pytest.raises(Violation, match=r"at \[1\]"):
        expect.close(np.array([1.0, wrong, 1.0]), expected)


def test_same_is_exact() -> None:
    expect.same(np.array([True, False]), np.array([True, False]))
    with pytest.raises(Violation):
        expect.same(np.array([1e-320]), np.array([0.0]))
    with pytest.raises(Violation):
        expect.same(np.array([np.nan]), np.array([np.nan]))
