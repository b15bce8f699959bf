"""Oracles of the lesson ``positional_encoding``: one position and one wave at a time."""

import math

import numpy as np

from grader.bounds import ELEMENTARY, Bounded, sum_error, unit_roundoff
from grader.oracles import remembered

U = unit_roundoff(np.float64)
FARTHEST = 128
"""A similarity may be taken as the dot product of two encodings, of which the nearer one lies no farther out."""


def frequency(i: int, d: int) -> float:
    """ω_i, the speed of the wave in columns 2i and 2i + 1."""
    return math.pow(10000.0, -2 * i / d)


def rounding(p: int) -> float:
    """How far a sine or cosine of ``p·ω_i`` may be off.

    A power, an exponential of a logarithm, a quotient or a running product all give ω_i = exp(-x) with a relative error
    of about (3x + 2)u, and x·exp(-x) is below 0.4: the angle is off by less than 4u·|p|. Turning the encoding from one
    position to the next adds a few u at every step. So does this oracle. Adding the angle up step by step rounds each
    of the sums, j·ω_i for j up to p, which is p²u/2 together. A sine turns no error into a larger one.
    """
    return (ELEMENTARY * (1 + abs(p)) + p * p) * U


def row(p: int, d: int) -> list[float]:
    """Sine and cosine of each angle at position p, side by side."""
    entries = []
    for i in range(d // 2):
        angle = p * frequency(i, d)
        entries += [math.sin(angle), math.cos(angle)]
    return entries


@remembered
def encoding(p: int, d: int) -> Bounded:
    """The encoding of one position, which may be negative, ``(d,)``."""
    return Bounded(np.array(row(p, d)), np.full(d, rounding(p)))


@remembered
def sinusoidal_pe(n: int, d: int) -> Bounded:
    """The encodings of positions 0 to n - 1, ``(n, d)``."""
    value = np.array([row(p, d) for p in range(n)]).reshape(n, d)
    error = np.array([[rounding(p)] * d for p in range(n)]).reshape(n, d)
    return Bounded(value, error)


@remembered
def shift_matrix(k: int, d: int) -> Bounded:
    """A turn by ``k·ω_i`` for each pair of columns, ``(d, d)``: the addition theorems, entry by entry."""
    value = np.zeros((d, d))
    for i in range(d // 2):
        sine, cosine = math.sin(k * frequency(i, d)), math.cos(k * frequency(i, d))
        value[2 * i, 2 * i], value[2 * i, 2 * i + 1] = cosine, sine
        value[2 * i + 1, 2 * i], value[2 * i + 1, 2 * i + 1] = -sine, cosine
    return Bounded(value, np.full((d, d), rounding(k)))


@remembered
def offset_similarity(k: int, d: int) -> tuple[float, float]:
    """``Σ_i cos(k·ω_i)`` and its error bound, which has room for a dot product of two encodings."""
    value = math.fsum(math.cos(k * frequency(i, d)) for i in range(d // 2))
    return value, d * rounding(FARTHEST + 2 * abs(k)) + sum_error(d, d, U)
