"""Submissions that try to gain a point, to read what they may not, to hang the run or to hurt others."""

from tests.cases import Case, all_of, lesson

HOSTILE: dict[str, tuple[Case, ...]] = {
    "Ending the process": (
        Case(
            "os._exit(0) at import",
            {"attention.py": "import os\nos._exit(0)\n"},
            all_of("error", "softmax", "scaled_scores", "attention"),
            r"attention\.py does not load: Loading the file ended the process \(exit code 0\)\.",
        ),
        Case(
            "os._exit(0) in a call",
            {
                "attention.py": lesson(
                    "attention",
                    """
                    def softmax(x, axis=-1):
                        import os
                        os._exit(0)
                    """,
                )
            },
            {"softmax": "error"},
            r"softmax never came back: The call ended the process \(exit code 0\)\.",
        ),
    ),
}
"""The cases by the heading under which the docs list them."""
