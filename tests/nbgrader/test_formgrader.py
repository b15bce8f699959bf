"""nbgrader's formgrader in a real browser: the list of submissions and a student's page show the marks."""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.nbgrader.conftest import Term

PICTURES = os.environ.get("PICTURES")
"""A folder for pictures of the pages, for people to look at."""


@dataclass(frozen=True)
class Formgrader:
    """A teacher's browser, and where the formgrader is."""

    page: Page
    address: str

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.address}/formgrader/{path}")
        return self.page

    def picture(self, name: str) -> None:
        if PICTURES:
            self.page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


@pytest.fixture(scope="module")
def formgrader(term: Term, browser: Browser) -> Iterator[Formgrader]:
    """A Jupyter server in the course's folder, seen in the browser."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token, address = secrets.token_hex(), f"http://127.0.0.1:{port}"
    options = ["--no-browser", "--allow-root", f"--ServerApp.port={port}", f"--IdentityProvider.token={token}"]
    options += ["--ServerApp.jpserver_extensions={'nbgrader.server_extensions.formgrader': True}"]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyter_server", *options],
        cwd=term.course,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"{address}/api?token={token}")
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.goto(f"{address}/api?token={token}")  # from now on the browser is known
        yield Formgrader(page, address)
        page.close()
    finally:
        server.terminate()
        server.wait()


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
    expect(page.locator("tbody tr")).to_have_count(2)
    formgrader.picture("submissions")
    scores = [page.locator("tbody tr").nth(i).locator("td").all_inner_texts()[2:6] for i in range(2)]
    assert sorted(scores) == [["4 / 12", "4 / 6", "0 / 0", "0 / 6"], ["6 / 12", "6 / 6", "0 / 0", "0 / 6"]]


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
