import numpy as np


def softmax(x, axis=-1):
    """Softmax along one axis."""
    x = np.asarray(x, dtype=np.float64)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def scaled_scores(q, k):
    """Dot product of every query with every key, over the root of d_k."""
    return np.matmul(q, np.swapaxes(k, -2, -1)) / np.sqrt(q.shape[-1])


def attention(q, k, v, mask=None):
    """Scaled dot-product attention."""
    s = scaled_scores(q, k)
    if mask is None:
        w = softmax(s)
        return w @ v, w
    w = softmax(np.where(mask, s, -1e12))
    # a row with no visible key has come out uniform, so it has to be cleared
    w = np.where(mask.any(axis=-1, keepdims=True), w, 0.0)
    return w @ v, w
