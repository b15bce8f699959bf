"""The ladder: which rung of the sandbox works on this machine, found by trying."""

from functools import cache

from grader.sandbox.terms import Limits, Returned, Rung, SandboxFault
from grader.sandbox.worker import Worker

_TRIAL = {"trial.py": b"def answer():\n    return 42\n"}
_TRIAL_LIMITS = Limits(seconds_per_call=30, seconds_per_submission=60, memory_mb=256, output_mb=1)


@cache
def why_not(rung: Rung) -> str | None:
    """Why the rung does not work here; None when it does. A submission is really run on it."""
    try:
        with Worker(rung, _TRIAL_LIMITS) as worker, worker.open(_TRIAL, {"trial": "trial.py"}) as session:
            outcome = session.call("trial", "answer", ())
    except SandboxFault as fault:
        return str(fault)
    return None if outcome == Returned(42, ()) else f"A trial call gave {outcome}."


@cache
def best_rung() -> Rung:
    """The best rung that works here. Raises ``SandboxFault`` when not even a plain process does."""
    for rung in Rung:
        if why_not(rung) is None:
            return rung
    raise SandboxFault(f"No process can be started: {why_not(Rung.PLAIN)}")
