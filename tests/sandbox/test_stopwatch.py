"""Neither a busy nor a stopped machine makes right work late, and nothing goes on for ever."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

import pytest

from grader.sandbox import Died, Limits, Worker, stopwatch
from grader.sandbox.inside.processor import processor_seconds
from grader.sandbox.session import KILLS_FORGIVEN
from grader.sandbox.stopwatch import CLOCK_FACTOR, Stopwatch

from .conftest import value
from .test_worker import children_of


class Machine:
    """A clock that only attempts move on, and a process that gets a share of the time."""

    def __init__(self, share: float | None) -> None:
        self.now, self.share = 0.0, share

    def processor(self) -> float | None:
        return None if self.share is None else self.now * self.share

    def attempt(self, deadline: float, needs: float = float("inf")) -> str:
        """An answer that is there once the process has had what it needs of the processor."""
        self.now = deadline
        if self.now * (self.share or 1) < needs:
            raise TimeoutError
        return "answer"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[float | None], Machine]:
    def made(share: float | None) -> Machine:
        machine = Machine(share)
        monkeypatch.setattr(stopwatch.time, "monotonic", lambda: machine.now)
        return machine

    return made


@pytest.mark.parametrize(("share", "clock"), [(1.0, 1.1), (0.5, 2.1), (0.0, CLOCK_FACTOR), (None, 1.0)])
def test_what_counts_is_the_processor_and_in_the_end_the_clock(
    machine: Callable[[float | None], Machine], share: float | None, clock: float
) -> None:
    made = machine(share)
    watch = Stopwatch(10, 10 * CLOCK_FACTOR, made.processor)
    with pytest.raises(TimeoutError):
        watch.wait(made.attempt)
    assert made.now == pytest.approx(10 * clock, abs=0.6)
    assert watch.clock == pytest.approx(made.now)


@pytest.mark.parametrize("share", [1.0, 0.5, 0.3])
def test_work_that_needs_less_than_the_limit_is_waited_for(
    machine: Callable[[float | None], Machine], share: float
) -> None:
    made = machine(share)
    watch = Stopwatch(10, 10 * CLOCK_FACTOR, made.processor)
    assert watch.wait(lambda deadline: made.attempt(deadline, 9.5)) == "answer"


def test_while_the_machine_stands_still_no_time_passes(machine: Callable[[float | None], Machine]) -> None:
    made = machine(None)
    attempts = []

    def attempt(deadline: float) -> str:
        attempts.append(deadline)
        made.now = deadline + (3600 if len(attempts) == 2 else 0)  # a lid that was closed
        if len(attempts) < 10:
            raise TimeoutError
        return "answer"

    watch = Stopwatch(10, 40, made.processor)
    assert watch.wait(attempt) == "answer"
    assert watch.clock < 4


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the processor time of another process")
def test_the_processor_time_of_another_process_is_known() -> None:
    used = processor_seconds(os.getpid())
    assert used is not None
    assert used == pytest.approx(time.process_time(), abs=1)
    assert processor_seconds(2**22 + 1) is None


SOURCE = {"attention.py": b"def f():\n    return sum(range(100_000))\n"}
MODULES = {"attention": "attention.py"}


def test_a_process_that_the_machine_keeps_waiting_is_not_late(confined: Worker) -> None:
    with Worker(confined.rung, Limits(1, 60, 256, 4)) as own:
        before = children_of(os.getpid())
        with own.open(SOURCE, MODULES) as session:
            session.load("attention")
            [child] = set(children_of(os.getpid())) - set(before)
            os.kill(child, signal.SIGSTOP)
            threading.Timer(2, os.kill, (child, signal.SIGCONT)).start()
            assert value(session.call("attention", "f", ())) == 4999950000


def test_a_process_that_somebody_killed_is_replaced_and_no_fault_of_the_work(confined: Worker) -> None:
    with Worker(confined.rung, Limits(10, 60, 256, 4)) as own:
        before = children_of(os.getpid())
        with own.open(SOURCE, MODULES) as session:
            for _ in range(KILLS_FORGIVEN):
                session.load("attention")
                [child] = set(children_of(os.getpid())) - set(before)
                os.kill(child, signal.SIGKILL)
                assert value(session.call("attention", "f", ())) == 4999950000
            [child] = set(children_of(os.getpid())) - set(before)
            os.kill(child, signal.SIGKILL)
            assert isinstance(session.call("attention", "f", ()), Died), "who kills himself does not go on for ever"


def test_a_call_that_waits_ends_by_the_clock(confined: Worker) -> None:
    source = {"attention.py": b"import time\ndef f():\n    time.sleep(3600)\n"}
    with Worker(confined.rung, Limits(0.3, 60, 256, 4)) as own, own.open(source, MODULES) as session:
        assert session.call("attention", "f", ()) == Died("time", "The call did not end within 0.3 seconds.")
