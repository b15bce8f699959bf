import numpy as np


def sinusoidal_pe(n, d):
    if d % 2:
        raise ValueError("d must be even")
    table = np.zeros((n, d))
    exponent = 2 * (np.arange(d) // 2) / d
    angle = np.arange(n)[:, None] / 10000**exponent
    even = np.arange(d) % 2 == 0
    return np.where(even, np.sin(angle), np.cos(angle)) + table


def shift_matrix(k, d):
    pairs = []
    for i in range(d // 2):
        a = k * 10000 ** (-2 * i / d)
        pairs.append(np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]))
    out = np.zeros((d, d))
    for i, pair in enumerate(pairs):
        for a in (0, 1):
            for b in (0, 1):
                out[2 * i + a, 2 * i + b] = pair[a, b]
    return out


def offset_similarity(k, d):
    return float(sum(np.cos(k * 10000 ** (-2 * i / d)) for i in range(d // 2)))
