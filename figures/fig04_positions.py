"""Positions as hands of clocks: the encoding itself, and how alike position p is to position p + k.

The dot product of two rows is Σ_i cos(k ω_i), whatever p is, so the curves from three starting points are one; they
differ by rounding, about 3e-16 of their height.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.drawing import draw_one
from figures.functions import Array, Functions, array, call
from figures.style import LABEL, Theme, blank, drawable, number, span, spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

D = 64
STARTS = (5, 20, 40)
OFFSETS = 50
POSITIONS = STARTS[-1] + OFFSETS + 1
SAME = 1e-12
"""Curves that are nearer to each other than this differ by rounding."""
USUAL, FARTHEST = (0.0, 1.0), (-20.0, 20.0)


@dataclass(frozen=True)
class Data:
    """The encoding (91, 64), and the similarity of p and p + k over d / 2, (3, 51), for three p and k from 0 to 50."""

    pe: Array
    similarity: Array

    @property
    def gap(self) -> float:
        """The largest difference between the curves."""
        with np.errstate(all="ignore"):
            return float(np.max(np.ptp(self.similarity, axis=0)))

    @property
    def slows(self) -> bool:
        """Whether, over the positions, each pair of features changes its sign at most as often as the one before."""
        changes = np.count_nonzero(np.diff(np.signbit(self.pe), axis=0), axis=0).reshape(-1, 2)
        return bool(np.all(np.diff(changes, axis=0) <= 0) and np.all(changes[0] > changes[-1]))


def data(functions: Functions) -> Data:
    """Encode, and compare rows. Raises ``Unusable``."""
    pe = array("sinusoidal_pe", call(functions, "sinusoidal_pe", POSITIONS, D), (POSITIONS, D))
    with np.errstate(all="ignore"):
        similarity = np.array([pe[p : p + OFFSETS + 1] @ pe[p] for p in STARTS]) / (D / 2)
    return Data(pe, similarity)


def title(data: Data) -> str:
    """Whether the starting point matters, and how much."""
    if data.gap < SAME:
        return "Only the distance matters, not where you start"
    return f"It matters where you start: by up to {number(data.gap, 1)}"


def alt(data: Data) -> str:
    """The figure in words."""
    waves = ": from left to right ever slower waves" if data.slows else ""
    return (
        f"Left, a heat map of the positional encoding of {POSITIONS} positions with {D} features{waves}. Right, "
        f"curves of how alike positions p and p + k are, over k from 0 to {OFFSETS}, from p = 5, 20 and 40. "
        f"{title(data)}: the largest gap between the three curves is {number(data.gap, 1)}."
    )


def draw(data: Data, theme: Theme) -> "Figure":
    """The encoding as a heat map, and three curves that are meant to be one."""
    same = data.gap < SAME
    figure = blank(title(data), f"Sinusoidal encoding with d = {D}.", theme)
    left = figure.add_axes((0.085, 0.14, 0.36, 0.60))
    left.imshow(
        np.ma.masked_invalid(drawable(data.pe, -1, 1)),
        cmap=theme.signed, vmin=-1, vmax=1, aspect="auto", interpolation="none",
    )  # fmt: skip
    left.set(xlabel="feature", ylabel="position p", xticks=range(0, D, 16), yticks=(*STARTS, 60, 80))
    left.set_title("The encoding", loc="left", fontsize=LABEL, fontweight="bold")
    for p in STARTS:
        left.get_yticklabels()[STARTS.index(p)].set(color=theme.ink, fontweight="bold")
    key = figure.add_axes((0.285, 0.75, 0.15, 0.025))
    key.imshow([np.linspace(-1, 1, 101)], cmap=theme.signed, vmin=-1, vmax=1, aspect="auto", interpolation="none")
    key.set_yticks([])
    key.set_xticks((0, 50, 100), ("−1", "0", "+1"))
    key.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=3, pad=1)
    key.spines[:].set_visible(True)
    right = figure.add_axes((0.545, 0.14, 0.31, 0.60))
    curves = drawable(data.similarity, *FARTHEST)
    low, high = span(curves, *USUAL)
    right.set(xlim=(0, OFFSETS), ylim=(low, high), xlabel="distance k")
    right.locator_params("y", nbins=5)
    right.set_title("How alike p and p + k are", loc="left", fontsize=LABEL, fontweight="bold")
    right.grid(axis="y")
    right.set_axisbelow(True)
    looks = ((theme.blue, 9.0, "-"), (theme.orange, 5.0, (0, (2.2, 1.4))), (theme.ink, 1.5, "-"))
    ends = [(curve[-1] - low) / (high - low) for curve in curves]
    for p, curve, place, (colour, width, dashes) in zip(
        STARTS, curves, spread(ends, 0.09, 0.02, 0.98), looks, strict=True
    ):
        right.plot(range(OFFSETS + 1), curve, color=colour, linewidth=width, linestyle=dashes, solid_capstyle="butt")
        right.text(
            1.04, place, f"p = {p}", transform=right.transAxes, va="center", color=colour, fontsize=LABEL,
            fontweight="bold",
        )  # fmt: skip
    verdict = "three curves, one line:\nlargest gap" if same else "largest gap"
    right.text(0.97, 0.95, f"{verdict} {number(data.gap, 1)}", transform=right.transAxes, ha="right", va="top")
    return figure


if __name__ == "__main__":
    draw_one(__file__)
