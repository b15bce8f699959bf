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
    """A wrong answer, or a number that was worked out from an answer: then ``of`` says what it is.

    ``reason`` says in one sentence what is wrong with the answer's form, if the numbers are not the point.
    """

    def __init__(self, got, expected, reason=None, of=None):
        super().__init__(reason or "the answer is not the expected one")
        self.got, self.expected, self.reason, self.of = got, expected, reason, of


class Unusable(Exception):
    """The function cannot be called at all; the message says why in one sentence."""


@dataclass
class Call:
    """One call of a function: its arguments by name, as they were before it, and what it returned.

    ``keywords`` are the arguments that were given by name, ``stars`` those that hold any number of values.
    """

    arguments: dict
    keywords: frozenset = frozenset()
    stars: frozenset = frozenset()
    result: object = None


class Exercise:
    """One of your functions, looked up when it is called: a broken file costs only the tests that need it."""

    def __init__(self, lesson, name, signature):
        self.lesson, self.name, self.signature = lesson, name, signature
        self.calls = deque(maxlen=8)  # the latest ones, for the report of a test that fails

    def __call__(self, *args, **kwargs):
        function = self.find()
        call = self.call_of(function, *copy.deepcopy(args), **copy.deepcopy(kwargs))
        self.calls.append(call)
        call.result = function(*args, **kwargs)
        if call.result is None:
            raise Mismatch(None, "an answer", "It returned None: is a return missing?")
        for name, after in self.call_of(function, *args, **kwargs).arguments.items():
            for part, was, now in changes(name, call.arguments[name], after):
                reason = f"It changed its argument {name}."
                raise Mismatch(now, was, reason, of=f"{part} after the call")
        return call.result

    def call_of(self, function, *args, **kwargs):
        """The call to be. Raises ``Mismatch`` when the function's first line does not allow it."""
        signature = signature_of(function)
        try:
            arguments = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            self.calls.clear()
            reason = f"Its first line does not allow the call: {error}."
            raise Mismatch(f"def {self.name}{signature}", f"def {self.signature}", reason) from None
        stars = {p.name for p in signature.parameters.values() if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
        return Call(arguments, frozenset(kwargs), frozenset(stars))

    def find(self):
        """Your function. Raises ``Unusable`` when its file does not load or does not define it."""
        function = getattr(load(self.lesson), self.name, None)
        if not callable(function) or isinstance(function, type):
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


def signature_of(function):
    """A function's first line; one that fits every call where it has none, as some that are not written in Python."""
    try:
        return inspect.signature(function)
    except ValueError:
        return inspect.signature(lambda *arguments, **named: None)


def changes(name, before, after):
    """Each part of a value that is not as it was: its name, what it was, what it is now."""
    if isinstance(before, dict) and isinstance(after, dict) and list(before) == list(after):
        for key, part in before.items():
            yield from changes(f"{name}[{key!r}]", part, after[key])
    elif isinstance(before, tuple | list) and isinstance(after, tuple | list) and len(before) == len(after):
        for i, (this, that) in enumerate(zip(before, after, strict=True)):
            yield from changes(f"{name}[{i}]", this, that)
    elif isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        if (before.shape, before.dtype, before.tobytes()) != (after.shape, after.dtype, after.tobytes()):
            yield name, before, after
    elif type(before) is not type(after) or before != after:
        yield name, before, after


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
        what = told(error)
    raise Unusable(f"cannot be loaded: {where}: {what}")


def told(error):
    """An exception in words: its kind, and its message if it has one that can be read."""
    try:
        message = str(error)
    except Exception:
        message = ""
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def own_frames(trace):
    """The frames of a traceback that are lines of your files, innermost last, with the bare name of the file."""
    frames = [frame for frame in traceback.extract_tb(trace) if is_yours(Path(frame.filename))]
    return [traceback.FrameSummary(Path(f.filename).name, f.lineno, f.name, line=f.line) for f in frames]


def is_yours(file):
    """Whether a file is one that you write in: not a test, not what runs the tests."""
    ours = file.name.startswith("test_") or file.name in ("conftest.py", "checking.py", "reading.py")
    return file.parent == HERE and not ours


def assert_close(got, expected, of=None):
    """The same shape and, apart from rounding, the same numbers.

    ``of`` says what ``got`` is, if it is not what a function returned but was worked out from that.
    """
    got, expected = _same_form(got, np.asarray(expected, dtype=float), of)
    if not np.allclose(got, expected, rtol=1e-10, atol=1e-12):
        raise Mismatch(got, expected, of=of)


def assert_number(got, expected):
    """One number, a float, and, apart from rounding, the expected one."""
    if not isinstance(got, float | int) or isinstance(got, bool):
        raise Mismatch(got, expected, f"The answer must be one number, a float, and this is a {type(got).__name__}.")
    if not np.isclose(got, expected, rtol=1e-10, atol=1e-12):
        raise Mismatch(got, expected)


def assert_equal(got, expected, of=None):
    """The same shape and exactly the same entries; True and False are not 1 and 0. ``of`` as in ``assert_close``."""
    got, expected = _same_form(got, np.asarray(expected), of)
    if not np.array_equal(got, expected):
        raise Mismatch(got, expected, of=of)


def assert_count(got, expected, of=None):
    """Exactly this whole number, and a Python int. ``of`` as in ``assert_close``."""
    if type(got) is not int:
        reason = f"The answer must be a Python int, and this is a {type(got).__name__}."
        raise Mismatch(got, expected, reason, of)
    if got != expected:
        raise Mismatch(got, expected, of=of)


def assert_value_error(function, *arguments):
    """The call is refused with a ValueError."""
    try:
        got = function(*arguments)
    except ValueError:
        return
    except (NotImplementedError, Mismatch, Unusable):
        raise
    except Exception as error:
        raise Mismatch(told(error), "ValueError") from error
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


def _same_form(got, expected, of):
    """Both as they are, if ``got`` is an array of the expected shape that holds the same kind of thing."""
    reason = None
    if type(got) is not np.ndarray and not isinstance(got, np.generic):
        reason = f"The answer must be a NumPy array, and this is a {type(got).__name__}."
    elif got.shape != expected.shape:
        reason = f"The shape must be {expected.shape}, and this is {got.shape}."
    elif (got.dtype.kind in "iuf") != (expected.dtype.kind in "iuf") or (got.dtype == bool) != (expected.dtype == bool):
        kind = "True and False" if expected.dtype == bool else "real numbers"
        reason = f"The array must hold {kind}, and this one holds {got.dtype}."
    if reason:
        raise Mismatch(got, expected, reason, of)
    return got, expected
