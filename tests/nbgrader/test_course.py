"""The course that is written for nbgrader: its files, its notebooks, and how they run on a student's machine."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode, from_dict, validate
from nbgrader.nbgraderformat import MetadataValidator

from grader.contract import lesson_functions
from grader.course import CourseError
from grader.kit import COURSE, SOLUTIONS
from grader.nbgrader_course import CourseFolderError, course_id, write_course
from tests.conftest import Run, edit
from tests.nbgrader.notebooks import Notebook, grade_id, read

LESSONS = {
    lesson: dict(points) for lesson, points in tomllib.loads(COURSE.read_text(encoding="utf-8"))["lessons"].items()
}

# A student's machine has NumPy, Matplotlib and Jupyter. The cells run one after the other, lesson by lesson.
RUN = """
import contextlib, io, json, os, sys, warnings

class NotThere:
    def find_spec(self, name, *rest):
        if name.partition(".")[0] in ("grader", "pytest", "hypothesis", "jupytext", "nbgrader"):
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, NotThere())
os.environ["MPLBACKEND"] = "agg"
warnings.simplefilter("error")
warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
kept = set(sys.modules)
said = {}
for lesson in sys.argv[1:]:
    os.chdir(lesson)
    sys.path.insert(0, os.getcwd())
    said[lesson] = {}
    for place, cell in enumerate(json.load(open(f"{lesson}.ipynb", encoding="utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                result = shell.run_cell("".join(cell["source"]))
            name = cell["metadata"].get("nbgrader", {}).get("grade_id", str(place))
            said[lesson][name] = out.getvalue() if result.success else "".join(["Error ", out.getvalue()])
    shell.reset()
    for module in set(sys.modules) - kept:
        if not module.startswith(("numpy", "matplotlib", "PIL")):
            del sys.modules[module]
    del sys.path[0]
    os.chdir("..")
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "course"
    write_course(folder)
    return folder


def notebook(course: Path, lesson: str) -> Notebook:
    return read(course / "source" / lesson / f"{lesson}.ipynb")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def handed_out(course: Path, out: Path, with_answers: bool) -> Path:
    """The lessons' folders as students have them; without answers, each is what stands in the students' folder."""
    shutil.copytree(course / "source", out)
    for lesson in LESSONS:
        file = out / lesson / f"{lesson}.ipynb"
        cells = read(file)
        stubs = {} if with_answers else stub_cells(lesson)
        for cell in cells["cells"]:
            source = "".join(cell["source"])
            cell["source"] = stubs.get(grade_id(cell), source.partition("### BEGIN HIDDEN TESTS")[0])
        file.write_text(json.dumps(cells), encoding="utf-8")
    return out


def stub_cells(lesson: str) -> dict[str, str]:
    """The answers' cells as nbgrader's own settings hand them out."""
    missing = "raise NotImplementedError()"
    return {
        f.name: f"{f.name} = None" if f.is_constant else f"def {f.heading}:\n    # YOUR CODE HERE\n    {missing}"
        for f in lesson_functions(lesson)
    }


def said(folder: Path, lessons: Iterable[str]) -> dict[str, dict[str, str]]:
    """What each code cell prints, by lesson and the cell's name, or the error with which it ends."""
    command = [sys.executable, "-c", RUN, *lessons]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, dict[str, str]] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_there_is_a_notebook_for_each_lesson(course: Path) -> None:
    assert sorted(path.name for path in (course / "source").iterdir()) == sorted(LESSONS)
    assert (course / "course.toml").read_bytes() == COURSE.read_bytes()


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_answer_is_followed_by_its_tests(course: Path, lesson: str) -> None:
    cells = [cell for cell in notebook(course, lesson)["cells"] if grade_id(cell)]
    names = [grade_id(cell) for cell in cells]
    for name, points in LESSONS[lesson].items():
        place = names.index(name)
        answer, tests = cells[place : place + 2]
        assert answer["metadata"]["nbgrader"] == {
            "schema_version": 3, "grade_id": name, "grade": False, "solution": True, "locked": False, "task": False,
        }  # fmt: skip
        assert tests["metadata"]["nbgrader"] == {
            "schema_version": 3, "grade_id": f"test_{name}", "grade": True, "solution": False, "locked": True,
            "task": False, "points": points,
        }  # fmt: skip
        assert answer["source"].count("### BEGIN SOLUTION") == answer["source"].count("### END SOLUTION") == 1
        visible, hidden = tests["source"].split("### BEGIN HIDDEN TESTS\n")
        assert f'run_tests("{name}", ' in visible
        assert hidden == (
            f'from grader.notebook_cell import marks\n\nmarks("{name}", of={points})\n### END HIDDEN TESTS'
        )


@pytest.mark.parametrize("lesson", LESSONS)
def test_notebooks_are_valid(course: Path, lesson: str) -> None:
    node: NotebookNode = from_dict(notebook(course, lesson))
    validate(node)
    MetadataValidator().validate_nb(node)
    assert node.metadata.kernelspec.name == "python3"


def test_a_notebook_does_not_speak_of_pytest(course: Path) -> None:
    for lesson in LESSONS:
        assert "pytest" not in json.dumps(notebook(course, lesson))


def test_every_public_test_is_in_the_notebook(course: Path) -> None:
    for lesson in LESSONS:
        public = (SOLUTIONS / f"test_{lesson}.py").read_text(encoding="utf-8")
        written = "\n".join("".join(cell["source"]) for cell in notebook(course, lesson)["cells"])
        assert public.count("def test_") == written.count("    def test_")


def test_questions_have_points_and_a_mark_scheme(course: Path) -> None:
    asked: dict[str, Any] = tomllib.loads(COURSE.read_text(encoding="utf-8"))["questions"]
    found = {}
    for lesson in LESSONS:
        for cell in notebook(course, lesson)["cells"]:
            metadata = cell["metadata"].get("nbgrader", {})
            if metadata.get("task"):
                text, scheme = cell["source"].split("<!-- BEGIN MARK SCHEME -->")
                assert text.startswith("## ")
                assert scheme.endswith("<!-- END MARK SCHEME -->")
                found[lesson, metadata["grade_id"].removeprefix("explain_")] = metadata["points"]
    assert found == {(lesson, name): points for lesson, table in asked.items() for name, points in table.items()}


def test_with_answers_every_cell_runs_and_every_test_holds(course: Path, tmp_path: Path) -> None:
    """In this order of lessons, the transformer finds the attention in the notebook in the folder beside its own."""
    told = said(handed_out(course, tmp_path / "home", with_answers=True), LESSONS)
    for lesson, points in LESSONS.items():
        cells = told[lesson]
        assert not [name for name, text in cells.items() if text.startswith("Error")]
        for name in points:
            right = "right" if name.isupper() else "tests hold. Others may be asked later"
            assert right in cells[f"test_{name}"], cells[f"test_{name}"]
        assert "The figure comes when" not in cells.get("figure", "")
    assert told["transformer"]["own_attention"] == ""


def test_stubs_run_and_say_what_is_to_be_done(course: Path, tmp_path: Path) -> None:
    home = handed_out(course, tmp_path / "home", with_answers=False)
    shutil.rmtree(home / "attention")
    told = said(home, [lesson for lesson in LESSONS if lesson != "attention"])
    for lesson, cells in told.items():
        for name in LESSONS[lesson]:
            undone = "it says itself that it is not done yet" if name.islower() else f"{name} is not answered"
            assert cells[f"test_{name}"] == f"{name}: {undone}.\n"
        assert "figure" not in cells or "The figure comes when" in cells["figure"]
    assert told["transformer"]["own_attention"] == (
        "Your attention is not here: put your attention.py or attention.ipynb beside this notebook.\n"
    )


@pytest.mark.parametrize("place", ["attention.py", "attention.ipynb", "../attention/attention.ipynb"])
def test_the_transformer_takes_the_students_own_attention(tmp_path: Path, place: str) -> None:
    here = tmp_path / "transformer"
    file = here / place
    here.mkdir()
    file.parent.mkdir(exist_ok=True)
    source = "def attention():\n    return 'mine'\n"
    broken, ours = "raise ValueError", {"nbgrader": {"locked": True}}
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": "text"},
        {"cell_type": "code", "metadata": {}, "source": broken},
        {"cell_type": "code", "metadata": {}, "source": source.splitlines(keepends=True)},
        {"cell_type": "code", "metadata": ours, "source": "attention = print"},
    ]
    file.write_text(source if file.suffix == ".py" else json.dumps({"cells": cells}), encoding="utf-8")
    code = (SOLUTIONS / "notebooks" / "own_attention.py").read_text(encoding="utf-8") + "\nprint(attention())"
    done = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout == "mine\n", done.stderr


def test_an_attention_that_is_missing_says_what_to_do(tmp_path: Path) -> None:
    code = (SOLUTIONS / "notebooks" / "own_attention.py").read_text(encoding="utf-8") + "\nattention(1, 2, 3)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert "NotImplementedError: put your attention.py or attention.ipynb beside this notebook" in done.stderr


def test_a_wrong_answer_is_told_in_the_kits_layout(course: Path, tmp_path: Path) -> None:
    home = handed_out(course, tmp_path / "home", with_answers=True)
    edit(home / "masking" / "masking.ipynb", "position[None, :] <= position[:, None]", "position[None, :] < position")
    text = said(home, ["masking"])["masking"]["test_causal_mask"]
    assert (
        text
        == """\
causal_mask: 0 of 3 tests hold. The first that does not is test_causal_mask_by_hand:
  called     causal_mask(n=4)
  got        [[False, False, False, False]]
  expected   [[ True, False, False, False],
              [ True,  True, False, False],
              [ True,  True,  True, False],
              [ True,  True,  True,  True]]
  property   The shape must be (4, 4), and this is (1, 4).
  next step  hint("causal_mask") in a cell of your own
"""
    )


def test_the_same_reference_gives_the_same_bytes(course: Path, tmp_path: Path) -> None:
    write_course(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(course)


def test_points_are_edited_in_the_folder(course: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(course, tmp_path / "copy")
    edit(copy / "course.toml", "softmax = 2", 'softmax = "1/3"')
    (copy / "gradebook.db").touch()
    (copy / "source" / "mine").mkdir()
    write_course(copy)
    tests = next(cell for cell in notebook(copy, "attention")["cells"] if grade_id(cell) == "test_softmax")
    assert tests["metadata"]["nbgrader"]["points"] == 0.3333
    assert 'marks("softmax", of=0.3333)' in tests["source"]
    assert 'softmax = "1/3"' in (copy / "course.toml").read_text(encoding="utf-8")


def test_what_a_teacher_changed_is_kept_and_named(course: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(course, tmp_path / "copy")
    edit(copy / "source" / "masking" / "masking.ipynb", "No peeking", "No looking ahead")
    edit(copy / "course.toml", "softmax = 2", "softmax = 5")
    before = contents(copy)
    for _ in range(2):
        assert write_course(copy).kept == ("source/masking/masking.ipynb",)
    after = contents(copy)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {".written-by-grader", "source/attention/attention.ipynb"}


@pytest.mark.parametrize("place", ["course.toml", "course.toml/within"])
def test_a_course_is_a_folder(grader: Run, course: Path, place: str) -> None:
    run = grader("course", course / place)
    assert run.returncode == 2
    assert "course.toml" in run.stderr
    assert "Traceback" not in run.stderr


def test_another_course_file_does_not_replace_an_edited_one(course: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(course, tmp_path / "copy")
    edit(copy / "course.toml", "softmax = 2", "softmax = 5")
    with pytest.raises(CourseFolderError, match=r"course\.toml"):
        write_course(copy, COURSE)


def test_an_unknown_question_is_named(tmp_path: Path) -> None:
    file = tmp_path / "course.toml"
    file.write_text(COURSE.read_text(encoding="utf-8").replace("fading = 3", "decaying = 3"), encoding="utf-8")
    with pytest.raises(CourseError, match=r"questions\.recurrence\.decaying .* There are: fading"):
        write_course(tmp_path / "course", file)


@pytest.mark.parametrize(
    ("title", "name"),
    [("Build a Transformer", "build-a-transformer"), ("Größe zählt!", "groe-zahlt"), ("注意", "course")],
)
def test_a_title_becomes_nbgraders_name_of_the_course(title: str, name: str) -> None:
    assert course_id(title) == name


def test_the_command_says_what_to_do_next(grader: Run, tmp_path: Path) -> None:
    run = grader("course", tmp_path / "course")
    assert run.returncode == 0, run.stderr
    assert "nbgrader generate_assignment attention" in run.stdout


def test_the_command_refuses_in_one_sentence(grader: Run, tmp_path: Path) -> None:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()", encoding="utf-8")
    run = grader("course", tmp_path)
    assert run.returncode == 2
    assert "nbgrader_config.py. Move them away" in run.stderr


def test_without_the_kit_nothing_is_graded_in_another_way(course: Path, tmp_path: Path) -> None:
    (tmp_path / "grader.py").write_text('raise ImportError("no kit")', encoding="utf-8")
    command = [Path(sys.executable).with_name("nbgrader"), "autograde", "attention"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = subprocess.run(command, cwd=course, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 1
    assert "This course needs the kit" in run.stderr
