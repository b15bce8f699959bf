"""Writes the table of the cases and their outcomes."""

import tempfile
from pathlib import Path

from grader.sandbox import best_rung
from tests.cases.run import TABLE, graded, table

with tempfile.TemporaryDirectory() as folder:
    TABLE.write_text(table(graded(Path(folder), best_rung())), encoding="utf-8")
print(f"Written: {TABLE}")
