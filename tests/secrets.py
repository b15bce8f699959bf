"""Right work under many secrets, and wrong work under some: ``python -m tests.secrets RIGHT WRONG [FUNCTION ...]``.

Counts false alarms (the reference and every right variant, under RIGHT course secrets) and misses (every misconception,
under WRONG secrets), of all functions or of those named, in a process for each core. Both must be 0.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from unittest.mock import patch

from grader.checks import all_checks
from grader.contract import reference
from grader.misconceptions import misconceptions_of
from tests.kill_matrix import found_by, violations
from tests.variants import variants_of


def false_alarms(function: str, secret: str) -> list[str]:
    """Right solutions that some check fails under this secret."""
    right = {"reference": reference(function), **{variant.name: variant.solution for variant in variants_of(function)}}
    return [
        f"{secret}: {function}, {name}: {check}: {found}"
        for name, solution in right.items()
        for check, found in violations(function, solution, secret).items()
    ]


def misses(function: str, secret: str) -> list[str]:
    """Misconceptions that no check catches under this secret."""
    return [
        f"{secret}: {function}, {wrong.slug} is not caught"
        for wrong in misconceptions_of(function)
        if not any(found_by(function, wrong.solution, secret))
    ]


def faults(number: int, right: int, wrong: int, functions: tuple[str, ...]) -> list[str]:
    """False alarms and misses under the secret of this number, if it is among the first RIGHT and WRONG ones."""
    secret = f"secret {number}"
    with patch("builtins.print"):  # some variants print, and writing arrays out takes longer than making them
        found = [line for function in functions if number < right for line in false_alarms(function, secret)]
        found += [line for function in functions if number < wrong for line in misses(function, secret)]
    return found


if __name__ == "__main__":
    right, wrong = map(int, sys.argv[1:3])
    functions = tuple(sys.argv[3:]) or tuple(dict.fromkeys(check.function for check in all_checks()))
    total = 0
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        numbers = range(max(right, wrong))
        for number, found in enumerate(pool.map(faults, numbers, repeat(right), repeat(wrong), repeat(functions)), 1):
            total += len(found)
            print("".join(f"{line}\n" for line in found), end="")
            if number % 50 == 0:
                print(f"{total} faults under the first {number} secrets", flush=True)
    print(f"{total} faults under {right} and {wrong} secrets, {len(functions)} functions")
    sys.exit(bool(total))
