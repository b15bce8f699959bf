# Loops again.
import math

import numpy as np


def frequency(pair, d):
    return 10000 ** (-2 * pair / d)


def sinusoidal_pe(n, d):
    if d % 2 == 1:
        raise ValueError("odd d")
    pe = np.zeros((n, d))
    for position in range(n):
        for pair in range(d // 2):
            angle = position * frequency(pair, d)
            pe[position, 2 * pair] = math.sin(angle)
            pe[position, 2 * pair + 1] = math.cos(angle)
    return pe


def shift_matrix(k, d):
    matrix = np.zeros((d, d))
    for pair in range(d // 2):
        angle = k * frequency(pair, d)
        sine_row = 2 * pair
        cosine_row = 2 * pair + 1
        # sin(a + b) = sin(a) cos(b) + cos(a) sin(b)
        matrix[sine_row, sine_row] = math.cos(angle)
        matrix[sine_row, cosine_row] = math.sin(angle)
        # cos(a + b) = cos(a) cos(b) - sin(a) sin(b)
        matrix[cosine_row, cosine_row] = math.cos(angle)
        matrix[cosine_row, sine_row] = -math.sin(angle)
    return matrix


def offset_similarity(k, d):
    total = 0.0
    for pair in range(d // 2):
        total += math.cos(k * frequency(pair, d))
    return total
