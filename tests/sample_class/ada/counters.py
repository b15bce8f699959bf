def attention_params(d):
    """w_q, w_k, w_v, w_o and their biases."""
    return 4 * d**2 + 4 * d


def feed_forward_params(d, d_ff=None):
    """w_1, b_1, w_2, b_2."""
    if d_ff is None:
        d_ff = 4 * d
    return d * d_ff + d_ff + d_ff * d + d


def layer_norm_params(d):
    """gain and bias."""
    return 2 * d


def encoder_block_params(d, d_ff=None):
    return attention_params(d) + layer_norm_params(d) + feed_forward_params(d, d_ff) + layer_norm_params(d)


def decoder_block_params(d, d_ff=None):
    return encoder_block_params(d, d_ff) + attention_params(d) + layer_norm_params(d)


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    encoder = n_encoder * encoder_block_params(d, d_ff)
    decoder = n_decoder * decoder_block_params(d, d_ff)
    return vocab * d + encoder + decoder


def dense_flops(n, d, d_ff=None):
    """Every weight is used once for each token, and costs a multiplication and an addition."""
    if d_ff is None:
        d_ff = 4 * d
    weights = 4 * d * d + 2 * d * d_ff
    return 2 * n * weights


def attention_flops(n, d):
    scores = 2 * n * n * d
    averages = 2 * n * n * d
    return scores + averages


def crossover_length(d, d_ff=None):
    """4 n^2 d >= 2 n (4 d^2 + 2 d d_ff), so n >= 2 d + d_ff."""
    if d_ff is None:
        d_ff = 4 * d
    return 2 * d + d_ff
