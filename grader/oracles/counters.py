"""Oracles of the lesson ``counters``: parameters array by array, operations product by product. Counts are exact."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

Shape = tuple[int, ...]
Shapes: TypeAlias = Mapping[str, "Shape | Shapes"]
Matrix = Sequence[Sequence[int]]


# --- Parameters: the shapes of API.md's nested dicts -----------------------------------------------------------------


def attention(d: int) -> Shapes:
    """The arrays of multi-head attention."""
    return {f"{kind}_{name}": (d, d) if kind == "w" else (d,) for name in "qkvo" for kind in "wb"}


def feed_forward(d: int, d_ff: int | None = None) -> Shapes:
    """The arrays of the feed-forward part."""
    d_ff = 4 * d if d_ff is None else d_ff
    return {"w_1": (d, d_ff), "b_1": (d_ff,), "w_2": (d_ff, d), "b_2": (d,)}


def layer_norm(d: int) -> Shapes:
    """The arrays of a norm."""
    return {"gain": (d,), "bias": (d,)}


def encoder_block(d: int, d_ff: int | None = None) -> Shapes:
    """The arrays of an encoder block."""
    return {
        "attention": attention(d),
        "norm_1": layer_norm(d),
        "feed_forward": feed_forward(d, d_ff),
        "norm_2": layer_norm(d),
    }


def decoder_block(d: int, d_ff: int | None = None) -> Shapes:
    """The arrays of a decoder block."""
    return {
        "self_attention": attention(d),
        "norm_1": layer_norm(d),
        "cross_attention": attention(d),
        "norm_2": layer_norm(d),
        "feed_forward": feed_forward(d, d_ff),
        "norm_3": layer_norm(d),
    }


def transformer(vocab: int, d: int, n_encoder: int, n_decoder: int, d_ff: int | None = None) -> Shapes:
    """The arrays of a whole model."""
    encoder = {f"encoder_{i}": encoder_block(d, d_ff) for i in range(n_encoder)}
    decoder = {f"decoder_{i}": decoder_block(d, d_ff) for i in range(n_decoder)}
    return {"embedding": (vocab, d), **encoder, **decoder}


def every_shape(shapes: Shapes) -> Iterator[Shape]:
    """The shapes of all arrays, however deep they are nested."""
    for entry in shapes.values():
        if isinstance(entry, Mapping):
            yield from every_shape(entry)
        else:
            yield entry


def count(shapes: Shapes) -> int:
    """How many numbers arrays of these shapes hold."""
    return sum(math.prod(shape) for shape in every_shape(shapes))


def biases(shapes: Shapes) -> int:
    """How many of them are a bias, of a map or of a norm: what a model without biases does not have."""
    return sum(
        biases(entry) if isinstance(entry, Mapping) else math.prod(entry) if name.startswith("b") else 0
        for name, entry in shapes.items()
    )


# --- Operations ------------------------------------------------------------------------------------------------------


def dense_products(n: int, d: int, d_ff: int | None = None) -> list[tuple[Shape, Shape]]:
    """The products of n tokens with the six maps of an encoder block."""
    d_ff = 4 * d if d_ff is None else d_ff
    return [*[((n, d), (d, d))] * 4, ((n, d), (d, d_ff)), ((n, d_ff), (d_ff, d))]


def attention_products(n: int, d: int, heads: int = 1) -> list[tuple[Shape, Shape]]:
    """Each head's queries with its keys, and its weights with its values."""
    return [((n, d // heads), (d // heads, n)), ((n, n), (n, d // heads))] * heads


def flops(products: Sequence[tuple[Shape, Shape]]) -> int:
    """A multiply and an add for each term of each entry, by the shapes alone."""
    return sum(2 * rows * terms * columns for (rows, terms), (_, columns) in products)


def counted_flops(products: Sequence[tuple[Shape, Shape]]) -> int:
    """The same by doing the products in loops and counting on the way. For small shapes."""
    meter = Meter()
    for left, right in products:
        meter.product(*([[1] * columns] * rows for rows, columns in (left, right)))
    return meter.operations


class Meter:
    """Multiplies matrices and counts its multiplications and additions."""

    def __init__(self) -> None:
        self.operations = 0

    def product(self, a: Matrix, b: Matrix) -> list[list[int]]:
        """``a @ b``, entry by entry."""
        return [[self._dot(row, column) for column in zip(*b, strict=True)] for row in a]

    def _dot(self, row: Sequence[int], column: Sequence[int]) -> int:
        total = 0
        for x, y in zip(row, column, strict=True):
            term = x * y
            self.operations += 1
            total += term
            self.operations += 1
        return total


def crossover_length(d: int, d_ff: int | None = None) -> int:
    """The smallest n at which attention costs as much as the maps: doubling until it does, then halving the gap."""

    def reached(n: int) -> bool:
        return flops(attention_products(n, d)) >= flops(dense_products(n, d, d_ff))

    low, high = 0, 1
    while not reached(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
