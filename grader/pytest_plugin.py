"""The hidden checks as ordinary pytest items: ``pytest grader/checks --submission FOLDER``.

For a teacher who wants to see one check fail with everything that pytest has (``-k``, ``--pdb``, ``-x``). The plugin is
loaded wherever the grader is installed, so it imports nothing heavy and does nothing until ``--submission`` is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grader.checks import Check

CHECKS = Path(__file__).resolve().parent / "checks"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--submission``."""
    group = parser.getgroup("transformer-exercises")
    group.addoption("--submission", metavar="FOLDER", help="run the hidden checks in grader/checks on this submission")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a submission that is none, in a sentence. Raises ``pytest.UsageError``."""
    folder = config.getoption("--submission")
    if folder and not Path(folder).is_dir():
        raise pytest.UsageError(f"{folder} is not a folder. Give the folder of one submission.")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of ``grader/checks`` is a lesson's checks, once there is a submission to run them on."""
    if not parent.config.getoption("--submission") or file_path.parent != CHECKS or file_path.suffix != ".py":
        return None
    return None if file_path.stem == "__init__" else Lesson.from_parent(parent, path=file_path)


class Lesson(pytest.File):
    """The checks of one lesson."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each check, in the order written."""
        from grader.checks import all_checks  # noqa: PLC0415  heavy: Hypothesis and NumPy

        for check in all_checks():
            if check.property.__module__ == f"grader.checks.{self.path.stem}":
                yield CheckItem.from_parent(self, name=f"{check.function}::{check.name}", check=check)


class CheckItem(pytest.Item):
    """One check on one submission."""

    def __init__(self, *, check: Check, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.check = check

    def runtest(self) -> None:
        """Run the check over its examples, in the sandbox."""
        from grader.debugging import bench_of  # noqa: PLC0415

        bench_of(self.config).run(self.check)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A violation in the layout that students know; anything else as pytest shows it."""
        from grader.debugging import bench_of  # noqa: PLC0415

        return bench_of(self.config).explained(self.check, excinfo.value) or super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the property is written."""
        code = self.check.property.__code__
        return self.path, code.co_firstlineno - 1, self.name
