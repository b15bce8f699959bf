"""A worker on each rung that works here, and a quick way to put a submission into it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from textwrap import dedent

import pytest

from grader.sandbox import Limits, Outcome, Returned, Rung, Session, Worker, best_rung, why_not

LIMITS = Limits(seconds_per_call=1, seconds_per_submission=20, memory_mb=256, output_mb=4)
CONFINED = (Rung.BUBBLEWRAP, Rung.LANDLOCK)

Submit = Callable[..., Session]
Run = Callable[..., Outcome]


@pytest.fixture(scope="session", params=list(Rung), ids=lambda rung: rung.value)
def rung(request: pytest.FixtureRequest) -> Rung:
    """Every rung that works here."""
    wanted: Rung = request.param
    if reason := why_not(wanted):
        pytest.skip(f"{wanted.value} does not work here: {reason}")
    return wanted


@pytest.fixture(scope="session")
def worker(rung: Rung) -> Iterator[Worker]:
    """One worker for all tests of a rung."""
    with Worker(rung, LIMITS) as started:
        yield started


@pytest.fixture
def confined(worker: Worker) -> Worker:
    """The worker, where its rung is a sandbox."""
    if worker.rung not in CONFINED:
        pytest.skip(f"{worker.rung.value} is not a sandbox and promises nothing here")
    return worker


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
