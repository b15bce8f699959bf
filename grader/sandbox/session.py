"""A session: the grader's side of one submission, over as many processes as the submission uses up."""

import contextlib
import inspect
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np

from grader.sandbox.inside import box, runtime, wire
from grader.sandbox.inside.notebooks import NOTEBOOK
from grader.sandbox.inside.substitutes import signature_as_data
from grader.sandbox.launch import START_SECONDS, Child
from grader.sandbox.replies import Question, finished, is_ready, load_result, nothing, outcomes, question, running_cell
from grader.sandbox.stopwatch import CLOCK_FACTOR, Stopwatch
from grader.sandbox.terms import Died, Limits, LoadResult, Outcome, SandboxFault

MAX_QUESTIONS = 10_000
"""Calls of substituted functions in one call."""
KILLS_FORGIVEN = 2
"""Times that a submission's process may be killed, by whoever it was, and the call made again in a fresh one."""
MOST_SKIPPED = 20
"""Cells of notebooks that may end the process; with one more the lesson does not load."""
_NO_LIMIT = 1 << 32
_MAX_ERROR_TEXT = 500
_HIGHEST_EXIT_CODE = 255

_T = TypeVar("_T")
Call = tuple[tuple[Any, ...], Mapping[str, Any]]
Message = dict[str, Any] | bytes
Answer = Callable[[str, tuple[Any, ...], Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Request:
    """Calls of one function of a lesson, ready to be sent to any session: a class is asked the same things."""

    module: str
    function: str
    count: int
    encoded: bytes

    @classmethod
    def of(cls, module: str, function: str, calls: Sequence[Call], together: bool) -> Self:
        """Encode calls. ``together`` looks at no value before the last call has returned, and else at each at once.

        Raises ``SandboxFault`` when an argument cannot be sent.
        """
        arguments = wire.as_data([(tuple(args), dict(kwargs)) for args, kwargs in calls])
        if wire.holds_opaque(arguments):
            raise SandboxFault(f"An argument of {function} cannot be sent.")
        message = {"do": "call", "module": module, "function": function, "calls": arguments, "together": together}
        return cls(module, function, len(calls), _encoded(message))


class Session:
    """One submission in the sandbox. A context manager; ends its process when left.

    After a death the next load or call starts a fresh process and repeats the loads and substitutions made so far, in
    their order. A load that died is not repeated: it stays failed. Where it died in a cell of a notebook, only that
    cell is left out. The time limit of the submission goes on counting.

    ``answer`` is set by the user: it computes the reference's value for a substituted function.
    """

    def __init__(
        self,
        new_child: Callable[[], Child],
        limits: Limits,
        files: Mapping[str, bytes],
        modules: Mapping[str, str],
    ) -> None:
        self.answer: Answer = _no_answer
        self._new_child = new_child
        self._limits = limits
        self._files = {path: np.frombuffer(content, np.uint8) for path, content in files.items()}
        self._modules = dict(modules)
        self._used = 0.0
        self._clock = 0.0
        self._serving = 0.0
        self._kills_left = KILLS_FORGIVEN
        self._history: list[dict[str, Any]] = []
        self._loads: dict[str, LoadResult] = {}
        self._substituted: set[str] = set()
        self._running: tuple[str, int] | None = None
        self._skipped: dict[tuple[str, int], Died] = {}
        self._child: Child | None = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._child is not None:
            with contextlib.suppress(SandboxFault):  # the jail that the child was in has gone before it
                self._child.end(False)
            self._child = None

    def load(self, module: str) -> LoadResult:
        """Import a lesson's file; a second time gives the first result again."""
        if module not in self._loads:
            message = {"do": "load", "module": module}
            result = self._ask(message, self._loaded(module), "Loading the file")
            while isinstance(result, Died) and self._skip_cell(result):
                result = self._ask(message, self._loaded(module), "Loading the file")
            self._history.append(message)
            self._remember(len(self._history) - 1, result)
        return self._loads[module]

    def substitute(self, function: str, module: str, signature: inspect.Signature) -> None:
        """From now on that name, wherever the submission refers to it, is a call to ``answer``. Once is enough."""
        if function in self._substituted:
            return
        message = {
            "do": "substitute",
            "function": function,
            "module": module,
            "signature": signature_as_data(signature),
        }
        self._substituted.add(function)
        self._ask(message, nothing, "Replacing a function")
        self._history.append(message)

    def read(self, module: str, constant: str) -> Outcome:
        """The value of a constant that the lesson's file defines."""
        error = self.load(module).error
        if error is not None:
            return error
        message = {"do": "read", "module": module, "constant": constant}
        result = self._ask(message, lambda reply: outcomes(reply, 1), "Reading a constant")
        return result if isinstance(result, Died) else result[0]

    def call(
        self, module: str, function: str, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None
    ) -> Outcome:
        """Call a function of a lesson once."""
        return self.call_each(module, function, [(args, kwargs or {})])[0]

    def call_each(self, module: str, function: str, calls: Sequence[Call]) -> list[Outcome]:
        """Call a function several times in one round trip, and look at each value at once, as if called alone.

        Each call has the time limit of one. A death in any of them is the outcome of all.
        """
        return self.ask(Request.of(module, function, calls, together=False))

    def call_many(self, module: str, function: str, calls: Sequence[Call]) -> list[Outcome]:
        """As ``call_each``, but no value is looked at before the last call has returned."""
        return self.ask(Request.of(module, function, calls, together=True))

    def ask(self, request: Request) -> list[Outcome]:
        """Make the calls of a request in one round trip. A death in any of them is the outcome of all."""
        error = self.load(request.module).error
        if error is not None:
            return [error] * request.count
        result = self._ask(request.encoded, lambda reply: outcomes(reply, request.count), "The call", request.count)
        return [result] * request.count if isinstance(result, Died) else result

    def _start(self) -> Child:
        """A child that holds the submission. Raises ``SandboxFault``."""
        child = self._new_child()
        deadline = time.monotonic() + START_SECONDS
        try:
            files = {"files": self._files, "modules": self._modules}
            child.channel.send(wire.encode(files, _NO_LIMIT), deadline)
            reply = wire.read_message(lambda size: child.channel.read(size, deadline), 0)
        except (EOFError, TimeoutError, wire.WireError) as error:
            reply = {"fault": f"{type(error).__name__} {error}"}
        if not is_ready(reply):
            with contextlib.suppress(SandboxFault):
                child.end(False)
            fault = reply.get("fault") if isinstance(reply, dict) else None
            why = fault if isinstance(fault, str) else "what came was not that it is ready"
            raise SandboxFault(f"A submission could not be put into the sandbox: {why}")
        return child

    def _ask(self, message: Message, parse: Callable[[Any], _T], what: str, calls: int = 1) -> _T | Died:
        """Send a message to the child, after bringing up a new one if need be, and parse the reply."""
        while True:
            try:
                died = self._bring_up()
                return self._exchange(message, parse, what, calls) if died is None else died
            except _KilledError:
                continue

    def _bring_up(self) -> Died | None:
        """Have a child that stands where the last one stood. What is returned is why there cannot be one."""
        while self._child is None:
            if self._is_used_up():
                return self._died_of_total()
            self._child = self._start()
            for place, message in enumerate(list(self._history)):
                if message["do"] == "load":
                    result = self._exchange(message, self._loaded(message["module"]), "Loading the file")
                    if isinstance(result, Died):
                        if not self._skip_cell(result):
                            self._remember(place, result)
                        break
                elif died := self._exchange(message, nothing, "Preparing the submission"):
                    return died
        return None

    def _loaded(self, module: str) -> Callable[[Any], LoadResult]:
        """How the reply to a load of that lesson is read."""
        file = self._modules.get(module)
        skipped = {cell: died for (other, cell), died in self._skipped.items() if self._modules[other] == file}
        return lambda reply: load_result(reply, skipped)

    def _begin(self, cell: tuple[str, int], begun: set[tuple[str, int]]) -> str:
        """Note that a notebook's cell runs from now on, and name it. Raises ``WireError`` when it was not to run, or
        has before.
        """
        is_notebook = self._modules.get(cell[0], "").lower().endswith(NOTEBOOK)
        if not is_notebook or cell in self._skipped or cell in begun:
            raise wire.WireError("a cell that is not to run")
        begun.add(cell)
        self._running = cell
        return f"Cell {cell[1]}"

    def _skip_cell(self, died: Died) -> bool:
        """Leave out the cell that was running when the process died. False when there was none, or there are too many.

        A submission that lies about its cells only renames its own failure.
        """
        cell, self._running = self._running, None
        if cell is None or cell in self._skipped or len(self._skipped) >= MOST_SKIPPED:
            return False
        self._skipped[cell] = died
        self._history.insert(0, {"do": "skip", "module": cell[0], "cell": cell[1]})
        return True

    def _remember(self, place: int, result: LoadResult | Died) -> None:
        """Keep the result of the load at this place of the history; one that died is never tried again."""
        module = self._history[place]["module"]
        if isinstance(result, Died):
            self._history[place] = {"do": "bar", "module": module, "reason": result.detail}
            result = LoadResult(result, frozenset())
        self._loads[module] = result

    def _exchange(self, message: Message, parse: Callable[[Any], _T], what: str, calls: int = 1) -> _T | Died:
        """Send a message to the child there is, answer its questions, and parse its reply. ``Died`` ends the child."""
        child = self._child
        assert child is not None
        watch = self._stopwatch(child)
        self._running = None
        questions, returned = 0, 0
        begun: set[tuple[str, int]] = set()

        def send(data: bytes) -> None:
            child.channel.post(data)
            watch.wait(child.channel.flush)

        def read(size: int) -> bytes:
            return watch.wait(lambda deadline: child.channel.read(size, deadline))

        try:
            send(message if isinstance(message, bytes) else _encoded(message))
            while True:
                since = time.process_time()
                reply = wire.read_message(read, self._limits.output_mb << 20)
                if asked := question(reply):
                    questions += 1
                    send(self._answer_to(asked, questions))
                elif cell := running_cell(reply):
                    what = self._begin(cell, begun)
                    self._charge(watch)
                    watch = self._stopwatch(child)
                elif (count := finished(reply)) is not None:
                    if not returned < count < calls:
                        raise wire.WireError("more calls have returned than were made")
                    returned = count
                    self._charge(watch)
                    watch = self._stopwatch(child)
                else:
                    result = parse(reply)
                    watch.serve(time.process_time() - since)
                    return result
                # Who has more to say all the time is never waited for, so nothing else looks at the limits.
                watch.serve(time.process_time() - since)
                if self._is_used_up(watch):
                    raise TimeoutError
        except wire.WireError:
            self._end(hung_up=False)
            return self._died_of_protocol(what)
        except TimeoutError:
            self._end(hung_up=False)
            return self._died_of_total() if self._is_used_up(watch) else self._died_of_time(what)
        except EOFError:
            return self._hung_up(what)
        except BaseException:
            self._end(hung_up=False)
            raise
        finally:
            self._charge(watch)

    def _answer_to(self, asked: Question, questions: int) -> bytes:
        """Raises ``WireError`` when nobody may ask this."""
        if asked[0] not in self._substituted or questions > MAX_QUESTIONS:
            raise wire.WireError("a question that may not be asked")
        try:
            return wire.encode(self._answered(*asked), _NO_LIMIT)
        except wire.WireError as error:  # it is what the submission asked for, so it is its exception
            return _encoded({"value": None, "raised": ["ValueError", str(error)]})

    def _answered(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = self.answer(function, args, kwargs)
            value = wire.as_data(answer)
        except SandboxFault:
            raise
        except Exception as error:
            known = next(base.__name__ for base in type(error).__mro__ if base.__module__ == "builtins")
            return {"value": None, "raised": [known, str(error)[:_MAX_ERROR_TEXT]]}
        if wire.holds_opaque(value):
            if not isinstance(answer, np.ndarray | int | tuple):
                raise SandboxFault(f"The value of {function} cannot be sent.")
            return {"value": None, "raised": ["ValueError", f"the value of {function} is too large to be sent"]}
        return {"value": value, "raised": None}

    def _hung_up(self, what: str) -> Died:
        """Why the child hung up. Raises ``_KilledError`` when it was killed, which can happen to right work, too."""
        code = self._end(hung_up=True)
        if -code == getattr(signal, "SIGKILL", None) and self._kills_left:
            self._kills_left -= 1
            raise _KilledError
        return self._died_of_code(code, what)

    def _end(self, hung_up: bool) -> int:
        child, self._child = self._child, None
        assert child is not None
        return child.end(hung_up)

    def _stopwatch(self, child: Child) -> Stopwatch:
        call, submission = self._limits.seconds_per_call, self._limits.seconds_per_submission
        return Stopwatch(
            min(call, submission - self._used),
            min(CLOCK_FACTOR * call, CLOCK_FACTOR * submission - self._clock),
            child.processor,
        )

    def _charge(self, watch: Stopwatch) -> None:
        self._used += watch.used
        self._clock += watch.clock
        self._serving += watch.serving

    def _is_used_up(self, watch: Stopwatch | None = None) -> bool:
        """Whether the submission's time is used up, with what a running watch has not been charged for."""
        limit = self._limits.seconds_per_submission
        used, clock, serving = (watch.used, watch.clock, watch.serving) if watch else (0, 0, 0)
        return (
            self._used + used >= limit
            or self._clock + clock >= CLOCK_FACTOR * limit
            or self._serving + serving >= limit
        )

    def _died_of_time(self, what: str) -> Died:
        return Died("time", f"{what} did not end within {_seconds(self._limits.seconds_per_call)}.")

    def _died_of_total(self) -> Died:
        total = _seconds(self._limits.seconds_per_submission)
        return Died("time", f"The submission used up the {total} that all its calls together may take.")

    def _died_of_protocol(self, what: str) -> Died:
        return Died("protocol", f"{what} sent the grader something that is not a result.")

    def _died_of_code(self, code: int, what: str) -> Died:
        limits = self._limits
        if code == runtime.ASKED_TO_END:
            return Died("exit", f"{what} asked Python to end (exit, quit or sys.exit): remove that.")
        if code == runtime.OUT_OF_MEMORY:
            return Died("memory", f"{what} asked for more than {limits.memory_mb} MB of memory.")
        if code == runtime.TOO_MUCH_OUTPUT:
            return Died("memory", f"{what} gave a result of more than {limits.output_mb} MB.")
        if code == runtime.TOO_MANY_FILES:
            most_mb = box.LARGEST_FILES * limits.output_mb
            return Died("files", f"{what} left more than {box.MOST_FILES} files, or more than {most_mb} MB in them.")
        if code == runtime.FORGED:
            return self._died_of_protocol(what)
        if -code == getattr(signal, "SIGXCPU", None):
            return self._died_of_total()
        if code < 0 or code > _HIGHEST_EXIT_CODE:
            name = signal.Signals(-code).name if code < 0 else hex(code)
            return Died("signal", f"{what} crashed the process ({name}).")
        return Died("exit", f"{what} ended the process (exit code {code}).")


class _KilledError(Exception):
    """The process was killed by somebody else; it tells nothing of the work, so the call is made again."""


def _encoded(message: dict[str, Any]) -> bytes:
    try:
        return wire.encode(message, _NO_LIMIT)
    except wire.WireError as error:
        raise SandboxFault(f"A message cannot be sent: {error}") from None


def _seconds(number: float) -> str:
    return f"{number:g} second{'' if number == 1 else 's'}"


def _no_answer(function: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    raise SandboxFault(f"Nobody answers for {function}.")
