"""The style: colours that everybody can tell apart and read, and values that no axis can show."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from figures.style import (
    DARK,
    LIGHT,
    THEMES,
    Theme,
    contrast,
    count,
    drawable,
    number,
    power_of_ten,
    span,
    spread,
    text_on,
)

VISION = {
    "normal": np.eye(3),
    # Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
CLEARLY = 30
"""CIE76 distance of two colours that nobody takes for the same; 2.3 is what can just be noticed side by side."""


def lab(colour: str, vision: str) -> NDArray[np.float64]:
    """A colour in CIELAB, as it is seen with this vision."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(TO_XYZ @ np.clip(VISION[vision] @ linear, 1e-3, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one: str, other: str, vision: str) -> float:
    return float(np.linalg.norm(lab(one, vision) - lab(other, vision)))


@pytest.mark.parametrize("vision", VISION)
def test_colours_stay_apart(theme: Theme, vision: str) -> None:
    for one, other in combinations((theme.blue, theme.orange, theme.ink, theme.background), 2):
        assert distance(one, other, vision) > CLEARLY, (one, other)


def test_a_red_and_a_green_would_not_do() -> None:
    assert distance("#c0392b", "#7d7a1e", "normal") > CLEARLY > distance("#c0392b", "#7d7a1e", "protanopia")


def test_text_and_lines_can_be_read_on_the_ground(theme: Theme) -> None:
    for colour in (theme.blue, theme.orange, theme.ink, theme.muted):
        assert contrast(colour, theme.background) >= 4.5
    assert contrast(theme.ink, theme.background) >= 7
    assert contrast(theme.grid, theme.background) < 2  # a grid stays behind what it helps to read


def test_contrast_is_as_defined() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


def test_numbers_on_weights_can_be_read(theme: Theme) -> None:
    for weight in np.linspace(0, 1, 101):
        colour = theme.weights(weight)
        assert contrast(text_on(colour), colour) >= 4.5


def test_a_small_weight_is_not_the_ground(theme: Theme) -> None:
    """A weight of exactly 0 is drawn as ground, and every other one is seen."""
    assert distance(theme.faint, theme.background, "normal") > 5
    lightness = [lab(tuple(theme.weights(weight)), "normal")[0] for weight in np.linspace(0, 1, 11)]  # type: ignore[arg-type]
    steps = np.diff(lightness)
    assert np.all(steps < 0) if theme is LIGHT else np.all(steps > 0)


def test_themes_have_names() -> None:
    assert THEMES == {"light": LIGHT, "dark": DARK}


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (2.36e-9, 2, "2.4 · 10⁻⁹"),
        (0.67**50, 3, "2.01 · 10⁻⁹"),
        (8.8e-16, 1, "9 · 10⁻¹⁶"),
        (0.98904, 3, "0.989"),
        (0.25, 2, "0.25"),
        (11.6, 2, "12"),
        (9100.4, 2, "9100"),
        (31336.0, 2, "3.1 · 10⁴"),
        (-0.5, 2, "−0.50"),
        (-2e-9, 2, "−2.0 · 10⁻⁹"),
        (0.0, 2, "0"),
        (np.inf, 2, "infinite"),
        (-np.inf, 2, "−infinite"),
        (np.nan, 2, "NaN"),
        (1e308, 2, "1.0 · 10³⁰⁸"),
    ],
)
def test_number(value: float, digits: int, text: str) -> None:
    assert number(value, digits) == text


def test_count_and_power() -> None:
    assert count(4608) == "4,608"
    assert count(-1234) == "−1,234"
    assert count(10**200) == "1.0 · 10²⁰⁰"
    assert power_of_ten(1e-12) == "10⁻¹²"


def test_drawable_and_span() -> None:
    values = [np.nan, np.inf, -np.inf, 0.5, 7]
    np.testing.assert_array_equal(drawable(values, 0, 1), [np.nan, 1, 0, 0.5, 1])
    assert span(values, 0, 1) == (0, 7)
    assert span([np.nan], 0, 1) == (0, 1)


@pytest.mark.parametrize("places", [[0.5, 0.5, 0.5], [0, 0, 1, 1], [np.nan, 0.2], [0.1, 0.9], [-5, 7, 0.5]])
def test_labels_do_not_overlap(places: list[float]) -> None:
    found = spread(places, 0.1, 0, 1)
    assert min(found) >= -1e-9
    assert max(found) <= 1 + 1e-9
    assert np.all(np.diff(sorted(found)) > 0.099)


def test_labels_keep_their_order_and_the_first_is_the_upper_one() -> None:
    assert spread([0.1, 0.9], 0.1, 0, 1) == [0.1, 0.9]
    first, second = spread([0.5, 0.5 + 1e-12], 0.1, 0, 1)
    assert first > second
