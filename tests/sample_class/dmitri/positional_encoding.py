import numpy as np

def sinusoidal_pe(n, d):
    pos = np.arange(n).reshape(-1, 1)
    i = np.arange(0, d, 2)
    angles = pos / np.power(10000, i / d)
    pe = np.zeros((n, d))
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)[:, : d // 2]
    return pe

def shift_matrix(k, d):
    angles = k / np.power(10000, np.arange(0, d, 2) / d)
    m = np.zeros((d, d))
    for j, a in enumerate(angles):
        m[2*j, 2*j] = np.cos(a)
        m[2*j, 2*j + 1] = np.sin(a)
        m[2*j + 1, 2*j] = -np.sin(a)
        m[2*j + 1, 2*j + 1] = np.cos(a)
    return m

def offset_similarity(k, d):
    return float(np.sum(np.cos(k / np.power(10000, np.arange(0, d, 2) / d))))
