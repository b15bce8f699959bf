"""Where a name is defined, read and never run."""

import warnings

import pytest

from grader.places import LARGEST_PARSED, Place, places

SOURCE = b"""\
import numpy as np

def softmax(x, axis=-1, *, keep: bool = False):
    def inner(): pass

class Model:
    @staticmethod
    async def attention(q, k): pass

if __name__ == "__main__":
    mask = lambda n: n
else:
    try:
        size = 3
    except ValueError:
        size = 4
a, b = 1, 2
softmax = None
"""


def test_every_place_is_found_with_what_it_stands_under() -> None:
    assert places(SOURCE) == (
        Place("softmax", 3, (), "x, axis=-1, *, keep: bool=False"),
        Place("inner", 4, ("def softmax",), ""),
        Place("attention", 8, ("class Model",), "q, k"),
        Place("mask", 11, ("if __name__ == '__main__'",), "n"),
        Place("size", 14, ("else", "try"), None),
        Place("size", 16, ("else", "try", "except"), None),
        Place("softmax", 18, (), None),
    )


@pytest.mark.parametrize(
    "source",
    [
        b"def f(:",
        b"def f(x): pass\n\0",
        b"\xff\xfe",
        b"x = " + b"-" * 200_000 + b"1",
        b"x = 1" + b"+1" * 100_000,
        b"x = " + b"(" * 100_000,
        b"def f(): pass\n" + b"#" * LARGEST_PARSED,
    ],
)
def test_what_cannot_be_parsed_has_no_places(source: bytes) -> None:
    assert places(source) == ()


def test_an_odd_escape_warns_nobody() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert places(b'x = "\\d"') == (Place("x", 1, (), None),)
