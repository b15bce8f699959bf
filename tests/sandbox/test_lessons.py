"""Lessons are imported by their names, whatever their files are called, and nothing else is shadowed or found."""

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
    files = {f"{name}.py": bad for name in ("types", "numpy", "random", "json", "textwrap", "inside", "wave")}
    files["attention.py"] = b"import types, numpy, random, json, textwrap, wave\ndef f():\n    return wave.__file__\n"
    with best_worker.open(files, {"attention": "attention.py"}) as session:
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
