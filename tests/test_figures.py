"""Figures from a submission: its own mistakes are seen, and what is missing is said."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.contract import all_lessons
from grader.course import read_course
from grader.figures import Drawn, FiguresError, draw_figures, submitted_data
from grader.kit import SOLUTIONS
from grader.measuring import figure_names, reference_data
from grader.sandbox import best_rung
from grader.submissions import read_submission
from tests.conftest import Run, edit
from tests.figures.pictures import pixels, rms

IMPORT = "import numpy as np\n"


@pytest.fixture(scope="module")
def reference_pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Drawn]:
    out = tmp_path_factory.mktemp("reference")
    with reference_data() as coming:
        return {drawn.name: drawn for drawn in draw_figures(coming, "light", out)}


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """A copy of the reference, for a mistake to be made in it."""
    folder = tmp_path / "mistaken"
    folder.mkdir()
    for lesson in all_lessons():
        shutil.copy(SOLUTIONS / f"{lesson}.py", folder)
    return folder


def draw(folder: Path, out: Path) -> dict[str, Drawn]:
    work = read_submission(folder, all_lessons())
    with submitted_data(work, best_rung(), read_course().limits) as coming:
        return {drawn.name: drawn for drawn in draw_figures(coming, "light", out)}


def changed(one: dict[str, Drawn], other: dict[str, Drawn]) -> set[str]:
    """The figures whose pictures are not the same."""
    return {name for name in one if rms(pixels(one[name].files[0]), pixels(other[name].files[0])) > 0}


def test_the_reference_is_drawn(reference_pictures: dict[str, Drawn]) -> None:
    assert tuple(sorted(reference_pictures)) == figure_names()
    for drawn in reference_pictures.values():
        assert drawn.trouble is None
        assert all(file.is_file() for file in drawn.files)


@pytest.mark.parametrize(
    ("file", "old", "new", "figures", "said"),
    [
        (
            "attention.py",
            "    return q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)",
            "    return -(q @ np.swapaxes(k, -1, -2)) / np.sqrt(d_k)",
            {"fig01_attention", "fig03_scaling", "fig05_order"},
            {"fig01_attention": "“it” reads several alike"},
        ),
        (
            "positional_encoding.py",
            "pe[:, 1::2] = np.cos(angle)",
            "pe[:, 1::2] = np.sin(angle)",
            {"fig04_positions", "fig05_order"},
            {"fig04_positions": "It matters where you start: by up to 0.3"},
        ),
        (
            "recurrence.py",
            "((1 - h**2)[:, None] * w_h)",
            "w_h",
            {"fig02_recurrence"},
            {"fig02_recurrence": "9100 for × 1.2, quiet, 9100 for × 1.2, loud"},
        ),
    ],
    ids=["scores with the wrong sign", "sines for cosines", "no derivative of tanh"],
)
def test_a_mistake_shows_where_it_should(
    reference_pictures: dict[str, Drawn],
    submission: Path,
    tmp_path: Path,
    file: str,
    old: str,
    new: str,
    figures: set[str],
    said: dict[str, str],
) -> None:
    edit(submission / file, old, new)
    drawn = draw(submission, tmp_path / "out")
    assert changed(drawn, reference_pictures) == figures
    for name, words in said.items():
        assert words in drawn[name].alt
        assert words not in reference_pictures[name].alt


def test_what_is_broken_is_said_and_the_rest_is_drawn(grader: Run, submission: Path, tmp_path: Path) -> None:
    """One function of each kind: not written, raising, never coming back, not there, its file not loading."""
    (submission / "attention.py").write_text(f"{IMPORT}def softmax(x):\n    raise NotImplementedError\n", "utf-8")
    (submission / "recurrence.py").write_text(
        "def rnn_gradient_norms(w_h, w_x, inputs, h_0):\n    raise ValueError('$x^$ 你 \\x1b[31m')\n", "utf-8"
    )
    (submission / "positional_encoding.py").write_text(
        "def sinusoidal_pe(n, d):\n    while True:\n        pass\n", "utf-8"
    )
    (submission / "counters.py").write_text("def dense_flops(n, d:\n", "utf-8")
    run = grader("figures", "--from", submission, "--out", "pictures", cwd=tmp_path)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    assert "\x1b[31m" not in run.stderr
    for words in (
        "fig01_attention cannot be drawn. attention is missing: attention.py does not define it.",
        "fig02_recurrence cannot be drawn. rnn_gradient_norms raised an exception: ValueError",
        "fig03_scaling cannot be drawn. scaled_scores is missing: attention.py does not define it.",
        "fig04_positions cannot be drawn. sinusoidal_pe never came back: The call did not end within",
        "fig05_order cannot be drawn. sinusoidal_pe never came back: The call did not end within",
        "fig06_cost cannot be drawn. crossover_length is missing: counters.py does not load:",
    ):
        assert words in run.stderr
    assert "Drawn: 0 of 6 figures, as PNG and SVG in pictures." in run.stdout
    assert "The files of the others say why there is no figure." in run.stdout
    assert len(list((tmp_path / "pictures").iterdir())) == 12
    instead = (tmp_path / "pictures" / "fig01_attention.svg").read_text("utf-8")
    assert "Who reads whom: this figure cannot be drawn. attention is missing" in instead


def test_one_broken_function_costs_its_figure_only(grader: Run, submission: Path, tmp_path: Path) -> None:
    with (submission / "counters.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef crossover_length(d, d_ff=None):\n    raise NotImplementedError\n")
    (submission / "recurrence.py").unlink()
    run = grader("figures", "--from", submission, "--theme", "dark", cwd=tmp_path)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "fig06_cost cannot be drawn. crossover_length is not written yet." in run.stderr
    assert (
        "fig02_recurrence cannot be drawn. rnn_gradient_norms is missing: there is no file recurrence.py." in run.stderr
    )
    assert "Drawn: 4 of 6 figures, as PNG and SVG in pictures." in run.stdout
    assert (tmp_path / "pictures" / "fig04_positions_dark.svg").is_file()


def test_bad_use_is_a_sentence_and_exit_code_2(grader: Run, tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    for arguments, said in [
        (("figures", "--from", tmp_path / "none"), "none"),
        (("figures", "--theme", "sepia"), "There is no theme “sepia”. Choose one with --theme: light or dark."),
        (("figures", "--out", occupied), "cannot be written"),
    ]:
        run = grader(*arguments, cwd=tmp_path)
        assert run.returncode == 2, (arguments, run.stdout, run.stderr)
        assert said in run.stderr
        assert "Traceback" not in run.stderr


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FiguresError, match="--out"):
        next(draw_figures({}, "light", tmp_path / "file" / "out"))


def test_the_reference_is_measured_with_numpy_alone() -> None:
    """Beside the drawing, in a process that starts before Matplotlib is imported: that is what makes it quick."""
    program = (
        "import sys; from grader.measuring import SLOWEST, figure_names, measure, reference_functions\n"
        "for name in figure_names():\n"
        "    name == SLOWEST or measure(name, reference_functions())\n"
        "print(*sorted({'matplotlib', 'typer', 'rich', 'yaml', 'hypothesis'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.strip() == ""
