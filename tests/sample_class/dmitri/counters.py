def attention_params(d):
    return 4 * (d * d + d)

def feed_forward_params(d, d_ff=None):
    d_ff = d_ff or 4 * d
    return d * d_ff + d_ff + d_ff * d + d

def layer_norm_params(d):
    return 2 * d

def encoder_block_params(d, d_ff=None):
    return attention_params(d) + feed_forward_params(d, d_ff) + 2 * layer_norm_params(d)

def decoder_block_params(d, d_ff=None):
    return 2 * attention_params(d) + feed_forward_params(d, d_ff) + 3 * layer_norm_params(d)

def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    return vocab * d + n_encoder * encoder_block_params(d, d_ff) + n_decoder * decoder_block_params(d, d_ff)

def dense_flops(n, d, d_ff=None):
    d_ff = d_ff or 4 * d
    # multiply-adds
    return n * (4 * d * d + 2 * d * d_ff)

def attention_flops(n, d):
    # multiply-adds of q k^T and of weights v
    return n * n * d + n * n * d

def crossover_length(d, d_ff=None):
    d_ff = d_ff or 4 * d
    return 2 * d + d_ff
