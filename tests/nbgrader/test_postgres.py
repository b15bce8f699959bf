"""PostgreSQL as the gradebook: a server of its own on a temporary folder, and two graders at work at once."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.kit import SOLUTIONS
from tests.conftest import rows
from tests.nbgrader.notebooks import filled, nbgrader, outputs, read, write

FULL, BAD = 6.0, 4.0
STUDENTS = {f"{side}{number}": FULL if number % 2 else BAD for side in "ab" for number in range(2)}
"""Two halves of a class, and everybody's points."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a database on a server that ends with the tests. Root may not run one, so another user does."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = programs[-1] if programs else shutil.which("initdb")
    if found is None:
        if "CI" in os.environ:
            pytest.fail("PostgreSQL is not installed; .ci/run does that")
        pytest.skip("PostgreSQL is not installed")
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # pytest's own folders are closed to other users
    if user:
        shutil.chown(folder, user)

    def run(program: str, *arguments: str | Path) -> None:
        command = [Path(found).parent / program, *arguments]
        subprocess.run(command, cwd=folder, user=user, check=True, stdout=subprocess.DEVNULL)

    try:
        run("initdb", "--auth=trust", "--username=teacher", "--no-sync", "-D", folder / "data")
        options = f"-c listen_addresses='' -c fsync=off -k {folder}"
        run("pg_ctl", "-D", folder / "data", "-l", folder / "log", "-o", options, "-w", "start")
        try:
            run("createdb", "-h", folder, "-U", "teacher", "gradebook")
            yield f"postgresql+psycopg2://teacher@/gradebook?host={folder}"
        finally:
            run("pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def graded(server: str, released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class on that gradebook: half of it graded by one process, and all of it by another at the same time."""
    course = shutil.copytree(released, tmp_path_factory.mktemp("postgres") / "course")
    (course / "gradebook.db").unlink()
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(f"c.CourseDirectory.db_url = {server!r}\n")
    nbgrader(course, "generate_assignment", "attention", "--force")
    handout = read(course / "release" / "attention" / "attention.ipynb")
    module = (SOLUTIONS / "attention.py").read_text(encoding="utf-8")
    for student, points in STUDENTS.items():
        text = module if points == FULL else module.replace("x - highest", "x")
        write(filled(handout, text), course / "submitted" / student / "attention" / "attention.ipynb")
    students = ("a*", "*")
    with ThreadPoolExecutor(len(students)) as pool:
        list(pool.map(lambda some: nbgrader(course, "autograde", "attention", "--student", some), students))
    return course


def test_graders_at_work_at_once_lose_nothing(graded: Path) -> None:
    nbgrader(graded, "export")
    assert {row["student_id"]: float(row["score"]) for row in rows(graded / "grades.csv")} == STUDENTS
    assert not (graded / "gradebook.db").exists()
    for student, points in STUDENTS.items():
        notebook = read(graded / "autograded" / student / "attention" / "attention.ipynb")
        assert sum(float(number) for _, number in outputs(notebook).values()) == points


def test_feedback_shows_the_marks(graded: Path) -> None:
    nbgrader(graded, "generate_feedback", "attention")
    for student, points in STUDENTS.items():
        feedback = (graded / "feedback" / student / "attention" / "attention.html").read_text(encoding="utf-8")
        assert f"(Score: {points} / " in feedback
