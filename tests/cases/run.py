"""Grades all cases as one class, with the command that a teacher uses, and tells of it in a table."""

import contextlib
import ctypes
import hashlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.report import Report, from_json
from grader.sandbox import Rung
from tests import test_run
from tests.cases import HONEST, PORT_OF_CANARY, Case, course, honest, outcome
from tests.cases.careless import CARELESS
from tests.cases.hostile import HOSTILE

TABLE = Path(__file__).parent.parent.parent / "docs" / "cases.md"
CASES: tuple[Case, ...] = tuple(case for group in (HOSTILE, CARELESS) for cases in group.values() for case in cases)
_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 50
CANARY = "canary-in-the-environment"
"""A value in the grader's environment that no report may show."""


@dataclass(frozen=True)
class Graded:
    """What came of grading the class: the reports by student, and what was seen beside them."""

    folder: Path
    cases: Sequence[Case]
    code: int
    printed: str
    errors: str
    reports: dict[str, Report]
    connections: int
    processes: tuple[int, ...]
    altered: tuple[str, ...]
    """What is not as it was outside the results: paths in the folder of the class, and in the temporary folder."""

    @property
    def out(self) -> Path:
        """Where the results are."""
        return self.folder / "results"


def graded(folder: Path, rung: Rung, class_: Sequence[Case] = CASES) -> Graded:
    """Grade a class of cases in a folder, on a rung of the sandbox."""
    class_folder = folder / "class"
    class_folder.mkdir()
    honest(class_folder)
    for case in class_:
        case.put(class_folder)
    (folder / "canary").write_text("Nobody touches this.", encoding="utf-8")
    (folder / "canary").chmod(0o666)
    (folder / "temporary").mkdir()
    course_file = course(folder)
    before = _content(folder)
    children = _children()
    # What outlives its parent becomes a child of this process.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with _Listener() as listener:
        run = grade(class_folder, folder / "results", course_file, rung)
    orphans = _orphans(children)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    after = {path: content for path, content in _content(folder).items() if not path.startswith("results")}
    return Graded(
        folder,
        class_,
        run.returncode,
        run.stdout,
        run.stderr,
        {r.student: r for file in (folder / "results").glob("*.json") for r in [from_json(file.read_text("utf-8"))]},
        listener.connections,
        orphans,
        tuple(sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))),
    )


def _content(folder: Path) -> dict[str, str]:
    """What lies in a folder: a digest for each path."""

    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else "no file"

    paths = (Path(place, name) for place, folders, files in os.walk(folder) for name in (*folders, *files))
    return {str(path.relative_to(folder)): digest(path) for path in paths}


def _children() -> set[int]:
    """The children of this process that run."""
    running = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = status.read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state != "Z":
                running.add(int(status.parent.name))
    return running


def _orphans(before: set[int]) -> tuple[int, ...]:
    """Children that were not there before; a jail that is being taken down has a moment for it."""
    for _ in range(_PATIENCE):
        if not _children() - before:
            break
        time.sleep(0.1)
    return tuple(_children() - before)


def grade(class_folder: Path, out: Path, course_file: Path, rung: Rung) -> "subprocess.CompletedProcess[str]":
    """Run the command that grades a class."""
    arguments = [class_folder, "--out", out, "--course", course_file, "--sandbox", rung.value, "--jobs", "2"]
    return subprocess.run(
        [sys.executable, "-m", "grader", "grade", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "CANARY": CANARY, "COLUMNS": "200", **_temporary(out.parent / "temporary")},
        check=False,
    )


def _temporary(folder: Path) -> dict[str, str]:
    return {"TMPDIR": str(folder)} if folder.is_dir() else {}


class _Listener:
    """Counts connections to a port of this machine."""

    def __init__(self) -> None:
        self.connections = 0
        self._server = socket.create_server(("127.0.0.1", PORT_OF_CANARY))
        self._thread = threading.Thread(target=self._count, daemon=True)

    def __enter__(self) -> "_Listener":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join()

    def _count(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            connection.close()
            self.connections += 1


def table(found: Graded) -> str:
    """The cases in Markdown, under their headings, each with what came of it."""
    lines = [
        "# What is handed in, and what comes of it",
        "",
        "Made by `make cases`. Every row is a test: the files are graded with `grader grade`, in one class beside an",
        "honest submission whose result does not change, in both sandboxes. The outcome is what the student gets. What",
        "may happen to the run as a whole stands at the end.",
    ]
    for title, group in (("Hostile", HOSTILE), ("Careless", CARELESS)):
        lines += ["", f"## {title}"]
        for heading, cases in group.items():
            lines += ["", f"### {heading}", "", "| case | outcome |", "|---|---|"]
            lines += [f"| {_cell(case.name)} | {_cell(outcome(found.reports[case.who]))} |" for case in cases]
    lines += ["", "## The run", "", "| case | what holds |", "|---|---|"]
    lines += [f"| {name} | {_cell(holds)} |" for name, holds in _tests_of_the_run()]
    return "\n".join(lines) + "\n"


def _tests_of_the_run() -> Iterator[tuple[str, str]]:
    """What the tests of a whole run are called, and what they say that they show."""
    for name, test in vars(test_run).items():
        if name.startswith("test_"):
            yield name.removeprefix("test_").replace("_", " "), str(test.__doc__)


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ").replace("*", "\\*")


__all__ = ["CANARY", "CASES", "HONEST", "PORT_OF_CANARY", "TABLE", "Graded", "grade", "graded", "table"]
