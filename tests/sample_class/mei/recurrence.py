import numpy as np


def rnn_states(w_h, w_x, inputs, h_0):
    states = np.zeros((len(inputs) + 1, len(h_0)))
    states[0, :] = h_0
    t = 0
    while t < len(inputs):
        states[t + 1, :] = np.tanh(w_h @ states[t, :] + w_x @ inputs[t, :])
        t += 1
    return states


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    states = rnn_states(w_h, w_x, inputs, h_0)
    product = np.eye(len(h_0))
    norms = [1.0]
    for state in reversed(states[1:]):
        product = product @ np.diag(1 - state**2) @ w_h
        norms.append(np.linalg.norm(product))
    return np.array(norms)
