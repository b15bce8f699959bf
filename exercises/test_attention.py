"""Public tests of attention.py. A test asks for the functions it needs by name, as arguments."""

import numpy as np
from checking import Mismatch, assert_close, assert_equal
from hypothesis import given
from hypothesis import strategies as st

LOG_3 = np.log(3.0)  # exp(0) = 1 and exp(LOG_3) = 3: weights of 1/4 and 3/4
SIZES = st.integers(1, 4)
SEEDS = st.integers(0, 999)


def random_array(seed, *shape):
    """Multiples of 1/8 from -2 to 2: small numbers that a computer adds without rounding."""
    return np.random.default_rng(seed).integers(-16, 17, shape) / 8


# softmax


def test_softmax_of_equal_scores(softmax):
    """Equal scores share the weight equally."""
    assert_close(softmax(np.array([5.0, 5.0])), [0.5, 0.5])


def test_softmax_by_hand(softmax):
    """A score that is log 3 higher gets three times the weight."""
    assert_close(softmax(np.array([0.0, LOG_3])), [0.25, 0.75])


def test_softmax_works_along_the_last_axis(softmax):
    """Without an axis, every row adds up to 1."""
    x = np.array([[0.0, LOG_3], [0.0, 0.0]])
    assert_close(softmax(x), [[0.25, 0.75], [0.5, 0.5]])


def test_softmax_works_along_the_axis_given(softmax):
    """With axis=0, every column adds up to 1."""
    x = np.array([[0.0, LOG_3], [0.0, 0.0]])
    assert_close(softmax(x, axis=0), [[0.5, 0.75], [0.5, 0.25]])


def test_softmax_of_huge_scores(softmax):
    """Scores of 1000 or -1000 do not overflow."""
    assert_close(softmax(np.array([1000.0, 1000.0])), [0.5, 0.5])
    assert_close(softmax(np.array([-1000.0, 0.0])), [0.0, 1.0])


def test_softmax_of_rows_that_lie_far_apart(softmax):
    """Each row is shared out by itself, however large another row is."""
    x = np.array([[10000.0, 10000.0], [0.0, LOG_3], [-10000.0, -10000.0]])
    assert_close(softmax(x), [[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]])


def test_softmax_gives_minus_infinity_no_weight(softmax):
    """A score of -inf gets weight 0, and the others share as if it were not there."""
    assert_close(softmax(np.array([0.0, -np.inf, LOG_3])), [0.25, 0.0, 0.75])


def test_softmax_of_integers(softmax):
    """Integers are scores too."""
    assert_close(softmax(np.array([7, 7])), [0.5, 0.5])
    assert_close(softmax(np.array([[-1000, 0, 0], [3, 3, -1000]])), [[0.0, 0.5, 0.5], [0.5, 0.5, 0.0]])


@given(SEEDS, SIZES, SIZES)
def test_softmax_adds_up_to_one(softmax, seed, rows, columns):
    """The weights of a row add up to 1."""
    weights = softmax(random_array(seed, rows, columns))
    assert_close(weights.sum(axis=-1), np.ones(rows), of="each row, added up")


@given(SEEDS, SIZES, st.integers(-500, 500))
def test_softmax_does_not_see_a_common_shift(softmax, seed, n, shift):
    """Adding the same number to every score changes no weight."""
    x = random_array(seed, n)
    assert_close(softmax(x + shift), softmax(x))


def test_softmax_leaves_its_argument_alone(softmax):
    """The array given is the same after the call as before."""
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    softmax(x)
    assert_equal(x, [[1.0, 2.0], [3.0, 4.0]])


# scaled_scores


def test_scaled_scores_by_hand(scaled_scores):
    """A score is the dot product of query and key over the square root of d_k; for d_k = 4, half of it."""
    q = np.array([[1.0, 2.0, 3.0, 4.0]])
    k = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, -2.0]])
    assert_close(scaled_scores(q, k), [[0.5, 2.5, -4.0]])


def test_scaled_scores_have_a_row_for_each_query(scaled_scores):
    """Row i belongs to query i, column j to key j."""
    q = np.array([[1.0], [10.0]])
    k = np.array([[1.0], [2.0], [3.0]])
    assert_close(scaled_scores(q, k), [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])


def test_scaled_scores_keep_a_batch_apart(scaled_scores):
    """In a batch, queries meet only the keys of their own sequence."""
    q = np.array([[[1.0]], [[10.0]]])  # 2 sequences, 1 query each
    k = np.array([[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]])  # 3 keys each
    assert_close(scaled_scores(q, k), [[[1.0, 2.0, 3.0]], [[40.0, 50.0, 60.0]]])


@given(SEEDS, SIZES, SIZES, SIZES)
def test_scaled_scores_of_repeated_features(scaled_scores, seed, n_q, n_k, d_k):
    """Four copies of every feature quadruple the dot products and double the root of d_k: the scores double."""
    q, k = random_array(seed, n_q, d_k), random_array(seed + 1, n_k, d_k)
    assert_close(scaled_scores(np.tile(q, 4), np.tile(k, 4)), 2 * scaled_scores(q, k))


def test_scaled_scores_leave_their_arguments_alone(scaled_scores):
    """The arrays given are the same after the call as before."""
    q, k = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]])
    scaled_scores(q, k)
    assert_equal(q, [[1.0, 2.0]])
    assert_equal(k, [[3.0, 4.0]])


# attention


def test_attention_returns_two_arrays(attention):
    """Two keys that fit equally well share the weight equally, and the output is the mean of their values."""
    result = attention(np.ones((1, 2)), np.ones((2, 2)), np.array([[3.0], [5.0]]))
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise Mismatch(result, "output, weights", "attention must return two arrays: output, weights.")
    output, weights = result
    assert_close(output, [[4.0]])
    assert_close(weights, [[0.5, 0.5]])


def test_attention_by_hand(attention):
    """Weights of 1/4 and 3/4 take a quarter of the first value and three quarters of the second."""
    q = np.array([[1.0, 0.0, 0.0, 0.0]])
    k = np.array([[0.0, 0.0, 0.0, 0.0], [2 * LOG_3, 0.0, 0.0, 0.0]])  # scores 0 and log 3
    v = np.array([[0.0, 8.0], [4.0, 0.0]])
    output, weights = attention(q, k, v)
    assert_close(weights, [[0.25, 0.75]])
    assert_close(output, [[3.0, 2.0]])


def test_attention_treats_each_query_by_itself(attention):
    """The weights of every query add up to 1, over the keys."""
    q = np.array([[0.0], [LOG_3]])
    k = np.array([[0.0], [1.0]])
    v = np.array([[0.0], [4.0]])
    output, weights = attention(q, k, v)
    assert_close(weights, [[0.5, 0.5], [0.25, 0.75]])
    assert_close(output, [[2.0], [3.0]])


def test_attention_hides_what_the_mask_hides(attention):
    """A hidden key gets weight 0, and the visible ones share a weight of 1."""
    q, k, v = np.zeros((1, 2)), np.zeros((3, 2)), np.array([[2.0], [4.0], [600.0]])
    output, weights = attention(q, k, v, mask=np.array([[True, True, False]]))
    assert_close(weights, [[0.5, 0.5, 0.0]])
    assert_close(output, [[3.0]])


def test_attention_hides_large_keys_and_values(attention):
    """A hidden key has no influence, however large its score and its value are."""
    q = np.array([[1.0]])
    k = np.array([[0.0], [0.0], [1e6]])
    v = np.array([[2.0], [4.0], [1e300]])
    output, weights = attention(q, k, v, mask=np.array([[True, True, False]]))
    assert_equal(weights[:, 2], [0.0])
    assert_close(output, [[3.0]])


def test_attention_hides_keys_from_very_negative_scores(attention):
    """A hidden key gets weight exactly 0 even where the visible scores are as low as -1,000,000."""
    q, k, v = np.array([[1.0]]), np.array([[-1e6], [0.0]]), np.array([[2.0], [4.0]])
    output, weights = attention(q, k, v, mask=np.array([[True, False]]))
    assert_equal(weights, [[1.0, 0.0]])
    assert_close(output, [[2.0]])


def test_attention_with_nothing_to_see(attention):
    """A query that may attend to nothing gets weights 0 and output 0, not NaN."""
    q, k, v = np.zeros((2, 2)), np.zeros((2, 2)), np.array([[2.0], [4.0]])
    output, weights = attention(q, k, v, mask=np.array([[False, False], [True, True]]))
    assert_close(weights, [[0.0, 0.0], [0.5, 0.5]])
    assert_close(output, [[0.0], [3.0]])


def test_attention_broadcasts_its_mask(attention):
    """A mask of shape (batch, 1, n_k) holds for every query of its sequence."""
    q, k = np.zeros((2, 2, 3)), np.zeros((2, 2, 3))
    v = np.array([[[2.0], [4.0]], [[6.0], [8.0]]])
    mask = np.array([[[True, False]], [[True, True]]])
    output, weights = attention(q, k, v, mask=mask)
    assert_close(weights, [[[1.0, 0.0], [1.0, 0.0]], [[0.5, 0.5], [0.5, 0.5]]])
    assert_close(output, [[[2.0], [2.0]], [[7.0], [7.0]]])


@given(SEEDS, SIZES, SIZES)
def test_attention_does_not_see_the_order_of_the_keys(attention, seed, n_q, n_k):
    """Keys and their values in another order give the same output."""
    q, k, v = random_array(seed, n_q, 2), random_array(seed + 1, n_k, 2), random_array(seed + 2, n_k, 3)
    shuffled = np.random.default_rng(seed).permutation(n_k)
    output, _ = attention(q, k[shuffled], v[shuffled])
    assert_close(output, attention(q, k, v)[0])


@given(SEEDS, SIZES, SIZES)
def test_attention_with_a_mask_that_hides_nothing(attention, seed, n_q, n_k):
    """A mask that is True everywhere is the same as no mask."""
    q, k, v = random_array(seed, n_q, 2), random_array(seed + 1, n_k, 2), random_array(seed + 2, n_k, 3)
    output, weights = attention(q, k, v, mask=np.ones((n_q, n_k), dtype=bool))
    assert_close(output, attention(q, k, v)[0])
    assert_close(weights, attention(q, k, v)[1])


def test_attention_leaves_its_arguments_alone(attention):
    """The arrays given, the mask too, are the same after the call as before."""
    q, k, v = np.array([[1.0]]), np.array([[2.0], [3.0]]), np.array([[4.0], [5.0]])
    mask = np.array([[True, False]])
    attention(q, k, v, mask=mask)
    assert_equal(q, [[1.0]])
    assert_equal(k, [[2.0], [3.0]])
    assert_equal(v, [[4.0], [5.0]])
    assert_equal(mask, [[True, False]])
