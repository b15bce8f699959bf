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


def unit_roundoff(dtype: Any) -> float:
    """u of a floating type; integers and booleans are computed with in float64, but NumPy does arithmetic on the
    short ones in short floats: ``np.exp`` of int8 is float16, of int16 float32."""
    kind = np.dtype(dtype)
    floating = kind if kind.kind == "f" else np.result_type(np.exp(np.zeros(1, kind)).dtype)
    return float(np.finfo(floating).eps) / 2


def sum_error(terms: int, magnitude: Any, u: float) -> Any:
    """Bound for a sum of ``terms`` products of magnitudes that add up to ``magnitude``, and a few operations more."""
    return (2 * terms + ELEMENTARY) * u * magnitude
