import numpy as np
from attention import scaled_scores, softmax


def split_heads(x, n_heads):
    if x.shape[-1] % n_heads != 0:
        raise ValueError("cannot split")
    columns = np.arange(x.shape[-1]).reshape(n_heads, -1)
    return np.stack([x[..., c] for c in columns], axis=-3)


def merge_heads(x):
    n_heads, n, width = x.shape[-3:]
    return x.reshape(x.shape[:-3] + (n, n_heads * width))


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    memory = x if memory is None else memory
    q = split_heads(x @ params["w_q"] + params["b_q"], n_heads)
    k = split_heads(memory @ params["w_k"] + params["b_k"], n_heads)
    v = split_heads(memory @ params["w_v"] + params["b_v"], n_heads)
    scores = scaled_scores(q, k)
    if mask is not None:
        weights = softmax(np.where(mask, scores, -1e30)) * mask
    else:
        weights = softmax(scores)
    return merge_heads(weights @ v) @ params["w_o"] + params["b_o"]


def layer_norm(x, gain, bias, eps=1e-5):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 0.00001) * gain + bias


def feed_forward(x, params):
    hidden = x @ params["w_1"] + params["b_1"]
    return np.clip(hidden, 0, np.inf) @ params["w_2"] + params["b_2"]


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    def sublayer(x, name, f):
        gain, bias = params[name]["gain"], params[name]["bias"]
        if norm_first:
            return x + f(layer_norm(x, gain, bias))
        return layer_norm(x + f(x), gain, bias)

    x = sublayer(x, "norm_1", lambda y: multi_head_attention(y, params["attention"], n_heads, mask))
    return sublayer(x, "norm_2", lambda y: feed_forward(y, params["feed_forward"]))


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    def sublayer(x, name, f):
        gain, bias = params[name]["gain"], params[name]["bias"]
        if norm_first:
            return x + f(layer_norm(x, gain, bias))
        return layer_norm(x + f(x), gain, bias)

    x = sublayer(x, "norm_1", lambda y: multi_head_attention(y, params["self_attention"], n_heads, mask))
    x = sublayer(x, "norm_2", lambda y: multi_head_attention(y, params["cross_attention"], n_heads, memory_mask, memory))
    return sublayer(x, "norm_3", lambda y: feed_forward(y, params["feed_forward"]))
