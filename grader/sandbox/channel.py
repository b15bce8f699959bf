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
        self._unsent = memoryview(b"")

    def send(self, data: bytes, deadline: float) -> None:
        """Send all of ``data``. Raises as ``read`` does."""
        self.post(data)
        self.flush(deadline)

    def post(self, data: bytes) -> None:
        """Have ``flush`` send this next."""
        self._unsent = memoryview(data)

    def flush(self, deadline: float) -> None:
        """Send what is posted. Raises as ``read`` does; after a ``TimeoutError`` the next ``flush`` sends the rest."""
        while self._unsent:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._unsent = self._unsent[self._transmit(self._unsent, left) :]

    def read(self, size: int, deadline: float) -> bytes:
        """Exactly ``size`` bytes. Raises ``TimeoutError`` at the deadline and ``EOFError`` when the child hangs up.

        What has arrived by the deadline is kept for the next ``read``.
        """
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
    def close(self) -> None:
        """Hang up."""

    @abstractmethod
    def _receive(self, seconds: float) -> bytes:
        """Some bytes, or none when the child hung up. Raises ``TimeoutError``."""

    @abstractmethod
    def _transmit(self, data: memoryview, seconds: float) -> int:
        """Send some bytes and say how many. Raises ``TimeoutError``, and ``EOFError`` when the child hung up."""


class SocketChannel(Channel):
    """A channel over a connected socket."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__()
        self._socket = connection

    def close(self) -> None:
        self._socket.close()

    def _receive(self, seconds: float) -> bytes:
        self._socket.settimeout(seconds)
        try:
            return self._socket.recv(_PIECE)
        except ConnectionError:
            return b""

    def _transmit(self, data: memoryview, seconds: float) -> int:
        self._socket.settimeout(seconds)
        try:
            return self._socket.send(data)
        except ConnectionError:
            raise EOFError from None


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

    def _transmit(self, data: memoryview, seconds: float) -> int:
        self._outgoing.put(bytes(data))
        return len(data)

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
