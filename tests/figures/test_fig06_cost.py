"""What a block costs: the crossover, the words, and the picture."""

from dataclasses import replace

import numpy as np
import pytest

from figures import fig06_cost as figure
from figures.fig06_cost import LENGTHS, D, Data
from figures.style import LIGHT, Theme, settings
from tests.figures.pictures import ALIKE, Planted, difference, drawn, least_difference, reference_data, texts

NAME = "fig06_cost"


def data() -> Data:
    drawn_from: Data = reference_data(NAME)
    return drawn_from


def test_the_lines_cross_at_6d() -> None:
    assert data().crossover == 4608 == 6 * D
    assert data().at_crossover[0] == data().at_crossover[1]
    assert data().dense == tuple(24 * n * D**2 for n in LENGTHS)
    assert data().attention == tuple(4 * n**2 * D for n in LENGTHS)


def test_words() -> None:
    with settings(LIGHT):
        seen = texts(drawn(NAME, data(), LIGHT))
    for text in ("Attention takes over at 4,608 tokens", "4,608 tokens = 6d", "attention", "dense maps"):
        assert text in seen
    assert "65,229,815,808" in figure.alt(data())


def test_looks_right(theme: Theme) -> None:
    assert difference(NAME, data(), theme) < ALIKE


@pytest.mark.parametrize(
    "planted",
    [
        Planted(attention_flops=lambda n, d: 4 * n * d * d),
        Planted(attention_flops=lambda n, d: 4 * n**3),
        Planted(attention_flops=lambda n, d: n * n * d),
        Planted(dense_flops=lambda n, d: 24 * n * n * d),
        Planted(dense_flops=lambda n, d: 8 * n * d * d),
        Planted(crossover_length=lambda d: d),
    ],
    ids=["slope 1", "slope 3", "a quarter", "slope 2", "no feed-forward", "wrong crossover"],
)
def test_picture_shows_a_mistake(planted: Planted) -> None:
    assert least_difference(NAME, figure.data(planted)) > 3 * ALIKE


@pytest.mark.parametrize("line", ["dense", "attention"])
def test_picture_shows_a_missing_line(line: str) -> None:
    missing = replace(data(), **{line: (np.nan,) * len(LENGTHS)})
    assert least_difference(NAME, missing) > 3 * ALIKE


def test_title_tells_what_is_drawn() -> None:
    for planted, said in (
        (Planted(crossover_length=lambda d: d), "At 768 tokens, attention still costs less"),
        (Planted(crossover_length=lambda d: 6 * d + 1), "Attention costs as much at 4,608 tokens already"),
        (Planted(crossover_length=lambda d: 60 * d), "Attention costs as much at 46,079 tokens already"),
        (Planted(crossover_length=lambda d: -d), "Attention does not take over at −768 tokens"),
        (
            Planted(dense_flops=lambda n, d: 4 * n * n * d, attention_flops=lambda n, d: 24 * n * d * d),
            "Attention costs as much at 4,607 tokens already",
        ),
        (Planted(attention_flops=lambda n, d: 24 * n * d * d), "Attention costs as much at 4,607 tokens already"),
        (
            Planted(attention_flops=lambda n, d: 24 * n * d * d * (n == 4608)),
            "Attention does not take over at 4,608 tokens",
        ),
        (Planted(dense_flops=lambda n, d: 8 * n * d, crossover_length=lambda d: 2), "Attention takes over at 2 tokens"),
    ):
        wrong = figure.data(planted)
        assert figure.title(wrong) == said
        assert (figure.title(data()) in texts_of(wrong)) is (said == figure.title(data()))


def test_a_crossover_beyond_the_axis_is_marked_as_such() -> None:
    for crossover, label in ((2**20, "1,048,576 tokens →"), (5, "← 5 tokens"), (768, "768 tokens = 1d")):
        assert label in texts_of(figure.data(Planted(crossover_length=lambda d, n=crossover: n)))


def texts_of(changed: Data) -> list[str]:
    with settings(LIGHT):
        return texts(drawn(NAME, changed, LIGHT))
