"""Hidden checks of the lesson ``masking``. Masks are exact: there is no tolerance."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from grader import expect
from grader.bounds import Array
from grader.callee import Callee
from grader.checks import check
from grader.checks.attention import SEEDS
from grader.drawing import coins
from grader.oracles import masking as oracle


def boolean(value: object, shape: tuple[int, ...]) -> Array:
    """A boolean array of this shape."""
    return expect.array(value, shape, "bool")


# --- causal_mask -----------------------------------------------------------------------------------------------------

lengths_of_one_to_nine = st.integers(1, 9)


@check("causal_mask", given=lengths_of_one_to_nine, count=4)
def causal_mask_is_boolean(causal_mask: Callee, n: int) -> None:
    """The causal mask is a boolean array with a row for each query and a column for each key.

    Kept: says that shape or type is wrong before any entry is compared.
    """
    boolean(causal_mask(n), (n, n))


@check("causal_mask", given=lengths_of_one_to_nine, count=4)
def every_token_sees_itself(causal_mask: Callee, n: int) -> None:
    """Every token may attend to itself.

    Kept: names the mask that is off by one.
    """
    expect.same(boolean(causal_mask(n), (n, n)).diagonal(), np.ones(n, dtype=bool), "the entry of a token and itself")


@check("causal_mask", given=lengths_of_one_to_nine, count=4)
def no_token_sees_the_future(causal_mask: Callee, n: int) -> None:
    """No token may attend to a later one.

    Kept: names the one thing that the mask is for.
    """
    future = np.triu(np.ones((n, n), dtype=bool), 1)
    expect.same(
        boolean(causal_mask(n), (n, n))[future],
        np.zeros(future.sum(), dtype=bool),
        "the entry of a later key",
    )


@check("causal_mask", given=lengths_of_one_to_nine, count=4)
def causal_mask_is_right(causal_mask: Callee, n: int) -> None:
    """An entry is True exactly where the key (column) is not later than the query (row).

    Every length from 1 to 9 and a long one are tried in one example, so that neither a band nor a fixed size gets
    through.
    """
    for length in (*range(1, 10), 40):
        expect.same(boolean(causal_mask(length), (length, length)), oracle.causal_mask(length), "the entry")


@check("causal_mask", given=lengths_of_one_to_nine, count=2)
def causal_masks_are_fresh_arrays(causal_mask: Callee, n: int) -> None:
    """A later call does not change what an earlier one returned."""
    first, _ = causal_mask.each([((n + 1,), {}), ((n,), {})])
    expect.same(boolean(first, (n + 1, n + 1)), boolean(causal_mask(n + 1), (n + 1, n + 1)), expect.LATER)


# --- padding_mask ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Batch:
    """Lengths of the sequences in a batch that is padded to ``n``."""

    lengths: tuple[int, ...]
    n: int

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return len(self.lengths) * self.n

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the padding mask."""
        return len(self.lengths), 1, self.n

    def given(self) -> Iterator[list[int] | Array]:
        """The lengths as a list and as arrays of integers."""
        yield list(self.lengths)
        for dtype in ("int64", "int32"):
            yield np.array(self.lengths, dtype=dtype)


@st.composite
def padded(draw: st.DrawFn) -> Batch:
    """Batches of at least two sequences; in half of the draws none is as long as the padded width."""
    n = draw(st.integers(2, 7))
    longest = draw(st.sampled_from([n, n - 1]))
    return Batch(tuple(draw(st.lists(st.integers(0, longest), min_size=2, max_size=4))), n)


batches = padded()


@check("padding_mask", given=batches)
def padding_mask_has_an_axis_for_the_queries(padding_mask: Callee, batch: Batch) -> None:
    """The padding mask is a boolean array of shape (batch, 1, n), so that it broadcasts over the queries.

    Kept: says that shape or type is wrong before any entry is compared.
    """
    for lengths in batch.given():
        boolean(padding_mask(lengths, batch.n), batch.shape)


@check("padding_mask", given=batches)
def padding_mask_counts_the_length(padding_mask: Callee, batch: Batch) -> None:
    """Each sequence has as many visible keys as it is long.

    Kept: names the mask that is inverted or off by one.
    """
    for lengths in batch.given():
        visible = boolean(padding_mask(lengths, batch.n), batch.shape).sum(axis=-1)[:, 0]
        expect.same(visible, np.array(batch.lengths), "the number of visible keys")


@check("padding_mask", given=batches)
def padding_mask_is_right(padding_mask: Callee, batch: Batch) -> None:
    """An entry is True exactly where the key's position is less than the length of its sequence.

    The example is tried again with the longest sequence shorter than n, with an empty one, and with a batch of one.
    """
    variants = (
        batch.lengths,
        tuple(min(length, batch.n - 1) for length in batch.lengths),
        (0, *batch.lengths),
        (batch.n - 1,),
    )
    for variant in (*(Batch(lengths, batch.n) for lengths in variants), Batch((40, 3), 40)):
        for lengths in variant.given():
            mask = boolean(padding_mask(lengths, variant.n), variant.shape)
            expect.same(mask, oracle.padding_mask(variant.lengths, variant.n), "the entry")


@check("padding_mask", given=batches)
def padding_mask_leaves_the_lengths(padding_mask: Callee, batch: Batch) -> None:
    """The lengths stay as they were given."""
    for lengths in batch.given():
        padding_mask(lengths, batch.n)
        expect.unchanged(padding_mask)


@check("padding_mask", given=batches, count=3)
def padding_masks_are_fresh_arrays(padding_mask: Callee, batch: Batch) -> None:
    """A later call does not change what an earlier one returned."""
    shorter = [max(0, length - 1) for length in batch.lengths]
    first, _ = padding_mask.each([((list(batch.lengths), batch.n), {}), ((shorter, batch.n), {})])
    expect.same(
        boolean(first, batch.shape), boolean(padding_mask(list(batch.lengths), batch.n), batch.shape), expect.LATER
    )


# --- combine_masks ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Masks:
    """Sizes for masks of every shape that broadcasts to ``(batch, n_q, n_k)``."""

    batch: int
    n_q: int
    n_k: int
    seed: int

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return self.batch * self.n_q * self.n_k

    def given(self) -> Iterator[tuple[Array, ...]]:
        """One to eight masks: of one shape, of shapes that only broadcast together, and both ways round."""
        shapes = (
            (self.n_q, self.n_k), (self.n_q, self.n_k), (self.n_q, self.n_k), (self.batch, 1, self.n_k),
            (1, self.n_k), (self.n_q, 1), (self.batch, self.n_q, self.n_k), (1, 1),
        )  # fmt: skip
        masks = [coins(self.seed + i, *shape) for i, shape in enumerate(shapes)]
        for first, count in ((0, 1), (3, 1), (0, 2), (0, 3), (2, 2), (3, 2), (4, 2), (2, 3), (3, 4), (4, 4), (0, 8)):
            chosen = masks[first : first + count]
            yield tuple(chosen)
            if count > 1:
                yield tuple(reversed(chosen))


mask_sizes = st.builds(Masks, st.integers(2, 3), st.integers(2, 4), st.integers(2, 4), SEEDS)


def combined(combine_masks: Callee, masks: tuple[Array, ...]) -> Array:
    """The submission's mask, with shape and type checked."""
    return boolean(combine_masks(*masks), np.broadcast_shapes(*(mask.shape for mask in masks)))


@check("combine_masks", given=mask_sizes, count=4)
def combined_mask_has_the_common_shape(combine_masks: Callee, case: Masks) -> None:
    """The combined mask is boolean and has the shape to which all the masks broadcast, from one mask up.

    Kept: says that shape or type is wrong before any entry is compared.
    """
    for masks in case.given():
        combined(combine_masks, masks)


@check("combine_masks", given=mask_sizes, count=4)
def every_mask_has_a_veto(combine_masks: Callee, case: Masks) -> None:
    """A key that any one mask hides stays hidden, wherever in the list that mask stands.

    Kept: names the mask that was left out, or an "or" in place of "and".
    """
    for masks in case.given():
        result = combined(combine_masks, masks)
        for mask in masks:
            hidden = ~np.broadcast_to(mask, result.shape)
            expect.same(result[hidden], np.zeros(hidden.sum(), dtype=bool), "the entry of a key that one mask hides")


@check("combine_masks", given=mask_sizes, count=4)
def order_of_masks_does_not_matter(combine_masks: Callee, case: Masks) -> None:
    """The masks may come in any order.

    Kept: names the law, where a single comparison would only show one wrong entry.
    """
    for masks in case.given():
        expect.same(
            combined(combine_masks, tuple(reversed(masks))),
            combined(combine_masks, masks),
            "the entry in reverse order",
        )


@check("combine_masks", given=mask_sizes, count=4)
def combined_mask_is_right(combine_masks: Callee, case: Masks) -> None:
    """A key is visible exactly where every mask says so.

    Kept: the definition itself, for what breaks no law of its own.
    """
    for masks in case.given():
        expect.same(combined(combine_masks, masks), oracle.combine_masks(*masks), "the entry")


@check("combine_masks", given=mask_sizes, count=4)
def combine_masks_leaves_the_masks(combine_masks: Callee, case: Masks) -> None:
    """The masks that are given stay as they were."""
    for masks in case.given():
        combine_masks(*masks)
        expect.unchanged(combine_masks)


@check("combine_masks", given=mask_sizes, count=3)
def combined_masks_are_fresh_arrays(combine_masks: Callee, case: Masks) -> None:
    """A later call does not change what an earlier one returned."""
    pairs = [masks for masks in case.given() if len(masks) == 2]
    for masks, result in zip(pairs, combine_masks.each([(masks, {}) for masks in pairs]), strict=True):
        alone = combined(combine_masks, masks)
        expect.same(boolean(result, alone.shape), alone, expect.LATER)
