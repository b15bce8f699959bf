"""Public tests of counters.py. Counts are whole numbers, so they are compared exactly."""

import numpy as np
from checking import assert_count
from hypothesis import given
from hypothesis import strategies as st

SIZES = st.integers(1, 50)
HUGE = 10**12 + 39  # more than any real model, and its square is too large for a 64-bit number


def size(*shapes):
    """How many numbers arrays of these shapes hold."""
    return sum(np.empty(shape).size for shape in shapes)


# attention_params


def test_attention_params_by_hand(attention_params):
    """With 3 features: four matrices of 9 numbers and four biases of 3."""
    assert_count(attention_params(3), 48)


@given(SIZES)
def test_attention_params_are_the_numbers_in_the_arrays(attention_params, d):
    """The arrays w_q, w_k, w_v, w_o and b_q, b_k, b_v, b_o hold as many numbers."""
    assert_count(attention_params(d), size(*[(d, d), (d,)] * 4))


def test_attention_params_of_a_huge_model(attention_params):
    """The count is exact even where d is in the millions of millions."""
    assert_count(attention_params(HUGE), (2 * HUGE + 1) ** 2 - 1)


# feed_forward_params


def test_feed_forward_params_by_hand(feed_forward_params):
    """From 2 features to 5: 10 numbers and 5; and back: 10 numbers and 2."""
    assert_count(feed_forward_params(2, 5), 27)


def test_feed_forward_params_without_d_ff(feed_forward_params):
    """Without d_ff the hidden layer is four times as wide as d, here 8."""
    assert_count(feed_forward_params(2), 42)
    assert_count(feed_forward_params(2, d_ff=None), 42)


@given(SIZES, SIZES)
def test_feed_forward_params_are_the_numbers_in_the_arrays(feed_forward_params, d, d_ff):
    """The arrays w_1, b_1, w_2 and b_2 hold as many numbers."""
    assert_count(feed_forward_params(d, d_ff=d_ff), size((d, d_ff), (d_ff,), (d_ff, d), (d,)))


def test_feed_forward_params_of_a_huge_model(feed_forward_params):
    """The count is exact even where d is in the millions of millions."""
    assert_count(feed_forward_params(HUGE, 1), 3 * HUGE + 1)
    assert_count(feed_forward_params(HUGE), HUGE * (8 * HUGE + 5))


# layer_norm_params


def test_layer_norm_params_by_hand(layer_norm_params):
    """With 3 features: a gain for each, and a bias for each."""
    assert_count(layer_norm_params(3), 6)


@given(SIZES)
def test_layer_norm_params_are_the_numbers_in_the_arrays(layer_norm_params, d):
    """The arrays gain and bias hold as many numbers."""
    assert_count(layer_norm_params(d), size((d,), (d,)))


def test_layer_norm_params_of_a_huge_model(layer_norm_params):
    """The count is exact, however large d is."""
    assert_count(layer_norm_params(10**20 + 1), 2 * 10**20 + 2)


# encoder_block_params


def test_encoder_block_params_of_the_block_in_transformer(encoder_block_params):
    """With 16 features: attention 1,088, feed-forward 2,128, two norms of 32."""
    assert_count(encoder_block_params(16), 3280)


def test_encoder_block_params_with_d_ff(encoder_block_params):
    """With 2 features and 5 hidden ones: attention 24, feed-forward 27, two norms of 4."""
    assert_count(encoder_block_params(2, 5), 59)
    assert_count(encoder_block_params(2, d_ff=5), 59)


def test_encoder_block_params_of_gpt_2(encoder_block_params):
    """The smallest GPT-2: 12 blocks, 50,257 pieces of words, 1,024 positions and a last norm are 124,439,808."""
    whole = 12 * encoder_block_params(768) + (50_257 + 1_024) * 768 + 2 * 768
    assert_count(whole, 124_439_808, of="12 blocks and all the rest")


@given(SIZES)
def test_encoder_block_params_without_d_ff(encoder_block_params, d):
    """Without d_ff it is as with four times d."""
    assert_count(encoder_block_params(d), encoder_block_params(d, d_ff=4 * d))
    assert_count(encoder_block_params(d), (12 * d + 13) * d)


def test_encoder_block_params_of_a_huge_model(encoder_block_params):
    """The count is exact even where d is in the millions of millions."""
    assert_count(encoder_block_params(HUGE), (12 * HUGE + 13) * HUGE)


# decoder_block_params


def test_decoder_block_params_by_hand(decoder_block_params):
    """With 16 features: two attentions of 1,088, feed-forward 2,128, three norms of 32."""
    assert_count(decoder_block_params(16), 4400)


def test_decoder_block_params_with_d_ff(decoder_block_params):
    """With 2 features and 5 hidden ones: two attentions of 24, feed-forward 27, three norms of 4."""
    assert_count(decoder_block_params(2, 5), 87)
    assert_count(decoder_block_params(2, d_ff=5), 87)


@given(SIZES)
def test_decoder_block_params_without_d_ff(decoder_block_params, d):
    """Without d_ff it is as with four times d."""
    assert_count(decoder_block_params(d), decoder_block_params(d, d_ff=4 * d))
    assert_count(decoder_block_params(d), (16 * d + 19) * d)


def test_decoder_block_params_of_a_huge_model(decoder_block_params):
    """The count is exact even where d is in the millions of millions."""
    assert_count(decoder_block_params(HUGE), (16 * HUGE + 19) * HUGE)


# transformer_params


def test_transformer_params_of_an_embedding_alone(transformer_params):
    """Without blocks, only the one table is left: 10 rows of 4."""
    assert_count(transformer_params(10, 4, 0, 0), 40)


def test_transformer_params_of_encoders_only(transformer_params):
    """Two encoder blocks with 16 features, and 10 rows of 16."""
    assert_count(transformer_params(10, 16, 2, 0), 2 * 3280 + 160)


def test_transformer_params_of_decoders_only(transformer_params):
    """Three decoder blocks with 16 features, and 10 rows of 16."""
    assert_count(transformer_params(10, 16, 0, 3), 3 * 4400 + 160)


def test_transformer_params_with_d_ff(transformer_params):
    """With 2 features and 5 hidden ones an encoder block has 59, a decoder block 87, and here are 1 and 4 of them."""
    assert_count(transformer_params(100, 2, 1, 4, 5), 200 + 59 + 4 * 87)
    assert_count(transformer_params(100, 2, 1, 4, d_ff=5), 200 + 59 + 4 * 87)


def test_transformer_params_of_the_original_model(transformer_params):
    """The base model with the 37,000 pieces of words that its paper speaks of."""
    assert_count(transformer_params(37_000, 512, 6, 6), 63_082_496)


def test_transformer_params_of_a_huge_model(transformer_params):
    """The count is exact even where d is in the millions of millions."""
    assert_count(transformer_params(7, HUGE, 1, 1), (28 * HUGE + 39) * HUGE)


# dense_flops


def test_dense_flops_by_hand(dense_flops):
    """One token, one feature, one hidden feature: six numbers, each multiplied and added."""
    assert_count(dense_flops(1, 1, 1), 12)


def test_dense_flops_with_d_ff(dense_flops):
    """3 tokens meet 4 matrices of 2 x 2 and two of 2 x 5, which hold 36 numbers."""
    assert_count(dense_flops(3, 2, 5), 2 * 3 * 36)
    assert_count(dense_flops(3, 2, d_ff=5), 2 * 3 * 36)


def test_dense_flops_without_d_ff(dense_flops):
    """3 tokens meet 4 matrices of 2 x 2 and two of 2 x 8, which hold 48 numbers."""
    assert_count(dense_flops(3, 2), 2 * 3 * 48)


@given(SIZES, SIZES, SIZES)
def test_dense_flops_of_twice_the_tokens(dense_flops, n, d, d_ff):
    """Twice the tokens cost twice as much."""
    assert_count(dense_flops(2 * n, d, d_ff), 2 * dense_flops(n, d, d_ff))


def test_dense_flops_of_a_huge_model(dense_flops):
    """The count is exact even where d is in the millions of millions."""
    assert_count(dense_flops(5, HUGE), 120 * HUGE**2)


# attention_flops


def test_attention_flops_by_hand(attention_flops):
    """2 tokens of 3 features: 4 scores of 3 terms, and 6 averages of 2 terms; each term is multiplied and added."""
    assert_count(attention_flops(2, 3), 2 * 4 * 3 + 2 * 6 * 2)


@given(SIZES, SIZES)
def test_attention_flops_of_twice_the_tokens(attention_flops, n, d):
    """Twice the tokens cost four times as much, twice the features twice as much."""
    assert_count(attention_flops(2 * n, d), 4 * attention_flops(n, d))
    assert_count(attention_flops(n, 2 * d), 2 * attention_flops(n, d))


def test_attention_flops_of_a_huge_model(attention_flops):
    """The count is exact even where n is in the millions of millions."""
    assert_count(attention_flops(HUGE, 5), 20 * HUGE**2)


# crossover_length


def test_crossover_length_by_hand(crossover_length):
    """With 1 feature and 4 hidden ones, the maps cost 24n and attention 4n²: they meet at 6 tokens."""
    assert_count(crossover_length(1), 6)


def test_crossover_length_of_a_common_model(crossover_length):
    """With 768 features they meet at 4,608 tokens."""
    assert_count(crossover_length(768), 4608)


def test_crossover_length_with_d_ff(crossover_length):
    """With 2 features and 5 hidden ones, the maps cost 72n and attention 8n²: they meet at 9 tokens."""
    assert_count(crossover_length(2, 5), 9)
    assert_count(crossover_length(2, d_ff=5), 9)


@given(SIZES, SIZES)
def test_crossover_length_is_the_first(crossover_length, d, d_ff):
    """The maps cost 8nd² + 4n·d·d_ff, attention 4n²d: as much at the crossover, less one token earlier."""
    n = crossover_length(d, d_ff)
    assert_count(n, min(m for m in range(1, 200) if 4 * m * m * d >= 8 * m * d * d + 4 * m * d * d_ff))


def test_crossover_length_of_a_huge_model(crossover_length):
    """The length is exact, and found at once, even where d is in the millions of millions."""
    assert_count(crossover_length(HUGE), 6 * HUGE)
