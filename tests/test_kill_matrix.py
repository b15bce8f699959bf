"""The checks proved by mistakes: every mistake is caught, no check is idle, and nothing right is failed."""

import pytest

from grader.answers import QUESTIONS
from grader.checks import all_checks, checks_of
from grader.contract import reference
from grader.misconceptions import Misconception, all_misconceptions, misconceptions_of
from tests.kill_matrix import TABLE, kills, table, violations
from tests.variants import Variant, all_variants, variants_of

FUNCTIONS = tuple(dict.fromkeys(check.function for check in all_checks()))


@pytest.mark.parametrize("wrong", all_misconceptions(), ids=lambda m: f"{m.function}-{m.slug}")
def test_every_misconception_is_caught(wrong: Misconception) -> None:
    assert kills(wrong.function)[wrong.slug]


@pytest.mark.parametrize("right", all_variants(), ids=lambda v: f"{v.function}-{v.name}")
def test_every_right_variant_passes(right: Variant) -> None:
    assert {name: str(found) for name, found in violations(right.function, right.solution).items()} == {}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_reference_passes(function: str) -> None:
    assert {name: str(found) for name, found in violations(function, reference(function)).items()} == {}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_check_is_needed_or_says_why_it_is_kept(function: str) -> None:
    caught = kills(function)
    only = {next(iter(by)) for by in caught.values() if len(by) == 1}
    kept = {check.name for check in checks_of(function) if check.kept}
    assert {check.name for check in checks_of(function)} == only | kept


@pytest.mark.parametrize("function", FUNCTIONS)
def test_there_are_enough_mistakes_and_styles(function: str) -> None:
    enough = 2 if function in QUESTIONS else 8 if function == "attention" else 5  # a choice of three has two wrong ones
    assert len(misconceptions_of(function)) >= enough
    assert len(variants_of(function)) >= 5


def test_slugs_are_unique_within_a_function() -> None:
    names = [(wrong.function, wrong.slug) for wrong in all_misconceptions()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("wrong", all_misconceptions(), ids=lambda m: f"{m.function}-{m.slug}")
def test_every_misconception_speaks_to_the_student(wrong: Misconception) -> None:
    assert wrong.mistake.endswith(".")
    assert wrong.next_step.endswith((".", "?"))


def test_the_table_in_the_docs_is_current() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), "run `make matrix`"
