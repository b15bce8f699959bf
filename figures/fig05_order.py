"""Whether the order of words matters to an encoder block: without and with a positional encoding.

A pre-norm block with 8 tokens, d = 16 and 4 heads, 200 seeds. Each seed draws parameters (weights of variance 1/rows),
tokens and a shuffle; what comes out of the shuffled tokens is put back in order and compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from figures.drawing import draw_one
from figures.functions import Arguments, Array, Functions, array, call, median
from figures.style import LABEL, Theme, blank, drawable, log_axis, number, span

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOKENS, D, HEADS, D_FF = 8, 16, 4, 64
SEEDS = range(200)
ROUNDING, VISIBLE = 1e-12, 0.5
USUAL, FARTHEST = (1e-17, 1e2), (1e-17, 1e40)
"""What is below the lower end is drawn there; how many changes are exactly 0 is said."""


@dataclass(frozen=True)
class Data:
    """The largest change of each seed, (200,), without and with the positional encoding."""

    without: Array
    with_pe: Array

    @property
    def medians(self) -> tuple[float, float]:
        """Without and with."""
        return median(self.without), median(self.with_pe)


def data(functions: Functions, seeds: Sequence[int] = SEEDS) -> Data:
    """Run the block in order and shuffled, both ways, for every seed. Raises ``Unusable``."""
    shape = (TOKENS, D)
    pe = array("sinusoidal_pe", call(functions, "sinusoidal_pe", *shape), shape)
    calls: list[Arguments] = []
    shuffles = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        params, x, shuffle = parameters(rng), rng.standard_normal(shape), rng.permutation(TOKENS)
        shuffles.append(shuffle)
        calls += [
            ((tokens, params, HEADS), {"norm_first": True}) for tokens in (x, x[shuffle], x + pe, x[shuffle] + pe)
        ]
    values = [array("encoder_block", value, shape) for value in functions.each("encoder_block", calls)]
    with np.errstate(all="ignore"):
        changes = [
            [np.max(np.abs(values[i + 1] - values[i][shuffle])) for i in (4 * seed, 4 * seed + 2)]
            for seed, shuffle in enumerate(shuffles)
        ]
    without, with_pe = np.array(changes).T
    return Data(without, with_pe)


def parameters(rng: Generator) -> dict[str, Any]:
    """Random parameters of an encoder block that about keep the size of numbers."""

    def linear(n_in: int, n_out: int, name: str) -> dict[str, Array]:
        return {f"w_{name}": rng.standard_normal((n_in, n_out)) / np.sqrt(n_in), f"b_{name}": np.zeros(n_out)}

    norm = {"gain": np.ones(D), "bias": np.zeros(D)}
    return {
        "attention": linear(D, D, "q") | linear(D, D, "k") | linear(D, D, "v") | linear(D, D, "o"),
        "norm_1": norm,
        "feed_forward": linear(D, D_FF, "1") | linear(D_FF, D, "2"),
        "norm_2": norm,
    }


def title(data: Data) -> str:
    """Whether the block notices the shuffle, without and with positions."""
    without, with_pe = data.medians
    if np.isnan(without) or np.isnan(with_pe):
        return "There are changes that are NaN"
    if data.without.max() >= ROUNDING:
        return f"Even without positions, a shuffle changes up to {number(float(data.without.max()), 1)}"
    if data.with_pe.max() < ROUNDING:
        return "Even with positions, this block cannot see order"
    if data.with_pe.min() <= VISIBLE:
        return f"With positions, a shuffle may change only {number(float(data.with_pe.min()), 1)}"
    return "Without positions, a block cannot see word order"


def alt(data: Data) -> str:
    """The figure in words."""
    without, with_pe = data.medians
    return (
        f"Two rows of {len(data.without)} dots on a logarithmic axis: the largest change in what comes out of an "
        f"encoder block when its {TOKENS} tokens are shuffled and put back. {title(data)}: the median is "
        f"{number(without, 1)} without positions and {number(with_pe)} with the positional encoding."
    )


def _zeros(changes: Array) -> str:
    zeros = int(np.count_nonzero(changes == 0))
    return f" ({zeros} of {len(changes)} exactly 0)" if zeros else ""


def draw(data: Data, theme: Theme) -> "Figure":
    """Two rows of dots, each with its median."""
    figure = blank(
        title(data),
        f"Shuffle {TOKENS} tokens, run the block, put them back in order: largest change, {len(data.without)} seeds.",
        theme,
    )
    axes = figure.add_axes((0.065, 0.16, 0.885, 0.62))
    rows = (data.without, data.with_pe)
    low, high = span(drawable(rows, *FARTHEST), *USUAL)
    log_axis(axes, "x", low, high)
    axes.set(ylim=(-0.55, 1.75), yticks=[], xlabel="largest change (the tokens themselves have entries of about 1)")
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    # The same scatter up and down for all, from no drawing of chance: the golden ratio leaves no clumps.
    height = ((np.arange(len(data.without)) * 0.618034) % 1 - 0.5) * 0.45
    named = (("without positions", theme.blue, 1.0), ("with the positional encoding", theme.orange, 0.0))
    for changes, (name, colour, row), half, digits in zip(rows, named, data.medians, (1, 2), strict=True):
        axes.plot(
            drawable(changes, low, high), row + height, "o", color=colour, markersize=5, alpha=0.45,
            markeredgewidth=0, clip_on=False,
        )  # fmt: skip
        middle = float(drawable(half, low, high))
        axes.plot([middle, middle], [row - 0.34, row + 0.34], color=theme.ink, linewidth=3)
        place = np.log(middle / low) / np.log(high / low)
        side = "left" if not place > 0.5 else "right"
        axes.annotate(
            f"{name}: median {number(half, digits)}{_zeros(changes)}",
            (low if np.isnan(middle) else middle, row + 0.36),
            ha=side, va="bottom", fontsize=LABEL, fontweight="bold", color=colour,
        )  # fmt: skip
    return figure


if __name__ == "__main__":
    draw_one(__file__)
