"""Submissions that a grader has to hold against: each a case with a name, its files, and what must come of it.

``python -m tests.cases`` grades them all and writes the table of their outcomes for the docs.
"""

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from grader.kit import COURSE, SOLUTIONS
from grader.report import Report, Verdict

LESSONS = ("attention", "masking")
FUNCTIONS = ("softmax", "scaled_scores", "attention", "causal_mask", "padding_mask", "combine_masks")
LIMITS = {"seconds_per_call": 2, "seconds_per_submission": 20, "memory_mb": 256, "output_mb": 4}
HERE = "@HERE@"
"""Stands in a case's files for the folder that holds the class, its results, the course and the canary."""
PORT_OF_CANARY = 47_113
"""Where a listener on this machine waits for whatever gets out."""
HONEST = "honest"
"""The student beside all cases. All is right but one function, so that a result that is not earned would show too."""


@dataclass(frozen=True)
class Case:
    """One submission.

    ``files`` maps paths in the student's folder to texts, which are dedented, or bytes, or None for a file that is not
    there; a lesson that is not named is the reference's. ``verdicts`` names the functions that do not pass and their
    verdicts; all others pass. ``says`` is part of what the grader tells (a regular expression). ``student`` is the
    name that the results carry, if it matters. ``lay``, where given, puts the case into the class's folder by itself.
    """

    name: str
    files: Mapping[str, str | bytes | None] = field(default_factory=dict)
    verdicts: Mapping[str, str] = field(default_factory=dict)
    says: str = ""
    student: str = ""
    lay: Callable[[Path], None] | None = None

    @property
    def who(self) -> str:
        """The student's name in the results."""
        return self.student or re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    def put(self, class_folder: Path) -> None:
        """Write the submission into the folder of a class."""
        if self.lay:
            self.lay(class_folder)
        else:
            hand_in(class_folder / self.who, {path: _placed(file, class_folder) for path, file in self.files.items()})

    def verdict(self, function: str) -> Verdict:
        """The verdict that a function must get."""
        return Verdict(self.verdicts.get(function, "pass"))


def all_of(verdict: str, *functions: str) -> dict[str, str]:
    """The same verdict for several functions, or for all."""
    return dict.fromkeys(functions or FUNCTIONS, verdict)


def lesson(name: str, extra: str = "") -> str:
    """The reference's file of a lesson, with something written below it."""
    return (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8") + "\n\n" + dedent(extra)


def hand_in(folder: Path, files: Mapping[str, str | bytes | None]) -> None:
    """Write a submission's folder: these files, and the reference's for the lessons that are not among them."""
    folder.mkdir(parents=True)
    for name in LESSONS:
        if f"{name}.py" not in files:
            shutil.copy(SOLUTIONS / f"{name}.py", folder)
    for path, content in files.items():
        if content is not None:
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else dedent(content).encode())


def _placed(content: str | bytes | None, class_folder: Path) -> str | bytes | None:
    here = str(class_folder.parent)
    if isinstance(content, bytes):
        return content.replace(HERE.encode(), here.encode())
    return content.replace(HERE, here) if content else content


def course(folder: Path) -> Path:
    """A course file of the two lessons that the cases are about, with small limits."""
    text, _, _ = COURSE.read_text(encoding="utf-8").partition("[lessons.positional_encoding]")
    for name, limit in LIMITS.items():
        text = re.sub(rf"(?m)^{name} = \d+", f"{name} = {limit}", text)
    file = folder / "course.toml"
    file.write_text(text, encoding="utf-8")
    return file


def honest(class_folder: Path, name: str = HONEST) -> None:
    """Hand in the honest submission: everything right but ``causal_mask``, which is turned round."""
    hand_in(class_folder / name, {"masking.py": lesson("masking", TURNED)})


TURNED = """
def causal_mask(n):
    return np.triu(np.ones((n, n), dtype=bool))
"""


def told(report: Report) -> list[str]:
    """What the grader says happened: remarks on the files, and the reason of each function that is not right."""
    return [*report.remarks, *dict.fromkeys(function.reason for function in report.functions if function.reason)]


def explained(report: Report) -> list[str]:
    """The properties that do not hold and the likely mistakes."""
    named = [sentence for f in report.functions for sentence in (f.broken, f.mistake) if sentence]
    return [*dict.fromkeys(sentence.sentence for sentence in named)]


def outcome(report: Report) -> str:
    """What came of a case, in a line for the docs: the points, and what the student is told."""
    return f"{float(report.points):g} of {float(report.max_points):g}. " + " ".join(told(report))
