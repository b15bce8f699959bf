"""Each function judged by itself, with the verdicts of the contract."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis.strategies import integers

from grader import checks, grading
from grader.course import Course, read_course
from grader.feedback import report_text
from grader.grading import Grader
from grader.kit import SOLUTIONS
from grader.report import FunctionReport, Report, Verdict
from grader.sandbox import Worker, best_rung
from grader.submissions import Submission

WHOLE = read_course()
COURSE = replace(WHOLE, lessons={lesson: WHOLE.lessons[lesson] for lesson in ("attention", "masking")})
"""What holds of one function holds of all: two lessons are enough, and quick."""
LIMITS = replace(COURSE.limits, seconds_per_call=1)
RIGHT = {lesson: (SOLUTIONS / f"{lesson}.py").read_text(encoding="utf-8") for lesson in WHOLE.lessons}


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker(best_rung(), LIMITS) as worker:
        yield worker


def graded(worker: Worker, course: Course = COURSE, **modules: str | None) -> Report:
    """Grade the reference with some modules replaced, extended (text that begins with ``+``) or left out (None)."""
    sources = dict(RIGHT)
    for lesson, text in modules.items():
        if text is None:
            del sources[lesson]
        else:
            sources[lesson] = RIGHT[lesson] + "\n\n" + text[1:] if text.startswith("+") else text
    files = {f"{lesson}.py": text.encode() for lesson, text in sources.items()}
    handed_in = {lesson: f"{lesson}.py" for lesson in sources if lesson in course.lessons}
    return Grader(course, worker).grade(Submission("ada", files, handed_in))


def verdicts(report: Report) -> dict[str, str]:
    return {f.function: f.verdict.value for f in report.functions if f.verdict is not Verdict.PASS}


def of(report: Report, function: str) -> FunctionReport:
    return next(f for f in report.functions if f.function == function)


def test_the_reference_has_full_marks(worker: Worker) -> None:
    report = graded(worker, WHOLE)
    assert verdicts(report) == {}
    assert report.points == report.max_points == sum(sum(points.values()) for points in WHOLE.lessons.values())
    assert all(check.held for f in report.functions for check in f.checks)
    assert all(f.checks for f in report.functions)


@pytest.mark.parametrize(
    "body",
    [
        "return x * 0.0",
        "return np.exp(x) / np.exp(x).sum()",
        "x -= x.max(axis, keepdims=True)\n    return np.exp(x) / np.exp(x).sum(axis, keepdims=True)",
        "raise NotImplementedError",
        "return undefined",
    ],
)
def test_a_wrong_softmax_costs_softmax_alone_through_all_lessons(worker: Worker, body: str) -> None:
    report = graded(worker, WHOLE, attention=f"+def softmax(x, axis=-1):\n    {body}")
    assert verdicts(report) == {"softmax": "missing" if "NotImplemented" in body else "fail"}
    assert all("softmax" in of(report, name).replaced for name in ("attention", "multi_head_attention"))


@pytest.mark.parametrize("attention", ["+def attention(q, k, v, mask=None):\n    return q", None, "def (", "1 / 0"])
def test_a_wrong_attention_costs_nothing_in_a_course_without_that_lesson(worker: Worker, attention: str | None) -> None:
    course = replace(WHOLE, lessons={"transformer": WHOLE.lessons["transformer"]})
    report = graded(worker, course, attention=attention)
    assert verdicts(report) == {}
    assert of(report, "encoder_block").replaced == ("attention",)


ANSWERS = tuple(WHOLE.lessons["self_check"])


def test_answers_are_read_as_constants(worker: Worker) -> None:
    course = replace(WHOLE, lessons={"self_check": WHOLE.lessons["self_check"]})
    empty = graded(worker, course, self_check="".join(f"{name} = None\n" for name in ANSWERS))
    assert set(verdicts(empty).items()) == {(name, "missing") for name in ANSWERS}
    assert of(empty, ANSWERS[0]).reason == f"{ANSWERS[0]} is not answered yet: it is still None."
    odd = graded(worker, course, self_check="".join(f"def {name}(): return 1\n" for name in ANSWERS))
    assert set(verdicts(odd).items()) == {(name, "fail") for name in ANSWERS}
    absent = graded(worker, course, self_check="import numpy\n")
    assert set(verdicts(absent).items()) == {(name, "missing") for name in ANSWERS}
    broken = graded(worker, course, self_check="1 / 0")
    assert set(verdicts(broken).items()) == {(name, "error") for name in ANSWERS}


def test_an_array_is_no_answer_to_a_choice_and_no_fault(worker: Worker) -> None:
    course = replace(WHOLE, lessons={"self_check": WHOLE.lessons["self_check"]})
    report = graded(
        worker, course, self_check="import numpy as np\n" + "".join(f"{name} = np.zeros((9, 9))\n" for name in ANSWERS)
    )
    assert set(verdicts(report).items()) == {(name, "fail") for name in ANSWERS}


@pytest.mark.parametrize(
    "use",
    [
        "from attention import softmax as sm\n\ndef causal_mask(n):\n    return sm(np.tri(n) * 1e4) > 1e-9",
        "import attention as att\n\ndef causal_mask(n):\n    return att.softmax(np.tri(n) * 1e4) > 1e-9",
        "def causal_mask(n):\n    from attention import softmax\n    return softmax(np.tri(n) * 1e4) > 1e-9",
        "from functools import partial\nfrom attention import softmax\nsm = partial(softmax, axis=-1)\n\n"
        "def causal_mask(n, sm=sm):\n    return sm(np.tri(n) * 1e4) > 1e-9",
    ],
)
@pytest.mark.parametrize(
    "attention", ["import numpy as np\ndef softmax(x, axis=-1):\n    return x / 0 / x", None, "def (", ""]
)
def test_names_are_followed_wherever_they_went(worker: Worker, use: str, attention: str | None) -> None:
    report = graded(worker, attention=attention, masking=RIGHT["masking"] + "\n" + use)
    assert of(report, "causal_mask").verdict is Verdict.PASS, of(report, "causal_mask").reason


def test_a_helper_with_a_parameter_more_is_left_to_the_student(worker: Worker) -> None:
    report = graded(
        worker,
        attention="""+
def softmax(x, axis=-1, mask=None):
    x[...] = x if mask is None else np.where(mask, x, -np.inf)
    x -= np.where(np.isfinite(x.max(axis, keepdims=True)), x.max(axis, keepdims=True), 0)
    e = np.exp(x)
    return e / np.maximum(e.sum(axis, keepdims=True), 1e-300)

def attention(q, k, v, mask=None):
    weights = softmax(scaled_scores(q, k), mask=mask)
    return weights @ v, weights
""",
    )
    assert verdicts(report) == {"softmax": "fail"}


def test_a_function_is_judged_with_right_helpers_even_where_wrong_ones_cancel(worker: Worker) -> None:
    report = graded(
        worker,
        attention="""+
def softmax(x, axis=-1):
    return np.exp(x - np.max(x, axis, keepdims=True, initial=-1e300))

def attention(q, k, v, mask=None):
    scores = scaled_scores(q, k)
    e = softmax(scores if mask is None else np.where(mask, scores, -np.inf)) ** 1.0
    weights = e / np.maximum(e.sum(-1, keepdims=True), 1e-300)
    return weights @ v, weights
""",
    )
    assert verdicts(report) == {"softmax": "fail"}, "normalising twice is right with a right softmax"


@pytest.mark.parametrize(
    ("text", "verdict", "said"),
    [
        (None, "missing", "no file masking.py"),
        ("def causal_mask(n: return", "error", "SyntaxError"),
        ("import torch", "error", "line 1 imports torch, which is not available here: only NumPy, Python's standard"),
        ("1 / 0", "error", "ZeroDivisionError"),
        ("import sys\nsys.exit(0)", "error", "does not load: line 2 asks Python to end"),
        ("import os\nos._exit(0)", "error", "does not load"),
        ("while True: pass", "error", "1 second"),
        ("", "missing", "does not define"),
    ],
)
def test_a_file_that_does_not_load_costs_its_own_functions(
    worker: Worker, text: str | None, verdict: str, said: str
) -> None:
    report = graded(worker, masking=text)
    assert verdicts(report) == dict.fromkeys(("causal_mask", "padding_mask", "combine_masks"), verdict)
    assert said in of(report, "causal_mask").reason


@pytest.mark.parametrize(
    ("body", "verdict", "said"),
    [
        ("raise NotImplementedError", "missing", "not done yet"),
        ("pass", "fail", "returned None"),
        ("return None", "fail", "returned None"),
        ("return [[True]]", "fail", "returned a list"),
        ("return np.tri(n)", "fail", "float64, not bool"),
        ("return np.matrix(np.tri(n) > 0)", "fail", "returned a matrix"),
        ("return np.ma.array(np.tri(n) > 0)", "fail", "returned a MaskedArray"),
        ("return undefined", "fail", "NameError"),
        ("return causal_mask(n + 1)", "fail", "RecursionError"),
        ("while True: pass", "error", "1 second"),
        ("return np.ones((10**6, 10**6)) > 0", "error", "memory"),
        ("import sys; sys.exit(0)", "error", "never came back: The call asked Python to end"),
        ("import os; os._exit(0)", "error", "never came back"),
        ("import os; os.abort()", "error", "never came back"),
        ("import warnings; warnings.warn('mind'); np.float64(1) / 0; return np.tri(n) > 0", "pass", ""),
        ("print('x' * 10**7); return np.tri(n) > 0", "pass", ""),
    ],
)
def test_what_a_call_does_is_judged_as_the_contract_says(worker: Worker, body: str, verdict: str, said: str) -> None:
    report = graded(worker, masking=f"+def causal_mask(n):\n    {body}")
    assert verdicts(report) == ({} if verdict == "pass" else {"causal_mask": verdict})
    assert said in of(report, "causal_mask").reason


def test_the_last_definition_counts_and_a_wrong_signature_fails(worker: Worker) -> None:
    report = graded(worker, masking="+def causal_mask(n):\n    return 1\n\ndef causal_mask():\n    return 2")
    assert verdicts(report) == {"causal_mask": "fail"}
    assert re.fullmatch(
        r"It is called as causal_mask\(n\), but line (\d+) of masking\.py defines causal_mask\(\): "
        r"causal_mask\(\) takes 0 positional arguments but 1 was given\. "
        r"causal_mask is defined in lines \d+, \d+ and \1: the last one counts\.",
        of(report, "causal_mask").reason,
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("k += 1", "It changed its argument k."),
        ("k[0] = v[0] = 0", "It changed its argument k and its argument v."),
    ],
)
def test_a_changed_argument_is_named_as_the_function_names_it(worker: Worker, change: str, said: str) -> None:
    source = RIGHT["attention"].replace("return weights @ v,", f"output = weights @ v; {change}; return output,")
    assert of(graded(worker, attention=source), "attention").reason == said


def test_a_mistake_is_named_and_shown_with_the_students_own_line(worker: Worker) -> None:
    report = graded(worker, masking="+def causal_mask(n):\n    return np.triu(np.ones((n, n), dtype=bool), 1)")
    found = of(report, "causal_mask")
    assert found.mistake is not None
    assert found.mistake.name == "mask-inverted"
    assert found.broken is not None
    assert found.counterexample is not None
    assert found.counterexample.called.startswith("causal_mask(n) with\n  n = ")
    raised = graded(worker, masking="+def causal_mask(n):\n    return np.ones(n)[n, n]")
    assert of(raised, "causal_mask").traceback[-1].endswith("return np.ones(n)[n, n]")


def test_a_fault_of_ours_is_never_a_students_zero(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(function: str) -> None:
        raise RuntimeError("broken check")

    monkeypatch.setattr(grading, "checks_of", broken)
    report = graded(worker)
    assert {f.verdict for f in report.functions} == {Verdict.UNGRADED}
    assert "broken check" in report.functions[0].fault
    assert "no points are lost" in report.functions[0].reason


def test_the_same_submission_has_the_same_report(worker: Worker) -> None:
    wrong = "+def softmax(x, axis=-1):\n    return x"
    assert graded(worker, attention=wrong) == graded(worker, attention=wrong)


def test_the_reference_cannot_be_made_to_eat_the_machine(worker: Worker) -> None:
    report = graded(
        worker,
        masking="""+
def causal_mask(n):
    return 1

def padding_mask(lengths, n):
    return causal_mask(1_000_000)
""",
    )
    assert verdicts(report) == {"causal_mask": "fail", "padding_mask": "error"}
    assert "memory" in of(report, "padding_mask").reason


def test_a_call_that_hangs_while_the_smallest_input_is_sought_changes_no_verdict(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs: list[object] = []
    shrink = checks.shrink

    def sought(strategy: object, seed: int, count: int, fails: Callable[[object], bool]) -> object:
        def each(n: object) -> bool:
            hangs.append(n)
            return fails(n)

        return shrink(integers(50, 60), seed, count, each)

    monkeypatch.setattr(checks, "shrink", sought)
    hanging = "+def causal_mask(n):\n    while 41 < n < 70: pass\n    return np.ones((n, n), dtype=bool)"
    report = graded(worker, masking=hanging)
    assert verdicts(report) == {"causal_mask": "fail"}
    assert hangs


def test_work_that_could_not_be_read_is_ungraded(worker: Worker) -> None:
    fault = "ada cannot be read (Permission denied)."
    report = Grader(COURSE, worker).grade(Submission("ada", {}, {}, fault=fault))
    assert {(f.verdict, f.fault) for f in report.functions} == {(Verdict.UNGRADED, fault)}


def test_a_count_too_long_to_write_down_is_a_fail(worker: Worker) -> None:
    course = replace(WHOLE, lessons={"counters": WHOLE.lessons["counters"]})
    report = graded(worker, course, counters="+def attention_flops(n, d):\n    return 10**5000")
    assert verdicts(report) == {"attention_flops": "fail"}
    assert "an integer of 16610 bits" in report_text(report, "counterexample")


def test_answers_are_not_worked_out_by_the_reference(worker: Worker) -> None:
    ask = "import numpy as np\nfrom counters import crossover_length\nCROSSOVER_LENGTH = crossover_length(1024)\n"
    course = replace(WHOLE, lessons={lesson: WHOLE.lessons[lesson] for lesson in ("counters", "self_check")})
    without = graded(worker, course, attention=None, counters=None, self_check=ask)
    assert of(without, "CROSSOVER_LENGTH").verdict is Verdict.ERROR
    assert without.points == 0
    own = graded(worker, course, self_check=ask)
    assert of(own, "CROSSOVER_LENGTH").verdict is Verdict.PASS, "with one's own function it is one's own answer"


def test_a_message_cannot_carry_what_the_reference_answered(worker: Worker) -> None:
    body = "raise ValueError(softmax(np.array([1.0, 2.0])).tolist())"
    leak = f"+def attention(q, k, v, mask=None):\n    {body}"
    assert "[0.268" in of(graded(worker, attention=leak), "attention").reason, "with one's own softmax, it may"
    wrong = f"{leak}\n\ndef softmax(x, axis=-1):\n    return x"
    report = of(graded(worker, attention=wrong), "attention")
    assert re.fullmatch(r"attention raised an exception: ValueError in line \d+\. .*", report.reason)
    assert "0.268" not in report_text(graded(worker, attention=wrong), "property")
