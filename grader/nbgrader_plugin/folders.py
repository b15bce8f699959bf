"""Which folders a run of ``nbgrader autograde`` takes: all that were handed in, whatever they hold."""

import glob
from collections.abc import Mapping
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory

from grader.sandbox.inside.notebooks import NOTEBOOK

LONGEST_TIME = 200
"""Bytes of a file with a time in it."""
_renamed: dict[Path, Path] = {}
"""Folders with names that nbgrader cannot work with, by the names that it gets."""


class PatientCourse(CourseDirectory):
    """nbgrader's folders of a course. A time of handing in that cannot be read costs nobody the grading."""

    def get_existing_timestamp(self, dest_path: str) -> datetime | None:
        """When a folder was handed in; None where nobody can tell."""
        file = real(Path(dest_path)) / "timestamp.txt"
        if not file.exists():
            return None
        try:
            if not file.is_file() or file.stat().st_size > LONGEST_TIME:  # reading a pipe would take for ever
                raise ValueError("it is no file with a time in it")
            return super().get_existing_timestamp(str(file.parent))
        except Exception:  # nbgrader raises what its parser raises, and more
            self.log.warning("There is no time in %s, so this work does not count as late.", file)
            return None


def real(folder: Path) -> Path:
    """The folder on disk that nbgrader knows by this name."""
    return _renamed.get(folder, folder)


def take_all(run: Autograde) -> None:
    """Put every folder that was handed in for the lesson on the list of a run that is about to begin.

    nbgrader itself passes over folders in which no file's name ends in ``.ipynb``, as where it lies a folder deeper,
    and says nothing of it when it ends. It ends at a line break in a name. It gives up on folders that hold what it
    cannot copy. This goes by what a converter shows of itself: the list ``assignments`` and its ``coursedir``.
    """
    known = run.coursedir
    course = PatientCourse(parent=known.parent, **{name: getattr(known, name) for name in known.traits(config=True)})
    run.coursedir = course
    lesson = course.assignment_id
    if not fnmatchcase(lesson, course.notebook_id):
        return
    names = {lesson + NOTEBOOK, *_names(Path(course.format_path(course.source_directory, ".", lesson)))}
    run.assignments = _taken(run.assignments, course, lesson)
    uncopied = [folder for folder in map(real, map(Path, run.assignments)) if _is_odd(folder, names)]
    course.ignore = [*course.ignore, *(glob.escape(str(folder)) for folder in uncopied)]


def _taken(listed: Mapping[str, list[str]], course: CourseDirectory, lesson: str) -> dict[str, list[str]]:
    """nbgrader's list with the lesson's notebook for each folder. ``NotebookReader`` reads the one that is there."""
    taken: dict[str, list[str]] = {}
    pattern = course.format_path(course.submitted_directory, course.student_id, lesson)
    found = (folder for folder in glob.glob(pattern) if Path(folder).is_dir())  # noqa: PTH207  it is nbgrader's pattern
    for folder in sorted({*listed, *found}):
        name = folder.replace("\n", r"\n")
        if name != folder:
            _renamed[Path(name)] = Path(folder)
        notebooks = [notebook.replace("\n", r"\n") for notebook in listed.get(folder, [])]
        expected = str(Path(name) / (lesson + NOTEBOOK))
        taken[name] = notebooks if expected in notebooks else [*notebooks, expected]
    return taken


def _names(folder: Path) -> set[str]:
    return {file.name for file in folder.rglob("*")}


def _is_odd(folder: Path, names: set[str]) -> bool:
    """Whether nbgrader would stumble on copying a folder: over links, pipes, folders in the place of files.

    Nothing of it is copied then. What lies behind a link is not the student's to hand in, nor to get back.
    """
    return any(
        file.is_symlink() or (file.name in names if file.is_dir() else not file.is_file()) for file in folder.rglob("*")
    )
