"""Submissions that mean well and go wrong: each is graded for what it is worth, with a plain message."""

from textwrap import dedent, indent

from tests.cases import Case, all_of, lesson
from tests.cases.arrivals import ARRIVALS

ATTENTION = all_of("error", "softmax", "scaled_scores", "attention")
"""What a file that does not load costs."""
ATTENTION_ABSENT = all_of("missing", "softmax", "scaled_scores", "attention")
OWN_SOFTMAX = "import numpy as np\n\ndef softmax(x, axis=-1):\n"
RIGHT = "e = np.exp(x - np.max(x, axis, keepdims=True))\nreturn e / e.sum(axis, keepdims=True)\n"
"""The body of a softmax as a good student writes it, in a file that has imported NumPy."""
STRICT = 'import warnings\nwarnings.simplefilter("error")\n'
WARNS = """
def warned(function):
    def inner(*args, **kwargs):
        import warnings
        warnings.warn("mind")
        np.log(np.zeros(1))
        return function(*args, **kwargs)
    return inner
"""


def attention(name: str, text: str, verdicts: dict[str, str] | None = None, says: str = "") -> Case:
    """A case whose ``attention.py`` is this text."""
    return Case(name, {"attention.py": text}, verdicts or {}, says)


def loads_not(name: str, text: str, says: str) -> Case:
    """A case whose ``attention.py`` begins with this text and therefore does not load."""
    return attention(
        name, dedent(text) + "\n" + lesson("attention"), ATTENTION, r"attention\.py does not load: " + says
    )


def softmax(
    name: str, body: str, says: str = "", verdict: str = "fail", first_line: str = "def softmax(x, axis=-1):"
) -> Case:
    """A case whose ``softmax`` has this body, in which ``_softmax`` is the right one."""
    right = lesson("attention").replace("def softmax(", "def _softmax(")
    text = f"{right}\n{first_line}\n{indent(dedent(body), '    ')}\n"
    return attention(name, text, {} if verdict == "pass" else {"softmax": verdict}, says)


def passes(name: str, extra: str, first: str = "") -> Case:
    """A case that loses nothing by what stands before and after a right ``attention.py``."""
    return attention(name, dedent(first) + lesson("attention", extra))


def renamed(name: str, other: str, says: str) -> Case:
    """A case in which ``softmax`` has another name, where it is defined and where it is called."""
    text = lesson("attention").replace("softmax(", f"{other}(")
    return attention(name, text, {"softmax": "missing"}, says)


def mask(name: str, body: str, says: str = "", verdict: str = "fail") -> Case:
    """A case whose ``causal_mask`` has this body."""
    right = lesson("masking").replace("def causal_mask(", "def _causal_mask(")
    text = f"{right}\ndef causal_mask(n):\n{indent(dedent(body), '    ')}\n"
    return Case(name, {"masking.py": text}, {} if verdict == "pass" else {"causal_mask": verdict}, says)


def pair(name: str, value: str, says: str) -> Case:
    """A case whose ``attention`` returns this of a right ``output`` and ``weights``."""
    right = lesson("attention").replace("return weights @ v, weights", "output = weights @ v\n    return " + value)
    return attention(name, right, {"attention": "fail"}, says)


def no_module(name: str, line: str, module: str) -> Case:
    """A case that imports something which is not there."""
    return loads_not(name, line, rf"line 1 imports {module}, which is not available here: only NumPy, .* Remove")


LOADING = (
    passes("prints at import", "", 'print("hello" * 1000)\n'),
    passes("prints 10 MB at import", "", 'print("hello" * 2_000_000)\n'),
    passes("heavy work at top level", "for _ in range(20):\n    attention(*np.random.rand(3, 400, 400))\n"),
    passes("a demonstration under if __name__", 'if __name__ == "__main__":\n    raise SystemExit(input())\n'),
    passes("np.seterr at the top", 'np.seterr(all="raise")\n'),
    passes("warnings are errors at the top, and its function warns", WARNS + "softmax = warned(softmax)\n", STRICT),
    Case(
        "warnings are errors at the top of another file",
        {
            "attention.py": STRICT + lesson("attention"),
            "masking.py": lesson("masking", WARNS + "causal_mask = warned(causal_mask)\n"),
        },
    ),
    passes("its own np.random.seed", "np.random.seed(42)\nrandom_weights = np.random.rand(3)\n"),
    passes("changes folder", 'import os\nos.chdir(os.path.dirname(os.path.abspath(__file__)) + "/..")\n'),
    passes("asserts of its own at the end", "assert np.allclose(softmax(np.array([1.0, 1.0])), 0.5)\n"),
    passes(
        "writes a temporary file", 'import tempfile\nwith tempfile.TemporaryFile() as log:\n    log.write(b"loaded")\n'
    ),
    loads_not(
        "writes a log file beside it",
        'open("log.txt", "w")',
        r"line 1 does what is not allowed while work is graded \(.*'log\.txt'\): do without it\.",
    ),
    loads_not(
        "downloads something",
        'from urllib.request import urlopen\nurlopen("http://localhost/")',
        "line 2 asks for something on the network, and there is none while work is graded",
    ),
    loads_not(
        "starts a program",
        'import subprocess\nsubprocess.run(["ls"])',
        r"line 2 does what is not allowed while work is graded \(Operation not permitted\): do without it\.",
    ),
    passes("deletes its helpers at the end", "scores = scaled_scores\ndel scores\n"),
    Case(
        "reads a data file beside it",
        {
            "attention.py": "from pathlib import Path\n"
            + "import numpy as np\n"
            + 'TABLE = np.loadtxt(Path(__file__).parent / "table.csv", delimiter=",")\n'
            + lesson("attention", "assert TABLE.shape == (2, 2)\n"),
            "table.csv": "1,2\n3,4\n",
        },
    ),
    loads_not(
        "reads a data file that is not there", 'open("table.csv")', r"line 1 opens 'table\.csv', which is not there"
    ),
    loads_not(
        "reads a file of its own computer", 'open("/home/ada/table.csv")', r"line 1 opens 'table\.csv', which is"
    ),
    loads_not("fails at import", "x = 1 / 0", r"ZeroDivisionError in line 1: division by zero\."),
    loads_not("an assert of its own that fails", "assert 1 + 1 == 3", r"AssertionError in line 1\."),
    loads_not("input() at import", 'name = input("Your name: ")', r"line 1 asks for input\(\), and nobody can type"),
    loads_not("a menu that asks for ever", 'while input("> ") != "q":\n    pass', r"line 1 asks for input\(\)"),
    loads_not("breakpoint() at import", "breakpoint()", r"the debugger stops at line \d+, and nobody can type"),
    loads_not("exit() at import", "exit()", r"line 1 asks Python to end \(exit, quit or sys\.exit\): remove that\."),
    attention(
        "exit() at the end of the script",
        lesson("attention", 'import sys\nsys.exit("done")'),
        ATTENTION,
        r"attention\.py does not load: line \d+ asks Python to end",
    ),
    attention(
        "an endless loop at top level",
        lesson("attention", "while True:\n    pass"),
        ATTENTION,
        r"attention\.py does not load: Loading the file did not end within 2 seconds\.",
    ),
    attention(
        "memory without end at top level",
        lesson("attention", "everything = np.ones((50_000, 50_000))"),
        ATTENTION,
        r"attention\.py does not load: Loading the file asked for more than 256 MB of memory\.",
    ),
    loads_not("endless recursion at import", "def f():\n    f()\nf()", "RecursionError in line 2: functions call each"),
)

NOT_THERE = (
    Case("a missing file", {"attention.py": None}, ATTENTION_ABSENT, r"There is no file attention\.py\."),
    attention("an empty file", "", ATTENTION_ABSENT, r"attention\.py does not define softmax\."),
    attention("a file of comments", "# to do\n", ATTENTION_ABSENT, r"attention\.py does not define softmax\."),
    attention(
        "a missing function",
        "import numpy as np\n\ndef scaled_scores(q, k):\n    return q @ np.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5\n",
        {"softmax": "missing", "attention": "missing"},
        r"attention\.py does not define softmax\.",
    ),
    renamed("a misspelt name", "sofmax", "does not define softmax, but sofmax, which may be meant: give it the right"),
    renamed("a name in capitals", "Softmax", "does not define softmax, but Softmax, which may be meant"),
    renamed("a name with an underscore", "soft_max", "does not define softmax, but soft_max, which may be meant"),
    attention(
        "scaledScores",
        lesson("attention").replace("scaled_scores", "scaledScores"),
        {"scaled_scores": "missing"},
        "does not define scaled_scores, but scaledScores",
    ),
    attention(
        "static methods of a class",
        "import numpy as np\n\nclass Attention:\n    @staticmethod\n    def softmax(x, axis=-1):\n"
        + indent(RIGHT, " " * 8),
        ATTENTION_ABSENT,
        r"does not define softmax for others to use: it stands under class Attention in line 5; move it out",
    ),
    attention(
        "functions inside main()",
        "import numpy as np\n\ndef main():\n    def softmax(x, axis=-1):\n" + indent(RIGHT, " " * 8) + "main()\n",
        ATTENTION_ABSENT,
        r"it stands under def main in line 4; move it out",
    ),
    attention(
        "functions under if __name__",
        'import numpy as np\n\nif __name__ == "__main__":\n    def softmax(x, axis=-1):\n' + indent(RIGHT, " " * 8),
        ATTENTION_ABSENT,
        r"it stands under if __name__ == '__main__' in line 4; move it out",
    ),
    passes(
        "a function under an if that holds",
        """
        _softmax = softmax
        if np.pi > 3:
            def softmax(x, axis=-1):
                return _softmax(x, axis)
        """,
    ),
    attention(
        "a number in the place of a function",
        lesson("attention", "softmax = 0.5"),
        {"softmax": "missing"},
        r"does not define softmax as a function: in line \d+ the name is given to something that cannot be called",
    ),
    Case(
        "a function in another file",
        {
            "attention.py": lesson("attention")
            .replace("def softmax", "def _softmax")
            .replace("softmax(sc", "_softmax(sc"),
            "masking.py": lesson("masking", OWN_SOFTMAX + indent(RIGHT, "    ")),
        },
        {"softmax": "missing"},
        r"attention\.py does not define softmax, but masking\.py does: move it to attention\.py\.",
    ),
    softmax(
        "not started", 'raise NotImplementedError("softmax")', "softmax says itself that it is not done", "missing"
    ),
    softmax("a body of pass", "pass", r"It returned None, not an array: is a return missing\?"),
    softmax("a body of ...", "...", r"It returned None, not an array: is a return missing\?"),
    attention(
        "a wrong one after a right one",
        lesson("attention", "def softmax(x, axis=-1):\n    return x\n"),
        {"softmax": "fail"},
        r"The answer is not right\. softmax is defined in lines \d+ and \d+: the last one counts\.",
    ),
    attention("a right one after a wrong one", OWN_SOFTMAX + "    return x\n\n" + lesson("attention")),
)

SIGNATURES = (
    softmax(
        "no axis",
        "return _softmax(x)",
        r"called as softmax\(x, axis=-1\), but line \d+ of attention\.py defines softmax\(x\): softmax\(\) got an",
        first_line="def softmax(x):",
    ),
    softmax(
        "no default",
        "return _softmax(x, axis)",
        r"called as softmax\(x, axis=-1\), but line \d+ of attention\.py defines softmax\(x, axis\): .* missing 1 requ",
        first_line="def softmax(x, axis):",
    ),
    softmax(
        "another parameter's name",
        "return _softmax(x, dim)",
        r"defines softmax\(x, dim=-1\): softmax\(\) got an unexpected keyword argument 'axis'",
        first_line="def softmax(x, dim=-1):",
    ),
    softmax("a parameter more", "return _softmax(x, axis)", "", "pass", "def softmax(x, axis=-1, temperature=1.0):"),
    softmax("any parameters", "return _softmax(*args, **kwargs)", "", "pass", "def softmax(*args, **kwargs):"),
    softmax(
        "a method's self",
        "return _softmax(x, axis)",
        r"defines softmax\(self, x, axis=-1\)",
        first_line="def softmax(self, x, axis=-1):",
    ),
    softmax(
        "type hints",
        "return _softmax(x, axis)",
        "",
        "pass",
        "from typing import Optional, Union\ndef softmax(x: np.ndarray, axis: Optional[int] = -1) -> np.ndarray:",
    ),
    softmax("a long docstring", '"""Turn scores into weights."""\nreturn _softmax(x, axis)', "", "pass"),
    passes("a lambda", "_softmax = softmax\nsoftmax = lambda x, axis=-1: _softmax(x, axis)\n"),
    passes("functools.partial", "from functools import partial\nsoftmax = partial(softmax, axis=-1)\n"),
    passes(
        "a callable object",
        "_softmax = softmax\nclass Softmax:\n    def __call__(self, x, axis=-1):\n        return _softmax(x, axis)\n"
        "softmax = Softmax()\n",
    ),
    passes(
        "a decorator of its own",
        """
        import functools
        import time

        def timed(function):
            @functools.wraps(function)
            def inner(*args, **kwargs):
                begun = time.time()
                value = function(*args, **kwargs)
                print(f"{time.time() - begun:.3f} s")
                return value
            return inner

        softmax = timed(softmax)
        """,
    ),
    softmax(
        "async def",
        "return _softmax(x, axis)",
        "a coroutine, not an array: write def",
        first_line="async def softmax(x, axis=-1):",
    ),
    softmax(
        "functools.cache",
        "return _softmax(x, axis)",
        "an array cannot be a key",
        first_line="import functools\n@functools.cache\ndef softmax(x, axis=-1):",
    ),
    softmax(
        "class softmax",
        "pass",
        "It returned a softmax, not an array",
        first_line="class softmax:\n    def __init__(self, x, axis=-1):\n        pass\n",
    ),
)

RETURNS = (
    softmax("returns None", "result = _softmax(x, axis)", r"It returned None, not an array: is a return missing\?"),
    softmax("prints and returns nothing", "print(_softmax(x, axis))", r"It returned None, not an array: is a return"),
    softmax(
        "returns a list", "return _softmax(x, axis).tolist()", "It returned a list, not an array: np.array makes one"
    ),
    softmax("returns a tuple", "return _softmax(x, axis), x", "It returned a tuple, not an array"),
    softmax("returns a dict", 'return {"weights": _softmax(x, axis)}', "It returned a dict, not an array"),
    softmax("returns text", "return str(_softmax(x, axis))", "It returned a str, not an array"),
    softmax("returns a scalar", "return _softmax(x, axis).max()", "It returned a single numpy.float64, not an array"),
    softmax("returns a float", "return float(_softmax(x, axis).max())", "It returned a float, not an array"),
    softmax(
        "returns np.matrix", "return np.asmatrix(_softmax(x, axis).reshape(-1, x.shape[-1]))", "returned a matrix, not"
    ),
    softmax(
        "returns a masked array", "return np.ma.masked_less(_softmax(x, axis), 0)", "returned a MaskedArray, not an"
    ),
    softmax("returns float32", "return _softmax(x, axis).astype(np.float32)", "The array holds float32, not float64"),
    softmax("returns float16", "return _softmax(x, axis).astype(np.float16)", "The array holds float16, not float64"),
    softmax("returns integers", "return _softmax(x, axis).astype(int)", "The array holds int64, not float64"),
    softmax(
        "returns complex numbers", "return _softmax(x, axis).astype(complex)", "The array holds complex128, not float64"
    ),
    softmax("returns objects", "return _softmax(x, axis).astype(object)", "The array holds object, not float64"),
    softmax("returns another number of axes", "return _softmax(x, axis)[None]", r"The shape is \(1, .*\), not \("),
    softmax("returns it flat", "return _softmax(x, axis).ravel()", r"The shape is \(.*\), not \("),
    softmax("returns (n, 1) for (n,)", "return _softmax(x, axis)[..., None]", r"The shape is \(.*, 1\), not \("),
    softmax("a generator", "yield _softmax(x, axis)", "It returned a generator, not an array: write return, not yield"),
    softmax("a function for its value", "return _softmax", "It returned a function, not an array: is it called"),
    softmax("a view of its argument", "x[...] = _softmax(x, axis)\nreturn x", "It changed its argument x"),
    softmax("NaN", "return _softmax(x, axis) * np.nan", "The answer is not right"),
    mask("a mask of floats", "return np.tri(n)", "The array holds float64, not bool"),
    mask("a mask of integers", "return np.tri(n, dtype=int)", "The array holds int64, not bool"),
    mask(
        "a mask of lists", "return [[j <= i for j in range(n)] for i in range(n)]", "It returned a list, not an array"
    ),
    pair(
        "returns (output, weights, extra)",
        "output, weights, q",
        r"returned a tuple of 3, not the pair \(output, weights\)",
    ),
    pair(
        "returns the output alone", "output", r"returned a float64 array of shape .*, not the pair \(output, weights\)"
    ),
    pair("returns the pair the other way round", "weights, output", "The weights are returned before the output"),
    pair(
        "returns a dict of both", "dict(output=output, weights=weights)", r"It returned a dict, not the pair \(output"
    ),
    attention(
        "returns a list of both",
        lesson(
            "attention",
            "_attention = attention\ndef attention(q, k, v, mask=None):\n    return list(_attention(q, k, v, mask))\n",
        ),
    ),
)

CALLS = (
    softmax("prints in the function", 'print("x =", x)\nreturn _softmax(x, axis)', "", "pass"),
    softmax("prints to standard error", "import sys\nprint(x, file=sys.stderr)\nreturn _softmax(x, axis)", "", "pass"),
    softmax(
        "warnings", 'import warnings\nwarnings.warn("mind")\nnp.log(np.zeros(2))\nreturn _softmax(x, axis)', "", "pass"
    ),
    softmax("an assert left in", "assert -x.ndim <= axis < x.ndim\nreturn _softmax(x, axis)", "", "pass"),
    softmax(
        "an assert that is too strict", "assert x.ndim == 2\nreturn _softmax(x, axis)", r"AssertionError in line \d+\."
    ),
    softmax(
        "changes its argument",
        "x -= x.max(axis, keepdims=True)\nreturn _softmax(x, axis)",
        r"(?m)^It changed its argument x\.",
    ),
    attention(
        "negates the mask in place",
        lesson(
            "attention",
            """
            _attention = attention

            def attention(q, k, v, mask=None):
                result = _attention(q, k, v, mask)
                if mask is not None:
                    np.logical_not(mask, out=mask)
                return result
            """,
        ),
        {"attention": "fail"},
        "It changed its argument mask",
    ),
    softmax(
        "np.matmul with out", "out = np.empty(x.shape)\nnp.add(_softmax(x, axis), 0, out=out)\nreturn out", "", "pass"
    ),
    passes(
        "state between calls that does no harm",
        """
        _softmax = softmax
        shapes = []

        def softmax(x, axis=-1):
            shapes.append(x.shape)
            return _softmax(x, axis)
        """,
    ),
    softmax(
        "state that the next call meets",
        "SEEN.append(x)\nreturn _softmax(SEEN[0], axis)",
        r"The shape is \(.*\), not \(",
        first_line="SEEN = []\ndef softmax(x, axis=-1):",
    ),
    softmax(
        "a default that grows",
        "seen.append(0)\nreturn _softmax(x, axis) * len(seen)",
        "The weights along the chosen axis are not negative and sum to 1",
        first_line="def softmax(x, axis=-1, seen=[]):",
    ),
    softmax(
        "hands out one buffer again and again",
        "BUFFER.resize(x.shape, refcheck=False)\nBUFFER[...] = _softmax(x, axis)\nreturn BUFFER",
        "Each call is answered by itself: a later one does not change what an earlier one returned",
        first_line="BUFFER = np.empty(0)\ndef softmax(x, axis=-1):",
    ),
    softmax(
        "np.seterr in the call",
        'np.seterr(all="raise")\nreturn np.exp(x - 1e4) + _softmax(x, axis)',
        "FloatingPointError in line .* np.seterr or np.errstate makes an exception of it; remove",
    ),
    softmax("np.random.seed in the call", "np.random.seed(0)\nreturn _softmax(x, axis)", "", "pass"),
    softmax(
        "noise in the answer", "return _softmax(x, axis) + 1e-3 * np.random.rand(*x.shape)", "The answer is not right"
    ),
    softmax(
        "deep recursion", "return softmax(x, axis)", "RecursionError in line .*: functions call each other too deep"
    ),
    softmax(
        "recursion that ends",
        "if n:\n    return softmax(x, axis, n - 1)\nreturn _softmax(x, axis)",
        "",
        "pass",
        "def softmax(x, axis=-1, n=500):",
    ),
    softmax(
        "input() in the call",
        'input("axis? ")\nreturn _softmax(x, axis)',
        r"line \d+ asks for input\(\), and nobody can type",
    ),
    softmax(
        "breakpoint() in the call",
        "breakpoint()\nreturn _softmax(x, axis)",
        r"the debugger stops at line \d+, and nobody",
    ),
    softmax(
        "exit() in the call",
        "if x.ndim > 1:\n    exit()\nreturn _softmax(x, axis)",
        r"softmax never came back: The call asked Python to end \(exit, quit",
        "error",
    ),
    softmax(
        "a careless outer product",
        "np.ones(20_000)[:, None] * np.ones(20_000)\nreturn _softmax(x, axis)",
        "softmax never came back: The call asked for more than 256 MB of memory",
        "error",
    ),
    softmax(
        "an endless loop",
        "while True:\n    x = x + 1",
        "softmax never came back: The call did not end within 2 seconds",
        "error",
    ),
    softmax(
        "a missing variable", "return scores / scores.sum()", r"NameError in line \d+: name 'scores' is not defined"
    ),
    softmax("an axis that is not there", "return x.sum(7)", r"AxisError in line \d+: axis 7 is out of bounds"),
    softmax(
        "an exception of its own",
        'raise ValueError("x must be a matrix")',
        r"ValueError in line \d+: x must be a matrix",
    ),
    attention(
        "right, in four loops",
        lesson(
            "attention",
            """
            def scaled_scores(q, k):
                scores = np.zeros((*q.shape[:-1], k.shape[-2]))
                for batch in np.ndindex(*q.shape[:-2]):
                    for i in range(q.shape[-2]):
                        for j in range(k.shape[-2]):
                            for f in range(q.shape[-1]):
                                scores[batch][i, j] += q[batch][i, f] * k[batch][j, f] / q.shape[-1] ** 0.5
                return scores
            """,
        ),
    ),
)

SYNTAX = (
    loads_not("a syntax error", "x = (1, 2", r"line 1 is not Python 3\.\d+ \(SyntaxError: '\(' was never closed\)\."),
    loads_not(
        "a missing colon", "def f(x)\n    return x", r"line 1 is not Python 3\.\d+ \(SyntaxError: expected ':'\)\."
    ),
    loads_not("a wrong indentation", "x = 1\n    y = 2", r"line 2 is not Python 3\.\d+ \(IndentationError: unexpected"),
    loads_not(
        "tabs and spaces",
        "if True:\n        x = 1\n\ty = 2",
        r"line 3 is not Python 3\.\d+ \(TabError: inconsistent use",
    ),
    passes("tabs alone", "if True:\n\tx = 1\n\ty = 2\n"),
    loads_not(
        "a merge conflict",
        "x = 1\n<<<<<<< HEAD\ny = 1\n=======\ny = 2\n>>>>>>> main",
        r"line 2 is a mark that git left \(<<<<<<< HEAD\): choose one version and delete the marks\.",
    ),
    attention(
        "a merge conflict in a function",
        lesson("attention").replace("    return positive", "<<<<<<< HEAD\n    return positive"),
        ATTENTION,
        r"line \d+ is a mark that git left \(<<<<<<< HEAD\)",
    ),
    loads_not(
        "Python 2",
        'print "hello"',
        r"line 1 is not Python 3\.\d+ \(SyntaxError: Missing parentheses in call to 'print'",
    ),
    loads_not(
        "a pasted session",
        ">>> import numpy as np\n>>> np.pi\n3.141592653589793",
        "line 1 begins with the prompt of a Python session: delete",
    ),
    loads_not(
        "a command of a notebook",
        "import numpy as np\n!pip install numpy",
        r"line 2 is a command for notebooks \(!pip install numpy\), which is not Python: delete it\.",
    ),
    loads_not(
        "a magic of a notebook", "%matplotlib inline", r"line 1 is a command for notebooks \(%matplotlib inline\)"
    ),
    loads_not(
        "a notebook's line in an exported module",
        "get_ipython().run_line_magic('matplotlib', 'inline')",
        r"line 1 uses get_ipython, which only notebooks have: delete that line\.",
    ),
    loads_not("smart quotes", "x = “hello”", r"line 1 has the character “ \(U\+201C\), which is not Python"),
    loads_not("a non-breaking space", "x =\u00a01", r"line 1 has the invisible character U\+00A0, which"),
    loads_not("a zero-width character", "x =\u200b1", r"line 1 has the invisible character U\+200B, which"),
    loads_not("a minus that is a dash", "x = 1 – 2", r"line 1 has the character – \(U\+2013\), which is not Python"),
    loads_not(
        "syntax newer than Python here", "type Array = list[float", r"line 1 is not Python 3\.\d+ \(SyntaxError: "
    ),
    loads_not(
        "a line of a shell", "pip install numpy", r"line 1 is not Python 3\.\d+ \(SyntaxError: invalid syntax\)\."
    ),
    loads_not(
        "return outside a function", "return 1", r"line 1 is not Python 3\.\d+ \(SyntaxError: 'return' outside function"
    ),
    passes("names with accents", "größe = 1\nλ = 2\n"),
    passes("a walrus and a match", "if (n := 3) > 2:\n    match n:\n        case 3:\n            pass\n"),
    passes("an odd escape in a string", 'pattern = "\\d+ \\s"\n'),
)

IMPORTS = (
    *(no_module(f"import {name}", f"import {name}", name) for name in ("torch", "scipy", "matplotlib", "tqdm", "jax")),
    *(
        no_module(f"import {name}", f"import {name}", name)
        for name in ("sklearn", "pandas", "seaborn", "einops", "tensorflow")
    ),
    no_module("a part of a package", "import matplotlib.pyplot as plt\nplt.show()", "matplotlib"),
    no_module("from torch import", "from torch.nn import functional as F", "torch"),
    no_module("numba.jit", "from numba import jit", "numba"),
    no_module("a helper that was not handed in", "from my_helpers import stable", "my_helpers"),
    softmax(
        "an import in the function",
        "from scipy.special import softmax as right\nreturn right(x, axis)",
        r"softmax raised an exception: line \d+ imports scipy, which is not available here",
    ),
    passes("an import that may fail", "", "try:\n    import torch\nexcept ImportError:\n    torch = None\n"),
    Case("from attention import *", {"masking.py": "from attention import *\n" + lesson("masking")}),
    Case(
        "a relative import",
        {"masking.py": "from .attention import softmax\n" + lesson("masking")},
        all_of("error", "causal_mask", "padding_mask", "combine_masks"),
        r"masking\.py does not load: line 1 imports relative to a package, .*: write from attention import softmax\.",
    ),
    Case(
        "an import from the package that the folder is not",
        {"masking.py": "from exercises.attention import softmax\n" + lesson("masking")},
        all_of("error", "causal_mask", "padding_mask", "combine_masks"),
        r"line 1 imports exercises, which is not available here: write from attention import softmax\.",
    ),
    Case(
        "an import of a name that the lesson does not have",
        {"masking.py": "from attention import sofmax\n" + lesson("masking")},
        all_of("error", "causal_mask", "padding_mask", "combine_masks"),
        r"line 1 imports sofmax from attention, which does not have it: is the name spelt right\?",
    ),
    Case(
        "two files that import each other",
        {
            "attention.py": lesson("attention", "from masking import causal_mask"),
            "masking.py": "from attention import softmax\n" + lesson("masking"),
        },
    ),
    attention(
        "numpy without as",
        lesson("attention").replace("import numpy as np", "import numpy"),
        all_of("fail", "softmax", "scaled_scores", "attention"),
        r"line \d+ uses np, which is not defined: write import numpy as np at the top of the file\.",
    ),
    attention(
        "numpy not imported",
        lesson("attention").replace("import numpy as np", ""),
        all_of("fail", "softmax", "scaled_scores", "attention"),
        r"line \d+ uses np, which is not defined: write import numpy as np at the top of the file\.",
    ),
    *(
        softmax(
            f"np.{old}", f"np.{old}\nreturn _softmax(x, axis)", rf"np\.{old} in line \d+ is not in NumPy 2: use {new}"
        )
        for old, new in (
            ("complex_", r"np\.complex128"),
            ("Inf", r"np\.inf"),
            ("mat", r"np\.array\."),
            ("product", r"np\.prod\."),
            ("cumproduct", r"np\.cumprod\."),
            ("in1d", r"np\.isin\."),
            ("bool8", r"np\.bool_\."),
            ("float", r"float\."),
            ("alltrue", r"np\.all"),
            ("trapz", r"np\.trapezoid\."),
        )
    ),
    loads_not(
        "from numpy import product",
        "from numpy import product",
        r"np\.product in line 1 is not in NumPy 2: use np\.prod",
    ),
)

CARELESS: dict[str, tuple[Case, ...]] = {
    "What a file does when it is loaded": LOADING,
    "What is missing, misspelt or in another place": NOT_THERE,
    "How a function is defined": SIGNATURES,
    "What a function returns": RETURNS,
    "What a function does besides": CALLS,
    "What is not Python": SYNTAX,
    "What is imported, and what NumPy no longer has": IMPORTS,
    **ARRIVALS,
}
"""The cases by the heading under which the docs list them."""
