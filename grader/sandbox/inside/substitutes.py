"""Puts a call to the grader's reference in the place of a student's function, wherever the student refers to it."""

import inspect
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from . import wire
from .lessons import Lessons

Ask = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]

_KINDS = list(type(inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY).kind))


def signature_as_data(signature: inspect.Signature) -> list[Any]:
    """A signature as a value that crosses: name, kind, whether there is a default, and the default."""
    return [
        [p.name, int(p.kind), p.default is not p.empty, None if p.default is p.empty else p.default]
        for p in signature.parameters.values()
    ]


def signature_from_data(data: list[Any]) -> inspect.Signature:
    """The signature again."""
    return inspect.Signature(
        [
            inspect.Parameter(name, _KINDS[kind], default=default if has_default else inspect.Parameter.empty)
            for name, kind, has_default, default in data
        ]
    )


class Substitutes:
    """The stand-ins of one process. ``ask`` sends a function's name and arguments and returns the reference's value."""

    def __init__(self, lessons: Lessons, ask: Ask) -> None:
        self._lessons = lessons
        self._ask = ask
        self._signatures: dict[str, dict[str, inspect.Signature]] = {}

    def put(self, function: str, module: str, signature: inspect.Signature) -> None:
        """From now on ``module.function`` is a call to the grader, also where it was imported earlier."""
        self._signatures.setdefault(module, {})[function] = signature
        loaded = self._lessons.loaded.get(module)
        if loaded is None:
            self._stand_in_for_module(module)
        else:
            self._replace(loaded, function, signature)

    def before_load(self, module: str) -> None:
        """Take away the stand-in of a module whose own file is about to be loaded."""
        if module not in self._lessons.loaded and module in self._signatures:
            sys.modules.pop(module, None)

    def after_load(self, module: str) -> None:
        """Put the stand-ins into a module that has just loaded, or into its place if it failed to."""
        for function, signature in self._signatures.get(module, {}).items():
            self.put(function, module, signature)

    def _stand_in_for_module(self, module: str) -> None:
        stand_in = ModuleType(module)
        for function, signature in self._signatures[module].items():
            vars(stand_in)[function] = self._proxy(function, signature, None)
        sys.modules[module] = stand_in

    def _replace(self, module: ModuleType, function: str, signature: inspect.Signature) -> None:
        original = vars(module).get(function)
        if original is None or not callable(original):
            vars(module)[function] = self._proxy(function, signature, None)
        elif self._is_own_plain_function(original):
            proxy = self._proxy(function, signature, _copy(original))
            _become(original, proxy)
        else:
            proxy = self._proxy(function, signature, original)
            for other in (module, *self._lessons.of_submission()):
                for name, value in list(vars(other).items()):
                    if value is original:
                        vars(other)[name] = proxy

    def _is_own_plain_function(self, function: object) -> bool:
        """Whether the function's code can be swapped in place, so that every reference to it follows.

        Only a function of the submission's own: another library's may be in use elsewhere.
        """
        if type(function) is not FunctionType or function.__code__.co_freevars:
            return False
        return any(function.__globals__ is vars(module) for module in self._lessons.of_submission())

    def _proxy(self, function: str, signature: inspect.Signature, original: Any) -> Callable[..., Any]:
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                if original is None:
                    raise
                return original(*args, **kwargs)
            positional, named = wire.as_data(bound.args), wire.as_data(bound.kwargs)
            if wire.holds_opaque((positional, named)):
                if original is None:
                    raise TypeError(f"{function}() got an argument that is neither a number nor an array")
                return original(*args, **kwargs)
            return self._ask(function, positional, named)

        stand_in.__name__ = stand_in.__qualname__ = function
        return stand_in


def _copy(function: FunctionType) -> FunctionType:
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _become(function: FunctionType, proxy: Callable[..., Any]) -> None:
    """Swap the function's code for a call of the proxy, which it then carries as a default argument."""

    def call(*args: Any, __proxy__: Any, **kwargs: Any) -> Any:
        return __proxy__(*args, **kwargs)

    function.__defaults__ = None
    function.__kwdefaults__ = {"__proxy__": proxy}
    function.__code__ = call.__code__
