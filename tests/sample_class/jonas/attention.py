# I will hand in masking next week!
import numpy as np


def softmax(x, axis=-1):
    x = np.float64(x)
    weights = np.exp(x - np.max(x, axis, keepdims=True))
    return weights / weights.sum(axis, keepdims=True)


def scaled_scores(q, k):
    q = q / np.sqrt(q.shape[-1])
    return q @ np.moveaxis(k, -1, -2)


def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
        # one made-up visible key saves an empty row from NaN, the mask takes it away again
        scores = np.where(np.isneginf(scores).all(axis=-1, keepdims=True), 0.0, scores)
        weights = softmax(scores) * mask
    else:
        weights = softmax(scores)
    return weights @ v, weights
