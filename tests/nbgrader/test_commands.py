"""Every ordinary command of nbgrader, from the release of a lesson to the feedback in the student's hands."""

import pytest

from tests.conftest import rows
from tests.nbgrader.conftest import ME, OTHER, Term
from tests.nbgrader.notebooks import marks, read


def test_the_handout_holds_no_answer_no_hidden_test_and_no_mark_scheme(term: Term) -> None:
    files = {file.name: file.read_text(encoding="utf-8") for file in (term.course / "release" / "attention").iterdir()}
    assert sorted(files) == ["attention.ipynb", "checking.py", "hints.toml", "reading.py", "testing.py", "writing.py"]
    text = files["attention.ipynb"]
    assert "BEGIN" not in text
    assert "notebook_cell" not in text
    assert "np.exp(x - highest)" not in text
    assert "A third of the points" not in text
    assert 'raise NotImplementedError(\\"softmax is not started\\")' in text


def test_what_is_validated_is_what_the_public_tests_say(term: Term) -> None:
    assert "VALIDATION FAILED ON 3 CELL(S)" in term.said["validate stubs"]
    assert "softmax is not started" in term.said["validate stubs"]
    assert "Success! Your notebook passes all the tests." in term.said["validate"]
    assert "softmax: 6 of 11 tests hold" in term.said["validate wrong"]
    assert "property   Without an axis, every row adds up to 1." in term.said["validate wrong"]


def test_what_was_handed_in_is_graded(term: Term) -> None:
    assert marks(term.course, "attention") == {
        ME: {"softmax": 2.0, "scaled_scores": 1.0, "attention": 3.0},
        OTHER: {"softmax": 0.0, "scaled_scores": 1.0, "attention": 3.0},
    }


def test_the_exported_table_has_the_points(term: Term) -> None:
    exported = {row["student_id"]: row for row in rows(term.course / "grades.csv")}
    assert {student: float(row["score"]) for student, row in exported.items()} == {ME: 6, OTHER: 4}
    assert float(exported[ME]["max_score"]) == 12  # with the two questions that a person marks


def test_a_person_sees_the_mark_scheme_and_the_answer(term: Term) -> None:
    notebook = read(term.course / "autograded" / OTHER / "attention" / "attention.ipynb")
    questions = [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("task")]
    assert [cell["metadata"]["nbgrader"]["points"] for cell in questions] == [3, 3]
    assert all("A third of the points" in "".join(cell["source"]) for cell in questions)


@pytest.mark.parametrize("hidden", ["notebook_cell", "HIDDEN TESTS", "MARK SCHEME", "A third of the points"])
def test_feedback_shows_nothing_that_is_hidden(term: Term, hidden: str) -> None:
    for student in (ME, OTHER):
        assert hidden not in feedback(term, student)


def test_feedback_keeps_the_layout(term: Term) -> None:
    text = feedback(term, OTHER)
    start = text.index("softmax: not right yet (0 of 2)")
    lines = text[start:].splitlines()
    assert lines[1].startswith("  what happened   The answer is not right.")
    assert [line[2:16].strip() for line in lines[2:5]] == ["property", "likely mistake", "next step"]
    assert text.rfind("<pre", 0, start) > text.rfind("</pre>", 0, start)


def test_feedback_is_made_without_a_warning(term: Term) -> None:
    assert "WARNING" not in term.said["generate_feedback"]


def test_feedback_comes_back_to_the_student(term: Term) -> None:
    [page] = (term.home / "attention" / "feedback").rglob("attention.html")
    assert "softmax: right (2 of 2)" in page.read_text(encoding="utf-8")


def test_an_answer_is_worth_nothing_before_a_person_has_read_it(term: Term) -> None:
    assert "(Score: 6.0 / 12.0)" in feedback(term, ME)


def feedback(term: Term, student: str) -> str:
    return (term.course / "feedback" / student / "attention" / "attention.html").read_text(encoding="utf-8")
