"""A bound on what this process may allocate for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

STATM = Path("/proc/self/statm")


@contextmanager
def bounded(megabytes: int) -> Iterator[None]:
    """Let this process grow by at most so much inside the block; beyond that allocations raise ``MemoryError``.

    The reference works on arguments that a submission chose, and must not be made to eat the machine. Does nothing
    where the system cannot tell or limit the size of a process.
    """
    if resource is None or not STATM.exists():
        yield
        return
    pages = int(STATM.read_text(encoding="ascii").split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = pages * resource.getpagesize() + (megabytes << 20)
    ceilings = (limit for limit in before if limit != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_AS, (min((wanted, *ceilings)), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
