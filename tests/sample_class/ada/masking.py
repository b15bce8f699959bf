import numpy as np


def causal_mask(n):
    return np.tril(np.ones((n, n), dtype=bool))


def padding_mask(lengths, n):
    real = np.arange(n) < np.array(lengths).reshape(-1, 1)  # (batch, n)
    return real[:, np.newaxis, :]


def combine_masks(*masks):
    out = masks[0]
    for m in masks[1:]:
        out = out & m
    return out
