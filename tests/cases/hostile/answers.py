"""Searches for the right answers, and attempts to have the grader tell them."""

from grader.kit import COURSE, SOLUTIONS
from tests.cases import HERE, Case, all_of, lesson
from tests.cases.hostile.attacks import ENDED, FOUND_NOTHING, LOST, NOT_RIGHT, looks, wrong

PACKAGE = SOLUTIONS.parent / "grader"
NO_RESULT = r"sent the grader something that is not a result"

RUNTIME = """
def asks(function, *args):
    import gc
    [runtime] = [o for o in gc.get_objects() if type(o).__name__ == "Runtime"]
    return runtime._ask(function, args, {})
"""

SEARCH = """
import gc

def reachable(values, depth):
    for _ in range(depth):
        values = list({id(value): value for value in (*values, *gc.get_referents(*values))}.values())
    return values

def copies(want, values):
    def holds(value):
        if type(value) is np.ndarray:
            return value is not want and value.shape == want.shape and np.array_equal(value, want)
        return type(value) in (bytes, bytearray) and want.tobytes() in value
    return [value for value in values if holds(value)]

def frames():
    frame, values = sys._getframe(1), []
    while frame:
        values += frame.f_locals.values()
        frame = frame.f_back
    return values
"""

OWN_ATTENTION = """\
import numpy as np
import traceback

def softmax(x, axis=-1):
    raise ValueError(" ".join(frame.line for frame in traceback.extract_stack()[1:]))

def attention(q, k, v, mask=None):
    return v[..., :1], v
"""
OWN_MASKING = """\
import numpy as np

def causal_mask(n):
    return np.zeros((n, n), bool)

def combine_masks(*masks):
    1 / 0
"""


def searches(name: str, depth: int, roots: str) -> Case:
    """A case that looks for the right answer to a call in all that can be reached from somewhere.

    It has put one there itself, so that what finds nothing has not looked. Answers that may stand there by chance,
    such as a half, are given as they are.
    """
    attack = f"""
        want = right(x, axis)
        if len(np.unique(want)) < 3:
            return want
        planted = [want.copy()]
        sys.modules["numpy"].planted = planted
        held = copies(want, reachable({roots}, {depth}))
        del sys.modules["numpy"].planted
        found += [type(value) for value in held if value is not planted[0]]
        found += ["it does not look"] * (len(held) == len(found))
        """
    return Case(name, looks(attack, SEARCH), LOST, FOUND_NOTHING)


ANSWERS = (
    Case(
        "a file with no line of the reference in it, which tells the lines of all who called it",
        {"attention.py": OWN_ATTENTION, "masking.py": OWN_MASKING},
        {**all_of("fail"), "scaled_scores": "missing", "padding_mask": "missing"},
        r"ValueError in line 5: raise ValueError",
    ),
    Case(
        "walks all frames",
        looks(
            """
            frame = sys._getframe()
            while frame:
                own = frame.f_code.co_filename
                found += [own] if any(room in own for room in ("checks", "oracles", "solutions", "grading")) else []
                found += [name for name in frame.f_locals if name in ("expected", "check", "reference", "secret")]
                frame = frame.f_back
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    searches("walks all frames for the expected values", 5, "frames()"),
    searches("looks through all objects with gc for the expected values", 2, "gc.get_objects()"),
    Case(
        "looks through all objects with gc",
        looks(
            """
            import gc
            for thing in gc.get_objects():
                module = getattr(type(thing), "__module__", "")
                if type(module) is str and module.startswith(("grader", "hypothesis", "solutions")):
                    found.append(module)
                if type(thing) is type(tried) and thing.__name__ == "softmax" and thing not in (softmax, right):
                    found.append(thing.__code__.co_filename)
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "looks through sys.modules",
        looks(
            """
            found += [name for name in sys.modules if name.startswith(("grader", "hypothesis", "solutions", "_pytest"))]
            found += [name for name in sys.modules if name.rpartition(".")[2] in ("checks", "oracles", "course")]
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "reads /proc",
        looks(
            """
            import itertools
            files = ("environ", "cmdline", "maps", "mem", "stat", "fd/3", "root/etc/passwd", "cwd/course.toml")
            for who, what in itertools.product(("self", os.getppid(), 1, 2), files):
                refused(lambda: open(f"/proc/{who}/{what}", "rb")) or found.append(what)
            for who, what in itertools.product(("self", os.getppid(), 1, 2), ("", "/fd", "/root", "/task")):
                refused(lambda: os.listdir(f"/proc/{who}{what}")) or found.append(what)
            refused(lambda: os.listdir("/proc")) or found.append("processes")
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "imports the checks, the reference and the tools",
        looks(
            """
            for name in ("grader", "grader.checks", "grader.checks.attention", "solutions", "solutions.attention",
                         "hypothesis", "pytest", "tests"):
                found += [name] if tried(__import__, name) != "ModuleNotFoundError" else []
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "opens the checks, the reference and the course's secret",
        looks(
            f"""
            for path in ({str(SOLUTIONS / "attention.py")!r}, {str(COURSE)!r}, "{HERE}/course.toml",
                         {str(PACKAGE / "checks" / "attention.py")!r}, {str(PACKAGE / "__init__.py")!r}):
                found += [path] if refused(lambda: open(path)) is not True else []
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "opens other submissions and the results",
        looks(
            f"""
            for path in ("{HERE}/class/honest/attention.py", "{HERE}/results/honest.json", "{HERE}/results/grades.csv"):
                found += [path] if refused(lambda: open(path)) is not True else []
            for path in ("{HERE}", "{HERE}/class", "{HERE}/class/honest", "{HERE}/results", "..", "../..", "/tmp", "/"):
                found += [path] if refused(lambda: os.listdir(path)) is not True else []
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "reads the environment",
        looks(
            """
            import ctypes
            known = {"HOME", "TMPDIR", "LANG", "PYTHONHASHSEED", "MALLOC_ARENA_MAX", "PWD", "LC_CTYPE"}
            found += [name for name in os.environ if name not in known and not name.endswith("_NUM_THREADS")]
            found += [str(v) for v in os.environ.values() if "canary" in v]
            found += filter(None, [ctypes.CDLL(None).getenv(b"CANARY")])
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "asks the grader for the right answer to its own call",
        wrong("return asks('softmax', x, axis)", RUNTIME),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "asks the grader for the answer of a later function",
        wrong("return asks('attention', x, x, x)[1]", RUNTIME),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "asks the grader for what no function is",
        wrong("return asks('__import__', 'os')", RUNTIME),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "answers with what it may ask: the reference's value of an earlier function",
        {
            "attention.py": lesson(
                "attention",
                """
                def softmax(x, axis=-1):
                    return x

                def scaled_scores(q, k):
                    return softmax(q @ np.swapaxes(k, -1, -2))

                def attention(q, k, v, mask=None):
                    weights = softmax(q @ np.swapaxes(k, -1, -2))
                    return weights @ v, weights
                """,
            )
        },
        {"softmax": "fail", "scaled_scores": "fail", "attention": "fail"},
        NOT_RIGHT,
    ),
    Case(
        "learns the right answers once its function is replaced, too late",
        {
            "attention.py": lesson(
                "attention",
                """
                asked, known = [], []

                def softmax(x, axis=-1):
                    asked.append((x.copy(), axis))
                    for (seen, _), value in zip(asked, known):
                        if seen.tobytes() == x.tobytes():
                            return value
                    return x

                learns = softmax

                def scaled_scores(q, k):
                    known.extend(learns(x, axis) for x, axis in asked[:20])
                    del asked[:]
                    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
                """,
            )
        },
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "asks the reference for what cannot be sent",
        {
            "masking.py": lesson(
                "masking",
                """
                def padding_mask(lengths, n):
                    return None

                def combine_masks(*masks):
                    return padding_mask(np.ones((1,) * 32, int), 1)
                """,
            )
        },
        {"padding_mask": "fail", "combine_masks": "fail"},
        r"combine_masks raised an exception: ValueError in line",
    ),
    Case(
        "asks the reference for a product that takes minutes",
        {
            "attention.py": lesson(
                "attention",
                """
                def scaled_scores(q, k):
                    return q

                def attention(q, k, v, mask=None):
                    return scaled_scores(np.ones((9_000, 200), np.int8), np.ones((9_000, 200), np.int8))
                """,
            )
        },
        {"scaled_scores": "fail", "attention": "fail"},
        r"attention raised an exception: ValueError in line",
    ),
    Case(
        "asks the reference for more than the machine has",
        {
            "attention.py": lesson(
                "attention",
                """
                def scaled_scores(q, k):
                    return q

                def attention(q, k, v, mask=None):
                    return scaled_scores(np.ones((60_000, 1)), np.ones((60_000, 1)))
                """,
            )
        },
        {"scaled_scores": "fail", "attention": "error"},
        r"attention never came back: The call asked for more than 256 MB of memory",
    ),
)
