"""Right work that arrives in odd ways: encodings, names, folders, downloads, notebooks, modules of its own."""

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.cases import LESSONS, Case, all_of, hand_in, lesson

ATTENTION = lesson("attention")
COSTS = all_of("error", "softmax", "scaled_scores", "attention")
ABSENT = all_of("missing", "softmax", "scaled_scores", "attention")
Cells = list[dict[str, Any]]


def saved(name: str, content: bytes, verdicts: Mapping[str, str] | None = None, says: str = "") -> Case:
    """A case whose ``attention.py`` holds these bytes."""
    return Case(name, {"attention.py": content}, verdicts or {}, says)


def called(name: str, file: str, says: str = "") -> Case:
    """A case whose right ``attention.py`` has another name."""
    return Case(name, {"attention.py": None, file: ATTENTION}, {}, says)


def beside(name: str, file: str, content: str | bytes = b"\0", says: str = "") -> Case:
    """A right submission with something more in its folder."""
    return Case(name, {file: content}, {}, says)


def folder(name: str) -> Case:
    """A right submission in a folder of an odd name."""
    return Case(f"a folder called {name if len(name) < 50 else name[:12] + ' …'}", student=name)


def laid(name: str, student: str, lay: Callable[[Path], None], says: str = "") -> Case:
    """A right submission that is put into the class's folder in a way of its own."""
    return Case(name, student=student, lay=lay, says=says)


def zipped(inside: str = "", *, more: Mapping[str, bytes] | None = None) -> bytes:
    """A zip file of right work, in a folder or not."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in LESSONS:
            archive.writestr(f"{inside}{name}.py", lesson(name))
        for path, data in (more or {}).items():
            archive.writestr(path, data)
    return content.getvalue()


def files(*named: tuple[str, str | bytes]) -> Callable[[Path], None]:
    """Puts files straight into the class's folder."""

    def lay(class_folder: Path) -> None:
        for name, content in named:
            path = class_folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return lay


def nothing(class_folder: Path) -> None:
    """Another case has put this one there."""


def cells_of(name: str) -> Cells:
    """The cells of a lesson, as a notebook has them."""
    cells = []
    for part in lesson(name).split("\n# %%"):
        heading, _, source = part.removeprefix("# %%").partition("\n")
        cells.append(text(source) if "markdown" in heading else code(source))
    return cells


def code(source: str) -> dict[str, Any]:
    """A code cell as Jupyter writes it."""
    return {**text(source), "cell_type": "code", "outputs": [], "execution_count": None}


def text(source: str) -> dict[str, Any]:
    """A text cell as Jupyter writes it. Its id comes of its text."""
    return {"cell_type": "markdown", "source": source, "metadata": {}, "id": f"{zlib.crc32(source.encode()):08x}"}


def notebook(cells: Cells, **fields: Any) -> str:
    """A notebook of version 4 with the metadata that Jupyter gives it."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5, **fields})


def in_notebook(
    name: str,
    change: Callable[[Cells], Cells] = list,
    verdicts: Mapping[str, str] | None = None,
    says: str = "",
    file: str = "attention.ipynb",
    **fields: Any,
) -> Case:
    """A case that hands in a right ``attention`` as a notebook, with something changed in its cells or its fields."""
    text = notebook(change(cells_of("attention")), **fields)
    return Case(name, {"attention.py": None, file: text}, verdicts or {}, says)


def adds(*sources: str) -> Callable[[Cells], Cells]:
    """Puts more code cells after the imports."""
    return lambda cells: [*cells[:2], *map(code, sources), *cells[2:]]


def as_lines(cells: Cells) -> Cells:
    """Every cell's text as a list of its lines."""
    return [{**cell, "source": cell["source"].splitlines(keepends=True)} for cell in cells]


def split(*places: str) -> Callable[[Cells], Cells]:
    """Makes two cells of one before each line that holds one of these texts."""

    def change(cells: Cells) -> Cells:
        for place in places:
            [number] = (n for n, cell in enumerate(cells) if cell["cell_type"] == "code" and place in cell["source"])
            before, _, after = cells[number]["source"].partition(place)
            before, newline, indent = before.rpartition("\n")
            assert newline, f"{place!r} stands in a cell's first line"
            cells[number : number + 1] = [code(before), code(indent + place + after)]
        return cells

    return change


def with_ids(ids: Callable[[int], object]) -> Callable[[Cells], Cells]:
    """Gives every cell an id, from its number."""
    return lambda cells: [{**cell, "id": ids(number)} for number, cell in enumerate(cells)]


def without(key: str) -> Callable[[Cells], Cells]:
    """Takes a field out of every cell."""
    return lambda cells: [{name: value for name, value in cell.items() if name != key} for cell in cells]


def with_each(**fields: Any) -> Callable[[Cells], Cells]:
    """Gives every cell these fields."""
    return lambda cells: [{**cell, **fields} for cell in cells]


def breaks(where: str, by: str) -> Callable[[Cells], Cells]:
    """Puts something before the code of the cells that hold a text."""
    return lambda cells: [{**c, "source": by + c["source"]} if where in c["source"] else c for c in cells]


def replaces(old: str, new: str) -> Callable[[Cells], Cells]:
    """Puts one text in the place of another."""
    return lambda cells: [{**cell, "source": cell["source"].replace(old, new)} for cell in cells]


COLAB = """\
gpu_info = !nvidia-smi
if "failed" in "\\n".join(gpu_info):
    print("no processor for graphics")
IN_COLAB = "google.colab" in str(get_ipython())
if IN_COLAB:
    from google.colab import files
import torch
device = "cuda" if torch.cuda.is_available() else "cpu"
if torch.cuda.is_available():
    print(device)
import numpy as np
"""
PLOTS = """\
import matplotlib.pyplot as plt
fig, axes = plt.subplots(2)
for ax in axes:
    ax.plot([1, 2])
with plt.xkcd():
    plt.plot([1, 2])
class Shown(plt.Figure):
    pass
def show(ax: plt.Axes):
    return ax
fig.savefig("x.png")
"""
HELPED = """\
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    highest = np.max(x, axis=axis, keepdims=True, initial=np.finfo(float).min)
    total = np.sum(power(x - highest), axis=axis, keepdims=True)
    return power(x - highest) / np.maximum(total, 1)
"""


TEXTS = (
    saved("a byte order mark", "\ufeff".encode() + ATTENTION.encode()),
    saved("lines that end as on Windows", ATTENTION.replace("\n", "\r\n").encode()),
    saved("lines that end as on an old Macintosh", ATTENTION.replace("\n", "\r").encode()),
    saved("no newline at the end", ATTENTION.strip().encode()),
    saved("UTF-16", ATTENTION.encode("utf-16"), says=r"attention\.py is saved as UTF-16, which Python does not run"),
    saved("Latin-1 with a coding line", b"# coding: latin-1\n# \xe9\n" + ATTENTION.encode("ascii", "replace")),
    saved("Latin-1 without a coding line", b"# caf\xe9\n" + ATTENTION.encode(), COSTS, r"attention\.py"),
    saved(
        "a coding line that lies", b"# coding: klingon\n" + ATTENTION.encode(), COSTS, r"attention\.py does not load"
    ),
    saved("null bytes", b"x = 1\0\n" + ATTENTION.encode(), COSTS, r"attention\.py does not load"),
    saved("a Word document", b"PK\x03\x04\x14\0\x06\0\x08\0" + bytes(range(256)), COSTS, r"attention\.py"),
)

NAMES = (
    called("Attention.py, with a capital", "Attention.py", r"Attention\.py was read as attention\.py"),
    called("ATTENTION.PY, in capitals", "ATTENTION.PY", r"ATTENTION\.PY was read as attention\.py"),
    called(
        "attention (1).py, as a browser names a copy",
        "attention (1).py",
        r"attention \(1\)\.py was read as attention\.py",
    ),
    called(
        "attention-1.py, as a platform names a copy", "attention-1.py", r"attention-1\.py was read as attention\.py"
    ),
    called("attention_final.py", "attention_final.py", r"attention_final\.py was read as attention\.py"),
    called("Copy of attention.py", "Copy of attention.py", r"Copy of attention\.py was read as attention\.py"),
    called("homework1.py", "homework1.py", r"homework1\.py was read as attention, by the functions"),
    Case(
        "attention.py.txt",
        {"attention.py": None, "attention.py.txt": ATTENTION},
        ABSENT,
        r"There is no file attention\.py, and attention\.py\.txt is",
    ),
    beside(
        "two versions", "attention (1).py", "def softmax(x):\n    return x\n", r"attention\.py was read as attention"
    ),
    Case(
        "a folder in a folder", {"attention.py": None, "masking.py": None, **{f"hw/{n}.py": lesson(n) for n in LESSONS}}
    ),
    beside("__MACOSX", "__MACOSX/._attention.py"),
    beside(".DS_Store", ".DS_Store"),
    beside(".ipynb_checkpoints", ".ipynb_checkpoints/attention-checkpoint.py", "1 / 0\n"),
    beside("__pycache__", "__pycache__/attention.cpython-311.pyc"),
    beside("a virtual environment", ".venv/lib/attention.py", "1 / 0\n"),
    beside("a report", "report.pdf", b"%PDF-1.4"),
    beside("the tests that were handed out", "test_attention.py", "def test(softmax): pass\n"),
    Case(
        "an empty submission", {"attention.py": None, "masking.py": None, ".keep": b""}, all_of("missing"), "no files"
    ),
    folder("Ada Löwe + Bob (1)"),
    folder("Zoë"),
    folder("李雷"),
    folder("a" * 200),
    folder("-rf"),
    folder("ada.lovelace@example.org"),
    folder('O\'Brien, "Pat" & Söhne'),
)

DOWNLOADS = (
    laid("a zip file", "zipped", files(("zipped.zip", zipped()))),
    laid("a zip file with a folder in it", "zipped-folder", files(("zipped-folder.zip", zipped("homework/")))),
    laid(
        "a zip file made on a Macintosh",
        "zipped-mac",
        files(("zipped-mac.zip", zipped("hw/", more={"__MACOSX/hw/._attention.py": b"\0"}))),
    ),
    laid(
        "a download from Canvas",
        "canvasada",
        files(*((f"canvasada_12345_6789{i}_{name}.py", lesson(name)) for i, name in enumerate(LESSONS))),
    ),
    laid(
        "late and again on Canvas",
        "canvasbob",
        files(
            ("canvasbob_LATE_12346_67891_attention-1.py", ATTENTION),
            ("canvasbob_12346_67880_attention.py", "1 / 0\n"),
            ("canvasbob_LATE_12346_67892_masking.py", lesson("masking")),
        ),
        "late",
    ),
    laid(
        "a download from Moodle",
        "Moodle Ada",
        files(*((f"Moodle Ada_12345_assignsubmission_file_/{name}.py", lesson(name)) for name in LESSONS)),
    ),
    laid(
        "the same student twice: a folder",
        "twice",
        lambda place: (hand_in(place / "twice", {}), files(("twice.zip", zipped()))(place))[1],
    ),
    laid("the same student twice: a zip file", "twice (twice.zip)", nothing),
)

NOTEBOOKS = (
    in_notebook("a notebook"),
    in_notebook("a notebook of another name", file="Untitled3 (1).ipynb", says="by the functions that it defines"),
    in_notebook("no metadata and no kernelspec", without("metadata"), metadata={}),
    in_notebook("cell ids that are null", with_each(id=None)),
    in_notebook("no cell ids", without("id")),
    in_notebook("the same cell id twice", with_ids(lambda number: f"{number // 2:08x}")),
    in_notebook("cell ids that are no text", with_ids(lambda number: [number])),
    in_notebook(
        "outputs and execution counts", with_each(outputs=[{"output_type": "stream", "text": "x"}], execution_count=7)
    ),
    in_notebook("metadata of Colab", with_each(metadata={"id": "aB3", "colab": {"base_uri": "x"}, "outputId": "1"})),
    in_notebook("metadata of VS Code", with_each(metadata={"vscode": {"languageId": "python"}})),
    in_notebook("sources as lists of lines", as_lines),
    in_notebook(
        "a solution in two cells, its helper in the first",
        lambda cells: [*cells, code("def power(x):\n    return np.exp(x)"), code(HELPED)],
    ),
    in_notebook(
        "a cell split in the middle of a function",
        split("positive = np.exp"),
        says=r"Cells 2 and 3 of attention\.ipynb were read as one: a function that begins in the first goes on",
    ),
    in_notebook(
        "a cell split into three in the middle of a function",
        split("positive = np.exp", "return positive"),
        says=r"Cells 2 to 4 of attention\.ipynb were read as one",
    ),
    in_notebook(
        "a cell split in the middle of a function, which fails in its second half",
        lambda cells: split("1 / 0")(replaces("return positive", "1 / 0; return positive")(cells)),
        {"softmax": "fail"},
        r"ZeroDivisionError in line \d+ of attention\.ipynb, cell 2: division by zero",
    ),
    in_notebook("new cells of its own", adds("print(1)", "x = softmax if 'softmax' in globals() else None", "")),
    in_notebook("magics and shell lines", adds("%matplotlib inline\n!pip install numpy\n?np.exp\n%timeit 1 + 1")),
    in_notebook("%%time before a cell", breaks("def softmax", "%%time\n")),
    in_notebook("cells of another language", adds("%%bash\necho 'def softmax('", "%%html\n<b>bold</b>")),
    in_notebook("a cell copied", lambda cells: [*cells, *cells]),
    in_notebook(
        "the untouched cell copied below the answer",
        lambda cells: [*cells, code("def softmax(x, axis=-1):\n    raise NotImplementedError")],
    ),
    in_notebook("a cell that fails", adds("1 / 0"), {}, ""),
    in_notebook(
        "a syntax error in one cell",
        breaks("def softmax", "x = (\n"),
        {"softmax": "error"},
        r"Cell \d+ of attention\.ipynb does not run: line \d+ is not Python",
    ),
    in_notebook(
        "a cell that needs another package",
        breaks("def softmax", "import torch\n"),
        {},
        "",
    ),
    in_notebook(
        "a first cell that asks for Colab and for its processor",
        lambda cells: [code(COLAB), *replaces("import numpy as np", "")(cells)],
    ),
    in_notebook(
        "imports in one line, of which one is absent", replaces("import numpy as np", "import torch, numpy as np")
    ),
    in_notebook("plots in the cell of a function", breaks("def softmax", PLOTS)),
    in_notebook(
        "a cell that never ends",
        adds("while True:\n    pass"),
    ),
    in_notebook("input() in a cell", adds("name = input()")),
    in_notebook("exit() in a cell", adds("exit()")),
    in_notebook(
        "a wrong answer in a cell",
        lambda cells: [*cells, code("def softmax(x, axis=-1):\n    return 1 / 0")],
        {"softmax": "fail"},
        r"ZeroDivisionError in line 2 of attention\.ipynb, cell \d+: division by zero",
    ),
    Case(
        "all functions in one notebook",
        {
            "attention.py": None,
            "masking.py": None,
            "homework.ipynb": notebook([*cells_of("attention"), *cells_of("masking")]),
        },
        {},
        r"homework\.ipynb was read as",
    ),
    Case(
        "a notebook of version 3",
        {
            "attention.py": None,
            "attention.ipynb": json.dumps(
                {
                    "nbformat": 3,
                    "nbformat_minor": 0,
                    "metadata": {},
                    "worksheets": [{"cells": [{"cell_type": "code", "input": ATTENTION, "language": "python"}]}],
                }
            ),
        },
    ),
    Case(
        "a damaged notebook",
        {"attention.py": None, "attention.ipynb": notebook(cells_of("attention"))[:2000]},
        COSTS,
        r"attention\.ipynb",
    ),
    Case(
        "a module and a notebook",
        {"attention.ipynb": notebook([code("1 / 0")])},
        {},
        "",
    ),
)

MODULES = (
    Case(
        "a helper of its own",
        {"helpers.py": "import numpy as np\nEXP = np.exp\n", "attention.py": "from helpers import EXP\n" + ATTENTION},
    ),
    Case(
        "a package of its own",
        {
            "helpers/__init__.py": "",
            "helpers/masks.py": "import numpy as np\nEXP = np.exp\n",
            "attention.py": "from helpers.masks import EXP\n" + ATTENTION,
        },
    ),
    Case(
        "a folder of helpers without __init__",
        {"helpers/masks.py": "EXP = 1\n", "attention.py": "import helpers.masks as masks\nmasks.EXP\n" + ATTENTION},
    ),
    *(
        Case(
            f"a helper called {name}.py",
            {f"{name}.py": "OWN = 1\n", "attention.py": f"from {name} import OWN\n" + ATTENTION},
        )
        for name in ("code", "test", "utils", "common", "statistics")
    ),
    *(
        Case(
            f"a module called {name}.py that is not for others",
            {f"{name}.py": "1 / 0\n", "attention.py": "import numpy.testing\n" + ATTENTION},
        )
        for name in ("unittest", "secrets", "types", "json", "numpy")
    ),
    Case(
        "a helper called random.py",
        {"random.py": "OWN = 1\n", "attention.py": "from random import OWN\n" + ATTENTION},
        COSTS,
        r"line 1 imports OWN from random, which does not have it: .* give it another name\.",
    ),
    Case(
        "a helper that fails",
        {"helpers.py": "import numpy as np\n1 / 0\n", "attention.py": "import helpers\n" + ATTENTION},
        COSTS,
        r"attention\.py does not load: ZeroDivisionError in line 2 of helpers\.py: division by zero\.",
    ),
    Case(
        "masking imports an attention that does not load",
        {"attention.py": "1 / 0\n", "masking.py": "from attention import softmax\n" + lesson("masking")},
        COSTS,
        r"attention\.py does not load: ZeroDivisionError in line 1",
    ),
)

ARRIVALS: dict[str, tuple[Case, ...]] = {
    "How a file is saved": TEXTS,
    "Names of files and folders": NAMES,
    "Zip files and downloads": DOWNLOADS,
    "Notebooks": NOTEBOOKS,
    "Modules of the student's own": MODULES,
}
"""The cases by the heading under which the docs list them."""
