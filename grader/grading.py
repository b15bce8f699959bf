"""Grading one submission: every function by itself, given right code for the functions before it."""

import hashlib
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.metadata import version
from itertools import groupby
from typing import Any

import hypothesis
import numpy as np

from grader.callee import Arguments, Callee, Ended, Unfinished, Violation
from grader.checks import Check, checks_of
from grader.contract import Function, all_lessons, lesson_functions, reference
from grader.course import Course, CourseError
from grader.diagnosis import diagnose
from grader.faults import fault_of
from grader.feedback import written, written_call
from grader.hurry import hurried
from grader.memory import bounded
from grader.questions import Once, foreseen
from grader.reasons import cell_fails, defined_twice, does_not_load, no_file, own_lines, raised, silenced, undefined
from grader.report import CheckResult, Counterexample, FunctionReport, Mistake, Report, Verdict
from grader.sandbox import Died, Failure, LoadResult, Outcome, Raised, Returned, Session, Worker
from grader.submissions import Submission

_reference = cache(reference)
FAST = (np.dtype("float64"), np.dtype("float32"))
MOST_SLOW = 1 << 17
"""Elements of arrays that are not of these types, in one call that the reference answers."""
ANSWER_MB = 512
"""Memory that the reference may take for one answer to a submission."""
ANSWER_SECONDS = 10
"""Processor seconds that it may take for one."""


class Grader:
    """Grades submissions of one course, one after the other, through one worker of the sandbox."""

    def __init__(self, course: Course, worker: Worker) -> None:
        self.course = course
        self.worker = worker
        self.functions = contract_functions(course)

    def grade(self, submission: Submission) -> Report:
        """The report on one submission. A fault of ours makes functions ``ungraded``; it never raises."""
        graded: list[FunctionReport] = []
        fault = submission.fault
        try:
            if not fault:
                self._grade(submission, graded)
        except Exception as error:
            fault = fault_of(error)
        for function in self.functions[len(graded) :]:
            graded.append(_ungraded(function, self.course.points(function.lesson, function.name), fault))
        return Report(
            student=submission.student,
            fingerprint=fingerprint(self.course, submission),
            functions=tuple(graded),
            environment={**environment(), "sandbox": self.worker.rung.value},
            remarks=submission.remarks,
        )

    def _grade(self, submission: Submission, graded: list[FunctionReport]) -> None:
        """Grade one function after the other, and answers that are constants where nothing stands in for anything:
        the reference would work them out."""
        for are_constants, functions in groupby(self.functions, key=lambda function: function.is_constant):
            failed = [
                f for f, report in zip(self.functions, graded, strict=False) if report.verdict is not Verdict.PASS
            ]
            with self.worker.open(submission.files, submission.modules) as session:
                if not are_constants:
                    stand_in(session, failed)
                self._grade_in(session, tuple(functions), submission, graded)

    def _grade_in(
        self, session: Session, functions: Sequence[Function], submission: Submission, graded: list[FunctionReport]
    ) -> None:
        salt = self.course.salt(submission.digest)
        loaded: dict[str, LoadResult | None] = {}
        for function in functions:
            lesson = function.lesson
            one = _FunctionGrader(self.course, session, function, salt, submission)
            if lesson not in loaded:
                if not function.is_constant:
                    stand_in(session, untaught(self.course, lesson))
                loaded[lesson] = session.load(lesson) if lesson in submission.modules else None
            graded.append(one.grade(loaded[lesson]))
            if graded[-1].verdict is not Verdict.PASS:
                stand_in(session, [function])


def contract_functions(course: Course) -> tuple[Function, ...]:
    """The course's functions as the contract states them, in its order.

    Raises ``CourseError`` when the course names a lesson or function that the reference does not have.
    """
    functions = []
    for lesson, points in course.lessons.items():
        try:
            known = {function.name: function for function in lesson_functions(lesson)}
        except FileNotFoundError:
            raise CourseError(f"The course has a lesson {lesson!r}, but the kit has no such lesson.") from None
        if set(points) != set(known):
            odd = sorted(set(points) ^ set(known))
            raise CourseError(
                f"The course's lesson {lesson!r} and the kit's do not have the same functions: {', '.join(odd)}."
            )
        functions += [known[name] for name in known]
    return tuple(functions)


def environment() -> dict[str, str]:
    """The versions on which the inputs and the arithmetic of a grade depend."""
    return {
        "grader": version("transformer-exercises"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "hypothesis": hypothesis.__version__,
    }


def fingerprint(course: Course, submission: Submission) -> str:
    """A digest of all that a submission's grade depends on."""
    parts = [course.fingerprint, submission.digest, *environment().values()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def answer(function: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The reference's value for a function that it stands in for, on arguments that the submission chose.

    Raises ``ValueError`` for arguments too large to work on: products of other arrays than ordinary floats take NumPy
    a thousand times as long, and nothing interrupts it. No check comes near that.
    """
    if sum(array.size for array in _arrays((args, kwargs)) if array.dtype not in FAST) > MOST_SLOW:
        raise ValueError(f"arrays of more than {MOST_SLOW:,} elements have to hold float64")
    with np.errstate(all="ignore"), bounded(ANSWER_MB), hurried(ANSWER_SECONDS):
        return _reference(function)(*args, **kwargs)


def _arrays(value: Any) -> Iterator["np.ndarray[Any, Any]"]:
    """The arrays in plain data."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _arrays(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _arrays(item)


def untaught(course: Course, lesson: str) -> tuple[Function, ...]:
    """The functions of lessons that come before this one in the contract and that the course leaves out.

    Nobody judges a student's own, so the reference stands in for all of them.
    """
    lessons = all_lessons()
    earlier = lessons[: lessons.index(lesson)]
    return tuple(f for other in earlier if other not in course.lessons for f in lesson_functions(other))


def stand_in(session: Session, functions: Iterable[Function]) -> None:
    """Let the reference stand in for these functions from now on. Nothing calls a constant."""
    for function in functions:
        if function.signature is not None:
            session.substitute(function.name, function.lesson, function.signature)


def ask(session: Session, function: Function, calls: Sequence[Arguments]) -> list[Outcome]:
    """Call a submission's function in one go, or read its constant as often."""
    if function.is_constant:
        return [session.read(function.lesson, function.name)] * len(calls)
    return session.call_many(function.lesson, function.name, calls)


def _ungraded(function: Function, points: Fraction, fault: str) -> FunctionReport:
    reason = "The grader failed on this function. Your teacher can see why; no points are lost by it."
    return FunctionReport(function.lesson, function.name, Verdict.UNGRADED, points, reason, fault=fault)


class _FunctionGrader:
    """One function of one submission."""

    def __init__(self, course: Course, session: Session, function: Function, salt: str, submission: Submission) -> None:
        self.course = course
        self.session = session
        self.function = function
        self.salt = salt
        self.handed_in = tuple(submission.files)
        self.sources = {file: submission.files[file] for file in submission.modules.values()}
        self.file = submission.modules.get(function.lesson, f"{function.lesson}.py")
        self.unread = submission.unread.get(function.lesson, "")
        self.once = Once(lambda calls: ask(session, function, calls))
        self.callee = Callee(function.name, self.once)
        self.checks = checks_of(function.name)
        self.replaced: dict[str, None] = {}  # in the order in which the submission first called them
        session.answer = self._answer

    def grade(self, load: LoadResult | None) -> FunctionReport:
        """The verdict. ``load`` is None when the submission has no file for the lesson."""
        name, file = self.function.name, self.file
        if load is None and self.unread:
            return self._report(Verdict.ERROR, self.unread)
        if load is None:
            return self._report(Verdict.MISSING, no_file(self.function.lesson, self.handed_in))
        if load.error is not None:
            error = self._told(load.error)
            return self._report(Verdict.ERROR, does_not_load(file, error), traceback=own_lines(error))
        if loss := load.lost.get(name):
            error = self._told(loss.failure)
            return self._report(
                Verdict.ERROR, cell_fails(file, replace(loss, failure=error)), traceback=own_lines(error)
            )
        if name not in load.names:
            return self._report(Verdict.MISSING, undefined(self.function, file, load.names, self.sources))
        results: list[CheckResult] = []
        first: tuple[Check, Violation, list[Arguments]] | None = None
        try:
            if self.function.is_constant and self._is_unanswered():
                return self._report(Verdict.MISSING, f"{name} is not answered yet: it is still None.")
            self._ask_ahead()
            for check in self.checks:
                violation = self._violation(check)
                results.append(CheckResult(check.name, check.sentence, violation is None))
                if violation and not first:
                    first = check, violation, list(self.callee.calls)
            if first is None:
                return self._report(Verdict.PASS, checks=tuple(results))
            return self._failed(*first, results=tuple(results))
        except Unfinished:
            return self._report(Verdict.MISSING, f"{name} says itself that it is not done yet (NotImplementedError).")
        except Ended as ended:
            results += [CheckResult(check.name, check.sentence, None) for check in self.checks[len(results) :]]
            return self._report(
                Verdict.ERROR,
                f"{name} never came back: {ended.died.detail}",
                checks=tuple(results),
            )
        except Exception as error:
            return _ungraded(self.function, self._points, fault_of(error))

    def _told(self, failure: Failure) -> Failure:
        """The failure as the student may read it. A message can hold whatever the reference has answered."""
        return silenced(failure, self.handed_in) if self.replaced else failure

    def _answer(self, function: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        self.replaced[function] = None
        return answer(function, args, kwargs)

    def _is_unanswered(self) -> bool:
        [read] = self.once([((), {})])
        return isinstance(read, Returned) and read.value is None

    def _ask_ahead(self) -> None:
        """Ask in few round trips what the checks are going to ask: the round trip costs more than most calls.

        A death among them is forgotten; the checks then ask one by one, and meet it at the call that it belongs to.
        Inputs drawn for one submission alone are not worth foreseeing.
        """
        if self.salt or self.function.is_constant:
            return
        for keys, request in foreseen(self.function.lesson, self.function.name, self.course.secret):
            outcomes = self.session.ask(request)
            if any(isinstance(outcome, Died) for outcome in outcomes):
                return
            self.once.answers.update(zip(keys, outcomes, strict=True))

    def _violation(self, check: Check) -> Violation | None:
        """The check's first violation over its examples, smallest first."""
        for example in check.examples(self.course.secret, self.salt):
            try:
                check.holds(self.callee, example)
            except Violation as violation:
                return violation
        return None

    def _failed(
        self,
        check: Check,
        violation: Violation,
        calls: list[Arguments],
        results: tuple[CheckResult, ...],
    ) -> FunctionReport:
        smallest = check.smallest(self.callee, self.course.secret, self.salt)
        if smallest is not None:
            try:
                check.holds(self.callee, smallest)
            except Violation as smaller:
                violation, calls = smaller, list(self.callee.calls)
        mistake = diagnose(self.function.name, self.once)
        args, kwargs = calls[-1] if calls else ((), {})
        got = violation.problem if violation.raised else f"{violation.problem}\n{written(violation.got)}"
        source = self.sources.get(self.file, b"")
        error = self._told(violation.raised) if violation.raised else None
        if isinstance(error, Raised):
            reason = raised(self.function, self.file, error, source)
        else:
            reason = _first_sentence(self.function, violation)
        return self._report(
            Verdict.FAIL,
            reason + defined_twice(self.function.name, source),
            checks=results,
            counterexample=Counterexample(
                called=written_call(self.function, args, kwargs),
                got=got,
                expected=written(violation.expected) if violation.expected is not None else check.sentence,
            ),
            traceback=own_lines(error) if error else (),
            mistake=Mistake(mistake.name, mistake.mistake, mistake.next_step) if mistake else None,
        )

    @property
    def _points(self) -> Fraction:
        return self.course.points(self.function.lesson, self.function.name)

    def _report(self, verdict: Verdict, reason: str = "", **found: Any) -> FunctionReport:
        return FunctionReport(
            self.function.lesson,
            self.function.name,
            verdict,
            self._points,
            reason,
            replaced=tuple(self.replaced),
            **found,
        )


def _first_sentence(function: Function, violation: Violation) -> str:
    """Why a value is wrong, without the value: shape and type are the student's to see, drawn numbers are not."""
    if not violation.about_form:
        return "The answer is not right."
    problem = re.sub(r"^it changed .*", lambda found: _by_name(function, found[0]), violation.problem)
    return problem[:1].upper() + problem[1:] + ("" if problem.endswith("?") else ".")


def _by_name(function: Function, text: str) -> str:
    """``argument 2`` and ``argument 'mask'`` as the function's signature calls them."""
    parameters = function.signature.parameters.values() if function.signature else ()
    for number, parameter in enumerate(parameters, start=1):
        if parameter.kind is not parameter.VAR_POSITIONAL:
            text = re.sub(rf"argument {number}\b", f"its argument {parameter.name}", text)
    return re.sub(r"argument '(\w+)'", r"its argument \1", text)
