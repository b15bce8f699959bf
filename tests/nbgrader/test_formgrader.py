"""nbgrader's formgrader in a real browser: the list of submissions and a student's page show the marks."""

import copy
import os
import secrets
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.nbgrader.conftest import Term
from tests.nbgrader.hostile import CASES
from tests.nbgrader.notebooks import PNG, nbgrader, read, text, write

ATTACKER, DRAWER = "more_attacker", "more_drawer"
PICTURES = os.environ.get("PICTURES")
"""A folder for pictures of the pages, for people to look at."""


@dataclass(frozen=True)
class Formgrader:
    """A teacher's browser, where the formgrader is, and the course's folder."""

    page: Page
    address: str
    course: Path

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.address}/formgrader/{path}")
        return self.page

    def picture(self, name: str) -> None:
        if PICTURES:
            self.page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


@pytest.fixture(scope="module")
def formgrader(term: Term, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Formgrader]:
    """A Jupyter server in a course's folder, seen in the browser. An honest class has two more people in it."""
    course = shutil.copytree(term.course, tmp_path_factory.mktemp("formgrader") / "course")
    hand_in(course)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token, address = secrets.token_hex(), f"http://127.0.0.1:{port}"
    options = ["--no-browser", "--allow-root", f"--ServerApp.port={port}", f"--IdentityProvider.token={token}"]
    options += ["--ServerApp.jpserver_extensions={'nbgrader.server_extensions.formgrader': True}"]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyter_server", *options],
        cwd=course,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"{address}/api?token={token}")
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.goto(f"{address}/api?token={token}")  # from now on the browser is known
        yield Formgrader(page, address, course)
        page.close()
    finally:
        server.terminate()
        server.wait()


def hand_in(course: Path) -> None:
    """The work of one who attacks whoever looks at it, and of one with pictures, of which one is lost."""
    released = read(course / "release" / "attention" / "attention.ipynb")
    attack, _ = CASES["shows_scripts"]
    attack(copy.deepcopy(released), copy.deepcopy(released), course / "submitted" / ATTACKER / "attention", course)
    shown = text("![a](attachment:a.png) and ![b](attachment:b.png)")
    released["cells"].append({**shown, "attachments": {"a.png": {"image/png": PNG}}})
    write(released, course / "submitted" / DRAWER / "attention" / "attention.ipynb")
    nbgrader(course, "autograde", "attention", "--student", "more_*")


def wait_for(address: str) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address):
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"{address} does not answer")


def test_the_list_of_submissions_shows_the_marks(formgrader: Formgrader) -> None:
    page = formgrader.open("gradebook/attention/attention")
    expect(page.locator("tbody tr")).to_have_count(4)
    formgrader.picture("submissions")
    scores = [page.locator("tbody tr").nth(i).locator("td").all_inner_texts()[2:6] for i in range(4)]
    nothing = ["0 / 12", "0 / 6", "0 / 0", "0 / 6"]
    assert sorted(scores) == [
        nothing,
        nothing,
        ["4 / 12", "4 / 6", "0 / 0", "0 / 6"],
        ["6 / 12", "6 / 6", "0 / 0", "0 / 6"],
    ]


def test_a_students_page_shows_marks_feedback_and_mark_scheme(formgrader: Formgrader) -> None:
    page = formgrader.open("gradebook/attention/attention")
    row = page.locator("tbody tr").filter(has=page.get_by_text("4 / 12", exact=True))
    row.get_by_role("link", name="Submission").click()
    expect(page.get_by_text("softmax: not right yet (0 of 2)")).to_be_visible()
    expect(page.get_by_text("The largest score is taken slice by slice")).to_be_visible()
    expect(page.get_by_text("A third of the points for each").first).to_be_visible()
    boxes = page.locator("input.score")
    expect(boxes).to_have_count(5)
    for place, points in {0: "0", 1: "1", 3: "3"}.items():  # the others are questions, and wait for a person
        expect(boxes.nth(place)).to_have_attribute("placeholder", points)
    formgrader.picture("student")


def student(formgrader: Formgrader, name: str) -> Page:
    """The page of one student's work."""
    query = """
        SELECT submitted_notebook.id FROM submitted_notebook
        JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id WHERE student_id = ?
    """
    with sqlite3.connect(formgrader.course / "gradebook.db") as gradebook:
        [[submission]] = gradebook.execute(query, [name])
    return formgrader.open(f"submissions/{submission}/")


def test_no_text_of_a_student_acts_for_the_teacher(formgrader: Formgrader) -> None:
    requests: list[Request] = []

    def keep(request: Request) -> None:
        requests.append(request)

    formgrader.page.on("request", keep)
    page = student(formgrader, ATTACKER)
    expect(page.get_by_text("headers, body: JSON.stringify").first).to_be_visible()
    expect(page.locator("input.score")).to_have_count(5)
    expect(page.locator("input.score").nth(0)).to_have_attribute("placeholder", "0")  # its own scripts have run
    page.wait_for_load_state("networkidle")
    assert {request.method for request in requests} == {"GET"}
    assert not [request.url for request in requests if "logout" in request.url]
    assert page.locator("#notebook script, #notebook iframe, #notebook svg, #notebook style").count() == 0
    with sqlite3.connect(formgrader.course / "gradebook.db") as gradebook:
        [by_hand] = gradebook.execute("SELECT count(*) FROM grade WHERE manual_score IS NOT NULL OR extra_credit > 0")
    assert by_hand == (0,)


def test_pictures_in_answers_are_shown(formgrader: Formgrader) -> None:
    page = student(formgrader, DRAWER)
    assert page.get_by_role("img", name="a", exact=True).evaluate("picture => picture.naturalWidth") == 1
    expect(page.get_by_text("A text cell shows a picture that is not in the notebook")).to_be_visible()
    formgrader.picture("pictures")
