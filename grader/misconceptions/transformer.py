"""Wrong solutions of the lesson ``transformer``. Each takes right solutions of the functions before it."""

# NumPy types the arithmetic of arrays of any dtype as Any.
# mypy: disable-error-code="no-any-return"

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from grader.bounds import Array
from grader.contract import reference
from grader.misconceptions import misconception

Params = dict[str, Any]
Sublayer = Callable[[Array], Array]

_right = cache(reference)


@cache
def _buffer(shape: tuple[int, ...]) -> Array:
    """One array for each shape, handed out again and again."""
    return np.empty(shape)


def _shared(value: Array) -> Array:
    """The value, in the one array that there is for its shape."""
    shared = _buffer(value.shape)
    shared[...] = value
    return shared


def _without(params: Params, *names: str) -> Params:
    """The parameters with zeros in the place of some."""
    return params | {name: np.zeros_like(params[name]) for name in names}


# --- split_heads -----------------------------------------------------------------------------------------------------


def _width(x: Array, n_heads: int) -> int:
    """The right number of features of one head, or the right refusal."""
    d = x.shape[-1]
    if d % n_heads:
        raise ValueError(f"{d} features cannot be shared by {n_heads} heads")
    return int(d // n_heads)


@misconception("split_heads")
def split_heads_heads_reshape_without_transpose(x: Array, n_heads: int) -> Array:
    """The array is reshaped straight to the wanted shape, which cuts it up by tokens instead of by features.

    Next: reshape only the feature axis into two, then move the axis of the heads in front of the tokens.
    """
    *batch, n, _ = x.shape
    return x.reshape(*batch, n_heads, n, _width(x, n_heads))


@misconception("split_heads")
def split_heads_heads_axis_not_moved(x: Array, n_heads: int) -> Array:
    """The features are split into heads, but the axis of the heads stays behind the tokens.

    Next: compare your shape with the one that is asked for: heads come before tokens.
    """
    return x.reshape(*x.shape[:-1], n_heads, _width(x, n_heads))


@misconception("split_heads")
def split_heads_heads_interleaved(x: Array, n_heads: int) -> Array:
    """The features are dealt out like cards, one to each head in turn, so no head gets neighbours.

    Next: the first head takes the first d / n_heads features, the second head the next ones.
    """
    return np.moveaxis(x.reshape(*x.shape[:-1], _width(x, n_heads), n_heads), -1, -3)


@misconception("split_heads")
def split_heads_count_and_width_exchanged(x: Array, n_heads: int) -> Array:
    """There are as many heads as a head should have features, and the other way round.

    Next: say which of the two numbers is how many heads there are, and which is how wide one is.
    """
    return np.swapaxes(x.reshape(*x.shape[:-1], _width(x, n_heads), n_heads), -2, -3)


@misconception("split_heads")
def split_heads_heads_reversed(x: Array, n_heads: int) -> Array:
    """The last features go to the first head and the first ones to the last.

    Next: keep the order: head 0 takes the features from 0 onwards.
    """
    return np.stack(np.split(x, n_heads, axis=-1)[::-1], axis=-3) if _width(x, n_heads) else x


@misconception("split_heads")
def split_heads_features_before_tokens(x: Array, n_heads: int) -> Array:
    """The last two axes are exchanged, so that a head has a row for each feature instead of each token.

    Next: tokens stay on the second-last axis, features on the last.
    """
    return np.swapaxes(_right("split_heads")(x, n_heads), -1, -2)


@misconception("split_heads")
def split_heads_heads_first(x: Array, n_heads: int) -> Array:
    """The axis of the heads is put in front of all others, also in front of the batch axes.

    Next: batch axes stay in front; the axis of the heads comes just before the tokens.
    """
    return np.stack(np.split(x, n_heads, axis=-1), axis=0) if _width(x, n_heads) else x


@misconception("split_heads")
def split_heads_heads_on_axis_one(x: Array, n_heads: int) -> Array:
    """Axes 1 and 2 are exchanged, which are heads and tokens only behind exactly one batch axis.

    Next: count the axes from the end, so that it holds for any number of batch axes.
    """
    return x.reshape(*x.shape[:-1], n_heads, _width(x, n_heads)).swapaxes(1, 2)


@misconception("split_heads")
def split_heads_only_2d(x: Array, n_heads: int) -> Array:
    """The code takes the input for one matrix, so it fails when there are batch axes in front.

    Next: let every operation act on the last axes, whatever comes before them.
    """
    n, _ = x.shape
    return x.reshape(n, n_heads, _width(x, n_heads)).transpose(1, 0, 2)


@misconception("split_heads")
def split_heads_needs_one_batch_axis(x: Array, n_heads: int) -> Array:
    """The code expects exactly one batch axis, so it fails without one and with two.

    Next: let every operation act on the last axes, whatever comes before them.
    """
    batch, n, _ = x.shape
    return x.reshape(batch, n, n_heads, _width(x, n_heads)).transpose(0, 2, 1, 3)


@misconception("split_heads")
def split_heads_batch_axes_lost(x: Array, n_heads: int) -> Array:
    """All batch axes are put into one, so an input with two of them comes back with fewer axes.

    Next: give the result the same batch axes as the input.
    """
    *batch, n, d = x.shape
    split = _right("split_heads")(x.reshape(-1, n, d), n_heads)
    return split if batch else split[0]


@misconception("split_heads")
def split_heads_assertion_instead_of_value_error(x: Array, n_heads: int) -> Array:
    """A number of heads that does not divide the features is refused with an AssertionError.

    Next: raise a ValueError; an assertion is for what can only be a fault of your own, and can be switched off.
    """
    assert x.shape[-1] % n_heads == 0
    return _right("split_heads")(x, n_heads)


@misconception("split_heads")
def split_heads_returns_none_for_a_remainder(x: Array, n_heads: int) -> Array | None:
    """A number of heads that does not divide the features is answered with None, so the error shows up far away.

    Next: raise a ValueError where the problem is found.
    """
    return None if x.shape[-1] % n_heads else _right("split_heads")(x, n_heads)


@misconception("split_heads")
def split_heads_drops_the_remainder(x: Array, n_heads: int) -> Array:
    """When the number of heads does not divide the features, the features left over are dropped without a word.

    Next: raise a ValueError when the division leaves a remainder.
    """
    width = x.shape[-1] // n_heads
    return np.swapaxes(x[..., : n_heads * width].reshape(*x.shape[:-1], n_heads, width), -2, -3)


@misconception("split_heads")
def split_heads_unequal_heads_allowed(x: Array, n_heads: int) -> Array:
    """When the number of heads does not divide the features, some heads get fewer and are filled up with zeros.

    Next: raise a ValueError when the division leaves a remainder.
    """
    width = -(-x.shape[-1] // n_heads)
    missing = n_heads * width - x.shape[-1]
    padded = np.concatenate([x, np.zeros((*x.shape[:-1], missing))], axis=-1)
    return _right("split_heads")(padded, n_heads)


@misconception("split_heads")
def split_heads_returns_a_list(x: Array, n_heads: int) -> list[Array]:
    """A list of heads is returned, not one array.

    Next: put the heads into one array, along an axis of their own.
    """
    _width(x, n_heads)
    return np.split(x, n_heads, axis=-1)


@misconception("split_heads")
def split_heads_mutates_input(x: Array, n_heads: int) -> Array:
    """The caller's own array is changed, as setting its shape in place does.

    Next: reshape gives a new view; leave the argument alone.
    """
    width = _width(x, n_heads)
    x.shape = (*x.shape[:-1], n_heads, width)
    return np.swapaxes(x, -2, -3)


@misconception("split_heads")
def split_heads_shared_buffer(x: Array, n_heads: int) -> Array:
    """Every call writes into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    return _shared(_right("split_heads")(x, n_heads))


# --- merge_heads -----------------------------------------------------------------------------------------------------


@misconception("merge_heads")
def merge_heads_merge_without_transpose(x: Array) -> Array:
    """The array is reshaped with the heads still in front of the tokens, so features of different tokens get mixed.

    Next: move the axis of the heads beside the features first, and then make one axis of the two.
    """
    *batch, n_heads, n, width = x.shape
    return x.reshape(*batch, n, n_heads * width)


@misconception("merge_heads")
def merge_heads_heads_interleaved(x: Array) -> Array:
    """The first features of all heads come first, then the second ones: the heads are shuffled into each other.

    Next: put the whole of the first head first, then the whole of the second.
    """
    *batch, n_heads, n, width = x.shape
    return np.moveaxis(x, -3, -1).reshape(*batch, n, n_heads * width)


@misconception("merge_heads")
def merge_heads_heads_summed(x: Array) -> Array:
    """The heads are added up, so the result is as narrow as one head.

    Next: put the features of the heads side by side, so that none is lost.
    """
    return x.sum(axis=-3)


@misconception("merge_heads")
def merge_heads_heads_averaged(x: Array) -> Array:
    """The heads are averaged, so the result is as narrow as one head.

    Next: put the features of the heads side by side, so that none is lost.
    """
    return x.mean(axis=-3)


@misconception("merge_heads")
def merge_heads_heads_reversed(x: Array) -> Array:
    """The last head comes first and the first one last.

    Next: keep the order of the heads.
    """
    return _right("merge_heads")(x[..., ::-1, :, :])


@misconception("merge_heads")
def merge_heads_merge_keeps_head_axis(x: Array) -> Array:
    """Heads and tokens change places, but heads and features stay two axes.

    Next: make one axis of the last two.
    """
    return np.swapaxes(x, -2, -3)


@misconception("merge_heads")
def merge_heads_first_head_only(x: Array) -> Array:
    """Only the first head is returned.

    Next: put all heads side by side.
    """
    return x[..., 0, :, :].copy()


@misconception("merge_heads")
def merge_heads_tokens_side_by_side(x: Array) -> Array:
    """The heads are put below each other, so there are more tokens instead of more features.

    Next: join the heads along the feature axis.
    """
    return np.concatenate([x[..., head, :, :] for head in range(x.shape[-3])], axis=-2)


@misconception("merge_heads")
def merge_heads_features_before_tokens(x: Array) -> Array:
    """The result has a row for each feature instead of each token.

    Next: tokens stay on the second-last axis, features on the last.
    """
    return np.swapaxes(_right("merge_heads")(x), -1, -2)


@misconception("merge_heads")
def merge_heads_only_3d(x: Array) -> Array:
    """The code expects heads, tokens and features only, so it fails when there are batch axes in front.

    Next: let every operation act on the last three axes, whatever comes before them.
    """
    n_heads, n, width = x.shape
    return x.transpose(1, 0, 2).reshape(n, n_heads * width)


@misconception("merge_heads")
def merge_heads_needs_one_batch_axis(x: Array) -> Array:
    """The code expects exactly one batch axis, so it fails without one and with two.

    Next: let every operation act on the last three axes, whatever comes before them.
    """
    batch, n_heads, n, width = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, n, n_heads * width)


@misconception("merge_heads")
def merge_heads_batch_axes_lost(x: Array) -> Array:
    """All batch axes are put into one, so an input with two of them comes back with fewer axes.

    Next: give the result the same batch axes as the input.
    """
    merged = _right("merge_heads")(x)
    return merged.reshape(-1, *merged.shape[-2:]) if merged.ndim > 2 else merged


@misconception("merge_heads")
def merge_heads_heads_on_axis_one(x: Array) -> Array:
    """Axes 1 and 2 are exchanged, which are heads and tokens only behind exactly one batch axis.

    Next: count the axes from the end, so that it holds for any number of batch axes.
    """
    *batch, n_heads, n, width = x.shape
    return x.swapaxes(1, 2).reshape(*batch, n, n_heads * width)


@misconception("merge_heads")
def merge_heads_mutates_input(x: Array) -> Array:
    """The caller's own array is changed, as adding into a part of it does.

    Next: write into a new array, and leave the argument alone.
    """
    merged = _right("merge_heads")(x).copy()
    x[..., 0, :, :] += x[..., -1, :, :]
    return merged


@misconception("merge_heads")
def merge_heads_shared_buffer(x: Array) -> Array:
    """Every call writes into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    return _shared(_right("merge_heads")(x))


# --- multi_head_attention --------------------------------------------------------------------------------------------


def _mapped(x: Array, params: Params, name: str) -> Array:
    """The right linear map with the weights and the bias of that name."""
    return x @ params[f"w_{name}"] + params[f"b_{name}"]


def _projected(x: Array, params: Params, memory: Array | None) -> tuple[Array, Array, Array]:
    """The right queries, keys and values, not yet split."""
    source = x if memory is None else memory
    return _mapped(x, params, "q"), _mapped(source, params, "k"), _mapped(source, params, "v")


def _for_heads(mask: Array | None) -> Array | None:
    """The right mask for all heads at once."""
    return None if mask is None else np.expand_dims(mask, -3)


def _of_heads(q: Array, k: Array, v: Array, n_heads: int, mask: Array | None) -> Array:
    """The right outputs of the heads; ``mask`` has its head axis already."""
    split = _right("split_heads")
    return _right("attention")(split(q, n_heads), split(k, n_heads), split(v, n_heads), mask)[0]


def _output(heads: Array, params: Params) -> Array:
    """The right end: heads side by side, through the last map."""
    return _mapped(_right("merge_heads")(heads), params, "o")


def _with_weights(
    x: Array, params: Params, n_heads: int, memory: Array | None, weigh: Callable[[Array], Array]
) -> Array:
    """Right but for the weights, which ``weigh`` makes from the scaled scores ``(..., n_heads, n_x, n_memory)``."""
    q, k, v = (_right("split_heads")(one, n_heads) for one in _projected(x, params, memory))
    return _output(weigh(_right("scaled_scores")(q, k)) @ v, params)


def _hidden(scores: Array, mask: Array | None) -> Array:
    """The scores with the right ones at minus infinity."""
    return scores if mask is None else np.where(np.expand_dims(mask, -3), scores, -np.inf)


@misconception("multi_head_attention")
def multi_head_attention_scale_by_model_width(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The scores are divided by the root of d, but a head's dot products have only d / n_heads terms.

    Next: count the features of one head, after the split.
    """
    q, k, v = _projected(x, params, memory)
    return _output(_of_heads(q / np.sqrt(n_heads), k, v, n_heads, _for_heads(mask)), params)


@misconception("multi_head_attention")
def multi_head_attention_no_scale(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The scores of the heads are not divided by the root of their number of features.

    Next: each head is scaled dot-product attention; use your attention function.
    """
    q, k, v = _projected(x, params, memory)
    return _output(_of_heads(q * np.sqrt(x.shape[-1] / n_heads), k, v, n_heads, _for_heads(mask)), params)


@misconception("multi_head_attention")
def multi_head_attention_scaled_twice(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The queries are scaled, and attention scales the scores once more.

    Next: attention divides by the root already; hand it the queries as they are.
    """
    q, k, v = _projected(x, params, memory)
    return _output(_of_heads(q / np.sqrt(x.shape[-1] / n_heads), k, v, n_heads, _for_heads(mask)), params)


@misconception("multi_head_attention")
def multi_head_attention_forgets_biases(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The four maps multiply by their weights but never add their biases.

    Next: a linear map in this course is x @ w + b.
    """
    without = _without(params, "b_q", "b_k", "b_v", "b_o")
    return _right("multi_head_attention")(x, without, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_forgets_bias_of_queries(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The queries are made without their bias.

    Next: compare the lines for queries and values: a linear map in this course is x @ w + b.
    """
    return _right("multi_head_attention")(x, _without(params, "b_q"), n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_forgets_bias_of_values(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The values are made without their bias.

    Next: compare the lines for queries and values: a linear map in this course is x @ w + b.
    """
    return _right("multi_head_attention")(x, _without(params, "b_v"), n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_forgets_bias_of_output(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The last map multiplies by w_o but does not add b_o.

    Next: look at the last line: a linear map in this course is x @ w + b.
    """
    return _right("multi_head_attention")(x, _without(params, "b_o"), n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_only_output_has_a_bias(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Queries, keys and values are made without their biases; only the last map adds one.

    Next: all four maps have a bias: x @ w + b.
    """
    without = _without(params, "b_q", "b_k", "b_v")
    return _right("multi_head_attention")(x, without, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_biases_of_keys_and_values_swapped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The values are made with the bias of the keys, and the keys with that of the values.

    Next: check that weights and bias of each map have the same letter.
    """
    swapped = params | {"b_k": params["b_v"], "b_v": params["b_k"]}
    return _right("multi_head_attention")(x, swapped, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_queries_and_keys_swapped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The queries are made with the parameters of the keys, and the keys with those of the queries.

    Next: check the letters: w_q and b_q make the queries.
    """
    swapped = params | {f"{kind}_{a}": params[f"{kind}_{b}"] for kind in "wb" for a, b in ("qk", "kq")}
    return _right("multi_head_attention")(x, swapped, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_keys_and_values_swapped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Keys and values are exchanged, so the queries are compared with the values and the keys are averaged.

    Next: attention takes queries, keys, values, in this order.
    """
    q, k, v = _projected(x, params, memory)
    return _output(_of_heads(q, v, k, n_heads, _for_heads(mask)), params)


@misconception("multi_head_attention")
def multi_head_attention_keys_as_values(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The keys are averaged; the values are never used.

    Next: keys say how much each token counts, values say what it gives.
    """
    q, k, _ = _projected(x, params, memory)
    return _output(_of_heads(q, k, k, n_heads, _for_heads(mask)), params)


@misconception("multi_head_attention")
def multi_head_attention_no_projections(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The tokens themselves are split into heads; w_q, w_k and w_v are never used.

    Next: make queries, keys and values first, each with a map of its own.
    """
    source = x if memory is None else memory
    return _output(_of_heads(x, source, source, n_heads, _for_heads(mask)), params)


@misconception("multi_head_attention")
def multi_head_attention_forgot_output_projection(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The merged heads are returned as they are; w_o and b_o are never used.

    Next: one more linear map mixes what the heads bring home.
    """
    return _right("merge_heads")(_of_heads(*_projected(x, params, memory), n_heads, _for_heads(mask)))


@misconception("multi_head_attention")
def multi_head_attention_output_weights_transposed(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The last map uses w_o with rows and columns exchanged.

    Next: a linear map in this course is x @ w + b, with w as it is.
    """
    return _right("multi_head_attention")(x, params | {"w_o": params["w_o"].T}, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_weights_transposed(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """All four maps use their weights with rows and columns exchanged, as some libraries store them.

    Next: a linear map in this course is x @ w + b, with w as it is.
    """
    transposed = params | {f"w_{name}": params[f"w_{name}"].T for name in "qkvo"}
    return _right("multi_head_attention")(x, transposed, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_heads_reshape_without_transpose(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Tokens are reshaped into heads and back without moving an axis, so a head gets whole tokens instead of features.

    Next: use split_heads and merge_heads, or move the axis of the heads behind the tokens' before reshaping.
    """
    q, k, v = (
        one.reshape(*one.shape[:-2], n_heads, one.shape[-2], _width(x, n_heads))
        for one in _projected(x, params, memory)
    )
    heads, _ = _right("attention")(q, k, v, _for_heads(mask))
    return _mapped(heads.reshape(x.shape), params, "o")


@misconception("multi_head_attention")
def multi_head_attention_heads_interleaved(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Features are dealt out to the heads in turn and collected in the same way, so each head has the wrong ones.

    Next: the first head takes the first d / n_heads features; use split_heads and merge_heads.
    """
    width = _width(x, n_heads)
    q, k, v = (
        np.moveaxis(one.reshape(*one.shape[:-1], width, n_heads), -1, -3) for one in _projected(x, params, memory)
    )
    heads, _ = _right("attention")(q, k, v, _for_heads(mask))
    return _mapped(np.moveaxis(heads, -3, -1).reshape(x.shape), params, "o")


@misconception("multi_head_attention")
def multi_head_attention_merge_without_transpose(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The heads are reshaped into one array while they are still in front of the tokens, which mixes the tokens.

    Next: use merge_heads at the end, or move the axis of the heads beside the features before reshaping.
    """
    heads = _of_heads(*_projected(x, params, memory), n_heads, _for_heads(mask))
    return _mapped(heads.reshape(x.shape), params, "o")


@misconception("multi_head_attention")
def multi_head_attention_heads_reversed(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The heads are put side by side in the wrong order, the last one first.

    Next: keep the order of the heads, since each has its own rows of w_o.
    """
    heads = _of_heads(*_projected(x, params, memory), n_heads, _for_heads(mask))
    return _output(heads[..., ::-1, :, :], params)


@misconception("multi_head_attention")
def multi_head_attention_one_head_only(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """All features attend together as one head; n_heads is never used.

    Next: split queries, keys and values into n_heads heads, let each attend, and merge.
    """
    return _right("multi_head_attention")(x, params, 1, mask, memory)


def _contributions(
    x: Array, params: Params, n_heads: int, mask: Array | None, memory: Array | None
) -> tuple[list[Array], list[Array]]:
    """Each head's right output ``(..., n_x, d / n_heads)`` and its rows of w_o."""
    heads = _of_heads(*_projected(x, params, memory), n_heads, _for_heads(mask))
    rows = np.split(params["w_o"], n_heads, axis=0)
    return [heads[..., head, :, :] for head in range(n_heads)], rows


@misconception("multi_head_attention")
def multi_head_attention_last_head_only(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Each head overwrites the contribution of the one before, so only the last head reaches the output.

    Next: the contributions of all heads add up.
    """
    heads, rows = _contributions(x, params, n_heads, mask, memory)
    return heads[-1] @ rows[-1] + params["b_o"]


@misconception("multi_head_attention")
def multi_head_attention_first_head_only(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The function returns inside its loop, so only the first head reaches the output.

    Next: go through all heads before you return.
    """
    heads, rows = _contributions(x, params, n_heads, mask, memory)
    return heads[0] @ rows[0] + params["b_o"]


@misconception("multi_head_attention")
def multi_head_attention_heads_averaged(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The contributions of the heads are averaged, so the output is too small by the number of heads.

    Next: heads side by side times w_o is the sum of each head times its own rows of w_o.
    """
    heads, rows = _contributions(x, params, n_heads, mask, memory)
    return np.mean([head @ row for head, row in zip(heads, rows, strict=True)], axis=0) + params["b_o"]


@misconception("multi_head_attention")
def multi_head_attention_output_bias_for_every_head(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The bias b_o is added once for every head instead of once.

    Next: add it after all heads have been put together.
    """
    often = params | {"b_o": n_heads * params["b_o"]}
    return _right("multi_head_attention")(x, often, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_every_head_through_the_first_rows(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Each head goes through w_o before the heads are merged, and all of them through the rows of the first head.

    Next: merge first and map afterwards, or give each head its own rows of w_o.
    """
    heads, rows = _contributions(x, params, n_heads, mask, memory)
    return np.sum(heads, axis=0) @ rows[0] + params["b_o"]


@misconception("multi_head_attention")
def multi_head_attention_every_head_is_the_first(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Every head works on the features of the first one, so all heads bring home the same.

    Next: head h has the features from h · d / n_heads onwards.
    """
    heads, _ = _contributions(x, params, n_heads, mask, memory)
    return _mapped(np.concatenate([heads[0]] * n_heads, axis=-1), params, "o")


@misconception("multi_head_attention")
def multi_head_attention_merged_before_the_values(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The weights of the heads are averaged, and all features of the values are mixed with the same weights.

    Next: each head mixes its own features of the values, with its own weights.
    """
    q, k, v = _projected(x, params, memory)
    split = _right("split_heads")
    _, weights = _right("attention")(split(q, n_heads), split(k, n_heads), split(v, n_heads), _for_heads(mask))
    return _mapped(weights.mean(axis=-3) @ v, params, "o")


@misconception("multi_head_attention", family="mask-without-head-axis")
def multi_head_attention_mask_without_head_axis(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask has no axis of length 1 where the scores have their heads, so its batch axis lines up with them.

    Next: give the mask an axis of length 1 just where the scores have their heads.
    """
    return _output(_of_heads(*_projected(x, params, memory), n_heads, mask), params)


@misconception("multi_head_attention", family="mask-without-head-axis")
def multi_head_attention_head_axis_in_front_of_the_batch(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask's axis for the heads is put in front of its batch axis, so the batch lines up with the heads.

    Next: the axis of length 1 belongs just before the last two, where the scores have their heads.
    """
    return _output(_of_heads(*_projected(x, params, memory), n_heads, None if mask is None else mask[None]), params)


@misconception("multi_head_attention")
def multi_head_attention_mask_needs_a_batch_axis(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask gets its axis for the heads after its first axis, which is right with exactly one batch axis only.

    Next: count the place of the new axis from the end; a mask may have two axes or more.
    """
    return _output(_of_heads(*_projected(x, params, memory), n_heads, None if mask is None else mask[:, None]), params)


@misconception("multi_head_attention")
def multi_head_attention_mask_only_2d(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Rows and columns are read off the mask as if it had no other axis, so a mask with a batch axis fails.

    Next: a mask may have batch axes of its own; let them broadcast.
    """
    if mask is not None:
        rows, columns = mask.shape
        mask = mask.reshape(1, rows, columns)
    return _output(_of_heads(*_projected(x, params, memory), n_heads, mask), params)


@misconception("multi_head_attention")
def multi_head_attention_one_mask_for_the_batch(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask of the first sequence is used for the whole batch.

    Next: let the mask keep its batch axes; they broadcast by themselves.
    """
    first = None if mask is None else mask.reshape(-1, *mask.shape[-2:])[0]
    return _right("multi_head_attention")(x, params, n_heads, first, memory)


@misconception("multi_head_attention")
def multi_head_attention_mask_dropped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask is never handed on, so hidden tokens take part like all others.

    Next: give it to attention, with an axis for the heads.
    """
    return _right("multi_head_attention")(x, params, n_heads, None, memory)


@misconception("multi_head_attention")
def multi_head_attention_mask_only_without_memory(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask is used as long as there is no memory, and dropped when there is one.

    Next: a mask may hide tokens of the memory too.
    """
    return _right("multi_head_attention")(x, params, n_heads, mask if memory is None else None, memory)


@misconception("multi_head_attention")
def multi_head_attention_mask_inverted(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask is read the wrong way round, so the visible tokens are hidden and the hidden ones seen.

    Next: in this course True means "may attend".
    """
    return _right("multi_head_attention")(x, params, n_heads, None if mask is None else ~mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_mask_for_the_first_head_only(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask is applied to the first head only; the others see everything.

    Next: all heads share the mask.
    """
    if mask is not None:
        mask = np.expand_dims(mask, -3) | (np.arange(n_heads) > 0)[:, None, None]
    return _output(_of_heads(*_projected(x, params, memory), n_heads, mask), params)


@misconception("multi_head_attention")
def multi_head_attention_mask_transposed(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Rows and columns of the mask are swapped, so it hides queries from keys.

    Next: rows of the mask are queries and columns are keys, as in the scores.
    """
    turned = None if mask is None else np.swapaxes(mask, -1, -2)
    return _right("multi_head_attention")(x, params, n_heads, turned, memory)


@misconception("multi_head_attention")
def multi_head_attention_mask_multiplied_into_scores(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Hidden scores become 0, and a score of 0 still gets weight.

    Next: hand the mask to attention, which hides keys before the softmax.
    """

    def weigh(scores: Array) -> Array:
        return _right("softmax")(scores if mask is None else scores * np.expand_dims(mask, -3))

    return _with_weights(x, params, n_heads, memory, weigh)


@misconception("multi_head_attention")
def multi_head_attention_mask_after_softmax(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The mask is applied to the finished weights, so those that are left no longer sum to 1.

    Next: hide keys before the softmax, so that the visible ones share the whole.
    """

    def weigh(scores: Array) -> Array:
        return _right("softmax")(scores) * (1.0 if mask is None else np.expand_dims(mask, -3))

    return _with_weights(x, params, n_heads, memory, weigh)


@misconception("multi_head_attention")
def multi_head_attention_renormalised_after_softmax(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Hidden tokens take part in the softmax and go afterwards, so a large hidden score leaves nothing for the rest.

    Next: hand the mask to attention, which hides keys before the softmax.
    """

    def weigh(scores: Array) -> Array:
        weights = _right("softmax")(scores) * (1.0 if mask is None else np.expand_dims(mask, -3))
        total = weights.sum(axis=-1, keepdims=True)
        return weights / np.where(total > 0, total, 1.0)

    return _with_weights(x, params, n_heads, memory, weigh)


@misconception("multi_head_attention")
def multi_head_attention_large_scores_outweigh_the_mask(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Only 100 is subtracted from hidden scores, which is not enough when a hidden score is larger than that.

    Next: hand the mask to attention, which replaces a hidden score instead of lowering it.
    """

    def weigh(scores: Array) -> Array:
        if mask is None:
            return _right("softmax")(scores)
        weights = _right("softmax")(scores - np.where(np.expand_dims(mask, -3), 0.0, 100.0))
        return np.where(_seeing(mask), weights, 0.0)

    return _with_weights(x, params, n_heads, memory, weigh)


@misconception("multi_head_attention")
def multi_head_attention_nan_on_empty_row(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """A query that may attend to nothing gets NaN, because its exponentials are divided by a sum of 0.

    Next: such a query brings home 0 from every head; your attention function takes care of it.
    """

    def weigh(scores: Array) -> Array:
        weights = _right("softmax")(_hidden(scores, mask))
        return weights if mask is None else np.where(_seeing(mask), weights, np.nan)

    return _with_weights(x, params, n_heads, memory, weigh)


@misconception("multi_head_attention")
def multi_head_attention_uniform_on_empty_row(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """A query that may attend to nothing spreads its weight evenly over all keys.

    Next: such a query brings home 0 from every head; your attention function takes care of it.
    """

    def weigh(scores: Array) -> Array:
        return _right("softmax")(np.maximum(_hidden(scores, mask), -1e30))

    return _with_weights(x, params, n_heads, memory, weigh)


def _unless_empty(mask: Array | None) -> Array | None:
    """The mask, or None in the place of one that hides everything."""
    return mask if mask is not None and mask.any() else None


def _seeing(mask: Array) -> Array:
    """Whether a query sees anything, in the shape of the mask of the heads."""
    return np.expand_dims(mask.any(axis=-1, keepdims=True), -3)


@misconception("multi_head_attention")
def multi_head_attention_zero_output_on_empty_row(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """A query that may attend to nothing gets 0 at the very end, although the last map still adds its bias.

    Next: 0 is what the heads bring home; the last map goes over it as over everything else.
    """
    output = _right("multi_head_attention")(x, params, n_heads, mask, memory)
    return output if mask is None else np.where(mask.any(axis=-1, keepdims=True), output, 0.0)


@misconception("multi_head_attention")
def multi_head_attention_mask_of_nothing_ignored(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """A mask that hides everything counts as no mask.

    Next: ask whether the mask is None, not whether anything in it is True.
    """
    return _right("multi_head_attention")(x, params, n_heads, _unless_empty(mask), memory)


@misconception("multi_head_attention")
def multi_head_attention_always_causal(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Later tokens are hidden even when no mask asks for it.

    Next: hide what the mask hides and nothing else; the caller decides whether that is the future.
    """
    causal = np.tri(x.shape[-2], (x if memory is None else memory).shape[-2], dtype=bool)
    both = causal if mask is None else mask & causal
    return _right("multi_head_attention")(x, params, n_heads, both, memory)


@misconception("multi_head_attention")
def multi_head_attention_memory_ignored(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Keys and values always come from x; the memory is never used.

    Next: when there is a memory, it is what the queries look at.
    """
    return _right("multi_head_attention")(x, params, n_heads, mask)


@misconception("multi_head_attention")
def multi_head_attention_cross_attention_keys_from_x(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """With a memory, the values come from it but the keys still come from x.

    Next: a key and its value belong to the same token, so both come from the memory.
    """
    q, k, _ = _projected(x, params, None)
    _, _, v = _projected(x, params, memory)
    return _output(_of_heads(q, k, v, n_heads, _for_heads(mask)), params)


@misconception("multi_head_attention")
def multi_head_attention_cross_attention_values_from_x(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """With a memory, the keys come from it but the values still come from x.

    Next: a key and its value belong to the same token, so both come from the memory.
    """
    q, _, v = _projected(x, params, None)
    _, k, _ = _projected(x, params, memory)
    return _output(_of_heads(q, k, v, n_heads, _for_heads(mask)), params)


@misconception("multi_head_attention")
def multi_head_attention_queries_from_memory(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """With a memory, the queries come from it as well, so x is never used.

    Next: queries come from x: it is x that asks and the memory that answers.
    """
    return _right("multi_head_attention")(x if memory is None else memory, params, n_heads, mask)


@misconception("multi_head_attention")
def multi_head_attention_memory_asks(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """With a memory, its tokens ask and those of x answer: the two are the wrong way round.

    Next: queries come from x, keys and values from the memory.
    """
    if memory is None:
        return _right("multi_head_attention")(x, params, n_heads, mask)
    return _right("multi_head_attention")(memory, params, n_heads, mask, x)


@misconception("multi_head_attention")
def multi_head_attention_memory_beside_x(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """With a memory, the tokens of x are put in front of it, so that the queries look at both.

    Next: when there is a memory, keys and values come from it alone.
    """
    both = None if memory is None else np.concatenate([x, memory], axis=-2)
    return _right("multi_head_attention")(x, params, n_heads, mask, both)


@misconception("multi_head_attention")
def multi_head_attention_softmax_over_queries(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The softmax runs over the queries, so the weights of one query do not sum to 1.

    Next: each query shares its weight out over the keys, which are on the last axis.
    """
    return _with_weights(x, params, n_heads, memory, lambda s: _right("softmax")(_hidden(s, mask), axis=-2))


@misconception("multi_head_attention")
def multi_head_attention_softmax_over_heads(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The softmax runs over the heads, so the heads share a weight of 1 instead of the keys.

    Next: each query shares its weight out over the keys, which are on the last axis.
    """
    return _with_weights(x, params, n_heads, memory, lambda s: _right("softmax")(_hidden(s, mask), axis=-3))


@misconception("multi_head_attention")
def multi_head_attention_residual_added(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The input is added to the output.

    Next: the residual belongs to the block, which adds it by itself.
    """
    return x + _right("multi_head_attention")(x, params, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_returns_weights_too(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> tuple[Array, Array]:
    """The weights of the heads are returned beside the output.

    Next: return the output alone.
    """
    q, k, v = (_right("split_heads")(one, n_heads) for one in _projected(x, params, memory))
    heads, weights = _right("attention")(q, k, v, _for_heads(mask))
    return _output(heads, params), weights


@misconception("multi_head_attention")
def multi_head_attention_mask_is_required(
    x: Array, params: Params, n_heads: int, mask: Array | None, memory: Array | None = None
) -> Array:
    """The function cannot be called without a mask.

    Next: give the parameter its default, and let the default mean that nothing is hidden.
    """
    return _right("multi_head_attention")(x, params, n_heads, mask, memory)


@misconception("multi_head_attention")
def multi_head_attention_only_2d(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The code takes x for one matrix, so it fails when there are batch axes in front.

    Next: let every operation act on the last axes, whatever comes before them.
    """
    n, d = x.shape
    return _right("multi_head_attention")(x, params, n_heads, mask, memory).reshape(n, d)


@misconception("multi_head_attention")
def multi_head_attention_needs_one_batch_axis(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The code expects exactly one batch axis, so it fails without one and with two.

    Next: let every operation act on the last axes, whatever comes before them.
    """
    batch, n, d = x.shape
    return _right("multi_head_attention")(x, params, n_heads, mask, memory).reshape(batch, n, d)


@misconception("multi_head_attention")
def multi_head_attention_mutates_params(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The caller's own dict of parameters is changed, as by ``pop`` or by keeping something in it.

    Next: read a parameter with square brackets, and keep what you compute in a variable.
    """
    output = _right("multi_head_attention")(x, dict(params), n_heads, mask, memory)
    params.pop("w_o")
    return output


@misconception("multi_head_attention")
def multi_head_attention_mutates_mask(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """The caller's own mask is changed, as turning it round in place does.

    Next: let the negation make a new array, and leave the argument alone.
    """
    output = _right("multi_head_attention")(x, params, n_heads, mask, memory)
    if mask is not None:
        np.logical_not(mask, out=mask)
    return output


@misconception("multi_head_attention")
def multi_head_attention_shared_buffer(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Array:
    """Every call writes into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    return _shared(_right("multi_head_attention")(x, params, n_heads, mask, memory))


# --- layer_norm ------------------------------------------------------------------------------------------------------


def _moments(x: Array, axis: int | tuple[int, ...] = -1) -> tuple[Array, Array]:
    """The centred tokens and their variance, right for the last axis."""
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred, (centred**2).mean(axis=axis, keepdims=True)


@misconception("layer_norm")
def layer_norm_ddof_1(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The variance is divided by d - 1, as statisticians do for a sample.

    Next: here the variance is the plain mean of the squared distances, over d.
    """
    centred, variance = _moments(x)
    d = x.shape[-1]
    return centred / np.sqrt(variance * d / max(d - 1, 1) + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_eps_outside_root(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The small number eps is added to the root instead of to the variance.

    Next: add it first, and take the root of the sum.
    """
    centred, variance = _moments(x)
    return centred / (np.sqrt(variance) + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_eps_squared(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The square of eps is added to the variance, which is far smaller than eps itself.

    Next: add eps as it is.
    """
    centred, variance = _moments(x)
    return centred / np.sqrt(variance + eps**2) * gain + bias


@misconception("layer_norm")
def layer_norm_forgot_eps(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The small number eps is never used, so a token whose features are all the same becomes NaN.

    Next: add it to the variance, so that the root is never 0.
    """
    centred, variance = _moments(x)
    return centred / np.sqrt(variance) * gain + bias


@misconception("layer_norm")
def layer_norm_eps_hard_coded(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The number 1e-5 is written into the formula, so another eps makes no difference.

    Next: use the parameter.
    """
    return _right("layer_norm")(x, gain, bias)


@misconception("layer_norm")
def layer_norm_one_millionth_by_default(x: Array, gain: Array, bias: Array, eps: float = 1e-6) -> Array:
    """Without an eps given, 1e-6 is used instead of 1e-5.

    Next: look at the default in the signature.
    """
    return _right("layer_norm")(x, gain, bias, eps)


@misconception("layer_norm")
def layer_norm_tiny_eps_by_default(x: Array, gain: Array, bias: Array, eps: float = 1e-12) -> Array:
    """Without an eps given, 1e-12 is used instead of 1e-5.

    Next: look at the default in the signature.
    """
    return _right("layer_norm")(x, gain, bias, eps)


@misconception("layer_norm")
def layer_norm_eps_only_for_constant_tokens(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Only where the variance is 0 is eps used; everywhere else it is left out.

    Next: add eps to every variance; the formula has no cases.
    """
    centred, variance = _moments(x)
    return centred / np.sqrt(np.where(variance == 0, eps, variance)) * gain + bias


@misconception("layer_norm")
def layer_norm_clamps_the_variance(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """A variance below eps is raised to eps, and eps is not added to the others.

    Next: add eps to every variance instead of taking the larger of the two.
    """
    centred, variance = _moments(x)
    return centred / np.sqrt(np.maximum(variance, eps)) * gain + bias


@misconception("layer_norm")
def layer_norm_clamps_the_root(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """A root below eps is raised to eps, and eps is not added inside it.

    Next: add eps to the variance, before the root.
    """
    centred, variance = _moments(x)
    return centred / np.maximum(np.sqrt(variance), eps) * gain + bias


@misconception("layer_norm")
def layer_norm_divides_by_variance(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The tokens are divided by the variance, without the root, so they do not end with variance 1.

    Next: a variance is a square; take its root before you divide.
    """
    centred, variance = _moments(x)
    return centred / (variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_mean_distance_instead_of_root(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The tokens are divided by the mean distance from their mean, not by the root of the mean square.

    Next: square the distances, average, add eps, take the root.
    """
    centred, _ = _moments(x)
    return centred / (np.abs(centred).mean(axis=-1, keepdims=True) + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_divides_by_length_of_vector(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The squares are added up but not divided by their number, so the divisor grows with the number of features.

    Next: a variance is a mean.
    """
    centred, variance = _moments(x)
    return centred / np.sqrt(variance * x.shape[-1] + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_not_divided(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The mean is taken away, but nothing is divided by the root of the variance.

    Next: the norm has two steps: mean 0, then variance 1.
    """
    return _moments(x)[0] * gain + bias


@misconception("layer_norm")
def layer_norm_not_centred(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The tokens are divided by the root of their variance, but their mean is never taken away.

    Next: subtract the mean first; it belongs in the numerator as well.
    """
    _, variance = _moments(x)
    return x / np.sqrt(variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_variance_around_zero(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The mean is taken away above the line, but the variance below it is the mean square of the raw features.

    Next: a variance is the mean square of the distances from the mean.
    """
    centred, _ = _moments(x)
    return centred / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_root_mean_square(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The tokens are divided by their root mean square and never centred, which is another norm (RMSNorm).

    Next: subtract the mean, and use the variance around it.
    """
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_median_instead_of_mean(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The median is taken away instead of the mean.

    Next: use the mean, so that the features of a token add up to 0.
    """
    _, variance = _moments(x)
    return (x - np.median(x, axis=-1, keepdims=True)) / np.sqrt(variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_naive_variance(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The variance is the mean square minus the squared mean, whose digits cancel when the features are large.

    Next: subtract the mean first and square afterwards.
    """
    mean = x.mean(axis=-1, keepdims=True)
    variance = (x**2).mean(axis=-1, keepdims=True) - mean**2
    return (x - mean) / np.sqrt(variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_norm_over_tokens(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Mean and variance are taken over the tokens, so tokens are mixed and features stay apart.

    Next: each token is normed by itself, over its features, which are on the last axis.
    """
    centred, variance = _moments(x, -2)
    return centred / np.sqrt(variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_norm_over_tokens_and_features(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Mean and variance are taken over all tokens of a sequence together.

    Next: each token is normed by itself, over its features only.
    """
    centred, variance = _moments(x, (-2, -1))
    return centred / np.sqrt(variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_norm_over_everything(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Mean and variance are taken without an axis, over the whole array.

    Next: name the axis of the features, and keep it so that the shapes fit.
    """
    centred, variance = _moments(x, tuple(range(x.ndim)))
    return centred / np.sqrt(variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_norm_over_the_batch(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Mean and variance are taken over the first axis, as in a batch norm.

    Next: each token is normed by itself, over its features, which are on the last axis.
    """
    centred, variance = _moments(x, 0)
    return centred / np.sqrt(variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_norm_over_axis_one(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Mean and variance are taken over axis 1, which holds the features of a matrix but not of a batch.

    Next: count the axis from the end, where features always are.
    """
    centred, variance = _moments(x, 1)
    return centred / np.sqrt(variance + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_forgot_gain_and_bias(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The normed tokens are returned as they are; gain and bias are never used.

    Next: multiply by the gain and add the bias, feature by feature.
    """
    return _right("layer_norm")(x, np.ones_like(gain), np.zeros_like(bias), eps)


@misconception("layer_norm")
def layer_norm_forgot_gain(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The bias is added, but nothing is multiplied by the gain.

    Next: scale first, then shift.
    """
    return _right("layer_norm")(x, np.ones_like(gain), bias, eps)


@misconception("layer_norm")
def layer_norm_forgot_bias(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The tokens are multiplied by the gain, but the bias is never added.

    Next: scale first, then shift.
    """
    return _right("layer_norm")(x, gain, np.zeros_like(bias), eps)


@misconception("layer_norm")
def layer_norm_gain_and_bias_swapped(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The tokens are multiplied by the bias, and the gain is added.

    Next: the gain scales, the bias shifts.
    """
    return _right("layer_norm")(x, bias, gain, eps)


@misconception("layer_norm")
def layer_norm_gain_after_bias(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The bias is added first, so the gain multiplies the bias as well.

    Next: scale first, then shift.
    """
    return _right("layer_norm")(x, gain, gain * bias, eps)


@misconception("layer_norm")
def layer_norm_one_plus_gain(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The tokens are multiplied by 1 + gain, as some models store it.

    Next: multiply by the gain as it is.
    """
    return _right("layer_norm")(x, 1 + gain, bias, eps)


@misconception("layer_norm")
def layer_norm_gain_divides(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The gain goes into the divisor, so a large gain makes the features small.

    Next: multiply by the gain.
    """
    return _right("layer_norm")(x, 1 / gain, bias, eps)


@misconception("layer_norm")
def layer_norm_scales_before_the_norm(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Gain and bias are applied to the tokens before the norm, which takes most of their effect away again.

    Next: norm first, then scale and shift.
    """
    return _right("layer_norm")(x * gain + bias, np.ones_like(gain), np.zeros_like(bias), eps)


@misconception("layer_norm")
def layer_norm_missing_keepdims(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Mean and variance lose their axis, so they line up with the wrong axis of the tokens or fail.

    Next: keep the axis with length 1, so that each mean stays beside its own token.
    """
    return (x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + eps) * gain + bias


@misconception("layer_norm")
def layer_norm_only_2d(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The code takes the input for one matrix, so it fails when there are batch axes in front.

    Next: let every operation act on the last axis, whatever comes before it.
    """
    n, d = x.shape
    return _right("layer_norm")(x, gain, bias, eps).reshape(n, d)


@misconception("layer_norm")
def layer_norm_single_precision(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The answer is given in single precision, so half of the digits are gone.

    Next: leave the numbers in the precision in which they came.
    """
    return _right("layer_norm")(x, gain, bias, eps).astype(np.float32)


@misconception("layer_norm")
def layer_norm_mutates_input(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """The caller's own array is changed, as subtracting the mean in place does.

    Next: let every step make a new array, and leave the argument alone.
    """
    normed = _right("layer_norm")(x, gain, bias, eps)
    x -= x.mean(axis=-1, keepdims=True)
    return normed


@misconception("layer_norm")
def layer_norm_shared_buffer(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Every call writes into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    return _shared(_right("layer_norm")(x, gain, bias, eps))


# --- feed_forward ----------------------------------------------------------------------------------------------------


def _layers(x: Array, params: Params, activation: Callable[[Array], Array]) -> Array:
    """Right but for the activation between the two maps."""
    return _mapped(activation(_mapped(x, params, "1")), params, "2")


def _rectified(x: Array) -> Array:
    """The right activation."""
    return np.maximum(x, 0)


@misconception("feed_forward")
def feed_forward_missing_relu(x: Array, params: Params) -> Array:
    """There is no ReLU between the two maps, so together they are nothing but one linear map.

    Next: set the hidden features that are below 0 to 0.
    """
    return _layers(x, params, lambda hidden: hidden)


@misconception("feed_forward", family="gelu-instead-of-relu")
def feed_forward_gelu_instead_of_relu(x: Array, params: Params) -> Array:
    """The activation is GELU, which lets a little through below 0.

    Next: this course uses ReLU, as the original paper did.
    """
    return _layers(x, params, lambda h: 0.5 * h * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3))))


@misconception("feed_forward", family="gelu-instead-of-relu")
def feed_forward_quick_gelu(x: Array, params: Params) -> Array:
    """The activation is a quick form of GELU, which lets a little through below 0.

    Next: this course uses ReLU, as the original paper did.
    """
    return _layers(x, params, lambda hidden: hidden / (1 + np.exp(-1.702 * hidden)))


@misconception("feed_forward")
def feed_forward_swish_instead_of_relu(x: Array, params: Params) -> Array:
    """The activation is Swish (SiLU), which lets a little through below 0.

    Next: this course uses ReLU, as the original paper did.
    """
    return _layers(x, params, lambda hidden: hidden / (1 + np.exp(-hidden)))


@misconception("feed_forward", family="leaky-relu")
def feed_forward_leaky_relu(x: Array, params: Params) -> Array:
    """Hidden features below 0 are multiplied by 0.01 instead of set to 0.

    Next: ReLU lets nothing through below 0.
    """
    return _layers(x, params, lambda hidden: np.where(hidden > 0, hidden, 0.01 * hidden))


@misconception("feed_forward", family="leaky-relu")
def feed_forward_less_leaky_relu(x: Array, params: Params) -> Array:
    """Hidden features below 0 are multiplied by 0.1 instead of set to 0.

    Next: ReLU lets nothing through below 0.
    """
    return _layers(x, params, lambda hidden: np.where(hidden > 0, hidden, 0.1 * hidden))


@misconception("feed_forward")
def feed_forward_tanh_instead_of_relu(x: Array, params: Params) -> Array:
    """The activation is tanh, which squashes every hidden feature into the range from -1 to 1.

    Next: ReLU leaves what is above 0 as it is and sets the rest to 0.
    """
    return _layers(x, params, np.tanh)


@misconception("feed_forward")
def feed_forward_sigmoid_instead_of_relu(x: Array, params: Params) -> Array:
    """The activation is the sigmoid, which squashes every hidden feature into the range from 0 to 1.

    Next: ReLU leaves what is above 0 as it is and sets the rest to 0.
    """
    return _layers(x, params, lambda hidden: 1 / (1 + np.exp(-hidden)))


@misconception("feed_forward")
def feed_forward_softplus_instead_of_relu(x: Array, params: Params) -> Array:
    """The activation is softplus, a smooth curve above ReLU.

    Next: ReLU has a corner: what is below 0 becomes exactly 0.
    """
    return _layers(x, params, lambda hidden: np.logaddexp(0, hidden))


@misconception("feed_forward")
def feed_forward_softmax_instead_of_relu(x: Array, params: Params) -> Array:
    """The hidden features go through a softmax, so each of them depends on all the others.

    Next: ReLU looks at every hidden feature by itself.
    """
    return _layers(x, params, _right("softmax"))


@misconception("feed_forward")
def feed_forward_absolute_value(x: Array, params: Params) -> Array:
    """The sign of the hidden features is dropped, so those below 0 come through as large as before.

    Next: ReLU lets nothing through below 0.
    """
    return _layers(x, params, np.abs)


@misconception("feed_forward")
def feed_forward_keeps_the_negative_part(x: Array, params: Params) -> Array:
    """Hidden features above 0 are set to 0 and those below are kept: the wrong half.

    Next: ReLU keeps what is above 0.
    """
    return _layers(x, params, lambda hidden: np.minimum(hidden, 0))


@misconception("feed_forward")
def feed_forward_step_instead_of_relu(x: Array, params: Params) -> Array:
    """Hidden features become 1 or 0, so how large they are is lost.

    Next: ReLU leaves what is above 0 as it is.
    """
    return _layers(x, params, lambda hidden: (hidden > 0).astype(float))


@misconception("feed_forward")
def feed_forward_capped_relu(x: Array, params: Params) -> Array:
    """Hidden features above 6 are cut off there (ReLU6).

    Next: ReLU has no upper limit.
    """
    return _layers(x, params, lambda hidden: np.clip(hidden, 0, 6))


@misconception("feed_forward")
def feed_forward_relu_after_second_map(x: Array, params: Params) -> Array:
    """The ReLU comes after the second map, so the output is never below 0 and the hidden layer is linear.

    Next: the ReLU stands between the two maps.
    """
    return _rectified(_layers(x, params, lambda hidden: hidden))


@misconception("feed_forward")
def feed_forward_relu_after_both_maps(x: Array, params: Params) -> Array:
    """There is a ReLU after the second map as well, so the output is never below 0.

    Next: the last map has no activation.
    """
    return _rectified(_layers(x, params, _rectified))


@misconception("feed_forward")
def feed_forward_relu_before_first_map(x: Array, params: Params) -> Array:
    """The ReLU is applied to the tokens before the first map.

    Next: the ReLU stands between the two maps.
    """
    return _layers(_rectified(x), params, lambda hidden: hidden)


@misconception("feed_forward")
def feed_forward_bias_after_relu(x: Array, params: Params) -> Array:
    """The first bias is added after the ReLU, so it cannot decide which hidden features are silent.

    Next: the bias belongs to the first map: x @ w_1 + b_1, then ReLU.
    """
    return _mapped(_rectified(x @ params["w_1"]) + params["b_1"], params, "2")


@misconception("feed_forward")
def feed_forward_forgets_biases(x: Array, params: Params) -> Array:
    """Neither map adds its bias.

    Next: a linear map in this course is x @ w + b.
    """
    return _right("feed_forward")(x, _without(params, "b_1", "b_2"))


@misconception("feed_forward")
def feed_forward_forgets_first_bias(x: Array, params: Params) -> Array:
    """The first map does not add its bias.

    Next: a linear map in this course is x @ w + b, both times.
    """
    return _right("feed_forward")(x, _without(params, "b_1"))


@misconception("feed_forward")
def feed_forward_forgets_second_bias(x: Array, params: Params) -> Array:
    """The second map does not add its bias.

    Next: a linear map in this course is x @ w + b, both times.
    """
    return _right("feed_forward")(x, _without(params, "b_2"))


@misconception("feed_forward")
def feed_forward_biases_subtracted(x: Array, params: Params) -> Array:
    """The biases are subtracted.

    Next: a linear map in this course is x @ w + b.
    """
    return _right("feed_forward")(x, params | {name: -params[name] for name in ("b_1", "b_2")})


@misconception("feed_forward")
def feed_forward_residual_added(x: Array, params: Params) -> Array:
    """The input is added to the output.

    Next: the residual belongs to the block, which adds it by itself.
    """
    return x + _right("feed_forward")(x, params)


@misconception("feed_forward")
def feed_forward_first_map_only(x: Array, params: Params) -> Array:
    """The hidden features are returned; the second map is missing.

    Next: the second map leads back to as many features as a token has.
    """
    return _rectified(_mapped(x, params, "1"))


@misconception("feed_forward")
def feed_forward_maps_swapped(x: Array, params: Params) -> Array:
    """The second map is used first, so the shapes do not fit unless the hidden layer is as wide as a token.

    Next: w_1 leads from d features to d_ff, w_2 leads back.
    """
    return _mapped(_rectified(_mapped(x, params, "2")), params, "1")


@misconception("feed_forward")
def feed_forward_weights_transposed(x: Array, params: Params) -> Array:
    """The weights are transposed, as some libraries store them, so the shapes fit only if d_ff equals d.

    Next: a linear map in this course is x @ w + b, with w as it is.
    """
    return _right("feed_forward")(x, params | {name: params[name].T for name in ("w_1", "w_2")})


@misconception("feed_forward")
def feed_forward_only_2d(x: Array, params: Params) -> Array:
    """The code takes the input for one matrix, so it fails when there are batch axes in front.

    Next: a matrix product acts on the last axes, whatever comes before them.
    """
    n, d = x.shape
    return _right("feed_forward")(x, params).reshape(n, d)


@misconception("feed_forward")
def feed_forward_mutates_input(x: Array, params: Params) -> Array:
    """The caller's own array is changed, as writing the result into it does.

    Next: let the result be a new array, and leave the argument alone.
    """
    x[...] = _right("feed_forward")(x, params)
    return x.copy()


@misconception("feed_forward")
def feed_forward_mutates_params(x: Array, params: Params) -> Array:
    """The caller's own dict of parameters is changed, as by ``pop`` or by keeping something in it.

    Next: read a parameter with square brackets, and keep what you compute in a variable.
    """
    output = _right("feed_forward")(x, params)
    params["hidden"] = _rectified(_mapped(x, params, "1"))
    return output


@misconception("feed_forward")
def feed_forward_shared_buffer(x: Array, params: Params) -> Array:
    """Every call writes into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    return _shared(_right("feed_forward")(x, params))


# --- encoder_block and decoder_block ---------------------------------------------------------------------------------


def _norm(x: Array, params: Params, name: str) -> Array:
    """The right norm with the gain and the bias of that name."""
    return _right("layer_norm")(x, params[name]["gain"], params[name]["bias"])


def _block(x: Array, params: Params, sublayers: Mapping[str, Sublayer], norm_first: bool) -> Array:
    """Right for the right steps: each with its residual and the norm of that name."""
    for name, sublayer in sublayers.items():
        x = x + sublayer(_norm(x, params, name)) if norm_first else _norm(x + sublayer(x), params, name)
    return x


def _encoder_sublayers(params: Params, n_heads: int, mask: Array | None) -> dict[str, Sublayer]:
    """The right steps of an encoder block by the names of their norms."""
    return {
        "norm_1": lambda x: _right("multi_head_attention")(x, params["attention"], n_heads, mask),
        "norm_2": lambda x: _right("feed_forward")(x, params["feed_forward"]),
    }


def _decoder_sublayers(
    memory: Array, params: Params, n_heads: int, mask: Array | None, memory_mask: Array | None
) -> dict[str, Sublayer]:
    """The right steps of a decoder block by the names of their norms."""
    attend = _right("multi_head_attention")
    return {
        "norm_1": lambda x: attend(x, params["self_attention"], n_heads, mask),
        "norm_2": lambda x: attend(x, params["cross_attention"], n_heads, memory_mask, memory),
        "norm_3": lambda x: _right("feed_forward")(x, params["feed_forward"]),
    }


def _silent(x: Array) -> Array:
    """A step that adds nothing."""
    return np.zeros_like(x)


def _without_residual(sublayer: Sublayer, norm: Callable[[Array], Array], norm_first: bool) -> Sublayer:
    """One step of a block in which the input is not added to the step's output."""
    return (lambda x: sublayer(norm(x))) if norm_first else (lambda x: norm(sublayer(x)))


def _block_without_residuals(
    x: Array, params: Params, sublayers: Mapping[str, Sublayer], norm_first: bool, forgotten: tuple[str, ...]
) -> Array:
    """Right but for the residuals around the steps whose norms are named in ``forgotten``."""
    for name, sublayer in sublayers.items():
        if name in forgotten:
            x = _without_residual(sublayer, partial(_norm, params=params, name=name), norm_first)(x)
        else:
            x = _block(x, params, {name: sublayer}, norm_first)
    return x


def _renamed(params: Params, **norms: str) -> Params:
    """The parameters with other norms in the place of some."""
    return params | {name: params[other] for name, other in norms.items()}


def _residuals_from_normed(x: Array, params: Params, sublayers: Mapping[str, Sublayer]) -> Array:
    """Pre-norm in which the norm replaces the input of the residual too."""
    for name, sublayer in sublayers.items():
        normed = _norm(x, params, name)
        x = normed + sublayer(normed)
    return x


def _norms_of_sublayers(x: Array, params: Params, sublayers: Mapping[str, Sublayer], norm_first: bool) -> Array:
    """Post-norm in which only the step's output is normed, before it is added."""
    if norm_first:
        return _block(x, params, sublayers, norm_first)
    for name, sublayer in sublayers.items():
        x = x + _norm(sublayer(x), params, name)
    return x


def _without_norms(x: Array, params: Params, sublayers: Mapping[str, Sublayer], norm_first: bool, *bare: str) -> Array:
    """Right but for the norms named in ``bare``, which are left out."""
    for name, sublayer in sublayers.items():
        x = x + sublayer(x) if name in bare else _block(x, params, {name: sublayer}, norm_first)
    return x


def _residuals_from_block_input(x: Array, params: Params, sublayers: Mapping[str, Sublayer], norm_first: bool) -> Array:
    """Every residual adds the block's own input instead of what came out of the step before."""
    now = x
    for name, sublayer in sublayers.items():
        now = x + sublayer(_norm(now, params, name)) if norm_first else _norm(x + sublayer(now), params, name)
    return now


def _other_eps(x: Array, params: Params, sublayers: Mapping[str, Sublayer], norm_first: bool, eps: float) -> Array:
    """Right but for the eps of the norms."""
    for name, sublayer in sublayers.items():
        norm = partial(_right("layer_norm"), **params[name], eps=eps)
        x = x + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))
    return x


@misconception("encoder_block")
def encoder_block_pre_post_swapped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The two orders are exchanged: the norm comes last when it should come first, and first when it should come last.

    Next: pre-norm is for norm_first=True, post-norm for the default.
    """
    return _right("encoder_block")(x, params, n_heads, mask, not norm_first)


@misconception("encoder_block")
def encoder_block_norm_first_ignored(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The norm always comes after the residual, whatever norm_first says.

    Next: write the second order too: x + f(norm(x)) when norm_first is true.
    """
    return _right("encoder_block")(x, params, n_heads, mask)


@misconception("encoder_block")
def encoder_block_always_norm_first(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The norm always comes before the step, whatever norm_first says.

    Next: write the second order too: norm(x + f(x)) is the default.
    """
    return _right("encoder_block")(x, params, n_heads, mask, True)


@misconception("encoder_block")
def encoder_block_norm_first_by_default(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = True
) -> Array:
    """Without norm_first given, the norm comes before the step.

    Next: look at the default in the signature.
    """
    return _right("encoder_block")(x, params, n_heads, mask, norm_first)


@misconception("encoder_block")
def encoder_block_norm_first_in_attention_only(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """With norm_first the attention is pre-norm, but the feed-forward layer is post-norm still.

    Next: norm_first holds for both steps.
    """
    attend, feed = ({name: one} for name, one in _encoder_sublayers(params, n_heads, mask).items())
    return _block(_block(x, params, attend, norm_first), params, feed, False)


@misconception("encoder_block", family="missing-residual")
def encoder_block_missing_residual_around_attention(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The input is not added to the output of the attention.

    Next: every step has a residual: what goes in is added to what comes out.
    """
    sublayers = _encoder_sublayers(params, n_heads, mask)
    return _block_without_residuals(x, params, sublayers, norm_first, ("norm_1",))


@misconception("encoder_block", family="missing-residual")
def encoder_block_missing_residual_around_feed_forward(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The input is not added to the output of the feed-forward layer.

    Next: every step has a residual: what goes in is added to what comes out.
    """
    sublayers = _encoder_sublayers(params, n_heads, mask)
    return _block_without_residuals(x, params, sublayers, norm_first, ("norm_2",))


@misconception("encoder_block")
def encoder_block_no_residuals(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """Neither step has its residual, so the block's input is lost on the way.

    Next: every step has a residual: what goes in is added to what comes out.
    """
    sublayers = _encoder_sublayers(params, n_heads, mask)
    return _block_without_residuals(x, params, sublayers, norm_first, ("norm_1", "norm_2"))


@misconception("encoder_block")
def encoder_block_residual_from_normed_input(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """With norm_first the residual adds the normed tokens instead of the tokens themselves.

    Next: only what goes into f is normed; the residual goes past the norm: x + f(norm(x)).
    """
    sublayers = _encoder_sublayers(params, n_heads, mask)
    return _residuals_from_normed(x, params, sublayers) if norm_first else _block(x, params, sublayers, False)


@misconception("encoder_block")
def encoder_block_norms_swapped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The attention has norm_2 and the feed-forward layer norm_1.

    Next: norm_1 goes with the first step, norm_2 with the second.
    """
    swapped = _renamed(params, norm_1="norm_2", norm_2="norm_1")
    return _right("encoder_block")(x, swapped, n_heads, mask, norm_first)


@misconception("encoder_block")
def encoder_block_one_norm_for_both(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """Both steps use norm_1; norm_2 is never used.

    Next: each step has a norm of its own.
    """
    return _right("encoder_block")(x, _renamed(params, norm_2="norm_1"), n_heads, mask, norm_first)


@misconception("encoder_block")
def encoder_block_mask_dropped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The mask is never handed on to the attention, so every token sees all the others.

    Next: follow the mask from the block's parameters to the call of multi_head_attention.
    """
    return _right("encoder_block")(x, params, n_heads, None, norm_first)


@misconception("encoder_block")
def encoder_block_mask_dropped_in_one_order(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The mask is handed on in the post-norm order and forgotten in the pre-norm one.

    Next: compare the two calls of multi_head_attention.
    """
    return _right("encoder_block")(x, params, n_heads, None if norm_first else mask, norm_first)


@misconception("encoder_block")
def encoder_block_mask_inverted(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The mask is turned round before it is handed on, so the visible tokens are hidden and the hidden ones seen.

    Next: multi_head_attention reads a mask as this block does: True means "may attend".
    """
    return _right("encoder_block")(x, params, n_heads, None if mask is None else ~mask, norm_first)


@misconception("encoder_block")
def encoder_block_head_axis_added_twice(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The mask gets an axis for the heads in the block, and another one in multi_head_attention.

    Next: hand the mask on as it came; only the function that makes heads adds an axis for them.
    """
    return _right("encoder_block")(x, params, n_heads, None if mask is None else mask[..., None, :, :], norm_first)


@misconception("encoder_block")
def encoder_block_always_causal(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """Later tokens are hidden even when no mask asks for it.

    Next: hide what the mask hides and nothing else; an encoder usually sees everything.
    """
    causal = np.tri(x.shape[-2], dtype=bool)
    return _right("encoder_block")(x, params, n_heads, causal if mask is None else mask & causal, norm_first)


@misconception("encoder_block")
def encoder_block_feed_forward_before_attention(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The feed-forward layer comes first and the attention second.

    Next: tokens look at each other first and think by themselves afterwards.
    """
    attend, feed = _encoder_sublayers(params, n_heads, mask).items()
    return _block(x, params, dict([feed, attend]), norm_first)


@misconception("encoder_block")
def encoder_block_attention_skipped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The attention is left out, so no token sees another.

    Next: an encoder block has two steps; the first is attention.
    """
    sublayers = _encoder_sublayers(params, n_heads, mask)
    del sublayers["norm_1"]
    return _block(x, params, sublayers, norm_first)


@misconception("encoder_block")
def encoder_block_feed_forward_skipped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The block ends after the attention; the feed-forward layer is left out.

    Next: an encoder block has two steps, each with its residual and its norm.
    """
    sublayers = _encoder_sublayers(params, n_heads, mask)
    del sublayers["norm_2"]
    return _block(x, params, sublayers, norm_first)


@misconception("encoder_block")
def encoder_block_attention_twice(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The attention is applied a second time to its own output before the residual is added.

    Next: each step is called once.
    """
    sublayers = _encoder_sublayers(params, n_heads, mask)
    attend = sublayers["norm_1"]
    return _block(x, params, sublayers | {"norm_1": lambda x: attend(attend(x))}, norm_first)


@misconception("encoder_block")
def encoder_block_feed_forward_from_block_input(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The feed-forward layer works on the block's input instead of on what came out of the attention.

    Next: the second step goes on where the first one stopped.
    """
    sublayers, block_input = _encoder_sublayers(params, n_heads, mask), x
    after = _block(x, params, {"norm_1": sublayers["norm_1"]}, norm_first)
    if norm_first:
        return after + sublayers["norm_2"](_norm(block_input, params, "norm_2"))
    return _norm(after + sublayers["norm_2"](block_input), params, "norm_2")


@misconception("encoder_block")
def encoder_block_residual_from_block_input(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The second residual adds the block's input again instead of what came out of the attention.

    Next: a residual adds the input of its own step.
    """
    return _residuals_from_block_input(x, params, _encoder_sublayers(params, n_heads, mask), norm_first)


@misconception("encoder_block")
def encoder_block_sublayers_side_by_side(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """Both steps work on the block's input at the same time, and their outputs are added, in the pre-norm order.

    Next: the second step goes on where the first one stopped.
    """
    sublayers = _encoder_sublayers(params, n_heads, mask)
    if not norm_first:
        return _block(x, params, sublayers, norm_first)
    return x + sublayers["norm_1"](_norm(x, params, "norm_1")) + sublayers["norm_2"](_norm(x, params, "norm_2"))


@misconception("encoder_block")
def encoder_block_norm_before_residual(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """By default only the step's output is normed, and the input is added after that.

    Next: add first and norm the sum: norm(x + f(x)).
    """
    return _norms_of_sublayers(x, params, _encoder_sublayers(params, n_heads, mask), norm_first)


@misconception("encoder_block")
def encoder_block_extra_norm_at_the_end(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """With norm_first there is one more norm at the end of the block.

    Next: a pre-norm block ends with the residual; a last norm belongs behind the last block.
    """
    output = _right("encoder_block")(x, params, n_heads, mask, norm_first)
    return _norm(output, params, "norm_2") if norm_first else output


@misconception("encoder_block")
def encoder_block_norms_on_both_sides(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """With norm_first each step is normed before it and after the sum as well.

    Next: each step has one norm, in one place.
    """
    if not norm_first:
        return _right("encoder_block")(x, params, n_heads, mask)
    for name, sublayer in _encoder_sublayers(params, n_heads, mask).items():
        x = _norm(x + sublayer(_norm(x, params, name)), params, name)
    return x


@misconception("encoder_block")
def encoder_block_forgets_first_norm(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The attention has no norm; norm_1 is never used.

    Next: each step has a norm of its own.
    """
    return _without_norms(x, params, _encoder_sublayers(params, n_heads, mask), norm_first, "norm_1")


@misconception("encoder_block")
def encoder_block_forgets_second_norm(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The feed-forward layer has no norm; norm_2 is never used.

    Next: each step has a norm of its own.
    """
    return _without_norms(x, params, _encoder_sublayers(params, n_heads, mask), norm_first, "norm_2")


@misconception("encoder_block")
def encoder_block_forgets_gain_and_bias(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The norms are called without the block's gains and biases, with ones and zeros in their place.

    Next: the gain and the bias of each norm are in the parameters, under its name.
    """
    d = x.shape[-1]
    plain = params | {name: {"gain": np.ones(d), "bias": np.zeros(d)} for name in ("norm_1", "norm_2")}
    return _right("encoder_block")(x, plain, n_heads, mask, norm_first)


@misconception("encoder_block")
def encoder_block_gain_and_bias_swapped(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The norms get the bias as their gain and the gain as their bias.

    Next: hand them over by name, or look at the order in the signature of layer_norm.
    """
    swapped = params | {
        name: {"gain": params[name]["bias"], "bias": params[name]["gain"]} for name in ("norm_1", "norm_2")
    }
    return _right("encoder_block")(x, swapped, n_heads, mask, norm_first)


@misconception("encoder_block")
def encoder_block_other_eps(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The norms are called with an eps of 1e-6 instead of the default of layer_norm.

    Next: leave eps out, so that its default holds.
    """
    return _other_eps(x, params, _encoder_sublayers(params, n_heads, mask), norm_first, 1e-6)


@misconception("encoder_block")
def encoder_block_one_head_only(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The attention is called with one head; n_heads is never used.

    Next: hand the number of heads on.
    """
    return _right("encoder_block")(x, params, 1, mask, norm_first)


@misconception("encoder_block")
def encoder_block_mask_is_required(
    x: Array, params: Params, n_heads: int, mask: Array | None, norm_first: bool = False
) -> Array:
    """The function cannot be called without a mask.

    Next: give the parameter its default, and let the default mean that nothing is hidden.
    """
    return _right("encoder_block")(x, params, n_heads, mask, norm_first)


@misconception("encoder_block")
def encoder_block_mask_of_nothing_ignored(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """A mask that hides everything counts as no mask.

    Next: ask whether the mask is None, not whether anything in it is True.
    """
    return _right("encoder_block")(x, params, n_heads, _unless_empty(mask), norm_first)


@misconception("encoder_block")
def encoder_block_mutates_input(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The caller's own tokens are changed, as adding the residual with ``+=`` does.

    Next: let the sum make a new array, and leave the argument alone.
    """
    output = _right("encoder_block")(x, params, n_heads, mask, norm_first)
    sublayer = _encoder_sublayers(params, n_heads, mask)["norm_1"]
    x += sublayer(_norm(x, params, "norm_1")) if norm_first else sublayer(x)
    return output


@misconception("encoder_block")
def encoder_block_mutates_params(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """The caller's own dict of parameters is changed, as by ``pop`` or by keeping something in it.

    Next: read a parameter with square brackets, and keep what you compute in a variable.
    """
    output = _right("encoder_block")(x, dict(params), n_heads, mask, norm_first)
    params.pop("norm_1")
    return output


@misconception("encoder_block")
def encoder_block_shared_buffer(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Array:
    """Every call writes into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    return _shared(_right("encoder_block")(x, params, n_heads, mask, norm_first))


@misconception("decoder_block")
def decoder_block_pre_post_swapped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The two orders are exchanged: the norm comes last when it should come first, and first when it should come last.

    Next: pre-norm is for norm_first=True, post-norm for the default.
    """
    return _right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, not norm_first)


@misconception("decoder_block")
def decoder_block_norm_first_ignored(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The norm always comes after the residual, whatever norm_first says.

    Next: write the second order too: x + f(norm(x)) when norm_first is true.
    """
    return _right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, False)


@misconception("decoder_block")
def decoder_block_always_norm_first(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The norm always comes before the step, whatever norm_first says.

    Next: write the second order too: norm(x + f(x)) is the default.
    """
    return _right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, True)


@misconception("decoder_block")
def decoder_block_norm_first_by_default(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = True,
) -> Array:
    """Without norm_first given, the norm comes before the step.

    Next: look at the default in the signature.
    """
    return _right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block", family="missing-residual")
def decoder_block_missing_residual_around_self_attention(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The input is not added to the output of the self-attention.

    Next: every step has a residual: what goes in is added to what comes out.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block_without_residuals(x, params, sublayers, norm_first, ("norm_1",))


@misconception("decoder_block", family="missing-residual")
def decoder_block_missing_residual_around_cross_attention(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The input is not added to the output of the cross-attention.

    Next: every step has a residual: what goes in is added to what comes out.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block_without_residuals(x, params, sublayers, norm_first, ("norm_2",))


@misconception("decoder_block", family="missing-residual")
def decoder_block_missing_residual_around_feed_forward(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The input is not added to the output of the feed-forward layer.

    Next: every step has a residual: what goes in is added to what comes out.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block_without_residuals(x, params, sublayers, norm_first, ("norm_3",))


@misconception("decoder_block")
def decoder_block_no_residuals(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """No step has its residual, so the block's input is lost on the way.

    Next: every step has a residual: what goes in is added to what comes out.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block_without_residuals(x, params, sublayers, norm_first, ("norm_1", "norm_2", "norm_3"))


@misconception("decoder_block")
def decoder_block_residual_from_normed_input(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """With norm_first the residual adds the normed tokens instead of the tokens themselves.

    Next: only what goes into f is normed; the residual goes past the norm: x + f(norm(x)).
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _residuals_from_normed(x, params, sublayers) if norm_first else _block(x, params, sublayers, False)


@misconception("decoder_block")
def decoder_block_residual_from_block_input(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The second and the third residual add the block's input again instead of the input of their own step.

    Next: each step goes on where the one before stopped, and so does its residual.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _residuals_from_block_input(x, params, sublayers, norm_first)


@misconception("decoder_block")
def decoder_block_norm_before_residual(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """By default only the step's output is normed, and the input is added after that.

    Next: add first and norm the sum: norm(x + f(x)).
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _norms_of_sublayers(x, params, sublayers, norm_first)


@misconception("decoder_block")
def decoder_block_norms_1_and_2_swapped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The self-attention has norm_2 and the cross-attention norm_1.

    Next: the norms are numbered in the order of the steps.
    """
    swapped = _renamed(params, norm_1="norm_2", norm_2="norm_1")
    return _right("decoder_block")(x, memory, swapped, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_norms_2_and_3_swapped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The cross-attention has norm_3 and the feed-forward layer norm_2.

    Next: the norms are numbered in the order of the steps.
    """
    swapped = _renamed(params, norm_2="norm_3", norm_3="norm_2")
    return _right("decoder_block")(x, memory, swapped, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_norms_1_and_3_swapped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The self-attention has norm_3 and the feed-forward layer norm_1.

    Next: the norms are numbered in the order of the steps.
    """
    swapped = _renamed(params, norm_1="norm_3", norm_3="norm_1")
    return _right("decoder_block")(x, memory, swapped, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_one_norm_for_all(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """All three steps use norm_1; norm_2 and norm_3 are never used.

    Next: each step has a norm of its own.
    """
    one = _renamed(params, norm_2="norm_1", norm_3="norm_1")
    return _right("decoder_block")(x, memory, one, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_third_norm_is_the_second(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The feed-forward layer uses norm_2 again; norm_3 is never used.

    Next: a decoder block has three norms, one for each step.
    """
    one = _renamed(params, norm_3="norm_2")
    return _right("decoder_block")(x, memory, one, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_forgets_norm_1(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The self-attention has no norm; norm_1 is never used.

    Next: each step has a norm of its own.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _without_norms(x, params, sublayers, norm_first, "norm_1")


@misconception("decoder_block")
def decoder_block_forgets_norm_2(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The cross-attention has no norm; norm_2 is never used.

    Next: each step has a norm of its own.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _without_norms(x, params, sublayers, norm_first, "norm_2")


@misconception("decoder_block")
def decoder_block_forgets_norm_3(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The feed-forward layer has no norm; norm_3 is never used.

    Next: each step has a norm of its own.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _without_norms(x, params, sublayers, norm_first, "norm_3")


@misconception("decoder_block")
def decoder_block_forgets_gain_and_bias(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The norms are called without the block's gains and biases, with ones and zeros in their place.

    Next: the gain and the bias of each norm are in the parameters, under its name.
    """
    d = x.shape[-1]
    plain = params | {f"norm_{i}": {"gain": np.ones(d), "bias": np.zeros(d)} for i in (1, 2, 3)}
    return _right("decoder_block")(x, memory, plain, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_other_eps(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The norms are called with an eps of 1e-6 instead of the default of layer_norm.

    Next: leave eps out, so that its default holds.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _other_eps(x, params, sublayers, norm_first, 1e-6)


@misconception("decoder_block")
def decoder_block_extra_norm_at_the_end(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """With norm_first there is one more norm at the end of the block.

    Next: a pre-norm block ends with the residual; a last norm belongs behind the last block.
    """
    output = _right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, norm_first)
    return _norm(output, params, "norm_3") if norm_first else output


@misconception("decoder_block")
def decoder_block_memory_normed(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """With norm_first the memory goes through norm_2 as well as the queries.

    Next: the norm is for x alone; the memory has come out of the encoder and stays as it is.
    """
    seen = _norm(memory, params, "norm_2") if norm_first else memory
    return _right("decoder_block")(x, seen, params, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_masks_swapped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The self-attention gets the mask of the memory, and the cross-attention the mask of the tokens.

    Next: mask belongs to the first attention, memory_mask to the second.
    """
    return _right("decoder_block")(x, memory, params, n_heads, memory_mask, mask, norm_first)


@misconception("decoder_block")
def decoder_block_one_mask_for_both(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """Both attentions get mask; memory_mask is never used.

    Next: the cross-attention has a mask of its own, with a column for each token of the memory.
    """
    return _right("decoder_block")(x, memory, params, n_heads, mask, mask, norm_first)


@misconception("decoder_block")
def decoder_block_memory_mask_for_both(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """Both attentions get memory_mask; mask is never used.

    Next: the self-attention has a mask of its own, with a column for each of its tokens.
    """
    return _right("decoder_block")(x, memory, params, n_heads, memory_mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_mask_dropped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The mask of the self-attention is never handed on, so tokens see those that come later.

    Next: follow mask from the block's parameters to the first call of multi_head_attention.
    """
    return _right("decoder_block")(x, memory, params, n_heads, None, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_memory_mask_dropped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The mask of the memory is never handed on, so hidden tokens of the memory take part like all others.

    Next: follow memory_mask from the block's parameters to the second call of multi_head_attention.
    """
    return _right("decoder_block")(x, memory, params, n_heads, mask, None, norm_first)


@misconception("decoder_block")
def decoder_block_mask_inverted(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The mask of the self-attention is turned round before it is handed on.

    Next: multi_head_attention reads a mask as this block does: True means "may attend".
    """
    return _right("decoder_block")(x, memory, params, n_heads, None if mask is None else ~mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_memory_mask_inverted(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The mask of the memory is turned round before it is handed on.

    Next: multi_head_attention reads a mask as this block does: True means "may attend".
    """
    return _right("decoder_block")(
        x, memory, params, n_heads, mask, None if memory_mask is None else ~memory_mask, norm_first
    )


@misconception("decoder_block")
def decoder_block_always_causal(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """Later tokens are hidden even when no mask asks for it.

    Next: hide what the mask hides and nothing else; the caller hands in a causal mask where one is wanted.
    """
    causal = np.tri(x.shape[-2], dtype=bool)
    own = causal if mask is None else mask & causal
    return _right("decoder_block")(x, memory, params, n_heads, own, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_causal_over_the_memory(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """Later tokens of the memory are hidden even when no memory_mask asks for it.

    Next: a decoder sees the whole memory, unless memory_mask hides some of it.
    """
    causal = np.tri(x.shape[-2], memory.shape[-2], dtype=bool)
    across = causal if memory_mask is None else memory_mask & causal
    return _right("decoder_block")(x, memory, params, n_heads, mask, across, norm_first)


@misconception("decoder_block", family="memory-ignored")
def decoder_block_memory_ignored(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The second attention looks at the tokens themselves; memory and memory_mask are never used.

    Next: the cross-attention takes its keys and values from the memory.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    sublayers["norm_2"] = lambda x: _right("multi_head_attention")(x, params["cross_attention"], n_heads)
    return _block(x, params, sublayers, norm_first)


@misconception("decoder_block", family="memory-ignored")
def decoder_block_memory_not_handed_on(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The second attention gets memory_mask but not the memory, so it looks at the tokens themselves.

    Next: the cross-attention takes its keys and values from the memory.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    sublayers["norm_2"] = lambda x: _right("multi_head_attention")(x, params["cross_attention"], n_heads, memory_mask)
    return _block(x, params, sublayers, norm_first)


@misconception("decoder_block")
def decoder_block_memory_asks(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """In the cross-attention the memory asks and the tokens answer: the two are the wrong way round.

    Next: queries come from x, keys and values from the memory.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    sublayers["norm_2"] = lambda x: _right("multi_head_attention")(
        memory, params["cross_attention"], n_heads, memory_mask, x
    )
    return _block(x, params, sublayers, norm_first)


@misconception("decoder_block")
def decoder_block_memory_in_the_self_attention(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The first attention looks at the memory already instead of at the tokens themselves.

    Next: self-attention takes queries, keys and values from x; the memory comes second.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    sublayers["norm_1"] = lambda x: _right("multi_head_attention")(x, params["self_attention"], n_heads, mask, memory)
    return _block(x, params, sublayers, norm_first)


@misconception("decoder_block")
def decoder_block_cross_attention_from_block_input(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The cross-attention asks with the block's input instead of with what came out of the self-attention.

    Next: each step goes on where the one before stopped.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    look_up, block_input = sublayers["norm_2"], x
    asks = _norm(x, params, "norm_2") if norm_first else block_input
    return _block(x, params, sublayers | {"norm_2": lambda _: look_up(asks)}, norm_first)


@misconception("decoder_block")
def decoder_block_self_attention_weights_reused(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The cross-attention uses the parameters of the self-attention; its own are never used.

    Next: the two attentions have parameters of their own.
    """
    reused = params | {"cross_attention": params["self_attention"]}
    return _right("decoder_block")(x, memory, reused, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_cross_attention_weights_for_both(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The self-attention uses the parameters of the cross-attention; its own are never used.

    Next: the two attentions have parameters of their own.
    """
    reused = params | {"self_attention": params["cross_attention"]}
    return _right("decoder_block")(x, memory, reused, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_attention_weights_swapped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The two attentions use each other's parameters.

    Next: check the names: self_attention comes first, cross_attention second.
    """
    swapped = params | {"self_attention": params["cross_attention"], "cross_attention": params["self_attention"]}
    return _right("decoder_block")(x, memory, swapped, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_cross_attention_first(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The cross-attention comes before the self-attention.

    Next: the tokens look at each other first, then at the memory.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block(x, params, {name: sublayers[name] for name in ("norm_2", "norm_1", "norm_3")}, norm_first)


@misconception("decoder_block")
def decoder_block_feed_forward_before_cross_attention(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The feed-forward layer comes before the cross-attention.

    Next: both attentions come first; the feed-forward layer is last.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block(x, params, {name: sublayers[name] for name in ("norm_1", "norm_3", "norm_2")}, norm_first)


@misconception("decoder_block")
def decoder_block_feed_forward_first(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The feed-forward layer comes before both attentions.

    Next: both attentions come first; the feed-forward layer is last.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block(x, params, {name: sublayers[name] for name in ("norm_3", "norm_1", "norm_2")}, norm_first)


@misconception("decoder_block")
def decoder_block_self_attention_skipped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The self-attention is left out, so the tokens never see each other.

    Next: a decoder block has three steps, each with its residual and its norm.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block(x, params, {name: sublayers[name] for name in ("norm_2", "norm_3")}, norm_first)


@misconception("decoder_block")
def decoder_block_cross_attention_skipped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The cross-attention is left out, so the memory is never looked at.

    Next: a decoder block has three steps, each with its residual and its norm.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block(x, params, {name: sublayers[name] for name in ("norm_1", "norm_3")}, norm_first)


@misconception("decoder_block")
def decoder_block_feed_forward_skipped(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The block ends after the cross-attention; the feed-forward layer is left out.

    Next: a decoder block has three steps, each with its residual and its norm.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    return _block(x, params, {name: sublayers[name] for name in ("norm_1", "norm_2")}, norm_first)


@misconception("decoder_block")
def decoder_block_attentions_side_by_side(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """With norm_first both attentions work on the block's input, and their outputs are added.

    Next: the cross-attention goes on where the self-attention stopped.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    if not norm_first:
        return _block(x, params, sublayers, norm_first)
    both = sum((sublayers[name](_norm(x, params, name)) for name in ("norm_1", "norm_2")), x)
    return _block(both, params, {"norm_3": sublayers["norm_3"]}, norm_first)


@misconception("decoder_block")
def decoder_block_one_head_only(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """Both attentions are called with one head; n_heads is never used.

    Next: hand the number of heads on.
    """
    return _right("decoder_block")(x, memory, params, 1, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_cross_attention_with_one_head(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The cross-attention is called with one head instead of n_heads.

    Next: hand the number of heads on, both times.
    """
    sublayers = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)
    sublayers["norm_2"] = lambda x: _right("multi_head_attention")(x, params["cross_attention"], 1, memory_mask, memory)
    return _block(x, params, sublayers, norm_first)


@misconception("decoder_block")
def decoder_block_masks_are_required(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None,
    memory_mask: Array | None,
    norm_first: bool = False,
) -> Array:
    """The function cannot be called without the masks.

    Next: give the parameters their defaults, and let the defaults mean that nothing is hidden.
    """
    return _right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_mask_of_nothing_ignored(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """A mask that hides everything counts as no mask.

    Next: ask whether the mask is None, not whether anything in it is True.
    """
    masks = _unless_empty(mask), _unless_empty(memory_mask)
    return _right("decoder_block")(x, memory, params, n_heads, *masks, norm_first)


@misconception("decoder_block")
def decoder_block_mask_by_query_ignored(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """A mask with one entry for each query is left out, since its last axis has length 1.

    Next: every mask that broadcasts to the scores counts; hand it on as it is.
    """
    if mask is not None and mask.shape[-1] == 1:
        mask = None
    return _right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, norm_first)


@misconception("decoder_block")
def decoder_block_mutates_input(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The caller's own tokens are changed, as adding the residual with ``+=`` does.

    Next: let the sum make a new array, and leave the argument alone.
    """
    output = _right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, norm_first)
    sublayer = _decoder_sublayers(memory, params, n_heads, mask, memory_mask)["norm_1"]
    x += sublayer(_norm(x, params, "norm_1")) if norm_first else sublayer(x)
    return output


@misconception("decoder_block")
def decoder_block_mutates_params(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """The caller's own dict of parameters is changed, as by ``pop`` or by keeping something in it.

    Next: read a parameter with square brackets, and keep what you compute in a variable.
    """
    output = _right("decoder_block")(x, memory, dict(params), n_heads, mask, memory_mask, norm_first)
    params.pop("norm_3")
    return output


@misconception("decoder_block")
def decoder_block_shared_buffer(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Array:
    """Every call writes into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    return _shared(_right("decoder_block")(x, memory, params, n_heads, mask, memory_mask, norm_first))
