"""What the tests are written with: your functions, watched while they are called, your answers, ways to compare."""

import copy
import importlib
import inspect
import traceback
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from reading import QUESTIONS, Unreadable, fits

HERE = Path(__file__).parent


class Mismatch(AssertionError):
    """A wrong answer. ``reason`` says in one sentence what is wrong with its form, if the numbers are not the point."""

    def __init__(self, got, expected, reason=None):
        super().__init__(reason or "the answer is not the expected one")
        self.got, self.expected, self.reason = got, expected, reason


class Unusable(Exception):
    """The function cannot be called at all; the message says why in one sentence."""


@dataclass
class Call:
    """One call of a function: its arguments by name, as they were before it, and what it returned."""

    arguments: dict
    result: object = None


class Exercise:
    """One of your functions, looked up when it is called: a broken file costs only the tests that need it."""

    def __init__(self, lesson, name, signature):
        self.lesson, self.name, self.signature = lesson, name, signature
        self.calls = deque(maxlen=8)  # the latest ones, for the report of a test that fails

    def __call__(self, *args, **kwargs):
        function = self.find()
        call = Call(self.bind(function, *copy.deepcopy(args), **copy.deepcopy(kwargs)))
        self.calls.append(call)
        call.result = function(*args, **kwargs)
        if call.result is None:
            raise Mismatch(None, "an answer", "It returned None: is a return missing?")
        return call.result

    def bind(self, function, *args, **kwargs):
        """The arguments by name. Raises ``Mismatch`` when the function's first line does not allow the call."""
        try:
            return inspect.signature(function).bind(*args, **kwargs).arguments
        except TypeError as error:
            self.calls.clear()
            yours = f"def {self.name}{inspect.signature(function)}"
            reason = f"Its first line does not allow the call: {error}."
            raise Mismatch(yours, f"def {self.signature}", reason) from None

    def find(self):
        """Your function. Raises ``Unusable`` when its file does not load or does not define it."""
        function = getattr(load(self.lesson), self.name, None)
        if not inspect.isfunction(function):
            raise Unusable(f"not defined: {self.lesson}.py has no function {self.signature}")
        return function


class Answer(Exercise):
    """One of your answers to a question: a name in your file that is None until you fill it in."""

    def __call__(self):
        answer = self.find()
        if answer is None:
            raise NotImplementedError(f"{self.name} is not answered")
        return answer

    def find(self):
        """Your answer. Raises ``Unusable`` when its file does not load or does not define it."""
        module = load(self.lesson)
        if not hasattr(module, self.name):
            raise Unusable(f"not defined: {self.lesson}.py has no {self.name}")
        return getattr(module, self.name)


def load(lesson):
    """Your module. Raises ``Unusable`` when there is none or it cannot be imported."""
    if not (HERE / f"{lesson}.py").is_file():
        raise Unusable(f"cannot be loaded: there is no file {lesson}.py")
    try:
        return importlib.import_module(lesson)
    except SyntaxError as error:
        where, what = f"{Path(error.filename).name}, line {error.lineno}", error.msg
    except (Exception, SystemExit) as error:
        own = own_frames(error.__traceback__)
        where = f"{own[-1].filename}, line {own[-1].lineno}" if own else f"{lesson}.py"
        what = f"{type(error).__name__}: {error}"
    raise Unusable(f"cannot be loaded: {where}: {what}")


def own_frames(trace):
    """The frames of a traceback that are lines of your files, innermost last, with the bare name of the file."""
    frames = [frame for frame in traceback.extract_tb(trace) if is_yours(Path(frame.filename))]
    return [traceback.FrameSummary(Path(f.filename).name, f.lineno, f.name, line=f.line) for f in frames]


def is_yours(file):
    """Whether a file is one that you write in: not a test, not what runs the tests."""
    ours = file.name.startswith("test_") or file.name in ("conftest.py", "checking.py", "reading.py")
    return file.parent == HERE and not ours


def assert_close(got, expected):
    """The same shape and, apart from rounding, the same numbers."""
    got, expected = _same_form(got, np.asarray(expected, dtype=float))
    if not np.allclose(got, expected, rtol=1e-10, atol=1e-12):
        raise Mismatch(got, expected)


def assert_equal(got, expected):
    """The same shape and exactly the same entries; True and False are not 1 and 0."""
    got, expected = _same_form(got, np.asarray(expected))
    if (got.dtype == bool) != (expected.dtype == bool):
        kinds = "True and False" if expected.dtype == bool else "numbers"
        raise Mismatch(got, expected, f"The array must hold {kinds}, and this one holds {got.dtype}.")
    if not np.array_equal(got, expected):
        raise Mismatch(got, expected)


def assert_count(got, expected):
    """Exactly this whole number, and a Python int."""
    if type(got) is not int:
        raise Mismatch(got, expected, f"The answer must be a Python int, and this is a {type(got).__name__}.")
    if got != expected:
        raise Mismatch(got, expected)


def assert_value_error(function, *arguments):
    """The call is refused with a ValueError."""
    try:
        got = function(*arguments)
    except ValueError:
        return
    except (AssertionError, IndexError, ZeroDivisionError) as error:
        if isinstance(error, Mismatch):
            raise
        got = f"{type(error).__name__}: {error}"
    raise Mismatch(got, "ValueError")


def assert_answer(answer, wanted, *kept):
    """The right answer to a question. What it is stands nowhere in this folder, only digests that know it again.

    ``wanted`` says in words what kind of answer it is.
    """
    value = answer()
    try:
        right = fits(answer.name, QUESTIONS[answer.name](value), list(kept))
    except Unreadable as problem:
        raise Mismatch(value, wanted, str(problem)) from None
    if not right:
        raise Mismatch(value, f"{wanted}, but not this")


def _same_form(got, expected):
    """Both as they are, if ``got`` is an array of the expected shape."""
    if not isinstance(got, np.ndarray | np.generic):
        raise Mismatch(got, expected, f"The answer must be a NumPy array, and this is a {type(got).__name__}.")
    if got.shape != expected.shape:
        raise Mismatch(got, expected, f"The shape must be {expected.shape}, and this is {got.shape}.")
    return got, expected
