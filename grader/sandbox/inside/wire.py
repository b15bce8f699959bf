"""How values cross between the grader and the process that runs student code: as data, never as objects.

A message is four bytes (big-endian) that give the length of a header, the header, and the raw bytes of all arrays in
order. The header is JSON: ``[number of raw bytes, value]``. In it None, bool, int, float, str and list stand for
themselves and everything else is an object with one key that names its kind: ``{"array": ["float64", [2, 3]]}``.

Both sides use this module, and both may trust nothing of what they read.
"""

import json
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

MAX_DEPTH = 20
MAX_ITEMS = 20_000
MAX_MESSAGE_ITEMS = 250_000
"""Items of all values in a message: whoever reads it makes an object of each. Floats have room for fewer anyway."""
MAX_TEXT = 10_000
MAX_INT_BITS = 1_000_000
MAX_NAME = 100
MAX_HEADER = 4 << 20
MAX_DIMENSIONS = 32
MAX_SIDE = 1 << 40
MESSAGE_DEPTH = MAX_DEPTH + 8
"""A value travels inside a message, which adds a few levels of its own."""

DTYPES = {
    name: np.dtype(name)
    for name in (
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64"),
    )
}
_WIRE_DTYPES = {name: dtype.newbyteorder("<") for name, dtype in DTYPES.items()}
_DTYPE_NAMES = {either.str: name for name, dtype in DTYPES.items() for either in (dtype, dtype.newbyteorder())}
_SCALARS = {np.dtype(code).type: np.dtype(code).name for code in "?bhilqBHILQefd"}

# Bound here, so that student code that patches these modules breaks nothing but itself.
_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_loads = json.JSONDecoder().decode
_pack, _unpack = struct.pack, struct.unpack
_name_of = type.__dict__["__name__"].__get__
_mro_of = type.__dict__["__mro__"].__get__


class WireError(Exception):
    """What was read is no message, or what should be written cannot be one."""


class TooLarge(WireError):
    """The message is larger than the limit."""


@dataclass(frozen=True)
class Scalar:
    """A NumPy scalar, such as ``np.float64(1)``: neither a Python number nor an array without axes."""

    dtype: str
    value: bool | int | float


@dataclass(frozen=True)
class Opaque:
    """A value of a kind that does not cross; only the name of its type does."""

    type_name: str


def type_name(value: object) -> str:
    """The name of the value's real type. Calls nothing that the value or its class could have defined."""
    return str(_name_of(type(value)))[:MAX_NAME]


def as_data(value: Any) -> Any:
    """The value as it arrives on the other side: everything that does not cross has become an ``Opaque``.

    Lists, tuples and dicts are copied, and no method of a foreign object is called. Raises nothing of its own.
    """
    return _as_data(value, 0, [MAX_ITEMS])


def _as_data(value: Any, depth: int, room: list[int]) -> Any:
    kind = type(value)
    room[0] -= 1
    if kind in (type(None), bool, float, Scalar, Opaque):
        return value
    if kind is int:
        return value if value.bit_length() <= MAX_INT_BITS else Opaque("int")
    if kind is str:
        return value if len(value) <= MAX_TEXT else Opaque("str")
    if kind in _SCALARS:
        return Scalar(_SCALARS[kind], value.item())
    if kind is np.ndarray:
        name = _DTYPE_NAMES.get(value.dtype.str)
        if name is None or value.ndim > MAX_DIMENSIONS:
            return Opaque(f"ndarray of {value.dtype.name}"[:MAX_NAME])
        return value.astype(DTYPES[name], order="C", copy=False)
    if kind is not tuple and any(base is tuple for base in _mro_of(kind)):  # a named tuple is as good as a tuple
        return _as_data(tuple(tuple.__iter__(value)), depth, room)
    if kind not in (list, tuple, dict) or depth >= MAX_DEPTH or len(value) > room[0]:
        return Opaque(type_name(value))
    if kind is not dict:
        return kind([_as_data(item, depth + 1, room) for item in value])
    if any(type(key) is not str or len(key) > MAX_TEXT for key in value):
        return Opaque("dict")
    return {key: _as_data(item, depth + 1, room) for key, item in value.items()}


def as_numpy(value: Any) -> Any:
    """A copy of the value in which every ``Scalar`` is a NumPy scalar again. All arrays are fresh and writable."""
    kind = type(value)
    if kind is np.ndarray:
        return value.copy()
    if kind is Scalar:
        with np.errstate(all="ignore"):  # a float16 of 1e300 is infinite, which is no news
            return DTYPES[value.dtype].type(value.value)
    if kind in (list, tuple):
        return kind([as_numpy(item) for item in value])
    if kind is dict:
        return {key: as_numpy(item) for key, item in value.items()}
    return value


def holds_opaque(value: Any) -> bool:
    """Whether anything in the value did not cross."""
    kind = type(value)
    if kind in (list, tuple):
        return any(holds_opaque(item) for item in value)
    if kind is dict:
        return any(holds_opaque(item) for item in value.values())
    return kind is Opaque


def encode(message: Any, limit: int) -> bytes:
    """The bytes of a message with at most ``limit`` bytes of arrays.

    Raises ``TooLarge`` above the limit and ``WireError`` for what ``as_data`` would have made an ``Opaque``.
    """
    arrays: list[np.ndarray[Any, Any]] = []
    value = _spec(message, arrays)
    size = sum(array.nbytes for array in arrays)
    if size > limit:
        raise TooLarge(f"{size} bytes of arrays")
    header = _dumps([size, value]).encode("ascii")
    if len(header) > MAX_HEADER:
        raise TooLarge(f"{len(header)} bytes of header")
    raw = (array.astype(_WIRE_DTYPES[_DTYPE_NAMES[array.dtype.str]], copy=False).tobytes() for array in arrays)
    return b"".join([_pack(">I", len(header)), header, *raw])


def _spec(value: Any, arrays: list[np.ndarray[Any, Any]]) -> Any:
    kind = type(value)
    if value is None or kind in (bool, float, str):
        return value
    if kind is int:
        return value if value.bit_length() < 64 else {"int": hex(value)}
    if kind is list:
        return [_spec(item, arrays) for item in value]
    if kind is tuple:
        return {"tuple": [_spec(item, arrays) for item in value]}
    if kind is dict:
        return {"dict": {key: _spec(item, arrays) for key, item in value.items()}}
    if kind is Scalar:
        return {"scalar": [value.dtype, value.value]}
    if kind is Opaque:
        return {"opaque": value.type_name}
    if kind is np.ndarray and value.dtype.str in _DTYPE_NAMES:
        arrays.append(value)
        return {"array": [_DTYPE_NAMES[value.dtype.str], list(value.shape)]}
    raise WireError(f"a {type_name(value)} cannot cross")


def read_message(read: Callable[[int], bytes], limit: int) -> Any:
    """Read one message; ``read(n)`` hands over exactly n bytes, and at most ``limit`` bytes of arrays are asked for.

    Raises ``WireError`` when it is no message, and whatever ``read`` raises.
    """
    (length,) = _unpack(">I", read(4))
    if length > MAX_HEADER:
        raise WireError("the header is too long")
    try:
        header = _loads(read(length).decode("ascii"))
    except (ValueError, RecursionError):
        raise WireError("the header is not JSON") from None
    if type(header) is not list or len(header) != 2:
        raise WireError("the header does not say what follows")
    size, spec = header
    if type(size) is not int or not 0 <= size <= limit:
        raise WireError("the header says an impossible length")
    reader = _Reader(read(size) if size else b"")
    value = reader.value(spec, 0)
    reader.finish()
    return value


class _Reader:
    """Rebuilds a value from its header and the raw bytes."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._offset = 0
        self._room = MAX_MESSAGE_ITEMS

    def finish(self) -> None:
        """Raises ``WireError`` unless all raw bytes were used."""
        if self._offset != len(self._raw):
            raise WireError("there are bytes left over")

    def value(self, spec: Any, depth: int) -> Any:
        kind = type(spec)
        if depth > MESSAGE_DEPTH:
            raise WireError("the value is nested too deep")
        self._room -= 1
        if self._room < 0:
            raise WireError("the message has too many items")
        if spec is None or kind in (bool, int, float):
            return spec
        if kind is str:
            return _text(spec)
        if kind is list:
            return [self.value(item, depth + 1) for item in spec]
        if kind is dict and len(spec) == 1:
            ((tag, body),) = spec.items()
            if tag == "array":
                return self._array(body)
            if tag == "tuple" and type(body) is list:
                return tuple([self.value(item, depth + 1) for item in body])
            if tag == "dict" and type(body) is dict:
                return {_text(key): self.value(item, depth + 1) for key, item in body.items()}
            if tag == "scalar":
                return _scalar(body)
            if tag == "int" and type(body) is str:
                return _int(body)
            if tag == "opaque" and type(body) is str:
                return Opaque(body[:MAX_NAME])
        raise WireError("the value is of no known kind")

    def _array(self, spec: Any) -> np.ndarray[Any, Any]:
        name, shape = _two(spec)
        if name not in DTYPES or type(shape) is not list or len(shape) > MAX_DIMENSIONS:
            raise WireError("the array is of no known dtype, or has too many axes")
        if not all(type(side) is int and 0 <= side < MAX_SIDE for side in shape):
            raise WireError("the array has an impossible shape")
        count = math.prod(shape)
        size = count * DTYPES[name].itemsize
        if size > len(self._raw) - self._offset:
            raise WireError("the array is longer than what was sent")
        start, self._offset = self._offset, self._offset + size
        try:
            if count == 0:
                return np.empty(shape, DTYPES[name])
            # Read as bytes, a bool is whatever was sent; only 0 and 1 may become one.
            sent = np.dtype(np.uint8) if name == "bool" else _WIRE_DTYPES[name]
            flat = np.frombuffer(self._raw, sent, count, start)
            return flat.reshape(shape).astype(DTYPES[name])
        except ValueError:
            raise WireError("the array has an impossible shape") from None


def _text(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise WireError("the text is too long")
    return text


def _two(spec: Any) -> tuple[str, Any]:
    """The name of a dtype and what goes with it."""
    if type(spec) is not list or len(spec) != 2 or type(spec[0]) is not str:
        raise WireError("it does not say a dtype")
    return spec[0], spec[1]


def _scalar(spec: Any) -> Scalar:
    name, number = _two(spec)
    if name not in DTYPES:
        raise WireError("the scalar is of no known dtype")
    wanted = {"b": bool, "f": float}.get(DTYPES[name].kind, int)
    if type(number) is not wanted:
        raise WireError("the scalar is not of its dtype")
    try:
        with np.errstate(all="ignore"):
            DTYPES[name].type(number)
    except (OverflowError, ValueError):
        raise WireError("the scalar is out of range") from None
    return Scalar(name, number)


def _int(digits: str) -> int:
    if len(digits) > MAX_INT_BITS // 4 + 3:
        raise WireError("the integer is too long")
    try:
        return int(digits, 16)
    except ValueError:
        raise WireError("the integer has no digits") from None
