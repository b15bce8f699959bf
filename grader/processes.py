"""Processes that work beside this one, and end with it."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread


def pool(jobs: int, start: Callable[..., None] | None = None, *args: object) -> ProcessPoolExecutor:
    """A pool of so many processes, each of which calls ``start(*args)`` first.

    They are started anew rather than forked, so that they are the same on every system and share nothing with this
    process, and they end when it has gone, however it went.
    """
    return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, initargs=(start, args))


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
