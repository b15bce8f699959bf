"""Exceptions are told by class, message and the student's own frames, whatever they do."""

import pytest

from grader.sandbox import Died, Raised

from .conftest import Run, Submit


def test_an_exception_is_told_with_its_own_frames(submit_best: Submit) -> None:
    source = """\
        import numpy as np
        class Own(ValueError): pass
        def g(x):
            raise Own("no good: é")
        def f(x):
            np.apply_along_axis(g, 0, x)
        """
    outcome = submit_best(attention=source).call("attention", "f", ([1.0],))
    assert isinstance(outcome, Raised)
    assert (outcome.type, outcome.message) == ("Own", "no good: é")
    assert outcome.bases[:3] == ("Own", "ValueError", "Exception")
    assert [(frame.file, frame.line, frame.function) for frame in outcome.frames] == [
        ("attention.py", 6, "f"),
        ("attention.py", 4, "g"),
    ]
    assert outcome.frames[1].text == 'raise Own("no good: é")'


def test_a_syntax_error_points_to_its_line(submit_best: Submit) -> None:
    error = submit_best(attention="x = 1\ndef f(:\n").load("attention").error
    assert isinstance(error, Raised)
    assert error.type == "SyntaxError"
    assert [(frame.file, frame.line, frame.text) for frame in error.frames] == [("attention.py", 2, "def f(:")]


def test_the_message_does_not_tell_where_the_submission_lies(run_best: Run) -> None:
    outcome = run_best("def f():\n    open(__file__ + 'x')\n")
    assert isinstance(outcome, Raised)
    assert "No such file or directory: 'attention.pyx'" in outcome.message


def test_deep_recursion_is_an_ordinary_exception(run_best: Run) -> None:
    outcome = run_best("def f():\n    f()\n")
    assert isinstance(outcome, Raised)
    assert outcome.type == "RecursionError"
    assert [(frame.line, frame.text) for frame in outcome.frames] == [(2, "f()")] * 20


def test_a_wish_to_end_is_an_ordinary_failure_of_a_load(submit_best: Submit) -> None:
    session = submit_best(attention="x = 1\nexit('done')\n", masking="def f(): return 1\n")
    error = session.load("attention").error
    assert isinstance(error, Raised)
    assert (error.type, error.frames[-1].line) == ("SystemExit", 2)
    assert session.load("masking").error is None


@pytest.mark.parametrize(
    "method",
    ["raise SystemExit", "raise self", "return 5", "return None", "return S()", "return 'a\\x1b[2Jb' + 'x' * 10**6"],
)
def test_an_evil_str_is_contained(run_best: Run, method: str) -> None:
    outcome = run_best(f"""\
        class S(str):
            def __getitem__(self, i): raise SystemExit
            def __str__(self): raise SystemExit
        class E(Exception):
            def __str__(self): {method}
            __traceback__ = property(lambda self: 1 / 0)
        def f():
            raise E
        """)
    assert isinstance(outcome, Raised)
    assert outcome.type == "E"
    assert len(outcome.message) <= 2_000
    assert "\x1b" not in outcome.message
    assert [frame.line for frame in outcome.frames] == [8]


def test_an_endless_str_is_ended(run_best: Run) -> None:
    outcome = run_best("class E(Exception):\n    def __str__(self):\n        while True: pass\ndef f():\n    raise E\n")
    assert isinstance(outcome, Died)
    assert outcome.reason == "time"


def test_a_lying_class_is_not_believed(run_best: Run) -> None:
    outcome = run_best(
        """\
        class E(Exception):
            __class__ = property(lambda self: SyntaxError)
        class M(type):
            def __getattribute__(cls, name): raise SystemExit
        class V(metaclass=M):
            pass
        def f(raises):
            if raises: raise E("x")
            return V()
        """,
        True,
    )
    assert isinstance(outcome, Raised)
    assert (outcome.type, outcome.message) == ("E", "x")


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "GeneratorExit", "BaseException"])
def test_exceptions_of_every_kind_are_told(run_best: Run, error: str) -> None:
    outcome = run_best(f"def f():\n    raise {error}\n")
    assert isinstance(outcome, Raised)
    assert outcome.type == error
