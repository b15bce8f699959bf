"""A class graded through the command, as a teacher does: tables, files, resuming, and faults of ours."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import classroom
from grader.course import read_course
from grader.report import Report, Verdict, from_json
from grader.submissions import Submission, source_at
from tests.conftest import ROOT, Run, edit, rows

SAMPLE = ROOT / "tests" / "sample_class"


@pytest.fixture(scope="module")
def sample_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sample")
    folders = sorted(folder for folder in SAMPLE.iterdir() if folder.is_dir())
    assert len(list(classroom.grade_class([source_at(folder) for folder in folders], read_course(), out, 2))) == len(
        folders
    )
    return out


def test_the_sample_class_gets_its_known_verdicts(sample_results: Path) -> None:
    expected = rows(ROOT / "tests" / "sample_class_expected.csv")
    got = rows(sample_results / "functions.csv")
    columns = ("student", "function", "verdict", "misconception")
    assert [tuple(row[column] for column in columns) for row in got] == [tuple(row.values()) for row in expected]


def test_every_student_has_a_report_and_a_row(sample_results: Path) -> None:
    students = sorted(folder.name for folder in SAMPLE.iterdir() if folder.is_dir())
    assert [row["student"] for row in rows(sample_results / "grades.csv")] == students
    for row in rows(sample_results / "grades.csv"):
        report = from_json((sample_results / f"{row['student']}.json").read_text(encoding="utf-8"))
        assert float(row["points"]) == float(report.points)
        assert report.environment["sandbox"] in ("bubblewrap", "landlock", "plain")
    assert {path.name for path in sample_results.iterdir()} == {
        *("functions.csv", "grades.csv"),
        *(f"{s}.json" for s in students),
    }


def test_the_tables_do_not_depend_on_jobs_or_order(sample_results: Path, tmp_path: Path) -> None:
    some = ("mei", "jonas")
    list(classroom.grade_class([source_at(SAMPLE / student) for student in some], read_course(), tmp_path, 1))
    for name in ("functions.csv", "grades.csv"):
        assert rows(tmp_path / name) == [row for row in rows(sample_results / name) if row["student"] in some]
    for student in some:
        assert (tmp_path / f"{student}.json").read_bytes() == (sample_results / f"{student}.json").read_bytes()


def test_a_run_goes_on_where_it_stopped(
    solved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: Path
) -> None:
    shutil.copytree(solved, solved.parent / "other")
    folders, out = [solved, solved.parent / "other"], tmp_path / "out"
    run = classroom.grade_class([source_at(folder) for folder in folders], read_course(short), out, 1)
    first = next(run)
    run.close()
    assert (out / f"{first.student}.json").exists()
    assert not (out / "functions.csv").exists()
    asked: list[str] = []
    graded = classroom._graded

    def noted(submissions: Iterator[Submission], *rest: object) -> Iterator[Report]:
        in_hand = list(submissions)
        asked.extend(submission.student for submission in in_hand)
        return graded(iter(in_hand), *rest)

    monkeypatch.setattr(classroom, "_graded", noted)
    assert len(list(classroom.grade_class([source_at(folder) for folder in folders], read_course(short), out, 1))) == 2
    assert asked == [student for student in ("solved", "other") if student != first.student]
    edit(solved / "masking.py", "import numpy as np", "import numpy as np  # changed")
    asked.clear()
    list(classroom.grade_class([source_at(folder) for folder in folders], read_course(short), out, 1))
    assert asked == ["solved"], "changed work is graded again, unchanged work is not"


def _dies(submission: object) -> None:
    import os  # noqa: PLC0415  runs in the pool's process

    os._exit(9)


def test_a_grading_process_that_dies_is_our_fault_and_the_rest_go_on(
    solved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: Path
) -> None:
    monkeypatch.setattr(classroom, "_grade", _dies)
    (report,) = classroom.grade_class([source_at(solved)], read_course(short), tmp_path / "out", 1)
    assert {f.verdict for f in report.functions} == {Verdict.UNGRADED}
    assert rows(tmp_path / "out" / "grades.csv")[0]["ungraded"] == "6"
    monkeypatch.undo()
    (report,) = classroom.grade_class([source_at(solved)], read_course(short), tmp_path / "out", 1)
    assert report.points == report.max_points, "what was ungraded is graded again"


def test_grade_prints_a_table_and_writes_results(grader: Run, solved: Path, tmp_path: Path, short: Path) -> None:
    broken = shutil.copytree(solved, solved.parent / "broken")
    (broken / "masking.py").write_text("def causal_mask(n: return", encoding="utf-8")
    run = grader("grade", solved.parent, "--out", tmp_path / "out", "--jobs", "1", "--course", short)
    assert run.returncode == 0, run.stderr
    assert "9 / 9" in run.stdout
    assert re.search(r"masking +│ whole lesson: error │ broken", run.stdout)
    assert "Sandbox:" in run.stderr
    assert "sample secret" in run.stderr


def test_an_output_that_cannot_be_written_is_one_sentence(
    grader: Run, solved: Path, tmp_path: Path, short: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    run = grader("grade", solved.parent, "--out", tmp_path / "file", "--course", short)
    assert run.returncode == 2
    assert "cannot be written" in run.stderr
    assert "Traceback" not in run.stderr


def test_strange_names_and_files_cost_nobody_anything(grader: Run, solved: Path, tmp_path: Path, short: Path) -> None:
    cohort = solved.parent
    for name in (b"stud\xe9nt", b"n" * 250, b"=1+1", b"[bold] a\x1b[2J", b"functions.csv", b"-x", b"two\nlines"):
        shutil.copytree(solved, Path(os.fsdecode(os.fsencode(cohort) + b"/" + name)))
    for name in (b"r\xe9sum\xe9.txt", b"lib\\\\a.py", b"esc\x1b[2J.txt"):
        Path(os.fsdecode(os.fsencode(solved) + b"/" + name)).write_text("x", encoding="utf-8")
    (cohort / "linked").symlink_to(solved)
    shutil.copytree(solved, cohort / r"two\nlines")
    run = grader("grade", cohort, "--out", cohort / "out", "--course", short)
    assert run.returncode == 0, run.stderr
    table = rows(cohort / "out" / "grades.csv")
    assert len(table) == 9
    assert {row["points"] for row in table} == {"9"}
    assert {"solved", "'=1+1", "'-x", "functions.csv", r"stud\udce9nt", r"two\nlines"} <= {
        row["student"] for row in table
    }
    assert "linked is a link" in run.stderr
    assert "\x1b" not in run.stdout + run.stderr
    assert len(list((cohort / "out").glob("*.json"))) == 9
    again = grader("grade", cohort, "--out", cohort / "out", "--course", short)
    assert len(rows(cohort / "out" / "grades.csv")) == 9, again.stdout


@pytest.mark.parametrize(
    "value", ['"\\ud800"', '"\\x1b[2J"', "10**5000", "{'\\x1b': 1}", "[10**5000] * 9", "float('nan')"]
)
def test_strange_values_are_a_fail_and_nothing_else(grader: Run, solved: Path, value: str, short: Path) -> None:
    with (solved / "attention.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef softmax(x, axis=-1):\n    return {value}\n")
    run = grader("check", solved, "--course", short)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "solved: 7 of 9 points" in run.stdout
    assert "\x1b" not in run.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_killed_run_leaves_no_process_and_goes_on_later(
    solved: Path, tmp_path: Path, grader: Run, short: Path
) -> None:
    for i in range(12):
        shutil.copytree(solved, solved.parent / f"s{i:02}")
    out = tmp_path / "out"
    arguments = [str(solved.parent), "--out", str(out), "--jobs", "2", "--course", str(short)]
    command = [sys.executable, "-m", "grader", "grade", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not list(out.glob("*.json")):
            assert process.poll() is None
            time.sleep(0.05)
        children = _children(process.pid)
        assert children
        process.kill()
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() for pid in children):
        assert time.monotonic() < deadline, "a process outlived the run"
        time.sleep(0.1)
    assert not (out / "functions.csv").exists()
    assert grader("grade", solved.parent, "--out", out, "--course", short).returncode == 0
    assert len(rows(out / "grades.csv")) == 13


def _children(pid: int) -> list[int]:
    """The processes that a process started, and theirs."""
    own = [int(p) for t in Path(f"/proc/{pid}/task").glob("*/children") for p in t.read_text(encoding="ascii").split()]
    return own + [grandchild for child in own for grandchild in _children(child)]
