"""``pytest grader/checks --submission FOLDER``: the hidden checks as ordinary items."""

import subprocess
import sys
from pathlib import Path

from grader.checks import all_checks
from grader.kit import SOLUTIONS
from tests.conftest import ROOT


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "grader/checks", "-q", "-p", "no:cacheprovider", *map(str, args)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT, check=False)


def test_every_check_is_an_item_and_the_reference_passes_them() -> None:
    result = run("--submission", SOLUTIONS)
    assert result.returncode == 0, result.stdout
    assert f"{len(all_checks())} passed" in result.stdout


def test_one_wrong_function_fails_its_own_items_in_the_known_layout(solved: Path) -> None:
    with (solved / "attention.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef softmax(x, axis=-1):\n    return np.exp(x) / np.exp(x).sum()\n")
    result = run("--submission", solved)
    assert result.returncode == 1
    assert "FAILED grader/checks/attention.py::softmax::softmax_is_right" in result.stdout
    assert "::attention::" not in result.stdout
    assert "called    softmax(" in result.stdout
    assert "property  " in result.stdout


def test_unfinished_functions_fail_with_a_sentence(tmp_path: Path) -> None:
    result = run("--submission", ROOT / "exercises", "-k", "causal")
    assert result.returncode == 1
    assert "causal_mask: missing" in result.stdout
    assert "Traceback" not in result.stdout


def test_a_submission_that_is_none_is_bad_use(tmp_path: Path) -> None:
    result = run("--submission", tmp_path / "none")
    assert result.returncode == 4, "pytest's code for bad use"
    assert "INTERNALERROR" not in result.stdout + result.stderr
    assert "is not a folder" in result.stdout + result.stderr


def test_without_a_submission_nothing_is_collected() -> None:
    assert "no tests ran" in run().stdout
