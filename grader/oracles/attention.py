"""Oracles of the lesson ``attention``: one query and one key at a time."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from grader.bounds import ELEMENTARY, Array, Bounded, sum_error, unit_roundoff
from grader.oracles import remembered

TINIEST = 1e-300
"""Below this, whether a weight is a tiny number or 0 depends on how the program got there."""


def softmax_slice(x: Sequence[float], errors: Sequence[float], u: float) -> tuple[list[float], list[float]]:
    """Softmax of one slice with a finite entry, and the error bound of each weight.

    With ``s_i = x_i - max x`` and an error ``e`` in the logits, ``exp(s_i)`` is off by the relative amount
    ``expm1(2e + 8u(1 + |s_i|))``; the sum averages these amounts by weight and adds its own (2n + 8)u.
    """
    top = max(x)
    shifted = [value - top for value in x]
    exps = [math.exp(s) for s in shifted]
    total = math.fsum(exps)
    weights = [e / total for e in exps]
    logit_error = 2 * max(errors)
    relative = [math.expm1(min(700.0, logit_error + ELEMENTARY * u * (1 + abs(s)))) if w > 0 else 0.0
                for s, w in zip(shifted, weights, strict=True)]  # fmt: skip
    common = math.fsum(w * r for w, r in zip(weights, relative, strict=True)) + (2 * len(x) + ELEMENTARY) * u
    return weights, [w * (r + common) + (TINIEST if w < 1 else 0) for w, r in zip(weights, relative, strict=True)]


@remembered
def softmax(x: Array, axis: int = -1) -> Bounded:
    """``exp(x_j) / sum_i exp(x_i)`` along ``axis``; a slice of nothing but -inf gets weights 0."""
    u = unit_roundoff(x.dtype)
    moved = np.moveaxis(np.asarray(x, dtype=np.float64), axis, -1)
    value, error = np.zeros(moved.shape), np.zeros(moved.shape)
    for index in np.ndindex(moved.shape[:-1]):
        logits = [float(entry) for entry in moved[index]]
        finite = [j for j, entry in enumerate(logits) if entry > -math.inf]
        if not finite:
            continue
        weights, errors = softmax_slice([logits[j] for j in finite], [0.0] * len(finite), u)
        for j, weight, bound in zip(finite, weights, errors, strict=True):
            value[(*index, j)], error[(*index, j)] = weight, bound
    return Bounded(np.moveaxis(value, -1, axis), np.moveaxis(error, -1, axis))


def score(q: Sequence[float], k: Sequence[float], u: float) -> tuple[float, float]:
    """``q · k / sqrt(d_k)`` of one query and one key, and its error bound."""
    terms = [a * b for a, b in zip(q, k, strict=True)]
    root = math.sqrt(len(terms))
    return math.fsum(terms) / root, sum_error(len(terms), math.fsum(map(abs, terms)) / root, u)


@remembered
def scaled_scores(q: Array, k: Array) -> Bounded:
    """``q kᵀ / sqrt(d_k)``, entry by entry.

    A program may take the products from squares, ``qk = ((q + k)² - (q - k)²) / 4``, which is off in proportion to the
    squares, and these add up to at least as much as the products.
    """
    u = unit_roundoff(np.result_type(q, k))
    shape = (*q.shape[:-1], k.shape[-2])
    value, error = np.zeros(shape), np.zeros(shape)
    for batch in np.ndindex(q.shape[:-2]):
        queries, keys = q[batch].tolist(), k[batch].tolist()
        for i, j in product(range(len(queries)), range(len(keys))):
            value[(*batch, i, j)], from_products = score(queries[i], keys[j], u)
            squares = math.fsum(x * x for x in (*queries[i], *keys[j])) / 2 / math.sqrt(q.shape[-1])
            error[(*batch, i, j)] = max(from_products, sum_error(q.shape[-1], squares, u))
    return Bounded(value, error)


@remembered
def attention(q: Array, k: Array, v: Array, mask: Array | None = None) -> tuple[Bounded, Bounded]:
    """Output and weights, query by query over the keys that it may see; no key in sight gives zeros."""
    u = unit_roundoff(np.result_type(q, k, v))
    batch_shape, n_q, n_k, d_v = q.shape[:-2], q.shape[-2], k.shape[-2], v.shape[-1]
    visible = np.broadcast_to(True if mask is None else mask, (*batch_shape, n_q, n_k))
    weights, weights_error = np.zeros(visible.shape), np.zeros(visible.shape)
    output, output_error = np.zeros((*batch_shape, n_q, d_v)), np.zeros((*batch_shape, n_q, d_v))
    for batch in np.ndindex(batch_shape):
        queries, keys, values = q[batch].tolist(), k[batch].tolist(), v[batch].tolist()
        for i in range(n_q):
            seen = [j for j in range(n_k) if visible[(*batch, i, j)]]
            if not seen:
                continue
            scores, errors = zip(*(score(queries[i], keys[j], u) for j in seen), strict=True)
            row, row_error = softmax_slice(scores, errors, u)
            for j, weight, bound in zip(seen, row, row_error, strict=True):
                weights[(*batch, i, j)], weights_error[(*batch, i, j)] = weight, bound
            for c in range(d_v):
                column = [values[j][c] for j in seen]
                output[(*batch, i, c)] = math.fsum(w * x for w, x in zip(row, column, strict=True))
                magnitude = math.fsum(w * abs(x) for w, x in zip(row, column, strict=True))
                carried = math.fsum(e * abs(x) for e, x in zip(row_error, column, strict=True))
                output_error[(*batch, i, c)] = carried + sum_error(n_k, magnitude, u)
    return Bounded(output, output_error), Bounded(weights, weights_error)
