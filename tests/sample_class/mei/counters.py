def attention_params(d):
    return 4 * d * d + 4 * d


def feed_forward_params(d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    return d * d_ff * 2 + d_ff + d


def layer_norm_params(d):
    return d


def encoder_block_params(d, d_ff=None):
    return attention_params(d) + feed_forward_params(d, d_ff) + layer_norm_params(d) * 2


def decoder_block_params(d, d_ff=None):
    # a decoder block is an encoder block with a mask
    return encoder_block_params(d, d_ff)


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    return n_encoder * encoder_block_params(d, d_ff) + n_decoder * decoder_block_params(d, d_ff) + vocab * d


def dense_flops(n, d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    return 2 * (4 * n * d * d + 2 * n * d * d_ff)


def attention_flops(n, d):
    return 2 * (2 * n * n * d)


def crossover_length(d, d_ff=None):
    return dense_flops(1, d, d_ff) / attention_flops(1, d)
