"""Hidden checks of the lesson ``counters``. Counts are exact: there is no tolerance."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from grader.callee import Callee, Violation
from grader.checks import check
from grader.expect import not_a
from grader.oracles import counters as oracle
from grader.plain import integer

LARGE = (10**7, 10**7 + 3, 10**9 + 7, 10**12 + 39, 10**30 + 57)
"""Features beyond the exact floats and, squared, beyond 64 bits. No loop over them comes to an end in time."""

ENCODER_ONLY = (
    (768, 12, (50_257 + 1_024) * 768 + 2 * 768, 124_439_808),
    (1_024, 24, (50_257 + 1_024) * 1_024 + 2 * 1_024, 354_823_168),
    (1_280, 36, (50_257 + 1_024) * 1_280 + 2 * 1_280, 774_030_080),
    (1_600, 48, (50_257 + 1_024) * 1_600 + 2 * 1_600, 1_557_611_200),
    (768, 12, (30_522 + 512 + 2) * 768 + 2 * 768 + 768 * 768 + 768, 109_482_240),
)
"""Features, blocks, what is not in the blocks, and the published size: the four GPT-2 (words, positions, last norm) and
BERT-base uncased (words, positions, sentence types, a norm on them, and the map behind the first token)."""

T5_VOCABULARY = 32_128
T5 = ((512, 2_048, 6, 60_506_624), (768, 3_072, 12, 222_903_552))
"""Features, hidden features, encoders (and as many decoders), and the published size: T5-small and T5-base."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of a small model; ``d`` is even, so that it can be shared by two heads."""

    half: int
    d_ff: int
    n: int

    @property
    def d(self) -> int:
        """The number of features."""
        return 2 * self.half

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return self.d * self.d_ff * self.n

    def widths(self) -> Iterator[int]:
        """Numbers of features: one, an odd one, the example's own."""
        yield from (1, 3, self.d, self.d + 1)

    def pairs(self) -> Iterator[tuple[int, int | None]]:
        """Numbers of features with the hidden width left out, narrower than 4d, as wide as d, 4d, or wider."""
        for d in self.widths():
            yield from ((d, d_ff) for d_ff in (None, self.d_ff, d, 4 * d, 4 * d + self.d_ff))

    def large(self) -> Iterator[int]:
        """Large numbers of features, no round ones."""
        yield from (d + self.half for d in LARGE)

    def large_pairs(self) -> Iterator[tuple[int, int | None]]:
        """Large numbers of features with the hidden width left out or given."""
        for d in self.large():
            yield from ((d, None), (d, 3 * d + self.d_ff))


sizes = st.builds(Sizes, st.integers(1, 8), st.integers(2, 30), st.integers(2, 5))


def whole(value: Any) -> int:
    """A plain Python integer: what came back, if it is one."""
    if type(value) is not int:
        raise Violation(not_a("a Python int", value), value, "a Python int", about_form=True)
    return value


def equal(value: Any, expected: int, what: str = "the count") -> None:
    """Exactly this number."""
    got = whole(value)
    if got != expected:
        raise Violation(f"{what} is {integer(got)}, not {integer(expected)}", got, expected)


def held(shapes: oracle.Shapes) -> int:
    """How many numbers real arrays of these shapes hold."""
    return sum(np.empty(shape).size for shape in oracle.every_shape(shapes))


def beside_the_blocks(d: int) -> int:
    """What T5 has beside blocks and embedding: a last norm without bias for each half, and its scores by distance.

    Each half shares one table of 32 distances for each head, and there is a head for every 64 features.
    """
    return 2 * d + 2 * 32 * (d // 64)


# --- attention_params ------------------------------------------------------------------------------------------------


@check("attention_params", given=sizes, count=4)
def attention_params_counts_the_arrays(attention_params: Callee, case: Sizes) -> None:
    """Attention has as many parameters as its eight arrays, four matrices and four biases, hold numbers.

    Kept: names what is to be counted, where a formula would not.
    """
    for d in case.widths():
        equal(attention_params(d), held(oracle.attention(d)))


@check("attention_params", given=sizes, count=4)
def attention_params_is_exact(attention_params: Callee, case: Sizes) -> None:
    """The count of attention is a whole Python number and exact, however large d is."""
    for d in case.large():
        equal(attention_params(d), oracle.count(oracle.attention(d)))


# --- feed_forward_params ---------------------------------------------------------------------------------------------


@check("feed_forward_params", given=sizes, count=4)
def feed_forward_params_counts_the_arrays(feed_forward_params: Callee, case: Sizes) -> None:
    """The feed-forward part has as many parameters as its two matrices and two biases hold numbers, for any d_ff.

    Kept: names what is to be counted, where a formula would not.
    """
    for d, d_ff in case.pairs():
        equal(feed_forward_params(d, d_ff), held(oracle.feed_forward(d, d_ff)))


@check("feed_forward_params", given=sizes, count=4)
def feed_forward_params_takes_four_d_by_itself(feed_forward_params: Callee, case: Sizes) -> None:
    """Without d_ff, and with d_ff=None, the hidden layer is four times as wide as d.

    Kept: names the default, which one comparison among many would bury.
    """
    for d in case.widths():
        for kwargs in ({}, {"d_ff": None}, {"d_ff": 4 * d}):
            equal(feed_forward_params(d, **kwargs), oracle.count(oracle.feed_forward(d, 4 * d)))


@check("feed_forward_params", given=sizes, count=4)
def feed_forward_params_is_exact(feed_forward_params: Callee, case: Sizes) -> None:
    """The count of the feed-forward part is a whole Python number and exact, however large d and d_ff are."""
    for d, d_ff in case.large_pairs():
        equal(feed_forward_params(d, d_ff), oracle.count(oracle.feed_forward(d, d_ff)))


# --- layer_norm_params -----------------------------------------------------------------------------------------------


@check("layer_norm_params", given=sizes, count=4)
def layer_norm_params_counts_the_arrays(layer_norm_params: Callee, case: Sizes) -> None:
    """A norm has as many parameters as its two arrays, gain and bias, hold numbers.

    Kept: names what is to be counted, where a formula would not.
    """
    for d in case.widths():
        equal(layer_norm_params(d), held(oracle.layer_norm(d)))


@check("layer_norm_params", given=sizes, count=4)
def layer_norm_params_is_exact(layer_norm_params: Callee, case: Sizes) -> None:
    """The count of a norm is a whole Python number and exact, however large d is."""
    for d in case.large():
        equal(layer_norm_params(d), oracle.count(oracle.layer_norm(d)))


# --- encoder_block_params --------------------------------------------------------------------------------------------


@check("encoder_block_params", given=sizes, count=4)
def encoder_block_params_counts_the_arrays(encoder_block_params: Callee, case: Sizes) -> None:
    """An encoder block has as many parameters as its arrays (attention, feed-forward, two norms) hold numbers.

    Kept: names what is to be counted, where a formula would not.
    """
    for d, d_ff in case.pairs():
        equal(encoder_block_params(d, d_ff), held(oracle.encoder_block(d, d_ff)))


@check("encoder_block_params", given=sizes, count=4)
def encoder_block_params_takes_four_d_by_itself(encoder_block_params: Callee, case: Sizes) -> None:
    """Without d_ff, an encoder block has 12d² + 13d parameters.

    Kept: names the closed form, which a student can check by hand.
    """
    for d in (*case.widths(), 16):
        for kwargs in ({}, {"d_ff": None}, {"d_ff": 4 * d}):
            equal(encoder_block_params(d, **kwargs), 12 * d * d + 13 * d)


@check("encoder_block_params", given=sizes, count=4)
def encoder_block_params_grows_evenly_with_d_ff(encoder_block_params: Callee, case: Sizes) -> None:
    """One more hidden feature adds a column, a row and a bias: 2d + 1 parameters to an encoder block.

    Kept: names the d_ff that is ignored.
    """
    for d in case.widths():
        wider = whole(encoder_block_params(d, d_ff=case.d_ff + 1))
        equal(wider - whole(encoder_block_params(d, d_ff=case.d_ff)), 2 * d + 1, "the difference")


@check("encoder_block_params", given=sizes, count=4)
def encoder_block_params_is_exact(encoder_block_params: Callee, case: Sizes) -> None:
    """The count of an encoder block is a whole Python number and exact, however large d and d_ff are."""
    for d, d_ff in case.large_pairs():
        equal(encoder_block_params(d, d_ff), oracle.count(oracle.encoder_block(d, d_ff)))


@check("encoder_block_params", given=st.just(None), count=1)
def encoder_block_params_fits_published_models(encoder_block_params: Callee, case: None) -> None:
    """With their embeddings and extra norms, such blocks add up to the published sizes of BERT and the four GPT-2.

    Kept: the count meets the world; the numbers come from the models, not from a formula.
    """
    for d, n_blocks, others, published in ENCODER_ONLY:
        equal(n_blocks * whole(encoder_block_params(d)) + others, published, "the whole model")


# --- decoder_block_params --------------------------------------------------------------------------------------------


@check("decoder_block_params", given=sizes, count=4)
def decoder_block_params_counts_the_arrays(decoder_block_params: Callee, case: Sizes) -> None:
    """A decoder block has as many parameters as its arrays (two attentions, feed-forward, three norms) hold numbers.

    Kept: names what is to be counted, where a formula would not.
    """
    for d, d_ff in case.pairs():
        equal(decoder_block_params(d, d_ff), held(oracle.decoder_block(d, d_ff)))


@check("decoder_block_params", given=sizes, count=4)
def decoder_block_params_takes_four_d_by_itself(decoder_block_params: Callee, case: Sizes) -> None:
    """Without d_ff, a decoder block has 16d² + 19d parameters.

    Kept: names the closed form, which a student can check by hand.
    """
    for d in (*case.widths(), 16):
        for kwargs in ({}, {"d_ff": None}, {"d_ff": 4 * d}):
            equal(decoder_block_params(d, **kwargs), 16 * d * d + 19 * d)


@check("decoder_block_params", given=sizes, count=4)
def decoder_block_params_grows_evenly_with_d_ff(decoder_block_params: Callee, case: Sizes) -> None:
    """One more hidden feature adds a column, a row and a bias: 2d + 1 parameters to a decoder block.

    Kept: names the d_ff that is ignored.
    """
    for d in case.widths():
        wider = whole(decoder_block_params(d, d_ff=case.d_ff + 1))
        equal(wider - whole(decoder_block_params(d, d_ff=case.d_ff)), 2 * d + 1, "the difference")


@check("decoder_block_params", given=sizes, count=4)
def decoder_block_params_is_exact(decoder_block_params: Callee, case: Sizes) -> None:
    """The count of a decoder block is a whole Python number and exact, however large d and d_ff are."""
    for d, d_ff in case.large_pairs():
        equal(decoder_block_params(d, d_ff), oracle.count(oracle.decoder_block(d, d_ff)))


@check("decoder_block_params", given=st.just(None), count=1)
def decoder_block_params_fits_published_models(decoder_block_params: Callee, case: None) -> None:
    """Without biases, with encoders, embedding and last norms, such blocks add up to the published sizes of T5.

    Kept: the count meets the world; the numbers come from the models, not from a formula.
    """
    for d, d_ff, n_blocks, published in T5:
        encoder, decoder = oracle.encoder_block(d, d_ff), oracle.decoder_block(d, d_ff)
        own = n_blocks * (whole(decoder_block_params(d, d_ff)) - oracle.biases(decoder))
        others = n_blocks * (oracle.count(encoder) - oracle.biases(encoder)) + T5_VOCABULARY * d + beside_the_blocks(d)
        equal(own + others, published, "the whole model")


# --- transformer_params ----------------------------------------------------------------------------------------------


@check("transformer_params", given=sizes, count=4)
def transformer_params_counts_the_arrays(transformer_params: Callee, case: Sizes) -> None:
    """A whole model has as many parameters as its arrays (embedding, encoders, decoders) hold numbers, for any d_ff.

    Kept: names what is to be counted, where a formula would not.
    """
    for d, d_ff in case.pairs():
        for n_encoder, n_decoder in ((1, 1), (case.n, 1), (1, case.n)):
            shape = (10 * d + 7, d, n_encoder, n_decoder)
            equal(transformer_params(*shape, d_ff), held(oracle.transformer(*shape, d_ff)))


@check("transformer_params", given=sizes, count=4)
def transformer_params_may_lack_a_part(transformer_params: Callee, case: Sizes) -> None:
    """A model may have no encoders, no decoders, or neither: then only the one embedding is left.

    Kept: shows each part by itself.
    """
    for n_encoder, n_decoder in ((0, 0), (case.n, 0), (0, case.n)):
        for kwargs in ({}, {"d_ff": None}, {"d_ff": case.d_ff}):
            shape = (case.d_ff, case.d, n_encoder, n_decoder)
            equal(transformer_params(*shape, **kwargs), oracle.count(oracle.transformer(*shape, **kwargs)))


@check("transformer_params", given=sizes, count=4)
def transformer_params_adds_up(transformer_params: Callee, case: Sizes) -> None:
    """Each further word of the vocabulary, encoder and decoder adds the same again.

    Kept: names the part that is not counted once for each.
    """
    vocab, d, d_ff = 50, case.d, case.d_ff
    base = whole(transformer_params(vocab, d, 2, 3, d_ff=d_ff))
    further = (
        ((1, 0, 0), d, "a further word"),
        ((0, 1, 0), oracle.count(oracle.encoder_block(d, d_ff)), "a further encoder"),
        ((0, 0, 1), oracle.count(oracle.decoder_block(d, d_ff)), "a further decoder"),
    )
    for (words, encoders, decoders), adds, what in further:
        more = whole(transformer_params(vocab + words, d, 2 + encoders, 3 + decoders, d_ff=d_ff))
        equal(more - base, adds, what)


@check("transformer_params", given=sizes, count=4)
def transformer_params_is_exact(transformer_params: Callee, case: Sizes) -> None:
    """The count of a whole model is a whole Python number and exact, however large it is."""
    for d, d_ff in case.large_pairs():
        shape = (10**9 + 7, d, case.n, 2 * case.n)
        equal(transformer_params(*shape, d_ff), oracle.count(oracle.transformer(*shape, d_ff)))


@check("transformer_params", given=st.just(None), count=1)
def transformer_params_fits_published_models(transformer_params: Callee, case: None) -> None:
    """Without biases and with two last norms, the count of a whole model is the published size of T5.

    Kept: the count meets the world; the numbers come from the models, not from a formula.
    """
    for d, d_ff, n_blocks, published in T5:
        shape = (T5_VOCABULARY, d, n_blocks, n_blocks)
        without = whole(transformer_params(*shape, d_ff)) - oracle.biases(oracle.transformer(*shape, d_ff))
        equal(without + beside_the_blocks(d), published, "the whole model")


# --- dense_flops -----------------------------------------------------------------------------------------------------


@check("dense_flops", given=sizes, count=4)
def dense_flops_counts_what_a_loop_does(dense_flops: Callee, case: Sizes) -> None:
    """The six maps cost what loops that multiply matrices number by number count on the way, for any d_ff.

    Kept: names what is to be counted, where a formula would not.
    """
    for d, d_ff in ((1, None), (3, None), (3, 5), (3, 3), (case.half, case.d_ff), (case.half, None)):
        equal(dense_flops(case.n, d, d_ff), oracle.counted_flops(oracle.dense_products(case.n, d, d_ff)))


@check("dense_flops", given=sizes, count=4)
def dense_flops_takes_four_d_by_itself(dense_flops: Callee, case: Sizes) -> None:
    """Without d_ff, the maps cost 24nd² operations.

    Kept: names the closed form, which a student can check by hand.
    """
    for d in case.widths():
        for kwargs in ({}, {"d_ff": None}, {"d_ff": 4 * d}):
            equal(dense_flops(case.n, d, **kwargs), 24 * case.n * d * d)


@check("dense_flops", given=sizes, count=4)
def dense_flops_costs_each_token_the_same(dense_flops: Callee, case: Sizes) -> None:
    """Twice as many tokens cost twice as much in the maps, and one token alone costs its share.

    Kept: names the count that does not grow with the tokens, or grows faster.
    """
    for d, d_ff in case.pairs():
        one = whole(dense_flops(1, d, d_ff))
        for n in (2, case.n, 2 * case.n):
            equal(dense_flops(n, d, d_ff), n * one)


@check("dense_flops", given=sizes, count=4)
def dense_flops_is_exact(dense_flops: Callee, case: Sizes) -> None:
    """The count of the maps is a whole Python number and exact, however large n, d and d_ff are."""
    for n in (1, 10**6 + case.n, 10**12 + case.n):
        for d, d_ff in case.large_pairs():
            equal(dense_flops(n, d, d_ff), oracle.flops(oracle.dense_products(n, d, d_ff)))


# --- attention_flops -------------------------------------------------------------------------------------------------


@check("attention_flops", given=sizes, count=4)
def attention_flops_counts_what_a_loop_does(attention_flops: Callee, case: Sizes) -> None:
    """Attention costs what loops over all heads, for scores and for averages, count on the way: with 1 head or with 2.

    Kept: names what is to be counted, where a formula would not.
    """
    for n in (1, 2, case.n + 1):
        for d in (2, case.d):
            for heads in (1, 2):
                equal(attention_flops(n, d), oracle.counted_flops(oracle.attention_products(n, d, heads)))


@check("attention_flops", given=sizes, count=4)
def attention_flops_grows_with_the_square(attention_flops: Callee, case: Sizes) -> None:
    """Twice as many tokens cost four times as much in attention, twice as many features twice as much.

    Kept: names the count that grows too slowly.
    """
    for d in case.widths():
        for n in (1, case.n):
            once = whole(attention_flops(n, d))
            equal(attention_flops(2 * n, d), 4 * once)
            equal(attention_flops(n, 2 * d), 2 * once)


@check("attention_flops", given=sizes, count=4)
def attention_flops_is_exact(attention_flops: Callee, case: Sizes) -> None:
    """The count of attention is a whole Python number and exact, however large n and d are."""
    for n in (1, 10**6 + case.n, 10**12 + case.n):
        for d in case.large():
            equal(attention_flops(n, d), oracle.flops(oracle.attention_products(n, d)))


# --- crossover_length ------------------------------------------------------------------------------------------------


@check("crossover_length", given=sizes, count=4)
def crossover_length_is_the_first(crossover_length: Callee, case: Sizes) -> None:
    """At this length attention costs as much as the maps, or more; one token earlier it costs less.

    Kept: names what the length means, where a formula would not.
    """
    for d, d_ff in case.pairs():
        n = whole(crossover_length(d, d_ff))
        maps, attention = oracle.dense_products(max(n, 0), d, d_ff), oracle.attention_products(max(n, 0), d)
        if n < 1 or oracle.flops(attention) < oracle.flops(maps):
            raise Violation(
                f"at {integer(n)} tokens attention costs less than the maps", n, oracle.crossover_length(d, d_ff)
            )
        maps, attention = oracle.dense_products(n - 1, d, d_ff), oracle.attention_products(n - 1, d)
        if n > 1 and oracle.flops(attention) >= oracle.flops(maps):
            raise Violation(f"{integer(n - 1)} tokens are already enough", n, oracle.crossover_length(d, d_ff))


@check("crossover_length", given=sizes, count=4)
def crossover_length_takes_four_d_by_itself(crossover_length: Callee, case: Sizes) -> None:
    """Without d_ff, attention catches up at 6d tokens.

    Kept: names the closed form, which a student can check by hand.
    """
    for d in (*case.widths(), 768):
        for kwargs in ({}, {"d_ff": None}, {"d_ff": 4 * d}):
            equal(crossover_length(d, **kwargs), 6 * d, "the length")


@check("crossover_length", given=sizes, count=4)
def crossover_length_moves_with_d_ff(crossover_length: Callee, case: Sizes) -> None:
    """A wider hidden layer makes the maps dearer, so attention catches up later.

    Kept: names the d_ff that is ignored.
    """
    for d in case.widths():
        wider, narrower = (whole(crossover_length(d, d_ff=d_ff)) for d_ff in (5 * case.d_ff, case.d_ff))
        if wider <= narrower:
            raise Violation(f"the length is {wider} for the wider layer and {narrower} for the narrower one", wider)


@check("crossover_length", given=sizes, count=4)
def crossover_length_is_exact(crossover_length: Callee, case: Sizes) -> None:
    """The length is a whole Python number and exact, and found at once, however large d and d_ff are."""
    for d, d_ff in (*case.large_pairs(), (10**30 + case.d, None), (10**30 + case.d, 10**29 + case.d_ff)):
        equal(crossover_length(d, d_ff), oracle.crossover_length(d, d_ff), "the length")
