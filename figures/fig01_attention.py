"""Who reads whom: attention over seven words with features written by hand, without and with a causal mask.

"It" asks for a thing that is alive. Its query times each key is 12 for "animal" (a living thing), 3 for "street" (a
thing) and 0 for the rest; divided by √d_k = 2 and put through softmax, "animal" gets 0.977 of 7 words, and 0.979 of
the 6 that a causal mask leaves.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.drawing import draw_one
from figures.functions import Array, Functions, array, call, mask, pair
from figures.style import LABEL, SMALL, Theme, blank, drawable, number, text_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOKENS = ("animal", "didn't", "cross", "street", "because", "it", "tired")
ANIMAL, IT = TOKENS.index("animal"), TOKENS.index("it")

FEATURES = np.array(
    # thing alive doing feeling  not  why pronoun
    [[1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0],  # animal
     [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],  # didn't
     [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],  # cross
     [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],  # street
     [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],  # because
     [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],  # it
     [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]  # tired
)  # fmt: skip
ASKS = np.array(
    # for thing alive doing feeling
    [[0.0, 0.0, 3.0, 0.0],  # a thing: what it does
     [0.0, 0.0, 0.0, 1.0],  # what is alive: what it feels
     [4.0, 1.0, 0.0, 0.0],  # a doing: the things in it
     [0.0, 2.0, 0.0, 0.0],  # a feeling: who is alive to have it
     [0.0, 0.0, 5.0, 0.0],  # not: what is not done
     [0.0, 0.0, 2.0, 6.0],  # why: what is done, and the feeling behind it
     [3.0, 3.0, 0.0, 0.0]]  # a pronoun: a thing that is alive
)  # fmt: skip
OFFERS = np.eye(7, 4)  # thing, alive, doing and feeling are what a word can be asked for

USUAL = (0.0, 1.0)
SAME = 1e-6
"""A sum of weights that is nearer to 1 than this differs by rounding, also where numbers have 32 bits."""


@dataclass(frozen=True)
class Data:
    """The weights that each word (row) gives to each (column), over the whole sentence and under a causal mask."""

    full: Array
    causal: Array


def data(functions: Functions) -> Data:
    """Attend twice. Raises ``Unusable``."""
    q, k = FEATURES @ ASKS, FEATURES @ OFFERS  # (7, 4)
    n = len(TOKENS)
    visible = mask("causal_mask", call(functions, "causal_mask", n), (n, n))
    _, full = pair("attention", call(functions, "attention", q, k, FEATURES))
    _, causal = pair("attention", call(functions, "attention", q, k, FEATURES, mask=visible))
    return Data(array("attention", full, (n, n)), array("attention", causal, (n, n)))


def title(data: Data) -> str:
    """Whom "it" reads most, both ways, or that the rows are no shares."""
    if _has_nan(data):
        return "There are weights that are NaN"
    full, causal = read_most(data.full[IT]), read_most(data.causal[IT])
    if sums(data.full) or sums(data.causal):
        return f"“it” reads {full}, but rows do not add up to 1"
    return f"“it” reads {full}" + ("" if full == causal else f", under a causal mask {causal}")


def read_most(weights: Array) -> str:
    """The word that gets the largest weight, in quotation marks; no word when several do, or when it is 0."""
    first = np.flatnonzero(weights == np.max(weights))
    if np.max(weights) <= 0:
        return "nothing"
    return f"“{TOKENS[first[0]]}”" if len(first) == 1 else "several alike"


def sums(weights: Array) -> str:
    """What the rows add up to, from the least to the most, where that is not 1; empty where it is."""
    with np.errstate(all="ignore"):
        rows = np.sum(weights, axis=-1)
    if np.all(np.abs(rows - 1) < SAME):
        return ""
    least, most = number(float(np.min(rows))), number(float(np.max(rows)))
    return least if least == most else f"{least} to {most}"


def later(causal: Array) -> str:
    """What the causal mask leaves of the words that are later than the one that reads."""
    return "later words too" if np.nan_to_num(np.triu(causal, 1)).any() else "nothing later"


def _has_nan(data: Data) -> bool:
    return bool(np.isnan([data.full, data.causal]).any())


def alt(data: Data) -> str:
    """The figure in words."""
    remarks = (("Over the whole sentence", sums(data.full)), ("Under the mask", sums(data.causal)))
    return (
        f"Two heat maps of how much each of the words {' '.join(TOKENS)} reads each of them. {title(data)}: "
        f"the weight of “it” on “animal” is {number(data.full[IT, ANIMAL], 3)} over the whole sentence and "
        f"{number(data.causal[IT, ANIMAL], 3)} under a causal mask, with which words read {later(data.causal)}."
        + "".join(f" {where}, rows add up to {remark}." for where, remark in remarks if remark)
    )


def draw(data: Data, theme: Theme) -> "Figure":
    """Two heat maps, with the row of "it" outlined and its weights written out."""
    blanks = "exactly 0 or NaN" if _has_nan(data) else "exactly 0"
    figure = blank(title(data), f"How much each word (row) reads each word (column). Blank: weight {blanks}.", theme)
    left = figure.add_axes((0.125, 0.13, 0.385, 0.54))
    right = figure.add_axes((0.575, 0.13, 0.385, 0.54))
    _heat_map(left, data.full, "Whole sentence", theme)
    _heat_map(right, data.causal, f"Causal mask: {later(data.causal)}", theme)
    left.set_yticks(range(len(TOKENS)), TOKENS)
    right.set_yticks([])
    left.get_yticklabels()[IT].set(color=theme.ink, fontweight="bold")
    return figure


def _heat_map(axes: "Axes", weights: Array, heading: str, theme: Theme) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    n = len(TOKENS)
    shown = drawable(weights, *USUAL)
    axes.imshow(
        np.ma.masked_where((weights == 0) | np.isnan(weights), shown),
        cmap=theme.weights, vmin=0, vmax=1, aspect="auto", interpolation="none",
    )  # fmt: skip
    axes.set_xticks(range(n), TOKENS, rotation=40, ha="left", rotation_mode="anchor")
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0, pad=4)
    axes.spines[:].set_visible(True)
    axes.spines[:].set_color(theme.grid)
    # In front of the frame of the axes, which would hide half of its sides.
    axes.add_patch(
        Rectangle(
            (-0.5, IT - 0.5), n, 1, fill=False, edgecolor=theme.orange, linewidth=2.5, clip_on=False, zorder=3,
        )
    )  # fmt: skip
    for key in range(n):
        if weights[IT, key] != 0:
            axes.text(
                key, IT, f"{weights[IT, key]:.2f}" if abs(weights[IT, key]) < 10 else number(weights[IT, key], 1),
                ha="center", va="center_baseline", fontsize=SMALL, color=text_on(theme.weights(shown[IT, key])),
            )  # fmt: skip
    axes.text(0, -0.03, heading, transform=axes.transAxes, va="top", fontsize=LABEL, fontweight="bold")
    if off := sums(weights):
        axes.text(0, -0.13, f"Rows add up to {off}, not 1", transform=axes.transAxes, va="top", fontsize=SMALL)


if __name__ == "__main__":
    draw_one(__file__)
