"""From data to files: the same bytes everywhere, words for whom cannot see, no crash on any value, files up to date."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from figures import NAMES
from figures.drawing import OUT, file_names, module, write
from figures.functions import Arguments, Reference, Unusable
from figures.style import LEFT, LIGHT, POWER, SMALL, Theme, notice, settings
from tests.conftest import ROOT
from tests.figures.pictures import ALIKE, drawn, pixels, reference_data, rms

SVG = "{http://www.w3.org/2000/svg}"
SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉₊₋ₐₑᵢₖₘₙₚₓ"
HOSTILE = (np.nan, np.inf, -np.inf, 0.0, -1.0, 1e308, -1e308, 1e-320)


class Same:
    """Functions that return arrays of the right shape with the same number everywhere."""

    def __init__(self, value: float) -> None:
        self.value = value

    def each(self, function: str, calls: Sequence[Arguments]) -> list[Any]:
        """The values of these calls."""
        if function == "causal_mask":
            return Reference().each(function, calls)
        if function in {"dense_flops", "attention_flops", "crossover_length"}:
            return [int(np.clip(np.nan_to_num(self.value), -1e299, 1e299))] * len(calls)
        return [self._filled(function, *args) for args, _ in calls]

    def _filled(self, function: str, *args: Any) -> Any:
        if function == "attention":
            return None, self._filled("scaled_scores", *args[:2])
        if function == "rnn_gradient_norms":
            return np.full(len(args[2]) + 1, self.value)
        if function == "scaled_scores":
            q, k = args
            batch = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
            return np.full((*batch, q.shape[-2], k.shape[-2]), self.value)
        return np.full(args[:2] if function == "sinusoidal_pe" else args[0].shape, self.value)


class Giving:
    """The reference's functions, of which one gives the same odd thing each time."""

    def __init__(self, function: str, value: Any) -> None:
        self.function, self.value = function, value

    def each(self, function: str, calls: Sequence[Arguments]) -> list[Any]:
        """The values of these calls."""
        return [self.value] * len(calls) if function == self.function else Reference().each(function, calls)


def rendered(figure: Figure, dpi: float = 60) -> FigureCanvasAgg:
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas


def fits(figure: Figure) -> bool:
    """Whether all that is drawn lies within the figure."""
    box = figure.get_tightbbox(rendered(figure).get_renderer())
    width, height = figure.get_size_inches()
    return bool(box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height)


def seen(text: Text) -> bool:
    return bool(text.get_visible() and text.get_text())


def headings_keep_the_margin(figure: Figure) -> bool:
    """Whether title and subtitle end as far from the right edge as they begin from the left."""
    renderer = rendered(figure).get_renderer()
    ends = [text.get_window_extent(renderer).x1 for text in figure.texts[:2]]
    return max(ends) <= (1 - LEFT) * figure.bbox.width


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_within_the_figure(name: str) -> None:
    with settings(LIGHT):
        figure = drawn(name, reference_data(name), LIGHT)
        assert fits(figure)
        assert headings_keep_the_margin(figure)


@pytest.mark.parametrize("name", NAMES)
def test_no_letter_is_too_small(name: str) -> None:
    """Neither by its size nor as a subscript; the exponents on an axis belong to larger type."""
    with settings(LIGHT):
        figure = drawn(name, reference_data(name), LIGHT)
        rendered(figure)
        for text in filter(seen, figure.findobj(Text)):
            assert text.get_fontsize() >= SMALL, text
            assert not set(text.get_text()) & set(SUBSCRIPTS), text
            if re.fullmatch("10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", text.get_text()):
                assert text.get_fontsize() == POWER


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", HOSTILE)
def test_any_number_can_be_drawn(name: str, value: float) -> None:
    figure = module(name)
    data = figure.data(Same(value))
    with settings(LIGHT):
        shown = drawn(name, data, LIGHT)
        assert fits(shown)
        assert headings_keep_the_margin(shown)
    assert figure.alt(data)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("fig01_attention", "attention"),
        ("fig01_attention", "causal_mask"),
        ("fig02_recurrence", "rnn_gradient_norms"),
        ("fig03_scaling", "softmax"),
        ("fig03_scaling", "scaled_scores"),
        ("fig04_positions", "sinusoidal_pe"),
        ("fig05_order", "encoder_block"),
        ("fig05_order", "sinusoidal_pe"),
        ("fig06_cost", "dense_flops"),
        ("fig06_cost", "attention_flops"),
        ("fig06_cost", "crossover_length"),
    ],
)
@pytest.mark.parametrize("value", [None, "text", (1, 2), np.ones((2, 2, 2)), np.array(["a"]), 2.5], ids=repr)
def test_what_cannot_be_drawn_is_named(name: str, function: str, value: Any) -> None:
    with pytest.raises(Unusable, match=f"^{function} gave "):
        module(name).data(Giving(function, value))


def test_a_notice_stands_for_any_message(theme: Theme, tmp_path: Path) -> None:
    message = "attention raised an exception: Ünïcode$\\frac{^$ 你好 " + "very " * 60 + "long"
    with settings(theme):
        figure = notice(NAMES["fig01_attention"], message, theme)
        assert fits(figure)
        assert "Who reads whom" in [text.get_text() for text in figure.texts]
        write(figure, message, (tmp_path / "a.png", tmp_path / "a.svg"))
    ET.parse(tmp_path / "a.svg")


@pytest.mark.parametrize("name", NAMES)
def test_files_carry_their_words(name: str, theme: Theme, tmp_path: Path) -> None:
    alt = module(name).alt(reference_data(name))
    png, svg = (tmp_path / file for file in file_names(name, theme))
    with settings(theme):
        write(drawn(name, reference_data(name), theme), alt, (png, svg))
    with Image.open(png) as picture:
        assert picture.info["Description"] == alt
        assert picture.size == (1280, 720)
    root = ET.parse(svg).getroot()
    assert root.get("role") == "img"
    described = root.find(f"{SVG}desc")
    assert described is not None
    assert described.get("id") == root.get("aria-labelledby")
    assert described.text == alt
    assert 100 < len(alt) < 500
    for when in (b"date", b"2026", str(ROOT).encode()):
        assert when not in svg.read_bytes().lower()


def test_the_same_bytes_in_any_folder_locale_and_time_zone(tmp_path: Path) -> None:
    """Also with settings of Matplotlib's of the user's own, in the folder where it is started."""
    written: list[dict[str, bytes]] = []
    for place, env in [("one", {"LC_ALL": "C", "TZ": "UTC"}), ("two", {"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo"})]:
        folder = tmp_path / place
        folder.mkdir()
        (folder / "matplotlibrc").write_text("font.size: 30\naxes.facecolor: red\n" if place == "two" else "")
        command = [sys.executable, "-m", "grader", "figures"]
        subprocess.run(command, cwd=folder, env={**os.environ, **env}, check=True, capture_output=True)
        written.append({path.name: path.read_bytes() for path in (folder / "pictures").iterdir()})
    assert sorted(written[0]) == sorted(file for name in NAMES for file in file_names(name, LIGHT))
    assert written[0] == written[1]


def test_one_file_draws_one_figure(tmp_path: Path) -> None:
    code = (
        "import sys, runpy, pathlib, figures.drawing; figures.drawing.OUT = pathlib.Path(sys.argv[1]); "
        "runpy.run_path(sys.argv[2], run_name='__main__')"
    )
    command = [sys.executable, "-c", code, str(tmp_path), str(ROOT / "figures" / "fig04_positions.py")]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    assert len(list(tmp_path.iterdir())) == 4
    assert "Only the distance matters" in run.stdout


def blanked(picture: np.ndarray, boxes: Sequence[Any]) -> np.ndarray:
    """The picture with nothing where a text is or, drawn by another FreeType, may be."""
    picture = picture.copy()
    height = len(picture)
    for box in boxes:
        x0, x1, y0, y1 = (round(edge) for edge in (box.x0 - 8, box.x1 + 8, height - box.y1 - 8, height - box.y0 + 8))
        picture[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = 0
    return picture


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_png_is_what_would_be_drawn(name: str, theme: Theme) -> None:
    with settings(theme):
        figure = drawn(name, reference_data(name), theme)
        canvas = rendered(figure, figure.dpi)
        boxes = [text.get_window_extent(canvas.get_renderer()) for text in figure.findobj(Text) if seen(text)]
        fresh = np.asarray(canvas.buffer_rgba())[..., :3].astype(np.float64)
    png, _ = file_names(name, theme)
    assert rms(blanked(fresh, boxes), blanked(pixels(OUT / png), boxes)) < 2 * ALIKE


def shapes(svg: Path) -> list[tuple[str, list[float]]]:
    """The paths of an SVG that are not letters: for each the name of its group, and its numbers."""
    found: list[tuple[str, list[float]]] = []

    def walk(element: ET.Element, group: str) -> None:
        for child in element:
            name = child.get("id") or group
            if child.tag in {f"{SVG}defs", f"{SVG}metadata"} or name.startswith("text"):
                continue
            if child.tag == f"{SVG}path":
                numbers = [part for part in (child.get("d") or "").replace("\n", " ").split() if not part.isalpha()]
                found.append((name, [float(part) for part in numbers]))
            walk(child, name)

    walk(ET.parse(svg).getroot(), "")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_svg_is_what_would_be_drawn(name: str, theme: Theme, tmp_path: Path) -> None:
    png, svg = (tmp_path / file for file in file_names(name, theme))
    with settings(theme):
        write(drawn(name, reference_data(name), theme), "", (png, svg))
    fresh, committed = shapes(svg), shapes(OUT / svg.name)
    assert [group for group, _ in fresh] == [group for group, _ in committed]
    assert len(fresh) > 5
    for (group, one), (_, other) in zip(fresh, committed, strict=True):
        np.testing.assert_allclose(one, other, atol=1.0, err_msg=group)
