"""What careless hands, editors and computers do to a notebook costs no points, and is put right and told."""

import pytest

from tests.nbgrader.careless import CASES
from tests.nbgrader.conftest import Graded
from tests.nbgrader.notebooks import grade_id, graded_cells, named, outputs

FULL = {"softmax": 2.0, "scaled_scores": 1.0, "attention": 3.0}
TOLD = {
    "solution_copied": "The cell softmax was there 2 times",
    "test_copied": "The cell test_softmax was there 2 times",
    "test_turned_into_text": "The cell test_softmax is a code cell again",
    "tests_deleted": "The question explain_scaling was missing",
    "test_edited": "The cell test_softmax had been changed",
    "renamed": "Attention (1).ipynb was read as attention",
    "called_otherwise": "my *homework*.ipynb was read as attention",
}


@pytest.mark.parametrize("student", CASES)
def test_right_work_gets_full_marks_however_it_was_handed_in(graded: Graded, student: str) -> None:
    assert graded.marks[student] == FULL


@pytest.mark.parametrize("student", CASES)
def test_a_mended_notebook_has_each_cell_of_the_teacher_once(graded: Graded, student: str) -> None:
    notebook = graded.notebook(student)
    names = [grade_id(cell) for cell in notebook["cells"] if grade_id(cell)]
    assert len(names) == len(set(names))
    source = graded.notebook("as_it_should_be")
    for test in graded_cells(source):
        assert named(notebook, grade_id(test))["source"] == test["source"]
        assert named(notebook, grade_id(test))["metadata"] == test["metadata"]


@pytest.mark.parametrize(("student", "remark"), TOLD.items())
def test_what_was_mended_is_told(graded: Graded, student: str, remark: str) -> None:
    assert remark in graded.feedback(student)
    assert remark in graded.log


def test_nothing_is_told_where_nothing_was_mended(graded: Graded) -> None:
    assert "put right" not in graded.feedback("as_it_should_be")


def test_missing_tests_are_put_back_where_they_were(graded: Graded) -> None:
    order = [grade_id(cell) for cell in graded.notebook("as_it_should_be")["cells"] if grade_id(cell)]
    assert [grade_id(cell) for cell in graded.notebook("tests_deleted")["cells"] if grade_id(cell)] == order


def test_a_text_says_what_held_and_one_number_what_it_is_worth(graded: Graded) -> None:
    printed, number = outputs(graded.notebook("warns"))["softmax"]
    assert (printed.splitlines()[0], number) == ("softmax: right (2 of 2)", "2.0")


def test_a_notebook_that_cannot_be_read_is_told_why(graded: Graded) -> None:
    printed, number = outputs(graded.notebook("damaged"))["softmax"]
    assert number == "0.0"
    assert "it is not JSON" in printed
