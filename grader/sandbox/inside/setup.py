"""What both kinds of child do before they serve: take their settings, close the import path, seed."""

import builtins
import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.fft
import numpy.linalg
import numpy.random  # these three are loaded only when asked for, which no child should have to wait for


@dataclass(frozen=True)
class Settings:
    """What the grader tells a new process. ``place`` is a box, or the folder of all boxes."""

    place: Path
    memory_mb: int
    output_mb: int
    seconds: float
    control: int


def take_settings() -> Settings:
    """Read the settings from the command line, and clear it: a submission finds nothing there."""
    told: dict[str, Any] = json.loads(sys.argv[1])
    sys.argv[:] = [""]
    return Settings(**{**told, "place": Path(told["place"])})


def close_path() -> None:
    """Let no package be found from now on but those of the standard library; what is loaded stays loaded.

    The command line has put this package's folder first on the path and NumPy's last.
    """
    del sys.path[0], sys.path[-1]
    sys.path_importer_cache.clear()
    vars(builtins).update(exit=sys.exit, quit=sys.exit)  # an interpreter without packages comes without these two


def seed_all() -> None:
    """Start the global random generators from the same state in every process, so that a grade repeats."""
    random.seed(0)
    numpy.random.seed(0)
