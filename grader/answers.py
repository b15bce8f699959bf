"""How an answer to a question is read: by the program that students have, so that both sides always agree."""

import importlib.util
from types import ModuleType
from typing import Any

from grader.kit import SOLUTIONS
from grader.oracles import value_key
from grader.sandbox import as_numpy


def _load() -> ModuleType:
    """The students' program, known to no one else. It needs nothing but NumPy."""
    spec = importlib.util.spec_from_file_location("grader.reading", SOLUTIONS / "reading.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{SOLUTIONS / 'reading.py'} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_reading = _load()
QUESTIONS: tuple[str, ...] = tuple(_reading.QUESTIONS)


class Unreadable(Exception):
    """The answer cannot be read; the message says in one sentence what form is wanted, and nothing of what is right."""


def read(question: str, value: Any) -> Any:
    """What is meant by an answer, however it is written. Raises ``Unreadable``."""
    try:
        return _reading.QUESTIONS[question](as_numpy(value))
    except _reading.Unreadable as problem:
        raise Unreadable(str(problem)) from None


def same(this: Any, that: Any) -> bool:
    """Whether two answers to one question, both read, are the same; numbers differ by their last decimal at most."""
    return bool(_reading.same(this, that))


def alike(question: str, this: Any, that: Any) -> bool:
    """Whether two values, as they came back, are the same answer in two ways of writing it.

    What cannot be read is like nothing but itself.
    """
    try:
        return same(read(question, this), read(question, that))
    except Unreadable:
        return value_key(this) == value_key(that)
