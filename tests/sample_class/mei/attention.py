import numpy as np


def softmax(x, axis=-1):
    e = np.exp(np.asarray(x, dtype=float))
    return e / e.sum(axis=axis, keepdims=True)


def scaled_scores(q, k):
    total = 0
    for feature in range(q.shape[-1]):
        total = total + q[..., :, None, feature] * k[..., None, :, feature]
    return total / np.sqrt(q.shape[-1])


def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    weights = np.nan_to_num(weights)
    return weights, weights @ v
