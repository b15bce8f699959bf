import numpy as np

def causal_mask(n):
    i = np.arange(n)
    return i[None, :] <= i[:, None]

def padding_mask(lengths, n):
    lengths = np.asarray(lengths)
    return np.arange(n)[None, None, :] < lengths[:, None, None]

def combine_masks(mask_a, mask_b):
    """causal and padding"""
    return np.logical_and(mask_a, mask_b)
