def attention_params(d):
    weights = d * d
    bias = d
    return 4 * (weights + bias)


def feed_forward_params(d, d_ff=None):
    d_ff = 4 * d
    return (d * d_ff + d_ff) + (d_ff * d + d)


def layer_norm_params(d):
    gain = bias = d
    return gain + bias


def encoder_block_params(d, d_ff=None):
    return attention_params(d) + layer_norm_params(d) + feed_forward_params(d, d_ff) + layer_norm_params(d)


def decoder_block_params(d, d_ff=None):
    attentions = attention_params(d) + attention_params(d)
    norms = 3 * layer_norm_params(d)
    return attentions + norms + feed_forward_params(d, d_ff)


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    encoders = n_encoder * encoder_block_params(d, d_ff)
    decoders = n_decoder * decoder_block_params(d, d_ff)
    return encoders + decoders + vocab * d


def dense_flops(n, d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    multiplications = n * (4 * d * d + d * d_ff + d_ff * d)
    return 2 * multiplications


def attention_flops(n, d):
    multiplications = n * d * n + n * n * d
    return 2 * multiplications


def crossover_length(d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    return 2 * d + d_ff
