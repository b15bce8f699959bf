import numpy as np


def sinusoidal_pe(n, d):
    if d % 2 == 1:
        raise ValueError("need an even number of columns")
    positions = np.arange(n).reshape(n, 1)
    frequencies = np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    encoding = np.zeros((n, d))
    encoding[:, 0::2] = np.sin(positions * frequencies)
    encoding[:, 1::2] = np.cos(positions * frequencies)
    return encoding


def shift_matrix(k, d):
    frequencies = np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    cosines, sines = np.cos(k * frequencies), np.sin(k * frequencies)
    matrix = np.zeros((d, d))
    for i in range(0, d, 2):
        matrix[i, i] = matrix[i + 1, i + 1] = cosines[i // 2]
        matrix[i, i + 1] = sines[i // 2]
        matrix[i + 1, i] = -sines[i // 2]
    return matrix


def offset_similarity(k, d):
    frequencies = np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    # one cosine for every column
    return float(np.sum(np.cos(k * np.repeat(frequencies, 2))))
