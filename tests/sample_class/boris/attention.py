# Everything with loops first, so that I can see what happens.
import math

import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(np.array(x, dtype=float), axis, -1)
    result = np.zeros(x.shape)
    for position in np.ndindex(x.shape[:-1]):
        result[position] = softmax_of_list(list(x[position]))
    return np.moveaxis(result, -1, axis)


def softmax_of_list(numbers):
    biggest = max(numbers)
    powers = [math.exp(number - biggest) for number in numbers]
    return [power / sum(powers) for power in powers]


def scaled_scores(q, k):
    n_q, n_k, d_k = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = np.zeros(q.shape[:-2] + (n_q, n_k))
    for i in range(n_q):
        for j in range(n_k):
            scores[..., i, j] = np.sum(q[..., i, :] * k[..., j, :], axis=-1) / math.sqrt(d_k)
    return scores


def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    mask = np.broadcast_to(mask, scores.shape)
    weights = np.zeros(scores.shape)
    for position in np.ndindex(scores.shape[:-1]):
        visible = [j for j in range(scores.shape[-1]) if mask[position][j]]
        if len(visible) > 0:
            shares = softmax_of_list([scores[position][j] for j in visible])
            for j, share in zip(visible, shares):
                weights[position][j] = share
    return weights @ v, weights
