"""How answers are read: the same on both sides, whatever their form, and without giving the right one away."""

import ast
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from grader import answers
from grader.callee import Callee, Violation
from grader.checks import checks_of
from grader.contract import lesson_functions, reference
from grader.inprocess import callee
from grader.kit import SOLUTIONS
from grader.misconceptions import Misconception, misconceptions_of
from grader.oracles import value_key
from grader.sandbox import Opaque, Scalar, as_data
from tests.variants import Variant, variants_of

QUESTIONS = [function.name for function in lesson_functions("self_check")]
WRONG = [wrong for question in QUESTIONS for wrong in misconceptions_of(question)]
RIGHT = [right for question in QUESTIONS for right in variants_of(question)]
NO_ANSWER: list[Any] = [
    True, "", "?", "yes", float("nan"), [], [[]], {}, {"a": 1}, b"c", Opaque("set"), [Opaque("set")], np.zeros((9, 9)),
    [[None, 1.0], [2.0, 3.0]], [[1.0], [2.0, 3.0]], 10**400, "9" * 5000, Scalar("bool", True),
]  # fmt: skip

# A right answer in a form that does not cross to the grader, or that means something else; numbers stand for a count.
NOT_IN_THIS_FORM: list[tuple[str, Any]] = [
    *(("DOT_PRODUCT_VARIANCE", kind(64)) for kind in (Fraction, Decimal, complex, np.longdouble, np.complex128)),
    ("DOT_PRODUCT_VARIANCE", {64}),
    ("DOT_PRODUCT_VARIANCE", range(64, 65)),
    ("DOT_PRODUCT_VARIANCE", np.array([64], dtype=object)),
    ("HAND_SCORES", np.array([[1, 0, 2], [0, 2, 0]]).view(np.matrix)),
    ("HAND_SCORES", np.ma.array([[1, 0, 2], [0, 2, 0]])),
    ("HAND_SCORES", [[True, False, 2], [0, 2, 0]]),
    ("HAND_SCORES", [range(1, 2), [0, 2, 0]]),
    *(("BERT", text) for text in ("!encoder", "not encoder", "≠ encoder", {"encoder"}, "no decoder, encoder", "")),
    *(("T5", value) for value in ({"encoder", "decoder"}, "encoder or decoder", ["encoder", 2])),
    *(("CROSS_ATTENTION", value) for value in ("T5 and none", ["T5", "none"], {"T5"}, "not T5", ",", [""])),
    *(("SCORES_SHAPE", text) for text in ("xn_q,n_k", "n_q,...,n_k", "n_q + n_k", ("n_q", 3), {"n_q": "n_k"})),
    *(("SHUFFLED_TOKENS", text) for text in ("c or d", "not c", ["c"], "abc")),
]
IN_ANOTHER_FORM: list[tuple[str, Any]] = [
    *(("BERT", text) for text in ("encoders", "encoder layers", "encoders only", "encoder-only model", ["encoder"])),
    *(
        ("T5", value)
        for value in (
            ["encoder", "decoder"],
            "both of them",
            "encoders + decoders",
            "encoder–decoder",
            ("decoder", "encoder"),
        )
    ),
    *(("CROSS_ATTENTION", text) for text in ("T5 only", "T5.", '"T5"', "only T5")),
    *(("CROSSOVER_LENGTH", value) for value in ("6,144", "6,144.0", [6144], " 6144 ")),
    ("HAND_WEIGHTS", [[f"{n:.3f}".replace(".", ",") for n in row] for row in reference("HAND_WEIGHTS")()]),
    *(("SHUFFLED_TOKENS", text) for text in ("'c'", "c,", '("c")')),
    *(
        ("SCORES_SHAPE", text)
        for text in ("(n_q · n_k)", "n_q by n_k", "$(n_q, n_k)$", r"n_q \times n_k", "('n_q', 'n_k')")
    ),
]

KINDS = {
    "a shape", "a number", "a whole number", "a list of names", "a letter from a to e", "a kind of block, or both",
    "2 rows of 3 numbers", "2 rows of 3 numbers, to three decimals", "2 rows of 2 numbers, to three decimals",
}  # fmt: skip


def kept() -> dict[str, list[str]]:
    """The digests in the students' tests, by question."""
    tree = ast.parse((SOLUTIONS / "test_self_check.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {call.args[0].id: [a.value for a in call.args[2:]] for call in calls}  # type: ignore[attr-defined]


def public(question: str, value: Any) -> bool:
    """Whether the students' own test accepts an answer."""
    try:
        return bool(answers._reading.fits(question, answers.read(question, value), kept()[question]))
    except answers.Unreadable:
        return False


def hidden(subject: Callee) -> Violation | None:
    """What the hidden check finds wrong with an answer."""
    [check] = checks_of(subject.name)
    try:
        check.holds(subject, None)
    except Violation as violation:
        return violation
    return None


def test_every_question_can_be_read() -> None:
    assert list(answers.QUESTIONS) == QUESTIONS
    assert list(kept()) == QUESTIONS


@pytest.mark.parametrize("right", RIGHT, ids=lambda v: f"{v.function}-{v.name}")
def test_a_right_answer_is_right_on_both_sides_however_it_is_written(right: Variant) -> None:
    value = as_data(right.solution())
    assert hidden(callee(right.function, right.solution)) is None
    assert public(right.function, value)
    assert answers.alike(right.function, value, as_data(reference(right.function)()))


@pytest.mark.parametrize("wrong", WRONG, ids=lambda m: f"{m.function}-{m.slug}")
def test_a_wrong_answer_is_wrong_on_both_sides_and_hears_nothing_of_the_right_one(wrong: Misconception) -> None:
    violation = hidden(callee(wrong.function, wrong.solution))
    assert violation is not None
    assert violation.expected in KINDS or violation.expected.removesuffix(", but not this") in KINDS
    assert violation.about_form or violation.problem == "the answer is not right"
    assert not public(wrong.function, as_data(wrong.solution()))


@pytest.mark.parametrize("question", QUESTIONS)
def test_wrong_answers_to_a_question_are_not_alike(question: str) -> None:
    values = [as_data(wrong.solution()) for wrong in misconceptions_of(question)]
    for i, value in enumerate(values):
        assert [answers.alike(question, value, other) for other in values] == [i == j for j in range(len(values))]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("value", NO_ANSWER, ids=lambda v: repr(v)[:20])
def test_what_is_no_answer_is_told_the_form_that_is_wanted(question: str, value: Any) -> None:
    violation = hidden(Callee(question, lambda calls: callee(question, lambda: value).invoke(calls)))
    assert violation is not None
    assert not public(question, value)
    if question != "CROSS_ATTENTION" or value_key(value) != value_key([]):  # which means: none of them
        assert violation.about_form
        assert violation.problem.startswith("The answer must be ")


@pytest.mark.parametrize(("question", "value"), NOT_IN_THIS_FORM, ids=map(str, range(len(NOT_IN_THIS_FORM))))
def test_what_one_side_cannot_read_the_other_does_not_either(question: str, value: Any) -> None:
    violation = hidden(callee(question, lambda: value))
    assert violation is not None
    assert violation.about_form
    with pytest.raises(answers._reading.Unreadable):
        answers._reading.QUESTIONS[question](value)  # as in the students' tests, where nothing crosses


@pytest.mark.parametrize(("question", "value"), IN_ANOTHER_FORM, ids=lambda v: repr(v)[:20])
def test_what_is_meant_counts_on_both_sides(question: str, value: Any) -> None:
    assert hidden(callee(question, lambda: value)) is None
    assert answers._reading.fits(question, answers._reading.QUESTIONS[question](value), kept()[question])


def test_numbers_may_differ_in_their_last_decimal() -> None:
    weights = np.array(reference("HAND_WEIGHTS")())
    for change, right in ((0.001, True), (0.0014, True), (0.0016, False), (-0.001, True), (-0.002, False)):
        moved = weights.copy()
        moved[1, 2] += change
        assert answers.alike("HAND_WEIGHTS", moved.tolist(), weights) is right
        assert public("HAND_WEIGHTS", moved.tolist()) is right


def test_what_cannot_be_read_is_like_nothing_but_itself() -> None:
    assert answers.alike("BERT", 3, 3)
    assert not answers.alike("BERT", 3, 3.0)
    assert not answers.alike("BERT", 3, "encoder")
    assert not answers.alike("BERT", Opaque("set"), Opaque("frozenset"))
