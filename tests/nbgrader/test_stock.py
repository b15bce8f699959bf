"""nbgrader as it comes, kernel and all, without the kit's settings: honest work gets the same marks."""

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell, new_output
from nbgrader.utils import determine_grade

from grader import notebook_cell
from grader.grading import Grader
from grader.kit import SOLUTIONS
from grader.nbgrader_course import write_course
from grader.report import Report, Verdict
from grader.submissions import Submission
from tests.conftest import ROOT, rows
from tests.nbgrader.conftest import SAMPLE_CLASS
from tests.nbgrader.notebooks import Marks, filled, marks, nbgrader, read, write

WRONG = ("dmitri", "farid", "kavya")
LESSON = "attention"
STOCK = 'get_config().CourseDirectory.course_id = "stock"\n'


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kit's notebooks in a course with nbgrader's own settings, three wrong submissions and a right one graded."""
    course = tmp_path_factory.mktemp("stock") / "course"
    write_course(course)
    (course / "nbgrader_config.py").write_text(STOCK, encoding="utf-8")
    nbgrader(course, "generate_assignment", LESSON)
    release = course / "release" / LESSON
    for student, folder in {"right": SOLUTIONS, **{name: SAMPLE_CLASS / name for name in WRONG}}.items():
        submitted = shutil.copytree(release, course / "submitted" / student / LESSON)
        module = (folder / f"{LESSON}.py").read_text(encoding="utf-8")
        write(filled(read(release / f"{LESSON}.ipynb"), module), submitted / f"{LESSON}.ipynb")
    nbgrader(course, "autograde", LESSON)
    return course


def test_marks_are_those_of_the_grader(course: Path) -> None:
    worth = {"softmax": 2.0, "scaled_scores": 1.0, "attention": 3.0}
    expected: Marks = {"right": dict(worth)}
    for row in rows(ROOT / "tests" / "sample_class_expected.csv"):
        if row["student"] in WRONG and row["function"] in worth:
            points = worth[row["function"]] if row["verdict"] == "pass" else 0.0
            expected.setdefault(row["student"], {})[row["function"]] = points
    assert marks(course, LESSON) == expected


def test_the_likely_mistake_is_named(course: Path) -> None:
    notebook = (course / "autograded" / "kavya" / LESSON / f"{LESSON}.ipynb").read_text(encoding="utf-8")
    assert "likely mistake  The largest score is taken slice by slice" in notebook


def test_a_fault_of_the_grader_is_no_number_that_nbgrader_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(grader: Grader, submission: Submission) -> Report:
        functions = [f for f in grade(grader, submission).functions if f.function == "causal_mask"]
        ungraded = tuple(replace(f, verdict=Verdict.UNGRADED, fault="a bug") for f in functions)
        return Report("", "", ungraded, {})

    grade = Grader.grade
    cells = ["", "def causal_mask(n):\n    return None", "marks"]
    shell = SimpleNamespace(history_manager=SimpleNamespace(input_hist_raw=cells))
    monkeypatch.setattr(notebook_cell, "get_ipython", lambda: shell)
    assert notebook_cell.marks("causal_mask", of=1) == 0.0
    assert "causal_mask: not right yet" in capsys.readouterr().out
    monkeypatch.setattr(Grader, "grade", fail)
    points = notebook_cell.marks("causal_mask", of=1)
    assert "UNGRADED, our fault: a bug" in capsys.readouterr().out
    output = new_output("execute_result", {"text/plain": repr(points)})
    cell = new_code_cell("marks", outputs=[output], metadata={"nbgrader": {"grade": True, "points": 1.0}})
    with pytest.raises(ValueError, match="greater than maximum points"):
        determine_grade(cell)
