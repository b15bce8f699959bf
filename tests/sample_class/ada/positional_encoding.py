import numpy as np


def _frequencies(d):
    """One frequency for each pair of columns, from 1 down."""
    return 1 / 10000 ** (np.arange(d // 2) * 2 / d)


def sinusoidal_pe(n, d):
    """Sine and cosine waves, interleaved."""
    if d % 2 != 0:
        raise ValueError("d has to be even, every sine needs a cosine")
    angles = np.outer(np.arange(n), _frequencies(d))  # (n, d / 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


def shift_matrix(k, d):
    """A rotation by k times the frequency for each pair."""
    m = np.zeros((d, d))
    for i, w in enumerate(_frequencies(d)):
        c, s = np.cos(k * w), np.sin(k * w)
        m[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return m


def offset_similarity(k, d):
    """cos(a)cos(b) + sin(a)sin(b) = cos(a - b), summed over the pairs."""
    return float(np.cos(k * _frequencies(d)).sum())
