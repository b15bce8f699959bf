import numpy as np


def rnn_states(w_h, w_x, inputs, h_0):
    h = h_0
    out = [h]
    for x in inputs:
        h = np.tanh(w_h @ h + w_x @ x)
        out.append(h)
    return np.array(out)


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    h = rnn_states(w_h, w_x, inputs, h_0)
    J = np.eye(len(h_0))
    norms = [1.0]
    for t in range(len(inputs), 0, -1):
        J = J @ ((1 - h[t] ** 2)[:, None] * w_h)
        norms.insert(0, np.linalg.norm(J, 2))
    return np.array(norms)
