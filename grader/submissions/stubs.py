"""Which names files define, and whether there is work in them or they are still as they were handed out."""

import re
from collections.abc import Mapping
from functools import cache

from grader.contract import all_lessons, lesson_functions
from grader.sandbox.inside.definitions import guessed_names
from grader.sandbox.inside.notebooks import NOTEBOOK, code_cells
from grader.submissions.text import LARGEST_PARSED, defined, parsed

MOST_PARSED = 2**19
"""Bytes of one submission in which names are looked for."""


@cache
def wanted(lesson: str) -> frozenset[str]:
    """What a lesson asks for; nothing where the kit has no such lesson, which is said elsewhere."""
    try:
        return frozenset(function.name for function in lesson_functions(lesson))
    except FileNotFoundError:
        return frozenset()


def is_untouched(lesson: str, content: bytes, names: Mapping[str, bool]) -> bool:
    """Whether a file with these names holds nothing but the lesson's stubs, or nothing at all."""
    asked = wanted(lesson) & set(names)
    return all(names[name] for name in asked) if asked else not content.strip()


def has_work(lesson: str, names: Mapping[str, bool]) -> bool:
    """Whether a file with these names has work on the lesson in it."""
    return any(not names[name] for name in wanted(lesson) & set(names))


class Names:
    """The names that one submission's files define, and whether each is untouched. It looks until it has had enough.

    Parsing happens outside the sandbox and takes its time, so files that hold no name that a lesson asks for are not
    looked at.
    """

    def __init__(self) -> None:
        self._left = MOST_PARSED
        self._known: dict[tuple[bool, bytes], dict[str, bool]] = {}

    def of(self, file: str, content: bytes) -> dict[str, bool]:
        """The names of a module or a notebook. None where it is too large or cannot be parsed."""
        key = file.lower().endswith(NOTEBOOK), content
        if key not in self._known:
            if len(content) > min(self._left, LARGEST_PARSED) or not _any_wanted().search(content):
                return {}
            self._left -= len(content)
            self._known[key] = _defined_in_cells(content) if key[0] else defined(content)
        return self._known[key]


@cache
def _any_wanted() -> re.Pattern[bytes]:
    names = sorted(name for lesson in all_lessons() for name in wanted(lesson))
    return re.compile("|".join(map(re.escape, names)).encode())


def _defined_in_cells(content: bytes) -> dict[str, bool]:
    names: dict[str, bool] = {}
    for cell in code_cells(content):
        if cell.writes is None:
            found = parsed(cell.source) or dict.fromkeys(guessed_names(cell.source), False)
            for name, untouched in found.items():
                names[name] = untouched and names.get(name, True)
    return names
