def attention_params(d):
    return 4 * d * (d + 1)


def feed_forward_params(d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    return d_ff * (d + 1) + d * (d_ff + 1)


def layer_norm_params(d):
    return 2 * d


def encoder_block_params(d, d_ff=None):
    return attention_params(d) + feed_forward_params(d, d_ff) + layer_norm_params(d)


def decoder_block_params(d, d_ff=None):
    return 2 * attention_params(d) + feed_forward_params(d, d_ff) + 3 * layer_norm_params(d)


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    total = vocab * d
    total += n_encoder * encoder_block_params(d, d_ff)
    total += n_decoder * decoder_block_params(d, d_ff)
    return total


def dense_flops(n, d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    return 8 * n * d * d + 4 * n * d * d_ff


def attention_flops(n, d):
    return 4 * n * n * d


def crossover_length(d, d_ff=None):
    if d_ff is None:
        return 6 * d
    return 2 * d + d_ff
