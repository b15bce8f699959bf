import numpy as np

def rnn_states(w_h, w_x, inputs, h_0):
    h = h_0
    states = [h]
    for t in range(inputs.shape[0]):
        h = np.tanh(np.dot(w_h, h) + np.dot(w_x, inputs[t]))
        states.append(h)
    return np.array(states)

def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    states = rnn_states(w_h, w_x, inputs, h_0)
    T = len(states) - 1
    grad = np.eye(h_0.shape[0])
    norms = np.ones(T + 1)
    for k in range(1, T + 1):
        h = states[T - k + 1]
        grad = grad @ (np.diag(1 - h * h) @ w_h)
        norms[k] = np.sqrt(np.max(np.linalg.eigvalsh(grad.T @ grad)))
    return norms
