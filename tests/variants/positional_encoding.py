"""Right solutions of the lesson ``positional_encoding`` in many styles, careful and careless."""

import cmath
import itertools
import math
import random
import warnings
from functools import cache, reduce

import numpy as np

from tests.variants import variant


class OddWidth(ValueError):
    """An error of the student's own."""


# --- sinusoidal_pe ---------------------------------------------------------------------------------------------------


@variant("sinusoidal_pe")
def sinusoidal_pe_loops(n, d):
    if d % 2 == 1:
        raise ValueError(f"{d} is odd")
    pe = np.zeros((n, d))
    for p in range(n):
        for i in range(d // 2):
            pe[p, 2 * i] = math.sin(p / 10000 ** (2 * i / d))
            pe[p, 2 * i + 1] = math.cos(p / 10000 ** (2 * i / d))
    return pe


@variant("sinusoidal_pe")
def sinusoidal_pe_exponential_of_a_logarithm(n, d):
    if d % 2 != 0:
        raise ValueError("d")
    pe = np.zeros((n, d))
    speeds = np.exp(np.arange(0, d, 2) * -(np.log(10000.0) / d))
    pe[:, 0::2] = np.sin(np.arange(n)[:, np.newaxis] * speeds)
    pe[:, 1::2] = np.cos(np.arange(n)[:, np.newaxis] * speeds)
    return pe


@variant("sinusoidal_pe")
def sinusoidal_pe_outer_and_stack(n, d):
    if d & 1:
        raise OddWidth(d)
    angles = np.outer(np.arange(n), 1 / np.power(10000, np.arange(0, d, 2) / d))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape((n, d))


@variant("sinusoidal_pe")
def sinusoidal_pe_where(n, d):
    if d // 2 * 2 != d:
        raise ValueError()
    p, j = np.indices((n, d))
    angles = p / 10000.0 ** ((j - j % 2) / d)
    return np.where(j % 2 == 0, np.sin(angles), np.cos(angles))


@variant("sinusoidal_pe")
def sinusoidal_pe_sines_with_a_quarter_turn(n, d):
    if d % 2:
        raise ValueError("pairs, please")
    columns = np.arange(d)
    return np.sin(np.arange(n)[:, None] * 10000.0 ** (-2 * (columns // 2) / d) + np.pi / 2 * (columns % 2))


@variant("sinusoidal_pe")
def sinusoidal_pe_complex_exponentials(n, d):
    """The result is a view of complex numbers."""
    if d % 2:
        raise ValueError
    angles = np.arange(n)[:, None] * np.logspace(0, -4 + 8 / d, d // 2) if d > 2 else np.arange(n)[:, None] * 1.0
    pairs = 1j * np.exp(-1j * angles)  # sin + i cos
    return pairs.view(np.float64)


@variant("sinusoidal_pe")
def sinusoidal_pe_turned_step_by_step(n, d):
    """Each row is the row before, turned."""
    if d % 2:
        raise ValueError("odd")
    turns = [cmath.exp(-1j * 10000 ** (-2 * i / d)) for i in range(d // 2)]
    rows, row = [], [1j] * (d // 2)
    for _ in range(n):
        rows.append([part for z in row for part in (z.real, z.imag)])
        row = [z * turn for z, turn in zip(row, turns, strict=True)]
    return np.array(rows, dtype=float).reshape(n, d)


@variant("sinusoidal_pe")
def sinusoidal_pe_running_product_of_speeds(n, d):
    if d % 2:
        raise ValueError("odd")
    ratio = 10000.0 ** (-2 / d)
    speeds = list(itertools.accumulate([1.0] + [ratio] * (d // 2 - 1), lambda a, b: a * b))
    return np.array([[f(p * w) for w in speeds for f in (math.sin, math.cos)] for p in range(n)]).reshape(n, d)


@variant("sinusoidal_pe")
def sinusoidal_pe_columns_transposed(n, d):
    """A view with its memory in another order."""
    if d % 2:
        raise ValueError("odd")
    columns = []
    for i in range(d // 2):
        angle = np.linspace(0, max(n - 1, 0), n) * 10000 ** (-(i + i) / d)
        columns += [np.sin(angle), np.cos(angle)]
    return np.array(columns).T


@variant("sinusoidal_pe")
def sinusoidal_pe_long_double_inside(n, d):
    if d % 2:
        raise ValueError("odd")
    speeds = np.longdouble(10000) ** (-np.arange(0, d, 2, dtype=np.longdouble) / d)
    angles = np.arange(n, dtype=np.longdouble)[:, None] * speeds
    return np.dstack([np.sin(angles), np.cos(angles)]).reshape(n, d).astype(np.float64)


@variant("sinusoidal_pe")
def sinusoidal_pe_half_angles(n, d):
    if d % 2:
        raise ValueError("odd")
    half = np.arange(n)[:, None] * 100.0 ** (-np.arange(0, 2 * d, 4) / d) / 2
    pe = np.empty((n, d))
    pe[:, ::2] = 2 * np.sin(half) * np.cos(half)
    pe[:, 1::2] = 1 - 2 * np.sin(half) ** 2
    return pe


@cache
def _table(n, d):
    table = sinusoidal_pe_outer_and_stack(n, d)
    table.flags.writeable = False
    return table


@variant("sinusoidal_pe")
def sinusoidal_pe_cached(n, d):
    """The same read-only array each time."""
    return _table(n, d)


@variant("sinusoidal_pe")
def sinusoidal_pe_from_shift_matrices(n, d):
    if d % 2:
        raise ValueError("odd")
    start = np.tile([0.0, 1.0], d // 2)
    return np.array([shift_matrix_blocks(p, d) @ start for p in range(n)]).reshape(n, d)


@variant("sinusoidal_pe")
def sinusoidal_pe_careless(n: int, d: int, base: float = 1e4, verbose: bool = True) -> np.ndarray:
    warnings.warn("encoding", DeprecationWarning, stacklevel=1)
    np.random.seed(n)
    random.seed(d)
    if verbose:
        print(f"{n} positions, {d} columns")
    if int(d) % 2 == 1:
        raise OddWidth("only an even number of columns makes sense")
    return np.concatenate(
        [
            np.stack((np.sin(np.arange(n) / base ** (j / d)), np.cos(np.arange(n) / base ** (j / d))), -1)
            for j in range(0, d, 2)
        ],
        axis=-1,
    )


@variant("sinusoidal_pe")
def sinusoidal_pe_adding_the_angles_up(n, d):
    """Each position's angles are those of the one before and one step more."""
    if d % 2:
        raise ValueError("odd")
    step = 10000.0 ** (-np.arange(0, d, 2) / d)
    angle, rows = np.zeros(d // 2), np.zeros((n, d))
    for row in rows:
        row[0::2], row[1::2] = np.sin(angle), np.cos(angle)
        angle = angle + step
    return rows


# --- shift_matrix ----------------------------------------------------------------------------------------------------


@variant("shift_matrix")
def shift_matrix_blocks(k, d):
    matrix = np.zeros((d, d))
    for i in range(0, d, 2):
        c, s = math.cos(k / 10000 ** (i / d)), math.sin(k / 10000 ** (i / d))
        matrix[i : i + 2, i : i + 2] = [[c, s], [-s, c]]
    return matrix


@variant("shift_matrix")
def shift_matrix_diagonals(k, d):
    angles = k * np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    sines = np.zeros(d - 1)
    sines[::2] = np.sin(angles)
    return np.diag(np.repeat(np.cos(angles), 2)) + np.diag(sines, 1) - np.diag(sines, -1)


@variant("shift_matrix")
def shift_matrix_kronecker(k, d):
    angles = k * 10000.0 ** (-2 * np.arange(d // 2) / d)
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    return np.kron(np.diag(np.cos(angles)), np.eye(2)) + np.kron(np.diag(np.sin(angles)), turn)


@variant("shift_matrix")
def shift_matrix_power_of_one_step(k, d):
    step = shift_matrix_blocks(1 if k >= 0 else -1, d)
    return np.linalg.matrix_power(step, abs(k))


@variant("shift_matrix")
def shift_matrix_inverse_of_the_way_back(k, d):
    if k < 0:
        return np.linalg.inv(shift_matrix_blocks(-k, d))
    return shift_matrix_blocks(k, d)


@variant("shift_matrix")
def shift_matrix_step_by_step(k, d):
    step = shift_matrix_blocks(1, d) if k > 0 else shift_matrix_blocks(1, d).T
    return reduce(np.matmul, [step] * abs(k), np.eye(d))


@variant("shift_matrix")
def shift_matrix_entry_by_entry(k, d):
    def entry(row, column):
        if row // 2 != column // 2:
            return 0.0
        angle = k * 10000 ** (-2 * (row // 2) / d)
        return math.cos(angle) if row == column else math.copysign(1, column - row) * math.sin(angle)

    return np.array([[entry(row, column) for column in range(d)] for row in range(d)])


@variant("shift_matrix")
def shift_matrix_from_two_positions(k, d):
    """Solved pair by pair from where two positions go."""
    matrix = np.zeros((d, d))
    for i in range(d // 2):
        angles = np.arange(2) * np.pi / 2  # two positions a quarter turn apart
        before = np.array([np.sin(angles), np.cos(angles)])
        after = np.array([np.sin(angles + k * 1e4 ** (-2 * i / d)), np.cos(angles + k * 1e4 ** (-2 * i / d))])
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = after @ np.linalg.inv(before)
    return matrix


@variant("shift_matrix")
def shift_matrix_complex(k, d):
    z = np.exp(1j * k * 10000.0 ** (-np.arange(0, d, 2) / d))
    matrix = np.zeros((d // 2, 2, d // 2, 2))
    i = np.arange(d // 2)
    matrix[i, 0, i, 0] = matrix[i, 1, i, 1] = z.real
    matrix[i, 0, i, 1], matrix[i, 1, i, 0] = z.imag, -z.imag
    return matrix.reshape(d, d)


@variant("shift_matrix")
def shift_matrix_transposed_view(k, d):
    return shift_matrix_kronecker(-k, d).T


@variant("shift_matrix")
def shift_matrix_careless(k: int, d: int, base=10_000, debug=True):
    warnings.warn("shifting", RuntimeWarning, stacklevel=1)
    m = np.zeros((d, d))
    for i in range(0, d, 2):
        theta = float(k) * float(base) ** (-float(i) / float(d))
        m[i][i] = np.cos(theta)
        m[i][i + 1] = np.cos(np.pi / 2 - theta)
        m[i + 1][i] = -m[i][i + 1]
        m[i + 1][i + 1] = m[i][i]
    if debug:
        print(m)
    return m


# --- offset_similarity -----------------------------------------------------------------------------------------------


@variant("offset_similarity")
def offset_similarity_python_sum(k, d):
    return sum(math.cos(k * 10000 ** (-2 * i / d)) for i in range(d // 2))


@variant("offset_similarity")
def offset_similarity_numpy_scalar(k, d):
    """NumPy's float64 is a float."""
    return np.cos(k / 10000 ** (np.arange(0, d, 2) / d)).sum()


@variant("offset_similarity")
def offset_similarity_whole_number_at_zero(k, d):
    """An int at offset 0."""
    return d // 2 if k == 0 else math.fsum(math.cos(k / 10000 ** (i / d)) for i in range(0, d, 2))


@variant("offset_similarity")
def offset_similarity_dot_product_of_encodings(k, d):
    pe = sinusoidal_pe_where(abs(k) + 1, d)
    return float(pe[0] @ pe[abs(k)])


@variant("offset_similarity")
def offset_similarity_dot_product_farther_out(k, d):
    pe = sinusoidal_pe_exponential_of_a_logarithm(100 + abs(k), d)
    return float(np.dot(pe[99], pe[99 + abs(k)]))


@variant("offset_similarity")
def offset_similarity_dot_product_turned_step_by_step(k, d):
    pe = sinusoidal_pe_turned_step_by_step(abs(k) + 1, d)
    return float(np.inner(pe[-1], pe[0]))


@variant("offset_similarity")
def offset_similarity_trace(k, d):
    return float(np.trace(shift_matrix_blocks(k, d)) / 2)


@variant("offset_similarity")
def offset_similarity_moved_by_a_matrix(k, d):
    start = np.tile([0.0, 1.0], d // 2)
    return float(start @ shift_matrix_power_of_one_step(k, d) @ start)


@variant("offset_similarity")
def offset_similarity_mean_times_number(k, d):
    return float(np.mean(np.cos(k * np.exp(np.arange(d // 2) * (-2 * math.log(10000) / d)))) * d / 2)


@variant("offset_similarity")
def offset_similarity_real_part(k, d):
    return float(np.exp(1j * k * 10000.0 ** (-np.arange(0, d, 2) / d)).sum().real)


@variant("offset_similarity")
def offset_similarity_from_a_distance(k, d):
    """Half of what the squared distance leaves of the squared lengths."""
    angles = abs(k) * 10000.0 ** (-np.arange(0, d, 2) / d)
    return float(d / 2 - np.sum(2 * np.sin(angles / 2) ** 2))


@variant("offset_similarity")
def offset_similarity_reversed_sum(k, d):
    total = 0.0
    for i in reversed(range(d // 2)):
        total += np.cos(-k * 10000.0 ** (-2 * i / d))
    return total


@variant("offset_similarity")
def offset_similarity_careless(k: int, d: int, verbose: bool = True) -> float:
    np.seterr(all="ignore")
    value = np.einsum("i->", np.cos(np.float64(k) * 10000.0 ** np.linspace(0, -1, d // 2, endpoint=False)))
    if verbose:
        print("similarity", value)
    return value.item()
