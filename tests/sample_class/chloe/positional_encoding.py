import numpy as np


def _omega(d):
    return np.exp(np.arange(0, d, 2) * (-np.log(1e4) / d))


def sinusoidal_pe(n, d):
    if d & 1:
        raise ValueError(d)
    waves = np.exp(1j * np.multiply.outer(np.arange(n), _omega(d)))  # cos + i sin
    return np.dstack((waves.imag, waves.real)).reshape(n, d)


def shift_matrix(k, d):
    c, s = np.cos(k * _omega(d)), np.sin(k * _omega(d))
    blocks = np.array([[c, s], [-s, c]])  # (2, 2, d / 2)
    return np.einsum("abi,ij->iajb", blocks, np.eye(d // 2)).reshape(d, d)


offset_similarity = lambda k, d: np.cos(_omega(d) * k).sum().item()
