import numpy as np


def sinusoidal_pe(n, d):
    """Give every position a row of waves."""
    if d % 2 == 1:
        raise ValueError("d must be even")
    p = np.arange(n)[:, None]
    w = 10000.0 ** (-np.arange(0, d, 2) / d)
    pe = np.empty((n, d))
    pe[:, ::2], pe[:, 1::2] = np.sin(p * w), np.cos(p * w)
    return pe


def shift_matrix(k, d):
    """The matrix that moves an encoding by k positions."""
    raise NotImplementedError("shift_matrix")


def offset_similarity(k, d):
    """The dot product of two encodings k apart."""
    raise NotImplementedError("offset_similarity")
