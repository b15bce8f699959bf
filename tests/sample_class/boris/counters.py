# I write down the shapes and count what is in them.


def size(shapes):
    total = 0
    for shape in shapes:
        product = 1
        for length in shape:
            product *= length
        total += product
    return total


def hidden_width(d, d_ff):
    if d_ff is None:
        return 4 * d
    return d_ff


def attention_params(d):
    shapes = []
    for name in "qkvo":
        shapes.append((d, d))
        shapes.append((d,))
    return size(shapes)


def feed_forward_params(d, d_ff=None):
    d_ff = hidden_width(d, d_ff)
    return size([(d, d_ff), (d_ff,), (d_ff, d), (d,)])


def layer_norm_params(d):
    return size([(d,), (d,)])


def encoder_block_params(d, d_ff=None):
    total = attention_params(d)
    total += layer_norm_params(d)
    total += feed_forward_params(d, d_ff)
    total += layer_norm_params(d)
    return total


def decoder_block_params(d, d_ff=None):
    total = attention_params(d) + layer_norm_params(d)
    total += attention_params(d) + layer_norm_params(d)
    total += feed_forward_params(d, d_ff) + layer_norm_params(d)
    return total


def transformer_params(vocab, d, n_encoder, n_decoder, d_ff=None):
    total = size([(vocab, d)])
    total += n_encoder * encoder_block_params(d, d_ff)
    total += n_decoder * decoder_block_params(d, d_ff)
    return total


def product_flops(n, m, p):
    # (n, m) times (m, p): every entry is a sum of m products
    return 2 * n * m * p


def dense_flops(n, d, d_ff=None):
    d_ff = hidden_width(d, d_ff)
    return 4 * product_flops(n, d, d) + product_flops(n, d, d_ff) + product_flops(n, d_ff, d)


def attention_flops(n, d):
    return product_flops(n, d, n) + product_flops(n, n, d)


def crossover_length(d, d_ff=None):
    # both grow with n, one like n * n: halve the interval until one length is left
    low, high = 1, 2
    while attention_flops(high, d) < dense_flops(high, d, d_ff):
        high = high * 2
    while low < high:
        middle = (low + high) // 2
        if attention_flops(middle, d) >= dense_flops(middle, d, d_ff):
            high = middle
        else:
            low = middle + 1
    return low
