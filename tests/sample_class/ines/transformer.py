import numpy as np
from attention import attention


def split_heads(x, n_heads):
    d = x.shape[-1]
    if d % n_heads != 0:
        raise ValueError("d must be a multiple of n_heads")
    # every n_heads-th feature goes to the same head
    return np.stack([x[..., h::n_heads] for h in range(n_heads)], axis=-3)


def merge_heads(x):
    heads = np.moveaxis(x, -3, 0)
    return np.concatenate(list(heads), axis=-1)


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    source = x if memory is None else memory
    q = split_heads(np.einsum("...id,de->...ie", x, params["w_q"]) + params["b_q"], n_heads)
    k = split_heads(np.einsum("...id,de->...ie", source, params["w_k"]) + params["b_k"], n_heads)
    v = split_heads(np.einsum("...id,de->...ie", source, params["w_v"]) + params["b_v"], n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    output, _ = attention(q, k, v, mask)
    return np.einsum("...id,de->...ie", merge_heads(output), params["w_o"]) + params["b_o"]


def layer_norm(x, gain, bias, eps=1e-5):
    d = x.shape[-1]
    mean = np.sum(x, axis=-1, keepdims=True) / d
    variance = np.sum((x - mean) ** 2, axis=-1, keepdims=True) / d
    return gain * (x - mean) / np.sqrt(variance + eps) + bias


def feed_forward(x, params):
    hidden = np.einsum("...id,df->...if", x, params["w_1"]) + params["b_1"]
    return np.einsum("...if,fd->...id", np.maximum(hidden, 0), params["w_2"]) + params["b_2"]


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    attended = multi_head_attention(x, params["attention"], n_heads, mask)
    x = layer_norm(x + attended, **params["norm_1"])
    fed = feed_forward(x, params["feed_forward"])
    return layer_norm(x + fed, **params["norm_2"])


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    self_attention, cross_attention = params["self_attention"], params["cross_attention"]
    if norm_first:
        x = x + multi_head_attention(layer_norm(x, **params["norm_1"]), self_attention, n_heads, mask)
        x = x + multi_head_attention(layer_norm(x, **params["norm_2"]), cross_attention, n_heads, memory_mask, memory)
        return x + feed_forward(layer_norm(x, **params["norm_3"]), params["feed_forward"])
    x = layer_norm(x + multi_head_attention(x, self_attention, n_heads, mask), **params["norm_1"])
    x = layer_norm(x + multi_head_attention(x, cross_attention, n_heads, memory_mask, memory), **params["norm_2"])
    return layer_norm(x + feed_forward(x, params["feed_forward"]), **params["norm_3"])
