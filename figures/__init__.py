"""The six figures of the lessons, drawn from the reference or from any submission.

Each ``figNN_*.py`` is one figure: ``data`` calls a submission's functions and returns what they gave, ``title`` and
``alt`` say it in words, ``draw`` draws it. Nothing is drawn that the functions did not give.
"""

NAMES = (
    "fig01_attention",
    "fig02_recurrence",
    "fig03_scaling",
    "fig04_positions",
    "fig05_order",
    "fig06_cost",
)
"""The modules of the figures, in the order of the lessons."""
