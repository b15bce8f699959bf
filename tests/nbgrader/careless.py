"""Right work on attention, as careless students, their editors and their computers hand it in: all get full marks.

Each takes the right notebook and the folder that it is to lie in, and writes it there.
"""

import copy
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.nbgrader.notebooks import PNG, Cell, Notebook, code, grade_id, graded_cells, named, solutions, text, write

FILE = "attention.ipynb"
Case = Callable[[Notebook, Notebook, Path], None]
"""Called with the right notebook, the notebook as it was released, and the folder to write to."""
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Keep a case under its name."""
    CASES[function.__name__] = function
    return function


@case
def as_it_should_be(right: Notebook, released: Notebook, folder: Path) -> None:
    write(right, folder / FILE)


@case
def solution_copied(right: Notebook, released: Notebook, folder: Path) -> None:
    """One solution copied, and the stub of another copied to the end, where it would undo the answer."""
    right["cells"] += [copy.deepcopy(named(right, "softmax")), copy.deepcopy(named(released, "attention"))]
    write(right, folder / FILE)


@case
def split_within_a_function(right: Notebook, released: Notebook, folder: Path) -> None:
    """A cell in two, both with the metadata of the one, as JupyterLab leaves them."""
    first = named(right, "softmax")
    second = copy.deepcopy(first)
    lines = first["source"].split("\n")
    place = next(number for number, line in enumerate(lines) if "= np.exp" in line)
    first["source"], second["source"] = "\n".join(lines[:place]), "\n".join(lines[place:])
    right["cells"].insert(right["cells"].index(first) + 1, second)
    write(right, folder / FILE)


@case
def test_copied(right: Notebook, released: Notebook, folder: Path) -> None:
    right["cells"].insert(0, copy.deepcopy(named(right, "test_softmax")))
    write(right, folder / FILE)


@case
def metadata_lost(right: Notebook, released: Notebook, folder: Path) -> None:
    for cell in right["cells"]:
        del cell["metadata"]
    write(right, folder / FILE)


@case
def metadata_changed(right: Notebook, released: Notebook, folder: Path) -> None:
    """Types that nbgrader's schema does not know, an old version, and ids that two cells have exchanged."""
    softmax, scores = named(right, "softmax")["metadata"], named(right, "scaled_scores")["metadata"]
    softmax["nbgrader"], scores["nbgrader"] = scores["nbgrader"], softmax["nbgrader"]
    named(right, "test_attention")["metadata"]["nbgrader"] |= {"schema_version": 1, "locked": "yes", "points": None}
    named(right, "test_softmax")["metadata"]["nbgrader"] |= {"schema_version": 99, "extra": {}, "checksum": 7}
    write(right, folder / FILE)


@case
def test_turned_into_text(right: Notebook, released: Notebook, folder: Path) -> None:
    for cell in (named(right, "test_softmax"), named(right, "attention")):
        cell["cell_type"] = "markdown"
        del cell["outputs"], cell["execution_count"]
    write(right, folder / FILE)


@case
def tests_deleted(right: Notebook, released: Notebook, folder: Path) -> None:
    right["cells"] = [cell for cell in right["cells"] if not grade_id(cell).startswith(("test_", "explain_"))]
    write(right, folder / FILE)


@case
def test_edited(right: Notebook, released: Notebook, folder: Path) -> None:
    named(right, "test_softmax")["source"] = "assert True"
    write(right, folder / FILE)


@case
def answers_in_new_cells(right: Notebook, released: Notebook, folder: Path) -> None:
    answers = [code(cell["source"]) for cell in solutions(right)]
    right["cells"] = [cell for cell in right["cells"] if cell not in solutions(right)] + answers
    write(right, folder / FILE)


@case
def answer_in_test_cell(right: Notebook, released: Notebook, folder: Path) -> None:
    test = named(right, "test_softmax")
    test["source"] = named(right, "softmax")["source"] + "\n\n\n" + test["source"]
    named(right, "softmax")["source"] = named(released, "softmax")["source"]
    write(right, folder / FILE)


@case
def renamed(right: Notebook, released: Notebook, folder: Path) -> None:
    write(right, folder / "Attention (1).ipynb")


@case
def called_otherwise(right: Notebook, released: Notebook, folder: Path) -> None:
    """Under a name that says nothing, beside the notebook as it was handed out."""
    write(right, folder / "my *homework*.ipynb")
    write(released, folder / FILE)


@case
def foreign_kernel(right: Notebook, released: Notebook, folder: Path) -> None:
    right["metadata"] = {"kernelspec": {"name": "julia-1.9", "language": "julia"}, "language_info": {"name": "julia"}}
    write(right, folder / FILE)


@case
def bare(right: Notebook, released: Notebook, folder: Path) -> None:
    """Without anything that a notebook can be without, and some that it cannot; with a mark that Windows leaves."""
    cells = [{"cell_type": cell["cell_type"], "source": cell["source"].splitlines(True)} for cell in right["cells"]]
    write({"cells": cells}, folder / FILE)
    (folder / FILE).write_bytes(b"\xef\xbb\xbf" + (folder / FILE).read_bytes())


@case
def ids_null(right: Notebook, released: Notebook, folder: Path) -> None:
    for cell in right["cells"]:
        cell |= {"id": None, "outputs": None, "execution_count": "3"}
    write({**right, "metadata": None, "nbformat_minor": "5"}, folder / FILE)


@case
def old_format(right: Notebook, released: Notebook, folder: Path) -> None:
    def old(cell: Cell) -> dict[str, Any]:
        is_code = cell["cell_type"] == "code"
        return {"cell_type": cell["cell_type"], "input" if is_code else "source": cell["source"], "metadata": {}}

    sheet = {"cells": [old(cell) for cell in right["cells"]]}
    write({"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [sheet]}, folder / FILE)


@case
def from_colab(right: Notebook, released: Notebook, folder: Path) -> None:
    lines = "!pip install numpy\n%matplotlib inline\nfrom google.colab import drive\ndrive.mount('/content/drive')"
    right["cells"].insert(0, code(lines))
    for cell in right["cells"]:
        cell["metadata"] |= {"id": "x1Y", "colab": {"base_uri": "https://localhost/"}}
    write(right, folder / FILE)


@case
def odd_letters(right: Notebook, released: Notebook, folder: Path) -> None:
    """Half a character, which a file cannot hold, a zero byte, and markers of nbgrader's own."""
    right["cells"].append(code("face = '\ud83d'\nzero = '\0'\n### END SOLUTION\n### BEGIN HIDDEN TESTS"))
    (folder).mkdir(parents=True)
    (folder / FILE).write_text(json.dumps(right), encoding="utf-8")


@case
def warns(right: Notebook, released: Notebook, folder: Path) -> None:
    """Right functions that make NumPy warn, and warn themselves."""
    answer = named(right, "softmax")
    answer["source"] += "\n\n\nimport warnings\n\nright_softmax = softmax\n\n\ndef softmax(x, axis=-1):\n"
    answer["source"] += "    warnings.warn('look out')\n    np.log(np.zeros(3)), np.float64(1) / 0, np.exp(1e9)\n"
    answer["source"] += "    return right_softmax(x, axis)\n"
    write(right, folder / FILE)


@case
def late_output(right: Notebook, released: Notebook, folder: Path) -> None:
    """A cell that prints a long line each time that it is run, and outputs that are not as they should be."""
    right["cells"].append(code("print('x' * 10**8)"))
    for cell in graded_cells(right):
        cell["outputs"] = [{"output_type": "stream", "name": "stderr", "text": "0"}, None, {"output_type": 3}]
    write(right, folder / FILE)


@case
def ends_of_lines(right: Notebook, released: Notebook, folder: Path) -> None:
    """Saved on Windows."""
    for cell in right["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    write(right, folder / FILE)


@case
def stubs_left(right: Notebook, released: Notebook, folder: Path) -> None:
    """Answers in new cells at the end, and the cells that were meant for them as they were handed out."""
    answers = [code(cell["source"]) for cell in solutions(right)]
    for cell in solutions(right):
        cell["source"] = named(released, grade_id(cell))["source"]
    right["cells"] += answers
    write(right, folder / FILE)


@case
def pictures_pasted(right: Notebook, released: Notebook, folder: Path) -> None:
    """Pictures of a derivation: from the clipboard, under an odd name, and as Colab writes them into the text."""
    pasted = text("My derivation:\n\n![image.png](attachment:image.png) ![two](attachment:my%20s%C3%BCm.png)")
    pasted["attachments"] = {name: {"image/png": PNG} for name in ("image.png", "my s\u00fcm.png")}
    right["cells"] += [pasted, text(f"![image.png](data:image/png;base64,{PNG})")]
    write(right, folder / FILE)


@case
def picture_lost(right: Notebook, released: Notebook, folder: Path) -> None:
    """Texts that show a picture which is not there, a text that claims to be one, and one that is too large."""
    other, large = text("![y](attachment:y.png)"), text("![z](attachment:z.png)")
    other["attachments"] = {"y.png": {"image/png": "YWJj"}}
    large["attachments"] = {"z.png": {"image/png": PNG[:32] + "A" * (12 * 2**20)}}
    right["cells"] += [text("see ![x.png](attachment:x.png)"), other, large]
    write(right, folder / FILE)


@case
def much_to_say(right: Notebook, released: Notebook, folder: Path) -> None:
    """More text than anybody reads, in a form that takes long to show."""
    right["cells"] += [text(part * 5_000) for part in ("[a](", "\\begin{a}", "the mean is 0. ")]
    write(right, folder / FILE)


@case
def plain_texts(right: Notebook, released: Notebook, folder: Path) -> None:
    """What honest people write, with signs in it that HTML has too."""
    right["cells"].append(text(HONEST))
    write(right, folder / FILE)


HONEST = """# Why divide

For $n<m$ the sum a<b is *small*<br>if d<sub>k</sub> is; `x <y> z`, see [this](https://numpy.org "docs").

> quoted & true

```python
if a<b and b>c: print("<script>")
```

$$\\sum_{i<j} x_i$$
"""


@case
def a_folder_deeper(right: Notebook, released: Notebook, folder: Path) -> None:
    write(right, folder / "attention" / FILE)


@case
def ending_in_capitals(right: Notebook, released: Notebook, folder: Path) -> None:
    write(right, folder / "Attention.IPYNB")


@case
def in_an_archive(right: Notebook, released: Notebook, folder: Path) -> None:
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "attention.zip", "w") as archive:
        archive.writestr(FILE, json.dumps(right))


@case
def time_is_no_time(right: Notebook, released: Notebook, folder: Path) -> None:
    write(right, folder / FILE)
    (folder / "timestamp.txt").write_text("yesterday", encoding="utf-8")


@case
def time_is_far(right: Notebook, released: Notebook, folder: Path) -> None:
    write(right, folder / FILE)
    (folder / "timestamp.txt").write_text("9999999-01-01 12:00:00 UTC", encoding="utf-8")


@case
def time_is_no_text(right: Notebook, released: Notebook, folder: Path) -> None:
    write(right, folder / FILE)
    (folder / "timestamp.txt").write_bytes(b"\xff\xfe\0")


@case
def time_is_a_folder(right: Notebook, released: Notebook, folder: Path) -> None:
    write(right, folder / FILE)
    (folder / "timestamp.txt").mkdir()


CASES["in [brackets]*"] = as_it_should_be
