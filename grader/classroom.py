"""Grading a class: many submissions, in several processes, and a run that can be stopped at any moment."""

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path

from grader.course import Course
from grader.grading import Grader, contract_functions, environment, fingerprint
from grader.processes import Pool
from grader.report import FunctionReport, Report, Verdict
from grader.results import Results
from grader.sandbox import Rung, SandboxFault, Worker, best_rung
from grader.submissions import Source, Submission

AHEAD = 2
"""Submissions in hand for each grading process: one that it grades, one that it finds when it is done."""

_grader: Grader | None = None
"""What one grading process keeps between submissions."""


def _start(course: Course, rung: Rung) -> None:
    global _grader  # noqa: PLW0603  one per process, made when the pool starts it
    worker = Worker(rung, course.limits)
    with suppress(SandboxFault):  # the first submission meets it again, and its report says so
        worker.__enter__()  # lives as long as the process, and dies with it
    _grader = Grader(course, worker)


def _grade(submission: Submission) -> Report:
    """Grade in this process. A fault may have come from outside, such as a jail that was killed: it must come twice."""
    assert _grader is not None
    report = _grader.grade(submission)
    return _grader.grade(submission) if report.ungraded else report


def grade_class(
    sources: Sequence[Source], course: Course, out: Path, jobs: int, rung: Rung | None = None
) -> Generator[Report, None, None]:
    """Grade students' submissions and yield each report as soon as it is on disk, in no fixed order.

    A report that is already in ``out`` for the same work, course and versions is taken as it is, so that a run which
    was interrupted goes on where it stopped. When all are done the two tables are written, in the order of the names.
    Of the submissions only those that are being graded are in memory, of the reports only what the tables need.
    Student code runs on the rung given, or on the best that works here. Closing the iterator ends what is being graded.
    Raises ``ResultsError`` when ``out`` cannot be written, ``SandboxFault`` when no sandbox can be started.
    """
    rung = rung or best_rung()
    with Results(out) as results:
        outlines: dict[str, Report] = {}
        waiting: list[Source] = []
        lessons = tuple(course.lessons)
        for source in sources:
            kept = results.kept(source.student, fingerprint(course, source.read(lessons)), course)
            if kept is None:
                waiting.append(source)
            else:
                outlines[kept.student] = kept.outline
                yield kept
        submissions = (source.read(lessons) for source in waiting)
        with closing(_graded(submissions, course, min(jobs, len(waiting)), rung)) as coming:
            for report in coming:
                results.keep(report)
                outlines[report.student] = report.outline
                yield report
        results.tabulate([outlines[student] for student in sorted(outlines)])


def _graded(submissions: Iterator[Submission], course: Course, jobs: int, rung: Rung) -> Generator[Report, None, None]:
    """Grade in a pool of processes.

    When a process dies, what was in hand is tried again, each in a pool of its own, so that it is known with which
    submission it happens; that one is ours to explain, and ``ungraded``. Then the rest go on.
    """
    while True:
        in_hand: dict[str, Submission] = {}
        yield from _pool(submissions, course, jobs, rung, in_hand)
        if not in_hand:
            return
        for suspect in in_hand.values():
            yield next(_pool(iter([suspect]), course, 1, rung, {}), None) or _lost(suspect, course)


def _pool(
    submissions: Iterator[Submission], course: Course, jobs: int, rung: Rung, in_hand: dict[str, Submission]
) -> Iterator[Report]:
    """Reports as they come, until all are there or a process dies; ``in_hand`` is then what was not finished."""
    if jobs == 0:
        return
    graders = Pool(jobs, _start, course, rung)
    futures: set[Future[Report]] = set()
    try:
        while True:
            for submission in islice(submissions, AHEAD * jobs - len(futures)):
                in_hand[submission.student] = submission
                futures.add(graders.submit(_grade, submission))
            if not futures:
                return
            done, futures = wait(futures, return_when=FIRST_COMPLETED)
            for future in done:
                report = future.result()
                del in_hand[report.student]
                yield report
    except BrokenProcessPool:
        return
    finally:
        # Whoever stops listening, by Ctrl-C or an error, does not wait for what is being graded, and jails end with
        # the process that has them. A child in none would go on.
        if futures and rung is not Rung.PLAIN:
            graders.kill()
        graders.shutdown(cancel_futures=True)


def _lost(submission: Submission, course: Course) -> Report:
    fault = "The grading process ended while it had this submission in hand."
    reason = "The grader failed on this submission. Your teacher can see why; no points are lost by it."
    functions = tuple(
        FunctionReport(f.lesson, f.name, Verdict.UNGRADED, course.points(f.lesson, f.name), reason, fault=fault)
        for f in contract_functions(course)
    )
    return Report(submission.student, "", functions, environment(), submission.remarks)
