import numpy as np


def causal_mask(n):
    return np.arange(n)[:, None] >= np.arange(n)


def padding_mask(lengths, n):
    return np.array([[[key < length for key in range(n)]] for length in lengths])


def combine_masks(*masks):
    result = masks[0]
    i = 1
    while i <= len(masks):
        if i < len(masks):
            result = result & masks[i]
            i += 1
    return result
