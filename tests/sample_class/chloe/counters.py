attention_params = lambda d: 4 * d * (d + 1)
feed_forward_params = lambda d, d_ff=None: (2 * d + 1) * (4 * d if d_ff is None else d_ff) + d
layer_norm_params = lambda d: d + d
encoder_block_params = lambda d, d_ff=None: attention_params(d) + feed_forward_params(d, d_ff) + 2 * layer_norm_params(d)
decoder_block_params = lambda d, d_ff=None: 2 * attention_params(d) + feed_forward_params(d, d_ff) + 3 * layer_norm_params(d)


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    return sum([vocab * d, n_encoder * encoder_block_params(d, d_ff), n_decoder * decoder_block_params(d, d_ff)])


def dense_flops(n, d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    return 4 * n * d * (2 * d + d_ff)


attention_flops = lambda n, d: 4 * d * n**2


def crossover_length(d, d_ff=None):
    # dense_flops = n * a and attention_flops = n * n * b, so n = a / b, rounded up
    return -(-dense_flops(1, d, d_ff) // attention_flops(1, d))
