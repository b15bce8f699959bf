"""One sentence that says what is wrong, where, and what to do, in words that a beginner knows."""

import platform

import pytest

from grader.contract import lesson_functions
from grader.places import places
from grader.reasons import defined_twice, does_not_load, no_file, own_lines, raised, told, undefined
from grader.sandbox import Died, Frame, Raised

SOFTMAX, SCALED_SCORES, ATTENTION = lesson_functions("attention")
VERSION = ".".join(platform.python_version_tuple()[:2])


def failure(kind: str, message: str, text: str = "", file: str = "attention.py", bases: tuple[str, ...] = ()) -> Raised:
    frames = (Frame(file, 7, "f", text),) if text else ()
    return Raised(kind, message, frames, (), (kind, *bases, "Exception"))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (failure("ZeroDivisionError", "division by zero", "1 / 0"), "ZeroDivisionError in line 7: division by zero."),
        (failure("ValueError", "no", "x", "helpers.py"), "ValueError in line 7 of helpers.py: no."),
        (failure("AssertionError", "", "assert x"), "AssertionError in line 7."),
        (failure("KeyError", "'w_q'"), "KeyError: 'w_q'."),
        (failure("ValueError", "Why?"), "ValueError: Why?"),
        (failure("ValueError", "two\n  lines."), "ValueError: two lines."),
        (failure("ValueError", "x" * 1000), f"ValueError: {'x' * 200} …"),
        (failure("ValueError", "\x1b[2J"), r"ValueError: \x1b[2J."),
        (
            failure("FileNotFoundError", "[Errno 2] No such file or directory: '/home/ada/a/table.csv'", "open(x)"),
            "line 7 opens 'table.csv', which is not there: hand it in too, or do without it.",
        ),
        (
            failure("PermissionError", "[Errno 13] Permission denied: '/tmp/x/log.txt'", "open(x)"),
            "line 7 does what is not allowed while work is graded (Permission denied: 'log.txt'): do without it.",
        ),
        (
            failure("URLError", "<urlopen error [Errno 1] Operation not permitted>", "urlopen(x)", bases=("OSError",)),
            "line 7 asks for something on the network, and there is none while work is graded: do without it.",
        ),
        (
            failure("ModuleNotFoundError", "No module named 'torch'", "import torch", bases=("ImportError",)),
            "line 7 imports torch, which is not available here: only NumPy, Python's standard library and your own "
            "files are. Remove the import.",
        ),
        (
            failure("ModuleNotFoundError", "No module named 'kit'", "from kit.attention import softmax"),
            "line 7 imports kit, which is not available here: write from attention import softmax.",
        ),
        (
            failure("ModuleNotFoundError", "No module named 'kit'", "import kit.attention as a"),
            "line 7 imports kit, which is not available here: write import attention.",
        ),
        (
            failure(
                "ImportError", "attempted relative import with no known parent package", "from .attention import *"
            ),
            "line 7 imports relative to a package, and the files here are in none: write from attention import *.",
        ),
        (
            failure("ImportError", "attempted relative import with no known parent package", "from . import attention"),
            "line 7 imports relative to a package, and the files here are in none: write the bare name, without a dot "
            "before it.",
        ),
        (
            failure(
                "ImportError", "cannot import name 'a' from 'attention' (/x/attention.py)", "from attention import a"
            ),
            "line 7 imports a from attention, which does not have it: is the name spelt right?",
        ),
        (
            failure("AttributeError", "module 'numpy' has no attribute 'product'", "np.product(x)"),
            "np.product in line 7 is not in NumPy 2: use np.prod.",
        ),
        (
            failure("AttributeError", "module 'numpy' has no attribute 'int'.\n`np.int` was a deprecated …", "np.int"),
            "np.int in line 7 is not in NumPy 2: use int.",
        ),
        (
            failure("AttributeError", "`np.Inf` was removed in the NumPy 2.0 release. Use `np.inf` instead.", "np.Inf"),
            "np.Inf in line 7 is not in NumPy 2: use np.inf.",
        ),
        (
            failure("AttributeError", "`np.mat` was removed in the NumPy 2.0 release. Use `np.asmatrix` instead.", "x"),
            "np.mat in line 7 is not in NumPy 2: use np.array.",
        ),
        (
            failure(
                "ImportError", "cannot import name 'in1d' from 'numpy' (/x/numpy/__init__.py)", "from numpy import x"
            ),
            "np.in1d in line 7 is not in NumPy 2: use np.isin.",
        ),
        (
            failure("AttributeError", "module 'numpy' has no attribute 'sofmax'", "np.sofmax"),
            "line 7 uses sofmax of numpy, which does not have it.",
        ),
        (
            failure("AttributeError", "module 'random' has no attribute 'rows'", "random.rows(x)"),
            "line 7 uses rows of random, which does not have it. Python has a module random itself: if you mean a file "
            "of yours, give it another name.",
        ),
        (
            failure("ImportError", "cannot import name 'rows' from 'random' (/x/random.py)", "from random import rows"),
            "line 7 imports rows from random, which does not have it: is the name spelt right? Python has a module "
            "random itself: if you mean a file of yours, give it another name.",
        ),
        (
            failure("AttributeError", "'list' object has no attribute 'shape'", "x.shape"),
            "AttributeError in line 7: 'list' object has no attribute 'shape'.",
        ),
        (
            failure("EOFError", "EOF when reading a line", "input()"),
            "line 7 asks for input(), and nobody can type while work is graded: remove it.",
        ),
        (
            failure("BdbQuit", "", "breakpoint()"),
            "the debugger stops at line 7, and nobody can type while work is graded: remove breakpoint() or pdb.",
        ),
        (failure("SystemExit", "0", "exit()"), "line 7 asks Python to end (exit, quit or sys.exit): remove that."),
        (
            failure("RecursionError", "maximum recursion depth exceeded", "f()"),
            "RecursionError in line 7: functions call each other too deep, or without end.",
        ),
        (
            failure("TypeError", "unhashable type: 'numpy.ndarray'", "seen[x]"),
            "TypeError in line 7: an array cannot be a key of a dict, a set or functools.cache; do without.",
        ),
        (
            failure("FloatingPointError", "underflow encountered in exp", "np.exp(x)"),
            "FloatingPointError in line 7: underflow encountered in exp, and np.seterr or np.errstate makes an "
            "exception of it; remove that.",
        ),
        (
            failure("NameError", "name 'np' is not defined", "np.exp(x)"),
            "line 7 uses np, which is not defined: write import numpy as np at the top of the file.",
        ),
        (failure("NameError", "name 'y' is not defined", "y"), "NameError in line 7: name 'y' is not defined."),
    ],
)
def test_an_exception_is_told(error: Raised, sentence: str) -> None:
    assert told(error, "attention.py") == sentence


@pytest.mark.parametrize(
    ("kind", "message", "text", "sentence"),
    [
        ("SyntaxError", "invalid syntax", "<<<<<<< HEAD", "line 7 is a mark that git left (<<<<<<< HEAD): choose one"),
        ("SyntaxError", "invalid syntax", "=======", "line 7 is a mark that git left (=======): choose one"),
        ("SyntaxError", "invalid syntax", ">>>>>>> a1b2c3", "line 7 is a mark that git left (>>>>>>> a1b2c3): choose"),
        ("SyntaxError", "invalid syntax", ">>> x = 1", "line 7 begins with the prompt of a Python session: delete the"),
        ("SyntaxError", "invalid syntax", "In [3]: x = 1", "line 7 begins with the prompt of a Python session: delete"),
        (
            "SyntaxError",
            "invalid character '“' (U+201C)",
            "x",
            "line 7 has the character “ (U+201C), which is not Python",
        ),
        (
            "SyntaxError",
            "invalid non-printable character U+00A0",
            "x",
            "line 7 has the invisible character U+00A0, which",
        ),
        (
            "SyntaxError",
            "'(' was never closed",
            "x = (",
            f"line 7 is not Python {VERSION} (SyntaxError: '(' was never c",
        ),
        (
            "TabError",
            "inconsistent use of tabs",
            "x",
            f"line 7 is not Python {VERSION} (TabError: inconsistent use of tabs).",
        ),
    ],
)
def test_text_that_is_not_python_is_told(kind: str, message: str, text: str, sentence: str) -> None:
    error = failure(kind, f"{message} (attention.py, line 7)", text, bases=("SyntaxError",))
    assert told(error, "attention.py").startswith(sentence)


def test_text_without_a_line_is_told_too() -> None:
    error = Raised("SyntaxError", "unknown encoding: x", (Frame("a.py", 0, "<module>", ""),), (), ("SyntaxError",))
    assert told(error, "a.py") == f"its text is not Python {VERSION} (SyntaxError: unknown encoding: x)."


def test_a_file_that_does_not_load_is_named() -> None:
    died = Died("time", "Loading the file did not end within 2 seconds.")
    assert (
        does_not_load("masking.py", died) == "masking.py does not load: Loading the file did not end within 2 seconds."
    )


@pytest.mark.parametrize(
    ("source", "message", "sentence"),
    [
        (
            "def softmax(x):\n    pass",
            "softmax() got an unexpected keyword argument 'axis'",
            "It is called as softmax(x, axis=-1), but line 1 of attention.py defines softmax(x): softmax() got an "
            "unexpected keyword argument 'axis'.",
        ),
        (
            "from math import exp as softmax",
            "exp() takes no keyword arguments",
            "It is called as softmax(x, axis=-1), but attention.py does not allow that: exp() takes no keyword "
            "arguments.",
        ),
        (
            "softmax = Softmax()",
            "Softmax.__call__() missing 1 required positional argument: 'axis'",
            "It is called as softmax(x, axis=-1), but line 1 of attention.py defines it: Softmax.__call__() missing 1 "
            "required positional argument: 'axis'.",
        ),
    ],
)
def test_a_wrong_first_line_is_told_beside_the_right_one(source: str, message: str, sentence: str) -> None:
    assert raised(SOFTMAX, "attention.py", failure("TypeError", message), source.encode()) == sentence


def test_a_type_error_inside_the_function_is_not_about_its_first_line() -> None:
    error = failure("TypeError", "sum() got an unexpected keyword argument 'axes'", "np.sum(x, axes=1)")
    sentence = "softmax raised an exception: TypeError in line 7: sum() got an unexpected keyword argument 'axes'."
    assert raised(SOFTMAX, "attention.py", error, b"def softmax(x, axis=-1): pass") == sentence


@pytest.mark.parametrize(
    ("source", "names", "sentence"),
    [
        ("", set(), "."),
        ("x = 1", {"x"}, "."),
        ("def sofmax(x): pass", {"sofmax"}, ", but sofmax, which may be meant: give it the right name."),
        ("def SoftMax(x): pass", {"SoftMax"}, ", but SoftMax, which may be meant: give it the right name."),
        ("not Python", {"soft_max"}, ", but soft_max, which may be meant: give it the right name."),
        ("from x import softmin\ny = 1", {"softmin"}, "."),
        ("softmax = 3", set(), " as a function: in line 1 the name is given to something that cannot be called."),
        (
            "class A:\n    def softmax(self): pass",
            {"A"},
            " for others to use: it stands under class A in line 2; move it out of there.",
        ),
        (
            "if __name__ == '__main__':\n    def softmax(x): pass",
            set(),
            " for others to use: it stands under if __name__ == '__main__' in line 2; move it out of there.",
        ),
    ],
)
def test_a_missing_name_is_told_with_what_may_be_meant(source: str, names: set[str], sentence: str) -> None:
    found = undefined(SOFTMAX, "attention.py", names, {"attention.py": source.encode()})
    assert found == f"attention.py does not define softmax{sentence}"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([], "There is no file attention.py."),
        (["masking.py", "attention (1).py"], "There is no file attention.py."),
        (
            ["hw/Attention.py.txt"],
            "There is no file attention.py, and Attention.py.txt is no module: save your work as attention.py.",
        ),
    ],
)
def test_a_missing_file_is_told_with_what_is_there(files: list[str], said: str) -> None:
    assert no_file("attention", files) == said


def test_a_function_in_the_wrong_file_is_found() -> None:
    files = {"attention.py": b"x = 1", "masking.py": b"def attention(q, k, v): pass"}
    found = undefined(ATTENTION, "attention.py", {"x"}, files)
    assert found == "attention.py does not define attention, but masking.py does: move it to attention.py."


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"def softmax(x): pass", ""),
        (b"def softmax(x): pass\nsoftmax = 1", " softmax is defined in lines 1 and 2: the last one counts."),
        (b"def softmax(x):\n    softmax = 1", ""),
    ],
)
def test_a_second_definition_is_told(source: bytes, said: str) -> None:
    assert places(source)
    assert defined_twice("softmax", source) == said


def test_the_lines_of_a_recursion_are_told_once() -> None:
    frames = tuple(Frame("attention.py", line, "f", " f()") for line in (1, 2, 2, 2))
    error = Raised("RecursionError", "", frames, (), ("RecursionError",))
    assert own_lines(error) == ("attention.py, line 1: f()", "attention.py, line 2: f()")
    assert own_lines(Died("time", "")) == ()
