"""The contract as the reference states it: what each lesson asks for, and the reference's own answers.

A lesson asks for functions, or, where it defines none, for constants: names in capitals that stand for an answer. To
all that grades, a constant is a function without arguments, which is read instead of called.
"""

import ast
import builtins
import importlib.util
import inspect
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.kit import SOLUTIONS


@dataclass(frozen=True)
class Function:
    """One function of the contract, or one constant, which has no ``signature``.

    ``summary`` is the first line of the function's docstring.
    """

    name: str
    lesson: str
    signature: inspect.Signature | None
    summary: str

    @property
    def is_constant(self) -> bool:
        """Whether it is an answer to be read, not a function to be called."""
        return self.signature is None

    @property
    def heading(self) -> str:
        """How a student writes it: the name, and a function's parameters."""
        return f"{self.name}{self.signature or ''}"


def all_lessons(path: Path = SOLUTIONS) -> tuple[str, ...]:
    """The lessons of the contract in its order, which is that of the reference's hints."""
    return tuple(tomllib.loads((path / "hints.toml").read_text(encoding="utf-8")))


def lesson_functions(lesson: str, path: Path = SOLUTIONS) -> tuple[Function, ...]:
    """The public functions or the constants of a lesson, in the order of its file, read without running it.

    ``path`` is the folder of the reference. Raises ``FileNotFoundError`` when it has no such lesson.
    """
    tree = ast.parse((path / f"{lesson}.py").read_text(encoding="utf-8"))
    functions = tuple(
        Function(node.name, lesson, _signature(node.args), (ast.get_docstring(node) or "").partition("\n")[0])
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    )
    return functions or tuple(
        Function(target.id, lesson, None, "")
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.isupper() and not target.id.startswith("_")
    )


def _signature(arguments: ast.arguments) -> inspect.Signature:
    """The signature that these arguments declare, read off a function that has them and does nothing."""
    nothing = ast.Expression(ast.Lambda(arguments, ast.Constant(None)))
    return inspect.signature(eval(compile(ast.fix_missing_locations(nothing), "<contract>", "eval")))


@cache
def reference(name: str, path: Path = SOLUTIONS) -> Callable[..., Any]:
    """The reference's function of that name; for a constant, one that returns it.

    Raises ``LookupError`` when no lesson in the folder ``path`` defines it.
    """
    # The folder also holds the student's pytest files; a lesson is what has public tests beside it.
    for lesson in sorted(file.stem.removeprefix("test_") for file in path.glob("test_*.py")):
        if any(function.name == name for function in lesson_functions(lesson, path)):
            named: Any = getattr(_module(lesson, path), name)
            return named if callable(named) else partial(_itself, named)
    raise LookupError(f"no lesson in {path} defines {name}")


def _itself(value: Any) -> Any:
    return value


@cache
def _module(lesson: str, path: Path) -> ModuleType:
    """The reference's module of a lesson, known to no one else.

    The lessons import each other flat (``from attention import attention``). They get an ``__import__`` of
    their own that finds the other lessons, so that neither ``sys.path`` nor ``sys.modules`` ever holds a
    module named ``attention``, which could be taken for a student's.
    """

    def import_flat(
        name: str,
        names: Mapping[str, object] | None = None,
        local: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if level == 0 and (path / f"{name}.py").is_file():
            return _module(name, path)
        return __import__(name, names, local, fromlist, level)

    spec = importlib.util.spec_from_file_location(f"reference.{lesson}", path / f"{lesson}.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{path / lesson}.py cannot be imported")
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": import_flat}
    spec.loader.exec_module(module)
    return module
