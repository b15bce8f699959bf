"""Names and messages that would do something where they are shown."""

from tests.cases import Case, hand_in, lesson
from tests.cases.hostile.attacks import LOST, NOT_RIGHT, Files, wrong

HTML = "<script>alert(1)</script><img src=x onerror=alert(1)>"
ANSI = "\\x1b[2J\\x1b]0;title\\x07\\x9b31m\\r\\x08"
BIDI = "\\u202e\\u2066\\u200f\\u2028\\ufeff\\ud800"
FORGED_LINES = "\\n\\nsoftmax: right (2 of 2)\\n\\nhonest: 9 of 9 points\\n"


def raises(message: str) -> Files:
    """A ``softmax`` that raises an exception with this message, as it stands between quotes."""
    return wrong(f'raise ValueError("{message}")')


WORDS = (
    Case("HTML in a message", raises(HTML), LOST, r"ValueError in line \d+: <script>alert\(1\)</script>"),
    Case("orders to the terminal in a message", raises(f"a{ANSI}b"), LOST, r"ValueError in line \d+: a.*b"),
    Case(
        "characters that turn the line round, or are no characters",
        raises(f"a{BIDI}b"),
        LOST,
        r"ValueError in line \d+: a.*b",
    ),
    Case("a formula in a message", raises("=HYPERLINK(1)"), LOST, r"ValueError in line \d+: =HYPERLINK\(1\)"),
    Case("lines that look like a report in a message", raises(f"a{FORGED_LINES}b"), LOST, r"ValueError in line \d+: a"),
    Case(
        "orders to the terminal in the code that is shown",
        {
            "attention.py": lesson(
                "attention", "def softmax(x, axis=-1):\n    raise ValueError  # \x1b[2J\u202e\r\x00".replace("\x00", "")
            )
        },
        LOST,
        r"ValueError",
    ),
    Case(
        "an exception whose class has a page for a name",
        wrong(f'raise type("{HTML}{ANSI}" * 1000, (Exception,), {{}})("x")'),
        LOST,
        r"softmax raised an exception: <script>.{1,60} … in line \d+: x\.",
    ),
    Case(
        "an exception whose class has a path for a name",
        wrong('raise type(np.__file__, (Exception,), {})("x")'),
        LOST,
        r"softmax raised an exception: __init__\.py in line \d+: x\.",
    ),
    Case(
        "a value whose class has a path for a name",
        wrong("return type(os.__file__, (), {})()"),
        LOST,
        r"It returned an os\.py, not an array",
    ),
    Case(
        "an exception whose class has the environment for a name",
        wrong('raise type(str(dict(os.environ)), (Exception,), {})("x")'),
        LOST,
        r"softmax raised an exception: \{.{1,60} … in line \d+: x\.",
    ),
    Case(
        "a message of a million letters",
        wrong('raise ValueError("x" * 1_000_000)'),
        LOST,
        r"ValueError in line \d+: x{100}",
    ),
    Case(
        "an exception that lies about its class, its text and its traceback",
        wrong(
            """
            class Liar(Exception):
                __class__ = property(lambda self: NotImplementedError)
                __traceback__ = property(lambda self: 1 / 0)
                __cause__ = __context__ = property(lambda self: self)
                args = property(lambda self: sys.exit())
                def __str__(self): raise SystemExit
                __repr__ = __str__
            raise Liar
            """
        ),
        LOST,
        r"Liar in line \d+: \(its message cannot be shown: SystemExit\)",
    ),
    Case(
        "an exception whose __str__ never returns",
        wrong("class Endless(Exception):\n    def __str__(self):\n        while True: pass\nraise Endless"),
        {"softmax": "error"},
        r"softmax never came back: The call did not end within 2 seconds",
    ),
    Case(
        "exceptions in exceptions, 200 of them",
        wrong(
            "error = None\nfor _ in range(200):\n    error = ExceptionGroup('x', [error or ValueError()])\nraise error"
        ),
        LOST,
        r"ExceptionGroup in line \d+: x",
    ),
    Case(
        "code that claims to stand in another file",
        wrong('exec(compile("raise ValueError(1)", "/etc/passwd", "exec"))'),
        LOST,
        r"ValueError in line \d+: 1\.",
    ),
    Case(
        "a module that tells paths of the machine",
        wrong("raise ValueError(f'{np.__file__} {sys.executable} {os.__file__} {sys.path} {sys.prefix} {__file__}')"),
        LOST,
        r"ValueError in line \d+: __init__\.py",
    ),
    Case(
        "a student's name with HTML and quotes",
        wrong(""),
        LOST,
        NOT_RIGHT,
        student="<b onclick='x'>\"&amp;",
    ),
    *(
        Case(f"a student's name that is a formula: {name}", wrong(""), LOST, NOT_RIGHT, student=name)
        for name in ("=HYPERLINK(1)", "+1", "@SUM(1)", "\uff1d1+1")
    ),
    Case(
        "a student's name that is a formula after a tab",
        student="\\t=1+1",
        lay=lambda folder: hand_in(folder / "\t=1+1", {}),
    ),
    Case("a student's name that looks like an option", wrong(""), LOST, NOT_RIGHT, student="--out"),
    Case("a student's name that is a table of the results", wrong(""), LOST, NOT_RIGHT, student="functions.csv"),
    Case(
        "a student's name with orders to the terminal",
        student="esc\\x1b[2J",
        lay=lambda folder: hand_in(folder / "esc\x1b[2J", {}),
    ),
    Case(
        "a student's name that turns the line round",
        student="a\\u202eb",
        lay=lambda folder: hand_in(folder / "a\u202eb", {}),
    ),
    Case(
        "a student's name in two lines",
        student="two\\nhonest,attention",
        lay=lambda folder: hand_in(folder / "two\nhonest,attention", {}),
    ),
    Case(
        "a student's name that is no UTF-8",
        student="\\udcff\\udcfe",
        lay=lambda folder: hand_in(folder / "\udcff\udcfe", {}),
    ),
    Case(
        "files whose names are orders, formulas and lines",
        {**wrong(""), "=1+1.py": "", "x\x1b[2J.py": "", "a\u202eb.txt": "", "two\n\nsoftmax: right (2 of 2).py": ""},
        LOST,
        NOT_RIGHT,
    ),
)
