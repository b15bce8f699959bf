"""Reads a child's replies, which may say anything: what is not a proper reply raises ``WireError``."""

from collections.abc import Iterator, Mapping
from typing import Any

from grader.sandbox.inside.failures import MAX_BASES, MAX_FRAMES, MAX_MESSAGE
from grader.sandbox.inside.notebooks import MOST_CELLS
from grader.sandbox.inside.runtime import MAX_CHANGED, MAX_LOSSES, MAX_NAMES
from grader.sandbox.inside.wire import WireError, as_numpy, holds_opaque
from grader.sandbox.terms import Died, Failure, Frame, LoadResult, Loss, Outcome, Raised, Returned

Question = tuple[str, tuple[Any, ...], dict[str, Any]]


def is_ready(reply: Any) -> bool:
    """Whether a child says that it holds the submission."""
    return type(reply) is dict and list(reply) == ["ready"] and reply["ready"] is True


def nothing(reply: Any) -> None:
    """An empty reply."""
    if type(reply) is not dict or reply:
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


def running_cell(reply: Any) -> tuple[str, int] | None:
    """The lesson and the number of a notebook's cell that is about to run. None when the reply is something else."""
    match reply:
        case {"module": str(module), "cell": int(cell)} if 1 <= cell <= MOST_CELLS:
            return module, cell
    return None


def load_result(reply: Any, skipped: Mapping[int, Died]) -> LoadResult:
    """What came of a load. ``skipped`` are the cells of the lesson's notebook that were not to run, and why."""
    match reply:
        case {"error": None, "names": list(names), "lost": list(losses)} if (
            len(names) <= MAX_NAMES and len(losses) <= MAX_LOSSES
        ):
            lost = {name: loss for names_of_one in losses for name, loss in _losses(names_of_one, skipped)}
            return LoadResult(None, frozenset(_text(name) for name in names), lost)
        case {"error": dict(error), "names": [], "lost": []}:
            return LoadResult(_raised(error, ()), frozenset())
    raise WireError("it is not what comes of a load")


def _losses(loss: Any, skipped: Mapping[int, Died]) -> Iterator[tuple[str, Loss]]:
    match loss:
        case {"cell": int(cell), "error": error, "names": list(names)} if (
            len(names) <= MAX_NAMES and 1 <= cell <= MOST_CELLS
        ):
            failure: Failure = skipped[cell] if error is None and cell in skipped else _raised(error, ())
            return ((_text(name), Loss(cell, failure)) for name in names)
    raise WireError("it is not what a cell costs")


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


def _raised(error: Any, changed: tuple[str, ...]) -> Raised:
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
