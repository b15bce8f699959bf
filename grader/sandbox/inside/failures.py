"""What is told of an exception: its class, its message, and the student's own frames."""

import errno
from collections import deque
from pathlib import PurePath
from types import TracebackType
from typing import Any

MAX_MESSAGE = 2_000
MAX_FRAMES = 20
MAX_BASES = 20

_name_of = type.__dict__["__name__"].__get__
_mro_of = type.__dict__["__mro__"].__get__
_traceback_of = BaseException.__dict__["__traceback__"].__get__
_filename_of = SyntaxError.__dict__["filename"].__get__
_lineno_of = SyntaxError.__dict__["lineno"].__get__
_errno_of = OSError.__dict__["errno"].__get__
_str, _str_slice = str, str.__getitem__


class Describer:
    """Describes exceptions of one submission. ``folder`` is where its files lie, ``files`` what is in them."""

    def __init__(self, folder: str, files: dict[str, bytes]) -> None:
        self._folder = folder
        self._files = files

    def describe(self, error: BaseException) -> dict[str, Any]:
        """The exception as data: ``type``, ``bases``, ``message`` and ``frames`` (file, line, function, text).

        Whatever the exception's own methods do is contained.
        """
        frames = self._frames(error)  # first, for a student's __str__ may raise the exception again and add to them
        return {
            "type": _name_of(type(error))[:MAX_MESSAGE],
            "bases": [_name_of(base)[:MAX_MESSAGE] for base in _mro_of(type(error))[:MAX_BASES]],
            "message": self._message(error),
            "frames": frames,
        }

    def _message(self, error: BaseException) -> str:
        try:
            text = _str(error)
            if OSError in _mro_of(type(error)) and _errno_of(error) == errno.EFBIG:
                import resource  # noqa: PLC0415  not on Windows, where there is no such limit either

                most, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
                text = f"File too large: no file may have more than {most >> 20} MB"
        except BaseException as worse:  # a student's __str__ may raise anything
            return f"(its message cannot be shown: {_name_of(type(worse))})"[:MAX_MESSAGE]
        # The folder's place on this machine is nobody's business, and differs from run to run.
        shown = _str_slice(text, slice(0, 2 * MAX_MESSAGE))
        return shown.replace(self._folder + "/", "").replace(self._folder, ".")[:MAX_MESSAGE]

    def _frames(self, error: BaseException) -> list[dict[str, Any]]:
        """The last of the student's own frames: endless recursion leaves a thousand, and only a few are told."""
        own: deque[tuple[str, int, str]] = deque(maxlen=MAX_FRAMES)
        traceback: TracebackType | None = _traceback_of(error)
        while traceback is not None:
            code = traceback.tb_frame.f_code
            self._note(own, code.co_filename, traceback.tb_lineno, code.co_name)
            traceback = traceback.tb_next
        if SyntaxError in _mro_of(type(error)):
            self._note(own, _filename_of(error), _lineno_of(error), "<module>")
        return [self._frame(*place) for place in own]

    def _note(self, own: deque[tuple[str, int, str]], filename: Any, line: Any, function: str) -> None:
        if type(filename) is str and type(line) is int and filename.startswith(self._folder):
            own.append((filename, line, function))

    def _frame(self, filename: str, line: int, function: str) -> dict[str, Any]:
        file = PurePath(filename[len(self._folder) :].lstrip("/\\")).as_posix()
        lines = self._files.get(file, b"").decode("utf-8", "replace").splitlines()
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return {"file": file, "line": line, "function": function[:MAX_MESSAGE], "text": text[:MAX_MESSAGE]}
