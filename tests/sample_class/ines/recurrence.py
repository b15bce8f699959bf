import numpy as np


def rnn_states(w_h, w_x, inputs, h_0):
    states = [np.array(h_0, dtype=float)]
    driven = inputs @ w_x.T
    for from_input in driven:
        states.append(np.tanh(w_h @ states[-1] + from_input))
    return np.stack(states)


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    states = rnn_states(w_h, w_x, inputs, h_0)
    product = np.eye(len(h_0))
    norms = [1.0]
    # go back: h_{T-1}, h_{T-2}, ..., h_0
    for h in states[-2::-1]:
        product = product @ np.diag(1 - h**2) @ w_h
        norms.append(np.linalg.norm(product, 2))
    return np.array(norms)
