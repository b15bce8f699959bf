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
    found: list[str] = []
    for number, (old, new) in enumerate(zip(before[0], after[0], strict=True), start=1):
        _compare(f"argument {number}", old, new, found)
    for key, old in before[1].items():
        _compare(f"argument {key!r}", old, after[1].get(key), found)
    return tuple(found)


def _compare(name: str, old: Any, new: Any, found: list[str]) -> None:
    if type(new) is not type(old):
        found.append(name)
    elif type(old) is np.ndarray:
        if (old.dtype, old.shape) != (new.dtype, new.shape) or old.tobytes() != new.tobytes():
            found.append(name)
    elif type(old) in (list, tuple, dict):
        old_items, new_items = _items(old), _items(new)
        if len(new_items) != len(old_items) or any(
            type(key) is not type(old_key) or key != old_key
            for (key, _), (old_key, _) in zip(new_items, old_items, strict=True)
        ):
            found.append(name)
            return
        for (key, old_item), (_, new_item) in zip(old_items, new_items, strict=True):
            _compare(f"{name}[{key!r}]", old_item, new_item, found)
    elif repr(old) != repr(new):  # unlike ==, finds a NaN equal to itself and 0.0 not equal to -0.0
        found.append(name)


def _items(container: Any) -> list[tuple[Any, Any]]:
    return list(container.items()) if type(container) is dict else list(enumerate(container))
