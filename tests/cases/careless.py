"""Submissions that mean well and go wrong: each is graded for what it is worth, with a plain message."""

from tests.cases import Case, lesson

CARELESS: dict[str, tuple[Case, ...]] = {
    "What a file does when it is loaded": (
        Case("prints at import", {"attention.py": 'print("hello" * 1000)\n' + lesson("attention")}),
    ),
}
"""The cases by the heading under which the docs list them."""
