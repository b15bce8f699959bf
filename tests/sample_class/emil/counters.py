def attention_params(d):
    # w_q, w_k, w_v, w_o
    return 4 * d * d


def feed_forward_params(d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    first = d * d_ff + d_ff
    second = d_ff * d + d
    return first + second


def layer_norm_params(d):
    return 2 * d


def encoder_block_params(d, d_ff=None):
    return attention_params(d) + feed_forward_params(d, d_ff) + 2 * layer_norm_params(d)


def decoder_block_params(d, d_ff=None):
    return 2 * attention_params(d) + feed_forward_params(d, d_ff) + 3 * layer_norm_params(d)


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    embedding = vocab * d
    encoders = n_encoder * encoder_block_params(d, d_ff)
    decoders = n_decoder * decoder_block_params(d, d_ff)
    return embedding + encoders + decoders


def dense_flops(n, d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    projections = 4 * 2 * n * d * d
    feed_forward = 2 * 2 * n * d * d_ff
    return projections + feed_forward


def attention_flops(n, d):
    return 2 * n * n * d + 2 * n * n * d


def crossover_length(d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    return d_ff + 2 * d
