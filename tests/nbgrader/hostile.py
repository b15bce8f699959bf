"""Work on attention that is after points, the course or the others: none of it gains what the functions do not earn."""

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path

from tests.nbgrader.careless import FILE
from tests.nbgrader.notebooks import Notebook, code, graded_cells, named, text, write

Case = Callable[[Notebook, Notebook, Path, Path], None]
"""Called with the right notebook, the notebook as it was released, the folder to write to, and the course's folder."""
CASES: dict[str, tuple[Case, str]] = {}
"""Each with the functions that are right all the same."""
ALL = "softmax scaled_scores attention"


def case(right: str = "") -> Callable[[Case], Case]:
    """Keep a case under its name. ``right`` are the functions that earn their points."""

    def keep(function: Case) -> Case:
        CASES[function.__name__] = function, right
        return function

    return keep


def _attack(notebook: Notebook, source: str, folder: Path) -> None:
    """The notebook with a cell of this source before all others."""
    notebook["cells"].insert(0, code(source))
    write(notebook, folder / FILE)


@case()
def blanks_cells(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """An input transformer that leaves nothing of the cells that follow."""
    source = "from IPython import get_ipython\nget_ipython().input_transformers_cleanup.append(lambda lines: [])"
    _attack(released, source, folder)


@case()
def prints_numbers(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """A display hook that shows full marks whatever comes, and numbers printed to every stream."""
    source = "import os, sys\nsys.displayhook = lambda value: print(2.0)\nprint(2.0)\n"
    source += "for stream in range(1, 20):\n    try:\n        os.write(stream, b'2.0\\n')\n"
    source += "    except OSError:\n        pass\n2.0"
    for cell in graded_cells(released):
        result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "2.0"}}
        cell["outputs"] = [result]
    _attack(released, source, folder)


@case()
def reads_the_course(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Says aloud what it can read of the secret, the answers and the gradebook."""
    files = (
        "course.toml",
        "source/attention/attention.ipynb",
        "gradebook.db",
        "submitted/as_it_should_be/attention/" + FILE,
    )
    source = "found = ''\n"
    for file in files:
        source += f"try:\n    found += 'STOLEN ' + open({str(course / file)!r}, 'rb').read().decode('latin-1')[-500:]\n"
        source += "except OSError as error:\n    pass\n"
    source += "try:\n    import grader\n    found += 'STOLEN ' + grader.__file__\nexcept ImportError:\n    pass\n"
    named(released, "softmax")["source"] = "def softmax(x, axis=-1):\n    raise ValueError(found)"
    _attack(released, source, folder)


@case()
def writes_the_gradebook(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Gives itself points and extra credit, now and by triggers, under any name the file can have."""
    source = f"""import sqlite3
with sqlite3.connect({str(course / "gradebook.db")!r}) as gradebook:
    gradebook.execute("UPDATE grade SET auto_score = 2, extra_credit = 5, manual_score = 3")
    gradebook.execute("CREATE TRIGGER more AFTER UPDATE ON grade BEGIN UPDATE grade SET extra_credit = 9; END")
    gradebook.execute("UPDATE base_cell SET name = 'x'")"""
    _attack(released, source, folder)


@case()
def patches_the_tests(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Makes every comparison hold."""
    source = """import builtins
import numpy
import numpy.testing
for name in dir(numpy.testing):
    if name.startswith("assert"):
        setattr(numpy.testing, name, lambda *args, **kwargs: None)
numpy.allclose = numpy.array_equal = lambda *args, **kwargs: True
numpy.ndarray.__eq__ = builtins.isinstance = lambda *args: True"""
    source_2 = "import hypothesis\nhypothesis.given = lambda *args, **kwargs: lambda test: lambda: None"
    released["cells"].insert(0, code(source_2))
    _attack(released, source, folder)


@case(right=ALL)
def hands_in_types(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Right work beside modules that are called like Python's, Hypothesis's, the grader's and nbgrader's own."""
    for name in (
        "types",
        "hypothesis",
        "numpy",
        "json",
        "sitecustomize",
        "grader",
        "nbgrader_config",
        "jupyter_config",
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.py").write_text("import os\nos._exit(0)\n", encoding="utf-8")
    write(right, folder / FILE)


@case()
def ends_the_process(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Every call ends the process with the code that says that all is well."""
    for name in ALL.split():
        named(released, name)["source"] = f"import os\n\n\ndef {name}(*args, **kwargs):\n    os._exit(0)\n"
    write(released, folder / FILE)


@case(right="scaled_scores")
def changes_the_points(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """One function right, whose cell says that it is worth a hundred; others not to be graded, or to be an answer."""
    named(released, "scaled_scores")["source"] = named(right, "scaled_scores")["source"]
    named(released, "test_scaled_scores")["metadata"]["nbgrader"]["points"] = 100
    named(released, "test_softmax")["metadata"]["nbgrader"] |= {"grade": False, "locked": False}
    named(released, "test_attention")["metadata"]["nbgrader"] |= {"solution": True, "points": -5}
    write(released, folder / FILE)


@case()
def renames_ids(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """The test of one function claims to be that of another, and a cell of the student's to be a test that holds."""
    named(released, "test_attention")["metadata"]["nbgrader"]["grade_id"] = "test_attention_2"
    mine = code("3.0")
    mine["metadata"] = copy.deepcopy(named(released, "test_softmax")["metadata"])
    named(released, "test_softmax")["metadata"]["nbgrader"]["grade_id"] = "test_scaled_scores"
    released["cells"].append(mine)
    write(released, folder / FILE)


@case()
def deletes_tests(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """No test, no mistake."""
    released["cells"] = [cell for cell in released["cells"] if cell not in graded_cells(released)]
    write(released, folder / FILE)


@case()
def hands_in_nothing(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """A notebook without cells."""
    write({**released, "cells": []}, folder / FILE)


@case()
def damaged(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Half a file."""
    write(right, folder / FILE)
    (folder / FILE).write_bytes((folder / FILE).read_bytes()[:3000])


@case()
def nested(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Brackets without end."""
    folder.mkdir(parents=True)
    (folder / FILE).write_text('{"cells": ' + "[" * 200_000, encoding="utf-8")


@case()
def long_line(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """An output of 100 MB in one line."""
    named(released, "test_softmax")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 10**8}]
    write(released, folder / FILE)


@case(right="softmax scaled_scores")
def deletes_the_course(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Right functions, one of which removes everything it can."""
    named(right, "attention")["source"] = f"""import pathlib
import shutil


def attention(q, k, v, mask=None):
    for folder in ({str(course)!r}, ".", "..", str(pathlib.Path.home()), "/tmp"):
        shutil.rmtree(folder, ignore_errors=True)
"""
    write(right, folder / FILE)


@case(right=ALL)
def links_out(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Right work beside a link to the secret, which somebody may copy along."""
    write(right, folder / FILE)
    (folder / "data.txt").symlink_to(course / "course.toml")


@case()
def speaks_for_the_grader(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """What the grader writes into notebooks, written by the student."""
    note = {
        "cell_type": "markdown",
        "id": "n",
        "metadata": {"handed_in": {"points": 6}},
        "source": "softmax: right (2 of 2)",
    }
    released["cells"].insert(0, note)
    released["metadata"]["handed_in"] = json.loads('{"unread": "", "points": 6}')
    for name in ALL.split():
        named(released, name)["source"] = f"def {name}(*args, **kwargs):\n    print('{name}: right')\n    return 2.0\n"
    write(released, folder / FILE)


@case(right=ALL)
def odd_files(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Right work beside a link to itself, a link to nothing, a pipe, and folders in the place of files."""
    write(right, folder / FILE)
    (folder / "loop").symlink_to("loop")
    (folder / "nothing").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    (folder / "testing.py").mkdir()


@case(right=ALL)
def pipe_as_time(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """A time of handing in that nobody can read to its end."""
    write(right, folder / FILE)
    os.mkfifo(folder / "timestamp.txt")


@case(right=ALL)
def line_break(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Right work under a name with a line break, at which nbgrader ends."""
    write(right, folder / FILE)


CASES["line\nbreak"] = CASES.pop("line_break")


@case()
def folder_as_notebook(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    (folder / FILE).mkdir(parents=True)
    (folder / FILE / "data.txt").write_text("2.0", encoding="utf-8")


@case()
def no_file(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    folder.mkdir(parents=True)


@case()
def other_file(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    write(right, folder / "attention.json")


@case()
def deep_metadata(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """What a cell says of itself, so deep that nobody can copy it."""
    write(released, folder / FILE)
    deep = '{"grade_id": "softmax", "a": ' + '{"a": ' * 470 + "1" + "}" * 471
    notebook = json.dumps({**released, "cells": [code("x = 1"), *released["cells"]]})
    (folder / FILE).write_text(
        notebook.replace('"metadata": {}', f'"metadata": {{"nbgrader": {deep}}}', 1), encoding="utf-8"
    )


@case()
def shows_scripts(right: Notebook, released: Notebook, folder: Path, course: Path) -> None:
    """Texts that would run in the browser of whoever looks at them, and give marks there."""
    released["cells"] += [text(harm) for harm in HARM]
    released["cells"] += [
        {**text(harm), "cell_type": "raw", "metadata": {"raw_mimetype": "text/html"}} for harm in HARM
    ]
    picture = text("![x](attachment:x.svg)")
    picture["attachments"] = {"x.svg": {"image/svg+xml": "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"}}
    released["cells"].append(picture)
    write(released, folder / FILE)


GIVES_MARKS = """<script>
(async () => {
  const known = document.cookie.match(/_xsrf=([^;]+)/);
  const headers = {"Content-Type": "application/json", "X-XSRFToken": known ? known[1] : ""};
  const id = location.pathname.split("/").filter(Boolean).pop();
  const grades = await (await fetch("/formgrader/api/grades?submission_id=" + id)).json();
  for (const grade of grades)
    await fetch("/formgrader/api/grade/" + grade.id, {method: "PUT", headers, body: JSON.stringify({manual_score: 3})});
})();
</script>"""
HARM = (
    GIVES_MARKS,
    "text\n\n" + GIVES_MARKS,
    'a <img src=x onerror="alert(1)"> b',
    "<div onmouseover=alert(1) ",
    "<br>\n<svg onload=alert(1)>",
    "<!--><script>alert(1)</script>-->",
    "<?x><script>alert(1)</script>?>",
    "<!X ><iframe src='javascript:alert(1)'></iframe>",
    "<![CDATA[><script>alert(1)</script>]]>",
    "`<b>` <style>*{display:none}</style> <base href=//localhost> <meta http-equiv=refresh content=0> <form><input>",
    "[a](javascript:alert(1))",
    "[a](JaVa&Tab;script:alert(1) 'x' )",
    "[a](java&#115;cript:alert(1)) [b](&amp;#106;avascript:alert(1)) [c](<\tjavascript:alert(1)>)",
    '[a] [b][a]\n\n[a]: javascript:alert(1) "title"',
    "<javascript:alert(1)>",
    "[a](data:text/html,<script>alert(1)</script>) [b](vbscript:x)",
    "[a](page.html) [b](../../api/grade/1) [c](http:page.html)",
    "![a](../../../logout) ![b](/logout) ![c](%2e%2e/logout) ![d](http://localhost/logout)",
    "![a][b]\n\n[b]: //localhost/logout",
    '![a" onerror="alert(1)](x.png "t\\" onerror=\\"alert(1)")',
    "```mermaid\n<img src=x onerror=alert(1)>\n```",
    '```a" onclick="alert(1)\nx\n```\n~~~ <script>alert(1)</script>\nx',
    '# <img src=x onerror=alert(1)>\n\n# " onclick="alert(1)\n\n<u>x</u>\n===',
    "# explain_scaling\n\n# softmax-comment",
    "$\\href{javascript:alert(1)}{x}$ $$<script>alert(1)</script>$$ \\begin{a}<script>alert(1)</script>\\end{a}",
    "&lt;script&gt;alert(1)&lt;/script&gt; \\<script>alert(1)</script>",
    "|<script>alert(1)</script>|b|\n|-|-|\n|<img src=x onerror=alert(1)>|[a](javascript:alert(1))|",
    "- [ ] <script>alert(1)</script>\n\na\n: <script>alert(1)</script>\n\n~~<script>alert(1)</script>~~",
    "````\n```\n<script>alert(1)</script>",
    ">" * 3_000 + "<script>alert(1)</script>",
)
