"""How pictures are compared: without any text, which looks different from one FreeType to the next, and by RMS."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.text import Text
from numpy.typing import NDArray
from PIL import Image

from figures import NAMES
from figures.drawing import module
from figures.functions import Arguments, Array, Reference
from figures.style import THEMES, Theme, settings

BASELINE = Path(__file__).parent / "baseline"
SMALL_DPI = 60
ALIKE = 1.0
"""RMS of pictures from 0 to 255 that show the same; what another processor rounds differently stays far below."""


class Planted:
    """The reference's functions, with some of them replaced."""

    def __init__(self, **replaced: Callable[..., Any]) -> None:
        self.replaced: Mapping[str, Callable[..., Any]] = replaced

    def each(self, function: str, calls: Sequence[Arguments]) -> list[Any]:
        """The values of these calls."""
        if function in self.replaced:
            return [self.replaced[function](*args, **kwargs) for args, kwargs in calls]
        return Reference().each(function, calls)


@cache
def reference_data(name: str) -> Any:
    """What the figure is drawn from, by the reference."""
    return module(name).data(Reference())


def drawn(name: str, data: Any, theme: Theme) -> Figure:
    """The figure; nothing may be drawn on it when the theme's settings are no longer in force."""
    return module(name).draw(data, theme)


def texts(figure: Figure) -> list[str]:
    """Every text on the figure that is seen."""
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def textless(name: str, data: Any, theme: Theme) -> Array:
    """The figure's pixels, (height, width, 3) from 0 to 255, small and without any text."""
    with settings(theme):
        figure = drawn(name, data, theme)
        figure.set_dpi(SMALL_DPI)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()  # makes the labels of the ticks, which are then hidden too
        for text in figure.findobj(Text):
            text.set_visible(False)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].astype(np.float64)


def baseline(name: str, theme: Theme) -> Array:
    """The pixels that the figure is to have."""
    return pixels(BASELINE / f"{name}_{theme.name}.png")


def pixels(file: Path) -> Array:
    """The pixels of a PNG file, (height, width, 3) from 0 to 255."""
    read: NDArray[np.float32] = imread(file)
    return np.round(read[..., :3].astype(np.float64) * 255)


def rms(one: Array, other: Array) -> float:
    """The root mean square of the differences."""
    assert one.shape == other.shape
    return float(np.sqrt(np.mean((one - other) ** 2)))


def difference(name: str, data: Any, theme: Theme) -> float:
    """How far the picture of these data is from what it is to look like."""
    return rms(textless(name, data, theme), baseline(name, theme))


def least_difference(name: str, data: Any) -> float:
    """The same in the theme in which it shows least."""
    return min(difference(name, data, theme) for theme in THEMES.values())


def write_baseline() -> None:
    """Write all pictures anew; look at them before they are committed."""
    BASELINE.mkdir(exist_ok=True)
    for name in NAMES:
        for theme in THEMES.values():
            picture = textless(name, reference_data(name), theme).astype(np.uint8)
            Image.fromarray(picture).save(BASELINE / f"{name}_{theme.name}.png", optimize=True)


if __name__ == "__main__":
    write_baseline()
