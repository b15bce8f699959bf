"""A substituted function is a call to the grader, by whatever name the submission refers to it."""

import inspect
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from grader.sandbox import Died, Raised, Session
from grader.sandbox.inside.substitutes import signature_as_data, signature_from_data

from .conftest import Submit, value


def softmax(x: Any, axis: int = -1) -> Any:
    return ("reference", x, axis)


SIGNATURE = inspect.signature(softmax)


def answer(function: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    assert function == "softmax"
    return softmax(*args, **kwargs)


def substituted(session: Session, *loads: str) -> Session:
    session.answer = answer
    for lesson in loads:
        session.load(lesson)
    session.substitute("softmax", "attention", SIGNATURE)
    return session


ATTENTION = """\
    import functools
    def softmax(x, axis=-1):
        return "student", x, axis
    table = {"s": softmax}
    part = functools.partial(softmax, axis=0)
    def early(x, f=softmax): return f(x)
    def late(x): return softmax(x)
    def by_table(x): return table["s"](x)
    def by_part(x): return part(x)
    def deep(x):
        def inner(): return softmax(x)
        return inner()
    def inside(x):
        from attention import softmax as other
        import attention
        return other(x)[0], attention.softmax(x)[0], softmax.__name__
    """
TRANSFORMER = """\
    from attention import softmax as sm
    import attention as att
    from attention import *
    def alias(x): return sm(x)
    def dotted(x): return att.softmax(x)
    def starred(x): return softmax(x)
    """


def test_a_signature_crosses() -> None:
    def f(a: int, /, b: float = 1e-5, *c: int, d: None = None, **e: int) -> None: ...

    back = signature_from_data(signature_as_data(inspect.signature(f)))
    assert str(back) == "(a, /, b=1e-05, *c, d=None, **e)"


@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_every_reference_follows(submit_best: Submit, when: str) -> None:
    session = submit_best(attention=ATTENTION, transformer=TRANSFORMER)
    substituted(session, *{"before": [], "between": ["attention"], "after": ["attention", "transformer"]}[when])
    for name, axis in (("early", -1), ("late", -1), ("by_table", -1), ("by_part", 0), ("deep", -1)):
        assert value(session.call("attention", name, (1.0,))) == ("reference", 1.0, axis), name
    assert value(session.call("attention", "inside", (1.0,))) == ("reference", "reference", "softmax")
    for name in ("alias", "dotted", "starred"):
        assert value(session.call("transformer", name, (1.0,))) == ("reference", 1.0, -1), name


@pytest.mark.parametrize(
    "attention",
    [
        "def softmax(x): return 0\nraise ValueError\n",
        "import torch\n",
        "def (:\n",
        "def softmax_(x): return 0\n",
        "softmax = None\n",
        "raise SystemExit\n",
        None,
    ],
)
def test_what_does_not_load_or_lacks_the_name_is_stood_in_for(submit_best: Submit, attention: str | None) -> None:
    sources = (
        {"transformer": TRANSFORMER} if attention is None else {"attention": attention, "transformer": TRANSFORMER}
    )
    session = substituted(submit_best(**sources), "attention")
    for name in ("alias", "dotted", "starred"):
        assert value(session.call("transformer", name, (1.0,))) == ("reference", 1.0, -1)


def test_decorated_functions_and_objects_are_replaced_by_name(submit_best: Submit) -> None:
    source = """\
        import functools
        class C:
            def __call__(self, x): return "student"
        softmax = {}
        @functools.lru_cache
        def cached(x): return "student"
        softmax = C() if ODD else cached
        def f(x): return softmax(x)
        """
    for odd in ("True", "False"):
        session = submit_best(attention=source.replace("ODD", odd), transformer=TRANSFORMER)
        substituted(session, "attention", "transformer")
        assert value(session.call("attention", "f", (2,))) == ("reference", 2, -1)
        assert value(session.call("transformer", "alias", (2,))) == ("reference", 2, -1)


def test_a_function_of_another_library_stays_whole(submit_best: Submit) -> None:
    source = """\
        import textwrap
        from textwrap import dedent as softmax
        def f(x): return softmax(x), textwrap.dedent(x)
        """
    session = substituted(submit_best(attention=source), "attention")
    assert value(session.call("attention", "f", (" x",))) == (("reference", " x", -1), "x")


def test_arguments_that_do_not_fit_go_to_the_students_own(submit_best: Submit) -> None:
    source = """\
        def softmax(x, axis=-1, *, base=2):
            return "student", axis, base
        def extra(x): return softmax(x, 0, base=3)
        def odd(x): return softmax(object())
        """
    session = substituted(submit_best(attention=source), "attention")
    assert value(session.call("attention", "extra", (1,))) == ("student", 0, 3)
    assert value(session.call("attention", "odd", (1,))) == ("student", -1, 2)


def test_arguments_that_do_not_fit_are_a_type_error_where_there_is_no_own(submit_best: Submit) -> None:
    session = substituted(
        submit_best(transformer="from attention import softmax\ndef f(x): softmax()\ndef g(x): softmax({1})\n")
    )
    for name in ("f", "g"):
        outcome = session.call("transformer", name, (1,))
        assert isinstance(outcome, Raised)
        assert outcome.type == "TypeError"


def test_values_of_the_reference_are_fresh_and_its_exceptions_come_through(submit_best: Submit) -> None:
    source = """\
        import numpy as np
        from attention import softmax
        def f(x):
            y = softmax(np.float64(2))
            y += 1
            z = softmax(x)
            z += 1
            return y, type(softmax(np.float64(1))).__name__
        def g(x):
            try:
                softmax("x")
            except ValueError as error:
                return str(error), type(error).__name__
        """

    def doubled(function: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        if isinstance(args[0], str):
            raise np.exceptions.AxisError("bad axis")
        return args[0] * 2

    session = submit_best(transformer=source)
    substituted(session)
    session.answer = doubled
    result = value(session.call("transformer", "f", (np.ones(3),)))
    assert isinstance(result, tuple)
    assert result[0].value == 5.0
    assert result[1] == "float64"
    assert value(session.call("transformer", "g", (np.ones(3),))) == ("bad axis", "ValueError")


def test_module_level_calls_are_answered(submit_best: Submit) -> None:
    session = substituted(submit_best(transformer="from attention import softmax\nx = softmax(1)\ndef f(): return x\n"))
    assert value(session.call("transformer", "f", ())) == ("reference", 1, -1)


def test_threads_may_ask(submit_best: Submit) -> None:
    source = """\
        from concurrent.futures import ThreadPoolExecutor
        from attention import softmax
        def f():
            with ThreadPoolExecutor(4) as pool:
                return [x[1] for x in pool.map(softmax, range(40))]
        """
    session = substituted(submit_best(transformer=source))
    assert value(session.call("transformer", "f", ())) == list(range(40))


def test_too_many_questions_end_the_call(submit_best: Submit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.session.MAX_QUESTIONS", 20)
    source = "from attention import softmax\ndef f(n):\n    for i in range(n): softmax(i)\n"
    session = substituted(submit_best(transformer=source))
    assert value(session.call("transformer", "f", (20,))) is None
    outcome = session.call("transformer", "f", (21,))
    assert isinstance(outcome, Died)
    assert outcome.reason == "protocol"


def test_a_call_after_its_call_has_ended_is_not_answered(submit_best: Submit) -> None:
    source = """\
        import threading
        from attention import softmax
        seen = []
        def ask():
            go.wait()
            try:
                softmax(1)
            except RuntimeError as error:
                seen.append(str(error))
        go = threading.Event()
        thread = threading.Thread(target=ask)
        def f():
            thread.start()
            threading.Timer(0.05, go.set).start()
        def g():
            thread.join()
            return len(seen)
        """
    session = substituted(submit_best(transformer=source))
    assert value(session.call("transformer", "f", ())) is None
    time.sleep(0.3)
    assert value(session.call("transformer", "g", ())) == 1
