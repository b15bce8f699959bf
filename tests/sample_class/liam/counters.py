def attention_params(d):
    return 4 * d * d + 4 * d


def feed_forward_params(d, d_ff=None):
    if not d_ff:
        d_ff = 4 * d
    return 2 * d * d_ff + d + d_ff


def layer_norm_params(d):
    return 2 * d


def encoder_block_params(d, d_ff=None):
    return attention_params(d) + feed_forward_params(d, d_ff)


def decoder_block_params(d, d_ff=None):
    return 2 * attention_params(d) + feed_forward_params(d, d_ff) + 3 * layer_norm_params(d)


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    # one embedding for the input and one for the output
    return 2 * vocab * d + n_encoder * encoder_block_params(d, d_ff) + n_decoder * decoder_block_params(d, d_ff)


def dense_flops(n, d, d_ff=None):
    if not d_ff:
        d_ff = 4 * d
    return 8 * n * d * d + 4 * n * d * d_ff


def attention_flops(n, d):
    return 4 * n * n * d


def crossover_length(d, d_ff=None):
    return int(dense_flops(1, d, d_ff) / (4 * d))
