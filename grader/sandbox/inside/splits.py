"""Puts together again what somebody split in the middle of a function: the cell ends, and its code goes on in the next.

Used on both sides. It reads code and runs none.
"""

import ast
from collections.abc import Callable

MOST_PIECES = 8
"""Cells that one statement may have become."""
MOST_PARSED = 2**17
"""Characters of one notebook that are looked at for this; parsing happens outside the sandbox, too."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_IN_FUNCTIONS = (ast.Return, ast.Yield, ast.YieldFrom)
_IN_LOOPS = (ast.Break, ast.Continue)


def rejoined(cells: list[str], python: Callable[[str], str | None]) -> list[list[str]]:
    """The cells' sources in groups, of which each is one cell. ``python`` gives a source's code, None if it has none.

    A cell belongs to those before it if its first line is indented, one of them cannot stand alone, and together they
    can. Jupyter runs a cell that is indented as a whole, so one that can stand alone stays what it is.
    """
    groups: list[list[str]] = []
    looking = _Looking(python)
    for cell in cells:
        before = _pieces_before(groups, cell, looking) if looking.goes_on and _is_indented(cell) else 0
        pieces = [piece for group in groups[len(groups) - before :] for piece in group]
        groups[len(groups) - before :] = [[*pieces, cell]]
    return groups


def _pieces_before(groups: list[list[str]], cell: str, looking: "_Looking") -> int:
    """How many of the last groups the cell goes on with."""
    pieces, is_part = [cell], not looking.is_whole([cell])
    for count, group in enumerate(reversed(groups), 1):
        pieces = [*group, *pieces]
        if len(pieces) > MOST_PIECES or not looking.is_python(group[0]):
            break
        is_part = is_part or not looking.is_whole(group)
        if is_part and looking.is_whole(pieces):
            return count
    return 0


def _is_indented(cell: str) -> bool:
    return next((line[0] in " \t" for line in cell.splitlines() if line.strip()), False)


class _Looking:
    """Tells which code can stand alone, until it has looked at enough; from there on none can, alone or together."""

    def __init__(self, python: Callable[[str], str | None]) -> None:
        self._python = python
        self._left = MOST_PARSED

    @property
    def goes_on(self) -> bool:
        """Whether it has not looked at enough."""
        return self._left > 0

    def is_python(self, cell: str) -> bool:
        """Whether a cell is code at all, rather than what a magic in its first line makes of it."""
        self._left -= len(cell)
        return self._left >= 0 and self._python(cell) is not None

    def is_whole(self, pieces: list[str]) -> bool:
        """Whether the pieces are Python, as one cell."""
        source = "\n".join(pieces)
        self._left -= len(source)
        if self._left < 0:
            return False
        try:
            return not _leaves(ast.parse(self._python(source) or ""))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False


def _leaves(tree: ast.Module) -> bool:
    """Whether there is a ``return`` outside a function, or a ``break`` outside a loop: the parser lets them pass."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_loop = waiting.pop()
        if isinstance(node, _IN_FUNCTIONS) or (isinstance(node, _IN_LOOPS) and not in_loop):
            return True
        if not isinstance(node, _FUNCTIONS):
            inside = in_loop or isinstance(node, _LOOPS)
            waiting += [(child, inside) for child in ast.iter_child_nodes(node)]
    return False
