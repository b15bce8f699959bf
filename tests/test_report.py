"""Reports survive the way to disk and back, and points are exact."""

import json
from fractions import Fraction

import pytest

from grader.report import (
    CheckResult,
    Counterexample,
    FunctionReport,
    Mistake,
    Report,
    Verdict,
    from_json,
    number,
    to_json,
)  # fmt: skip


def report() -> Report:
    failed = FunctionReport(
        "attention", "softmax", Verdict.FAIL, Fraction(1, 3), "The values are not right.",
        (CheckResult("a", "A holds.", True), CheckResult("b", "B holds.", False), CheckResult("c", "C holds.", None)),
        Counterexample("softmax(x) with\n  x = [1.]", "[2.]", "[1.]"), ("attention.py, line 3: return é",),
        Mistake("no-shift", "What.", "Next."), ("scaled_scores",),
    )  # fmt: skip
    passed = FunctionReport("attention", "attention", Verdict.PASS, Fraction(2, 3))
    return Report("ada", "f00", (failed, passed), {"numpy": "2"}, ("a remark",))


def test_a_report_comes_back_as_it_was() -> None:
    assert from_json(to_json(report())) == report()


def test_only_a_pass_has_points_and_sums_are_exact() -> None:
    assert report().points == Fraction(2, 3)
    assert report().max_points == 1
    assert report().functions[0].broken == CheckResult("b", "B holds.", False)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"schema": 1}', "3"])
def test_what_is_no_report_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"report|JSON|Expecting"):
        from_json(text)


def test_another_schema_is_refused() -> None:
    data = json.loads(to_json(report()))
    data["schema"] = 2
    with pytest.raises(ValueError, match="schema"):
        from_json(json.dumps(data))


@pytest.mark.parametrize(
    ("points", "text"), [(Fraction(0), "0"), (Fraction(10), "10"), (Fraction(1, 3), "0.3333"), (Fraction(5, 2), "2.5")]
)
def test_points_are_written_as_people_do(points: Fraction, text: str) -> None:
    assert number(points) == text
