"""What a student reads: one layout, and one thing to do next."""

from dataclasses import replace
from fractions import Fraction

import pytest

from grader.feedback import heading, next_step, student_text
from grader.report import CheckResult, FunctionReport, Mistake, Verdict

SOFTMAX = FunctionReport("attention", "softmax", Verdict.FAIL, Fraction(2), "The answer is not right.")
CHECKS = (CheckResult("rows", "Rows add up to 1.", False),)
MISTAKE = Mistake("no-shift", "The scores are not shifted.", "Subtract the largest score.")


@pytest.mark.parametrize(
    ("report", "head", "step"),
    [
        (
            replace(SOFTMAX, verdict=Verdict.MISSING),
            "not there yet (0 of 2)",
            "define softmax in attention.py, then hand in again",
        ),
        (
            replace(SOFTMAX, verdict=Verdict.MISSING, function="GPT", lesson="self_check"),
            "not there yet (0 of 2)",
            "answer GPT in self_check.py, then hand in again",
        ),
        (
            replace(SOFTMAX, verdict=Verdict.ERROR),
            "could not be graded as it is (0 of 2)",
            "run the file by itself, from top to bottom, until it ends without an error, then pytest",
        ),
        (
            replace(SOFTMAX, verdict=Verdict.ERROR, checks=CHECKS),
            "could not be graded as it is (0 of 2)",
            "call softmax by itself on small arrays until it comes back, then run pytest",
        ),
        (replace(SOFTMAX, mistake=MISTAKE), "not right yet (0 of 2)", "Subtract the largest score."),
        (
            replace(SOFTMAX, traceback=("attention.py, line 3: 1 / 0",)),
            "not right yet (0 of 2)",
            "call the function with small arrays and mend the line that is shown below",
        ),
        (
            SOFTMAX,
            "not right yet (0 of 2)",
            "try the property on small arrays by hand, then read the hint: pytest --hint softmax",
        ),
    ],
)
def test_a_verdict_has_a_heading_and_a_next_step(report: FunctionReport, head: str, step: str) -> None:
    assert (heading(report), next_step(report)) == (head, step)


def test_the_layout_is_what_happened_property_mistake_next_step_and_own_lines() -> None:
    report = replace(SOFTMAX, checks=CHECKS, mistake=MISTAKE, traceback=("attention.py, line 3: x",))
    assert student_text(report, "property") == (
        "softmax: not right yet (0 of 2)\n"
        "  what happened   The answer is not right.\n"
        "  property        Rows add up to 1.\n"
        "  likely mistake  The scores are not shifted.\n"
        "  next step       Subtract the largest score.\n"
        "  your code       attention.py, line 3: x"
    )
