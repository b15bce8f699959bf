import numpy as np


def softmax(x, axis=-1):
    exp = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exp / np.sum(exp)


def scaled_scores(q, k):
    dot_products = np.matmul(q, np.swapaxes(k, -1, -2))
    return dot_products / np.sqrt(k.shape[-1])


def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(float).min)
    weights = softmax(scores, axis=-1)
    if mask is not None:
        weights = np.where(mask, weights, 0.0)
    output = np.matmul(weights, v)
    return output, weights
