"""Confines this process for good before it runs student code: identity, limits, files, system calls. Linux only."""

import ctypes
import os
import signal
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import box, landlock, seccomp
from .limits import limit_process, limit_threads

NOBODY = 65534
_PACKAGES = ("site-packages", "dist-packages")
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_CAPABILITY_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Cage:
    """All that can be prepared before the fork: the Landlock rules, the filter, and whether to become nobody."""

    rules: int
    program: bytes
    becomes_nobody: bool


def prepare(place: Path) -> Cage:
    """The cage for a box. Raises ``OSError`` where the system cannot confine."""
    return Cage(landlock.ruleset(_rules(place)), seccomp.prepare(), os.getuid() == 0 and _nobody_can_read(place))


def enter(cage: Cage, place: Path, memory_mb: int, output_mb: int, seconds: float) -> None:
    """Go into the cage, with the submission written to its box. Raises ``OSError`` when any of it fails."""
    limit_process(memory_mb, output_mb, seconds)
    if cage.becomes_nobody:
        for folder in (place, place / box.SUBMISSION, place / box.HOME):
            os.chown(folder, NOBODY, NOBODY)
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    else:
        _drop_capabilities()
    if os.getuid() == NOBODY:
        limit_threads()
    die_with_parent(signal.SIGKILL)  # after the change of user, which undoes it
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(cage.rules)
    os.close(cage.rules)
    seccomp.restrict(cage.program)


def die_with_parent(number: signal.Signals) -> None:
    """Have the kernel send this process a signal when the thread that started it ends."""
    _prctl(_PR_SET_PDEATHSIG, number)


def _rules(place: Path) -> Iterator[tuple[Path, int]]:
    """What student code may read and write. Nothing is executed, so nothing has the right to be."""
    yield place / box.SUBMISSION, landlock.READ
    yield place / box.HOME, landlock.WRITE
    yield Path("/dev/null"), landlock.WRITE
    for device in ("/dev/zero", "/dev/urandom"):
        yield Path(device), landlock.READ
    numpy = Path(np.__file__).parent
    yield numpy, landlock.READ
    yield numpy.with_name("numpy.libs"), landlock.READ
    yield from _standard_library()
    yield from _system_libraries()


def _standard_library() -> Iterator[tuple[Path, int]]:
    for folder in {Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("platstdlib"))}:
        # Rights go down the tree, and other packages lie beneath; so each entry is named but those.
        yield folder, landlock.LIST
        for entry in folder.iterdir() if folder.is_dir() else ():
            if entry.name not in _PACKAGES:
                yield entry, landlock.READ


def _system_libraries() -> Iterator[tuple[Path, int]]:
    """The shared libraries that extension modules of the standard library are linked to."""
    beside_interpreter = Path(sysconfig.get_path("stdlib")).parent
    yield from ((library, landlock.READ) for library in beside_interpreter.glob("lib*.so*"))
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    for folder in ("/lib", "/usr/lib"):
        if multiarch:
            yield Path(folder, multiarch), landlock.READ
    for folder in ("/lib64", "/usr/lib64"):
        yield from ((library, landlock.READ) for library in Path(folder).glob("*.so*"))


def _nobody_can_read(place: Path) -> bool:
    """Whether interpreter, NumPy and box stay within reach of a user without rights; tried in a process of its own."""
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            for file in (os.__file__, np.__file__):
                Path(file).read_bytes()
            place.stat()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if _libc.capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), f"capset: {os.strerror(ctypes.get_errno())}")


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}: {os.strerror(ctypes.get_errno())}")
