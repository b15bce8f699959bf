"""Public tests of masking.py. A test asks for the functions it needs by name, as arguments."""

import numpy as np
from checking import assert_equal
from hypothesis import given
from hypothesis import strategies as st

YES, NO = True, False

# causal_mask


def test_causal_mask_by_hand(causal_mask):
    """A query (row) sees the keys (columns) up to its own position."""
    assert_equal(
        causal_mask(4),
        [
            [YES, NO, NO, NO],
            [YES, YES, NO, NO],
            [YES, YES, YES, NO],
            [YES, YES, YES, YES],
        ],
    )


def test_causal_mask_of_one_word(causal_mask):
    """A single word sees itself."""
    assert_equal(causal_mask(1), [[YES]])


@given(st.integers(1, 12))
def test_causal_mask_lets_query_i_see_i_plus_1_keys(causal_mask, n):
    """Query 0 sees 1 key, query 1 sees 2, and so on."""
    assert_equal(causal_mask(n).sum(axis=-1), np.arange(1, n + 1), of="how many keys each query sees")


# padding_mask


def test_padding_mask_by_hand(padding_mask):
    """A key is visible when its position is less than the length of its sequence."""
    assert_equal(padding_mask([3, 1], 4), [[[YES, YES, YES, NO]], [[YES, NO, NO, NO]]])


def test_padding_mask_of_an_array(padding_mask):
    """The lengths may come as an array of integers."""
    assert_equal(padding_mask(np.array([1, 2]), 2), [[[YES, NO]], [[YES, YES]]])


def test_padding_mask_is_as_wide_as_n(padding_mask):
    """The mask has n columns, even when every sequence is shorter."""
    assert_equal(padding_mask([1], 3), [[[YES, NO, NO]]])


def test_padding_mask_of_an_empty_sequence(padding_mask):
    """A sequence of length 0 is nothing but padding."""
    assert_equal(padding_mask([0, 2], 2), [[[NO, NO]], [[YES, YES]]])


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4))
def test_padding_mask_shows_as_many_keys_as_the_sequence_has(padding_mask, lengths):
    """Each sequence shows as many keys as its length says."""
    shown = padding_mask(lengths, 6).sum(axis=-1)
    assert_equal(shown, np.array(lengths)[:, None], of="how many keys each sequence shows")


def test_padding_mask_leaves_the_lengths_alone(padding_mask):
    """The lengths given are the same after the call as before."""
    lengths = np.array([2, 1])
    padding_mask(lengths, 3)
    assert_equal(lengths, [2, 1])


# combine_masks


def test_combine_masks_by_hand(combine_masks):
    """A key is visible only if both masks say so."""
    a = np.array([[YES, YES, NO, NO]])
    b = np.array([[YES, NO, YES, NO]])
    assert_equal(combine_masks(a, b), [[YES, NO, NO, NO]])


def test_combine_masks_of_three(combine_masks):
    """Any number of masks can be combined."""
    a = np.array([[YES, YES, NO]])
    b = np.array([[YES, YES, YES]])
    c = np.array([[NO, YES, YES]])
    assert_equal(combine_masks(a, b, c), [[NO, YES, NO]])


def test_combine_masks_of_one(combine_masks):
    """One mask alone is itself."""
    assert_equal(combine_masks(np.array([[YES, NO]])), [[YES, NO]])


def test_combine_masks_broadcasts(combine_masks):
    """A causal mask (2, 2) and a padding mask (3, 1, 2) make one of shape (3, 2, 2)."""
    causal = np.array([[YES, NO], [YES, YES]])
    padding = np.array([[[YES, YES]], [[YES, NO]], [[NO, NO]]])
    expected = [[[YES, NO], [YES, YES]], [[YES, NO], [YES, NO]], [[NO, NO], [NO, NO]]]
    assert_equal(combine_masks(causal, padding), expected)
    assert_equal(combine_masks(padding, causal), expected)


def test_combine_masks_leaves_the_masks_alone(combine_masks):
    """The masks given are the same after the call as before."""
    a, b = np.array([[YES, YES]]), np.array([[NO, YES]])
    combine_masks(a, b)
    assert_equal(a, [[YES, YES]])
    assert_equal(b, [[NO, YES]])
