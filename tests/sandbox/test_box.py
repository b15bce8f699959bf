"""A box is filled and emptied, whatever was done to it in between."""

import os
from pathlib import Path

import pytest

from grader.sandbox.inside import box


@pytest.fixture
def made(tmp_path: Path) -> Path:
    box.make(tmp_path / "box")
    return tmp_path / "box"


def test_files_go_where_their_paths_say(made: Path) -> None:
    box.fill(made, {"a.py": b"a", "b/c d/é.txt": b"\0"})
    assert (made / "submission" / "a.py").read_bytes() == b"a"
    assert (made / "submission" / "b" / "c d" / "é.txt").read_bytes() == b"\0"
    assert list((made / "home").iterdir()) == []


def test_a_file_that_cannot_be_is_left_out(made: Path) -> None:
    box.fill(made, {"a": b"a", "a/b": b"b", "x" * 300: b"c", "d": b"d"})
    assert sorted(path.name for path in (made / "submission").iterdir()) == ["a", "d"]


def test_a_home_is_overfull_by_number_or_by_size(made: Path) -> None:
    assert not box.is_overfull(made, 1)
    inner = made / "home" / "a" / "b"
    inner.mkdir(parents=True)
    for number in range(box.MOST_FILES - 2):
        (inner / str(number)).touch()
    assert not box.is_overfull(made, 1)
    (inner / "last").touch()
    assert box.is_overfull(made, 1)
    (inner / "last").unlink()
    (inner / "0").write_bytes(bytes(1 << 20))
    (inner / "1").write_bytes(b"x")
    assert box.is_overfull(made, 1)
    assert not box.is_overfull(made, 2)


def test_emptying_leaves_the_two_folders(made: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    box.fill(made, {"a": b"a"})
    home = made / "home"
    (home / "link").symlink_to(outside)
    (home / "dangling").symlink_to("nowhere")
    (home / "0.moved").touch()
    (home / "closed" / "inner").mkdir(parents=True)
    (home / "closed" / "0.moved").touch()
    (home / "closed").chmod(0)
    here = Path.cwd()
    try:
        os.chdir(home)
        for _ in range(1200):  # deeper than a recursion or a path can go
            Path("deep").mkdir()
            os.chdir("deep")
    finally:
        os.chdir(here)
    box.empty(made)
    assert sorted(path.name for path in made.iterdir()) == ["home", "submission"]
    assert [*home.iterdir(), *(made / "submission").iterdir()] == []
    assert [path.name for path in outside.iterdir()] == ["kept"]
    box.remove(made)
    assert not made.exists()
