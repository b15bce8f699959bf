"""The warm parent: has NumPy loaded, and forks a child for each submission. It never runs student code. Linux only."""

import contextlib
import gc
import os
import select
import signal
import socket
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from . import box, confine
from .control import FORK, HUNG_UP, KILL, NUMBER, READY, TIME, UNKNOWN
from .processor import processor_seconds
from .runtime import TOO_MANY_FILES, Runtime, Wire, first_message, silence
from .setup import Settings, close_path, seed_all, take_settings

PATIENCE_SECONDS = 0.5
LOOK_SECONDS = 0.1
"""How often it is looked how much a child has left at home."""
_HIGHEST_DESCRIPTOR = 1 << 16


def main() -> NoReturn:
    """Serve the grader until it hangs up."""
    confine.die_with_parent(signal.SIGTERM)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    settings = take_settings()
    close_path()
    parent = _Parent(settings)
    signal.signal(signal.SIGTERM, parent.stop)
    gc.collect()
    gc.freeze()  # the children leave these objects alone, so their memory stays shared
    parent.serve()
    sys.exit()


class _Parent:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._control = socket.socket(fileno=settings.control)
        self._is_serving = True
        self._free: list[tuple[Path, confine.Cage]] = []
        self._made = 0
        os.umask(0o022)
        settings.place.chmod(0o711)  # a child that has become nobody passes through here
        self._children: dict[int, tuple[Path, confine.Cage]] = {}
        self._overfull: set[int] = set()
        self._add_box()

    def serve(self) -> None:
        """Do as the grader asks until it hangs up, then end all children and remove all boxes."""
        try:
            self._answer_requests()
        finally:
            for child in list(self._children):
                self._end(child, patient=False)
                self._recycle(child)
            for place, _ in self._free:
                box.remove(place)
            with contextlib.suppress(OSError):  # in a jail the folder of all boxes is a mount, and goes with the jail
                self._settings.place.rmdir()

    def stop(self, *_: object) -> None:
        """Serve no more. The signal comes when the grader ends, which may be found out before: what is being cleared
        away by then goes on."""
        if self._is_serving:
            self._is_serving = False
            sys.exit()

    def _answer_requests(self) -> None:
        self._control.sendall(READY)
        while True:
            while not select.select([self._control], [], [], LOOK_SECONDS if self._children else None)[0]:
                self._look_at_homes()
            request, descriptors, _, _ = socket.recv_fds(self._control, 1, 1)
            if request == FORK:
                self._control.sendall(NUMBER.pack(self._fork(descriptors[0])))
            elif request in (KILL, HUNG_UP):
                (child,) = NUMBER.unpack(self._control.recv(NUMBER.size, socket.MSG_WAITALL))
                self._control.sendall(NUMBER.pack(self._end(child, patient=request == HUNG_UP)))
                self._recycle(child)
            elif request == TIME:
                (child,) = NUMBER.unpack(self._control.recv(NUMBER.size, socket.MSG_WAITALL))
                seconds = processor_seconds(child)
                self._control.sendall(NUMBER.pack(UNKNOWN if seconds is None else int(seconds * 1000)))
            else:
                self._is_serving = False
                return

    def _look_at_homes(self) -> None:
        """End every child that fills the disk. It stays to be waited for, and then tells why it ended."""
        most_mb = box.LARGEST_FILES * self._settings.output_mb
        for child, (place, _) in self._children.items():
            if child not in self._overfull and box.is_overfull(place, most_mb):
                os.kill(child, signal.SIGKILL)
                self._overfull.add(child)

    def _add_box(self) -> None:
        place = self._settings.place / str(self._made)
        self._made += 1
        box.make(place)
        self._free.append((place, confine.prepare(place)))

    def _fork(self, wire_end: int) -> int:
        if not self._free:
            self._add_box()
        place, cage = self._free.pop()
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                _be_child(self._settings, place, cage, wire_end)
            finally:
                os._exit(1)
        os.close(wire_end)
        self._children[child] = place, cage
        return child

    def _end(self, child: int, patient: bool) -> int:
        """End a child and say how it ended. ``patient`` lets a child that hung up end by itself."""
        status = _wait(child) if patient else None
        if status is None:
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        if child in self._overfull and os.WIFSIGNALED(status):
            status = TOO_MANY_FILES << 8
        self._overfull.discard(child)
        return status

    def _recycle(self, child: int) -> None:
        """Empty the box of a child that has ended. The grader has its answer by then and does not wait."""
        place, cage = self._children.pop(child)
        box.empty(place)
        self._free.append((place, cage))


def _wait(child: int) -> int | None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.001)
    return None


def _be_child(settings: Settings, place: Path, cage: confine.Cage, wire_end: int) -> None:
    """What a new child does; never returns but by an exception."""
    # Close everything else: the control socket, and the rules of other boxes.
    for below, above in pairwise(sorted({2, wire_end, cage.rules, _HIGHEST_DESCRIPTOR})):
        os.closerange(below + 1, above)
    silence()
    link = Wire(wire_end, wire_end, settings.output_mb << 20)
    try:
        files, modules = first_message(link)
        box.fill(place, files)
        os.environ["HOME"] = os.environ["TMPDIR"] = str(place / box.HOME)
        seed_all()
        confine.enter(cage, place, settings.memory_mb, settings.output_mb, settings.seconds)
    except Exception as error:
        link.send({"fault": f"{type(error).__name__}: {error}"[:500]})
        return
    link.send({"ready": True})
    Runtime(link, str(place / box.SUBMISSION), files, modules).serve()
