"""Some of the malformed replies that ``python -m tests.fuzz_wire`` sends by the thousand."""

from tests.fuzz_wire import fuzz


def test_malformed_replies_end_as_they_must() -> None:
    ways = fuzz(200, seed=1)
    assert ways.total() == 200
    assert {"protocol", "came through", "never ready"} <= set(ways), "the fuzzer reaches every part of a conversation"
