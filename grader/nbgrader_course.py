"""A course for nbgrader: its settings, the course file, and an assignment for each lesson, made from the reference."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.course import Course, read_course
from grader.excerpts import excerpt
from grader.grading import contract_functions
from grader.kit import COURSE, SOLUTIONS
from grader.nbgrader_notebook import lesson_notebook
from grader.release import released

CONFIG, COURSE_FILE, MANIFEST = "nbgrader_config.py", "course.toml", ".written-by-grader"
SUPPORT = ("checking.py", "reading.py", "hints.toml")
"""Files of the students' folder that go beside every notebook as they are."""
WRITING = ("call_behind", "written", "written_pair", "written_call")
"""What the tests in a notebook share with those that pytest runs: how values are written out."""


class CourseFolderError(Exception):
    """The course cannot be written; the message says why and what to do."""


@dataclass(frozen=True)
class Written:
    """The lessons of a course, how many files were written, and those left as the teacher has changed them."""

    lessons: tuple[str, ...]
    count: int
    kept: tuple[str, ...]


def write_course(out: Path, course_file: Path | None = None, solutions: Path = SOLUTIONS) -> Written:
    """Write a course that nbgrader works with into the folder ``out``.

    The course file is ``course_file``; without one, the one that is in ``out`` already, else the kit's own. So a
    teacher edits points in the folder's file and runs this again. A file that was written here before and has been
    changed since is kept, and so is what nbgrader and the teacher have put beside the written files. Raises
    ``CourseError`` for a course file that makes no sense, ``ReleaseError`` when the reference is not well formed, and
    ``CourseFolderError`` when a file would be overwritten that somebody else wrote, or nothing can be written there.
    """
    if out.exists() and not out.is_dir():
        raise CourseFolderError(f"{out} is a file. Name a folder for the course, a new one for instance.")
    own = out / COURSE_FILE
    course_file = course_file or (own if own.is_file() else COURSE)
    course = read_course(course_file)
    text = course_file.read_text(encoding="utf-8")
    files = course_files(course, solutions)
    kept = _changed(out, {**files, COURSE_FILE: text}, course_file)
    digests = "".join(f"{_digest(content)}  {name}\n" for name, content in sorted(files.items()))
    files |= {COURSE_FILE: text, MANIFEST: f"# Tells the files that the grader wrote here from yours.\n{digests}"}
    new = {name: content for name, content in files.items() if name not in kept}
    try:
        for name, content in new.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text(content, encoding="utf-8", newline="")
    except OSError as error:
        raise CourseFolderError(f"Nothing can be written to {error.filename}: {error.strerror}.") from None
    return Written(tuple(course.lessons), len(new), kept)


def course_files(course: Course, solutions: Path = SOLUTIONS) -> dict[str, str]:
    """The files of a course by their path in its folder, without the course file."""
    functions = contract_functions(course)
    order = [function.name for function in functions]
    students = {name: content.decode() for name, content in released(solutions, tuple(course.lessons)).items()}
    support = {name: students[name] for name in SUPPORT}
    support["writing.py"] = _writing(students["conftest.py"])
    support["testing.py"] = (solutions / "notebooks" / "testing.py").read_text(encoding="utf-8")
    files = {CONFIG: _config(course)}
    for lesson in course.lessons:
        asked = [function for function in functions if function.lesson == lesson]
        folder = f"source/{lesson}"
        files[f"{folder}/{lesson}.ipynb"] = lesson_notebook(lesson, asked, order, course, solutions)
        files |= {f"{folder}/{name}": content for name, content in support.items()}
    return files


def course_id(title: str) -> str:
    """The title as nbgrader's name of the course: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "course"


def _config(course: Course) -> str:
    template = (SOLUTIONS / "notebooks" / CONFIG).read_text(encoding="utf-8")
    return template.replace('"COURSE"', f'"{course_id(course.title)}"')


def _writing(conftest: str) -> str:
    return '"""How values are written out for people."""\n\n' + excerpt(conftest, WRITING).rstrip() + "\n"


def _changed(out: Path, files: Mapping[str, str], course_file: Path) -> tuple[str, ...]:
    """Those of ``files`` that this program has written here before and somebody has changed since.

    Raises ``CourseFolderError`` where one is there that this program has not written. The folder's own course file is
    the teacher's to edit; it gives way only to one that says the same.
    """
    manifest = out / MANIFEST
    lines = manifest.read_text(encoding="utf-8", errors="replace").splitlines() if manifest.is_file() else []
    known = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    changed: list[str] = []
    foreign: list[str] = []
    for name, content in files.items():
        if not (out / name).exists() or (name == COURSE_FILE and (out / name).samefile(course_file)):
            continue
        is_file = (out / name).is_file()
        digest = _digest((out / name).read_text(encoding="utf-8", errors="replace")) if is_file else ""
        if digest not in (_digest(content), known.get(name)):
            (changed if name in known and is_file else foreign).append(name)
    if foreign:
        raise CourseFolderError(
            f"{out} holds files that somebody else wrote: {', '.join(foreign)}. "
            "Move them away, or choose another folder."
        )
    return tuple(changed)


def _digest(content: str) -> str:
    """A digest of a text that does not see how its lines end: version control may have changed that."""
    return hashlib.sha256(content.replace("\r\n", "\n").encode()).hexdigest()
