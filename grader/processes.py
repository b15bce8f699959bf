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

SAFE_PATH = "PYTHONSAFEPATH"


def pool(jobs: int, start: Callable[..., None] | None = None, *args: object) -> ProcessPoolExecutor:
    """A pool of so many processes, each of which calls ``start(*args)`` first.

    They are started anew rather than forked, so that they are the same on every system and share nothing with this
    process, and they end when it has gone, however it went. They import nothing from the folder in which the command
    was started: that may be the class, with a student's ``types`` in it.
    """
    with _without_this_folder():  # a process that keeps track of the others is started here
        return ProcessPoolExecutor(jobs, _Context(), initializer=_begin, initargs=(start, args))


class _Process(SpawnProcess):
    def start(self) -> None:
        with _without_this_folder():
            super().start()


class _Context(SpawnContext):
    Process = _Process


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


def _begin(start: Callable[..., None] | None, args: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one, and ends it
    if parent := parent_process():
        Thread(target=_end_after, args=(parent,), daemon=True).start()
    if start:
        start(*args)


def _end_after(parent: BaseProcess) -> None:
    """End this process when the one that started it has gone."""
    parent.join()
    os._exit(1)
