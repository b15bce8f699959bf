import numpy as np


def causal_mask(n):
    rows = []
    for query in range(n):
        row = []
        for key in range(n):
            row.append(key <= query)
        rows.append(row)
    return np.array(rows)


def padding_mask(lengths, n):
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for sequence in range(len(lengths)):
        for key in range(lengths[sequence]):
            mask[sequence, 0, key] = True
    return mask


def combine_masks(*masks):
    result = True
    for mask in masks:
        result = np.logical_and(result, mask)
    return result
