import numpy as np

def softmax(x, axis=-1):
    # subtract the max so exp does not overflow
    x = x - np.max(x)
    exp_x = np.exp(x)
    return exp_x / np.sum(exp_x, axis=axis, keepdims=True)

def scaled_scores(q, k):
    d_k = k.shape[-1]
    return (q @ k.swapaxes(-1, -2)) / d_k ** 0.5

def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = softmax(scores, axis=-1)
    if mask is not None:
        weights = weights * mask  # also takes care of empty rows
    output = weights @ v
    return output, weights
