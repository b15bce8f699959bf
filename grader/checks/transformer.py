"""Hidden checks of the lesson ``transformer``.

Parameters are so small that neither the softmax nor the norms saturate, and tokens lie off every binary grid where a
law does not need them on it, so that half the digits lost show. The number of heads is 2 and 3 in every example, with a
head's width of another size than their number in at least one of the two.

A function that passes is used as it is by all later ones. So what a later function's checks ask of an earlier one (one
token, one head, large numbers, the same shape again) is among the earlier one's own inputs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import cycle, product
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from grader import expect
from grader.bounds import UNIT, Array, Bounded, sum_error
from grader.callee import Callee, Violation
from grader.checks import check
from grader.checks.attention import SEEDS
from grader.drawing import fill, masks, shuffle
from grader.oracles import attention as attention_oracle
from grader.oracles import transformer as oracle
from grader.oracles.masking import causal_mask

Params = dict[str, Any]
T = TypeVar("T")
S = TypeVar("S")
BATCHES: tuple[tuple[int, ...], ...] = ((), (2,), (2, 3))
RARE_BATCHES: tuple[tuple[int, ...], ...] = ((1,), (2, 1, 2))
HEADS = (2, 3)
LARGEST_SCORE = 1e6
"""The size of the scores of hidden keys that ``attention`` promises to bear."""
LOUD = 2.0**40
"""How many times larger hidden tokens are made that reach the values only."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of tokens, memory and layers; ``d`` can be shared by 2 and by 3 heads."""

    n: int
    n_memory: int
    d: int
    d_ff: int
    seed: int

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return self.n * self.n_memory * self.d * self.d_ff

    def tokens(self, *more: tuple[int, ...]) -> Iterator[Array]:
        """``x`` with no, one and two batch axes, and with those of ``more``."""
        for batch in (*BATCHES, *more):
            yield fill(self.seed, *batch, self.n, self.d)

    def rare(self) -> Iterator[tuple["Sizes", Array, int]]:
        """Sizes, tokens and numbers of heads on the edge: of one token, one hidden feature, a memory of one token; a
        batch of one and three batch axes; one head, and a head for each feature."""
        for case in (replace(self, n=1), replace(self, n_memory=1, d_ff=1)):
            for batch, n_heads in zip((*RARE_BATCHES, ()), (1, self.d, 1), strict=True):
                yield case, fill(self.seed, *batch, case.n, self.d) / 3, n_heads
        yield self, fill(self.seed, self.n, self.d) / 3, 1
        yield self, fill(self.seed, *RARE_BATCHES[-1], self.n, self.d) / 3, self.d

    def memory(self, x: Array) -> Array:
        """A memory for these tokens: of another length, or, with one batch axis, as long as they are.

        Where lengths differ, taking one for the other is an exception; where they agree, it is a wrong number.
        """
        return fill(self.seed + 1, *x.shape[:-2], self.n if x.ndim == 3 else self.n_memory, self.d)

    def memory_mask(self, x: Array) -> Array:
        """A mask of the memory by pair, with an empty first row and a full last one."""
        return next(self.memory_masks(x))

    def memory_masks(self, x: Array) -> Iterator[Array]:
        """Masks of the memory in every shape."""
        return masks(self.seed + 50, x.shape[:-2], self.n, self.memory(x).shape[-2])

    def mask(self, x: Array) -> Array:
        """A mask by pair of tokens, with an empty first row and a full last one."""
        return next(masks(self.seed, x.shape[:-2], self.n, self.n))

    def attention(self, offset: int = 0) -> Params:
        """Parameters of multi-head attention."""
        return attention_params(self.seed + 10 + offset, self.d)

    def feed_forward(self) -> Params:
        """Parameters of the feed-forward layer."""
        return feed_forward_params(self.seed + 40, self.d, self.d_ff)

    def norm(self, number: int) -> Params:
        """Parameters of the norm of that number."""
        return norm_params(self.seed + 50 + number, self.d)

    def encoder(self) -> Params:
        """Parameters of an encoder block."""
        return {
            "attention": self.attention(),
            "norm_1": self.norm(1),
            "feed_forward": self.feed_forward(),
            "norm_2": self.norm(2),
        }

    def decoder(self) -> Params:
        """Parameters of a decoder block."""
        return {
            "self_attention": self.attention(),
            "norm_1": self.norm(1),
            "cross_attention": self.attention(10),
            "norm_2": self.norm(2),
            "feed_forward": self.feed_forward(),
            "norm_3": self.norm(3),
        }


@lru_cache(maxsize=512)
def attention_params(seed: int, d: int) -> Params:
    """Weights in [-2/7, 2/7) and biases in [-2, 2)."""
    params: Params = {}
    for i, name in enumerate("qkvo"):
        params |= {f"w_{name}": fill(seed + i, d, d) / 7, f"b_{name}": fill(seed + 4 + i, d)}
    return params


@lru_cache(maxsize=512)
def feed_forward_params(seed: int, d: int, d_ff: int) -> Params:
    """Weights in [-0.4, 0.4) and biases in [-2, 2), so that about half of the hidden features are below 0."""
    w_1, w_2 = fill(seed, d, d_ff) / 5, fill(seed + 1, d_ff, d) / 5
    return {"w_1": w_1, "b_1": fill(seed + 2, d_ff), "w_2": w_2, "b_2": fill(seed + 3, d)}


@lru_cache(maxsize=512)
def norm_params(seed: int, d: int) -> Params:
    """A gain and a bias about as large as 2."""
    return {"gain": fill(100 * seed, d) / 1.1, "bias": fill(100 * seed + 1, d)}


def sizes() -> st.SearchStrategy[Sizes]:
    """Tokens and memory of different lengths; the width of the hidden layer is neither d nor 4d."""
    lengths = st.permutations([2, 3, 4, 5])
    return st.builds(
        lambda order, d, d_ff, seed: Sizes(order[0], order[1], d, d_ff, seed),
        lengths, st.sampled_from((6, 12)), st.sampled_from((4, 5, 7, 8)), SEEDS,
    )  # fmt: skip


case_sizes = sizes()


def of_shape(value: Any, x: Array) -> Array:
    """A float64 array of the shape of ``x``."""
    return expect.array(value, x.shape)


def zeroed(params: Params, *names: str) -> Params:
    """The parameters with zeros in the place of some."""
    return params | {name: np.zeros_like(params[name]) for name in names}


def hides_everything(_: int) -> Array:
    """A mask for any number of tokens that lets none see anything."""
    return np.zeros((1, 1), dtype=bool)


def blinds_the_first(n: int) -> Array:
    """A mask by query: the first token sees nothing, every other one everything."""
    return np.arange(n)[:, None] > 0


RARE_MASKS = (hides_everything, blinds_the_first)


def in_turn(things: Iterable[T], others: Sequence[S]) -> Iterator[tuple[T, S]]:
    """Each thing with one of the others, which take turns, one place further in each round."""
    for number, thing in enumerate(things):
        yield thing, others[(number + number // len(others)) % len(others)]


def in_order(x: Array, order: Array) -> Array:
    """The tokens in another order."""
    return np.ascontiguousarray(x[..., order, :])


# --- split_heads and merge_heads --------------------------------------------------------------------------------------


def head_counts(d: int) -> tuple[int, ...]:
    """Every number of heads that ``d`` features can be shared by."""
    return tuple(n_heads for n_heads in range(1, d + 1) if d % n_heads == 0)


def split_shape(x: Array, n_heads: int) -> tuple[int, ...]:
    """The shape of ``x`` split into heads."""
    *batch, n, d = x.shape
    return (*batch, n_heads, n, d // n_heads)


@check("split_heads", given=case_sizes, count=2)
def heads_get_an_axis_of_their_own(split_heads: Callee, case: Sizes) -> None:
    """Splitting gives (..., n_heads, n, d / n_heads), behind any batch axes.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for x in case.tokens(*RARE_BATCHES):
        for n_heads in head_counts(case.d):
            expect.array(split_heads(x, n_heads), split_shape(x, n_heads))


@check("split_heads", given=case_sizes, count=2)
def splitting_leaves_its_input(split_heads: Callee, case: Sizes) -> None:
    """Splitting leaves its argument as it was."""
    for x in case.tokens(*RARE_BATCHES):
        split_heads(x, 3)
        expect.unchanged(split_heads)


@check("split_heads", given=case_sizes, count=2)
def heads_side_by_side_give_the_tokens_back(split_heads: Callee, case: Sizes) -> None:
    """Put side by side again, the heads' features are the features that were split.

    Kept: the law that merging relies on; it holds of nothing but the right order.
    """
    for x in case.tokens(*RARE_BATCHES):
        for n_heads in head_counts(case.d):
            split = expect.array(split_heads(x, n_heads), split_shape(x, n_heads))
            expect.same(oracle.merge_heads(np.array(split)), x, "the feature of the heads put side by side")


@check("split_heads", given=case_sizes, count=2)
def each_head_takes_its_own_features(split_heads: Callee, case: Sizes) -> None:
    """Head h takes the d / n_heads features from h · d / n_heads onwards, of every token.

    Kept: the definition itself.
    """
    for x in case.tokens(*RARE_BATCHES):
        for tokens in (x / 3, x[..., :1, :]):
            for n_heads in head_counts(case.d):
                split = expect.array(split_heads(tokens, n_heads), split_shape(tokens, n_heads))
                expect.same(split, oracle.split_heads(tokens, n_heads), "the feature")


@check("split_heads", given=case_sizes, count=1)
def heads_that_do_not_divide_the_features_are_refused(split_heads: Callee, case: Sizes) -> None:
    """A number of heads that does not divide the number of features raises ValueError."""
    for x in case.tokens(*RARE_BATCHES):
        for n_heads in (4 if case.d % 4 else 8, 5, case.d + 1):
            refuses_with_value_error(split_heads, x, n_heads)


def refuses_with_value_error(function: Callee, *args: Any) -> None:
    """The call raises a ``ValueError``."""
    try:
        value = function(*args)
    except Violation as violation:
        if violation.raised is None or "ValueError" not in (violation.raised.type, *violation.raised.bases):
            raise
    else:
        raise Violation("it raised no ValueError", value, "ValueError")


@check("split_heads", given=case_sizes, count=2)
def splitting_returns_fresh_arrays(split_heads: Callee, case: Sizes) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    for x in case.tokens(*RARE_BATCHES):
        for result, given in zip(split_heads.each([((x, 3), {}), ((-2 * x, 3), {})]), (x, -2 * x), strict=True):
            expect.same(expect.array(result, split_shape(x, 3)), oracle.split_heads(given, 3), expect.LATER)


@check("merge_heads", given=case_sizes, count=2)
def merging_gives_tokens(merge_heads: Callee, case: Sizes) -> None:
    """Merging gives (..., n, n_heads · width): a row for each token, behind any batch axes.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for x in case.tokens(*RARE_BATCHES):
        for n_heads in head_counts(case.d):
            of_shape(merge_heads(oracle.split_heads(x, n_heads)), x)


@check("merge_heads", given=case_sizes, count=2)
def merging_leaves_its_input(merge_heads: Callee, case: Sizes) -> None:
    """Merging leaves its argument as it was."""
    for x in case.tokens(*RARE_BATCHES):
        merge_heads(oracle.split_heads(x, 3))
        expect.unchanged(merge_heads)


@check("merge_heads", given=case_sizes, count=2)
def merging_undoes_splitting(merge_heads: Callee, case: Sizes) -> None:
    """Merging what was split gives the tokens back.

    Kept: the definition itself.
    """
    for x in case.tokens(*RARE_BATCHES):
        for tokens in (x / 3, x[..., :1, :]):
            for n_heads in head_counts(case.d):
                merged = of_shape(merge_heads(oracle.split_heads(tokens, n_heads)), tokens)
                expect.same(merged, tokens, "the merged feature")


@check("merge_heads", given=case_sizes, count=2)
def each_head_keeps_its_place(merge_heads: Callee, case: Sizes) -> None:
    """The features of head h come h-th: with one head blank, its features alone are blank.

    Kept: says which head went astray.
    """
    for x in case.tokens(*RARE_BATCHES):
        for n_heads in HEADS:
            split = oracle.split_heads(x + 4, n_heads)  # no feature is 0 by itself
            for head in range(n_heads):
                blank = np.array(split)
                blank[..., head, :, :] = 0
                merged = of_shape(merge_heads(blank), x)
                expected = np.repeat(np.arange(n_heads) == head, case.d // n_heads)
                expect.same(
                    merged == 0, np.broadcast_to(expected, x.shape), f"with head {head} blank, whether the feature"
                )


@check("merge_heads", given=case_sizes, count=2)
def merging_returns_fresh_arrays(merge_heads: Callee, case: Sizes) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    for x in case.tokens(*RARE_BATCHES):
        split = oracle.split_heads(x, 3)
        for result, given in zip(merge_heads.each([((split,), {}), ((-2 * split,), {})]), (x, -2 * x), strict=True):
            expect.same(of_shape(result, x), given, expect.LATER)


# --- multi_head_attention ---------------------------------------------------------------------------------------------

PROJECTIONS = tuple(f"{kind}_{name}" for kind in "wb" for name in "qkv")


def with_masks(case: Sizes) -> Iterator[tuple[Array, Params, int, dict[str, Any]]]:
    """Tokens of every batch shape, no mask and every kind of mask, without and with a memory; 2 and 3 heads in turn."""
    params, n_heads = case.attention(), cycle(HEADS)
    for x in case.tokens():
        own = masks(case.seed, x.shape[:-2], case.n, case.n)
        for memory, of_memory in (({}, own), ({"memory": case.memory(x) / 3}, case.memory_masks(x))):
            yield x / 3, params, next(n_heads), memory
            for mask in of_memory:
                yield x / 3, params, next(n_heads), {"mask": mask, **memory}


@check("multi_head_attention", given=case_sizes, count=1)
def heads_return_a_row_for_each_query(multi_head_attention: Callee, case: Sizes) -> None:
    """Multi-head attention returns one array of the shape of x, whatever the length of the memory.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for x, params, n_heads, more in with_masks(case):
        of_shape(multi_head_attention(x, params, n_heads, **more), x)


@check("multi_head_attention", given=case_sizes, count=2)
def heads_leave_their_inputs(multi_head_attention: Callee, case: Sizes) -> None:
    """Multi-head attention leaves tokens, parameters, mask and memory as they were."""
    for x, params, n_heads, more in with_masks(case):
        multi_head_attention(x, params, n_heads, **more)
        expect.unchanged(multi_head_attention)


@check("multi_head_attention", given=case_sizes, count=1)
def one_head_is_attention(multi_head_attention: Callee, case: Sizes) -> None:
    """With one head and maps that change nothing, multi-head attention is attention of the tokens among themselves.

    Kept: names the part inside the heads, apart from every projection.
    """
    identity = {f"w_{name}": np.eye(case.d) for name in "qkvo"} | {f"b_{name}": np.zeros(case.d) for name in "qkvo"}
    for x in case.tokens():
        quiet = x / 8
        output, _ = attention_oracle.attention(quiet, quiet, quiet)
        bound = Bounded(output.value, output.error + oracle.multi_head_attention(quiet, identity, 1).error)
        expect.close(of_shape(multi_head_attention(quiet, identity, 1), x), bound, "the output")


@check("multi_head_attention", given=case_sizes, count=1)
def order_of_heads_does_not_matter(multi_head_attention: Callee, case: Sizes) -> None:
    """Permuting the heads together with their parameters leaves the output as it was.

    Kept: heads that mix, or one that is treated differently, break it.
    """
    params = case.attention()
    for x, n_heads in in_turn(case.tokens(), HEADS):
        order = np.arange(case.d).reshape(n_heads, -1)[shuffle(case.seed, n_heads)].ravel()
        permuted = params | {name: params[name][..., order] for name in PROJECTIONS} | {"w_o": params["w_o"][order]}
        error = 2 * oracle.multi_head_attention(x, params, n_heads).error
        expect.agree(
            of_shape(multi_head_attention(x, permuted, n_heads), x),
            of_shape(multi_head_attention(x, params, n_heads), x),
            error,
            "the output with the heads in another order",
        )


@check("multi_head_attention", given=case_sizes, count=1)
def heads_add_up(multi_head_attention: Callee, case: Sizes) -> None:
    """The heads' contributions add up: each head alone, the others' part of w_o blank, then b_o once.

    Kept: names a head that is lost, or that changes with the others.
    """
    params = case.attention()
    for x, n_heads in in_turn(case.tokens(), HEADS):
        total, error = params["b_o"], 2 * oracle.multi_head_attention(x, params, n_heads).error
        for head in range(n_heads):
            own = np.arange(case.d) // (case.d // n_heads) == head
            alone = params | {"w_o": np.where(own[:, None], params["w_o"], 0.0), "b_o": np.zeros(case.d)}
            total = total + of_shape(multi_head_attention(x, alone, n_heads), x)
            error = error + 2 * oracle.multi_head_attention(x, alone, n_heads).error
        whole = of_shape(multi_head_attention(x, params, n_heads), x)
        expect.agree(whole, total, error, "the output, beside the sum of the heads,")


@check("multi_head_attention", given=case_sizes, count=1)
def the_last_map_is_linear(multi_head_attention: Callee, case: Sizes) -> None:
    """Doubling w_o and b_o doubles the output; with both 0 the output is 0.

    Kept: names a residual, and a last map that is missing.
    """
    params = case.attention()
    doubled, none = params | {name: 2 * params[name] for name in ("w_o", "b_o")}, zeroed(params, "w_o", "b_o")
    for x, n_heads in in_turn(case.tokens(), HEADS):
        bound = oracle.multi_head_attention(x, params, n_heads)
        once = of_shape(multi_head_attention(x, params, n_heads), x)
        twice = of_shape(multi_head_attention(x, doubled, n_heads), x)
        expect.agree(twice, 2 * once, 4 * bound.error, "the output with w_o and b_o doubled")
        expect.same(of_shape(multi_head_attention(x, none, n_heads), x), np.zeros(x.shape), "the output of zero w_o")


@check("multi_head_attention", given=case_sizes, count=1)
def value_bias_passes_through(multi_head_attention: Callee, case: Sizes) -> None:
    """Weights sum to 1, so a change of b_v goes through w_o into every output alike; a change of b_k does nothing.

    Kept: names the two biases whose effect can be told in a sentence.
    """
    params, change = case.attention(), fill(case.seed + 7, case.d)
    through = params | {"b_v": params["b_v"] + change}
    beside = params | {"b_k": params["b_k"] + change}
    for x, n_heads in in_turn(case.tokens(), HEADS):
        plain = of_shape(multi_head_attention(x, params, n_heads), x)
        error = oracle.multi_head_attention(x, params, n_heads).error
        moved = of_shape(multi_head_attention(x, through, n_heads), x)
        bound = error + 2 * oracle.multi_head_attention(x, through, n_heads).error
        expect.agree(moved, plain + change @ params["w_o"], bound, "the output with another b_v")
        bound = error + oracle.multi_head_attention(x, beside, n_heads).error
        expect.agree(of_shape(multi_head_attention(x, beside, n_heads), x), plain, bound, "the output with another b_k")


@check("multi_head_attention", given=case_sizes, count=1)
def order_of_memory_does_not_matter(multi_head_attention: Callee, case: Sizes) -> None:
    """Keys and values come from the memory, so its order does not matter, as long as the mask goes with it.

    Kept: names the symmetry that cross-attention has in its memory.
    """
    params = case.attention()
    for x, n_heads in in_turn(case.tokens(), HEADS):
        memory, mask = case.memory(x), case.memory_mask(x)
        order = shuffle(case.seed, memory.shape[-2])
        error = 2 * oracle.multi_head_attention(x, params, n_heads, mask, memory).error
        expect.agree(
            of_shape(multi_head_attention(x, params, n_heads, mask[..., order], in_order(memory, order)), x),
            of_shape(multi_head_attention(x, params, n_heads, mask, memory), x),
            error,
            "the output with the memory in another order",
        )


@check("multi_head_attention", given=case_sizes, count=1)
def queries_of_heads_are_independent(multi_head_attention: Callee, case: Sizes) -> None:
    """With a memory, each row of the output depends on its own row of x alone: permuting one permutes the other.

    Kept: names queries that are taken from the memory, or that see each other.
    """
    params = case.attention()
    for x, n_heads in in_turn(case.tokens(), HEADS):
        memory, order = case.memory(x), shuffle(case.seed, case.n)
        bound = oracle.multi_head_attention(x, params, n_heads, memory=memory).error[..., order, :]
        expect.agree(
            of_shape(multi_head_attention(in_order(x, order), params, n_heads, memory=memory), x),
            of_shape(multi_head_attention(x, params, n_heads, memory=memory), x)[..., order, :],
            2 * bound,
            "the output with the queries in another order",
        )


@check("multi_head_attention", given=case_sizes, count=2)
def hidden_memory_has_no_influence(multi_head_attention: Callee, case: Sizes) -> None:
    """However large a hidden token of the memory is, the output stays as it was, with either sign.

    A query that sees nothing gets b_o.
    """
    params = case.attention()
    for x, n_heads in in_turn(case.tokens(), HEADS):
        memory = case.memory(x)
        hidden, visible = hide_half(case.n, memory)
        visible[0] = False
        times = loudness(np.abs(x), memory, params, n_heads)
        for loud, of_heads in ((times, params), (-times, params), (LOUD, zeroed(params, "w_k", "b_k"))):
            expected = oracle.multi_head_attention(x, of_heads, n_heads, visible, memory)
            louder = np.where(hidden[:, None], loud * memory, memory)
            output = of_shape(multi_head_attention(x, of_heads, n_heads, visible, louder), x)
            expect.close(output, expected, "the output, beside a loud hidden token,")


def loudness(largest: Array, memory: Array, params: Params, n_heads: int) -> float:
    """How many times larger the memory can be made before one of its scores may exceed what is promised to be borne.

    ``largest`` is how large the features of the queries' tokens can be.
    """
    q = largest.max(axis=tuple(range(largest.ndim - 1))) @ np.abs(params["w_q"]) + np.abs(params["b_q"])
    k = np.abs(memory @ params["w_k"]).max(axis=tuple(range(memory.ndim - 1)))
    score = (q * k).reshape(n_heads, -1).sum(axis=-1).max() / np.sqrt(len(q) // n_heads)
    return float(2 ** np.floor(np.log2(LARGEST_SCORE / (score + 1))))


def hide_half(n: int, memory: Array) -> tuple[Array, Array]:
    """Which half of the memory's tokens is hidden, and the mask for n queries that hides it."""
    hidden = np.arange(memory.shape[-2]) < memory.shape[-2] // 2
    return hidden, np.array(np.broadcast_to(~hidden, (n, memory.shape[-2])))


@check("multi_head_attention", given=case_sizes, count=1)
def no_mask_and_no_memory_are_defaults(multi_head_attention: Callee, case: Sizes) -> None:
    """Leaving mask and memory out, passing None, a mask of nothing but True and x as its own memory are the same.

    Kept: the default arguments, which a comparison that always passes them would never use.
    """
    params = case.attention()
    for x, n_heads in in_turn(case.tokens(), HEADS):
        expected = oracle.multi_head_attention(x, params, n_heads)
        for value in (
            multi_head_attention(x, params, n_heads),
            multi_head_attention(x, params, n_heads, None, None),
            multi_head_attention(x, params, n_heads, mask=np.ones((1, 1), dtype=bool), memory=x),
        ):
            expect.close(of_shape(value, x), expected, "the output")


@check("multi_head_attention", given=case_sizes, count=2)
def heads_work_at_the_edges(multi_head_attention: Callee, case: Sizes) -> None:
    """One token, a memory of one, one head, a head for each feature, three batch axes, masks of nothing but False.

    Kept: names the sizes at which an axis is lost, or a case was left out.
    """
    for edge, x, n_heads in case.rare():
        params, memory = edge.attention(), edge.memory(x)
        for mask in (None, edge.memory_mask(x), *list(edge.memory_masks(x))[5:6], hides_everything(edge.n)):
            expected = oracle.multi_head_attention(x, params, n_heads, mask, memory)
            output = multi_head_attention(x, params, n_heads, mask, memory)
            expect.close(of_shape(output, x), expected, "the output")


@check("multi_head_attention", given=case_sizes, count=1)
def heads_are_stable(multi_head_attention: Callee, case: Sizes) -> None:
    """With scores in the thousands, of either sign, the output is as exact as ever.

    Kept: names an exponential that overflows.
    """
    params = case.attention()
    for x, n_heads in in_turn(case.tokens(), HEADS):
        far, mask = 100 * x, case.mask(x)
        expected = oracle.multi_head_attention(far, params, n_heads, mask)
        expect.close(of_shape(multi_head_attention(far, params, n_heads, mask), x), expected, "the output")


@check("multi_head_attention", given=case_sizes, count=2)
def heads_are_right(multi_head_attention: Callee, case: Sizes) -> None:
    """Each head attends with its own features of queries, keys and values; w_o and b_o make the output of all.

    Kept: the definition itself, for what breaks no law of its own.
    """
    for x, params, n_heads, more in with_masks(case):
        expected = oracle.multi_head_attention(x, params, n_heads, **more)
        expect.close(of_shape(multi_head_attention(x, params, n_heads, **more), x), expected, "the output")


@check("multi_head_attention", given=case_sizes, count=2)
def heads_return_fresh_arrays(multi_head_attention: Callee, case: Sizes) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    params = case.attention()
    for x in case.tokens():
        inputs = x, -2 * x
        expected = [oracle.multi_head_attention(y, params, 3) for y in inputs]
        expect.answered(multi_head_attention, [((y, params, 3), {}) for y in inputs], expected, "the output")


# --- layer_norm -------------------------------------------------------------------------------------------------------

EPSILONS = (1e-12, 1e-3, 0.5)


def rows(case: Sizes) -> Iterator[Array]:
    """Tokens of every batch shape: as they come; one alone; of low variance; far from 0; far apart."""
    for x in case.tokens(*RARE_BATCHES):
        yield x / 3
        yield x[..., :1, :]
        yield x / 2**10
        yield x / 2**8 + 3
        yield x * 2**10


@check("layer_norm", given=case_sizes, count=2)
def norm_keeps_the_shape(layer_norm: Callee, case: Sizes) -> None:
    """Layer norm returns a float64 array of the shape of x.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for x in case.tokens():
        of_shape(layer_norm(x, **case.norm(1)), x)


@check("layer_norm", given=case_sizes, count=2)
def norm_leaves_its_inputs(layer_norm: Callee, case: Sizes) -> None:
    """Layer norm leaves its arguments as they were."""
    for x in case.tokens():
        for eps in ({}, {"eps": 0.5}):
            layer_norm(x, **case.norm(1), **eps)
            expect.unchanged(layer_norm)


@check("layer_norm", given=case_sizes, count=2)
def norm_has_mean_zero_and_variance_one(layer_norm: Callee, case: Sizes) -> None:
    """With gain 1 and bias 0 every token has mean 0 and variance v / (v + eps), where v was its variance.

    Kept: names the two moments, the first thing to look at when a norm is wrong.
    """
    gain, bias = np.ones(case.d), np.zeros(case.d)
    for x in case.tokens():
        y = of_shape(layer_norm(x, gain, bias), x)
        error = oracle.layer_norm(x, gain, bias).error
        mean_error = error.mean(axis=-1) + sum_error(case.d, np.abs(y).mean(axis=-1), UNIT)
        expect.close(y.mean(axis=-1), Bounded(np.zeros(x.shape[:-1]), mean_error), "the mean of the token")
        before = x.var(axis=-1)
        square_error = (2 * np.abs(y) * error).mean(axis=-1) + sum_error(case.d, 4.0, UNIT)
        expect.close((y**2).mean(axis=-1), Bounded(before / (before + 1e-5), square_error), "the variance of the token")


@check("layer_norm", given=case_sizes, count=2)
def gain_scales_and_bias_shifts(layer_norm: Callee, case: Sizes) -> None:
    """The result is gain times the plain norm plus bias, feature by feature.

    Kept: tells a wrong norm from a wrong use of gain and bias.
    """
    gain, bias = case.norm(1)["gain"], case.norm(1)["bias"]
    for x in case.tokens():
        plain = of_shape(layer_norm(x, np.ones(case.d), np.zeros(case.d)), x)
        error = 2 * oracle.layer_norm(x, np.ones(case.d), np.zeros(case.d)).error
        for g, b in ((gain, bias), (gain, 0 * bias), (np.ones(case.d), bias)):
            bound = error * np.abs(g) + 2 * oracle.layer_norm(x, g, b).error
            expect.agree(of_shape(layer_norm(x, g, b), x), g * plain + b, bound, "the scaled and shifted norm")


@check("layer_norm", given=case_sizes, count=2)
def norm_ignores_a_common_offset(layer_norm: Callee, case: Sizes) -> None:
    """Adding the same number to all features of a token changes nothing, even a number of a billion.

    Kept: names what a variance from the mean of squares loses.
    """
    norm = case.norm(1)
    for x in case.tokens():
        for offset in (1.0, -(2.0**10), 2.0**30):
            far = x + offset
            expect.close(of_shape(layer_norm(far, **norm), x), oracle.layer_norm(far, **norm), "the norm")


@check("layer_norm", given=case_sizes, count=2)
def constant_tokens_give_the_bias(layer_norm: Callee, case: Sizes) -> None:
    """A token whose features are all the same has no variance: the norm gives the bias, not NaN.

    Kept: names the case that a missing eps turns into NaN.
    """
    norm = case.norm(1)
    for x in case.tokens():
        same = np.array(np.broadcast_to(x[..., :1], x.shape))
        expect.close(of_shape(layer_norm(same, **norm), x), oracle.layer_norm(same, **norm), "the norm")


@check("layer_norm", given=case_sizes, count=2)
def eps_stands_inside_the_root(layer_norm: Callee, case: Sizes) -> None:
    """The divisor is √(variance + eps): it shows in tokens of low variance, with the default eps and with others.

    Kept: names the place of eps, and that the parameter counts.
    """
    norm = case.norm(1)
    for x in case.tokens():
        quiet = x / 2**10
        expect.close(of_shape(layer_norm(quiet, **norm), x), oracle.layer_norm(quiet, **norm), "the norm")
        for eps in EPSILONS:
            expected = oracle.layer_norm(quiet, **norm, eps=eps)
            expect.close(of_shape(layer_norm(quiet, **norm, eps=eps), x), expected, f"the norm at eps = {eps:g}")


@check("layer_norm", given=case_sizes, count=2)
def tokens_are_normed_one_by_one(layer_norm: Callee, case: Sizes) -> None:
    """Each token is normed by itself: alone, it gets what it gets among others.

    Kept: names the axis, which is the features' alone.
    """
    norm = case.norm(1)
    for x in case.tokens():
        among = of_shape(layer_norm(x, **norm), x)
        for token in range(case.n):
            alone = x[..., token : token + 1, :]
            error = 2 * oracle.layer_norm(alone, **norm).error
            expect.agree(
                of_shape(layer_norm(alone, **norm), alone), among[..., token : token + 1, :], error, "the token alone"
            )


@check("layer_norm", given=case_sizes, count=2)
def norm_is_right(layer_norm: Callee, case: Sizes) -> None:
    """Each feature is gain · (x - mean) / √(variance + eps) + bias, with the variance over d, to rounding.

    Kept: the definition itself, for what breaks no law of its own.
    """
    norm = case.norm(1)
    for x in rows(case):
        expect.close(of_shape(layer_norm(x, **norm), x), oracle.layer_norm(x, **norm), "the norm")
        expected = oracle.layer_norm(x, **norm, eps=0.5)
        expect.close(of_shape(layer_norm(x, norm["gain"], norm["bias"], 0.5), x), expected, "the norm at eps = 0.5")


@check("layer_norm", given=case_sizes, count=2)
def norm_returns_fresh_arrays(layer_norm: Callee, case: Sizes) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    norm = case.norm(1)
    for x in case.tokens():
        inputs = x, x[..., ::-1] * 2
        expected = [oracle.layer_norm(y, **norm) for y in inputs]
        expect.answered(layer_norm, [((y,), norm) for y in inputs], expected, "the norm")


# --- feed_forward -----------------------------------------------------------------------------------------------------


@check("feed_forward", given=case_sizes, count=3)
def feeding_keeps_the_shape(feed_forward: Callee, case: Sizes) -> None:
    """The feed-forward layer returns a float64 array of the shape of x.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for x in case.tokens():
        of_shape(feed_forward(x, case.feed_forward()), x)


@check("feed_forward", given=case_sizes, count=3)
def feeding_leaves_its_inputs(feed_forward: Callee, case: Sizes) -> None:
    """The feed-forward layer leaves tokens and parameters as they were."""
    for x in case.tokens():
        feed_forward(x, case.feed_forward())
        expect.unchanged(feed_forward)


@check("feed_forward", given=case_sizes, count=3)
def hidden_features_below_zero_are_silent(feed_forward: Callee, case: Sizes) -> None:
    """Where every hidden feature is below 0 the output is b_2; where all are above 0 the layer is a plain linear map.

    Kept: names the activation by its two halves.
    """
    params = case.feed_forward()
    below, above = params | {"b_1": params["b_1"] - 32}, params | {"b_1": params["b_1"] + 32}
    for x in case.tokens():
        silent = np.array(np.broadcast_to(params["b_2"], x.shape))
        expect.same(of_shape(feed_forward(x, below), x), silent, "the output with all hidden features below 0")
        linear = (x @ above["w_1"] + above["b_1"]) @ above["w_2"] + above["b_2"]
        error = 2 * oracle.feed_forward(x, above).error
        expect.agree(of_shape(feed_forward(x, above), x), linear, error, "the output with all above 0")


@check("feed_forward", given=case_sizes, count=3)
def feeding_scales_with_its_input(feed_forward: Callee, case: Sizes) -> None:
    """Without biases, doubling x doubles the output.

    Kept: a smooth activation, or one in the wrong place, breaks it and a rectifier does not.
    """
    params = zeroed(case.feed_forward(), "b_1", "b_2")
    for x in case.tokens():
        once, twice = (of_shape(feed_forward(times * x, params), x) for times in (1, 2))
        expect.agree(twice, 2 * once, 4 * oracle.feed_forward(x, params).error, "the output for 2x")


@check("feed_forward", given=case_sizes, count=3)
def tokens_are_fed_one_by_one(feed_forward: Callee, case: Sizes) -> None:
    """Each token is worked on by itself: in another order, the outputs come in that order.

    Kept: names the layer that lets no token see another.
    """
    params = case.feed_forward()
    for x in case.tokens():
        order = shuffle(case.seed, case.n)
        expect.agree(
            of_shape(feed_forward(in_order(x, order), params), x),
            of_shape(feed_forward(x, params), x)[..., order, :],
            2 * oracle.feed_forward(x, params).error[..., order, :],
            "the output in another order",
        )


@check("feed_forward", given=case_sizes, count=4)
def feeding_is_right(feed_forward: Callee, case: Sizes) -> None:
    """The output is max(0, x w_1 + b_1) w_2 + b_2, to rounding.

    Tried with a hidden layer as wide as the tokens too, where the wrong map would fit.

    Kept: the definition itself, for what breaks no law of its own.
    """
    widths = (case, replace(case, d_ff=case.d), replace(case, d_ff=1))
    for params, x in product([width.feed_forward() for width in widths], case.tokens(*RARE_BATCHES)):
        for tokens in (x / 3, x[..., :1, :] * 100):
            output = of_shape(feed_forward(tokens, params), tokens)
            expect.close(output, oracle.feed_forward(tokens, params), "the output")


@check("feed_forward", given=case_sizes, count=2)
def feeding_returns_fresh_arrays(feed_forward: Callee, case: Sizes) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    params = case.feed_forward()
    for x in case.tokens():
        inputs = x, -2 * x
        expected = [oracle.feed_forward(y, params) for y in inputs]
        expect.answered(feed_forward, [((y, params), {}) for y in inputs], expected, "the output")


# --- encoder_block ----------------------------------------------------------------------------------------------------

ORDERS: tuple[dict[str, Any], ...] = ({}, {"norm_first": True})
"""Norm after the residual, by default, and before the sublayer."""


def with_block_masks(case: Sizes) -> Iterator[tuple[Array, int, dict[str, Any]]]:
    """Tokens of every batch shape, no mask and three kinds of mask, both norm orders, 2 and 3 heads in turn."""
    n_heads = cycle(HEADS)
    for x, order in product(case.tokens(), ORDERS):
        every = list(masks(case.seed, x.shape[:-2], case.n, case.n))
        for mask in (None, *of_batches(every)):
            yield x / 3, next(n_heads), order if mask is None else {"mask": mask, **order}


def of_batches(every: list[Array]) -> list[Array]:
    """Of masks in every shape those by pair and by key, without batch axes and, where there are any, with them."""
    return [*every[:2], *every[4:6]]


@check("encoder_block", given=case_sizes, count=1)
def encoder_keeps_the_shape(encoder_block: Callee, case: Sizes) -> None:
    """An encoder block returns one float64 array of the shape of x.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for x, n_heads, more in with_block_masks(case):
        of_shape(encoder_block(x, case.encoder(), n_heads, **more), x)


@check("encoder_block", given=case_sizes, count=2)
def encoder_leaves_its_inputs(encoder_block: Callee, case: Sizes) -> None:
    """An encoder block leaves tokens, parameters and mask as they were."""
    for x, n_heads, more in with_block_masks(case):
        encoder_block(x, case.encoder(), n_heads, **more)
        expect.unchanged(encoder_block)


@check("encoder_block", given=case_sizes, count=1)
def encoder_with_silent_sublayers_is_its_residuals(encoder_block: Callee, case: Sizes) -> None:
    """With attention and feed-forward at 0 only residuals and norms are left: pre-norm gives x, post-norm two norms.

    Kept: pins both residuals and the norms' places, apart from what the sublayers do.
    """
    params = silenced(silenced(case.encoder(), "attention"), "feed_forward")
    for x, n_heads in in_turn(case.tokens(), HEADS):
        first = of_shape(encoder_block(x, params, n_heads, norm_first=True), x)
        expect.same(first, x, "the output of a pre-norm block with silent sublayers")
        post = of_shape(encoder_block(x, params, n_heads), x)
        expect.close(
            post, oracle.encoder_block(x, params, n_heads), "the output of a post-norm block without sublayers"
        )


def silenced(params: Params, sublayer: str) -> Params:
    """The parameters with a sublayer whose output is 0."""
    last = ("w_2", "b_2") if sublayer == "feed_forward" else ("w_o", "b_o")
    return params | {sublayer: zeroed(params[sublayer], *last)}


@check("encoder_block", given=case_sizes, count=1)
def each_sublayer_of_the_encoder_matters(encoder_block: Callee, case: Sizes) -> None:
    """With attention or feed-forward at 0 the other does its part, with its own norm, in both norm orders.

    Kept: says which of the two is wrong.
    """
    for sublayer, other in (("attention", "feed-forward"), ("feed_forward", "attention")):
        params = silenced(case.encoder(), sublayer)
        for (x, order), n_heads in in_turn(product(case.tokens(), ORDERS), HEADS):
            output = of_shape(encoder_block(x, params, n_heads, **order), x)
            expected = oracle.encoder_block(x, params, n_heads, **order)
            expect.close(output, expected, f"the output of a block with {other} alone")


@check("encoder_block", given=case_sizes, count=1)
def post_norm_ends_with_a_norm(encoder_block: Callee, case: Sizes) -> None:
    """By default the block ends with its second norm: doubling norm_2's gain and bias doubles the output.

    Kept: names the default order and the last norm.
    """
    params = case.encoder()
    doubled = params | {"norm_2": {name: 2 * value for name, value in params["norm_2"].items()}}
    for x, n_heads in in_turn(case.tokens(), HEADS):
        error = 4 * oracle.encoder_block(x, params, n_heads).error
        once, twice = (of_shape(encoder_block(x, p, n_heads), x) for p in (params, doubled))
        expect.agree(twice, 2 * once, error, "the output with norm_2 doubled")


@check("encoder_block", given=case_sizes, count=1)
def encoder_does_not_know_the_order(encoder_block: Callee, case: Sizes) -> None:
    """Without positions in the tokens, permuting the tokens permutes the outputs and does nothing else.

    Kept: the reason why positions have to be added; with positions added before, the outputs do differ.
    """
    params = case.encoder()
    for (x, norms), n_heads in in_turn(product(case.tokens(), ORDERS), HEADS):
        order = shuffle(case.seed, case.n)
        expect.agree(
            of_shape(encoder_block(in_order(x, order), params, n_heads, **norms), x),
            of_shape(encoder_block(x, params, n_heads, **norms), x)[..., order, :],
            2 * oracle.encoder_block(x, params, n_heads, **norms).error[..., order, :],
            "the output with the tokens in another order",
        )


@check("encoder_block", given=case_sizes, count=1)
def causal_encoder_does_not_see_the_future(encoder_block: Callee, case: Sizes) -> None:
    """Under a causal mask the first tokens get the same answer with and without the tokens after them.

    Kept: the use that the mask is made for.
    """
    params = case.encoder()
    for (x, order), n_heads in in_turn(product(case.tokens(), ORDERS), HEADS):
        whole = of_shape(encoder_block(x, params, n_heads, causal_mask(case.n), **order), x)
        for t in range(1, case.n):
            first = np.ascontiguousarray(x[..., :t, :])
            error = 2 * oracle.encoder_block(first, params, n_heads, causal_mask(t), **order).error
            part = of_shape(encoder_block(first, params, n_heads, causal_mask(t), **order), first)
            expect.agree(part, whole[..., :t, :], error, f"the output of the first {t} tokens")


@check("encoder_block", given=case_sizes, count=1)
def encoder_defaults(encoder_block: Callee, case: Sizes) -> None:
    """Leaving mask and norm_first out, passing None and False, and a mask of nothing but True are the same.

    Kept: the default arguments, which a comparison that always passes them would never use.
    """
    params = case.encoder()
    for x, n_heads in in_turn(case.tokens(), HEADS):
        expected = oracle.encoder_block(x, params, n_heads)
        for value in (
            encoder_block(x, params, n_heads),
            encoder_block(x, params, n_heads, None, False),
            encoder_block(x, params, n_heads, mask=np.ones((1, 1), dtype=bool), norm_first=False),
        ):
            expect.close(of_shape(value, x), expected, "the output")


@check("encoder_block", given=case_sizes, count=2)
def encoder_works_at_the_edges(encoder_block: Callee, case: Sizes) -> None:
    """One token, one hidden feature, one head, a head for each feature, three batch axes, masks of nothing but False.

    Kept: names the sizes at which an axis is lost, or a case was left out.
    """
    for ((edge, x, n_heads), order), rare in in_turn(product(case.rare(), ORDERS), RARE_MASKS):
        params, every = edge.encoder(), list(masks(edge.seed, x.shape[:-2], edge.n, edge.n))
        for mask in (None, *every[5:6], rare(edge.n)):
            expected = oracle.encoder_block(x, params, n_heads, mask, **order)
            output = encoder_block(x, params, n_heads, mask, **order)
            expect.close(of_shape(output, x), expected, "the output")


@check("encoder_block", given=case_sizes, count=1)
def hidden_tokens_do_not_reach_the_encoder(encoder_block: Callee, case: Sizes) -> None:
    """However large a token is that the mask hides, the outputs of the others stay as they were.

    They stay exact as well where the scores in sight are in the thousands.

    Kept: names a mask that is not low enough, and an exponential that overflows.
    """
    params = case.encoder()
    for (x, order), n_heads in in_turn(product(case.tokens(), ORDERS), HEADS):
        hidden, mask = hide_half(case.n, x)
        loud = np.where(hidden[:, None], loudness(np.abs(x), x, params["attention"], n_heads) * x, x)
        for tokens in (loud, 100 * x):
            output = of_shape(encoder_block(tokens, params, n_heads, mask, **order), x)[..., ~hidden, :]
            expected = oracle.encoder_block(tokens, params, n_heads, mask, **order)[..., ~hidden, :]
            expect.close(output, expected, "the output of a visible token")


@check("encoder_block", given=case_sizes, count=2)
def encoder_is_right(encoder_block: Callee, case: Sizes) -> None:
    """Attention, then feed-forward, each with its residual: norm(x + f(x)), or x + f(norm(x)) when norm_first.

    Kept: the definition itself, for what breaks no law of its own.
    """
    params = case.encoder()
    for x, n_heads, more in with_block_masks(case):
        expected = oracle.encoder_block(x, params, n_heads, **more)
        expect.close(of_shape(encoder_block(x, params, n_heads, **more), x), expected, "the output")


@check("encoder_block", given=case_sizes, count=2)
def encoder_returns_fresh_arrays(encoder_block: Callee, case: Sizes) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    params = case.encoder()
    for x, order in product(case.tokens(), ORDERS):
        inputs = x, -2 * x
        expected = [oracle.encoder_block(y, params, 3, **order) for y in inputs]
        expect.answered(encoder_block, [((y, params, 3), order) for y in inputs], expected, "the output")


# --- decoder_block ----------------------------------------------------------------------------------------------------


def with_two_masks(case: Sizes) -> Iterator[tuple[Array, Array, int, dict[str, Any]]]:
    """Tokens and memory of every batch shape, each mask alone, both, none; both norm orders; 2 and 3 heads in turn."""
    n_heads = cycle(HEADS)
    for x, order in product(case.tokens(), ORDERS):
        own = of_batches(list(masks(case.seed, x.shape[:-2], case.n, case.n)))
        across = of_batches(list(case.memory_masks(x)))
        for mask, memory_mask in (
            (None, None),
            (own[0], None),
            (None, across[0]),
            (own[1], across[-1]),
            (own[-1], across[1]),
            (own[-2], across[-2]),
            (None, across[-1]),
        ):
            seen = {"mask": mask, "memory_mask": memory_mask}
            given = {name: value for name, value in seen.items() if value is not None}
            yield x / 3, case.memory(x) / 3, next(n_heads), {**given, **order}


@check("decoder_block", given=case_sizes, count=1)
def decoder_keeps_the_shape(decoder_block: Callee, case: Sizes) -> None:
    """A decoder block returns one float64 array of the shape of x, whatever the length of the memory.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for x, memory, n_heads, more in with_two_masks(case):
        of_shape(decoder_block(x, memory, case.decoder(), n_heads, **more), x)


@check("decoder_block", given=case_sizes, count=1)
def decoder_leaves_its_inputs(decoder_block: Callee, case: Sizes) -> None:
    """A decoder block leaves tokens, memory, parameters and masks as they were."""
    for x, memory, n_heads, more in with_two_masks(case):
        decoder_block(x, memory, case.decoder(), n_heads, **more)
        expect.unchanged(decoder_block)


SUBLAYERS = {"self_attention": "self-attention", "cross_attention": "cross-attention", "feed_forward": "feed-forward"}


@check("decoder_block", given=case_sizes, count=1)
def decoder_with_silent_sublayers_is_its_residuals(decoder_block: Callee, case: Sizes) -> None:
    """With all three steps at 0 only residuals and norms are left: pre-norm gives x, post-norm three norms.

    Kept: pins the residuals and the norms' places, apart from what the sublayers do.
    """
    params = case.decoder()
    for sublayer in SUBLAYERS:
        params = silenced(params, sublayer)
    for x, n_heads in in_turn(case.tokens(), HEADS):
        memory = case.memory(x)
        first = of_shape(decoder_block(x, memory, params, n_heads, norm_first=True), x)
        expect.same(first, x, "the output of a pre-norm block with silent sublayers")
        expected = oracle.decoder_block(x, memory, params, n_heads)
        post = of_shape(decoder_block(x, memory, params, n_heads), x)
        expect.close(post, expected, "the output of a post-norm block without sublayers")


@check("decoder_block", given=case_sizes, count=1)
def each_sublayer_of_the_decoder_matters(decoder_block: Callee, case: Sizes) -> None:
    """With two of the three steps at 0 the third still does its part, with its own norm, in both norm orders.

    Kept: says which of the three is wrong.
    """
    for sublayer, words in SUBLAYERS.items():
        params = case.decoder()
        for other in SUBLAYERS.keys() - {sublayer}:
            params = silenced(params, other)
        for (x, order), n_heads in in_turn(product(case.tokens(), ORDERS), HEADS):
            memory = case.memory(x)
            output = of_shape(decoder_block(x, memory, params, n_heads, **order), x)
            expected = oracle.decoder_block(x, memory, params, n_heads, **order)
            expect.close(output, expected, f"the output of a block with {words} alone")


@check("decoder_block", given=case_sizes, count=1)
def decoder_reads_the_memory_in_any_order(decoder_block: Callee, case: Sizes) -> None:
    """The order of the memory does not matter, as long as memory_mask goes with it.

    Kept: names where the memory is read, and with which mask.
    """
    params = case.decoder()
    for (x, norms), n_heads in in_turn(product(case.tokens(), ORDERS), HEADS):
        memory, mask = case.memory(x), case.memory_mask(x)
        order = shuffle(case.seed, memory.shape[-2])
        arguments: dict[str, Any] = {"memory_mask": mask, **norms}
        permuted = {"memory_mask": mask[..., order], **norms}
        expect.agree(
            of_shape(decoder_block(x, in_order(memory, order), params, n_heads, **permuted), x),
            of_shape(decoder_block(x, memory, params, n_heads, **arguments), x),
            2 * oracle.decoder_block(x, memory, params, n_heads, **arguments).error,
            "the output with the memory in another order",
        )


@check("decoder_block", given=case_sizes, count=1)
def causal_decoder_does_not_see_the_future(decoder_block: Callee, case: Sizes) -> None:
    """Under a causal mask the first tokens get the same answer with and without the tokens after them.

    Kept: the use that the mask is made for.
    """
    params = case.decoder()
    for (x, order), n_heads in in_turn(product(case.tokens(), ORDERS), HEADS):
        memory = case.memory(x)
        whole = of_shape(decoder_block(x, memory, params, n_heads, causal_mask(case.n), **order), x)
        for t in range(1, case.n):
            first = np.ascontiguousarray(x[..., :t, :])
            error = 2 * oracle.decoder_block(first, memory, params, n_heads, causal_mask(t), **order).error
            part = of_shape(decoder_block(first, memory, params, n_heads, causal_mask(t), **order), first)
            expect.agree(part, whole[..., :t, :], error, f"the output of the first {t} tokens")


@check("decoder_block", given=case_sizes, count=1)
def hidden_memory_does_not_reach_the_decoder(decoder_block: Callee, case: Sizes) -> None:
    """However large a token of the memory is that memory_mask hides, the output stays as it was.

    Kept: names a memory_mask that is dropped or given to the wrong attention.
    """
    params = case.decoder()
    for (x, order), n_heads in in_turn(product(case.tokens(), ORDERS), HEADS):
        memory = case.memory(x)
        hidden, mask = hide_half(case.n, memory)
        expected = oracle.decoder_block(x, memory, params, n_heads, None, mask, **order)
        normed = [np.abs(norm["gain"]) * np.sqrt(case.d) + np.abs(norm["bias"]) for norm in map(case.norm, (1, 2))]
        times = loudness(np.array(normed), memory, params["cross_attention"], n_heads)
        loud = np.where(hidden[:, None], times * memory, memory)
        output = of_shape(decoder_block(x, loud, params, n_heads, memory_mask=mask, **order), x)
        expect.close(output, expected, "the output, beside a loud hidden token,")


@check("decoder_block", given=case_sizes, count=1)
def decoder_defaults(decoder_block: Callee, case: Sizes) -> None:
    """Leaving masks and norm_first out, passing None and False, and masks of nothing but True are the same.

    Kept: the default arguments, which a comparison that always passes them would never use.
    """
    params, everything = case.decoder(), np.ones((1, 1), dtype=bool)
    for x, n_heads in in_turn(case.tokens(), HEADS):
        memory = case.memory(x)
        expected = oracle.decoder_block(x, memory, params, n_heads)
        for value in (
            decoder_block(x, memory, params, n_heads),
            decoder_block(x, memory, params, n_heads, None, None, False),
            decoder_block(x, memory, params, n_heads, mask=everything, memory_mask=everything, norm_first=False),
        ):
            expect.close(of_shape(value, x), expected, "the output")


@check("decoder_block", given=case_sizes, count=2)
def decoder_works_at_the_edges(decoder_block: Callee, case: Sizes) -> None:
    """One token, a memory of one, one head, a head for each feature, three batch axes, masks of nothing but False.

    Kept: names the sizes at which an axis is lost, or a case was left out.
    """
    for ((edge, x, n_heads), order), rare in in_turn(product(case.rare(), ORDERS), RARE_MASKS):
        params, memory = edge.decoder(), edge.memory(x)
        by_shape = ((None, memory_mask) for memory_mask in (None, *list(edge.memory_masks(x))[5:6]))
        for mask, memory_mask in (*by_shape, (rare(edge.n), rare(edge.n))):
            expected = oracle.decoder_block(x, memory, params, n_heads, mask, memory_mask, **order)
            output = decoder_block(x, memory, params, n_heads, mask, memory_mask, **order)
            expect.close(of_shape(output, x), expected, "the output")


@check("decoder_block", given=case_sizes, count=2)
def decoder_is_right(decoder_block: Callee, case: Sizes) -> None:
    """Self-attention, cross-attention, feed-forward, in this order, each with its own mask, residual and norm.

    Kept: the definition itself, for what breaks no law of its own.
    """
    params = case.decoder()
    for x, memory, n_heads, more in with_two_masks(case):
        expected = oracle.decoder_block(x, memory, params, n_heads, **more)
        expect.close(of_shape(decoder_block(x, memory, params, n_heads, **more), x), expected, "the output")


@check("decoder_block", given=case_sizes, count=1)
def decoder_returns_fresh_arrays(decoder_block: Callee, case: Sizes) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    params = case.decoder()
    for x, order in product(case.tokens(), ORDERS):
        calls = [((y, case.memory(x), params, 3), order) for y in (x, -2 * x)]
        expected = [oracle.decoder_block(*args, **order) for args, _ in calls]
        expect.answered(decoder_block, calls, expected, "the output")
