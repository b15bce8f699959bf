"""A worker serves many submissions, side by side or in turn, and gets over the loss of its warm parent."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from grader.sandbox import Limits, Rung, SandboxFault, Worker, launch

from .conftest import LIMITS, value

SOURCE = {"attention.py": b"x = []\ndef f():\n    x.append(1)\n    return len(x)\n"}
MODULES = {"attention": "attention.py"}


def test_sessions_live_side_by_side_and_share_nothing(worker: Worker) -> None:
    with worker.open(SOURCE, MODULES) as first, worker.open(SOURCE, MODULES) as second:
        assert [value(first.call("attention", "f", ())) for _ in range(3)] == [1, 2, 3]
        assert value(second.call("attention", "f", ())) == 1
        with worker.open(SOURCE, MODULES) as third:
            assert value(third.call("attention", "f", ())) == 1
        assert value(first.call("attention", "f", ())) == 4


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x", "", "a\0b", "a\\b"])
def test_a_path_out_of_the_submission_is_refused(best_worker: Worker, path: str) -> None:
    with pytest.raises(ValueError, match="no path inside"):
        best_worker.open({path: b""}, {})


def test_a_name_that_the_system_cannot_have_costs_nothing(worker: Worker) -> None:
    files = {**SOURCE, "x" * 300 + ".py": b"", "attention.py/inner.py": b"", "é ü.py": b"", "long/" * 50 + "x": b""}
    with worker.open(files, MODULES) as session:
        assert value(session.call("attention", "f", ())) == 1
    with worker.open({"y" * 300: SOURCE["attention.py"]}, {"attention": "y" * 300}) as session:
        assert value(session.call("attention", "f", ())) == 1


def test_a_lesson_must_be_one_of_the_files(best_worker: Worker) -> None:
    with pytest.raises(ValueError, match="not among the files"):
        best_worker.open({}, MODULES)


def test_a_lost_parent_is_replaced(confined: Worker) -> None:
    with Worker(confined.rung, LIMITS) as own:
        with own.open(SOURCE, MODULES) as session:
            assert value(session.call("attention", "f", ())) == 1
            assert isinstance(own._launcher, launch.WarmLauncher)
            assert own._launcher._process is not None
            os.killpg(own._launcher._process.pid, signal.SIGKILL)
            own._launcher._process.wait()
            with pytest.raises(SandboxFault):  # its child goes with it, by no fault of the student, if not at once
                session.call_many("attention", "f", [((), {})] * 9_000)
        with own.open(SOURCE, MODULES) as session:
            assert value(session.call("attention", "f", ())) == 1


def test_a_closed_worker_opens_nothing() -> None:
    with pytest.raises(SandboxFault):
        Worker(Rung.PLAIN, LIMITS).open(SOURCE, MODULES)


@pytest.mark.parametrize("confined", [Rung.BUBBLEWRAP], indirect=True)  # only the jail's folder has a size
def test_a_submission_that_the_box_cannot_hold_is_our_fault(confined: Worker) -> None:
    with Worker(confined.rung, Limits(1, 20, 16, 4)) as own, pytest.raises(SandboxFault):
        own.open({"big": bytes(17 << 20)}, {})


def test_nothing_is_left_behind(rung: Rung, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    threads = threading.active_count()
    with Worker(rung, LIMITS) as own, own.open(SOURCE, MODULES) as session:
        assert value(session.call("attention", "f", ())) == 1
    assert list(tmp_path.iterdir()) == []
    assert threading.active_count() == threads


@pytest.mark.parametrize("confined", [Rung.LANDLOCK], indirect=True)  # a jail's folders go with the jail
def test_what_is_being_cleared_away_is_not_left_half_done(
    confined: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    launcher = launch.WarmLauncher(confined.rung, LIMITS)
    [home] = tmp_path.glob("submission-*/0/home")
    for number in range(2_000):  # to take a while
        (home / str(number)).touch()
    assert launcher._process is not None
    launcher._control.close()  # as when the grader ends, whose end is told by a signal too
    while launcher._process.poll() is None:
        launcher._process.send_signal(signal.SIGTERM)
        threading.Event().wait(0.002)
    left = list(tmp_path.iterdir())
    launcher.close()
    assert left == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_killing_the_grader_ends_all(confined: Worker, tmp_path: Path) -> None:
    program = textwrap.dedent("""\
        import sys
        from grader.sandbox import Limits, Rung, Worker
        source = b"def f():\\n    while True: pass\\n"
        with Worker(Rung(sys.argv[1]), Limits(60, 60, 256, 4)) as worker:
            session = worker.open({"attention.py": source}, {"attention": "attention.py"})
            session.load("attention")
            print("ready", flush=True)
            session.call("attention", "f", ())
        """)
    command = [sys.executable, "-c", program, confined.rung.value]
    grader = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)})
    with grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == b"ready\n"
        descendants = children_of(grader.pid)
        assert descendants
        grader.kill()
    for _ in range(100):
        if not any(Path(f"/proc/{pid}").exists() for pid in descendants):
            break
        threading.Event().wait(0.05)
    else:
        pytest.fail(f"still alive: {descendants}")


def children_of(pid: int) -> list[int]:
    """All processes that come of this one."""
    parents: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(status.parent.name))
    found, open_ones = [], [pid]
    while open_ones:
        inner = parents.get(open_ones.pop(), [])
        found += inner
        open_ones += inner
    return found
