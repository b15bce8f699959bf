"""Runs a notebook's cells one by one: what one of them gets wrong costs the names that it would have defined."""

import __future__

import ast
import linecache
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import CodeType
from typing import Any

from .definitions import defined_by, guessed_names, is_untouched
from .notebooks import Cell

_compile, _exec, _parse = compile, exec, ast.parse
_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


@dataclass(frozen=True)
class Loss:
    """A cell that failed and the names that it would have defined. There is no error where it was not run at all."""

    cell: int
    error: BaseException | None
    names: tuple[str, ...]


class Cells:
    """The cells of one notebook. ``file`` names a cell's code, ``before`` is told the number of each cell that runs.

    Each statement runs within ``around`` for the modules that it imports. ``skipped`` are the cells that ended an
    earlier process, and would end this one.
    """

    def __init__(
        self,
        cells: list[Cell],
        file: Callable[[int], str],
        before: Callable[[int], None],
        around: Callable[[list[str]], AbstractContextManager[None]],
        skipped: set[int],
    ) -> None:
        self._cells = cells
        self._file = file
        self._before = before
        self._around = around
        self._skipped = skipped
        self._flags = 0
        self._untouched: set[str] = set()
        self._absent = {"display", "get_ipython"}

    def run(self, names: dict[str, Any]) -> list[Loss]:
        """Run all cells in a module's names. What a cell did before it failed stays, as it does in a notebook.

        Raises ``MemoryError`` and nothing else.
        """
        lost = [loss for cell in self._cells if cell.writes is None for loss in self._run(cell, names)]
        return [self._still_lost(loss, names) for loss in lost]

    def _still_lost(self, loss: Loss, names: dict[str, Any]) -> Loss:
        """The loss without what another cell has defined."""
        still = (name for name in loss.names if name not in names or name in self._untouched)
        return Loss(loss.cell, loss.error, tuple(dict.fromkeys(still)))

    def _run(self, cell: Cell, names: dict[str, Any]) -> Iterator[Loss]:
        file = self._file(cell.number)
        linecache.cache[file] = (len(cell.source), None, cell.source.splitlines(True), file)
        if cell.number not in self._skipped:
            self._before(cell.number)
        try:
            statements = _parse(cell.source, file).body
        except MemoryError:
            raise
        except BaseException as error:
            yield Loss(cell.number, error, tuple(guessed_names(cell.source)))
            return
        if cell.number in self._skipped:
            yield Loss(cell.number, None, _names(statements))
            return
        for statement in self._touched(list(_apart(statements)), names):
            try:
                self._execute(statement, file, names)
            except MemoryError:
                raise
            except BaseException as error:
                # What is not available here costs itself alone. After anything else the cell is over.
                if self._is_absent(error, statement):
                    self._absent.update(defined_by(statement))
                    yield Loss(cell.number, error, _names([statement]))
                    continue
                yield Loss(cell.number, error, _names(statements))
                return

    def _touched(self, statements: list[ast.stmt], names: dict[str, Any]) -> list[ast.stmt]:
        """The statements without untouched stubs of what is defined already: a copy of the handout undoes no work."""
        real = {name for name in names if name not in self._untouched}
        kept = []
        for statement in statements:
            defined = set(defined_by(statement))
            if not is_untouched(statement):
                real |= defined
            elif defined & real:
                continue
            kept.append(statement)
        return kept

    def _is_absent(self, error: BaseException, statement: ast.stmt) -> bool:
        """Whether it failed for want of a library, of what was to come from one, or of what Jupyter provides."""
        if isinstance(error, ModuleNotFoundError):
            return isinstance(statement, ast.Import | ast.ImportFrom)
        return isinstance(error, NameError) and error.name in self._absent

    def _execute(self, statement: ast.stmt, file: str, names: dict[str, Any]) -> None:
        before = dict(names)
        try:
            code: Any = _compile(ast.Module([statement], []), file, "exec", self._flags, dont_inherit=True)
            assert isinstance(code, CodeType)
            self._flags |= code.co_flags & _FUTURE
            with self._around(_imported(statement)):
                _exec(code, names)
        finally:
            for name in defined_by(statement):
                if name in names and names[name] is not before.get(name, self):
                    (self._untouched.add if is_untouched(statement) else self._untouched.discard)(name)


def _names(statements: list[ast.stmt]) -> tuple[str, ...]:
    return tuple(name for statement in statements for name in defined_by(statement))


def _apart(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, with an import of several modules as one of each: one that is absent takes no other with it."""
    for statement in statements:
        if isinstance(statement, ast.Import):
            yield from (ast.copy_location(ast.Import([alias]), statement) for alias in statement.names)
        else:
            yield statement


def _imported(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.ImportFrom):
        return [statement.module] if statement.module and not statement.level else []
    return [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else []
