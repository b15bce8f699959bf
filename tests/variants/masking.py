"""Right solutions of the lesson ``masking`` in many styles, careful and careless."""

import itertools
import operator
import warnings
from functools import cache, reduce

import numpy as np

from tests.variants import variant

# --- causal_mask -----------------------------------------------------------------------------------------------------


@variant("causal_mask")
def causal_mask_tri(n):
    return np.tri(n, dtype=bool)


@variant("causal_mask")
def causal_mask_tril(n):
    return np.tril(np.ones((n, n))).astype(bool)


@variant("causal_mask")
def causal_mask_not_triu(n):
    return ~np.triu(np.ones((n, n), dtype=bool), k=1)


@variant("causal_mask")
def causal_mask_positions(n):
    position = np.arange(n)
    return position <= position[:, None]


@variant("causal_mask")
def causal_mask_outer(n):
    return np.greater_equal.outer(np.arange(n), np.arange(n))


@variant("causal_mask")
def causal_mask_outer_transposed(n):
    """A view with its memory in another order."""
    return np.less_equal.outer(np.arange(n), np.arange(n)).T


@variant("causal_mask")
def causal_mask_list_comprehension(n):
    return np.array([[key <= query for key in range(n)] for query in range(n)])


@variant("causal_mask")
def causal_mask_loops(n):
    mask = np.zeros((n, n), bool)
    for query in range(n):
        mask[query, : query + 1] = True
    return mask


@variant("causal_mask")
def causal_mask_lower_indices(n):
    mask = np.full((n, n), False)
    mask[np.tril_indices(n)] = True
    return mask


@variant("causal_mask")
def causal_mask_accumulated(n):
    return np.logical_or.accumulate(np.eye(n, dtype=bool)[::-1], axis=0)[::-1].T.copy()


@variant("causal_mask")
def causal_mask_windows_of_one_row(n):
    """Every row is a window on the same memory, and the result cannot be written to."""
    row = np.arange(2 * n - 1) < n
    return np.lib.stride_tricks.sliding_window_view(row, n)[::-1]


@variant("causal_mask")
def causal_mask_from_function(n):
    return np.fromfunction(lambda i, j: i - j > -0.5, (n, n))


@variant("causal_mask")
def causal_mask_recursive(n):
    if n == 1:
        return np.array([[True]])
    return np.block([[causal_mask_recursive(n - 1), np.zeros((n - 1, 1), bool)], [np.ones((1, n), bool)]])


@cache
def _cached(n):
    mask = np.tri(n) > 0
    mask.flags.writeable = False
    return mask


@variant("causal_mask")
def causal_mask_cached(n):
    return _cached(n)


_largest = np.tri(64, dtype=bool)


@variant("causal_mask")
def causal_mask_corner_of_a_large_one(n):
    return _largest[:n, :n]


@variant("causal_mask")
def causal_mask_careless(n: int, verbose: bool = True) -> np.ndarray:
    warnings.warn("masking", DeprecationWarning, stacklevel=1)
    np.random.seed(n)
    scores = np.random.rand(n, n)
    scores[np.triu_indices(n, 1)] = float("-inf")
    if verbose:
        print(scores)
    return np.isfinite(scores)


# --- padding_mask ----------------------------------------------------------------------------------------------------


@variant("padding_mask")
def padding_mask_broadcast(lengths, n):
    return np.arange(n) < np.asarray(lengths)[:, None, None]


@variant("padding_mask")
def padding_mask_reshaped(lengths, n):
    return (np.arange(n)[None] < np.array(lengths).reshape(-1, 1)).reshape(-1, 1, n)


@variant("padding_mask")
def padding_mask_expanded(lengths, n):
    return np.expand_dims(np.vstack([np.arange(n) < length for length in lengths]), 1)


@variant("padding_mask")
def padding_mask_outer(lengths, n):
    return np.greater.outer(lengths, np.arange(n))[:, np.newaxis, :]


@variant("padding_mask")
def padding_mask_list_comprehension(lengths, n):
    return np.array([[[j < length for j in range(n)]] for length in lengths])


@variant("padding_mask")
def padding_mask_loops(lengths, n):
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for sequence, length in enumerate(lengths):
        mask[sequence, 0, :length] = True
    return mask


@variant("padding_mask")
def padding_mask_rows_repeated(lengths, n):
    rows = [[True] * int(length) + [False] * (n - int(length)) for length in lengths]
    return np.array(rows, dtype=bool)[:, None]


@variant("padding_mask")
def padding_mask_rows_of_a_triangle(lengths, n):
    return np.tri(n + 1, n, -1, dtype=bool)[lengths][:, None, :]


@variant("padding_mask")
def padding_mask_not_the_padding(lengths, n):
    return np.logical_not(np.array(lengths)[:, np.newaxis, np.newaxis] <= np.arange(n))


@variant("padding_mask")
def padding_mask_counted_down(lengths, n):
    left = np.array(lengths, dtype=int)
    columns = []
    for _ in range(n):
        columns.append(left > 0)
        left -= 1
    return np.stack(columns, axis=-1)[:, None]


@variant("padding_mask")
def padding_mask_in_fortran_order(lengths, n):
    return np.asfortranarray(np.arange(n)[None, None, :] - np.array(lengths)[:, None, None] < 0)


@variant("padding_mask")
def padding_mask_careless(lengths, n, dtype=bool):
    print(list(lengths), n)
    batch = len(lengths)
    grid = np.tile(np.arange(n), (batch, 1)).astype(float)
    grid[grid >= np.reshape(lengths, (batch, 1))] = np.nan
    return (~np.isnan(np.sqrt(-1 * np.zeros(1)) + grid)).astype(dtype)[:, None, :]


# --- combine_masks ---------------------------------------------------------------------------------------------------


@variant("combine_masks")
def combine_masks_reduce_and(*masks):
    return reduce(operator.and_, masks)


@variant("combine_masks")
def combine_masks_reduce_logical_and(*masks):
    return reduce(np.logical_and, masks, np.ones((1, 1), dtype=bool))


@variant("combine_masks")
def combine_masks_loop(*masks):
    result = masks[0].copy()
    for mask in masks[1:]:
        result = result & mask
    return result


@variant("combine_masks")
def combine_masks_in_place_on_a_full_one(*masks):
    result = np.ones(np.broadcast_shapes(*[mask.shape for mask in masks]), dtype=bool)
    for mask in masks:
        result &= mask
    return result


@variant("combine_masks")
def combine_masks_all_of_broadcast(*masks):
    return np.all(np.broadcast_arrays(*masks), axis=0)


@variant("combine_masks")
def combine_masks_logical_and_reduce(*masks):
    return np.logical_and.reduce(np.stack(np.broadcast_arrays(*masks), axis=-1), axis=-1)


@variant("combine_masks")
def combine_masks_no_veto(*masks):
    return ~reduce(np.logical_or, [~mask for mask in masks])


@variant("combine_masks")
def combine_masks_product(*masks):
    product = np.array(True)
    for mask in masks:
        product = product * mask
    return product.astype(bool)


@variant("combine_masks")
def combine_masks_counted(*masks):
    return sum(mask.astype(int) for mask in masks) == len(masks)


@variant("combine_masks")
def combine_masks_smallest(*masks):
    return reduce(np.minimum, masks)


@variant("combine_masks")
def combine_masks_recursive(first, *others):
    """One mask alone comes back as it is, the same object."""
    return first & combine_masks_recursive(*others) if others else first


@variant("combine_masks")
def combine_masks_accumulated(*masks):
    *_, last = itertools.accumulate(masks, np.bitwise_and)
    return last


@variant("combine_masks")
def combine_masks_entry_by_entry(*masks):
    views = np.broadcast_arrays(*masks)
    return np.array([all(entries) for entries in zip(*(view.flat for view in views), strict=True)]).reshape(
        views[0].shape
    )


@variant("combine_masks")
def combine_masks_view_of_larger_memory(*masks):
    both = reduce(np.logical_and, masks)
    return np.concatenate([both, both], axis=-1)[..., : both.shape[-1]]


@variant("combine_masks")
def combine_masks_careless(*masks: np.ndarray, verbose: bool = True) -> np.ndarray:
    with np.errstate(all="ignore"):
        scores = sum(np.where(mask, 0.0, -np.inf) for mask in masks)
    if verbose:
        print(f"combining {len(masks)} masks")
    return np.exp(scores) > 0
