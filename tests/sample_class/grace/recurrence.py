"""Lesson 4."""
import numpy as np


class Cell:
    """One recurrent cell; it remembers its state and how the state depends on the start."""

    def __init__(self, w_h, w_x, h_0):
        self.w_h, self.w_x = w_h, w_x
        self.h = np.array(h_0, dtype=np.float64)

    def step(self, x):
        self.h = np.tanh(self.w_h @ self.h + self.w_x @ x)
        return self.h

    def jacobian(self):
        return (1.0 - self.h**2)[:, np.newaxis] * self.w_h


def rnn_states(w_h, w_x, inputs, h_0):
    cell = Cell(w_h, w_x, h_0)
    return np.vstack([cell.h] + [cell.step(x) for x in inputs])


def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    cell = Cell(w_h, w_x, h_0)
    since = [np.eye(len(h_0))]  # d h_t / d h_s for every s up to now
    for x in inputs:
        cell.step(x)
        since = [cell.jacobian() @ one for one in since] + [np.eye(len(h_0))]
    return np.array([np.linalg.norm(one, 2) for one in reversed(since)])


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    w = np.linalg.qr(rng.normal(size=(64, 64)))[0] * 0.68
    print(rnn_gradient_norms(w, rng.normal(size=(64, 64)), 0.1 * rng.normal(size=(50, 64)), np.zeros(64)))
