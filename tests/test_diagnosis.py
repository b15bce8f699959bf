"""A mistake is named when, and only when, it is that one."""

import pytest

from grader.bounds import Array
from grader.contract import reference
from grader.diagnosis import diagnose
from grader.inprocess import invoke
from grader.misconceptions import Misconception, all_misconceptions
from tests.variants import Variant, all_variants


@pytest.mark.parametrize("wrong", all_misconceptions(), ids=lambda m: f"{m.function}-{m.slug}")
def test_each_misconception_is_named(wrong: Misconception) -> None:
    found = diagnose(wrong.function, invoke(wrong.solution))
    assert found is not None
    assert found.name == wrong.name


@pytest.mark.parametrize("right", all_variants(), ids=lambda v: f"{v.function}-{v.name}")
def test_right_work_has_no_mistake(right: Variant) -> None:
    assert diagnose(right.function, invoke(right.solution)) is None


def test_an_unknown_mistake_has_no_name() -> None:
    softmax = reference("softmax")
    assert diagnose("softmax", invoke(lambda x, axis=-1: softmax(x, axis) * 1.25)) is None


@pytest.mark.parametrize("other", [TypeError, RuntimeError, Exception])
def test_another_exception_than_the_one_in_the_name_has_no_name(other: type[Exception]) -> None:
    def split_heads(x: Array, n_heads: int) -> Array:
        if x.shape[-1] % n_heads:
            raise other("the heads do not divide the features")
        return reference("split_heads")(x, n_heads)

    assert diagnose("split_heads", invoke(split_heads)) is None
