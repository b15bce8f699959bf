"""The folder of results: one run writes to it at a time, and a file in it is whole or not there at all."""

import contextlib
import csv
import hashlib
import io
import os
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.course import Course
from grader.report import Report, from_json, number, to_json

FUNCTIONS_CSV = "functions.csv"
GRADES_CSV = "grades.csv"
PARTIAL = ".partial"
"""How the name of a file ends that is still being written; one that is found was left by a run that was killed."""
LONGEST_NAME = 200
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a cell begins that a spreadsheet would run; in East Asia the wide forms of the signs count, too."""


class ResultsError(Exception):
    """Results cannot be written or read; the message says where and why."""


class Results:
    """A folder of results that this run alone may write to. A context manager."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = -1

    def __enter__(self) -> Self:
        """Make the folder, take it for this run and remove what a killed run left half written.

        Raises ``ResultsError`` when it cannot be written, or when another run is writing to it.
        """
        folder = self._folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(folder)
            for left in folder.glob(f".*{PARTIAL}"):
                left.unlink()
            probe = folder / f".probe{PARTIAL}"
            probe.write_bytes(b"")
            probe.unlink()
        except BlockingIOError:
            raise ResultsError(
                f"Another run is writing to {folder}. Wait until it has ended, or choose another folder with --out."
            ) from None
        except OSError as error:
            self._let_go()
            raise ResultsError(
                f"{folder} cannot be written: {error.strerror}. Choose another folder with --out."
            ) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()

    def _let_go(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def kept(self, student: str, fingerprint: str, course: Course) -> Report | None:
        """The student's report from an earlier run, if its fingerprint is this one, it is about the functions of the
        course with their points, and nothing in it is ungraded.

        What cannot be read as a report, be it damaged or of another version, is as good as none.
        """
        try:
            report = from_json((self._folder / report_name(student)).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        same = report.student == student and report.fingerprint == fingerprint
        same &= [(f.lesson, f.function, f.max_points) for f in report.functions] == [
            (lesson, function, course.points(lesson, function)) for lesson, function in course.functions
        ]
        return report if same and not report.ungraded else None

    def keep(self, report: Report) -> None:
        """Write a report. Raises ``ResultsError``."""
        self._write(report_name(report.student), to_json(report))

    def tabulate(self, reports: Sequence[Report]) -> None:
        """Write the two tables, in the order of the reports. Raises ``ResultsError``."""
        self._write(FUNCTIONS_CSV, functions_csv(reports))
        self._write(GRADES_CSV, grades_csv(reports))

    def _write(self, name: str, text: str) -> None:
        """Write a file whole or not at all: beside its place, then moved into it."""
        path = self._folder / name
        partial = self._folder / f".{name}{PARTIAL}"
        try:
            with partial.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                partial.unlink()
            raise ResultsError(f"{path} cannot be written: {error.strerror}. What was graded before is kept.") from None


def _locked(folder: Path) -> int:
    """A file descriptor that holds the folder for this process, and lets go of it however the process ends.

    Raises ``BlockingIOError`` when another process holds it.
    """
    if sys.platform == "win32":  # a folder cannot be locked there, but a file can go when the process that made it goes
        try:
            return os.open(folder / ".lock", os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_TEMPORARY)
        except (FileExistsError, PermissionError):
            raise BlockingIOError from None
    import fcntl  # noqa: PLC0415  there is none on Windows

    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise
    except OSError:  # a file system that knows no locks, as some network drives: better unlocked than not at all
        pass
    return lock


def report_name(student: str) -> str:
    """The name of a student's report: the student's own, shortened where no file can have such a long name."""
    if len(student.encode()) <= LONGEST_NAME:
        return f"{student}.json"
    return f"{student[:40]}-{hashlib.sha256(student.encode()).hexdigest()[:16]}.json"


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
