import numpy as np


def rnn_states(w_h, w_x, inputs, h_0):
    """Read a sequence one input after the other."""
    raise NotImplementedError("rnn_states")


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    """How strongly the last state still feels each earlier one."""
    raise NotImplementedError("rnn_gradient_norms")
