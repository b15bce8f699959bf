"""The playground on any submission: its page put together, its functions called in the sandbox."""

import base64
import hashlib
import importlib.util
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

from grader.contract import all_lessons
from grader.kit import PLAYGROUND
from grader.plain import plain, type_named
from grader.sandbox import Died, Limits, Opaque, Outcome, Raised, Returned, Rung, SandboxFault, Scalar, Session, Worker
from grader.submissions import Submission, SubmissionError, read_submission

SCRIPTS = ("model.js", "page.js")
INSIDE = {"playground": "kit_playground.py", "sandboxed": "kit_sandboxed.py"}
"""What runs in the sandbox besides the submission, and as which file among the student's."""
LIMITS = Limits(seconds_per_call=10, seconds_per_submission=3600, memory_mb=1024, output_mb=16)
"""An hour of computing, after which the submission gets a new session and another hour.

A call that takes too long is told by the students' program, which knows the line, after half of its limit.
"""


class PlaygroundError(Exception):
    """The playground cannot be served; the message says why and what to do."""


class HangsError(SandboxFault):
    """A call hangs. ``place`` is where, as the students' program has it. It ends the sandbox's process on its way."""

    def __init__(self, place: Mapping[str, Any]) -> None:
        super().__init__("A call hangs.")
        self.place = place


def bundle() -> dict[str, str]:
    """The playground's files for a student's folder: the program, and the page, which also works by itself."""
    return {"playground.py": _read("playground.py"), "playground.html": page()}


def page() -> str:
    """The whole page in one file, with the digests of its own scripts and styles: a browser runs nothing else."""
    scripts = [_read(name) for name in SCRIPTS]
    style = _read("page.css")
    sources = " ".join(_digest(script) for script in scripts)
    policy = (
        f"default-src 'none'; script-src {sources}; style-src {_digest(style)}; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "style": f"<style>{style}</style>",
        "model": f'<script id="model" type="application/json">{_read("model.json")}</script>',
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
    }
    text = _read("page.html")
    for name, part in parts.items():
        text = text.replace("{{" + name + "}}", part)
    return text


def serve(path: Path, rung: Rung, port: int | None) -> None:
    """Serve the playground on a submission until Ctrl-C.

    Raises ``SubmissionError`` when there is no such submission, ``PlaygroundError`` when the port cannot be had,
    ``SandboxFault`` when the rung does not work here.
    """
    program = load()
    port = program.PORT if port is None else port
    with SandboxFolder(path, rung, program) as sandboxed:
        try:
            program.serve(program.Playground(page(), sandboxed), port)
        except program.NoPort as problem:
            raise PlaygroundError(str(problem)) from None


def load() -> ModuleType:
    """The students' program. It needs nothing but NumPy."""
    spec = importlib.util.spec_from_file_location("grader.student_playground", PLAYGROUND / "playground.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{PLAYGROUND / 'playground.py'} cannot be imported")
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


@dataclass
class SandboxFolder:
    """A submission's functions, as the students' program calls its own, but in the sandbox. A context manager.

    ``path`` is where the submission is, ``name`` what the page calls it, ``program`` the students' program, whose words
    are used. All calls must come from one thread.
    """

    path: Path
    rung: Rung
    program: ModuleType
    name: str = ""
    _worker: Worker | None = None
    _session: Session | None = None
    _submission: Submission | None = None

    def __enter__(self) -> Self:
        """Read the submission once, so that a wrong path is told at once. Raises ``SubmissionError``."""
        self.name = read_submission(self.path, all_lessons()).student
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if self._worker is not None:
            self._worker.__exit__(kind, error, trace)
            self._worker = None

    def version(self) -> str:
        """A digest of the files: another one means that something was saved. Empty while there is none."""
        try:
            return read_submission(self.path, all_lessons()).digest
        except SubmissionError:
            return ""

    def values(self, function: str, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        """What the function returns for each call. Raises the program's ``Trouble`` in plain words."""
        lesson = self.program.LESSON_OF[function]
        try:
            outcomes = self._outcomes(lesson, function, calls)
        except HangsError as hanging:
            self._close()
            outcomes = [{"hangs": hanging.place}]
        except (SubmissionError, SandboxFault) as fault:
            raise self.program.Trouble(str(fault)) from None
        return [self.program.in_words(function, outcome) for outcome in outcomes]

    def _outcomes(self, lesson: str, function: str, calls: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
        session, submission = self._opened()
        if lesson in submission.unread:
            raise SubmissionError(submission.unread[lesson])
        if lesson not in submission.modules:
            return [_raised("NoSuchFile")]
        session.call("sandboxed", "load", (lesson,))  # what comes of it is seen next, but for a hang
        loaded = session.load(lesson)
        if loaded.error is not None:
            outcomes: list[Outcome] = [loaded.error]
        elif function in loaded.lost:
            outcomes = [loaded.lost[function].failure]
        elif function not in loaded.names:
            return [_raised("NoSuchFunction", plain(submission.modules[lesson]))]
        else:
            outcomes = session.call_each("sandboxed", "call", [((lesson, function, *call), {}) for call in calls])
        if isinstance(outcomes[0], Died):
            self._close()  # a new one has its whole time again
        return [self._told(outcome) for outcome in outcomes]

    def _opened(self) -> tuple[Session, Submission]:
        """The session with the files as they are now. Raises ``SubmissionError``, ``SandboxFault``."""
        submission = read_submission(self.path, all_lessons())
        if self._submission is None or submission.digest != self._submission.digest:
            self._close()
        if self._worker is None:
            self._worker = Worker(self.rung, LIMITS).__enter__()
        if self._session is None:
            inside = {INSIDE[name]: _read(f"{name}.py").encode() for name in INSIDE}
            self._session = self._worker.open(
                {**submission.files, **inside}, {**submission.modules, **INSIDE}
            ).__enter__()
            self._session.answer = _hangs
            if self._session.load("sandboxed").error is not None:
                raise SandboxFault("What calls the functions cannot be loaded in it.")
            self._session.substitute("hangs", "sandboxed", inspect.signature(_place))
            self._submission = submission
        return self._session, submission

    def _close(self) -> None:
        if self._session is not None:
            self._session.__exit__(None, None, None)
            self._session = None

    def _told(self, outcome: Outcome) -> dict[str, Any]:
        """An outcome in the form that the students' program knows."""
        if isinstance(outcome, Returned):
            match outcome.value:
                case {"value": value}:
                    return {"value": self._as_data(value)}
                case {"blamed": {"sentence": str(sentence), "file": file, "number": number, "text": text}}:
                    return {"blamed": {"sentence": plain(sentence), **_place(file, number, text)}}
            return {"ended": "did not come back. Something else was sent in its place."}
        if isinstance(outcome, Died):
            return {"ended": f"did not come back. {plain(outcome.detail)}"}
        frames = [frame for frame in outcome.frames if frame.file not in INSIDE.values()]
        place = _place(frames[-1].file, frames[-1].line, frames[-1].text) if frames else {}
        return _raised(_known(outcome), plain(outcome.message), **place)

    def _as_data(self, value: Any) -> Any:
        if isinstance(value, tuple | list) and len(value) == 2:
            return [self._part_as_data(part) for part in value]
        return self._part_as_data(value) if not isinstance(value, tuple | list) else self.program.as_data(value)

    def _part_as_data(self, value: Any) -> Any:
        if isinstance(value, Opaque | Scalar):
            return f"a {type_named(value.type_name if isinstance(value, Opaque) else value.dtype)}"
        return self.program.part_as_data(value)


def _hangs(function: str, place: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """What the sandbox asks when a call hangs. Raises ``HangsError``."""
    raise HangsError(_place(*place))


def _place(file: Any, number: Any, text: Any) -> dict[str, Any]:
    """A line of the student's as the students' program has it. What comes from the sandbox may be anything."""
    if type(file) is not str or type(number) is not int or type(text) is not str:
        return {"file": "", "number": 0, "text": ""}
    return {"file": plain(file), "number": number, "text": plain(text)}


def _known(error: Raised) -> str:
    """The name of an error's kind: the unfinished and the unreadable by their base, the others by their own."""
    for base in ("NotImplementedError", "SyntaxError"):
        if base in (error.type, *error.bases):
            return base
    return type_named(error.type)


def _raised(kind: str, message: str = "", file: str = "", number: int = 0, text: str = "") -> dict[str, Any]:
    return {"raised": {"type": kind, "message": message, "file": file, "number": number, "text": text}}


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return (PLAYGROUND / name).read_text(encoding="utf-8")
