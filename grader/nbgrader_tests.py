"""The public tests of a function as one cell of a notebook, which runs them with NumPy alone."""

import ast
import textwrap
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from hypothesis import strategies as st

from grader.contract import Function
from grader.drawing import draw, seed_of
from grader.excerpts import defined_in, excerpt, lines_of, names_in
from grader.report import number

EXAMPLES = 5
"""Examples of a test that pytest would draw anew each time; in a notebook they stand written out."""


def visible_tests(function: Function, order: Sequence[str], source: str) -> str:
    """A cell's code that runs the tests of ``function`` in the test file ``source``.

    ``order`` are the names of all functions in the order in which they are taught. What the tests need is defined
    inside a function, so that it takes no name away from the student.
    """
    tests = [test for test in _tests(source) if _about(test, order) == function.name]
    needed = set().union(*(names_in(*test.body, test.args) for test in tests))
    helpers = excerpt(source, needed & defined_in(source))
    body = "\n\n".join([helpers, *(_written(test, source) for test in tests), "return locals()"])
    imported = "cases, hint, run_tests" if "@cases(" in body else "hint, run_tests"
    return (
        f"# Tests of {function.name}, to be run and read, not to be changed. Graded work is asked for more.\n"
        f"from testing import {imported}\n\n\n"
        f"def tests_of_{function.name}():\n{textwrap.indent(body, '    ')}\n\n\n"
        f'run_tests("{function.name}", tests_of_{function.name}())'
    )


def _tests(source: str) -> Iterator[ast.FunctionDef]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def _about(test: ast.FunctionDef, order: Sequence[str]) -> str:
    """As in the students' conftest.py: of the functions that a test asks for, the one that is taught last."""
    return max((a.arg for a in test.args.args if a.arg in order), key=list(order).index)


def _written(test: ast.FunctionDef, source: str) -> str:
    """A test as it is written, its drawn examples in place of the strategies that draw them."""
    examples = _examples(test, source)
    if examples is None:
        return lines_of(test, source)
    line = f"@cases({', '.join(map(repr, examples))})"
    if len(line) > 100:
        line = "@cases(\n" + "".join(f"    {example!r},\n" for example in examples) + ")"
    return f"{line}\n{lines_of(test, source)}"


def _examples(test: ast.FunctionDef, source: str) -> list[tuple[Any, ...]] | None:
    """The values of a test's arguments, for each example; None for a test that asks for functions alone."""
    listed: dict[str, list[Any]] = {}
    drawn: list[tuple[Any, ...]] = [()]
    names: list[str] = []
    for decorator in test.decorator_list:
        value = _value(decorator, source)
        if isinstance(value, list):
            names = [argument.arg for argument in test.args.args[-len(value) :]]
            drawn = draw(st.tuples(*value), seed_of("notebook", test.name), EXAMPLES)
        elif value is not None:
            listed[value.args[0]] = list(value.args[1])
    if not names and not listed:
        return None
    both = [
        dict(zip(listed, chosen, strict=True)) | dict(zip(names, example, strict=True))
        for chosen in product(*listed.values())
        for example in drawn
    ]
    given = [argument.arg for argument in test.args.args if argument.arg in both[0]]
    return [tuple(example[name] for name in given) for example in both]


def _value(decorator: ast.expr, source: str) -> Any:
    """What a decorator says: a list of strategies for ``given``, pytest's mark, None for settings."""
    names: dict[str, Any] = {}
    exec(excerpt(source, names_in(decorator)), names)
    if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "given":
        return [eval(ast.unparse(strategy), names) for strategy in decorator.args]
    return getattr(eval(ast.unparse(decorator), names), "mark", None)


def hidden_tests(function: Function, points: Any) -> str:
    """The part of a cell that nbgrader takes out of what students get. Its number is the cell's result."""
    return (
        "### BEGIN HIDDEN TESTS\n"
        "from grader.notebook_cell import marks\n\n"
        f'marks("{function.name}", of={number(points)})\n'
        "### END HIDDEN TESTS"
    )
