from functools import partial

import numpy as np
from attention import attention


def split_heads(x, n_heads):
    if x.shape[-1] % n_heads:
        raise ValueError(f"{n_heads} does not divide {x.shape[-1]}")
    return np.einsum("...nhf->...hnf", x.reshape(*x.shape[:-1], n_heads, -1))


def merge_heads(x):
    swapped = np.einsum("...hnf->...nhf", x)
    return swapped.reshape(*swapped.shape[:-2], -1)


def _affine(x, params, letter):
    return np.einsum("...i,ij->...j", x, params["w_" + letter]) + params["b_" + letter]


def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    sources = dict(q=x, k=x, v=x) if memory is None else dict(q=x, k=memory, v=memory)
    q, k, v = (split_heads(_affine(source, params, letter), n_heads) for letter, source in sources.items())
    out = attention(q, k, v, mask if mask is None else np.expand_dims(mask, axis=-3))[0]
    return _affine(merge_heads(out), params, "o")


def layer_norm(x, gain, bias, eps=1e-5):
    z = x - np.mean(x, axis=-1, keepdims=True)
    return gain * z * (np.einsum("...i,...i->...", z, z)[..., None] / x.shape[-1] + eps) ** -0.5 + bias


def feed_forward(x, params):
    return _affine(_affine(x, params, "1").clip(0), params, "2")


def _run(x, steps, norm_first):
    for f, norm in steps:
        norm = partial(layer_norm, **norm)
        x = x + f(norm(x)) if norm_first else norm(x + f(x))
    return x


def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    look = partial(multi_head_attention, params=params["attention"], n_heads=n_heads, mask=mask)
    think = partial(feed_forward, params=params["feed_forward"])
    return _run(x, [(look, params["norm_1"]), (think, params["norm_2"])], norm_first)


def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    look = partial(multi_head_attention, params=params["self_attention"], n_heads=n_heads, mask=mask)
    read = partial(
        multi_head_attention, params=params["cross_attention"], n_heads=n_heads, mask=memory_mask, memory=memory
    )
    think = partial(feed_forward, params=params["feed_forward"])
    return _run(x, zip((look, read, think), (params["norm_1"], params["norm_2"], params["norm_3"])), norm_first)
