"""The face that nbgrader shows: ``nbgrader autograde`` with the kit's grading and without a kernel.

A course's ``nbgrader_config.py`` names these, and ``grader course`` writes one that does:

- ``begin`` and ``end`` as ``Autograde.pre_convert_hook`` and ``post_convert_hook`` let one process at a time at a
  submission,
- ``NotebookReader`` as ``Autograde.exporter_class`` puts every folder on the run's list, finds the notebook of a lesson
  under another name and reads it however it was saved,
- ``Mend`` in ``Autograde.sanitize_preprocessors`` puts right what a student did to the cells, in the place of
  ``ClearOutput``, ``DeduplicateIds`` and ``OverwriteCells``, which have nothing left to do after it, and makes what
  students wrote harmless in nbgrader's pages,
- ``GradeInSandbox`` stands in the place of ``Execute`` in ``Autograde.autograde_preprocessors``.

They rely on nothing that a submission says of itself: which cells there are and what they are worth is in the
gradebook, what a function is worth is found out in the sandbox.
"""

from grader.nbgrader_plugin.grading import GradeInSandbox, UngradedError
from grader.nbgrader_plugin.mending import Mend
from grader.nbgrader_plugin.reading import NotALessonError, NotebookReader, begin, end

__all__ = ["GradeInSandbox", "Mend", "NotALessonError", "NotebookReader", "UngradedError", "begin", "end"]
