"""Who reads whom: the numbers, the words, and the picture."""

from dataclasses import replace

import numpy as np
import pytest

from figures import fig01_attention as figure
from figures.fig01_attention import ANIMAL, ASKS, FEATURES, IT, OFFERS, TOKENS, Data
from figures.style import LIGHT, Theme, settings
from grader.contract import reference
from tests.figures.pictures import ALIKE, Planted, difference, drawn, least_difference, reference_data, texts

NAME = "fig01_attention"
STREET = TOKENS.index("street")


def data() -> Data:
    drawn_from: Data = reference_data(NAME)
    return drawn_from


def test_it_asks_for_a_thing_that_is_alive() -> None:
    products = (FEATURES @ ASKS)[IT] @ (FEATURES @ OFFERS).T
    assert products.tolist() == [12, 0, 0, 3, 0, 0, 0]


def test_it_reads_animal() -> None:
    assert 0.9765 < data().full[IT, ANIMAL] < 0.9775
    assert 0.9785 < data().causal[IT, ANIMAL] < 0.9795
    np.testing.assert_allclose(data().full.sum(axis=-1), 1)


def test_words() -> None:
    with settings(LIGHT):
        seen = texts(drawn(NAME, data(), LIGHT))
    assert "“it” reads “animal”" in seen
    assert seen.count("0.98") == 2
    assert seen.count("animal") == 3
    assert "0.977" in figure.alt(data())
    assert "0.979" in figure.alt(data())


def test_words_tell_what_the_rows_add_up_to_and_whether_the_mask_hides() -> None:
    for changed, said, heading in (
        (replace(data(), full=data().full / 10), "Rows add up to 0.10, not 1", "Causal mask: nothing later"),
        (
            replace(data(), causal=data().full * np.arange(1, 8)[:, None]),
            "Rows add up to 1.0 to 7.0, not 1",
            "Causal mask: later words too",
        ),
    ):
        seen = texts_of(changed)
        assert said in seen
        assert heading in seen
        assert said[1:-7] in figure.alt(changed)
        assert "“it” reads “animal”, but rows do not add up to 1" in seen


def test_rows_of_32_bits_add_up() -> None:
    rounded = data().full.astype(np.float32).astype(float)
    assert figure.title(replace(data(), full=rounded)) == "“it” reads “animal”"
    assert not any(text.startswith("Rows add up") for text in texts_of(replace(data(), full=rounded)))


def texts_of(changed: Data) -> list[str]:
    with settings(LIGHT):
        return texts(drawn(NAME, changed, LIGHT))


def test_looks_right(theme: Theme) -> None:
    assert difference(NAME, data(), theme) < ALIKE


def softmax_over_queries(q, k, v, mask=None):  # type: ignore[no-untyped-def]
    scores = q @ k.T / 2
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores) / np.exp(scores).sum(axis=0)
    return weights @ v, weights


def unscaled(q, k, v, mask=None):  # type: ignore[no-untyped-def]
    return reference("attention")(2 * q, k, v, mask)


def mask_upside_down(n):  # type: ignore[no-untyped-def]
    return np.triu(np.ones((n, n), dtype=bool))


def no_mask(n):  # type: ignore[no-untyped-def]
    return np.ones((n, n), dtype=bool)


def almost_masked(q, k, v, mask=None):  # type: ignore[no-untyped-def]
    scores = q @ k.T / 2
    if mask is not None:
        scores = np.where(mask, scores, -10)
    return None, reference("softmax")(scores)


@pytest.mark.parametrize(
    "planted",
    [
        Planted(attention=softmax_over_queries),
        Planted(attention=unscaled),
        Planted(attention=almost_masked),
        Planted(causal_mask=no_mask),
        Planted(causal_mask=mask_upside_down),
    ],
    ids=["softmax over the queries", "no 1/√d_k", "-10 for a hidden key", "no mask", "mask upside down"],
)
def test_picture_shows_a_mistake(planted: Planted) -> None:
    assert least_difference(NAME, figure.data(planted)) > 3 * ALIKE


def test_picture_shows_a_missing_outline_of_one_cell() -> None:
    swapped = data().full.copy()
    swapped[IT, [ANIMAL, STREET]] = swapped[IT, [STREET, ANIMAL]]
    assert least_difference(NAME, replace(data(), full=swapped)) > 3 * ALIKE


def test_title_tells_what_is_drawn() -> None:
    full = data().full.copy()
    full[IT, [ANIMAL, STREET]] = full[IT, [STREET, ANIMAL]]
    assert figure.title(replace(data(), full=full)) == "“it” reads “street”, under a causal mask “animal”"
    nan = np.full_like(full, np.nan)
    assert figure.title(replace(data(), causal=nan)) == "There are weights that are NaN"
    assert "Blank: weight exactly 0 or NaN" in " ".join(texts_of(replace(data(), causal=nan)))
    even = np.full_like(full, 1 / len(TOKENS))
    assert figure.title(Data(even, even)) == "“it” reads several alike"
    assert figure.title(Data(0 * even, 0 * even)) == "“it” reads nothing, but rows do not add up to 1"
