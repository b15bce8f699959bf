"""Calls, limits, deaths and what comes after them."""

import inspect
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from grader.sandbox import Died, Limits, Opaque, Raised, Request, Returned, Rung, SandboxFault, Worker

from .conftest import Run, Submit, value


def died(outcome: object) -> tuple[str, str]:
    assert isinstance(outcome, Died), outcome
    return outcome.reason, outcome.detail


def test_a_call_returns_its_value(submit: Submit) -> None:
    session = submit(attention="def f(x, *, mask=None):\n    return x * 2, mask\n")
    doubled, mask = session.call("attention", "f", (np.arange(3.0),), {"mask": np.array([[True]])}).value  # type: ignore[union-attr]
    assert doubled.tolist() == [0, 2, 4]
    assert mask.tolist() == [[True]]


def test_a_missing_name_is_an_attribute_error(submit: Submit) -> None:
    outcome = submit(attention="").call("attention", "f", ())
    assert isinstance(outcome, Raised)
    assert outcome.type == "AttributeError"


def test_a_constant_is_read_as_data(submit: Submit) -> None:
    session = submit(self_check="ANSWER = [1, (2.5, 'a')]\nOTHER = object()\n")
    assert session.load("self_check").names == {"ANSWER", "OTHER"}
    assert value(session.read("self_check", "ANSWER")) == [1, (2.5, "a")]
    assert value(session.read("self_check", "OTHER")) == Opaque("object")
    missing = session.read("self_check", "NOTHING")
    assert isinstance(missing, Raised)
    assert missing.type == "AttributeError"


def test_a_constant_of_a_file_that_does_not_load(submit_best: Submit) -> None:
    outcome = submit_best(self_check="ANSWER = 1 / 0\n").read("self_check", "ANSWER")
    assert isinstance(outcome, Raised)
    assert outcome.type == "ZeroDivisionError"


def test_one_request_goes_to_many_sessions(submit_best: Submit) -> None:
    request = Request.of("attention", "f", [((np.arange(2.0),), {}), ((), {"x": 3})], together=False)
    for factor in (2, 5):
        doubled, scaled = submit_best(attention=f"def f(x):\n    return {factor} * x\n").ask(request)
        assert value(doubled).tolist() == [0, factor]  # type: ignore[attr-defined]
        assert value(scaled) == 3 * factor
    unloadable = submit_best(attention="1 / 0").ask(request)
    assert [type(outcome) for outcome in unloadable] == [Raised, Raised]


def test_a_request_that_cannot_be_sent_is_a_fault() -> None:
    with pytest.raises(SandboxFault, match="cannot be sent"):
        Request.of("attention", "f", [((object(),), {})], together=False)


def test_changed_arguments_are_named_also_after_an_exception(submit: Submit) -> None:
    session = submit(attention="def f(x, d, fail):\n    x[0] = d['w'][0] = 9\n    if fail: raise ValueError\n")
    for fail in (False, True):
        outcome = session.call("attention", "f", (np.ones(2), {"w": np.ones(2)}), {"fail": fail})
        assert not isinstance(outcome, Died)
        assert outcome.changed == ("argument 1", "argument 2['w']")


def test_arguments_are_fresh_writable_and_contiguous(run: Run) -> None:
    source = "def f(x):\n    return x.flags.writeable, x.flags.c_contiguous, x.base is None, x.dtype.isnative\n"
    assert value(run(source, np.ones((3, 4), dtype=">f8").T)) == (True, True, True, True)


def test_a_shared_buffer_is_seen(submit: Submit) -> None:
    session = submit(attention="import numpy as np\nb = np.zeros(1)\ndef f(x):\n    b[0] = x\n    return b\n")
    results = session.call_many("attention", "f", [((1.0,), {}), ((2.0,), {})])
    assert [value(result).tolist() for result in results] == [[2.0], [2.0]]  # type: ignore[attr-defined]
    assert value(session.call("attention", "f", (3.0,))).tolist() == [3.0]  # type: ignore[attr-defined]


def test_each_of_many_calls_has_an_outcome(submit: Submit) -> None:
    session = submit(attention="def f(x):\n    return 1 // x\n")
    results = session.call_many("attention", "f", [((1,), {}), ((0,), {}), ((), {"x": 1})])
    assert [type(result) for result in results] == [Returned, Raised, Returned]


def test_each_of_many_calls_has_the_time_of_one(submit_best: Submit) -> None:
    session = submit_best(attention="import time\ndef f(x):\n    time.sleep(x)\n    return x\n")
    results = session.call_many("attention", "f", [((0.35,), {})] * 3)
    assert [value(result) for result in results] == [0.35] * 3


def test_prints_go_nowhere_and_input_is_at_its_end(run: Run) -> None:
    outcome = run("""\
        import os, sys
        def f():
            print("x", end="", flush=True)
            print("\\ud800x", file=sys.stderr)
            os.write(1, b"x"); os.write(2, b"x")
            try:
                input()
            except EOFError:
                return "end"
        """)
    assert value(outcome) == "end"


def test_a_flood_of_output_does_no_harm(run: Run) -> None:
    assert (
        value(run("import os\ndef f():\n    for _ in range(50): os.write(1, bytes(1 << 20)); print('x' * 1000)\n"))
        is None
    )


def test_the_surroundings_are_clean(run: Run) -> None:
    outcome = run("""\
        import os, sys, tempfile
        def f():
            home = os.environ["HOME"]
            empty = os.listdir(home)
            with tempfile.NamedTemporaryFile("w+") as file:
                file.write("x")
            with open(os.path.join(home, "y"), "w") as file:
                file.write("y")
            os.chdir("/")
            return {
                "environment": sorted(os.environ), "empty": empty, "argv": sys.argv,
                "temp": tempfile.gettempdir() == home,
                "bytecode": sys.dont_write_bytecode, "here": os.path.dirname(__file__) == sys.path[-1],
            }
        def g():
            import os
            return sorted(os.listdir("."))
        """)
    found = value(outcome)
    assert isinstance(found, dict)
    assert (found["empty"], found["argv"], found["temp"]) == ([], [""], True)
    assert found["bytecode"]
    assert found["here"]
    assert "PATH" not in found["environment"]
    assert {"HOME", "TMPDIR", "LANG", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PYTHONHASHSEED"} <= set(
        found["environment"]
    )


def test_a_submission_finds_its_own_files(worker: Worker) -> None:
    files = {"attention.py": b"def f():\n    return open('data/x.txt').read()\n", "data/x.txt": b"here"}
    with worker.open(files, {"attention": "attention.py"}) as session:
        for _ in range(2):
            assert value(session.call("attention", "f", ())) == "here"


def test_what_one_call_sets_for_the_process_does_not_break_the_next(submit: Submit) -> None:
    session = submit(
        attention="""\
        import json, os, struct, warnings, builtins, random
        import numpy as np
        def breaks():
            np.seterr(all="raise")
            np.random.seed(1)
            warnings.simplefilter("error")
            os.chdir("/")
            def bad(*args, **kwargs): raise SystemExit
            json.dumps = json.loads = struct.pack = struct.unpack = os.write = os.read = bad
            builtins.len = builtins.open = builtins.isinstance = builtins.compile = builtins.repr = bad
        def f():
            return float(np.log(np.zeros(1))[0]), os.path.basename(os.getcwd()), warnings.warn("x")
        """
    )
    assert value(session.call("attention", "breaks", ())) is None
    assert value(session.call("attention", "f", ())) == (-np.inf, "submission", None)


def test_the_random_state_is_the_same_each_time(submit: Submit) -> None:
    source = "import random\nimport numpy as np\ndef f():\n    return float(np.random.rand()), random.random()\n"
    assert submit(attention=source).call("attention", "f", ()) == submit(attention=source).call("attention", "f", ())


DEATHS = {
    "import os; os._exit(0)": ("exit", "exit code 0"),
    "import os; os._exit(3)": ("exit", "exit code 3"),
    "import sys; sys.exit(1)": ("exit", "asked Python to end (exit, quit or sys.exit): remove that"),
    "exit()": ("exit", "asked Python to end"),
    "import ctypes; ctypes.string_at(0)": ("signal", "SIGSEGV"),
    "import numpy as np; return np.zeros((1 << 20, 1 << 20)) + 1": ("memory", "256 MB"),
    "raise MemoryError": ("memory", "256 MB"),
    "import numpy as np; return np.zeros(5 << 17)": ("memory", "4 MB"),
    "import numpy as np; return np.broadcast_to(np.zeros(1), (1 << 16, 1 << 16))": ("memory", "MB"),
}


def test_a_death_is_told_and_the_next_call_lives(submit: Submit) -> None:
    functions = [f"def f{number}():\n    {body}\n" for number, body in enumerate(DEATHS)]
    session = submit(attention="".join(functions), masking="def g():\n    return 1\n")
    assert value(session.call("masking", "g", ())) == 1
    for number, (body, (reason, words)) in enumerate(DEATHS.items()):
        told, detail = died(session.call("attention", f"f{number}", ()))
        assert (told, words in detail) == (reason, True), body
        assert value(session.call("masking", "g", ())) == 1, body


def test_growing_memory_ends(run: Run, rung: Rung) -> None:
    reason, detail = died(run("def f():\n    x = []\n    while True: x.append(bytearray(1 << 22))\n"))
    assert (reason, "256 MB" in detail) == ("memory", True)


def test_a_loop_that_stops_at_nothing_is_killed(run: Run) -> None:
    source = """\
        import signal
        def f():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
            while True:
                try:
                    while True: pass
                except BaseException: pass
        """
    assert died(run(source)) == ("time", "The call did not end within 2 seconds.")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import os; os._exit(0)", "exit"),
        ("while True: pass", "time"),
    ],
)
def test_a_load_that_died_is_remembered(submit_best: Submit, source: str, reason: str) -> None:
    session = submit_best(
        attention=source,
        masking="def f():\n    return 1\n",
        counters="import attention\n",
    )
    error = session.load("attention").error
    assert died(error)[0] == reason
    begun = session._used
    assert session.load("attention").error is error
    assert session.call("attention", "f", ()) is error
    assert session._used == begun
    assert value(session.call("masking", "f", ())) == 1
    again = session.load("counters").error  # fails at once: the file is not run a second time
    assert isinstance(again, Raised)
    assert again.type == "ImportError"
    assert error is not None
    assert "attention does not load" in again.message


def test_the_time_of_the_submission_counts_over_deaths(rung: Rung) -> None:
    limits = Limits(seconds_per_call=0.5, seconds_per_submission=0.8, memory_mb=256, output_mb=4)
    source = b"def f():\n    while True: pass\ndef g():\n    return 1\n"
    with Worker(rung, limits) as own, own.open({"attention.py": source}, {"attention": "attention.py"}) as session:
        assert "within 0.5 seconds." in died(session.call("attention", "f", ()))[1]
        assert "0.8 seconds" in died(session.call("attention", "f", ()))[1]
        assert "0.8 seconds" in died(session.call("attention", "g", ()))[1]
        assert "0.8 seconds" in died(session.load("masking").error)[1]


def test_the_graders_own_time_is_not_the_calls(submit_best: Submit) -> None:
    def slow(function: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        time.sleep(0.6)
        return 1

    session = submit_best(attention="from masking import h\ndef f():\n    return h() + h()\n")
    session.answer = slow
    session.substitute("h", "masking", inspect.Signature())
    assert value(session.call("attention", "f", ())) == 2


def test_an_argument_that_cannot_cross_is_our_fault(submit: Submit) -> None:
    session = submit(attention="def f(x): pass\n")
    with pytest.raises(SandboxFault):
        session.call("attention", "f", (object(),))
    assert value(session.call("attention", "f", (1,))) is None


def test_a_fault_of_the_reference_is_our_fault(submit: Submit) -> None:
    session = submit(attention="from masking import h\ndef f():\n    return h()\n")
    session.substitute("h", "masking", inspect.Signature())
    with pytest.raises(SandboxFault):
        session.call("attention", "f", ())
    session.answer = lambda function, args, kwargs: object()
    with pytest.raises(SandboxFault):
        session.call("attention", "f", ())
