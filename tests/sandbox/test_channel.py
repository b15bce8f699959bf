"""A deadline is a deadline, over a socket and over pipes."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from grader.sandbox.channel import Channel, PipeChannel, SocketChannel

LONG = 60.0

ECHO = "import os\nwhile data := os.read(0, 1 << 16):\n    os.write(1, data)\n"
DRIP = "import os, time\nwhile True:\n    os.write(1, b'x')\n    time.sleep(0.02)\n"
FLOOD = "import os\nwhile True: os.write(1, bytes(1 << 16))\n"
DEAF = "import time\ntime.sleep(60)\n"


@pytest.fixture(params=["socket", "pipe"])
def kind(request: pytest.FixtureRequest) -> str:
    if request.param == "socket" and sys.platform == "win32":
        pytest.skip("a process cannot be given a socket as its standard input here")
    return str(request.param)


@pytest.fixture
def started() -> Iterator[list[tuple[Channel, "subprocess.Popen[bytes]"]]]:
    opened: list[tuple[Channel, subprocess.Popen[bytes]]] = []
    yield opened
    for channel, process in opened:
        process.kill()
        process.wait()
        channel.close()


def start(kind: str, program: str, started: list[tuple[Channel, "subprocess.Popen[bytes]"]]) -> Channel:
    command = [sys.executable, "-I", "-S", "-c", program]
    channel: Channel
    if kind == "pipe":
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        channel = PipeChannel(process)
    else:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(command, stdin=theirs, stdout=theirs)
        channel = SocketChannel(ours)
    started.append((channel, process))
    return channel


def soon(seconds: float = 0.3) -> float:
    return time.monotonic() + seconds


def exchange(channel: Channel, data: bytes) -> bytes:
    channel.send(data, soon())
    return channel.read(1 << 10, soon())


def test_bytes_arrive_in_order(kind: str, started: list[tuple[Channel, "subprocess.Popen[bytes]"]]) -> None:
    channel = start(kind, ECHO, started)
    data = bytes(range(256)) * 100
    channel.send(data, soon(LONG))
    assert channel.read(1, soon(LONG)) + channel.read(0, soon(LONG)) + channel.read(len(data) - 1, soon(LONG)) == data


def test_a_drip_does_not_put_off_the_deadline(
    kind: str, started: list[tuple[Channel, "subprocess.Popen[bytes]"]]
) -> None:
    channel = start(kind, DRIP, started)
    with pytest.raises(TimeoutError):
        channel.read(1 << 20, soon())


def test_silence_ends_at_the_deadline(kind: str, started: list[tuple[Channel, "subprocess.Popen[bytes]"]]) -> None:
    channel = start(kind, DEAF, started)
    with pytest.raises(TimeoutError):
        exchange(channel, bytes(1 << 24))  # more than any buffer holds


def test_hanging_up_is_seen(kind: str, started: list[tuple[Channel, "subprocess.Popen[bytes]"]]) -> None:
    channel = start(kind, "import os\nos.write(1, b'ab')", started)
    assert channel.read(1, soon(LONG)) == b"a"
    with pytest.raises(EOFError):
        channel.read(2, soon(LONG))
    started[0][1].wait()
    with pytest.raises((EOFError, TimeoutError)):
        exchange(channel, bytes(1 << 20))


def test_a_flood_is_not_hoarded(kind: str, started: list[tuple[Channel, "subprocess.Popen[bytes]"]]) -> None:
    channel = start(kind, FLOOD, started)
    assert channel.read(1 << 20, soon(LONG)) == bytes(1 << 20)
