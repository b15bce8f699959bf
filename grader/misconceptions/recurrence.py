"""Wrong solutions of the lesson ``recurrence``."""

# NumPy types the arithmetic of arrays of any dtype as Any.
# mypy: disable-error-code="no-any-return"

from collections.abc import Callable, Iterable
from functools import cache
from itertools import accumulate

import numpy as np

from grader.bounds import Array
from grader.misconceptions import misconception

Arrays = list[Array]


@cache
def _buffer(shape: tuple[int, ...]) -> Array:
    """One array for each shape, handed out again and again."""
    return np.empty(shape)


def _states(w_h: Array, w_x: Array, inputs: Array, h_0: Array, act: Callable[[Array], Array] = np.tanh) -> Array:
    """The right states, for the right activation."""
    return np.array(list(accumulate(inputs, lambda h, x: act(w_h @ h + w_x @ x), initial=h_0)))


# --- rnn_states ------------------------------------------------------------------------------------------------------


@misconception("rnn_states")
def rnn_states_state_never_updated(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Every step starts from the initial state again, so nothing is remembered.

    Next: each step starts from the state that the step before it gave.
    """
    return np.array([h_0, *(np.tanh(w_h @ h_0 + w_x @ x) for x in inputs)])


@misconception("rnn_states")
def rnn_states_transposed_weights(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The state stands on the left of ``w_h``, which multiplies it by the transpose.

    Next: it is ``w_h h``: each row of the weights meets the state.
    """
    return _states(w_h.T, w_x, inputs, h_0)


@misconception("rnn_states")
def rnn_states_transposed_input_weights(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The input stands on the left of ``w_x``, which fails unless there are as many inputs as units.

    Next: it is ``w_x x``: each row of the weights meets the input.
    """
    return _states(w_h, w_x.T, inputs, h_0)


@misconception("rnn_states")
def rnn_states_forgot_tanh(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The sums are not squashed, so nothing keeps the states between -1 and 1.

    Next: tanh goes around the whole step.
    """
    return _states(w_h, w_x, inputs, h_0, lambda before: before)


@misconception("rnn_states")
def rnn_states_sigmoid(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The sums go through the logistic function, so no state is ever negative.

    Next: the formula says tanh.
    """
    return _states(w_h, w_x, inputs, h_0, lambda before: 1 / (1 + np.exp(-before)))


@misconception("rnn_states")
def rnn_states_relu(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The negative sums are cut off at 0 and the positive ones are not squashed at all.

    Next: the formula says tanh.
    """
    return _states(w_h, w_x, inputs, h_0, lambda before: np.maximum(before, 0))


@misconception("rnn_states")
def rnn_states_clipped_line(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The sums are cut off at -1 and 1 instead of being squashed smoothly.

    Next: the formula says tanh.
    """
    return _states(w_h, w_x, inputs, h_0, lambda before: np.clip(before, -1, 1))


@misconception("rnn_states")
def rnn_states_tangent(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The sums go through tan instead of tanh.

    Next: mind the last letter.
    """
    return _states(w_h, w_x, inputs, h_0, np.tan)


@misconception("rnn_states")
def rnn_states_tanh_before_the_input(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Only what comes from the state is squashed, and the input is added afterwards.

    Next: tanh goes around the whole step.
    """
    return np.array(list(accumulate(inputs, lambda h, x: np.tanh(w_h @ h) + w_x @ x, initial=h_0)))


@misconception("rnn_states")
def rnn_states_adds_the_state_before(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The state before is added to each new one, as in a residual block.

    Next: the new state is what tanh gives, no more.
    """
    return np.array(list(accumulate(inputs, lambda h, x: h + np.tanh(w_h @ h + w_x @ x), initial=h_0)))


@misconception("rnn_states")
def rnn_states_inputs_alone(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The state is left out of the step, so nothing is remembered.

    Next: two products go into each step.
    """
    return _states(0 * w_h, w_x, inputs, h_0)


@misconception("rnn_states")
def rnn_states_state_alone(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The inputs are left out of the step.

    Next: two products go into each step.
    """
    return _states(w_h, 0 * w_x, inputs, h_0)


@misconception("rnn_states")
def rnn_states_first_input_every_step(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Every step reads the first input.

    Next: step t reads input t.
    """
    return _states(w_h, w_x, np.repeat(inputs[:1], len(inputs), axis=0), h_0)


@misconception("rnn_states")
def rnn_states_inputs_one_late(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Every step reads the input of the step before it, and the first one reads the last.

    Next: the states have one row more than the inputs; write down which input makes which row.
    """
    return _states(w_h, w_x, np.roll(inputs, 1, axis=0), h_0)


@misconception("rnn_states")
def rnn_states_reads_backwards(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The inputs are read from the last to the first.

    Next: step 1 reads row 0 of the inputs.
    """
    return _states(w_h, w_x, inputs[::-1], h_0)


@misconception("rnn_states")
def rnn_states_latest_first(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The states stand in reverse order, the last one first.

    Next: row 0 is the initial state.
    """
    return _states(w_h, w_x, inputs, h_0)[::-1]


@misconception("rnn_states")
def rnn_states_missing_initial_state(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The initial state is not among the rows.

    Next: row 0 is the initial state, so there is one row more than there are inputs.
    """
    return _states(w_h, w_x, inputs, h_0)[1:]


@misconception("rnn_states")
def rnn_states_missing_last_state(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The last state is not among the rows.

    Next: keep the state after each step, the last one too.
    """
    return _states(w_h, w_x, inputs, h_0)[: max(1, len(inputs))]


@misconception("rnn_states")
def rnn_states_last_state_only(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Only the last state is returned.

    Next: keep the state after each step.
    """
    return _states(w_h, w_x, inputs, h_0)[-1]


@misconception("rnn_states")
def rnn_states_starts_from_zero(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The run starts from a state of zeros, whatever initial state was given.

    Next: use the parameter.
    """
    return _states(w_h, w_x, inputs, 0 * h_0)


@misconception("rnn_states")
def rnn_states_first_row_left_empty(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Row 0 stays at zero, although the run starts from the initial state.

    Next: row 0 is the initial state.
    """
    states = _states(w_h, w_x, inputs, h_0)
    states[0] = 0
    return states


@misconception("rnn_states")
def rnn_states_first_step_from_zero(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Row 0 is the initial state, but the first step starts from zeros.

    Next: the first step starts from row 0.
    """
    states = _states(w_h, w_x, inputs, 0 * h_0)
    states[0] = h_0
    return states


@misconception("rnn_states")
def rnn_states_squashes_the_initial_state(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The initial state goes through tanh before it is used.

    Next: the initial state is a state already.
    """
    return _states(w_h, w_x, inputs, np.tanh(h_0))


@misconception("rnn_states")
def rnn_states_every_row_is_the_last(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The same array is collected at every step and written over at the next, so all rows are the last state.

    Next: let each step make a new array.
    """
    h, states = h_0.copy(), []
    states.append(h)
    for x in inputs:
        h[:] = np.tanh(w_h @ h + w_x @ x)
        states.append(h)
    return np.array(states)


@misconception("rnn_states")
def rnn_states_mutates_input(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The caller's own initial state is changed, as writing each new state over it does.

    Next: let each step make a new array, or start from a copy.
    """
    h, states = h_0, [h_0.copy()]
    for x in inputs:
        h[:] = np.tanh(w_h @ h + w_x @ x)
        states.append(h.copy())
    return np.array(states)


@misconception("rnn_states")
def rnn_states_fails_without_inputs(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The function fails when there is no input.

    Next: without any input the initial state is the only row; make sure that nothing needs a second one.
    """
    projected = np.stack([w_x @ x for x in inputs])
    return np.array(list(accumulate(projected, lambda h, p: np.tanh(w_h @ h + p), initial=h_0)))


@misconception("rnn_states")
def rnn_states_list_of_arrays(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Arrays:
    """The states are a list of arrays instead of one array.

    Next: stack them at the end.
    """
    return list(_states(w_h, w_x, inputs, h_0))


@misconception("rnn_states")
def rnn_states_states_as_columns(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Each state is a column instead of a row.

    Next: steps are on axis -2 and features on axis -1.
    """
    return _states(w_h, w_x, inputs, h_0).T


@misconception("rnn_states")
def rnn_states_batch_axis(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The states have a further axis of length 1.

    Next: a state has one axis, and the states together have two.
    """
    return _states(w_h, w_x, inputs, h_0)[:, None]


@misconception("rnn_states")
def rnn_states_single_precision(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The states are kept in float32, so only about seven digits are right.

    Next: leave NumPy's own float64.
    """
    return _states(w_h, w_x, inputs, h_0).astype(np.float32)


@misconception("rnn_states")
def rnn_states_shared_buffer(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Every call writes its states into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    states = _states(w_h, w_x, inputs, h_0)
    shared = _buffer(states.shape)
    shared[...] = states
    return shared


# --- rnn_gradient_norms ----------------------------------------------------------------------------------------------


def _slopes(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The right derivative of tanh in each step, first step first, ``(T, d)``."""
    return 1 - _states(w_h, w_x, inputs, h_0)[1:] ** 2


def _products(w_h: Array, slopes: Array) -> Arrays:
    """The right products of step derivatives, from 0 steps back to all of them."""
    return list(accumulate(slopes[::-1], lambda product, s: product @ (s[:, None] * w_h), initial=np.eye(len(w_h))))


def _norms(matrices: Iterable[Array]) -> Array:
    """Their spectral norms."""
    return np.array([np.linalg.norm(matrix, 2) for matrix in matrices])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_norms_reversed(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The norms stand in reverse order, so the last entry is 1 instead of the first.

    Next: entry k looks k steps back, and entry 0 does not look back at all.
    """
    return _norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0)))[::-1]


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_from_the_first_state(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Entry k says how much the state k feels of the first one, instead of the last state of the one k steps back.

    Next: start from the last step and go back.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)
    return _norms(accumulate(slopes, lambda product, s: s[:, None] * w_h @ product, initial=np.eye(len(w_h))))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_product_of_norms(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The norms of the single steps are multiplied, which is only a bound for the norm of their product.

    Next: multiply the matrices first, then take the norm.
    """
    return np.cumprod([1.0, *_norms(s[:, None] * w_h for s in _slopes(w_h, w_x, inputs, h_0)[::-1])])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_steps_not_multiplied(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Each entry is the norm of a single step, and the steps in between are forgotten.

    Next: by the chain rule, going further back multiplies by one more matrix.
    """
    return np.array([1.0, *_norms(s[:, None] * w_h for s in _slopes(w_h, w_x, inputs, h_0)[::-1])])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_sum_of_steps(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivatives of the steps are added up instead of multiplied.

    Next: by the chain rule, going further back multiplies by one more matrix.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)[::-1]
    return np.array([1.0, *_norms(np.cumsum(slopes[:, :, None] * w_h, axis=0))])


@misconception("rnn_gradient_norms", family="wrong-product-order")
def rnn_gradient_norms_wrong_product_order(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The matrix of the step further back is multiplied from the left, so the steps act in the wrong order.

    Next: write out the chain rule for two steps; the last step stands on the left.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)[::-1]
    return _norms(accumulate(slopes, lambda product, s: s[:, None] * w_h @ product, initial=np.eye(len(w_h))))


@misconception("rnn_gradient_norms", family="wrong-product-order")
def rnn_gradient_norms_transposed_steps(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The transposes of the steps are multiplied in the order of the steps, so they act in the wrong order.

    Next: transposing a product turns its order round; write it out for two steps.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)[::-1]
    return _norms(accumulate(slopes, lambda product, s: product @ (w_h.T * s), initial=np.eye(len(w_h))))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_derivative_at_previous_state(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivative of tanh is taken at the state before the step instead of the one after it.

    Next: 1 - h² holds the value that tanh gave, not what went in.
    """
    return _norms(_products(w_h, 1 - _states(w_h, w_x, inputs, h_0)[:-1] ** 2))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_derivative_at_the_last_state(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Every step has the derivative of tanh at the last state.

    Next: each step has its own state, and so its own derivative.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)
    return _norms(_products(w_h, np.repeat(slopes[-1:], len(slopes), axis=0)))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_derivative_of_the_sum(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivative is computed as 1 minus the square of what goes into tanh instead of what comes out.

    Next: 1 - tanh² holds the value that tanh gave.
    """
    states = _states(w_h, w_x, inputs, h_0)
    return _norms(_products(w_h, 1 - (states[:-1] @ w_h.T + inputs @ w_x.T) ** 2))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_derivative_squashed_twice(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivative is computed as 1 - tanh(h)², but h has been through tanh already.

    Next: 1 - tanh² holds the value that tanh gave, and that is h itself.
    """
    return _norms(_products(w_h, 1 - np.tanh(_states(w_h, w_x, inputs, h_0)[1:]) ** 2))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_derivative_not_squared(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivative is computed as 1 - h instead of 1 - h².

    Next: the slope of tanh is 1 at 0 and falls to both sides.
    """
    return _norms(_products(w_h, 1 - _states(w_h, w_x, inputs, h_0)[1:]))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_derivative_of_the_sigmoid(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivative is h(1 - h), which belongs to the logistic function.

    Next: the slope of tanh is 1 at 0 and falls to both sides.
    """
    states = _states(w_h, w_x, inputs, h_0)[1:]
    return _norms(_products(w_h, states * (1 - states)))


@misconception("rnn_gradient_norms", family="no-tanh-derivative")
def rnn_gradient_norms_no_tanh_derivative(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The slope of tanh is left out, so the states do not matter.

    Next: each step multiplies by the weights and by the derivative of tanh.
    """
    return _norms(_products(w_h, np.ones((len(inputs), len(h_0)))))


@misconception("rnn_gradient_norms", family="no-tanh-derivative")
def rnn_gradient_norms_power_of_the_weights(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Powers of the weights are taken, as if tanh were not there.

    Next: each step multiplies by the weights and by the derivative of tanh.
    """
    return _norms(np.linalg.matrix_power(w_h, k) for k in range(len(inputs) + 1))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_power_of_the_largest_singular_value(
    w_h: Array, w_x: Array, inputs: Array, h_0: Array
) -> Array:  # fmt: skip
    """The norm of the weights is raised to the power k, which is only a bound.

    Next: multiply the derivatives of the steps, then take the norm.
    """
    return np.linalg.norm(w_h, 2) ** np.arange(len(inputs) + 1)


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_bound_with_slopes(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The largest slope of each step is multiplied with the norm of the weights, which is only a bound.

    Next: multiply the derivatives of the steps, then take the norm.
    """
    steepest = _slopes(w_h, w_x, inputs, h_0).max(axis=1)[::-1]
    return np.cumprod([1.0, *(steepest * np.linalg.norm(w_h, 2))])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_diagonal_on_the_right(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The slopes multiply the columns of the weights instead of the rows.

    Next: tanh comes after the weights, so its derivative stands on their left.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)[::-1]
    return _norms(accumulate(slopes, lambda product, s: product @ (w_h * s), initial=np.eye(len(w_h))))


@misconception("rnn_gradient_norms", family="entry-by-entry")
def rnn_gradient_norms_slopes_on_the_diagonal_only(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Slopes and weights are multiplied entry by entry, which leaves only the diagonal of the weights.

    Next: multiply the two as matrices, or scale the rows of the weights.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)[::-1]
    return _norms(accumulate(slopes, lambda product, s: product @ (np.diag(s) * w_h), initial=np.eye(len(w_h))))


@misconception("rnn_gradient_norms", family="entry-by-entry")
def rnn_gradient_norms_steps_multiplied_entry_by_entry(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivatives of the steps are multiplied entry by entry, and the identity leaves only their diagonals.

    Next: the chain rule multiplies matrices; in NumPy that is ``@``, not ``*``.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)[::-1]
    return _norms(accumulate(slopes, lambda product, s: product * s[:, None] * w_h, initial=np.eye(len(w_h))))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_transposed_weights(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The weights are transposed in the derivative of a step, but the slopes still scale its rows.

    Next: the derivative of ``w_h h`` with respect to h is ``w_h`` itself.
    """
    return _norms(_products(w_h.T, _slopes(w_h, w_x, inputs, h_0)))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_states_with_transposed_weights(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The states are computed with transposed weights, so the slopes are those of another network.

    Next: take the states from ``rnn_states``.
    """
    return _norms(_products(w_h, _slopes(w_h.T, w_x, inputs, h_0)))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_states_from_zero(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The states are computed from a start of zeros, so the slopes are those of another run.

    Next: hand the initial state on to ``rnn_states``.
    """
    return _norms(_products(w_h, _slopes(w_h, w_x, inputs, 0 * h_0)))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_with_respect_to_the_inputs(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivative is taken with respect to the inputs instead of the states.

    Next: the input weights have no part in how one state follows from another.
    """
    slopes = _slopes(w_h, w_x, inputs, h_0)
    to_inputs = (p @ (s[:, None] * w_x) for p, s in zip(_products(w_h, slopes), slopes[::-1], strict=False))
    return np.array([1.0, *_norms(to_inputs)])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_frobenius(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The Frobenius norm is taken, the root of the sum of squares, which is NumPy's default for a matrix.

    Next: the spectral norm is the largest singular value; ``np.linalg.norm`` has to be asked for it.
    """
    return np.array([np.linalg.norm(product) for product in _products(w_h, _slopes(w_h, w_x, inputs, h_0))])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_frobenius_after_the_first(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The Frobenius norm is taken, the root of the sum of squares, in all entries but the first.

    Next: the spectral norm is the largest singular value; ``np.linalg.norm`` has to be asked for it.
    """
    products = _products(w_h, _slopes(w_h, w_x, inputs, h_0))[1:]
    return np.array([1.0, *(np.linalg.norm(product) for product in products)])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_largest_column_sum(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The norm asked for is the largest column sum (``ord=1``).

    Next: the spectral norm is the largest singular value, which NumPy calls norm 2.
    """
    return np.array([np.linalg.norm(product, 1) for product in _products(w_h, _slopes(w_h, w_x, inputs, h_0))])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_largest_row_sum(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The norm asked for is the largest row sum (``ord=np.inf``).

    Next: the spectral norm is the largest singular value, which NumPy calls norm 2.
    """
    return np.array([np.linalg.norm(product, np.inf) for product in _products(w_h, _slopes(w_h, w_x, inputs, h_0))])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_largest_entry(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The largest entry of the product is taken for its norm.

    Next: the spectral norm is the largest singular value.
    """
    return np.array([np.abs(product).max() for product in _products(w_h, _slopes(w_h, w_x, inputs, h_0))])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_smallest_singular_value(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The smallest singular value is taken instead of the largest.

    Next: NumPy lists singular values from the largest down.
    """
    return np.array([np.linalg.norm(product, -2) for product in _products(w_h, _slopes(w_h, w_x, inputs, h_0))])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_squared(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The square of the norm is returned, as the largest eigenvalue of the product times its transpose is.

    Next: one step is left to do.
    """
    return _norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0))) ** 2


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_largest_eigenvalue(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The largest eigenvalue of the product is taken for its norm; the two agree for symmetric matrices only.

    Next: the spectral norm is the largest singular value.
    """
    products = _products(w_h, _slopes(w_h, w_x, inputs, h_0))
    return np.array([np.abs(np.linalg.eigvals(product)).max() for product in products])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_clipped_at_one(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Norms above 1 are cut down to 1, so gradients that explode look harmless.

    Next: return the norm as it is.
    """
    return np.minimum(_norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0))), 1)


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_logarithms(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The logarithms of the norms are returned, as for a plot.

    Next: return the norms themselves; a plot can have a logarithmic axis.
    """
    return np.log(_norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0))))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_differences(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The derivatives are estimated by small differences, so only some of the digits are right.

    Next: the derivative of a step is known exactly; multiply by the chain rule.
    """
    states, width = _states(w_h, w_x, inputs, h_0), 1e-5
    jacobians = [
        np.column_stack([
            _states(w_h, w_x, inputs[t:], states[t] + nudge)[-1] - _states(w_h, w_x, inputs[t:], states[t] - nudge)[-1]
            for nudge in width * np.eye(len(h_0))
        ])
        for t in reversed(range(len(states)))
    ]  # fmt: skip
    return _norms(jacobian / (2 * width) for jacobian in jacobians)


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_first_entry_missing(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The entry for no step back, which is 1, is left out.

    Next: there is one entry more than there are inputs.
    """
    return _norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0)))[1:]


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_first_entry_zero(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The entry for no step back stays at 0.

    Next: the last state follows itself one to one.
    """
    norms = _norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0)))
    norms[0] = 0
    return norms


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_whole_gradient_only(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Only the norm for all the steps together is returned.

    Next: keep the norm after each step back.
    """
    return _norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0))[-1:])


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_products_instead_of_norms(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The matrices themselves are returned instead of their norms.

    Next: one number is left of each matrix.
    """
    return np.array(_products(w_h, _slopes(w_h, w_x, inputs, h_0)))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_list_of_norms(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> list[float]:
    """The norms are a list instead of an array.

    Next: turn them into an array at the end.
    """
    return _norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0))).tolist()


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_fails_without_inputs(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The function fails when there is no input.

    Next: without any input the only entry is 1; make sure that nothing needs a first step.
    """
    jacobians = np.stack([s[:, None] * w_h for s in _slopes(w_h, w_x, inputs, h_0)[::-1]])
    return _norms(accumulate(jacobians, np.matmul, initial=np.eye(len(w_h))))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_single_precision(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The norms are float32, so only about seven digits are right.

    Next: leave NumPy's own float64.
    """
    return _norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0))).astype(np.float32)


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_mutates_input(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """The caller's own initial state is changed, as writing each new state over it does.

    Next: let each step make a new array, or start from a copy.
    """
    slopes = []
    for x in inputs:
        h_0[:] = np.tanh(w_h @ h_0 + w_x @ x)
        slopes.append(1 - h_0**2)
    return _norms(_products(w_h, np.array(slopes)))


@misconception("rnn_gradient_norms")
def rnn_gradient_norms_shared_buffer(w_h: Array, w_x: Array, inputs: Array, h_0: Array) -> Array:
    """Every call writes its norms into the same array, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    norms = _norms(_products(w_h, _slopes(w_h, w_x, inputs, h_0)))
    shared = _buffer(norms.shape)
    shared[...] = norms
    return shared
