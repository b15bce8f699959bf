import math

import numpy as np
from attention import attention


def split_heads(x, n_heads):
    d = x.shape[-1]
    if d % n_heads > 0:
        raise ValueError("the heads do not come out even")
    width = d // n_heads
    heads = []
    for h in range(n_heads):
        heads.append(x[..., h * width : h * width + width])
    return np.stack(heads, axis=-3)


def merge_heads(x):
    heads = []
    for h in range(x.shape[-3]):
        heads.append(x[..., h, :, :])
    return np.concatenate(heads, axis=-1)


def linear(x, w, b):
    return np.matmul(x, w) + b


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    if memory is None:
        memory = x
    q = linear(x, params["w_q"], params["b_q"])
    k = linear(memory, params["w_k"], params["b_k"])
    v = linear(memory, params["w_v"], params["b_v"])
    width = x.shape[-1] // n_heads
    result = np.zeros(x.shape)
    for h in range(n_heads):
        start, stop = h * width, (h + 1) * width
        output, weights = attention(q[..., start:stop], k[..., start:stop], v[..., start:stop], mask)
        result[..., start:stop] = output
    return linear(result, params["w_o"], params["b_o"])


def layer_norm(x, gain, bias, eps=1e-5):
    d = x.shape[-1]
    result = np.zeros(x.shape)
    for position in np.ndindex(x.shape[:-1]):
        token = x[position]
        mean = sum(token) / d
        variance = sum((feature - mean) ** 2 for feature in token) / d
        root = math.sqrt(variance + eps)
        for i in range(d):
            result[position][i] = gain[i] * (token[i] - mean) / root + bias[i]
    return result


def feed_forward(x, params):
    hidden = linear(x, params["w_1"], params["b_1"])
    for position in np.ndindex(hidden.shape):
        if hidden[position] < 0:
            hidden[position] = 0
    return linear(hidden, params["w_2"], params["b_2"])


def norm(x, values):
    return layer_norm(x, values["gain"], values["bias"])


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    if norm_first:
        a = norm(x, params["norm_1"])
        a = multi_head_attention(a, params["attention"], n_heads, mask)
        x = x + a
        f = norm(x, params["norm_2"])
        f = feed_forward(f, params["feed_forward"])
        return x + f
    else:
        a = multi_head_attention(x, params["attention"], n_heads, mask)
        x = norm(x + a, params["norm_1"])
        f = feed_forward(x, params["feed_forward"])
        return norm(x + f, params["norm_2"])


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    if norm_first:
        s = norm(x, params["norm_1"])
        s = multi_head_attention(s, params["self_attention"], n_heads, mask)
        x = x + s
        c = norm(x, params["norm_2"])
        c = multi_head_attention(c, params["cross_attention"], n_heads, memory_mask, memory)
        x = x + c
        f = norm(x, params["norm_3"])
        f = feed_forward(f, params["feed_forward"])
        return x + f
    else:
        s = multi_head_attention(x, params["self_attention"], n_heads, mask)
        x = norm(x + s, params["norm_1"])
        c = multi_head_attention(x, params["cross_attention"], n_heads, memory_mask, memory)
        x = norm(x + c, params["norm_2"])
        f = feed_forward(x, params["feed_forward"])
        return norm(x + f, params["norm_3"])
