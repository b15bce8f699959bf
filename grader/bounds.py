"""Numbers with a bound on their rounding error, for oracles that judge any correct order of operations.

An oracle computes a value and, beside it, how far a correct program may end from it: u is the unit roundoff, a sum of
k terms is off by at most about k·u times the sum of the magnitudes, and a product, a quotient or an elementary function
adds a few u (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 3). The constants are generous by a
small factor, since students may scale before or after, stream, or take logarithms; the nearest real mistake is
thousands of times further away.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
UNIT = 2.0**-53
"""The unit roundoff of float64."""
ELEMENTARY = 8
"""Roundings allowed for one elementary function or a handful of operations around it, in units of u."""


@dataclass(frozen=True)
class Bounded:
    """``value`` and, element by element, the largest ``error`` that a correct program may make."""

    value: Array
    error: Array

    @classmethod
    def exact(cls, value: Array) -> "Bounded":
        """A value on which every correct program agrees to the last bit."""
        return cls(value, np.zeros(np.shape(value)))

    def __getitem__(self, index: Any) -> "Bounded":
        return Bounded(self.value[index], self.error[index])

    def __add__(self, other: "Bounded") -> "Bounded":
        """The sum in float64. The magnitudes count, not their sum: the order of the terms is the program's own."""
        magnitude = np.abs(self.value) + np.abs(other.value)
        return Bounded(self.value + other.value, self.error + other.error + sum_error(1, magnitude, UNIT))

    def __sub__(self, other: "Bounded") -> "Bounded":
        return self + Bounded(-other.value, other.error)

    def __mul__(self, other: "Bounded") -> "Bounded":
        """The product in float64, entry by entry."""
        carried = self.error * (np.abs(other.value) + other.error) + np.abs(self.value) * other.error
        return Bounded(self.value * other.value, carried + ELEMENTARY * UNIT * np.abs(self.value * other.value))

    def __matmul__(self, other: "Bounded") -> "Bounded":
        """The matrix product in float64: ``(|A| + e_A) e_B + e_A |B|`` carried, ``(2k + 8)u |A||B|`` of its own."""
        left, right = np.abs(self.value), np.abs(other.value)
        carried = self.error @ (right + other.error) + left @ other.error
        return Bounded(self.value @ other.value, carried + sum_error(left.shape[-1], left @ right, UNIT))

    def mean(self) -> "Bounded":
        """The mean in float64 over the last axis, which stays with length 1."""
        magnitude = np.abs(self.value).mean(axis=-1, keepdims=True)
        error = self.error.mean(axis=-1, keepdims=True) + sum_error(self.value.shape[-1], magnitude, UNIT)
        return Bounded(self.value.mean(axis=-1, keepdims=True), error)


def unit_roundoff(dtype: Any) -> float:
    """u of a floating type; integers and booleans are computed with in float64, but NumPy does arithmetic on the
    short ones in short floats: ``np.exp`` of int8 is float16, of int16 float32."""
    kind = np.dtype(dtype)
    floating = kind if kind.kind == "f" else np.result_type(np.exp(np.zeros(1, kind)).dtype)
    return float(np.finfo(floating).eps) / 2


def sum_error(terms: int, magnitude: Any, u: float) -> Any:
    """Bound for a sum of ``terms`` products of magnitudes that add up to ``magnitude``, and a few operations more."""
    return (2 * terms + ELEMENTARY) * u * magnitude
