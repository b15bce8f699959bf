"""The CPU time of ``nbgrader autograde`` with the kit's own grading, and of the same as nbgrader grades by default.

``python -m tests.bench.nbgrader [SUBMISSIONS]`` grades the same notebooks of one lesson both ways, with the same
checks, and prints the ratio. CPU time counts all processes that a command starts.
"""

import resource
import shutil
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

from grader.kit import SOLUTIONS
from grader.nbgrader_course import write_course
from tests.conftest import ROOT
from tests.nbgrader.notebooks import filled, marks, nbgrader, read, write

LESSON = "attention"
STOCK = """
from traitlets.config import Config

c.Autograde = Config()
c.ExecutePreprocessor.timeout = 3600
"""
"""Nothing but nbgrader's own way of grading; no cell is cut short on a machine that has other work."""


def cpu_seconds(course: Path) -> float:
    """Grade the class; return the CPU time of all that this takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    nbgrader(course, "autograde", LESSON)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(submissions: int) -> None:
    """Make a course and a class of the reference and the sample class, in turn, and grade it both ways."""
    modules = [SOLUTIONS / f"{LESSON}.py", *sorted((ROOT / "tests" / "sample_class").glob(f"*/{LESSON}.py"))]
    with tempfile.TemporaryDirectory() as folder:
        ours, stock = Path(folder, "ours"), Path(folder, "stock")
        write_course(ours)
        nbgrader(ours, "generate_assignment", LESSON)
        handout = read(ours / "release" / LESSON / f"{LESSON}.ipynb")
        for number, module in enumerate(islice(cycle(modules), submissions)):
            notebook = filled(handout, module.read_text(encoding="utf-8"))
            write(notebook, ours / "submitted" / f"student{number:03}" / LESSON / f"{LESSON}.ipynb")
        shutil.copytree(ours, stock)
        with (stock / "nbgrader_config.py").open("a", encoding="utf-8") as config:
            config.write(STOCK)
        with_kit, by_default = cpu_seconds(ours), cpu_seconds(stock)
        same = sum(marks(stock, LESSON)[student] == points for student, points in marks(ours, LESSON).items())
    print(f"{submissions} submissions of {LESSON}, CPU time of nbgrader autograde with all that it starts:")
    print(f"  with the kit's grading  {with_kit:8.1f} s")
    print(f"  as nbgrader's default   {by_default:8.1f} s")
    print(f"  ratio                   {by_default / with_kit:8.1f}")
    print(f"The marks are the same for {same} of {submissions}.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
