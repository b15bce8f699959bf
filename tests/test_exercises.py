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
runs = [[]]
for argument in sys.argv[1:]:
    runs.append([]) if argument == "then" else runs[-1].append(argument)
for arguments in runs:
    code = pytest.main(["-p", "no:grader", *arguments])
sys.exit(code)
"""

# Each lesson as a script, all in one process.
SCRIPTS = """
import runpy, sys
for lesson in sys.argv[1:]:
    print(f"== {lesson}")
    runpy.run_path(f"{lesson}.py", run_name="__main__")
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
        """Run pytest in the folder, once or, after "then", again: the last exit code and everything that it says."""
        done = self.run("-c", RUN, *arguments)
        assert not done.stderr
        return done.returncode, done.stdout


def scoreboard(output: str) -> dict[str, str]:
    """The state of each function, from the lines at the end."""
    names = "|".join(name for _, name in EVERYTHING)
    return dict(re.findall(rf"^({names}) {{2,}}(.+)$", output, flags=re.MULTILINE))


def failure(output: str, test: str) -> str:
    """What is said of one test that failed."""
    return output.partition(f": {test} ")[2].partition("\n\n")[0]


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


def test_no_function_passes_without_its_answer(student: Student) -> None:
    """All are emptied at once: no test asks for more than one, so that each fails for want of its own answer."""
    student.solve()
    for lesson in LESSONS:
        file = student.folder / f"{lesson}.py"
        functions = re.sub(
            r"    ### BEGIN SOLUTION.*?### END SOLUTION", "    pass", file.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        file.write_text(functions, encoding="utf-8")
        tests = (student.folder / f"test_{lesson}.py").read_text(encoding="utf-8")
        for arguments in re.findall(r"^def test_\w+\((.*)\):", tests, flags=re.MULTILINE):
            assert len({name for _, name in EVERYTHING} & set(arguments.split(", "))) == 1
    code, output = student.pytest("-v")
    states = scoreboard(output)
    assert code == 1
    for _, name in FUNCTIONS:
        assert re.fullmatch(r"0 of \d+ tests.*", states[name])
    tests = sum(int(states[name].split()[2]) for _, name in FUNCTIONS)
    assert output.count("It returned None: is a return missing?") == tests


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
    assert said.startswith("12 of 13 questions are answered:")
    assert "Still to answer: GPT." in said


def test_a_wrong_answer_is_told_in_one_layout(student: Student) -> None:
    student.solve()
    student.edit("attention", "return positive / np.maximum(total, 1)", "return positive / np.sum(positive)")
    code, output = student.pytest("test_attention.py")
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
    _, output = student.pytest("test_attention.py", "test_masking.py")
    assert "attention must return two arrays: output, weights." in output
    assert "The answer must be a NumPy array, and this is a list." in output
    assert "The array must hold True and False, and this one holds int64." in output
    assert "The shape must be (4, 4), and this is (1, 4)." in output


def test_every_failure_is_shown_with_v(student: Student) -> None:
    student.solve()
    student.edit("masking", "position[None, :] <=", "position[None, :] <")
    _, output = student.pytest("test_masking.py", "then", "test_masking.py", "-v")
    short, _, full = output.partition("next: ")
    assert short.count("  property ") == 1
    assert "2 more of its tests fail too: pytest -v shows each" in short
    assert full.count("  property ") == 3


def test_a_syntax_error_costs_only_its_own_lesson(student: Student) -> None:
    student.solve()
    student.edit("attention", "scores = scaled_scores(q, k)", "scores = = scaled_scores(q, k)")
    line = (student.folder / "attention.py").read_text(encoding="utf-8").partition("= =")[0].count("\n") + 1
    code, output = student.pytest("test_attention.py", "test_masking.py", "test_transformer.py")
    assert code == 1
    states = scoreboard(output)
    needs_it = ("attention", "transformer")
    for lesson, name in [(lesson, name) for lesson, name in EVERYTHING if name in states]:
        expected = f"cannot be loaded: attention.py, line {line}: invalid syntax" if lesson in needs_it else "passed"
        assert states[name] == expected
    assert "Traceback" not in output


def test_a_file_that_raises_or_is_missing(student: Student) -> None:
    student.edit("attention", "import numpy as np\n", "import numpy as np\n\nundefined\n")
    (student.folder / "masking.py").unlink()
    _, output = student.pytest("test_attention.py", "test_masking.py")
    assert re.search(
        r"softmax +cannot be loaded: attention\.py, line \d+: NameError: name 'undefined' is not defined", output
    )
    assert scoreboard(output)["causal_mask"] == "cannot be loaded: there is no file masking.py"


def test_a_missing_function_costs_only_what_needs_it(student: Student) -> None:
    student.solve()
    student.edit("attention", "def softmax(", "def soft_max(")
    code, output = student.pytest("test_attention.py", "test_masking.py")
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


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest -v says of many mistakes at once, each in a function of its own."""
    student = Student(tmp_path_factory.mktemp("mistakes") / "exercises")
    student.solve()
    cached = "@__import__('functools').cache\n"
    student.edit("masking", "def causal_mask(n):", f"{cached}def causal_mask(n):\n    causal_mask")
    student.edit("masking", "<= position[:, None]", "< position[:, None]")
    student.edit("masking", "return np.arange(n) < lengths", "return (np.arange(n) < lengths) + 0j")
    student.edit("masking", "return visible", "return type('Odd', (), {'__repr__': lambda self: 1 / 0})()")
    student.edit("positional_encoding", "raise ValueError(f", "raise NotImplementedError(f")
    student.edit(
        "positional_encoding", "angle = np.arange(n)[:, None]", "angle = (1 + (n > 6)) * np.arange(n)[:, None]"
    )
    student.edit("positional_encoding", "    return pe\n", "    return np.empty((0, 6)) if (n, d) == (0, 4) else pe\n")
    student.edit("positional_encoding", "return rotation", "return rotation.view(np.matrix)")
    student.edit("positional_encoding", "return float(np.sum(np.cos(k * frequency)))", "return str(d / 2)")
    student.edit("transformer", "raise ValueError(f", "raise KeyError(f")
    student.edit("transformer", "    *batch, n_heads, n, width = x.shape", "    assert not merge_heads")
    student.edit("transformer", "heads, _ = attention(", "scaled_scores(q, k)\n    heads, _ = attention(")
    student.edit("transformer", "return centred / np.sqrt(", "return 3e-10 + centred / np.sqrt(")
    student.edit("transformer", "    hidden = np", "    params['b_2'][0] = 7\n    x += 1\n    hidden = np")
    student.edit("counters", "def attention_flops(", f"{cached}def attention_flops(")
    student.edit("counters", "\n# ## The blocks and the model", "\nlayer_norm_params = max")
    tests = [f"test_{lesson}.py" for lesson in ("masking", "positional_encoding", "transformer", "counters")]
    return student.pytest("-v", *tests)[1]


def test_called_is_the_call_behind_what_is_shown(mistakes: str) -> None:
    assert "called     sinusoidal_pe(n=7, d=6)\n" in failure(mistakes, "test_sinusoidal_pe_of_a_longer_text")
    average = failure(mistakes, "test_layer_norm_brings_mean_0_and_variance_1")
    assert "got        the mean of each token:\n             [[3" in average


def test_a_call_is_written_as_it_was_made(mistakes: str) -> None:
    assert "called     multi_head_attention(x, params, n_heads, memory=memory)\n" in mistakes
    assert "called     combine_masks(*masks)\n" in mistakes


def test_any_callable_is_a_function(mistakes: str) -> None:
    states = scoreboard(mistakes)
    assert states["causal_mask"] == "0 of 3 tests"
    assert states["attention_flops"] == "passed"
    assert states["layer_norm_params"] == "0 of 3 tests"
    assert "called     layer_norm_params(*arguments)\n" in mistakes
    assert "got        TypeError: 'int' object is not iterable\n" in failure(mistakes, "test_layer_norm_params_by_hand")


def test_a_function_of_another_lesson_that_is_not_imported(mistakes: str) -> None:
    assert "got        NameError: name 'scaled_scores' is not defined (it is in attention.py: import it)" in mistakes
    assert scoreboard(mistakes)["multi_head_attention"].startswith("0 of")


def test_a_small_difference_shows(mistakes: str) -> None:
    by_hand = failure(mistakes, "test_layer_norm_by_hand")
    assert re.search(r"got        \[\[-0\.999999999\d*, +1\.000000000\d+\]\]\n", by_hand)
    assert "(float64; the largest difference is 3e-10)" in by_hand
    assert "x=[[1.00000001e+08, 1.00000003e+08]]" in failure(mistakes, "test_layer_norm_far_from_zero")


def test_a_changed_argument_is_told_first(mistakes: str) -> None:
    assert scoreboard(mistakes)["feed_forward"] == "0 of 5 tests"
    changed = failure(mistakes, "test_feed_forward_cuts_off_what_is_negative")
    assert "got        x after the call:\n             [[ 2., -1.]]\n  expected   [[ 1., -2.]]\n" in changed
    assert "property   It changed its argument x." in changed


def test_a_case_that_is_not_started_is_a_failure_where_others_are(mistakes: str) -> None:
    odd = failure(mistakes, "test_sinusoidal_pe_of_an_odd_number_of_features")
    assert "got        NotImplementedError: every sine needs its cosine, and 5 is odd\n" in odd


def test_another_exception_than_the_one_expected_is_named(mistakes: str) -> None:
    refused = failure(mistakes, "test_split_heads_that_cannot_share")
    assert "got        KeyError: '2 heads cannot share 3 features equally'\n  expected   ValueError\n" in refused
    assert "your code  transformer.py:" in refused
    # pytest may add the words of the assert, if it rewrites the file that it stands in.
    by_hand = failure(mistakes, "test_merge_heads_by_hand")
    assert re.search(r"got        AssertionError(: assert not merge_heads)?\n", by_hand)


def test_odd_answers_are_shown_all_the_same(mistakes: str) -> None:
    assert "INTERNALERROR" not in mistakes
    assert "got        an answer of type Odd that cannot be printed" in mistakes
    assert "The array must hold True and False, and this one holds complex128." in mistakes
    assert "The answer must be a NumPy array, and this is a matrix." in mistakes
    assert "The answer must be one number, a float, and this is a str." in mistakes
    none = failure(mistakes, "test_sinusoidal_pe_of_no_positions")
    assert "got        [] of shape (0, 6)\n  expected   [] of shape (0, 4)\n" in none


def test_an_interrupt_names_the_students_own_line(student: Student) -> None:
    student.solve()
    student.edit("recurrence", "    for x in inputs:", "    while True:\n        raise KeyboardInterrupt")
    _, output = student.pytest("test_recurrence.py", "-k", "alone")
    assert re.search(
        r"^Stopped in rnn_states: recurrence\.py:\d+  raise KeyboardInterrupt$", output, flags=re.MULTILINE
    )


def test_three_hints_without_running_a_test(student: Student) -> None:
    code, output = student.pytest(
        "--hint=padding_mask", "then", "--hint=padding_mask:2", "then", "--hint=padding_mask:3"
    )
    assert code == 0
    assert "tests" not in output
    headings = [f"padding_mask(lengths, n), hint {step} of 3" for step in (1, 2, 3)]
    endings = [*(f"If you need more: pytest --hint padding_mask:{step}" for step in (2, 3)), "This is the last hint."]
    assert [line for line in output.splitlines() if line in headings + endings] == [
        line for pair in zip(headings, endings, strict=True) for line in pair
    ]


def test_a_hint_that_does_not_exist_lists_those_that_do(student: Student) -> None:
    code, output = student.pytest("--hint", "atention", "then", "--hint", "softmax:4", "then", "--hint")
    assert code != 0
    misspelt, no_such_step, no_name = output.splitlines()
    assert misspelt.startswith("There is no hint atention. There are NAME, NAME:2 and NAME:3 for NAME in softmax,")
    assert no_such_step.startswith("There is no hint softmax:4. There are ")
    assert no_name.startswith("There are ")
    assert all(name in no_name for _, name in EVERYTHING)


def test_without_the_hints_there_is_one_sentence(student: Student) -> None:
    (student.folder / "hints.toml").unlink()
    done = student.run("-c", RUN, "test_masking.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("hints.toml is missing or cannot be read: ")
    assert len(done.stderr.splitlines()) == 1


def test_each_lesson_is_also_a_script(student: Student) -> None:
    unfinished = student.run("-c", SCRIPTS, *LESSONS)
    assert not unfinished.stderr
    assert re.sub(r"(== \w+\nNothing to show yet: .+\n)", "", unfinished.stdout) == ""
    student.solve()
    finished = student.run("-c", SCRIPTS, *LESSONS)
    assert not finished.stderr
    assert all(len(said.splitlines()) > 5 for said in re.split(r"== \w+\n", finished.stdout)[1:])
    assert "animal   0.977" in finished.stdout


def test_a_script_looks_past_a_broken_lesson_and_other_capital_names(student: Student) -> None:
    student.solve()
    student.edit("positional_encoding", "import numpy as np", "import numpy as = np")
    student.edit("self_check", "HAND_SCORES = ", "MY_NOTES = 7\nHAND_SCORES = ")
    done = student.run("-c", SCRIPTS, "transformer", "self_check")
    assert not done.stderr
    assert re.search(
        r"with positions    needs positional_encoding\.py: .*positional_encoding\.py, line \d+", done.stdout
    )
    assert "13 of 13 questions are answered:" in done.stdout


def test_nothing_in_the_folder_needs_more_than_the_students_packages(student: Student) -> None:
    allowed = {"numpy", "pytest", "hypothesis", "checking", "reading", *LESSONS, *sys.stdlib_module_names}
    for file in student.folder.glob("*.py"):
        imported = re.findall(r"^\s*(?:import|from) (\w+)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert set(imported) <= allowed, file.name
