"""Wrong solutions of the lesson ``masking``."""

# NumPy types the arithmetic of arrays of any dtype as Any.
# mypy: disable-error-code="no-any-return"

from collections.abc import Sequence
from functools import cache, reduce

import numpy as np

from grader.bounds import Array
from grader.misconceptions import misconception

Lengths = list[int] | Array
LONGEST = 64
"""Tokens for which the memory of the shared causal mask has room."""


@cache
def _buffer(shape: tuple[int, ...]) -> Array:
    """One array for each shape, handed out again and again."""
    return np.empty(shape, dtype=bool)


# --- causal_mask -----------------------------------------------------------------------------------------------------


def _causal(n: int) -> Array:
    """The right mask."""
    return np.tri(n, dtype=bool)


@misconception("causal_mask")
def causal_mask_additive_mask(n: int) -> Array:
    """The mask holds 0 and minus infinity, to be added to the scores, instead of True and False.

    Next: say only who may attend to whom; the scores are another function's work.
    """
    return np.where(_causal(n), 0.0, -np.inf)


@misconception("causal_mask")
def causal_mask_float_mask(n: int) -> Array:
    """The mask holds the floats 0 and 1 instead of False and True.

    Next: ask for the boolean type, or compare positions, which gives it by itself.
    """
    return _causal(n).astype(np.float64)


@misconception("causal_mask")
def causal_mask_int_mask(n: int) -> Array:
    """The mask holds the integers 0 and 1 instead of False and True.

    Next: ask for the boolean type, or compare positions, which gives it by itself.
    """
    return _causal(n).astype(np.int64)


@misconception("causal_mask")
def causal_mask_nested_lists(n: int) -> list[list[bool]]:
    """The mask is a list of lists, not an array: it has no shape, and neither ``&`` nor ``~`` works on it.

    Next: return a NumPy array.
    """
    return _causal(n).tolist()


@misconception("causal_mask")
def causal_mask_causal_off_by_one(n: int) -> Array:
    """A token may not attend to itself, so the first one has nothing to attend to.

    Next: the diagonal belongs to what is visible.
    """
    return np.tri(n, k=-1, dtype=bool)


@misconception("causal_mask")
def causal_mask_sees_one_ahead(n: int) -> Array:
    """Each token may attend to the next one too, which is the one it has to predict.

    Next: the diagonal is the last visible entry of each row.
    """
    return np.tri(n, k=1, dtype=bool)


@misconception("causal_mask")
def causal_mask_mask_inverted(n: int) -> Array:
    """True marks what is hidden instead of what is visible.

    Next: in this course True means "may attend".
    """
    return ~_causal(n)


@misconception("causal_mask")
def causal_mask_transposed(n: int) -> Array:
    """Rows and columns are swapped, so each token sees itself and the future instead of the past.

    Next: rows are queries and columns are keys.
    """
    return _causal(n).T


@misconception("causal_mask")
def causal_mask_from_the_end(n: int) -> Array:
    """The rows run the wrong way: the first token sees everything and the last one only the first.

    Next: write out the three rows for three tokens; the first token has no past.
    """
    return _causal(n)[::-1]


@misconception("causal_mask")
def causal_mask_band(n: int) -> Array:
    """Each token sees only itself and the one before it, not the whole past.

    Next: try more than two tokens.
    """
    return _causal(n) & ~np.tri(n, k=-2, dtype=bool)


@misconception("causal_mask")
def causal_mask_hides_nothing(n: int) -> Array:
    """Every token may attend to every other, also to later ones.

    Next: compare the position of the key with the position of the query.
    """
    return np.ones((n, n), dtype=bool)


@misconception("causal_mask")
def causal_mask_only_itself(n: int) -> Array:
    """Each token sees only itself.

    Next: everything before the diagonal is visible as well.
    """
    return np.eye(n, dtype=bool)


@misconception("causal_mask")
def causal_mask_batch_axis(n: int) -> Array:
    """The mask has a batch axis of length 1 in front.

    Next: leave the axis out; a mask with two axes broadcasts over any batch.
    """
    return _causal(n)[None]


@misconception("causal_mask")
def causal_mask_one_too_large(n: int) -> Array:
    """The mask has one row and one column too many.

    Next: positions run from 0 to n - 1.
    """
    return _causal(n + 1)


@misconception("causal_mask")
def causal_mask_shared_buffer(n: int) -> Array:
    """Every call writes its mask into the same memory, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    mask = _buffer((LONGEST * LONGEST,))[: n * n].reshape(n, n)
    mask[...] = _causal(n)
    return mask


# --- padding_mask ----------------------------------------------------------------------------------------------------


def _padding(lengths: Lengths, n: int) -> Array:
    """The right mask."""
    return np.arange(n) < np.asarray(lengths)[:, None, None]


@misconception("padding_mask")
def padding_mask_additive_mask(lengths: Lengths, n: int) -> Array:
    """The mask holds 0 and minus infinity, to be added to the scores, instead of True and False.

    Next: say only which keys are real; the scores are another function's work.
    """
    return np.where(_padding(lengths, n), 0.0, -np.inf)


@misconception("padding_mask")
def padding_mask_float_mask(lengths: Lengths, n: int) -> Array:
    """The mask holds the floats 0 and 1 instead of False and True.

    Next: ask for the boolean type, or compare positions, which gives it by itself.
    """
    return _padding(lengths, n).astype(np.float64)


@misconception("padding_mask")
def padding_mask_int_mask(lengths: Lengths, n: int) -> Array:
    """The mask holds the integers 0 and 1 instead of False and True.

    Next: ask for the boolean type, or compare positions, which gives it by itself.
    """
    return _padding(lengths, n).astype(np.int64)


@misconception("padding_mask")
def padding_mask_mask_inverted(lengths: Lengths, n: int) -> Array:
    """True marks the padding instead of the real keys.

    Next: in this course True means "may attend".
    """
    return ~_padding(lengths, n)


@misconception("padding_mask")
def padding_mask_padding_off_by_one(lengths: Lengths, n: int) -> Array:
    """One key of padding is visible after each sequence.

    Next: positions start at 0, so a sequence of length 3 has the positions 0, 1 and 2.
    """
    return _padding(np.asarray(lengths) + 1, n)


@misconception("padding_mask")
def padding_mask_counts_from_one(lengths: Lengths, n: int) -> Array:
    """The last key of each sequence is hidden along with the padding.

    Next: positions start at 0, so a sequence of length 3 has the positions 0, 1 and 2.
    """
    return _padding(np.asarray(lengths) - 1, n)


@misconception("padding_mask")
def padding_mask_pads_on_the_left(lengths: Lengths, n: int) -> Array:
    """The real keys are taken to stand at the end, with the padding before them.

    Next: in this course sequences start at position 0 and padding follows.
    """
    return _padding(lengths, n)[..., ::-1]


@misconception("padding_mask")
def padding_mask_marks_the_last_key(lengths: Lengths, n: int) -> Array:
    """Only one key of each sequence is marked instead of all of them.

    Next: compare positions with "less than", not with "equal".
    """
    return np.asarray(np.arange(n) == np.asarray(lengths)[:, None, None] - 1)


@misconception("padding_mask")
def padding_mask_missing_query_axis(lengths: Lengths, n: int) -> Array:
    """The mask has the shape (batch, n), so it lines up its batch axis with the queries.

    Next: put an axis of length 1 where the queries go.
    """
    return _padding(lengths, n)[:, 0]


@misconception("padding_mask")
def padding_mask_query_axis_last(lengths: Lengths, n: int) -> Array:
    """The axis of length 1 comes last, so the mask hides queries instead of keys.

    Next: keys are on the last axis and queries on the one before it.
    """
    return np.swapaxes(_padding(lengths, n), 1, 2)


@misconception("padding_mask")
def padding_mask_head_axis(lengths: Lengths, n: int) -> Array:
    """The mask has a further axis of length 1 for heads.

    Next: leave it out; a function that makes heads adds the axis that it needs.
    """
    return _padding(lengths, n)[:, None]


@misconception("padding_mask")
def padding_mask_hides_queries_too(lengths: Lengths, n: int) -> Array:
    """The mask has a row for each query and hides the rows of padding as well.

    Next: only keys are hidden; one row does for all queries.
    """
    keys = _padding(lengths, n)
    return keys & np.swapaxes(keys, 1, 2)


@misconception("padding_mask")
def padding_mask_as_wide_as_longest(lengths: Lengths, n: int) -> Array:
    """The mask is as wide as the longest sequence instead of n.

    Next: the sequences were padded to n; use that parameter.
    """
    return _padding(lengths, max(lengths))


@misconception("padding_mask")
def padding_mask_one_length_for_all(lengths: Lengths, n: int) -> Array:
    """Every sequence is given the length of the longest one.

    Next: each row of the mask has its own length.
    """
    return _padding([max(lengths)] * len(lengths), n)


@misconception("padding_mask")
def padding_mask_empty_sequence_keeps_a_key(lengths: Lengths, n: int) -> Array:
    """A sequence of length 0 still has one visible key.

    Next: length 0 means that every key is padding.
    """
    return _padding(np.maximum(lengths, 1), n)


@misconception("padding_mask")
def padding_mask_no_lists(lengths: Array, n: int) -> Array:
    """The lengths have to be an array, so a list of lengths fails.

    Next: turn what comes into an array first.
    """
    return np.arange(n) < lengths[:, None, None]


@misconception("padding_mask")
def padding_mask_mutates_input(lengths: Lengths, n: int) -> Array:
    """The caller's own lengths are changed, as counting them down in place does.

    Next: build the mask from the lengths without writing into them.
    """
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for row in range(len(lengths)):
        while lengths[row] > 0:
            lengths[row] -= 1
            mask[row, 0, lengths[row]] = True
    return mask


@misconception("padding_mask")
def padding_mask_shared_buffer(lengths: Lengths, n: int) -> Array:
    """Every call writes its mask into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    mask = _padding(lengths, n)
    shared = _buffer(mask.shape)
    shared[...] = mask
    return shared


# --- combine_masks ---------------------------------------------------------------------------------------------------


def _all(masks: Sequence[Array]) -> Array:
    """The right combination."""
    return reduce(np.logical_and, masks)


@misconception("combine_masks")
def combine_masks_or_instead_of_and(*masks: Array) -> Array:
    """A key is visible as soon as one mask says so.

    Next: every mask has a veto.
    """
    return reduce(np.logical_or, masks)


@misconception("combine_masks")
def combine_masks_exclusive_or(*masks: Array) -> Array:
    """A key is visible when an odd number of masks say so.

    Next: write out the four cases for two masks: only one of them is True.
    """
    return reduce(np.logical_xor, masks)


@misconception("combine_masks")
def combine_masks_inverted(*masks: Array) -> Array:
    """True marks what is hidden instead of what is visible.

    Next: in this course True means "may attend", before and after.
    """
    return ~_all(masks)


@misconception("combine_masks", family="only-two-masks")
def combine_masks_only_two_masks(first: Array, second: Array) -> Array:
    """The function takes exactly two masks.

    Next: accept any number from one up.
    """
    return first & second


@misconception("combine_masks")
def combine_masks_needs_two_masks(first: Array, second: Array, *others: Array) -> Array:
    """The function fails when there is only one mask.

    Next: one mask alone is its own combination.
    """
    return _all((first, second, *others))


@misconception("combine_masks", family="only-two-masks")
def combine_masks_first_two_only(*masks: Array) -> Array:
    """Masks after the second are not used.

    Next: go on until no mask is left.
    """
    return _all(masks[:2])


@misconception("combine_masks")
def combine_masks_last_one_wins(*masks: Array) -> Array:
    """Only the last mask counts; the ones before it are forgotten.

    Next: carry the result along from mask to mask.
    """
    shape = np.broadcast_shapes(*(mask.shape for mask in masks))
    return np.broadcast_to(masks[-1], shape).copy()


@misconception("combine_masks")
def combine_masks_takes_a_list(masks: Sequence[Array]) -> Array:
    """The masks have to come in one list instead of one by one.

    Next: a star before the parameter collects any number of arguments.
    """
    return _all(list(masks))


@misconception("combine_masks")
def combine_masks_writes_into_the_third(*masks: Array) -> Array:
    """``np.logical_and`` takes two masks; a third one is where it writes its result.

    Next: combine two at a time, and leave the masks that are given alone.
    """
    if len(masks) == 1:
        return masks[0]
    return np.logical_and(*masks)


@misconception("combine_masks")
def combine_masks_only_same_shape(*masks: Array) -> Array:
    """The masks are stacked into one array, which fails when their shapes differ.

    Next: combine them in a way that broadcasts, such as two at a time.
    """
    return np.all(np.stack(masks), axis=0)


@misconception("combine_masks")
def combine_masks_shape_of_the_first(*masks: Array) -> Array:
    """The result is written into an array of the first mask's shape, so it cannot grow when a later mask is larger.

    Next: let the result take the shape to which all masks broadcast.
    """
    combined = masks[0].copy()
    for mask in masks[1:]:
        combined &= mask
    return combined


@misconception("combine_masks")
def combine_masks_reduces_to_one_answer(*masks: Array) -> Array:
    """All entries are reduced to one answer, instead of one for each query and key.

    Next: reduce over the masks, not over their entries.
    """
    return np.asarray(_all(masks).all())


@misconception("combine_masks")
def combine_masks_adds_an_axis(*masks: Array) -> Array:
    """The result has a batch axis of length 1 in front that none of the masks has.

    Next: the shape is the one to which the masks broadcast, no more.
    """
    return _all(masks)[None]


@misconception("combine_masks")
def combine_masks_int_mask(*masks: Array) -> Array:
    """The mask holds the integers 0 and 1 instead of False and True.

    Next: combine with a logical operation, which keeps the boolean type.
    """
    return _all(masks).astype(np.int64)


@misconception("combine_masks")
def combine_masks_float_mask(*masks: Array) -> Array:
    """The mask holds the floats 0 and 1 instead of False and True.

    Next: combine with a logical operation, which keeps the boolean type.
    """
    return _all(masks).astype(np.float64)


@misconception("combine_masks", family="mutates-input")
def combine_masks_mutates_input(*masks: Array) -> Array:
    """The first mask is combined with the others in place, so the caller's own mask changes.

    Next: start from a new array.
    """
    combined = masks[0]
    for mask in masks[1:]:
        if np.broadcast_shapes(combined.shape, mask.shape) == combined.shape:
            combined &= mask
        else:
            combined = combined & mask
    return combined


@misconception("combine_masks", family="mutates-input")
def combine_masks_mutates_same_shape(*masks: Array) -> Array:
    """The first mask is combined in place with others of its shape, so the caller's own mask changes.

    Next: start from a new array.
    """
    combined = masks[0]
    for mask in masks[1:]:
        if combined.shape == mask.shape:
            combined &= mask
        else:
            combined = combined & mask
    return combined


@misconception("combine_masks", family="mutates-input")
def combine_masks_accumulates_in_the_first(*masks: Array) -> Array:
    """The first mask serves as the result, so the caller's own mask changes, and it cannot grow to a larger shape.

    Next: start from a new array, and let the result take the shape to which all masks broadcast.
    """
    combined = masks[0]
    for mask in masks[1:]:
        combined &= mask
    return combined


@misconception("combine_masks")
def combine_masks_shared_buffer(*masks: Array) -> Array:
    """Every call writes its result into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    mask = _all(masks)
    shared = _buffer(mask.shape)
    shared[...] = mask
    return shared
