import numpy as np


def sinusoidal_pe(n, d):
    if d % 2 == 1:
        raise ValueError
    pe = np.zeros((n, d))
    for row in range(n):
        position = row + 1
        for i in range(d // 2):
            pe[row, 2 * i] = np.sin(position / 10000 ** (2 * i / d))
            pe[row, 2 * i + 1] = np.cos(position / 10000 ** (2 * i / d))
    return pe


def shift_matrix(k, d):
    result = np.eye(d)
    for i in range(d // 2):
        angle = k / 10000 ** (2 * i / d)
        sine, cosine = np.sin(angle), np.cos(angle)
        result[2 * i, 2 * i : 2 * i + 2] = cosine, sine
        result[2 * i + 1, 2 * i : 2 * i + 2] = -sine, cosine
    return result


def offset_similarity(k, d):
    cosines = [np.cos(k / 10000 ** (2 * i / d)) for i in range(d // 2)]
    return float(np.sum(cosines))
