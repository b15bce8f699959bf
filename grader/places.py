"""Where a file defines a name, read without running it."""

import ast
import warnings
from dataclasses import dataclass
from functools import lru_cache

LARGEST_PARSED = 2**18
"""Bytes; parsing happens outside the sandbox, and takes its time."""


@dataclass(frozen=True)
class Place:
    """A place that gives a name to something.

    ``inside`` are the lines that it is indented under, outermost first, such as ``class Model``. ``parameters`` are
    those of a function as they are written, and None where it is no function.
    """

    name: str
    line: int
    inside: tuple[str, ...]
    parameters: str | None


@lru_cache(maxsize=16)  # of one submission's lessons, each of whose functions may ask
def places(source: bytes) -> tuple[Place, ...]:
    """All functions and assigned names of a file, in its order; none when it is too large or cannot be parsed."""
    if len(source) > LARGEST_PARSED:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in strings
            return tuple(sorted(_found(ast.parse(source)), key=lambda place: place.line))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _found(tree: ast.Module) -> list[Place]:
    found = []
    waiting: list[tuple[ast.stmt, tuple[str, ...]]] = [(node, ()) for node in tree.body]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(Place(node.name, node.lineno, inside, ast.unparse(node.args)))
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            parameters = ast.unparse(node.value.args) if isinstance(node.value, ast.Lambda) else None
            found += [Place(name, node.lineno, inside, parameters) for name in names]
        for block in ("body", "orelse", "handlers", "finalbody"):
            heading = "else" if block == "orelse" else _heading(node)
            waiting += [(inner, (*inside, heading)) for inner in getattr(node, block, ())]
    return found


def _heading(node: ast.stmt) -> str:
    """A compound statement's first line, shortened."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return f"def {node.name}"
    if isinstance(node, ast.ClassDef):
        return f"class {node.name}"
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}"
    return type(node).__name__.removeprefix("Async").removesuffix("Handler").removesuffix("Star").lower()
