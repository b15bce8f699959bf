"""Submissions as they are handed in: folders, archives, notebooks and downloads, read as data and never run here."""

from collections.abc import Sequence
from pathlib import Path

from grader.submissions.layouts import Source, find_submissions, source_at
from grader.submissions.submission import Submission, SubmissionError

__all__ = ["Source", "Submission", "SubmissionError", "find_submissions", "read_submission", "source_at"]


def read_submission(path: Path, lessons: Sequence[str], student: str | None = None) -> Submission:
    """One student's submission: a folder, an archive, a notebook or a module.

    Raises ``SubmissionError`` when it is none of these.
    """
    return source_at(path, student).read(lessons)
