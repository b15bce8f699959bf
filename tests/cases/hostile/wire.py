"""Replies that are not the function's: student code finds the connection to the grader and writes to it."""

import json

from tests.cases import Case, lesson
from tests.cases.hostile.answers import NO_RESULT
from tests.cases.hostile.attacks import ENDED, UNLOADABLE, Files, loads, well, wrong

FIND = """
import json, struct, time

def is_wire(number):
    try:
        os.fstat(number)
        return True
    except OSError:
        return False

wire = next(number for number in range(3, 5000) if is_wire(number))

def message(value, raw=b""):
    text = json.dumps([len(raw), value]).encode()
    return struct.pack(">I", len(text)) + text + raw

def write(data):
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(wire, rest):]

def send(value, raw=b""):
    write(message(value, raw))

def read(size):
    data = b""
    while len(data) < size:
        data += os.read(wire, size - len(data))
    return data

def receive():
    size, _ = json.loads(read(*struct.unpack(">I", read(4))))
    read(size)

def result(value):
    return {"dict": {"results": [{"dict": {"value": value, "raised": None, "changed": []}}]}}
"""


def sends(attack: str) -> Files:
    """A ``softmax`` that writes to the connection."""
    return wrong(attack, FIND)


def cell(attack: str) -> Files:
    """A notebook with right work in one cell, before which another writes to the connection."""
    sources = [f"import os{FIND}{attack}", lesson("attention")]
    cells = [{"cell_type": "code", "source": source} for source in sources]
    return {"attention.py": None, "attention.ipynb": json.dumps({"cells": cells})}


WIRE = (
    Case("noise", sends("os.write(wire, b'\\xff' * 256)"), ENDED, NO_RESULT),
    Case("zeros without end", sends("while True: os.write(wire, bytes(1 << 16))"), ENDED, NO_RESULT),
    Case("a reply that claims two gigabytes", sends("os.write(wire, struct.pack('>I', 1 << 31))"), ENDED, NO_RESULT),
    Case(
        "arrays that claim a terabyte",
        sends("os.write(wire, b'\\0\\0\\0\\x1c[1099511627776,[1,2,3,4,5]]')"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "a reply 100,000 levels deep",
        sends("text = b'[' * 100_000 + b']' * 100_000\nos.write(wire, struct.pack('>I', len(text)) + text)"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "a reply to another question",
        sends("send({'dict': {'error': None, 'names': [], 'lost': []}})"),
        ENDED,
        NO_RESULT,
    ),
    Case("more results than there were calls", sends("send({'dict': {'results': [1, 2, 3]}})"), ENDED, NO_RESULT),
    Case("more calls ended than were made", sends("send({'dict': {'next': 10 ** 9}})"), ENDED, NO_RESULT),
    Case(
        "an array of false shape",
        sends("send(result({'array': ['float64', [-1, 1 << 62, 0]]}))"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "an array of objects",
        sends("send(result({'array': ['object', [1]]}), bytes(8))"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "numbers that are none",
        sends("send(result({'scalar': ['int8', 1e400]}))"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "a forged result that says pass",
        sends("send({'dict': {'verdict': 'pass', 'points': 100, 'ungraded': False}})"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "a question with a payload",
        sends("send({'dict': {'ask': 'softmax', 'args': {'tuple': [{'opaque': 'x'}]}, 'kwargs': {'dict': {}}}})"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "a reply one byte at a time, never whole",
        sends("for byte in struct.pack('>I', 4_000_000) + bytes(5_000): os.write(wire, bytes([byte]))\nos._exit(0)"),
        ENDED,
        r"softmax never came back: The call ended the process",
    ),
    Case(
        "a traceback in the middle of a reply, by faulthandler",
        sends("import faulthandler\nfaulthandler.dump_traceback(wire)"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "says without end that a cell begins",
        loads(
            "import os" + FIND + "many = message({'dict': {'module': 'attention', 'cell': 1}}) * 1000\n"
            "while True: write(many)"
        ),
        UNLOADABLE,
        r"attention\.py does not load: Loading the file sent the grader something that is not a result",
    ),
    Case(
        "says in a cell without end that it begins, before right work in the next",
        cell("while True: write(message({'dict': {'module': 'attention', 'cell': 1}}) * 1000)"),
    ),
    Case(
        "says in a cell that one begins whose number has 6,000 digits, before right work in the next",
        cell("send({'dict': {'module': 'attention', 'cell': {'int': hex(1 << 20_000)}}})"),
    ),
    Case(
        "says that a cell failed whose number has 6,000 digits",
        loads(
            "import os" + FIND + "lost = {'cell': {'int': hex(1 << 20_000)}, 'error': None, 'names': ['softmax']}\n"
            "send({'dict': {'error': None, 'names': [], 'lost': [{'dict': lost}]}})"
        ),
        UNLOADABLE,
        r"attention\.py does not load: Loading the file sent the grader something that is not a result",
    ),
    Case(
        "a million empty lists for one value",
        sends("send(result([[]] * 1_300_000))"),
        ENDED,
        NO_RESULT,
    ),
    Case(
        "says in a notebook that ever more cells begin",
        cell("for number in range(2, 10 ** 9): send({'dict': {'module': 'attention', 'cell': number}})"),
        UNLOADABLE,
        r"attention\.ipynb does not load: Cell 1980 sent the grader something that is not a result",
    ),
    Case(
        "asks again and again, with much to read and nothing to answer",
        {
            "attention.py": lesson(
                "attention",
                "import os"
                + FIND
                + """
def softmax(x, axis=-1):
    return x

def scaled_scores(q, k):
    junk = message({"dict": {"ask": "softmax", "args": {"tuple": [1.0, [0] * 240_000]}, "kwargs": {"dict": {}}}})
    while True:
        write(junk)
        receive()
""",
            )
        },
        {"softmax": "fail", "scaled_scores": "error"},
        r"scaled_scores never came back: The call did not end within 2 seconds",
    ),
    Case("hangs up", sends("os.close(wire)"), ENDED, r"softmax never came back: The call "),
    Case(
        "a right answer one byte at a time, in right work",
        well(
            """
            if not done:
                done.append(1)
                write = os.write
                import inside.runtime as runtime
                runtime._write = lambda number, data: write(number, data[:1])
            """,
            "done = []",
        ),
    ),
)
