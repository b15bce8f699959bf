import numpy as np
from attention import attention


def split_heads(x, n_heads):
    d = x.shape[-1]
    if d % n_heads != 0:
        raise ValueError("number of features has to be divisible by number of heads")
    per_head = d // n_heads
    return np.swapaxes(x.reshape(x.shape[:-1] + (n_heads, per_head)), -3, -2)


def merge_heads(x):
    swapped = np.swapaxes(x, -3, -2)
    return swapped.reshape(swapped.shape[:-2] + (swapped.shape[-2] * swapped.shape[-1],))


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    if memory is None:
        memory = x
    queries = split_heads(np.matmul(x, params["w_q"]) + params["b_q"], n_heads)
    keys = split_heads(np.matmul(memory, params["w_k"]) + params["b_k"], n_heads)
    values = split_heads(np.matmul(memory, params["w_v"]) + params["b_v"], n_heads)
    if mask is not None:
        mask = np.expand_dims(mask, axis=-3)
    output, weights = attention(queries, keys, values, mask)
    return np.matmul(merge_heads(output), params["w_o"]) + params["b_o"]


def layer_norm(x, gain, bias, eps=1e-5):
    centred = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centred**2, axis=-1, keepdims=True)
    return gain * (centred / np.sqrt(variance + eps)) + bias


def feed_forward(x, params):
    hidden = np.matmul(x, params["w_1"]) + params["b_1"]
    return np.matmul(np.maximum(hidden, 0.0), params["w_2"]) + params["b_2"]


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    first, second = params["norm_1"], params["norm_2"]
    if norm_first:
        x = layer_norm(x, first["gain"], first["bias"])
        x = x + multi_head_attention(x, params["attention"], n_heads, mask)
        x = layer_norm(x, second["gain"], second["bias"])
        x = x + feed_forward(x, params["feed_forward"])
        return x
    x = layer_norm(x + multi_head_attention(x, params["attention"], n_heads, mask), first["gain"], first["bias"])
    x = layer_norm(x + feed_forward(x, params["feed_forward"]), second["gain"], second["bias"])
    return x


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    first, second, third = params["norm_1"], params["norm_2"], params["norm_3"]
    if norm_first:
        normed = layer_norm(x, first["gain"], first["bias"])
        x = x + multi_head_attention(normed, params["self_attention"], n_heads, mask)
        normed = layer_norm(x, second["gain"], second["bias"])
        x = x + multi_head_attention(normed, params["cross_attention"], n_heads, memory_mask, memory)
        normed = layer_norm(x, third["gain"], third["bias"])
        return x + feed_forward(normed, params["feed_forward"])
    attended = multi_head_attention(x, params["self_attention"], n_heads, mask)
    x = layer_norm(x + attended, first["gain"], first["bias"])
    looked_up = multi_head_attention(x, params["cross_attention"], n_heads, memory_mask, memory)
    x = layer_norm(x + looked_up, second["gain"], second["bias"])
    fed = feed_forward(x, params["feed_forward"])
    return layer_norm(x + fed, third["gain"], third["bias"])
