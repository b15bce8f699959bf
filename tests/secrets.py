"""Right work under many secrets, and wrong work under some: ``python -m tests.secrets RIGHT WRONG``.

Counts false alarms (the reference and every right variant, under RIGHT course secrets) and misses (every misconception,
under WRONG secrets). Both must be 0. Too long for the test suite: about a minute for ten secrets.
"""

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path

from grader.checks import all_checks, checks_of
from grader.contract import reference
from grader.misconceptions import all_misconceptions
from tests.kill_matrix import violation
from tests.variants import all_variants


def false_alarms(secret: str) -> list[str]:
    """Right solutions that some check fails under this secret."""
    functions = dict.fromkeys(check.function for check in all_checks())
    right = [(function, "reference", reference(function)) for function in functions]
    right += [(variant.function, variant.name, variant.solution) for variant in all_variants()]
    return [
        f"{secret}: {function}, {name}: {check.name}: {found}"
        for function, name, solution in right
        for check in checks_of(function)
        if (found := violation(check, solution, secret))
    ]


def misses(secret: str) -> list[str]:
    """Misconceptions that no check catches under this secret."""
    return [
        f"{secret}: {wrong.function}, {wrong.slug} is not caught"
        for wrong in all_misconceptions()
        if not any(violation(check, wrong.solution, secret) for check in checks_of(wrong.function))
    ]


if __name__ == "__main__":
    right, wrong = map(int, sys.argv[1:])
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):  # some variants print
        found = [line for i in range(right) for line in false_alarms(f"secret {i}")]
        found += [line for i in range(wrong) for line in misses(f"secret {i}")]
    print("\n".join([*found, f"{len(found)} faults under {right} and {wrong} secrets"]))
    sys.exit(bool(found))
