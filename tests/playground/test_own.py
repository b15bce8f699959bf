"""The page on a student's own folder: his attention, reloaded when he saves, and his errors in plain words."""

import json
import socket
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from tests.playground.conftest import BLAMED, HELPERS, Student, Tab, ended_quietly

IT = "“it” reads “animal” most (97 %), then “street” (1 %)."
HANGS = "attention did not come back within 5 seconds. It hangs at this line: is there a loop without an end?"
AVERAGE = "return weights @ v, weights  # (..., n_q, n_k) @ (..., n_k, d_v)"
SCORES = "scores = scaled_scores(q, k)  # (..., n_q, n_k)"


def trouble(page: Page, sentence: str, line: str = "") -> None:
    """The page shows this sentence in place of a picture, and this line of the student's."""
    expect(page.locator("#trouble-sentence")).to_have_text(sentence)
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#map")).to_be_hidden()
    if line:
        expect(page.locator("#trouble-line")).to_have_text(line)


def test_the_folders_own_attention_is_shown_and_followed(own: Tab, student: Student) -> None:
    page = own.open().page
    expect(page.locator("#summary")).to_have_text(IT)
    expect(page.locator("#runs")).to_contain_text("Runs the attention of “ada”.")
    student.edit("attention", "/ np.sqrt(d_k)", "/ d_k")
    expect(page.locator("#summary")).to_contain_text("“it” reads “animal” most (32 %)")
    student.edit("attention", "/ d_k", "/ np.sqrt(d_k)")
    expect(page.locator("#summary")).to_have_text(IT)


def test_every_switch_reaches_the_students_function(own: Tab, student: Student) -> None:
    own.open(mask="causal", scaling="off", positions="on", heads=4, head=4)
    page = own.page
    expect(page.locator("#summary")).to_contain_text("“it” reads “because” most (100 %)")
    assert own.weights()[0][1:] == ["hidden"] * 9
    page.get_by_role("link", name="Two looks").click()
    expect(page.locator("#look-second-summary")).to_have_text("“it” is the animal: animal 98 %, street 2 %.")
    student.edit("attention", "scores = np.where(mask, scores, -np.inf)", "pass")
    page.get_by_role("link", name="One look").click()
    page.get_by_label("Later words").check()
    expect(page.locator("#odd")).to_contain_text("The mask hides word 2, “animal” from word 1, “The”")


def test_what_is_changed_while_attention_takes_its_time_is_shown_in_the_end(own: Tab, student: Student) -> None:
    student.edit("attention", SCORES, f"import time; time.sleep(0.5); {SCORES}")
    page = own.open(sentence="the dog", pick=1).page
    page.get_by_label("Type your own").fill("the dog sees the tired man and bites it")
    page.get_by_label("Later words").check()
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Nothing").check()
    page.evaluate("change({ pick: 9 })")
    page.set_viewport_size({"width": 400, "height": 800})
    expect(page.locator("#summary")).to_have_text("“it” reads “dog” and “man” most, 50 % each.")
    page.get_by_label("Type your own").fill("")
    expect(page.locator("#trouble-sentence")).to_contain_text("The sentence is empty")
    expect(page.locator("#trouble-next")).to_be_hidden()
    expect(page.locator("body.busy")).to_have_count(0)


def test_what_is_being_typed_is_not_undone(own: Tab) -> None:
    page = own.open(sentence="the dog").page
    page.evaluate(
        """() => {
            const field = document.getElementById("sentence");
            field.value = "the man bites it";
            field.dispatchEvent(new Event("input"));
            change({ mask: "causal" });
        }"""
    )
    expect(page.locator("#map tbody tr")).to_have_count(4)
    expect(page.get_by_label("Type your own")).to_have_value("the man bites it")


def test_a_late_answer_does_not_undo_a_later_one(own: Tab) -> None:
    page = own.open().page
    page.evaluate(
        """() => {
            const answers = [];
            window.fetch = () => new Promise((resolve) => answers.push(resolve));
            const picture = (sentence) => new Response(JSON.stringify({ trouble: { sentence, place: "", line: "" } }));
            update(true);
            update(true);
            answers[1](picture("new"));
            setTimeout(() => answers[0](picture("old")), 100);
            setTimeout(() => (document.title = "done"), 300);
        }"""
    )
    expect(page).to_have_title("done")
    expect(page.locator("#trouble-sentence")).to_have_text("new")


def test_a_softmax_over_the_wrong_axis_is_seen_and_said(own: Tab, student: Student) -> None:
    student.edit("attention", "weights = softmax(scores)", "weights = softmax(scores, axis=-2)")
    page = own.open().page
    expect(page.locator("#odd")).to_contain_text("The columns add up to 1, not the rows")
    expect(page.locator("#odd")).to_contain_text("Does the softmax run over the wrong axis?")
    columns = [sum(float(row[j]) for row in own.weights()) for j in range(10)]
    assert columns == pytest.approx([1] * 10, abs=0.06)
    student.edit("attention", "weights = softmax(scores, axis=-2)", "weights = softmax(scores)")
    expect(page.locator("#odd")).to_be_hidden()


def test_what_was_not_written_yet_is_waited_for(own: Tab, student: Student) -> None:
    student.edit("attention", SCORES, 'raise NotImplementedError("attention is not started")')
    page = own.page
    page.goto(own.address)
    trouble(
        page,
        f"attention.py, line {student.line_of('attention', 'raise NotImpl')}: attention is not started.",
    )
    expect(page.locator("#trouble")).to_contain_text("Change the file and save it: this page goes on by itself.")
    student.edit("attention", 'raise NotImplementedError("attention is not started")', SCORES)
    expect(page.locator("#summary")).to_have_text(IT)


@pytest.mark.parametrize(
    ("old", "new", "sentence", "line"),
    [
        (AVERAGE, "return weights @ values, weights",
         "attention.py, line {}: attention stopped with NameError: name 'values' is not defined",
         "return weights @ values, weights"),
        (AVERAGE, "return (weights @ v, weights",
         "attention.py, line {}: Python cannot read the file: '(' was never closed.", "return (weights @ v, weights"),
        (AVERAGE, "return weights",
         "attention must return two arrays, output and weights, and it returned one array of shape (10, 10).", ""),
        (AVERAGE, "pass",
         "attention must return two arrays, output and weights, and it returned None. Is a return missing?", ""),
        (AVERAGE, "return weights @ v, weights[:-1]",
         "The weights that attention returns must have shape (10, 10), and it has (9, 10).", ""),
        (AVERAGE, "return weights @ v, weights.tolist()",
         "The weights that attention returns must be an array of numbers, not a list.", ""),
        (AVERAGE, "return weights, v, weights",
         "attention must return two arrays, output and weights, and it returned 3 values.", ""),
        (AVERAGE, "while True: pass", f"attention.py, line {{}}: {HANGS}", "while True: pass"),
        (AVERAGE, "while np.sum(v) + 1: softmax(v)", f"attention.py, line {{}}: {HANGS}",
         "while np.sum(v) + 1: softmax(v)"),
        ("import numpy as np", "while True: import numpy as np",
         f"attention.py, line {{}}: {HANGS}", "while True: import numpy as np"),
        (AVERAGE, "import os; os._exit(3)", "attention ended the whole process (exit code 3).", ""),
        (AVERAGE, "raise SystemExit", "attention.py, line {}: attention stopped with SystemExit", "raise SystemExit"),
        (AVERAGE, "raise OSError(__file__)",
         "attention.py, line {}: attention stopped with OSError: attention.py", "raise OSError(__file__)"),
        ("def attention(q, k, v, mask=None):", "def attend(q, k, v, mask=None):",
         "attention.py has no function attention.", ""),
    ],
)  # fmt: skip
def test_an_error_is_told_in_plain_words(
    own: Tab, student: Student, old: str, new: str, sentence: str, line: str
) -> None:
    student.edit("attention", old, new)
    own.page.goto(own.address)
    trouble(own.page, sentence.format(student.line_of("attention", new)), line)
    student.edit("attention", new, old)
    expect(own.page.locator("#summary")).to_have_text(IT)
    expect(own.page.locator("#trouble")).to_be_hidden()


@pytest.mark.parametrize(("old", "new", "sentence", "named"), BLAMED)
def test_who_returned_what_nobody_can_use_is_named(
    own: Tab, student: Student, old: str, new: str, sentence: str, named: str
) -> None:
    student.edit("attention", old, new)
    student.add("attention", HELPERS)
    own.page.goto(own.address)
    place = f"attention.py, line {student.line_of('attention', named)}: "
    expect(own.page.locator("#trouble-sentence")).to_contain_text(place + sentence)
    expect(own.page.locator("#trouble-line")).to_contain_text(named)


def test_what_softmax_is_given_is_not_softmaxs_fault(own: Tab, student: Student) -> None:
    student.edit("attention", "weights = softmax(scores)", "weights = softmax(scores[0])")
    own.page.goto(own.address)
    trouble(own.page, "The output that attention returns must have shape (10, 8), and it has (8,).")


def test_a_hang_at_which_python_cannot_look_is_ended_all_the_same(own: Tab, student: Student) -> None:
    student.edit("attention", AVERAGE, "import itertools; sum(itertools.repeat(1))")
    own.page.goto(own.address)
    trouble(own.page, "attention did not come back within 10 seconds. Is there a loop without an end?")


def test_a_file_that_cannot_be_read_is_named(own: Tab, student: Student) -> None:
    page = own.page
    student.add("attention", "\0")
    page.goto(own.address)
    expect(page.locator("#trouble-sentence")).to_contain_text("Python cannot read")
    expect(page.locator("#trouble-sentence")).to_contain_text("null bytes.")
    (student.folder / "attention.py").write_text("", encoding="utf-8")
    trouble(page, "attention.py has no function attention.")
    notebook = student.folder / "attention.ipynb"
    notebook.write_text(json.dumps({"cells": []}), encoding="utf-8")
    (student.folder / "attention.py").unlink()
    trouble(
        page,
        "There is no attention.py in this folder. The code is read from there, not from attention.ipynb: "
        "save the notebook's cells as attention.py.",
    )
    notebook.unlink()
    student.add("attention", "raise ImportError\n")
    trouble(page, "attention.py, line 1: attention stopped with ImportError", "raise ImportError")


def test_what_the_student_prints_and_reads_is_not_in_the_way(own: Tab, student: Student) -> None:
    student.edit("attention", SCORES, f"print(q.shape, flush=True); import sys; assert not sys.stdin.read(); {SCORES}")
    expect(own.open().page.locator("#summary")).to_have_text(IT)


def test_numbers_that_are_none_are_shown_as_such(own: Tab, student: Student) -> None:
    student.edit("attention", "weights = softmax(scores)", "weights = softmax(scores) * np.nan")
    page = own.open().page
    expect(page.locator("#odd")).to_contain_text("There are numbers in the row of word 1, “The” that are infinite or")
    expect(page.locator("#summary")).to_have_text("The weights of “it” are not numbers.")
    assert own.weights()[7] == ["NaN"] * 10


def test_positions_are_the_folders_own_if_there_are_any(own: Tab, student: Student) -> None:
    page = own.open(positions="on", heads=4, head=4).page
    expect(page.locator("#summary")).to_contain_text("“it” reads “because” most (96 %)")
    expect(page.locator("#notes")).to_be_hidden()
    student.edit("positional_encoding", "    return pe\n", "    return 0 * pe\n")
    expect(page.locator("#summary")).to_contain_text("“it” reads all 10 words alike")
    student.edit("positional_encoding", "    return 0 * pe\n", "    return pe.T\n")
    expect(page.locator("#notes")).to_have_text(
        "Positions are the kit's own: sinusoidal_pe(10, 8) must return (10, 8) finite numbers."
    )
    expect(page.locator("#summary")).to_contain_text("“it” reads “because” most (96 %)")
    (student.folder / "positional_encoding.py").unlink()
    expect(page.locator("#notes")).to_have_text(
        "Positions are the kit's own: There is no positional_encoding.py in this folder."
    )


def test_a_page_whose_program_has_ended_says_so(own: Tab) -> None:
    page = own.open().page
    page.route("**/*", lambda route: route.abort())
    expect(page.locator("#runs")).to_contain_text("The program in the terminal has ended. Start it again")
    page.get_by_label("Later words").check()
    expect(page.locator("#trouble-sentence")).to_have_text(
        "The program in the terminal does not answer. Start it again."
    )
    page.unroute_all()
    expect(page.locator("#summary")).to_have_text("“it” reads “animal” most (97 %), then “street” (1 %).")
    own.complaints.clear()  # Chromium's own, about the requests that were stopped here


def test_without_its_page_or_its_port_the_program_says_what_to_do(student: Student, served: str) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "playground.py", *arguments]
        return subprocess.run(command, cwd=student.folder, capture_output=True, encoding="utf-8", check=False)

    port = int(served.rstrip("/").rpartition(":")[2])
    taken = run("--port", str(port))
    assert (taken.returncode, taken.stdout) == (2, "")
    assert taken.stderr.strip() == (
        f"Port {port} is in use, perhaps by another playground. "
        f"End that one, or choose another: --port {port + 1}"
    )  # fmt: skip
    beyond = run("--port", "65536")
    assert (beyond.returncode, beyond.stderr.strip()) == (2, "A port is a number from 0 to 65535.")
    with socket.socket() as elsewhere:
        elsewhere.bind(("127.0.0.1", 0))  # in use, though nobody listens
        port = elsewhere.getsockname()[1]
        assert f"Port {port} is in use" in run("--port", str(port)).stderr
    (student.folder / "playground.html").write_text("<p>", encoding="utf-8")
    damaged = run()
    assert (damaged.returncode, damaged.stderr.strip()) == (
        2, "playground.html is damaged: take it anew from the folder that you were given."
    )  # fmt: skip
    (student.folder / "playground.html").unlink()
    missing = run()
    assert (missing.returncode, missing.stderr.strip()) == (
        2, "playground.html is missing: take it anew from the folder that you were given."
    )  # fmt: skip


def test_without_numpy_the_program_says_how_to_get_it(student: Student) -> None:
    (student.folder / "numpy.py").write_text("raise ModuleNotFoundError('numpy')", encoding="utf-8")
    try:
        command = [sys.executable, "playground.py"]
        run = subprocess.run(command, cwd=student.folder, capture_output=True, encoding="utf-8", check=False)
    finally:
        (student.folder / "numpy.py").unlink()
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"NumPy is missing. Install it with: {sys.executable} -m pip install numpy\n"


def test_told_to_end_it_ends_quietly(student: Student) -> None:
    ended_quietly([sys.executable, "playground.py", "--port", "0"], student.folder, said="")
