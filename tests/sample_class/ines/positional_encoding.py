import numpy as np


def sinusoidal_pe(n, d):
    if d % 2 != 0:
        raise ValueError(f"d = {d} is odd")
    omega = np.power(10000.0, -np.arange(0, d, 2) / d)
    angles = np.einsum("p,i->pi", np.arange(n, dtype=float), omega)
    pe = np.empty((n, d // 2, 2))
    pe[..., 0] = np.sin(angles)
    pe[..., 1] = np.cos(angles)
    return pe.reshape(n, d)


def shift_matrix(k, d):
    omega = np.power(10000.0, -np.arange(0, d, 2) / d)
    matrix = np.zeros((d // 2, 2, d // 2, 2))
    i = np.arange(d // 2)
    matrix[i, 0, i, 0] = np.cos(k * omega)
    matrix[i, 0, i, 1] = np.sin(k * omega)
    matrix[i, 1, i, 0] = -np.sin(k * omega)
    matrix[i, 1, i, 1] = np.cos(k * omega)
    return matrix.reshape(d, d)


def offset_similarity(k, d):
    omega = np.power(10000.0, -np.arange(0, d, 2) / d)
    return float(np.cos(k * omega).sum())
