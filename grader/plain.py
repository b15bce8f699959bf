"""Text from a submission made fit for a terminal, a file and a table."""

import re

LONGEST_INT_BITS = 400
LONGEST_NAME = 60
_FOLDERS = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][^\\/\s'\"()]+)+[\\/]")


def plain(text: str) -> str:
    """The text with everything escaped that a terminal would obey or UTF-8 cannot hold; newlines stay."""
    return "".join(c if c == "\n" or c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def without_folders(text: str) -> str:
    """The text with absolute paths cut down to their last part: where the grader's files are is nobody's business."""
    return _FOLDERS.sub("", text)


def type_named(name: str) -> str:
    """The name of a class, which may be anything that a submission can make a text of."""
    name = plain(without_folders(name))
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]} …"


def integer(number: int) -> str:
    """The number in digits, unless it is so long that nobody reads it (and Python may refuse to write it)."""
    bits = number.bit_length()
    return str(number) if bits <= LONGEST_INT_BITS else f"an integer of {bits} bits"
