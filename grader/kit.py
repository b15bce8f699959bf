"""Where the kit's own files are: the reference and the course file."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "_kit"
# A wheel carries the files inside the package; in a checkout they stay at the root, where people edit them.
_ROOT = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent

SOLUTIONS: Path = _ROOT / "solutions"
"""The folder of the reference: lessons, public tests, hints and the student's pytest face."""

COURSE: Path = _ROOT / "course.toml"
"""The course that is graded when no other is named."""

FIGURES: Path = _ROOT / "figures"
"""The package of the figures: one module a figure, and their style."""

PLAYGROUND: Path = FIGURES / "playground"
"""The playground: its page in parts, and the program that serves it to a student."""
