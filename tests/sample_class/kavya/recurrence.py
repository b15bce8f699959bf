import numpy as np


def rnn_states(w_h, w_x, inputs, h_0):
    states = np.empty((inputs.shape[0] + 1, h_0.shape[0]))
    states[0] = h_0
    for step, current in enumerate(inputs):
        states[step + 1] = np.tanh(np.matmul(w_h, states[step]) + np.matmul(w_x, current))
    return states


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    states = rnn_states(w_h, w_x, inputs, h_0)
    jacobians = [np.matmul(np.diag(1 - state**2), w_h) for state in states[1:]]
    norms = [1.0]
    gradient = np.eye(h_0.shape[0])
    while jacobians:
        gradient = np.matmul(gradient, jacobians.pop())
        norms.append(np.linalg.norm(gradient, 2))
    return np.array(norms)
