"""Hidden checks of the lesson ``attention``."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from hypothesis import strategies as st

from grader import expect
from grader.bounds import Array, Bounded, sum_error, unit_roundoff
from grader.callee import Callee
from grader.checks import check
from grader.drawing import coins, fill, masks, shuffle
from grader.oracles import attention as oracle
from grader.oracles.masking import causal_mask

SEEDS = st.integers(0, 2**32 - 1)

# --- softmax ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slices:
    """Logits of shape ``(a, b, c)``, moderate unless a check spreads them out."""

    a: int
    b: int
    c: int
    seed: int

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return self.a * self.b * self.c

    def hidden(self) -> Iterator[tuple[Array, int, Array]]:
        """These arrays with scores of minus infinity, one or more in each slice and never all: what, axis and where."""
        for (x, axis), (first, last) in product(self.logits(), ((False, True), (True, False))):
            if x.shape[axis] > 1:
                hidden = coins(self.seed, *x.shape).copy()
                along = np.moveaxis(hidden, axis, -1)  # a view: the first and the last logit of every slice
                along[..., 0], along[..., -1] = first, last
                yield x, axis, hidden

    def logits(self) -> Iterator[tuple[Array, int]]:
        """Arrays of one to four axes, some of length 1, with every axis for softmax by both of its names."""
        full = fill(self.seed, self.a, self.b, self.c)
        for x in (full, full[0], full[0, 0], full[:1, None]):
            for axis in range(-x.ndim, x.ndim):
                yield x, axis


slices = st.builds(Slices, st.integers(2, 4), st.integers(2, 4), st.integers(2, 5), SEEDS)


def weights_of(softmax: Callee, x: Array, axis: int) -> Array:
    """The submission's weights, with shape and type checked."""
    return expect.array(softmax(x, axis=axis), x.shape)


@check("softmax", given=slices, count=1)
def softmax_keeps_the_shape(softmax: Callee, case: Slices) -> None:
    """Softmax returns a plain float64 array of the same shape as its input, along any axis.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for x, axis in case.logits():
        weights_of(softmax, x, axis)


@check("softmax", given=slices, count=3)
def softmax_leaves_its_input(softmax: Callee, case: Slices) -> None:
    """Softmax leaves its argument as it was, also where it holds minus infinity."""
    some = next((np.where(hidden, -np.inf, x), axis) for x, axis, hidden in case.hidden())
    for x, axis in (*case.logits(), some):
        softmax(x, axis=axis)
        expect.unchanged(softmax)


@check("softmax", given=slices, count=1)
def softmax_sums_to_one(softmax: Callee, case: Slices) -> None:
    """The weights along the chosen axis are not negative and sum to 1.

    Kept: names the simplex, the first thing to look at when weights are wrong.
    """
    for x, axis in case.logits():
        weights = weights_of(softmax, x, axis)
        expect.true(weights >= 0, "a weight is negative or not a number", weights, "weights of at least 0")
        ones = np.ones_like(weights.sum(axis))
        error = oracle.softmax(x, axis).error.sum(axis) + sum_error(x.shape[axis], 1.0, unit_roundoff(x.dtype))
        expect.close(weights.sum(axis), Bounded(ones, error), "the sum of the weights")


@check("softmax", given=slices, count=3)
def softmax_runs_over_the_last_axis_by_default(softmax: Callee, case: Slices) -> None:
    """Without an axis given, softmax runs over the last one."""
    for x in (
        fill(case.seed, case.a, case.b, case.c),
        fill(case.seed, case.b, case.c),
        fill(case.seed, case.c),
    ):
        expect.close(expect.array(softmax(x), x.shape), oracle.softmax(x, -1), "the weight")


@check("softmax", given=slices, count=1)
def softmax_ignores_a_shift(softmax: Callee, case: Slices) -> None:
    """Adding the same number to every score of a slice leaves its weights as they were.

    Kept: names the law that stability rests on.
    """
    for x, axis in case.logits():
        shift = 2 * fill(case.seed + 1, *np.take(x, [0], axis).shape)
        error = oracle.softmax(x, axis).error + oracle.softmax(x + shift, axis).error
        expect.agree(weights_of(softmax, x + shift, axis), weights_of(softmax, x, axis), error, "the weight")


@check("softmax", given=slices, count=3)
def softmax_is_stable(softmax: Callee, case: Slices) -> None:
    """Softmax stays exact for scores of any size: around ±10,000, up to ±1e300, and far apart from slice to slice.

    The slices of one array lie up to 20,000 apart, so that one shift for the whole array makes some of them vanish.
    """
    for (x, axis), offset in product(case.logits(), (-1e4, 1e4)):
        apart = offset * np.arange(x.shape[0]).reshape(-1, *[1] * (x.ndim - 1))
        for far in (x + offset, x + apart, x * 1e4, x * 1e300):
            expect.close(weights_of(softmax, far, axis), oracle.softmax(far, axis), "the weight")


@check("softmax", given=slices, count=3)
def softmax_gives_minus_infinity_no_weight(softmax: Callee, case: Slices) -> None:
    """A score of minus infinity gets weight exactly 0, as long as its slice has a finite one, however low that is."""
    for (x, axis, hidden), offset in product(case.hidden(), (0.0, -1e300)):
        x_hidden = np.where(hidden, -np.inf, x + offset)
        weights = weights_of(softmax, x_hidden, axis)
        expect.same(weights[hidden], np.zeros(hidden.sum()), "the weight of a score of minus infinity")
        expect.close(weights, oracle.softmax(x_hidden, axis), "the weight")


@check("softmax", given=slices, count=3)
def softmax_accepts_integers(softmax: Callee, case: Slices) -> None:
    """Integer scores work like the same numbers as floats.

    Kept: the everyday integers, which every style must get exactly right.
    """
    for (x, axis), dtype in product(case.logits(), ("int64", "int32")):
        whole = np.trunc(x * 2).astype(dtype)
        expect.close(weights_of(softmax, whole, axis), oracle.softmax(whole, axis), "the weight")


@check("softmax", given=slices, count=2, in_battery=False)
def softmax_accepts_short_integers(softmax: Callee, case: Slices) -> None:
    """Integer scores of 8 and 16 bits work too, at least as exactly as NumPy's exponential of them.

    NumPy's ``exp`` of such integers is a short float, so right styles differ here and the battery leaves them out.

    Kept: the contract accepts integers of any type.
    """
    for (x, axis), dtype in product(case.logits(), ("int16", "int8")):
        whole = np.trunc(x * 2).astype(dtype)
        weights = expect.array(softmax(whole, axis=axis), x.shape, "any float")
        expect.close(weights, oracle.softmax(whole, axis), "the weight")


@check("softmax", given=slices, count=3)
def softmax_is_right(softmax: Callee, case: Slices) -> None:
    """Each weight is exp(x_j) divided by the sum of exp(x_i) over its slice, to rounding.

    Kept: the definition itself, for what breaks no law of its own.
    """
    for grid, axis in case.logits():
        x = grid / 3  # off every binary grid, where half the digits lost would not show
        expect.close(weights_of(softmax, x, axis), oracle.softmax(x, axis), "the weight")


@check("softmax", given=slices, count=2)
def softmax_returns_fresh_arrays(softmax: Callee, case: Slices) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    x = fill(case.seed, case.a, case.b)
    inputs = x, x[::-1] * 2
    expect.answered(softmax, [((y,), {}) for y in inputs], [oracle.softmax(y) for y in inputs], "the weight")


# --- scaled_scores and attention --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heads:
    """Sizes of queries, keys and values. Every check runs them with no, one and two batch axes."""

    n_q: int
    n_k: int
    d_k: int
    d_v: int
    seed: int

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return self.n_q * self.n_k * (self.d_k + self.d_v)

    def batches(self, *more: tuple[int, ...]) -> Iterator[tuple[Array, Array, Array]]:
        """``q``, ``k``, ``v`` for each batch shape, and for ``more``."""
        for i, batch in enumerate(((), (2,), (2, 3), *more)):
            yield (
                fill(self.seed + 3 * i, *batch, self.n_q, self.d_k),
                fill(self.seed + 3 * i + 1, *batch, self.n_k, self.d_k),
                fill(self.seed + 3 * i + 2, *batch, self.n_k, self.d_v),
            )

    def masks(self, batch: tuple[int, ...]) -> Iterator[Array]:
        """A mask of every shape that broadcasts to the scores."""
        return masks(self.seed, batch, self.n_q, self.n_k)


def sizes() -> st.SearchStrategy[tuple[int, int, int, int]]:
    """Half of the examples with all four sizes different, so that no axis can stand in for another."""
    different = st.permutations([2, 3, 4, 5]).map(lambda order: (order[0], order[1], order[2], order[3]))
    free = st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))
    return st.one_of(different, free)


heads = st.builds(lambda n, seed: Heads(n[0], n[1], n[2], n[3], seed), sizes(), SEEDS)


def scores_of(scaled_scores: Callee, q: Array, k: Array) -> Array:
    """The submission's scores, with shape and type checked."""
    return expect.array(scaled_scores(q, k), (*q.shape[:-1], k.shape[-2]))


@check("scaled_scores", given=heads, count=1)
def scores_have_a_row_for_each_query(scaled_scores: Callee, case: Heads) -> None:
    """The scores have a row for each query and a column for each key, behind the batch axes.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for q, k, _ in case.batches((2, 1, 2)):
        scores_of(scaled_scores, q, k)


@check("scaled_scores", given=heads, count=3)
def scores_leave_their_inputs(scaled_scores: Callee, case: Heads) -> None:
    """Scaled scores leave their arguments as they were."""
    for q, k, _ in case.batches():
        scaled_scores(q, k)
        expect.unchanged(scaled_scores)


@check("scaled_scores", given=heads, count=1)
def scores_grow_by_the_root_of_repeats(scaled_scores: Callee, case: Heads) -> None:
    """Repeating every feature r times multiplies the scores by √r: r from the longer sum, divided by √r.

    Kept: names a wrong scale exactly, whatever else is wrong with the scores.
    """
    for (q, k, _), r in product(case.batches(), (4, 9)):
        once, repeated = (
            scores_of(scaled_scores, q, k),
            scores_of(scaled_scores, np.tile(q, r), np.tile(k, r)),
        )
        error = oracle.scaled_scores(q, k).error * np.sqrt(r) + oracle.scaled_scores(np.tile(q, r), np.tile(k, r)).error
        expect.agree(repeated, once * np.sqrt(r), error, f"the score of the features repeated {r} times")


@check("scaled_scores", given=SEEDS, count=1)
def scores_have_variance_one(scaled_scores: Callee, seed: int) -> None:
    """For random features of variance 1 the scores have variance 1.

    1,024 independent scores of fair ±1 features at d_k = 16. E exp(ts²) is at most that of a chi-square and E s⁴ at
    most 3, so the mean of s² leaves [0.59, 1.42] with probability below 1e-12 (exp(-1024·0.41²/6) below,
    chi-square above).

    Kept: the same law as by repeats, as the lecture states it.
    """
    q, k = np.where(coins(seed, 1024, 1, 16), 1.0, -1.0), np.where(coins(seed + 1, 1024, 1, 16), 1.0, -1.0)
    variance = float(np.mean(scores_of(scaled_scores, q, k) ** 2))
    expect.true(
        0.59 <= variance <= 1.42,
        f"the variance of the scores is {variance:.3g}, not about 1",
        variance,
        "about 1",
    )


@check("scaled_scores", given=heads, count=1)
def scores_are_linear_in_queries_and_keys(scaled_scores: Callee, case: Heads) -> None:
    """Doubling the queries or the keys doubles the scores.

    Kept: tells a wrong formula from a wrong constant.
    """
    for q, k, _ in case.batches():
        expected = oracle.scaled_scores(q, k)
        for doubled in (scores_of(scaled_scores, 2 * q, k), scores_of(scaled_scores, q, 2 * k)):
            expect.agree(doubled, 2 * scores_of(scaled_scores, q, k), 4 * expected.error, "the doubled score")


@check("scaled_scores", given=heads, count=3)
def scores_are_right(scaled_scores: Callee, case: Heads) -> None:
    """Each score is the dot product of its query and its key divided by √d_k, to rounding, however large it is.

    Tried with as many keys as features too, where keys that were not turned on their side would fit.

    Kept: the definition itself, for what breaks no law of its own.
    """
    features = (replace(case, n_k=case.d_k), *(replace(case, d_k=d_k) for d_k in (2, 3, 5)))
    for *on_grid, _ in (*case.batches((2, 1, 2)), *(batch for other in features for batch in other.batches())):
        q, k = (x / 3 for x in on_grid)  # off every binary grid, where half the digits lost would not show
        expect.close(scores_of(scaled_scores, q, k), oracle.scaled_scores(q, k), "the score")
    for q, k, _ in case.batches():
        far = 2.0**30 * q
        expect.close(scores_of(scaled_scores, far, k), oracle.scaled_scores(far, k), "the score")


@check("scaled_scores", given=heads, count=2)
def scores_are_fresh_arrays(scaled_scores: Callee, case: Heads) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    for q, k, _ in case.batches():
        inputs = (q, k), (2 * q, k)
        expected = [oracle.scaled_scores(*given) for given in inputs]
        expect.answered(scaled_scores, [(given, {}) for given in inputs], expected, "the score")


def attend(attention: Callee, q: Array, k: Array, v: Array, mask: Array | None = None) -> tuple[Array, Array]:
    """The submission's output and weights, with shapes and types checked."""
    value = attention(q, k, v) if mask is None else attention(q, k, v, mask)
    output, weights = expect.pair(value, "output", "weights")
    return (
        expect.array(output, (*q.shape[:-1], v.shape[-1])),
        expect.array(weights, (*q.shape[:-1], k.shape[-2])),
    )


def with_masks(case: Heads, *more: tuple[int, ...]) -> Iterator[tuple[Array, Array, Array, Array | None]]:
    """Every batch shape, and those of ``more``, with no mask and with each mask."""
    for q, k, v in case.batches(*more):
        yield q, k, v, None
        for mask in case.masks(q.shape[:-2]):
            yield q, k, v, mask


@check("attention", given=heads, count=1)
def attention_returns_output_and_weights(attention: Callee, case: Heads) -> None:
    """Attention returns the output, a row for each query, and the weights, a column for each key besides.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for q, k, v in case.batches((2, 1, 2)):
        for mask in (None, *case.masks(q.shape[:-2])):
            attend(attention, q, k, v, mask)


@check("attention", given=heads, count=2)
def attention_leaves_its_inputs(attention: Callee, case: Heads) -> None:
    """Attention leaves its arguments as they were."""
    for q, k, v, mask in with_masks(case):
        attend(attention, q, k, v, mask)
        expect.unchanged(attention)


@check("attention", given=heads, count=1)
def attention_weights_are_shares(attention: Callee, case: Heads) -> None:
    """The weights of a query that sees any key are not negative and sum to 1.

    Kept: names the simplex, the first thing to look at when weights are wrong.
    """
    for q, k, v, mask in with_masks(case):
        _, weights = attend(attention, q, k, v, mask)
        sees = np.broadcast_to(True if mask is None else mask, weights.shape).any(axis=-1)
        expect.true(weights[sees] >= 0, "a weight is negative or not a number", weights, "weights of at least 0")
        error = oracle.attention(q, k, v, mask)[1].error.sum(-1) + sum_error(k.shape[-2], 1.0, unit_roundoff(q.dtype))
        expect.close(weights.sum(-1)[sees], Bounded(np.ones(sees.sum()), error[sees]), "the sum of a query's weights")


@check("attention", given=heads, count=1)
def hidden_keys_get_no_weight(attention: Callee, case: Heads) -> None:
    """A key that the mask hides gets weight exactly 0, also where the scores in sight are as low as -999,900."""
    for q, k, v, mask in with_masks(case):
        if mask is not None and not mask.all():
            for keys in (k, np.array(np.broadcast_to(-loud_key(q), k.shape))):
                _, weights = attend(attention, q, keys, v, mask)
                seen = np.broadcast_to(mask, weights.shape)
                hidden = ~seen & seen.any(-1, keepdims=True)
                expect.same(weights[hidden], np.zeros(hidden.sum()), "the weight of a hidden key")


@check("attention", given=heads, count=1)
def empty_rows_are_zero(attention: Callee, case: Heads) -> None:
    """A query that may attend to nothing gets weights 0 and output 0, never NaN.

    Kept: names the case, which in a comparison with the right answer would be one wrong row among many.
    """
    for q, k, v in case.batches():
        some = coins(case.seed, *q.shape[:-1], k.shape[-2]).copy()
        some[..., 0, :] = False
        for mask in (some, np.zeros((1, 1), dtype=bool), np.zeros((q.shape[-2], k.shape[-2]), dtype=bool)):
            output, weights = attend(attention, q, k, v, mask)
            empty = ~np.broadcast_to(mask, weights.shape).any(axis=-1)
            expect.same(weights[empty], np.zeros_like(weights[empty]), "a weight of a query that sees nothing")
            expect.same(output[empty], np.zeros_like(output[empty]), "the output of a query that sees nothing")


@check("attention", given=heads, count=1)
def hidden_keys_have_no_influence(attention: Callee, case: Heads) -> None:
    """However large a hidden key and its value are, weights and output stay as they were.

    Hidden keys reach scores of nearly a million, with both signs; hidden values reach ±1e300.

    Kept: names the influence of what is hidden, which large scores in sight show only by the way.
    """
    for q, k, v in case.batches():
        hidden = np.zeros(k.shape[-2], dtype=bool)
        hidden[: max(1, k.shape[-2] // 2)] = True
        mask = np.broadcast_to(~hidden, (q.shape[-2], k.shape[-2]))
        expected_output, expected_weights = oracle.attention(q, k, v, mask)
        for sign in (1, -1):
            loud_k = np.where(hidden[:, None], sign * loud_key(q), k)
            loud_v = np.where(hidden[:, None], sign * 1e300, v)
            for keys, values in ((loud_k, v), (k, loud_v), (loud_k, loud_v)):
                output, weights = attend(attention, q, keys, values, np.array(mask))
                expect.close(weights, expected_weights, "a weight, beside a loud hidden key,")
                expect.close(output, expected_output, "the output, beside a loud hidden key,")


def loud_key(q: Array) -> Array:
    """For each batch a key that scores 999,900 with the query of the largest norm, and no more with any other."""
    squares = (q**2).sum(axis=-1, keepdims=True)
    loudest = np.take_along_axis(q, squares.argmax(axis=-2, keepdims=True), axis=-2)
    key: Array = 999_900 * np.sqrt(q.shape[-1]) * loudest / np.maximum(squares.max(axis=-2, keepdims=True), 1 / 64)
    return key


@check("attention", given=heads, count=2)
def attention_is_stable(attention: Callee, case: Heads) -> None:
    """Attention stays exact where the scores in sight are in the thousands, of either sign, with and without a mask."""
    for q, k, v, mask in with_masks(case):
        far = 2.0**12 * q
        output, weights = attend(attention, far, k, v, mask)
        expected_output, expected_weights = oracle.attention(far, k, v, mask)
        expect.close(weights, expected_weights, "the weight")
        expect.close(output, expected_output, "the output")


@check("attention", given=heads, count=1)
def queries_are_independent(attention: Callee, case: Heads) -> None:
    """Permuting the queries permutes outputs and weights in the same way, and does nothing else.

    Kept: names the symmetry that breaks when weights are normalised over the queries.
    """
    for q, k, v in case.batches():
        order = shuffle(case.seed, q.shape[-2])
        expected_output, expected_weights = oracle.attention(q, k, v)
        output, weights = attend(attention, q, k, v)
        permuted_output, permuted_weights = attend(attention, q[..., order, :], k, v)
        expect.agree(
            permuted_output,
            output[..., order, :],
            2 * expected_output.error[..., order, :],
            "the permuted output",
        )
        expect.agree(
            permuted_weights,
            weights[..., order, :],
            2 * expected_weights.error[..., order, :],
            "the permuted weight",
        )


@check("attention", given=heads, count=1)
def order_of_keys_does_not_matter(attention: Callee, case: Heads) -> None:
    """Permuting keys together with their values leaves the output as it was, and permutes the weights.

    Kept: names the reason why positions have to be added.
    """
    for q, k, v in case.batches():
        order = shuffle(case.seed, k.shape[-2])
        expected_output, expected_weights = oracle.attention(q, k, v)
        output, weights = attend(attention, q, k, v)
        permuted_output, permuted_weights = attend(attention, q, k[..., order, :], v[..., order, :])
        expect.agree(permuted_output, output, 2 * expected_output.error, "the output with permuted keys and values")
        expect.agree(
            permuted_weights,
            weights[..., order],
            2 * expected_weights.error[..., order],
            "the permuted weight",
        )


@check("attention", given=heads, count=1)
def output_is_linear_in_values(attention: Callee, case: Heads) -> None:
    """The output is linear in the values, and the weights do not depend on them.

    Kept: finds a residual, a bias or a value that takes part in the scores, and says so.
    """
    for q, k, v, mask in with_masks(case):
        other = fill(case.seed + 99, *v.shape)
        parts = [attend(attention, q, k, values, mask) for values in (v, other, 2 * v + other)]
        bounds = [oracle.attention(q, k, np.abs(values), mask)[0].error for values in (v, other)]
        error = 4 * (bounds[0] + bounds[1])
        expect.agree(parts[2][0], 2 * parts[0][0] + parts[1][0], error, "the output for 2v + w")
        expect.agree(
            parts[2][1],
            parts[0][1],
            2 * oracle.attention(q, k, v, mask)[1].error,
            "the weight, with other values,",
        )


@check("attention", given=heads, count=1)
def output_lies_between_the_values(attention: Callee, case: Heads) -> None:
    """Every feature of the output lies between the smallest and the largest value that the query sees.

    Kept: names the convex hull: attention averages, it never extrapolates.
    """
    for q, k, v in case.batches():
        output, _ = attend(attention, q, k, v)
        error = oracle.attention(q, k, v)[0].error
        low, high = v.min(axis=-2, keepdims=True) - error, v.max(axis=-2, keepdims=True) + error
        expect.true(
            (low <= output) & (output <= high),
            "an output lies outside the range of the values",
            output,
            (low, high),
        )


@check("attention", given=heads, count=1)
def output_is_the_weighted_sum(attention: Callee, case: Heads) -> None:
    """The output is the sum of the values, each times the weight that is returned with it.

    Kept: tells a wrong sum from wrong weights.
    """
    for q, k, v, mask in with_masks(case):
        output, weights = attend(attention, q, k, v, mask)
        expect.agree(output, weights @ v, 2 * oracle.attention(q, k, np.abs(v), mask)[0].error, "the output")


@check("attention", given=heads, count=1)
def the_past_does_not_see_the_future(attention: Callee, case: Heads) -> None:
    """Under a causal mask the first tokens get the same answer with and without the tokens after them.

    Kept: the use that the mask is made for.
    """
    for q, k, v in case.batches():
        n = min(q.shape[-2], k.shape[-2])
        whole = attend(attention, q[..., :n, :], k[..., :n, :], v[..., :n, :], causal_mask(n))
        for t in range(1, n):
            arguments = q[..., :t, :], k[..., :t, :], v[..., :t, :], causal_mask(t)
            expected = oracle.attention(*arguments)
            for part, full, bound, what in zip(
                attend(attention, *arguments), whole, expected, ("output", "weight"), strict=True
            ):
                expect.agree(
                    part,
                    full[..., :t, : part.shape[-1]],
                    2 * bound.error,
                    f"the {what} of the first {t} tokens",
                )


@check("attention", given=heads, count=1)
def no_mask_hides_nothing(attention: Callee, case: Heads) -> None:
    """Leaving the mask out, passing None and passing a mask of nothing but True are the same.

    Kept: the default argument, which a comparison that always passes a mask would never use.
    """
    for q, k, v in case.batches():
        expected = oracle.attention(q, k, v)
        for value in (
            attention(q, k, v),
            attention(q, k, v, None),
            attention(q, k, v, mask=np.ones((1, 1), dtype=bool)),
        ):
            for part, bound, what in zip(
                expect.pair(value, "output", "weights"), expected, ("output", "weight"), strict=True
            ):
                expect.close(expect.array(part, bound.value.shape), bound, f"the {what}")


@check("attention", given=heads, count=2)
def attention_is_right(attention: Callee, case: Heads) -> None:
    """Weights are the softmax of the scaled scores over the keys in sight; the output averages the values with them.

    Tried with values of the keys' size too, and as many queries as keys, where a query could be added to the output
    without an error.
    """
    square = replace(case, n_q=case.n_k, d_v=case.d_k)
    one = replace(case, n_q=1, n_k=1)
    for *on_grid, mask in (*with_masks(case, (2, 1, 2)), *with_masks(square), *with_masks(one, (1,))):
        q, k, v = (x / 3 for x in on_grid)  # off every binary grid, where half the digits lost would not show
        output, weights = attend(attention, q, k, v, mask)
        expected_output, expected_weights = oracle.attention(q, k, v, mask)
        expect.close(weights, expected_weights, "the weight")
        expect.close(output, expected_output, "the output")


@check("attention", given=heads, count=2)
def attention_returns_fresh_arrays(attention: Callee, case: Heads) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    for q, k, v in case.batches():
        inputs = (q, k, v), (2 * q, k, -v)
        expected = [oracle.attention(*given) for given in inputs]
        expect.answered(attention, [(given, {}) for given in inputs], expected, "the output or weight")
