"""Landlock: a process may give up all files but those that it names. Linux only."""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG, _MAKE_SYM = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ALL_OF_FIRST_VERSION = (1 << 13) - 1
_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

READ = _READ_FILE | _READ_DIR
LIST = _READ_DIR
WRITE = READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_SYM | _REFER | _TRUNCATE
_OF_FILES = _WRITE_FILE | _READ_FILE | _TRUNCATE

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # the only layout that a packed structure can have; Python 3.14 wants it said
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The kernel's version of Landlock. Raises ``OSError`` where there is none."""
    return _syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)


def ruleset(rules: Iterable[tuple[Path, int]]) -> int:
    """A file descriptor of rules that allow ``(path, rights)`` and nothing else; paths that do not exist are left out.

    Raises ``OSError`` where the kernel will not.
    """
    abi = version()
    handled = _handled(abi)
    attributes = _Ruleset(
        files=handled,
        network=_TCP if abi >= 4 else 0,
        scoped=_ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0,
    )
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    descriptor = _syscall(_CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(size), 0)
    for path, rights in rules:
        _allow(descriptor, path, rights & handled)
    return descriptor


def restrict(descriptor: int) -> None:
    """Bind this thread, and all that come of it, to the rules for good. Raises ``OSError`` where the kernel will not.

    The process must have given up gaining privileges before.
    """
    _syscall(_RESTRICT_SELF, descriptor, 0)


def _handled(abi: int) -> int:
    rights = _ALL_OF_FIRST_VERSION
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        if abi >= since:
            rights |= right
    return rights


def _allow(descriptor: int, path: Path, rights: int) -> None:
    try:
        target = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not path.is_dir():
            rights &= _OF_FILES
        rule = _PathBeneath(allowed=rights, parent=target)
        _syscall(_ADD_RULE, descriptor, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(target)


def _syscall(number: int, *args: object) -> int:
    result = int(_libc.syscall(number, *args))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}: {os.strerror(ctypes.get_errno())}")
    return result
