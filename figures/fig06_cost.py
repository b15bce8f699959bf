"""What an encoder block costs over the length of a text: its maps grow with n, attention with n².

24nd² operations against 4n²d, at d = 768: the two are the same at n = 6d = 4,608 tokens.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.drawing import draw_one
from figures.functions import Arguments, Functions, call, integer
from figures.style import LABEL, Theme, blank, count, drawable, log_axis, span, spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

D = 768
LENGTHS = tuple(2**i for i in range(6, 19))
USUAL, FARTHEST = (1e7, 1e15), (1e-1, 1e40)


@dataclass(frozen=True)
class Data:
    """Operations at each length, of the maps and of attention; the length from which on attention is said to cost as
    much, and both costs there and one token before.
    """

    dense: tuple[int, ...]
    attention: tuple[int, ...]
    crossover: int
    at_crossover: tuple[int, int]
    before: tuple[int, int]


def data(functions: Functions) -> Data:
    """Count at each length, at the crossover and one token before. Raises ``Unusable``."""
    crossover = integer("crossover_length", call(functions, "crossover_length", D))
    calls: list[Arguments] = [((n, D), {}) for n in (*LENGTHS, max(crossover - 1, 1), crossover)]
    (*dense, dense_before, dense_there), (*attention, attention_before, attention_there) = (
        [integer(function, value) for value in functions.each(function, calls)]
        for function in ("dense_flops", "attention_flops")
    )
    return Data(
        tuple(dense),
        tuple(attention),
        crossover,
        (dense_there, attention_there),
        (dense_before, attention_before),
    )


def title(data: Data) -> str:
    """From where on attention costs more, or what is the case instead where it is said to."""
    there = f"{count(data.crossover)} tokens"
    if data.at_crossover[1] < data.at_crossover[0]:
        return f"At {there}, attention still costs less"
    if data.crossover > 1 and data.before[1] >= data.before[0]:
        return f"Attention costs as much at {count(data.crossover - 1)} tokens already"
    more = [attention >= dense for dense, attention in zip(data.dense, data.attention, strict=True)]
    if more != [n >= data.crossover for n in LENGTHS]:
        return f"Attention does not take over at {there}"
    return f"Attention takes over at {there}"


def alt(data: Data) -> str:
    """The figure in words."""
    return (
        f"Two lines on logarithmic axes: operations of one encoder block with d = {D} over {count(LENGTHS[0])} to "
        f"{count(LENGTHS[-1])} tokens, for its maps and for attention. {title(data)}: there the maps cost "
        f"{count(data.at_crossover[0])} operations and attention {count(data.at_crossover[1])}."
    )


def draw(data: Data, theme: Theme) -> "Figure":
    """Two lines, named at their ends, and the crossover."""
    figure = blank(title(data), f"Operations of one encoder block with d = {D}, over the length of the text.", theme)
    axes = figure.add_axes((0.105, 0.145, 0.63, 0.65))
    lines = [drawable(np.array(costs, dtype=np.float64), *FARTHEST) for costs in (data.dense, data.attention)]
    low, high = span(np.concatenate(lines), *USUAL)
    log_axis(axes, "y", low, high)
    axes.set_xscale("log", base=2)
    axes.minorticks_off()
    axes.set_xticks(LENGTHS[::2], [count(n) for n in LENGTHS[::2]])
    axes.set(xlim=(LENGTHS[0], LENGTHS[-1]), xlabel="tokens n", ylabel="operations")
    axes.grid()
    axes.set_axisbelow(True)
    named = (("dense maps", theme.blue, "-"), ("attention", theme.orange, (0, (3, 1))))
    ends = [np.log(line[-1] / low) / np.log(high / low) for line in lines]
    for line, (name, colour, dashes), place in zip(lines, named, spread(ends, 0.08, 0.02, 0.98), strict=True):
        axes.plot(LENGTHS, line, color=colour, linestyle=dashes, linewidth=3)
        axes.text(
            1.03, place, name, transform=axes.transAxes, va="center", color=colour, fontsize=LABEL, fontweight="bold"
        )
    if data.crossover > 0:
        _mark(axes, data, theme, (low, high))
    return figure


def _mark(axes: "Axes", data: Data, theme: Theme, ends: tuple[float, float]) -> None:
    """Mark the crossover on the length's axis and on both lines, inside the axes even where it is not."""
    n = float(drawable(data.crossover, LENGTHS[0], LENGTHS[-1]))
    costs = drawable(np.array(data.at_crossover, dtype=np.float64), *ends)
    axes.plot([n, n], [ends[0], costs.max()], color=theme.ink, linestyle=":", linewidth=2)
    axes.plot([n, n], costs, "o", color=theme.ink, markersize=10, clip_on=False)
    ratio = f" = {count(data.crossover // D)}d" if data.crossover % D == 0 else ""
    before, beyond = ("← " if data.crossover < n else ""), (" →" if data.crossover > n else "")
    axes.annotate(
        f"{before}{count(data.crossover)} tokens{ratio}{beyond}",
        (n, costs.min()), xytext=(12, -14), textcoords="offset points", va="top", fontsize=LABEL, fontweight="bold",
        ha="left" if n < LENGTHS[len(LENGTHS) // 2 + 2] else "right",
    )  # fmt: skip


if __name__ == "__main__":
    draw_one(__file__)
