"""Notebooks as data: from the bytes of an ``.ipynb`` to its code cells, as Python.

Used on both sides, so it trusts nothing of what it reads. Format 4 and the older format 3 are read. Missing or null
ids, metadata, outputs and kernels make no difference: nothing is looked at but the code cells.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from .splits import rejoined

NOTEBOOK = ".ipynb"
"""How a notebook's file name ends."""
MOST_CELLS = 2_000
"""Cells of code in a notebook that is read."""
_KEPT_MAGICS = {"time", "capture", "prun"}
"""Cell magics that run the cell's body where it is, so that what it defines is defined."""
_MAGIC = re.compile(r"[%!?]|[\w.]+(?:\s*,\s*[\w.]+)*\s*=\s*[%!]|[\w.]+\?{1,2}\s*$")
"""How a statement begins that IPython understands and Python never does."""
_TIMED = re.compile(r"%(?:time|prun)[ \t]+([^-\s].*)", re.DOTALL)
"""Magics that run the statement behind them in the cell's own names."""
_NAMED = re.compile(r"([\w.]+(?:\s*,\s*[\w.]+)*\s*)=\s*[%!]")
"""What gets the value of a magic or of a command of the shell."""
_RUN = re.compile(r"%run[ \t]+(?:-\w[ \t]+)*['\"]?(?:\./)?([A-Za-z_]\w*)(?:\.py)?['\"]?[ \t]*$")
"""The magic that runs a module in the cell's own names."""
_PROMPT = re.compile(r"(?:>>>|\.\.\.|In \[\d+\]:| +\.\.\.+:)(?: |$)")
"""What stands before code that was copied from a session; IPython takes it away."""
_CELL_MAGIC = re.compile(r"%%(\S+)[ \t]*(.*)")
_MOST_DIGITS = 300
_LITERAL = re.compile(r"""'''|\"\"\"|'|"|\#|[()\[\]{}]|\\.""", re.DOTALL)


class NotebookError(Exception):
    """It is no notebook that can be read; the message says why."""


@dataclass(frozen=True)
class Cell:
    """A code cell. ``number`` is the one that running the whole notebook anew would show beside it.

    ``writes`` is the file that the cell writes its text to instead of running it (``%%writefile NAME``). ``pieces`` is
    the number of cells that it was split into.
    """

    number: int
    source: str
    writes: str | None = None
    pieces: int = 1


def code_cells(content: bytes) -> list[Cell]:
    """The code cells in their order, without empty ones; what was split is one. Raises ``NotebookError``."""
    sources = [source for source in _sources(content) if source.strip()]
    groups = rejoined(sources, _python)
    numbers = accumulate(map(len, groups), initial=1)
    return [
        replace(_cell(number, "\n".join(pieces)), pieces=len(pieces))
        for number, pieces in zip(numbers, groups, strict=False)
    ]


def file_cells(content: bytes) -> list[Cell]:
    """The code cells that write a file. Raises ``NotebookError``."""
    sources = [source for source in _sources(content) if source.strip()]
    written = (_cell(number, source) for number, source in enumerate(sources, 1) if "%%" in source)
    return [cell for cell in written if cell.writes is not None]


def only_code(content: bytes) -> bytes:
    """The same notebook without texts, outputs and metadata. Raises ``NotebookError``."""
    cells = [{"cell_type": "code", "source": source} for source in _sources(content)]
    return json.dumps({"cells": cells, "nbformat": 4}).encode("ascii")


def cell_file(notebook: str, number: int) -> str:
    """What a cell is called in tracebacks."""
    return f"{notebook}, cell {number}"


def all_cells(content: bytes) -> list[dict[str, Any]]:
    """The cells of every kind as they are written, whatever they hold. Raises ``NotebookError``."""
    try:
        notebook = json.loads(content, parse_int=_integer)
    except (ValueError, RecursionError):
        raise NotebookError("it is not JSON: it may be damaged, or something else was saved under this name") from None
    found = notebook.get("cells") if isinstance(notebook, dict) else None
    if found is None and isinstance(notebook, dict):
        sheets = notebook.get("worksheets")
        found = [cell for sheet in _dicts(sheets) for cell in _dicts(sheet.get("cells"))] if sheets else None
    if not isinstance(found, list):
        raise NotebookError("it holds no cells")
    return _dicts(found)


def source_of(cell: dict[str, Any]) -> str:
    """The text of a cell that is written in either format."""
    return _text(cell.get("source", cell.get("input")))


def _sources(content: bytes) -> Iterator[str]:
    return (source_of(cell) for cell in all_cells(content) if cell.get("cell_type") == "code")


def _integer(digits: str) -> int | float:
    """An integer, or infinity where it has more digits than Python reads."""
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


def _dicts(values: Any) -> list[dict[str, Any]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _text(source: Any) -> str:
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _cell(number: int, source: str) -> Cell:
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = next(place for place, line in enumerate(lines) if line.strip())
    magic = _CELL_MAGIC.match(lines[first])
    if magic is None:
        return Cell(number, python(lines))
    lines[first] = ""
    if magic[1] in ("writefile", "file"):
        return Cell(number, "\n".join(lines), magic[2].strip("\"' \t"))
    return Cell(number, python(lines) if magic[1] in _KEPT_MAGICS else "")


def _python(source: str) -> str | None:
    """A cell's code; None where its first line says that it is something else."""
    cell = _cell(0, source)
    return None if cell.writes is not None or not cell.source.strip() else cell.source


def python(lines: list[str]) -> str:
    """The lines as Python: prompts and an indent that all share taken off, and IPython's own statements made ``pass``.

    Every line stays where it was. What is inside a string, brackets or a continued line is left alone.
    """
    if _PROMPT.match(_first(lines)) and not _first(lines).startswith("..."):
        lines = [_without_prompt(line) for line in lines]
    first = _first(lines)
    indent = first[: len(first) - len(first.lstrip())]
    state = _State()
    written = []
    for line in (line.removeprefix(indent) for line in lines):
        statement = line.lstrip(" \t")
        if state.in_magic or (state.at_start and _MAGIC.match(statement)):
            timed = _TIMED.match(statement)
            instead = "" if state.in_magic else line[: len(line) - len(statement)] + _in_python(statement)
            written.append(instead)
            state.in_magic = line.endswith("\\") and not timed
            if timed:
                state.read(instead)
        else:
            written.append(line)
            state.read(line)
    return "\n".join(written)


def _without_prompt(line: str) -> str:
    prompt = _PROMPT.match(line)
    return line[prompt.end() :] if prompt else line


def _first(lines: list[str]) -> str:
    return next((line for line in lines if line.strip()), "")


def _in_python(magic: str) -> str:
    """A magic's statement as Python, if what it does matters: what it times, a module that it runs, or the name that
    it gives a value which only Jupyter has.
    """
    if timed := _TIMED.match(magic):
        return timed[1]
    if named := _NAMED.match(magic):
        return f"{named[1]}= get_ipython()"
    return f"from {run[1]} import *" if (run := _RUN.match(magic)) else "pass"


class _State:
    """Where in the code a line begins: inside a string, inside brackets, after a backslash, or anew."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._continued = False
        self.in_magic = False

    @property
    def at_start(self) -> bool:
        """Whether a statement begins here."""
        return not self._quote and self._depth == 0 and not self._continued

    def read(self, line: str) -> None:
        """Go to the end of a line."""
        self._continued = False
        for found in _LITERAL.finditer(line + "\n"):
            token = found[0]
            if token == "\\\n":
                self._continued = True
            elif self._quote:
                self._quote = "" if token == self._quote else self._after_quotes(token)
            elif token == "#":
                break
            elif token[0] in "'\"":
                self._quote = token
            elif token in "([{":
                self._depth += 1
            elif token in ")]}":
                self._depth = max(self._depth - 1, 0)
        if len(self._quote) == 1 and not self._continued:
            self._quote = ""  # a string that was never closed ends with its line; Python will say so

    def _after_quotes(self, token: str) -> str:
        return "" if self._quote == token[:1] and len(token) == 3 else self._quote
