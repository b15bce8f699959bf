"""Only proper replies are taken for replies, and their texts are harmless."""

from typing import Any

import pytest

from grader.sandbox import Died, Frame, LoadResult, Loss, Opaque, Raised, Returned, replies
from grader.sandbox.inside.wire import WireError

FRAME = {"file": "a.py", "line": 3, "function": "f", "text": "x"}
ERROR = {"type": "E", "bases": ["E", "Exception"], "message": "m", "frames": [FRAME]}
RAISED = Raised("E", "m", (Frame("a.py", 3, "f", "x"),), (), ("E", "Exception"))


def test_proper_replies_are_read() -> None:
    replies.nothing({})
    assert replies.load_result({"error": None, "names": ["f"], "lost": []}, {}) == LoadResult(None, frozenset({"f"}))
    assert replies.load_result({"error": ERROR, "names": [], "lost": []}, {}) == LoadResult(RAISED, frozenset())
    results = [{"value": 1, "raised": None, "changed": ["x"]}, {"value": None, "raised": ERROR, "changed": []}]
    assert replies.outcomes({"results": results}, 2) == [Returned(1, ("x",)), RAISED]
    assert replies.question({"ask": "f", "args": (1,), "kwargs": {}}) == ("f", (1,), {})
    assert replies.question({}) is None
    assert replies.finished({"next": 2}) == 2


def result(**parts: Any) -> dict[str, Any]:
    return {"results": [{"value": None, "raised": None, "changed": [], **parts}]}


BAD = [
    *(None, 1, [], {"results": []}, {"results": [1]}, {"results": [{}]}, {"results": ({},)}),
    *(result(changed=None), result(changed=[1]), result(changed=["x"] * 1000), result(raised=1), result(raised={})),
    *(result(raised={**ERROR, key: value}) for key in ERROR for value in (1, [1], None)),
    result(raised={**ERROR, "bases": ["x"] * 1000}),
    result(raised={**ERROR, "frames": [FRAME] * 1000}),
    *(result(raised={**ERROR, "frames": [{**FRAME, "line": line}]}) for line in ("1", -1, 1 << 40, 1.0, None)),
    result(raised={**ERROR, "frames": [{**FRAME, "file": 1}]}),
]


@pytest.mark.parametrize("reply", BAD)
def test_improper_outcomes_are_refused(reply: Any) -> None:
    with pytest.raises(WireError):
        replies.outcomes(reply, 1)


def test_what_cells_cost_is_read() -> None:
    died = Died("time", "Cell 2 did not end.")
    losses = [{"cell": 1, "error": ERROR, "names": ["f"]}, {"cell": 2, "error": None, "names": ["g", "h"]}]
    load = replies.load_result({"error": None, "names": [], "lost": losses}, {2: died})
    assert load.lost == {"f": Loss(1, RAISED), "g": Loss(2, died), "h": Loss(2, died)}


@pytest.mark.parametrize(
    "reply",
    [
        None,
        {},
        {"error": None},
        {"error": 1, "names": [], "lost": []},
        {"error": None, "names": [1], "lost": []},
        {"error": {}, "names": [], "lost": []},
        {"error": None, "names": [], "lost": [1]},
        {"error": None, "names": [], "lost": [{"cell": 1, "error": None, "names": []}]},
        {"error": None, "names": [], "lost": [{"cell": 1, "error": ERROR, "names": [2]}]},
        {"error": None, "names": [], "lost": [{"cell": 1, "error": ERROR, "names": []}] * 51},
    ],
)
def test_improper_loads_are_refused(reply: Any) -> None:
    with pytest.raises(WireError):
        replies.load_result(reply, {})


def test_other_improper_replies_are_refused() -> None:
    with pytest.raises(WireError):
        replies.nothing({"more": 1})
    with pytest.raises(WireError):
        replies.question({"ask": "f", "args": (Opaque("x"),), "kwargs": {}})


def test_texts_are_bounded_and_harmless() -> None:
    message = "a\tb\nc\x1b[2J\x00\u202e\ud800\x7f" + "é" * 5_000
    outcome = replies.outcomes(result(raised={**ERROR, "message": message}), 1)[0]
    assert isinstance(outcome, Raised)
    assert outcome.message.startswith("a b\nc[2Jé")
    assert len(outcome.message) <= 2_000
    outcome.message.encode("utf-8")
