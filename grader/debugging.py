"""One submission, ready for single checks: what the pytest face runs on."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from grader.callee import Callee, Ended, Unfinished, Violation
from grader.checks import Check
from grader.course import read_course
from grader.feedback import written, written_call
from grader.grading import Grader, answer, ask, stand_in, untaught
from grader.reasons import told
from grader.report import Verdict
from grader.sandbox import Worker, best_rung
from grader.submissions import SubmissionError, read_submission


class Bench:
    """A submission in the sandbox. It is graded once, to know which functions the reference has to stand in for."""

    def __init__(self, folder: Path) -> None:
        self.course = course = read_course()
        self.secret = course.secret
        self.submission = read_submission(folder, tuple(course.lessons))
        self.salt = course.salt(self.submission.digest)
        self._open = ExitStack()
        self.worker = self._open.enter_context(Worker(best_rung(), course.limits))
        grader = Grader(course, self.worker)
        self.functions = grader.functions
        self.report = grader.grade(self.submission)
        self.callees: dict[str, Callee] = {}

    def close(self) -> None:
        """End the sandbox."""
        self._open.close()

    def run(self, check: Check) -> None:
        """Run one check over its examples; raises what the check raises."""
        callee = self._callee(check.function)
        for example in check.examples(self.secret, self.salt):
            check.holds(callee, example)

    def _callee(self, name: str) -> Callee:
        """The function under test in a session of its own, the reference standing in for earlier ones that failed."""
        if name in self.callees:
            return self.callees[name]
        verdicts = {f.function: f for f in self.report.functions}
        if verdicts[name].verdict in (Verdict.MISSING, Verdict.ERROR, Verdict.UNGRADED):
            pytest.fail(f"{name}: {verdicts[name].verdict}. {verdicts[name].reason}", pytrace=False)
        session = self._open.enter_context(self.worker.open(self.submission.files, self.submission.modules))
        session.answer = answer
        for function in self.functions:
            stand_in(session, untaught(self.course, function.lesson))
            if function.name == name:
                break
            if function.lesson in self.submission.modules:
                session.load(function.lesson)
            if verdicts[function.name].verdict is not Verdict.PASS:
                stand_in(session, [function])
        session.load(function.lesson)
        self.callees[name] = Callee(name, lambda calls: ask(session, function, calls))
        return self.callees[name]

    def explained(self, check: Check, error: BaseException) -> str | None:
        """A failure of the submission in the layout that students know; None for anything else."""
        if isinstance(error, Ended | Unfinished):
            return (
                f"{check.function} never came back: {error}"
                if isinstance(error, Ended)
                else f"{check.function} is not done yet"
            )
        if not isinstance(error, Violation):
            return None
        calls = self._callee(check.function).calls
        args, kwargs = calls[-1] if calls else ((), {})
        function = next(f for f in self.functions if f.name == check.function)
        got = told(error.raised) if error.raised else f"{error.problem}\n{written(error.got)}"
        return "\n".join(
            [
                f"called    {written_call(function, args, kwargs)}",
                f"got       {got}",
                f"expected  {written(error.expected)}",
                f"property  {check.sentence}",
            ]
        )


_bench = pytest.StashKey[Bench]()


def bench_of(config: pytest.Config) -> Bench:
    """The bench of this pytest run, opened on first use.

    Raises ``pytest.UsageError`` when ``--submission`` is no submission.
    """
    if _bench not in config.stash:
        try:
            config.stash[_bench] = Bench(Path(config.getoption("--submission")))
        except SubmissionError as error:
            raise pytest.UsageError(str(error)) from None
        config.add_cleanup(config.stash[_bench].close)
    return config.stash[_bench]
