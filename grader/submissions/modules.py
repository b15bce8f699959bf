"""Which file is which lesson: by its name, by a name that is nearly right, or by what it defines."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from grader.sandbox.inside.notebooks import NOTEBOOK, code_cells
from grader.submissions.archives import is_archive
from grader.submissions.gather import MODULE, Gathered, is_code
from grader.submissions.stubs import has_work, is_untouched, wanted
from grader.submissions.text import problem

LONGEST_LESSON = 100
"""Characters of a file's name that may still be a lesson's."""
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
        search.by_content(lesson, named)
    search.tell_contents()
    for lesson in lessons:
        search.readable(lesson)
    search.tell_splits()
    return search.found


def splits(name: str, notebook: bytes) -> list[str]:
    """What is said of a notebook's cells that are one cell, split in the middle of a function."""
    return [
        f"Cells {cell.number} {'and' if cell.pieces == 2 else 'to'} {cell.number + cell.pieces - 1} of {name} "
        "were read as one: a function that begins in the first goes on in the next."
        for cell in code_cells(notebook)
        if cell.pieces > 1
    ]


@lru_cache(4096)
def lesson_like(name: str) -> str:
    """The name of a module or notebook as it would be without what copying, downloading and versions add to it.

    Empty for a name that is too long to be a lesson's.
    """
    stem = PurePosixPath(name).stem
    if len(stem) <= LONGEST_LESSON:
        stem = unicodedata.normalize("NFKC", stem).casefold().strip()
    if len(stem) > LONGEST_LESSON:
        return ""
    return re.sub(r"[ .-]+", "_", _AFTER.sub("", _BEFORE.sub("", stem)).strip())


class _Search:
    def __init__(self, gathered: Gathered, lessons: Sequence[str]) -> None:
        self._files = gathered.files
        self._unread = gathered.unread
        self._names = gathered.names
        self._lessons = lessons
        self._by_content: dict[str, list[str]] = {}
        self.found = Found()

    def by_name(self, lesson: str) -> None:
        """Take the file with the best name, a module rather than a notebook unless the module is an untouched stub."""
        module, notebook = (self._best(lesson, kind) for kind in (MODULE, NOTEBOOK))
        if module and notebook:
            idle = self._is_untouched(lesson, module) and has_work(lesson, self._defined[notebook])
            taken, other = (notebook, module) if idle else (module, notebook)
            why = f", since {other} has no work in it" if taken == notebook else ""
            self.found.remarks.append(f"{taken} was read as {lesson}{why}; {other} was not.")
        elif not (taken := module or notebook):
            return
        elif PurePosixPath(taken).stem != lesson:
            self.found.remarks.append(f"{taken} was read as {lesson}.py.")
        self.found.modules[lesson] = taken

    def _best(self, lesson: str, kind: str) -> str:
        """The one file of a kind whose name is the best; empty when there is none, or more than one.

        Untouched ones do not count where there are others.
        """
        exact = lesson + kind
        alike = [name for name in self._files if name.lower().endswith(kind) and lesson_like(name) == lesson]
        idle = [name for name in alike if self._is_untouched(lesson, name)] if len(alike) > 1 else []
        if len(idle) < len(alike):
            alike = [name for name in alike if name not in idle]
        else:
            idle = []
        for matches in (
            lambda name: name == exact,
            lambda name: PurePosixPath(name).name == exact,
            lambda name: PurePosixPath(name).name.casefold() == exact.casefold(),
            lambda name: True,
        ):
            best = self._different([name for name in alike if matches(name)])
            if len(best) == 1:
                others = [name for name in alike if self._files[name] != self._files[best[0]]]
                if idle:
                    self.found.remarks.append(
                        f"{best[0]} was read as {lesson}{kind}, since there is no work in {_listed(idle)}."
                    )
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

    def _imports(self, name: str, lesson: str) -> bool:
        return re.search(rf"\b(?:from|import)\s+{lesson}\b".encode(), self._files[name]) is not None

    def _is_untouched(self, lesson: str, name: str) -> bool:
        return is_untouched(lesson, self._files[name], self._defined[name])

    def by_content(self, lesson: str, named: set[str]) -> None:
        """Take the one file that defines what the lesson asks for, where none is called so or that one is untouched.

        A module that is another lesson by its name may well define one function of the same name as a helper, so it
        has to define all; a notebook is where people work on several lessons, but one that imports this lesson says
        that it is elsewhere.
        """
        asked = wanted(lesson)
        stub = self.found.modules.get(lesson)
        if not asked or (stub and not self._is_untouched(lesson, stub)):
            return
        complete = [name for name, own in self._defined.items() if asked <= set(own)]
        partial = [
            name
            for name, own in self._defined.items()
            if asked & set(own)
            and (name not in named or (name.lower().endswith(NOTEBOOK) and not self._imports(name, lesson)))
        ]
        working = {name for name in (*complete, *partial) if has_work(lesson, self._defined[name])}
        if stub and not working:
            return
        if working:
            complete = [name for name in complete if name in working]
            partial = [name for name in partial if name in working]
        for fitting in (self._different(complete), self._different(partial)):
            if len(fitting) == 1:
                self.found.modules[lesson] = fitting[0]
                if stub:
                    self.found.remarks.append(f"{fitting[0]} was read as {lesson}, since there is no work in {stub}.")
                self._by_content.setdefault(fitting[0], []).append(lesson)
                return
            if fitting:
                break
        if len(fitting) > 1:
            instead = f" instead of {stub}, in which there is no work" if stub else ""
            self.found.remarks.append(
                f"{_listed(fitting)} define functions of {lesson}.py, so none was read as it{instead}."
            )

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
            if (is_code(name) or is_archive(name)) and lesson_like(name) == lesson
        ]
        if not unread and not self._files:
            unread = [f"{name} {reason}." for name, reason in self._unread.items()]
        if unread:
            self.found.unread[lesson] = unread[-1]

    def tell_splits(self) -> None:
        """Say which cells of the notebooks that count were put together again."""
        for name in dict.fromkeys(self.found.modules.values()):
            self.found.remarks += splits(name, self._files[name]) if name.lower().endswith(NOTEBOOK) else []

    @cached_property
    def _defined(self) -> dict[str, dict[str, bool]]:
        """What each module and notebook defines."""
        return {name: self._names.of(name, content) for name, content in self._files.items() if is_code(name)}


def _listed(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
