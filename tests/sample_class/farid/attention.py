import numpy as np


def softmax(x, axis=-1):
    """Turn scores into weights along an axis."""
    x = np.asarray(x).astype(float)
    top = np.max(x, axis=axis, keepdims=True)
    e = np.exp(x - top)
    return e / np.sum(e, axis=axis, keepdims=True)


def scaled_scores(q, k):
    """Score every query against every key."""
    raise NotImplementedError("scaled_scores")


def attention(q, k, v, mask=None):
    """Average the values by the weights."""
    scores = scaled_scores(q, k)
    raise NotImplementedError("attention")
