"""What a teacher reads after a class was graded: points, and what to talk about, the most frequent first."""

from dataclasses import replace
from fractions import Fraction

import pytest
from rich.table import Table

from grader import tables
from grader.course import read_course
from grader.report import FunctionReport, Mistake, Report, Verdict

WHOLE = read_course()
COURSE = replace(WHOLE, lessons={lesson: WHOLE.lessons[lesson] for lesson in ("attention", "masking")})


def report(student: str, **verdicts: Verdict | str) -> Report:
    """A report in which everything is right but what is named: by a verdict, or by a mistake's name."""
    functions = []
    for lesson, name in COURSE.functions:
        found = verdicts.get(name, verdicts.get(lesson, Verdict.PASS))
        mistake = Mistake(found, "", "") if found and not isinstance(found, Verdict) else None
        verdict = found if isinstance(found, Verdict) else Verdict.FAIL
        functions.append(FunctionReport(lesson, name, verdict, Fraction(COURSE.points(lesson, name)), mistake=mistake))
    return Report(student, "", tuple(functions), {}, ())


def cells(table: Table) -> list[list[str]]:
    return [list(row) for row in zip(*(map(str, column.cells) for column in table.columns), strict=True)]


def test_points_by_lesson_and_in_all() -> None:
    class_ = [report("ada"), report("bo", softmax="no-shift", masking=Verdict.MISSING)]
    table = tables.points_table(COURSE, class_, 80)
    assert [column.header for column in table.columns] == ["student", "attention", "masking", "points"]
    assert cells(table) == [["ada", "6", "3", "9 / 9"], ["bo", "4", "0", "4 / 9"]]
    narrow = tables.points_table(COURSE, class_, 30)
    assert [column.header for column in narrow.columns] == ["student", "1", "2", "points"]
    assert str(narrow.caption).replace("\N{NO-BREAK SPACE}", " ") == "1 attention, 2 masking"
    assert cells(narrow) == cells(table)


def test_topics_come_by_how_many_they_concern_then_in_the_contracts_order() -> None:
    class_ = [
        report("ada", padding_mask="float-mask", softmax="no-shift"),
        report("bo", padding_mask="float-mask", attention=Verdict.MISSING),
        report("cy", masking=Verdict.ERROR, scaled_scores="", softmax=Verdict.MISSING),
    ]
    assert cells(tables.topics_table(COURSE, class_)) == [
        ["padding_mask", "float-mask", "ada, bo"],
        ["softmax", "no-shift", "ada"],
        ["attention", "whole lesson: missing", "bo"],
        ["scaled_scores", "no known mistake", "cy"],
        ["masking", "whole lesson: error", "cy"],
    ]


def test_many_names_and_many_topics_are_only_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_TOPICS", 1)
    class_ = [report(f"s{i}", softmax="no-shift", causal_mask=f"mistake-{i}") for i in range(8)]
    assert cells(tables.topics_table(COURSE, class_)) == [
        ["softmax", "no-shift", "s0, s1, s2, s3, s4 and 3 more"],
        ["…", "8 more in functions.csv", ""],
    ]


def test_names_are_no_markup() -> None:
    assert cells(tables.points_table(COURSE, [report("[red]x")], 80))[0][0] == "\\[red]x"
