"""What was handed in as a notebook or an archive gets the verdicts that it would get as modules."""

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course import read_course
from grader.grading import Grader
from grader.kit import SOLUTIONS
from grader.report import Report, Verdict
from grader.sandbox import Worker, best_rung
from grader.submissions import read_submission
from tests.conftest import ROOT, Run, rows

WHOLE = read_course()
COURSE = replace(
    WHOLE,
    lessons={lesson: WHOLE.lessons[lesson] for lesson in ("attention", "masking")},
    limits=replace(WHOLE.limits, seconds_per_call=1),
)
Grade = Callable[[Path], Report]


def cells(lesson: str) -> list[str]:
    """The code cells of a lesson of the reference, one function in each."""
    text = (SOLUTIONS / f"{lesson}.py").read_text(encoding="utf-8")
    parts = re.split(r"^# %%.*\n", text, flags=re.MULTILINE)
    return [part for part in parts if re.search(r"^(import|from|def|if) ", part, flags=re.MULTILINE)]


def notebook(path: Path, sources: list[str]) -> None:
    code = [{"cell_type": "code", "source": source.splitlines(True), "id": None} for source in sources]
    path.write_text(json.dumps({"cells": code}), encoding="utf-8")


def broken(sources: list[str], function: str, line: str) -> list[str]:
    """The cells with a line before the definition of a function."""
    return [re.sub(rf"^def {function}\(", f"{line}\n\ndef {function}(", part, flags=re.M) for part in sources]


@pytest.fixture(scope="module")
def grade() -> Iterator[Grade]:
    with Worker(best_rung(), COURSE.limits) as worker:
        grader = Grader(COURSE, worker)
        yield lambda path: grader.grade(read_submission(path, tuple(COURSE.lessons)))


def verdicts(report: Report) -> dict[str, str]:
    return {f.function: f.verdict.value for f in report.functions if f.verdict is not Verdict.PASS}


def reason(report: Report, function: str) -> str:
    return next(f.reason for f in report.functions if f.function == function)


def test_a_notebook_for_each_lesson_and_one_for_all_have_full_marks(tmp_path: Path, grade: Grade) -> None:
    for lesson in COURSE.lessons:
        notebook(tmp_path / f"{lesson}.ipynb", ["%matplotlib inline\n!pip install numpy", *cells(lesson)])
    assert verdicts(grade(tmp_path)) == {}
    notebook(tmp_path / "all.ipynb", [cell for lesson in COURSE.lessons for cell in cells(lesson)])
    assert verdicts(grade(tmp_path / "all.ipynb")) == {}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1 / 0", "division by zero"),
        ("while True: pass", "did not end within 1 second"),
        ("import os; os._exit(0)", "ended the process"),
        ("(", "was never closed"),
    ],
)
def test_a_failing_cell_costs_its_own_function_alone(tmp_path: Path, grade: Grade, line: str, told: str) -> None:
    notebook(tmp_path / "attention.ipynb", broken(cells("attention"), "softmax", line))
    notebook(tmp_path / "masking.ipynb", cells("masking"))
    report = grade(tmp_path)
    assert verdicts(report) == {"softmax": "error"}
    assert reason(report, "softmax").startswith("Cell 2 of attention.ipynb does not run: ")
    assert told in reason(report, "softmax")


def test_the_line_of_a_failing_cell_is_shown(tmp_path: Path, grade: Grade) -> None:
    notebook(tmp_path / "attention.ipynb", broken(cells("attention"), "softmax", "%time\n1 / 0"))
    softmax = grade(tmp_path).functions[0]
    assert softmax.traceback[-1].startswith("attention.ipynb, cell 2, line ")
    assert softmax.traceback[-1].endswith(": 1 / 0")


def test_a_wrong_function_in_the_one_notebook_for_all_costs_itself_alone(tmp_path: Path, grade: Grade) -> None:
    sources = [cell for lesson in COURSE.lessons for cell in cells(lesson)]
    notebook(tmp_path / "all.ipynb", [*sources, "def softmax(x, axis=-1):\n    return x * 0.0"])
    report = grade(tmp_path)
    assert verdicts(report) == {"softmax": "fail"}
    assert "softmax" in next(f.replaced for f in report.functions if f.function == "attention")


def test_a_handed_out_cell_pasted_again_does_not_undo_work(tmp_path: Path, grade: Grade) -> None:
    stub = 'def softmax(x, axis=-1):\n    """Weights."""\n    raise NotImplementedError("softmax is not started")'
    notebook(tmp_path / "attention.ipynb", [*cells("attention"), stub])
    notebook(tmp_path / "masking.ipynb", cells("masking"))
    assert verdicts(grade(tmp_path)) == {}


def test_what_cannot_be_read_is_an_error_with_the_reason(tmp_path: Path, grade: Grade) -> None:
    (tmp_path / "ada.zip").write_bytes(b"PK")
    report = grade(tmp_path / "ada.zip")
    assert set(verdicts(report).values()) == {"error"}
    assert "damaged" in reason(report, "causal_mask")
    (tmp_path / "attention.py").write_bytes(b"# \xe9\n")
    report = grade(tmp_path / "attention.py")
    assert verdicts(report) == {
        **dict.fromkeys(("softmax", "scaled_scores", "attention"), "error"),
        **dict.fromkeys(("causal_mask", "padding_mask", "combine_masks"), "missing"),
    }


def test_a_class_in_an_archive_is_graded_from_the_command_line(
    grader: Run, tmp_path: Path, solved: Path, short: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for path in solved.iterdir():
            archive.write(path, f"adalovelace_1_2_{path.name}")
        archive.writestr("roebob_LATE_3_4_attention-1.py", "def softmax(x): return x")
        archive.writestr("roebob_LATE_3_4_masking.zip", b"PK")
    ran = grader("grade", tmp_path / "class.zip", "--out", tmp_path / "out", "--course", short, "--jobs", 1)
    assert ran.returncode == 0, ran.stderr
    points = {row["student"]: row["points"] for row in rows(tmp_path / "out" / "grades.csv")}
    assert points == {"adalovelace": "9", "roebob": "0"}
    ran = grader("check", solved / "attention.py", "--course", short)
    assert ran.returncode == 1, ran.stderr


def test_malformed_archives_notebooks_and_modules_do_no_harm() -> None:
    command = [sys.executable, "-m", "tests.fuzz_discovery", "60"]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
