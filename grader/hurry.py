"""A bound on the processor time that this process may spend on something."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hurried(seconds: float) -> Iterator[None]:
    """Raise ``TimeoutError`` inside the block once it has used so many seconds of the processor.

    The reference works on arguments that a submission chose, and must not be made to work on them for hours. Does
    nothing outside the main thread, or where the system has no such timer (Windows).
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"it took more than {seconds:g} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
