"""Values cross as data, and nothing that is not a proper message is taken for one."""

import json
import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from grader.sandbox.inside import wire
from grader.sandbox.inside.wire import Opaque, Scalar, TooLarge, WireError, as_data, as_numpy, encode

LIMIT = 1 << 20


quick = settings(max_examples=50, deadline=None, database=None, derandomize=True)


def decode(message: bytes, limit: int = LIMIT) -> Any:
    rest = bytearray(message)

    def read(size: int) -> bytes:
        if size > len(rest):
            raise EOFError
        taken = bytes(rest[:size])
        del rest[:size]
        return taken

    value = wire.read_message(read, limit)
    assert not rest
    return value


def forged(header: Any, raw: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack(">I", len(text)) + text + raw


def crossed(value: Any) -> Any:
    return decode(encode(as_data(value), LIMIT))


plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


@quick
@given(values)
def test_plain_values_come_back_equal_and_of_the_same_type(value: Any) -> None:
    back = crossed(value)
    assert back == value
    assert repr(back) == repr(value)


dtypes = (
    npst.boolean_dtypes()
    | npst.integer_dtypes(endianness="?")
    | npst.unsigned_integer_dtypes(endianness="?")
    | npst.floating_dtypes(endianness="?", sizes=(16, 32, 64))
)


@quick
@given(npst.arrays(dtypes, npst.array_shapes(min_dims=0, min_side=0, max_dims=4, max_side=4)))
def test_arrays_come_back_with_their_bits(array: np.ndarray[Any, Any]) -> None:
    back = crossed([array, array.T])
    for got, sent in zip(back, (array, array.T), strict=True):
        assert type(got) is np.ndarray
        assert got.dtype.name == sent.dtype.name
        assert got.dtype.isnative
        assert got.flags.c_contiguous
        assert got.flags.writeable
        assert got.shape == sent.shape
        assert got.tobytes() == sent.astype(got.dtype).tobytes()


def test_special_floats_cross() -> None:
    assert math.isnan(crossed(math.nan))
    assert crossed([math.inf, -math.inf]) == [math.inf, -math.inf]
    assert math.copysign(1, crossed(-0.0)) == -1


def test_integers_of_any_size_cross() -> None:
    for number in (2**63, -(2**64), 10**5000, -(10**100)):
        assert crossed(number) == number


@pytest.mark.parametrize("dtype", sorted(wire.DTYPES))
def test_a_numpy_scalar_is_told_from_a_number_and_from_an_array(dtype: str) -> None:
    number = np.dtype(dtype).type(1)
    back = crossed([number, number.item(), np.array(number)])
    assert back[0] == Scalar(dtype, number.item())
    assert type(back[1]) is type(number.item())
    assert type(back[2]) is np.ndarray
    assert back[2].shape == ()
    again = as_numpy(back[0])
    assert type(again) is type(number)
    assert again == number


class Liar:
    """Answers nothing truthfully, and must not be asked."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)

    __class__ = property(lambda self: np.ndarray)  # type: ignore[assignment]
    __len__ = __iter__ = __eq__ = __hash__ = __repr__ = None  # type: ignore[assignment]


class Array(np.ndarray):  # type: ignore[type-arg]
    pass


class SubList(list[int]):
    pass


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (Liar, "Liar"),
        (lambda: SubList([1]), "SubList"),
        (lambda: np.zeros(1).view(Array), "Array"),
        (lambda: np.ma.masked_array([1.0], [True]), "MaskedArray"),
        (lambda: np.array([None]), "ndarray of object"),
        (lambda: np.array([1j]), "ndarray of complex128"),
        (lambda: np.complex128(1), "complex128"),
        (lambda: {1: 2}, "dict"),
        (lambda: {1, 2}, "set"),
        (lambda: b"x", "bytes"),
        (lambda: "x" * (wire.MAX_TEXT + 1), "str"),
        (lambda: [0] * (wire.MAX_ITEMS + 1), "list"),
        (lambda: 1 << (wire.MAX_INT_BITS + 1), "int"),
    ],
)
def test_what_does_not_cross_is_opaque(make: Callable[[], Any], name: str) -> None:
    foreign = make()
    assert crossed([foreign]) == [Opaque(name)]
    assert wire.holds_opaque(crossed({"a": (foreign,)}))


def test_what_is_nested_too_deep_is_opaque() -> None:
    endless: list[Any] = []
    endless.append(endless)
    back = crossed(endless)
    for _ in range(wire.MAX_DEPTH):
        back = back[0]
    assert back == Opaque("list")


def test_shared_lists_do_not_grow_without_bound() -> None:
    shared: list[Any] = []
    for _ in range(18):
        shared = [shared, shared]
    assert wire.holds_opaque(crossed(shared))


def test_the_limit_is_kept_by_the_writer() -> None:
    encode(np.zeros(100), 800)
    with pytest.raises(TooLarge):
        encode(np.zeros(100), 799)
    with pytest.raises(TooLarge):  # not a byte of it is copied first
        encode(np.broadcast_to(0.0, (1 << 20, 1 << 20)), LIMIT)


def test_what_was_not_made_data_is_not_sent() -> None:
    with pytest.raises(WireError):
        encode(object(), LIMIT)


def test_a_bool_is_zero_or_one_whatever_was_sent() -> None:
    back = decode(forged([2, {"array": ["bool", [2]]}], b"\x02\x00"))
    assert back.view(np.uint8).tolist() == [1, 0]


BAD = {
    "no json": b"}{",
    "not ascii": b"\xff\xff",
    "deep json": b"[" * 100_000,
    "huge number": b"[0," + b"9" * 10_000 + b"]",
    "not a list": {"array": 1},
    "too short": [0],
    "bool for size": [False, None],
    "negative size": [-1, None],
    "above limit": [LIMIT + 1, None],
    "float size": [0.0, None],
    "left over": [8, None],
    "no kind": [0, {}],
    "unknown kind": [0, {"pickle": "x"}],
    "two kinds": [0, {"int": "1", "tuple": []}],
    "tuple of nothing": [0, {"tuple": None}],
    "dict of list": [0, {"dict": []}],
    "no dtype": [8, {"array": ["object", [1]]}],
    "dtype is list": [8, {"array": [["float64"], [1]]}],
    "shape is number": [8, {"array": ["float64", 1]}],
    "shape of float": [8, {"array": ["float64", [1.0]]}],
    "shape of bool": [8, {"array": ["float64", [True]]}],
    "negative side": [8, {"array": ["float64", [-1, -1]]}],
    "endless side": [0, {"array": ["float64", [0, 1 << 70]]}],
    "impossible empty": [0, {"array": ["float64", [0, 1 << 39, 1 << 39]]}],
    "too many axes": [8, {"array": ["float64", [1] * 65]}],
    "longer than sent": [8, {"array": ["float64", [2]]}],
    "scalar of text": [0, {"scalar": ["float64", "1"]}],
    "scalar out of range": [0, {"scalar": ["int8", 300]}],
    "scalar without dtype": [0, {"scalar": 1}],
    "int of text": [0, {"int": "zz"}],
    "int of int": [0, {"int": 1}],
    "opaque of int": [0, {"opaque": 1}],
}


@pytest.mark.parametrize("case", BAD)
def test_a_malformed_message_is_refused(case: str) -> None:
    with pytest.raises(WireError):
        decode(forged(BAD[case], b"\0" * 8))


def test_a_value_nested_too_deep_is_refused() -> None:
    deep: Any = None
    for _ in range(wire.MESSAGE_DEPTH + 1):
        deep = [deep]
    with pytest.raises(WireError):
        decode(forged([0, deep]))


def test_a_header_that_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(WireError):
        decode(struct.pack(">I", wire.MAX_HEADER + 1))


@quick
@given(st.binary(max_size=200))
def test_noise_is_refused(noise: bytes) -> None:
    with pytest.raises((WireError, EOFError)):
        decode(forged(noise) + b"\0" * 64)
