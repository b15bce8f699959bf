import numpy as np
import torch


def rnn_states(w_h, w_x, inputs, h_0):
    states = [np.asarray(h_0)]
    for x in inputs:
        states.append(np.tanh(w_h @ states[-1] + w_x @ x))
    return np.stack(states)


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    def last_state(h):
        for x in inputs:
            h = torch.tanh(torch.tensor(w_h) @ h + torch.tensor(w_x @ x))
        return h

    norms = []
    for h in rnn_states(w_h, w_x, inputs, h_0)[::-1]:
        jacobian = torch.autograd.functional.jacobian(last_state, torch.tensor(h))
        norms.append(float(torch.linalg.matrix_norm(jacobian, 2)))
    return np.array(norms)
