"""Hidden checks of the lesson ``positional_encoding``."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from grader import expect
from grader.bounds import Array, Bounded, sum_error
from grader.callee import Callee, Violation
from grader.checks import check
from grader.oracles import positional_encoding as oracle
from grader.sandbox import Scalar

FAR = 6007
"""An offset at which all but the slowest waves have gone round, beyond every table that is made in advance."""
LARGEST_EXACT = 2**53
"""Up to here every int is a float64 too."""
ODD = "a ValueError, since sine and cosine come in pairs"

# --- sinusoidal_pe ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """An encoding of ``n`` positions by ``waves`` waves, each a sine and a cosine."""

    n: int
    waves: int

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return self.n * self.waves

    @property
    def d(self) -> int:
        """The number of columns."""
        return 2 * self.waves

    def shapes(self) -> Iterator[tuple[int, int]]:
        """Sizes with several waves and with one, several positions and one."""
        yield from ((self.n, self.d), (1, self.d), (self.n, 2), (1, 2), (self.d, self.d))


tables = st.builds(Table, st.integers(2, 9), st.integers(2, 8))


def encoded(sinusoidal_pe: Callee, n: int, d: int) -> Array:
    """The submission's encoding, with shape and type checked."""
    return expect.array(sinusoidal_pe(n, d), (n, d))


@check("sinusoidal_pe", given=tables, count=4)
def pe_has_a_row_for_each_position(sinusoidal_pe: Callee, table: Table) -> None:
    """The encoding is a float64 array with a row for each position, also for one position and for none."""
    for n, d in (*table.shapes(), (0, table.d), (0, 2)):
        encoded(sinusoidal_pe, n, d)


@check("sinusoidal_pe", given=tables, count=4)
def pe_refuses_an_odd_width(sinusoidal_pe: Callee, table: Table) -> None:
    """An odd number of columns raises a ValueError."""
    for n, d in ((table.n, table.d + 1), (table.n, table.d - 1), (table.n, 1), (1, table.d + 1), (1, 1), (3, 5)):
        try:
            value = sinusoidal_pe(n, d)
        except Violation as broken:
            if broken.raised and "ValueError" in broken.raised.bases:
                continue
            raise
        raise Violation(f"it returned {expect.kind_of(value)} for an odd d", value, ODD, about_form=True)


@check("sinusoidal_pe", given=tables, count=4)
def position_zero_is_zeros_and_ones(sinusoidal_pe: Callee, table: Table) -> None:
    """Position 0 comes first, and its row is 0, 1, 0, 1 and so on: the sine and the cosine of 0.

    Kept: names positions that start at 1, and columns in another order.
    """
    for n, d in table.shapes():
        row = encoded(sinusoidal_pe, n, d)[0]
        expect.close(row, Bounded(np.tile([0.0, 1.0], d // 2), oracle.encoding(0, d).error), "row 0: the entry")


@check("sinusoidal_pe", given=tables, count=4)
def waves_slow_down_from_one_to_a_ten_thousandth(sinusoidal_pe: Callee, table: Table) -> None:
    """From position 0 to position 1, pair i of columns turns by the angle 10000^(-2i/d).

    Kept: reads the frequencies off, where a single comparison would only show one wrong entry.
    """
    for d in (table.d, 2):
        sine, cosine = encoded(sinusoidal_pe, 2, d)[1].reshape(-1, 2).T
        frequencies = np.array([oracle.frequency(i, d) for i in range(d // 2)])
        error = np.full(d // 2, 4 * oracle.rounding(1))
        expect.close(np.arctan2(sine, cosine), Bounded(frequencies, error), "the angle of the pair")


@check("sinusoidal_pe", given=tables, count=4)
def every_position_is_equally_long(sinusoidal_pe: Callee, table: Table) -> None:
    """The squares of every row sum to d / 2, since each pair of columns is a point on the unit circle.

    Kept: names the law that a normalised row, or a pair with two frequencies, breaks.
    """
    for n, d in table.shapes():
        pe = encoded(sinusoidal_pe, n, d)
        error = 4 * oracle.sinusoidal_pe(n, d).error.sum(axis=1) + sum_error(d, d, oracle.U)
        expect.close((pe**2).sum(axis=1), Bounded(np.full(n, d / 2), error), "the sum of the squares of row")


@check("sinusoidal_pe", given=tables, count=4)
def dot_products_depend_on_the_offset_only(sinusoidal_pe: Callee, table: Table) -> None:
    """The dot product of two positions is the same wherever they are, as long as they are as far apart.

    Kept: names the law for which the encoding was chosen.
    """
    pe = encoded(sinusoidal_pe, table.n + 2, table.d)
    gram, error = pe @ pe.T, oracle.sinusoidal_pe(table.n + 2, table.d).error.sum(axis=1)
    for offset in range(table.n + 2):
        products = np.diagonal(gram, offset)
        bound = 4 * np.full(len(products), error.max()) + 2 * sum_error(table.d, table.d, oracle.U)
        expect.agree(products, np.full(len(products), products[0]), bound, f"at offset {offset}, the dot product")


@check("sinusoidal_pe", given=tables, count=4)
def more_positions_change_nothing(sinusoidal_pe: Callee, table: Table) -> None:
    """A position has the same row however many positions follow it.

    Kept: names positions that were scaled by their number.
    """
    pe = encoded(sinusoidal_pe, table.n, table.d)
    for n in (1, table.n - 1, table.n + 40):
        common = min(n, table.n)
        error = 2 * oracle.sinusoidal_pe(common, table.d).error
        expect.agree(encoded(sinusoidal_pe, n, table.d)[:common], pe[:common], error, "the entry")


@check("sinusoidal_pe", given=tables, count=4)
def pe_is_right(sinusoidal_pe: Callee, table: Table) -> None:
    """Column 2i holds sin(p ω_i) and column 2i+1 cos(p ω_i), with ω_i = 10000^(-2i/d), to rounding.

    Tried with thousands of positions and hundreds of columns as well, so that no table of a fixed size gets through.
    """
    for n, d in (*table.shapes(), (150, table.d), (5100, 2), (5100, 4), (60, 300)):
        expect.close(encoded(sinusoidal_pe, n, d), oracle.sinusoidal_pe(n, d), "the entry")


@check("sinusoidal_pe", given=tables, count=2)
def encodings_are_fresh_arrays(sinusoidal_pe: Callee, table: Table) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    for n, d in table.shapes():
        sizes = (n, d), (n + 1, d + 2)
        expected = [oracle.sinusoidal_pe(*size) for size in sizes]
        expect.answered(sinusoidal_pe, [(size, {}) for size in sizes], expected, "the entry")


# --- shift_matrix and offset_similarity ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Offset:
    """Two encodings ``k`` positions apart, of ``waves`` waves."""

    k: int
    waves: int

    @property
    def size(self) -> int:
        """How large the example is, for the order of examples."""
        return self.k * self.waves

    @property
    def d(self) -> int:
        """The number of columns."""
        return 2 * self.waves

    def offsets(self) -> Iterator[tuple[int, int]]:
        """``(k, d)`` for offsets of both signs, 0 and 1, by several waves and by one."""
        for d in (self.d, 2):
            for k in (0, 1, -1, self.k, -self.k):
                yield k, d


offsets = st.builds(Offset, st.integers(2, 9), st.integers(2, 6))


def shifted(shift_matrix: Callee, k: int, d: int) -> Array:
    """The submission's matrix, with shape and type checked."""
    return expect.array(shift_matrix(k, d), (d, d))


@check("shift_matrix", given=offsets, count=3)
def shift_matrix_is_square(shift_matrix: Callee, case: Offset) -> None:
    """The shift matrix is a float64 array with d rows and d columns, for offsets forwards, backwards and of 0.

    Kept: says that shape or type is wrong before any entry is compared.
    """
    for k, d in case.offsets():
        shifted(shift_matrix, k, d)


@check("shift_matrix", given=offsets, count=3)
def no_shift_is_the_identity(shift_matrix: Callee, case: Offset) -> None:
    """A shift by 0 positions is the identity matrix.

    Kept: the first case to try, with no angle in it.
    """
    for d in (case.d, 2):
        expect.close(shifted(shift_matrix, 0, d), Bounded(np.eye(d), oracle.shift_matrix(0, d).error), "the entry")


@check("shift_matrix", given=offsets, count=2)
def shift_keeps_lengths(shift_matrix: Callee, case: Offset) -> None:
    """The shift matrix only turns: multiplied by its transpose it is the identity matrix.

    Kept: names a matrix that is no rotation.
    """
    for k, d in case.offsets():
        matrix = shifted(shift_matrix, k, d)
        error = 4 * d * oracle.rounding(k) + sum_error(d, d, oracle.U)
        expect.close(matrix @ matrix.T, Bounded(np.eye(d), np.full((d, d), error)), "matrix times transpose: the entry")


@check("shift_matrix", given=offsets, count=3)
def shifts_add_up(shift_matrix: Callee, case: Offset) -> None:
    """A shift by j after a shift by k is a shift by j + k; there and back again is no shift.

    Kept: names the law that a dropped sign of k breaks.
    """
    for j, k in ((1, case.k), (case.k, -1), (-case.k, case.k), (case.k, case.k)):
        first, second = shifted(shift_matrix, k, case.d), shifted(shift_matrix, j, case.d)
        total = shifted(shift_matrix, j + k, case.d)
        rounding = 2 * case.d * (oracle.rounding(j) + oracle.rounding(k)) + oracle.rounding(j + k)
        error = np.full(total.shape, rounding + sum_error(case.d, case.d, oracle.U))
        expect.agree(second @ first, total, error, f"after shifts by {k} and {j}, the entry")


@check("shift_matrix", given=offsets, count=2)
def shift_moves_every_position(shift_matrix: Callee, case: Offset) -> None:
    """The matrix times the encoding of position p is the encoding of position p + k, for every p.

    Kept: the definition itself, which says in which direction a wrong matrix turns.
    """
    for k, d in case.offsets():
        matrix = shifted(shift_matrix, k, d)
        for p in (*range(max(0, -k), max(0, -k) + 4), 100):
            before, after = oracle.encoding(p, d), oracle.encoding(p + k, d)
            rounding = 2 * d * (oracle.rounding(k) + oracle.rounding(p)) + sum_error(d, d, oracle.U)
            expect.close(
                matrix @ before.value, Bounded(after.value, after.error + rounding), f"from position {p}: the entry"
            )


@check("shift_matrix", given=offsets, count=3)
def shift_matrix_is_right(shift_matrix: Callee, case: Offset) -> None:
    """Each pair of columns is turned by k times its own frequency, and nothing is mixed between pairs.

    Tried with offsets of thousands of positions in both directions, and with forty columns, as well.

    Kept: shows the wrong entry, and the offsets that are far.
    """
    for k, d in (*case.offsets(), (FAR, case.d), (-FAR, case.d), (FAR, 40)):
        expect.close(shifted(shift_matrix, k, d), oracle.shift_matrix(k, d), "the entry")


@check("shift_matrix", given=offsets, count=2)
def shift_matrices_are_fresh_arrays(shift_matrix: Callee, case: Offset) -> None:
    """Each call is answered by itself: a later one does not change what an earlier one returned."""
    for k, d in case.offsets():
        expected = [oracle.shift_matrix(offset, d) for offset in (k, k + 1)]
        expect.answered(shift_matrix, [((k, d), {}), ((k + 1, d), {})], expected, "the entry")


def number(value: object) -> float:
    """A single number: a Python float or NumPy's float64, which is one too; an int is as good where it is exact."""
    if isinstance(value, Scalar) and value.dtype == "float64":
        return float(value.value)
    if isinstance(value, float):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_EXACT:
        return float(value)
    raise Violation(expect.not_a("a float", value), value, "a float", about_form=True)


def expect_similarity(got: float, expected: float, error: float, k: int) -> None:
    """The similarity at offset k within its bound; NaN never is."""
    expect.true(abs(got - expected) <= error, f"at offset {k} it is {got:.6g}, not {expected:.6g}", got, expected)


@check("offset_similarity", given=offsets, count=4)
def similarity_is_a_float(offset_similarity: Callee, case: Offset) -> None:
    """The similarity is a single float, for offsets forwards, backwards and of 0.

    Kept: says that the type is wrong before any value is compared.
    """
    for k, d in case.offsets():
        number(offset_similarity(k, d))


@check("offset_similarity", given=offsets, count=4)
def similarity_to_itself_is_half_the_width(offset_similarity: Callee, case: Offset) -> None:
    """At offset 0 the similarity is d / 2: sine and cosine squared of each wave add up to 1.

    Kept: names a sum over too many or too few waves, and an average.
    """
    for d in (case.d, 2):
        expect_similarity(number(offset_similarity(0, d)), d / 2, oracle.offset_similarity(0, d)[1], 0)


@check("offset_similarity", given=offsets, count=4)
def similarity_is_the_same_both_ways(offset_similarity: Callee, case: Offset) -> None:
    """Forwards and backwards the similarity is the same.

    Kept: names a sign that the cosine should have swallowed.
    """
    for d in (case.d, 2):
        for k in (1, case.k):
            forwards, backwards = number(offset_similarity(k, d)), number(offset_similarity(-k, d))
            expect_similarity(backwards, forwards, 2 * oracle.offset_similarity(k, d)[1], -k)


@check("offset_similarity", given=offsets, count=4)
def similarity_is_the_dot_product(offset_similarity: Callee, case: Offset) -> None:
    """The similarity is the dot product of the encodings of p and p + k, whatever p is.

    Kept: says what the sum of cosines is for.
    """
    for k, d in case.offsets():
        got = number(offset_similarity(k, d))
        for p in (max(0, -k), 7 + max(0, -k)):
            here, there = oracle.encoding(p, d).value, oracle.encoding(p + k, d).value
            expect_similarity(got, float(here @ there), 2 * oracle.offset_similarity(k, d)[1], k)


@check("offset_similarity", given=offsets, count=4)
def similarity_is_right(offset_similarity: Callee, case: Offset) -> None:
    """The similarity is the sum of cos(k ω_i) over the d / 2 waves, to rounding.

    Tried with offsets of thousands of positions in both directions, and with forty columns, as well.

    Kept: the definition itself, for what breaks no law of its own.
    """
    for k, d in (*case.offsets(), (FAR, case.d), (-FAR, case.d), (FAR, 40)):
        expect_similarity(number(offset_similarity(k, d)), *oracle.offset_similarity(k, d), k)
