"""``python -m grader``: the command ``grader``."""

from grader.cli import main

main()
