"""How much processor time another process has used: the kernel has a clock for each, and no ``/proc`` is needed."""

import sys
import time

_OF_A_PROCESS = (
    2  # what Linux writes into the lowest three bits of such a clock's number; the process stands above them
)


def processor_seconds(process: int) -> float | None:
    """Seconds of processor time that a process and its threads have used; None where the system cannot tell."""
    if sys.platform != "linux":
        return None
    try:
        return time.clock_gettime((~process << 3) | _OF_A_PROCESS)
    except OSError:
        return None
