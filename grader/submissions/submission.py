"""What grading knows of one student's work, however it was handed in."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field


class SubmissionError(Exception):
    """There is nothing here that could be graded; the message says what was looked for and where."""


@dataclass(frozen=True)
class Submission:
    """One student's files, by their path in the folder, and which of them is which lesson's module.

    ``unread`` says of a lesson that has no module why its file could not be read, in a sentence. ``fault`` is why
    nothing could be read, where that is not the student's fault.
    """

    student: str
    files: Mapping[str, bytes]
    modules: Mapping[str, str]
    remarks: tuple[str, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""

    @property
    def digest(self) -> str:
        """A digest of the files, names and contents: the same work has the same digest."""
        total = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            total.update(hashlib.sha256(name.encode()).digest() + hashlib.sha256(content).digest())
        for lesson, reason in sorted(self.unread.items()):
            total.update(hashlib.sha256(f"{lesson}\n{reason}".encode()).digest())
        return total.hexdigest()
