"""The students' folder: what is written, what is refused, what counts as stale, what the proofs notice."""

import shutil
import tomllib
from pathlib import Path

import pytest

from grader.kit import COURSE, SOLUTIONS
from grader.release import ReleaseError, proofs, release, stale, stub

LESSONS = tuple(tomllib.loads(COURSE.read_text(encoding="utf-8"))["lessons"])


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "exercises"
    release(folder, SOLUTIONS, LESSONS)
    return folder


@pytest.fixture
def solutions(tmp_path: Path) -> Path:
    """A copy of the reference to spoil."""
    folder = tmp_path / "solutions"
    shutil.copytree(SOLUTIONS, folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return folder


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files(folder)}


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def test_the_committed_folder_is_up_to_date() -> None:
    assert stale(SOLUTIONS.parent / "exercises", SOLUTIONS, LESSONS) == []


def test_everything_proved_about_the_content_holds() -> None:
    assert proofs(SOLUTIONS, LESSONS) == []


def test_the_same_reference_gives_the_same_bytes(out: Path, tmp_path: Path) -> None:
    written = release(tmp_path / "again", SOLUTIONS, LESSONS)
    assert contents(out) == contents(tmp_path / "again")
    assert sorted(written) == sorted(files(tmp_path / "again"))


def test_a_stub_keeps_the_text_and_drops_the_answer() -> None:
    source = (
        '"""Lesson."""\n\n\ndef f(x):\n    """Say f."""\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION\n'
    )
    assert stub(source, "lesson.py") == (
        '"""Lesson."""\n\n\ndef f(x):\n    """Say f."""\n'
        "    # Your code begins here, in place of the next line.\n"
        '    raise NotImplementedError("f is not started")\n'
        "    # Your code ends here.\n"
    )


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    ### BEGIN SOLUTION\n    return 1\n",
        "def f():\n    return 1\n    ### END SOLUTION\n",
        "def f():\n    ### BEGIN SOLUTION\n    ### BEGIN SOLUTION\n    ### END SOLUTION\n",
        "### BEGIN SOLUTION\nX = 1\n",
    ],
)
def test_markers_without_a_partner_are_refused(source: str) -> None:
    with pytest.raises(ReleaseError, match=r"lesson\.py.* has no partner"):
        stub(source, "lesson.py")


def test_a_constant_becomes_none() -> None:
    source = "# Which?\n### BEGIN SOLUTION\nTABLE = [\n    [1, 2],\n]\n### END SOLUTION\nprint(TABLE)\n"
    assert stub(source, "lesson.py") == "# Which?\nTABLE = None  # your answer, in place of None\nprint(TABLE)\n"


@pytest.mark.parametrize(
    "source",
    [
        "### BEGIN SOLUTION\nprint(1)\n### END SOLUTION\n",
        "### BEGIN SOLUTION\nlower = 1\n### END SOLUTION\n",
        "### BEGIN SOLUTION\n### END SOLUTION\n",
        "if True:\n    ### BEGIN SOLUTION\n    X = 1\n    ### END SOLUTION\n",
        "def f():\n    pass\n\n\n### BEGIN SOLUTION\nf()\n### END SOLUTION\n",
    ],
)
def test_an_answer_in_no_proper_place_is_refused(source: str) -> None:
    with pytest.raises(ReleaseError, match=r"lesson\.py, line \d+: the answer is neither in a function nor a constant"):
        stub(source, "lesson.py")


def test_a_release_may_follow_a_release(out: Path, solutions: Path) -> None:
    replace(solutions / "attention.py", "# # Attention", "# # Attention!")
    release(out, solutions, LESSONS)
    assert b"# # Attention!" in (out / "attention.py").read_bytes()
    assert stale(out, solutions, LESSONS) == []


def test_a_lesson_that_is_no_longer_released_is_taken_away(out: Path) -> None:
    release(out, SOLUTIONS, LESSONS[:1])
    assert not (out / f"{LESSONS[1]}.py").exists()


def test_a_students_work_is_never_overwritten(out: Path) -> None:
    replace(out / "attention.py", "raise NotImplementedError", "return 1  #")
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    before = contents(out)
    with pytest.raises(ReleaseError, match=r"attention\.py, notes\.txt"):
        release(out, SOLUTIONS, LESSONS)
    assert contents(out) == before


def test_caches_and_line_endings_do_not_make_a_folder_foreign_or_stale(out: Path) -> None:
    (out / "__pycache__").mkdir()
    (out / "__pycache__" / "attention.pyc").touch()
    for file in out.glob("*.*"):
        if file.is_file():
            file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert stale(out, SOLUTIONS, LESSONS) == []
    release(out, SOLUTIONS, LESSONS)


def test_stale_names_each_file_that_differs(out: Path) -> None:
    (out / "README.md").unlink()
    (out / "notes.txt").touch()
    replace(out / "masking.py", "# # Masking", "# # Masks")
    missing, foreign, changed = stale(out, SOLUTIONS, LESSONS)
    assert missing.endswith("README.md is missing.")
    assert foreign.endswith("notes.txt does not belong there.")
    assert "masking.py is not what the reference makes it" in changed


def test_a_file_that_the_reference_lacks(solutions: Path, tmp_path: Path) -> None:
    (solutions / "test_masking.py").unlink()
    with pytest.raises(ReleaseError, match=r"no file .*test_masking\.py"):
        release(tmp_path / "out", solutions, LESSONS)
    assert not (tmp_path / "out").exists()


def test_the_proofs_notice_what_needs_no_run(solutions: Path) -> None:
    """Leaks, hints, tests that are lacking: one spoilt copy, one run."""
    replace(solutions / "README.md", "## Begin", "## Begin\n\n`return position[None, :] <= position[:, None]`")
    replace(solutions / "pytest.ini", "[pytest]", "[pytest]\n# the grader")
    replace(solutions / "hints.toml", 'signature = "softmax(x, axis=-1)"\nnudge', 'signature = "softmax(x)"\nnudges')
    replace(solutions / "hints.toml", "[masking.causal_mask]", "[masking.causal]")
    replace(solutions / "test_attention.py", "(scaled_scores", "(softmax")
    faults = "\n".join(proofs(solutions, LESSONS))
    assert "README.md gives away the answer 'return position[None, :] <= position[:, None]'." in faults
    assert "pytest.ini speaks of a grader." in faults
    assert "hints.toml must give softmax the signature softmax(x, axis=-1)." in faults
    assert "hints.toml has no nudge for softmax." in faults
    assert "hints.toml must list these functions in this order" in faults
    assert "test_attention.py has no test of scaled_scores." in faults


def test_the_proofs_notice_what_a_run_shows(solutions: Path) -> None:
    """A wrong answer, a later lesson needed, an answer outside the markers, a silent script."""
    replace(solutions / "attention.py", "np.sqrt(d_k)", "d_k")
    replace(solutions / "attention.py", "    ### BEGIN SOLUTION\n    d_k", "    d_k")
    replace(solutions / "attention.py", "# (..., n_q, d_k) @ (..., d_k, n_k)\n    ### END SOLUTION", "# one")
    replace(solutions / "attention.py", 'print(f"Nothing to show yet', 'raise SystemExit(f"Nothing to show yet')
    faults = "\n".join(proofs(solutions, LESSONS))
    assert "The reference passes" in faults
    assert "The stubs pass" in faults
    assert "The stub attention.py does not say in one line what is still to do" in faults
    assert "scaled_scores in attention.py has no answer between" in faults


def test_the_proofs_notice_an_answer_that_is_given_away(solutions: Path) -> None:
    """A constant: its line in another file, another name in the hints, no test."""
    replace(
        solutions / "hints.toml", 'signature = "BERT"\nnudge = """', 'signature = "Bert"\nnudge = """\nBERT = "encoder"'
    )
    replace(solutions / "test_self_check.py", "def test_gpt(GPT)", "def test_gpt(T5)")
    faults = proofs(solutions, ["self_check"])
    assert """hints.toml gives away the answer 'BERT = "encoder"'.""" in faults
    assert "hints.toml must give BERT the signature BERT." in faults
    assert "test_self_check.py has no test of GPT." in faults


def test_the_proofs_notice_a_constant_that_is_not_taken_out_and_a_digest_that_does_not_fit(solutions: Path) -> None:
    replace(solutions / "self_check.py", '### BEGIN SOLUTION\nT5 = "both"\n### END SOLUTION', 'T5 = "encoder"')
    faults = "\n".join(proofs(solutions, ["self_check"]))
    assert "The reference passes 12 of 13 tests in test_self_check.py" in faults
    assert "The stub self_check.py does not say in one line what is still to do" in faults
    assert "T5 in self_check.py has no answer between" in faults


def test_the_proofs_notice_a_lesson_that_needs_a_later_one(solutions: Path) -> None:
    replace(solutions / "attention.py", "import numpy as np\n", "import masking\nimport numpy as np\n")
    assert "The reference passes 0 of" in "\n".join(proofs(solutions, LESSONS[:1]))
