"""Which arguments a call changed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

_Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]


def changes(before: _Arguments, after: _Arguments) -> tuple[str, ...]:
    """The names of what differs, such as ``argument 1``, ``argument 'mask'`` or ``argument 2['w_q']``.

    ``before`` is a copy of the arguments, made before the call; ``after`` are the arguments themselves. A container
    whose keys or length changed is named itself.
    """
    names = [f"argument {number}" for number in range(1, len(before[0]) + 1)]
    pairs = [*zip(names, before[0], after[0], strict=True)]
    pairs += [(f"argument {key!r}", old, after[1].get(key)) for key, old in before[1].items()]
    return tuple(name + place for name, old, new in pairs for place in _places(old, new))


def _places(old: Any, new: Any) -> list[str]:
    """Where two values differ, as indices: ``['w_q']``, or nothing for the values themselves."""
    kind = type(old)
    if type(new) is not kind:
        return [""]
    if kind is np.ndarray:
        same = old.shape == new.shape and old.dtype == new.dtype and old.tobytes() == new.tobytes()
        return [] if same else [""]
    if kind is dict:
        keys, new_keys = list(old), list(new)
        if list(map(type, keys)) != list(map(type, new_keys)) or keys != new_keys:
            return [""]
        return [f"[{key!r}]{place}" for key in keys for place in _places(old[key], new[key])]
    if kind is list or kind is tuple:
        if len(old) != len(new):
            return [""]
        both = enumerate(zip(old, new, strict=True))
        return [f"[{index}]{place}" for index, (item, new_item) in both for place in _places(item, new_item)]
    # Unlike ==, this finds a NaN equal to itself and 0.0 not equal to -0.0.
    return [] if repr(old) == repr(new) else [""]
