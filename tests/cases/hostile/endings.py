"""Ends of the process and calls without an end."""

import sys

from tests.cases import Case
from tests.cases.hostile.attacks import ENDED, LOST, UNLOADABLE, loads, well, wrong

STOPS_IN_C = sys.version_info >= (3, 12)
"""Whether Python itself stops a recursion in its own C code, whatever limit is set."""
NO_SKIP = """
class Skipped(BaseException):
    pass
Skipped.__name__ = Skipped.__qualname__ = "Skipped"
Skipped.__module__ = "builtins"
"""

ENDINGS = (
    Case(
        "os._exit(0) at import",
        loads("import os\nos._exit(0)"),
        UNLOADABLE,
        r"attention\.py does not load: Loading the file ended the process \(exit code 0\)",
    ),
    Case(
        "os._exit(0) in a call",
        wrong("os._exit(0)"),
        ENDED,
        r"softmax never came back: The call ended the process \(exit code 0\)",
    ),
    Case(
        "sys.exit(0) at import",
        loads("import sys\nsys.exit(0)"),
        UNLOADABLE,
        r"attention\.py does not load: line 2 asks Python to end",
    ),
    Case(
        "sys.exit(0) in a call", wrong("sys.exit(0)"), ENDED, r"softmax never came back: The call asked Python to end"
    ),
    Case(
        "pytest.skip at import",
        loads('import pytest\npytest.skip("not today", allow_module_level=True)'),
        UNLOADABLE,
        r"attention\.py does not load: .*pytest",
    ),
    Case("pytest.skip in a call", wrong("import pytest\npytest.skip('not today')"), LOST, r"pytest"),
    Case(
        "an exception like pytest's Skipped in a call",
        wrong("raise Skipped('not today')", NO_SKIP),
        LOST,
        r"Skipped in line \d+: not today",
    ),
    Case(
        "KeyboardInterrupt at import",
        loads("raise KeyboardInterrupt"),
        UNLOADABLE,
        r"attention\.py does not load: KeyboardInterrupt",
    ),
    Case("KeyboardInterrupt in a call", wrong("raise KeyboardInterrupt"), LOST, r"KeyboardInterrupt"),
    Case(
        "forges the exit code that stands for something else",
        wrong("os._exit(77)"),
        ENDED,
        r"softmax never came back: The call asked for more than 256 MB of memory",
    ),
    Case(
        "segfault through ctypes",
        wrong("import ctypes\nctypes.string_at(0)"),
        ENDED,
        r"softmax never came back: The call crashed the process \(SIGSEGV\)",
    ),
    Case(
        "an alarm that ends the process",
        wrong("import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001)\nsignal.pause()"),
        ENDED,
        r"softmax never came back: The call crashed the process \(SIGALRM\)",
    ),
    Case(
        "deep recursion in C, without a limit",
        wrong(
            """
            sys.setrecursionlimit(10 ** 9)
            class Deep:
                def __repr__(self): return repr(self)
            repr(Deep())
            """
        ),
        LOST if STOPS_IN_C else ENDED,
        r"RecursionError" if STOPS_IN_C else r"softmax never came back: The call crashed the process \(SIGSEGV\)",
    ),
    Case(
        "a subinterpreter that ends the process",
        wrong(
            """
            import _xxsubinterpreters as interpreters
            interpreters.run_string(interpreters.create(), "import os; os._exit(0)")
            """,
            """
            try:
                import _xxsubinterpreters
            except ImportError:
                import _interpreters
                sys.modules["_xxsubinterpreters"] = _interpreters
            """,
        ),
        ENDED,
        r"softmax never came back: The call ended the process \(exit code 0\)",
    ),
    Case(
        "hooks for the end: atexit, __del__, excepthook, in right work",
        well(
            "",
            """
            import atexit
            def forge(*args):
                tried(lambda: open("@HERE@/results/forged.json", "w"))
                while True: pass
            class Last:
                __del__ = forge
            atexit.register(forge)
            sys.excepthook = sys.unraisablehook = forge
            last = Last()
            """,
        ),
    ),
    Case(
        "an infinite loop at import",
        loads("while True: pass"),
        UNLOADABLE,
        r"attention\.py does not load: Loading the file did not end within 2 seconds",
    ),
    Case(
        "ignores signals and every exception, and never ends",
        wrong(
            """
            import signal
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGXCPU):
                signal.signal(number, signal.SIG_IGN)
            while True:
                try:
                    while True: pass
                except BaseException: pass
            """
        ),
        ENDED,
        r"softmax never came back: The call did not end within 2 seconds",
    ),
)
