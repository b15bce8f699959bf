"""Malformed replies, fed to real sessions: ``python -m tests.fuzz_wire COUNT [SEED]`` prints what came of them.

A fake child answers over a socketpair. Up to some point of the conversation its replies are proper; from there they are
real replies with something broken, of every kind and on every level: bytes, JSON, values. Whatever comes through goes
on into checks and reports, as it does in a grading run. Each case must end in an outcome made of plain data, or in a
fault where the child never said that it was ready; nothing may be written or started, no other exception raised.
"""

import contextlib
import faulthandler
import inspect
import json
import random
import re
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from grader.callee import Callee, Ended, Unfinished, Violation
from grader.checks import all_checks
from grader.contract import lesson_functions
from grader.feedback import report_text, written, written_call
from grader.grading import answer
from grader.oracles import value_key
from grader.reasons import does_not_load, own_lines, raised
from grader.report import Counterexample, FunctionReport, Report, Verdict, from_json, to_json
from grader.results import functions_csv
from grader.sandbox import (
    Died,
    Limits,
    LoadResult,
    Opaque,
    Outcome,
    Raised,
    Request,
    SandboxFault,
    Scalar,
    Session,
    as_numpy,
)
from grader.sandbox.channel import SocketChannel
from grader.sandbox.inside import wire
from grader.sandbox.launch import Child

LIMITS = Limits(seconds_per_call=0.02, seconds_per_submission=0.2, memory_mb=256, output_mb=1)
HANG_SECONDS = 30
"""How long the watchdog waits for a case before it ends the process and says where it hung."""
START_SECONDS = 1
"""How long a session waits here for a child that does not say that it is ready; in a grading run, much longer."""
MOST_SECONDS = 2
"""Processor time of a case, in seconds: its limits, and work on what came through. Mostly it is milliseconds."""
FRAME = {"file": "attention.py", "line": 3, "function": "f", "text": "return 1 / 0"}
ERROR = {"type": "ZeroDivisionError", "bases": ["ZeroDivisionError", "Exception"], "message": "m", "frames": [FRAME]}
READY = {"ready": True}
LOADED = {"error": None, "names": ["f", "softmax", "ANSWER"], "lost": []}
LOADS = [
    LOADED,
    {"error": ERROR, "names": [], "lost": []},
    {"error": None, "names": ["f"], "lost": [{"cell": 2, "error": ERROR, "names": ["g"]}]},
]
QUESTION = {"ask": "softmax", "args": (np.arange(3.0),), "kwargs": {"axis": -1}}
NESTED: dict[str, Any] = {"w": [np.ones((2, 2)), (None, True, -0.0)], "n": 10**30, "s": "text"}
VALUES: list[Any] = [
    *(np.arange(6.0).reshape(2, 3), np.zeros((2, 0), np.float32), np.array([[True, False]]), np.array(3), 10**400),
    *(NESTED, Scalar("float64", 1.5), Scalar("int8", -3), Opaque("set"), (np.ones(2), np.ones((2, 2))), [1.5, None]),
]
NEXT = {"next": 1}
CELL = {"module": "attention", "cell": 1}
CALLS = 3
DEPTHS = (1, 10, 30, 1_000, 100_000)
JUNK: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        1 << 40,
        -(1 << 70),
        1.5,
        -0.0,
        float("nan"),
        float("inf"),
        "",
        "x",
        "\ud800",
        "\x1b[2J",
    ),
    *(
        "float64",
        "object",
        [],
        {},
        [[]],
        ["float64", [2, 3]],
        {"array": ["float64", [2]]},
        {"tuple": [1]},
        {"dict": {}},
    ),
    *({"scalar": ["int8", 1000]}, {"scalar": ["float16", 1e300]}, {"int": "0x" + "f" * 300}, {"opaque": "\u202eset"}),
    *({"array": ["bool", []]}, {"array": ["float64", [0, 1 << 39, 1 << 39]]}, {"a": 1, "b": 2}, "é" * 3_000, [0] * 500),
]
TEXTS = [
    "NaN",
    "-Infinity",
    "1e999",
    "9" * 5_000,
    '"\\ud800"',
    '{"a":1,"a":2}',
    "[" * 50,
    "}",
    ",",
    '"',
    "\\",
    "\x00",
    "é",
]


def framed(header: bytes, raw: bytes = b"") -> bytes:
    """A message of any header, proper or not."""
    return struct.pack(">I", len(header)) + header + raw


def parts(message: Any) -> tuple[Any, bytes]:
    """The parsed header and the raw bytes of a proper message."""
    encoded = wire.encode(message, 1 << 30)
    (length,) = struct.unpack(">I", encoded[:4])
    return json.loads(encoded[4 : 4 + length]), encoded[4 + length :]


class Mutations:
    """Ways to break a proper message, each drawn from the same generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def __call__(self, message: Any) -> bytes:
        header, raw = parts(message)
        for _ in range(self.rng.choice((0, 1, 1, 1, 2, 5))):
            header = self._value(header)
        text = json.dumps(header, separators=(",", ":")).encode("ascii")
        chosen = self.rng.choice(
            (self._whole, self._whole, self._whole, self._bytes, self._text, self._length, self._odd)
        )
        return chosen(text, raw)

    def _value(self, header: Any) -> Any:
        """Put junk in the place of something in the header, or add, double or take away something."""
        spots: list[tuple[Any, Any]] = []
        self._collect(header, spots)
        container, key = self.rng.choice(spots)
        junk = json.loads(json.dumps(self.rng.choice(JUNK)))
        if self.rng.random() < 0.05:
            for _ in range(self.rng.choice(DEPTHS[:3])):
                junk = self.rng.choice(([junk], {"tuple": [junk]}, {"dict": {"k": junk}}))
        do = self.rng.randrange(5)
        if do == 0 and isinstance(container, dict):
            container[self.rng.choice(("", "k", "\ud800", "results", "array"))] = junk
        elif do == 1:
            del container[key]
        elif do == 2 and isinstance(container, list):
            container.insert(key, container[key])
        elif do == 3 and isinstance(container[key], int):
            container[key] += self.rng.choice((-1, 1, 1 << 33))
        else:
            container[key] = junk
        return header

    def _collect(self, node: Any, spots: list[tuple[Any, Any]]) -> None:
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            spots.append((node, key))
            if isinstance(node[key], dict | list):
                self._collect(node[key], spots)
        if not spots:
            node.append(None) if isinstance(node, list) else node.update(k=None)
            self._collect(node, spots)

    def _whole(self, text: bytes, raw: bytes) -> bytes:
        return framed(text, raw)

    def _bytes(self, text: bytes, raw: bytes) -> bytes:
        """Flip, drop, double or add bytes anywhere."""
        data = bytearray(framed(text, raw))
        for _ in range(self.rng.choice((1, 1, 2, 8))):
            at = self.rng.randrange(len(data)) if data else 0
            do = self.rng.randrange(4)
            if do == 0 and data:
                data[at] ^= 1 << self.rng.randrange(8)
            elif do == 1:
                del data[at : at + self.rng.choice((1, 4, 50))]
            elif do == 2:
                data[at:at] = data[at : at + self.rng.choice((1, 4, 50))]
            else:
                data[at:at] = self.rng.randbytes(self.rng.choice((1, 4, 50)))
        return bytes(data)

    def _text(self, text: bytes, raw: bytes) -> bytes:
        """Put a piece of odd JSON somewhere into the text."""
        piece = self.rng.choice(TEXTS).encode()
        numbers = [found.start() for found in re.finditer(rb"[0-9]", text)]
        at = self.rng.choice(numbers or [0])
        return framed(text[:at] + piece + text[at + self.rng.randrange(2) :], raw)

    def _length(self, text: bytes, raw: bytes) -> bytes:
        """Lie about a length, leave the end away, or add to it."""
        do = self.rng.randrange(4)
        if do == 0:
            lie = self.rng.choice(
                (0, 1, len(text) - 1, len(text) + 1, wire.MAX_HEADER, wire.MAX_HEADER + 1, (1 << 32) - 1)
            )
            return struct.pack(">I", lie) + text + raw
        if do == 1:
            return framed(text, raw + self.rng.randbytes(self.rng.choice((1, 8, 4096))))
        if do == 2:
            return framed(text, raw)[: self.rng.randrange(len(text) + len(raw) + 4)]
        return framed(text, raw[: len(raw) // 2])

    def _odd(self, text: bytes, raw: bytes) -> bytes:
        """Something that was never a message, or a huge one."""
        do = self.rng.randrange(6)
        if do == 0:
            return self.rng.randbytes(self.rng.choice((0, 1, 3, 4, 5, 100)))
        if do == 1:
            depth = self.rng.choice(DEPTHS)
            opening, closing = self.rng.choice((("[", "]"), ('{"tuple":[', "]}"), ('{"dict":{"k":', "}}")))
            return framed((f"[0,{opening * depth}1{closing * depth}]").encode(), raw)
        if do == 2 and self.rng.random() < 0.1:
            item = self.rng.choice(("[]", "0", '"x"', '{"array":["int8",[0]]}', "1e9"))
            return framed(f"[0,{{'dict':{{'results':[{','.join([item] * 100_000)}]}}}}]".replace("'", '"').encode())
        if do == 3 and self.rng.random() < 0.1:
            size = self.rng.choice((1, 2)) << 20
            return framed(f'[{size},{{"array":["uint8",[{size}]]}}]'.encode(), bytes(size))
        if do == 4:
            return framed(json.dumps([self.rng.choice((0, 8, len(raw))), self.rng.choice(JUNK)]).encode(), raw)
        return framed(text, raw) * self.rng.choice((2, 50))


class FakeChildren:
    """Makes children that say what a script has them say, and remembers to end them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.broken_at = rng.choice(("ready", "load", "substitute", "call", "call", "call", "read"))
        self.asks, self.tells = rng.random() < 0.2, rng.random() < 0.2
        self.dies_silently = rng.random() < 0.02
        self.drips = rng.random() < 0.02
        self.started = 0

    def __call__(self) -> Child:
        self.started += 1
        ours, theirs = socket.socketpair()
        data = self._script()
        if self.drips or len(data) > 100_000:
            step = 1 if len(data) <= 10_000 else 1 << 16
            talker = threading.Thread(target=_talk, args=(theirs, data, step, not self.dies_silently), daemon=True)
            talker.start()
        else:
            theirs.sendall(data)
            if not self.dies_silently:
                theirs.shutdown(socket.SHUT_WR)
            talker = None
        code = self.rng.choice((0, 1, 77, 78, 79, -9, -11, -24, 0xC0000005, 255))

        def end(hung_up: bool) -> int:
            ours.close()
            if talker:
                talker.join()
            theirs.close()
            return code

        return Child(SocketChannel(ours), end, lambda: None)

    def _script(self) -> bytes:
        replies = self._replies()
        proper = {id(reply): wire.encode(reply, 1 << 30) for _, reply in replies}
        said = [proper[id(reply)] for _, reply in replies]
        if self.started == 1 or self.rng.random() < 0.5:
            broken = self.rng.choice([place for place, (stage, _) in enumerate(replies) if stage == self.broken_at])
            said[broken] = Mutations(self.rng)(replies[broken][1])
        return b"".join(said)

    def _replies(self) -> list[tuple[str, Any]]:
        value = self.rng.choice(VALUES)
        results = [{"value": value, "raised": None, "changed": ["argument 1"]} for _ in range(CALLS - 1)]
        results.append({"value": None, "raised": ERROR, "changed": []})
        asked = [("call", QUESTION)] * self.asks * self.rng.choice((1, 1, 1, 100))
        told = [("call", NEXT)] * self.tells * self.rng.choice((1, 1, 1, 100))
        load = self.rng.choice(LOADS) if self.broken_at == "load" else LOADED
        cells = [("load", CELL)] * (self.broken_at == "load" and self.rng.randrange(2))
        return [
            ("ready", READY),
            *cells,
            ("load", load),
            ("substitute", {}),
            *asked,
            *told,
            ("call", {"results": results}),
            ("read", {"results": [{"value": self.rng.choice(VALUES), "raised": None, "changed": []}]}),
        ]


def _talk(theirs: socket.socket, data: bytes, step: int, hangs_up: bool) -> None:
    with contextlib.suppress(OSError):
        for at in range(0, len(data), step):
            theirs.sendall(data[at : at + step])
        if hangs_up:
            theirs.shutdown(socket.SHUT_WR)


def converse(rng: random.Random) -> tuple[str, list[Outcome], LoadResult | None]:
    """One session with a child that says something malformed: how it went, and what came of it."""
    children = FakeChildren(rng)
    try:
        session = Session(children, LIMITS, {"attention.py": b""}, {"attention": "attention.py"})
    except SandboxFault:
        assert children.broken_at == "ready", "a child that was ready is no fault of ours"
        return "never ready", [], None
    with session:
        session.answer = answer
        try:
            loaded = session.load("attention")
            session.substitute("softmax", "attention", inspect.signature(lambda x, axis=-1: None))
            found = session.ask(Request.of("attention", "f", [((1,), {})] * CALLS, together=False))
            found.append(session.read("attention", "ANSWER"))
        except SandboxFault:
            if children.broken_at != "ready":
                raise
            return "never ready again", [], None
    died = next((outcome.reason for outcome in found if isinstance(outcome, Died)), None)
    return died or ("raised" if all(isinstance(o, Raised) for o in found) else "came through"), found, loaded


[SOFTMAX] = (function for function in lesson_functions("attention") if function.name == "softmax")
PLAIN = (type(None), bool, int, float, str, Scalar, Opaque)


def assert_plain(value: Any) -> None:
    """Only data, of exactly these types, may have come through."""
    kind = type(value)
    if kind in (list, tuple):
        for item in value:
            assert_plain(item)
    elif kind is dict:
        for key, item in value.items():
            assert type(key) is str
            assert_plain(item)
    elif kind is np.ndarray:
        assert value.dtype in wire.DTYPES.values()
        assert value.nbytes <= LIMITS.output_mb << 20
    else:
        assert kind in PLAIN, kind


def assert_harmless(text: Any) -> None:
    """Text that a terminal shows and a file holds as it is."""
    assert type(text) is str
    text.encode("utf-8")
    assert all(c.isprintable() or c == "\n" for c in text), text


def use(outcome: Outcome, rng: random.Random) -> FunctionReport:
    """What a grading run does with an outcome: check it, and write about it."""
    if isinstance(outcome, Died):
        assert_harmless(outcome.detail)
        return FunctionReport("attention", "softmax", Verdict.ERROR, Fraction(1), outcome.detail)
    for name in outcome.changed:
        assert_harmless(name)
    if isinstance(outcome, Raised):
        reason = raised(SOFTMAX, "attention.py", outcome, b"def softmax(x): pass")
        lines = own_lines(outcome)
        for text in (reason, *lines, outcome.type, *outcome.bases, does_not_load("attention.py", outcome)):
            assert_harmless(text)
        return FunctionReport("attention", "softmax", Verdict.FAIL, Fraction(1), reason, traceback=lines)
    assert_plain(outcome.value)
    value_key(outcome.value)
    as_numpy(outcome.value)
    got = written(outcome.value)
    called = written_call(SOFTMAX, (outcome.value,), {})
    for text in (got, called):
        assert_harmless(text)
    check = rng.choice(all_checks())
    with contextlib.suppress(Violation, Ended, Unfinished):
        check.holds(Callee(check.function, lambda calls: [outcome] * len(calls)), check.examples("fuzz")[0])
    return FunctionReport(
        "attention", "softmax", Verdict.FAIL, Fraction(1), "r", counterexample=Counterexample(called, got, "expected")
    )


def case(seed: int, number: int) -> str:
    """One malformed conversation, from the wire to the report. Gives how it went; raises when something is wrong."""
    rng = random.Random(f"{seed} {number}")
    how, found, loaded = converse(rng)
    if loaded is not None:
        for name in (*loaded.names, *loaded.lost):
            assert_harmless(name)
    functions = tuple(use(outcome, rng) for outcome in found)
    report = Report("student", "fingerprint", functions, {"python": "3"})
    text = to_json(report)
    assert from_json(text).functions == functions
    for output in (text, report_text(report, "counterexample"), functions_csv([report])):
        output.encode("utf-8")
    return how


class Watch:
    """Notes what the process opens for writing, removes or starts. An audit hook stays for good, so it can sleep."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.awake = False
        sys.addaudithook(self._hook)

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.awake:
            return
        if event == "open":
            _, mode, flags = args
            if any(c in (mode or "") for c in "wax+") or flags & 0b11:  # O_WRONLY, O_RDWR
                self.seen.append(f"{event} {args}")
        elif event.split(".", maxsplit=1)[0] in ("subprocess", "shutil") or event in (
            "os.remove",
            "os.rename",
            "os.mkdir",
            "os.system",
        ):
            self.seen.append(f"{event} {args}")


def fuzz(count: int, seed: int, told: Callable[[str], None] = lambda line: None) -> Counter[str]:
    """So many cases. Gives how often each way to end came up. Raises at the first that does not end as it must."""
    case(seed, -1)  # what is loaded or made once is loaded or made now
    watch = Watch()
    watch.awake = True
    ways: Counter[str] = Counter()
    impatient = mock.patch("grader.sandbox.session.START_SECONDS", START_SECONDS)
    try:
        impatient.start()
        for number in range(count):
            faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
            begun = time.process_time()
            try:
                ways[case(seed, number)] += 1
                assert time.process_time() - begun < MOST_SECONDS, "this takes far longer than it may"
            except BaseException as error:
                error.add_note(f"in case {number} of seed {seed}")
                raise
            assert not watch.seen, (number, watch.seen)
            if number % 10_000 == 9_999:
                told(f"{number + 1} malformed replies, {peak_mb()} MB at the most")
    finally:
        faulthandler.cancel_dump_traceback_later()
        impatient.stop()
        watch.awake = False
    return ways


def peak_mb() -> int:
    """The most memory that this process ever had, in MB, where ``/proc`` tells."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")), 0)


if __name__ == "__main__":
    number = int(sys.argv[1])
    begun = time.monotonic()
    ways = fuzz(number, int(sys.argv[2]) if len(sys.argv) > 2 else 0, lambda line: print(line, flush=True))
    print(f"{number} malformed replies in {time.monotonic() - begun:.0f} seconds, {peak_mb()} MB at the most:")
    for way, times in ways.most_common():
        print(f"  {times:>7} {way}")
