"""Oracles of the lesson ``transformer``: head by head and sublayer by sublayer, with the error carried through.

Heads are slices of the features that are put side by side again, so nothing here reshapes or moves an axis.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grader.bounds import ELEMENTARY, UNIT, Array, Bounded, sum_error
from grader.oracles import remembered
from grader.oracles.attention import TINIEST

Params = Mapping[str, Any]
exact = Bounded.exact


@remembered
def split_heads(x: Array, n_heads: int) -> Array:
    """``(..., n, d)`` to ``(..., n_heads, n, d / n_heads)``, entry by entry."""
    *batch, n, d = x.shape
    width = d // n_heads
    split = np.zeros((*batch, n_heads, n, width))
    for head in range(n_heads):
        for feature in range(width):
            split[..., head, :, feature] = x[..., head * width + feature]
    return split


@remembered
def merge_heads(x: Array) -> Array:
    """``(..., n_heads, n, width)`` to ``(..., n, n_heads · width)``, entry by entry."""
    *batch, n_heads, n, width = x.shape
    merged = np.zeros((*batch, n, n_heads * width))
    for head in range(n_heads):
        for feature in range(width):
            merged[..., head * width + feature] = x[..., head, :, feature]
    return merged


@remembered
def multi_head_attention(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, memory: Array | None = None
) -> Bounded:
    """Every head on its own slice of the features; their outputs side by side, through the last map."""
    return _multi_head_attention(exact(x), params, n_heads, mask, None if memory is None else exact(memory))


def _multi_head_attention(
    x: Bounded, params: Params, n_heads: int, mask: Array | None, memory: Bounded | None
) -> Bounded:
    memory = x if memory is None else memory
    q = _linear(x, params["w_q"], params["b_q"])
    k = _linear(memory, params["w_k"], params["b_k"])
    v = _linear(memory, params["w_v"], params["b_v"])
    width = x.value.shape[-1] // n_heads
    heads = [
        _attention(q[..., place], k[..., place], v[..., place], mask)
        for place in (slice(head * width, (head + 1) * width) for head in range(n_heads))
    ]
    side_by_side = Bounded(
        np.concatenate([head.value for head in heads], axis=-1), np.concatenate([head.error for head in heads], axis=-1)
    )
    return _linear(side_by_side, params["w_o"], params["b_o"])


def _linear(x: Bounded, w: Array, b: Array) -> Bounded:
    return x @ exact(w) + exact(b)


def _attention(q: Bounded, k: Bounded, v: Bounded, mask: Array | None) -> Bounded:
    """Scaled dot-product attention of one head; a query that sees nothing gets 0.

    A weight's relative error is at most ``expm1(2e + 8u(1 + |s|))``, for scores ``s`` below the largest and an error
    ``e`` in them, plus its average over the row and ``(2n + 8)u`` from the sum.
    """
    root = np.sqrt(q.value.shape[-1])
    scores = q @ Bounded(np.swapaxes(k.value, -1, -2), np.swapaxes(k.error, -1, -2))
    visible = np.broadcast_to(True if mask is None else mask, scores.value.shape)
    shifted = np.where(visible, scores.value / root, -np.inf)
    top = shifted.max(axis=-1, keepdims=True)
    shifted = shifted - np.where(np.isfinite(top), top, 0)
    exps = np.exp(shifted)
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total > 0, total, 1)
    score_error = np.where(visible, scores.error / root + ELEMENTARY * UNIT * np.abs(scores.value / root), 0)
    exponent = 2 * score_error.max(axis=-1, keepdims=True) + ELEMENTARY * UNIT * (1 + np.abs(shifted))
    relative = np.expm1(np.where(weights > 0, np.minimum(exponent, 700), 0))
    common = (weights * relative).sum(axis=-1, keepdims=True) + sum_error(weights.shape[-1], 1.0, UNIT)
    return Bounded(weights, np.where(visible, weights * (relative + common) + TINIEST, 0)) @ v


@remembered
def layer_norm(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Bounded:
    """``gain · (x - mean) / sqrt(variance + eps) + bias`` over the last axis."""
    return _layer_norm(exact(x), gain, bias, eps)


def _layer_norm(x: Bounded, gain: Array, bias: Array, eps: float = 1e-5) -> Bounded:
    """An error ``r`` relative to ``variance + eps`` is one of at most ``r`` relative to the root, for r up to 1."""
    centred = x - x.mean()
    variance = (centred * centred).mean()
    inside = variance.value + eps
    relative = variance.error / inside + ELEMENTARY * UNIT
    inverse = Bounded(1 / np.sqrt(inside), relative / np.sqrt(inside))
    return centred * inverse * exact(gain) + exact(bias)


@remembered
def feed_forward(x: Array, params: Params) -> Bounded:
    """A map, ReLU, another map."""
    return _feed_forward(exact(x), params)


def _feed_forward(x: Bounded, params: Params) -> Bounded:
    hidden = _linear(x, params["w_1"], params["b_1"])
    return _linear(Bounded(np.maximum(hidden.value, 0), hidden.error), params["w_2"], params["b_2"])


@remembered
def encoder_block(
    x: Array, params: Params, n_heads: int, mask: Array | None = None, norm_first: bool = False
) -> Bounded:
    """Two sublayers, attention and feed-forward."""
    sublayers = [
        lambda x: _multi_head_attention(x, params["attention"], n_heads, mask, None),
        lambda x: _feed_forward(x, params["feed_forward"]),
    ]
    return _block(exact(x), sublayers, params, norm_first)


@remembered
def decoder_block(
    x: Array,
    memory: Array,
    params: Params,
    n_heads: int,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    norm_first: bool = False,
) -> Bounded:
    """Three sublayers: attention to itself, attention to the memory, feed-forward."""
    sublayers = [
        lambda x: _multi_head_attention(x, params["self_attention"], n_heads, mask, None),
        lambda x: _multi_head_attention(x, params["cross_attention"], n_heads, memory_mask, exact(memory)),
        lambda x: _feed_forward(x, params["feed_forward"]),
    ]
    return _block(exact(x), sublayers, params, norm_first)


def _block(x: Bounded, sublayers: list[Callable[[Bounded], Bounded]], params: Params, norm_first: bool) -> Bounded:
    """Each sublayer with its residual, and its norm before the sublayer or after the sum."""
    for number, sublayer in enumerate(sublayers, 1):
        norm = params[f"norm_{number}"]
        if norm_first:
            x = x + sublayer(_layer_norm(x, norm["gain"], norm["bias"]))
        else:
            x = _layer_norm(x + sublayer(x), norm["gain"], norm["bias"])
    return x
