"""Who reads whom: attention over seven words with features written by hand, without and with a causal mask.

"It" asks for a thing that is alive. Its query times each key is 12 for "animal" (a living thing), 3 for "street" (a
thing) and 0 for the rest; divided by √d_k = 2 and put through softmax, "animal" gets 0.977 of 7 words, and 0.979 of
the 6 that a causal mask leaves.
"""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from figures.drawing import draw_one
from figures.functions import Array, Functions, array, call, mask, pair
from figures.style import LABEL, SMALL, Theme, blank, drawable, number, text_on

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
    """Whom "it" reads most, both ways."""
    full, causal = read_most(data.full[IT]), read_most(data.causal[IT])
    return f"“it” reads {full}" + ("" if full == causal else f" — and {causal} under a causal mask")


def read_most(weights: Array) -> str:
    """The word that gets the largest weight, in quotation marks; no word when several do, or none."""
    if np.isnan(weights).any():
        return "nothing: its weights are NaN"
    first = np.flatnonzero(weights == np.max(weights))
    return f"“{TOKENS[first[0]]}”" if len(first) == 1 else "no word more than another"


def alt(data: Data) -> str:
    """The figure in words."""
    return (
        f"Two heat maps of how much each of the words {' '.join(TOKENS)} reads each of them. {title(data)}: "
        f"the weight of “it” on “animal” is {number(data.full[IT, ANIMAL], 3)} over the whole sentence and "
        f"{number(data.causal[IT, ANIMAL], 3)} under a causal mask, which is to hide all later words."
    )


def draw(data: Data, theme: Theme) -> Figure:
    """Two heat maps, with the row of "it" outlined and its weights written out."""
    figure = blank(title(data), "How much each word (row) reads each word (column). Blank: weight exactly 0.", theme)
    left = figure.add_axes((0.125, 0.10, 0.385, 0.57))
    right = figure.add_axes((0.575, 0.10, 0.385, 0.57))
    _heat_map(left, data.full, "Whole sentence", theme)
    _heat_map(right, data.causal, "Causal mask: nothing later", theme)
    left.set_yticks(range(len(TOKENS)), TOKENS)
    right.set_yticks([])
    left.get_yticklabels()[IT].set(color=theme.ink, fontweight="bold")
    return figure


def _heat_map(axes: Axes, weights: Array, heading: str, theme: Theme) -> None:
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
    axes.add_patch(Rectangle((-0.5, IT - 0.5), n, 1, fill=False, edgecolor=theme.orange, linewidth=2, clip_on=False))
    for key in range(n):
        if weights[IT, key] != 0:
            axes.text(
                key, IT, f"{weights[IT, key]:.2f}" if abs(weights[IT, key]) < 10 else number(weights[IT, key], 1),
                ha="center", va="center_baseline", fontsize=SMALL, color=text_on(theme.weights(shown[IT, key])),
            )  # fmt: skip
    axes.text(0, -0.03, heading, transform=axes.transAxes, va="top", fontsize=LABEL, fontweight="bold")


if __name__ == "__main__":
    draw_one(__file__)
