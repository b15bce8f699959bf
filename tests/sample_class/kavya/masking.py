import numpy as np


def causal_mask(n):
    queries = np.arange(n).reshape(n, 1)
    keys = np.arange(n).reshape(1, n)
    return keys <= queries


def padding_mask(lengths, n):
    lengths = np.array(lengths)
    keys = np.arange(n)
    return keys[None, None, :] < lengths[:, None, None]


def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = np.logical_and(combined, mask)
    return combined
