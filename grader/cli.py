"""The command ``grader``: a thin face over the core.

Exit codes: 0 fine, 1 the work fell short, 2 bad use, 3 our fault.
"""

import os
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from grader.classroom import FUNCTIONS_CSV, ResultsError, grade_class
from grader.course import SAMPLE_SECRET, CourseError, read_course
from grader.feedback import report_text
from grader.grading import Grader
from grader.kit import COURSE, SOLUTIONS
from grader.plain import plain
from grader.release import ReleaseError, proofs, release, stale
from grader.report import Report
from grader.sandbox import Rung, SandboxFault, Worker, best_rung
from grader.submissions import SubmissionError, find_submissions, read_submission
from grader.tables import points_table, topics_table

FELL_SHORT, BAD_USE, OUR_FAULT = 1, 2, 3

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False, rich_markup_mode=None)
console = Console(soft_wrap=True)
errors = Console(stderr=True, soft_wrap=True)

SandboxOption = Annotated[
    Rung | None, typer.Option("--sandbox", help="How to hold student code. The best that works here, if not given.")
]
CourseOption = Annotated[Path, typer.Option("--course", help="The course file: lessons, points, limits, secret.")]


@app.callback()
def grader() -> None:
    """Grade exercises on the Transformer: by hidden properties, in a sandbox, naming the mistakes."""


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(help="The folder of one submission.")],
    course_file: CourseOption = COURSE,
    sandbox: SandboxOption = None,
    student_view: Annotated[
        bool, typer.Option("--student-view", help="Show what the student reads, and no more.")
    ] = False,
) -> None:
    """Grade one submission and show what held, what broke and the likely mistakes."""
    course = read_course(course_file)
    submission = read_submission(folder, tuple(course.lessons))
    rung = sandbox or best_rung()
    with Worker(rung, course.limits) as worker:
        report = Grader(course, worker).grade(submission)
    console.print(report_text(report, course.show if student_view else "counterexample"), markup=False, highlight=False)
    console.print(f"\nSandbox: {rung.label}", markup=False, highlight=False)
    if report.ungraded:
        _tell_faults([report])
        raise typer.Exit(OUR_FAULT)
    if report.points < report.max_points:
        raise typer.Exit(FELL_SHORT)


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="The folder of a class: one folder for each student.")],
    out: Annotated[
        Path,
        typer.Option("--out", help="Where to write functions.csv, grades.csv and a JSON for each student."),
    ],
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, help="How many submissions to grade at a time.")
    ] = os.cpu_count() or 1,
    course_file: CourseOption = COURSE,
    sandbox: SandboxOption = None,
) -> None:
    """Grade a class and write the results. A run that was interrupted goes on where it stopped."""
    course = read_course(course_file)
    folders, left_out = find_submissions(submissions)
    folders = [folder for folder in folders if folder.resolve() != out.resolve()]
    if course.secret == SAMPLE_SECRET:
        errors.print(
            "Note: the course has the sample secret; write your own in the course file before you grade for marks."
        )
    for path in left_out:
        errors.print(f"Left out: {plain(path.name)} is a link or not a folder.", markup=False, highlight=False)
    rung = sandbox or best_rung()
    errors.print(f"Sandbox: {rung.label}", markup=False)
    columns = (
        TextColumn("Grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )
    reports: list[Report] = []
    with Progress(*columns, console=errors) as progress:
        bar = progress.add_task("", total=len(folders))
        for report in grade_class(folders, course, out, jobs, rung):
            reports.append(report)
            progress.update(bar, advance=1, description=escape(report.student))
    reports.sort(key=lambda report: report.student)
    console.print(points_table(course, reports))
    console.print()
    console.print(topics_table(course, reports))
    console.print()
    console.print(
        f"Written: {out / FUNCTIONS_CSV}, grades.csv and {len(reports)} reports.",
        markup=False,
        highlight=False,
    )
    if any(report.ungraded for report in reports):
        _tell_faults(reports)
        raise typer.Exit(OUR_FAULT)


@app.command("release")
def release_command(
    out: Annotated[Path, typer.Option("--out", help="The students' folder.")] = Path("exercises"),
    check_only: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail when the folder is stale or a proof fails.")
    ] = False,
    course_file: CourseOption = COURSE,
) -> None:
    """Make the students' folder from the reference, and prove that it gives nothing away."""
    lessons = tuple(read_course(course_file).lessons)
    if not check_only:
        written = release(out, SOLUTIONS, lessons)
        console.print(f"Written: {len(written)} files in {out}.", markup=False, highlight=False)
    problems = [*stale(out, SOLUTIONS, lessons), *proofs(SOLUTIONS, lessons)]
    for problem in problems:
        errors.print(problem, markup=False, highlight=False)
    if problems:
        raise typer.Exit(FELL_SHORT)
    console.print(f"{out} is what the reference makes it, and gives nothing away.", markup=False, highlight=False)


def _tell_faults(reports: list[Report]) -> None:
    for report in reports:
        for function in report.ungraded:
            errors.print(f"UNGRADED, our fault: {report.student}, {function.function}\n{function.fault}", markup=False)


def main() -> None:
    """Run the command, and turn what goes wrong into a sentence and an exit code."""
    try:
        app()
    except (CourseError, SubmissionError, ReleaseError, ResultsError) as error:
        errors.print(str(error), markup=False, highlight=False)
        sys.exit(BAD_USE)
    except SandboxFault as error:
        errors.print(f"The sandbox cannot be used: {error}", markup=False, highlight=False)
        sys.exit(OUR_FAULT)
    except Exception:
        errors.print(
            f"{traceback.format_exc()}\nThis is a fault of the grader, not of a submission. Results so far are kept.",
            markup=False,
        )
        sys.exit(OUR_FAULT)
