"""Archives are read as data, whatever they say of themselves, and what cannot be read is said."""

import io
import stat
import struct
import warnings
import zipfile
from pathlib import Path

import pytest

from grader.submissions import Submission, SubmissionError, find_submissions, read_submission
from grader.submissions.archives import MOST_MEMBERS
from grader.submissions.tree import LARGEST_FILE, LARGEST_TOTAL

LESSONS = ("attention", "masking")


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes | str], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", how) as archive:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


def read(tmp_path: Path, content: bytes) -> Submission:
    path = tmp_path / "ada.zip"
    path.write_bytes(content)
    found = read_submission(path, LESSONS)
    assert [entry.name for entry in tmp_path.iterdir()] == ["ada.zip"]
    return found


def special(name: str, mode: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.external_attr = mode << 16
    return member


def test_an_archive_is_a_folder(tmp_path: Path) -> None:
    found = read(tmp_path, zipped(("attention.py", "x = 1"), ("data/table.csv", "1"), ("__MACOSX/._attention.py", "")))
    assert found.student == "ada"
    assert found.files == {"attention.py": b"x = 1", "data/table.csv": b"1"}
    assert found.modules == {"attention": "attention.py"}
    assert found.remarks == ()


def test_a_folder_in_an_archive_and_an_archive_in_an_archive_stand_for_it(tmp_path: Path) -> None:
    inner = zipped(("homework/final/attention.py", "x = 1"), ("homework/.DS_Store", ""))
    assert read(tmp_path, inner).modules == {"attention": "attention.py"}
    assert read(tmp_path, zipped(("ada.zip", inner), ("__MACOSX/._ada.zip", ""))).modules == {
        "attention": "attention.py"
    }


def test_other_archives_inside_are_named_and_not_opened(tmp_path: Path) -> None:
    inner = zipped(("masking.py", "x = 1"))
    found = read(tmp_path, zipped(("attention.py", ""), ("more.zip", inner)))
    assert found.modules == {"attention": "attention.py"}
    assert any("more.zip was not opened" in remark for remark in found.remarks)
    twice = zipped(("a.zip", zipped(("b.zip", zipped(("c.zip", inner))))))
    assert "was not opened" in read(tmp_path, twice).unread["masking"]


def test_several_archives_and_nothing_else_are_read_together(tmp_path: Path) -> None:
    one, two = zipped(("a/attention.py", "x = 1"), ("a/readme.txt", "")), zipped(("a/masking.py", "import attention"))
    found = read(tmp_path, zipped(("attention.zip", one), ("masking.zip", two)))
    assert found.modules == {"attention": "attention.py", "masking": "masking.py"}
    same = zipped(("a/masking.py", "x = 2"), ("a/readme.txt", "."))
    apart = read(tmp_path, zipped(("attention.zip", one), ("masking.zip", same)))
    assert apart.modules == {
        "attention": "attention.zip/attention.py",
        "masking": "masking.zip/masking.py",
    }
    damaged = read(tmp_path, zipped(("attention.zip", "?"), ("masking.zip", "")))
    assert damaged.unread["attention"].startswith("attention.zip is not a zip archive")
    assert damaged.unread["masking"].startswith("masking.zip is not a zip archive")


@pytest.mark.parametrize("name", ["../attention.py", "a/../../attention.py", "..\\attention.py", "/../attention.py"])
def test_a_path_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, zipped((name, "x = 1")))
    assert found.files == {}
    assert "leads out of the archive" in found.unread["attention"]


@pytest.mark.parametrize("name", ["/attention.py", "C:/attention.py", "C:\\attention.py", "//attention.py"])
def test_an_absolute_path_is_read_as_if_it_were_none(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, zipped((name, "x = 1")))
    assert found.files == {"attention.py": b"x = 1"}
    assert "absolute path" in found.remarks[0]


def test_links_and_devices_are_refused(tmp_path: Path) -> None:
    link = special("attention.py", stat.S_IFLNK | 0o777)
    device = special("masking.py", stat.S_IFCHR | 0o666)
    found = read(tmp_path, zipped((link, "/etc/passwd"), (device, ""), ("x.py", "")))
    assert set(found.files) == {"x.py"}
    assert "is a link" in found.unread["attention"]
    assert "is not a file" in found.unread["masking"]


def test_of_a_name_that_is_there_twice_the_last_counts(tmp_path: Path) -> None:
    found = read(tmp_path, zipped(("attention.py", "x = 1"), ("./attention.py", "x = 2")))
    assert found.files == {"attention.py": b"x = 2"}
    assert "more than once" in found.remarks[0]


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped(("attention.py", "x = 1"), ("masking.py", "x = 1")))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    found = read(tmp_path, bytes(content))
    assert set(found.files) == {"masking.py"}
    assert "without a password" in found.unread["attention"]


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_compression_are_refused(tmp_path: Path, how: int) -> None:
    found = read(tmp_path, zipped(("attention.py", "x = 1"), how=how))
    assert "compressed in a way" in found.unread["attention"]


def test_a_bomb_is_measured_by_what_comes_out(tmp_path: Path) -> None:
    bomb = bytearray(zipped(("attention.py", bytes(10 * LARGEST_FILE)), ("masking.py", "x = 1")))
    directory = bomb.index(b"PK\x01\x02")
    struct.pack_into("<I", bomb, directory + 24, 10)  # the directory says: 10 bytes
    found = read(tmp_path, bytes(bomb))
    assert set(found.files) == {"masking.py"}
    assert "attention" in found.unread
    honest = read(tmp_path, zipped(("attention.py", bytes(10 * LARGEST_FILE))))
    assert honest.unread["attention"] == "attention.py is larger than 2 MB and was left out."


def test_a_bomb_of_many_members_is_stopped(tmp_path: Path) -> None:
    large = bytes(LARGEST_FILE)
    found = read(tmp_path, zipped(*((f"{number:03}.bin", large) for number in range(30))))
    assert sum(map(len, found.files.values())) <= LARGEST_TOTAL
    assert any("all files together" in remark for remark in found.remarks)
    directory = (b"PK\x01\x02" + bytes(42)) * (MOST_MEMBERS + 1)
    end = b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, 0, 0, len(directory), 0, 0)
    assert "holds more than 50,000 files" in read(tmp_path, directory + end).unread["attention"]


def test_a_file_full_of_marks_is_not_taken_for_very_many_members(tmp_path: Path) -> None:
    marks = b"PK\x01\x02" * (MOST_MEMBERS + 1)
    inner = zipped(("attention.py", "x = 1"), ("data.bin", marks), how=zipfile.ZIP_STORED)
    assert read(tmp_path, inner).files == {"attention.py": b"x = 1", "data.bin": marks}
    nested = read(tmp_path, zipped(("homework.zip", inner), how=zipfile.ZIP_STORED))
    assert nested.files == {"attention.py": b"x = 1", "data.bin": marks}
    (tmp_path / "ada.zip").write_bytes(zipped(("eve.zip", inner), ("bob/attention.py", ""), how=zipfile.ZIP_STORED))
    assert [source.student for source in find_submissions(tmp_path / "ada.zip")[0]] == ["bob", "eve"]


def test_very_deep_folders_are_refused(tmp_path: Path) -> None:
    found = read(tmp_path, zipped(("a/" * 3000 + "attention.py", "x = 1"), ("masking.py", "x = 1")))
    assert set(found.files) == {"masking.py"}
    assert "folders deep" in found.unread["attention"]


@pytest.mark.parametrize("name", ["bad\x07name.py", "x" * 300 + ".py", "two\nlines.py"])
def test_names_that_cannot_be_used_are_refused(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, zipped((name, "x = 1"), ("masking.py", "")))
    assert set(found.files) == {"masking.py"}
    assert all(remark.isprintable() for remark in found.remarks)


def test_names_in_utf_8_that_are_not_marked_as_such_are_read(tmp_path: Path) -> None:
    content = zipped(("aufgäbe.py", "def softmax(): pass"))
    content = content.replace(b"\x00\x08", b"\x00\x00")  # the flag that says UTF-8, in both places
    assert read(tmp_path, content).modules == {"attention": "aufgäbe.py"}


@pytest.mark.parametrize(
    "content",
    [b"", b"Rar!\x1a\x07", zipped(("attention.py", "x = 1" * 100))[:90], b"PK\x05\x06"],
    ids=["empty", "of another kind", "cut off", "only an end"],
)
def test_a_damaged_archive_is_an_error_of_every_lesson(tmp_path: Path, content: bytes) -> None:
    found = read(tmp_path, content)
    assert found.files == {}
    assert set(found.unread) == set(LESSONS)
    assert "ada.zip is not a zip archive or is damaged" in found.unread["attention"]


def test_a_damaged_member_is_an_error_of_its_lesson_alone(tmp_path: Path) -> None:
    content = bytearray(zipped(("attention.py", "x = 1"), ("masking.py", "x = 1"), how=zipfile.ZIP_STORED))
    content[content.index(b"x = 1")] ^= 1
    found = read(tmp_path, bytes(content))
    assert found.modules == {"masking": "masking.py"}
    assert "attention.py is damaged in the archive" in found.unread["attention"]


def test_other_kinds_of_archive_are_an_error_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "ada.rar").write_bytes(b"Rar!")
    assert "hand in a .zip file" in read_submission(tmp_path / "ada.rar", LESSONS).unread["masking"]
    (found,) = find_submissions(tmp_path)[0]
    assert "hand in a .zip file" in found.read(LESSONS).unread["masking"]


def test_a_damaged_archive_of_a_class_is_bad_use(tmp_path: Path) -> None:
    (tmp_path / "class.zip").write_bytes(b"PK")
    with pytest.raises(SubmissionError, match="damaged"):
        find_submissions(tmp_path / "class.zip")
