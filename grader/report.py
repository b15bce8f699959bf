"""What grading finds out, as data. Every face (terminal, CSV, JSON, pytest) reads these and nothing else."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

SCHEMA = 1
"""Version of the JSON form of ``Report``. It changes when a field changes its meaning or goes."""


class Verdict(StrEnum):
    """The verdict on one function, as the contract defines it."""

    PASS = "pass"
    FAIL = "fail"
    MISSING = "missing"
    ERROR = "error"
    UNGRADED = "ungraded"


@dataclass(frozen=True)
class CheckResult:
    """One check of one function; ``held`` is None when it was not run."""

    name: str
    sentence: str
    held: bool | None


@dataclass(frozen=True)
class Counterexample:
    """The smallest input found on which a property breaks, written out. For the teacher, and for the student only where
    the course shows it."""

    called: str
    got: str
    expected: str


@dataclass(frozen=True)
class Mistake:
    """A misconception that the function behaves like: its name, what it is and what to do next."""

    name: str
    sentence: str
    next_step: str


@dataclass(frozen=True)
class FunctionReport:
    """The verdict on one function and why.

    ``reason`` is one sentence that may be shown to the student, ``traceback`` only lines of the student's own files.
    ``replaced`` names the functions that it called and for which the reference stood in. ``fault`` is ours, for the
    teacher alone.
    """

    lesson: str
    function: str
    verdict: Verdict
    max_points: Fraction
    reason: str = ""
    checks: tuple[CheckResult, ...] = ()
    counterexample: Counterexample | None = None
    traceback: tuple[str, ...] = ()
    mistake: Mistake | None = None
    replaced: tuple[str, ...] = ()
    fault: str = ""

    @property
    def is_answer(self) -> bool:
        """Whether it is an answer to a question, which has a name in capitals, and not a function."""
        return self.function.isupper()

    @property
    def points(self) -> Fraction:
        """Full points for a pass, none for anything else."""
        return self.max_points if self.verdict is Verdict.PASS else Fraction(0)

    @property
    def broken(self) -> CheckResult | None:
        """The first check that did not hold: the property that a student is told about."""
        return next((check for check in self.checks if check.held is False), None)


@dataclass(frozen=True)
class Report:
    """Everything about one submission.

    ``fingerprint`` covers the submission, the course and the versions that a grade depends on: equal fingerprints have
    equal grades. ``environment`` says what it was graded with and on which rung of the sandbox.
    """

    student: str
    fingerprint: str
    functions: tuple[FunctionReport, ...]
    environment: Mapping[str, str]
    remarks: tuple[str, ...] = ()
    schema: int = SCHEMA

    @property
    def points(self) -> Fraction:
        """The sum over the functions, exact."""
        return sum((f.points for f in self.functions), Fraction(0))

    @property
    def max_points(self) -> Fraction:
        """What full marks would be."""
        return sum((f.max_points for f in self.functions), Fraction(0))

    @property
    def outline(self) -> "Report":
        """Verdicts, points and the names of mistakes alone: what tables are made of, and small."""
        functions = tuple(
            FunctionReport(
                f.lesson, f.function, f.verdict, f.max_points, mistake=f.mistake and Mistake(f.mistake.name, "", "")
            )
            for f in self.functions
        )
        return replace(self, functions=functions, environment={}, remarks=())

    @property
    def ungraded(self) -> tuple[FunctionReport, ...]:
        """Functions that the grader failed to grade."""
        return tuple(f for f in self.functions if f.verdict is Verdict.UNGRADED)


def number(points: Fraction) -> str:
    """Points as people write them: whole, or rounded once, to four decimals at the most."""
    return f"{float(points):.4f}".rstrip("0").rstrip(".")


def to_json(report: Report) -> str:
    """A report as JSON text, the same bytes for the same report. Points are exact fractions in quotes."""
    return json.dumps(asdict(report), indent=1, ensure_ascii=False, default=_fraction) + "\n"


def from_json(text: str) -> Report:
    """Read back what ``to_json`` wrote.

    Raises ``ValueError`` when the text is not a report of this schema.
    """
    try:
        data = json.loads(text)
        if data["schema"] != SCHEMA:
            raise ValueError(f"schema {data['schema']}, not {SCHEMA}")
        functions = tuple(_function(entry) for entry in data["functions"])
        return Report(**{**_known(Report, data), "functions": functions, "remarks": tuple(data["remarks"])})
    except (KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"not a report: {error!r}") from None


def _fraction(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{value!r} does not belong in a report")


def _function(data: Mapping[str, Any]) -> FunctionReport:
    known = _known(FunctionReport, data)
    known["verdict"] = Verdict(data["verdict"])
    known["max_points"] = Fraction(data["max_points"])
    known["checks"] = tuple(CheckResult(**check) for check in data["checks"])
    known["traceback"], known["replaced"] = tuple(data["traceback"]), tuple(data["replaced"])
    known["counterexample"] = Counterexample(**data["counterexample"]) if data["counterexample"] else None
    known["mistake"] = Mistake(**data["mistake"]) if data["mistake"] else None
    return FunctionReport(**known)


def _known(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: data[field.name] for field in fields(kind)}
