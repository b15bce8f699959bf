"""Positions: the gap between the curves, the words, and the picture."""

from dataclasses import replace

import numpy as np
import pytest

from figures import fig04_positions as figure
from figures.fig04_positions import OFFSETS, D, Data
from figures.style import LIGHT, Theme, settings
from grader.contract import reference
from tests.figures.pictures import ALIKE, Planted, difference, drawn, least_difference, reference_data, texts

NAME = "fig04_positions"


def data() -> Data:
    drawn_from: Data = reference_data(NAME)
    return drawn_from


def test_the_curves_are_one() -> None:
    assert data().gap < 1e-12
    assert data().gap < 2e-15
    expected = [reference("offset_similarity")(k, D) / (D / 2) for k in range(OFFSETS + 1)]
    np.testing.assert_allclose(data().similarity, [expected] * 3, atol=1e-13)


def test_words() -> None:
    with settings(LIGHT):
        seen = texts(drawn(NAME, data(), LIGHT))
    for text in ("Only the distance matters, not where you start", "p = 5", "p = 20", "p = 40"):
        assert text in seen
    assert any(text.startswith("three curves, one line:\nlargest gap ") for text in seen)
    assert "Only the distance matters" in figure.alt(data())


def test_words_tell_of_slower_waves_only_where_they_are() -> None:
    waves = "from left to right ever slower waves"
    assert waves in figure.alt(data())
    for planted in (halves, lambda n, d: encoding(n, d)[:, ::-1]):
        assert waves not in figure.alt(figure.data(Planted(sinusoidal_pe=planted)))


def test_the_key_of_the_colours_has_all_three() -> None:
    with settings(LIGHT):
        seen = texts(drawn(NAME, data(), LIGHT))
    assert {"−1", "0", "+1"} <= set(seen)


def test_looks_right(theme: Theme) -> None:
    assert difference(NAME, data(), theme) < ALIKE


def encoding(n, d):  # type: ignore[no-untyped-def]
    return reference("sinusoidal_pe")(n, d)


def swapped(n, d):  # type: ignore[no-untyped-def]
    return encoding(n, d).reshape(n, d // 2, 2)[..., ::-1].reshape(n, d)


def halves(n, d):  # type: ignore[no-untyped-def]
    return np.concatenate([encoding(n, d)[:, 0::2], encoding(n, d)[:, 1::2]], axis=1)


def from_one(n, d):  # type: ignore[no-untyped-def]
    return encoding(n + 1, d)[1:]


def only_sines(n, d):  # type: ignore[no-untyped-def]
    return np.repeat(encoding(n, d)[:, 0::2], 2, axis=1)


def base_1000(n, d):  # type: ignore[no-untyped-def]
    angle = np.arange(n)[:, None] * 1000.0 ** (-np.arange(0, d, 2) / d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, d)


@pytest.mark.parametrize("planted", [swapped, halves, from_one, only_sines, base_1000], ids=lambda f: f.__name__)
def test_picture_shows_a_mistake(planted) -> None:  # type: ignore[no-untyped-def]
    assert least_difference(NAME, figure.data(Planted(sinusoidal_pe=planted))) > 3 * ALIKE


@pytest.mark.parametrize("curve", range(3))
def test_picture_shows_a_missing_curve(curve: int) -> None:
    similarity = data().similarity.copy()
    similarity[curve] = np.nan
    assert least_difference(NAME, replace(data(), similarity=similarity)) > 1.5 * ALIKE


def test_title_tells_what_is_drawn() -> None:
    assert figure.title(figure.data(Planted(sinusoidal_pe=only_sines))) == "It matters where you start: by up to 0.3"
    nearly = data().similarity + np.array([[0.0], [0.0], [3e-7]])
    assert figure.title(replace(data(), similarity=nearly)) == "It matters where you start: by up to 3 · 10⁻⁷"
    assert "NaN" in figure.title(replace(data(), similarity=data().similarity * np.nan))
