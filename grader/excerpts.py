"""Parts of a program, cut out as they are written: definitions, with all that they refer to in the same file."""

import ast
from collections.abc import Iterable, Iterator


def excerpt(source: str, wanted: Iterable[str]) -> str:
    """The top-level definitions and imports of ``source`` that the names ``wanted`` lead to, in their order.

    Raises ``KeyError`` when a name is not defined there.
    """
    defined = _defined(ast.parse(source))
    used: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting += names_in(defined[name]) & defined.keys()
    nodes = {id(node): node for name, node in defined.items() if name in used}.values()
    text, before = "", None
    for node in nodes:
        gap = "" if before is None else "\n" if _kind(before) == _kind(node) != "block" else "\n\n"
        text, before = f"{text}{gap}{_text(node, source, used)}", node
    return text


def defined_in(source: str) -> set[str]:
    """The names that ``source`` defines or imports at its top level."""
    return set(_defined(ast.parse(source)))


def names_in(*nodes: ast.AST) -> set[str]:
    """The names that pieces of code refer to."""
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def lines_of(node: ast.stmt, source: str) -> str:
    """The lines on which a statement stands, decorators left out and comments kept."""
    return "\n".join(source.splitlines()[node.lineno - 1 : node.end_lineno])


def _defined(tree: ast.Module) -> dict[str, ast.stmt]:
    return {name: node for node in tree.body for name in _names(node)}


def _names(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name for alias in aliases)


def _kind(node: ast.stmt) -> str:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return "import"
    return "block" if isinstance(node, ast.FunctionDef | ast.ClassDef) else "constant"


def _text(node: ast.stmt, source: str, used: set[str]) -> str:
    if isinstance(node, ast.Import | ast.ImportFrom):
        node.names = [alias for alias in node.names if (alias.asname or alias.name) in used]
        return ast.unparse(node)
    return lines_of(node, source)
