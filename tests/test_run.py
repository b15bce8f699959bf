"""A run holds: killed at any moment it goes on, and whatever fails, what was graded stays and nobody pays for it."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from subprocess import DEVNULL
from unittest import mock

import pytest

from grader import classroom, grading
from grader.course import read_course
from grader.feedback import report_text
from grader.report import Report, Verdict, from_json
from grader.results import Results
from grader.sandbox import Rung, best_rung
from grader.sandbox.launch import WarmLauncher
from grader.submissions import Source, Submission, source_at
from tests.conftest import CONFINED, ROOT, Run, edit, require, rows
from tests.sandbox.test_worker import children_of

KILLS, WHEN = 5, (0.2, 3)
"""How often a run is killed, and after how many seconds: before it has read anything, until it would be done."""
HOUR = 3600
Contents = dict[str, bytes]
"""The files of a folder of results by their names."""
STUDENTS = ("ada", "ben", "cleo", "dan")
linux = pytest.mark.skipif(sys.platform != "linux", reason="kills processes and looks for them as Linux has them")


@pytest.fixture(scope="module")
def cohort(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four students: one right, one wrong, one whose file does not load, one who handed in nothing."""
    folder = tmp_path_factory.mktemp("class")
    for student in STUDENTS:
        (folder / student).mkdir()
        for lesson in ("attention", "masking"):
            source = (ROOT / "solutions" / f"{lesson}.py").read_text(encoding="utf-8")
            (folder / student / f"{lesson}.py").write_text(source, encoding="utf-8")
    with (folder / "ben" / "masking.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef causal_mask(n):\n    return np.triu(np.ones((n, n), dtype=bool), 1)\n")
    (folder / "cleo" / "attention.py").write_text("def softmax(x: return", encoding="utf-8")
    for lesson in ("attention", "masking"):
        (folder / "dan" / f"{lesson}.py").unlink()
    return folder


def sources(cohort: Path) -> list[Source]:
    return [source_at(folder) for folder in sorted(cohort.iterdir())]


def contents(out: Path) -> Contents:
    """Every file of a folder of results, hidden ones too."""
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.fixture(scope="module")
def undisturbed_on(cohort: Path, short: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Rung], Contents]:
    """Gives what a run on a rung that nothing happens to leaves behind."""

    @cache
    def undisturbed(rung: Rung) -> Contents:
        out = tmp_path_factory.mktemp("undisturbed")
        assert len(list(classroom.grade_class(sources(cohort), read_course(short), out, 2, rung))) == len(STUDENTS)
        found = contents(out)
        assert set(found) == {"functions.csv", "grades.csv", *(f"{student}.json" for student in STUDENTS)}
        return found

    return undisturbed


@pytest.fixture
def undisturbed(undisturbed_on: Callable[[Rung], Contents]) -> Contents:
    """What such a run leaves behind on the best rung."""
    return undisturbed_on(best_rung())


@pytest.fixture(params=CONFINED, ids=lambda rung: rung.value)
def rung(request: pytest.FixtureRequest) -> Rung:
    """Each rung that is a sandbox."""
    rung: Rung = request.param
    require(rung)
    return rung


KILLED = """\
import os, signal, sys
from pathlib import Path
from grader import cli

moments = int(sys.argv.pop(1))
fsync, replace = os.fsync, Path.replace

def moment():
    global moments
    moments -= 1
    if moments == 0:
        os.kill(os.getpid(), signal.SIGKILL)

def disturbed_fsync(file):
    moment()
    fsync(file)

def disturbed_replace(self, target):
    moment()
    return replace(self, target)

os.fsync, Path.replace = disturbed_fsync, disturbed_replace
cli.main()
"""


@linux
def test_a_run_killed_again_and_again_ends_with_the_same_results(
    cohort: Path, short: Path, tmp_path: Path, undisturbed: Contents
) -> None:
    """Killed within a file, before it is in its place, and within the next: started again, it goes on where it was."""
    out = tmp_path / "out"
    moments = (1, 2, 3, 1, 2, 4, 5)  # both tables are written at four
    kills = 0
    while True:
        command = [
            sys.executable,
            "-c",
            KILLED,
            str(moments[kills % len(moments)]),
            "grade",
            str(cohort),
            "--out",
            str(out),
        ]
        run = subprocess.run(
            [*command, "--course", str(short), "--jobs", "2"], capture_output=True, encoding="utf-8", check=False
        )
        if run.returncode != -signal.SIGKILL:
            break
        kills += 1
        assert kills < 30
        for name, content in contents(out).items():
            assert name.startswith(".") or content == undisturbed[name], f"{name} is not whole after {kills} kills"
    assert run.returncode == 0, run.stderr
    assert kills >= 10
    assert contents(out) == undisturbed


@linux
def test_a_run_killed_at_any_moment_goes_on_and_ends_with_the_same_results(
    rung: Rung, cohort: Path, short: Path, tmp_path: Path, undisturbed_on: Callable[[Rung], Contents]
) -> None:
    """Killed at moments drawn from its whole time: no process of it lives on, and no file is half done."""
    out, moments = tmp_path / "out", random.Random(rung.value)
    arguments = [str(cohort), "--out", str(out), "--course", str(short), "--jobs", "2", "--sandbox", rung.value]
    command = [sys.executable, "-m", "grader", "grade", *arguments]
    for _ in range(KILLS):
        with subprocess.Popen(command, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True) as run:
            time.sleep(moments.uniform(*WHEN))
            run.kill()
        nothing_is_left_of(run.pid)
        found = contents(out) if out.exists() else {}
        assert {name: found[name] for name in found if not name.startswith(".")}.items() <= undisturbed_on(rung).items()
    assert subprocess.run(command, stdout=DEVNULL, stderr=DEVNULL, check=False).returncode == 0
    assert contents(out) == undisturbed_on(rung)


LISTENING = """\
import signal
from grader.__main__ import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background may be deaf to it
main()
"""


@linux
def test_ctrl_c_ends_a_run_at_once(
    rung: Rung, cohort: Path, short: Path, tmp_path: Path, undisturbed_on: Callable[[Rung], Contents]
) -> None:
    """Code 130 and one sentence, in the middle of a submission that would go on for an hour; the rest is kept."""
    class_, out = tmp_path / "class", tmp_path / "out"
    shutil.copytree(cohort, class_)
    endless = f"import time\n\n\ndef softmax(x, axis=-1):\n    time.sleep({HOUR})\n"
    (class_ / "ben" / "attention.py").write_text(endless, encoding="utf-8")
    course = tmp_path / "course.toml"
    course.write_text(short.read_text(encoding="utf-8"), encoding="utf-8")
    edit(course, "seconds_per_call = 5 ", f"seconds_per_call = {HOUR} ")
    edit(course, "seconds_per_submission = 120 ", f"seconds_per_submission = {HOUR} ")
    arguments = [str(class_), "--out", str(out), "--course", str(course), "--jobs", "2", "--sandbox", rung.value]
    command = [sys.executable, "-c", LISTENING, "grade", *arguments]
    with subprocess.Popen(command, stdout=DEVNULL, stderr=subprocess.PIPE, start_new_session=True) as run:
        while len(list(out.glob("*.json"))) < len(STUDENTS) - 1:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        try:
            _, errors = run.communicate(timeout=HOUR / 60)
        finally:
            run.kill()
    assert run.returncode == 130
    assert b"Stopped. 3 of 4 submissions are graded and kept in " in errors
    assert b"Traceback" not in errors
    nothing_is_left_of(run.pid)
    assert sorted(contents(out)) == ["ada.json", "cleo.json", "dan.json"]


def nothing_is_left_of(session: int) -> None:
    """Wait until every process that began in a session has ended; the system has a moment for it."""
    for _ in range(200):
        left = [pid for pid in (int(place.name) for place in Path("/proc").glob("[0-9]*")) if is_of(session, pid)]
        if not left:
            return
        time.sleep(0.05)
    raise AssertionError(f"{len(left)} processes outlive the run")


def is_of(session: int, pid: int) -> bool:
    """Whether a process runs that began in a session."""
    try:
        state, _, _, of = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[:4]
    except OSError:
        return False
    return state != "Z" and int(of) == session


def grade_once_disturbed(submission: Submission, disturb: Callable[[], None]) -> Report:
    """Grade in a pool's process; the first time that the student comes up, something happens."""
    flag = Path(os.environ["DISTURBED"]) / submission.student
    if submission.student == "ben" and not flag.exists():
        flag.touch()
        disturb()
    return REAL(submission)


REAL = classroom._grade


def dies_once(submission: Submission) -> Report:
    return grade_once_disturbed(submission, lambda: os.kill(os.getpid(), signal.SIGKILL))


def loses_its_jail_once(submission: Submission) -> Report:
    return grade_once_disturbed(submission, lambda: _kill_soon(0))


def loses_its_warm_parent_once(submission: Submission) -> Report:
    return grade_once_disturbed(submission, lambda: _kill_soon(-1))


def _kill_soon(which: int) -> None:
    """Kill the process that the worker started, or the innermost of those that came of it, while it grades."""
    assert classroom._grader is not None
    launcher = classroom._grader.worker._launcher
    assert isinstance(launcher, WarmLauncher)
    assert launcher._process is not None
    process = [launcher._process.pid, *children_of(launcher._process.pid)][which]
    threading.Timer(0.05, os.kill, (process, signal.SIGKILL)).start()


@linux
@pytest.mark.parametrize("disturbed", [dies_once, loses_its_jail_once, loses_its_warm_parent_once])
def test_a_process_that_is_killed_costs_nobody_anything(
    cohort: Path,
    short: Path,
    tmp_path: Path,
    undisturbed_on: Callable[[Rung], Contents],
    monkeypatch: pytest.MonkeyPatch,
    disturbed: Callable[[Submission], Report],
    rung: Rung,
) -> None:
    """A worker, its jail or the parent of its children is killed: the submission at hand is graded anew."""
    flags, out = tmp_path / "flags", tmp_path / "out"
    flags.mkdir()
    monkeypatch.setenv("DISTURBED", str(flags))
    monkeypatch.setattr(classroom, "_grade", disturbed)
    before = children_of(os.getpid())
    reports = list(classroom.grade_class(sources(cohort), read_course(short), out, 2, rung))
    assert [path.name for path in flags.iterdir()] == ["ben"]
    assert sorted(report.student for report in reports) == list(STUDENTS)
    assert contents(out) == undisturbed_on(rung)
    assert set(children_of(os.getpid())) <= {*before, *_trackers()}, "a process is left"


def _trackers() -> list[int]:
    """The process by which multiprocessing keeps track of what it shares; it stays on purpose."""
    return [pid for pid in children_of(os.getpid()) if b"resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_two_runs_into_one_folder_are_refused(cohort: Path, short: Path, tmp_path: Path, grader: Run) -> None:
    """The second ends with code 2 and a sentence that says so; the first goes on."""
    out = tmp_path / "out"
    arguments = ("grade", cohort, "--out", out, "--course", short)
    with Results(out):
        run = grader(*arguments)
        assert run.returncode == 2
        assert "Another run is writing to" in run.stderr
        assert "Traceback" not in run.stderr
    assert grader(*arguments).returncode == 0


DAMAGES: dict[str, Callable[[str], str]] = {
    "empty": lambda text: "",
    "half": lambda text: text[: len(text) // 2],
    "another schema": lambda text: text.replace('"schema": 1', '"schema": 2'),
    "another version": lambda text: text.replace('"fingerprint": "', '"fingerprint": "0'),
    "no verdict": lambda text: text.replace('"verdict": "', '"verdict": "x'),
    "other points": lambda text: text.replace('"max_points": "', '"max_points": "1'),
    "no points": lambda text: text.replace('"max_points": "', '"max_points": "1/0", "was": "'),
    "a list": lambda text: "[1]",
    "deep": lambda text: "[" * 100_000,
    "null": lambda text: json.dumps(dict.fromkeys(json.loads(text))),
}


def test_a_damaged_report_is_graded_anew(
    cohort: Path, short: Path, tmp_path: Path, undisturbed: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that is cut, empty, of another version or no report at all costs one submission's time."""
    out = tmp_path / "out"
    out.mkdir()
    graded: list[str] = []

    def regraded(submissions: Iterator[Submission], *rest: object) -> Iterator[Report]:
        for submission in submissions:
            graded.append(submission.student)
            yield from_json(undisturbed[f"{submission.student}.json"].decode())

    monkeypatch.setattr(classroom, "_graded", regraded)
    for name, damage in DAMAGES.items():
        for file, content in undisturbed.items():
            (out / file).write_bytes(content)
        damaged = damage(undisturbed["ben.json"].decode())
        assert damaged != undisturbed["ben.json"].decode(), name
        (out / "ben.json").write_text(damaged, encoding="utf-8")
        graded.clear()
        list(classroom.grade_class(sources(cohort), read_course(short), out, 1))
        assert graded == ["ben"], name
        assert contents(out) == undisturbed, name


def boxed(*arguments: str | Path) -> list[str]:
    """The beginning of a command that runs with a changed file system. Where that cannot be, skip; but never in CI."""
    command = ["bwrap", "--dev-bind", "/", "/", *map(str, arguments), "--"]
    try:
        tried = subprocess.run([*command, "true"], capture_output=True, encoding="utf-8", check=False)
        missing = tried.stderr if tried.returncode else ""
    except FileNotFoundError:
        missing = "there is no bubblewrap"
    if missing:
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(f"a file system of a test's own needs bubblewrap: {missing}")
    return command


def run_boxed(box: list[str], *arguments: str | Path, then: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command ``grader`` in such a box, and a shell command after it."""
    script = f'"$@"; code=$?; {then}; exit $code' if then else '"$@"'
    command = [*box, "sh", "-c", script, "sh", sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env={**os.environ, "COLUMNS": "200", **env}
    )


@linux
def test_a_full_disk_is_one_sentence_and_what_was_written_is_whole(
    cohort: Path, short: Path, tmp_path: Path, undisturbed: Contents
) -> None:
    """Code 2, and what was graded before is kept to the byte."""
    out, kept = tmp_path / "out", tmp_path / "kept"
    out.mkdir()
    kept.mkdir()
    page = os.sysconf("SC_PAGE_SIZE")
    needed = sum(-(-len(content) // page) for name, content in undisturbed.items() if name.endswith(".json"))
    for pages in (needed - 1, needed):  # the last report does not find room; the tables do not
        run = run_boxed(
            boxed("--size", str(pages * page), "--tmpfs", out),
            *("grade", cohort, "--out", out, "--course", short, "--jobs", "1"),
            then=f"cp -a {out}/. {kept}",
        )
        assert run.returncode == 2, run.stderr
        assert "cannot be written: No space left on device. What was graded before is kept." in run.stderr
        assert "Traceback" not in run.stderr
        found = contents(kept)
        assert len(found) >= len(STUDENTS) - 1
        assert found == {name: undisturbed[name] for name in found}


@linux
def test_a_folder_that_cannot_be_written_is_one_sentence_and_stays_as_it_is(
    cohort: Path, short: Path, tmp_path: Path, undisturbed: Contents
) -> None:
    """Code 2; the earlier results in it are not touched."""
    for name in ("ada.json", "functions.csv"):
        (tmp_path / name).write_bytes(undisturbed[name])
    run = run_boxed(
        boxed("--ro-bind", tmp_path, tmp_path), "grade", cohort, "--out", tmp_path, "--course", short, "--jobs", "1"
    )
    assert run.returncode == 2, run.stderr
    assert f"{tmp_path} cannot be written: Read-only file system. Choose another folder with --out." in run.stderr
    assert "Traceback" not in run.stderr
    assert contents(tmp_path) == {name: undisturbed[name] for name in ("ada.json", "functions.csv")}


@linux
def test_no_room_for_the_sandbox_is_our_fault(cohort: Path, short: Path, tmp_path: Path) -> None:
    """Code 3: the submissions are ungraded, and the reason is told."""
    require(Rung.LANDLOCK)
    room, out = tmp_path / "room", tmp_path / "out"
    room.mkdir()
    run = run_boxed(
        boxed("--size", "8192", "--tmpfs", room),
        *("grade", cohort, "--out", out, "--course", short, "--jobs", "1", "--sandbox", "landlock"),
        TMPDIR=str(room),
    )
    assert run.returncode == 3, run.stderr
    verdicts = {row["student"]: row["verdict"] for row in rows(out / "functions.csv")}
    assert verdicts["ada"] == verdicts["ben"] == "ungraded"
    assert "No space left on device" in run.stderr


def has_a_broken_check(submission: Submission) -> Report:
    """Grade in a pool's process, with checks that fail on one student by a fault of their own."""
    if submission.student != "ben":
        return REAL(submission)
    with mock.patch.object(grading, "checks_of", side_effect=ZeroDivisionError("our own")):
        return REAL(submission)


FAULTY = """\
from grader import classroom, cli
from tests import test_run
classroom._grade = test_run.has_a_broken_check
cli.main()
"""


def test_a_fault_of_the_grader_is_told_and_costs_one_submission_nothing(
    cohort: Path, short: Path, tmp_path: Path, undisturbed: Contents, grader: Run
) -> None:
    """Code 3: that submission is ungraded, the others are graded, and another run grades it."""
    out = tmp_path / "out"
    arguments = ["grade", str(cohort), "--out", str(out), "--course", str(short), "--jobs", "2"]
    command = [sys.executable, "-c", FAULTY, *arguments]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT, check=False)
    assert run.returncode == 3, run.stderr
    assert "UNGRADED, our fault: ben, softmax" in run.stderr
    assert "ZeroDivisionError: our own" in run.stderr
    found = contents(out)
    assert {name for name in found if found[name] != undisturbed[name]} == {"ben.json", "functions.csv", "grades.csv"}
    report = from_json(found["ben.json"].decode())
    assert {function.verdict for function in report.functions} == {Verdict.UNGRADED}
    student = report_text(report, "counterexample")
    for word in ("Traceback", "ZeroDivision", str(ROOT)):
        assert word not in student
    assert str(ROOT) not in found["ben.json"].decode()
    again = grader(*arguments)
    assert again.returncode == 0, again.stderr
    assert contents(out) == undisturbed


def test_a_class_is_graded_from_within_its_folder(short: Path, tmp_path: Path) -> None:
    """Its students are called like modules of Python: nothing of theirs runs outside the sandbox."""
    ran = tmp_path / "ran"
    class_ = tmp_path / "class"
    names = ("multiprocessing", "socket", "struct", "types")
    for name in names:
        (class_ / name).mkdir(parents=True)
        (class_ / name / "__init__.py").write_text(f"open({str(ran)!r}, 'a').write({name!r})\n", encoding="utf-8")
        (class_ / name / "attention.py").write_bytes((ROOT / "solutions" / "attention.py").read_bytes())
    (class_ / "tempfile.py").write_text(f"open({str(ran)!r}, 'a').write('tempfile')\n", encoding="utf-8")
    command = Path(sys.executable).with_name("grader")
    run = subprocess.run(
        [command, "grade", ".", "--out", tmp_path / "out", "--course", short], cwd=class_,
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    points = {row["student"] for row in rows(tmp_path / "out" / "functions.csv") if row["verdict"] == "pass"}
    assert points >= set(names)
    assert not ran.exists()


LIMITS = {
    "call": ("while True: pass", "did not end within 1 second."),
    "submission": (
        "import time\n    end = time.process_time() + 0.7\n    while time.process_time() < end: pass\n    return x",
        "used up the 10 seconds",
    ),
    "memory": ("bytearray(300 << 20)\n    return x", "asked for more than 256 MB of memory"),
    "output": ("return np.zeros(200_000)", "gave a result of more than 1 MB"),
    "file": (
        "import tempfile\n    with tempfile.TemporaryFile() as file: file.write(bytes(2 << 20))",
        "no file may have more than 1 MB.",
    ),
}


def test_a_limit_that_is_hit_is_named_with_its_number(short: Path, tmp_path: Path, grader: Run) -> None:
    """Seconds for a call and for a submission, memory, output, the size of a file: as course.toml has them."""
    course = tmp_path / "course.toml"
    course.write_text(short.read_text(encoding="utf-8"), encoding="utf-8")
    edit(course, "seconds_per_call = 5 ", "seconds_per_call = 1 ")
    edit(course, "seconds_per_submission = 120 ", "seconds_per_submission = 10 ")
    edit(course, "memory_mb = 1024 ", "memory_mb = 256 ")
    edit(course, "output_mb = 16 ", "output_mb = 1 ")
    for name, (body, _) in LIMITS.items():
        (tmp_path / "class" / name).mkdir(parents=True)
        source = f"import numpy as np\n\n\ndef softmax(x, axis=-1):\n    {body}\n"
        (tmp_path / "class" / name / "attention.py").write_text(source, encoding="utf-8")
    out = tmp_path / "out"
    run = grader("grade", tmp_path / "class", "--out", out, "--course", course)
    assert run.returncode == 0, run.stderr
    verdicts = {row["student"]: row["verdict"] for row in rows(out / "functions.csv") if row["function"] == "softmax"}
    assert verdicts == dict.fromkeys(LIMITS, "error") | {"file": "fail"}
    for name, (_, words) in LIMITS.items():
        report = from_json((out / f"{name}.json").read_text(encoding="utf-8"))
        assert words in report_text(report, "property")
