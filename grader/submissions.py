"""Submissions as they are handed in: folders of modules, read as data and never imported here."""

import ast
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.contract import lesson_functions
from grader.plain import plain

LARGEST_FILE = 2 * 2**20
LARGEST_PARSED = 2**18
"""Bytes of a file in which functions are looked for: parsing happens outside the sandbox, and takes its time."""
MOST_FILES = 200
IGNORED = {"__pycache__", "__MACOSX"}


class SubmissionError(Exception):
    """There is nothing here that could be graded; the message says what was looked for and where."""


@dataclass(frozen=True)
class Submission:
    """One student's files, by their path in the folder, and which of them is which lesson's module."""

    student: str
    files: Mapping[str, bytes]
    modules: Mapping[str, str]
    remarks: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A digest of the files, names and contents: the same work has the same digest."""
        total = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            total.update(hashlib.sha256(name.encode()).digest() + hashlib.sha256(content).digest())
        return total.hexdigest()


def read_submission(folder: Path, lessons: Sequence[str], student: str | None = None) -> Submission:
    """One student's folder. A folder that holds nothing but another folder stands for that one.

    Raises ``SubmissionError`` when it is not a folder that can be read.
    """
    if not folder.is_dir():
        raise SubmissionError(f"{folder} is not a folder. Give the folder that holds {lessons[0]}.py.")
    student = plain(student or folder.resolve().name).replace("\n", "\\n")
    try:
        while (
            not any(folder.glob("*.py"))
            and len(inner := [p for p in sorted(folder.iterdir()) if _counts(p)]) == 1
            and inner[0].is_dir()
        ):
            folder = inner[0]
        files, remarks = _files(folder)
    except OSError as error:
        raise SubmissionError(f"{folder} cannot be read: {error.strerror}.") from None
    modules, guessed = _modules(files, lessons)
    return Submission(student, files, modules, (*remarks, *guessed))


def find_submissions(folder: Path) -> tuple[list[Path], list[Path]]:
    """The students' folders in a class's folder, by name, and the entries that are not folders and are left out.

    Raises ``SubmissionError`` when there is no folder in it.
    """
    if not folder.is_dir():
        raise SubmissionError(f"{folder} is not a folder. Give the folder that holds one folder for each student.")
    entries = sorted(path for path in folder.iterdir() if _counts(path) or path.is_symlink())
    folders = [path for path in entries if path.is_dir() and not path.is_symlink()]
    if not folders:
        raise SubmissionError(
            f"{folder} holds no folders. It should hold one folder for each student; "
            f"for a single submission use: grader check {folder}"
        )
    return folders, [path for path in entries if path not in folders]


def _counts(path: Path) -> bool:
    return not path.name.startswith(".") and path.name not in IGNORED and not path.is_symlink()


def _files(folder: Path) -> tuple[dict[str, bytes], list[str]]:
    files: dict[str, bytes] = {}
    remarks: list[str] = []
    waiting = [folder]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            name = path.relative_to(folder).as_posix()
            if not _counts(path):
                continue
            if name != plain(name) or "\\" in name:
                remarks.append(f"{plain(name)} was left out: its name cannot be used here.")
            elif path.is_dir():
                waiting.append(path)
            elif len(files) >= MOST_FILES:
                remarks.append(f"Only the first {MOST_FILES} files were read.")
                return files, remarks
            elif path.stat().st_size > LARGEST_FILE:
                remarks.append(f"{name} was left out: it is larger than {LARGEST_FILE // 2**20} MB.")
            elif path.is_file():
                files[name] = path.read_bytes()
    return files, remarks


def _modules(files: Mapping[str, bytes], lessons: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Which file is which lesson: by its name, else by what it defines, where only one file can be."""
    modules = {lesson: f"{lesson}.py" for lesson in lessons if f"{lesson}.py" in files}
    remarks: list[str] = []
    if len(modules) == len(lessons):
        return modules, remarks
    defined = {name: _defined(name, source) for name, source in files.items()}
    for lesson in lessons:
        if lesson in modules:
            continue
        wanted = {function.name for function in lesson_functions(lesson)}
        # A file that is another lesson already may well define one function of the same name as a helper.
        found = [
            name for name in files if (wanted <= defined[name] if name in modules.values() else wanted & defined[name])
        ]
        if len(found) == 1:
            modules[lesson] = found[0]
            remarks.append(f"{found[0]} was read as {lesson}.py, since it defines what that lesson asks for.")
    if len(modules) < len(lessons):
        unread = sorted(name for name in files if name.endswith((".ipynb", ".zip")))
        remarks += [f"{name} was not read: hand in modules ({', '.join(lessons)} as .py files)." for name in unread]
    return modules, remarks


def _defined(name: str, source: bytes) -> set[str]:
    if not name.endswith(".py") or len(source) > LARGEST_PARSED:
        return set()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assigned = (target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets)
    return functions | {target.id for target in assigned if isinstance(target, ast.Name)}
