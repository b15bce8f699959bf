"""Reads a child's replies, which may say anything: what is not a proper reply raises ``WireError``."""

from typing import Any

from grader.sandbox.inside.failures import MAX_BASES, MAX_FRAMES, MAX_MESSAGE
from grader.sandbox.inside.runtime import MAX_CHANGED, MAX_NAMES
from grader.sandbox.inside.wire import WireError, as_numpy, holds_opaque
from grader.sandbox.terms import Frame, LoadResult, Outcome, Raised, Returned

Question = tuple[str, tuple[Any, ...], dict[str, Any]]


def nothing(reply: Any) -> None:
    """An empty reply."""
    if reply != {}:
        raise WireError("something was sent where nothing was asked for")


def question(reply: Any) -> Question | None:
    """A call of a substituted function: its name and its arguments. None when the reply is something else."""
    match reply:
        case {"ask": str(function), "args": tuple(args), "kwargs": dict(kwargs)}:
            if holds_opaque((args, kwargs)):
                raise WireError("an argument did not cross")
            return function, as_numpy(args), as_numpy(kwargs)
    return None


def finished(reply: Any) -> int | None:
    """How many calls of several have returned. None when the reply is something else."""
    match reply:
        case {"next": int(count)}:
            return count
    return None


def load_result(reply: Any) -> LoadResult:
    """What came of a load."""
    match reply:
        case {"error": None, "names": list(names)} if len(names) <= MAX_NAMES:
            return LoadResult(None, frozenset(_text(name) for name in names))
        case {"error": dict(error), "names": []}:
            return LoadResult(_raised(error, ()), frozenset())
    raise WireError("it is not what comes of a load")


def outcomes(reply: Any, count: int) -> list[Outcome]:
    """What came of ``count`` calls."""
    match reply:
        case {"results": list(results)} if len(results) == count:
            return [_outcome(result) for result in results]
    raise WireError("it is not what comes of a call")


def _outcome(result: Any) -> Outcome:
    match result:
        case {"value": value, "raised": None, "changed": list(changed)} if len(changed) <= MAX_CHANGED:
            return Returned(value, tuple(_text(name) for name in changed))
        case {"raised": dict(error), "changed": list(changed)} if len(changed) <= MAX_CHANGED:
            return _raised(error, tuple(_text(name) for name in changed))
    raise WireError("it is not the outcome of a call")


def _raised(error: dict[str, Any], changed: tuple[str, ...]) -> Raised:
    match error:
        case {"type": name, "bases": list(bases), "message": message, "frames": list(frames)} if (
            len(bases) <= MAX_BASES and len(frames) <= MAX_FRAMES
        ):
            return Raised(
                type=_text(name),
                message=_text(message),
                frames=tuple(_frame(frame) for frame in frames),
                changed=changed,
                bases=tuple(_text(base) for base in bases),
            )
    raise WireError("it is not an exception")


def _frame(frame: Any) -> Frame:
    match frame:
        case {"file": file, "line": int(line), "function": function, "text": text} if 0 <= line < 1 << 31:
            return Frame(_text(file), line, _text(function), _text(text))
    raise WireError("it is not a frame")


def _text(text: Any) -> str:
    """The text without control characters, which could write over what the reader's terminal shows."""
    if type(text) is not str:
        raise WireError("it is not text")
    kept = (
        character for character in text[:MAX_MESSAGE].replace("\t", " ") if character.isprintable() or character == "\n"
    )
    return "".join(kept)
