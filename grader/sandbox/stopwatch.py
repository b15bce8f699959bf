"""How long a call takes, measured so that neither a busy nor a stopped machine makes right work late."""

import time
from collections.abc import Callable
from typing import TypeVar

CLOCK_FACTOR = 4
"""By the clock a submission may take this many times its limits: a call that waits instead of computing ends, too."""
_LONGEST_SLICE, _SHORTEST_SLICE = 0.25, 0.01
_UNMEASURED = 0.1

_T = TypeVar("_T")


class Stopwatch:
    """The time of one call, which may take ``limit`` seconds of the processor and ``clock_limit`` seconds by the clock.

    ``processor`` gives the processor seconds that the child has used so far, or None where the system cannot tell; then
    the clock alone counts, and ``limit`` is meant by it. It is first asked when a tenth of the limit has gone by, which
    few calls ever reach, and that tenth is given away.

    Waiting is done in slices, and only slices count: while the whole machine stands still, so does the watch.
    """

    def __init__(self, limit: float, clock_limit: float, processor: Callable[[], float | None]) -> None:
        self._limit = limit
        self._clock_limit = clock_limit
        self._processor = processor
        self._slice = min(_LONGEST_SLICE, max(limit * _UNMEASURED, _SHORTEST_SLICE))
        self._before: float | None = None
        self._measured = False
        self.clock = 0.0
        self.used = 0.0
        self.serving = 0.0

    def wait(self, attempt: Callable[[float], _T]) -> _T:
        """Make an attempt, with a deadline on the clock of ``time.monotonic``, again and again until it succeeds.

        Raises ``TimeoutError`` when a limit is used up.
        """
        while True:
            begun = time.monotonic()
            try:
                return attempt(begun + self._slice)
            except TimeoutError:
                pass
            finally:
                self._count(time.monotonic() - begun)
            self._check()

    def serve(self, seconds: float) -> None:
        """Count what was spent on the call by others: on what it says before it is done, and on answers to it.

        That may take as long as the call itself. Raises ``TimeoutError`` when a limit is used up.
        """
        self.serving += seconds
        self._check()

    def _check(self) -> None:
        if max(self.used, self.serving) >= self._limit or self.clock >= self._clock_limit:
            raise TimeoutError

    def _count(self, seconds: float) -> None:
        self.clock += min(seconds, 2 * self._slice)
        if self.clock < self._limit * _UNMEASURED:
            self.used = self.clock
            return
        now = self._processor()
        if not self._measured:
            self._measured, self._before = True, now
        if self._before is None:
            self.used = self.clock
        elif now is not None:  # else the child has just ended, which the next attempt finds out
            self.used = now - self._before
