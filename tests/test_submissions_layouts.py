"""A class in every layout in which it arrives: nobody is lost, and names do not depend on the order."""

import shutil
import unicodedata
import zipfile
from pathlib import Path

import pytest

from grader.submissions import SubmissionError, find_submissions
from grader.submissions.platforms import Upload, before_canvas, from_canvas, from_gradescope, from_moodle

LESSONS = ("attention", "masking")


def put(path: Path, text: str = "x = 1") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def pack(path: Path, **files: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.py", text)
    return path


def found(path: Path) -> dict[str, dict[str, bytes]]:
    """Each student's files."""
    return {source.student: dict(source.read(LESSONS).files) for source in find_submissions(path)[0]}


def remarks(path: Path, student: str) -> str:
    return " ".join(
        *(source.read(LESSONS).remarks for source in find_submissions(path)[0] if source.student == student)
    )


def as_archive(path: Path) -> Path:
    return Path(shutil.make_archive(str(path.with_name(f"{path.name} packed")), "zip", path))


def test_a_class_is_its_folders_in_order(tmp_path: Path) -> None:
    for name in ("zoe", "ada", ".hidden", "__MACOSX", "out", "Ünal Çelik+co"):
        (tmp_path / name).mkdir()
    put(tmp_path / "readme.txt")
    put(tmp_path / "attention.py")
    (tmp_path / "link").symlink_to(tmp_path / "ada")
    sources, left_out = find_submissions(tmp_path, besides=tmp_path / "out")
    assert [source.student for source in sources] == ["ada", "zoe", "Ünal Çelik+co"]
    assert left_out == [
        "link is a link and was left out",
        "attention.py is in no student's folder",
        "readme.txt is not a folder or an archive",
    ]


def test_folders_and_archives_may_be_mixed_in_a_folder_or_an_archive(tmp_path: Path) -> None:
    put(tmp_path / "class" / "ada" / "attention.py")
    pack(tmp_path / "class" / "bob.zip", attention="x = 2")
    expected = {"ada": {"attention.py": b"x = 1"}, "bob": {"attention.py": b"x = 2"}}
    assert found(tmp_path / "class") == expected
    assert found(as_archive(tmp_path / "class")) == expected
    wrapped = Path(shutil.make_archive(str(tmp_path / "wrapped"), "zip", tmp_path, "class"))
    assert found(wrapped) == expected


def test_the_same_student_twice_is_graded_twice_and_said(tmp_path: Path) -> None:
    put(tmp_path / "ada" / "attention.py")
    pack(tmp_path / "ada.zip", attention="x = 2")
    put(tmp_path / "ada (2)" / "attention.py", "x = 3")
    pack(tmp_path / "ADA.zip", attention="x = 4")
    assert {name: files["attention.py"] for name, files in found(tmp_path).items()} == {
        "ada": b"x = 1",
        "ada (3)": b"x = 2",
        "ada (2)": b"x = 3",
        "ADA (ADA.zip)": b"x = 4",
    }
    assert "Another submission has the same name" in remarks(tmp_path, "ada")
    assert remarks(tmp_path, "ada (2)") == ""


def test_names_that_look_the_same_are_told_apart(tmp_path: Path) -> None:
    pack(tmp_path / f"{unicodedata.normalize('NFC', 'Zoé')}.zip", attention="x = 1")
    pack(tmp_path / f"{unicodedata.normalize('NFD', 'Zoé')}.zip", attention="x = 2")
    names = [unicodedata.normalize("NFC", source.student).casefold() for source in find_submissions(tmp_path)[0]]
    assert len(set(names)) == 2


CANVAS = {
    "doejane_12345_67890_attention.py": "x = 1",
    "doejane_12345_67891_masking.py": "x = 2",
    "doejohn_LATE_12346_67892_attention-1.py": "x = 3",
    "roebob_12347_67000_attention.py": "x = 4",
    "roebob_12347_68000_attention-1.py": "x = 5",
    "doejane_99999_67999_attention.py": "x = 6",
    "lieva_12348_text.html": "<p>",
    "anon_Ab1cD_12_attention.py": "x = 7",
}


def test_a_download_from_canvas(tmp_path: Path) -> None:
    for name, text in CANVAS.items():
        put(tmp_path / "c" / name, text)
    pack(tmp_path / "c" / "kimlee_1_2_homework-3.zip", attention="x = 8")
    expected = {
        "doejane (12345)": {"attention.py": b"x = 1", "masking.py": b"x = 2"},
        "doejane (99999)": {"attention.py": b"x = 6"},
        "doejohn": {"attention.py": b"x = 3"},
        "roebob": {"attention.py": b"x = 5"},
        "lieva": {},
        "anon_Ab1cD": {"attention.py": b"x = 7"},
        "kimlee": {"attention.py": b"x = 8"},
    }
    assert found(tmp_path / "c") == expected
    assert found(as_archive(tmp_path / "c")) == expected
    assert "late" in remarks(tmp_path / "c", "doejohn")
    assert "handed in more than once. The latest was read: roebob_12347_68000" in remarks(tmp_path / "c", "roebob")
    assert "typed into the platform" in remarks(tmp_path / "c", "lieva")


def test_names_that_canvas_makes_and_others() -> None:
    assert from_canvas("doe_LATE_1_2_a_3_4_b.py") == Upload("doe", "1", "a_3_4_b.py", 2, is_late=True)
    assert from_canvas("attention_1.py") is None
    assert before_canvas("attention-1.py", {"attention-1.py"}) == "attention.py"
    assert before_canvas("attention-2.py", {"attention.py", "attention-1.py", "attention-2.py"}) == "attention.py"
    assert before_canvas("hw-1.py", {"hw-1.py", "hw-2.py"}) == "hw-1.py"
    assert before_canvas("data-1.csv", {"data-1.csv"}) == "data-1.csv"


def test_files_that_a_student_numbered_are_all_kept(tmp_path: Path) -> None:
    put(tmp_path / "ada_1_101_hw-1.py", "def softmax(x): pass")
    put(tmp_path / "ada_1_102_hw-2.py", "def causal_mask(n): pass")
    put(tmp_path / "bob_2_103_hw-1.py", "x = 3")
    assert found(tmp_path) == {
        "ada": {"hw-1.py": b"def softmax(x): pass", "hw-2.py": b"def causal_mask(n): pass"},
        "bob": {"hw.py": b"x = 3"},
    }


def test_names_with_dates_are_not_one_student_of_canvas(tmp_path: Path) -> None:
    for number, name in enumerate(("smith", "jones", "lee")):
        pack(tmp_path / f"{name}_2026_01_homework.zip", attention=f"x = {number}")
    put(tmp_path / "roe_2026_01_attention.py", "x = 3")
    assert found(tmp_path) == {
        "smith_2026_01_homework": {"attention.py": b"x = 0"},
        "jones_2026_01_homework": {"attention.py": b"x = 1"},
        "lee_2026_01_homework": {"attention.py": b"x = 2"},
        "roe": {"attention.py": b"x = 3"},
    }


def test_a_name_in_moodle_takes_nobody_elses_place(tmp_path: Path) -> None:
    put(tmp_path / "m" / "Ada Lovelace_12345_assignsubmission_file" / "attention.py")
    eve = "A_12345_assignsubmission_file"
    put(tmp_path / "m" / f"{eve}_777_assignsubmission_file" / "attention.py", "x = 2")
    assert found(tmp_path / "m") == {
        "Ada Lovelace": {"attention.py": b"x = 1"},
        eve: {"attention.py": b"x = 2"},
    }
    put(tmp_path / "flat" / "Ada_1_assignsubmission_file_B_2_assignsubmission_file_attention.py")
    put(tmp_path / "flat" / "Bob_1_assignsubmission_file_attention.py", "x = 2")
    assert found(tmp_path / "flat") == {
        "Ada": {"B_2_assignsubmission_file_attention.py": b"x = 1"},
        "Bob": {"attention.py": b"x = 2"},
    }


def test_a_download_from_moodle(tmp_path: Path) -> None:
    put(tmp_path / "m" / "Jane Doe_11_assignsubmission_file_" / "attention.py")
    put(tmp_path / "m" / "Jane Doe_11_assignsubmission_onlinetext_" / "onlinetext.html")
    pack(tmp_path / "m" / "Jane Doe_12_assignsubmission_file_" / "hw.zip", attention="x = 2")
    put(tmp_path / "m" / "Bob Ré_13_assignsubmission_file_attention.py", "x = 3")
    put(tmp_path / "m" / "Bob Ré_13_assignsubmission_file_masking.py", "x = 4")
    expected = {
        "Jane Doe (11)": {"attention.py": b"x = 1"},
        "Jane Doe (12)": {"attention.py": b"x = 2"},
        "Bob Ré": {"attention.py": b"x = 3", "masking.py": b"x = 4"},
    }
    assert found(tmp_path / "m") == expected
    assert found(as_archive(tmp_path / "m")) == expected
    assert from_moodle("Participant_7_assignsubmission_file", of_folder=True) == Upload("Participant", "7", "")
    assert from_moodle("attention.py") is None


GRADESCOPE = """---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '11'
    :email: ada@school.edu
  :created_at: 2024-01-01 10:00:00.000000000 Z
  :score: 1.0
submission_2:
  :submitters:
  - :name: Bob
    :sid:
    :email: bob@school.edu
  - :name: Cy
    :sid: '13'
submission_3:
  :submitters:
  - :name: Bob
    :email: bob@other.edu
submission_4: nothing
"""


def test_an_export_from_gradescope(tmp_path: Path) -> None:
    export = tmp_path / "g" / "assignment_9_export"
    for number in range(1, 6):
        put(export / f"submission_{number}" / "attention.py", f"x = {number}")
    put(export / "submission_metadata.yml", GRADESCOPE)
    numbers = {"Ada Lovelace": 1, "Bob (bob@school.edu)": 2, "Cy": 2, "Bob (bob@other.edu)": 3}
    numbers |= {"submission_4": 4, "submission_5": 5}
    expected = {student: {"attention.py": f"x = {number}".encode()} for student, number in numbers.items()}
    assert found(tmp_path / "g") == expected
    assert found(as_archive(tmp_path / "g")) == expected
    assert "Handed in together with Bob." in remarks(export, "Cy")


@pytest.mark.parametrize(
    "content", [b"", b"[", b"- 1", b"a: [" * 5000, b"\xff", b"submission_1: {':submitters': [{':name': [1]}]}"]
)
def test_a_list_that_is_not_gradescopes_names_nobody(content: bytes) -> None:
    assert from_gradescope(content) == {}


def test_a_persons_name_leads_to_no_other_folder() -> None:
    content = b"submission_1: {':submitters': [{':name': ../../etc/x}, {':name': 'a\\b'}]}"
    assert [upload.student for upload in from_gradescope(content)["submission_1"]] == ["..-..-etc-x", "a-b"]


def test_names_of_any_length_are_looked_at_quickly(tmp_path: Path) -> None:
    assert from_canvas("anon_" * 10_000) is None
    assert from_moodle("a_1" * 20_000) is None


def test_bad_use_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="one folder for each student"):
        find_submissions(tmp_path / "none")
    put(tmp_path / "one" / "attention.py")
    with pytest.raises(SubmissionError, match="grader check"):
        find_submissions(tmp_path / "one")
    with pytest.raises(SubmissionError, match="grader check"):
        find_submissions(pack(tmp_path / "ada.zip", attention=""))
