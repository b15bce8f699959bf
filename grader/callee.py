"""The function under test as a check sees it, and the few ways in which it can fall short."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.plain import type_named
from grader.sandbox import Died, Outcome, Raised

Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]
Invoke = Callable[[Sequence[Arguments]], list[Outcome]]
"""Calls the function once for each set of arguments and hands back the outcomes, in order."""


class Violation(Exception):
    """The submission's answer breaks the property: what is wrong, with what it gave and what was expected.

    ``about_form`` marks a problem of shape, type or altered arguments: it says nothing of the numbers drawn, so every
    student may read it.
    """

    def __init__(
        self,
        problem: str,
        got: Any = None,
        expected: Any = None,
        *,
        raised: Raised | None = None,
        about_form: bool = False,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.got = got
        self.expected = expected
        self.raised = raised
        self.about_form = about_form


class Unfinished(Exception):
    """The function raised ``NotImplementedError``: it says itself that it is not done yet."""


class Ended(Exception):
    """The call never came back: out of time or memory, or the process is gone."""

    def __init__(self, died: Died) -> None:
        super().__init__(died.detail)
        self.died = died


@dataclass
class Callee:
    """A function of the submission. Calling it gives the value that came back, as data.

    ``calls`` are the arguments of the calls made so far for the example in hand; ``changed`` names the arguments that
    the last call altered.
    """

    name: str
    invoke: Invoke
    calls: list[Arguments] = field(default_factory=list)
    changed: tuple[str, ...] = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call once. Raises ``Violation`` on an exception, ``Unfinished`` and ``Ended`` as they say."""
        return self.each([(args, kwargs)])[0]

    def each(self, calls: Sequence[Arguments]) -> list[Any]:
        """Call several times in one go; what the first call returned is looked at only after the last has returned."""
        outcomes = self.invoke(calls)
        values = []
        for arguments, outcome in zip(calls, outcomes, strict=False):
            self.calls.append(arguments)
            values.append(self._value(outcome))
        return values

    def _value(self, outcome: Outcome) -> Any:
        if isinstance(outcome, Died):
            raise Ended(outcome)
        if isinstance(outcome, Raised):
            if "NotImplementedError" in (outcome.type, *outcome.bases):
                raise Unfinished
            raise Violation(f"it raised {type_named(outcome.type)}", raised=outcome)
        self.changed = outcome.changed
        return outcome.value
