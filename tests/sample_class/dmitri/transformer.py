import numpy as np
from attention import attention

def split_heads(x, n_heads):
    n, d = x.shape[-2], x.shape[-1]
    if d % n_heads != 0:
        raise ValueError('d % n_heads != 0')
    d_head = d // n_heads
    x = x.reshape(x.shape[:-2] + (n, n_heads, d_head))
    return x.swapaxes(-3, -2)

def merge_heads(x):
    h, n, d_head = x.shape[-3:]
    x = x.swapaxes(-3, -2)
    return x.reshape(x.shape[:-3] + (n, h * d_head))

def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    kv = memory if memory is not None else x
    q = x @ params['w_q'] + params['b_q']
    k = kv @ params['w_k'] + params['b_k']
    v = kv @ params['w_v'] + params['b_v']
    # (..., h, n, d_head)
    q, k, v = split_heads(q, n_heads), split_heads(k, n_heads), split_heads(v, n_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    out, w = attention(q, k, v, mask=mask)
    out = merge_heads(out)
    return out @ params['w_o'] + params['b_o']

def layer_norm(x, gain, bias, eps=1e-5):
    mean = np.mean(x, axis=-1, keepdims=True)
    std2 = np.var(x, axis=-1, keepdims=True, ddof=1)
    return gain * (x - mean) / np.sqrt(std2 + eps) + bias

def feed_forward(x, params):
    h = x @ params['w_1'] + params['b_1']
    h = h * (h > 0)
    return h @ params['w_2'] + params['b_2']

def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    ln1 = params['norm_1']
    ln2 = params['norm_2']
    if norm_first:
        x = x + multi_head_attention(layer_norm(x, ln2['gain'], ln2['bias']), params['attention'], n_heads, mask)
        x = x + feed_forward(layer_norm(x, ln1['gain'], ln1['bias']), params['feed_forward'])
    else:
        x = layer_norm(x + multi_head_attention(x, params['attention'], n_heads, mask), ln2['gain'], ln2['bias'])
        x = layer_norm(x + feed_forward(x, params['feed_forward']), ln1['gain'], ln1['bias'])
    return x

def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    ln1, ln2, ln3 = params['norm_1'], params['norm_2'], params['norm_3']
    if norm_first:
        x = x + multi_head_attention(layer_norm(x, ln1['gain'], ln1['bias']), params['self_attention'], n_heads, mask)
        x = x + multi_head_attention(layer_norm(x, ln2['gain'], ln2['bias']), params['cross_attention'], n_heads, memory_mask, memory)
        x = x + feed_forward(layer_norm(x, ln3['gain'], ln3['bias']), params['feed_forward'])
    else:
        x = layer_norm(x + multi_head_attention(x, params['self_attention'], n_heads, mask), ln1['gain'], ln1['bias'])
        x = layer_norm(x + multi_head_attention(x, params['cross_attention'], n_heads, memory_mask, memory), ln2['gain'], ln2['bias'])
        x = layer_norm(x + feed_forward(x, params['feed_forward']), ln3['gain'], ln3['bias'])
    return x
