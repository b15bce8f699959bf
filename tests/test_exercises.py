"""The students' folder as a student sees it: pytest's words on stubs, right, wrong and broken work, and the hints."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from grader.contract import lesson_functions
from grader.kit import COURSE, SOLUTIONS

EXERCISES = SOLUTIONS.parent / "exercises"
LESSONS = tuple(tomllib.loads(COURSE.read_text(encoding="utf-8"))["lessons"])
ASKED = [function for lesson in LESSONS for function in lesson_functions(lesson)]
EVERYTHING = [(function.lesson, function.name) for function in ASKED]
FUNCTIONS = [(function.lesson, function.name) for function in ASKED if not function.is_constant]

# Students do not have the grader: neither its pytest plugin nor the package.
RUN = """
import sys

class NoGrader:
    def find_spec(self, name, *rest):
        if name.partition(".")[0] == "grader":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, NoGrader())
import pytest
sys.exit(pytest.main(["-p", "no:grader", *sys.argv[1:]]))
"""

LAYOUT = """\
  called     softmax(x)
               x = [[0.      , 1.098612],
                    [0.      , 0.      ]]
  got        [[0.1, 0.3],
              [0.3, 0.3]]
  expected   [[0.25, 0.75],
              [0.5 , 0.5 ]]
  property   Without an axis, every row adds up to 1.
  next step  pytest --hint softmax
"""

QUESTION = """\
  called     T5
  got        decoder
  expected   "encoder", "decoder" or "both", but not this
  property   Of which blocks is T5 made?
  next step  pytest --hint T5
"""


class Student:
    """A copy of the exercises that somebody works in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(EXERCISES, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache", ".hypothesis"))

    def solve(self) -> None:
        """Put the reference's lessons in place of the stubs."""
        for lesson in LESSONS:
            shutil.copy(SOLUTIONS / f"{lesson}.py", self.folder)

    def edit(self, lesson: str, old: str, new: str) -> None:
        """Change a lesson's file."""
        file = self.folder / f"{lesson}.py"
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the folder."""
        settings = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**settings, "PYTHONUTF8": "1"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def pytest(self, *arguments: str) -> tuple[int, str]:
        """Run pytest in the folder: its exit code and everything that it says."""
        done = self.run("-c", RUN, *arguments)
        assert not done.stderr
        return done.returncode, done.stdout


def scoreboard(output: str) -> dict[str, str]:
    """The state of each function, from the lines at the end."""
    names = "|".join(name for _, name in EVERYTHING)
    return dict(re.findall(rf"^({names}) {{2,}}(.+)$", output, flags=re.MULTILINE))


@pytest.fixture
def student(tmp_path: Path) -> Student:
    return Student(tmp_path / "exercises")


def test_stubs_are_not_started(student: Student) -> None:
    code, output = student.pytest()
    assert code == 1
    assert scoreboard(output) == {name: "not started" for _, name in EVERYTHING}
    assert "Traceback" not in output
    assert "NotImplementedError" not in output
    assert len(output.splitlines()) < len(EVERYTHING) + 14
    assert "next: softmax in attention.py (a hint: pytest --hint softmax)" in output


def test_right_work_passes(student: Student) -> None:
    student.solve()
    code, output = student.pytest()
    assert code == 0
    assert scoreboard(output) == {name: "passed" for _, name in EVERYTHING}
    assert "next:" not in output


@pytest.mark.parametrize(("lesson", "name"), FUNCTIONS)
def test_no_function_passes_without_its_answer(student: Student, lesson: str, name: str) -> None:
    student.solve()
    file = student.folder / f"{lesson}.py"
    head, _, tail = file.read_text(encoding="utf-8").partition(f"def {name}(")
    emptied = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "pass", tail, count=1, flags=re.DOTALL)
    file.write_text(f"{head}def {name}({emptied}", encoding="utf-8")
    code, output = student.pytest(f"test_{lesson}.py")
    assert code == 1
    assert scoreboard(output)[name].startswith("0 of")
    assert "It returned None: is a return missing?" in output


def test_a_wrong_answer_to_a_question_is_told_in_the_same_layout(student: Student) -> None:
    student.solve()
    student.edit("self_check", 'T5 = "both"', 'T5 = "decoder"')
    student.edit("self_check", 'BERT = "encoder"', "BERT = 3")
    student.edit("self_check", 'GPT = "decoder"', 'gpt = "decoder"')
    _, output = student.pytest("test_self_check.py")
    assert QUESTION in output
    assert '  property   The answer must be "encoder", "decoder" or "both".' in output
    assert "both" not in output.replace('"encoder", "decoder" or "both"', "")
    assert scoreboard(output)["T5"] == "wrong"
    assert scoreboard(output)["GPT"] == "not defined: self_check.py has no GPT"
    said = student.run("self_check.py").stdout
    assert said.startswith("12 of 12 questions are answered:")


def test_a_wrong_answer_is_told_in_one_layout(student: Student) -> None:
    student.solve()
    student.edit("attention", "return positive / np.maximum(total, 1)", "return positive / np.sum(positive)")
    code, output = student.pytest()
    assert code == 1
    assert "softmax: test_softmax_works_along_the_last_axis (test_attention.py:" in output
    assert LAYOUT in output
    assert re.fullmatch(r"\d+ of \d+ tests", scoreboard(output)["softmax"])
    assert scoreboard(output)["attention"].endswith("(it calls softmax: mend that first)")
    assert scoreboard(output)["scaled_scores"] == "passed"
    assert "site-packages" not in output
    assert "conftest" not in output


def test_an_exception_comes_with_the_students_own_lines_last(student: Student) -> None:
    student.solve()
    student.edit("masking", "position = np.arange(n)", "position = np.arange(n).reshape(7, 7)")
    _, output = student.pytest("test_masking.py")
    labels = re.findall(r"^  (called|got|expected|property|next step|your code)  ", output, flags=re.MULTILINE)
    assert labels == ["called", "got", "expected", "property", "next step", "your code"]
    assert "got        ValueError: cannot reshape array of size 4 into shape (7,7)" in output
    assert re.search(r"your code  masking\.py:\d+  position = np\.arange\(n\)\.reshape\(7, 7\)", output)
    assert "conftest" not in output


def test_an_answer_of_another_form_is_told_in_a_sentence(student: Student) -> None:
    student.solve()
    student.edit("attention", "return weights @ v, weights", "return weights @ v")
    student.edit("masking", "return np.arange(n) < lengths", "return (np.arange(n) < lengths).tolist()")
    student.edit("masking", "return visible", "return visible * 1")
    student.edit("masking", "<= position[:, None]", "<= position[None, :]")
    _, output = student.pytest()
    assert "attention must return two arrays: output, weights." in output
    assert "The answer must be a NumPy array, and this is a list." in output
    assert "The array must hold True and False, and this one holds int64." in output
    assert "The shape must be (4, 4), and this is (1, 4)." in output


def test_every_failure_is_shown_with_v(student: Student) -> None:
    student.solve()
    student.edit("masking", "position[None, :] <=", "position[None, :] <")
    _, short = student.pytest("test_masking.py")
    _, full = student.pytest("test_masking.py", "-v")
    assert short.count("  property ") == 1
    assert "2 more of its tests fail too: pytest -v shows each" in short
    assert full.count("  property ") == 3


def test_a_syntax_error_costs_only_its_own_lesson(student: Student) -> None:
    student.solve()
    student.edit("attention", "scores = scaled_scores(q, k)", "scores = = scaled_scores(q, k)")
    line = (student.folder / "attention.py").read_text(encoding="utf-8").partition("= =")[0].count("\n") + 1
    code, output = student.pytest()
    assert code == 1
    states = scoreboard(output)
    needs_it = ("attention", "transformer")
    for lesson, name in EVERYTHING:
        expected = f"cannot be loaded: attention.py, line {line}: invalid syntax" if lesson in needs_it else "passed"
        assert states[name] == expected
    assert "Traceback" not in output


def test_a_file_that_raises_or_is_missing(student: Student) -> None:
    student.edit("attention", "import numpy as np\n", "import numpy as np\n\nundefined\n")
    (student.folder / "masking.py").unlink()
    _, output = student.pytest()
    assert re.search(
        r"softmax +cannot be loaded: attention\.py, line \d+: NameError: name 'undefined' is not defined", output
    )
    assert scoreboard(output)["causal_mask"] == "cannot be loaded: there is no file masking.py"


def test_a_missing_function_costs_only_what_needs_it(student: Student) -> None:
    student.solve()
    student.edit("attention", "def softmax(", "def soft_max(")
    code, output = student.pytest()
    assert code == 1
    states = scoreboard(output)
    assert states["softmax"] == "not defined: attention.py has no function softmax(x, axis=-1)"
    assert states["scaled_scores"] == "passed"
    assert states["attention"] == "needs softmax first"
    assert states["causal_mask"] == "passed"


def test_a_wrong_signature_costs_only_the_calls_that_it_does_not_allow(student: Student) -> None:
    student.solve()
    student.edit("attention", "def softmax(x, axis=-1):", "def softmax(x):\n    axis = -1")
    _, output = student.pytest("test_attention.py")
    assert "  got        def softmax(x)\n  expected   def softmax(x, axis=-1)\n" in output
    assert "Its first line does not allow the call: got an unexpected keyword argument 'axis'." in output
    assert scoreboard(output)["softmax"] == "10 of 11 tests"
    assert scoreboard(output)["attention"] == "passed"


def test_a_function_whose_helper_is_not_started_needs_that_first(student: Student) -> None:
    student.solve()
    student.edit(
        "attention", "x = np.asarray(x, dtype=float)", "raise NotImplementedError\n    x = np.asarray(x, dtype=float)"
    )
    _, output = student.pytest("test_attention.py")
    assert scoreboard(output) == {
        "softmax": "not started",
        "scaled_scores": "passed",
        "attention": "needs softmax first",
    }


def test_three_hints_without_running_a_test(student: Student) -> None:
    texts = []
    for step in ("", ":2", ":3"):
        code, output = student.pytest("--hint", f"padding_mask{step}")
        assert code == 0
        assert "tests" not in output
        texts.append(output)
    assert "If you need more: pytest --hint padding_mask:2" in texts[0]
    assert "If you need more: pytest --hint padding_mask:3" in texts[1]
    assert "This is the last hint." in texts[2]
    assert len(set(texts)) == 3


@pytest.mark.parametrize("wanted", ["atention", "softmax:4"])
def test_a_hint_that_does_not_exist_lists_those_that_do(student: Student, wanted: str) -> None:
    done = student.run("-c", RUN, "--hint", wanted)
    assert done.returncode != 0
    assert all(name in done.stdout for _, name in EVERYTHING)
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_also_a_script(student: Student, lesson: str) -> None:
    unfinished = student.run(f"{lesson}.py")
    assert unfinished.stdout.startswith("Nothing to show yet: ")
    assert unfinished.returncode == 0
    student.solve()
    finished = student.run(f"{lesson}.py")
    assert len(finished.stdout.splitlines()) > 5
    assert not finished.stderr


def test_it_listens_to_the_animal(student: Student) -> None:
    student.solve()
    assert "animal   0.977" in student.run("attention.py").stdout


def test_nothing_in_the_folder_needs_more_than_the_students_packages(student: Student) -> None:
    allowed = {"numpy", "pytest", "hypothesis", "matplotlib", "checking", "reading", *LESSONS, *sys.stdlib_module_names}
    for file in student.folder.glob("*.py"):
        imported = re.findall(r"^\s*(?:import|from) (\w+)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert set(imported) <= allowed, file.name
