"""Wrong solutions of the lesson ``attention``."""

# NumPy types the arithmetic of arrays of any dtype as Any.
# mypy: disable-error-code="no-any-return"

from functools import cache

import numpy as np

from grader.bounds import Array
from grader.contract import reference
from grader.misconceptions import misconception

_right = cache(reference)

# --- softmax ---------------------------------------------------------------------------------------------------------


def _exps(x: Array, axis: int) -> Array:
    """The right first half of a softmax: exponentials with the largest score of each slice moved to 0."""
    logits = np.asarray(x, dtype=np.float64)
    return np.exp(logits - logits.max(axis=axis, keepdims=True))


@cache
def _buffer(shape: tuple[int, ...]) -> Array:
    """One array for each shape, handed out again and again."""
    return np.empty(shape)


@misconception("softmax", family="mutates-input")
def softmax_mutates_input(x: Array, axis: int = -1) -> Array:
    """The caller's own array is changed, as subtracting the largest score in place does.

    Next: let every step make a new array, and leave the argument alone.
    """
    x -= x.max(axis=axis, keepdims=True)
    exps = np.exp(x)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax", family="mutates-input")
def softmax_mutates_float_input(x: Array, axis: int = -1) -> Array:
    """The caller's own array is changed where it is float already: ``np.asarray`` makes no copy of such an array.

    Next: let every step make a new array, and leave the argument alone.
    """
    logits = np.asarray(x, dtype=np.float64)
    logits -= logits.max(axis=axis, keepdims=True)
    exps = np.exp(logits)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_shift_by_global_max(x: Array, axis: int = -1) -> Array:
    """The largest score of the whole array is subtracted, so slices that lie far below it vanish.

    Next: subtract the largest score of each slice, along the same axis as the sum.
    """
    logits = np.asarray(x, dtype=np.float64)
    exps = np.exp(logits - logits.max())
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_shift_along_last_axis(x: Array, axis: int = -1) -> Array:
    """The largest score is taken along the last axis although the sum runs along another, so it does not cancel.

    Next: only a number that is the same for all scores of one sum cancels; take both along the same axis.
    """
    exps = _exps(x, -1)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_shift_by_smallest(x: Array, axis: int = -1) -> Array:
    """The smallest score is subtracted, so the exponentials of the large ones overflow.

    Next: choose the shift so that no score ends above 0.
    """
    logits = np.asarray(x, dtype=np.float64)
    exps = np.exp(logits - logits.min(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_no_shift(x: Array, axis: int = -1) -> Array:
    """The scores go into the exponential as they come, so large ones overflow and the weights become NaN.

    Next: subtracting one number from all scores of a slice changes no weight; use one that prevents overflow.
    """
    exps = np.exp(np.asarray(x, dtype=np.float64))
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_adds_the_maximum_back(x: Array, axis: int = -1) -> Array:
    """The largest score is added back to the logarithm of the sum, which is lost beside it when the scores are large.

    Next: stay with the shifted scores to the end; the shift cancels, so it need never be undone.
    """
    logits = np.asarray(x, dtype=np.float64)
    top = logits.max(axis=axis, keepdims=True)
    log_sum = top + np.log(np.exp(logits - top).sum(axis=axis, keepdims=True))
    return np.exp(logits - log_sum)


@misconception("softmax", family="normalises-whole-array")
def softmax_normalises_whole_array(x: Array, axis: int = -1) -> Array:
    """The exponentials are divided by their sum over the whole array, so the weights of one slice do not sum to 1.

    Next: sum along the axis that was asked for.
    """
    exps = np.exp(x - np.max(x))
    return exps / exps.sum()


@misconception("softmax", family="normalises-whole-array")
def softmax_sums_over_whole_array(x: Array, axis: int = -1) -> Array:
    """The largest score is taken slice by slice, but the exponentials are divided by their sum over the whole array.

    Next: sum along the axis that was asked for, as with the largest score.
    """
    exps = _exps(x, axis)
    return exps / exps.sum()


@misconception("softmax")
def softmax_missing_keepdims(x: Array, axis: int = -1) -> Array:
    """The sum loses its axis, so the division lines it up with the wrong axis of the exponentials or fails.

    Next: keep the summed axis with length 1, so that each sum stays beside its own slice.
    """
    exps = _exps(x, axis)
    return exps / exps.sum(axis=axis)


@misconception("softmax")
def softmax_ignores_axis(x: Array, axis: int = -1) -> Array:
    """The weights always run along the last axis, whatever axis was asked for.

    Next: hand the parameter on to the maximum and to the sum.
    """
    exps = _exps(x, -1)
    return exps / exps.sum(axis=-1, keepdims=True)


@misconception("softmax")
def softmax_first_axis_by_default(x: Array, axis: int = 0) -> Array:
    """Without an axis given, the weights run along the first one instead of the last.

    Next: look at the default in the signature.
    """
    exps = _exps(x, axis)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_second_axis_by_default(x: Array, axis: int = 1) -> Array:
    """Without an axis given, the weights run along axis 1, which is the last one in a matrix only.

    Next: name the last axis in a way that holds for any number of axes.
    """
    exps = _exps(x, axis)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_only_2d(x: Array, axis: int = -1) -> Array:
    """The code takes the array for a matrix, so an array with one axis or with three fails.

    Next: try it on one row, on a matrix and on a stack of matrices; NumPy's own reductions work on all of them.
    """
    rows, columns = x.shape
    exps = _exps(x, axis)
    total = exps.sum(axis=axis)
    return exps / (total.reshape(rows, 1) if axis in {1, -1} else total.reshape(1, columns))


@misconception("softmax")
def softmax_axis_not_moved_back(x: Array, axis: int = -1) -> Array:
    """The chosen axis is moved to the end and never moved back, so the result has its axes in another order.

    Next: compare the shape of the result with the shape of the input for an axis other than the last.
    """
    exps = _exps(np.moveaxis(x, axis, -1), -1)
    return exps / exps.sum(axis=-1, keepdims=True)


@misconception("softmax")
def softmax_epsilon_in_denominator(x: Array, axis: int = -1) -> Array:
    """A small number is added to the sum, so the weights sum to a little less than 1.

    Next: ask whether the sum can be 0 at all once the largest score of each slice has been moved to 0.
    """
    exps = _exps(x, axis)
    return exps / (exps.sum(axis=axis, keepdims=True) + 1e-8)


@misconception("softmax")
def softmax_returns_logarithms(x: Array, axis: int = -1) -> Array:
    """The logarithms of the weights are returned, not the weights.

    Next: the result should be positive and sum to 1; one step is missing.
    """
    logits = np.asarray(x, dtype=np.float64)
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@misconception("softmax")
def softmax_not_divided(x: Array, axis: int = -1) -> Array:
    """The exponentials are returned as they are, so the largest one is always 1 and nothing sums to 1.

    Next: turn the exponentials of a slice into shares of their sum.
    """
    return _exps(x, axis)


@misconception("softmax")
def softmax_divides_by_length_of_vector(x: Array, axis: int = -1) -> Array:
    """The exponentials are divided by the root of their sum of squares, so the weights do not sum to 1.

    Next: shares are parts of a plain sum.
    """
    exps = _exps(x, axis)
    return exps / np.sqrt((exps**2).sum(axis=axis, keepdims=True))


@misconception("softmax")
def softmax_no_exponential(x: Array, axis: int = -1) -> Array:
    """The scores themselves are divided by their sum, so negative scores give negative weights.

    Next: make every score positive first, in a way that turns differences into ratios.
    """
    logits = np.asarray(x, dtype=np.float64)
    return logits / logits.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_of_magnitudes(x: Array, axis: int = -1) -> Array:
    """The sign of the scores is dropped, so a very negative one gets a large weight.

    Next: check the order: a larger score must get a larger weight, also below 0.
    """
    exps = _exps(np.abs(np.asarray(x, dtype=np.float64)), axis)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_of_negatives(x: Array, axis: int = -1) -> Array:
    """The sign of the scores is turned round, so the smallest score gets the largest weight.

    Next: check the sign in the exponent on two scores.
    """
    exps = _exps(-np.asarray(x, dtype=np.float64), axis)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_base_two(x: Array, axis: int = -1) -> Array:
    """The powers are powers of 2 instead of e, so the weights are too even.

    Next: look at the base of the exponential in the formula.
    """
    logits = np.asarray(x, dtype=np.float64)
    powers = 2.0 ** (logits - logits.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_divides_by_root_of_length(x: Array, axis: int = -1) -> Array:
    """The scores are divided by the root of their number first, so the weights are too even.

    Next: leave scaling to the scores; softmax itself has none.
    """
    exps = _exps(np.asarray(x, dtype=np.float64) / np.sqrt(x.shape[axis]), axis)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_sigmoid(x: Array, axis: int = -1) -> Array:
    """Each score is squashed by itself into the range from 0 to 1, so the weights of a slice do not share a sum.

    Next: a weight depends on all scores of its slice; divide by what they add up to.
    """
    return 1 / (1 + np.exp(-np.asarray(x, dtype=np.float64)))


@misconception("softmax")
def softmax_clips_the_logits(x: Array, axis: int = -1) -> Array:
    """Scores far below the largest are raised to a floor, so a score of minus infinity still gets a little weight.

    Next: exponentials of very negative numbers are safe: they go to 0 by themselves.
    """
    logits = np.asarray(x, dtype=np.float64)
    exps = np.exp(np.clip(logits - logits.max(axis=axis, keepdims=True), -50, 0))
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_minus_infinity_counts_as_zero(x: Array, axis: int = -1) -> Array:
    """A score of minus infinity is replaced by 0, so it gets a weight like any other.

    Next: the exponential of minus infinity is 0; that is already the right weight.
    """
    logits = np.asarray(x, dtype=np.float64)
    exps = _exps(np.where(np.isfinite(logits), logits, 0.0), axis)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_minus_infinity_made_finite(x: Array, axis: int = -1) -> Array:
    """A score of minus infinity is replaced by a large negative number, and a finite score may be lower than that.

    Next: the exponential of minus infinity is 0; no other number has to stand in for it.
    """
    logits = np.asarray(x, dtype=np.float64)
    exps = _exps(np.where(np.isneginf(logits), -1e9, logits), axis)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_mutates_minus_infinity(x: Array, axis: int = -1) -> Array:
    """The caller's own array is changed where it holds minus infinity.

    Next: put what stands in for it into a new array, or leave it: the exponential of minus infinity is 0.
    """
    logits = np.asarray(x, dtype=np.float64)
    logits[np.isneginf(logits)] = np.finfo(np.float64).min
    exps = _exps(logits, axis)
    return exps / exps.sum(axis=axis, keepdims=True)


@misconception("softmax")
def softmax_nan_after_leading_minus_infinity(x: Array, axis: int = -1) -> Array:
    """The running maximum starts at minus infinity, so a first score of minus infinity gives NaN for the whole slice.

    Next: follow the first step by hand when the first score and the running maximum are both minus infinity.
    """
    logits = np.asarray(x, dtype=np.float64)
    top, total = np.full_like(np.take(logits, 0, axis), -np.inf), np.zeros_like(np.take(logits, 0, axis))
    for index in range(logits.shape[axis]):
        logit = np.take(logits, index, axis)
        higher = np.maximum(top, logit)
        total = total * np.exp(top - higher) + np.exp(logit - higher)
        top = higher
    return np.exp(logits - np.expand_dims(top, axis)) / np.expand_dims(total, axis)


@misconception("softmax")
def softmax_keeps_integers(x: Array, axis: int = -1) -> Array:
    """The result has the type of the input, so for integer scores every weight is cut down to 0 or 1.

    Next: look at the type of the array that the weights are written into.
    """
    exps = _exps(x, axis)
    weights = np.zeros_like(x)
    weights[...] = exps / exps.sum(axis=axis, keepdims=True)
    return weights


@misconception("softmax")
def softmax_single_precision(x: Array, axis: int = -1) -> Array:
    """The weights are computed in single precision, so half of the digits are gone.

    Next: leave the numbers in the precision in which they came.
    """
    exps = _exps(x, axis)
    return (exps / exps.sum(axis=axis, keepdims=True)).astype(np.float32)


@misconception("softmax")
def softmax_rounds_the_weights(x: Array, axis: int = -1) -> Array:
    """The weights are rounded to four decimals, so they no longer sum to exactly 1.

    Next: round when you print, not when you compute.
    """
    exps = _exps(x, axis)
    return np.round(exps / exps.sum(axis=axis, keepdims=True), 4)


@misconception("softmax")
def softmax_shared_buffer(x: Array, axis: int = -1) -> Array:
    """Every call writes its weights into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    exps = _exps(x, axis)
    return np.divide(exps, exps.sum(axis=axis, keepdims=True), out=_buffer(x.shape))


# --- scaled_scores ---------------------------------------------------------------------------------------------------


def _dots(q: Array, k: Array) -> Array:
    """The right first half of the scores: a dot product for each query and key."""
    return q @ np.swapaxes(k, -1, -2)


@misconception("scaled_scores")
def scaled_scores_missing_scale(q: Array, k: Array) -> Array:
    """The dot products are not scaled, so they grow with the number of features.

    Next: divide by the root of the number of features of a query.
    """
    return _dots(q, k)


@misconception("scaled_scores")
def scaled_scores_scale_multiplied(q: Array, k: Array) -> Array:
    """The dot products are multiplied by the root of d_k instead of divided by it.

    Next: a sum of d_k terms grows with d_k; the scale is there to undo that.
    """
    return _dots(q, k) * np.sqrt(q.shape[-1])


@misconception("scaled_scores", family="scale-without-root")
def scaled_scores_scale_without_root(q: Array, k: Array) -> Array:
    """The dot products are divided by d_k itself, without the root, so the scores are too small.

    Next: a sum of d_k random terms grows like the root of d_k.
    """
    return _dots(q, k) / q.shape[-1]


@misconception("scaled_scores", family="scale-without-root")
def scaled_scores_scales_queries_and_keys(q: Array, k: Array) -> Array:
    """Queries and keys are both divided by the root of d_k, so the scores are divided by d_k altogether.

    Next: scale once, or by the fourth root on each side.
    """
    root = np.sqrt(q.shape[-1])
    return _dots(q / root, k / root)


@misconception("scaled_scores")
def scaled_scores_scale_by_key_count(q: Array, k: Array) -> Array:
    """The scale is the root of the number of keys instead of the number of features.

    Next: look at which axis of k the sum in the dot product runs over.
    """
    return _dots(q, k) / np.sqrt(k.shape[-2])


@misconception("scaled_scores")
def scaled_scores_scale_by_query_count(q: Array, k: Array) -> Array:
    """The scale is the root of the number of queries instead of the number of features.

    Next: look at which axis of q the sum in the dot product runs over.
    """
    return _dots(q, k) / np.sqrt(q.shape[-2])


@misconception("scaled_scores")
def scaled_scores_scale_by_all_of_q(q: Array, k: Array) -> Array:
    """The scale counts every number in q, so it depends on how many queries and batches there are.

    Next: only the features of one query take part in one dot product.
    """
    return _dots(q, k) / np.sqrt(q.size)


@misconception("scaled_scores")
def scaled_scores_features_on_axis_one(q: Array, k: Array) -> Array:
    """The number of features is read off axis 1, which in a batch is another axis.

    Next: count axes from the end, where features always are.
    """
    return _dots(q, k) / np.sqrt(q.shape[1])


@misconception("scaled_scores")
def scaled_scores_fixed_scale(q: Array, k: Array) -> Array:
    """The scale is always 8, which is right for 64 features only.

    Next: take the number of features from the shape of q.
    """
    return _dots(q, k) / 8


@misconception("scaled_scores")
def scaled_scores_rounds_the_root(q: Array, k: Array) -> Array:
    """The root of d_k is cut down to a whole number, so the scale is right for square numbers only.

    Next: let the root stay a float.
    """
    return _dots(q, k) / int(np.sqrt(q.shape[-1]))


@misconception("scaled_scores", family="only-2d")
def scaled_scores_only_2d(q: Array, k: Array) -> Array:
    """The code works on two matrices but fails when there are batch axes in front.

    Next: let every operation act on the last two axes, whatever comes before them.
    """
    products = np.einsum("id,jd->ij", q, k)
    return products / np.sqrt(q.shape[-1])


@misconception("scaled_scores", family="only-2d")
def scaled_scores_reverses_all_axes(q: Array, k: Array) -> Array:
    """The keys are transposed with ``.T``, which turns round the batch axes as well.

    Next: swap only the last two axes.
    """
    return q @ k.T / np.sqrt(q.shape[-1])


@misconception("scaled_scores")
def scaled_scores_no_transpose(q: Array, k: Array) -> Array:
    """The keys are not transposed, so features of the queries meet tokens of the keys.

    Next: write down both shapes and see which axes have to meet.
    """
    return q @ k / np.sqrt(q.shape[-1])


@misconception("scaled_scores")
def scaled_scores_keys_as_rows(q: Array, k: Array) -> Array:
    """The result has a row for each key and a column for each query.

    Next: rows belong to queries: swap what stands on the left and what on the right.
    """
    return _dots(k, q) / np.sqrt(q.shape[-1])


@misconception("scaled_scores")
def scaled_scores_dot_instead_of_matmul(q: Array, k: Array) -> Array:
    """Every batch of queries meets every batch of keys, as with ``np.dot``, so batched scores get too many axes.

    Next: use a product that goes through the batches side by side.
    """
    return np.dot(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])


@misconception("scaled_scores")
def scaled_scores_reverses_the_batch(q: Array, k: Array) -> Array:
    """The queries of one sequence meet the keys of another one in the batch.

    Next: the batch axes should only ever be carried along, in the same order for queries and keys.
    """
    return _dots(q, k[::-1] if k.ndim > 2 else k) / np.sqrt(q.shape[-1])


@misconception("scaled_scores")
def scaled_scores_squeezes(q: Array, k: Array) -> Array:
    """Axes of length 1 are dropped, so a single query or a single key loses its axis.

    Next: keep every axis, also those of length 1.
    """
    return np.squeeze(_dots(q, k)) / np.sqrt(q.shape[-1])


@misconception("scaled_scores")
def scaled_scores_cosine(q: Array, k: Array) -> Array:
    """Each dot product is divided by the lengths of its two vectors, so longer vectors do not count for more.

    Next: the scale depends on how many features there are, never on their values.
    """
    lengths = np.linalg.norm(q, axis=-1)[..., :, None] * np.linalg.norm(k, axis=-1)[..., None, :]
    return _dots(q, k) / np.where(lengths > 0, lengths, 1.0)


@misconception("scaled_scores")
def scaled_scores_distance(q: Array, k: Array) -> Array:
    """The scores are squared distances with a minus sign, so the lengths of the keys change the ranking.

    Next: multiply features and add up; do not subtract them.
    """
    distances = ((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(axis=-1)
    return -distances / np.sqrt(q.shape[-1])


@misconception("scaled_scores")
def scaled_scores_returns_weights(q: Array, k: Array) -> Array:
    """A softmax has been applied already, so the scores sum to 1 over the keys.

    Next: stop at the scaled dot products; softmax is the next step and has its own function.
    """
    return _right("softmax")(_dots(q, k) / np.sqrt(q.shape[-1]))


@misconception("scaled_scores")
def scaled_scores_single_precision(q: Array, k: Array) -> Array:
    """The scores are computed in single precision, so half of the digits are gone.

    Next: leave the numbers in the precision in which they came.
    """
    return (_dots(q, k) / np.sqrt(q.shape[-1])).astype(np.float32)


@misconception("scaled_scores")
def scaled_scores_cut_off(q: Array, k: Array) -> Array:
    """Large scores are cut off, so that all above the limit look alike.

    Next: scores may be of any size; it is softmax that has to bear them.
    """
    return np.clip(_scores(q, k), -1e6, 1e6)


@misconception("scaled_scores")
def scaled_scores_mutates_input(q: Array, k: Array) -> Array:
    """The caller's own queries are changed, as dividing them in place does.

    Next: let every step make a new array, and leave the arguments alone.
    """
    q /= np.sqrt(q.shape[-1])
    return _dots(q, k)


@misconception("scaled_scores")
def scaled_scores_shared_buffer(q: Array, k: Array) -> Array:
    """Every call writes its scores into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    shared = _buffer((*q.shape[:-1], k.shape[-2]))
    return np.divide(_dots(q, k), np.sqrt(q.shape[-1]), out=shared)


# --- attention -------------------------------------------------------------------------------------------------------

Pair = tuple[Array, Array]


def _scores(q: Array, k: Array) -> Array:
    return _right("scaled_scores")(q, k)


def _weights(scores: Array, mask: Array | None, axis: int = -1) -> Array:
    """The right weights of given scores, along ``axis``; a slice with nothing visible gets 0."""
    softmax = _right("softmax")
    if mask is None:
        return softmax(scores, axis)
    visible = np.broadcast_to(mask, scores.shape)
    weights = softmax(np.where(visible, scores, -np.inf), axis)
    return np.where(visible.any(axis=axis, keepdims=True), weights, 0.0)


def _answer(weights: Array, v: Array) -> Pair:
    return weights @ v, weights


def _clear_empty_rows(weights: Array, mask: Array | None) -> Array:
    """The weights with every query that may attend to nothing set to 0."""
    return weights if mask is None else np.where(mask.any(axis=-1, keepdims=True), weights, 0.0)


@misconception("attention")
def attention_missing_scale(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The scores are not scaled, so the weights are too sharp.

    Next: use the scaled scores.
    """
    return _answer(_weights(_dots(q, k), mask), v)


@misconception("attention")
def attention_scaled_twice(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The scores are divided by the root of d_k twice, so the weights are too even.

    Next: check whether the scores that you start from are scaled already.
    """
    return _answer(_weights(_scores(q, k) / np.sqrt(q.shape[-1]), mask), v)


@misconception("attention")
def attention_scale_by_value_size(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The scale is taken from the number of features of the values instead of the queries.

    Next: look at which vectors the dot product is made of.
    """
    return _answer(_weights(_dots(q, k) / np.sqrt(v.shape[-1]), mask), v)


@misconception("attention")
def attention_softmax_over_queries(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The softmax runs over the queries, so each column sums to 1 instead of each row.

    Next: each query shares out its attention among the keys; find their axis in the scores.
    """
    return _answer(_weights(_scores(q, k), mask, axis=-2), v)


@misconception("attention")
def attention_softmax_over_everything(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """All weights of the array together sum to 1, so each query has too little attention to give.

    Next: every query has a sum of 1 to itself.
    """
    scores = _scores(q, k)
    visible = np.broadcast_to(True if mask is None else mask, scores.shape)
    exps = np.exp(scores - scores.max(where=visible, initial=-np.inf), where=visible, out=np.zeros(scores.shape))
    return _answer(exps / (exps.sum() if visible.any() else 1.0), v)


@misconception("attention")
def attention_no_softmax(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The scores are used as weights directly, so they are negative or larger than 1 and do not sum to 1.

    Next: turn the scores of each query into shares first.
    """
    return _answer(np.where(True if mask is None else mask, _scores(q, k), 0.0), v)


@misconception("attention")
def attention_hard_choice(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """All weight goes to the best key, so the others never count.

    Next: attention is a soft choice: every visible key gets its share.
    """
    scores = np.where(True if mask is None else mask, _scores(q, k), -np.inf)
    weights = np.zeros(scores.shape)
    np.put_along_axis(weights, scores.argmax(axis=-1, keepdims=True), 1.0, axis=-1)
    return _answer(_clear_empty_rows(weights, mask), v)


@misconception("attention")
def attention_mean_instead_of_sum(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The weighted values are averaged over the keys instead of added up, so the output is too small.

    Next: the weights sum to 1 already; nothing is left to divide by.
    """
    output, weights = _right("attention")(q, k, v, mask)
    return output / k.shape[-2], weights


@misconception("attention")
def attention_keys_as_values(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The weights average the keys instead of the values.

    Next: keys decide how much, values decide what.
    """
    return _answer(_weights(_scores(q, k), mask), k)


@misconception("attention")
def attention_adds_residual(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The queries are added to the output wherever the shapes allow it.

    Next: the residual connection belongs to the block around attention, not to attention.
    """
    output, weights = _right("attention")(q, k, v, mask)
    return (output + q if q.shape == output.shape else output), weights


@misconception("attention")
def attention_ignores_mask(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The mask is never used, so hidden keys take part like all others.

    Next: use the mask between the scores and the softmax.
    """
    return _answer(_weights(_scores(q, k), None), v)


@misconception("attention")
def attention_mask_is_required(q: Array, k: Array, v: Array, mask: Array) -> Pair:
    """The function cannot be called without a mask.

    Next: give the parameter its default, and let the default mean that nothing is hidden.
    """
    return _answer(_weights(_scores(q, k), mask), v)


@misconception("attention")
def attention_truth_of_the_mask(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """``if mask:`` asks a whole array whether it is true, which NumPy refuses to answer.

    Next: ask whether the mask is None.
    """
    if mask:
        return _answer(_weights(_scores(q, k), mask), v)
    return _answer(_weights(_scores(q, k), None), v)


@misconception("attention", family="mask-inverted")
def attention_mask_inverted(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The mask is read the wrong way round, so the visible keys are hidden and the hidden ones seen.

    Next: in this course True means "may attend".
    """
    return _answer(_weights(_scores(q, k), None if mask is None else ~mask), v)


@misconception("attention", family="mask-inverted")
def attention_mask_inverted_with_a_large_number(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The mask is read the wrong way round: the large negative number goes to the keys that may be seen.

    Next: in this course True means "may attend".
    """
    scores = _scores(q, k)
    weights = _weights(scores if mask is None else np.where(mask, -1e9, scores), None)
    return _answer(weights, v)


@misconception("attention", family="mask-inverted")
def attention_mask_added_inverted(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The mask times a large negative number is added to the scores, which hides the keys that may be seen.

    Next: in this course True means "may attend", so it is the False entries that have to be hidden.
    """
    scores = _scores(q, k)
    return _answer(_weights(scores if mask is None else scores + mask * -1e9, None), v)


@misconception("attention")
def attention_no_shift(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The scores go into an exponential of their own as they come, so large ones overflow and the weights become NaN.

    Next: use your softmax, which is stable, in place of a second exponential.
    """
    exps = np.exp(_scores(q, k)) * (True if mask is None else mask)
    total = exps.sum(axis=-1, keepdims=True)
    return _answer(np.divide(exps, total, out=np.zeros_like(exps), where=total != 0), v)


@misconception("attention")
def attention_clips_the_scores(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The scores are cut off at a largest size, so two large scores that differ get the same weight.

    Next: subtracting the largest score of a row prevents overflow and changes nothing.
    """
    return _answer(_weights(np.clip(_scores(q, k), -30, 30), mask), v)


@misconception("attention")
def attention_mask_transposed(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """Rows and columns of the mask are swapped, so it hides queries from keys.

    Next: rows of the mask are queries and columns are keys, as in the scores.
    """
    return _answer(_weights(_scores(q, k), None if mask is None else np.swapaxes(mask, -1, -2)), v)


@misconception("attention")
def attention_one_mask_for_the_batch(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The mask of the first sequence is used for the whole batch.

    Next: let the mask keep its batch axes; they broadcast by themselves.
    """
    return _answer(_weights(_scores(q, k), None if mask is None else mask.reshape(-1, *mask.shape[-2:])[0]), v)


@misconception("attention")
def attention_inserts_a_head_axis(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """A mask with three axes gets another one for the heads, so it lines up with the wrong batch axis of the scores.

    Next: the mask broadcasts to the scores as it is; only a function that makes heads adds an axis for them.
    """
    scores = _scores(q, k)
    if mask is not None and mask.ndim == 3 and scores.ndim == 4:
        mask = mask[:, None]
    return _answer(_weights(scores, mask), v)


@misconception("attention")
def attention_always_causal(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """Later keys are hidden even when no mask asks for it.

    Next: hide what the mask hides and nothing else; the caller decides whether that is the future.
    """
    causal = np.tri(q.shape[-2], k.shape[-2], dtype=bool)
    return _answer(_weights(_scores(q, k), causal if mask is None else mask & causal), v)


@misconception("attention")
def attention_mask_multiplied_into_scores(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """Hidden scores become 0, and a score of 0 still gets weight.

    Next: look for the score whose exponential is 0.
    """
    return _answer(_weights(_scores(q, k) * (1.0 if mask is None else mask), None), v)


@misconception("attention")
def attention_zero_times_infinity(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The mask is multiplied by minus infinity, and 0 times infinity is NaN for every key that is not hidden.

    Next: choose between two numbers instead of multiplying.
    """
    scores = _scores(q, k)
    if mask is not None:
        scores = scores + (1.0 - mask) * -np.inf
    return _answer(_clear_empty_rows(_weights(scores, None), mask), v)


@misconception("attention")
def attention_finite_mask_leaks(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """Hidden scores are lowered by a number as small as 20, so hidden keys keep a little weight.

    Next: the weight of a hidden key must be exactly 0.
    """
    lowered = _scores(q, k) + (0.0 if mask is None else np.where(mask, 0.0, -20.0))
    return _answer(_clear_empty_rows(_weights(lowered, None), mask), v)


@misconception("attention")
def attention_large_scores_outweigh_the_mask(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """Ten thousand is subtracted from hidden scores, which is not enough when a hidden score is larger than that.

    Next: replace a hidden score instead of lowering it, so that its size does not matter.
    """
    lowered = _scores(q, k) + (0.0 if mask is None else np.where(mask, 0.0, -1e4))
    return _answer(_clear_empty_rows(_weights(lowered, None), mask), v)


@misconception("attention")
def attention_mask_after_softmax(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The mask is applied to the finished weights, so those that are left no longer sum to 1.

    Next: hide keys before the softmax, so that the visible ones share the whole.
    """
    return _answer(_weights(_scores(q, k), None) * (1.0 if mask is None else mask), v)


@misconception("attention", family="hidden-keys-in-the-softmax")
def attention_renormalised_after_softmax(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """Hidden keys take part in the softmax and go afterwards, so a large hidden score leaves nothing for the rest.

    Next: a hidden key must not even take part in the maximum that is subtracted.
    """
    weights = _weights(_scores(q, k), None) * (1.0 if mask is None else mask)
    total = weights.sum(axis=-1, keepdims=True)
    return _answer(weights / np.where(total > 0, total, 1.0), v)


@misconception("attention", family="hidden-keys-in-the-softmax")
def attention_hidden_keys_in_the_maximum(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The maximum that is subtracted includes hidden scores, so a large one pushes every visible exponential to 0.

    Next: take the maximum over the visible keys only.
    """
    exps = _exps(_scores(q, k), -1) * (1.0 if mask is None else mask)
    total = exps.sum(axis=-1, keepdims=True)
    return _answer(exps / np.where(total > 0, total, 1.0), v)


@misconception("attention")
def attention_weights_returned_unmasked(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The output is right, but the weights that are returned with it were computed without the mask.

    Next: return the weights that made the output.
    """
    return _right("attention")(q, k, v, mask)[0], _weights(_scores(q, k), None)


@misconception("attention")
def attention_nan_on_empty_row(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """A query that may attend to nothing gets NaN, because its exponentials are divided by a sum of 0.

    Next: decide what such a query gets before or after the softmax.
    """
    weights = _weights(_scores(q, k), mask)
    if mask is not None:
        weights = np.where(mask.any(axis=-1, keepdims=True), weights, np.nan)
    return _answer(weights, v)


@misconception("attention")
def attention_uniform_on_empty_row(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """A query that may attend to nothing spreads its weight evenly over all keys.

    Next: when all scores of a row are the same large negative number, softmax sees no difference between them.
    """
    return _answer(_weights(np.where(True if mask is None else mask, _scores(q, k), -1e30), None), v)


@misconception("attention")
def attention_mask_within_reach(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """A hidden key gets a score of a million below zero, and scores in sight may be as low as that.

    Next: there is a number that is lower than every score.
    """
    weights = _weights(np.where(True if mask is None else mask, _scores(q, k), -1e6), None)
    return _answer(_clear_empty_rows(weights, mask), v)


@misconception("attention")
def attention_unmasked_on_empty_row(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """A query that may attend to nothing attends to everything, as if there were no mask.

    Next: subtracting the same number from a whole row changes nothing; treat a row without visible keys by itself.
    """
    scores = _scores(q, k)
    if mask is not None:
        mask = mask | ~mask.any(axis=-1, keepdims=True)
    return _answer(_weights(scores, mask), v)


@misconception("attention")
def attention_empty_row_keeps_its_output(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """For a query that may attend to nothing the weights are cleared, but the output was computed before that.

    Next: clear the weights first and multiply by the values afterwards.
    """
    weights = _weights(np.where(True if mask is None else mask, _scores(q, k), -1e30), None)
    return weights @ v, _clear_empty_rows(weights, mask)


@misconception("attention")
def attention_epsilon_in_denominator(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """A small number is added to every sum to avoid 0 / 0, so all weights sum to a little less than 1.

    Next: treat the query without visible keys by itself, and leave the others exact.
    """
    scores = np.where(True if mask is None else mask, _scores(q, k), -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    return _answer(exps / (exps.sum(axis=-1, keepdims=True) + 1e-8), v)


@misconception("attention")
def attention_only_2d(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The code works on matrices but fails when there are batch axes in front.

    Next: let every operation act on the last two axes, whatever comes before them.
    """
    products = np.einsum("id,jd->ij", q, k)
    return _answer(_weights(products / np.sqrt(q.shape[-1]), mask), v)


@misconception("attention")
def attention_needs_one_batch_axis(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The code expects exactly one batch axis, so it fails without one and with two.

    Next: let every operation act on the last two axes, whatever comes before them.
    """
    products = np.einsum("bid,bjd->bij", q, k)
    return _answer(_weights(products / np.sqrt(q.shape[-1]), mask), v)


@misconception("attention")
def attention_returns_only_output(q: Array, k: Array, v: Array, mask: Array | None = None) -> Array:
    """Only the output is returned, without the weights.

    Next: return both, the output first.
    """
    return _right("attention")(q, k, v, mask)[0]


@misconception("attention")
def attention_returns_weights_first(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The weights are returned before the output.

    Next: swap the two.
    """
    output, weights = _right("attention")(q, k, v, mask)
    return weights, output


@misconception("attention")
def attention_returns_scores(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The scores are returned beside the output, not the weights.

    Next: return what came out of the softmax.
    """
    return _right("attention")(q, k, v, mask)[0], _scores(q, k)


@misconception("attention")
def attention_returns_weights_transposed(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The weights are returned with a row for each key.

    Next: rows belong to queries, as in the scores.
    """
    output, weights = _right("attention")(q, k, v, mask)
    return output, np.swapaxes(weights, -1, -2)


@misconception("attention")
def attention_single_precision(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The answer is given in single precision, so half of the digits are gone.

    Next: leave the numbers in the precision in which they came.
    """
    output, weights = _right("attention")(q, k, v, mask)
    return output.astype(np.float32), weights.astype(np.float32)


@misconception("attention")
def attention_mutates_input(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The caller's own queries are changed, as dividing them in place does.

    Next: let every step make a new array, and leave the arguments alone.
    """
    q /= np.sqrt(q.shape[-1])
    return _answer(_weights(_dots(q, k), mask), v)


@misconception("attention")
def attention_mutates_mask(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """The caller's own mask is changed, as turning it round in place does.

    Next: let the negation make a new array, and leave the argument alone.
    """
    scores = _scores(q, k)
    if mask is None:
        return _answer(_weights(scores, None), v)
    hidden = np.logical_not(mask, out=mask)
    return _answer(_weights(scores, ~hidden), v)


@misconception("attention")
def attention_shared_buffer(q: Array, k: Array, v: Array, mask: Array | None = None) -> Pair:
    """Every call writes its weights into the same array, so a later call overwrites what an earlier one returned.

    Next: return new arrays from each call.
    """
    output, weights = _right("attention")(q, k, v, mask)
    shared = _buffer(weights.shape)
    shared[...] = weights
    return output, shared
