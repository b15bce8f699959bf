def attention_params(d):
    return 4 * (d**2 + d)


def feed_forward_params(d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    return 2 * d * d_ff + d_ff + d


def layer_norm_params(d):
    return 2 * d


def encoder_block_params(d, d_ff=None):
    return attention_params(d) + feed_forward_params(d, d_ff) + 2 * layer_norm_params(d)


def decoder_block_params(d, d_ff=None):
    return 2 * attention_params(d) + feed_forward_params(d, d_ff) + 3 * layer_norm_params(d)


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    blocks = n_encoder * encoder_block_params(d, d_ff) + n_decoder * decoder_block_params(d, d_ff)
    return blocks + vocab * d


def dense_flops(n, d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    return 2 * n * (4 * d**2 + 2 * d * d_ff)


def attention_flops(n, d):
    return 4 * n**2 * d


def crossover_length(d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    # the first n at which attention costs more
    return 2 * d + d_ff + 1
