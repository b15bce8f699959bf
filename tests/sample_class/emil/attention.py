import numpy as np


def softmax(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    numerator = np.exp(shifted)
    denominator = numerator.sum(axis=axis, keepdims=True)
    return numerator / denominator


def scaled_scores(q, k):
    d_k = q.shape[-1]
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)


def attention(q, k, v, mask=None):
    weights = softmax(scaled_scores(q, k))
    if mask is not None:
        weights = np.where(mask, weights, 0)
    return weights @ v, weights
