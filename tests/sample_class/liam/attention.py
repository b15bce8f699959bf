import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    z = np.exp(x - x.max(axis=axis, keepdims=True))
    return z / z.sum(axis=axis, keepdims=True)


def scaled_scores(q, k):
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])


def attention(q, k, v, mask=None):
    q /= np.sqrt(q.shape[-1])
    scores = q @ np.swapaxes(k, -1, -2)
    if mask is None:
        weights = softmax(scores)
    else:
        weights = softmax(np.where(mask, scores, -1e30))
        weights[~np.broadcast_to(mask, weights.shape)] = 0
    return weights @ v, weights
