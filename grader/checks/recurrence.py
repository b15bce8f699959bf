"""Hidden checks of the lesson ``recurrence``."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from grader import expect
from grader.bounds import ELEMENTARY, Array, Bounded, sum_error
from grader.callee import Callee
from grader.checks import check
from grader.checks.attention import SEEDS
from grader.drawing import fill
from grader.oracles import recurrence as oracle

Run = tuple[Array, Array, Array, Array]
"""The arguments of both functions: ``w_h (d, d)``, ``w_x (d, m)``, ``inputs (T, m)``, ``h_0 (d,)``."""
LONG = 24


@dataclass(frozen=True)
class Network:
    """A recurrent network of ``d`` units that reads ``steps`` inputs of ``m`` features; m is not d."""

    steps: int
    d: int
    m: int
    seed: int

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return self.steps * (self.d + self.m)

    def run(self, scale: float = 0.25, steps: int | None = None, m: int | None = None, d: int | None = None) -> Run:
        """Weights of size ``2·scale`` and states and inputs of size 1, unless the scale is larger than that."""
        m, d, steps = m or self.m, d or self.d, self.steps if steps is None else steps
        return (
            scale * fill(self.seed, d, d),
            max(0.5, scale) * fill(self.seed + 1, d, m),
            max(0.5, scale) * fill(self.seed + 2, steps, m),
            0.5 * fill(self.seed + 3, d),
        )

    def runs(self) -> Iterator[Run]:
        """Moderate states; saturated ones; one step; as many inputs as units; one unit with one input."""
        yield self.run()
        yield self.run(scale=1)
        yield self.run(steps=1)
        yield self.run(m=self.d)
        yield self.run(m=1, d=1)

    def loud(self) -> Run:
        """Inputs in the hundreds, for which an exponential of them has no room, and a start beyond 1."""
        w_h, w_x, inputs, h_0 = self.run()
        return w_h, w_x, 1000 * inputs, 3 * h_0

    def fading(self) -> Run:
        """A long run under small weights that are not negative, so that no sum cancels, however many there are."""
        _, w_x, inputs, h_0 = self.run(steps=LONG)
        return np.abs(fill(self.seed + 4, self.d, self.d)) / (2 * self.d) + 1 / 16, w_x / 4, inputs, h_0

    def linear(self) -> Run:
        """Large weights and states that stay 0, where tanh has slope 1."""
        w_h, w_x, inputs, h_0 = self.run(scale=1)
        return w_h + np.triu(np.ones_like(w_h)) * 2, w_x, 0 * inputs, 0 * h_0

    def at_rest(self) -> Iterator[Run]:
        """States that stay 0, under weights whose largest singular value is easily missed by iterating.

        One takes no notice of what all units share, so that a start from there has no part in it; the other is almost
        as strong in a second direction.
        """
        contrary, almost_equal = np.zeros((self.d, self.d)), np.diag([1.0, 1 - 2**-10, *[0.75] * (self.d - 2)])
        contrary[:2, :2] = [[0.5, -0.5], [-0.5, 0.5]]
        _, w_x, inputs, h_0 = self.run()
        for w_h in (contrary, almost_equal):
            yield w_h, w_x, 0 * inputs, 0 * h_0

    def forgetful(self) -> Run:
        """Each unit listens only to the units after it, in an order of its own: after d steps all is forgotten."""
        w_h, w_x, inputs, h_0 = self.run(scale=0.5, steps=self.d + 2)
        order = np.argsort(fill(self.seed + 5, self.d), kind="stable")
        return np.triu(w_h + 2, 1)[np.ix_(order, order)], w_x / 4, inputs, h_0


def off_the_grid(run: Run) -> Run:
    """The same run with weights and inputs of all digits, where half the digits lost show."""
    w_h, w_x, inputs, h_0 = run
    return w_h / 1.1, w_x / 1.1, inputs / 1.1, h_0 / 1.1


sizes = st.sampled_from([(2, 1), (2, 3), (3, 1), (3, 2), (3, 4), (4, 2), (4, 3)])
networks = st.builds(lambda steps, size, seed: Network(steps, size[0], size[1], seed), st.integers(2, 5), sizes, SEEDS)

# --- rnn_states ------------------------------------------------------------------------------------------------------


def states_of(rnn_states: Callee, run: Run) -> Array:
    """The submission's states, with shape and type checked."""
    return expect.array(rnn_states(*run), (len(run[2]) + 1, len(run[3])))


@check("rnn_states", given=networks, count=3)
def states_have_a_row_for_each_moment(rnn_states: Callee, network: Network) -> None:
    """The states are a float64 array with a row for the start and one for each input, also without any input.

    Kept: says that shape or type is wrong before any value is compared.
    """
    for run in (*network.runs(), network.run(steps=0), network.run(steps=0, m=network.d)):
        states_of(rnn_states, run)


@check("rnn_states", given=networks, count=3)
def states_leave_their_inputs(rnn_states: Callee, network: Network) -> None:
    """The weights, the inputs and the initial state stay as they were."""
    for run in network.runs():
        rnn_states(*run)
        expect.unchanged(rnn_states)


@check("rnn_states", given=networks, count=3)
def states_start_with_the_initial_one(rnn_states: Callee, network: Network) -> None:
    """Row 0 is the initial state, as it was given.

    Kept: names a start that was left out, squashed or set to zero.
    """
    for run in (*network.runs(), network.run(steps=0), network.loud()):
        expect.same(states_of(rnn_states, run)[0], run[3], "row 0: the entry")


@check("rnn_states", given=networks, count=3)
def states_stay_between_minus_one_and_one(rnn_states: Callee, network: Network) -> None:
    """After the first row no state leaves the range from -1 to 1, which is all that tanh gives.

    Kept: names a missing tanh, or something added after it.
    """
    for run in network.runs():
        states = states_of(rnn_states, run)[1:]
        inside = np.abs(states) <= 1 + ELEMENTARY * oracle.U
        expect.true(inside, "a state leaves the range from -1 to 1", states, "states between -1 and 1")


@check("rnn_states", given=networks, count=3)
def each_state_follows_from_the_one_before(rnn_states: Callee, network: Network) -> None:
    """Each row is one step from the row before it, with the input of that step.

    Kept: tells a wrong step from a wrong start.
    """
    for w_h, w_x, inputs, h_0 in network.runs():
        states = states_of(rnn_states, (w_h, w_x, inputs, h_0))
        for t in range(len(inputs)):
            step = oracle.rnn_states(w_h, w_x, inputs[t : t + 1], states[t])
            expect.close(states[t + 1], Bounded(step.value[1], step.error[1]), f"row {t + 1}: the entry")


@check("rnn_states", given=networks, count=2)
def later_inputs_change_no_earlier_state(rnn_states: Callee, network: Network) -> None:
    """The states up to a step are the same with and without the inputs after it.

    Kept: names a network that reads from the end, or looks ahead.
    """
    for run in (network.run(), network.run(m=network.d)):
        w_h, w_x, inputs, h_0 = run
        whole, error = states_of(rnn_states, run), oracle.rnn_states(*run).error
        for t in range(1, network.steps):
            part = states_of(rnn_states, (w_h, w_x, inputs[:t], h_0))
            expect.agree(part, whole[: t + 1], 2 * error[: t + 1], "the entry")


@check("rnn_states", given=networks, count=2)
def states_mirror_their_inputs(rnn_states: Callee, network: Network) -> None:
    """With the signs of all inputs and of the initial state turned, all states have their signs turned.

    Kept: names another activation than tanh, and anything added to the step.
    """
    for w_h, w_x, inputs, h_0 in (network.run(), network.run(m=network.d)):
        states = states_of(rnn_states, (w_h, w_x, inputs, h_0))
        mirrored = states_of(rnn_states, (w_h, w_x, -inputs, -h_0))
        expect.agree(mirrored, -states, 2 * oracle.rnn_states(w_h, w_x, inputs, h_0).error, "the entry")


@check("rnn_states", given=networks, count=3)
def states_are_right(rnn_states: Callee, network: Network) -> None:
    """Each state is tanh of w_h times the state before plus w_x times the input, to rounding.

    Tried with a long run and with large inputs as well.

    Kept: the definition itself, for what breaks no law of its own.
    """
    for run in (*network.runs(), network.fading(), network.loud(), off_the_grid(network.run())):
        expect.close(states_of(rnn_states, run), oracle.rnn_states(*run), "the entry")


@check("rnn_states", given=networks, count=2)
def states_are_fresh_arrays(rnn_states: Callee, network: Network) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    for w_h, w_x, inputs, h_0 in (network.run(), network.run(m=network.d)):
        runs = (w_h, w_x, inputs, h_0), (w_x @ w_x.T + w_h, -w_x, inputs, h_0 / 2)
        expected = [oracle.rnn_states(*run) for run in runs]
        expect.answered(rnn_states, [(run, {}) for run in runs], expected, "the state")


# --- rnn_gradient_norms ----------------------------------------------------------------------------------------------


def norms_of(rnn_gradient_norms: Callee, run: Run) -> Array:
    """The submission's norms, with shape and type checked."""
    return expect.array(rnn_gradient_norms(*run), (len(run[2]) + 1,))


@check("rnn_gradient_norms", given=networks, count=2)
def norms_have_an_entry_for_each_moment(rnn_gradient_norms: Callee, network: Network) -> None:
    """The norms are a float64 array with one entry more than there are inputs; without any input it is [1.]."""
    for run in (*network.runs(), network.run(steps=0), network.run(steps=0, m=network.d)):
        norms = norms_of(rnn_gradient_norms, run)
        if len(norms) == 1:
            expect.close(norms, oracle.rnn_gradient_norms(*run), "without an input, the norm")


@check("rnn_gradient_norms", given=networks, count=2)
def norms_leave_their_inputs(rnn_gradient_norms: Callee, network: Network) -> None:
    """The weights, the inputs and the initial state stay as they were."""
    for run in network.runs():
        rnn_gradient_norms(*run)
        expect.unchanged(rnn_gradient_norms)


@check("rnn_gradient_norms", given=networks, count=2)
def norms_start_with_one(rnn_gradient_norms: Callee, network: Network) -> None:
    """Entry 0 is 1: the last state follows itself one to one.

    Kept: names norms in reverse order, and the size of an identity matrix measured by another norm.
    """
    for run in network.runs():
        norm, bound = norms_of(rnn_gradient_norms, run)[:1], oracle.rnn_gradient_norms(*run)
        expect.close(norm, Bounded(bound.value[:1], bound.error[:1]), "the norm")


@check("rnn_gradient_norms", given=networks, count=2)
def norms_of_one_unit_multiply(rnn_gradient_norms: Callee, network: Network) -> None:
    """With a single unit, one step further back multiplies the norm by the size of its weight times 1 - h².

    Kept: the case that can be followed with a calculator.
    """
    for scale in (0.25, 1):
        run = network.run(scale, m=1, d=1)
        weight, states = abs(float(run[0][0, 0])), oracle.rnn_states(*run).value[:, 0].tolist()
        factors = [weight * (1 - h) * (1 + h) for h in states[:0:-1]]
        products = np.array([np.prod(factors[:k]) for k in range(network.steps + 1)])
        error = 2 * oracle.rnn_gradient_norms(*run).error
        expect.close(norms_of(rnn_gradient_norms, run), Bounded(products, error), "the norm")


@check("rnn_gradient_norms", given=networks, count=2)
def norms_at_rest_are_those_of_powers(rnn_gradient_norms: Callee, network: Network) -> None:
    """While all states are 0, tanh has slope 1, and entry k is the spectral norm of w_h to the power k.

    The weights are large here, so that gradients grow with every step back.

    Kept: the case without a slope, where only the powers of the weights count.
    """
    run = network.linear()
    expect.close(norms_of(rnn_gradient_norms, run), oracle.rnn_gradient_norms(*run), "the norm")


@check("rnn_gradient_norms", given=networks, count=2)
def what_is_forgotten_has_no_gradient(rnn_gradient_norms: Callee, network: Network) -> None:
    """When each unit listens only to units after it, all is forgotten after d steps, and the norm is 0, to rounding.

    Kept: tells the norm of a product from a product of norms, which never becomes 0.
    """
    run = network.forgetful()
    norms = norms_of(rnn_gradient_norms, run)
    expect.close(norms, oracle.rnn_gradient_norms(*run), "the norm")


@check("rnn_gradient_norms", given=networks, count=2)
def no_step_stretches_more_than_its_weights(rnn_gradient_norms: Callee, network: Network) -> None:
    """Entry k is at most the largest singular value of w_h to the power k.

    Kept: names the bound by which gradients vanish.
    """
    for run in network.runs():
        norms, error = norms_of(rnn_gradient_norms, run), oracle.rnn_gradient_norms(*run).error
        largest = float(oracle.spectral_norms(run[0]))
        bound = largest ** np.arange(len(norms))
        room = error + sum_error(len(norms) * len(run[3]), bound, oracle.U)
        expect.true(norms <= bound + room, "a norm is larger than the weights allow", norms, bound)


@check("rnn_gradient_norms", given=networks, count=2)
def norms_look_back_from_the_end(rnn_gradient_norms: Callee, network: Network) -> None:
    """What the last state feels of the last steps does not depend on where the run began.

    Kept: names norms that are counted from the beginning.
    """
    for run in (network.run(), network.run(m=network.d)):
        w_h, w_x, inputs, _ = run
        whole, states = norms_of(rnn_gradient_norms, run), oracle.rnn_states(*run).value
        error = oracle.rnn_gradient_norms(*run).error
        for start in range(1, network.steps):
            part = norms_of(rnn_gradient_norms, (w_h, w_x, inputs[start:], states[start]))
            expect.agree(part, whole[: len(part)], 2 * error[: len(part)], f"without the first {start} steps, the norm")


@check("rnn_gradient_norms", given=networks, count=2)
def norms_tell_the_effect_of_a_nudge(rnn_gradient_norms: Callee, network: Network) -> None:
    """Entry k is how much a small nudge of the state k steps back can move the last state at most.

    Kept: measures the derivative without any formula for it.
    """
    for run in (network.run(), network.run(m=network.d)):
        nudged = oracle.nudged_norms(*run)
        expect.close(norms_of(rnn_gradient_norms, run), Bounded(nudged.value, 2 * nudged.error), "the norm")


@check("rnn_gradient_norms", given=networks, count=2)
def norms_are_right(rnn_gradient_norms: Callee, network: Network) -> None:
    """Entry k is the largest singular value of the product of the last k step derivatives, diag(1 - h_t²) w_h.

    Tried with a long run as well, over which the norms fade to almost nothing and still have to be right.

    Kept: the definition itself, for what breaks no law of its own.
    """
    for run in (*network.runs(), network.fading(), *network.at_rest(), off_the_grid(network.run())):
        expect.close(norms_of(rnn_gradient_norms, run), oracle.rnn_gradient_norms(*run), "the norm")


@check("rnn_gradient_norms", given=networks, count=2)
def norms_are_fresh_arrays(rnn_gradient_norms: Callee, network: Network) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    for run in (network.run(), network.run(m=network.d)):
        w_h, w_x, inputs, h_0 = run
        runs = run, (2 * w_h + 1, w_x, inputs, h_0)
        expected = [oracle.rnn_gradient_norms(*given) for given in runs]
        expect.answered(rnn_gradient_norms, [(given, {}) for given in runs], expected, "the norm")
