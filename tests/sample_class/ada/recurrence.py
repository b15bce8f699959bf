import numpy as np


def rnn_states(w_h, w_x, inputs, h_0):
    """All states, the initial one first."""
    h = np.empty((len(inputs) + 1, len(h_0)))
    h[0] = h_0
    for t, x in enumerate(inputs):
        h[t + 1] = np.tanh(w_h @ h[t] + w_x @ x)
    return h


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    """Spectral norms of d h_T / d h_(T-k) for k = 0 .. T."""
    h = rnn_states(w_h, w_x, inputs, h_0)
    gradient = np.eye(len(h_0))
    norms = [1.0]
    for t in range(len(inputs), 0, -1):
        step = np.diag(1 - h[t] ** 2) @ w_h  # d h_t / d h_(t-1)
        gradient = gradient @ step
        norms.append(np.linalg.norm(gradient, ord=2))
    return np.array(norms)
