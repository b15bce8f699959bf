"""Runs the tests of a notebook on your functions as they are now, and gives hints. It needs nothing but NumPy."""

import os
import sys
import tomllib
import traceback

from checking import HERE, Answer, Exercise, Mismatch, Unusable, told
from writing import call_behind, indented, written, written_call, written_pair

HINTS = {
    name: (lesson, hints)
    for lesson, functions in tomllib.loads((HERE / "hints.toml").read_text(encoding="utf-8")).items()
    for name, hints in functions.items()
}
STEPS = ("nudge", "idea", "pseudocode")


class TestsFailed(AssertionError):
    """Tests do not hold. Jupyter shows the message alone, since the lines that raised it are not yours."""

    def _render_traceback_(self):
        return str(self).splitlines()


def in_notebook(name):
    """What a name stands for in the notebook. Raises ``Unusable`` when no cell that has run defines it."""
    names = vars(sys.modules["__main__"])
    if name not in names:
        raise Unusable(f"{name} is not defined: run the cell that defines it first")
    return names[name]


class YourFunction(Exercise):
    """A function of the notebook, looked up when it is called."""

    def find(self):
        function = in_notebook(self.name)
        if not callable(function) or isinstance(function, type):
            raise Unusable(f"{self.name} is not a function any more: run the cell that defines it again")
        return function


class YourAnswer(Answer):
    """An answer of the notebook."""

    def find(self):
        return in_notebook(self.name)


def exercise(name):
    """What a test asks for by name."""
    lesson, hints = HINTS[name]
    return (YourAnswer if name.isupper() else YourFunction)(lesson, name, hints["signature"])


def cases(*examples):
    """Run a test on each of these examples: the values of its arguments after the functions that it asks for."""

    def keep(test):
        test.cases = examples
        return test

    return keep


def run_tests(name, defined):
    """Run the tests among the names that are ``defined``, and say which of them hold.

    Raises ``TestsFailed`` only where nbgrader validates a notebook: it looks for errors, and "Run all cells" ends at
    the first one.
    """
    tests = {test: run for test, run in defined.items() if test.startswith("test_")}
    failures = {test: failure for test, run in tests.items() if (failure := failure_of(run))}
    text = report(name, len(tests), failures)
    if failures and os.environ.get("NBGRADER_EXECUTION") == "validate":
        raise TestsFailed(text)
    print(text)


def failure_of(test):
    """What is wrong with the first example on which a test does not hold: the error, and what is to be read of it."""
    for example in getattr(test, "cases", [()]):
        count = test.__code__.co_argcount - len(example)
        asked = [exercise(name) for name in test.__code__.co_varnames[:count]]
        try:
            test(*asked, *example)
        except Exception as error:
            return error, explain(asked[-1], error, " ".join(test.__doc__.split()))
    return None


def report(name, count, failures):
    """Where a function or an answer stands, in one line; below it the first failure, which is the simplest."""
    if not failures:
        return f"{name}: right." if name.isupper() else f"{name}: all {count} tests hold. Others may be asked later."
    first, (error, text) = next(iter(failures.items()))
    if isinstance(error, Unusable):
        return f"{name}: {error}."
    if len(failures) == count and all(isinstance(error, NotImplementedError) for error, _ in failures.values()):
        return f"{name}: {str(error) or 'it says itself that it is not done yet'}."
    if name.isupper():
        return f"{name}: not right yet.\n{text}"
    return f"{name}: {count - len(failures)} of {count} tests hold. The first that does not is {first}:\n{text}"


def explain(exercise, error, promise):
    """What was called, what came back, what was expected, the property that broke, the next step, your own lines."""
    lines = own_lines(error.__cause__ or error)
    call = exercise.calls[-1] if exercise.calls else None
    if isinstance(error, Mismatch):
        call = call_behind(error.got, exercise.calls) or call
        got, expected = written_pair(error.got, error.expected)
        got, broke = f"{error.of}:\n{got}" if error.of else got, error.reason or promise
    elif lines or (call and call.result is None):  # nothing came back
        got, expected, broke = told(error), "an answer, not an exception", promise
    else:
        got, expected, broke = written(call and call.result), f"an answer of another form ({told(error)})", promise
    entries = {
        "called": written_call(exercise, call),
        "got": got,
        "expected": expected,
        "property": broke,
        "next step": f'hint("{exercise.name}") in a cell of your own',
    }
    if lines:
        entries["your code"] = "\n".join(f"line {f.lineno} of {f.name}: {f.line}" for f in lines[-5:])
    return "\n".join(f"  {label:<9}  " + indented(text, 13) for label, text in entries.items())


def own_lines(error):
    """The lines of a traceback that stand in your cells: those of files in this folder and of libraries are left out.

    The test itself stands in a cell too; its functions are known by where they are defined.
    """
    frames = traceback.extract_tb(error.__traceback__)
    cells = [frame for frame in frames if "ipykernel" in frame.filename or frame.filename.startswith("<ipython")]
    tests = {frame.filename for frame in cells if frame.name.startswith("test_")}
    return [frame for frame in cells if frame.filename not in tests]


def hint(name, step=1):
    """Show one of the three hints for a function or a question: ``hint("softmax")``, ``hint("softmax", 2)``."""
    if name not in HINTS or step not in (1, 2, 3):
        print(f"There are hints 1, 2 and 3 for each of: {', '.join(HINTS)}.")
        return
    _, hints = HINTS[name]
    more = f'If you need more: hint("{name}", {step + 1})' if step < len(STEPS) else "This is the last hint."
    print(f"{hints['signature']}, hint {step} of {len(STEPS)}\n\n{hints[STEPS[step - 1]].strip()}\n\n{more}")
