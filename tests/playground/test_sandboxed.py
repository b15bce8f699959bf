"""``grader playground``: the same page on a stranger's work, which runs in the sandbox."""

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from grader.playground import bundle, load
from tests.conftest import Run
from tests.playground.conftest import Student, Tab, running, watched

IT = "“it” reads “animal” most (97 %), then “street” (1 %)."
AVERAGE = "return weights @ v, weights  # (..., n_q, n_k) @ (..., n_k, d_v)"


@pytest.fixture
def strangers(browser: Browser, student: Student, tmp_path: Path) -> Iterator[Tab]:
    """The page on a submission, as a teacher opens it. The playground's own files need not be there."""
    for name in bundle():
        (student.folder / name).unlink()
    command = [sys.executable, "-m", "grader", "playground", str(student.folder), "--port", "0"]
    for address in running(command, tmp_path):
        yield from watched(browser, address, {urlsplit(address).netloc})


def test_a_strangers_work_is_shown_and_followed(strangers: Tab, student: Student) -> None:
    page = strangers.open().page
    expect(page.locator("#summary")).to_have_text(IT)
    expect(page.locator("#runs")).to_contain_text("“ada”")
    student.edit("attention", "/ np.sqrt(d_k)", "/ d_k")
    expect(page.locator("#summary")).to_contain_text("“it” reads “animal” most (32 %)")
    expect(page.locator("#trouble")).to_be_hidden()


def test_a_strangers_errors_are_told_in_the_same_words(strangers: Tab, student: Student) -> None:
    page = strangers.open(positions="on").page
    sentence = page.locator("#trouble-sentence")
    line = student.line_of("attention", AVERAGE)
    steps = [
        (AVERAGE, "raise NotImplementedError",
         f"attention.py, line {line}: attention is not started. Write it and save: this page goes on by itself."),
        ("raise NotImplementedError", "return weights @ values, weights",
         f"attention.py, line {line}: attention stopped with NameError: name 'values' is not defined"),
        ("return weights @ values, weights", "return (weights",
         f"attention.py, line {line}: Python cannot read the file: '(' was never closed."),
        ("return (weights", "return weights",
         "attention must return two arrays, output and weights, and it returned one array of shape (10, 10)."),
        ("return weights", "return weights @ v, print",
         "The weights that attention returns must be an array of numbers, not a builtin_function_or_method."),
        ("return weights @ v, print", "while True: pass",
         "attention did not come back. The call did not end within 5 seconds."),
        ("while True: pass", "import os; os._exit(3)",
         "attention did not come back. The call ended the process (exit code 3)."),
        ("def attention(", "def attend(", "attention.py has no function attention."),
    ]  # fmt: skip
    for old, new, words in steps:
        student.edit("attention", old, new)
        expect(sentence).to_have_text(words)
    (student.folder / "attention.py").unlink()
    expect(sentence).to_have_text("There is no attention.py in this folder.")


def test_bad_use_is_a_sentence(grader: Run, tmp_path: Path, student: Student) -> None:
    missing = grader("playground", tmp_path / "none", "--port", "0")
    assert missing.returncode == 2
    assert "none" in missing.stderr
    assert "Traceback" not in missing.stderr
    for address in running([sys.executable, "playground.py", "--port", "0"], student.folder):
        port = urlsplit(address).port
        taken = grader("playground", student.folder, "--port", str(port))
        assert taken.returncode == 2
        assert load().taken(port) in taken.stderr
