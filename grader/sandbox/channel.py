"""Bytes to and from a child, each exchange under one deadline that nothing the child does can put off."""

import os
import queue
import socket
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from typing import IO

_PIECE = 1 << 16
_WAITING_PIECES = 64


class Channel(ABC):
    """A connection to a child. Deadlines are points on the clock of ``time.monotonic``."""

    def __init__(self) -> None:
        self._arrived = bytearray()

    def read(self, size: int, deadline: float) -> bytes:
        """Exactly ``size`` bytes. Raises ``TimeoutError`` at the deadline and ``EOFError`` when the child hangs up."""
        while len(self._arrived) < size:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            piece = self._receive(left)
            if not piece:
                raise EOFError
            self._arrived += piece
        taken = bytes(self._arrived[:size])
        del self._arrived[:size]
        return taken

    @abstractmethod
    def send(self, data: bytes, deadline: float) -> None:
        """Send all of ``data``. Raises as ``read`` does."""

    @abstractmethod
    def close(self) -> None:
        """Hang up."""

    @abstractmethod
    def _receive(self, seconds: float) -> bytes:
        """Some bytes, or none when the child hung up. Raises ``TimeoutError``."""


class SocketChannel(Channel):
    """A channel over a connected socket."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__()
        self._socket = connection

    def send(self, data: bytes, deadline: float) -> None:
        self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            self._socket.sendall(data)
        except ConnectionError:
            raise EOFError from None

    def close(self) -> None:
        self._socket.close()

    def _receive(self, seconds: float) -> bytes:
        self._socket.settimeout(seconds)
        try:
            return self._socket.recv(_PIECE)
        except ConnectionError:
            return b""


class PipeChannel(Channel):
    """A channel over a process's standard input and output.

    Threads read and write, because a pipe cannot be waited for with a time limit on every system.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        super().__init__()
        assert process.stdin is not None
        assert process.stdout is not None
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._incoming: queue.Queue[bytes] = queue.Queue(_WAITING_PIECES)
        self._closed = threading.Event()
        self._threads = (
            threading.Thread(target=self._pump_out, args=(process.stdin,), daemon=True),
            threading.Thread(target=self._pump_in, args=(process.stdout,), daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def send(self, data: bytes, deadline: float) -> None:
        self._outgoing.put(data)

    def close(self) -> None:
        """Hang up. The process must have ended, so that no thread waits for it."""
        self._closed.set()
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join()

    def _receive(self, seconds: float) -> bytes:
        try:
            return self._incoming.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None

    def _pump_out(self, pipe: IO[bytes]) -> None:
        try:
            with pipe:
                while (data := self._outgoing.get()) is not None:
                    pipe.write(data)
                    pipe.flush()
        except OSError:
            return  # the child is gone; the reading side says so

    def _pump_in(self, pipe: IO[bytes]) -> None:
        with pipe:
            while not self._closed.is_set():
                piece = os.read(pipe.fileno(), _PIECE)
                self._hand_over(piece)
                if not piece:
                    return

    def _hand_over(self, piece: bytes) -> None:
        while not self._closed.is_set():
            try:
                self._incoming.put(piece, timeout=0.1)
            except queue.Full:
                continue
            return
