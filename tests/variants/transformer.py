"""Right solutions of the lesson ``transformer`` in many styles, careful and careless."""

import itertools
import math
import statistics
import warnings
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from tests.variants import variant

SEEN = {}
"""What the careless variants remember from call to call."""


# --- split_heads -----------------------------------------------------------------------------------------------------


@variant("split_heads")
def split_heads_plain(x, n_heads):
    """The result is a view of the argument."""
    *batch, n, d = x.shape
    if d % n_heads != 0:
        raise ValueError("d must be divisible by n_heads")
    return x.reshape(*batch, n, n_heads, d // n_heads).swapaxes(-2, -3)


@variant("split_heads")
def split_heads_split_and_stacked(x, n_heads):
    """np.split raises the ValueError by itself."""
    return np.stack(np.split(x, n_heads, axis=-1), axis=-3)


@variant("split_heads")
def split_heads_sections_in_front(x, n_heads):
    return np.moveaxis(np.array(np.split(x, n_heads, axis=-1)), 0, -3)


@variant("split_heads")
def split_heads_transpose_by_numbers(x, n_heads):
    width, rest = divmod(x.shape[-1], n_heads)
    if rest:
        raise ValueError
    last = x.ndim - 1
    return np.transpose(x.reshape(*x.shape[:-1], n_heads, width), (*range(last - 1), last, last - 1, last + 1))


@variant("split_heads")
def split_heads_reshape_refuses(x, n_heads):
    """A reshape that does not fit raises the ValueError by itself."""
    return np.einsum("...nhf->...hnf", x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads))


@variant("split_heads")
def split_heads_slices(x, n_heads):
    width = x.shape[-1] / n_heads
    if not width.is_integer():
        raise ValueError(f"not a whole number of features for each head: {width}")
    width = int(width)
    out = np.empty((*x.shape[:-2], n_heads, x.shape[-2], width))
    for head in range(n_heads):
        out[..., head, :, :] = x[..., head * width : (head + 1) * width]
    return out


@variant("split_heads")
def split_heads_entry_by_entry(x, n_heads):
    *batch, n, d = x.shape
    if d != d // n_heads * n_heads:
        raise ValueError("heads")
    out = np.zeros((*batch, n_heads, n, d // n_heads))
    for *place, token, feature in np.ndindex(*x.shape):
        head, within = divmod(feature, d // n_heads)
        out[(*place, head, token, within)] = x[(*place, token, feature)]
    return out


@variant("split_heads")
def split_heads_recursive(x, n_heads):
    if x.ndim > 2:
        return np.array([split_heads_recursive(one, n_heads) for one in x])
    if x.shape[1] % n_heads:
        raise ValueError(n_heads)
    return np.array(np.hsplit(x, n_heads))


@variant("split_heads")
def split_heads_index_table(x, n_heads):
    features = np.arange(x.shape[-1]).reshape(n_heads, -1)  # raises where the heads do not fit
    return np.moveaxis(x[..., features], -2, -3)


@variant("split_heads")
def split_heads_strides(x, n_heads):
    """A second view of the same memory."""
    *batch, n, d = x.shape
    if d % n_heads:
        raise ValueError("indivisible")
    *outer, step, one = x.strides
    width = d // n_heads
    return np.lib.stride_tricks.as_strided(x, (*batch, n_heads, n, width), (*outer, width * one, step, one))


@variant("split_heads")
def split_heads_fortran_order(x, n_heads):
    return np.asfortranarray(split_heads_plain(x, n_heads))


@variant("split_heads")
def split_heads_selection_matrices(x, n_heads):
    """Each head is a matrix product with a matrix of ones and zeros."""
    selections = np.array(np.split(np.eye(x.shape[-1]), n_heads, axis=1))  # (n_heads, d, width)
    return x[..., None, :, :] @ selections


class HeadsDoNotFit(ValueError):
    """A student's own kind of ValueError."""


@variant("split_heads")
def split_heads_own_error_class(x: np.ndarray, n_heads: int) -> np.ndarray:
    try:
        assert x.shape[-1] % n_heads == 0
    except AssertionError as error:
        raise HeadsDoNotFit(f"{x.shape[-1]} / {n_heads}") from error
    return np.rollaxis(x.reshape(*x.shape[:-1], n_heads, -1), -2, -3)


@variant("split_heads")
def split_heads_careless(x, n_heads, check=True):
    print("splitting", x.shape, n_heads)
    warnings.warn("splitting", UserWarning, stacklevel=1)
    SEEN["split"] = x
    if check and x.shape[-1] % n_heads:
        raise ValueError(x.shape[-1], n_heads)
    x = np.array(x, copy=True)
    x.shape = (*x.shape[:-1], n_heads, x.shape[-1] // n_heads)  # in place, on its own copy
    return x.swapaxes(-3, -2)


# --- merge_heads -----------------------------------------------------------------------------------------------------


@variant("merge_heads")
def merge_heads_plain(x):
    *batch, n_heads, n, width = x.shape
    return x.swapaxes(-2, -3).reshape(*batch, n, n_heads * width)


@variant("merge_heads")
def merge_heads_concatenated(x):
    return np.concatenate([x[..., head, :, :] for head in range(x.shape[-3])], axis=-1)


@variant("merge_heads")
def merge_heads_concatenated_from_the_front(x):
    return np.concatenate(np.moveaxis(x, -3, 0), axis=-1)


@variant("merge_heads")
def merge_heads_reshape_minus_one(x):
    x = np.einsum("...hnf->...nhf", x)
    return x.reshape(*x.shape[:-2], -1)


@variant("merge_heads")
def merge_heads_slices(x):
    *batch, n_heads, n, width = x.shape
    out = np.zeros((*batch, n, n_heads * width))
    for head in range(n_heads):
        out[..., head * width : (head + 1) * width] = x[..., head, :, :]
    return out


@variant("merge_heads")
def merge_heads_entry_by_entry(x):
    *batch, n_heads, n, width = x.shape
    out = np.zeros((*batch, n, n_heads * width))
    for *place, head, token, feature in np.ndindex(*x.shape):
        out[(*place, token, head * width + feature)] = x[(*place, head, token, feature)]
    return out


@variant("merge_heads")
def merge_heads_recursive(x):
    if x.ndim > 3:
        return np.stack([merge_heads_recursive(one) for one in x])
    return np.hstack(list(x))


@variant("merge_heads")
def merge_heads_pure_python(x):
    def merged(block):
        if isinstance(block[0][0][0], list):
            return [merged(one) for one in block]
        return [list(itertools.chain(*rows)) for rows in zip(*block, strict=True)]

    return np.array(merged(x.tolist()))


@variant("merge_heads")
def merge_heads_token_by_token(x):
    return np.stack([x[..., token, :].reshape(*x.shape[:-3], -1) for token in range(x.shape[-2])], axis=-2)


@variant("merge_heads")
def merge_heads_feature_by_feature(x):
    """The result is a view whose memory has the features in front."""
    heads, width = x.shape[-3], x.shape[-1]
    return np.moveaxis(np.array([x[..., h, :, f] for h in range(heads) for f in range(width)]), 0, -1)


@variant("merge_heads")
def merge_heads_fortran_order(x):
    return np.asfortranarray(merge_heads_plain(x))


@variant("merge_heads")
def merge_heads_selection_matrices(x):
    n_heads, width = x.shape[-3], x.shape[-1]
    places = np.eye(n_heads * width).reshape(n_heads, width, -1)  # where the features of each head go
    return (x @ places).sum(axis=-3)


@variant("merge_heads")
def merge_heads_careless(x: np.ndarray, n_heads: int | None = None) -> np.ndarray:
    print("merging", x)
    SEEN.setdefault("merged", []).append(x.shape)
    heads = [np.squeeze(head, axis=-3) for head in np.split(x.copy(), n_heads or x.shape[-3], axis=-3)]
    return reduce(partial(np.append, axis=-1), heads)


# --- multi_head_attention --------------------------------------------------------------------------------------------


def _softmax(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def _attention(q, k, v, mask=None):
    """A student's own attention: hidden scores are replaced by a huge negative number, empty rows cleared."""
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = _softmax(scores) if mask is None else _softmax(np.where(mask, scores, -1e30)) * mask
    return weights @ v, weights


@variant("multi_head_attention")
def multi_head_attention_with_own_functions(x, params, n_heads, mask=None, memory=None):
    if memory is None:
        memory = x
    q = split_heads_plain(x @ params["w_q"] + params["b_q"], n_heads)
    k = split_heads_plain(memory @ params["w_k"] + params["b_k"], n_heads)
    v = split_heads_plain(memory @ params["w_v"] + params["b_v"], n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    out, _ = _attention(q, k, v, mask)
    return merge_heads_plain(out) @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_head_by_head(x, params, n_heads, mask=None, memory=None):
    """Slices of the projected features; the mask needs no axis for the heads."""
    source = x if memory is None else memory
    q, k, v = (a @ params[f"w_{c}"] + params[f"b_{c}"] for a, c in zip((x, source, source), "qkv", strict=True))
    width = x.shape[-1] // n_heads
    outputs = []
    for head in range(n_heads):
        own = slice(head * width, (head + 1) * width)
        outputs.append(_attention(q[..., own], k[..., own], v[..., own], mask)[0])
    return np.concatenate(outputs, axis=-1) @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_contributions(x, params, n_heads, mask=None, memory=None):
    """Slices of the weights; each head's rows of w_o; b_o once."""
    memory = x if memory is None else memory
    total = params["b_o"]
    for own in np.array_split(np.arange(x.shape[-1]), n_heads):
        q = x @ params["w_q"][:, own] + params["b_q"][own]
        k = memory @ params["w_k"][:, own] + params["b_k"][own]
        v = memory @ params["w_v"][:, own] + params["b_v"][own]
        total = total + _attention(q, k, v, mask)[0] @ params["w_o"][own]
    return total


@variant("multi_head_attention")
def multi_head_attention_einsum(x, params, n_heads, mask=None, memory=None):
    """The weights get an axis for the heads, so that no activation is ever reshaped."""
    memory = x if memory is None else memory
    d = x.shape[-1]
    w = {c: params[f"w_{c}"].reshape(d, n_heads, -1) for c in "qkv"}
    b = {c: params[f"b_{c}"].reshape(n_heads, 1, -1) for c in "qkv"}
    q = np.einsum("...id,dhf->...hif", x, w["q"]) + b["q"]
    k, v = (np.einsum("...jd,dhf->...hjf", memory, w[c]) + b[c] for c in "kv")
    scores = np.einsum("...hif,...hjf->...hij", q, k) / math.sqrt(d / n_heads)
    if mask is not None:
        scores = np.where(np.expand_dims(mask, axis=-3), scores, -np.inf)
    exps = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    weights = exps / np.maximum(exps.sum(axis=-1, keepdims=True), 1e-300)
    return np.einsum("...hij,...hjf,hfe->...ie", weights, v, params["w_o"].reshape(n_heads, -1, d)) + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_one_matrix_for_all(x, params, n_heads, mask=None, memory=None):
    """Queries, keys and values from one product with the weights side by side, as fast libraries do."""
    weights = np.concatenate([params["w_q"], params["w_k"], params["w_v"]], axis=1)
    biases = np.concatenate([params["b_q"], params["b_k"], params["b_v"]])
    q, k, v = np.split(x @ weights + biases, 3, axis=-1)
    if memory is not None:
        _, k, v = np.split(memory @ weights + biases, 3, axis=-1)
    q, k, v = (split_heads_split_and_stacked(one, n_heads) for one in (q, k, v))
    out, _ = _attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads_concatenated(out) @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_bias_as_a_row(x, params, n_heads, mask=None, memory=None):
    """Every token gets a feature 1, and the bias is one more row of the weights."""

    def linear(a, c):
        ones = np.ones((*a.shape[:-1], 1))
        return np.concatenate([a, ones], axis=-1) @ np.vstack([params["w_" + c], params["b_" + c]])

    memory = x if memory is None else memory
    heads = [split_heads_plain(linear(a, c), n_heads) for a, c in ((x, "q"), (memory, "k"), (memory, "v"))]
    return linear(merge_heads_plain(_attention(*heads, None if mask is None else mask[..., None, :, :])[0]), "o")


@variant("multi_head_attention")
def multi_head_attention_batch_and_heads_in_one_axis(x, params, n_heads, mask=None, memory=None):
    """Batch and heads become one axis, so everything in the middle has three axes."""
    source = x if memory is None else memory
    *batch, n, d = x.shape
    m, width, sequences = source.shape[-2], d // n_heads, math.prod(batch)

    def heads(a, c, length):
        a = (a.reshape(-1, d) @ params["w_" + c] + params["b_" + c]).reshape(sequences, length, n_heads, width)
        return a.transpose(0, 2, 1, 3).reshape(sequences * n_heads, length, width)

    q, k, v = heads(x, "q", n), heads(source, "k", m), heads(source, "v", m)
    if mask is not None:
        mask = np.repeat(np.broadcast_to(mask, (*batch, n, m)).reshape(sequences, n, m), n_heads, axis=0)
    out, _ = _attention(q, k, v, mask)
    out = out.reshape(sequences, n_heads, n, width).transpose(0, 2, 1, 3).reshape(*batch, n, d)
    return out @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_streaming(x, params, n_heads, mask=None, memory=None):
    """Token of the memory by token, with a running maximum, sum and output."""
    memory = x if memory is None else memory
    split = partial(split_heads_plain, n_heads=n_heads)
    q, k, v = (split(a @ params[f"w_{c}"] + params[f"b_{c}"]) for a, c in ((x, "q"), (memory, "k"), (memory, "v")))
    q = q / np.sqrt(q.shape[-1])
    visible = np.ones((1, memory.shape[-2]), dtype=bool) if mask is None else mask
    visible = np.broadcast_to(visible[..., None, :, :], (*q.shape[:-1], k.shape[-2]))
    top, total, output = np.full(q.shape[:-1], -np.inf), np.zeros(q.shape[:-1]), np.zeros(q.shape)
    for j in range(k.shape[-2]):
        score = np.where(visible[..., j], (q * k[..., j, None, :]).sum(axis=-1), -np.inf)
        higher = np.maximum(top, score)
        base = np.where(np.isneginf(higher), 0, higher)
        decay, gain = np.exp(top - base), np.exp(score - base)
        total = total * decay + gain
        output = output * decay[..., None] + gain[..., None] * v[..., j, None, :]
        top = higher
    output = output / np.where(total > 0, total, 1)[..., None]
    return merge_heads_plain(output) @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_minus_infinity_then_nan_to_num(x, params, n_heads, mask=None, memory=None):
    """An empty row becomes NaN on the way and 0 in the end, with a warning from NumPy."""
    memory = x if memory is None else memory
    q, k, v = [
        np.stack(np.split(np.matmul(a, params[f"w_{c}"]) + params[f"b_{c}"], n_heads, axis=-1), axis=-3)
        for a, c in ((x, "q"), (memory, "k"), (memory, "v"))
    ]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        with np.errstate(divide="ignore"):
            scores = scores + np.log(np.expand_dims(mask, -3).astype(float))
    weights = np.nan_to_num(_softmax(scores))
    out = weights @ v
    return np.concatenate([out[..., h, :, :] for h in range(n_heads)], axis=-1) @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_minus_a_billion(x, params, n_heads, mask=None, memory=None):
    """A billion is subtracted from hidden scores, which is enough for scores up to a million."""
    memory = x if memory is None else memory
    q, k, v = (
        split_heads_slices(a @ params[f"w_{c}"] + params[f"b_{c}"], n_heads)
        for a, c in ((x, "q"), (memory, "k"), (memory, "v"))
    )
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is None:
        out = _softmax(scores) @ v
    else:
        mask = np.expand_dims(mask, -3)
        out = np.where(mask.any(axis=-1, keepdims=True), _softmax(scores - 1e9 * ~mask), 0.0) @ v
    return merge_heads_slices(out) @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_exact_sums(x, params, n_heads, mask=None, memory=None):
    """One query, one head, one number at a time, with sums rounded once."""
    memory = x if memory is None else memory
    d, n_memory = x.shape[-1], memory.shape[-2]
    width = d // n_heads
    w = {c: params[f"w_{c}"].T.tolist() for c in "qkvo"}
    b = {c: params[f"b_{c}"].tolist() for c in "qkvo"}
    mask = np.broadcast_to(True if mask is None else mask, (*x.shape[:-1], n_memory))

    def linear(token, c):
        return [math.fsum([*map(float.__mul__, token, col), bias]) for col, bias in zip(w[c], b[c], strict=True)]

    output = np.zeros(x.shape)
    for batch in np.ndindex(*x.shape[:-2]):
        keys, values = ([linear(token, c) for token in memory[batch].tolist()] for c in "kv")
        for i, token in enumerate(x[batch].tolist()):
            query, merged = linear(token, "q"), []
            seen = [j for j in range(n_memory) if mask[(*batch, i, j)]]
            for start in range(0, d, width):
                own = slice(start, start + width)
                scores = [math.fsum(map(float.__mul__, query[own], keys[j][own])) / math.sqrt(width) for j in seen]
                exps = [math.exp(score - max(scores)) for score in scores]
                shares = [e / math.fsum(exps) for e in exps]
                pairs = [list(zip(shares, (values[j][f] for j in seen), strict=True)) for f in range(*own.indices(d))]
                merged += [math.fsum(share * value for share, value in terms) for terms in pairs]
            output[(*batch, i)] = linear(merged, "o")
    return output


class OwnMultiHead:
    """As a layer of a library: made from its parameters, then called."""

    def __init__(self, params, n_heads):
        for name, value in params.items():
            setattr(self, name, np.array(value))
        self.n_heads = n_heads

    def split(self, a):
        return a.reshape(*a.shape[:-1], self.n_heads, -1).swapaxes(-2, -3)

    def __call__(self, queries, keys, values, mask=None):
        q, k, v = queries @ self.w_q + self.b_q, keys @ self.w_k + self.b_k, values @ self.w_v + self.b_v
        out, self.weights = _attention(
            *map(self.split, (q, k, v)), mask=None if mask is None else mask[..., None, :, :]
        )
        return out.swapaxes(-2, -3).reshape(queries.shape) @ self.w_o + self.b_o


@variant("multi_head_attention")
def multi_head_attention_layer_object(x, params, n_heads, mask=None, memory=None):
    memory = x if memory is None else memory
    return OwnMultiHead(params, n_heads)(x, memory, memory, mask)


@dataclass
class OwnHead:
    """The parameters of one head."""

    w_q: np.ndarray
    b_q: np.ndarray
    w_k: np.ndarray
    b_k: np.ndarray
    w_v: np.ndarray
    b_v: np.ndarray
    w_o: np.ndarray

    @classmethod
    def all_of(cls, params, n_heads):
        pieces = {c: np.split(params[c], n_heads, axis=-1) for c in ("w_q", "b_q", "w_k", "b_k", "w_v", "b_v")}
        rows = np.split(params["w_o"], n_heads)
        return [cls(*(piece[h] for piece in pieces.values()), rows[h]) for h in range(n_heads)]

    def attend(self, x, memory, mask):
        q, k, v = x @ self.w_q + self.b_q, memory @ self.w_k + self.b_k, memory @ self.w_v + self.b_v
        return _attention(q, k, v, mask)[0] @ self.w_o


@variant("multi_head_attention")
def multi_head_attention_dataclass_of_a_head(x, params, n_heads, mask=None, memory=None):
    memory = x if memory is None else memory
    return sum(head.attend(x, memory, mask) for head in OwnHead.all_of(params, n_heads)) + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_recursive(x, params, n_heads, mask=None, memory=None):
    memory = x if memory is None else memory
    mask = np.broadcast_to(True if mask is None else mask, (*x.shape[:-1], memory.shape[-2]))
    if x.ndim > 2:
        pairs = zip(x, mask, memory, strict=True)
        return np.array([multi_head_attention_recursive(a, params, n_heads, seen, m) for a, seen, m in pairs])
    q, k, v = (a @ params["w_" + c] + params["b_" + c] for a, c in ((x, "q"), (memory, "k"), (memory, "v")))
    heads = zip(*(np.hsplit(a, n_heads) for a in (q, k, v)), strict=True)
    return np.hstack([_attention(*head, mask)[0] for head in heads]) @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_maps_multiplied_first(x, params, n_heads, mask=None, memory=None):
    """w_v and w_o of a head make one matrix; weights sum to 1 or, in an empty row, to 0."""
    memory = x if memory is None else memory
    output = np.broadcast_to(params["b_o"], x.shape).copy()
    for own in np.split(np.arange(x.shape[-1]), n_heads):
        w_vo, b_vo = params["w_v"][:, own] @ params["w_o"][own], params["b_v"][own] @ params["w_o"][own]
        q, k = x @ params["w_q"][:, own] + params["b_q"][own], memory @ params["w_k"][:, own] + params["b_k"][own]
        output += _attention(q, k, memory @ w_vo + b_vo, mask)[0]
    return output


@variant("multi_head_attention")
def multi_head_attention_without_key_bias(x, params, n_heads, mask=None, memory=None):
    """b_k adds the same number to all scores of a query and head, so it makes no difference."""
    memory = x if memory is None else memory
    q = split_heads_plain(x @ params["w_q"] + params["b_q"], n_heads)
    k = split_heads_plain(memory @ params["w_k"], n_heads)
    v = split_heads_plain(memory @ params["w_v"] + params["b_v"], n_heads)
    out, _ = _attention(q, k, v, None if mask is None else mask[..., None, :, :])
    return merge_heads_plain(out) @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_visible_tokens_only(x, params, n_heads, mask=None, memory=None):
    """Query by query over the tokens in sight; a hidden token is never touched."""
    memory = x if memory is None else memory
    mask = np.broadcast_to(True if mask is None else mask, (*x.shape[:-1], memory.shape[-2]))
    width = x.shape[-1] // n_heads
    merged = np.zeros(x.shape)
    for *batch, i in np.ndindex(*x.shape[:-1]):
        seen = memory[tuple(batch)][mask[(*batch, i)]]
        if len(seen):
            q = x[(*batch, i)] @ params["w_q"] + params["b_q"]
            k, v = seen @ params["w_k"] + params["b_k"], seen @ params["w_v"] + params["b_v"]
            for own in (slice(start, start + width) for start in range(0, x.shape[-1], width)):
                merged[(*batch, i, own)] = _softmax(k[:, own] @ q[own] / width**0.5) @ v[:, own]
    return merged @ params["w_o"] + params["b_o"]


@variant("multi_head_attention")
def multi_head_attention_fortran_order(x, params, n_heads, mask=None, memory=None):
    x = np.asfortranarray(x)
    return np.asfortranarray(multi_head_attention_with_own_functions(x, params, n_heads, mask, memory))


@variant("multi_head_attention")
def multi_head_attention_careless(x, params, n_heads=8, mask=None, memory=None, dropout=0.0, verbose=True):
    """Prints, warns, divides by zero on the way, remembers its last call, and is right."""
    if verbose:
        print(x, sorted(params), n_heads, mask)
    warnings.warn("attention!", RuntimeWarning, stacklevel=1)
    np.random.seed(1)
    _ = np.ones(1) / np.zeros(1)
    p = {name: value.copy() for name, value in params.items()}
    p["w_q"] /= math.sqrt(x.shape[-1] / n_heads)  # its own copy
    p["b_q"] /= math.sqrt(x.shape[-1] / n_heads)
    y = x.copy() if memory is None else memory.copy()
    q, k, v = x @ p["w_q"] + p["b_q"], y @ p["w_k"] + p["b_k"], y @ p["w_v"] + p["b_v"]
    q, k, v = (split_heads_index_table(one, n_heads) for one in (q, k, v))
    scores = q @ np.moveaxis(k, -1, -2)
    hidden = np.zeros((1, 1), bool) if mask is None else ~mask
    hidden = np.broadcast_to(hidden[..., None, :, :], scores.shape)
    scores[hidden] = -1e20
    weights = _softmax(scores)
    weights[hidden] = 0
    SEEN["weights"] = weights
    return np.squeeze((merge_heads_plain(weights @ v) @ p["w_o"] + p["b_o"])[None], axis=0) * (1 - dropout)


# --- layer_norm ------------------------------------------------------------------------------------------------------


@variant("layer_norm")
def layer_norm_mean_and_var(x, gain, bias, eps=1e-5):
    mean, variance = np.mean(x, axis=-1, keepdims=True), np.var(x, axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(variance + eps) + bias


@variant("layer_norm")
def layer_norm_std_squared(x, gain, bias, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.std(-1, keepdims=True) ** 2 + eps) * gain + bias


@variant("layer_norm")
def layer_norm_power_minus_one_half(x, gain, bias, eps=1e-5):
    centred = x - np.mean(x, axis=-1)[..., None]
    return centred * (np.mean(centred * centred, axis=-1)[..., None] + eps) ** -0.5 * gain + bias


@variant("layer_norm")
def layer_norm_one_scale_and_one_shift(x, gain, bias, eps=1e-5):
    """Everything gathered into x * scale + shift, as a fused kernel would."""
    mean = x.mean(axis=-1, keepdims=True)
    scale = gain / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    return x * scale + (bias - mean * scale)


@variant("layer_norm")
def layer_norm_hypot(x, gain, bias, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    std = np.linalg.norm(centred, axis=-1, keepdims=True) / math.sqrt(x.shape[-1])
    return centred / np.hypot(std, math.sqrt(eps)) * gain + bias


@variant("layer_norm")
def layer_norm_loops_with_math(x, gain, bias, eps=1e-5):
    out = np.zeros(x.shape)
    for index in np.ndindex(*x.shape[:-1]):
        row = x[index].tolist()
        mean = math.fsum(row) / len(row)
        variance = math.fsum((value - mean) ** 2 for value in row) / len(row)
        for j, value in enumerate(row):
            out[index][j] = (value - mean) / math.sqrt(variance + eps) * gain[j] + bias[j]
    return out


@variant("layer_norm")
def layer_norm_statistics(x, gain, bias, eps=1e-5):
    def of_row(row):
        numbers = row.tolist()
        return (row - statistics.fmean(numbers)) / math.sqrt(statistics.pvariance(numbers) + eps)

    return np.apply_along_axis(of_row, -1, x) * gain + bias


@variant("layer_norm")
def layer_norm_welford(x, gain, bias, eps=1e-5):
    """Mean and variance in one pass, updated feature by feature."""
    mean, squares = np.zeros(x.shape[:-1]), np.zeros(x.shape[:-1])
    for count, feature in enumerate(np.moveaxis(x, -1, 0), start=1):
        before = feature - mean
        mean = mean + before / count
        squares = squares + before * (feature - mean)
    root = np.sqrt(squares / x.shape[-1] + eps)
    return (x - mean[..., None]) / root[..., None] * gain + bias


@variant("layer_norm")
def layer_norm_two_passes_corrected(x, gain, bias, eps=1e-5):
    """The mean is corrected by the mean of what is left, the variance by its square."""
    centred = x - x.sum(axis=-1, keepdims=True) / x.shape[-1]
    rest = centred.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True) - rest**2
    return gain * ((centred - rest) / np.sqrt(variance + eps)) + bias


@variant("layer_norm")
def layer_norm_einsum(x, gain, bias, eps=1e-5):
    d = x.shape[-1]
    centred = x - np.einsum("...d->...", x)[..., None] / d
    variance = np.einsum("...d,...d->...", centred, centred) / d
    return np.einsum("...d,...,d->...d", centred, 1 / np.sqrt(variance + eps), gain) + bias


@variant("layer_norm")
def layer_norm_centring_matrix(x, gain, bias, eps=1e-5):
    d = x.shape[-1]
    centred = x @ (np.eye(d) - np.full((d, d), 1 / d))
    return centred / np.sqrt((centred**2) @ np.full((d, 1), 1 / d) + eps) * gain + bias


@variant("layer_norm")
def layer_norm_first_feature_as_origin(x, gain, bias, eps=1e-5):
    """Distances from the first feature instead of from 0, which a common offset cannot spoil."""
    moved = x - x[..., :1]
    centred = moved - moved.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(np.mean(np.square(centred), axis=-1, keepdims=True) + eps) * gain + bias


@variant("layer_norm")
def layer_norm_scaled_to_one(x, gain, bias, eps=1e-5):
    """The largest distance from the mean becomes 1, and eps is scaled along."""
    centred = x - x.mean(axis=-1, keepdims=True)
    largest = np.abs(centred).max(axis=-1, keepdims=True)
    largest = np.where(largest > 0, largest, 1.0)
    small = centred / largest
    return small / np.sqrt((small**2).mean(axis=-1, keepdims=True) + eps / largest**2) * gain + bias


@variant("layer_norm")
def layer_norm_features_first(x, gain, bias, eps=1e-5):
    """The result is a view whose memory has the features in front."""
    x = np.moveaxis(x, -1, 0)
    normed = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + eps)
    return np.moveaxis(normed, 0, -1) * gain + bias


@variant("layer_norm")
def layer_norm_recursive(x, gain, bias, eps=1e-5):
    if x.ndim > 1:
        return np.stack([layer_norm_recursive(part, gain, bias, eps) for part in x])
    return gain * (x - x.mean()) / math.sqrt(x.var() + eps) + bias


@variant("layer_norm")
def layer_norm_long_double_inside(x, gain, bias, eps=1e-5):
    x = x.astype(np.longdouble)
    normed = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    return (normed * gain + bias).astype(np.float64)


@variant("layer_norm")
def layer_norm_in_place_on_a_copy(x, gain, bias, eps=1e-5):
    out = np.array(x, order="F")
    out -= out.mean(axis=-1, keepdims=True)
    out /= np.sqrt(np.mean(out**2, axis=-1, keepdims=True) + eps)
    out *= gain
    out += bias
    return out


@variant("layer_norm")
def layer_norm_careless(x: np.ndarray, gain, bias, eps: float = 1e-5, axis: int = -1) -> np.ndarray:
    print("layer norm of", x, gain, bias, eps)
    warnings.warn("norm", DeprecationWarning, stacklevel=1)
    np.seterr(all="warn")
    with np.errstate(all="ignore"):
        SEEN["plain"] = (x - x.mean(axis, keepdims=True)) / x.std(axis, keepdims=True)  # NaN in a constant row
    for _ in range(2):  # once would do
        centred = x - np.average(x, axis=axis)[..., np.newaxis]
    var = np.sum(np.power(centred, 2), axis=axis, keepdims=True) / np.shape(x)[axis]
    return np.add(np.multiply(gain, np.divide(centred, np.power(var + eps, 0.5))), bias)


# --- feed_forward ----------------------------------------------------------------------------------------------------


@variant("feed_forward")
def feed_forward_plain(x, params):
    hidden = np.maximum(0, x @ params["w_1"] + params["b_1"])
    return hidden @ params["w_2"] + params["b_2"]


@variant("feed_forward")
def feed_forward_where(x, params):
    hidden = np.matmul(x, params["w_1"]) + params["b_1"]
    return np.matmul(np.where(hidden > 0, hidden, 0.0), params["w_2"]) + params["b_2"]


@variant("feed_forward")
def feed_forward_times_truth(x, params):
    hidden = np.dot(x, params["w_1"]) + params["b_1"]
    return np.dot(hidden * (hidden > 0), params["w_2"]) + params["b_2"]


@variant("feed_forward")
def feed_forward_in_place_on_its_own(x, params):
    hidden = x @ params["w_1"] + params["b_1"]
    hidden[hidden < 0] = 0
    out = hidden @ params["w_2"]
    out += params["b_2"]
    return out


@variant("feed_forward")
def feed_forward_half_of_sum_with_magnitude(x, params):
    hidden = x @ params["w_1"] + params["b_1"]
    return ((hidden + np.abs(hidden)) / 2) @ params["w_2"] + params["b_2"]


@variant("feed_forward")
def feed_forward_einsum(x, params):
    hidden = np.einsum("...d,df->...f", x, params["w_1"]) + params["b_1"]
    return np.einsum("...f,fd->...d", hidden.clip(min=0), params["w_2"]) + params["b_2"]


@variant("feed_forward")
def feed_forward_bias_as_a_row(x, params):
    ones = np.ones((*x.shape[:-1], 1))
    first, second = (np.vstack([params[f"w_{i}"], params[f"b_{i}"]]) for i in (1, 2))
    hidden = np.fmax(np.concatenate([x, ones], axis=-1) @ first, 0)
    return np.concatenate([hidden, ones], axis=-1) @ second


@variant("feed_forward")
def feed_forward_hidden_feature_by_feature(x, params):
    """Each hidden feature adds its row of w_2 where it is above 0."""
    output = np.zeros(x.shape) + params["b_2"]
    for column, bias, row in zip(params["w_1"].T, params["b_1"], params["w_2"], strict=True):
        hidden = np.sum(x * column, axis=-1) + bias
        output += np.where(hidden > 0, hidden, 0)[..., None] * row
    return output


@variant("feed_forward")
def feed_forward_exact_sums(x, params):
    first, second = params["w_1"].T.tolist(), params["w_2"].T.tolist()

    def of_token(token):
        hidden = [
            max(0.0, math.fsum([*map(float.__mul__, token, column), bias]))
            for column, bias in zip(first, params["b_1"].tolist(), strict=True)
        ]
        return [
            math.fsum([*map(float.__mul__, hidden, column), bias])
            for column, bias in zip(second, params["b_2"].tolist(), strict=True)
        ]

    return np.array([of_token(token) for token in x.reshape(-1, x.shape[-1]).tolist()]).reshape(x.shape)


@variant("feed_forward")
def feed_forward_all_tokens_in_one_matrix(x, params):
    tokens = x.reshape(-1, x.shape[-1])
    hidden = np.clip(tokens @ params["w_1"] + params["b_1"], 0, None)
    return (hidden @ params["w_2"] + params["b_2"]).reshape(x.shape)


@variant("feed_forward")
def feed_forward_features_first(x, params):
    """Transposed all the way; the result is a view whose memory has the features in front."""
    columns = np.moveaxis(x, -1, 0)
    hidden = np.tensordot(params["w_1"].T, columns, axes=1)
    hidden = np.maximum(hidden + params["b_1"].reshape(-1, *[1] * (x.ndim - 1)), 0)
    out = np.tensordot(params["w_2"], hidden, axes=(0, 0))
    return np.moveaxis(out, 0, -1) + params["b_2"]


@variant("feed_forward")
def feed_forward_recursive(x, params):
    if x.ndim > 1:
        return np.array([feed_forward_recursive(part, params) for part in x])
    return params["b_2"] + params["w_2"].T @ np.maximum(params["w_1"].T @ x + params["b_1"], 0)


class OwnLinear:
    """A linear map as a callable."""

    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return x @ self.w + self.b


@variant("feed_forward")
def feed_forward_chain_of_callables(x, params):
    relu = np.vectorize(lambda value: value if value > 0 else 0.0, otypes=[float])
    layers = [OwnLinear(params["w_1"], params["b_1"]), relu, OwnLinear(params["w_2"], params["b_2"])]
    return reduce(lambda value, layer: layer(value), layers, x)


@variant("feed_forward")
def feed_forward_careless(x, params, activation=None):
    print(params)
    warnings.warn("feeding", UserWarning, stacklevel=1)
    SEEN["fed"] = x
    w_1, b_1, w_2, b_2 = (params[name].copy() for name in ("w_1", "b_1", "w_2", "b_2"))
    hidden = x.copy() @ w_1 + b_1
    with np.errstate(divide="ignore", invalid="ignore"):
        hidden = np.nan_to_num(hidden / np.abs(hidden) * hidden**2 / np.abs(hidden)) if activation else hidden
    return np.asfortranarray(np.maximum(hidden, np.zeros_like(hidden)) @ w_2 + b_2)


# --- encoder_block ---------------------------------------------------------------------------------------------------


def _norm(x, norm):
    return layer_norm_mean_and_var(x, norm["gain"], norm["bias"])


@variant("encoder_block")
def encoder_block_with_own_functions(x, params, n_heads, mask=None, norm_first=False):
    if norm_first:
        attended = multi_head_attention_with_own_functions(
            _norm(x, params["norm_1"]), params["attention"], n_heads, mask
        )
        x = x + attended
        return x + feed_forward_plain(_norm(x, params["norm_2"]), params["feed_forward"])
    x = _norm(x + multi_head_attention_with_own_functions(x, params["attention"], n_heads, mask), params["norm_1"])
    return _norm(x + feed_forward_plain(x, params["feed_forward"]), params["norm_2"])


@variant("encoder_block")
def encoder_block_step_by_step(x, params, n_heads, mask=None, norm_first=False):
    """One path with an if in four places."""
    inside = _norm(x, params["norm_1"]) if norm_first else x
    out = x + multi_head_attention_head_by_head(inside, params["attention"], n_heads, mask=mask)
    if not norm_first:
        out = _norm(out, params["norm_1"])
    inside = _norm(out, params["norm_2"]) if norm_first else out
    result = out + feed_forward_where(inside, params["feed_forward"])
    return result if norm_first else _norm(result, params["norm_2"])


@variant("encoder_block")
def encoder_block_sublayer_helper(x, params, n_heads, mask=None, norm_first=False):
    def sublayer(x, f, name):
        norm = partial(layer_norm_power_minus_one_half, **params[name])
        return x + f(norm(x)) if norm_first else norm(x + f(x))

    attend = partial(multi_head_attention_einsum, params=params["attention"], n_heads=n_heads, mask=mask)
    x = sublayer(x, attend, "norm_1")
    return sublayer(x, partial(feed_forward_einsum, params=params["feed_forward"]), "norm_2")


@variant("encoder_block")
def encoder_block_before_and_after(x, params, n_heads, mask=None, norm_first=False):
    """A norm before or after each sublayer, and in the other place a function that does nothing."""
    sublayers = [
        lambda x: multi_head_attention_contributions(x, params["attention"], n_heads, mask),
        lambda x: feed_forward_times_truth(x, params["feed_forward"]),
    ]
    for number, f in enumerate(sublayers, start=1):
        norm = lambda x, values=params[f"norm_{number}"]: layer_norm_hypot(x, **values)  # noqa: E731
        before, after = (norm, np.copy) if norm_first else (np.copy, norm)
        x = after(x + f(before(x)))
    return x


@variant("encoder_block")
def encoder_block_all_in_one(x, params, n_heads, mask=None, norm_first=False):
    """No other function is called; heads are einsum letters."""
    a, f = params["attention"], params["feed_forward"]
    g_1, b_1, g_2, b_2 = (params[norm][part] for norm in ("norm_1", "norm_2") for part in ("gain", "bias"))
    d = x.shape[-1]
    y = x
    if norm_first:
        y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * g_1 + b_1
    q, k, v = ((y @ a[f"w_{c}"] + a[f"b_{c}"]).reshape(*x.shape[:-1], n_heads, d // n_heads) for c in "qkv")
    s = np.einsum("...ihf,...jhf->...hij", q, k) / np.sqrt(d / n_heads)
    if mask is not None:
        s = np.where(mask[..., None, :, :], s, -np.inf)
        s[np.isneginf(s).all(axis=-1)] = -1e4  # replaced, so that nothing is NaN; cleared below
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    if mask is not None:
        w = w * mask[..., None, :, :]
    h = x + np.einsum("...hij,...jhf->...ihf", w, v).reshape(x.shape) @ a["w_o"] + a["b_o"]
    if not norm_first:
        h = (h - h.mean(-1, keepdims=True)) / np.sqrt(h.var(-1, keepdims=True) + 1e-5) * g_1 + b_1
    y = h
    if norm_first:
        y = (h - h.mean(-1, keepdims=True)) / np.sqrt(h.var(-1, keepdims=True) + 1e-5) * g_2 + b_2
    h = h + np.maximum(y @ f["w_1"] + f["b_1"], 0) @ f["w_2"] + f["b_2"]
    if not norm_first:
        h = (h - h.mean(-1, keepdims=True)) / np.sqrt(h.var(-1, keepdims=True) + 1e-5) * g_2 + b_2
    return h


class OwnBlock:
    """As a layer of a library: made from its parameters, then called."""

    def __init__(self, params, n_heads, norm_first):
        self.attention = OwnMultiHead(params["attention"], n_heads)
        self.hidden = OwnLinear(params["feed_forward"]["w_1"], params["feed_forward"]["b_1"])
        self.back = OwnLinear(params["feed_forward"]["w_2"], params["feed_forward"]["b_2"])
        self.norms = [partial(layer_norm_std_squared, **params[name]) for name in ("norm_1", "norm_2")]
        self.norm_first = norm_first

    def residual(self, x, norm, f):
        return x + f(norm(x)) if self.norm_first else norm(x + f(x))

    def __call__(self, x, mask=None):
        x = self.residual(x, self.norms[0], lambda y: self.attention(y, y, y, mask))
        return self.residual(x, self.norms[1], lambda y: self.back(np.maximum(self.hidden(y), 0)))


@variant("encoder_block")
def encoder_block_layer_object(x, params, n_heads, mask=None, norm_first=False):
    return OwnBlock(params, n_heads, norm_first)(x, mask)


@variant("encoder_block")
def encoder_block_recursive(x, params, n_heads, mask=None, norm_first=False):
    if x.ndim > 2:
        mask = np.broadcast_to(True if mask is None else mask, (*x.shape[:-1], x.shape[-2]))
        pairs = zip(x, mask, strict=True)
        return np.stack([encoder_block_recursive(a, params, n_heads, seen, norm_first) for a, seen in pairs])
    return encoder_block_step_by_step(x, params, n_heads, mask, norm_first)


@variant("encoder_block")
def encoder_block_token_by_token(x, params, n_heads, mask=None, norm_first=False):
    """All numbers one at a time; only the attention looks at more than one token."""
    first = layer_norm_loops_with_math(x, **params["norm_1"]) if norm_first else x
    x = x + multi_head_attention_exact_sums(first, params["attention"], n_heads, mask)
    out = np.empty_like(x)
    for index in np.ndindex(*x.shape[:-1]):
        token = x[index] if norm_first else layer_norm_loops_with_math(x[index], **params["norm_1"])
        inside = layer_norm_loops_with_math(token, **params["norm_2"]) if norm_first else token
        token = token + feed_forward_exact_sums(inside, params["feed_forward"])
        out[index] = token if norm_first else layer_norm_loops_with_math(token, **params["norm_2"])
    return out


@variant("encoder_block")
def encoder_block_mask_made_full(x, params, n_heads, mask=None, norm_first=False):
    """There always is a mask, of the full shape."""
    mask = np.ones((1, 1), dtype=bool) if mask is None else mask
    mask = np.array(np.broadcast_to(mask, (*x.shape[:-1], x.shape[-2])))
    return encoder_block_sublayer_helper(x, params, n_heads, mask, norm_first)


@variant("encoder_block")
def encoder_block_in_place_on_a_copy(x, params, n_heads, mask=None, norm_first=False):
    out = np.array(x, order="F")
    if norm_first:
        out += multi_head_attention_streaming(_norm(out, params["norm_1"]), params["attention"], n_heads, mask)
        out += feed_forward_in_place_on_its_own(_norm(out, params["norm_2"]), params["feed_forward"])
        return out
    out += multi_head_attention_streaming(out, params["attention"], n_heads, mask)
    out[:] = layer_norm_welford(out, **params["norm_1"])
    out += feed_forward_in_place_on_its_own(out, params["feed_forward"])
    out[...] = layer_norm_welford(out, **params["norm_2"])
    return out


@variant("encoder_block")
def encoder_block_careless(x, params, n_heads, mask=None, norm_first=False, **options):
    print("block", norm_first, options)
    warnings.warn("block", UserWarning, stacklevel=1)
    SEEN["block"] = params
    params = {name: {key: value.copy() for key, value in part.items()} for name, part in params.items()}
    attend = lambda x: multi_head_attention_careless(x, params["attention"], n_heads, mask)  # noqa: E731
    feed = lambda x: feed_forward_careless(x, params["feed_forward"])  # noqa: E731
    for f, name in zip((attend, feed), ("norm_1", "norm_2"), strict=True):
        norm = params.pop(name)  # from its own copy
        if norm_first is True:
            x = np.add(f(layer_norm_careless(x, *norm.values())), x)
        elif norm_first is False:
            x = layer_norm_careless(np.add(f(x), x), *norm.values())
    return x


# --- decoder_block ---------------------------------------------------------------------------------------------------


@variant("decoder_block")
def decoder_block_with_own_functions(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    attend = multi_head_attention_with_own_functions
    p = params
    if norm_first:
        x = x + attend(_norm(x, p["norm_1"]), p["self_attention"], n_heads, mask)
        x = x + attend(_norm(x, p["norm_2"]), p["cross_attention"], n_heads, memory_mask, memory)
        return x + feed_forward_plain(_norm(x, p["norm_3"]), p["feed_forward"])
    x = _norm(x + attend(x, p["self_attention"], n_heads, mask), p["norm_1"])
    x = _norm(x + attend(x, p["cross_attention"], n_heads, memory_mask, memory), p["norm_2"])
    return _norm(x + feed_forward_plain(x, p["feed_forward"]), p["norm_3"])


@variant("decoder_block")
def decoder_block_step_by_step(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    """One path with an if before and after each sublayer."""
    y = _norm(x, params["norm_1"]) if norm_first else x
    x = x + multi_head_attention_head_by_head(y, params["self_attention"], n_heads, mask)
    x = x if norm_first else _norm(x, params["norm_1"])
    y = _norm(x, params["norm_2"]) if norm_first else x
    x = x + multi_head_attention_head_by_head(y, params["cross_attention"], n_heads, memory_mask, memory)
    x = x if norm_first else _norm(x, params["norm_2"])
    y = _norm(x, params["norm_3"]) if norm_first else x
    x = x + feed_forward_where(y, params["feed_forward"])
    return x if norm_first else _norm(x, params["norm_3"])


@variant("decoder_block")
def decoder_block_loop_over_sublayers(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    steps = {
        "norm_1": lambda y: multi_head_attention_contributions(y, params["self_attention"], n_heads, mask),
        "norm_2": lambda y: multi_head_attention_contributions(
            y, params["cross_attention"], n_heads, memory_mask, memory
        ),
        "norm_3": lambda y: feed_forward_times_truth(y, params["feed_forward"]),
    }
    for name, step in steps.items():
        x = x + step(_norm(x, params[name])) if norm_first else _norm(x + step(x), params[name])
    return x


@variant("decoder_block")
def decoder_block_generator_of_sublayers(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    def sublayers():
        yield partial(multi_head_attention_einsum, params=params["self_attention"], n_heads=n_heads, mask=mask)
        yield partial(
            multi_head_attention_einsum,
            params=params["cross_attention"],
            n_heads=n_heads,
            mask=memory_mask,
            memory=memory,
        )
        yield partial(feed_forward_einsum, params=params["feed_forward"])

    def residual(x, numbered):
        number, f = numbered
        norm = partial(layer_norm_einsum, **params[f"norm_{number}"])
        return x + f(norm(x)) if norm_first else norm(x + f(x))

    return reduce(residual, enumerate(sublayers(), start=1), x)


@variant("decoder_block")
def decoder_block_encoder_with_a_middle(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    """Two of the sublayers are taken from the encoder block, one after the other, with the rest silent."""
    silent = {key: np.zeros_like(value) for key, value in params["feed_forward"].items()}
    if not norm_first:
        return decoder_block_step_by_step(x, memory, params, n_heads, mask, memory_mask)
    first = {"attention": params["self_attention"], "norm_1": params["norm_1"], "norm_2": params["norm_3"]}
    x = encoder_block_step_by_step(x, first | {"feed_forward": silent}, n_heads, mask, True)
    y = _norm(x, params["norm_2"])
    x = x + multi_head_attention_with_own_functions(y, params["cross_attention"], n_heads, memory_mask, memory)
    return x + feed_forward_plain(_norm(x, params["norm_3"]), params["feed_forward"])


class OwnDecoder:
    """Layers, norms and a flag; a call goes through them in order."""

    def __init__(self, params, n_heads, norm_first):
        self.own = OwnMultiHead(params["self_attention"], n_heads)
        self.across = OwnMultiHead(params["cross_attention"], n_heads)
        self.params, self.norm_first = params, norm_first

    def add(self, x, number, f):
        norm = self.params["norm_%d" % number]  # noqa: UP031
        if self.norm_first:
            return x + f(layer_norm_two_passes_corrected(x, norm["gain"], norm["bias"]))
        return layer_norm_two_passes_corrected(x + f(x), norm["gain"], norm["bias"])

    def __call__(self, x, memory, mask, memory_mask):
        x = self.add(x, 1, lambda y: self.own(y, y, y, mask))
        x = self.add(x, 2, lambda y: self.across(y, memory, memory, memory_mask))
        return self.add(x, 3, lambda y: feed_forward_chain_of_callables(y, self.params["feed_forward"]))


@variant("decoder_block")
def decoder_block_layer_object(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    return OwnDecoder(params, n_heads, norm_first)(x, memory, mask, memory_mask)


@variant("decoder_block")
def decoder_block_recursive(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    if x.ndim == 2:
        return decoder_block_with_own_functions(x, memory, params, n_heads, mask, memory_mask, norm_first)
    n, m = x.shape[-2], memory.shape[-2]
    mask = np.broadcast_to(True if mask is None else mask, (*x.shape[:-2], n, n))
    memory_mask = np.broadcast_to(True if memory_mask is None else memory_mask, (*x.shape[:-2], n, m))
    return np.array(
        [
            decoder_block_recursive(*own, params, n_heads, *seen, norm_first)
            for own, seen in zip(zip(x, memory, strict=True), zip(mask, memory_mask, strict=True), strict=True)
        ]
    )


@variant("decoder_block")
def decoder_block_masks_made_full(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    """There always are two masks; the heads' batch is one axis."""
    own = np.ones((x.shape[-2], x.shape[-2]), dtype=bool) & (True if mask is None else mask)
    across = np.ones((x.shape[-2], memory.shape[-2]), dtype=bool) & (True if memory_mask is None else memory_mask)
    attend = multi_head_attention_batch_and_heads_in_one_axis

    def norm(x, number):
        return layer_norm_scaled_to_one(x, **params[f"norm_{number}"])

    def step(x, number, f):
        return x + f(norm(x, number)) if norm_first else norm(f(x) + x, number)

    x = step(x, 1, lambda y: attend(y, params["self_attention"], n_heads, own))
    x = step(x, 2, lambda y: attend(y, params["cross_attention"], n_heads, across, memory))
    return step(x, 3, lambda y: feed_forward_all_tokens_in_one_matrix(y, params["feed_forward"]))


@variant("decoder_block")
def decoder_block_number_by_number(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    attend, norm = multi_head_attention_exact_sums, layer_norm_loops_with_math
    for number, f in (
        (1, lambda y: attend(y, params["self_attention"], n_heads, mask)),
        (2, lambda y: attend(y, params["cross_attention"], n_heads, memory_mask, memory)),
        (3, lambda y: feed_forward_exact_sums(y, params["feed_forward"])),
    ):
        gain, bias = params[f"norm_{number}"]["gain"], params[f"norm_{number}"]["bias"]
        x = x + f(norm(x, gain, bias)) if norm_first else norm(x + f(x), gain, bias)
    return x


@variant("decoder_block")
def decoder_block_memory_seen_first(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    """Keys and values of the memory are made before anything else, as when they serve for many tokens in turn."""
    cross = params["cross_attention"]
    k, v = (split_heads_plain(memory @ cross[f"w_{c}"] + cross[f"b_{c}"], n_heads) for c in "kv")
    seen = None if memory_mask is None else np.expand_dims(memory_mask, -3)

    def look_up(y):
        q = split_heads_plain(y @ cross["w_q"] + cross["b_q"], n_heads)
        return merge_heads_plain(_attention(q, k, v, seen)[0]) @ cross["w_o"] + cross["b_o"]

    def norm(y, name):
        return layer_norm_one_scale_and_one_shift(y, **params[name])

    if not norm_first:
        x = norm(x + multi_head_attention_one_matrix_for_all(x, params["self_attention"], n_heads, mask), "norm_1")
        x = norm(x + look_up(x), "norm_2")
        return norm(x + feed_forward_half_of_sum_with_magnitude(x, params["feed_forward"]), "norm_3")
    y = norm(x, "norm_1")
    x = x + multi_head_attention_one_matrix_for_all(y, params["self_attention"], n_heads, mask)
    x = x + look_up(norm(x, "norm_2"))
    return x + feed_forward_half_of_sum_with_magnitude(norm(x, "norm_3"), params["feed_forward"])


@variant("decoder_block")
def decoder_block_careless(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False, debug=True):
    if debug:
        print(x.shape, memory.shape, params.keys())
    warnings.warn("decoding", UserWarning, stacklevel=1)
    SEEN["memory"] = memory
    out = x.copy()
    steps = [
        ("self_attention", "norm_1", mask, None),
        ("cross_attention", "norm_2", memory_mask, memory.copy()),
        ("feed_forward", "norm_3", None, None),
    ]
    while steps:
        part, name, seen, source = steps.pop(0)
        gain, bias = params[name]["gain"], params[name]["bias"]
        y = layer_norm_careless(out, gain, bias) if norm_first else out
        if "attention" in part:
            out = out + multi_head_attention_careless(y, params[part], n_heads, seen, source)
        else:
            out = out + feed_forward_careless(y, params[part])
        if not norm_first:
            out = layer_norm_careless(out, gain, bias)
    return np.ascontiguousarray(out)
