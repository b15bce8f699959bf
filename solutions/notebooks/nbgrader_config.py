"""nbgrader's settings for this course. Points and secret are in course.toml beside it."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader import preprocessors as nb

try:
    from grader import nbgrader_plugin as kit
    from grader.nbgrader_preprocessors import HideTests, PutStubs
except ImportError as error:
    # Else nbgrader would go on without these settings, and run what students wrote outside the sandbox.
    raise SystemExit(
        f"This course needs the kit where nbgrader runs: pip install 'transformer-exercises[nbgrader]' ({error})"
    ) from None

HERE = Path(__file__).resolve().parent

c = get_config()  # noqa: F821  nbgrader defines it
c.CourseDirectory.course_id = "COURSE"
c.CourseDirectory.root = str(HERE)

# What students get: the kit's stubs in place of the answers.
c.GenerateAssignment.preprocessors = [
    nb.IncludeHeaderFooter,
    nb.InstantiateTests,
    nb.LockCells,
    PutStubs,
    nb.ClearOutput,
    nb.CheckCellMetadata,
    nb.ComputeChecksums,
    nb.SaveCells,
    nb.ClearHiddenTests,
    nb.ClearMarkScheme,
    nb.ComputeChecksums,
    nb.CheckCellMetadata,
]

# Grading without a kernel, in the kit's sandbox. Without these lines nbgrader grades in its own way, which honest work
# does not notice.
c.Autograde.pre_convert_hook = kit.begin
c.Autograde.post_convert_hook = kit.end
c.Autograde.exporter_class = kit.NotebookReader
c.Autograde.sanitize_preprocessors = [kit.Mend, nb.OverwriteKernelspec]
c.Autograde.autograde_preprocessors = [
    kit.GradeInSandbox,
    nb.SaveAutoGrades,
    nb.AssignLatePenalties,
    nb.CheckCellMetadata,
]
c.GradeInSandbox.course = str(HERE / "course.toml")

# Feedback without hidden tests and mark schemes.
c.GenerateFeedback.preprocessors = [nb.GetGrades, HideTests, CSSHTMLHeaderPreprocessor]
