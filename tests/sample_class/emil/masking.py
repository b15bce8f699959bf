import numpy as np


def causal_mask(n):
    return ~np.triu(np.ones((n, n), dtype=bool), 1)


def padding_mask(lengths, n):
    n = max(lengths)
    positions = np.arange(n)
    return positions < np.reshape(lengths, (-1, 1, 1))


def combine_masks(*masks):
    result = masks[0].copy()
    for mask in masks[1:]:
        result = result * mask
    return result
