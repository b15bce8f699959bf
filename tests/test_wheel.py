"""The wheel carries all that the grader needs, wherever it is installed."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

from tests.conftest import ROOT


def test_the_wheel_grades_away_from_the_checkout(solved: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert not [name for name in names if "__pycache__" in name or name.startswith(("tests/", "exercises/"))]
    assert "grader/_kit/course.toml" in names
    venv.create(tmp_path / "env", with_pip=False)
    site = next((tmp_path / "env").glob("lib/python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # NumPy and the rest come from this environment; the grader itself only from the wheel.
    packages = next(path for path in map(Path, sys.path) if (path / "numpy").is_dir())
    code = (
        f"import sys; sys.path.append({str(packages)!r}); import grader.kit as kit; "
        "print(kit.SOLUTIONS); sys.argv = ['grader', 'check', sys.argv[1]]; from grader.cli import main; main()"
    )
    run = subprocess.run(
        [str(tmp_path / "env" / "bin" / "python"), "-c", code, str(solved)],
        capture_output=True, encoding="utf-8", cwd=tmp_path, check=False,
    )  # fmt: skip
    assert run.returncode == 1, run.stdout + run.stderr
    assert str(site) in run.stdout
    assert "9 of 57 points" in run.stdout
