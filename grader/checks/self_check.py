"""Hidden checks of the lesson ``self_check``: what is meant by an answer is right, however it is written.

The right answers are found here anew, not taken from the reference. None of them appears in what is said of a wrong
one: not in the property, not in the problem, not as what was expected.
"""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from grader import answers
from grader.callee import Callee, Violation
from grader.checks import check
from grader.oracles import attention as oracle
from grader.oracles.counters import crossover_length

NOTHING = st.none()
"""An answer is read; there is nothing to draw."""

Q = np.array([[2.0, 0.0, 1.0, 1.0], [0.0, 2.0, 1.0, -1.0]])
K = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, -1.0], [1.0, 0.0, 1.0, 1.0]])
V = np.array([[1.0, 0.0], [0.0, 2.0], [2.0, 1.0]])


def right(answer: Callee, kind: str, expected: Any) -> None:
    """The answer can be read, and is the one expected; of which a wrong one hears no more than its ``kind``."""
    value = answer()
    try:
        meant = answers.read(answer.name, value)
    except answers.Unreadable as problem:
        raise Violation(str(problem).removesuffix("."), value, kind, about_form=True) from None
    if not answers.same(meant, expected):
        raise Violation("the answer is not right", value, f"{kind}, but not this")


@check("SCORES_SHAPE", given=NOTHING, count=1)
def scores_shape_is_right(answer: Callee, case: None) -> None:
    """Look again at "Queries meet keys" in attention.py."""
    right(answer, "a shape", ("n_q", "n_k"))


@check("OUTPUT_SHAPE", given=NOTHING, count=1)
def output_shape_is_right(answer: Callee, case: None) -> None:
    """Look again at "Weights mix values" in attention.py."""
    right(answer, "a shape", ("n_q", "d_v"))


@check("HAND_SCORES", given=NOTHING, count=1)
def hand_scores_is_right(answer: Callee, case: None) -> None:
    """Look again at "Queries meet keys" in attention.py."""
    right(answer, "2 rows of 3 numbers", oracle.scaled_scores(Q, K).value)


@check("HAND_WEIGHTS", given=NOTHING, count=1)
def hand_weights_is_right(answer: Callee, case: None) -> None:
    """Look again at "Scores become weights" in attention.py."""
    right(answer, "2 rows of 3 numbers, to three decimals", oracle.attention(Q, K, V)[1].value)


@check("HAND_OUTPUT", given=NOTHING, count=1)
def hand_output_is_right(answer: Callee, case: None) -> None:
    """Look again at "Weights mix values" in attention.py."""
    right(answer, "2 rows of 2 numbers, to three decimals", oracle.attention(Q, K, V)[0].value)


@check("DOT_PRODUCT_VARIANCE", given=NOTHING, count=1)
def dot_product_variance_is_right(answer: Callee, case: None) -> None:
    """Look again at "Queries meet keys" in attention.py."""
    right(answer, "a number", np.array(64.0))


@check("SHUFFLED_TOKENS", given=NOTHING, count=1)
def shuffled_tokens_is_right(answer: Callee, case: None) -> None:
    """Look again at the beginning of positional_encoding.py."""
    right(answer, "a letter from a to e", "c")


@check("CAUSAL_MASK_HIDES", given=NOTHING, count=1)
def causal_mask_hides_is_right(answer: Callee, case: None) -> None:
    """Look again at "No peeking" in masking.py."""
    right(answer, "a letter from a to e", "b")


@check("BERT", given=NOTHING, count=1)
def bert_is_right(answer: Callee, case: None) -> None:
    """Look again at "A round for writers" in transformer.py."""
    right(answer, "a kind of block, or both", "encoder")


@check("GPT", given=NOTHING, count=1)
def gpt_is_right(answer: Callee, case: None) -> None:
    """Look again at "A round for writers" in transformer.py."""
    right(answer, "a kind of block, or both", "decoder")


@check("T5", given=NOTHING, count=1)
def t5_is_right(answer: Callee, case: None) -> None:
    """Look again at "A round for writers" in transformer.py."""
    right(answer, "a kind of block, or both", "both")


@check("CROSS_ATTENTION", given=NOTHING, count=1)
def cross_attention_is_right(answer: Callee, case: None) -> None:
    """Look again at "A round for writers" in transformer.py."""
    right(answer, "a list of names", frozenset({"t5"}))


@check("CROSSOVER_LENGTH", given=NOTHING, count=1)
def crossover_length_is_right(answer: Callee, case: None) -> None:
    """Look again at "Where attention takes over" in counters.py."""
    right(answer, "a whole number", np.array(float(crossover_length(1024))))
