"""Wrong solutions of the lesson ``counters``."""

from typing import Any

import numpy as np

from grader.misconceptions import misconception

Width = int | None


def _attention(d: int) -> int:
    """The right count of attention's parameters."""
    return 4 * (d * d + d)


def _hidden(d: int, d_ff: Width) -> int:
    """How wide the hidden layer is."""
    return 4 * d if d_ff is None else d_ff


def _feed_forward(d: int, d_ff: Width = None) -> int:
    """The right count of the feed-forward part's parameters."""
    wide = _hidden(d, d_ff)
    return 2 * d * wide + wide + d


def _encoder(d: int, d_ff: Width = None) -> int:
    """The right count of an encoder block's parameters."""
    return _attention(d) + _feed_forward(d, d_ff) + 4 * d


def _decoder(d: int, d_ff: Width = None) -> int:
    """The right count of a decoder block's parameters."""
    return 2 * _attention(d) + _feed_forward(d, d_ff) + 6 * d


def _model(vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None) -> int:
    """The right count of a model's parameters."""
    return vocab * d + n_encoder * _encoder(d, d_ff) + n_decoder * _decoder(d, d_ff)


def _dense(n: int, d: int, d_ff: Width = None) -> int:
    """The right count of the maps' operations."""
    return 2 * n * (4 * d * d + 2 * d * _hidden(d, d_ff))


def _wrapped(count: int) -> int:
    """What is left of a count in 64 bits."""
    return (count + 2**63) % 2**64 - 2**63


def _numpy(count: int) -> Any:
    """A count as NumPy's own integer, which has 64 bits."""
    return np.int64(_wrapped(count))


# --- attention_params -------------------------------------------------------------------------------------------------


@misconception("attention_params")
def attention_params_counters_forget_biases(d: int) -> int:
    """The biases are left out: only the matrices are counted.

    Next: each map has a matrix and a bias; write down the shape of every array and add up their sizes.
    """
    return 4 * d * d


@misconception("attention_params")
def attention_params_forgot_output_projection(d: int) -> int:
    """Only the maps to queries, keys and values are counted, not the one that mixes the heads at the end.

    Next: count the arrays whose names end in q, k, v and o.
    """
    return 3 * (d * d + d)


@misconception("attention_params")
def attention_params_only_one_bias(d: int) -> int:
    """One bias is counted for all four maps.

    Next: each of the four maps has a bias of its own.
    """
    return 4 * d * d + d


@misconception("attention_params")
def attention_params_only_one_map(d: int) -> int:
    """One map is counted, as if queries, keys, values and output shared it.

    Next: each of the four maps has a matrix and a bias of its own.
    """
    return d * d + d


@misconception("attention_params")
def attention_params_norm_counted_too(d: int) -> int:
    """The norm beside the attention is counted with it.

    Next: count what attention itself holds; the block adds its norms.
    """
    return _attention(d) + 2 * d


@misconception("attention_params")
def attention_params_float_return(d: int) -> float:
    """The count is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return float(_attention(d))


@misconception("attention_params")
def attention_params_numpy_integer(d: int) -> Any:
    """The count is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(_attention(d))


@misconception("attention_params")
def attention_params_overflow(d: int) -> int:
    """The count was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(_attention(d))


@misconception("attention_params")
def attention_params_exact_only_when_small(d: int) -> int:
    """The count was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(_attention(d)))


@misconception("attention_params")
def attention_params_hard_coded_for_public_example(d: int) -> int:
    """The count is always that of one example, d = 16.

    Next: compute it from the arguments.
    """
    return 1088


# --- feed_forward_params ----------------------------------------------------------------------------------------------


@misconception("feed_forward_params")
def feed_forward_params_counters_forget_biases(d: int, d_ff: Width = None) -> int:
    """The biases are left out: only the matrices are counted.

    Next: each map has a matrix and a bias; write down the shape of every array and add up their sizes.
    """
    return 2 * d * _hidden(d, d_ff)


@misconception("feed_forward_params")
def feed_forward_params_d_ff_defaults_to_d(d: int, d_ff: Width = None) -> int:
    """Without d_ff, the hidden layer is taken to be as wide as d.

    Next: when d_ff is None, the hidden layer is four times as wide.
    """
    return 2 * d * (d if d_ff is None else d_ff) + (d if d_ff is None else d_ff) + d


@misconception("feed_forward_params")
def feed_forward_params_one_map_only(d: int, d_ff: Width = None) -> int:
    """Only the map into the hidden layer is counted, not the one back.

    Next: count both maps, each with its matrix and bias.
    """
    return d * _hidden(d, d_ff) + _hidden(d, d_ff)


@misconception("feed_forward_params")
def feed_forward_params_ignores_d_ff(d: int, d_ff: Width = None) -> int:
    """The d_ff that is given is ignored: the hidden layer is always taken to be four times as wide as d.

    Next: use 4d only when d_ff is None.
    """
    return _feed_forward(d)


@misconception("feed_forward_params")
def feed_forward_params_second_bias_forgotten(d: int, d_ff: Width = None) -> int:
    """The bias of the map back to d features is left out.

    Next: each of the two maps has a bias, as long as what the map puts out.
    """
    return 2 * d * _hidden(d, d_ff) + _hidden(d, d_ff)


@misconception("feed_forward_params")
def feed_forward_params_first_bias_forgotten(d: int, d_ff: Width = None) -> int:
    """The bias of the map into the hidden layer is left out.

    Next: each of the two maps has a bias, as long as what the map puts out.
    """
    return 2 * d * _hidden(d, d_ff) + d


@misconception("feed_forward_params")
def feed_forward_params_both_biases_as_long_as_d(d: int, d_ff: Width = None) -> int:
    """Both biases are counted with d numbers, but the first one is added to the hidden features.

    Next: a bias is as long as what its map puts out.
    """
    return 2 * d * _hidden(d, d_ff) + 2 * d


@misconception("feed_forward_params")
def feed_forward_params_both_biases_as_long_as_d_ff(d: int, d_ff: Width = None) -> int:
    """Both biases are counted with d_ff numbers, but the second one is added to d features.

    Next: a bias is as long as what its map puts out.
    """
    return 2 * d * _hidden(d, d_ff) + 2 * _hidden(d, d_ff)


@misconception("feed_forward_params")
def feed_forward_params_float_return(d: int, d_ff: Width = None) -> float:
    """The count is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return float(_feed_forward(d, d_ff))


@misconception("feed_forward_params")
def feed_forward_params_numpy_integer(d: int, d_ff: Width = None) -> Any:
    """The count is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(_feed_forward(d, d_ff))


@misconception("feed_forward_params")
def feed_forward_params_overflow(d: int, d_ff: Width = None) -> int:
    """The count was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(_feed_forward(d, d_ff))


@misconception("feed_forward_params")
def feed_forward_params_exact_only_when_small(d: int, d_ff: Width = None) -> int:
    """The count was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(_feed_forward(d, d_ff)))


@misconception("feed_forward_params")
def feed_forward_params_hard_coded_for_public_example(d: int, d_ff: Width = None) -> int:
    """The count is always that of one example, d = 16.

    Next: compute it from the arguments.
    """
    return 2128


# --- layer_norm_params ------------------------------------------------------------------------------------------------


@misconception("layer_norm_params")
def layer_norm_params_gain_only(d: int) -> int:
    """Only one of the arrays is counted that a norm learns.

    Next: look at the parameters of layer_norm in transformer.py.
    """
    return d


@misconception("layer_norm_params")
def layer_norm_params_counts_eps_too(d: int) -> int:
    """The small number under the root is counted as a parameter.

    Next: count what is learnt, which eps is not.
    """
    return 2 * d + 1


@misconception("layer_norm_params")
def layer_norm_params_statistics_counted_too(d: int) -> int:
    """Mean and variance are counted as well, but they are computed from each token, not learnt.

    Next: count what is learnt: gain and bias.
    """
    return 4 * d


@misconception("layer_norm_params")
def layer_norm_params_gain_is_a_matrix(d: int) -> int:
    """The gain is counted as a matrix, but each feature has just one gain.

    Next: a norm has two arrays of d numbers.
    """
    return d * d + d


@misconception("layer_norm_params")
def layer_norm_params_shared_by_all_features(d: int) -> int:
    """One gain and one bias are counted for all features together.

    Next: each feature has a gain and a bias of its own.
    """
    return 2


@misconception("layer_norm_params")
def layer_norm_params_float_return(d: int) -> float:
    """The count is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return float(2 * d)


@misconception("layer_norm_params")
def layer_norm_params_numpy_integer(d: int) -> Any:
    """The count is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(2 * d)


@misconception("layer_norm_params")
def layer_norm_params_overflow(d: int) -> int:
    """The count was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(2 * d)


@misconception("layer_norm_params")
def layer_norm_params_exact_only_when_small(d: int) -> int:
    """The count was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(2 * d))


@misconception("layer_norm_params")
def layer_norm_params_hard_coded_for_public_example(d: int) -> int:
    """The count is always that of one example, d = 16.

    Next: compute it from the arguments.
    """
    return 32


# --- encoder_block_params ---------------------------------------------------------------------------------------------


@misconception("encoder_block_params")
def encoder_block_params_counters_forget_norms(d: int, d_ff: Width = None) -> int:
    """The two norms are left out.

    Next: a block has four parts: attention, feed-forward, and a norm for each of the two.
    """
    return _attention(d) + _feed_forward(d, d_ff)


@misconception("encoder_block_params")
def encoder_block_params_counters_forget_biases(d: int, d_ff: Width = None) -> int:
    """The biases of the maps in attention and feed-forward are left out.

    Next: each map has a matrix and a bias; write down the shape of every array and add up their sizes.
    """
    return 4 * d * d + 2 * d * _hidden(d, d_ff) + 4 * d


@misconception("encoder_block_params")
def encoder_block_params_one_norm_only(d: int, d_ff: Width = None) -> int:
    """The two norms are counted as one, or without their biases.

    Next: attention and feed-forward have a norm each, of a gain and a bias.
    """
    return _encoder(d, d_ff) - 2 * d


@misconception("encoder_block_params")
def encoder_block_params_ignores_d_ff(d: int, d_ff: Width = None) -> int:
    """The d_ff that is given is ignored: the hidden layer is always taken to be four times as wide as d.

    Next: hand d_ff on to the count of the feed-forward part.
    """
    return _encoder(d)


@misconception("encoder_block_params")
def encoder_block_params_attention_counted_twice(d: int, d_ff: Width = None) -> int:
    """Two attentions are counted, but an encoder block has one.

    Next: only a decoder block looks at something beside its own tokens.
    """
    return _encoder(d, d_ff) + _attention(d)


@misconception("encoder_block_params")
def encoder_block_params_feed_forward_forgotten(d: int, d_ff: Width = None) -> int:
    """The feed-forward part is left out.

    Next: a block has four parts: attention, feed-forward, and a norm for each of the two.
    """
    return _attention(d) + 4 * d


@misconception("encoder_block_params")
def encoder_block_params_three_norms(d: int, d_ff: Width = None) -> int:
    """Three norms are counted, as in a decoder block.

    Next: count a norm for each of the encoder's two parts.
    """
    return _encoder(d, d_ff) + 2 * d


@misconception("encoder_block_params")
def encoder_block_params_float_return(d: int, d_ff: Width = None) -> float:
    """The count is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return float(_encoder(d, d_ff))


@misconception("encoder_block_params")
def encoder_block_params_numpy_integer(d: int, d_ff: Width = None) -> Any:
    """The count is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(_encoder(d, d_ff))


@misconception("encoder_block_params")
def encoder_block_params_overflow(d: int, d_ff: Width = None) -> int:
    """The count was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(_encoder(d, d_ff))


@misconception("encoder_block_params")
def encoder_block_params_exact_only_when_small(d: int, d_ff: Width = None) -> int:
    """The count was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(_encoder(d, d_ff)))


@misconception("encoder_block_params")
def encoder_block_params_hard_coded_for_public_example(d: int, d_ff: Width = None) -> int:
    """The count is always that of one example, d = 16.

    Next: compute it from the arguments.
    """
    return 3280


# --- decoder_block_params ---------------------------------------------------------------------------------------------


@misconception("decoder_block_params")
def decoder_block_params_cross_attention_forgotten(d: int, d_ff: Width = None) -> int:
    """Only one attention is counted, but a decoder block also attends to what the encoder made.

    Next: count two attentions, to itself and to the memory.
    """
    return _decoder(d, d_ff) - _attention(d)


@misconception("decoder_block_params")
def decoder_block_params_two_norms_only(d: int, d_ff: Width = None) -> int:
    """Only two norms are counted, but a decoder block has three parts and so three norms.

    Next: count a norm for each of the three parts.
    """
    return _decoder(d, d_ff) - 2 * d


@misconception("decoder_block_params")
def decoder_block_params_ignores_d_ff(d: int, d_ff: Width = None) -> int:
    """The d_ff that is given is ignored: the hidden layer is always taken to be four times as wide as d.

    Next: hand d_ff on to the count of the feed-forward part.
    """
    return _decoder(d)


@misconception("decoder_block_params")
def decoder_block_params_same_as_encoder(d: int, d_ff: Width = None) -> int:
    """A decoder block is counted like an encoder block: the attention to the memory and its norm are missing.

    Next: count what a decoder block has more than an encoder block.
    """
    return _encoder(d, d_ff)


@misconception("decoder_block_params")
def decoder_block_params_counters_forget_biases(d: int, d_ff: Width = None) -> int:
    """The biases of the maps in attention and feed-forward are left out.

    Next: each map has a matrix and a bias; write down the shape of every array and add up their sizes.
    """
    return 8 * d * d + 2 * d * _hidden(d, d_ff) + 6 * d


@misconception("decoder_block_params")
def decoder_block_params_counters_forget_norms(d: int, d_ff: Width = None) -> int:
    """The three norms are left out.

    Next: count a norm for each of the three parts.
    """
    return _decoder(d, d_ff) - 6 * d


@misconception("decoder_block_params")
def decoder_block_params_cross_attention_without_queries(d: int, d_ff: Width = None) -> int:
    """The attention to the memory is counted without a map for its queries, as if they needed none.

    Next: the queries come from other tokens than keys and values, but all four maps are there.
    """
    return _decoder(d, d_ff) - d * d - d


@misconception("decoder_block_params")
def decoder_block_params_feed_forward_counted_twice(d: int, d_ff: Width = None) -> int:
    """A feed-forward part is counted after each attention, but a block has only one, at its end.

    Next: count two attentions and one feed-forward part.
    """
    return _decoder(d, d_ff) + _feed_forward(d, d_ff)


@misconception("decoder_block_params")
def decoder_block_params_float_return(d: int, d_ff: Width = None) -> float:
    """The count is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return float(_decoder(d, d_ff))


@misconception("decoder_block_params")
def decoder_block_params_numpy_integer(d: int, d_ff: Width = None) -> Any:
    """The count is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(_decoder(d, d_ff))


@misconception("decoder_block_params")
def decoder_block_params_overflow(d: int, d_ff: Width = None) -> int:
    """The count was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(_decoder(d, d_ff))


@misconception("decoder_block_params")
def decoder_block_params_exact_only_when_small(d: int, d_ff: Width = None) -> int:
    """The count was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(_decoder(d, d_ff)))


@misconception("decoder_block_params")
def decoder_block_params_hard_coded_for_public_example(d: int, d_ff: Width = None) -> int:
    """The count is always that of one example, d = 16.

    Next: compute it from the arguments.
    """
    return 4400


# --- transformer_params -----------------------------------------------------------------------------------------------


@misconception("transformer_params")
def transformer_params_decoder_counted_as_encoder(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """The decoders are counted like encoders.

    Next: what does a decoder block have that an encoder block has not?
    """
    return _model(vocab, d, n_encoder + n_decoder, 0, d_ff)


@misconception("transformer_params")
def transformer_params_encoder_counted_as_decoder(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """The encoders are counted like decoders.

    Next: what does a decoder block have that an encoder block has not?
    """
    return _model(vocab, d, 0, n_encoder + n_decoder, d_ff)


@misconception("transformer_params")
def transformer_params_encoders_and_decoders_swapped(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """The number of encoders is used for the decoders, and the other way round.

    Next: look at the order of the arguments.
    """
    return _model(vocab, d, n_decoder, n_encoder, d_ff)


@misconception("transformer_params")
def transformer_params_embedding_counted_twice(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """The embedding is counted twice, but one table serves both ends.

    Next: how many tables does a model have that uses the same one everywhere?
    """
    return _model(2 * vocab, d, n_encoder, n_decoder, d_ff)


@misconception("transformer_params")
def transformer_params_embedding_forgotten(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """The embedding is left out.

    Next: what turns a word into features, and how many numbers does it hold?
    """
    return _model(0, d, n_encoder, n_decoder, d_ff)


@misconception("transformer_params")
def transformer_params_ignores_d_ff(vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None) -> int:
    """The d_ff that is given is ignored: the hidden layers are always taken to be four times as wide as d.

    Next: hand d_ff on to the counts of the blocks.
    """
    return _model(vocab, d, n_encoder, n_decoder)


@misconception("transformer_params")
def transformer_params_one_block_of_each(vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None) -> int:
    """One encoder and one decoder are counted, however many there are.

    Next: blocks do not share their parameters; which arguments say how many there are?
    """
    return _model(vocab, d, 1, 1, d_ff)


@misconception("transformer_params")
def transformer_params_output_bias_counted_too(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """A bias for each word of the vocabulary is counted, which this model does not have.

    Next: count the blocks and the one embedding, nothing else.
    """
    return _model(vocab, d, n_encoder, n_decoder, d_ff) + vocab


@misconception("transformer_params")
def transformer_params_last_norm_counted_too(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """A last norm is counted, which this model does not have.

    Next: count the blocks and the one embedding, nothing else.
    """
    return _model(vocab, d, n_encoder, n_decoder, d_ff) + 2 * d


@misconception("transformer_params")
def transformer_params_float_return(vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None) -> float:
    """The count is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return float(_model(vocab, d, n_encoder, n_decoder, d_ff))


@misconception("transformer_params")
def transformer_params_numpy_integer(vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None) -> Any:
    """The count is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(_model(vocab, d, n_encoder, n_decoder, d_ff))


@misconception("transformer_params")
def transformer_params_overflow(vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None) -> int:
    """The count was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(_model(vocab, d, n_encoder, n_decoder, d_ff))


@misconception("transformer_params")
def transformer_params_exact_only_when_small(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """The count was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(_model(vocab, d, n_encoder, n_decoder, d_ff)))


@misconception("transformer_params")
def transformer_params_hard_coded_for_public_example(
    vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: Width = None
) -> int:
    """The count is always that of one example, the base model.

    Next: compute it from the arguments.
    """
    return 63082496


# --- dense_flops ------------------------------------------------------------------------------------------------------


@misconception("dense_flops")
def dense_flops_mac_counted_as_one_flop(n: int, d: int, d_ff: Width = None) -> int:
    """A multiplication with its addition is counted as one operation.

    Next: count two: one to multiply, one to add.
    """
    return _dense(n, d, d_ff) // 2


@misconception("dense_flops")
def dense_flops_feed_forward_forgotten(n: int, d: int, d_ff: Width = None) -> int:
    """Only the four projections of attention are counted.

    Next: add the two maps of the feed-forward part.
    """
    return 8 * n * d * d


@misconception("dense_flops")
def dense_flops_projections_forgotten(n: int, d: int, d_ff: Width = None) -> int:
    """Only the two maps of the feed-forward part are counted.

    Next: add the four projections: queries, keys, values, output.
    """
    return 4 * n * d * _hidden(d, d_ff)


@misconception("dense_flops")
def dense_flops_forgot_output_projection(n: int, d: int, d_ff: Width = None) -> int:
    """Only the projections to queries, keys and values are counted, not the one at the end of attention.

    Next: count four projections.
    """
    return _dense(n, d, d_ff) - 2 * n * d * d


@misconception("dense_flops")
def dense_flops_ignores_d_ff(n: int, d: int, d_ff: Width = None) -> int:
    """The d_ff that is given is ignored: the hidden layer is always taken to be four times as wide as d.

    Next: use 4d only when d_ff is None.
    """
    return _dense(n, d)


@misconception("dense_flops")
def dense_flops_d_ff_defaults_to_d(n: int, d: int, d_ff: Width = None) -> int:
    """Without d_ff, the hidden layer is taken to be as wide as d.

    Next: when d_ff is None, the hidden layer is four times as wide.
    """
    return _dense(n, d, d if d_ff is None else d_ff)


@misconception("dense_flops")
def dense_flops_one_map_only(n: int, d: int, d_ff: Width = None) -> int:
    """Only the feed-forward map into the hidden layer is counted, not the one back.

    Next: count both maps of the feed-forward part.
    """
    return _dense(n, d, d_ff) - 2 * n * d * _hidden(d, d_ff)


@misconception("dense_flops")
def dense_flops_biases_counted_too(n: int, d: int, d_ff: Width = None) -> int:
    """The additions of the biases are counted as well, but what is asked for are the products with the matrices.

    Next: count a multiplication and an addition for each number of each matrix and each token.
    """
    return _dense(n, d, d_ff) + n * (5 * d + _hidden(d, d_ff))


@misconception("dense_flops")
def dense_flops_attention_counted_too(n: int, d: int, d_ff: Width = None) -> int:
    """Scores and weighted averages are counted as well; they are attention's work.

    Next: leave out what multiplies tokens with tokens.
    """
    return _dense(n, d, d_ff) + 4 * n * n * d


@misconception("dense_flops")
def dense_flops_per_token(n: int, d: int, d_ff: Width = None) -> int:
    """The count is that of one token, however many there are.

    Next: every token goes through every map.
    """
    return _dense(1, d, d_ff)


@misconception("dense_flops")
def dense_flops_one_addition_fewer(n: int, d: int, d_ff: Width = None) -> int:
    """A dot product of k terms is counted with k - 1 additions; here each multiplication comes with an addition.

    Next: count two operations for each multiplication.
    """
    return _dense(n, d, d_ff) - n * (5 * d + _hidden(d, d_ff))


@misconception("dense_flops")
def dense_flops_float_return(n: int, d: int, d_ff: Width = None) -> float:
    """The count is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return float(_dense(n, d, d_ff))


@misconception("dense_flops")
def dense_flops_numpy_integer(n: int, d: int, d_ff: Width = None) -> Any:
    """The count is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(_dense(n, d, d_ff))


@misconception("dense_flops")
def dense_flops_overflow(n: int, d: int, d_ff: Width = None) -> int:
    """The count was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(_dense(n, d, d_ff))


@misconception("dense_flops")
def dense_flops_exact_only_when_small(n: int, d: int, d_ff: Width = None) -> int:
    """The count was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(_dense(n, d, d_ff)))


@misconception("dense_flops")
def dense_flops_hard_coded_for_public_example(n: int, d: int, d_ff: Width = None) -> int:
    """The count is always that of one example, n = 1, d = 16.

    Next: compute it from the arguments.
    """
    return 6144


# --- attention_flops --------------------------------------------------------------------------------------------------


@misconception("attention_flops", family="mac-counted-as-one-flop")
def attention_flops_mac_counted_as_one_flop(n: int, d: int) -> int:
    """A multiplication with its addition is counted as one operation, or only one of the two products is counted.

    Next: count two operations for each term, in scores and in averages.
    """
    return 2 * n * n * d


@misconception("attention_flops", family="mac-counted-as-one-flop")
def attention_flops_scores_only(n: int, d: int) -> int:
    """Only the scores are counted, not the averages of the values, or a multiplication and its addition count as
    one.

    Next: count two operations for each term, in scores and in averages.
    """
    return 2 * n * n * d


@misconception("attention_flops")
def attention_flops_attention_linear_in_n(n: int, d: int) -> int:
    """The count grows with n instead of its square, as if each token met only one other.

    Next: every token meets every token: that makes n times n scores.
    """
    return 4 * n * d * d


@misconception("attention_flops")
def attention_flops_softmax_counted_too(n: int, d: int) -> int:
    """The softmax is counted as well, but what is asked for are the two products.

    Next: count only scores and weighted averages.
    """
    return 4 * n * n * d + 3 * n * n


@misconception("attention_flops")
def attention_flops_past_only(n: int, d: int) -> int:
    """Only pairs in which the key is not later than the query are counted, as under a causal mask.

    Next: without a mask every token meets every token.
    """
    return 2 * n * (n + 1) * d


@misconception("attention_flops")
def attention_flops_once_for_each_feature(n: int, d: int) -> int:
    """The features are counted twice over: the dot product of two tokens has d terms, not d times d.

    Next: write down the shapes of the two matrices and the length of one dot product.
    """
    return 4 * n * n * d * d


@misconception("attention_flops")
def attention_flops_one_addition_fewer(n: int, d: int) -> int:
    """A dot product of k terms is counted with k - 1 additions; here each multiplication comes with an addition.

    Next: count two operations for each multiplication.
    """
    return n * n * (2 * d - 1) + n * d * (2 * n - 1)


@misconception("attention_flops")
def attention_flops_projections_counted_too(n: int, d: int) -> int:
    """The projections are counted as well; they are the maps' work.

    Next: leave out what multiplies tokens with parameters.
    """
    return 4 * n * n * d + 8 * n * d * d


@misconception("attention_flops")
def attention_flops_float_return(n: int, d: int) -> float:
    """The count is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return float(4 * n * n * d)


@misconception("attention_flops")
def attention_flops_numpy_integer(n: int, d: int) -> Any:
    """The count is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(4 * n * n * d)


@misconception("attention_flops")
def attention_flops_overflow(n: int, d: int) -> int:
    """The count was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(4 * n * n * d)


@misconception("attention_flops")
def attention_flops_exact_only_when_small(n: int, d: int) -> int:
    """The count was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(4 * n * n * d))


@misconception("attention_flops")
def attention_flops_hard_coded_for_public_example(n: int, d: int) -> int:
    """The count is always that of one example, n = 1, d = 16.

    Next: compute it from the arguments.
    """
    return 64


# --- crossover_length -------------------------------------------------------------------------------------------------


@misconception("crossover_length")
def crossover_length_crossover_3d(d: int, d_ff: Width = None) -> int:
    """The length is half of the right one: attention costs half as much as the maps there, not as much.

    Next: compare both counts at your length, each with two operations for a multiplication and its addition.
    """
    return d + _hidden(d, d_ff) // 2


@misconception("crossover_length")
def crossover_length_ignores_d_ff(d: int, d_ff: Width = None) -> int:
    """The d_ff that is given is ignored: the length is always six times d.

    Next: work the length out from both counts, with d_ff in the maps.
    """
    return 6 * d


@misconception("crossover_length")
def crossover_length_off_by_one(d: int, d_ff: Width = None) -> int:
    """The length is one too many: attention already costs as much one token earlier.

    Next: at the length itself both may cost the same.
    """
    return 2 * d + _hidden(d, d_ff) + 1


@misconception("crossover_length")
def crossover_length_one_too_few(d: int, d_ff: Width = None) -> int:
    """The length is one too few: attention does not yet cost as much.

    Next: compare both counts at your length.
    """
    return 2 * d + _hidden(d, d_ff) - 1


@misconception("crossover_length")
def crossover_length_twice_as_long(d: int, d_ff: Width = None) -> int:
    """The length is twice the right one: only one of attention's two products is counted, or half of the
    operations.

    Next: attention makes scores and averages, both at two operations for a term.
    """
    return 4 * d + 2 * _hidden(d, d_ff)


@misconception("crossover_length")
def crossover_length_d_ff_defaults_to_d(d: int, d_ff: Width = None) -> int:
    """Without d_ff, the hidden layer is taken to be as wide as d.

    Next: when d_ff is None, the hidden layer is four times as wide.
    """
    return 2 * d + (d if d_ff is None else d_ff)


@misconception("crossover_length")
def crossover_length_feed_forward_forgotten(d: int, d_ff: Width = None) -> int:
    """The feed-forward part is left out of the maps.

    Next: the maps are the four projections and both maps of the feed-forward part.
    """
    return 2 * d


@misconception("crossover_length")
def crossover_length_forgot_output_projection(d: int, d_ff: Width = None) -> int:
    """The projection at the end of attention is left out of the maps.

    Next: count four projections.
    """
    return -(-(3 * d + 2 * _hidden(d, d_ff)) // 2)


@misconception("crossover_length")
def crossover_length_float_return(d: int, d_ff: Width = None) -> float:
    """The length is a float, so large ones are not exact.

    Next: stay with whole numbers: no division by / and no 2.0.
    """
    return _dense(1, d, d_ff) / (4 * d)


@misconception("crossover_length")
def crossover_length_numpy_integer(d: int, d_ff: Width = None) -> Any:
    """The length is an integer of NumPy's, which has 64 bits and wraps around without a word.

    Next: compute with Python's own integers, which have no limit.
    """
    return _numpy(2 * d + _hidden(d, d_ff))


@misconception("crossover_length")
def crossover_length_overflow(d: int, d_ff: Width = None) -> int:
    """The length was computed in 64 bits on the way, so that a large one wraps around.

    Next: compute with Python's own integers, which have no limit, from beginning to end.
    """
    return _wrapped(_dense(1, d, d_ff)) // (4 * d)


@misconception("crossover_length")
def crossover_length_exact_only_when_small(d: int, d_ff: Width = None) -> int:
    """The length was a float on the way, and a large float is not exact.

    Next: stay with whole numbers from beginning to end: // instead of /, 2 instead of 2.0.
    """
    return int(float(2 * d + _hidden(d, d_ff)))


@misconception("crossover_length")
def crossover_length_hard_coded_for_public_example(d: int, d_ff: Width = None) -> int:
    """The length is always that of one example, d = 768.

    Next: compute it from the arguments.
    """
    return 4608
