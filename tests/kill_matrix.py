"""Which check catches which misconception: ``python -m tests.kill_matrix`` writes the table for the docs."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from grader.callee import Callee, Violation
from grader.checks import Check, all_checks, checks_of
from grader.inprocess import invoke
from grader.misconceptions import all_misconceptions, misconceptions_of
from grader.questions import Once

SECRET = "the kill matrix"
TABLE = Path(__file__).parent.parent / "docs" / "kill-matrix.md"


def violations(function: str, solution: Callable[..., Any], secret: str = SECRET) -> dict[str, Violation]:
    """What each check that does not hold finds wrong with a solution, by the check's name."""
    return dict(found_by(function, solution, secret))


def found_by(function: str, solution: Callable[..., Any], secret: str = SECRET) -> Iterator[tuple[str, Violation]]:
    """The checks that do not hold, each when it is found, and what is wrong."""
    subject = Callee(function, Once(invoke(solution)))
    for check in checks_of(function):
        if violation := _violation(check, subject, secret):
            yield check.name, violation


def _violation(check: Check, subject: Callee, secret: str) -> Violation | None:
    for example in check.examples(secret):
        try:
            check.holds(subject, example)
        except Violation as found:
            return found
    return None


@cache
def kills(function: str, secret: str = SECRET) -> dict[str, set[str]]:
    """For each misconception of a function, the names of the checks that catch it."""
    return {wrong.slug: set(violations(function, wrong.solution, secret)) for wrong in misconceptions_of(function)}


def table() -> str:
    """The matrix in Markdown: a section for each function, a row for each misconception, a column for each check."""
    lines = [
        "# Which check catches which mistake",
        "",
        "Made by `make matrix`. A row is a named wrong solution, a column a hidden check: `x` where the check",
        "catches it, `X` where no other check does. A check without an `X` says in its docstring why it is kept.",
    ]
    for function in dict.fromkeys(wrong.function for wrong in all_misconceptions()):
        checks, caught = checks_of(function), kills(function)
        lines += ["", f"## {function}", "", *(f"{i}. {check.sentence}" for i, check in enumerate(checks, 1)), ""]
        lines += [
            "| mistake | " + " | ".join(str(i) for i in range(1, len(checks) + 1)) + " |",
            "|---|" + "---|" * len(checks),
        ]
        for slug, by in caught.items():
            mark = "X" if len(by) == 1 else "x"
            lines.append(f"| {slug} | " + " | ".join(mark if check.name in by else " " for check in checks) + " |")
    total = f"{len(all_misconceptions())} mistakes, {len(all_checks())} checks."
    return "\n".join([*lines[:4], "", total, *lines[4:]]) + "\n"


if __name__ == "__main__":
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(table(), encoding="utf-8")
    print(f"Written: {TABLE}")
