"""Text from a submission made fit for a terminal, a file and a table."""

import re

_FOLDERS = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][^\\/\s'\"()]+)+[\\/]")


def plain(text: str) -> str:
    """The text with everything escaped that a terminal would obey or UTF-8 cannot hold; newlines stay."""
    return "".join(c if c == "\n" or c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def without_folders(text: str) -> str:
    """The text with absolute paths cut down to their last part: where the grader's files are is nobody's business."""
    return _FOLDERS.sub("", text)
