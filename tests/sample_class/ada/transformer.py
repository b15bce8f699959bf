import numpy as np
from attention import attention


def split_heads(x, n_heads):
    """(..., n, d) -> (..., n_heads, n, d / n_heads)"""
    d = x.shape[-1]
    if d % n_heads != 0:
        raise ValueError(f"cannot share {d} features between {n_heads} heads")
    x = x.reshape(x.shape[:-1] + (n_heads, d // n_heads))
    return np.moveaxis(x, -2, -3)


def merge_heads(x):
    """(..., n_heads, n, d / n_heads) -> (..., n, d)"""
    x = np.moveaxis(x, -3, -2)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    """Attention of several heads at once."""
    seen = x if memory is None else memory
    q = split_heads(x @ params["w_q"] + params["b_q"], n_heads)
    k = split_heads(seen @ params["w_k"] + params["b_k"], n_heads)
    v = split_heads(seen @ params["w_v"] + params["b_v"], n_heads)
    if mask is not None:
        mask = mask[..., np.newaxis, :, :]  # one mask for all heads
    heads, _ = attention(q, k, v, mask)
    return merge_heads(heads) @ params["w_o"] + params["b_o"]


def layer_norm(x, gain, bias, eps=1e-5):
    """Mean 0 and variance 1 for every token, then gain and bias."""
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mu) / np.sqrt(var + eps) * gain + bias


def feed_forward(x, params):
    """Two linear maps with a ReLU in between."""
    hidden = np.maximum(0, x @ params["w_1"] + params["b_1"])
    return hidden @ params["w_2"] + params["b_2"]


def _residual(x, f, norm, norm_first):
    """The sublayer f with its residual and its norm."""
    if norm_first:
        return x + f(layer_norm(x, norm["gain"], norm["bias"]))
    return layer_norm(x + f(x), norm["gain"], norm["bias"])


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    """Self-attention and feed-forward."""
    x = _residual(
        x, lambda t: multi_head_attention(t, params["attention"], n_heads, mask), params["norm_1"], norm_first
    )
    return _residual(x, lambda t: feed_forward(t, params["feed_forward"]), params["norm_2"], norm_first)


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    """Self-attention, cross-attention and feed-forward."""
    x = _residual(
        x, lambda t: multi_head_attention(t, params["self_attention"], n_heads, mask), params["norm_1"], norm_first
    )
    x = _residual(
        x,
        lambda t: multi_head_attention(t, params["cross_attention"], n_heads, memory_mask, memory),
        params["norm_2"],
        norm_first,
    )
    return _residual(x, lambda t: feed_forward(t, params["feed_forward"]), params["norm_3"], norm_first)
