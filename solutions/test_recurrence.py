"""Public tests of recurrence.py. A test asks for the functions it needs by name, as arguments."""

import numpy as np
from checking import assert_close, assert_equal
from hypothesis import given
from hypothesis import strategies as st

LOG_2, LOG_3 = np.log(2.0), np.log(3.0)  # tanh(LOG_2) = 0.6 and tanh(LOG_3) = 0.8
LENGTHS = st.integers(0, 5)
SEEDS = st.integers(0, 999)


def random_array(seed, *shape):
    """Multiples of 1/8 from -2 to 2: small numbers that a computer adds without rounding."""
    return np.random.default_rng(seed).integers(-16, 17, shape) / 8


def random_network(seed, d, m, length):
    """Everything that the functions of this lesson are given, in their order."""
    shapes = [(d, d), (d, m), (length, m), (d,)]
    return [random_array(seed + i, *shape) / 2 for i, shape in enumerate(shapes)]


# rnn_states


def test_rnn_states_without_inputs(rnn_states):
    """When nothing is read, the only state is the first one, as it was given."""
    states = rnn_states(np.eye(2), np.eye(2), np.zeros((0, 2)), np.array([5.0, -3.0]))
    assert_close(states, [[5.0, -3.0]])


def test_rnn_states_of_inputs_alone(rnn_states):
    """With w_h = 0 every state is the tanh of its own input: 0.6 for log 2, 0.8 for log 3."""
    states = rnn_states(np.array([[0.0]]), np.array([[1.0]]), np.array([[LOG_2], [LOG_3]]), np.array([0.5]))
    assert_close(states, [[0.5], [0.6], [0.8]])


def test_rnn_states_pass_the_state_on(rnn_states):
    """A state is the tanh of what the state before and the new input add up to."""
    w_h = np.array([[LOG_3 / 0.6]])
    states = rnn_states(w_h, np.array([[LOG_2]]), np.array([[1.0], [0.0]]), np.array([0.0]))
    assert_close(states, [[0.0], [0.6], [0.8]])


def test_rnn_states_begin_from_the_state_given(rnn_states):
    """The first step starts at h_0."""
    states = rnn_states(np.array([[1.0]]), np.array([[1.0]]), np.array([[0.0]]), np.array([LOG_2]))
    assert_close(states, [[LOG_2], [0.6]])


def test_rnn_states_read_rows_of_w_h(rnn_states):
    """Row i of w_h makes unit i: here unit 0 copies unit 1, and unit 1 forgets."""
    w_h = np.array([[0.0, 1.0], [0.0, 0.0]])
    states = rnn_states(w_h, np.zeros((2, 1)), np.zeros((2, 1)), np.array([0.0, LOG_2]))
    assert_close(states, [[0.0, LOG_2], [0.6, 0.0], [0.0, 0.0]])


def test_rnn_states_with_more_inputs_than_units(rnn_states):
    """w_x brings m = 3 inputs to d = 2 units, each unit by a row of its own."""
    w_x = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    states = rnn_states(np.zeros((2, 2)), w_x, np.array([[9.0, LOG_2, -LOG_3]]), np.zeros(2))
    assert_close(states, [[0.0, 0.0], [0.6, -0.8]])


@given(SEEDS, LENGTHS, LENGTHS)
def test_rnn_states_in_two_parts(rnn_states, seed, n, more):
    """Reading on from the last state of a first part gives the states of reading it all."""
    w_h, w_x, inputs, h_0 = random_network(seed, 3, 2, n + more)
    whole = rnn_states(w_h, w_x, inputs, h_0)
    assert_close(rnn_states(w_h, w_x, inputs[n:], whole[n]), whole[n:])


def test_rnn_states_leave_their_arguments_alone(rnn_states):
    """The arrays given are the same after the call as before."""
    given_arrays, same = random_network(0, 2, 2, 3), random_network(0, 2, 2, 3)
    rnn_states(*given_arrays)
    for array, before in zip(given_arrays, same, strict=True):
        assert_equal(array, before)


# rnn_gradient_norms


def test_rnn_gradient_norms_without_inputs(rnn_gradient_norms):
    """The last state moves with itself: the norm at 0 steps back is 1."""
    norms = rnn_gradient_norms(np.eye(2), np.eye(2), np.zeros((0, 2)), np.zeros(2))
    assert_close(norms, [1.0])


def test_rnn_gradient_norms_of_a_silent_network(rnn_gradient_norms):
    """While every state is 0, each step back is one more factor of w_h: here 1/2 each."""
    norms = rnn_gradient_norms(np.array([[-0.5]]), np.array([[1.0]]), np.zeros((3, 1)), np.array([0.0]))
    assert_close(norms, [1.0, 0.5, 0.25, 0.125])


def test_rnn_gradient_norms_count_back_from_the_end(rnn_gradient_norms):
    """With states 0.5, 0.6, 0.8 and w_h = 2: one step back 2 · (1 - 0.8²), two steps back times 2 · (1 - 0.6²)."""
    inputs = np.array([[LOG_2 - 1.0], [LOG_3 - 1.2]])
    norms = rnn_gradient_norms(np.array([[2.0]]), np.array([[1.0]]), inputs, np.array([0.5]))
    assert_close(norms, [1.0, 2 * 0.36, 2 * 0.36 * 2 * 0.64])


def test_rnn_gradient_norms_are_spectral(rnn_gradient_norms):
    """The norm is how much the change that gets through best is stretched: with 1/2 and 1/4 it is 1/2."""
    norms = rnn_gradient_norms(np.diag([0.25, 0.5]), np.eye(2), np.zeros((2, 2)), np.zeros(2))
    assert_close(norms, [1.0, 0.5, 0.25])


def test_rnn_gradient_norms_multiply_matrices_not_norms(rnn_gradient_norms):
    """Unit 0 copies unit 1, and unit 1 forgets: after two steps nothing is left, though each step alone has norm 1."""
    w_h = np.array([[0.0, 1.0], [0.0, 0.0]])
    norms = rnn_gradient_norms(w_h, np.eye(2), np.zeros((3, 2)), np.zeros(2))
    assert_close(norms, [1.0, 1.0, 0.0, 0.0])


def test_rnn_gradient_norms_scale_the_rows(rnn_gradient_norms):
    """1 - h² belongs to the unit that is computed: unit 0 is at 0.6, so its row of w_h is multiplied by 0.64."""
    w_h = np.array([[0.0, 1.0], [0.0, 0.0]])
    norms = rnn_gradient_norms(w_h, np.eye(2), np.array([[LOG_2, 0.0]]), np.zeros(2))
    assert_close(norms, [1.0, 0.64])


def test_rnn_gradient_norms_multiply_in_order(rnn_gradient_norms):
    """The later step stands on the left: J_1 = [[1.92, 0], [4, 0]], J_2 = [[3, 0], [4, 0]], norms 5 and 5 · 1.92."""
    w_h = np.array([[3.0, 0.0], [4.0, 0.0]])
    inputs = np.array([[LOG_2, 0.0], [-1.8, -2.4]])  # states (0.6, 0), then (0, 0)
    norms = rnn_gradient_norms(w_h, np.eye(2), inputs, np.zeros(2))
    assert_close(norms, [1.0, 5.0, 9.6])


@given(SEEDS, LENGTHS, LENGTHS)
def test_rnn_gradient_norms_of_the_end_of_a_text(rnn_gradient_norms, seed, n, more):
    """While the network is silent, the norms over a short text are the first ones over a longer text."""
    w_h, w_x, _, _ = random_network(seed, 3, 2, 0)
    longer = rnn_gradient_norms(w_h, w_x, np.zeros((n + more, 2)), np.zeros(3))
    assert_close(longer[: n + 1], rnn_gradient_norms(w_h, w_x, np.zeros((n, 2)), np.zeros(3)))


@given(SEEDS, LENGTHS)
def test_rnn_gradient_norms_of_a_rotation(rnn_gradient_norms, seed, n):
    """A silent network that only turns its state loses nothing: every norm is 1."""
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    norms = rnn_gradient_norms(turn, np.eye(3), np.zeros((n, 3)), np.zeros(3))
    assert_close(norms, np.ones(n + 1))


def test_rnn_gradient_norms_leave_their_arguments_alone(rnn_gradient_norms):
    """The arrays given are the same after the call as before."""
    given_arrays, same = random_network(0, 2, 2, 3), random_network(0, 2, 2, 3)
    rnn_gradient_norms(*given_arrays)
    for array, before in zip(given_arrays, same, strict=True):
        assert_equal(array, before)
