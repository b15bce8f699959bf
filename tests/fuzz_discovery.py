"""Malformed archives, notebooks and modules, read by the thousand: ``python -m tests.fuzz_discovery 10000``.

Each is made from a right one by a number (flipped bits, lost ends, lying headers, odd names, nesting, huge counts), so
that a failure can be seen again with ``python -m tests.fuzz_discovery 1 NUMBER``. Reading it may raise nothing but
``SubmissionError``, end within the limits, and write nothing.
"""

import contextlib
import io
import json
import random
import re
import struct
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

from grader.kit import SOLUTIONS
from grader.sandbox.inside.notebooks import NotebookError, code_cells
from grader.submissions import SubmissionError, find_submissions, read_submission
from tests.fuzz_wire import peak_mb

LESSONS = ("attention", "masking", "transformer")
MODULES = {f"{lesson}.py": (SOLUTIONS / f"{lesson}.py").read_bytes() for lesson in LESSONS}
SECONDS = 20
"""That reading one may take, on a busy machine; the slowest honest one takes a small part of it."""
MEGABYTES = 500
"""That the whole process may take at any time."""
NAMES = (
    *(
        "attention.py",
        "Attention.py",
        "attention (1).py",
        "transformer.ipynb",
        "../attention.py",
        "/etc/passwd",
        "C:\\x.py",
    ),
    *(
        "a/" * 50 + "x.py",
        "..",
        ".",
        "",
        "/",
        "//",
        "a//b.py",
        "x" * 60_000,
        "é\u0301.py",
        "\udc80.py",
        "con",
        "a\0b.py",
    ),
    *(
        "doe_1_2_attention.py",
        "Jane Doe_3_assignsubmission_file_/masking.py",
        "submission_metadata.yml",
        "\n",
        "__MACOSX/x",
    ),
)
SOURCES: tuple[object, ...] = (
    *(
        "x = 1",
        ["x", 1, None],
        None,
        7,
        {"a": 1},
        "%%time\n",
        "%%",
        "!ls \\\n\\",
        "'" * 99,
        '"""',
        "(" * 999,
        "\ud800",
        "\0",
    ),
    *(
        "%%writefile ../x.py\n",
        "%%writefile attention.py\nx = (",
        "def attention(" + "a, " * 999,
        "\\\n" * 999,
        "a=" * 999,
    ),
)


def archive(rng: random.Random) -> bytes:
    """A right archive, or one that only ``zipfile`` would write."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", rng.choice((0, 8, 8, 8, 12, 14))) as made:
        warnings.simplefilter("ignore")
        for name, content in MODULES.items():
            made.writestr(name, content)
        for _ in range(rng.randrange(6)):
            member = zipfile.ZipInfo()
            member.filename = rng.choice(NAMES)
            member.external_attr = rng.choice((0, 0o120777, 0o040755, 0o020666, 0o100644)) << 16
            content = rng.choice((b"", b"x = 1", bytes((2 << 20) + 1), b"PK\x01\x02" * 99, notebook(rng)))
            try:
                made.writestr(member, content)
            except (ValueError, UnicodeError, struct.error):
                continue
        if rng.random() < 0.2:
            made.writestr("inner.zip", archive(rng))
    return file.getvalue()


def lying(content: bytes, rng: random.Random) -> bytes:
    """An archive whose headers say something else: sizes, offsets, flags, ways of compression, numbers of members."""
    changed = bytearray(content)
    marks = [place for mark in (b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06") for place in _places(content, mark)]
    for place in rng.sample(marks, min(len(marks), 3)):
        offset = place + 4 + rng.randrange(40)
        value = rng.choice((0, 1, 0xFF, 0xFFFF, 0xFFFFFFFF, rng.getrandbits(32)))
        struct.pack_into("<I", changed, min(offset, len(changed) - 4), value)
    return bytes(changed)


def _places(content: bytes, mark: bytes) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(mark), content)][:500]


def notebook(rng: random.Random) -> bytes:
    """A notebook of odd cells, in either format."""
    cells = [
        rng.choice(
            (
                {"cell_type": "code", "source": rng.choice(SOURCES), "id": rng.choice((None, 5, "a"))},
                {"cell_type": rng.choice(("code", "raw", None, [])), "input": rng.choice(SOURCES)},
                *(None, [], "code"),
                {"cell_type": "code", "source": [MODULES["attention.py"].decode()]},
            )
        )
        for _ in range(rng.randrange(12))
    ]
    whole: object = {"cells": cells} if rng.random() < 0.7 else {"worksheets": [{"cells": cells}, rng.choice(SOURCES)]}
    text = json.dumps(rng.choice((whole, whole, whole, cells, {"cells": {"0": cells}})))
    if rng.random() < 0.1:
        text = text.replace("[", "[" * rng.choice((2, 1000, 100_000)), 1)
    return text.encode(rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32")))


def module(rng: random.Random) -> bytes:
    """A module saved in an odd way."""
    source = MODULES[rng.choice(tuple(MODULES))].decode()
    odd = (
        "",
        "\0",
        "(" * 9999,
        "# coding: " + rng.choice(("utf-7", "punycode", "zip", "rot13", "idna", "x" * 999)) + "\n",
    )
    coding = rng.choice(("utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"))
    return (rng.choice(odd) + source * rng.choice((1, 1, 1, 40))).encode(coding)


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with flipped bits, a part that is lost or there twice, or other bytes in between."""
    changed = bytearray(content)
    for _ in range(rng.choice((0, 1, 1, 3, 30))):
        if not changed:
            break
        place = rng.randrange(len(changed))
        other = rng.randrange(place, min(place + 5000, len(changed)))
        match rng.randrange(5):
            case 0:
                changed[place] ^= 1 << rng.randrange(8)
            case 1:
                del changed[place:other]
            case 2:
                changed[place:place] = changed[place:other]
            case 3:
                changed[place:other] = rng.randbytes(min(other - place, 50))
            case 4:
                del changed[rng.choice((place, len(changed) - 3)) :]
    return bytes(changed)


def made(number: int) -> tuple[str, bytes]:
    """The file of this number: its name and its bytes."""
    rng = random.Random(number)
    kinds: tuple[tuple[str, Callable[[random.Random], bytes]], ...] = (
        *(("ada.zip", archive), ("ada.zip", lambda rng: lying(archive(rng), rng)), ("attention.ipynb", notebook)),
        *(("homework.ipynb", notebook), ("attention.py", module), ("homework.py", module)),
    )
    name, make = kinds[number % len(kinds)]
    content = make(rng)
    return name, damaged(content, rng) if rng.random() < 0.7 else content


def tried(number: int, folder: Path) -> float:
    """Read one in every way in which it can be read. Seconds that it took; raises ``AssertionError``."""
    name, content = made(number)
    (folder / "class").mkdir()
    (folder / "class" / name).write_bytes(content)
    (folder / "class" / "bob").mkdir()
    (folder / "class" / "bob" / name).write_bytes(content)
    before = _everything(folder)
    begun = time.process_time()
    for path in (folder / "class" / name, folder / "class" / "bob"):
        submission = read_submission(path, LESSONS)
        assert set(submission.modules.values()) <= set(submission.files)
        assert not set(submission.modules) & set(submission.unread)
        assert all(
            text.isprintable() for text in (*submission.remarks, *submission.unread.values(), submission.student)
        )
    for path in (folder / "class", folder / "class" / name):
        try:
            sources, left_out = find_submissions(path)
        except SubmissionError:
            continue
        assert all(text.isprintable() for text in left_out)
        assert len({source.student for source in sources}) == len(sources)
        for source in sources[:5]:
            source.read(LESSONS)
    with contextlib.suppress(NotebookError):
        code_cells(content)
    seconds = time.process_time() - begun
    assert seconds < SECONDS, f"{seconds:.1f} s"
    assert _everything(folder) == before, "something was written"
    return seconds


def _everything(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def main(count: int, first: int = 0) -> int:
    """Try so many, and say which fail."""
    slowest, failed, written = 0.0, 0, _around()
    for number in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                slowest = max(slowest, tried(number, Path(folder)))
            except Exception as error:
                failed += 1
                print(f"{number}: {made(number)[0]}: {type(error).__name__}: {str(error)[:300]}")
    outside = _around() - written
    megabytes = peak_mb()  # what getrusage tells begins with the process that started this one
    assert megabytes < MEGABYTES, f"{megabytes} MB"
    print(
        f"{count} read, {failed} failed; the slowest took {slowest:.1f} s, the largest {megabytes} MB; "
        f"written outside: {sorted(outside) or 'nothing'}"
    )
    return 1 if failed or outside else 0


def _around() -> set[Path]:
    """What stands in the places that a path with ``..`` or an absolute one would lead to."""
    here = (Path.cwd(), Path.cwd().parent, Path("/"), Path("/etc"))
    return {path for place in here if place.is_dir() for path in place.iterdir() if not path.name.startswith(".")}


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
