"""The kit's own grading inside ``nbgrader autograde``: the marks of ``grader grade`` wherever nbgrader keeps them."""

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from grader.course import read_course
from grader.kit import SOLUTIONS
from tests.conftest import ROOT, rows
from tests.nbgrader.notebooks import code, filled, marks, nbgrader, read, write

CLASS = ROOT / "tests" / "sample_class"
LESSONS = ("attention", "transformer", "self_check")
"""One with functions alone, one that uses another lesson's, and one of questions."""
STUDENTS = ("ada", "farid", "hugo", "mei")
"""One with everything right, others with mistakes, unfinished work, and files that do not load."""


@pytest.fixture(scope="module")
def graded(course: Path) -> Path:
    """The sample class as notebooks, graded, exported and given feedback."""
    for lesson in LESSONS[1:]:
        nbgrader(course, "generate_assignment", lesson)
    for lesson in LESSONS:
        released = read(course / "release" / lesson / f"{lesson}.ipynb")
        for student in STUDENTS:
            module = CLASS / student / f"{lesson}.py"
            text = module.read_text(encoding="utf-8") if module.is_file() else ""
            write(filled(released, text), course / "submitted" / student / lesson / f"{lesson}.ipynb")
        nbgrader(course, "autograde", lesson)
        nbgrader(course, "generate_feedback", lesson)
    nbgrader(course, "export")
    return course


def expected(lesson: str) -> dict[str, dict[str, float]]:
    """The points of the sample class by the verdicts that the tests of ``grader grade`` hold it to."""
    worth = read_course().lessons[lesson]
    points: dict[str, dict[str, float]] = {}
    for row in rows(ROOT / "tests" / "sample_class_expected.csv"):
        if row["student"] in STUDENTS and row["function"] in worth:
            full = float(worth[row["function"]])
            points.setdefault(row["student"], {})[row["function"]] = full if row["verdict"] == "pass" else 0.0
    return points


@pytest.mark.parametrize("lesson", LESSONS)
def test_gradebook_export_and_feedback_have_the_marks_of_grader_grade(graded: Path, lesson: str) -> None:
    points = expected(lesson)
    assert marks(graded, lesson) == points
    exported = {
        row["student_id"]: float(row["score"]) for row in rows(graded / "grades.csv") if row["assignment"] == lesson
    }
    assert exported == {student: sum(own.values()) for student, own in points.items()}
    for student, own in points.items():
        feedback = (graded / "feedback" / student / lesson / f"{lesson}.html").read_text(encoding="utf-8")
        for function, number in own.items():
            assert re.search(rf"<pre>{function}: .* \({number:g} of \d\)$", feedback, flags=re.MULTILINE), (
                student,
                function,
            )


@pytest.fixture(scope="module")
def unlucky(released: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Three students with full marks, then new work of one that no sandbox takes: the course, and what is said."""
    course = shutil.copytree(released, tmp_path_factory.mktemp("unlucky") / "course")
    handout = read(course / "release" / "attention" / "attention.ipynb")
    right = filled(handout, (SOLUTIONS / "attention.py").read_text(encoding="utf-8"))
    for student in ("anna", "minna", "zoe"):
        write(right, course / "submitted" / student / "attention" / "attention.ipynb")
    nbgrader(course, "autograde", "attention")
    write(
        {**right, "cells": [code("unlucky = 13"), *right["cells"]]},
        course / "submitted/minna/attention/attention.ipynb",
    )
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(FAULT)
    return course, nbgrader(course, "autograde", "attention", "--force", fails=True).stderr


FAULT = """
from grader.sandbox import SandboxFault, Worker

start = Worker.open


def start_or_fail(self, files, modules):
    if b"unlucky" in files.get("attention.ipynb", b""):
        raise SandboxFault("no process starts")
    return start(self, files, modules)


Worker.open = start_or_fail
"""


def test_a_fault_of_ours_is_no_mark(unlucky: tuple[Path, str]) -> None:
    course, said = unlucky
    full = {"softmax": 2.0, "scaled_scores": 1.0, "attention": 3.0}
    assert marks(course, "attention") == {"anna": full, "minna": dict.fromkeys(full), "zoe": full}
    assert "UNGRADED, our fault: minna" in said
    assert "no process starts" in said
    assert {folder.name for folder in (course / "autograded").iterdir() if any(folder.iterdir())} == {"anna", "zoe"}


def test_a_fault_of_ours_is_for_a_person_to_look_at(unlucky: tuple[Path, str]) -> None:
    query = """
        SELECT student_id, count(*) FROM grade
        JOIN submitted_notebook ON grade.notebook_id = submitted_notebook.id
        JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id
        JOIN base_cell ON base_cell.id = grade.cell_id
        WHERE needs_manual_grade AND base_cell.name LIKE 'test%' GROUP BY student_id
    """
    with sqlite3.connect(unlucky[0] / "gradebook.db") as gradebook:
        assert gradebook.execute(query).fetchall() == [("minna", 3)]
