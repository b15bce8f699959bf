"""What a teacher reads in the terminal after a class was graded: who has how many points, and what to talk about."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from grader.course import Course
from grader.report import FunctionReport, Report, Verdict, number
from grader.results import lesson_points

MOST_NAMED, MOST_TOPICS = 5, 15
"""Students named beside one topic, and topics shown; of the others only the number is told."""


def points_table(course: Course, reports: Sequence[Report], width: int) -> Table:
    """A row for each student: points by lesson and in all.

    Where the names of the lessons do not fit into ``width`` columns, their numbers stand for them, explained below.
    """
    headings = {lesson: lesson.replace("_", "\n") for lesson in course.lessons}
    table = _points(course, reports, headings)
    if Console(width=10**4).measure(table).maximum > width:
        numbers = {lesson: str(place) for place, lesson in enumerate(course.lessons, 1)}
        table = _points(course, reports, numbers)
        table.caption = ", ".join(f"{place}\N{NO-BREAK SPACE}{lesson}" for lesson, place in numbers.items())
    return table


def _points(course: Course, reports: Sequence[Report], headings: Mapping[str, str]) -> Table:
    table = _table(course.title)
    table.add_column("student", overflow="fold")
    for heading in headings.values():
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("points", justify="right", no_wrap=True)
    for report in reports:
        lessons = [number(lesson_points(report, lesson)) for lesson in course.lessons]
        total = f"{number(report.points)} / {number(report.max_points)}"
        table.add_row(escape(report.student), *lessons, total)
    return table


def topics_table(course: Course, reports: Sequence[Report]) -> Table:
    """A row for each topic, the most frequent first: the function, what about it, and who."""
    by_topic: dict[tuple[str, str], list[str]] = {}
    for report in reports:
        for topic in _topics(course, report):
            by_topic.setdefault(topic, []).append(report.student)
    order = {name: place for place, (lesson, name) in enumerate(course.functions)}
    order |= {lesson: order[name] for lesson, name in reversed(course.functions)}
    table = _table("To talk about")
    for heading in ("function", "what about it", "who"):
        table.add_column(heading, overflow="fold")
    topics = sorted(by_topic.items(), key=lambda topic: (-len(topic[1]), order[topic[0][0]], topic[0][1]))
    for (name, what), students in topics[:MOST_TOPICS]:
        more = len(students) - MOST_NAMED
        who = ", ".join(students[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        table.add_row(name, what, escape(who))
    if len(topics) > MOST_TOPICS:
        table.add_row("…", f"{len(topics) - MOST_TOPICS} more in functions.csv", "")
    return table


def _table(title: str) -> Table:
    return Table(
        title=escape(title),
        title_justify="left",
        caption_justify="left",
        header_style="bold",
        show_edge=False,
        pad_edge=False,
    )


def _topics(course: Course, report: Report) -> Iterator[tuple[str, str]]:
    """What is wrong in one report. What is not written yet is no topic, unless it is a whole lesson."""
    for lesson in course.lessons:
        functions = [function for function in report.functions if function.lesson == lesson]
        verdicts = {function.verdict for function in functions}
        if len(verdicts) == 1 and verdicts & {Verdict.MISSING, Verdict.ERROR, Verdict.UNGRADED}:
            yield lesson, f"whole lesson: {verdicts.pop().value}"
        else:
            wrong = (f for f in functions if f.verdict not in (Verdict.PASS, Verdict.MISSING))
            yield from ((f.function, _what(f)) for f in wrong)


def _what(function: FunctionReport) -> str:
    if function.verdict is not Verdict.FAIL:
        return function.verdict.value
    return function.mistake.name if function.mistake else "no known mistake"
