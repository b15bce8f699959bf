"""Lessons are imported by their names, whatever their files are called, and nothing else is shadowed or found."""

import inspect

import pytest

from grader.sandbox import Raised, Worker

from .conftest import Run, Submit, value


def test_a_file_of_another_name_is_the_lesson(best_worker: Worker) -> None:
    files = {
        "sub folder/attention (1).py": b"def f():\n    return (__name__, __file__.endswith('/attention (1).py'))\n",
        "transformer.py": b"from attention import f as g\nimport helper\ndef f():\n    return g(), helper.x\n",
        "helper.py": b"x = 'helped'\n",
    }
    modules = {"attention": "sub folder/attention (1).py", "transformer": "transformer.py"}
    with best_worker.open(files, modules) as session:
        assert value(session.call("transformer", "f", ())) == (("attention", True), "helped")


def test_the_main_block_does_not_run(submit_best: Submit) -> None:
    session = submit_best(attention="def f(): pass\nif __name__ == '__main__':\n    raise SystemExit\n")
    assert session.load("attention").error is None


def test_the_public_callables_are_named(submit_best: Submit) -> None:
    session = submit_best(attention="import numpy as np\nfrom math import exp\nx = 1\ndef f(): pass\ndef _g(): pass\n")
    assert session.load("attention").names == {"exp", "f"}


def test_a_missing_lesson_is_not_found(submit_best: Submit) -> None:
    session = submit_best(attention="")
    for _ in range(2):
        error = session.load("masking").error
        assert isinstance(error, Raised)
        assert error.type == "ModuleNotFoundError"
    assert session.load("attention").error is None


def test_files_of_the_submission_shadow_nothing(best_worker: Worker) -> None:
    bad = b"raise SystemExit\n"
    names = ("types", "numpy", "random", "json", "inside", "unittest", "secrets", "platform", "struct")
    files = {f"{name}.py": bad for name in names}
    files["attention.py"] = (
        b"import types, numpy, random, json, wave\nimport numpy.testing\n"
        b"def f():\n    return [m.__file__ for m in (types, numpy, random, json, wave, numpy.testing)]\n"
    )
    with best_worker.open(files, {"attention": "attention.py"}) as session:
        found = value(session.call("attention", "f", ()))
    assert isinstance(found, list)
    assert len(found) == 6
    assert not [file for file in found if "submission" in file]


@pytest.mark.parametrize(
    "line",
    [
        "import code as other",
        "from code import f as other_f",
        "import importlib\nother = importlib.import_module('code')",
        "import test.code as other",
        "import helper\nother = helper.code",
        "def g():\n    import code\n    return code\nother = g()",
    ],
)
def test_own_modules_come_first_for_own_imports(best_worker: Worker, line: str) -> None:
    files = {
        "code.py": b"def f(): return 'own'\n",
        "test/__init__.py": b"",
        "test/code.py": b"def f(): return 'own'\n",
        "helper.py": b"import code\n",
        "attention.py": f"{line}\ndef f():\n    return other_f() if 'other_f' in globals() else other.f()\n".encode(),
    }
    with best_worker.open(files, {"attention": "attention.py"}) as session:
        assert value(session.call("attention", "f", ())) == "own"


def test_own_modules_come_last_for_the_imports_of_others(best_worker: Worker) -> None:
    source = b"import pdb\ndef f():\n    return pdb.code.__file__\n"
    with best_worker.open({"code.py": b"1 / 0", "attention.py": source}, {"attention": "attention.py"}) as session:
        assert "submission" not in str(value(session.call("attention", "f", ())))


def test_other_packages_are_not_there(run_best: Run) -> None:
    outcome = run_best("""\
        import importlib.util
        def f():
            importlib.invalidate_caches()
            names = ("pytest", "hypothesis", "grader", "typer", "pip")
            return [name for name in names if importlib.util.find_spec(name)]
        """)
    assert value(outcome) == []


def test_an_import_that_is_not_available_is_told(submit_best: Submit) -> None:
    error = submit_best(attention="import torch\n").load("attention").error
    assert isinstance(error, Raised)
    assert (error.type, error.message) == ("ModuleNotFoundError", "No module named 'torch'")


def test_the_standard_library_and_numpy_are_there(run_best: Run) -> None:
    outcome = run_best("""\
        import asyncio, ctypes, dataclasses, decimal, fractions, hashlib, importlib, inspect, itertools, json, lzma
        import sqlite3, ssl, statistics, typing, unittest, uuid, xml.etree.ElementTree, zoneinfo
        import numpy.polynomial
        def f():
            importlib.invalidate_caches()
            import wave
            import numpy as np
            return [*inspect.getsource(f)[:9], float(np.linalg.det(np.fft.fft(np.eye(2)).real)), wave.__name__]
        """)
    assert isinstance(value(outcome), list)


def test_a_failed_import_fails_again_and_hurts_no_other(submit_best: Submit) -> None:
    session = submit_best(
        attention="raise ValueError('once')\n",
        masking="def f():\n    return 1\n",
        transformer="""\
            try:
                import attention
            except ValueError as error:
                seen = str(error)
            def f():
                return seen
            """,
        counters="from attention import softmax\n",
    )
    first = session.load("attention").error
    assert isinstance(first, Raised)
    assert (first.type, first.message) == ("ValueError", "once")
    assert value(session.call("masking", "f", ())) == 1
    assert value(session.call("transformer", "f", ())) == "once"
    again = session.load("counters").error
    assert isinstance(again, Raised)
    assert [(frame.file, frame.line) for frame in again.frames] == [("counters.py", 1), ("attention.py", 1)]


def test_source_that_cannot_be_read_is_told(best_worker: Worker) -> None:
    for source in (b"x = '\xff'\n", b"\0", b"# coding: no-such\n"):
        with best_worker.open({"attention.py": source}, {"attention": "attention.py"}) as session:
            error = session.load("attention").error
            assert isinstance(error, Raised)
            assert error.type in ("SyntaxError", "ValueError")  # by the version of Python


def test_a_file_that_is_several_lessons_is_one_module(best_worker: Worker) -> None:
    source = (
        b"ran = []\nran.append(1)\ndef f():\n    return 1\ndef g():\n    from attention import f\n    return f(), ran\n"
    )
    with best_worker.open({"all.py": source}, {"attention": "all.py", "masking": "all.py"}) as session:
        assert session.load("attention").error is None
        assert value(session.call("masking", "g", ())) == (1, [1])
        session.answer = lambda *_: 2
        session.substitute("f", "attention", inspect.signature(lambda: None))
        assert value(session.call("masking", "g", ())) == (2, [1])
