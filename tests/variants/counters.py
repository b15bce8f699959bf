"""Right solutions of the lesson ``counters`` in many styles, careful and careless."""

import math
import operator
import warnings
from fractions import Fraction
from functools import cache, reduce
from itertools import pairwise

import numpy as np

from tests.variants import variant

# --- attention_params ------------------------------------------------------------------------------------------------


@variant("attention_params")
def attention_params_factored(d):
    return 4 * d * (d + 1)


@variant("attention_params")
def attention_params_expanded(d):
    return 4 * d**2 + 4 * d


@variant("attention_params")
def attention_params_by_name(d):
    shapes = {"w_q": (d, d), "w_k": (d, d), "w_v": (d, d), "w_o": (d, d)}
    shapes |= {name.replace("w", "b"): (d,) for name in shapes}
    return sum(math.prod(shape) for shape in shapes.values())


@variant("attention_params")
def attention_params_as_a_square(d):
    return (2 * d + 1) ** 2 - 1


@variant("attention_params")
def attention_params_with_shifts(d):
    return (d * d + d) << 2


@variant("attention_params")
def attention_params_adding_up(d):
    total = 0
    for _ in range(4):
        total += d * d
        total += d
    return total


@variant("attention_params")
def attention_params_careless(d: int, verbose=True, *, n_maps=4):
    warnings.warn("counting", UserWarning, stacklevel=1)
    if verbose:
        print("attention", d)
    return int(np.array([d], dtype=object).dot(np.array([d + 1], dtype=object)) * n_maps)


# --- feed_forward_params ---------------------------------------------------------------------------------------------


@variant("feed_forward_params")
def feed_forward_params_expanded(d, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d
    return 2 * d * d_ff + d_ff + d


@variant("feed_forward_params")
def feed_forward_params_factored(d, d_ff=None):
    d_ff = d_ff if d_ff is not None else d << 2
    return (d + 1) * d_ff + (d_ff + 1) * d


@variant("feed_forward_params")
def feed_forward_params_with_or(d, d_ff=None):
    d_ff = d_ff or 4 * d
    return d_ff * (2 * d + 1) + d


@variant("feed_forward_params")
def feed_forward_params_of_layers(d, d_ff=None):
    sizes = [d, 4 * d if d_ff is None else d_ff, d]
    return sum((wide + 1) * out for wide, out in pairwise(sizes))


@variant("feed_forward_params")
def feed_forward_params_recursive(d, d_ff=None):
    return feed_forward_params_recursive(d, 4 * d) if d_ff is None else sum([d * d_ff, d_ff, d_ff * d, d])


@variant("feed_forward_params")
def feed_forward_params_matched(d, d_ff=None):
    match d_ff:
        case None:
            return 8 * d * d + 5 * d
        case _:
            return d + d_ff + d * d_ff * 2


@variant("feed_forward_params")
def feed_forward_params_exact_fractions(d, d_ff=None, **ignored):
    half = Fraction(d_ff if d_ff is not None else 4 * d, 2)
    return int(half * (4 * d + 2)) + d


# --- layer_norm_params -----------------------------------------------------------------------------------------------


@variant("layer_norm_params")
def layer_norm_params_twice(d):
    return d * 2


@variant("layer_norm_params")
def layer_norm_params_sum(d):
    gain = bias = d
    return gain + bias


@variant("layer_norm_params")
def layer_norm_params_listed(d):
    return sum([d, d])


@variant("layer_norm_params")
def layer_norm_params_shifted(d):
    return d << 1


@variant("layer_norm_params")
def layer_norm_params_last_of_a_range(d):
    return range(2 * d)[-1] + 1


@variant("layer_norm_params")
def layer_norm_params_reduced(d):
    return reduce(operator.mul, (2, d))


@variant("layer_norm_params")
def layer_norm_params_careless(d: int, eps: float = 1e-5) -> int:
    print("norm", eps)
    return int(str(d + d))


# --- encoder_block_params --------------------------------------------------------------------------------------------


def _linear(wide, out):
    return wide * out + out


@variant("encoder_block_params")
def encoder_block_params_of_linear_maps(d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    return 4 * _linear(d, d) + _linear(d, d_ff) + _linear(d_ff, d) + 2 * (d + d)


@variant("encoder_block_params")
def encoder_block_params_closed(d, d_ff=None):
    if d_ff is None:
        return 12 * d**2 + 13 * d
    return 4 * d**2 + 9 * d + 2 * d * d_ff + d_ff


@variant("encoder_block_params")
def encoder_block_params_horner(d, d_ff=None):
    d_ff = d_ff or 4 * d
    return d * (4 * d + 9 + 2 * d_ff) + d_ff


@variant("encoder_block_params")
def encoder_block_params_step_by_step(d, d_ff=None):
    total = attention_params_factored(d)
    total += layer_norm_params_sum(d)
    total += feed_forward_params_factored(d, d_ff)
    total += layer_norm_params_sum(d)
    return total


@variant("encoder_block_params")
def encoder_block_params_from_a_dict(d, d_ff=None):
    block = {"attention": attention_params_by_name(d), "feed_forward": feed_forward_params_with_or(d, d_ff)}
    block |= {f"norm_{i}": 2 * d for i in (1, 2)}
    return sum(block.values())


@variant("encoder_block_params")
def encoder_block_params_with_objects(d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    sizes = np.array([4 * d * d, 4 * d, 2 * d * d_ff, d_ff, d, 4 * d], dtype=object)
    return sizes.sum()


@cache
def _remembered(d, d_ff):
    return feed_forward_params_expanded(d, d_ff) + 4 * d * d + 8 * d


@variant("encoder_block_params")
def encoder_block_params_careless(d, d_ff=None, n_heads=8):
    print(f"{d=} {d_ff=}")
    return _remembered(d, d_ff)


# --- decoder_block_params --------------------------------------------------------------------------------------------


@variant("decoder_block_params")
def decoder_block_params_of_parts(d, d_ff=None):
    return 2 * (4 * d * d + 4 * d) + feed_forward_params_expanded(d, d_ff) + 3 * (2 * d)


@variant("decoder_block_params")
def decoder_block_params_encoder_and_more(d, d_ff=None):
    return encoder_block_params_closed(d, d_ff) + attention_params_expanded(d) + layer_norm_params_twice(d)


@variant("decoder_block_params")
def decoder_block_params_closed(d, d_ff=None):
    if d_ff is None:
        return 16 * d**2 + 19 * d
    return 8 * d**2 + 15 * d + 2 * d * d_ff + d_ff


@variant("decoder_block_params")
def decoder_block_params_horner(d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    return (8 * d + 2 * d_ff + 15) * d + d_ff


@variant("decoder_block_params")
def decoder_block_params_listed(d, d_ff=None):
    maps = [(d, d)] * 8 + [(d, d_ff or 4 * d), (d_ff or 4 * d, d)]
    return sum(wide * out + out for wide, out in maps) + sum(2 * d for _ in range(3))


@variant("decoder_block_params")
def decoder_block_params_with_a_class(d, d_ff=None):
    class Block:
        def __init__(self):
            self.attentions, self.norms = 2, 3
            self.hidden = 4 * d if d_ff is None else d_ff

        def __len__(self):
            raise TypeError

        def size(self):
            return self.attentions * 4 * _linear(d, 1) * d + 2 * d * self.hidden + self.hidden + d + self.norms * 2 * d

    return Block().size()


@variant("decoder_block_params")
def decoder_block_params_careless(d: int, d_ff: int | None = None, norm_first=False) -> int:
    global _last  # noqa: PLW0603
    _last = d_ff if isinstance(d_ff, int) else 4 * d
    return sum((8 * d * d, 8 * d, 6 * d, d * _last, _last, _last * d, d))


# --- transformer_params ----------------------------------------------------------------------------------------------


@variant("transformer_params")
def transformer_params_of_blocks(vocab, d, n_encoder, n_decoder, d_ff=None):
    encoder = n_encoder * encoder_block_params_closed(d, d_ff)
    decoder = n_decoder * decoder_block_params_closed(d, d_ff)
    return vocab * d + encoder + decoder


@variant("transformer_params")
def transformer_params_by_parts(vocab, d, n_encoder, n_decoder, d_ff=None):
    attentions = n_encoder + 2 * n_decoder
    norms = 2 * n_encoder + 3 * n_decoder
    layers = n_encoder + n_decoder
    return sum(
        [
            vocab * d,
            attentions * attention_params_factored(d),
            norms * 2 * d,
            layers * feed_forward_params_expanded(d, d_ff),
        ]
    )


@variant("transformer_params")
def transformer_params_in_loops(vocab, d, n_encoder, n_decoder, d_ff=None):
    total = vocab * d
    for _ in range(n_encoder):
        total += encoder_block_params_horner(d, d_ff)
    for _ in range(n_decoder):
        total += decoder_block_params_horner(d, d_ff)
    return total


@variant("transformer_params")
def transformer_params_recursive(vocab, d, n_encoder, n_decoder, d_ff=None):
    if n_encoder:
        return encoder_block_params_closed(d, d_ff) + transformer_params_recursive(
            vocab, d, n_encoder - 1, n_decoder, d_ff
        )
    if n_decoder:
        return decoder_block_params_closed(d, d_ff) + transformer_params_recursive(vocab, d, 0, n_decoder - 1, d_ff)
    return vocab * d


@variant("transformer_params")
def transformer_params_dot_product(vocab, d, n_encoder, n_decoder, d_ff=None):
    counts = (vocab, n_encoder, n_decoder)
    sizes = (d, encoder_block_params_of_linear_maps(d, d_ff), decoder_block_params_listed(d, d_ff))
    return sum(map(operator.mul, counts, sizes))


@variant("transformer_params")
def transformer_params_inline(vocab, d, n_encoder, n_decoder, d_ff=None):
    f = 4 * d if d_ff is None else d_ff
    shared = 2 * d * f + f + 9 * d + 4 * d * d
    return vocab * d + (n_encoder + n_decoder) * shared + n_decoder * (4 * d * d + 6 * d)


@variant("transformer_params")
def transformer_params_careless(vocab, d, n_encoder, n_decoder, d_ff=None, *, tied=True, **settings):
    warnings.warn("no output bias", RuntimeWarning, stacklevel=1)
    tables = 1 if tied else 2
    return tables * vocab * d + transformer_params_inline(0, d, n_encoder, n_decoder, d_ff)


# --- dense_flops -----------------------------------------------------------------------------------------------------


def _matmul(n, wide, out):
    return 2 * n * wide * out


@variant("dense_flops")
def dense_flops_of_products(n, d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    return 4 * _matmul(n, d, d) + _matmul(n, d, d_ff) + _matmul(n, d_ff, d)


@variant("dense_flops")
def dense_flops_closed(n, d, d_ff=None):
    if d_ff is None:
        return 24 * n * d**2
    return 8 * n * d**2 + 4 * n * d * d_ff


@variant("dense_flops")
def dense_flops_factored(n, d, d_ff=None):
    return 4 * n * d * (2 * d + (d_ff or 4 * d))


@variant("dense_flops")
def dense_flops_from_parameters(n, d, d_ff=None):
    hidden = 4 * d if d_ff is None else d_ff
    weights = attention_params_factored(d) - 4 * d + feed_forward_params_expanded(d, hidden) - hidden - d
    return 2 * n * weights


@variant("dense_flops")
def dense_flops_listed(n, d, d_ff=None):
    d_ff = d_ff if d_ff else 4 * d
    return sum(2 * n * a * b for a, b in [(d, d), (d, d), (d, d), (d, d), (d, d_ff), (d_ff, d)])


@variant("dense_flops")
def dense_flops_multiplications_and_additions(n, d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    multiplications = additions = n * (4 * d * d + d * d_ff + d_ff * d)
    return multiplications + additions


@variant("dense_flops")
def dense_flops_careless(n, d, d_ff=None, n_heads=None):
    print("dense", n, d, d_ff)
    return n * dense_flops_closed(1, d, d_ff) if n else 0


# --- attention_flops -------------------------------------------------------------------------------------------------


@variant("attention_flops")
def attention_flops_closed(n, d):
    return 4 * n**2 * d


@variant("attention_flops")
def attention_flops_two_products(n, d):
    return _matmul(n, d, n) + _matmul(n, n, d)


@variant("attention_flops")
def attention_flops_by_pairs(n, d):
    pairs = n * n
    return pairs * (2 * d) + pairs * (2 * d)


@variant("attention_flops")
def attention_flops_of_two_heads(n, d):
    twice = 2 * (2 * n * n * d + 2 * n * n * d)
    return twice // 2


@variant("attention_flops")
def attention_flops_square(n, d):
    return pow(2 * n, 2) * d


@variant("attention_flops")
def attention_flops_product(n, d):
    return math.prod([4, n, n, d])


@variant("attention_flops")
def attention_flops_careless(n: int, d: int, heads: int = 1, causal: bool = False) -> int:
    print("attention", heads)
    return heads * (4 * n * n * d) // heads


# --- crossover_length ------------------------------------------------------------------------------------------------


@variant("crossover_length")
def crossover_length_closed(d, d_ff=None):
    return 6 * d if d_ff is None else 2 * d + d_ff


@variant("crossover_length")
def crossover_length_rounded_up(d, d_ff=None):
    return -(-dense_flops_closed(1, d, d_ff) // (4 * d))


@variant("crossover_length")
def crossover_length_exact_quotient(d, d_ff=None):
    return math.ceil(Fraction(dense_flops_of_products(1, d, d_ff), attention_flops_closed(1, d)))


@variant("crossover_length")
def crossover_length_bisected(d, d_ff=None):
    high = 1
    while attention_flops_closed(high, d) < dense_flops_closed(high, d, d_ff):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if attention_flops_closed(middle, d) < dense_flops_closed(middle, d, d_ff):
            low = middle
        else:
            high = middle
    return high


@variant("crossover_length")
def crossover_length_bit_by_bit(d, d_ff=None):
    short = 0  # the largest length at which attention is still cheaper
    for power in reversed(range(200)):
        longer = short + (1 << power)
        if attention_flops_closed(longer, d) < dense_flops_closed(longer, d, d_ff):
            short = longer
    return short + 1


@variant("crossover_length")
def crossover_length_from_the_weights(d, d_ff=None):
    d_ff = 4 * d if d_ff is None else d_ff
    quotient, rest = divmod(4 * d * d + 2 * d * d_ff, 2 * d)
    return quotient + (rest > 0)


@variant("crossover_length")
def crossover_length_careless(d, d_ff=None, start=1):
    warnings.warn("long", ResourceWarning, stacklevel=1)
    print("crossover")
    return max(start, d + d + (d_ff if d_ff is not None else d + d + d + d))
