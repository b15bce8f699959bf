import numpy as np


def causal_mask(n):
    return np.triu(np.ones((n, n), dtype=bool))


def padding_mask(lengths, n):
    return np.arange(n) <= np.reshape(lengths, (-1, 1, 1))


def combine_masks(*masks):
    shape = np.broadcast_shapes(*[mask.shape for mask in masks])
    result = np.full(shape, True)
    for mask in masks:
        result &= mask
    return result
