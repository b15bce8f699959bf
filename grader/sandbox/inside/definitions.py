"""Which names a piece of code defines at its top level, and which of them are still as they were handed out.

Used on both sides. It reads code and runs none.
"""

import ast
import re
from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINES = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]+)?=(?!=)", re.MULTILINE)


def defined_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds: functions, classes, imports and assignments, also inside if, try and with."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        match waiting.pop():
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
            case ast.Assign(targets=targets):
                yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                yield name
            case ast.If() | ast.Try() | ast.With() | ast.ExceptHandler() as block:
                waiting += reversed(list(ast.iter_child_nodes(block)))


def is_untouched(statement: ast.stmt) -> bool:
    """Whether it is a stub as handed out: a docstring and ``raise NotImplementedError``, or an answer that is None."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return isinstance(statement.value, ast.Constant) and statement.value.value is None
    if not isinstance(statement, _FUNCTIONS):
        return False
    body = statement.body[1:] if ast.get_docstring(statement, clean=False) is not None else statement.body
    if len(body) != 1 or not isinstance(body[0], ast.Raise):
        return False
    raised = body[0].exc.func if isinstance(body[0].exc, ast.Call) else body[0].exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def definitions(tree: ast.Module) -> dict[str, bool]:
    """The functions, classes and assigned names of a module, and whether each is untouched. The last one counts."""
    return {
        name: is_untouched(statement)
        for statement in tree.body
        if not isinstance(statement, ast.Import | ast.ImportFrom)
        for name in defined_by(statement)
    }


def guessed_names(source: str) -> list[str]:
    """The names that code which cannot be parsed seems to define, by how its lines begin."""
    return [function or assigned for function, assigned in _DEFINES.findall(source)]
