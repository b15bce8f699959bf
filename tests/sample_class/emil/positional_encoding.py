import numpy as np


def sinusoidal_pe(n, d):
    if d % 2 != 0:
        raise ValueError("d must be even")
    pe = np.zeros((n, d))
    position = np.arange(n)
    for i in range(d // 2):
        omega = 1 / 10000 ** (2 * i / d)
        pe[:, 2 * i] = np.sin(position * omega)
        pe[:, 2 * i + 1] = np.cos(position * omega)
    return pe


def shift_matrix(k, d):
    matrix = np.zeros((d, d))
    for i in range(d // 2):
        angle = k / 10000 ** (2 * i / d)
        rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = rotation
    return matrix


def offset_similarity(k, d):
    return sum(float(np.cos(k / 10000 ** (2 * i / d))) for i in range(d // 2))
