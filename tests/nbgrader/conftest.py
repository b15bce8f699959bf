"""A course for nbgrader, made once; tests that change it copy it."""

import copy
import getpass
import hashlib
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.kit import SOLUTIONS
from grader.nbgrader_course import write_course
from tests.conftest import ROOT
from tests.nbgrader import careless, hostile
from tests.nbgrader.notebooks import Marks, Notebook, filled, marks, nbgrader, read, write

SAMPLE_CLASS = ROOT / "tests" / "sample_class"
COURSE_ID = "build-a-transformer-in-numpy"


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course of the kit, as ``grader course`` writes it, with the lesson on attention released."""
    course = tmp_path_factory.mktemp("nbgrader") / "course"
    write_course(course)
    nbgrader(course, "generate_assignment", "attention")
    return course


@pytest.fixture(scope="module")
def course(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of it for the tests of one file."""
    return shutil.copytree(released, tmp_path_factory.mktemp("copy") / "course")


@dataclass(frozen=True)
class Graded:
    """A class of careless and of hostile students, graded in one run, and what there was before it."""

    course: Path
    log: str
    marks: Marks
    digests: dict[str, str]
    schema: list[str]

    def notebook(self, student: str) -> Notebook:
        """A student's notebook as it was graded."""
        return read(self.course / "autograded" / student / "attention" / "attention.ipynb")

    def feedback(self, student: str) -> str:
        """What a student gets back."""
        return (self.course / "feedback" / student / "attention" / "attention.html").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def graded(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Every careless and every hostile submission in one class, through ``autograde`` and ``generate_feedback``."""
    course = shutil.copytree(released, tmp_path_factory.mktemp("graded") / "course")
    handout = read(course / "release" / "attention" / "attention.ipynb")
    right = filled(handout, (SOLUTIONS / "attention.py").read_text(encoding="utf-8"))
    for name, careless_case in careless.CASES.items():
        careless_case(copy.deepcopy(right), copy.deepcopy(handout), course / "submitted" / name / "attention")
    for name, (hostile_case, _) in hostile.CASES.items():
        folder = course / "submitted" / name / "attention"
        hostile_case(copy.deepcopy(right), copy.deepcopy(handout), folder, course)
    before, tables = digests(course), schema(course)
    log = nbgrader(course, "autograde", "attention").stderr
    nbgrader(course, "generate_feedback", "attention")
    return Graded(course, log, marks(course, "attention"), before, tables)


def digests(course: Path) -> dict[str, str]:
    """A digest of every file of the course that grading has no business to change."""
    kept = [file for file in course.iterdir() if file.is_file() and file.name != "gradebook.db"]
    for folder in ("source", "release", "submitted"):
        kept += [file for file in (course / folder).rglob("*") if file.is_file()]
    return {str(file.relative_to(course)): hashlib.sha256(file.read_bytes()).hexdigest() for file in kept}


def schema(course: Path) -> list[str]:
    """The gradebook's tables, indices, views and triggers."""
    with sqlite3.connect(course / "gradebook.db") as gradebook:
        return sorted(row[0] for row in gradebook.execute("SELECT coalesce(sql, name) FROM sqlite_master"))


@dataclass(frozen=True)
class Term:
    """A course from its release to the feedback that its students fetched, and what the commands said."""

    course: Path
    home: Path
    said: dict[str, str]
    exchange: list[str]


ME, OTHER = getpass.getuser(), "kavya"
"""Who hands in through the exchange, and who in another way; the one all right, the other with a wrong softmax."""


@pytest.fixture(scope="session")
def term(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Term:
    """A small class that goes through every command of nbgrader, with an exchange of its own."""
    place = tmp_path_factory.mktemp("term")
    course, home = shutil.copytree(released, place / "course"), place / "home"
    (place / "exchange").mkdir()
    (place / "exchange").chmod(0o777)
    home.mkdir()
    exchange = [f"--Exchange.root={place / 'exchange'}", f"--Exchange.cache={place / 'cache'}"]
    said = {"release_assignment": nbgrader(course, "release_assignment", "attention", *exchange).stderr}
    theirs = [*exchange, "--course", COURSE_ID]
    nbgrader(home, "fetch_assignment", "attention", *theirs)
    notebook = home / "attention" / "attention.ipynb"
    said["validate stubs"] = nbgrader(home, "validate", notebook).stdout
    handout = read(notebook)
    for student, module in {ME: SOLUTIONS, OTHER: SAMPLE_CLASS / OTHER}.items():
        work = filled(handout, (module / "attention.py").read_text(encoding="utf-8"))
        write(work, notebook if student == ME else course / "submitted" / student / "attention" / "attention.ipynb")
    said["validate"] = nbgrader(home, "validate", notebook).stdout
    wrong = course / "submitted" / OTHER / "attention"
    for file in set(notebook.parent.iterdir()) - {notebook}:
        shutil.copy(file, wrong)
    (wrong / "timestamp.txt").write_text("2030-01-01 12:00:00.000000 UTC", encoding="utf-8")
    (wrong / "submission_secret.txt").write_text("of the other", encoding="utf-8")
    said["validate wrong"] = nbgrader(wrong, "validate", "attention.ipynb").stdout
    nbgrader(home, "submit", "attention", *theirs)
    nbgrader(course, "collect", "attention", *exchange)
    said["autograde"] = nbgrader(course, "autograde", "attention").stderr
    said["generate_feedback"] = nbgrader(course, "generate_feedback", "attention").stderr
    nbgrader(course, "release_feedback", "attention", *exchange)
    nbgrader(home, "fetch_feedback", "attention", *theirs)
    nbgrader(course, "export")
    return Term(course, home, said, exchange)
