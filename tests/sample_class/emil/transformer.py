import numpy as np
from attention import attention


def split_heads(x, n_heads):
    width, rest = divmod(x.shape[-1], n_heads)
    if rest != 0:
        raise ValueError("n_heads must divide d")
    return x.reshape(*x.shape[:-1], n_heads, width).swapaxes(-2, -3)


def merge_heads(x):
    *batch, n_heads, n, width = x.shape
    return x.swapaxes(-2, -3).reshape(*batch, n, n_heads * width)


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    if memory is None:
        memory = x
    queries = split_heads(x @ params["w_q"] + params["b_q"], n_heads)
    keys = split_heads(memory @ params["w_k"] + params["b_k"], n_heads)
    values = split_heads(memory @ params["w_v"] + params["b_v"], n_heads)
    if mask is None:
        output, _ = attention(queries, keys, values)
    else:
        output, _ = attention(queries, keys, values, mask[..., None, :, :])
    return merge_heads(output) @ params["w_o"] + params["b_o"]


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(((x - mean) ** 2).mean(axis=-1, keepdims=True) + eps)
    return (x - mean) / deviation * gain + bias


def feed_forward(x, params):
    first = x @ params["w_1"] + params["b_1"]
    second = first @ params["w_2"] + params["b_2"]
    return second


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    def norm_1(y):
        return layer_norm(y, params["norm_1"]["gain"], params["norm_1"]["bias"])

    def norm_2(y):
        return layer_norm(y, params["norm_2"]["gain"], params["norm_2"]["bias"])

    def attend(y):
        return multi_head_attention(y, params["attention"], n_heads, mask)

    def feed(y):
        return feed_forward(y, params["feed_forward"])

    if norm_first:
        x = x + attend(norm_1(x))
        x = x + feed(norm_2(x))
    else:
        x = norm_1(x + attend(x))
        x = norm_2(x + feed(x))
    return x


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    def norm(y, name):
        return layer_norm(y, params[name]["gain"], params[name]["bias"])

    def attend(y):
        return multi_head_attention(y, params["self_attention"], n_heads, mask=memory_mask)

    def look_up(y):
        return multi_head_attention(y, params["cross_attention"], n_heads, mask=mask, memory=memory)

    def feed(y):
        return feed_forward(y, params["feed_forward"])

    if norm_first:
        x = x + attend(norm(x, "norm_1"))
        x = x + look_up(norm(x, "norm_2"))
        x = x + feed(norm(x, "norm_3"))
    else:
        x = norm(x + attend(x), "norm_1")
        x = norm(x + look_up(x), "norm_2")
        x = norm(x + feed(x), "norm_3")
    return x
