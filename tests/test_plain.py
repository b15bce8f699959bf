"""Text from a submission, fit for a terminal and a file."""

from grader.plain import integer, plain, without_folders


def test_what_a_terminal_obeys_is_escaped_and_letters_stay() -> None:
    assert plain("é 漢\n[bold]") == "é 漢\n[bold]"
    assert plain("\x1b[2J\x07\ud800\r") == r"\x1b[2J\x07\ud800\r"
    plain("\udce9").encode("utf-8")


def test_absolute_paths_lose_their_folders() -> None:
    assert without_folders("cannot import 'a' (/usr/lib/python3/code.py)") == "cannot import 'a' (code.py)"
    assert without_folders(r"no C:\Users\me\x.py here") == "no x.py here"
    assert without_folders("shapes (2,3) and 3/4 a/b") == "shapes (2,3) and 3/4 a/b"


def test_a_long_integer_is_told_by_its_size() -> None:
    assert integer(-(10**9)) == "-1000000000"
    assert integer(10**5000) == "an integer of 16610 bits"
