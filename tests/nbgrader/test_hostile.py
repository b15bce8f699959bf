"""What is after points, the gradebook, the course or the other students gets nothing, and stops nobody's grading."""

import sqlite3

import pytest

from tests.nbgrader.careless import FILE
from tests.nbgrader.conftest import Graded, digests, schema
from tests.nbgrader.hostile import CASES
from tests.nbgrader.notebooks import outputs
from tests.nbgrader.test_mending import FULL


@pytest.mark.parametrize(("student", "right"), [(name, right) for name, (_, right) in CASES.items()])
def test_nothing_gains_more_than_the_functions_earn(graded: Graded, student: str, right: str) -> None:
    earned = {name: points if name in right.split() else 0.0 for name, points in FULL.items()}
    assert graded.marks[student] == earned
    assert {name: float(number) for name, (_, number) in outputs(graded.notebook(student)).items()} == earned


def test_the_course_is_as_it_was(graded: Graded) -> None:
    assert digests(graded.course) == graded.digests


def test_the_gradebook_holds_points_from_the_grader_alone(graded: Graded) -> None:
    assert schema(graded.course) == graded.schema
    with sqlite3.connect(graded.course / "gradebook.db") as gradebook:
        [by_hand] = gradebook.execute("SELECT count(*) FROM grade WHERE manual_score > 0 OR extra_credit > 0")
        [cells] = gradebook.execute("SELECT count(*) FROM base_cell WHERE name = 'test_softmax'")
    assert (by_hand, cells) == ((0,), (1,))


def test_no_feedback_holds_anything_of_the_course_or_the_sandbox(graded: Graded) -> None:
    secret = (graded.course / "course.toml").read_text(encoding="utf-8").partition('secret = "')[2].partition('"')[0]
    for file in (graded.course / "feedback").rglob("*"):
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            assert secret not in text, file
            assert "BEGIN HIDDEN TESTS\n" not in text.replace("### BEGIN HIDDEN TESTS'", ""), file
    printed, _ = outputs(graded.notebook("reads_the_course"))["softmax"]
    assert "ValueError" in printed
    assert "STOLEN" not in printed


def test_everybody_was_graded(graded: Graded) -> None:
    students = {folder.name for folder in (graded.course / "submitted").iterdir()}
    assert {folder.name for folder in (graded.course / "autograded").iterdir()} == students
    assert "hook failed" not in graded.log  # nbgrader goes on without it
    assert (graded.course / "autograded" / "renamed" / "attention" / FILE).is_file()
