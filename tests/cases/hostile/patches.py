"""Patches of what a grader in the same process would compare, draw or report with."""

from tests.cases import Case
from tests.cases.hostile.attacks import FOUND_NOTHING, LOST, NOT_RIGHT, looks, well, wrong

PATCHES = (
    Case(
        "the code of assert_allclose is replaced",
        wrong(
            "",
            """
            import numpy.testing
            np.testing.assert_allclose.__code__ = (lambda *args, **kwargs: None).__code__
            """,
        ),
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "the code of assert_allclose's inner helper is replaced",
        wrong(
            "",
            """
            import numpy.testing._private.utils as utils
            for helper in (utils.assert_array_compare, utils.assert_equal, utils.build_err_msg):
                getattr(helper, "__wrapped__", helper).__code__ = (lambda *args, **kwargs: None).__code__
            """,
        ),
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "numpy.testing and unittest are patched",
        wrong(
            "",
            """
            import numpy.testing, unittest
            for place in (np.testing, unittest.TestCase, unittest.TestResult):
                for name in dir(place):
                    if name.startswith(("assert", "fail", "addFail", "addError", "wasSuccessful")):
                        setattr(place, name, lambda *args, **kwargs: True)
            """,
        ),
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "pytest's report classes are patched",
        looks(
            """
            try:
                from _pytest.reports import TestReport
            except ImportError:
                TestReport = None
            theirs = ("pytest", "_pytest")
            classes = [TestReport, *(c for c in object.__subclasses__() if c.__module__.startswith(theirs))]
            for report in filter(None, classes):
                report.outcome = report.passed = "passed"
                found.append(report.__name__)
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "hypothesis.given is patched",
        looks(
            """
            try:
                import hypothesis
                hypothesis.given = lambda *args, **kwargs: lambda test: lambda *a, **k: None
                found.append("hypothesis")
            except ImportError:
                pass
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "np.random is patched",
        wrong(
            "",
            """
            import random
            for place in (np.random, random):
                for name in ("seed", "rand", "random", "normal", "standard_normal", "default_rng", "randint"):
                    if hasattr(place, name):
                        setattr(place, name, lambda *args, **kwargs: 0)
            """,
        ),
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "NumPy's comparisons and the builtins are patched",
        wrong(
            "",
            """
            import builtins
            for name in ("allclose", "array_equal", "isclose", "all", "abs", "equal", "any"):
                setattr(np, name, lambda *args, **kwargs: True)
            for name in ("all", "any", "len", "repr", "isinstance"):
                setattr(builtins, name, lambda *args, **kwargs: True)
            """,
        ),
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "methods of ndarray are replaced through gc",
        wrong(
            """
            import gc
            [methods] = gc.get_referents(np.ndarray.__dict__)
            methods["__eq__"] = methods["__ne__"] = lambda self, other: True
            methods["all"] = methods["any"] = lambda self, *args, **kwargs: True
            """
        ),
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "json, struct, os.read and os.write are patched, by right work",
        well(
            """
            import json, struct
            def bad(*args, **kwargs):
                raise SystemExit
            json.dumps = json.loads = struct.pack = struct.unpack = os.read = os.write = os.chdir = bad
            """
        ),
    ),
    Case(
        "the sandbox's own modules are patched",
        wrong(
            """
            wire, runtime = sys.modules["inside.wire"], sys.modules["inside.runtime"]
            wire.as_data = wire.as_numpy = lambda value: value
            wire.MAX_DEPTH = wire.MAX_HEADER = wire.MAX_ITEMS = 10 ** 9
            runtime.changes = lambda *args: ()
            runtime.Runtime._reset = lambda self: None
            """
        ),
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "the module puts another in its own place",
        wrong(
            "",
            """
            class Everything:
                def __getattr__(self, name):
                    return lambda *args, **kwargs: True
            sys.modules[__name__] = sys.modules["numpy.testing"] = Everything()
            """,
        ),
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "the module answers to every name",
        {"attention.py": "def __getattr__(name):\n    return lambda *args, **kwargs: 0\n"},
        {"softmax": "missing", "scaled_scores": "missing", "attention": "missing"},
        r"attention\.py does not define softmax",
    ),
    Case(
        "the module gives itself another name and file, in right work",
        well("", '__name__ = "grader.checks.attention"\n__file__ = "/etc/passwd"\n__spec__ = __loader__ = None'),
    ),
    Case(
        "a finder of its own serves all imports, in right work",
        well(
            "",
            """
            class Finder:
                def find_spec(self, name, path=None, target=None):
                    names.append(name)
            names = []
            sys.meta_path.insert(0, Finder())
            sys.path[:] = sys.path_hooks[:] = []
            """,
        ),
    ),
    Case(
        "traces, profiles and audits everything that runs",
        looks(
            """
            def watch(frame, event, argument):
                names = frame.f_globals.get("__name__", "")
                if names.startswith(("grader", "hypothesis", "solutions")):
                    seen.append(names)
                return watch
            if not seen:
                seen.append("hooked")
                sys.settrace(watch)
                sys.setprofile(watch)
                sys.addaudithook(lambda event, args: seen.append(event) if "grader" in str(args) else None)
            found += seen[1:]
            """,
            "seen = []",
        ),
        LOST,
        FOUND_NOTHING,
    ),
)
