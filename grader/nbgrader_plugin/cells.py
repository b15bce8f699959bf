"""A notebook's cells: as they are written in the gradebook, and as this face makes them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nbconvert.exporters import Exporter
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode, from_dict
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from grader.nbgrader_plugin.folders import real
from grader.nbgrader_preprocessors import without_hidden
from grader.sandbox.inside.notebooks import all_cells, source_of

SCHEMA = 3
"""nbgrader's version of a cell's metadata."""
TEST = "test_"
"""How the id of a function's test cell begins."""
Pictures = dict[str, dict[str, str]]
"""A cell's attachments by their names, each in base64 by its kinds."""


@dataclass(frozen=True)
class KnownCell:
    """A cell that the gradebook knows, as the teacher wrote it. ``points`` is None where it has none."""

    name: str
    cell_type: str
    source: str
    checksum: str
    is_locked: bool
    is_solution: bool
    is_task: bool
    points: float | None

    @property
    def is_test(self) -> bool:
        """Whether it is graded by running it."""
        return self.points is not None and not self.is_solution and not self.is_task

    @property
    def is_by_hand(self) -> bool:
        """Whether a person gives its points."""
        return self.points is not None and not self.is_test

    @property
    def released(self) -> str:
        """Its text as students get it."""
        return without_hidden(self.source).rstrip("\n")

    @property
    def metadata(self) -> dict[str, Any]:
        """Its metadata, of which nothing comes from a submission."""
        graded = {"points": self.points} if self.points is not None else {}
        return {
            "nbgrader": {
                "cell_type": self.cell_type,
                "checksum": self.checksum,
                "grade": self.points is not None and not self.is_task,
                "grade_id": self.name,
                "locked": self.is_locked,
                "schema_version": SCHEMA,
                "solution": self.is_solution,
                "task": self.is_task,
                **graded,
            }
        }


def known_cells(resources: Mapping[str, Any]) -> dict[str, KnownCell]:
    """The cells of the notebook in hand that the gradebook knows, by their ids."""
    of = resources["nbgrader"]
    with _opened(of["db_url"]) as gradebook:
        notebook = gradebook.find_notebook(of["notebook"], of["assignment"])
        points = {cell.name: cell.max_score for cell in (*notebook.grade_cells, *notebook.task_cells)}
        solutions = {cell.name for cell in notebook.solution_cells}
        tasks = {cell.name for cell in notebook.task_cells}
        return {
            cell.name: KnownCell(
                name=cell.name,
                cell_type=cell.cell_type,
                source=cell.source,
                checksum=cell.checksum,
                is_locked=cell.locked,
                is_solution=cell.name in solutions,
                is_task=cell.name in tasks,
                points=points.get(cell.name),
            )
            for cell in notebook.source_cells
        }


def forget_marks(resources: Mapping[str, Any]) -> None:
    """Leave no automatic mark in the gradebook for the notebook in hand, until it is graded.

    Grading may fail by a fault of ours. What is there then must be neither the mark of earlier work nor the zero that
    nbgrader gives a notebook of another name.
    """
    of = resources["nbgrader"]
    with _opened(of["db_url"]) as gradebook:
        for grade in gradebook.find_submission_notebook(of["notebook"], of["assignment"], of["student"]).grades:
            grade.auto_score = None
            grade.needs_manual_grade = True
        gradebook.db.commit()


@contextmanager
def _opened(address: str) -> Iterator[Gradebook]:
    """The gradebook at this address, without anything of an earlier look at it."""
    gradebook = _gradebook(address)
    try:
        yield gradebook
    finally:
        gradebook.db.remove()  # ends the transaction


_gradebook = cache(Gradebook)
"""Kept open: a new one compiles every query again."""


def new_cell(
    cell_type: str, source: str, metadata: Mapping[str, Any] | None = None, pictures: Pictures | None = None
) -> NotebookNode:
    """A cell without outputs. What UTF-8 cannot hold is replaced; a type that there is not becomes raw text."""
    text = source.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kind = cell_type if cell_type in ("code", "markdown") else "raw"
    runs: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    if pictures and kind != "code":
        runs["attachments"] = pictures
    # nbformat's own new_code_cell looks each cell over, which costs more than all else that is done with it here.
    return from_dict({"cell_type": kind, "metadata": dict(metadata or {}), "source": text, **runs})


def grade_id(cell: NotebookNode) -> str:
    """The id that a cell has, or claims to have; empty when there is none."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def numbered(cells: Iterable[NotebookNode]) -> list[NotebookNode]:
    """The cells with ids by their places: made up ones would differ each time."""
    placed = list(cells)
    for place, cell in enumerate(placed, 1):
        cell["id"] = f"cell-{place}"
    return placed


def cells_of(content: bytes) -> list[NotebookNode]:
    """The cells of a notebook, each with its text, its pictures and the id that it claims to have, and nothing else.

    Raises ``NotebookError``.
    """
    return numbered(_clean(cell) for cell in all_cells(content))


def _clean(cell: dict[str, Any]) -> NotebookNode:
    metadata = cell.get("metadata")
    claimed = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = claimed.get("grade_id") if isinstance(claimed, dict) else None
    kept = {"nbgrader": {"grade_id": name}} if isinstance(name, str) else {}
    return new_cell(str(cell.get("cell_type")), source_of(cell), kept, _pictures(cell.get("attachments")))


def _pictures(attachments: Any) -> Pictures:
    if not isinstance(attachments, dict):
        return {}
    return {
        name: {kind: code for kind, code in forms.items() if isinstance(code, str)}
        for name, forms in attachments.items()
        if isinstance(forms, dict)
    }


def folder_of(part: Preprocessor | Exporter, kind: str, student: str, assignment: str) -> Path:
    """A folder of the course in whose conversion this takes part: ``kind`` is nbgrader's name for it."""
    converter: Any = part.parent if isinstance(part, Exporter) else part.parent and part.parent.parent
    course: CourseDirectory = converter.coursedir
    return real(Path(course.format_path(getattr(course, kind), student, assignment)))
