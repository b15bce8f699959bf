"""``grader playground``: the same page on a stranger's work, which runs in the sandbox."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from grader.playground import bundle
from grader.sandbox import best_rung
from tests.conftest import Run
from tests.playground.conftest import BLAMED, HELPERS, Student, Tab, ended_quietly, running, watched

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
         f"attention.py, line {line}: attention is not started."),
        ("raise NotImplementedError", "return weights @ values, weights",
         f"attention.py, line {line}: attention stopped with NameError: name 'values' is not defined"),
        ("return weights @ values, weights", "return (weights",
         f"attention.py, line {line}: Python cannot read the file: '(' was never closed."),
        ("return (weights", "return weights",
         "attention must return two arrays, output and weights, and it returned one array of shape (10, 10)."),
        ("return weights", "return weights @ v, print",
         "The weights that attention returns must be an array of numbers, not a builtin_function_or_method."),
        ("return weights @ v, print", "while True: pass",
         f"attention.py, line {line}: attention did not come back within 5 seconds. "
         "It hangs at this line: is there a loop without an end?"),
        ("while True: pass", "import os; os._exit(3)",
         "attention did not come back. The call ended the process (exit code 3)."),
        ("def attention(", "def attend(", "attention.py has no function attention."),
    ]  # fmt: skip
    for old, new, words in steps:
        student.edit("attention", old, new)
        expect(sentence).to_have_text(words)
    (student.folder / "attention.py").unlink()
    expect(sentence).to_have_text("There is no attention.py in this folder.")


def test_who_returned_what_nobody_can_use_is_named(strangers: Tab, student: Student) -> None:
    for old, new, sentence, named in BLAMED:
        student.begin()
        student.edit("attention", old, new)
        student.add("attention", HELPERS)
        strangers.page.goto(strangers.address)
        place = f"attention.py, line {student.line_of('attention', named)}: "
        expect(strangers.page.locator("#trouble-sentence")).to_contain_text(place + sentence)
        expect(strangers.page.locator("#trouble-line")).to_contain_text(named)


def test_a_loop_in_the_file_itself_is_told_with_its_line(strangers: Tab, student: Student) -> None:
    student.edit("attention", "import numpy as np", "import numpy as np\nn = 1\nwhile n: n += 1")
    line = student.line_of("attention", "while n:")
    strangers.page.goto(strangers.address)
    expect(strangers.page.locator("#trouble-sentence")).to_contain_text(f"attention.py, line {line}: attention did not")
    expect(strangers.page.locator("#trouble-line")).to_have_text("while n: n += 1")


def test_a_notebook_is_told_of_by_its_cells(strangers: Tab, student: Student) -> None:
    text = (student.folder / "attention.py").read_text(encoding="utf-8")
    file = student.folder / "attention.ipynb"
    (student.folder / "attention.py").unlink()
    first, start, rest = text.partition("def attention(")

    def save(*cells: str) -> None:
        made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
        file.write_text(json.dumps({"cells": made, "nbformat": 4, "metadata": {}}), encoding="utf-8")

    sentence = strangers.page.locator("#trouble-sentence")
    save(first, start + rest)
    expect(strangers.open().page.locator("#summary")).to_have_text(IT)
    save(first, f"1 / 0\n{start}{rest}")
    expect(sentence).to_have_text(
        "attention.ipynb, cell 2, line 1: attention stopped with ZeroDivisionError: division by zero"
    )
    save(first, start + rest.replace(AVERAGE, "while True: pass"))
    expect(sentence).to_contain_text("attention.ipynb, cell 2, line ")
    expect(sentence).to_contain_text("attention did not come back within 5 seconds. It hangs at this line")
    save(first)
    expect(sentence).to_have_text("attention.ipynb has no function attention.")


def test_a_forged_outcome_is_only_the_forgers_own(strangers: Tab, student: Student) -> None:
    instead = "attention did not come back. Something else was sent in its place."
    place = "<b>, line 1: attention did not come back within 5 seconds. It hangs at this line: is there a loop"
    nowhere = "attention did not come back within 5 seconds. Is there a loop without an end?"
    three = "attention must return two arrays, output and weights, and it returned 3 values."
    steps = [
        ("return 7", instead),
        ("return {'blamed': {'sentence': 'No.', 'file': 7, 'number': None, 'text': ''}}", "No."),
        ("return {'blamed': {'sentence': 7}}", instead),
        ("return {'value': [1, 2, 3]}", three),
        ("return sandboxed.hangs(7, {}, print)", instead),
        ("sandboxed.hangs(7, {}, 1)", nowhere),
        ("sandboxed.hangs('<b>', 1, 'x')", place),
    ]
    for forged, words in steps:
        student.begin()
        student.add("attention", f"\n\nimport playground, sandboxed\n\ndef forged(*_):\n    {forged}\n\n")
        student.add("attention", "playground.called = forged\n")
        strangers.page.goto(strangers.address)
        expect(strangers.page.locator("#trouble-sentence")).to_contain_text(words)
    student.begin()
    expect(strangers.page.locator("#summary")).to_have_text(IT)


def test_told_to_end_it_ends_quietly(student: Student, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grader", "playground", str(student.folder), "--port", "0"]
    ended_quietly(command, tmp_path, said=f"Sandbox: {best_rung().label}")


def test_bad_use_is_a_sentence(grader: Run, tmp_path: Path, student: Student) -> None:
    missing = grader("playground", tmp_path / "none", "--port", "0")
    assert missing.returncode == 2
    assert "none" in missing.stderr
    assert "Traceback" not in missing.stderr
    for address in running([sys.executable, "playground.py", "--port", "0"], student.folder):
        port = urlsplit(address).port
        taken = grader("playground", student.folder, "--port", str(port))
        assert taken.returncode == 2
        assert f"Port {port} is in use, perhaps by another playground." in taken.stderr
        assert f"--port {port + 1}" in taken.stderr
