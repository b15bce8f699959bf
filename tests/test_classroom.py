"""A class graded through the command, as a teacher does: tables, files, resuming, and faults of ours."""

import shutil
from pathlib import Path

import pytest

from grader import classroom
from grader.course import read_course
from grader.report import Verdict, from_json
from tests.conftest import ROOT, Run, edit, rows

SAMPLE = ROOT / "tests" / "sample_class"


@pytest.fixture(scope="module")
def sample_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sample")
    folders = sorted(folder for folder in SAMPLE.iterdir() if folder.is_dir())
    assert len(list(classroom.grade_class(folders, read_course(), out, 2))) == len(folders)
    return out


def test_the_sample_class_gets_its_known_verdicts(sample_results: Path) -> None:
    expected = rows(ROOT / "tests" / "sample_class_expected.csv")
    got = rows(sample_results / "functions.csv")
    assert [(r["student"], r["function"], r["verdict"]) for r in got] == [tuple(r.values()) for r in expected]


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
    folders = sorted((folder for folder in SAMPLE.iterdir() if folder.is_dir()), reverse=True)
    list(classroom.grade_class(folders, read_course(), tmp_path, 1))
    for name in ("functions.csv", "grades.csv"):
        assert (tmp_path / name).read_bytes() == (sample_results / name).read_bytes()


def test_a_run_goes_on_where_it_stopped(solved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(solved, solved.parent / "other")
    folders, out = [solved, solved.parent / "other"], tmp_path / "out"
    run = classroom.grade_class(folders, read_course(), out, 1)
    first = next(run)
    run.close()
    assert (out / f"{first.student}.json").exists()
    assert not (out / "functions.csv").exists()
    asked: list[str] = []
    graded = classroom._graded
    monkeypatch.setattr(classroom, "_graded", lambda waiting, *rest: asked.extend(waiting) or graded(waiting, *rest))
    assert len(list(classroom.grade_class(folders, read_course(), out, 1))) == 2
    assert asked == [student for student in ("solved", "other") if student != first.student]
    edit(solved / "masking.py", "import numpy as np", "import numpy as np  # changed")
    asked.clear()
    list(classroom.grade_class(folders, read_course(), out, 1))
    assert asked == ["solved"], "changed work is graded again, unchanged work is not"


def _dies(submission: object) -> None:
    import os  # noqa: PLC0415  runs in the pool's process

    os._exit(9)


def test_a_grading_process_that_dies_is_our_fault_and_the_rest_go_on(
    solved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classroom, "_grade", _dies)
    (report,) = classroom.grade_class([solved], read_course(), tmp_path / "out", 1)
    assert {f.verdict for f in report.functions} == {Verdict.UNGRADED}
    assert rows(tmp_path / "out" / "grades.csv")[0]["ungraded"] == "6"
    monkeypatch.undo()
    (report,) = classroom.grade_class([solved], read_course(), tmp_path / "out", 1)
    assert report.points == report.max_points, "what was ungraded is graded again"


def test_grade_prints_a_table_and_writes_results(grader: Run, solved: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(solved, solved.parent / "broken")
    (broken / "masking.py").write_text("def causal_mask(n: return", encoding="utf-8")
    run = grader("grade", solved.parent, "--out", tmp_path / "out", "--jobs", "1")
    assert run.returncode == 0, run.stderr
    assert "9 / 9" in run.stdout
    assert "causal_mask, padding_mask, combine_masks: error" in " ".join(run.stdout.split())
    assert "Sandbox:" in run.stderr
    assert "sample secret" in run.stderr


def test_an_output_that_cannot_be_written_is_one_sentence(grader: Run, solved: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    run = grader("grade", solved.parent, "--out", tmp_path / "file")
    assert run.returncode == 2
    assert "cannot be written" in run.stderr
    assert "Traceback" not in run.stderr
