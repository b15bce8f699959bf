"""Notebooks as students hand them in, and what nbgrader makes of them, as plain data."""

import ast
import copy
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]
Cell = dict[str, Any]
Marks = dict[str, dict[str, float | None]]
"""A student's points by the ids of the cells."""
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""A picture of one pixel."""


def nbgrader(course: Path, *command: str | Path, fails: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command of nbgrader in a course's folder, as a teacher would. It has to succeed unless it ``fails``."""
    scripts = Path(sys.executable).parent  # nbgrader looks for alembic on the path
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [scripts / "nbgrader", *command],
        cwd=course,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )
    assert bool(done.returncode) == fails, f"{done.stdout}\n{done.stderr}"
    return done


def read(file: Path) -> Notebook:
    """A notebook's data, with each cell's text in one piece."""
    notebook: Notebook = json.loads(file.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def write(notebook: Notebook, file: Path) -> None:
    """Write a notebook's data, after making the folders that it lies in."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(notebook), encoding="utf-8")


def code(source: str) -> Cell:
    """A new cell of a student's."""
    return {"cell_type": "code", "execution_count": None, "id": "mine", "metadata": {}, "outputs": [], "source": source}


def text(source: str) -> Cell:
    """A new text cell of a student's."""
    return {"cell_type": "markdown", "id": "text", "metadata": {}, "source": source}


def grade_id(cell: Cell) -> str:
    """The id that a cell has with nbgrader; empty for others."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def named(notebook: Notebook, name: str) -> Cell:
    """The cell with this id."""
    return next(cell for cell in notebook["cells"] if grade_id(cell) == name)


def solutions(notebook: Notebook) -> list[Cell]:
    """The cells for functions and answers."""
    return [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]


def graded_cells(notebook: Notebook) -> list[Cell]:
    """The test cells."""
    return [cell for cell in notebook["cells"] if grade_id(cell).startswith("test_")]


def filled(released: Notebook, module: str) -> Notebook:
    """A released notebook with the functions of a module in its cells, and what else the module holds around them.

    A module that is not Python goes into a cell of its own as it is.
    """
    notebook = copy.deepcopy(released)
    cells = {grade_id(cell): cell for cell in solutions(notebook)}
    parts, rest = _parts(module, list(cells))
    for name, part in parts.items():
        cells[name]["source"] = part
    if rest.strip():
        notebook["cells"].append(code(rest))
    return notebook


def _parts(module: str, names: Sequence[str]) -> tuple[dict[str, str], str]:
    """The module cut before the last definition of each name, and what is left behind the last of them."""
    try:
        statements = ast.parse(module).body
    except SyntaxError:
        return {}, module
    last = {name: statement for statement in statements for name in _defined(statement) if name in names}
    found = sorted(last.items(), key=lambda item: item[1].lineno)
    if not found:
        return {}, module
    lines = module.splitlines(keepends=True)
    end = found[-1][1].end_lineno or 0
    while lines[end:] and lines[end].startswith(" "):  # comments that still belong to the function
        end += 1
    starts = [0, *(statement.lineno - 1 for _, statement in found[1:]), end]
    parts = {name: "".join(lines[starts[i] : starts[i + 1]]) for i, (name, _) in enumerate(found)}
    return parts, "".join(lines[end:])


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def marks(course: Path, assignment: str) -> Marks:
    """What the gradebook holds: each student's automatic points of the assignment."""
    query = """
        SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score FROM grade
        JOIN base_cell ON grade.cell_id = base_cell.id
        JOIN submitted_notebook ON grade.notebook_id = submitted_notebook.id
        JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id
        JOIN assignment ON submitted_assignment.assignment_id = assignment.id
        WHERE assignment.name = ? AND base_cell.name LIKE 'test\\_%' ESCAPE '\\'
    """
    found: Marks = {}
    with sqlite3.connect(course / "gradebook.db") as gradebook:
        for student, cell, score in gradebook.execute(query, [assignment]):
            found.setdefault(student, {})[cell.removeprefix("test_")] = score
    return found


def outputs(notebook: Notebook) -> dict[str, tuple[str, str]]:
    """For each test cell what it printed, and its one number."""
    found = {}
    for cell in graded_cells(notebook):
        printed, result = cell["outputs"]
        assert (printed["output_type"], printed["name"]) == ("stream", "stdout")
        assert result["output_type"] == "execute_result"
        found[grade_id(cell).removeprefix("test_")] = "".join(printed["text"]), "".join(result["data"]["text/plain"])
    return found
