"""Finding a class and its modules on disk."""

from pathlib import Path

import pytest

from grader.submissions import LARGEST_FILE, MOST_FILES, SubmissionError, find_submissions, read_submission

LESSONS = ("attention", "masking")


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_modules_are_found_by_their_names(tmp_path: Path) -> None:
    found = read_submission(write(tmp_path / "ada", attention="x = 1", helper="y = 2"), LESSONS)
    assert found.student == "ada"
    assert found.modules == {"attention": "attention.py"}
    assert found.files == {"attention.py": b"x = 1", "helper.py": b"y = 2"}


def test_a_wrong_name_is_found_by_the_functions_where_only_one_file_can_be_meant(tmp_path: Path) -> None:
    folder = write(tmp_path, **{"attention (1)": "def softmax(x): pass", "notes": "pass"})
    found = read_submission(folder, LESSONS)
    assert found.modules == {"attention": "attention (1).py"}
    assert "attention (1).py was read as attention.py" in found.remarks[0]


def test_two_candidates_are_no_match(tmp_path: Path) -> None:
    folder = write(tmp_path, a="def softmax(x): pass", b="def attention(q, k, v): pass")
    assert read_submission(folder, LESSONS).modules == {}


def test_one_file_with_everything_is_every_lesson(tmp_path: Path) -> None:
    names = ("softmax", "scaled_scores", "attention", "causal_mask", "padding_mask", "combine_masks")
    folder = write(tmp_path / "ada", attention="\n".join(f"def {name}(): pass" for name in names))
    assert read_submission(folder, LESSONS).modules == {"attention": "attention.py", "masking": "attention.py"}
    helper = write(tmp_path / "bob", masking="def softmax(): pass")
    assert read_submission(helper, LESSONS).modules == {"masking": "masking.py"}


def test_a_notebook_is_named_as_unread(tmp_path: Path) -> None:
    (tmp_path / "attention.ipynb").write_text("{}", encoding="utf-8")
    assert "attention.ipynb was not read" in read_submission(tmp_path, LESSONS).remarks[0]


def test_a_folder_inside_a_folder_stands_for_the_outer_one(tmp_path: Path) -> None:
    write(tmp_path / "ada" / "homework", attention="x = 1")
    (tmp_path / "ada" / ".DS_Store").write_bytes(b"\0")
    (tmp_path / "ada" / "__MACOSX").mkdir()
    found = read_submission(tmp_path / "ada", LESSONS)
    assert (found.student, found.modules) == ("ada", {"attention": "attention.py"})


def test_caches_links_and_hidden_files_are_not_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "ada", attention="x = 1")
    write(folder / "__pycache__", attention="poison")
    write(folder / ".git", hook="x")
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (folder / "masking.py").symlink_to(tmp_path / "secret")
    assert set(read_submission(folder, LESSONS).files) == {"attention.py"}


def test_large_files_are_left_out_and_said(tmp_path: Path) -> None:
    folder = write(tmp_path, attention="x = 1")
    (folder / "data.bin").write_bytes(bytes(LARGEST_FILE + 1))
    found = read_submission(folder, LESSONS)
    assert set(found.files) == {"attention.py"}
    assert "data.bin" in found.remarks[0]


def test_very_many_files_are_cut_off_and_said(tmp_path: Path) -> None:
    folder = write(tmp_path, **{f"f{i:03}": "" for i in range(MOST_FILES + 1)})
    found = read_submission(folder, LESSONS)
    assert len(found.files) == MOST_FILES
    assert str(MOST_FILES) in found.remarks[0]


@pytest.mark.parametrize("source", [b"\xff\xfe\0", b"def softmax(:", b"(" * 5000, b"\0"])
def test_what_cannot_be_parsed_defines_nothing(tmp_path: Path, source: bytes) -> None:
    (tmp_path / "other.py").write_bytes(source)
    assert read_submission(tmp_path, LESSONS).modules == {}


def test_the_digest_depends_on_names_and_contents_alone(tmp_path: Path) -> None:
    one = read_submission(write(tmp_path / "a", attention="x", masking="y"), LESSONS)
    same = read_submission(write(tmp_path / "b", masking="y", attention="x"), LESSONS)
    swapped = read_submission(write(tmp_path / "c", attention="y", masking="x"), LESSONS)
    assert one.digest == same.digest != swapped.digest


def test_a_class_is_its_folders_in_order(tmp_path: Path) -> None:
    for name in ("zoe", "ada", ".hidden", "__MACOSX"):
        (tmp_path / name).mkdir()
    (tmp_path / "readme.txt").write_text("", encoding="utf-8")
    folders, left_out = find_submissions(tmp_path)
    assert [f.name for f in folders] == ["ada", "zoe"]
    assert [f.name for f in left_out] == ["readme.txt"]


def test_bad_use_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="one folder for each student"):
        find_submissions(tmp_path / "none")
    with pytest.raises(SubmissionError, match="grader check"):
        find_submissions(write(tmp_path, attention=""))
    with pytest.raises(SubmissionError, match="not a folder"):
        read_submission(tmp_path / "attention.py", LESSONS)
