import numpy as np


def causal_mask(n):
    return np.tri(n, k=-1, dtype=bool)


def padding_mask(lengths, n):
    return np.arange(n) < np.array(lengths)[:, None]


def combine_masks(*masks):
    out = masks[0]
    for mask in masks[1:]:
        out = out | mask
    return out
