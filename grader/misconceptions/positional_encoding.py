"""Wrong solutions of the lesson ``positional_encoding``."""

# NumPy types the arithmetic of arrays of any dtype as Any.
# mypy: disable-error-code="no-any-return"

from functools import cache

import numpy as np

from grader.bounds import Array
from grader.misconceptions import misconception

LONGEST = 5000
"""Positions for which a table made in advance has room."""
WIDEST = 64
"""Columns for which a memory shared by all tables has room."""


@cache
def _buffer(shape: tuple[int, ...]) -> Array:
    """One array for each shape, handed out again and again."""
    return np.empty(shape)


def _speeds(d: int, base: float = 10000.0) -> Array:
    """The right frequencies, fastest first."""
    return base ** (-np.arange(0, d, 2) / d)


def _even(d: int) -> None:
    if d % 2:
        raise ValueError(f"d must be even, and it is {d}")


# --- sinusoidal_pe ---------------------------------------------------------------------------------------------------


def _waves(positions: Array, speeds: Array) -> Array:
    """The right encoding of these positions by these hands."""
    angles = positions[:, None] * speeds
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), 2 * len(speeds))


def _encoding(n: int, d: int) -> Array:
    """The right encoding."""
    _even(d)
    return _waves(np.arange(n), _speeds(d))


@misconception("sinusoidal_pe", family="pe-no-odd-check")
def sinusoidal_pe_pe_no_odd_check(n: int, d: int) -> Array:
    """An odd number of columns is accepted, and the last sine stays without its cosine.

    Next: raise a ValueError before anything is computed when d cannot be divided into pairs.
    """
    columns = np.arange(d)
    angles = np.arange(n)[:, None] * 10000.0 ** (-2 * (columns // 2) / d)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


@misconception("sinusoidal_pe", family="pe-no-odd-check")
def sinusoidal_pe_odd_width_fails_by_accident(n: int, d: int) -> Array:
    """Not every odd number of columns is refused with a ValueError: a single column gets through.

    Next: raise a ValueError before anything is computed when d cannot be divided into pairs.
    """
    angles = np.arange(n)[:, None] * _speeds(d)
    pe = np.empty((n, d))
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe


@misconception("sinusoidal_pe", family="pe-no-odd-check")
def sinusoidal_pe_odd_width_fills_up(n: int, d: int) -> Array:
    """An odd number of columns only fails where NumPy cannot fit the sines in, so three columns get through.

    Next: raise a ValueError before anything is computed when d cannot be divided into pairs.
    """
    angles = np.arange(n)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
    pe = np.zeros((n, d))
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe


@misconception("sinusoidal_pe", family="pe-no-odd-check")
def sinusoidal_pe_odd_width_loses_a_column(n: int, d: int) -> Array:
    """An odd number of columns is accepted, and one column fewer is returned.

    Next: raise a ValueError before anything is computed when d cannot be divided into pairs.
    """
    return _waves(np.arange(n), 10000.0 ** (-2 * np.arange(d // 2) / d)).reshape(n, d - d % 2)


@misconception("sinusoidal_pe")
def sinusoidal_pe_pe_positions_from_one(n: int, d: int) -> Array:
    """The first row belongs to position 1 instead of 0.

    Next: positions start at 0, where every sine is 0 and every cosine is 1.
    """
    return _encoding(n + 1, d)[1:]


@misconception("sinusoidal_pe")
def sinusoidal_pe_pe_halves_not_interleaved(n: int, d: int) -> Array:
    """All sines stand in the left half and all cosines in the right half.

    Next: each sine has its own cosine beside it; even columns are sines, odd ones cosines.
    """
    pe = _encoding(n, d)
    return np.concatenate([pe[:, 0::2], pe[:, 1::2]], axis=1)


@misconception("sinusoidal_pe")
def sinusoidal_pe_pe_sin_cos_swapped(n: int, d: int) -> Array:
    """The cosines stand in the even columns and the sines in the odd ones.

    Next: column 0 is a sine; the row of position 0 reads 0, 1, 0, 1.
    """
    pe = _encoding(n, d)
    return pe.reshape(n, d // 2, 2)[..., ::-1].reshape(n, d)


@misconception("sinusoidal_pe")
def sinusoidal_pe_pe_exponent_2i_on_even_i(n: int, d: int) -> Array:
    """The index of the column, which is 2i already, is doubled once more, so the hands slow down twice as fast.

    Next: see whether your i counts pairs or columns; the exponent holds 2i for pair i.
    """
    _even(d)
    return _waves(np.arange(n), _speeds(d) ** 2)


@misconception("sinusoidal_pe")
def sinusoidal_pe_exponent_without_the_two(n: int, d: int) -> Array:
    """The exponent holds i instead of 2i, so the hands slow down only half as far.

    Next: the exponent goes from 0 almost to 1 over the pairs of columns.
    """
    _even(d)
    return _waves(np.arange(n), np.sqrt(_speeds(d)))


@misconception("sinusoidal_pe")
def sinusoidal_pe_pe_cosine_has_its_own_frequency(n: int, d: int) -> Array:
    """Every column has a frequency of its own, so a cosine is not as fast as the sine beside it.

    Next: the two columns of a pair share one frequency.
    """
    _even(d)
    columns = np.arange(d)
    angles = np.arange(n)[:, None] * 10000.0 ** (-columns / d)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


@misconception("sinusoidal_pe")
def sinusoidal_pe_base_1000(n: int, d: int) -> Array:
    """The base of the frequencies is 1,000 instead of 10,000.

    Next: count the zeros.
    """
    _even(d)
    return _waves(np.arange(n), _speeds(d, 1000.0))


@misconception("sinusoidal_pe")
def sinusoidal_pe_waves_speed_up(n: int, d: int) -> Array:
    """The exponent has the wrong sign, so the hands speed up from pair to pair instead of slowing down.

    Next: the position is divided by a power of 10,000, or multiplied with a negative power.
    """
    _even(d)
    return _waves(np.arange(n), 1 / _speeds(d))


@misconception("sinusoidal_pe")
def sinusoidal_pe_slowest_wave_first(n: int, d: int) -> Array:
    """The hands run from slow to fast instead of from fast to slow.

    Next: the first pair has frequency 1.
    """
    _even(d)
    return _waves(np.arange(n), _speeds(d)[::-1])


@misconception("sinusoidal_pe")
def sinusoidal_pe_last_wave_at_the_base(n: int, d: int) -> Array:
    """The frequencies are spread so that the last one is exactly 1/10,000; here the last one stays a little above.

    Next: the exponent is divided by d, not by what is left after the first pair.
    """
    _even(d)
    pairs = np.arange(d // 2)
    return _waves(np.arange(n), 10000.0 ** (-pairs / max(1, d // 2 - 1)))


@misconception("sinusoidal_pe")
def sinusoidal_pe_integer_division(n: int, d: int) -> Array:
    """The exponent is divided with ``//``, so it is 0 in every pair and all the hands are equally fast.

    Next: print the frequencies; they should fall from 1 almost to 1/10,000.
    """
    _even(d)
    return _waves(np.arange(n), 10000.0 ** -(np.arange(0, d, 2) // d))


@misconception("sinusoidal_pe")
def sinusoidal_pe_sines_only(n: int, d: int) -> Array:
    """Every column is a sine, so two positions can look alike in a pair.

    Next: the odd columns are cosines of the same angle.
    """
    _even(d)
    return np.sin(np.arange(n)[:, None] * np.repeat(_speeds(d), 2))


@misconception("sinusoidal_pe")
def sinusoidal_pe_angles_in_degrees(n: int, d: int) -> Array:
    """The angles are taken for degrees, so all hands are far too slow.

    Next: sine and cosine take radians, and the angle in the formula is one already.
    """
    _even(d)
    return _waves(np.arange(n), np.deg2rad(_speeds(d)))


@misconception("sinusoidal_pe")
def sinusoidal_pe_positions_scaled_by_their_number(n: int, d: int) -> Array:
    """The position is divided by the number of positions, so the same place gets another row in a longer text.

    Next: use the position as it is: 0, 1, 2 and so on.
    """
    _even(d)
    return _waves(np.arange(n) / max(n, 1), _speeds(d))


@misconception("sinusoidal_pe")
def sinusoidal_pe_rows_of_length_one(n: int, d: int) -> Array:
    """Each row is divided by its length.

    Next: leave sines and cosines as they are.
    """
    return _encoding(n, d) / np.sqrt(d / 2)


@misconception("sinusoidal_pe")
def sinusoidal_pe_whole_numbers(n: int, d: int) -> Array:
    """The table was made for whole numbers, so everything between -1 and 1 is cut down to 0.

    Next: make an empty table of floats.
    """
    return _encoding(n, d).astype(np.int64)


@misconception("sinusoidal_pe")
def sinusoidal_pe_single_precision(n: int, d: int) -> Array:
    """The table holds float32, so only about seven digits are right.

    Next: leave NumPy's own float64.
    """
    return _encoding(n, d).astype(np.float32)


@misconception("sinusoidal_pe")
def sinusoidal_pe_single_precision_inside(n: int, d: int) -> Array:
    """The angles are computed in float32, so only about seven digits are right although the table holds float64.

    Next: leave NumPy's own float64 from the start.
    """
    _even(d)
    return _waves(np.arange(n, dtype=np.float32), _speeds(d).astype(np.float32)).astype(np.float64)


@misconception("sinusoidal_pe")
def sinusoidal_pe_transposed(n: int, d: int) -> Array:
    """Positions are columns and features are rows.

    Next: tokens are on axis -2 and features on axis -1.
    """
    return _encoding(n, d).T


@misconception("sinusoidal_pe")
def sinusoidal_pe_batch_axis(n: int, d: int) -> Array:
    """The encoding has a batch axis of length 1 in front.

    Next: leave the axis out; an array with two axes broadcasts over any batch.
    """
    return _encoding(n, d)[None]


@misconception("sinusoidal_pe")
def sinusoidal_pe_nested_lists(n: int, d: int) -> list[list[float]]:
    """The encoding is a list of lists, not an array: it has no shape and no columns to take out.

    Next: return a NumPy array.
    """
    return _encoding(n, d).tolist()


@misconception("sinusoidal_pe")
def sinusoidal_pe_no_positions_no_columns(n: int, d: int) -> Array:
    """Without any position the columns are lost too: the shape is (0,) instead of (0, d).

    Next: make the table in its final shape first, then fill in the rows.
    """
    _even(d)
    return np.array([_waves(np.array([p]), _speeds(d))[0] for p in range(n)])


@misconception("sinusoidal_pe")
def sinusoidal_pe_table_too_short(n: int, d: int) -> Array:
    """The rows are cut from a table of fixed size, so there are not enough of them for a longer text.

    Next: make as many rows as are asked for.
    """
    return _encoding(min(n, LONGEST), d)


@misconception("sinusoidal_pe")
def sinusoidal_pe_shared_buffer(n: int, d: int) -> Array:
    """Every call writes its table into the same memory, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    pe = _encoding(n, d)
    if n * d > LONGEST * WIDEST:
        return pe
    shared = _buffer((LONGEST * WIDEST,))[: n * d].reshape(n, d)
    shared[...] = pe
    return shared


# --- shift_matrix ----------------------------------------------------------------------------------------------------


def _turns(angles: Array) -> Array:
    """A matrix that turns each pair of columns by its own angle, in the right direction."""
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        sine, cosine = np.sin(angle), np.cos(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


@misconception("shift_matrix")
def shift_matrix_shift_wrong_direction(k: int, d: int) -> Array:
    """The minus sign stands at the wrong sine, so the encoding moves back by k instead of forward.

    Next: write out sin(a + b) and cos(a + b), with the sine in the first row of the pair.
    """
    return _turns(-k * _speeds(d))


@misconception("shift_matrix")
def shift_matrix_pe_exponent_2i_on_even_i(k: int, d: int) -> Array:
    """The index of the column, which is 2i already, is doubled once more, so the pairs turn too slowly.

    Next: see whether your i counts pairs or columns; use the frequencies of the encoding.
    """
    return _turns(k * _speeds(d) ** 2)


@misconception("shift_matrix")
def shift_matrix_exponent_without_the_two(k: int, d: int) -> Array:
    """The exponent holds i instead of 2i, so the pairs turn too fast.

    Next: use the frequencies of the encoding.
    """
    return _turns(k * np.sqrt(_speeds(d)))


@misconception("shift_matrix")
def shift_matrix_base_1000(k: int, d: int) -> Array:
    """The base of the frequencies is 1,000 instead of 10,000.

    Next: count the zeros.
    """
    return _turns(k * _speeds(d, 1000.0))


@misconception("shift_matrix")
def shift_matrix_waves_speed_up(k: int, d: int) -> Array:
    """The exponent has the wrong sign, so the later pairs turn faster instead of more slowly.

    Next: use the frequencies of the encoding.
    """
    return _turns(k / _speeds(d))


@misconception("shift_matrix")
def shift_matrix_integer_division(k: int, d: int) -> Array:
    """The offset is divided by the power of 10,000 with ``//``, so slow pairs do not turn at all.

    Next: an angle need not be a whole number.
    """
    return _turns(k // (1 / _speeds(d)))


@misconception("shift_matrix")
def shift_matrix_shift_one_frequency(k: int, d: int) -> Array:
    """Every pair is turned by the same angle, as if all hands were equally fast.

    Next: each pair turns by k times its own frequency.
    """
    return _turns(k * np.ones(d // 2))


@misconception("shift_matrix")
def shift_matrix_shift_halves_layout(k: int, d: int) -> Array:
    """The matrix is made for an encoding with all sines on the left and all cosines on the right.

    Next: the columns are interleaved, so each turn is a block of two rows and two columns on the diagonal.
    """
    angles = k * _speeds(d)
    cosines, sines = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[cosines, sines], [-sines, cosines]])


@misconception("shift_matrix")
def shift_matrix_ignores_the_sign(k: int, d: int) -> Array:
    """A shift backwards moves forwards, since only the size of k is used.

    Next: try k = 1 and k = -1: one must undo the other.
    """
    return _turns(abs(k) * _speeds(d))


@misconception("shift_matrix")
def shift_matrix_nothing_backwards(k: int, d: int) -> Array:
    """A shift backwards does nothing, as if there were no negative offsets.

    Next: try k = 1 and k = -1: one must undo the other.
    """
    return _turns(max(k, 0) * _speeds(d))


@misconception("shift_matrix")
def shift_matrix_one_step_only(k: int, d: int) -> Array:
    """The matrix moves by one position, whatever the offset.

    Next: the offset belongs into the angle.
    """
    return _turns(_speeds(d))


@misconception("shift_matrix")
def shift_matrix_one_step_too_far(k: int, d: int) -> Array:
    """The matrix moves by k + 1 positions.

    Next: a shift by 0 has to be the identity matrix.
    """
    return _turns((k + 1) * _speeds(d))


@misconception("shift_matrix")
def shift_matrix_reflection(k: int, d: int) -> Array:
    """Each pair is mirrored instead of turned: the minus sign stands at a cosine.

    Next: a shift by 0 has to be the identity matrix; write out sin(a + b) and cos(a + b).
    """
    return _turns(k * _speeds(d)) * np.tile([[1.0], [-1.0]], (d // 2, 1))


@misconception("shift_matrix")
def shift_matrix_no_minus(k: int, d: int) -> Array:
    """Both sines of a pair have a plus sign, so the matrix stretches instead of turning.

    Next: write out cos(a + b); one sign in it is a minus.
    """
    matrix = _turns(k * _speeds(d))
    odd = np.arange(1, d, 2)
    matrix[odd, odd - 1] *= -1
    return matrix


@misconception("shift_matrix")
def shift_matrix_sin_cos_swapped(k: int, d: int) -> Array:
    """Sine and cosine have changed places, so that a shift by 0 swaps the columns of each pair.

    Next: a shift by 0 has to be the identity matrix; see which of the two is 1 there.
    """
    return _turns(np.pi / 2 - k * _speeds(d))


@misconception("shift_matrix")
def shift_matrix_cosines_only(k: int, d: int) -> Array:
    """Only the diagonal is filled in.

    Next: write out sin(a + b): it needs the sine and the cosine of a.
    """
    return np.diag(np.repeat(np.cos(k * _speeds(d)), 2))


@misconception("shift_matrix")
def shift_matrix_first_pair_only(k: int, d: int) -> Array:
    """Only the first pair is turned, and all others are left as they are.

    Next: go on to the last pair; each has its own frequency.
    """
    matrix = np.eye(d)
    matrix[:2, :2] = _turns(k * _speeds(2))
    return matrix


@misconception("shift_matrix")
def shift_matrix_moves_columns(k: int, d: int) -> Array:
    """The matrix moves the columns of the encoding by k, instead of the position.

    Next: moving on by k positions turns each pair by an angle.
    """
    return np.roll(np.eye(d), k, axis=1)


@misconception("shift_matrix")
def shift_matrix_angles_in_degrees(k: int, d: int) -> Array:
    """The angles are taken for degrees, so all turns are far too small.

    Next: sine and cosine take radians, and the angle in the formula is one already.
    """
    return _turns(np.deg2rad(k * _speeds(d)))


@misconception("shift_matrix")
def shift_matrix_stack_of_blocks(k: int, d: int) -> Array:
    """The turns come as a stack of small matrices, one for each pair.

    Next: put the blocks on the diagonal of one matrix of d rows.
    """
    return np.array([_turns(np.array([angle])) for angle in k * _speeds(d)])


@misconception("shift_matrix")
def shift_matrix_whole_numbers(k: int, d: int) -> Array:
    """The matrix was made for whole numbers, so everything between -1 and 1 is cut down to 0.

    Next: make an empty matrix of floats.
    """
    return _turns(k * _speeds(d)).astype(np.int64)


@misconception("shift_matrix")
def shift_matrix_single_precision(k: int, d: int) -> Array:
    """The matrix holds float32, so only about seven digits are right.

    Next: leave NumPy's own float64.
    """
    return _turns(k * _speeds(d)).astype(np.float32)


@misconception("shift_matrix")
def shift_matrix_shared_buffer(k: int, d: int) -> Array:
    """Every call writes its matrix into the same memory, so a later call overwrites what an earlier one returned.

    Next: return a new array from each call.
    """
    shared = _buffer((d, d))
    shared[...] = _turns(k * _speeds(d))
    return shared


# --- offset_similarity -----------------------------------------------------------------------------------------------


def _similarity(k: int, speeds: Array) -> float:
    """The right sum over these hands."""
    return float(np.cos(k * speeds).sum())


@misconception("offset_similarity")
def offset_similarity_returns_array(k: int, d: int) -> Array:
    """An array with a cosine for each hand is returned instead of their sum.

    Next: a dot product is one number.
    """
    return np.cos(k * _speeds(d))


@misconception("offset_similarity")
def offset_similarity_array_of_one(k: int, d: int) -> Array:
    """The sum is returned inside an array of length 1.

    Next: take the number out of the array.
    """
    return np.array([_similarity(k, _speeds(d))])


@misconception("offset_similarity")
def offset_similarity_array_without_axes(k: int, d: int) -> Array:
    """The sum is returned inside an array without axes.

    Next: turn it into a float.
    """
    return np.array(_similarity(k, _speeds(d)))


@misconception("offset_similarity")
def offset_similarity_single_precision(k: int, d: int) -> np.float32:
    """The sum is a float32, so only about seven digits are right.

    Next: leave NumPy's own float64.
    """
    return np.float32(_similarity(k, _speeds(d)))


@misconception("offset_similarity")
def offset_similarity_similarity_uses_sine(k: int, d: int) -> float:
    """Sines are added up instead of cosines, so a position is unlike itself.

    Next: at offset 0 the similarity has to be largest.
    """
    return float(np.sin(k * _speeds(d)).sum())


@misconception("offset_similarity")
def offset_similarity_similarity_averaged(k: int, d: int) -> float:
    """The dot product is divided by the number of hands, as for the cosine of the angle between two encodings.

    Next: a dot product is a plain sum.
    """
    return float(np.cos(k * _speeds(d)).mean())


@misconception("offset_similarity")
def offset_similarity_similarity_counts_every_feature(k: int, d: int) -> float:
    """The cosine of each hand is counted twice, once for each of its two columns.

    Next: sin·sin + cos·cos of a pair make one cosine together, so there are d / 2 terms.
    """
    return 2 * _similarity(k, _speeds(d))


@misconception("offset_similarity")
def offset_similarity_scaled_like_attention(k: int, d: int) -> float:
    """The dot product is divided by the root of d, as the scores of attention are.

    Next: leave the scaling to attention.
    """
    return _similarity(k, _speeds(d)) / float(np.sqrt(d))


@misconception("offset_similarity")
def offset_similarity_pe_exponent_2i_on_even_i(k: int, d: int) -> float:
    """The index of the column, which is 2i already, is doubled once more, so the hands are too slow.

    Next: see whether your i counts pairs or columns; use the frequencies of the encoding.
    """
    return _similarity(k, _speeds(d) ** 2)


@misconception("offset_similarity")
def offset_similarity_exponent_without_the_two(k: int, d: int) -> float:
    """The exponent holds i instead of 2i, so the hands are too fast.

    Next: use the frequencies of the encoding.
    """
    return _similarity(k, np.sqrt(_speeds(d)))


@misconception("offset_similarity")
def offset_similarity_base_1000(k: int, d: int) -> float:
    """The base of the frequencies is 1,000 instead of 10,000.

    Next: count the zeros.
    """
    return _similarity(k, _speeds(d, 1000.0))


@misconception("offset_similarity")
def offset_similarity_waves_speed_up(k: int, d: int) -> float:
    """The exponent has the wrong sign, so the hands speed up from pair to pair instead of slowing down.

    Next: use the frequencies of the encoding.
    """
    return _similarity(k, 1 / _speeds(d))


@misconception("offset_similarity")
def offset_similarity_one_frequency(k: int, d: int) -> float:
    """All hands are taken to be as fast as the first one.

    Next: each pair of columns has its own frequency.
    """
    return _similarity(k, np.ones(d // 2))


@misconception("offset_similarity")
def offset_similarity_last_wave_missing(k: int, d: int) -> float:
    """The slowest hand is left out.

    Next: count the terms; there are d / 2 of them.
    """
    return _similarity(k, _speeds(d)[:-1])


@misconception("offset_similarity")
def offset_similarity_one_wave_too_many(k: int, d: int) -> float:
    """One hand more than there is in the encoding is added.

    Next: count the terms; there are d / 2 of them.
    """
    return _similarity(k, 10000.0 ** (-2 * np.arange(d // 2 + 1) / d))


@misconception("offset_similarity")
def offset_similarity_of_magnitudes(k: int, d: int) -> float:
    """The signs of the cosines are dropped, so hands that point in opposite directions count as alike.

    Next: a dot product can be negative.
    """
    return float(np.abs(np.cos(k * _speeds(d))).sum())


@misconception("offset_similarity")
def offset_similarity_one_position_off(k: int, d: int) -> float:
    """One of the two positions is off by one, so the offset is k - 1.

    Next: at offset 0 the similarity has to be largest.
    """
    return _similarity(k - 1, _speeds(d))


@misconception("offset_similarity")
def offset_similarity_distance(k: int, d: int) -> float:
    """The distance between the two encodings is returned, which is small where they are alike.

    Next: multiply the two encodings feature by feature and add up.
    """
    return float(np.sqrt(max(0.0, d - 2 * _similarity(k, _speeds(d)))))


@misconception("offset_similarity")
def offset_similarity_negative_index_wraps(k: int, d: int) -> float:
    """A negative offset is used as an index, which NumPy counts from the end of the table.

    Next: only the difference of the two positions matters; choose them so that both are in the table.
    """
    pe = _waves(np.arange(abs(k) + 1), _speeds(d))
    return float(pe[0] @ pe[k])


@misconception("offset_similarity")
def offset_similarity_fails_backwards(k: int, d: int) -> float:
    """A negative offset fails, as it does with a table of k + 1 rows, which is none at all.

    Next: only the difference of the two positions matters; choose them so that both are in the table.
    """
    pe = _waves(np.arange(k + 1), _speeds(d))
    return float(pe[0] @ pe[k])


@misconception("offset_similarity")
def offset_similarity_rounded(k: int, d: int) -> float:
    """The result is rounded to a few decimals.

    Next: round only what you print.
    """
    return round(_similarity(k, _speeds(d)), 6)
