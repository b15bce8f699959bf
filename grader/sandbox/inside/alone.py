"""A child that no parent forked: a process of its own for one submission, for systems where nothing better works."""

import contextlib
import os
import sys
from typing import NoReturn

from . import box
from .runtime import Runtime, Wire, first_message, silence
from .setup import close_path, seed_all, take_settings


def main() -> NoReturn:
    """Serve one submission over standard input and output, which are then out of its reach."""
    settings = take_settings()
    close_path()
    link = Wire(_moved(0), _moved(1), settings.output_mb << 20)
    silence()
    files, modules = first_message(link)
    place = settings.place.resolve()
    box.fill(place, files)
    os.environ["HOME"] = os.environ["TMPDIR"] = str(place / box.HOME)
    seed_all()
    with contextlib.suppress(ImportError, OSError, ValueError):  # this rung promises no more than the system has
        from .limits import limit_process  # noqa: PLC0415

        limit_process(settings.memory_mb, settings.output_mb, settings.seconds)
    link.send({"ready": True})
    Runtime(link, str(place / box.SUBMISSION), files, modules).serve()
    sys.exit()


def _moved(descriptor: int) -> int:
    moved = os.dup(descriptor)
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415

        msvcrt.setmode(moved, os.O_BINARY)
    return moved
