"""Public tests of positional_encoding.py. A test asks for the functions it needs by name, as arguments."""

import numpy as np
from checking import assert_close, assert_number, assert_value_error
from hypothesis import given
from hypothesis import strategies as st

POSITIONS = st.integers(0, 40)
OFFSETS = st.integers(-20, 20)


def four_features(p):
    """Position p in d = 4 features: two frequencies, 1 and 10000^(-2/4) = 1/100."""
    return np.array([np.sin(p), np.cos(p), np.sin(p / 100), np.cos(p / 100)])


# sinusoidal_pe


def test_sinusoidal_pe_of_two_features(sinusoidal_pe):
    """For d = 2 there is one frequency, 1: a sine and a cosine of the position, from position 0."""
    expected = [[0.0, 1.0], [np.sin(1), np.cos(1)], [np.sin(2), np.cos(2)]]
    assert_close(sinusoidal_pe(3, 2), expected)


def test_sinusoidal_pe_begins_with_zeros_and_ones(sinusoidal_pe):
    """At position 0 every sine is 0 and every cosine 1, in turns."""
    assert_close(sinusoidal_pe(1, 6), [[0.0, 1.0, 0.0, 1.0, 0.0, 1.0]])


def test_sinusoidal_pe_of_four_features(sinusoidal_pe):
    """For d = 4 the frequencies are 1 and 10000^(-2/4) = 1/100; a sine and its cosine share one."""
    expected = [
        [0.0, 1.0, 0.0, 1.0],
        [np.sin(1), np.cos(1), np.sin(1 / 100), np.cos(1 / 100)],
        [np.sin(2), np.cos(2), np.sin(2 / 100), np.cos(2 / 100)],
    ]
    assert_close(sinusoidal_pe(3, 4), expected)


def test_sinusoidal_pe_of_eight_features(sinusoidal_pe):
    """For d = 8 the frequencies are 1, 1/10, 1/100 and 1/1000: each a tenth of the one before."""
    sines = np.sin([5.0, 0.5, 0.05, 0.005])
    assert_close(sinusoidal_pe(6, 8)[5, 0::2], sines)


def test_sinusoidal_pe_of_no_positions(sinusoidal_pe):
    """No positions make an array of shape (0, d)."""
    assert_close(sinusoidal_pe(0, 4), np.zeros((0, 4)))


def test_sinusoidal_pe_of_an_odd_number_of_features(sinusoidal_pe):
    """An odd d raises ValueError: one sine would have no cosine."""
    assert_value_error(sinusoidal_pe, 4, 5)
    assert_value_error(sinusoidal_pe, 4, 3)
    assert_value_error(sinusoidal_pe, 1, 1)


@given(POSITIONS, st.integers(1, 5))
def test_sinusoidal_pe_keeps_each_hand_at_length_one(sinusoidal_pe, p, half):
    """The square of every sine and that of its cosine, which stands next to it, add up to 1."""
    hands = sinusoidal_pe(p + 1, 2 * half)[p].reshape(half, 2)
    assert_close(
        (hands**2).sum(axis=-1), np.ones(half), of=f"the square of each sine and of its cosine at {p}, added up"
    )


@given(POSITIONS, POSITIONS)
def test_sinusoidal_pe_of_a_longer_text(sinusoidal_pe, n, more):
    """The rows of a short text are the first rows of a longer one."""
    assert_close(sinusoidal_pe(n + more, 6)[:n], sinusoidal_pe(n, 6))


# shift_matrix


def test_shift_matrix_by_zero(shift_matrix):
    """Moving by nothing is the identity."""
    assert_close(shift_matrix(0, 4), np.eye(4))


def test_shift_matrix_of_two_features(shift_matrix):
    """For d = 2: sin(p + 1) and cos(p + 1) as mixtures of sin(p) and cos(p)."""
    s, c = np.sin(1), np.cos(1)
    assert_close(shift_matrix(1, 2), [[c, s], [-s, c]])


def test_shift_matrix_backwards(shift_matrix):
    """A negative k moves back."""
    s, c = np.sin(3), np.cos(3)
    assert_close(shift_matrix(-3, 2), [[c, -s], [s, c]])


def test_shift_matrix_of_four_features(shift_matrix):
    """For d = 4: a rotation by k for the first pair of features, one by k/100 for the second."""
    fast_s, fast_c, slow_s, slow_c = np.sin(2), np.cos(2), np.sin(2 / 100), np.cos(2 / 100)
    expected = [
        [fast_c, fast_s, 0.0, 0.0],
        [-fast_s, fast_c, 0.0, 0.0],
        [0.0, 0.0, slow_c, slow_s],
        [0.0, 0.0, -slow_s, slow_c],
    ]
    assert_close(shift_matrix(2, 4), expected)


@given(POSITIONS, OFFSETS)
def test_shift_matrix_moves_every_position(shift_matrix, p, k):
    """The matrix times the encoding of position p is the encoding of position p + k."""
    moved = shift_matrix(k, 4) @ four_features(p)
    assert_close(moved, four_features(p + k), of=f"the matrix times the encoding of position {p}")


@given(OFFSETS, OFFSETS)
def test_shift_matrix_twice(shift_matrix, j, k):
    """Moving by j and then by k is moving by j + k."""
    by_j, by_k = shift_matrix(j, 8), shift_matrix(k, 8)
    assert_close(shift_matrix(j + k, 8), by_k @ by_j)


# offset_similarity


def test_offset_similarity_of_a_position_with_itself(offset_similarity):
    """At offset 0 every one of the d / 2 pairs adds 1."""
    assert_number(offset_similarity(0, 2), 1.0)
    assert_number(offset_similarity(0, 6), 3.0)


def test_offset_similarity_of_two_features(offset_similarity):
    """For d = 2 it is the cosine of the offset."""
    assert_number(offset_similarity(1, 2), np.cos(1))
    assert_number(offset_similarity(3, 2), np.cos(3))


def test_offset_similarity_of_four_features(offset_similarity):
    """For d = 4 the frequencies are 1 and 1/100."""
    assert_number(offset_similarity(2, 4), np.cos(2) + np.cos(2 / 100))


def test_offset_similarity_backwards(offset_similarity):
    """k words before is as alike as k words after."""
    assert_number(offset_similarity(-2, 4), np.cos(2) + np.cos(2 / 100))


@given(POSITIONS, OFFSETS)
def test_offset_similarity_is_the_dot_product(offset_similarity, p, k):
    """It is the dot product of the encodings of p and p + k, wherever p is."""
    assert_number(offset_similarity(k, 4), four_features(p) @ four_features(p + k))
