import math

import numpy as np


def rnn_states(w_h, w_x, inputs, h_0):
    d = len(h_0)
    states = [list(h_0)]
    for x in inputs:
        old = states[-1]
        new = []
        for row in range(d):
            total = 0.0
            for column in range(d):
                total += w_h[row, column] * old[column]
            for column in range(len(x)):
                total += w_x[row, column] * x[column]
            new.append(math.tanh(total))
        states.append(new)
    return np.array(states, dtype=float)


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    states = rnn_states(w_h, w_x, inputs, h_0)
    d = len(h_0)
    product = np.identity(d)
    norms = np.zeros(len(states))
    for k in range(len(states)):
        # the spectral norm is the largest singular value
        norms[k] = max(np.linalg.svd(product, compute_uv=False))
        step = np.zeros((d, d))
        for row in range(d):
            for column in range(d):
                step[row, column] = (1 - states[-1 - k][row] ** 2) * w_h[row, column]
        product = np.dot(product, step)
    return norms
