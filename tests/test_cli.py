"""The command: what it prints, and its exit codes."""

from pathlib import Path

from grader.kit import SOLUTIONS
from tests.conftest import ROOT, Run, edit


def test_the_reference_gets_everything(grader: Run) -> None:
    run = grader("check", SOLUTIONS)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("solutions: 57 of 57 points")


def test_untouched_exercises_get_nothing(grader: Run) -> None:
    run = grader("check", ROOT / "exercises")
    assert run.returncode == 1
    assert run.stdout.startswith("exercises: 0 of 57 points")
    assert run.stdout.count("not there yet") == 40


def test_a_teacher_sees_the_counterexample_and_a_student_does_not(grader: Run, solved: Path, short: Path) -> None:
    with (solved / "masking.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef causal_mask(n):\n    return np.triu(np.ones((n, n), dtype=bool), 1)\n")
    arguments = ("check", solved, "--course", short)
    teacher, student = grader(*arguments), grader(*arguments, "--student-view")
    assert teacher.returncode == student.returncode == 1
    for label in ("called", "got", "expected"):
        assert f"\n  {label} " in teacher.stdout
        assert f"\n  {label} " not in student.stdout
    for label in ("what happened", "property", "likely mistake", "next step"):
        assert f"\n  {label} " in student.stdout
    labels = ["called", "got", "expected", "property", "likely mistake", "next step"]
    assert sorted(labels, key=lambda label: teacher.stdout.index(f"\n  {label} ")) == labels


def test_bad_use_is_a_sentence_and_exit_code_2(grader: Run, tmp_path: Path) -> None:
    for arguments, said in [
        (("check", tmp_path / "none"), "is not a folder"),
        (("grade", tmp_path / "none", "--out", tmp_path), "is not a folder"),
        (("grade", tmp_path, "--out", tmp_path / "out"), "holds no folders"),
        (("check", SOLUTIONS, "--course", tmp_path / "none.toml"), "no course file"),
        (("grade", tmp_path, "--out", tmp_path, "--jobs", "0"), "jobs"),
        (("nonsense",), "No such command"),
    ]:
        run = grader(*arguments)
        assert run.returncode == 2, (arguments, run.stdout, run.stderr)
        assert said in run.stderr
        assert "Traceback" not in run.stderr


def test_release_check_holds_and_notices_a_stale_folder(grader: Run, tmp_path: Path, short: Path) -> None:
    command = ("release", "--out", tmp_path / "exercises", "--course", short)
    assert grader(*command).returncode == 0
    assert grader(*command, "--check").returncode == 0
    edit(tmp_path / "exercises" / "masking.py", "import numpy as np", "import numpy as np  # stale")
    run = grader(*command, "--check")
    assert run.returncode == 1
    assert "masking.py" in run.stderr


def test_a_class_is_not_checked_as_one_submission(grader: Run) -> None:
    run = grader("check", ROOT / "tests" / "sample_class")
    assert run.returncode == 2
    assert "grader grade" in run.stderr


def test_a_release_that_cannot_be_written_is_one_sentence(grader: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    run = grader("release", "--out", tmp_path / "file")
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert "cannot be written" in run.stderr
