"""One submission: its files, how they were saved, and which of them is which lesson."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.contract import all_lessons
from grader.submissions import Submission, SubmissionError, read_submission
from grader.submissions.gather import MOST_CELLS, MOST_VALUES
from grader.submissions.modules import lesson_like
from grader.submissions.stubs import MOST_PARSED, Names
from grader.submissions.text import LARGEST_PARSED
from grader.submissions.tree import LARGEST_FILE, MOST_FILES

EXERCISES = Path(__file__).parents[1] / "exercises"
LESSONS = ("attention", "masking")
SOFTMAX = "def softmax(x):\n    return x\n"
STUB = 'def softmax(x):\n    """Doc."""\n    raise NotImplementedError("softmax is not started")\n'
ATTENTION = "\n".join(f"def {name}(): pass" for name in ("softmax", "scaled_scores", "attention"))
MASKING = "\n".join(f"def {name}(): pass" for name in ("causal_mask", "padding_mask", "combine_masks"))


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def notebook(path: Path, *cells: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    outputs = [{"data": {"image/png": "A" * 1000}}]
    code = [{"cell_type": "code", "source": cell, "outputs": outputs} for cell in cells]
    path.write_text(json.dumps({"cells": code}), encoding="utf-8")
    return path


def read(folder: Path) -> Submission:
    return read_submission(folder, LESSONS)


def test_modules_are_found_by_their_names(tmp_path: Path) -> None:
    found = read(write(tmp_path / "ada", attention="x = 1", helper="y = 2"))
    assert found.student == "ada"
    assert found.modules == {"attention": "attention.py"}
    assert found.files == {"attention.py": b"x = 1", "helper.py": b"y = 2"}
    assert (found.remarks, found.unread) == ((), {})


@pytest.mark.parametrize(
    "name",
    [
        *("Attention", "ATTENTION", "attention (1)", "attention(2)", "attention-1", "attention_final", "attention_v2"),
        *("Copy of attention", "attention - Copy", "attention copy 2", "attention_final (3)", " attention "),
    ],
)
def test_a_name_that_is_nearly_right_is_understood_and_said(tmp_path: Path, name: str) -> None:
    found = read(write(tmp_path, **{name: "x = 1", "helper": ""}))
    assert found.modules == {"attention": f"{name}.py"}
    assert f"{name}.py was read as attention.py." in found.remarks


def test_names_of_two_words_and_other_names() -> None:
    assert (
        lesson_like("Positional Encoding (1).py") == lesson_like("positional-encoding.ipynb") == "positional_encoding"
    )
    assert lesson_like("self_check_final.py") == "self_check"
    assert lesson_like("test_attention.py") != "attention" != lesson_like("attention_utils.py")


def test_the_exact_name_counts_before_one_that_is_nearly_right(tmp_path: Path) -> None:
    found = read(write(tmp_path, **{"attention": "x = 1", "attention (1)": "x = 2", "Attention": "x = 3"}))
    assert found.modules == {"attention": "attention.py"}
    assert found.remarks == ("attention.py was read as attention.py, and not Attention.py and attention (1).py.",)


def test_two_names_that_are_nearly_right_are_no_match_unless_the_files_are_the_same(tmp_path: Path) -> None:
    found = read(write(tmp_path, **{"attention (1)": "x = 1", "attention (2)": "x = 2"}))
    assert found.modules == {}
    assert "attention (1).py and attention (2).py could all be attention.py" in found.remarks[0]
    (tmp_path / "attention (2).py").write_text("x = 1", encoding="utf-8")
    assert read(tmp_path).modules == {"attention": "attention (1).py"}


def test_a_wrong_name_is_found_by_the_functions_where_only_one_file_can_be_meant(tmp_path: Path) -> None:
    found = read(write(tmp_path, homework="def softmax(x): pass", notes="pass"))
    assert found.modules == {"attention": "homework.py"}
    assert "homework.py was read as attention, by" in found.remarks[0]


def test_two_candidates_are_no_match_and_are_named(tmp_path: Path) -> None:
    found = read(write(tmp_path, a="def softmax(x): pass", b="def attention(q, k, v): pass"))
    assert found.modules == {}
    assert "a.py and b.py" in found.remarks[0]


def test_the_file_that_defines_all_comes_before_one_that_defines_some(tmp_path: Path) -> None:
    assert read(write(tmp_path, a="def softmax(x): pass", b=ATTENTION)).modules == {"attention": "b.py"}


def test_one_file_with_everything_is_every_lesson(tmp_path: Path) -> None:
    folder = write(tmp_path / "ada", attention=f"{ATTENTION}\n{MASKING}")
    assert read(folder).modules == {"attention": "attention.py", "masking": "attention.py"}
    incomplete = write(tmp_path / "cy", homework="def softmax(): pass\ndef causal_mask(n): pass")
    assert read(incomplete).modules == {"attention": "homework.py", "masking": "homework.py"}
    helper = write(tmp_path / "bob", masking="def softmax(): pass")
    assert read(helper).modules == {"masking": "masking.py"}


def test_a_notebook_is_a_module_without_its_outputs(tmp_path: Path) -> None:
    notebook(tmp_path / "attention.ipynb", "x = 1")
    found = read(tmp_path)
    assert found.modules == {"attention": "attention.ipynb"}
    assert b"image/png" not in found.files["attention.ipynb"]


def test_one_notebook_is_every_lesson_that_it_defines_functions_of(tmp_path: Path) -> None:
    notebook(tmp_path / "a" / "homework.ipynb", SOFTMAX, "def causal_mask(n: pass")
    assert read(tmp_path / "a").modules == {"attention": "homework.ipynb", "masking": "homework.ipynb"}
    notebook(tmp_path / "b" / "masking.ipynb", SOFTMAX)
    assert read(tmp_path / "b").modules == {"attention": "masking.ipynb", "masking": "masking.ipynb"}


def test_a_notebook_is_no_lesson_that_it_imports(tmp_path: Path) -> None:
    notebook(tmp_path / "masking.ipynb", "softmax = print", "from attention import softmax", MASKING)
    assert read(tmp_path).modules == {"masking": "masking.ipynb"}


@pytest.mark.parametrize(
    ("module", "taken"),
    [(SOFTMAX, "attention.py"), (STUB, "attention.ipynb"), ("", "attention.ipynb"), ("def (", "attention.py")],
)
def test_a_module_comes_before_a_notebook_unless_it_is_untouched(tmp_path: Path, module: str, taken: str) -> None:
    notebook(write(tmp_path, attention=module) / "attention.ipynb", "%time x = 1", SOFTMAX)
    found = read(tmp_path)
    assert found.modules == {"attention": taken}
    assert any(remark.startswith(f"{taken} was read as attention") for remark in found.remarks)


def test_an_untouched_notebook_does_not_come_before_an_untouched_module(tmp_path: Path) -> None:
    notebook(write(tmp_path, attention=STUB) / "attention.ipynb", STUB)
    assert read(tmp_path).modules == {"attention": "attention.py"}


def test_a_module_that_a_notebook_writes_is_taken(tmp_path: Path) -> None:
    notebook(tmp_path / "homework.ipynb", f"%%writefile attention.py\n{SOFTMAX}", "%%writefile ../x.py\n", MASKING)
    found = read(tmp_path)
    assert found.modules == {"attention": "attention.py", "masking": "homework.ipynb"}
    assert found.files["attention.py"] == f"\n{SOFTMAX}".encode()
    write(tmp_path, attention="x = 1")
    assert read(tmp_path).files["attention.py"] == b"x = 1"


def test_a_file_that_a_notebook_writes_again_or_appends_to_is_what_running_it_leaves(tmp_path: Path) -> None:
    notebook(
        tmp_path / "homework.ipynb",
        "%%writefile attention.py\nx = 1",
        "%%writefile ./attention.py\nx = 2",
        "%%writefile -a /content/attention.py\ny = 3",
        "%%writefile src\\masking.py\nx = 4",
    )
    found = read(tmp_path)
    assert found.modules == {"attention": "attention.py", "masking": "masking.py"}
    assert found.files["attention.py"] == b"\nx = 2\n\ny = 3"
    assert any("attention.py was taken from cell 3 of homework.ipynb" in remark for remark in found.remarks)


def test_a_file_that_a_notebook_writes_comes_before_the_stub_beside_it(tmp_path: Path) -> None:
    notebook(write(tmp_path, attention=STUB) / "homework.ipynb", f"%%writefile attention.py\n{SOFTMAX}")
    found = read(tmp_path)
    assert found.files["attention.py"] == f"\n{SOFTMAX}".encode()
    assert any("no work in the one that was handed in" in remark for remark in found.remarks)
    notebook(write(tmp_path, attention=STUB) / "homework.ipynb", f"%%writefile attention.py\n# new\n{STUB}")
    assert read(tmp_path).files["attention.py"] == STUB.encode()


def test_of_files_with_nearly_the_same_name_the_one_with_work_counts(tmp_path: Path) -> None:
    found = read(write(tmp_path / "a", **{"attention": STUB, "attention (1)": SOFTMAX}))
    assert found.modules == {"attention": "attention (1).py"}
    assert "attention (1).py was read as attention.py, since there is no work in attention.py." in found.remarks
    broken = read(write(tmp_path / "b", **{"attention": STUB, "attention (1)": "def softmax(x:"}))
    assert broken.modules == {"attention": "attention (1).py"}
    assert read(write(tmp_path / "c", **{"attention": STUB, "attention (1)": f"#\n{STUB}"})).modules == {
        "attention": "attention.py"
    }
    notebook(notebook(tmp_path / "d" / "attention.ipynb", STUB).with_name("attention (1).ipynb"), SOFTMAX)
    assert read(tmp_path / "d").modules == {"attention": "attention (1).ipynb"}


def test_work_in_a_file_of_another_name_comes_before_a_stub(tmp_path: Path) -> None:
    notebook(write(tmp_path / "a", attention=STUB) / "homework.ipynb", SOFTMAX)
    found = read(tmp_path / "a")
    assert found.modules == {"attention": "homework.ipynb"}
    assert "homework.ipynb was read as attention, since there is no work in attention.py." in found.remarks
    helper = write(tmp_path / "b", attention=STUB, masking=f"{MASKING}\n{SOFTMAX}")
    assert read(helper).modules == {"attention": "attention.py", "masking": "masking.py"}
    several = read(write(tmp_path / "c", attention=STUB, one=SOFTMAX, two=f"#\n{SOFTMAX}"))
    assert several.modules == {"attention": "attention.py"}
    assert any("one.py and two.py define" in remark for remark in several.remarks)
    assert read(write(tmp_path / "d", old=STUB, new=SOFTMAX)).modules == {"attention": "new.py"}


def test_a_folder_with_work_comes_before_one_with_stubs(tmp_path: Path) -> None:
    write(tmp_path / "exercises", attention=STUB, test_attention="from attention import softmax")
    write(tmp_path / "solution", attention=SOFTMAX, helper="x = 1")
    found = read(tmp_path)
    assert found.modules == {"attention": "attention.py"}
    assert found.files["attention.py"] == SOFTMAX.encode()
    assert "helper.py" in found.files
    assert "attention.py was read as attention.py, since there is no work in exercises/attention.py." in found.remarks


def test_what_is_handed_out_is_read_as_it_is_without_remarks() -> None:
    found = read_submission(EXERCISES, all_lessons())
    assert found.modules == {lesson: f"{lesson}.py" for lesson in all_lessons()}
    assert not any("was read as" in remark or "define" in remark for remark in found.remarks)


def test_long_names_are_no_lessons() -> None:
    assert lesson_like("…" * 245 + "attention.py") == lesson_like("\ufdfa" * 90 + ".py") == ""


def test_what_takes_long_to_parse_is_looked_at_within_a_limit(tmp_path: Path) -> None:
    body = f"{SOFTMAX}{'#' * (LARGEST_PARSED - len(SOFTMAX))}"
    assert read(write(tmp_path / "a", homework=body)).modules == {"attention": "homework.py"}
    assert read(write(tmp_path / "b", homework=f"{body}#")).modules == {}
    names = Names()
    full = [f"{number}{body}"[: len(body)].encode() for number in range(MOST_PARSED // LARGEST_PARSED)]
    assert names.of("plain.py", b"x = 1") == {}
    for content in full:
        names.of("homework.py", b"#" + content[1:])
        names.of("homework.py", content)
    assert names.of("masking.py", MASKING.encode()) == {}


def test_notebooks_of_very_many_cells_are_refused(tmp_path: Path) -> None:
    (tmp_path / "attention.ipynb").write_text(f'{{"cells": [{"{}," * (MOST_VALUES // 2)}{{}}]}}', encoding="utf-8")
    notebook(tmp_path / "masking.ipynb", *["x = 1"] * (MOST_CELLS + 1))
    found = read(tmp_path)
    assert "very much besides code" in found.unread["attention"]
    assert f"more than {MOST_CELLS:,} cells" in found.unread["masking"]
    notebook(tmp_path / "masking.ipynb", *['"cell_type"'] * MOST_CELLS)
    assert read(tmp_path).modules == {"masking": "masking.ipynb"}


@pytest.mark.parametrize("content", [b"", b"{}", b"\x80", b"def softmax(x): pass"])
def test_a_notebook_that_is_none_is_an_error_of_its_lesson(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "attention.ipynb").write_bytes(content)
    found = read(tmp_path)
    assert found.modules == {}
    assert "attention.ipynb is not a notebook" in found.unread["attention"]


def test_a_folder_inside_a_folder_stands_for_the_outer_one(tmp_path: Path) -> None:
    write(tmp_path / "ada" / "homework" / "final", attention="x = 1")
    (tmp_path / "ada" / ".DS_Store").write_bytes(b"\0")
    (tmp_path / "ada" / "__MACOSX").mkdir()
    found = read(tmp_path / "ada")
    assert (found.student, found.modules) == ("ada", {"attention": "attention.py"})


def test_modules_beside_a_readme_are_found_and_import_each_other_flat(tmp_path: Path) -> None:
    write(tmp_path / "code", attention="import helper", helper="x = 1")
    (tmp_path / "README.md").write_text("x", encoding="utf-8")
    found = read(tmp_path)
    assert found.modules == {"attention": "attention.py"}
    assert set(found.files) == {"README.md", "attention.py", "helper.py"}


def test_what_systems_and_editors_leave_behind_is_not_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "ada", attention="x = 1")
    for name in ("__pycache__", ".git", ".ipynb_checkpoints", "__MACOSX"):
        write(folder / name, attention="poison")
    (folder / "._attention.py").write_bytes(b"\0")
    found = read(folder)
    assert set(found.files) == {"attention.py"}
    assert found.remarks == ()


def test_links_are_not_followed_and_are_said(tmp_path: Path) -> None:
    folder = write(tmp_path / "ada", attention="x = 1")
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (folder / "masking.py").symlink_to(tmp_path / "secret")
    found = read(folder)
    assert set(found.files) == {"attention.py"}
    assert found.unread == {"masking": "masking.py is a link and was left out."}
    assert "masking.py is a link and was left out." in found.remarks


def test_large_files_are_left_out_and_said(tmp_path: Path) -> None:
    folder = write(tmp_path, attention="x = 1")
    (folder / "data.bin").write_bytes(bytes(LARGEST_FILE + 1))
    (folder / "masking.py").write_bytes(b"#" * (LARGEST_FILE + 1))
    (folder / "exact.bin").write_bytes(bytes(LARGEST_FILE))
    found = read(folder)
    assert set(found.files) == {"attention.py", "exact.bin"}
    assert "data.bin is larger than 2 MB and was left out." in found.remarks
    assert found.unread == {"masking": "masking.py is larger than 2 MB and was left out."}


def test_very_many_files_are_cut_off_and_said_and_deep_ones_first(tmp_path: Path) -> None:
    write(tmp_path / "a_library", **{f"f{i:03}": "" for i in range(MOST_FILES + 1)})
    found = read(write(tmp_path, masking="x = 1"))
    assert len(found.files) == MOST_FILES
    assert found.modules == {"masking": "masking.py"}
    assert f"Only the first {MOST_FILES} files were read." in found.remarks


def test_all_files_together_have_a_limit(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number:02}.bin").write_bytes(bytes(LARGEST_FILE))
    found = read(tmp_path)
    assert sum(map(len, found.files.values())) <= 48 * 2**20
    assert any("all files together" in remark for remark in found.remarks)


@pytest.mark.parametrize(
    "source", [b"\xff\xfe\0", b"def softmax(:", b"(" * 5000, b"\0", b"# coding: nothing\n", b"# coding: zip\n"]
)
def test_what_cannot_be_parsed_defines_nothing(tmp_path: Path, source: bytes) -> None:
    (tmp_path / "other.py").write_bytes(source)
    assert read(tmp_path).modules == {}


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbf" + SOFTMAX.encode(),
        SOFTMAX.replace("\n", "\r\n").encode(),
        b"# coding: latin-1\n# \xe9\n" + SOFTMAX.encode(),
        SOFTMAX.replace("    ", "\t").encode(),
        SOFTMAX.encode("utf-16"),
        SOFTMAX.encode("utf-32"),
    ],
)
def test_text_is_read_however_python_can_be_saved(tmp_path: Path, source: bytes) -> None:
    (tmp_path / "homework.py").write_bytes(source)
    assert read(tmp_path).modules == {"attention": "homework.py"}


def test_utf_16_is_read_as_what_it_says_and_remarked(tmp_path: Path) -> None:
    (tmp_path / "attention.py").write_bytes("é = 1\n".encode("utf-16"))
    found = read(tmp_path)
    assert found.files["attention.py"].decode() == "é = 1\n"
    assert "attention.py is saved as UTF-16" in found.remarks[0]


def test_text_that_nobody_can_decode_is_an_error_with_the_place(tmp_path: Path) -> None:
    (tmp_path / "attention.py").write_bytes(b"import numpy\n\n# caf\xe9\n")
    (tmp_path / "masking.py").write_bytes(b"\xff\xfex")
    found = read(tmp_path)
    assert found.modules == {}
    assert "line 3 has a byte that is not UTF-8 (0xe9)" in found.unread["attention"]
    assert "begins like UTF-16" in found.unread["masking"]


def test_empty_files_and_empty_submissions_are_remarked(tmp_path: Path) -> None:
    assert "There are no files in it." in read(tmp_path).remarks
    assert "attention.py is empty." in read(write(tmp_path, attention="\n")).remarks


def test_the_digest_depends_on_names_and_contents_alone(tmp_path: Path) -> None:
    one = read(write(tmp_path / "a", attention="x", masking="y"))
    same = read(write(tmp_path / "b", masking="y", attention="x"))
    swapped = read(write(tmp_path / "c", attention="y", masking="x"))
    assert one.digest == same.digest != swapped.digest


def test_a_single_module_or_notebook_is_a_submission(tmp_path: Path) -> None:
    write(tmp_path, attention="x = 1")
    found = read(tmp_path / "attention.py")
    assert (found.student, found.modules) == ("attention", {"attention": "attention.py"})
    assert read(notebook(tmp_path / "hw.ipynb", MASKING)).modules == {"masking": "hw.ipynb"}


def test_what_is_no_submission_is_said_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    for path in (tmp_path / "none", tmp_path / "notes.txt"):
        with pytest.raises(SubmissionError, match="Give the folder"):
            read(path)


def test_lessons_are_read_before_other_files(tmp_path: Path) -> None:
    many = {f"a{number:03}": "x = 1" for number in range(MOST_FILES + 5)}
    found = read(write(tmp_path, **many, attention=ATTENTION, masking=MASKING))
    assert found.modules == {"attention": "attention.py", "masking": "masking.py"}
    assert f"Only the first {MOST_FILES} files were read." in found.remarks


def test_a_disk_that_cannot_be_read_is_our_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def refused(path: Path, *args: Any, **kwargs: Any) -> Any:
        if tmp_path in path.parents:
            raise PermissionError(13, "Permission denied")
        return opened(path, *args, **kwargs)

    write(tmp_path / "ada", attention=ATTENTION)
    monkeypatch.setattr(Path, "open", refused)
    found = read(tmp_path / "ada")
    assert (found.fault, found.unread) == ("ada cannot be read (Permission denied).", {})
