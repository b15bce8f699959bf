"""Files in a submission that are meant for the grader, for Python or for the file system."""

import marshal
import os
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path

from tests.cases import HERE, HONEST, Case, all_of, hand_in, lesson
from tests.cases.hostile.attacks import LOST, NOT_RIGHT, UNLOADABLE, wrong

CANARY_AT_IMPORT = f'open("{HERE}/canary", "w").write("x")\nopen("{HERE}/results/zz.json", "w").write("x")\n'
UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
"""How a .pyc says that nobody is to look whether it fits its source (PEP 552)."""
POISONED = MAGIC_NUMBER + UNCHECKED + marshal.dumps(compile(lesson("attention"), "attention.py", "exec"))
"""A right attention, compiled, which Python takes for a source beside it whatever that says."""
HOOKS = "def pytest_runtest_makereport(item, call):\n    return None\n"


def _linked(class_folder: Path) -> None:
    """A submission that is nothing but links to the honest one and out of the class."""
    folder = class_folder / "links"
    folder.mkdir()
    (folder / "masking.py").symlink_to(class_folder / HONEST / "masking.py")
    (folder / "attention.py").symlink_to(class_folder / HONEST / "attention.py")
    (folder / "up").symlink_to(class_folder.parent)


def _pipe(class_folder: Path) -> None:
    """A lesson that is a named pipe: whoever opens it waits for ever."""
    folder = class_folder / "pipe"
    hand_in(folder, {"attention.py": None})
    os.mkfifo(folder / "attention.py")


FILES = (
    Case(
        "conftest.py and the settings of test tools",
        {
            **wrong(""),
            "conftest.py": CANARY_AT_IMPORT + HOOKS,
            "pytest.ini": "[pytest]\naddopts = --collect-only -p no:terminal\n",
            "setup.cfg": "[tool:pytest]\naddopts = --collect-only\n",
            "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--collect-only"\n',
            "course.toml": "secret = 'mine'\n",
            "test_attention.py": "def test_softmax():\n    pass\n",
        },
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "sitecustomize.py, usercustomize.py and a .pth file",
        {
            **wrong(""),
            "sitecustomize.py": CANARY_AT_IMPORT,
            "usercustomize.py": CANARY_AT_IMPORT,
            "evil.pth": f"import os; {CANARY_AT_IMPORT.splitlines()[0]}\n",
        },
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "numpy.py, types.py and json.py",
        {
            **wrong("import types, json, numpy.linalg, colorsys"),
            **dict.fromkeys(("numpy.py", "types.py", "json.py", "struct.py", "os.py"), CANARY_AT_IMPORT + "1 / 0\n"),
        },
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "packages named like the grader and its sandbox",
        {
            **wrong("import inside.wire"),
            **{f"{name}/__init__.py": CANARY_AT_IMPORT for name in ("inside", "grader", "hypothesis", "solutions")},
            "inside/wire.py": CANARY_AT_IMPORT,
            "grader/checks.py": CANARY_AT_IMPORT,
        },
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "a poisoned .pyc of a lesson",
        {
            **wrong(""),
            f"__pycache__/attention.{sys.implementation.cache_tag}.pyc": POISONED,
            "attention.pyc": POISONED,
        },
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "a poisoned .pyc of a helper",
        {
            "attention.py": lesson("attention", "from helper import softmax\n"),
            "helper.py": "def softmax(x, axis=-1):\n    return 0 * x\n",
            f"__pycache__/helper.{sys.implementation.cache_tag}.pyc": POISONED,
            "helper.pyc": POISONED,
        },
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "a package and a library that are called like the lesson",
        {**wrong(""), "attention/__init__.py": lesson("attention"), "attention.so": b"\x7fELF"},
        LOST,
        NOT_RIGHT,
    ),
    Case(
        "a lesson that is no text but machine code",
        {"attention.py": b"\x7fELF\x02\x01\x01" + bytes(1000)},
        UNLOADABLE,
        r"attention\.py does not load: ",
    ),
    Case(
        "brackets too deep for the compiler",
        {"attention.py": "x = " + "(" * 100_000 + ")" * 100_000 + "\n"},
        UNLOADABLE,
        r"attention\.py does not load: .*too many nested parentheses",
    ),
    Case(
        "a sum too long for the compiler",
        {"attention.py": "x = " + "-" * 100_000 + "1\n"},
        UNLOADABLE,
        r"attention\.py does not load: ",
    ),
    Case(
        "a constant that takes for ever to fold",
        {"attention.py": "x = 2 ** 2 ** 2 ** 2 ** 2 ** 2\n"},
        UNLOADABLE,
        r"attention\.py does not load: ",
    ),
    Case(
        "links to another submission and out of the class",
        verdicts=all_of("error"),
        says=r"attention\.py is a link and was left out",
        student="links",
        lay=_linked,
    ),
    Case(
        "a named pipe in the place of a lesson",
        verdicts=UNLOADABLE,
        says=r"attention\.py is not a file and was left out",
        student="pipe",
        lay=_pipe,
    ),
)
