"""Grading a class: many submissions, several processes, and results on disk that are never half written."""

import csv
import hashlib
import io
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread

from grader.course import Course
from grader.grading import Grader, contract_functions, environment, fingerprint
from grader.plain import plain
from grader.report import FunctionReport, Report, Verdict, from_json, number, to_json
from grader.sandbox import Rung, Worker, best_rung
from grader.submissions import Submission, SubmissionError, read_submission

LONGEST_NAME = 200
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would run."""
FUNCTIONS_CSV = "functions.csv"
GRADES_CSV = "grades.csv"


class ResultsError(Exception):
    """Results cannot be written or read; the message says where and why."""


_grader: Grader | None = None
"""What one grading process keeps between submissions."""


def _start(course: Course, rung: Rung) -> None:
    global _grader  # noqa: PLW0603  one per process, made when the pool starts it
    parent = parent_process()
    if parent:
        Thread(target=_end_after, args=(parent,), daemon=True).start()
    worker = Worker(rung, course.limits)
    worker.__enter__()  # lives as long as the process, and dies with it
    _grader = Grader(course, worker)


def _end_after(parent: BaseProcess) -> None:
    """End this process when the one that started it has gone, however it went."""
    parent.join()
    os._exit(1)


def _grade(submission: Submission) -> Report:
    assert _grader is not None
    return _grader.grade(submission)


def grade_class(
    folders: Sequence[Path], course: Course, out: Path, jobs: int, rung: Rung | None = None
) -> Iterator[Report]:
    """Grade students' folders and yield each report as soon as it is on disk, in no fixed order.

    A report that is already in ``out`` for the same work, course and versions is taken as it is, so that a run which
    was interrupted goes on where it stopped. When all are done the two tables are written, in the order of the names.
    Student code runs on the rung given, or on the best that works here. Raises ``ResultsError`` when ``out`` cannot be
    written, ``SandboxFault`` when no sandbox can be started.
    """
    _prepare(out)
    reports: dict[str, Report] = {}
    waiting: dict[str, Submission] = {}
    for folder in folders:
        try:
            submission = read_submission(folder, tuple(course.lessons), folder.name)
        except SubmissionError as error:
            submission = Submission(plain(folder.name), {}, {}, (str(error),))
        while submission.student in reports or submission.student in waiting:  # two names that are written alike
            submission = replace(submission, student=f"{submission.student} (again)")
        kept = _kept(out, submission, course)
        if kept:
            reports[kept.student] = kept
            yield kept
        else:
            waiting[submission.student] = submission
    for report in _graded(waiting, course, jobs, rung or best_rung()):
        reports[report.student] = report
        _write(out / report_name(report.student), to_json(report))
        yield report
    in_order = [reports[student] for student in sorted(reports)]
    _write(out / FUNCTIONS_CSV, functions_csv(in_order))
    _write(out / GRADES_CSV, grades_csv(in_order))


def _graded(waiting: dict[str, Submission], course: Course, jobs: int, rung: Rung) -> Iterator[Report]:
    """Grade in a pool of processes. When a process dies the rest go on, each in a pool of its own, so that it is known
    with which submission it happens; that one is ours to explain, and ``ungraded``."""
    for report in _pool(list(waiting.values()), course, jobs, rung):
        del waiting[report.student]
        yield report
    for submission in waiting.values():
        yield next(_pool([submission], course, 1, rung), None) or _lost(submission, course)


def _pool(submissions: Sequence[Submission], course: Course, jobs: int, rung: Rung) -> Iterator[Report]:
    """Reports as they come, until all are there or a process dies."""
    if not submissions:
        return
    jobs = min(jobs, len(submissions))
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start, initargs=(course, rung))
    try:
        for future in as_completed([pool.submit(_grade, submission) for submission in submissions]):
            yield future.result()
    except BrokenProcessPool:
        return
    finally:
        # Whoever stops listening, by Ctrl-C or an error, waits for what is being graded and for no more.
        pool.shutdown(cancel_futures=True)


def _lost(submission: Submission, course: Course) -> Report:
    fault = "The grading process ended while it had this submission in hand."
    reason = "The grader failed on this submission. Your teacher can see why; no points are lost by it."
    functions = tuple(
        FunctionReport(f.lesson, f.name, Verdict.UNGRADED, course.points(f.lesson, f.name), reason, fault=fault)
        for f in contract_functions(course)
    )
    return Report(submission.student, "", functions, environment(), submission.remarks)


def report_name(student: str) -> str:
    """The name of a student's report: the student's own, shortened where no file can have such a long name."""
    if len(student.encode()) <= LONGEST_NAME:
        return f"{student}.json"
    return f"{student[:40]}-{hashlib.sha256(student.encode()).hexdigest()[:16]}.json"


def _prepare(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise ResultsError(f"{out} cannot be written: {error.strerror}. Choose another folder with --out.") from None


def _kept(out: Path, submission: Submission, course: Course) -> Report | None:
    try:
        report = from_json((out / report_name(submission.student)).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if report.ungraded or report.fingerprint != fingerprint(course, submission):
        return None
    return replace(report, student=submission.student)


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all: beside its place, then moved into it."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=path.parent, prefix=".", delete=False
        ) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
    except OSError as error:
        raise ResultsError(f"{path} cannot be written: {error.strerror}. What was graded before is kept.") from None


def functions_csv(reports: Sequence[Report]) -> str:
    """One row for each student and function, in the contract's order."""
    rows = [
        (
            r.student,
            f.function,
            f.verdict.value,
            number(f.points),
            number(f.max_points),
            f.mistake.name if f.mistake else "",
        )
        for r in reports
        for f in r.functions
    ]
    return _csv(("student", "function", "verdict", "points", "max_points", "misconception"), rows)


def grades_csv(reports: Sequence[Report]) -> str:
    """One row for each student: points in all and in each lesson, rounded once from exact fractions."""
    lessons = list(dict.fromkeys(f.lesson for r in reports for f in r.functions))
    rows = [
        (
            r.student,
            number(r.points),
            number(r.max_points),
            *(number(lesson_points(r, lesson)) for lesson in lessons),
            str(len(r.ungraded)),
        )
        for r in reports
    ]
    return _csv(("student", "points", "max_points", *lessons, "ungraded"), rows)


def lesson_points(report: Report, lesson: str) -> Fraction:
    """A student's points in one lesson."""
    return sum((f.points for f in report.functions if f.lesson == lesson), Fraction(0))


def _csv(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows((f"'{student}" if student.startswith(FORMULA) else student, *rest) for student, *rest in rows)
    return text.getvalue()
