import numpy as np
from attention import attention


def split_heads(x, n_heads):
    d = x.shape[-1]
    if (d // n_heads) * n_heads != d:
        raise ValueError("wrong number of heads")
    return np.swapaxes(np.reshape(x, (*x.shape[:-1], n_heads, d // n_heads)), -2, -3)


def merge_heads(x):
    swapped = np.swapaxes(x, -2, -3)
    return np.reshape(swapped, (*swapped.shape[:-2], swapped.shape[-1] * swapped.shape[-2]))


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    memory = x if memory is None else memory
    projected = []
    for letter, source in (("q", x), ("k", memory), ("v", memory)):
        projected.append(split_heads(source @ params[f"w_{letter}"] + params[f"b_{letter}"], n_heads))
    head_mask = None
    if mask is not None:
        head_mask = np.expand_dims(mask, axis=-3)
    out, _ = attention(*projected, mask=head_mask)
    return merge_heads(out) @ params["w_o"] + params["b_o"]


def layer_norm(x, gain, bias, eps=1e-5):
    m = np.mean(x, -1, keepdims=True)
    v = np.mean((x - m) ** 2, -1, keepdims=True)
    return gain * ((x - m) / np.sqrt(v + eps)) + bias


def feed_forward(x, params):
    hidden = x @ params["w_1"] + params["b_1"]
    hidden = np.where(hidden > 0, hidden, 0)
    return hidden @ params["w_2"] + params["b_2"]


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    for number, name in ((1, "attention"), (2, "feed_forward")):
        norm = params[f"norm_{number}"]
        y = layer_norm(x, **norm) if norm_first else x
        if name == "attention":
            y = multi_head_attention(y, params[name], n_heads, mask)
        else:
            y = feed_forward(y, params[name])
        x = x + y
        if not norm_first:
            x = layer_norm(x, **norm)
    return x


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    for number, name in ((1, "self_attention"), (2, "cross_attention"), (3, "feed_forward")):
        norm = params[f"norm_{number}"]
        y = layer_norm(x, **norm) if norm_first else x
        if name == "self_attention":
            y = multi_head_attention(y, params[name], n_heads, mask)
        elif name == "cross_attention":
            y = multi_head_attention(y, params[name], n_heads, memory_mask, memory)
        else:
            y = feed_forward(y, params[name])
        x = x + y
        if not norm_first:
            x = layer_norm(x, **norm)
    return x
