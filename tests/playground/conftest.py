"""The static page, and the student's program on a folder that a test may edit."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

from grader.kit import SOLUTIONS
from grader.playground import bundle, page

LESSONS = ("attention", "positional_encoding")


@dataclass
class Tab:
    """A page in the browser, and all that it did on the way. ``address`` is where the playground is."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)

    def open(self, **settings: str | int) -> "Tab":
        """Go to the playground by a link with these settings, and wait for its picture."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#{urlencode(settings)}")
        expect(self.page.locator("body:not(.without)")).to_have_count(1)
        return self

    def weights(self) -> list[list[str]]:
        """The numbers of the table, as they are written."""
        return self.page.locator("#map tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))"
        )

    def settings(self) -> str:
        """The settings in the address."""
        return urlsplit(self.page.url).fragment

    def hosts(self) -> set[str]:
        """All that was asked for anything."""
        return {urlsplit(url).netloc for url in self.requests if not url.startswith(("data:", "about:"))}


@pytest.fixture(scope="session")
def static_address(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("website") / "playground.html"
    file.write_text(page(), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def static(browser: Browser, static_address: str) -> Iterator[Tab]:
    """The page by itself, as on a course's website. It asks for nothing but itself and complains of nothing."""
    yield from watched(browser, static_address, {""})


def watched(browser: Browser, address: str, hosts: set[str]) -> Iterator[Tab]:
    """A tab that may ask these hosts only, and has nothing to complain of."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = Tab(context.new_page(), address)
    yield tab
    context.close()
    assert tab.complaints == []
    assert tab.hosts() <= hosts


WEIGHTS = "return positive / np.maximum(total, 1)"
"""Where the reference's softmax returns."""
BLAMED = [  # an edit, the sentence about it, and the function that it names
    (WEIGHTS, "positive / np.maximum(total, 1)", "softmax returned None. Is a return missing?", "def softmax("),
    (WEIGHTS, "return highest",
     "softmax must return an array of shape (10, 10) here, and it returned one of shape (10, 1).", "def softmax("),
    (WEIGHTS, "return 1", "softmax must return an array, and it returned an int.", "def softmax("),
    (WEIGHTS, "return (positive / total).tolist()", "softmax must return an array, and it returned a list.",
     "def softmax("),
    ("weights = softmax(scores)", "show = print; weights = hide(softmax(scores)); show(end='')",
     "hide returned None. Is a return missing? After that, attention stopped with ValueError: matmul", "def hide("),
    ("weights = softmax(scores)", "note(scores); weights = softmax(scores) + mask",
     "attention stopped with TypeError: unsupported operand type(s) for +: 'float' and 'NoneType'",
     "note(scores); weights"),
]  # fmt: skip
HELPERS = "\n\ndef hide(scores):\n    scores + 1\n\n\ndef note(scores):\n    pass\n"


class Student:
    """A student's folder with the playground and what it uses of the lessons."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.begin()

    def begin(self) -> None:
        """Every file as it was at first."""
        for name, text in bundle().items():
            (self.folder / name).write_text(text, encoding="utf-8")
        for lesson in LESSONS:
            shutil.copy(SOLUTIONS / f"{lesson}.py", self.folder)

    def edit(self, lesson: str, old: str, new: str) -> None:
        file = self.folder / f"{lesson}.py"
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")

    def add(self, lesson: str, text: str) -> None:
        with (self.folder / f"{lesson}.py").open("a", encoding="utf-8") as file:
            file.write(text)

    def line_of(self, lesson: str, text: str) -> int:
        """The number of the line that holds this text."""
        before, found, _ = (self.folder / f"{lesson}.py").read_text(encoding="utf-8").partition(text)
        assert found
        return before.count("\n") + 1


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> Student:
    return Student(tmp_path_factory.mktemp("student") / "ada")


@pytest.fixture
def student(ada: Student) -> Student:
    """A student whose lessons are right until a test edits them."""
    ada.begin()
    return ada


def running(command: list[str], cwd: Path) -> Iterator[str]:
    """Run a command that serves the playground, and yield the address that it prints."""
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert found, line
    try:
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


REQUEST = {
    "words": ["dog"], "mask": "none", "scaling": True, "positions": False, "heads": 1, "looks": 1, "first": True
}  # fmt: skip


def ended_quietly(command: list[str], cwd: Path, said: str) -> None:
    """A playground that has drawn a picture and is told to end does so, having said no more than this on stderr."""
    process = subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True
    )
    assert process.stdout is not None
    found = re.search(r"http://(127\.0\.0\.1:\d+)/", process.stdout.readline())
    assert found
    connection = http.client.HTTPConnection(found[1], timeout=60)
    connection.request("POST", "/picture", json.dumps(REQUEST), {"Content-Type": "application/json"})
    assert b"heads" in connection.getresponse().read()
    os.killpg(process.pid, signal.SIGTERM)  # as a closed terminal does: to all that it has started
    out, errors = process.communicate(timeout=60)
    connection.close()
    assert (process.returncode, out.strip(), errors.strip()) == (0, "The playground has ended.", said)


@pytest.fixture(scope="module")
def served(ada: Student) -> Iterator[str]:
    """The address at which the student's own program serves the page, for all tests of a file: it follows the edits."""
    yield from running([sys.executable, "playground.py", "--port", "0"], ada.folder)


@pytest.fixture
def own(browser: Browser, student: Student, served: str) -> Iterator[Tab]:
    """The page on the student's own functions."""
    yield from watched(browser, served, {urlsplit(served).netloc})
