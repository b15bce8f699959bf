"""Oracles of the lesson ``masking``: one query and one key at a time. Masks are exact."""

from collections.abc import Sequence

import numpy as np

from grader.bounds import Array
from grader.oracles import remembered


@remembered
def causal_mask(n: int) -> Array:
    """True where the key is not later than the query."""
    return np.array([[key <= query for key in range(n)] for query in range(n)], dtype=bool).reshape(n, n)


@remembered
def padding_mask(lengths: Sequence[int] | Array, n: int) -> Array:
    """True where the key lies within its sequence, with an axis of one for the queries."""
    return np.array([[[key < length for key in range(n)]] for length in lengths], dtype=bool)


@remembered
def combine_masks(*masks: Array) -> Array:
    """True where every mask is, entry by entry of the common shape."""
    views = np.broadcast_arrays(*masks)
    combined = np.zeros(views[0].shape, dtype=bool)
    for index in np.ndindex(combined.shape):
        combined[index] = all(view[index] for view in views)
    return combined
