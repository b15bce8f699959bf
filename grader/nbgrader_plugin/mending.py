"""Puts the cells of a handed-in notebook right, from what the gradebook knows and nothing that the notebook claims."""

from collections.abc import Mapping, Sequence
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from grader.nbgrader_plugin.cells import (
    KnownCell,
    cells_of,
    folder_of,
    forget_marks,
    grade_id,
    known_cells,
    new_cell,
    numbered,
)
from grader.nbgrader_plugin.harmless import make_harmless
from grader.nbgrader_plugin.reading import HANDED_IN, HandedIn
from grader.plain import plain
from grader.sandbox.inside.definitions import guessed_names
from grader.sandbox.inside.notebooks import NOTEBOOK
from grader.submissions.text import parsed

HEADING = "**What the grader put right in this notebook before it graded it.** None of this costs points."
MOVED = "\n\n(This cell was not in the notebook that was handed in. The answer may be in another cell.)"


class Mend(NbGraderPreprocessor):
    """Gives each cell that the gradebook knows its place, its kind and its text, and leaves the student's work alone.

    No cell keeps a word of what it said of itself to nbgrader: points, ids and flags come from the gradebook. What a
    student wrote stays, wherever it was written. What was put right is said in a cell at the top.
    """

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Mend a notebook."""
        found: HandedIn = resources[HANDED_IN]
        lesson = resources["nbgrader"]["notebook"]
        forget_marks(resources)
        self._make_room(resources)
        known, source = known_cells(resources), self._source(resources)
        order = [grade_id(cell) for cell in source if grade_id(cell)]
        cells, mended = _Mending(nb.cells, known, order).result()
        mended += make_harmless(cells, {cell.source for cell in source}, known)
        said = [*found.remarks, *([found.unread] if found.unread else mended)]
        for remark in said:
            self.log.warning("%s, %s: %s", resources["nbgrader"]["student"], lesson, plain(remark))
        note = [new_cell("markdown", "\n".join([HEADING, "", *(f"- {_literal(remark)}" for remark in said)]))]
        nb.cells = numbered([*(note if said else []), *cells])
        return nb, resources

    def _make_room(self, resources: ResourcesDict) -> None:
        """Take away what nbgrader would stumble on: a notebook that another process has graded by now."""
        of = resources["nbgrader"]
        copied = folder_of(self, "autograded_directory", of["student"], of["assignment"])
        (copied / (of["notebook"] + NOTEBOOK)).unlink(missing_ok=True)

    def _source(self, resources: ResourcesDict) -> list[NotebookNode]:
        """The cells of the teacher's notebook: the gradebook keeps neither their order nor the texts between them."""
        of = resources["nbgrader"]
        file = folder_of(self, "source_directory", ".", of["assignment"]) / (of["notebook"] + NOTEBOOK)
        return cells_of(file.read_bytes()) if file.is_file() else []


def _literal(text: str) -> str:
    """Text that Markdown shows as it is: names of files are the students' own."""
    return "".join(f"\\{char}" if char in r"\`*_{}[]<>()#+!|$~&" else char for char in plain(text).replace("\n", " "))


class _Mending:
    """One notebook being put right. ``order`` are the ids of the cells in the teacher's notebook."""

    def __init__(self, cells: Sequence[NotebookNode], known: Mapping[str, KnownCell], order: Sequence[str]) -> None:
        self._known = known
        self._order = order
        self._remarks: list[str] = []
        self._left: dict[int, str] = {}
        self._claims: dict[str, list[NotebookNode]] = {name: [] for name in known}
        self._cells: list[NotebookNode] = []
        for cell in cells:
            self._take(cell)

    def result(self) -> tuple[list[NotebookNode], list[str]]:
        """The cells, and what was put right."""
        chosen = {name: self._choose(self._known[name], claims) for name, claims in self._claims.items()}
        names = {id(cell): name for name, cell in chosen.items() if cell is not None}
        placed: list[NotebookNode] = []
        for cell in self._cells:
            name = names.get(id(cell))
            placed += self._mended(cell, self._known[name]) if name else [self._other(cell)]
        missing = {name for name, cell in chosen.items() if cell is None}
        for name in [*(name for name in self._order if name in missing), *sorted(missing - set(self._order))]:
            self._put_back(self._known[name], placed)
        return placed, self._remarks

    def _take(self, cell: NotebookNode) -> None:
        """Note which known cell this is: by its id, else by its text, else by what it defines."""
        self._cells.append(cell)
        defined = _defined(cell)
        claimed = self._known.get(grade_id(cell))
        if claimed and not (claimed.is_by_hand and defined):
            self._claims[claimed.name].append(cell)
            return
        for known in self._known.values():
            by_text = known.is_locked and _is_as_released(cell, known)
            if by_text or (known.is_solution and known.name in defined):
                self._claims[known.name].append(cell)
                return

    def _choose(self, known: KnownCell, claims: list[NotebookNode]) -> NotebookNode | None:
        """Which cell it is: of solutions the last that holds an answer, as it is with the functions themselves."""
        if len(claims) < 2:
            return claims[0] if claims else None
        if known.is_locked:
            self._remarks.append(f"The cell {known.name} was there {len(claims)} times; once is enough.")
            return next((cell for cell in claims if _is_as_released(cell, known)), claims[-1])
        if known.is_by_hand:
            answers = [cell for cell in claims if not _is_as_released(cell, known)]
        else:
            answers = [cell for cell in claims if _defined(cell).get(known.name) is False]
        if len(answers) > 1:
            self._remarks.append(f"The cell {known.name} was there {len(answers)} times; the last one counts.")
        counts = (answers or claims)[-1]
        self._left |= {id(cell): known.name for cell in claims if cell is not counts and _is_as_released(cell, known)}
        return counts

    def _other(self, cell: NotebookNode) -> NotebookNode:
        """A cell of the student's own. A stub whose answer is elsewhere would look as if it counted."""
        if name := self._left.get(id(cell)):
            comment = "# " if cell.cell_type == "code" else ""
            return new_cell(cell.cell_type, f"{comment}What counts as {name} is in another cell.")
        return _copy(cell, cell.cell_type)

    def _mended(self, cell: NotebookNode, known: KnownCell) -> list[NotebookNode]:
        """The known cell; before it, where it is not the student's to change, a cell with what the student wrote."""
        if cell.cell_type != known.cell_type:
            self._remarks.append(f"The cell {known.name} is a {known.cell_type} cell again.")
        if not known.is_locked:
            return [_copy(cell, known.cell_type, known.metadata)]
        restored = new_cell(known.cell_type, known.source, known.metadata)
        if _is_as_released(cell, known):
            return [restored]
        self._remarks.append(f"The cell {known.name} had been changed; it has its own text again.")
        return [_copy(cell, cell.cell_type), restored]

    def _put_back(self, known: KnownCell, placed: list[NotebookNode]) -> None:
        """Put a cell in that the notebook does not have. A solution that is not there stays away."""
        if known.is_by_hand:
            self._remarks.append(
                f"The question {known.name} was missing; your teacher is asked to look for the answer."
            )
        elif known.is_locked:
            self._remarks.append(f"The cell {known.name} was missing; it is there again.")
        else:
            return
        source = known.source if known.is_locked else known.released + MOVED
        placed.insert(self._place(known.name, placed), new_cell(known.cell_type, source, known.metadata))

    def _place(self, name: str, placed: Sequence[NotebookNode]) -> int:
        """Behind the cell that comes before it in the teacher's notebook and is there; else where that begins."""
        if name not in self._order:
            return len(placed)
        places = {grade_id(cell): place for place, cell in enumerate(placed, 1) if grade_id(cell)}
        before = reversed(self._order[: self._order.index(name)])
        return next((places[other] for other in before if other in places), 0)


def _copy(cell: NotebookNode, cell_type: str, metadata: Mapping[str, Any] | None = None) -> NotebookNode:
    return new_cell(cell_type, cell.source, metadata, cell.get("attachments"))


def _is_as_released(cell: NotebookNode, known: KnownCell) -> bool:
    return cell.source.strip() in (known.released.strip(), known.source.strip())


def _defined(cell: NotebookNode) -> dict[str, bool]:
    """The names that a code cell defines, and whether each is as it was handed out."""
    if cell.cell_type != "code":
        return {}
    return parsed(cell.source) or dict.fromkeys(guessed_names(cell.source), False)
