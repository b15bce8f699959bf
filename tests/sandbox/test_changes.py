"""Every change to an argument is seen and named."""

import copy
from typing import Any

import numpy as np
import pytest

from grader.sandbox import changes


def arguments() -> tuple[tuple[Any, ...], dict[str, Any]]:
    w = {"w_q": np.array([1.0, np.nan]), "inner": {"b": np.zeros(2)}}
    return (np.arange(3.0), w, [1, 2.0, np.ones(1)], (np.zeros(1),), np.nan), {"mask": np.array([True])}


def test_nothing_changed() -> None:
    assert changes(arguments(), arguments()) == ()


def set_item(container: Any, key: Any, value: Any) -> None:
    container[key] = value


def reshape(array: np.ndarray[Any, Any]) -> None:
    array.resize((3, 1), refcheck=False)


CHANGES: list[tuple[Any, str]] = [
    (lambda args, kwargs: set_item(args[0], 0, 5.0), "argument 1"),
    (lambda args, kwargs: set_item(args[0], 0, -0.0), "argument 1"),
    (lambda args, kwargs: reshape(args[0]), "argument 1"),
    (lambda args, kwargs: set_item(args[1]["w_q"], 1, 0.0), "argument 2['w_q']"),
    (lambda args, kwargs: set_item(args[1]["inner"]["b"], 1, 1.0), "argument 2['inner']['b']"),
    (lambda args, kwargs: set_item(args[1], "w_q", args[1]["w_q"] * 2), "argument 2['w_q']"),
    (lambda args, kwargs: set_item(args[1], "w_q", "x"), "argument 2['w_q']"),
    (lambda args, kwargs: set_item(args[1], "new", 1), "argument 2"),
    (lambda args, kwargs: args[1].pop("w_q"), "argument 2"),
    (lambda args, kwargs: args[2].append(3), "argument 3"),
    (lambda args, kwargs: set_item(args[2], 0, 7), "argument 3[0]"),
    (lambda args, kwargs: set_item(args[2][2], 0, 7), "argument 3[2]"),
    (lambda args, kwargs: set_item(args[3][0], 0, 7), "argument 4[0]"),
    (lambda args, kwargs: set_item(kwargs["mask"], 0, False), "argument 'mask'"),
]


@pytest.mark.parametrize(("change", "name"), CHANGES)
def test_a_change_is_named(change: Any, name: str) -> None:
    args, kwargs = arguments()
    before = copy.deepcopy((args, kwargs))
    change(args, kwargs)
    assert changes(before, (args, kwargs)) == (name,)
