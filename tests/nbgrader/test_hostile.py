"""What is after points, the gradebook, the course or the other students gets nothing, and stops nobody's grading."""

import sqlite3
from html.parser import HTMLParser

import pytest

from tests.nbgrader.careless import FILE
from tests.nbgrader.conftest import Graded, digests, schema
from tests.nbgrader.hostile import CASES, HARM
from tests.nbgrader.notebooks import outputs
from tests.nbgrader.test_mending import FULL


def known(student: str) -> str:
    """The name under which nbgrader knows a student."""
    return student.replace("\n", r"\n")


@pytest.mark.parametrize(("student", "right"), [(known(name), right) for name, (_, right) in CASES.items()])
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
            text = file.read_text(encoding="utf-8", errors="replace")
            assert secret not in text, file
            assert "BEGIN HIDDEN TESTS\n" not in text.replace("### BEGIN HIDDEN TESTS'", ""), file
    printed, _ = outputs(graded.notebook("reads_the_course"))["softmax"]
    assert "ValueError" in printed
    assert "STOLEN" not in printed


LAYOUT = {"body", "br", "code", "del", "div", "em", "hr", "img", "input", "main", "p", "pre", "span", "strong"}
PARTS = {"a", "b", "blockquote", "dd", "dl", "dt", "h1", "h2", "h4", "li", "ol", "u", "ul"}
TABLES = {"table", "tbody", "td", "th", "thead", "tr"}
"""What nbgrader's page and Markdown are made of."""


class Tags(HTMLParser):
    """The tags of a page, each with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_comment(self, data: str) -> None:
        self.found.append(("!", {}))

    handle_decl = handle_pi = unknown_decl = handle_comment


def test_no_text_of_a_student_does_anything_in_a_page(graded: Graded) -> None:
    _, _, cells = graded.feedback("shows_scripts").partition('id="notebook-container"')
    page = Tags()
    page.feed(cells)
    page.close()
    assert cells.count("alert(1)") > len(HARM)  # it is all there to read
    assert {tag for tag, _ in page.found} <= LAYOUT | PARTS | TABLES
    for tag, attributes in page.found:
        assert set(attributes) <= {"alt", "class", "disabled", "href", "id", "name", "src", "tabindex", "title", "type"}
        assert attributes.get("href", "#").startswith(("#", "http://localhost/", "https://")), attributes
        assert attributes.get("src", "x.png") == "x.png", attributes
        assert tag != "input" or "disabled" in attributes
    ids = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert not {"explain_scaling", "softmax-comment"} & set(ids)
    assert "mermaid" not in [attributes.get("class") for _, attributes in page.found]


def test_folders_that_hold_no_notebook_are_told(graded: Graded) -> None:
    assert "no_file, attention: There is no attention.ipynb; there is nothing." in graded.log
    assert "other_file, attention: There is no attention.ipynb; there is attention.json." in graded.log


def test_everybody_was_graded(graded: Graded) -> None:
    students = {known(folder.name) for folder in (graded.course / "submitted").iterdir()}
    assert {folder.name for folder in (graded.course / "autograded").iterdir()} == students
    assert "hook failed" not in graded.log  # nbgrader goes on without it
    assert "Traceback" not in graded.log
    assert (graded.course / "autograded" / "renamed" / "attention" / FILE).is_file()
