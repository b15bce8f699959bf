"""Zip files that would do something to whoever unpacks them."""

import io
import stat
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path

from tests.cases import LESSONS, Case, all_of, lesson

LOST = all_of("error", "causal_mask", "padding_mask", "combine_masks")
_DIRECTORY = b"PK\x01\x02"


def _zipped(members: Sequence[tuple[str | zipfile.ZipInfo, str | bytes]], lessons: Sequence[str] = LESSONS) -> bytes:
    """A zip file of these lessons of the reference and these members."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name in lessons:
            file.writestr(f"{name}.py", lesson(name))
        for member, content in members:
            file.writestr(member, content)
    return whole.getvalue()


def _link(name: str, target: str) -> tuple[zipfile.ZipInfo, str]:
    member = zipfile.ZipInfo(name)
    member.create_system = 3
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member, target


def _zip_case(name: str, content: bytes, verdicts: dict[str, str] | None = None, says: str = "") -> Case:
    case = Case(name, verdicts=verdicts or {}, says=says)

    def lay(class_folder: Path) -> None:
        (class_folder / f"{case.who}.zip").write_bytes(content)

    return Case(name, verdicts=case.verdicts, says=says, lay=lay)


def _lying(content: bytes) -> bytes:
    """The same zip file, whose directory says that the last member has one byte."""
    changed = bytearray(content)
    at = changed.rfind(_DIRECTORY)
    changed[at + 24 : at + 28] = struct.pack("<I", 1)
    return bytes(changed)


def _twice() -> bytes:
    content = bytearray(_zipped([("maskinG.py", "1 / 0\n")]))
    return bytes(content).replace(b"maskinG.py", b"masking.py")


ZIPS = (
    _zip_case(
        "a zip with paths that lead out of it",
        _zipped([("../canary", "x"), ("../../results/zz.json", "{}"), ("a/../../honest/attention.py", "1 / 0")]),
        says=r"leads out of the archive",
    ),
    _zip_case(
        "a zip with absolute paths and drives",
        _zipped([("/tmp/canary", "x"), ("C:\\canary", "x"), ("\\\\server\\canary", "x")]),
        says=r"absolute path",
    ),
    _zip_case(
        "a zip with links",
        _zipped([_link("masking.py", "../honest/masking.py"), _link("up", "../..")], ["attention"]),
        LOST,
        r"masking\.py is a link",
    ),
    _zip_case(
        "a zip with a lesson twice",
        _twice(),
        LOST,
        r"masking\.py .*more than once",
    ),
    _zip_case("a zip bomb", _zipped([("bomb.py", bytes(200 << 20))]), says=r"bomb\.py .*larger than"),
    _zip_case(
        "a zip bomb that says it is small",
        _lying(_zipped([("masking.py", bytes(200 << 20))], ["attention"])),
        LOST,
        r"masking\.py is damaged in the archive",
    ),
    _zip_case(
        "a zip of zips of zips",
        _zipped([("inner.zip", _zipped([("inner.zip", _zipped([("bomb.py", bytes(50 << 20))]))]))]),
        says=r"inner\.zip",
    ),
    _zip_case("a zip of 30,000 files", _zipped([(f"z{number}.txt", "") for number in range(30_000)]), says=r"200"),
    _zip_case("a zip with names for the terminal", _zipped([("x\x1b[2J.py", ""), ("a\u202eb\n\nx: right.py", "")])),
)
