"""Whether order matters: the medians over 200 seeds, the words, and the picture."""

from dataclasses import replace

import numpy as np
import pytest

from figures import fig05_order as figure
from figures.fig05_order import Data
from figures.style import LIGHT, Theme, settings
from grader.contract import reference
from tests.figures.pictures import ALIKE, Planted, difference, drawn, least_difference, reference_data, texts

NAME = "fig05_order"


def data() -> Data:
    drawn_from: Data = reference_data(NAME)
    return drawn_from


def test_medians_over_200_seeds() -> None:
    without, with_pe = data().medians
    assert len(data().without) == len(data().with_pe) == 200
    assert 1e-17 < without < 1e-14
    assert 1.5 < with_pe < 2.5
    assert data().without.max() < 1e-12
    assert data().with_pe.min() > 0.5


def test_words() -> None:
    with settings(LIGHT):
        seen = texts(drawn(NAME, data(), LIGHT))
    assert "Without positions, a block cannot see word order" in seen
    assert any(text.startswith("without positions: median ") and text.endswith("10⁻¹⁶") for text in seen)
    assert any(text.startswith("with the positional encoding: median 2.") for text in seen)
    assert "Two rows of 200 dots" in figure.alt(data())


def test_looks_right(theme: Theme) -> None:
    assert difference(NAME, data(), theme) < ALIKE


def causal(x, params, n_heads, norm_first=False):  # type: ignore[no-untyped-def]
    return reference("encoder_block")(x, params, n_heads, np.tri(len(x), dtype=bool), norm_first)


def in_half_precision(x, params, n_heads, norm_first=False):  # type: ignore[no-untyped-def]
    return reference("encoder_block")(x, params, n_heads, None, norm_first).astype(np.float16)


def no_attention(x, params, n_heads, norm_first=False):  # type: ignore[no-untyped-def]
    normed = reference("layer_norm")(x, **params["norm_2"])
    return x + reference("feed_forward")(normed, params["feed_forward"])


def no_positions(n, d):  # type: ignore[no-untyped-def]
    return np.zeros((n, d))


@pytest.mark.parametrize(
    "planted",
    [Planted(encoder_block=causal), Planted(encoder_block=in_half_precision), Planted(sinusoidal_pe=no_positions)],
    ids=["a causal mask", "half precision", "positions all 0"],
)
def test_picture_shows_a_mistake(planted: Planted) -> None:
    assert least_difference(NAME, figure.data(planted)) > 3 * ALIKE


def test_words_show_a_block_that_does_not_attend() -> None:
    """What it does to a shuffle is the same as no positions would do, so only positions can tell."""
    changed = figure.data(Planted(encoder_block=no_attention), range(10))
    assert changed.medians[0] == 0
    with settings(LIGHT):
        seen = texts(drawn(NAME, changed, LIGHT))
    assert "without positions: median 0 (10 of 10 exactly 0)" in seen


@pytest.mark.parametrize("row", ["without", "with_pe"])
def test_picture_shows_a_missing_row(row: str) -> None:
    assert least_difference(NAME, replace(data(), **{row: np.full(200, np.nan)})) > 3 * ALIKE


def test_title_tells_what_is_drawn() -> None:
    for without, with_pe, said in [
        (1e-16, 2.0, "Without positions, a block cannot see word order"),
        (2e-3, 2.0, "Even without positions, a shuffle changes up to 0.002"),
        (0.0, 0.0, "Even with positions, this block cannot see order"),
        (0.0, 0.3, "With positions, a shuffle may change only 0.3"),
        (np.nan, 2.0, "There are changes that are NaN"),
    ]:
        assert figure.title(Data(np.full(200, without), np.full(200, with_pe))) == said
    one_seed = np.append(np.zeros(199), 3.0)
    assert figure.title(replace(data(), without=one_seed)) == "Even without positions, a shuffle changes up to 3"
    assert figure.title(replace(data(), with_pe=3 - one_seed)) == "With positions, a shuffle may change only 0"
