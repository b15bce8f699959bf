import numpy as np


def softmax(x, axis=-1):
    maximum = np.max(x, axis=axis, keepdims=True)
    exponentials = np.exp(np.asarray(x, dtype=float) - maximum)
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


def scaled_scores(q, k):
    n_k = k.shape[-2]
    return np.einsum("...qd,...kd->...qk", q, k) / np.sqrt(n_k)


def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = softmax(scores, axis=-1)
    return weights @ v, weights
