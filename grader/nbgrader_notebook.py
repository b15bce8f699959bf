"""The notebook of one lesson: its text, a cell for each answer, the tests of each, a figure, and written questions."""

import json
import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import jupytext  # type: ignore[import-untyped]

from grader.contract import Function
from grader.course import Course, CourseError
from grader.nbgrader_tests import hidden_tests, visible_tests
from grader.release import BEGIN
from grader.report import number

Cell = dict[str, Any]
SCHEMA = 3
"""Version of nbgrader's metadata of a cell."""
ANSWER = "*Your answer, in place of this line.*"


def lesson_notebook(
    lesson: str, functions: Sequence[Function], order: Sequence[str], course: Course, solutions: Path
) -> str:
    """The notebook of ``lesson`` with its answers, as nbgrader wants it in ``source/``: the text of an ``.ipynb``.

    ``functions`` are the lesson's, ``order`` the names of all functions of the course. The same reference always gives
    the same text. Raises ``CourseError`` when the course gives points to a question that the kit does not have.
    """
    asked = {function.name: function for function in functions}
    tests = (solutions / f"test_{lesson}.py").read_text(encoding="utf-8")
    questions = _questions(lesson, course, solutions)
    cells: list[Cell] = []
    for cell in _lesson(lesson, solutions):
        name = _answers(cell)
        if name not in asked:
            cells += _other(cell, lesson, solutions)
            continue
        points = course.points(lesson, name)
        visible, hidden = visible_tests(asked[name], order, tests), hidden_tests(asked[name], points)
        cells.append(_code(cell["source"], name, solution=True))
        cells.append(_code(f"{visible}\n{hidden}", f"test_{name}", grade=True, locked=True, points=_points(points)))
        cells += questions.get(name, [])
    if all(function.is_constant for function in functions):
        del cells[-2:]  # what the script says of the answers, the tests have said, each below its answer
    cells += _figure(lesson, solutions)
    for place, cell in enumerate(cells, 1):
        cell["id"] = f"{lesson}-{place}".replace("_", "-")
    return _text(cells)


def _lesson(lesson: str, solutions: Path) -> list[Cell]:
    """The cells of the lesson's file. Where notebooks begin with other words than files, those stand first."""
    cells = list(_parts(solutions / f"{lesson}.py"))
    opening = solutions / "notebooks" / f"{lesson}.md"
    if opening.is_file():
        cells[0] = _markdown(opening.read_text(encoding="utf-8"))
    return cells


def _text(cells: list[Cell]) -> str:
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _parts(file: Path) -> Iterator[Cell]:
    """The cells of a file in Jupytext's percent format."""
    for cell in jupytext.read(file, fmt="py:percent").cells:
        if cell.cell_type == "markdown":
            yield _markdown(cell.source)
        else:
            yield _code(cell.source)


def _markdown(source: str, grade_id: str = "", **nbgrader: Any) -> Cell:
    return {"cell_type": "markdown", "metadata": _metadata(grade_id, nbgrader), "source": source.strip()}


def _code(source: str, grade_id: str = "", **nbgrader: Any) -> Cell:
    metadata = _metadata(grade_id, nbgrader)
    return {"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], "source": source.strip()}


def _metadata(grade_id: str, nbgrader: Mapping[str, Any]) -> dict[str, Any]:
    if not grade_id:
        return {}
    kinds = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": {"schema_version": SCHEMA, "grade_id": grade_id, **kinds, **nbgrader}}


def _points(points: Fraction) -> float:
    """Points as nbgrader keeps them: a float, rounded as everywhere."""
    return float(number(points))


def _answers(cell: Cell) -> str:
    """The name that a cell's answer defines; nothing when there is no answer in it."""
    if BEGIN not in cell["source"]:
        return ""
    defined = re.search(r"^(?:def )?(\w+)(?: =|\()", cell["source"].replace(f"{BEGIN}\n", ""), flags=re.MULTILINE)
    return defined[1] if defined else ""


def _other(cell: Cell, lesson: str, solutions: Path) -> Iterator[Cell]:
    """What is neither an answer nor a test: text, imports, and the example that the lesson shows as a script."""
    source = cell["source"]
    if cell["cell_type"] == "markdown":
        yield _markdown(_without_files(source))
        return
    script = re.match(r'if __name__ == "__main__":\n', source)
    if script:
        body = textwrap.dedent(source[script.end() :]).replace("  # fmt: skip", "")
        yield _code(body, "example", locked=True)
        return
    own = _without_import(source, "attention")
    yield _code(own)
    if own != source:
        loader = (solutions / "notebooks" / "own_attention.py").read_text(encoding="utf-8")
        yield _code(loader.removeprefix("# %%\n"), "own_attention", locked=True)


def _without_import(source: str, lesson: str) -> str:
    """The source without its import from a lesson whose names are in the notebook."""
    return re.sub(rf"^from {lesson} import .*\n?", "", source, flags=re.MULTILINE).strip()


def _without_files(text: str) -> str:
    """The text without the paragraphs on files that only the students' folder has: a notebook draws its own figure."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(part for part in paragraphs if not part.startswith("![") and "playground.py" not in part)


def _figure(lesson: str, solutions: Path) -> Iterator[Cell]:
    """The lesson's figure, drawn with the student's own functions."""
    file = solutions / "notebooks" / f"figure_{lesson}.py"
    if file.is_file():
        text, code = _parts(file)
        yield text
        yield _code(_without_import(code["source"], lesson), "figure", locked=True)


def _questions(lesson: str, course: Course, solutions: Path) -> dict[str, list[Cell]]:
    """The cells of the lesson's written questions, by the function after which they stand.

    A question is a task to nbgrader: a person marks it, by the mark scheme in its cell, which students do not get.
    """
    known = tomllib.loads((solutions / "notebooks" / "questions.toml").read_text(encoding="utf-8")).get(lesson, {})
    cells: dict[str, list[Cell]] = {}
    for name, points in course.questions.get(lesson, {}).items():
        if name not in known:
            raise CourseError(f"questions.{lesson}.{name} is no question of the kit. There are: {', '.join(known)}.")
        question = known[name]
        scheme = f"<!-- BEGIN MARK SCHEME -->\n\n**Marks**\n\n{question['marks'].strip()}\n\n<!-- END MARK SCHEME -->"
        task = {"task": True, "locked": True, "points": _points(points)}
        cells.setdefault(question["after"], []).extend(
            [_markdown(f"{question['text'].strip()}\n\n{scheme}", f"explain_{name}", **task), _markdown(ANSWER)]
        )
    return cells
