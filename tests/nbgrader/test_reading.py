"""Which notebook of a student's folder counts, and where it lies."""

import json
import zipfile
from pathlib import Path

from grader.nbgrader_plugin.reading import handed_in
from grader.sandbox.inside.notebooks import code_cells

STUB = 'def softmax(x, axis=-1):\n    raise NotImplementedError("softmax is not started")\n'
WORK = "def softmax(x, axis=-1):\n    return x\n"


def notebook(source: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": source}]})


def test_work_in_a_folder_counts_before_stubs_in_another(tmp_path: Path) -> None:
    for folder, source in (("handout", STUB), ("mine", WORK)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "attention.ipynb").write_text(notebook(source), encoding="utf-8")
    assert handed_in(tmp_path, "attention").notebook == notebook(WORK).encode("utf-8")


def test_a_notebook_in_an_archive_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
        archive.writestr("attention.ipynb", notebook(WORK))
    found = handed_in(tmp_path, "attention")
    assert found.remarks == [
        "attention.ipynb lies in an archive, where only its code was read: hand in the notebook itself."
    ]
    assert found.notebook is not None
    assert [cell.source for cell in code_cells(found.notebook)] == [WORK]


def test_a_notebook_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "attention.json").write_text(notebook(WORK), encoding="utf-8")
    found = handed_in(tmp_path, "attention")
    assert (found.notebook, found.unread) == (None, "There is no attention.ipynb; there is attention.json.")


def test_a_name_may_hold_what_finds_names(tmp_path: Path) -> None:
    (tmp_path / "attention [1].ipynb").write_text(notebook(WORK), encoding="utf-8")
    found = handed_in(tmp_path, "attention")
    assert found.notebook == notebook(WORK).encode("utf-8")
