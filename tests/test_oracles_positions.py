"""The oracles of ``positional_encoding`` and ``recurrence`` are right; their bounds have no room for mistakes."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from grader.bounds import Array
from grader.contract import reference
from grader.drawing import fill
from grader.oracles import positional_encoding as waves
from grader.oracles import recurrence
from tests.kill_matrix import violations

EXACT_WIDTHS = {2: ["1"], 4: ["1", "0.01"], 8: ["1", "0.1", "0.01", "0.001"]}
"""Numbers of columns whose frequencies are short decimals."""


def sine_and_cosine(angle: Decimal) -> tuple[float, float]:
    """Both, summed in 60 digits beyond what the size of the angle costs."""
    with localcontext() as context:
        context.prec = 60 + int(abs(angle) / 2)
        term, total, n = Decimal(1), [Decimal(0), Decimal(1)], 0
        while n < abs(angle) or abs(term) > Decimal("1e-40"):
            n += 1
            term = term * angle / n
            total[n % 2 == 0] += term if n % 4 in (0, 1) else -term
        return float(total[0]), float(total[1])


@pytest.mark.parametrize("d", EXACT_WIDTHS)
@pytest.mark.parametrize("p", [0, 1, 2, 7, 150, -3, -150])
def test_encodings_are_right_to_many_digits(p: int, d: int) -> None:
    exact = [value for speed in EXACT_WIDTHS[d] for value in sine_and_cosine(p * Decimal(speed))]
    found = waves.encoding(p, d)
    assert np.all(np.abs(found.value - exact) <= found.error / 2)
    assert np.all(found.error <= 1e-8)
    similarity, error = waves.offset_similarity(p, d)
    assert abs(similarity - sum(exact[1::2])) <= error / 4


@pytest.mark.parametrize("d", [2, 4, 10])
@pytest.mark.parametrize("k", [0, 1, -1, 40, -1500])
def test_bounds_of_encodings(k: int, d: int) -> None:
    for n in (0, 1, 50):
        expected = waves.sinusoidal_pe(n, d)
        assert np.all(np.abs(reference("sinusoidal_pe")(n, d) - expected.value) <= expected.error)
    matrix, (similarity, error) = waves.shift_matrix(k, d), waves.offset_similarity(k, d)
    assert np.all(np.abs(reference("shift_matrix")(k, d) - matrix.value) <= matrix.error)
    assert abs(reference("offset_similarity")(k, d) - similarity) <= error <= 1e-7


def test_an_odd_width_must_raise_a_value_error_and_nothing_else() -> None:
    def asserts(n: int, d: int) -> Array:
        assert d % 2 == 0
        pe: Array = reference("sinusoidal_pe")(n, d)
        return pe

    assert set(violations("sinusoidal_pe", asserts)) == {"pe_refuses_an_odd_width"}


def network(seed: int, steps: int, d: int, m: int, scale: float) -> tuple[Array, Array, Array, Array]:
    return scale * fill(seed, d, d), scale * fill(seed + 1, d, m), fill(seed + 2, steps, m), fill(seed + 3, d) / 2


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("scale", [1 / 16, 1 / 4, 1])
def test_bounds_of_states_and_norms(seed: int, scale: float) -> None:
    for steps, d, m in ((0, 2, 1), (1, 3, 2), (5, 2, 3), (6, 4, 4)):
        run = network(seed, steps, d, m, scale)
        states = recurrence.rnn_states(*run)
        assert np.all(np.abs(reference("rnn_states")(*run) - states.value) <= states.error)
        assert np.all(states.error <= 1e-11)
        norms, nudged = recurrence.rnn_gradient_norms(*run), recurrence.nudged_norms(*run)
        assert np.all(np.abs(reference("rnn_gradient_norms")(*run) - norms.value) <= norms.error)
        assert np.all(np.abs(nudged.value - norms.value) <= norms.error)
        if scale < 1:
            assert np.all(norms.error <= 1e-10 * norms.value)


@pytest.mark.parametrize("seed", range(20))
def test_spectral_norms_agree_with_the_singular_values(seed: int) -> None:
    matrices = fill(seed, 3, 4, 4) * np.array([1e-20, 1, 1e20])[:, None, None]
    largest = np.linalg.svd(matrices, compute_uv=False)[:, 0]
    assert np.all(np.abs(recurrence.spectral_norms(matrices) - largest) <= 1e-14 * largest)


def test_spectral_norms_of_equal_and_of_no_singular_values() -> None:
    assert recurrence.spectral_norms(np.array([np.eye(3), 0 * np.eye(3)])).tolist() == [pytest.approx(1, 1e-15), 0]


@pytest.mark.parametrize("function", ["rnn_states", "rnn_gradient_norms"])
def test_a_relative_error_of_1e_9_is_found(function: str) -> None:
    def nearly(*run: Array) -> Array:
        answer: Array = reference(function)(*run)
        answer[1:] *= 1 + 1e-9
        return answer

    assert violations(function, nearly)
