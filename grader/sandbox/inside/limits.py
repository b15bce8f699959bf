"""The limits that the operating system keeps on a process. Only for systems that have ``resource``."""

import math
import mmap
import resource

OPEN_FILES = 1024
"""As on most machines, so that files which a function forgets to close do not end what comes after it in here alone."""
THREADS = 256
CPU_MARGIN_SECONDS = 5
_MEGABYTE = 1 << 20


def limit_process(memory_mb: int, output_mb: int, seconds: float) -> None:
    """Limit this process for good: address space beyond its present size, CPU time, file size, open files, no core.

    Raises ``OSError`` or ``ValueError`` where the system will not.
    """
    cpu = math.ceil(seconds) + CPU_MARGIN_SECONDS
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_CPU, cpu)
    _set(resource.RLIMIT_FSIZE, output_mb * _MEGABYTE)
    _set(resource.RLIMIT_NOFILE, OPEN_FILES)
    _set(resource.RLIMIT_AS, (_own_size_mb() + memory_mb) * _MEGABYTE)


def limit_threads() -> None:
    """Limit how many threads all processes of this user may have. Only for a user that does nothing else.

    Raises as ``limit_process`` does. The kernel does not count those of the machine's root, under whatever name.
    """
    _set(resource.RLIMIT_NPROC, THREADS)


def _set(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _own_size_mb() -> int:
    """The present size of the address space, found by trying limits: there may be no ``/proc`` to read it from."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    low, high = 0, 1 << 20
    while low < high:
        middle = (low + high) // 2
        resource.setrlimit(resource.RLIMIT_AS, (middle * _MEGABYTE, before[1]))
        if _can_grow():
            high = middle
        else:
            low = middle + 1
    resource.setrlimit(resource.RLIMIT_AS, before)
    return low


def _can_grow() -> bool:
    try:
        mmap.mmap(-1, mmap.PAGESIZE).close()
    except OSError:
        return False
    return True
