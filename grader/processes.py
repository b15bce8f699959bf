"""Processes that work beside this one, and end with it."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any

SAFE_PATH = "PYTHONSAFEPATH"
MASKS = hasattr(signal, "pthread_sigmask")
"""Whether signals can be held back here; not on Windows."""


class Pool(ProcessPoolExecutor):
    """A pool of so many processes, each of which calls ``start(*args)`` first.

    They are started anew rather than forked, so that they are the same on every system and share nothing with this
    process, and they end when it has gone, however it went. They import nothing from the folder in which the command
    was started: that may be the class, with a student's ``types`` in it.
    """

    def __init__(self, jobs: int, start: Callable[..., None] | None = None, *args: object) -> None:
        self._begun: list[SpawnProcess] = []
        with _without_this_folder():  # a process that keeps track of the others is started here
            super().__init__(jobs, _Context(self._begun), initializer=_begin, initargs=(start, args))

    def kill(self) -> None:
        """End the processes in the middle of whatever they do."""
        for process in self._begun:
            process.kill()


class _Process(SpawnProcess):
    def start(self) -> None:
        with _without_this_folder(), _deaf():
            super().start()


class _Context(SpawnContext):
    """Makes processes, and notes those that have begun."""

    def __init__(self, begun: list[SpawnProcess]) -> None:
        self._begun = begun

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]
        process = _Process(*args, **kwargs)
        self._begun.append(process)
        return process


@contextmanager
def _without_this_folder() -> Iterator[None]:
    """Python that is started here has no folder of the user's among those that it imports from."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


@contextmanager
def _deaf() -> Iterator[None]:
    """A process that is started here does not hear Ctrl-C before it has learnt not to; this one hears it later."""
    if not MASKS:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(start: Callable[..., None] | None, args: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one, and ends it
    if MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if parent := parent_process():
        Thread(target=_end_after, args=(parent,), daemon=True).start()
    if start:
        start(*args)


def _end_after(parent: BaseProcess) -> None:
    """End this process when the one that started it has gone."""
    parent.join()
    os._exit(1)
