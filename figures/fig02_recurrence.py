"""How much of a gradient is left k steps back in a recurrent network, for weights of three sizes.

A tanh network of 64 units, 50 steps, h_0 = 0, 20 seeds. W_h is orthogonal, times 0.68, 1.2 or 2.5; W_x has entries
of variance 1/64; inputs are normal with standard deviation 0.1 (quiet) or 1 (loud). What is drawn is
``rnn_gradient_norms``: the spectral norm, which is what gets through at best. Medians after 50 steps: 2.3e-9 for 0.68
and quiet inputs; 12 and 1.1e-6 for 1.2, quiet and loud; 4.2e6 and 3.1e4 for 2.5. A gradient that points anywhere keeps
the root mean square of the singular values, not the largest: 1.8e-9, 3.2 and 1.5e-7 in the first three cases, which are
the numbers that texts tend to give. A linear network (the limit of very quiet inputs) with W_h = 0.67 I keeps exactly
0.67^50 = 2.01e-9.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from figures.drawing import draw_one
from figures.functions import Arguments, Array, Functions, array, median
from figures.style import LABEL, Theme, blank, drawable, log_axis, number, span, spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNITS, STEPS = 64, 50
SEEDS = range(20)
LINEAR = 0.67
QUIET, LOUD = 0.1, 1.0
USUAL, FARTHEST = (1e-10, 1e8), (1e-40, 1e40)


@dataclass(frozen=True)
class Setting:
    """The factor of the orthogonal matrix and the standard deviation of the inputs."""

    scale: float
    loudness: float

    @property
    def name(self) -> str:
        """How the curve is called."""
        return f"× {self.scale:g}, {'quiet' if self.loudness == QUIET else 'loud'}"


SETTINGS = (Setting(2.5, QUIET), Setting(2.5, LOUD), Setting(1.2, QUIET), Setting(1.2, LOUD), Setting(0.68, QUIET))


@dataclass(frozen=True)
class Data:
    """The norms for 0 to 50 steps back: of each setting (seeds, 51), and of the linear network (51,)."""

    norms: dict[Setting, Array]
    linear: Array

    @property
    def ends(self) -> dict[Setting, float]:
        """The median of each setting at 50 steps back."""
        return {setting: median(norms[:, -1]) for setting, norms in self.norms.items()}


def data(functions: Functions, seeds: Sequence[int] = SEEDS) -> Data:
    """Measure all settings. Raises ``Unusable``."""
    calls: list[Arguments] = [(example(setting, seed), {}) for setting in SETTINGS for seed in seeds]
    nothing = np.zeros((STEPS, UNITS))
    calls.append(((LINEAR * np.eye(UNITS), np.eye(UNITS), nothing, np.zeros(UNITS)), {}))
    read = partial(array, "rnn_gradient_norms", shape=(STEPS + 1,))
    *norms, linear = [read(value) for value in functions.each("rnn_gradient_norms", calls)]
    by_setting = np.reshape(norms, (len(SETTINGS), len(seeds), STEPS + 1))
    return Data(dict(zip(SETTINGS, by_setting, strict=True)), linear)


def example(setting: Setting, seed: int) -> tuple[Array, Array, Array, Array]:
    """The arguments w_h, w_x, inputs and h_0 of one seed."""
    rng = np.random.default_rng(seed)
    orthogonal, _ = np.linalg.qr(rng.standard_normal((UNITS, UNITS)))
    w_x = rng.standard_normal((UNITS, UNITS)) / np.sqrt(UNITS)
    inputs = setting.loudness * rng.standard_normal((STEPS, UNITS))
    return setting.scale * orthogonal, w_x, inputs, np.zeros(UNITS)


def title(data: Data) -> str:
    """What has become of the gradient at the far end: from the least to the most of all that is drawn."""
    ends = np.append([norms[:, -1] for norms in data.norms.values()], data.linear[-1])
    if np.isnan(ends).any():
        return "Fifty steps back, there are gradients that are NaN"
    least, most = number(float(ends.min()), 1), number(float(ends.max()), 1)
    return f"Fifty steps back, the gradient is {least if least == most else f'{least} to {most}'}"


def alt(data: Data) -> str:
    """The figure in words."""
    ends = ", ".join(f"{number(end)} for {setting.name}" for setting, end in data.ends.items())
    return (
        f"Curves of the norm of the gradient over 0 to {STEPS} steps back, on a logarithmic axis. {title(data)}: "
        f"medians of "
        f"{len(next(iter(data.norms.values())))} seeds, by the factor of the weights and the inputs, are {ends}; "
        f"a linear network whose weights pass on {LINEAR:g} at every step has {number(float(data.linear[-1]), 3)}."
    )


def draw(data: Data, theme: Theme) -> "Figure":
    """A median with its range for each setting, named at its end; a dotted line for the linear network."""
    seeds = len(next(iter(data.norms.values())))
    figure = blank(
        title(data),
        f"A tanh network of {UNITS} units; its weights are an orthogonal matrix × 0.68, × 1.2 or × 2.5.\n"
        f"Inputs of size {QUIET:g} (quiet) or {LOUD:g} (loud, dashed). Median and range of {seeds} seeds.\n"
        f"◇ linear: without inputs tanh does nothing; the weights pass on {LINEAR:g} at every step.",
        theme,
    )
    axes = figure.add_axes((0.11, 0.14, 0.48, 0.57))
    every = [drawable(norms, *FARTHEST) for norms in (*data.norms.values(), data.linear)]
    low, high = span(np.concatenate([norms.ravel() for norms in every]), *USUAL)
    log_axis(axes, "y", low, high)
    axes.set(xlim=(0, STEPS), xlabel="steps back", ylabel="spectral norm of the gradient")
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    steps = np.arange(STEPS + 1)
    colours = {2.5: theme.ink, 1.2: theme.orange, 0.68: theme.blue}
    labels: list[tuple[float, str, str]] = []
    for setting, norms in zip(data.norms, every, strict=False):
        colour, dashes = colours[setting.scale], "-" if setting.loudness == QUIET else (0, (3, 1.5))
        axes.fill_between(steps, norms.min(axis=0), norms.max(axis=0), color=colour, alpha=0.16, linewidth=0)
        axes.plot(steps, np.median(norms, axis=0), color=colour, linestyle=dashes)
        end = median(norms[:, -1])
        labels.append((end, f"{setting.name}: {number(data.ends[setting])}", colour))
    axes.plot(
        steps, every[-1], "D", color=theme.muted, markevery=10, markersize=6, markerfacecolor=theme.background,
        zorder=3, clip_on=False,
    )  # fmt: skip
    labels.append((float(every[-1][-1]), f"◇ linear, × {LINEAR:g}: {number(float(data.linear[-1]), 3)}", theme.muted))
    ends = np.log(np.array([place for place, _, _ in labels]) / low) / np.log(high / low)
    for place, (_, text, colour) in zip(spread(list(ends), 0.075, 0.01, 0.99), labels, strict=True):
        axes.text(
            1.02, place, text, transform=axes.transAxes, va="center", color=colour, fontsize=LABEL, fontweight="bold"
        )
    return figure


if __name__ == "__main__":
    draw_one(__file__)
