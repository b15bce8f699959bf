"""What a check asserts: shape before value, no broadcasting, NaN never right."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from grader import expect
from grader.bounds import Array, Bounded
from grader.callee import Violation
from grader.inprocess import callee
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


@pytest.mark.parametrize(
    ("got", "wanted", "said"),
    [
        (0.25, 0.5, "0.25, not 0.5"),
        (1 + 3e-9, 1.0, "1.000000003, not 1"),
        (np.float32(0.1), 0.1, "0.100000001, not 0.1"),
        (np.nextafter(0.3, 1), 0.3, "0.30000000000000004, not 0.29999999999999999"),
        (np.nan, 0.5, "nan, not 0.5"),
    ],
)
def test_numbers_are_told_with_the_digits_that_tell_them_apart(got: float, wanted: float, said: str) -> None:
    with pytest.raises(Violation, match=re.escape(said)):
        expect.close(np.array([got]), Bounded(np.array([wanted]), np.zeros(1)))


BUFFER = np.zeros(2)


def shared(x: Array) -> Array:
    BUFFER[:] = x
    return BUFFER


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (shared, "after a second call, what the first call returned at [0] is 3, not 1"),
        (lambda x: x + 1e-9, "the value at [0] is 1.000000001, not 1"),
    ],
)
def test_what_a_call_gets_wrong_by_itself_is_not_laid_to_a_later_one(
    function: Callable[[Array], Array], said: str
) -> None:
    inputs = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    expected = [Bounded(x, np.zeros(2)) for x in inputs]
    calls = [((x,), {}) for x in inputs]
    expect.answered(callee("f", np.copy), calls, expected, "the value")
    with pytest.raises(Violation, match=re.escape(said)):
        expect.answered(callee("f", function), calls, expected, "the value")


def test_a_pair_is_answered_like_one_array() -> None:
    zeros = Bounded(np.zeros(2), np.zeros(2))
    one = callee("f", lambda: (np.zeros(2), np.ones(2)))
    expect.answered(callee("f", lambda: (np.zeros(2), np.zeros(2))), [((), {})], [(zeros, zeros)], "the weight")
    with pytest.raises(Violation, match=r"the weight at \[0\] is 1, not 0"):
        expect.answered(one, [((), {})], [(zeros, zeros)], "the weight")


def test_same_is_exact() -> None:
    expect.same(np.array([True, False]), np.array([True, False]))
    with pytest.raises(Violation):
        expect.same(np.array([1e-320]), np.array([0.0]))
    with pytest.raises(Violation):
        expect.same(np.array([np.nan]), np.array([np.nan]))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "it returned None, not a float: is a return missing?"),
        ([1.0], "it returned a list, not a float"),
        (Opaque("coroutine"), "it returned a coroutine, not a float: write def, not async def"),
        (Opaque("generator"), "it returned a generator, not a float: write return, not yield"),
        (Opaque("function"), "it returned a function, not a float: is it called, with brackets?"),
    ],
)
def test_an_answer_of_another_kind_is_told_with_what_to_do(value: object, said: str) -> None:
    assert expect.not_a("a float", value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([1.0], "it returned a list, not an array: np.array makes one of it"),
        (Opaque("matrix"), "it returned a matrix, not an array: use np.array, not np.matrix"),
        (Opaque("MaskedArray"), "it returned a MaskedArray, not an array: use np.where, not np.ma"),
        (Opaque("ndarray of complex128"), "the array holds complex128, not float64"),
    ],
)
def test_what_is_nearly_an_array_is_told_with_what_to_do(value: object, said: str) -> None:
    with pytest.raises(Violation) as caught:
        expect.array(value, (1,))
    assert caught.value.problem == said


def test_a_pair_of_another_size_is_told_with_its_size() -> None:
    with pytest.raises(Violation) as caught:
        expect.pair((1, 2, 3), "output", "weights")
    assert caught.value.problem == "it returned a tuple of 3, not the pair (output, weights)"
