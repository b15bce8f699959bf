import numpy as np


def rnn_states(w_h, w_x, inputs, h_0):
    T, d = len(inputs), len(h_0)
    states = np.zeros((T + 1, d))
    states[0] = h_0
    for t in range(1, T + 1):
        states[t] = np.tanh(w_h.dot(states[t - 1]) + w_x.dot(inputs[t - 1]))
    return states


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    states = rnn_states(w_h, w_x, inputs, h_0)
    T, d = len(inputs), len(h_0)
    norms = np.zeros(T + 1)
    total = np.eye(d)
    norms[0] = 1
    for k in range(1, T + 1):
        slope = 1 - np.square(states[T + 1 - k])
        total = total @ (slope.reshape(d, 1) * w_h)
        norms[k] = np.linalg.svd(total)[1][0]
    return norms
