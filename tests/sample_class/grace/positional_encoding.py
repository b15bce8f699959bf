"""Lesson 3. Frequencies by repeated multiplication."""
import numpy as np


def _frequencies(d: int) -> np.ndarray:
    ratio = 10000.0 ** (-2 / d)
    return np.cumprod(np.r_[1.0, np.full(d // 2 - 1, ratio)])


def sinusoidal_pe(n: int, d: int) -> np.ndarray:
    print("encoding", n, "positions")
    if d % 2:
        raise ValueError("d must be even")
    angles = np.arange(n)[:, None] * np.repeat(_frequencies(d), 2)
    angles[:, 1::2] += np.pi / 2  # cos(a) = sin(a + pi / 2)
    return np.sin(angles)


def shift_matrix(k: int, d: int) -> np.ndarray:
    angles = k * _frequencies(d)
    diagonal = np.diag(np.repeat(np.cos(angles), 2))
    sines = np.zeros(d - 1)
    sines[::2] = np.sin(angles)
    return diagonal + np.diag(sines, 1) - np.diag(sines, -1)


def offset_similarity(k: int, d: int) -> float:
    return float(np.trace(shift_matrix(k, d)) / 2)
