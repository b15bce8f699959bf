"""What careless hands, editors and computers do to a notebook costs no points, and is put right and told."""

import pytest

from tests.nbgrader.careless import CASES, HONEST
from tests.nbgrader.conftest import Graded
from tests.nbgrader.notebooks import PNG, grade_id, graded_cells, named, outputs

FULL = {"softmax": 2.0, "scaled_scores": 1.0, "attention": 3.0}
TOLD = {
    "solution_copied": "The cell softmax was there 2 times",
    "split_within_a_function": " of attention.ipynb were read as one: a function that begins in the first goes on",
    "test_copied": "The cell test_softmax was there 2 times",
    "test_turned_into_text": "The cell test_softmax is a code cell again",
    "tests_deleted": "The question explain_scaling was missing",
    "test_edited": "The cell test_softmax had been changed",
    "renamed": "Attention (1).ipynb was read as attention",
    "called_otherwise": "my *homework*.ipynb was read as attention",
    "in_an_archive": "attention.ipynb lies in an archive",
    "picture_lost": "A text cell shows a picture that is not in the notebook",
    "much_to_say": "Of the text cells only the beginning is shown: of each 10,000 characters",
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


@pytest.mark.parametrize(
    "student", ["as_it_should_be", "ends_of_lines", "stubs_left", "pictures_pasted", "plain_texts", "a_folder_deeper"]
)
def test_nothing_is_told_where_nothing_was_mended(graded: Graded, student: str) -> None:
    assert "put right" not in graded.feedback(student)


@pytest.mark.parametrize("student", ["time_is_no_time", "time_is_far", "time_is_no_text", "time_is_a_folder"])
def test_a_time_that_is_none_is_told(graded: Graded, student: str) -> None:
    assert f"There is no time in {graded.course}/submitted/{student}/attention/timestamp.txt" in graded.log


def test_a_stub_does_not_stand_where_the_answer_is_elsewhere(graded: Graded) -> None:
    notebook = graded.notebook("stubs_left")
    assert not [cell for cell in notebook["cells"] if "is not started" in cell["source"]]
    assert "def softmax" in named(notebook, "softmax")["source"]
    assert [cell["source"] for cell in notebook["cells"] if "another cell" in cell["source"]] == [
        f"# What counts as {name} is in another cell." for name in FULL
    ]


def test_pictures_in_answers_are_shown(graded: Graded) -> None:
    assert graded.feedback("pictures_pasted").count(f"data:image/png;base64,{PNG}") == 3


def test_a_picture_that_is_lost_is_a_text(graded: Graded) -> None:
    page = graded.feedback("picture_lost")
    assert page.count("attachment:") == 3
    assert "A picture in a text cell is neither PNG nor JPEG nor GIF" in page
    assert "The pictures in the text cells are larger than 8 MB" in page


def test_an_honest_text_is_left_alone(graded: Graded) -> None:
    assert HONEST in [cell["source"] for cell in graded.notebook("plain_texts")["cells"]]


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
