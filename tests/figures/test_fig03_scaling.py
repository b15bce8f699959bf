"""Why scores are divided: the numbers over 200 seeds, the words, and the picture."""

from dataclasses import replace

import numpy as np
import pytest

from figures import fig03_scaling as figure
from figures.fig03_scaling import SIZES, Data
from figures.functions import Reference
from figures.style import LIGHT, Theme, settings
from grader.contract import reference
from tests.figures.pictures import ALIKE, Planted, difference, drawn, least_difference, reference_data, texts

NAME = "fig03_scaling"


def data() -> Data:
    drawn_from: Data = reference_data(NAME)
    return drawn_from


def test_largest_weights_at_4096() -> None:
    assert SIZES[0] == 1
    assert SIZES[-1] == 4096
    assert round(data().raw[-1], 3) == 0.989
    assert round(data().scaled[-1], 2) == 0.52


def test_200_seeds_stay_near_what_is_expected() -> None:
    every = [figure.data(Reference(), seed) for seed in range(200)]
    raw, scaled = (np.array([getattr(one, name)[-1] for one in every]) for name in ("raw", "scaled"))
    assert np.all((raw > 0.983) & (raw < 0.995))
    assert np.all((scaled > 0.50) & (scaled < 0.535))
    assert abs(raw.mean() - 0.989) < 0.001
    assert abs(scaled.mean() - 0.517) < 0.002


def test_words() -> None:
    with settings(LIGHT):
        seen = texts(drawn(NAME, data(), LIGHT))
    for text in (
        "At d_k = 4096, one word takes 0.99; with 1/√d_k, 0.52",
        "without: 0.989",
        "with 1/√d_k: 0.52",
    ):
        assert text in seen
    assert "0.989 without" in figure.alt(data())
    assert "0.52 with" in figure.alt(data())


def test_looks_right(theme: Theme) -> None:
    assert difference(NAME, data(), theme) < ALIKE


def unscaled(q, k):  # type: ignore[no-untyped-def]
    return q @ np.swapaxes(k, -1, -2)


def by_d_k(q, k):  # type: ignore[no-untyped-def]
    return unscaled(q, k) / q.shape[-1]


def by_the_number_of_keys(q, k):  # type: ignore[no-untyped-def]
    return unscaled(q, k) / np.sqrt(k.shape[-2])


def over_queries(x, axis=-1):  # type: ignore[no-untyped-def]
    return reference("softmax")(x, axis=-2)


@pytest.mark.parametrize(
    "planted",
    [
        Planted(scaled_scores=unscaled),
        Planted(scaled_scores=by_d_k),
        Planted(scaled_scores=by_the_number_of_keys),
        Planted(softmax=over_queries),
    ],
    ids=["no 1/√d_k", "1/d_k", "1/√n_k", "softmax over the queries"],
)
def test_picture_shows_a_mistake(planted: Planted) -> None:
    assert least_difference(NAME, figure.data(planted)) > 3 * ALIKE


@pytest.mark.parametrize("curve", ["raw", "scaled"])
def test_picture_shows_a_missing_curve(curve: str) -> None:
    assert least_difference(NAME, replace(data(), **{curve: np.full(len(SIZES), np.nan)})) > 3 * ALIKE


def test_title_tells_what_is_drawn() -> None:
    for raw, scaled, said in [
        (0.99, 0.98, "one word takes 0.99; with 1/√d_k, 0.98"),
        (0.5, 0.25, "one word takes 0.50; with 1/√d_k, 0.25"),
        (0.5, 0.1, "a largest weight is below 0.25"),
        (0.5, 1.1, "a weight is above 1"),
        (np.nan, 0.5, "there are weights that are NaN"),
    ]:
        # What is said of the largest d_k holds whatever is drawn at the others.
        assert figure.title(Data(np.append(np.ones(6), raw), np.append(np.ones(6), scaled))) == f"At d_k = 4096, {said}"
