"""Finds and reads a lesson's notebook as it was really handed in: renamed, damaged, of an old format."""

import glob
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_notebook, reads
from nbgrader.converters import Autograde
from traitlets import Bool

from grader.contract import all_lessons, lesson_functions
from grader.nbgrader_plugin.cells import cells_of, folder_of
from grader.nbgrader_plugin.folders import real, take_all
from grader.nbgrader_plugin.turns import end_turn, take_turn
from grader.sandbox.inside.notebooks import NOTEBOOK, NotebookError, code_cells, only_code
from grader.submissions.gather import Gathered, gather
from grader.submissions.modules import find_modules, splits
from grader.submissions.text import parsed
from grader.submissions.tree import on_disk

HANDED_IN = "handed_in"
MOST_NAMES = 5
_lessons = cache(all_lessons)


@dataclass(frozen=True)
class HandedIn:
    """What a student's folder holds for one lesson.

    ``notebook`` is what is in the file that counts, None when none can be read, and ``unread`` then says why. ``files``
    are the others.
    """

    notebook: bytes | None
    files: dict[str, bytes]
    remarks: list[str] = field(default_factory=list)
    unread: str = ""


def handed_in(folder: Path, lesson: str) -> HandedIn:
    """Look for a lesson's notebook in a student's folder: by its name, by a name like it, by what it defines.

    A notebook that is as it was handed out does not count where another holds answers.
    """
    gathered = gather(on_disk(folder))
    notebooks = {name: code for name, code in gathered.files.items() if name.lower().endswith(NOTEBOOK)}
    others = {name: content for name, content in gathered.files.items() if name not in notebooks}
    candidates = dict(notebooks)
    exact = lesson + NOTEBOOK
    wanted = {function.name for function in lesson_functions(lesson)}
    if exact in candidates and not _answered(candidates[exact], wanted):
        del candidates[exact]
    found = find_modules(Gathered(candidates, gathered.unread), (lesson,))
    said = [*gathered.remarks, *(f"{name} {reason}." for name, reason in gathered.unread.items())]
    name = found.modules.get(lesson, exact)
    if name not in notebooks:
        unread = found.unread.get(lesson) or " ".join([_missing(exact, others), *found.remarks])
        return HandedIn(None, others, [remark for remark in said if remark != unread], unread)
    place = _place(folder, name, notebooks[name])
    if place is None:
        said.append(f"{name} lies in an archive, where only its code was read: hand in the notebook itself.")
    elif name != exact:
        said.append(f"{name} was read as {exact}.")
    elif lesson not in found.modules:
        said += found.remarks  # why none of the others was taken for the one that is as it was handed out
    said += splits(name, notebooks[name])
    return HandedIn(place.read_bytes() if place else notebooks[name], others, said)


def _missing(exact: str, others: Iterable[str]) -> str:
    """Say that a notebook is not there, and what is instead."""
    names = sorted(others)
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"There is no {exact}; there is {', '.join(names[:MOST_NAMES]) + more if names else 'nothing'}."


def _place(folder: Path, name: str, code: bytes) -> Path | None:
    """Where a notebook lies that was gathered under this name, maybe from a folder deeper; None in an archive."""
    called_so = sorted(folder.rglob(glob.escape(Path(name).name)), key=lambda path: (path != folder / name, path))
    return next((path for path in called_so if path.is_file() and _code(path) == code), None)


def _code(path: Path) -> bytes:
    try:
        return only_code(path.read_bytes())
    except NotebookError:
        return b""


def _answered(notebook: bytes, wanted: Iterable[str]) -> bool:
    """Whether a notebook defines any of these names in another way than it was handed out."""
    defined: dict[str, bool] = {}
    for cell in code_cells(notebook):
        for name, is_untouched in parsed(cell.source).items():
            defined[name] = is_untouched and defined.get(name, True)
    return not all(defined.get(name, True) for name in wanted)


def begin(assignment: str, student: str, notebooks: list[str]) -> None:
    """Take a student's folder in hand."""
    take_turn(real(Path(notebooks[0]).parent))


def end(assignment: str, student: str, notebooks: list[str]) -> None:
    """Let other processes at the folder in hand."""
    end_turn()


class NotALessonError(Exception):
    """A notebook is none of the kit's lessons, so that this face cannot grade it."""


class NotebookReader(NotebookExporter):
    """nbconvert's notebook exporter for what students hand in: what cannot be read is a notebook without cells.

    What was found in the folder is in ``resources[HANDED_IN]``. nbgrader makes one at the beginning of a run, which is
    when every folder is put on its list.
    """

    optimistic_validation = Bool(True, help="Validate once, not after each preprocessor.").tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if isinstance(self.parent, Autograde) and self.parent.coursedir.assignment_id in _lessons():
            take_all(self.parent)

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Read a lesson's notebook and convert it. Raises ``NotALessonError``."""
        path = Path(filename)
        if path.stem not in _lessons():
            raise NotALessonError(
                f"{path.name} is none of the kit's lessons ({', '.join(_lessons())}), and the kit grades no other "
                "notebook: give your own assignments an nbgrader_config.py of their own."
            )
        resources = ResourcesDict() if resources is None else resources
        resources["metadata"] = ResourcesDict(name=path.stem, path=str(path.parent))
        of = resources["nbgrader"]
        if path.parent == folder_of(self, "autograded_directory", of["student"], of["assignment"]):
            mended = reads(path.read_text(encoding="utf-8"))
            return self.from_notebook_node(mended, resources, **kw)
        found = resources[HANDED_IN] = handed_in(real(path.parent), path.stem)
        notebook = new_notebook(cells=cells_of(found.notebook) if found.notebook else [])
        return self.from_notebook_node(notebook, resources, **kw)
