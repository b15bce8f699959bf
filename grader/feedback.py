"""Words for people: how a value is written out, and the one layout in which a student reads what happened.

The order is always the same: what was called, what came back, what was expected, the property that broke, the likely
mistake, the next step, and last the student's own lines. The first three appear only where the course shows
counterexamples.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from grader.contract import Function
from grader.expect import kind_of
from grader.plain import integer, plain, type_named
from grader.report import FunctionReport, Report, Verdict, number
from grader.sandbox import Opaque, Scalar

WIDEST = 600
"""Characters of one value written out; more helps nobody."""


def written(value: Any) -> str:
    """A value as a person would write it. Only data comes here, so nothing of a student's runs."""
    if isinstance(value, np.ndarray):
        body = np.array2string(value, precision=6, suppress_small=False, threshold=60, edgeitems=3, separator=", ")
        text = body if value.ndim else f"{body} (an array without axes)"
    elif isinstance(value, Opaque | Scalar) or value is None:
        text = kind_of(value)
    elif isinstance(value, list | tuple):
        items = ", ".join(written(item) for item in value[:WIDEST])
        text = f"[{items}]" if isinstance(value, list) else f"({items})"
    elif isinstance(value, dict):
        items = ", ".join(f"{type_named(key)}: {written(item)}" for key, item in islice(value.items(), WIDEST))
        text = f"{{{items}}}"
    elif isinstance(value, str):
        text = plain(value[: WIDEST + 1])
    elif type(value) is int:
        text = integer(value)
    else:
        text = repr(value)
    return text if len(text) <= WIDEST else f"{text[:WIDEST]} …"


def written_call(function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """A call with its arguments by name, each on its own lines when it is an array; a constant's name."""
    if function.signature is None:
        return function.name
    try:
        given = function.signature.bind(*args, **kwargs).arguments
    except TypeError:
        given = {f"argument {i}": value for i, value in enumerate(args, 1)} | dict(kwargs)
    lines = [
        f"  {name} = {written(value).replace(chr(10), chr(10) + ' ' * (len(name) + 5))}"
        for name, value in given.items()
    ]
    return f"{function.name}({', '.join(given)}) with\n" + "\n".join(lines)


def student_text(function: FunctionReport, show: str, in_notebook: bool = False) -> str:
    """What a student reads about one function; ``show`` is the course's policy, ``property`` or ``counterexample``.

    ``in_notebook`` speaks of cells and of the tests in them, where there is no file and no pytest.
    """
    lines = [f"{function.function}: {heading(function)}"]
    if function.verdict is not Verdict.PASS:
        lines.append(_entry("what happened", function.reason))
    if function.verdict is Verdict.FAIL:
        if show == "counterexample" and function.counterexample:
            shown = function.counterexample
            lines += [
                _entry("called", shown.called),
                _entry("got", shown.got),
                _entry("expected", shown.expected),
            ]
        if function.broken:
            lines.append(_entry("property", function.broken.sentence))
        if function.mistake:
            lines.append(_entry("likely mistake", function.mistake.sentence))
    if function.verdict in (Verdict.FAIL, Verdict.MISSING, Verdict.ERROR):
        lines.append(_entry("next step", next_step(function, in_notebook)))
    if function.replaced:
        lines.append(_entry("note", f"graded with the kit's own {', '.join(function.replaced)} in place of yours"))
    lines += [_entry("your code", line) for line in function.traceback]
    return "\n".join(lines)


def heading(function: FunctionReport) -> str:
    """Verdict and points in a few words."""
    words = {
        Verdict.PASS: "right",
        Verdict.FAIL: "not right yet",
        Verdict.MISSING: "not there yet",
        Verdict.ERROR: "could not be graded as it is",
        Verdict.UNGRADED: "not graded: our fault, not yours",
    }[function.verdict]
    return f"{words} ({number(function.points)} of {number(function.max_points)})"


def next_step(function: FunctionReport, in_notebook: bool = False) -> str:
    """One thing to do now."""
    name = function.function
    tests = "the tests below it" if in_notebook else "pytest"
    if function.verdict is Verdict.MISSING:
        do = "answer" if function.is_answer else "define"
        return f"{do} {name} in {'this notebook' if in_notebook else f'{function.lesson}.py'}, then hand in again"
    if function.verdict is Verdict.ERROR and function.checks:
        return f"call {name} by itself on small arrays until it comes back, then run {tests}"
    if function.verdict is Verdict.ERROR:
        what = "cell" if in_notebook else "file by itself, from top to bottom,"
        return f"run the {what} until it ends without an error, then {tests}"
    if function.mistake:
        return function.mistake.next_step
    if function.traceback:
        return "call the function with small arrays and mend the line that is shown below"
    hint = f'hint("{name}") in a cell of your own' if in_notebook else f"read the hint: pytest --hint {name}"
    return hint if function.is_answer else f"try the property on small arrays by hand, then {hint}"


def report_text(report: Report, show: str) -> str:
    """What a student reads about a whole submission."""
    total = f"{report.student}: {number(report.points)} of {number(report.max_points)} points"
    parts = [total, *report.remarks, *(student_text(function, show) for function in report.functions)]
    return "\n\n".join(parts)


def _entry(label: str, text: str) -> str:
    indent = " " * 18
    return f"  {label:<14}  " + text.replace("\n", "\n" + indent)
