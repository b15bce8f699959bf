"""A worker on each rung that works here, and a quick way to put a submission into it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from textwrap import dedent

import pytest

from grader.sandbox import Limits, Outcome, Returned, Rung, Session, Worker, best_rung
from tests.conftest import CONFINED, require

LIMITS = Limits(seconds_per_call=2, seconds_per_submission=20, memory_mb=256, output_mb=4)

Submit = Callable[..., Session]
Run = Callable[..., Outcome]


def started(rung: Rung) -> Iterator[Worker]:
    """A worker on a rung. Where the rung does not work the tests are skipped with the reason, but never in CI."""
    require(rung)
    with Worker(rung, LIMITS) as worker:
        yield worker


@pytest.fixture(scope="session", params=list(Rung), ids=lambda rung: rung.value)
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    """One worker for all tests of a rung, on every rung that works here."""
    yield from started(request.param)


@pytest.fixture
def rung(worker: Worker) -> Rung:
    """The rung that the test runs on."""
    return worker.rung


@pytest.fixture(scope="session", params=CONFINED, ids=lambda rung: rung.value)
def confined(request: pytest.FixtureRequest) -> Iterator[Worker]:
    """One worker on every rung that is a sandbox; the plain one promises nothing."""
    yield from started(request.param)


@pytest.fixture
def submit(worker: Worker) -> Iterator[Submit]:
    """Open a session with a lesson's source by its name: ``submit(attention="def f(): ...")``."""
    with ExitStack() as sessions:
        yield opener(worker, sessions)


@pytest.fixture
def run(submit: Submit) -> Run:
    """The outcome of ``f(*args)`` in a submission whose ``attention.py`` is the source."""
    return lambda source, *args: submit(attention=source).call("attention", "f", args)


@pytest.fixture(scope="session")
def best_worker() -> Iterator[Worker]:
    """A worker on the best rung, for what is the same on all of them."""
    with Worker(best_rung(), LIMITS) as started:
        yield started


@pytest.fixture
def submit_best(best_worker: Worker) -> Iterator[Submit]:
    """As ``submit``, on the best rung."""
    with ExitStack() as sessions:
        yield opener(best_worker, sessions)


@pytest.fixture
def run_best(submit_best: Submit) -> Run:
    """As ``run``, on the best rung."""
    return lambda source, *args: submit_best(attention=source).call("attention", "f", args)


def opener(worker: Worker, sessions: ExitStack) -> Submit:
    """Opens sessions that end with the stack."""

    def opened(**sources: str) -> Session:
        files = {f"{name}.py": dedent(source).encode() for name, source in sources.items()}
        return sessions.enter_context(worker.open(files, {name: f"{name}.py" for name in sources}))

    return opened


def value(outcome: Outcome) -> object:
    """What the call returned; fails on any other outcome."""
    assert isinstance(outcome, Returned), outcome
    return outcome.value
