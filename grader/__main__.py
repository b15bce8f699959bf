"""The command ``grader``, and ``python -m grader``.

A process of a pool loads this module again: it must not have to load the whole command.
"""

import sys

STOPPED = 130
"""The exit code of a command that Ctrl-C ended, as shells have it."""


def main() -> None:
    """Run the command."""
    try:
        from grader.cli import main as run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        sys.exit(STOPPED)


if __name__ == "__main__":
    main()
