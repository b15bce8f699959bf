"""Right solutions of the lesson ``attention`` in many styles, careful and careless."""

import itertools
import math
import random
import statistics
import warnings
from collections import namedtuple
from fractions import Fraction
from functools import lru_cache, reduce

import numpy as np

from tests.variants import variant

# --- softmax ---------------------------------------------------------------------------------------------------------


@variant("softmax")
def softmax_plain(x, axis=-1):
    """As in most textbooks; integers of a short type are computed with in short floats."""
    exps = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exps / np.sum(exps, axis=axis, keepdims=True)


@variant("softmax")
def softmax_in_place_on_a_copy(x, axis=-1):
    out = np.array(x, dtype=float)
    out -= out.max(axis, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis, keepdims=True)
    return out


@variant("softmax")
def softmax_loops_with_math(x, axis=-1):
    rows = np.moveaxis(np.asarray(x), axis, -1)
    out = np.empty(rows.shape)
    for index in np.ndindex(*rows.shape[:-1]):
        row = rows[index].tolist()
        top = max(row)
        exps = [math.exp(value - top) for value in row]
        out[index] = [e / sum(exps) for e in exps]
    return np.moveaxis(out, -1, axis)


@variant("softmax")
def softmax_log_sum_exp_of_the_shifted(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))


@variant("softmax")
def softmax_online(x, axis=-1):
    """One pass with a running maximum and a running sum."""

    def of_row(row):
        top, total = -math.inf, 0.0
        for value in row:
            if value == -math.inf:
                continue
            higher = max(top, value)
            total = total * math.exp(top - higher) + math.exp(value - higher)
            top = higher
        return np.exp(row - top) / total

    return np.apply_along_axis(of_row, axis, np.asarray(x, dtype=float))


@variant("softmax")
def softmax_one_over_sum_of_ratios(x, axis=-1):
    """1 / sum_j exp(x_j - x_i): the exponentials overflow where the weight is 0, which is right and noisy."""
    moved = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    with np.errstate(over="warn", invalid="warn"):
        gaps = moved[..., None, :] - moved[..., :, None]
    gaps = np.where(np.isneginf(moved)[..., :, None], np.inf, gaps)
    return np.moveaxis(1 / np.exp(gaps).sum(-1), -1, axis)


@variant("softmax")
def softmax_powers_of_two(x, axis=-1):
    shifted = (x - np.amax(x, axis, keepdims=True)) * math.log2(math.e)
    powers = np.exp2(shifted.astype(np.float64))
    return powers / powers.sum(axis=axis, keepdims=True)


@variant("softmax")
def softmax_with_expm1(x, axis=-1):
    shifted = np.asarray(x, dtype=float) - np.max(x, axis=axis, keepdims=True)
    exps = np.where(shifted < -1, np.exp(shifted), np.expm1(np.maximum(shifted, -1)) + 1)
    return exps / exps.sum(axis=axis, keepdims=True)


@variant("softmax")
def softmax_sums_backwards(x, axis=-1):
    exps = np.exp(np.float64(x) - np.max(x, axis=axis, keepdims=True))
    total = reduce(np.add, [np.take(exps, [i], axis) for i in reversed(range(exps.shape[axis]))])
    return exps * (1 / total)


@variant("softmax")
def softmax_sums_sorted(x, axis=-1):
    exps = np.exp(np.asarray(x, float) - np.sort(x, axis=axis).take([-1], axis=axis))
    return np.divide(exps, np.add.reduce(np.sort(exps, axis=axis), axis=axis, keepdims=True))


@variant("softmax")
def softmax_with_einsum(x, axis=-1):
    moved = np.moveaxis(np.asarray(x, dtype=np.float64), axis, -1)
    exps = np.exp(moved - moved.max(-1)[..., np.newaxis])
    return np.moveaxis(np.einsum("...j,...->...j", exps, 1 / np.einsum("...j->...", exps)), -1, axis)


@variant("softmax")
def softmax_recursive(x, axis=-1):
    x = np.asarray(x, dtype=float)
    if axis % x.ndim:
        return np.stack([softmax_recursive(part, axis % x.ndim - 1) for part in x])
    exps = np.exp(x - x.max(axis=0))
    return exps / exps.sum(axis=0)


@variant("softmax")
def softmax_moved_to_the_front(x, axis=-1):
    """The result is a view whose memory is in another order."""
    x = np.swapaxes(np.asarray(x, dtype=float), axis, 0)
    exps = np.exp(x - x.max(axis=0))
    return np.swapaxes(exps / exps.sum(axis=0), axis, 0)


@variant("softmax")
def softmax_in_fortran_order(x, axis=-1):
    exps = np.exp(np.asfortranarray(x, dtype=float) - np.max(x, axis, keepdims=True))
    return np.asfortranarray(exps / exps.sum(axis, keepdims=True))


@variant("softmax")
def softmax_long_double_inside(x, axis=-1):
    x = np.asarray(x, dtype=np.longdouble)
    exps = np.exp(x - x.max(axis=axis, keepdims=True))
    return (exps / exps.sum(axis=axis, keepdims=True)).astype(np.float64)


@variant("softmax")
def softmax_with_further_parameters(x, axis=-1, *, temperature=1.0, where=None):
    logits = np.asarray(x, dtype=float) / temperature
    if where is not None:
        logits = np.where(where, logits, -np.inf)
    exps = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


@variant("softmax")
def softmax_careless(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Prints, warns, divides by zero on the way, meddles with error states and random numbers, and is right."""
    print("softmax of", np.shape(x), "along", axis)
    warnings.warn("here I am", UserWarning, stacklevel=1)
    np.random.seed(0)
    np.seterr(all="warn")
    _ = np.ones(1) / np.zeros(1)
    x = np.array(x).astype("float64")
    for _ in range(2):  # once would do
        x = x - np.max(x, axis=axis, keepdims=True)
    e_x = np.exp(x)
    return np.nan_to_num(e_x / np.sum(e_x, axis=axis, keepdims=True))


# --- scaled_scores ---------------------------------------------------------------------------------------------------


@variant("scaled_scores")
def scaled_scores_plain(q, k):
    return np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])


@variant("scaled_scores")
def scaled_scores_scaled_before(q, k):
    return (q * q.shape[-1] ** -0.5) @ k.swapaxes(-2, -1)


@variant("scaled_scores")
def scaled_scores_scaled_on_both_sides(q, k):
    fourth_root = k.shape[-1] ** 0.25
    return (q / fourth_root) @ np.moveaxis(k / fourth_root, -1, -2)


@variant("scaled_scores")
def scaled_scores_with_einsum(q, k):
    return np.einsum("...id,...jd->...ij", q, k, optimize=True) / math.sqrt(k.shape[-1])


@variant("scaled_scores")
def scaled_scores_broadcast_and_summed(q, k):
    return np.mean(q[..., :, None, :] * k[..., None, :, :], axis=-1) * np.sqrt(np.shape(q)[-1])


@variant("scaled_scores")
def scaled_scores_loops(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]))
    for index in np.ndindex(*scores.shape):
        *batch, i, j = index
        for a, b in zip(q[(*batch, i)], k[(*batch, j)], strict=True):
            scores[index] += a * b
    scores /= math.sqrt(q.shape[-1])
    return scores


@variant("scaled_scores")
def scaled_scores_features_backwards(q, k):
    total = 0
    for c in range(q.shape[-1] - 1, -1, -1):
        total = total + q[..., c, None] * k[..., None, :, c]
    return total / np.sqrt(np.float64(q.shape[-1]))


@variant("scaled_scores")
def scaled_scores_keys_first(q, k):
    """k qᵀ transposed: the result is a view with its memory in another order."""
    return np.swapaxes(k @ np.swapaxes(q, -1, -2), -1, -2) / np.sqrt(k.shape[-1])


@variant("scaled_scores")
def scaled_scores_sequence_by_sequence(q, k):
    if q.ndim == 2:
        return np.dot(q, k.T) / np.sqrt(q.shape[1])
    return np.array([scaled_scores_sequence_by_sequence(one_q, one_k) for one_q, one_k in zip(q, k, strict=True)])


@variant("scaled_scores")
def scaled_scores_polarised(q, k):
    """(|q + k|² - |q - k|²) / 4."""
    a, b = q[..., :, None, :], k[..., None, :, :]
    return (((a + b) ** 2).sum(-1) - ((a - b) ** 2).sum(-1)) / (4 * np.sqrt(q.shape[-1]))


@variant("scaled_scores")
def scaled_scores_exact_sums(q, k):
    batch, n_q, n_k = q.shape[:-2], q.shape[-2], k.shape[-2]
    flat_q, flat_k = q.reshape(-1, *q.shape[-2:]), k.reshape(-1, *k.shape[-2:])
    rows = [
        float(sum(Fraction(a) * Fraction(b) for a, b in zip(one_q, one_k, strict=True))) / math.sqrt(len(one_q))
        for queries, keys in zip(flat_q.tolist(), flat_k.tolist(), strict=True)
        for one_q, one_k in itertools.product(queries, keys)
    ]
    return np.array(rows).reshape(*batch, n_q, n_k)


@variant("scaled_scores")
def scaled_scores_with_vectorize(q, k):
    return np.vectorize(lambda a, b: a @ b.T / np.sqrt(a.shape[-1]), signature="(i,d),(j,d)->(i,j)")(q, k)


@variant("scaled_scores")
def scaled_scores_careless(q, k, scale=True, verbose=True):
    if verbose:
        print(q, k)
    random.seed(1)
    scores = np.asarray(q.copy() @ k.copy().swapaxes(-1, -2), dtype=np.float64)
    return np.squeeze(scores[np.newaxis] / np.sqrt(q.shape[-1]), axis=0) if scale else scores


# --- attention -------------------------------------------------------------------------------------------------------


def _scores(q, k):
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])


@variant("attention")
def attention_minus_infinity_then_nan_to_num(q, k, v, mask=None):
    """An empty row becomes NaN on the way and 0 in the end, with a warning from NumPy."""
    scores = _scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = np.nan_to_num(exps / exps.sum(axis=-1, keepdims=True))
    return weights @ v, weights


@variant("attention")
def attention_huge_number_then_multiplied(q, k, v, mask=None):
    mask = np.ones((1, 1), dtype=bool) if mask is None else mask
    scores = _scores(q, k) * mask - 1e30 * (1 - mask)
    exps = np.exp(scores - np.amax(scores, -1, keepdims=True))
    weights = exps / exps.sum(-1, keepdims=True) * mask
    return np.matmul(weights, v), weights


@variant("attention")
def attention_additive_billion(q, k, v, mask=None):
    scores = _scores(q, k)
    if mask is not None:
        scores = scores + np.where(mask, 0, -1e9)
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    weights = exps / exps.sum(-1, keepdims=True)
    if mask is not None:
        weights = np.where(np.any(mask, axis=-1, keepdims=True), weights, 0)
    return weights @ v, weights


@variant("attention")
def attention_additive_lowest_float(q, k, v, mask=None):
    bias = 0.0 if mask is None else np.where(mask, 0.0, np.finfo(np.float64).min)
    scores = _scores(q, k) + bias
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    weights = exps / exps.sum(-1, keepdims=True)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights


@variant("attention")
def attention_masked_exponentials(q, k, v, mask=None):
    scores = _scores(q, k)
    visible = np.broadcast_to(np.True_ if mask is None else mask, scores.shape)
    top = scores.max(axis=-1, keepdims=True, where=visible, initial=-1e300)
    exps = np.exp(scores - top, where=visible, out=np.zeros_like(scores))
    total = exps.sum(axis=-1, keepdims=True)
    weights = np.divide(exps, total, where=total > 0, out=np.zeros_like(scores))
    return weights @ v, weights


@variant("attention")
def attention_divides_the_output_last(q, k, v, mask=None):
    """Output and weights are divided separately, so each has its own rounding."""
    scores = _scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    exps = np.exp(scores - np.where(top == -np.inf, 0, top))
    total = np.maximum(exps.sum(-1, keepdims=True), np.finfo(float).tiny)
    return exps @ v / total, exps / total


@variant("attention")
def attention_visible_keys_only(q, k, v, mask=None):
    """Query by query over the keys in sight; a hidden key is never touched."""
    shape = (*q.shape[:-1], k.shape[-2])
    mask = np.broadcast_to(True if mask is None else mask, shape)
    weights, output = np.zeros(shape), np.zeros((*q.shape[:-1], v.shape[-1]))
    for index in np.ndindex(*q.shape[:-1]):
        batch = index[:-1]
        seen = np.flatnonzero(mask[index])
        if seen.size:
            scores = k[batch][seen] @ q[index] / math.sqrt(q.shape[-1])
            exps = np.exp(scores - scores.max())
            weights[(*index, seen)] = exps / exps.sum()
            output[index] = weights[(*index, seen)] @ v[batch][seen]
    return output, weights


@variant("attention")
def attention_streaming(q, k, v, mask=None):
    """Key by key with a running maximum, sum and output, as fast kernels do; the weights come from a second look."""
    n_k = k.shape[-2]
    mask = np.broadcast_to(True if mask is None else mask, (*q.shape[:-1], n_k))
    top, total = np.full(q.shape[:-1], -np.inf), np.zeros(q.shape[:-1])
    output = np.zeros((*q.shape[:-1], v.shape[-1]))
    scores = np.einsum("...id,...jd->...ij", q / np.sqrt(q.shape[-1]), k)
    for j in range(n_k):
        score = np.where(mask[..., j], scores[..., j], -np.inf)
        higher = np.maximum(top, score)
        base = np.where(higher == -np.inf, 0.0, higher)
        decay, gain = np.exp(top - base), np.exp(score - base)
        total = total * decay + gain
        output = output * decay[..., None] + gain[..., None] * v[..., j, None, :]
        top = higher
    safe = np.where(total > 0, total, 1.0)[..., None]
    base = np.where(top == -np.inf, 0.0, top)[..., None]
    weights = np.where(mask, np.exp(np.where(mask, scores - base, -np.inf)), 0) / safe
    return output / safe, weights


@variant("attention")
def attention_pure_python(q, k, v, mask=None):
    if q.ndim > 2:
        masks = itertools.repeat(mask)
        if mask is not None and mask.ndim == q.ndim:
            masks = mask if len(mask) == len(q) else itertools.repeat(mask[0])
        pairs = [attention_pure_python(*one) for one in zip(q, k, v, masks)]  # noqa: B905 (masks may be endless)
        return np.array([output for output, _ in pairs]), np.array([weights for _, weights in pairs])
    n_q, n_k = len(q), len(k)
    visible = np.broadcast_to(True if mask is None else mask, (n_q, n_k)).tolist()
    queries, keys, columns = q.tolist(), k.tolist(), v.T.tolist()
    weights = []
    for row, query in enumerate(queries):
        scores = {
            j: sum(a * b for a, b in zip(query, keys[j], strict=True)) / len(query) ** 0.5
            for j in range(n_k)
            if visible[row][j]
        }
        top = max(scores.values(), default=0.0)
        exps = {j: math.exp(score - top) for j, score in scores.items()}
        weights.append([exps.get(j, 0.0) / sum(exps.values()) if exps else 0.0 for j in range(n_k)])
    output = [[sum(w * x for w, x in zip(row, column, strict=True)) for column in columns] for row in weights]
    return np.array(output), np.array(weights)


@variant("attention")
def attention_log_weights(q, k, v, mask=None):
    """In logarithms to the end, with the largest score added back; scores in sight are moderate here."""
    scores = _scores(q, k)
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    log_total = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isneginf(log_total), 0.0, log_total))
    return np.einsum("...ij,...jc->...ic", weights, v), weights


@variant("attention")
def attention_keys_backwards(q, k, v, mask=None):
    scores = _scores(q, k)
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    exps = np.exp(scores - np.nan_to_num(scores.max(-1, keepdims=True), neginf=0.0))
    backwards = range(k.shape[-2] - 1, -1, -1)
    total = sum(exps[..., j, None] for j in backwards)
    weights = exps / np.where(total == 0, 1, total)
    return sum(weights[..., j, None] * v[..., j, None, :] for j in backwards), weights


@variant("attention")
def attention_keys_sorted_by_score(q, k, v, mask=None):
    scores = _scores(q, k)
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    order = scores.argsort(axis=-1)
    ranked = np.take_along_axis(scores, order, axis=-1)
    top = ranked[..., -1:]
    exps = np.exp(ranked - np.where(np.isfinite(top), top, 0))
    total = np.cumsum(exps, axis=-1)[..., -1:]
    weights = np.zeros_like(scores)
    np.put_along_axis(weights, order, exps / np.where(total > 0, total, 1), axis=-1)
    return weights @ v, weights


@variant("attention")
def attention_transposed_inside(q, k, v, mask=None):
    """Everything with keys as rows; what is returned are transposed views."""
    scores = np.swapaxes(_scores(q, k), -1, -2)
    if mask is not None:
        mask = np.swapaxes(np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2])), -1, -2)
        scores = np.where(mask, scores, -np.inf)
    exps = np.exp(scores - np.maximum(scores.max(-2, keepdims=True), -1e300))
    weights = exps / np.maximum(exps.sum(-2, keepdims=True), 1e-300)
    output = np.swapaxes(v, -1, -2) @ weights
    return np.swapaxes(output, -1, -2), np.swapaxes(weights, -1, -2)


@variant("attention")
def attention_empty_rows_set_afterwards(q, k, v, mask=None):
    scores = _scores(q, k)
    weights = np.empty(scores.shape)
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -1e9
    np.exp(np.subtract(scores, scores.max(axis=-1)[..., None]), out=weights)
    weights /= weights.sum(axis=-1)[..., None]
    if mask is not None:
        weights[~np.broadcast_to(mask.any(axis=-1), scores.shape[:-1])] = 0
    return weights @ v, weights


@variant("attention")
def attention_masked_array_inside(q, k, v, mask=None):
    scores = _scores(q, k)
    hidden = np.zeros(scores.shape, bool) if mask is None else ~np.broadcast_to(mask, scores.shape)
    visible = np.ma.array(scores, mask=hidden)
    exps = np.ma.exp(visible - visible.max(axis=-1, keepdims=True)).filled(0.0)
    weights = exps / np.maximum(exps.sum(axis=-1, keepdims=True), 0.5)
    return weights @ v, weights


Answer = namedtuple("Answer", "output weights")


@variant("attention")
def attention_named_tuple(q, k, v, mask=None):
    return Answer(*attention_masked_exponentials(q, k, v, mask))


@variant("attention")
def attention_list_pair(q, k, v, mask=None):
    return list(attention_divides_the_output_last(q, k, v, mask))


@lru_cache(maxsize=4)
def _everything_visible(n_q, n_k):
    return np.ones((n_q, n_k), dtype=bool)


@variant("attention")
def attention_as_a_class(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray | None = None, dropout: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    class Attention:
        def __init__(self, scale):
            self.scale = scale

        def weights(self, scores, visible):
            highest = statistics.mode([0.0]) + np.max(np.where(visible, scores, -1e200), axis=-1, keepdims=True)
            exps = np.exp(np.where(visible, scores - highest, -np.inf))
            return exps / np.clip(exps.sum(-1, keepdims=True), 1, None)

        def __call__(self, q, k, v, visible):
            weights = self.weights(self.scale * (q @ k.swapaxes(-1, -2)), visible)
            return weights @ v, weights

    visible = _everything_visible(q.shape[-2], k.shape[-2]) if mask is None else mask
    return Attention(1 / np.sqrt(q.shape[-1]))(q, k, v, visible)


@variant("attention")
def attention_careless(q, k, v, mask=None, debug=True):
    if debug:
        print("shapes:", q.shape, k.shape, v.shape, None if mask is None else mask.shape)
    np.random.seed(42)
    warnings.warn("attention!", RuntimeWarning, stacklevel=1)
    q, k, v = q.copy(), k.copy(), v.copy()
    q /= np.sqrt(q.shape[-1])
    scores = q @ k.swapaxes(-1, -2)
    if mask is not None:
        mask = mask.astype(int)
        scores = np.where(mask == 0, float("-inf"), scores)
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights /= np.sum(weights, axis=-1, keepdims=True)
    weights[np.isnan(weights)] = 0
    noise = np.random.randn(*weights.shape)
    return (weights + 0 * noise) @ v, weights
