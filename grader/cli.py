"""The command ``grader``: a thin face over the core.

Exit codes: 0 fine, 1 the work fell short, 2 bad use, 3 our fault.
"""

import os
import sys
import traceback
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from grader.contract import all_lessons
from grader.course import SAMPLE_SECRET, CourseError, read_course
from grader.feedback import report_text
from grader.figures import Drawn, FiguresError, draw_figures, submitted_data
from grader.kit import COURSE, SOLUTIONS
from grader.measuring import Coming, reference_data
from grader.playground import PlaygroundError
from grader.playground import serve as serve_playground
from grader.release import ReleaseError, proofs, release, stale
from grader.report import Report
from grader.results import FUNCTIONS_CSV, ResultsError
from grader.sandbox import Rung, SandboxFault, Worker, best_rung
from grader.submissions import SubmissionError, find_submissions, read_submission
from grader.tables import points_table, topics_table

FELL_SHORT, BAD_USE, OUR_FAULT = 1, 2, 3

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False, rich_markup_mode=None)
console = Console(soft_wrap=True, emoji=False)
errors = Console(stderr=True, soft_wrap=True, emoji=False)

SandboxOption = Annotated[
    Rung | None, typer.Option("--sandbox", help="How to hold student code. The best that works here, if not given.")
]
CourseOption = Annotated[Path, typer.Option("--course", help="The course file: lessons, points, limits, secret.")]


@app.callback()
def grader() -> None:
    """Grade exercises on the Transformer: by hidden properties, in a sandbox, naming the mistakes."""


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(help="One submission: a folder, a zip file, a notebook or a module.")],
    course_file: CourseOption = COURSE,
    sandbox: SandboxOption = None,
    student_view: Annotated[
        bool, typer.Option("--student-view", help="Show what the student reads, and no more.")
    ] = False,
) -> None:
    """Grade one submission. Shows what held, what broke and the likely mistakes."""
    course = read_course(course_file)
    submission = read_submission(folder, tuple(course.lessons))
    if not submission.modules and _is_class(folder, tuple(course.lessons)):
        raise SubmissionError(f"{folder} holds the submissions of a class. Grade them with: grader grade {folder}")
    rung = sandbox or best_rung()
    from grader.grading import Grader  # noqa: PLC0415  what draws and serves does without Hypothesis, which loads slowly

    with Worker(rung, course.limits) as worker:
        report = Grader(course, worker).grade(submission)
    console.print(report_text(report, course.show if student_view else "counterexample"), markup=False, highlight=False)
    errors.print(f"Sandbox: {rung.label}", markup=False, highlight=False)
    if report.ungraded:
        _tell_faults([report])
        raise typer.Exit(OUR_FAULT)
    if report.points < report.max_points:
        raise typer.Exit(FELL_SHORT)


@app.command()
def grade(
    submissions: Annotated[
        Path,
        typer.Argument(
            help="A class, in a folder or a zip file: one folder or zip file for each student, "
            "or a download from Canvas, Moodle or Gradescope."
        ),
    ],
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
    from grader.classroom import grade_class  # noqa: PLC0415  as above

    course = read_course(course_file)
    found, left_out = find_submissions(submissions, besides=out)
    if course.secret == SAMPLE_SECRET:
        errors.print(
            "Note: the course has the sample secret; write your own in the course file before you grade for marks."
        )
    for reason in left_out:
        errors.print(f"Left out: {reason}.", markup=False, highlight=False)
    rung = sandbox or best_rung()
    errors.print(f"Sandbox: {rung.label}", markup=False)
    reports: list[Report] = []
    try:
        with _progress("Grading") as progress, closing(grade_class(found, course, out, jobs, rung)) as coming:
            bar = progress.add_task("", total=len(found))
            for report in coming:
                reports.append(report)
                progress.update(bar, advance=1, description=escape(report.student))
    except KeyboardInterrupt:
        kept = f"{len(reports)} of {len(found)} submissions are graded and kept in {out}"
        errors.print(f"Stopped. {kept}; the same command goes on from there.", markup=False, highlight=False)
        raise
    reports.sort(key=lambda report: report.student)
    console.print(points_table(course, reports, console.width))
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


@app.command("figures")
def figures_command(
    folder: Annotated[
        Path | None,
        typer.Option("--from", help="A submission, to draw from its own functions. The reference, if not given."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Where to write a PNG and an SVG for each figure.")] = Path(
        "pictures"
    ),
    theme: Annotated[
        str, typer.Option("--theme", help="The colours: light (dark on light) or dark (light on dark).")
    ] = "light",
    course_file: CourseOption = COURSE,
    sandbox: SandboxOption = None,
) -> None:
    """Draw the six figures of the lessons. Their data come from the reference or from a submission."""
    if folder is None:
        with reference_data() as coming:
            drawn = _draw(coming, theme, out)
    else:
        course = read_course(course_file)
        submission = read_submission(folder, all_lessons())
        rung = sandbox or best_rung()
        errors.print(f"Sandbox: {rung.label}", markup=False)
        with submitted_data(submission, rung, course.limits) as coming:
            drawn = _draw(coming, theme, out)
    troubles = [figure for figure in drawn if figure.trouble]
    for figure in troubles:
        errors.print(f"{figure.name} cannot be drawn. {figure.trouble}", markup=False, highlight=False)
    done = len(drawn) - len(troubles)
    console.print(f"Drawn: {done} of {len(drawn)} figures, as PNG and SVG in {out}.", markup=False, highlight=False)
    if troubles:
        console.print("The files of the others say why there is no figure.")
        raise typer.Exit(FELL_SHORT)


def _draw(coming: Coming, theme: str, out: Path) -> list[Drawn]:
    drawn: list[Drawn] = []
    with _progress("Drawing") as progress:
        bar = progress.add_task("", total=len(coming))
        for figure in draw_figures(coming, theme, out):
            drawn.append(figure)
            progress.update(bar, advance=1, description=figure.name)
    return drawn


@app.command()
def playground(
    folder: Annotated[
        Path, typer.Argument(help="The submission whose attention is to be seen. The reference, if not given.")
    ] = SOLUTIONS,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Where on this computer the page is served.")
    ] = None,
    sandbox: SandboxOption = None,
) -> None:
    """See in the browser who reads whom in a sentence. The attention is a submission's own."""
    rung = sandbox or best_rung()
    errors.print(f"Sandbox: {rung.label}", markup=False)
    serve_playground(folder, rung, port)


@app.command("release")
def release_command(
    out: Annotated[Path, typer.Option("--out", help="The students' folder.")] = Path("exercises"),
    check_only: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail when the folder is stale or a proof fails.")
    ] = False,
    course_file: CourseOption = COURSE,
) -> None:
    """Make the students' folder from the reference. Proves that it gives nothing away."""
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


@app.command("course")
def course_command(
    folder: Annotated[Path, typer.Argument(help="The course's folder.")],
    course_file: Annotated[
        Path | None,
        typer.Option("--course", help="The course file to copy. The folder's own if it has one, else the kit's."),
    ] = None,
) -> None:
    """Write a course for nbgrader. It has settings, the course file, and a notebook for each lesson."""
    try:
        from grader.nbgrader_course import CourseFolderError, write_course  # noqa: PLC0415  not everybody has nbgrader
    except ModuleNotFoundError as missing:
        raise CourseError(
            f"{missing.name} is not installed, and a course for nbgrader is made with it: "
            "pip install 'transformer-exercises[nbgrader]'."
        ) from None
    try:
        written = write_course(folder, course_file)
    except CourseFolderError as error:
        raise CourseError(str(error)) from None
    if written.kept:
        errors.print(
            f"Left as you have changed them, whatever the course file says now: {', '.join(written.kept)}. "
            "To get one as the kit has it, move yours away and run this again.",
            markup=False,
            highlight=False,
        )
    console.print(
        f"Written: {written.count} files. Go on in the folder {folder.resolve().name}, for instance: "
        f"nbgrader generate_assignment {written.lessons[0]}",
        markup=False,
        highlight=False,
    )


def _progress(doing: str) -> Progress:
    columns = (
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=errors)


def _is_class(path: Path, lessons: tuple[str, ...]) -> bool:
    """Whether several submissions lie here."""
    try:
        sources, _ = find_submissions(path)
    except SubmissionError:
        return False
    return len(sources) > 1 and any(source.read(lessons).modules for source in sources)


def _tell_faults(reports: list[Report]) -> None:
    for report in reports:
        for function in report.ungraded:
            errors.print(f"UNGRADED, our fault: {report.student}, {function.function}\n{function.fault}", markup=False)


def main() -> None:
    """Run the command, and turn what goes wrong into a sentence and an exit code."""
    try:
        app()
    except (CourseError, SubmissionError, ReleaseError, ResultsError, FiguresError, PlaygroundError) as error:
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
