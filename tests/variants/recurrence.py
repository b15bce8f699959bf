"""Right solutions of the lesson ``recurrence`` in many styles, careful and careless."""

import math
import random
import warnings
from functools import reduce
from itertools import accumulate

import numpy as np

from tests.variants import variant

# --- rnn_states ------------------------------------------------------------------------------------------------------


@variant("rnn_states")
def rnn_states_list_and_array(w_h, w_x, inputs, h_0):
    states = [h_0]
    for x in inputs:
        states.append(np.tanh(w_h @ states[-1] + w_x @ x))
    return np.array(states)


@variant("rnn_states")
def rnn_states_filled_in(w_h, w_x, inputs, h_0):
    steps = inputs.shape[0]
    h = np.empty((steps + 1, h_0.shape[0]))
    h[0] = h_0
    for t in range(steps):
        h[t + 1] = np.tanh(w_h.dot(h[t]) + w_x.dot(inputs[t]))
    return h


@variant("rnn_states")
def rnn_states_inputs_projected_first(w_h, w_x, inputs, h_0):
    rows, h = [h_0], h_0
    for projected in inputs @ w_x.T:
        h = np.tanh(h @ w_h.T + projected)
        rows.append(h)
    return np.stack(rows)


@variant("rnn_states")
def rnn_states_accumulated(w_h, w_x, inputs, h_0):
    return np.array(list(accumulate(inputs, lambda h, x: np.tanh(w_h @ h + w_x @ x), initial=h_0)))


@variant("rnn_states")
def rnn_states_one_matrix(w_h, w_x, inputs, h_0):
    w = np.hstack([w_x, w_h])
    states = h_0[None].copy()
    for x in inputs:
        states = np.vstack([states, np.tanh(w @ np.concatenate([x, states[-1]]))])
    return states


@variant("rnn_states")
def rnn_states_einsum(w_h, w_x, inputs, h_0):
    h = [h_0]
    for x in inputs:
        h += [np.tanh(np.einsum("ij,j->i", w_h, h[-1]) + np.einsum("ij,j->i", w_x, x))]
    return np.asarray(h)


def _dot(a, b):
    return sum(float(x) * y for x, y in zip(a, b, strict=True))


@variant("rnn_states")
def rnn_states_loops(w_h, w_x, inputs, h_0):
    rows = [[float(entry) for entry in h_0]]
    for x in inputs.tolist():
        rows.append([math.tanh(_dot(w_h[i], rows[-1]) + _dot(w_x[i], x)) for i in range(len(h_0))])
    return np.array(rows)


@variant("rnn_states")
def rnn_states_recursive(w_h, w_x, inputs, h_0):
    if len(inputs) == 0:
        return h_0.reshape(1, -1)
    before = rnn_states_recursive(w_h, w_x, inputs[:-1], h_0)
    return np.concatenate([before, np.tanh(w_h @ before[-1] + w_x @ inputs[-1])[None]])


@variant("rnn_states")
def rnn_states_columns(w_h, w_x, inputs, h_0):
    """The result is a view whose memory is in another order."""
    states = np.zeros((len(h_0), len(inputs) + 1))
    states[:, 0] = h_0
    for t, x in enumerate(inputs, 1):
        states[:, [t]] = np.tanh(w_h @ states[:, [t - 1]] + w_x @ x[:, None])
    return states.T


@variant("rnn_states")
def rnn_states_in_place_on_a_copy(w_h, w_x, inputs, h_0):
    h, rows = h_0.copy(), [h_0.copy()]
    for x in inputs:
        h[:] = np.tanh(w_h @ h + w_x @ x)
        rows.append(h.copy())
    return np.array(rows)


@variant("rnn_states")
def rnn_states_tanh_from_an_exponential(w_h, w_x, inputs, h_0):
    def squash(z):
        return 2 / (1 + np.exp(-2 * z)) - 1

    return np.array([*accumulate(inputs, lambda h, x: squash(w_x @ x + w_h @ h), initial=h_0)])


@variant("rnn_states")
def rnn_states_long_double_inside(w_h, w_x, inputs, h_0):
    h = np.asarray(h_0, dtype=np.longdouble)
    rows = [h]
    for x in inputs:
        h = np.tanh((w_h.astype(np.longdouble) * h).sum(1) + (w_x.astype(np.longdouble) * x).sum(1))
        rows.append(h)
    return np.array(rows).astype(np.float64)


@variant("rnn_states")
def rnn_states_careless(w_h: np.ndarray, w_x, inputs, h_0, verbose=True):
    warnings.warn("running", DeprecationWarning, stacklevel=1)
    np.random.seed(0)
    random.seed(1)
    state, history = h_0, []
    history.append(state)
    for step, x in enumerate(inputs):
        state = np.tanh(np.sum(w_h * state, axis=-1) + np.sum(w_x * x, axis=-1))
        if verbose:
            print("step", step, state)
        history.append(state)
    return np.concatenate([h[None, :] for h in history])


# --- rnn_gradient_norms ----------------------------------------------------------------------------------------------


@variant("rnn_gradient_norms")
def rnn_gradient_norms_backwards(w_h, w_x, inputs, h_0):
    h = rnn_states_filled_in(w_h, w_x, inputs, h_0)
    product, norms = np.eye(len(h_0)), [1.0]
    for t in range(len(inputs), 0, -1):
        product = product @ (np.diag(1 - h[t] ** 2) @ w_h)
        norms.append(np.linalg.norm(product, 2))
    return np.array(norms)


@variant("rnn_gradient_norms")
def rnn_gradient_norms_forwards_for_each(w_h, w_x, inputs, h_0):
    h = rnn_states_list_and_array(w_h, w_x, inputs, h_0)
    steps = len(inputs)
    norms = np.ones(steps + 1)
    for k in range(1, steps + 1):
        m = np.eye(len(h_0))
        for t in range(steps - k + 1, steps + 1):
            m = np.diag(1 - h[t] ** 2) @ w_h @ m
        norms[k] = np.linalg.norm(m, 2)
    return norms


@variant("rnn_gradient_norms")
def rnn_gradient_norms_singular_values(w_h, w_x, inputs, h_0):
    states = rnn_states_accumulated(w_h, w_x, inputs, h_0)
    jacobians = [(1 - h * h)[:, None] * w_h for h in states[1:]]
    products = accumulate(reversed(jacobians), np.matmul, initial=np.identity(len(h_0)))
    return np.array([np.linalg.svd(p, compute_uv=False).max() for p in products])


@variant("rnn_gradient_norms")
def rnn_gradient_norms_all_in_one_decomposition(w_h, w_x, inputs, h_0):
    slopes = 1 - np.square(rnn_states_one_matrix(w_h, w_x, inputs, h_0)[:0:-1])
    stack = np.empty((len(slopes) + 1, len(h_0), len(h_0)))
    stack[0] = np.eye(len(h_0))
    for k, s in enumerate(slopes):
        stack[k + 1] = np.einsum("ij,j,jl->il", stack[k], s, w_h)
    return np.linalg.svd(stack, compute_uv=False)[:, 0]


@variant("rnn_gradient_norms")
def rnn_gradient_norms_root_of_an_eigenvalue(w_h, w_x, inputs, h_0):
    norms, p = [], np.eye(len(h_0))
    for h in [*rnn_states_recursive(w_h, w_x, inputs, h_0)[:0:-1], None]:
        norms.append(math.sqrt(max(0.0, np.linalg.eigvalsh(p.T @ p)[-1])))
        p = p if h is None else p @ np.diag((1 + h) * (1 - h)) @ w_h
    return np.array(norms)


@variant("rnn_gradient_norms")
def rnn_gradient_norms_root_of_a_general_eigenvalue(w_h, w_x, inputs, h_0):
    result = []
    for p in _backpropagated(w_h, w_x, inputs, h_0):
        result.append(np.sqrt(np.abs(np.linalg.eigvals(p @ p.T)).max()))
    return np.array(result, dtype=float)


def _backpropagated(w_h, w_x, inputs, h_0):
    """Transposed products, as backpropagation makes them: the slopes first, then the transposed weights."""
    states = rnn_states_inputs_projected_first(w_h, w_x, inputs, h_0)
    grad = np.eye(len(h_0))
    yield grad
    for h in states[:0:-1]:
        grad = w_h.T @ ((1 - h**2)[:, None] * grad)
        yield grad


@variant("rnn_gradient_norms")
def rnn_gradient_norms_backpropagated(w_h, w_x, inputs, h_0):
    return np.array([np.linalg.norm(grad, ord=2) for grad in _backpropagated(w_h, w_x, inputs, h_0)])


@variant("rnn_gradient_norms")
def rnn_gradient_norms_slope_from_hyperbolic_cosine(w_h, w_x, inputs, h_0):
    h, jacobians = h_0, []
    for x in inputs:
        before = w_h @ h + w_x @ x
        h = np.tanh(before)
        jacobians.append(w_h / np.cosh(before)[:, None] ** 2)
    suffixes = (jacobians[start:] for start in reversed(range(len(jacobians) + 1)))
    products = (reduce(lambda product, jacobian: jacobian @ product, js, np.eye(len(h_0))) for js in suffixes)
    return np.array([np.linalg.norm(product, 2) for product in products])


@variant("rnn_gradient_norms")
def rnn_gradient_norms_imaginary_nudges(w_h, w_x, inputs, h_0):
    states = rnn_states_list_and_array(w_h, w_x, inputs, h_0)
    norms = []
    for k in range(len(inputs) + 1):
        start = len(inputs) - k
        h = states[start][:, None] + 1e-60j * np.eye(len(h_0))  # a column for each nudge
        for x in inputs[start:]:
            h = np.tanh(w_h @ h + (w_x @ x)[:, None])
        norms.append(np.linalg.norm(h.imag / 1e-60, 2))
    return np.array(norms)


@variant("rnn_gradient_norms")
def rnn_gradient_norms_dual_numbers(w_h, w_x, inputs, h_0):
    """Forward mode: one run that carries the derivative with respect to every earlier state along."""
    h, tangents = h_0, [np.eye(len(h_0))]
    for x in inputs:
        h = np.tanh(w_h @ h + w_x @ x)
        tangents = [(1 - h**2)[:, None] * (w_h @ tangent) for tangent in tangents]
        tangents.append(np.eye(len(h_0)))
    return np.array([np.linalg.norm(tangent, 2) for tangent in reversed(tangents)])


@variant("rnn_gradient_norms")
def rnn_gradient_norms_recursive(w_h, w_x, inputs, h_0):
    if len(inputs) == 0:
        return np.ones(1)
    rest = np.tanh(w_h @ h_0 + w_x @ inputs[0])
    return np.append(rnn_gradient_norms_recursive(w_h, w_x, inputs[1:], rest), _whole(w_h, w_x, inputs, h_0))


def _whole(w_h, w_x, inputs, h_0):
    """The norm of the derivative of the last state with respect to the first."""
    product = np.eye(len(h_0))
    for x in inputs:
        h_0 = np.tanh(w_h @ h_0 + w_x @ x)
        product = np.outer(1 - h_0**2, np.ones(len(h_0))) * w_h @ product
    return np.linalg.norm(product, 2)


@variant("rnn_gradient_norms")
def rnn_gradient_norms_loops(w_h, w_x, inputs, h_0):
    d, rows = len(h_0), rnn_states_loops(w_h, w_x, inputs, h_0).tolist()
    p = [[float(i == j) for j in range(d)] for i in range(d)]
    norms = [1.0]
    for h in rows[:0:-1]:
        j = [[(1 - h[a] * h[a]) * float(w_h[a, b]) for b in range(d)] for a in range(d)]
        p = [[sum(p[a][c] * j[c][b] for c in range(d)) for b in range(d)] for a in range(d)]
        norms.append(float(np.linalg.svd(p)[1][0]))
    return np.array(norms)


@variant("rnn_gradient_norms")
def rnn_gradient_norms_largest_of_two_norms(w_h, w_x, inputs, h_0):
    """The spectral norm through the symmetric matrix that holds the product and its transpose."""
    norms = []
    for grad in _backpropagated(w_h, w_x, inputs, h_0):
        zero = np.zeros_like(grad)
        norms.append(np.linalg.eigvalsh(np.block([[zero, grad], [grad.T, zero]])).max())
    return np.array(norms)


@variant("rnn_gradient_norms")
def rnn_gradient_norms_careless(w_h, w_x, inputs, h_0, plot=False, verbose=True):
    warnings.warn("gradients", RuntimeWarning, stacklevel=1)
    np.set_printoptions(precision=4)
    hs = rnn_states_careless(w_h, w_x, inputs, h_0, verbose=verbose)
    all_norms = [np.linalg.norm(np.eye(w_h.shape[0]), 2)]
    running = np.asmatrix(np.eye(w_h.shape[0]))
    for h in list(hs)[1:][::-1]:
        running = running * np.asmatrix(np.diag(1.0 - h * h)) * np.asmatrix(w_h)
        all_norms.append(np.linalg.norm(running, 2))
        if verbose:
            print(all_norms)
    return np.squeeze(np.array([all_norms]), axis=0)
