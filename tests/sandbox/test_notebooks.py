"""A notebook's bytes become Python cells, and its cells run one by one."""

import ast
import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from unittest import mock

import pytest

from grader.sandbox import Died, Raised, Session, Worker
from grader.sandbox.inside.notebooks import NotebookError, all_cells, code_cells, only_code
from grader.sandbox.inside.splits import MOST_PARSED

from .conftest import value


def notebook(*sources: Any, **fields: Any) -> bytes:
    cells = [{"cell_type": "code", "source": source} for source in sources]
    return json.dumps({"cells": cells, **fields}).encode()


@pytest.mark.parametrize(
    "content",
    [
        notebook("x = 1"),
        notebook(["x ", "= 1"], nbformat=4, metadata=None),
        b"\xef\xbb\xbf" + notebook("x = 1"),
        notebook("x = 1").decode().encode("utf-16"),
        b'{"metadata": ' + b"9" * 9999 + b"," + notebook("x = 1")[1:],
        json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1"]}]}]}).encode(),
        json.dumps(
            {
                "cells": [
                    {"cell_type": "markdown", "source": "# x"},
                    {"cell_type": "raw", "source": "y = 2", "id": None},
                    {"cell_type": "code", "source": " \n", "id": None},
                    None,
                    {"cell_type": "code", "source": "x = 1", "metadata": None, "outputs": None, "id": 5},
                ]
            }
        ).encode(),
    ],
)
def test_the_code_cells_are_found_however_it_was_written(content: bytes) -> None:
    assert [(cell.number, cell.source) for cell in code_cells(content)] == [(1, "x = 1")]
    assert code_cells(only_code(content)) == code_cells(content)


def test_what_a_cell_says_of_itself_is_kept() -> None:
    cell = {"cell_type": "code", "metadata": {"nbgrader": {"schema_version": 3, "points": 1.5}}, "source": ""}
    (kept,) = all_cells(json.dumps({"cells": [cell]}).encode())
    assert repr(kept) == repr(cell)


@pytest.mark.parametrize(
    "content",
    [b"", b"x = 1", b"[]", b"{}", b'{"cells": 1}', b"[" * 100_000, b"\xff\xfe\0", b'{"cells": [' + b"9" * 9999],
)
def test_what_is_no_notebook_is_told(content: bytes) -> None:
    with pytest.raises(NotebookError):
        code_cells(content)


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("if True:\n    !pip install torch\nx = 1", "if True:\n    pass\nx = 1"),
        ("files = !ls\nx, y = %timeit -o f()", "files = get_ipython()\nx, y = get_ipython()"),
        ("softmax?\n?softmax\nsoftmax??", "pass\npass\npass"),
        (
            "def f():\n    %time y = (1,\n    2)\n    return y\n%prun -l 5 f()",
            "def f():\n    y = (1,\n    2)\n    return y\npass",
        ),
        ("!pip install \\\n   torch\nx = 1", "pass\n\nx = 1"),
        ('x = """\n%matplotlib\n!ls\nhelp?\n"""', 'x = """\n%matplotlib\n!ls\nhelp?\n"""'),
        ("x = (5\n% 3)\ny = 5 \\\n% 3", "x = (5\n% 3)\ny = 5 \\\n% 3"),
        ("x = '''it's\n%d''' # don't\n%time", "x = '''it's\n%d''' # don't\npass"),
        ("x = 'it\\'s' # (\n%time", "x = 'it\\'s' # (\npass"),
        ("%run mine.py\n%run -i './mine'\n%run a/b.py", "from mine import *\nfrom mine import *\npass"),
        (">>> def f():\n...     return 1\n... \n>>> f()\n1", "def f():\n    return 1\n\nf()\n1"),
        ("In [3]: x = (1,\n   ...:     2)", "x = (1,\n    2)"),
        (">>> x = 'In [1]: y'\n>>> # >>> z", "x = 'In [1]: y'\n# >>> z"),
        (">>> x = 1\n" + " " * 2**20 + "x", "x = 1\n" + " " * 2**20 + "x"),
        ("...\nx = '''\n>>> f()\n'''", "...\nx = '''\n>>> f()\n'''"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%%capture out\n%matplotlib inline\nx = 1", "\npass\nx = 1"),
        ("%%bash\nls", ""),
        ("%%html\n<p>", ""),
        ("    x = 1\n    y = 2\nz = 3", "x = 1\ny = 2\nz = 3"),
        ("x != 5\ny = 5 % 3", "x != 5\ny = 5 % 3"),
    ],
)
def test_what_only_a_notebook_understands_is_passed_over(source: str, python: str) -> None:
    (cell,) = code_cells(notebook(source))
    assert cell.source == python


@pytest.mark.parametrize(
    ("sources", "pieces"),
    [
        (["def f(x):\n    y = x", "    return y"], [2]),
        (["def f(x):\n    y = x", "    y += 1", "    return y", "z = 1"], [3, 1]),
        (["def f(x):", "    y = x\n    return y"], [2]),
        (["def f(x):", '    """Doc."""', "    return x"], [3]),
        (["%%time\ndef f(x):\n    y = (x,", "    x)\n    return y\n"], [2]),
        (["def f(x):\n    for i in x:\n        y = i", "        continue\n"], [2]),
        (["def f(x):\n    if x:", "        return 1\n    return 2"], [2]),
        (["def f(x):\n    if x:\n        y = 1", "    else:\n        y = 2\n    return y"], [2]),
        (["def f(x):\n    return x", "    y = f(1)\n    z = y"], [1, 1]),  # which Jupyter runs as it is
        (["def f(x):\n    return x", "    def g(x):\n        return f(x)"], [1, 1]),
        (["def f(x):\n    return x", "    return y = 1"], [1, 1]),
        (["x = 1", "    return x"], [1, 1]),
        (["def f(x):\n    y = x", "return y"], [1, 1]),
        (["def f(x:", "    return x"], [1, 1]),
        (["%%writefile a.py\ndef f(x):", "    return x"], [1, 1]),
        (["%%bash\nls", "    return x"], [1, 1]),
        (["def f(x):\n    y = 1", *["    y = x"] * 6, "    return y"], [8]),
        (["def f(x):\n    y = 1", *["    y = x"] * 7, "    return y"], [1] * 9),
    ],
)
def test_what_was_split_in_the_middle_is_one_cell(sources: list[str], pieces: list[int]) -> None:
    cells = code_cells(notebook("first = 1", *sources, "last = 1"))
    assert [cell.pieces for cell in cells] == [1, *pieces, 1]
    assert [cell.number for cell in cells] == [1, *(2 + sum(pieces[:n]) for n in range(len(pieces) + 1))]


def test_only_so_much_of_a_notebook_is_parsed_for_this() -> None:
    ends = ["    return " + "[1, 2], " * 400 + str(number) for number in range(600)]
    with mock.patch.object(ast, "parse", wraps=ast.parse) as parse:
        assert len(code_cells(notebook(*ends))) == len(ends)
    assert 2**16 < sum(len(call.args[0]) for call in parse.call_args_list) <= MOST_PARSED


def test_a_file_that_a_cell_writes_is_known() -> None:
    (cell,) = code_cells(notebook("%%writefile attention.py\nx = 1\n%y"))
    assert (cell.writes, cell.source) == ("attention.py", "\nx = 1\n%y")


@pytest.fixture
def cells(best_worker: Worker) -> Iterator[Any]:
    """Open a session whose lesson ``attention`` is a notebook of these cells."""
    with ExitStack() as sessions:

        def opened(*sources: str, **others: str) -> Session:
            files = {f"{name}.py": source.encode() for name, source in others.items()}
            modules = {**{name: f"{name}.py" for name in others}, "attention": "attention.ipynb"}
            return sessions.enter_context(best_worker.open({**files, "attention.ipynb": notebook(*sources)}, modules))

        yield opened


def test_cells_are_one_module_that_others_import(cells: Any) -> None:
    session = cells(
        "import numpy as np",
        "def f(): return float(np.ones(2).sum())",
        masking="from attention import f as g\ndef h(): return g()",
    )
    assert value(session.call("attention", "f", ())) == 2
    assert value(session.call("masking", "h", ())) == 2


def test_a_failing_cell_costs_what_it_would_have_defined(cells: Any) -> None:
    session = cells("def f(): return 1", "def g(): return 2\n1 / 0\ndef h(): pass\nX, Y = 1, 2", "def k(): return g()")
    load = session.load("attention")
    assert load.error is None
    assert set(load.lost) == {"h", "X", "Y"}
    failure = load.lost["h"].failure
    assert load.lost["h"].cell == 2
    assert (failure.type, [(f.file, f.line, f.text) for f in failure.frames]) == (
        "ZeroDivisionError",
        [("attention.ipynb, cell 2", 2, "1 / 0")],
    )
    assert value(session.call("attention", "k", ())) == 2


def test_a_cell_that_is_no_python_costs_what_it_seems_to_define(cells: Any) -> None:
    load = cells("def f(: pass\nx = 1", "def g(): pass", "def f(: pass").load("attention")
    assert set(load.lost) == {"f", "x"}
    assert load.lost["x"].failure.type == "SyntaxError"
    assert load.lost["x"].failure.frames[-1].text == "def f(: pass"
    assert "g" in load.names


def test_what_another_cell_defines_is_not_lost(cells: Any) -> None:
    session = cells("def f(): return 1", "1 / 0\ndef f(): return 2", "1 / 0\ndef g(): return 3", "def g(): return 4")
    assert session.load("attention").lost == {}
    assert value(session.call("attention", "f", ())) == 1
    assert value(session.call("attention", "g", ())) == 4


def test_a_library_that_is_not_there_costs_itself_alone(cells: Any) -> None:
    session = cells("import matplotlib.pyplot as plt\nimport numpy as np\ndef f(): return np.ndim(1)")
    assert set(session.load("attention").lost) == {"plt"}
    assert value(session.call("attention", "f", ())) == 0


def test_an_untouched_stub_does_not_replace_work(cells: Any) -> None:
    stub = 'def f():\n    """Doc."""\n    raise NotImplementedError("f is not started")'
    session = cells(stub, "def f(): return 1", stub, "BERT = 'encoder'", "BERT = None", "GPT = None", "1 / 0\nGPT = 1")
    assert value(session.call("attention", "f", ())) == 1
    assert value(session.read("attention", "BERT")) == "encoder"
    assert set(session.load("attention").lost) == {"GPT"}


def test_the_last_definition_counts(cells: Any) -> None:
    assert value(cells("def f(): return 1", "def f(): return 2").call("attention", "f", ())) == 2


@pytest.mark.parametrize(
    ("ends", "reason"),
    [("while True: pass", "time"), ("import os; os._exit(3)", "exit"), ("x = bytearray(1 << 40)", "memory")],
)
def test_a_cell_that_ends_the_process_costs_its_own_names(cells: Any, ends: str, reason: str) -> None:
    session = cells("def f(): return 1", f"{ends}\ndef g(): pass", "def h(): return f()")
    load = session.load("attention")
    assert load.error is None
    assert set(load.lost) <= {"g", "x", "os"}
    failure = load.lost["g"].failure
    assert isinstance(failure, Died)
    assert failure.reason == reason
    assert failure.detail.startswith("Cell 2 ")
    assert value(session.call("attention", "h", ())) == 1


def test_too_many_such_cells_cost_the_notebook(cells: Any) -> None:
    load = cells(*["import os; os._exit(0)"] * 30).load("attention")
    assert isinstance(load.error, Died)


def test_a_cell_of_an_imported_notebook_that_ends_the_process(cells: Any) -> None:
    session = cells(
        "def f(): return 1", "import os\nos._exit(0)", masking="from attention import f\ndef g(): return f()"
    )
    assert value(session.call("masking", "g", ())) == 1


def test_a_notebook_that_imports_its_own_name_gets_the_module_beside_it(cells: Any) -> None:
    beside = "def f(): return 1\ndef g(): return f() + 1"
    session = cells("from attention import f", "import attention as own\ndef g(): return own.g()", attention=beside)
    assert session.load("attention").lost == {}
    assert value(session.call("attention", "f", ())) == 1
    assert value(session.call("attention", "g", ())) == 2


def test_a_notebook_that_runs_a_module_has_its_names(cells: Any) -> None:
    session = cells("%run mine.py\ndef g(): return f()", mine="def f(): return 1")
    assert value(session.call("attention", "g", ())) == 1


def test_a_broken_module_beside_costs_what_is_imported_of_it(cells: Any) -> None:
    session = cells("from attention import f", "def g(): return 1", attention="1 / 0")
    assert set(session.load("attention").lost) == {"f"}
    assert value(session.call("attention", "g", ())) == 1


def test_sys_exit_is_only_a_failure_of_its_cell(cells: Any) -> None:
    load = cells("import sys\nsys.exit()\ndef g(): pass").load("attention")
    failure = load.lost["g"].failure
    assert isinstance(failure, Raised)
    assert failure.type == "SystemExit"


def test_future_imports_hold_for_later_cells(cells: Any) -> None:
    session = cells("from __future__ import annotations", "def f(x: Missing): return 1")
    assert value(session.call("attention", "f", (1,))) == 1


def test_source_code_of_a_cell_can_be_looked_at(cells: Any) -> None:
    session = cells("x = 1", "import inspect\ndef f():\n    return inspect.getsource(f)")
    assert str(value(session.call("attention", "f", ()))).startswith("def f():")
