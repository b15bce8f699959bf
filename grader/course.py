"""The course: lessons, points, limits and feedback, read from ``course.toml``."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from grader.kit import COURSE
from grader.sandbox import Limits

SAMPLE_SECRET = "sample course: change me"
_T = TypeVar("_T")
MOST_POINTS = 1_000_000
LEAST_LIMITS = {"seconds_per_call": 1, "seconds_per_submission": 10, "memory_mb": 256, "output_mb": 1}
"""Below these, right work would run into a limit: the whole reference takes up to 64 MB and half a second."""
MOST_LIMIT = 1_000_000
SHOWN = ("property", "counterexample")


class CourseError(Exception):
    """``course.toml`` cannot be used; the message says what to change."""


@dataclass(frozen=True)
class Course:
    """What a teacher decides about a course.

    ``lessons`` maps each lesson to the points of its functions, both in the order of the contract; ``questions`` maps
    lessons to the points of the written questions that a person marks, where a course asks any.
    """

    title: str
    secret: str
    lessons: Mapping[str, Mapping[str, Fraction]]
    limits: Limits
    show: str
    resubmissions: bool
    questions: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)

    @property
    def functions(self) -> tuple[tuple[str, str], ...]:
        """Every ``(lesson, function)`` in the contract's order."""
        return tuple((lesson, function) for lesson, points in self.lessons.items() for function in points)

    def points(self, lesson: str, function: str) -> Fraction:
        """The points of one function."""
        return self.lessons[lesson][function]

    def salt(self, digest: str) -> str:
        """What is mixed into the secret for a submission with this digest.

        Where students may hand in again after feedback, every edit draws new inputs, so that inputs which leaked
        into one feedback are worth nothing in the next. Otherwise the class shares one drawing.
        """
        return digest if self.resubmissions else ""

    @property
    def fingerprint(self) -> str:
        """A digest of everything in the course that a grade depends on."""
        parts = [self.secret, str(self.resubmissions), self.show, repr(self.limits)]
        parts += [f"{lesson}.{function}={self.points(lesson, function)}" for lesson, function in self.functions]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def read_course(path: Path = COURSE) -> Course:
    """Read a course file.

    Raises ``CourseError`` when the file is missing, is not TOML, or says something that makes no sense.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise CourseError(f"There is no course file {path}. Give the path of one with --course.") from None
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} has a byte that is not UTF-8, at {error.start}: save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path} is not valid TOML: {error}.") from None
    except (ValueError, RecursionError):
        raise CourseError(f"{path} holds a number of very many digits, or very many brackets.") from None
    try:
        return _course(data)
    except CourseError as error:
        raise CourseError(f"{path}: {error}") from None


def _course(data: Mapping[str, Any]) -> Course:
    limits = _entry(data, "limits", dict)
    feedback = _entry(data, "feedback", dict)
    show = _entry(feedback, "show", str)
    if show not in SHOWN:
        raise CourseError(f"feedback.show is {show!r}; it can be {' or '.join(map(repr, SHOWN))}.")
    secret = _entry(data, "secret", str)
    if not secret:
        raise CourseError("secret is empty; write any sentence that your students do not know.")
    return Course(
        title=_entry(data, "title", str),
        secret=secret,
        lessons=_tables("lessons", _entry(data, "lessons", dict)),
        limits=Limits(
            seconds_per_call=_limit(limits, "seconds_per_call"),
            seconds_per_submission=_limit(limits, "seconds_per_submission"),
            memory_mb=int(_limit(limits, "memory_mb")),
            output_mb=int(_limit(limits, "output_mb")),
        ),
        show=show,
        resubmissions=_entry(feedback, "resubmissions", bool),
        questions=_tables("questions", _entry(data, "questions", dict) if "questions" in data else {}),
    )


def _tables(kind: str, tables: Mapping[str, Any]) -> dict[str, dict[str, Fraction]]:
    """The points in the tables of lessons, by lesson and name."""
    return {
        lesson: {
            name: _points(f"{kind}.{lesson}.{name}", value) for name, value in _entry(tables, lesson, dict).items()
        }
        for lesson in tables
    }


def _entry(table: Mapping[str, Any], key: str, kind: type[_T]) -> _T:
    if key not in table:
        raise CourseError(f"the entry {key!r} is missing.")
    value = table[key]
    if not isinstance(value, kind):
        raise CourseError(f"{key!r} is {value!r}; it must be a {kind.__name__}.")
    return value


def _limit(table: Mapping[str, Any], key: str) -> float:
    value = table.get(key)
    least = LEAST_LIMITS[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= MOST_LIMIT:
        raise CourseError(f"limits.{key} is {value!r}; it must be a number from {least} up to {MOST_LIMIT}.")
    return value


def _points(name: str, value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise CourseError(f"{name} is {value!r}; points are a number, or a fraction in quotes like '1/3'.")
    try:
        points = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise CourseError(f"{name} is {value!r}; points are a number, or a fraction in quotes like '1/3'.") from None
    if not 0 <= points <= MOST_POINTS:
        raise CourseError(f"{name} is {value!r}; points cannot be negative, nor more than {MOST_POINTS}.")
    return points
