"""What the process that runs student code does: read a message, load or call, write the reply."""

import builtins
import os
import threading
import time
import warnings
from types import ModuleType
from typing import Any

import numpy as np

from . import wire
from .changes import changes
from .failures import Describer
from .lessons import Lessons
from .substitutes import Substitutes, signature_from_data

ASKED_TO_END = 76
OUT_OF_MEMORY = 77
TOO_MUCH_OUTPUT = 78
FORGED = 79
TOO_MANY_FILES = 80
"""Exit codes that tell the grader why the process is gone; a student who forges one only renames his own failure."""

TELL_AFTER = 0.02
"""Seconds after which the grader is told how many of several calls have returned; each has a time limit of its own."""

MAX_NAMES = 2_000
MAX_CHANGED = 100
MAX_LOSSES = 50
_NO_LIMIT = 1 << 32

# Bound here, so that student code that patches these modules breaks nothing but itself.
_read, _write, _exit, _chdir = os.read, os.write, os._exit, os.chdir
_simplefilter, _seterr = warnings.simplefilter, np.seterr
_clock = time.monotonic


class Wire:
    """The child's end of the wire: two file descriptors, which may be one and the same."""

    def __init__(self, source: int, sink: int, limit: int) -> None:
        self._source = source
        self._sink = sink
        self._limit = limit

    def receive(self) -> Any:
        """The grader's next message. Ends the process when the grader is gone."""
        return wire.read_message(self._exactly, _NO_LIMIT)

    def send(self, message: Any) -> None:
        """Send a message. Raises ``TooLarge`` when it exceeds the limit."""
        rest = memoryview(wire.encode(message, self._limit))
        while rest:
            rest = rest[_write(self._sink, rest) :]

    def _exactly(self, size: int) -> bytes:
        parts = []
        while size:
            part = _read(self._source, min(size, 1 << 20))
            if not part:
                _exit(0)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


class Runtime:
    """Serves one submission. ``folder`` is where its files lie and where its code runs."""

    def __init__(self, wire_end: Wire, folder: str, files: dict[str, bytes], modules: dict[str, str]) -> None:
        self._wire = wire_end
        self._folder = folder
        self._lessons = Lessons(folder, files, modules, self._before_cell)
        self._substitutes = Substitutes(self._lessons, self._ask)
        self._describe = Describer(folder, self._lessons.texts).describe
        self._asking = threading.Lock()
        self._busy = False

    def serve(self) -> None:
        """Answer messages until the grader hangs up or the student's code ends the process. Never returns."""
        self._lessons.install()
        do = {
            "load": self._load,
            "bar": self._bar,
            "skip": self._skip,
            "substitute": self._substitute,
            "call": self._call,
            "read": self._read,
        }
        try:
            while True:
                message = self._wire.receive()
                self._reset()
                self._busy = True
                reply = do[message["do"]](message)
                self._busy = False
                self._wire.send(reply)
        except MemoryError:
            _exit(OUT_OF_MEMORY)
        except wire.TooLarge:
            _exit(TOO_MUCH_OUTPUT)
        except SystemExit:
            _exit(ASKED_TO_END)
        finally:
            _exit(FORGED)

    def _reset(self) -> None:
        """Undo what an earlier call may have set for the whole process."""
        _simplefilter("ignore")
        _seterr(divide="warn", over="warn", under="ignore", invalid="warn")
        _chdir(self._folder)

    def _load(self, message: dict[str, Any]) -> dict[str, Any]:
        name = message["module"]
        self._substitutes.before_load(name)
        try:
            module = self._lessons.load(name)
        except MemoryError:
            raise
        except BaseException as error:
            return {"error": self._describe(error), "names": [], "lost": []}
        finally:
            self._substitutes.after_load(name)
        return {"error": None, "names": _names(module), "lost": self._lost(name)}

    def _lost(self, name: str) -> list[dict[str, Any]]:
        losses = [loss for loss in self._lessons.lost(name) if loss.names][:MAX_LOSSES]
        return [
            {
                "cell": loss.cell,
                "error": None if loss.error is None else self._describe(loss.error),
                "names": [lost for lost in loss.names if len(lost) <= wire.MAX_NAME][:MAX_NAMES],
            }
            for loss in losses
        ]

    def _before_cell(self, module: str, cell: int) -> None:
        """Tell the grader which cell is about to run: it cannot be asked when the cell has ended the process."""
        with self._asking:
            if self._busy:
                self._wire.send({"module": module, "cell": cell})

    def _skip(self, message: dict[str, Any]) -> dict[str, Any]:
        self._lessons.skip(message["module"], message["cell"])
        return {}

    def _bar(self, message: dict[str, Any]) -> dict[str, Any]:
        self._lessons.bar(message["module"], message["reason"])
        return {}

    def _substitute(self, message: dict[str, Any]) -> dict[str, Any]:
        signature = signature_from_data(message["signature"])
        self._substitutes.put(message["function"], message["module"], signature)
        return {}

    def _call(self, message: dict[str, Any]) -> dict[str, Any]:
        finished: list[tuple[Any, dict[str, Any] | None, tuple[str, ...]]] = []
        told = _clock()
        for args, kwargs in message["calls"]:
            if finished and _clock() - told > TELL_AFTER:
                self._wire.send({"next": len(finished)})
                told = _clock()
            self._reset()
            before = (args, kwargs)
            own_args, own_kwargs = wire.as_numpy(before)
            value, failure = None, None
            try:
                function = self._named(message["module"], message["function"])
                value = function(*own_args, **own_kwargs)
            except (MemoryError, SystemExit):
                raise
            except BaseException as error:
                failure = self._describe(error)
            if not message["together"]:
                value = wire.as_numpy(wire.as_data(value))  # a copy that no later call can reach
            finished.append((value, failure, changes(wire.as_numpy(before), (own_args, own_kwargs))))
        # Only now, so that a buffer which a function hands out again and again shows what the last call left in it.
        return {
            "results": [
                {"value": wire.as_data(value), "raised": failure, "changed": list(changed[:MAX_CHANGED])}
                for value, failure, changed in finished
            ]
        }

    def _read(self, message: dict[str, Any]) -> dict[str, Any]:
        value, failure = None, None
        try:
            value = self._named(message["module"], message["constant"])
        except AttributeError as error:
            failure = self._describe(error)
        return {"results": [{"value": wire.as_data(value), "raised": failure, "changed": []}]}

    def _named(self, module: str, name: str) -> Any:
        names = vars(self._lessons.loaded[module])
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return names[name]

    def _ask(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The reference's value. Raises what the reference raised."""
        with self._asking:
            if not self._busy:
                raise RuntimeError(f"{function} was called after the call that it belonged to had ended")
            self._wire.send({"ask": function, "args": args, "kwargs": kwargs})
            reply = self._wire.receive()
        if reply["raised"] is None:
            return wire.as_numpy(reply["value"])
        name, text = reply["raised"]
        raise getattr(builtins, name, RuntimeError)(text)


def _names(module: ModuleType) -> list[str]:
    """The public callables, and the constants: by convention, names in capitals."""
    named = [(name, value) for name, value in list(vars(module).items()) if type(name) is str]
    public = [name for name, value in named if not name.startswith("_") and (name.isupper() or callable(value))]
    return [name for name in public if len(name) <= wire.MAX_NAME][:MAX_NAMES]


def silence() -> None:
    """Put the null device in the place of standard input, output and error, under the streams that there are."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    if null > 2:
        os.close(null)


def first_message(wire_end: Wire) -> tuple[dict[str, bytes], dict[str, str]]:
    """The submission: its files by relative path, and which of them is which lesson."""
    message = wire_end.receive()
    return {path: content.tobytes() for path, content in message["files"].items()}, message["modules"]
