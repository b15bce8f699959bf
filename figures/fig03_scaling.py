"""Why scores are divided by √d_k: how much the largest of four weights takes, over d_k, with and without it.

Queries and keys are normal with variance 1, so a raw score has variance d_k. 40 queries meet 50 sets of 4 keys, which
makes 2,000 trials for each d_k. Raw scores are the figure's own product q kᵀ; the divided ones are ``scaled_scores``;
``softmax`` makes weights of both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.drawing import draw_one
from figures.functions import Arguments, Array, Functions, array
from figures.style import LABEL, Theme, blank, count, drawable, number, span, spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = tuple(4**i for i in range(7))
"""d_k, from 1 to 4096."""
QUERIES, SETS, KEYS = 40, 50, 4
TRIALS = QUERIES * SETS
EVEN = 1 / KEYS
"""What each key gets when all get the same."""
SAME = 1e-6
"""A weight that is nearer to a bound than this differs by rounding, also where numbers have 32 bits."""
SEED = 21
"""A drawing near what is expected at d_k = 4096: 0.989 and 0.517; drawings differ by about 0.001 and 0.003."""
USUAL, FARTHEST = (0.2, 1.02), (-2.0, 3.0)


@dataclass(frozen=True)
class Data:
    """The mean of the largest weight for each d_k, (7,), without and with the division by √d_k."""

    raw: Array
    scaled: Array


def data(functions: Functions, seed: int = SEED) -> Data:
    """Measure every size. Raises ``Unusable``."""
    rng = np.random.default_rng(seed)
    scaling: list[Arguments] = []
    raw: list[Array] = []
    for d_k in SIZES:
        q = rng.standard_normal((QUERIES, d_k))
        k = rng.standard_normal((SETS, KEYS, d_k))
        scaling.append(((q, k), {}))
        raw.append(q @ np.swapaxes(k, -1, -2))  # (SETS, QUERIES, KEYS)
    shape = (SETS, QUERIES, KEYS)
    scaled = [array("scaled_scores", value, shape) for value in functions.each("scaled_scores", scaling)]
    weights = functions.each("softmax", [((scores,), {}) for scores in (*raw, *scaled)])
    with np.errstate(all="ignore"):
        largest = [float(np.mean(np.max(array("softmax", value, shape), axis=-1))) for value in weights]
    return Data(np.array(largest[: len(SIZES)]), np.array(largest[len(SIZES) :]))


def title(data: Data) -> str:
    """What one word takes where d_k is largest, without and with the division."""
    raw, scaled = float(data.raw[-1]), float(data.scaled[-1])
    where = f"At d_k = {SIZES[-1]}"
    if np.isnan(raw) or np.isnan(scaled):
        return f"{where}, there are weights that are NaN"
    if min(raw, scaled) < EVEN - SAME:
        return f"{where}, a largest weight is below {EVEN:g}"
    if max(raw, scaled) > 1 + SAME:
        return f"{where}, a weight is above 1"
    return f"{where}, one word takes {number(raw)}; with 1/√d_k, {number(scaled)}"


def alt(data: Data) -> str:
    """The figure in words."""
    return (
        f"Two curves of the mean of the largest of {KEYS} weights over d_k from {SIZES[0]} to {SIZES[-1]}, "
        f"{count(TRIALS)} trials each. {title(data)}: {number(data.raw[-1], 3)} without the "
        f"division by √d_k and {number(data.scaled[-1])} with it; {number(EVEN)} would be the same for all."
    )


def draw(data: Data, theme: Theme) -> "Figure":
    """Two curves over d_k, named at their ends, and a line where all keys get the same."""
    figure = blank(
        title(data),
        f"The largest of {KEYS} weights, mean of {count(TRIALS)} trials; queries and keys have variance 1.",
        theme,
    )
    axes = figure.add_axes((0.115, 0.145, 0.59, 0.65))
    curves = [drawable(values, *FARTHEST) for values in (data.raw, data.scaled)]
    low, high = span(np.concatenate(curves), *USUAL)
    axes.set_xscale("log", base=4)
    axes.minorticks_off()
    axes.set_xticks(SIZES, [str(d_k) for d_k in SIZES])
    axes.set(xlim=(SIZES[0] / 1.2, SIZES[-1] * 1.2), ylim=(low, high), xlabel="d_k, features of a key")
    axes.set_ylabel("largest weight")
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    axes.axhline(EVEN, color=theme.muted, linestyle=":", linewidth=2)
    named: Sequence[tuple[Array, str, str, str]] = (
        (curves[0], f"without: {number(data.raw[-1], 3)}", theme.orange, "o"),
        (curves[1], f"with 1/√d_k: {number(data.scaled[-1])}", theme.blue, "s"),
        (np.array([EVEN]), f"all the same: {number(EVEN)}", theme.muted, ""),
    )
    places = [(values[-1] - low) / (high - low) for values, *_ in named]
    for (values, text, colour, marker), place in zip(named, spread(places, 0.08, 0.02, 0.98), strict=True):
        if marker:
            axes.plot(SIZES, values, color=colour, marker=marker, markersize=7, clip_on=False)
        axes.text(
            1.03, place, text, transform=axes.transAxes, va="center", color=colour, fontsize=LABEL, fontweight="bold"
        )
    return figure


if __name__ == "__main__":
    draw_one(__file__)
