import numpy as np
from attention import attention


def split_heads(x, n_heads):
    if x.shape[-1] % n_heads:
        raise ValueError(n_heads)
    return np.array(np.split(x, n_heads, -1)).swapaxes(0, -3) if x.ndim == 2 else np.stack(np.split(x, n_heads, -1), -3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], -1)


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    p = params
    m = x if memory is None else memory
    q, k, v = x @ p["w_q"] + p["b_q"], m @ p["w_k"] + p["b_k"], m @ p["w_v"] + p["b_v"]
    q, k, v = [split_heads(t, n_heads) for t in (q, k, v)]
    if mask is not None:
        mask = mask[..., None, :, :]
    return merge_heads(attention(q, k, v, mask)[0])


def layer_norm(x, gain, bias, eps=1e-5):
    m = x.mean(-1, keepdims=True)
    v = x.var(-1, keepdims=True)
    return (x - m) / (v + eps) * gain + bias


def feed_forward(x, params):
    h = x @ params["w_1"] + params["b_1"]
    h[h < 0] = 0
    return h @ params["w_2"] + params["b_2"]


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    ln1 = lambda t: layer_norm(t, **params["norm_1"])
    ln2 = lambda t: layer_norm(t, **params["norm_2"])
    mha = lambda t: multi_head_attention(t, params["attention"], n_heads, mask)
    ff = lambda t: feed_forward(t, params["feed_forward"])
    if norm_first:
        x = x + mha(ln1(x))
        return x + ff(ln2(x))
    x = ln1(x + mha(x))
    return ln2(x + ff(x))


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    ln1 = lambda t: layer_norm(t, **params["norm_1"])
    ln2 = lambda t: layer_norm(t, **params["norm_2"])
    ln3 = lambda t: layer_norm(t, **params["norm_3"])
    mha1 = lambda t: multi_head_attention(t, params["self_attention"], n_heads, mask)
    mha2 = lambda t: multi_head_attention(t, params["cross_attention"], n_heads)
    ff = lambda t: feed_forward(t, params["feed_forward"])
    if norm_first:
        x = x + mha1(ln1(x))
        x = x + mha2(ln2(x))
        return x + ff(ln3(x))
    x = ln1(x + mha1(x))
    x = ln2(x + mha2(x))
    return ln3(x + ff(x))
