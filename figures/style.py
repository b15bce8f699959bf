"""How all figures look: themes, type sizes, axes, numbers, and what becomes of values that no axis can show.

Matplotlib is imported where something is drawn: data are measured by a process that needs NumPy alone.
"""

import math
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from figures.functions import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 8.0, 4.5
"""Inches."""
DPI = 160
TITLE, SUBTITLE, LABEL, SMALL = 17.0, 11.5, 12.0, 11.0
"""Type sizes in points; at 8 inches wide, the smallest is still read at the back of a hall."""
POWER = 14.0
"""The same for powers of ten on an axis, whose exponents are smaller than that, and are what is read."""
LEFT = 0.035
"""Where title and subtitle begin, in parts of the width."""


@dataclass(frozen=True)
class Theme:
    """Colours. ``blue``, ``orange`` and ``ink`` stay apart under each colour blindness, and can be read as text."""

    name: str
    background: str
    ink: str
    muted: str
    grid: str
    blue: str
    orange: str

    @property
    def weights(self) -> "LinearSegmentedColormap":
        """From hardly anything to 1, in steps that look alike; what is hidden has the background's own colour."""
        stops = [self.faint, self.blue] if self is LIGHT else [self.faint, self.blue, "#d6ecff"]
        return _colours("weights", stops, bad=self.background)

    @property
    def signed(self) -> "LinearSegmentedColormap":
        """From -1 over 0, which is the background, to 1."""
        stops = [self.orange, self.background, self.blue]
        return _colours("signed", stops, bad=self.muted)

    @property
    def faint(self) -> str:
        """The colour of the smallest weight that is not 0."""
        return "#e3eef7" if self is LIGHT else "#1f3346"


LIGHT = Theme("light", "#ffffff", "#1a1d21", "#565d64", "#e1e4e8", "#0060a8", "#b84e00")
DARK = Theme("dark", "#14171b", "#eceff2", "#a9b1b9", "#30363d", "#5cb8ff", "#ff9d47")
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


@contextmanager
def settings(theme: Theme) -> Iterator[None]:
    """Matplotlib's settings for a figure, whatever the user's own are, while it is drawn and written."""
    import matplotlib as mpl  # noqa: PLC0415

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "font.family": ["DejaVu Sans"],
                "font.size": SMALL,
                "text.color": theme.ink,
                "text.parse_math": False,  # a text may come from a submission
                "figure.facecolor": theme.background,
                "savefig.facecolor": theme.background,
                "axes.facecolor": theme.background,
                "axes.edgecolor": theme.muted,
                "axes.labelcolor": theme.muted,
                "axes.labelsize": LABEL,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.unicode_minus": True,
                "xtick.color": theme.muted,
                "ytick.color": theme.muted,
                "xtick.labelsize": SMALL,
                "ytick.labelsize": SMALL,
                "grid.color": theme.grid,
                "lines.linewidth": 2.5,
                "lines.solid_capstyle": "round",
                "svg.fonttype": "path",  # the same letters on any machine
                "svg.hashsalt": "transformer-exercises",  # the same names of parts in any run
            }
        )
        yield


def blank(title: str, subtitle: str, theme: Theme) -> "Figure":
    """A figure with its takeaway at the top, and no axes yet."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI)
    figure.text(LEFT, 0.965, title, fontsize=TITLE, fontweight="bold", va="top")
    figure.text(LEFT, 0.88, subtitle, fontsize=SUBTITLE, color=theme.muted, va="top", linespacing=1.3)
    return figure


def notice(heading: str, message: str, theme: Theme) -> "Figure":
    """What stands in the place of a figure that cannot be drawn."""
    figure = blank(heading, "This figure cannot be drawn.", theme)
    # An exception's own words may hold letters that the font does not have.
    letters = message.encode("ascii", "backslashreplace").decode("ascii")
    figure.text(LEFT, 0.8, textwrap.fill(letters, 80), fontsize=LABEL, va="top", linespacing=1.5)
    return figure


def contrast(one: str | tuple[float, ...], other: str | tuple[float, ...]) -> float:
    """How well one colour is read on the other, from 1 to 21, as the Web Content Accessibility Guidelines define it."""
    dark, light = sorted(_luminance(colour) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def text_on(colour: tuple[float, ...]) -> str:
    """Black or white, whichever is read better on this colour; never at less than 4.5."""
    return max("#000000", "#ffffff", key=lambda text: contrast(text, colour))


def _colours(name: str, stops: Sequence[str], bad: str) -> "LinearSegmentedColormap":
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415

    return LinearSegmentedColormap.from_list(name, stops, bad=bad)


def _luminance(colour: str | tuple[float, ...]) -> float:
    from matplotlib.colors import to_rgb  # noqa: PLC0415

    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def drawable(values: ArrayLike, low: float, high: float) -> Array:
    """Values as an axis from low to high can show them: at its end what lies beyond, NaN as it is, a gap."""
    return np.clip(np.asarray(values, dtype=np.float64), low, high)


def span(values: ArrayLike, low: float, high: float) -> tuple[float, float]:
    """The ends of an axis that usually goes from low to high, widened for values that lie outside."""
    finite = np.asarray(values, dtype=np.float64)
    finite = finite[np.isfinite(finite)]
    return float(np.min(finite, initial=low)), float(np.max(finite, initial=high))


def log_axis(axes: "Axes", which: str, low: float, high: float) -> None:
    """Make the axis ``x`` or ``y`` logarithmic, with powers of ten in letters."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: PLC0415

    axis = axes.xaxis if which == "x" else axes.yaxis
    axes.set(**{f"{which}scale": "log", f"{which}lim": (low, high)})
    axis.set_major_locator(LogLocator(numticks=9))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: power_of_ten(value)))
    axes.tick_params(which, labelsize=POWER)


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels that are at least a gap apart, in the order of the wished ones and as near as that allows.

    A place that is NaN has its label at the lower end.
    """
    wished = np.nan_to_num(np.asarray(places, dtype=np.float64), nan=low)
    # Of places that are the same but for rounding, the first is the upper one.
    order = np.lexsort((-np.arange(len(wished)), np.round(wished, 6)))
    found = np.clip(wished[order], low, high)
    for _ in range(100):  # neighbours that are too close push each other off, until none are
        overlap = gap - np.diff(found)
        if not np.any(overlap > gap * 1e-3):
            break
        push = np.maximum(overlap, 0) / 2
        found[:-1] -= push
        found[1:] += push
        found = np.clip(found, low + gap * np.arange(len(found)), high - gap * np.arange(len(found))[::-1])
    result = np.empty_like(found)
    result[order] = found
    return [float(place) for place in result]


def power_of_ten(value: float) -> str:
    """A power of ten in letters: 10⁻³."""
    return f"10{_raised(round(math.log10(value)))}"


def number(value: float, digits: int = 2) -> str:
    """A number as a label shows it: with so many significant digits, as a power of ten where it is large or small."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "infinite" if value > 0 else "−infinite"
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    if -3 <= int(exponent) < 4:
        decimals = max(digits - 1 - int(exponent), 0)
        return f"{value:.{decimals}f}".replace("-", "−")
    return f"{mantissa} · 10{_raised(int(exponent))}".replace("-", "−")


def count(value: int) -> str:
    """An integer with its thousands apart: 4,608; a very long one as a power of ten."""
    return f"{value:,}".replace("-", "−") if abs(value) < 10**12 else number(float(value))


def _raised(exponent: int) -> str:
    return str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
