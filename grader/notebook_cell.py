"""What the hidden part of a test cell calls where nbgrader runs notebooks in a kernel, as it does by default.

The cells that have run so far are graded as everywhere else: in the sandbox, by the hidden checks. This is for honest
work. The call itself is made beside the student's code, which could put anything in its place; the course's own
settings, which start no kernel, are what can be trusted.
"""

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

from IPython.core.getipython import get_ipython

from grader.contract import all_lessons, lesson_functions
from grader.course import Course, read_course
from grader.feedback import student_text
from grader.grading import Grader
from grader.kit import COURSE
from grader.nbgrader_course import CONFIG, COURSE_FILE
from grader.report import Verdict
from grader.sandbox import Worker, best_rung
from grader.sandbox.inside.notebooks import NOTEBOOK
from grader.submissions import Submission

REFUSED = math.inf
"""More than any cell is worth: nbgrader then stores nothing for the notebook, and reports that it failed."""

_tests: set[int] = set()
"""Which of the notebook's cells are tests: those that called ``marks``, by their place among the cells that ran."""


def marks(function: str, of: float) -> float:
    """Grade a function of this notebook, print what the student is to read, and return its points.

    ``of`` is what the cell is worth. A fault of the grader's own gives ``REFUSED``, never a zero.
    """
    shell = get_ipython()
    if shell is None or shell.history_manager is None:
        raise RuntimeError("marks is for the cells of a notebook")
    ran = shell.history_manager.input_hist_raw[1:]  # as they are written, magics and all
    _tests.add(len(ran) - 1)
    cells = ["# tests" if place in _tests else source for place, source in enumerate(ran)]
    lesson = next(lesson for lesson in all_lessons() if function in {f.name for f in lesson_functions(lesson)})
    report = next(f for f in _grader(lesson).grade(_submission(lesson, cells)).functions if f.function == function)
    if report.verdict is Verdict.UNGRADED:
        print(f"UNGRADED, our fault: {report.fault}")
        return REFUSED
    print(student_text(report, _course().show, in_notebook=True))
    return float(of) if report.verdict is Verdict.PASS else 0.0


def _submission(lesson: str, cells: list[str]) -> Submission:
    name = lesson + NOTEBOOK
    content = {"cells": [{"cell_type": "code", "source": source} for source in cells], "nbformat": 4}
    return Submission("this notebook", {name: json.dumps(content).encode("ascii")}, {lesson: name})


@cache
def _course() -> Course:
    """The course in whose folder the notebook is, else the kit's own."""
    folders = [folder for folder in Path.cwd().resolve().parents if (folder / CONFIG).is_file()]
    return read_course(next((folder / COURSE_FILE for folder in folders), COURSE))


@cache
def _grader(lesson: str) -> Grader:
    """One for each kernel: the sandbox lives as long as that, and ends with it."""
    course = replace(_course(), lessons={lesson: _course().lessons[lesson]})
    worker = Worker(best_rung(), course.limits)
    worker.__enter__()
    return Grader(course, worker)
