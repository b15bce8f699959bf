"""The figures of the lessons, drawn from the reference or from a submission's own functions in the sandbox."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.contract import all_lessons, lesson_functions
from grader.measuring import Coming, find_figures, measure, measured_ahead
from grader.plain import plain
from grader.reasons import told
from grader.sandbox import Died, Limits, Raised, Returned, Rung, Session, Worker
from grader.submissions import Submission

if TYPE_CHECKING:
    from figures.functions import Arguments

MOST_CALLS = 50
"""Calls in one message: what a message may hold is bounded."""


class FiguresError(Exception):
    """Figures cannot be drawn as asked, or written; the message says why and what to do."""


@dataclass(frozen=True)
class Drawn:
    """What came of one figure: its files, its words, and why it could not be drawn, where it could not."""

    name: str
    files: tuple[Path, Path]
    alt: str
    trouble: str | None


@contextmanager
def submitted_data(submission: Submission, rung: Rung, limits: Limits) -> Iterator[Coming]:
    """The data of all figures, from a submission's functions in the sandbox: in a session of its own for each figure,
    so that one which goes wrong leaves the next as it was. The reference stands in for nothing. Raises
    ``SandboxFault``.
    """
    with Worker(rung, limits) as worker:

        def measured(name: str) -> Any:
            with worker.open(submission.files, submission.modules) as session:
                return measure(name, _Submitted(submission, session))

        with measured_ahead(ThreadPoolExecutor(1), measured) as coming:
            yield coming


@dataclass(frozen=True)
class _Submitted:
    """The functions of a submission in a session."""

    submission: Submission
    session: Session

    def each(self, function: str, calls: "Sequence[Arguments]") -> list[Any]:
        """The values of these calls, in order. Raises ``Unusable`` when one of them has none."""
        lesson = _lesson_of()[function]
        self._look_for(function, lesson)
        values: list[Any] = []
        for start in range(0, len(calls), MOST_CALLS):
            for outcome in self.session.call_many(lesson, function, calls[start : start + MOST_CALLS]):
                if not isinstance(outcome, Returned):
                    raise _unusable(_why(function, outcome))
                values.append(outcome.value)
        return values

    def _look_for(self, function: str, lesson: str) -> None:
        """Raises ``Unusable`` when the submission does not define the function."""
        if lesson not in self.submission.modules:
            raise _unusable(f"{function} is missing: there is no file {lesson}.py.")
        file = self.submission.modules[lesson]
        load = self.session.load(lesson)
        if load.error is not None:
            raise _unusable(f"{function} is missing: {file} does not load: {told(load.error)}")
        if function not in load.names:
            raise _unusable(f"{function} is missing: {file} does not define it.")


def draw_figures(coming: Coming, theme: str, out: Path) -> Iterator[Drawn]:
    """Draw all figures as PNG and SVG into a folder, and yield each when it is there, in the order of their data.

    In the place of a figure that cannot be drawn, its files say why. Raises ``FiguresError`` when there is no such
    theme or the folder cannot be written.
    """
    find_figures()
    from figures import NAMES  # noqa: PLC0415
    from figures.drawing import file_names, module, write  # noqa: PLC0415
    from figures.functions import Unusable  # noqa: PLC0415
    from figures.style import THEMES as STYLES  # noqa: PLC0415
    from figures.style import notice, settings  # noqa: PLC0415

    if theme not in STYLES:
        raise FiguresError(f"There is no theme “{plain(theme)}”. Choose one with --theme: {' or '.join(STYLES)}.")
    style = STYLES[theme]
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, data_to_come in coming.items():
            png, svg = (out / file_name for file_name in file_names(name, style))
            figure, trouble = module(name), None
            with settings(style):
                try:
                    data = data_to_come.result()
                except Unusable as unusable:
                    trouble = plain(str(unusable))
                    alt = f"{NAMES[name]}: this figure cannot be drawn. {trouble}"
                    write(notice(NAMES[name], trouble, style), alt, (png, svg))
                else:
                    alt = figure.alt(data)
                    write(figure.draw(data, style), alt, (png, svg))
            yield Drawn(name, (png, svg), alt, trouble)
    except OSError as error:
        raise FiguresError(f"{out} cannot be written: {error.strerror}. Choose another folder with --out.") from None


def _unusable(message: str) -> Exception:
    from figures.functions import Unusable  # noqa: PLC0415

    return Unusable(message)


def _why(function: str, outcome: Raised | Died) -> str:
    if isinstance(outcome, Died):
        return f"{function} never came back: {outcome.detail}"
    if "NotImplementedError" in outcome.bases:
        return f"{function} is not written yet."
    return f"{function} raised an exception: {told(outcome)}"


@cache
def _lesson_of() -> dict[str, str]:
    return {function.name: lesson for lesson in all_lessons() for function in lesson_functions(lesson)}
