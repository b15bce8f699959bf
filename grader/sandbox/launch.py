"""Starts the processes of each rung, and ends them."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from grader.sandbox.channel import Channel, PipeChannel, SocketChannel
from grader.sandbox.inside import box
from grader.sandbox.inside.control import FORK, HUNG_UP, KILL, NUMBER, READY, TIME, UNKNOWN
from grader.sandbox.inside.processor import processor_seconds
from grader.sandbox.terms import Limits, Rung, SandboxFault

START_SECONDS = 60
"""For a new interpreter that loads NumPy, on a busy machine."""
ANSWER_SECONDS = 15
"""For the warm parent, which does nothing long but empty a box."""

_INSIDE = Path(__file__).parent / "inside"
_INTERPRETER = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
_PACKAGES = Path(np.__file__).parent.parent
_JAIL_KIT, _JAIL_PACKAGES, _JAIL_PLACE = Path("/kit"), Path("/packages"), Path("/tmp")
_LIBRARY_FOLDERS = tuple(Path(folder) for folder in ("/usr/lib", "/usr/lib64", "/lib", "/lib64"))
_NOBODY = 65534
_PATIENCE_SECONDS = 0.5
_PARTING_SECONDS = 5
_WINDOWS_NEEDS = ("SYSTEMROOT",)
_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "MALLOC_ARENA_MAX": "1",  # a thread's own arena would take 64 MB of the address space
    **{f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "BLIS", "VECLIB_MAXIMUM")},
}


@dataclass(frozen=True)
class Child:
    """A process that will serve one submission.

    ``end(hung_up)`` ends it and gives its exit code, negative for a signal; a child that hung up may end by itself.
    ``processor()`` gives the processor seconds that it has used, or None where the system cannot tell.
    """

    channel: Channel
    end: Callable[[bool], int]
    processor: Callable[[], float | None]


class Launcher(ABC):
    """Makes children on one rung."""

    @abstractmethod
    def child(self) -> Child:
        """A fresh child. Raises ``SandboxFault`` when none can be made."""

    @abstractmethod
    def close(self) -> None:
        """End whatever runs."""


def launcher(rung: Rung, limits: Limits) -> Launcher:
    """The launcher of a rung. Raises ``SandboxFault`` when it does not start."""
    if rung is Rung.PLAIN:
        return PlainLauncher(limits)
    if sys.platform != "linux":
        raise SandboxFault(f"The {rung.value} sandbox needs Linux.")
    return WarmLauncher(rung, limits)


class WarmLauncher(Launcher):
    """Asks a warm parent for children: in a bubblewrap jail, or without one.

    The kernel ends the jail when the thread that started it ends, so a worker lives in one thread.
    """

    def __init__(self, rung: Rung, limits: Limits) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._place: Path | None = None
        try:
            self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
            if rung is Rung.LANDLOCK:
                self._place = Path(tempfile.mkdtemp(prefix="submission-"))
        except OSError as error:
            raise SandboxFault(f"There is no room for temporary files: {error.strerror}.") from None
        self._control, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = self._start(limits, theirs)
            self._control.settimeout(START_SECONDS)
            started = self._control.recv(1)
        except OSError as error:
            self.close()
            raise SandboxFault(f"The {rung.value} sandbox does not start: {error}") from None
        if started != READY:
            self._errors.seek(0)
            words = self._errors.read()[-2000:].decode("utf-8", "replace").strip()
            self.close()
            raise SandboxFault(f"The {rung.value} sandbox does not start: {words}")
        self._control.settimeout(ANSWER_SECONDS)

    def _start(self, limits: Limits, theirs: socket.socket) -> "subprocess.Popen[bytes]":
        command = _plan(self._place, limits, theirs.fileno())
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=_ENVIRONMENT,
            cwd="/",
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )

    def child(self) -> Child:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [FORK], [theirs.fileno()])
                number = self._answer()
        except OSError as error:
            ours.close()
            raise self._broken(error) from None
        return Child(
            SocketChannel(ours), lambda hung_up: self._end(number, ours, hung_up), lambda: self._processor(number)
        )

    def close(self) -> None:
        self._control.close()
        self._end_process()
        self._errors.close()
        if self._place is not None:
            _remove(self._place)

    def _end(self, number: int, ours: socket.socket, hung_up: bool) -> int:
        ours.close()
        try:
            self._control.sendall((HUNG_UP if hung_up else KILL) + NUMBER.pack(number))
            return os.waitstatus_to_exitcode(self._answer())
        except OSError as error:
            raise self._broken(error) from None

    def _processor(self, number: int) -> float | None:
        try:
            self._control.sendall(TIME + NUMBER.pack(number))
            milliseconds = self._answer()
        except OSError as error:
            raise self._broken(error) from None
        return None if milliseconds == UNKNOWN else milliseconds / 1000

    def _broken(self, error: OSError) -> SandboxFault:
        """The fault to raise. Whatever still runs is ended: an answer that comes late would be taken for the next."""
        self.close()
        return SandboxFault(f"The sandbox does not answer: {error}")

    def _answer(self) -> int:
        received = self._control.recv(NUMBER.size, socket.MSG_WAITALL)
        if len(received) < NUMBER.size:
            raise ConnectionResetError("it has ended")
        return int(NUMBER.unpack(received)[0])

    def _end_process(self) -> None:
        """Let the parent go, which ends its children; make it go when it does not."""
        if self._process is None:
            return
        try:
            self._process.wait(_PARTING_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class PlainLauncher(Launcher):
    """Starts a new interpreter for each child."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def child(self) -> Child:
        folder = None
        try:
            folder = Path(tempfile.mkdtemp(prefix="submission-"))
            place = folder / "box"
            box.make(place)
            told = {**_told(place, self._limits), "control": -1}
            process = subprocess.Popen(
                _python("alone", _INSIDE.parent, _PACKAGES, told),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env={**_ENVIRONMENT, **{key: os.environ[key] for key in _WINDOWS_NEEDS if key in os.environ}},
                cwd=place,
                start_new_session=True,
            )
        except OSError as error:
            if folder is not None:
                _remove(folder)
            raise SandboxFault(f"No process can be started: {error.strerror}.") from None
        channel = PipeChannel(process)
        return Child(
            channel,
            lambda hung_up: _end_plain(process, channel, folder, hung_up),
            lambda: processor_seconds(process.pid),
        )

    def close(self) -> None:
        """Nothing runs but the children, which their sessions end."""


def _end_plain(process: "subprocess.Popen[bytes]", channel: PipeChannel, folder: Path, hung_up: bool) -> int:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE_SECONDS if hung_up else 0)
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    code = process.wait()
    channel.close()
    _remove(folder)
    return code


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):  # the warm parent may have been quicker; what is left is the system's to clear
        box.remove(folder)


def _plan(place: Path | None, limits: Limits, control: int) -> list[str]:
    """The command line of a warm parent: in a bubblewrap jail when it is given no place outside."""
    if place is not None:
        return _python("parent", _INSIDE.parent, _PACKAGES, {**_told(place, limits), "control": control})
    told = {**_told(_JAIL_PLACE, limits), "control": control}
    return [*_bubblewrap(limits), *_python("parent", _JAIL_KIT, _JAIL_PACKAGES, told)]


def _told(place: Path, limits: Limits) -> dict[str, Any]:
    return {
        "place": str(place),
        "memory_mb": limits.memory_mb,
        "output_mb": limits.output_mb,
        "seconds": limits.seconds_per_submission,
    }


def _python(entry: str, kit: Path, packages: Path, told: dict[str, Any]) -> list[str]:
    """The command line of an interpreter that runs ``inside.<entry>.main`` and knows no package but NumPy."""
    start = (
        f"import sys; sys.path.insert(0, {str(kit)!r}); sys.path.append({str(packages)!r}); "
        f"from inside.{entry} import main; main()"
    )
    return [str(_INTERPRETER), "-I", "-S", "-B", "-X", "utf8", "-W", "ignore", "-c", start, json.dumps(told)]


def _bubblewrap(limits: Limits) -> list[str]:
    """The jail: the interpreter, NumPy and the code for inside, read-only, and an empty folder in memory."""
    standard_library = Path(sysconfig.get_path("stdlib")).parent
    libraries = [folder for folder in (*_LIBRARY_FOLDERS, standard_library) if folder.is_dir()]
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += ["--uid", str(_NOBODY), "--gid", str(_NOBODY)]
    for folder in libraries:
        if folder.is_symlink():
            command += ["--symlink", str(folder.readlink()), str(folder)]
        else:
            command += ["--ro-bind", str(folder), str(folder)]
    for folder in libraries:
        if not folder.is_symlink():
            for packages in (*folder.glob("python3*/site-packages"), *folder.glob("python3*/dist-packages")):
                command += ["--tmpfs", str(packages)]
    command += ["--ro-bind", str(_INTERPRETER), str(_INTERPRETER)]
    for name in ("numpy", "numpy.libs"):
        command += ["--ro-bind-try", str(_PACKAGES / name), str(_JAIL_PACKAGES / name)]
    command += ["--ro-bind", str(_INSIDE), str(_JAIL_KIT / "inside")]
    for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
        command += ["--dev-bind", device, device]
    command += ["--size", str(limits.memory_mb << 20), "--tmpfs", str(_JAIL_PLACE), "--chdir", "/", "--"]
    return command
