"""Grades a lesson's notebook in the sandbox: no kernel is started, and no cell of a student's runs beside the tests."""

import atexit
import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from grader.contract import lesson_functions
from grader.course import SAMPLE_SECRET, Course, CourseError, read_course
from grader.feedback import student_text
from grader.grading import Grader
from grader.nbgrader_plugin.cells import TEST, KnownCell, folder_of, grade_id, known_cells
from grader.nbgrader_plugin.reading import handed_in
from grader.report import FunctionReport, Report
from grader.sandbox import Limits, Worker, best_rung
from grader.sandbox.inside.notebooks import NOTEBOOK
from grader.submissions import Submission

OWN_ATTENTION = "own_attention"
"""The id of the cell that takes the attention of the earlier lesson."""


class UngradedError(Exception):
    """The grader failed on a submission. It has no marks then, since ``Mend`` took them, and nbgrader reports it."""


class GradeInSandbox(NbGraderPreprocessor):
    """Gives each test cell a text, what held and what broke, and one number, from which nbgrader takes the points.

    It needs the gradebook, the course file, and the student's folder for modules that lie beside the notebook. What a
    function is worth is what the gradebook says.
    """

    course = Unicode(
        "course.toml",
        help="The course file: the secret, the limits and what students get to see. Seen from the course.",
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Grade a mended notebook.

        Raises ``CourseError`` when the course cannot be used, and ``UngradedError`` when the grader is at fault.
        """
        of = resources["nbgrader"]
        known = known_cells(resources)
        course = self._course(of["notebook"], known)
        folder = folder_of(self, "submitted_directory", of["student"], of["assignment"])
        submission = _submission(nb, folder, of["notebook"], of["student"])
        report = Grader(course, _worker(course.limits)).grade(submission)
        if report.ungraded:
            raise UngradedError(_fault(report))
        graded = {TEST + function.function: function for function in report.functions}
        tests = [cell for cell in nb.cells if grade_id(cell) in known and known[grade_id(cell)].is_test]
        for number, cell in enumerate(tests, 1):
            points = known[grade_id(cell)].points or 0.0
            _write(cell, number, graded[grade_id(cell)], points, course.show)
        return nb, resources

    def _course(self, lesson: str, known: Mapping[str, KnownCell]) -> Course:
        """The course of this one lesson, with the points that the gradebook has."""
        course = read_course(Path(self.course))
        if course.secret == SAMPLE_SECRET and _kept is None:  # said once, not for each notebook
            self.log.warning(
                "The course has the sample secret: write your own in %s before you grade for marks.", self.course
            )
        names = [function.name for function in lesson_functions(lesson)]
        tests = {name for name, cell in known.items() if cell.is_test}
        if strangers := sorted(tests - {TEST + name for name in names}):
            raise CourseError(
                f"The notebook {lesson} has test cells that the kit cannot grade: {', '.join(strangers)}. "
                f"It grades {', '.join(TEST + name for name in names)}."
            )
        points = {
            name: Fraction(known[TEST + name].points or 0) if TEST + name in tests else Fraction(0) for name in names
        }
        return replace(course, lessons={lesson: points})


def _submission(nb: NotebookNode, folder: Path, lesson: str, student: str) -> Submission:
    """A student's notebook as grading takes it, with what lies beside it. The tests in it are none of its business."""
    found = handed_in(folder, lesson)
    if found.unread:
        return Submission(student, found.files, {}, unread={lesson: found.unread})
    sources = [_own(cell) for cell in nb.cells if cell.cell_type == "code"]
    cells = [{"cell_type": "code", "source": source} for source in sources]
    name = lesson + NOTEBOOK
    code = json.dumps({"cells": cells, "nbformat": 4}).encode("ascii")
    return Submission(student, {**found.files, name: code}, {lesson: name})


def _own(cell: NotebookNode) -> str:
    """A cell's code. Of what the teacher locked, tests and figures, only a comment is left, so that the cells are
    counted as the student counts them. An import from an earlier lesson is locked too, and stays."""
    is_ours = cell.metadata.get("nbgrader", {}).get("locked", False) and grade_id(cell) != OWN_ATTENTION
    return f"# {grade_id(cell)}" if is_ours else str(cell.source)


def _write(cell: NotebookNode, number: int, function: FunctionReport, points: float, show: str) -> None:
    """Give a test cell its text and its one number, which can be no more than the gradebook has for it."""
    number_of_points = min(max(float(function.points), 0.0), points)
    cell.execution_count = number
    cell.outputs = [
        new_output("stream", name="stdout", text=_text(function, show) + "\n"),
        new_output("execute_result", {"text/plain": repr(number_of_points)}, execution_count=number),
    ]


def _text(function: FunctionReport, show: str) -> str:
    """What a student reads below a test, and what held. Of an answer that would tell too much."""
    held = [] if function.is_answer else [check.sentence for check in function.checks if check.held]
    return "\n".join(
        [student_text(function, show, in_notebook=True), *(f"  {'held':<14}  {sentence}" for sentence in held)]
    )


def _fault(report: Report) -> str:
    faults = "\n".join(f"{function.function}: {function.fault}" for function in report.ungraded)
    return (
        f"UNGRADED, our fault: {report.student}. No points are stored; "
        f"grade it again when the cause is mended.\n{faults}"
    )


_kept: Worker | None = None
"""The worker of this process. Starting one for each notebook would cost more than grading it."""


def _worker(limits: Limits) -> Worker:
    global _kept  # noqa: PLW0603  one per process: nbgrader makes its preprocessors anew for each notebook
    if _kept is None or _kept.limits != limits:
        _close()
        _kept = Worker(best_rung(), limits)
        _kept.__enter__()
    return _kept


@atexit.register
def _close() -> None:
    global _kept  # noqa: PLW0603
    if _kept is not None:
        _kept.__exit__(None, None, None)
        _kept = None
