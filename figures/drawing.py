"""From a figure's module to its files."""

import html
import io
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from figures.functions import Functions, Reference
from figures.style import DPI, THEMES, Theme, settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OUT = Path(__file__).resolve().parent / "out"
"""Where the drawn figures of the reference are kept."""


class Module(Protocol):
    """What every module of a figure has."""

    def data(self, functions: Functions) -> Any:
        """Everything that is drawn. Raises ``Unusable`` when a function gave nothing that can be."""

    def title(self, data: Any) -> str:
        """The takeaway of what was drawn, in one line."""

    def alt(self, data: Any) -> str:
        """The figure in words, for whom cannot see it."""

    def draw(self, data: Any, theme: Theme) -> "Figure":
        """The figure; the theme's settings are in force."""


def module(name: str) -> Module:
    """The module of the figure with this name."""
    return cast("Module", import_module(f"figures.{name}"))


def file_names(name: str, theme: Theme) -> tuple[str, str]:
    """The names of a figure's two files, PNG and SVG; dark ones say so."""
    stem = name if theme.name == "light" else f"{name}_{theme.name}"
    return f"{stem}.png", f"{stem}.svg"


def write(figure: "Figure", alt: str, files: tuple[Path, Path]) -> None:
    """Write a figure as PNG and SVG, the same bytes in every run; the theme's settings are in force.

    Raises ``OSError`` when a file cannot be written.
    """
    png, svg = files
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI, metadata={"Description": alt, "Software": None})
    _replace(png, buffer.getvalue())
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    # The words belong to the picture itself, so that whoever opens the file by itself hears them too.
    picture = buffer.getvalue().decode("utf-8")
    picture = picture.replace("<svg ", '<svg role="img" aria-labelledby="alt" ', 1)
    head, end, rest = picture.partition(">\n <defs>")
    described = f'>\n <desc id="alt">{html.escape(alt, quote=False)}</desc>\n <defs>'
    _replace(svg, f"{head}{described if end else ''}{rest}".encode())


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: beside its place, then moved into it."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    part.replace(path)


def draw_one(file: str) -> None:
    """Draw the figure of this file from the reference, in all themes, into ``out``."""
    name = Path(file).stem
    figure = module(name)
    data = figure.data(Reference())
    OUT.mkdir(exist_ok=True)
    for theme in THEMES.values():
        with settings(theme):
            png, svg = (OUT / file_name for file_name in file_names(name, theme))
            write(figure.draw(data, theme), figure.alt(data), (png, svg))
            print(f"Written: {png.name} and {svg.name}")
    print(figure.alt(data))
