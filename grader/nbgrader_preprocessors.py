"""What students get of a notebook: stubs in place of answers, and feedback without what is hidden."""

import re

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor
from traitlets import List

from grader.release import ReleaseError, stub

_HIDDEN = re.compile(r"^.*BEGIN (HIDDEN TESTS|MARK SCHEME).*\n(?:.*\n)*?.*END \1.*(?:\n|\Z)", re.MULTILINE)


class PutStubs(ClearSolutions):  # type: ignore[misc]  # nbgrader has no types
    """Puts the stubs of the students' folder in place of answers. Other solutions are cleared as nbgrader does it."""

    def _replace_solution_region(self, cell: NotebookNode, language: str) -> bool:
        try:
            stubbed = stub(cell.source, "the cell").rstrip("\n")
        except ReleaseError:  # no function of the kit's style, no constant: another notebook of the teacher's
            return bool(super()._replace_solution_region(cell, language))
        is_changed = bool(stubbed != cell.source.rstrip("\n"))
        cell.source = stubbed
        return is_changed


class HideTests(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no types
    """Takes hidden tests and mark schemes out of the cells that are the teacher's.

    nbgrader's own preprocessors for it end with an error where a student has written such a marker.
    """

    # The exporter to HTML sets it for every preprocessor; one that does not have it gets a warning into the log.
    display_data_priority: List[str] = List().tag(config=True)

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Clear one cell."""
        if cell.metadata.get("nbgrader", {}).get("locked"):
            cell.source = without_hidden(cell.source).rstrip()
        return cell, resources


def without_hidden(source: str) -> str:
    """A cell's text without its hidden tests and its mark scheme."""
    return _HIDDEN.sub("", source)
