"""What is left of a gradient: the numbers, the words, and the picture."""

from dataclasses import replace

import numpy as np
import pytest

from figures import fig02_recurrence as figure
from figures.fig02_recurrence import LOUD, QUIET, SETTINGS, STEPS, Data, Setting, example
from figures.style import LIGHT, Theme, settings
from grader.contract import reference
from tests.figures.pictures import ALIKE, Planted, difference, drawn, least_difference, reference_data, texts

NAME = "fig02_recurrence"
SMALL, MIDDLE, MIDDLE_LOUD = Setting(0.68, QUIET), Setting(1.2, QUIET), Setting(1.2, LOUD)


def data() -> Data:
    drawn_from: Data = reference_data(NAME)
    return drawn_from


def test_medians_after_50_steps() -> None:
    ends = data().ends
    assert 1e-9 < ends[SMALL] < 3e-9
    assert 6 < ends[MIDDLE] < 24
    assert 4e-7 < ends[MIDDLE_LOUD] < 4e-6
    assert 1e6 < ends[Setting(2.5, QUIET)] < 2e7
    assert 5e3 < ends[Setting(2.5, LOUD)] < 2e5
    assert all(norms.shape == (20, STEPS + 1) for norms in data().norms.values())


def test_the_title_spans_all_that_is_drawn_at_the_end() -> None:
    ends = [norms[:, -1] for norms in data().norms.values()]
    assert 1.95e-9 < data().linear[-1] < min(end.min() for end in ends) < 2.5e-9
    assert 5e6 < max(end.max() for end in ends) < 1.5e7


def test_linear_network_keeps_exactly_its_factor() -> None:
    np.testing.assert_allclose(data().linear, 0.67 ** np.arange(STEPS + 1), rtol=1e-12)
    assert f"{data().linear[-1]:.2e}" == "2.01e-09"


def jacobians(setting: Setting, seeds: range) -> list[np.ndarray]:
    """The Jacobian of the last state with respect to the first, of each seed."""
    found = []
    for seed in seeds:
        w_h, w_x, inputs, h_0 = example(setting, seed)
        h, jacobian = h_0, np.eye(len(h_0))
        for x in inputs:
            h = np.tanh(w_h @ h + w_x @ x)
            jacobian = ((1 - h**2)[:, None] * w_h) @ jacobian
        found.append(jacobian)
    return found


def test_every_one_of_200_seeds_is_near_the_median() -> None:
    ends = [np.linalg.norm(jacobian, 2) for jacobian in jacobians(SMALL, range(200))]
    assert min(ends) > 1e-9
    assert max(ends) < 3e-9


def test_a_gradient_that_points_anywhere_keeps_the_numbers_that_texts_give() -> None:
    def median(setting: Setting) -> float:
        """The root mean square of the singular values."""
        return float(np.median([np.linalg.norm(j) / np.sqrt(len(j)) for j in jacobians(setting, range(20))]))

    assert 1.6e-9 < median(SMALL) < 2e-9
    assert 2.4 < median(MIDDLE) < 4
    assert 0.8e-7 < median(MIDDLE_LOUD) < 3e-7


def test_words() -> None:
    with settings(LIGHT):
        seen = texts(drawn(NAME, data(), LIGHT))
    for text in (
        "Fifty steps back, the gradient is 2 · 10⁻⁹ to 1 · 10⁷",
        "× 0.68, quiet: 2.3 · 10⁻⁹",
        "× 1.2, quiet: 12",
        "× 1.2, loud: 1.1 · 10⁻⁶",
        "◇ linear, × 0.67: 2.01 · 10⁻⁹",
    ):
        assert text in seen
    assert "2.3 · 10⁻⁹ for × 0.68" in figure.alt(data())


def test_looks_right(theme: Theme) -> None:
    assert difference(NAME, data(), theme) < ALIKE


def without_tanh(w_h, w_x, inputs, h_0):  # type: ignore[no-untyped-def]
    return np.linalg.norm(w_h, 2) ** np.arange(len(inputs) + 1)


def from_the_start(w_h, w_x, inputs, h_0):  # type: ignore[no-untyped-def]
    return reference("rnn_gradient_norms")(w_h, w_x, inputs, h_0)[::-1].copy()


def squared(w_h, w_x, inputs, h_0):  # type: ignore[no-untyped-def]
    return reference("rnn_gradient_norms")(w_h, w_x, inputs, h_0) ** 2


@pytest.mark.parametrize(
    "planted",
    [
        Planted(rnn_gradient_norms=without_tanh),
        Planted(rnn_gradient_norms=from_the_start),
        Planted(rnn_gradient_norms=squared),
    ],
    ids=["no derivative of tanh", "steps counted from the start", "squared"],
)
def test_picture_shows_a_mistake(planted: Planted) -> None:
    assert least_difference(NAME, figure.data(planted, range(3))) > 3 * ALIKE


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_picture_shows_a_missing_curve(setting: Setting) -> None:
    missing = {**data().norms, setting: np.full((20, STEPS + 1), np.nan)}
    assert least_difference(NAME, replace(data(), norms=missing)) > 1.5 * ALIKE


def test_title_tells_what_is_drawn() -> None:
    for value, linear, said in [
        (1.0, 1.0, "the gradient is 1"),
        (1.0, 2e-9, "the gradient is 2 · 10⁻⁹ to 1"),
        (np.inf, 0.5, "the gradient is 0.5 to infinite"),
        (1.0, np.nan, "there are gradients that are NaN"),
    ]:
        norms = {setting: np.full((20, STEPS + 1), value) for setting in SETTINGS}
        assert figure.title(Data(norms, np.full(STEPS + 1, linear))) == f"Fifty steps back, {said}"
    one_seed = data().norms[SMALL].copy()
    one_seed[7, -1] = 1e-30
    assert "1 · 10⁻³⁰ to" in figure.title(replace(data(), norms={**data().norms, SMALL: one_seed}))
