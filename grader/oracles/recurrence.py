"""Oracles of the lesson ``recurrence``: one unit and one step at a time.

The gradients are found in two ways that share nothing: as products of Jacobians, and by nudging a state.
"""

import cmath
import math

import numpy as np

from grader.bounds import ELEMENTARY, Array, Bounded, sum_error, unit_roundoff
from grader.oracles import remembered

U = unit_roundoff(np.float64)
SQUARINGS = 60
"""After so many, the trace of the power is its largest eigenvalue to the last bit."""
NUDGE = 1e-100
"""An imaginary step: the derivative is read off the imaginary part, without a difference that could cancel."""

Rows = list[list[float]]


@remembered
def rnn_states(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Bounded:
    """``h_t = tanh(w_h h_{t-1} + w_x x_t)`` from ``h_0`` on, which has no error.

    An error in the pre-activation is passed on at most by the steepest slope of tanh within its reach.
    """
    w_h_rows, w_x_rows = w_h.tolist(), w_x.tolist()
    states, errors = [h_0.tolist()], [[0.0] * len(h_0)]
    for x in inputs.tolist():
        state, error = [], []
        for own, outer in zip(w_h_rows, w_x_rows, strict=True):
            terms = [w * h for w, h in zip(own, states[-1], strict=True)]
            terms += [w * entry for w, entry in zip(outer, x, strict=True)]
            carried = math.fsum(abs(w) * e for w, e in zip(own, errors[-1], strict=True))
            off = carried + sum_error(len(terms), math.fsum(map(abs, terms)), U)
            before = math.fsum(terms)
            state.append(math.tanh(before))
            error.append(off * slope(max(0.0, abs(before) - off)) + ELEMENTARY * U)
        states.append(state)
        errors.append(error)
    return Bounded(np.array(states), np.array(errors))


def slope(before: float) -> float:
    """The derivative of tanh, ``1 / cosh²``."""
    return 1 / math.cosh(min(before, 300.0)) ** 2


@remembered
def rnn_gradient_norms(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Bounded:
    """Spectral norms of ``J_T J_{T-1} ... J_{T-k+1}`` with ``J_t = diag(1 - h_t²) w_h``, for k from 0 to T.

    The entries of a product are off by what its factors are off by and the rounding of sums, both in proportion to the
    product of the magnitudes; a spectral norm is off by no more than the Frobenius norm of that. A program may also
    turn its basis at every step, which is off by a few u of the product of the factors' norms, also where the product
    itself is 0.
    """
    states, d = rnn_states(w_h, w_x, inputs, h_0), len(h_0)
    product = magnitude = np.eye(d).tolist()
    error = np.zeros((d, d))
    products, errors = [product], [error]
    jacobians: list[Rows] = []
    for state, off in zip(states.value[:0:-1], states.error[:0:-1], strict=True):
        slopes = [(1 - h) * (1 + h) for h in state.tolist()]
        slope_errors = 2 * np.abs(state) * off + off**2 + ELEMENTARY * U
        jacobian = [[s * w for w in row] for s, row in zip(slopes, w_h.tolist(), strict=True)]
        jacobians.append(jacobian)
        jacobian_error = slope_errors[:, None] * np.abs(w_h) + U * np.abs(jacobian)
        error = error @ (np.abs(jacobian) + jacobian_error) + np.array(magnitude) @ jacobian_error
        product, magnitude = times(product, jacobian), times(magnitude, np.abs(jacobian).tolist())
        error = error + sum_error(d, np.array(magnitude), U)
        products.append(product)
        errors.append(error)
    norms, steps = spectral_norms(np.array(products)), np.arange(len(products))
    turned = (
        (steps + 1)
        * (4 * d * d + ELEMENTARY)
        * U
        * np.cumprod([1.0, *spectral_norms(np.reshape(jacobians, (-1, d, d)))])
    )
    return Bounded(norms, np.sqrt((np.array(errors) ** 2).sum((1, 2))) + turned)


def times(a: Rows, b: Rows) -> Rows:
    """The matrix product ``a b``, entry by entry."""
    columns = list(zip(*b, strict=True))
    return [[math.fsum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a]


@remembered
def spectral_norms(matrices: Array) -> Array:
    """The largest singular value of each matrix, without a singular value decomposition.

    With B = AᵀA and λ its largest eigenvalue, ``λ^m ≤ trace(B^m) ≤ d·λ^m``, so the m-th root of the trace is λ as soon
    as ``d^(1/m)`` rounds to 1. B is divided by its trace and squared again and again, and the roots are taken on the
    way back, each of which halves the relative error made until then. ``matrices (..., d, d)``, returns ``(...)``.
    """
    power = np.swapaxes(matrices, -1, -2) @ matrices
    traces = []
    for _ in range(SQUARINGS):
        trace = np.trace(power, axis1=-2, axis2=-1)
        traces.append(trace)
        power = power / np.where(trace > 0, trace, 1)[..., None, None]
        power = power @ power
    largest = np.ones(matrices.shape[:-2])
    for trace in reversed(traces):
        largest = trace * np.sqrt(largest)
    return np.asarray(np.sqrt(largest))


@remembered
def nudged_norms(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Bounded:
    """The same norms from what a nudge of each unit of an earlier state does to the last state."""
    states, d = rnn_states(w_h, w_x, inputs, h_0).value, len(h_0)
    jacobians = []
    for k in range(len(inputs) + 1):
        start = len(inputs) - k
        columns = []
        for unit in range(d):
            state = [complex(h, NUDGE if j == unit else 0) for j, h in enumerate(states[start].tolist())]
            for x in inputs[start:].tolist():
                state = [
                    cmath.tanh(
                        sum(w * h for w, h in zip(own, state, strict=True))
                        + math.fsum(w * entry for w, entry in zip(outer, x, strict=True))
                    )
                    for own, outer in zip(w_h.tolist(), w_x.tolist(), strict=True)
                ]
            columns.append([h.imag / NUDGE for h in state])
        jacobians.append(columns)
    # Each list holds the columns of a Jacobian as rows; transposing leaves a spectral norm as it is.
    return Bounded(spectral_norms(np.array(jacobians)), rnn_gradient_norms(w_h, w_x, inputs, h_0).error)
