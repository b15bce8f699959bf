import numpy as np


def causal_mask(n):
    mask = np.zeros((n, n), dtype=bool)
    mask[np.tril_indices(n)] = True
    return mask


def padding_mask(lengths, n):
    mask = np.zeros((len(lengths), n), dtype=bool)
    for row, length in zip(mask, lengths):
        row[:length] = True
    return mask[:, None, :]


def combine_masks(*masks):
    hidden = ~masks[0]
    for mask in masks[1:]:
        hidden = hidden | ~mask
    return ~hidden
