"""Inputs are drawn the same everywhere, exact, smallest first."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import strategies as st

from grader.checks import all_checks
from grader.drawing import coins, draw, fill, seed_of, shrink, shuffle


def test_fill_is_pinned() -> None:
    assert fill(7, 2, 3).tolist() == [[0.5, 1.5, 1.0], [-1.125, -0.875, 1.375]]


def test_fill_is_multiples_of_an_eighth_from_minus_two_to_two() -> None:
    values = fill(1, 10_000)
    assert set(values * 8) == set(range(-16, 16))


def test_coins_are_fair() -> None:
    assert abs(coins(3, 10_000).mean() - 0.5) < 0.03


@pytest.mark.parametrize("n", range(1, 8))
def test_shuffle_is_a_permutation_that_moves_something(n: int) -> None:
    for seed in range(50):
        order = shuffle(seed, n)
        assert sorted(order) == list(range(n))
        assert n == 1 or np.any(order != np.arange(n))


def test_a_seed_depends_on_every_word_and_its_place() -> None:
    assert len({seed_of("a", "b"), seed_of("b", "a"), seed_of("ab"), seed_of("a", "", "b"), seed_of("a", "b", "")}) == 5


def test_draws_are_the_same_for_the_same_seed_and_differ_for_another() -> None:
    strategy = st.integers(0, 10**9)
    assert draw(strategy, 1, 10) == draw(strategy, 1, 10)
    assert draw(strategy, 1, 10) != draw(strategy, 2, 10)


@pytest.mark.parametrize("check", all_checks(), ids=lambda c: c.name)
def test_every_check_draws_examples_smallest_first(check) -> None:
    examples = check.examples("a secret")
    sizes = [getattr(example, "size", 0) for example in examples]
    assert examples
    assert sizes == sorted(sizes)
    assert check.examples("a secret") == examples
    assert check.count < 3 or check.examples("another secret") != examples or check.function == "causal_mask"


def test_shrinking_finds_the_smallest_failure_within_its_budget() -> None:
    assert shrink(st.integers(0, 1000), 1, 50, lambda n: n >= 10, calls=1000) == 10
    tried = []
    shrink(st.integers(0, 1000), 1, 50, lambda n: bool(tried.append(n)) or n >= 10, calls=20)
    assert len(tried) == 20


DRAWS = """
import sys
from hypothesis import strategies as st
from grader.drawing import draw
for line in sys.argv[1:]:
    exec(line)
print([draw(st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 5)), seed, 40) for seed in range(6)])
"""


@pytest.mark.parametrize(
    "line", ["import grader.cli", "import grader.misconceptions.attention, grader.checks.attention"]
)
def test_draws_do_not_depend_on_the_modules_that_are_loaded(line: str) -> None:
    command = [sys.executable, "-c", DRAWS]
    alone, beside = (
        subprocess.run([*command, *lines], capture_output=True, encoding="utf-8", check=True).stdout
        for lines in ((), (line,))
    )
    assert alone == beside


def test_draws_are_pinned() -> None:
    """They change with Hypothesis's version, which every report records: look at the kill matrix when they do."""
    assert draw(st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 5)), 12345, 3) == [(0, 1), (1, 5), (525, 3)]


def test_every_example_depends_on_the_secret_the_simplest_too() -> None:
    for check in (check for check in all_checks() if hasattr(check.examples("one")[0], "seed")):
        seeds, others = ({example.seed for example in check.examples(secret)} for secret in ("one", "another"))
        assert not seeds & others, check.name
