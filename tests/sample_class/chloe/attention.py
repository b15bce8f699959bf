from math import sqrt

import numpy as np


def _log_softmax(x, axis):
    z = x - np.amax(x, axis=axis, keepdims=True)
    return z - np.log(np.sum(np.exp(z), axis=axis, keepdims=True))


def softmax(x, axis=-1):
    return np.exp(_log_softmax(np.asarray(x, float), axis))


def scaled_scores(q, k):
    return np.einsum("...if,...jf->...ij", q, k) / sqrt(k.shape[-1])


def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    if mask is not None:
        empty = ~np.any(mask, axis=-1, keepdims=True)
        # an empty row looks at everything for a moment, so that nothing is divided by zero
        scores = np.where(mask | empty, scores, -np.inf)
    weights = softmax(scores)
    if mask is not None:
        weights = np.where(empty, 0.0, weights)
    return np.einsum("...ij,...jd->...id", weights, v), weights
