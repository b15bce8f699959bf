import numpy as np


def sinusoidal_pe(n, d):
    if d % 2:
        raise ValueError("odd")
    angles = np.arange(n)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def shift_matrix(k, d):
    w = 10000.0 ** (-np.arange(0, d, 2) / d)
    m = np.zeros((d, d))
    e = np.arange(0, d, 2)
    m[e, e] = np.cos(k * w)
    m[e + 1, e + 1] = np.cos(k * w)
    m[e, e + 1] = np.sin(k * w)
    m[e + 1, e] = -np.sin(k * w)
    return m


def offset_similarity(k, d):
    return np.cos(k * 10000.0 ** (-np.arange(0, d, 2) / d)).sum()
