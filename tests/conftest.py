"""What several tests share: places, small submissions, and a browser."""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from xdist.scheduler import LoadFileScheduling

from grader.kit import COURSE, SOLUTIONS
from grader.sandbox import Rung, why_not

ROOT = Path(__file__).resolve().parent.parent
Run = Callable[..., subprocess.CompletedProcess[str]]

SHARING = {
    "nbgrader/test_formgrader.py": "nbgrader/test_commands.py",
    "nbgrader/test_mending.py": "nbgrader/test_hostile.py",
}
"""Files of tests on a class that another file's tests are on too."""

LONGEST = ("test_cases.py", "test_run.py")

expect.set_options(timeout=60_000)


class _ByFile(LoadFileScheduling):
    """Lets one process run all tests of a file, and of files that share what takes long to make."""

    def _split_scope(self, nodeid: str) -> str:
        scope = super()._split_scope(nodeid)
        for file, other in SHARING.items():
            scope = scope.replace(file, other)
        return scope


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no process is left alone with one at the end."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _ByFile:
    """How the tests are shared out among processes."""
    return _ByFile(config, log)


CONFINED = (Rung.BUBBLEWRAP, Rung.LANDLOCK)
"""The rungs that are a sandbox."""


def require(rung: Rung) -> None:
    """Skip the test with the reason where a rung does not work; in CI fail, if it is a sandbox."""
    if reason := why_not(rung):
        missing = f"{rung.value} does not work here: {reason}"
        if os.environ.get("CI") and rung in CONFINED:
            pytest.fail(missing)
        pytest.skip(missing)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's own Chromium, one for a process (Playwright runs once in each). None is ever downloaded.

    Without the frame of a window, as which there is a program of its own, a page takes a third of the time.
    """
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        needed = "what a browser shows is tested in Chromium; on Debian: apt install chromium"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(needed)
    switches = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=switches)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course of two lessons, quick to grade, for what is the same in any course."""
    course = tmp_path_factory.mktemp("course") / "course.toml"
    two, _, _ = COURSE.read_text(encoding="utf-8").partition("[lessons.positional_encoding]")
    course.write_text(two, encoding="utf-8")
    return course


@pytest.fixture
def solved(tmp_path: Path) -> Path:
    """A submission with the reference's modules of these two lessons."""
    folder = tmp_path / "class" / "solved"
    folder.mkdir(parents=True)
    for lesson in ("attention", "masking"):
        shutil.copy(SOLUTIONS / f"{lesson}.py", folder)
    return folder


@pytest.fixture
def grader() -> Run:
    """Run the command ``grader`` as a user would, away from the checkout."""

    def run(*args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "grader", *map(str, args)]
        wide = {**os.environ, "COLUMNS": "200"}
        return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=cwd, env=wide, check=False)

    return run


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text that stands in a file exactly once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")
