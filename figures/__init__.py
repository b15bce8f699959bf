"""The six figures of the lessons, drawn from the reference or from any submission.

Each ``figNN_*.py`` is one figure: ``data`` calls a submission's functions and returns what they gave, ``title`` and
``alt`` say it in words, ``draw`` draws it. Nothing is drawn that the functions did not give.
"""

NAMES = {
    "fig01_attention": "Who reads whom",
    "fig02_recurrence": "The gradient, step by step back",
    "fig03_scaling": "Weights with and without scaling",
    "fig04_positions": "The positional encoding",
    "fig05_order": "Whether the order of words matters",
    "fig06_cost": "What an encoder block costs",
}
"""The modules of the figures and what each shows, in the order of the lessons."""
