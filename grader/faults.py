"""How a fault of the grader's own is written down, for whoever mends it: the same on every machine."""

import traceback
from pathlib import Path

from grader.plain import without_folders


def fault_of(error: BaseException) -> str:
    """The exception and where it came from, with files by their names: where they lie on this machine is left out."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"  {Path(frame.filename).name}, line {frame.lineno}, in {frame.name}: {frame.line}" for frame in frames]
    said = "".join(traceback.format_exception_only(error)).rstrip()
    return "\n".join([without_folders(said), *reversed(lines)])
