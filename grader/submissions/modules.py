"""Which file is which lesson: by its name, by a name that is nearly right, or by what it defines."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import PurePosixPath

from grader.contract import lesson_functions
from grader.sandbox.inside.definitions import guessed_names
from grader.sandbox.inside.notebooks import NOTEBOOK, code_cells
from grader.submissions.gather import MODULE, Gathered, is_code
from grader.submissions.text import LARGEST_PARSED, defined, parsed, problem

MOST_PARSED = 2**21
"""Bytes of one submission in which functions are looked for."""
_BEFORE = re.compile(r"^(?:copy of|kopie von|copie de|copia de)[ _]+")
_AFTER = re.compile(
    r"(?:[ _.-]*(?:\(\d+\)|[ _-]v?\d+|[ _-](?:copy|kopie|final|new|old|fixed|done|solution|submission)))+$"
)


@dataclass
class Found:
    """The file of each lesson, what is to be said of them, and why the files of other lessons could not be read."""

    modules: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)


def find_modules(gathered: Gathered, lessons: Sequence[str]) -> Found:
    """Match files with lessons."""
    search = _Search(gathered, lessons)
    for lesson in lessons:
        search.by_name(lesson)
    named = set(search.found.modules.values())
    for lesson in lessons:
        if lesson not in search.found.modules:
            search.by_content(lesson, named)
    search.tell_contents()
    for lesson in lessons:
        search.readable(lesson)
    return search.found


def lesson_like(name: str) -> str:
    """The name of a module or notebook as it would be without what copying, downloading and versions add to it."""
    stem = unicodedata.normalize("NFKC", PurePosixPath(name).stem).casefold().strip()
    return re.sub(r"[ .-]+", "_", _AFTER.sub("", _BEFORE.sub("", stem)).strip())


class _Search:
    def __init__(self, gathered: Gathered, lessons: Sequence[str]) -> None:
        self._files = gathered.files
        self._unread = gathered.unread
        self._lessons = lessons
        self._by_content: dict[str, list[str]] = {}
        self.found = Found()

    def by_name(self, lesson: str) -> None:
        """Take the file with the best name, a module rather than a notebook unless the module is an untouched stub."""
        module, notebook = (self._best(lesson, kind) for kind in (MODULE, NOTEBOOK))
        if module and notebook:
            taken, other = (notebook, module) if self._is_untouched(lesson, module, notebook) else (module, notebook)
            why = f", since {other} has no work in it" if taken == notebook else ""
            self.found.remarks.append(f"{taken} was read as {lesson}{why}; {other} was not.")
        elif not (taken := module or notebook):
            return
        elif PurePosixPath(taken).stem != lesson:
            self.found.remarks.append(f"{taken} was read as {lesson}.py.")
        self.found.modules[lesson] = taken

    def _best(self, lesson: str, kind: str) -> str:
        """The one file of a kind whose name is the best; empty when there is none, or more than one."""
        exact = lesson + kind
        alike = [name for name in self._files if name.lower().endswith(kind) and lesson_like(name) == lesson]
        for matches in (
            lambda name: name == exact,
            lambda name: PurePosixPath(name).name == exact,
            lambda name: PurePosixPath(name).name.casefold() == exact.casefold(),
            lambda name: True,
        ):
            best = self._different([name for name in alike if matches(name)])
            if len(best) == 1:
                others = [name for name in alike if self._files[name] != self._files[best[0]]]
                if others:
                    self.found.remarks.append(f"{best[0]} was read as {lesson}{kind}, and not {_listed(others)}.")
                return best[0]
            if best:
                self.found.remarks.append(
                    f"{_listed(best)} could all be {lesson}{kind}, so none was read as it by its name: "
                    f"hand in one, called {exact}."
                )
                return ""
        return ""

    def _different(self, names: list[str]) -> list[str]:
        """The first of each set of files that are the same to the byte."""
        return list({self._files[name]: name for name in reversed(names)}.values())[::-1]

    def _is_untouched(self, lesson: str, module: str, notebook: str) -> bool:
        wanted = _wanted(lesson)
        mine, theirs = self._defined[module], self._defined[notebook]
        has_none = (
            all(mine[name] for name in wanted & set(mine)) if wanted & set(mine) else not self._files[module].strip()
        )
        return has_none and any(not theirs[name] for name in wanted & set(theirs))

    def by_content(self, lesson: str, named: set[str]) -> None:
        """Take the one file that defines what the lesson asks for.

        A module that is another lesson by its name may well define one function of the same name as a helper, so it
        has to define all; a notebook is where people work on several lessons.
        """
        wanted = _wanted(lesson)
        if not wanted:
            return
        complete = [name for name, own in self._defined.items() if wanted <= set(own)]
        partial = [
            name
            for name, own in self._defined.items()
            if wanted & set(own) and (name not in named or name.endswith(NOTEBOOK))
        ]
        for fitting in (self._different(complete), self._different(partial)):
            if len(fitting) == 1:
                self.found.modules[lesson] = fitting[0]
                self._by_content.setdefault(fitting[0], []).append(lesson)
                return
            if fitting:
                break
        if len(fitting) > 1:
            self.found.remarks.append(f"{_listed(fitting)} define functions of {lesson}.py, so none was read as it.")

    def tell_contents(self) -> None:
        """Say which files were found by what they define."""
        for name, lessons in self._by_content.items():
            self.found.remarks.append(f"{name} was read as {_listed(lessons)}, by the functions that it defines.")

    def readable(self, lesson: str) -> None:
        """Say why a lesson has no module where its file, or the whole archive, could not be read."""
        file = self.found.modules.get(lesson)
        if file is not None:
            if file.lower().endswith(MODULE) and (reason := problem(file, self._files[file])):
                del self.found.modules[lesson]
                self.found.unread[lesson] = reason
            return
        unread = [
            f"{name} {reason}."
            for name, reason in self._unread.items()
            if is_code(name) and lesson_like(name) == lesson
        ]
        if not unread and not self._files:
            unread = [f"{name} {reason}." for name, reason in self._unread.items()]
        if unread:
            self.found.unread[lesson] = unread[-1]

    @cached_property
    def _defined(self) -> dict[str, dict[str, bool]]:
        """What each file defines. Looked at only where names do not tell."""
        left = MOST_PARSED
        names: dict[str, dict[str, bool]] = {}
        for name, content in self._files.items():
            if not is_code(name) or len(content) > min(left, LARGEST_PARSED):
                continue
            left -= len(content)
            names[name] = _defined_in_cells(content) if name.lower().endswith(NOTEBOOK) else defined(content)
        return names


@cache
def _wanted(lesson: str) -> set[str]:
    """What a lesson asks for; nothing where the kit has no such lesson, which is said elsewhere."""
    try:
        return {function.name for function in lesson_functions(lesson)}
    except FileNotFoundError:
        return set()


def _defined_in_cells(content: bytes) -> dict[str, bool]:
    names: dict[str, bool] = {}
    for cell in code_cells(content):
        if cell.writes is None:
            found = parsed(cell.source) or dict.fromkeys(guessed_names(cell.source), False)
            for name, untouched in found.items():
                names[name] = untouched and names.get(name, True)
    return names


def _listed(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
