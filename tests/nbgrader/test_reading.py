"""Which notebook of a student's folder counts, and where it lies."""

import json
import zipfile
from pathlib import Path

from grader.nbgrader_plugin.reading import handed_in

STUB = 'def softmax(x, axis=-1):\n    raise NotImplementedError("softmax is not started")\n'
WORK = "def softmax(x, axis=-1):\n    return x\n"


def notebook(source: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": source}]})


def test_work_in_a_folder_counts_before_stubs_in_another(tmp_path: Path) -> None:
    for folder, source in (("handout", STUB), ("mine", WORK)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "attention.ipynb").write_text(notebook(source), encoding="utf-8")
    assert handed_in(tmp_path, "attention").notebook == tmp_path / "mine" / "attention.ipynb"


def test_a_notebook_in_an_archive_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
        archive.writestr("attention.ipynb", notebook(WORK))
    found = handed_in(tmp_path, "attention")
    assert (found.notebook, found.unread) == (None, "attention.ipynb lies in an archive: hand in the notebook itself.")
