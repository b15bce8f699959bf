"""The page's numbers against Python's, and the hand-written model itself."""

import json
import random
from typing import Any

import numpy as np
import pytest

from grader.contract import reference
from grader.kit import PLAYGROUND
from grader.playground import load, page
from tests.playground.conftest import Tab

program = load()
MODEL = json.loads((PLAYGROUND / "model.json").read_text(encoding="utf-8"))
NAMES = [feature["name"] for feature in MODEL["features"]]
STRANGE = ["wuggle", "“It,”", "Didn’t", "STREET!", "...", "ÉTÉ", "İt", "__proto__", "😀", "dog-", "'the'"]


class Reference:
    """The reference's functions, called here."""

    name = "reference"

    def version(self) -> str:
        return ""

    def values(self, function: str, calls: list[tuple[Any, ...]]) -> list[Any]:
        return [reference(function)(*call) for call in calls]


def random_request(draw: random.Random) -> dict[str, Any]:
    words = draw.choices([*MODEL["words"], *STRANGE], k=draw.choice([1, 2, 7, 20, 60]))
    return {
        "words": words,
        "mask": draw.choice(["none", "causal", "padding"]),
        "scaling": draw.random() < 0.5,
        "positions": draw.random() < 0.5,
        "heads": draw.randint(1, 4),
        "looks": draw.choice([1, 1, 1, 2]),
        "first": draw.random() < 0.7,
    }


def test_the_page_computes_what_python_computes(static: Tab) -> None:
    playground = program.Playground(page(), Reference())
    draw = random.Random(20)
    requests = [random_request(draw) for _ in range(200)]
    static.open()
    answers = static.page.evaluate("requests => requests.map(pictureOf)", requests)
    for request, here in zip(requests, answers, strict=True):
        there = playground.answer(program.asked(request, playground.model.limits))
        assert there["odd"] == there["notes"] == []
        assert len(here["heads"]) == len(there["heads"])
        for mine, its in zip(here["heads"], there["heads"], strict=True):
            for name in ("weights", "output", "queries", "keys"):
                np.testing.assert_allclose(mine[name], its[name], rtol=0, atol=1e-12, err_msg=f"{name} of {request}")


def test_positions_of_the_kit_are_those_of_the_reference(static: Tab) -> None:
    expected = reference("sinusoidal_pe")(63, 8)
    static.open()
    np.testing.assert_allclose(static.page.evaluate("wordPlaces(63)"), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(program.Model(page()).places(63), expected, rtol=0, atol=1e-12)


def test_every_word_has_known_features_and_a_reason() -> None:
    for word, entry in MODEL["words"].items():
        assert program.plain(word) == word
        assert set(entry["features"]) <= set(NAMES)
        assert entry["why"].endswith(".")


def test_every_question_is_about_features_that_there_are() -> None:
    for head in (*MODEL["heads"], *MODEL["looks"]):
        assert set(head["ask"]) <= set(NAMES)
        assert {other for wanted in head["ask"].values() for other in wanted} <= set(NAMES)
        assert len(head["hands"]) == 4
    assert len(MODEL["heads"]) == MODEL["limits"]["heads"]


def test_the_lessons_seven_words_have_the_lessons_weight() -> None:
    words = ["animal", "didn't", "cross", "street", "because", "it", "tired"]
    request = {
        "words": words, "mask": "none", "scaling": True, "positions": False, "heads": 1, "looks": 1, "first": True
    }  # fmt: skip
    playground = program.Playground(page(), Reference())
    [head] = playground.answer(program.asked(request, MODEL["limits"]))["heads"]
    assert head["weights"][5][0] == pytest.approx(0.977, abs=5e-4)


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (np.array([[0.5, 0.5], [0.5, 0.6]]), "The weights of word 2, “b” add up to 1.1, not to 1."),
        (np.array([[0.9, 0.4], [0.1, 0.6]]), "The columns add up to 1, not the rows"),
        (np.array([[1.5, -0.5], [0.5, 0.5]]), "The weight of word 2, “b” for word 1, “a” is -0.5: below 0."),
        (np.array([[0.5, 0.5], [np.nan, 1.0]]), "There are numbers in the row of word 2, “b” that are infinite or"),
    ],
)
def test_what_cannot_be_right_is_said(weights: Any, sentence: str) -> None:
    values = np.eye(2)
    [said] = program.oddities(weights, weights @ values, values, None, ["a", "b"])
    assert said.startswith(sentence)


def test_a_hidden_key_and_another_output_are_noticed() -> None:
    weights, visible = np.array([[1e-9, 1 - 1e-9], [0.5, 0.5]]), np.array([[False, True], [True, True]])
    hidden, other = program.oddities(weights, np.zeros((2, 2)), np.eye(2), visible, ["a", "b"])
    assert hidden == "The mask hides word 1, “a” from word 1, “a”, and it gets weight 1e-09."
    assert other == "The output is not the average of the values under these weights."
    right = np.array([[0.0, 1.0], [0.5, 0.5]])
    assert program.oddities(right, right, np.eye(2), visible, ["a", "b"]) == []
