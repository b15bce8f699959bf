def attention_params(d):
    return 4 * d * d + 4 * d


def feed_forward_params(d, d_ff=None):
    pass


def layer_norm_params(d):
    return 2 * d


def encoder_block_params(d, d_ff=None):
    raise NotImplementedError("encoder_block_params")


def decoder_block_params(d, d_ff=None):
    raise NotImplementedError("decoder_block_params")


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    raise NotImplementedError("transformer_params")


def dense_flops(n, d, d_ff=None):
    raise NotImplementedError("dense_flops")


def attention_flops(n, d):
    raise NotImplementedError("attention_flops")


def crossover_length(d, d_ff=None):
    raise NotImplementedError("crossover_length")
