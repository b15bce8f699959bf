import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True)
    return e / np.sum(e, axis=axis, keepdims=True)


def scaled_scores(q, k):
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])


def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.nan_to_num(softmax(scores))
    return weights @ v, weights
