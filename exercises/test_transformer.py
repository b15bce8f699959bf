"""Public tests of transformer.py. A test asks for the functions it needs by name, as arguments."""

from copy import deepcopy

import numpy as np
import pytest
from checking import Mismatch, assert_close, assert_equal, assert_value_error
from hypothesis import given, settings
from hypothesis import strategies as st

LOG_3 = np.log(3.0)  # exp(0) = 1 and exp(LOG_3) = 3: weights of 1/4 and 3/4
M = 1e6  # numbers in millions: the eps of layer_norm is too small to show, so [1M, 3M] becomes [-1, 1]
S = np.sqrt(1.5)  # and [1M, 2M, 3M], of variance 2/3, becomes [-S, 0, S]
SIZES = st.integers(1, 4)
SEEDS = st.integers(0, 999)
FEW = settings(max_examples=10)  # a block takes a while
BOTH_ORDERS = pytest.mark.parametrize("norm_first", [False, True])


def random_array(seed, *shape):
    """Multiples of 1/8 from -2 to 2: small numbers that a computer adds without rounding."""
    return np.random.default_rng(seed).integers(-16, 17, shape) / 8


def random_like(seed, params):
    """Random numbers in place of every array of a dict of parameters, however deep."""
    if isinstance(params, dict):
        return {name: random_like(seed + i, part) for i, (name, part) in enumerate(params.items(), 10)}
    return random_array(seed, *params.shape)


def plain_attention(d, **changes):
    """The parameters of an attention whose four maps change nothing, apart from those given."""
    maps = {f"w_{name}": np.eye(d) for name in "qkvo"} | {f"b_{name}": np.zeros(d) for name in "qkvo"}
    return maps | {name: np.array(value) for name, value in changes.items()}


def even_attention(d, **changes):
    """The same for queries that are all 0: every key that may be seen gets the same weight."""
    return plain_attention(d, w_q=np.zeros((d, d)), **changes)


def plain_feed_forward(d, w_2):
    """Parameters that leave only the ReLU between x and w_2."""
    return {"w_1": np.eye(d), "b_1": np.zeros(d), "w_2": np.array(w_2), "b_2": np.zeros(d)}


def norm(gain, bias=0.0):
    """The parameters of a norm."""
    return {"gain": np.array(gain), "bias": np.zeros(len(gain)) + bias}


def random_encoder(seed, d=4):
    """Random parameters of an encoder block, with d_ff = 3."""
    wide = {"w_1": np.zeros((d, 3)), "b_1": np.zeros(3), "w_2": np.zeros((3, d)), "b_2": np.zeros(d)}
    a_norm = norm(np.zeros(d))
    return random_like(
        seed, {"attention": plain_attention(d), "norm_1": a_norm, "feed_forward": wide, "norm_2": a_norm}
    )


def random_decoder(seed, d=4):
    """Random parameters of a decoder block, with d_ff = 3."""
    encoder, more = random_encoder(seed, d), random_encoder(seed + 1, d)
    attentions = {"self_attention": encoder.pop("attention"), "cross_attention": more["attention"]}
    return attentions | encoder | {"norm_3": more["norm_1"]}


def assert_same(arrays, before):
    """Nested dicts of arrays with exactly the same entries."""
    if isinstance(arrays, dict):
        assert_equal(np.array(list(arrays)), list(before))
        for name in arrays:
            assert_same(arrays[name], before[name])
    else:
        assert_equal(arrays, before)


# split_heads


def test_split_heads_by_hand(split_heads):
    """Head 0 takes the first features of every token, head 1 the next."""
    x = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]])
    head_0 = [[1.0, 2.0], [5.0, 6.0], [9.0, 10.0]]
    head_1 = [[3.0, 4.0], [7.0, 8.0], [11.0, 12.0]]
    assert_close(split_heads(x, 2), [head_0, head_1])


def test_split_heads_one_feature_each(split_heads):
    """As many heads as features: each head has one."""
    x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert_close(split_heads(x, 3), [[[1.0], [4.0]], [[2.0], [5.0]], [[3.0], [6.0]]])


def test_split_heads_of_one_head(split_heads):
    """A single head takes all features, and still has its axis."""
    assert_close(split_heads(np.array([[1.0, 2.0]]), 1), [[[1.0, 2.0]]])


def test_split_heads_keeps_a_batch_apart(split_heads):
    """The axis of the heads comes after the batch and before the tokens."""
    x = np.array([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]])  # 3 sequences of 1 token
    assert_close(split_heads(x, 2), [[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]], [[[5.0]], [[6.0]]]])


def test_split_heads_that_cannot_share(split_heads):
    """Features that cannot be shared equally raise ValueError."""
    for n, d, n_heads in [(4, 3, 2), (2, 5, 2), (1, 2, 4)]:
        assert_value_error(split_heads, np.zeros((n, d)), n_heads)


@given(SEEDS, SIZES, SIZES, SIZES)
def test_split_heads_side_by_side(split_heads, seed, n, n_heads, width):
    """Put side by side, the features of the heads are those of the tokens, also with two batch axes."""
    x = random_array(seed, 2, 3, n, n_heads * width)
    heads = split_heads(x, n_heads)
    side_by_side = np.concatenate([heads[:, :, h] for h in range(n_heads)], axis=-1)
    assert_close(side_by_side, x, of="the features of the heads, side by side")


# merge_heads


def test_merge_heads_by_hand(merge_heads):
    """Every token gets the features of head 0, then those of head 1."""
    head_0 = [[1.0, 2.0], [5.0, 6.0], [9.0, 10.0]]
    head_1 = [[3.0, 4.0], [7.0, 8.0], [11.0, 12.0]]
    merged = merge_heads(np.array([head_0, head_1]))
    assert_close(merged, [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]])


def test_merge_heads_of_one_head(merge_heads):
    """With one head, only the axis of the heads goes."""
    assert_close(merge_heads(np.array([[[1.0, 2.0], [3.0, 4.0]]])), [[1.0, 2.0], [3.0, 4.0]])


def test_merge_heads_keeps_a_batch_apart(merge_heads):
    """In a batch, tokens get only features of their own sequence."""
    x = np.array([[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]], [[[5.0]], [[6.0]]]])  # 3 sequences, 2 heads, 1 token
    assert_close(merge_heads(x), [[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]])


@given(SEEDS, SIZES, SIZES, SIZES)
def test_merge_heads_side_by_side(merge_heads, seed, n, n_heads, width):
    """The heads are put side by side, also with two batch axes."""
    x = random_array(seed, 2, 3, n_heads, n, width)
    assert_close(merge_heads(x), np.concatenate([x[:, :, h] for h in range(n_heads)], axis=-1))


# multi_head_attention


def test_multi_head_attention_of_one_token(multi_head_attention):
    """A token alone listens to itself: x w_v + b_v = [8, 10], and that times w_o plus b_o = [20, 13]."""
    params = plain_attention(
        2, w_v=[[1.0, 2.0], [3.0, 4.0]], b_v=[1.0, 0.0], w_o=[[0.0, 1.0], [2.0, 0.0]], b_o=[0.0, 5.0]
    )
    assert_close(multi_head_attention(np.array([[1.0, 2.0]]), params, 2), [[20.0, 13.0]])


def test_multi_head_attention_of_equal_scores(multi_head_attention):
    """With queries of 0, every token takes home the mean of the values."""
    x = np.array([[2.0, 4.0], [6.0, 0.0], [1.0, 5.0]])
    assert_close(multi_head_attention(x, even_attention(2), 1), [[3.0, 3.0]] * 3)


def test_multi_head_attention_of_two_heads(multi_head_attention):
    """Each head has its own weights: head 0 asks for 1, with weights 1/4 and 3/4; head 1 asks for 0, with 1/2 each."""
    x = np.array([[0.0, 0.0], [LOG_3, LOG_3]])
    params = even_attention(2, b_q=[1.0, 0.0], w_v=np.eye(2) * 4 / LOG_3)  # values 0 and 4
    assert_close(multi_head_attention(x, params, 2), [[3.0, 2.0], [3.0, 2.0]])


def test_multi_head_attention_scales_by_the_width_of_a_head(multi_head_attention):
    """With 8 features and 2 heads, d_k is 4: scores are divided by 2."""
    x = np.array([[0.0] * 8, [2 * LOG_3, 4.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0]])
    params = even_attention(8, b_q=[1.0] + [0.0] * 7)  # scores 0 and log 3 in head 0, 0 in head 1
    expected = [1.5 * LOG_3, 3.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]
    assert_close(multi_head_attention(x, params, 2), [expected, expected])


def test_multi_head_attention_queries_and_keys_have_maps_of_their_own(multi_head_attention):
    """Token i of x asks with x_i w_q; the keys are x w_k, and the values x w_v."""
    x = np.array([[1.0, 0.0], [0.0, 1.0]])
    params = plain_attention(
        2,
        w_q=[[0.0, 0.0], [1.0, 0.0]],  # queries 0 and 1, on feature 0
        w_k=[[0.0, 0.0], [np.sqrt(2) * LOG_3, 0.0]],  # scores of query 1: 0 and log 3
        w_v=[[0.0, 8.0], [4.0, 0.0]],  # values [0, 8] and [4, 0]
    )
    assert_close(multi_head_attention(x, params, 1), [[2.0, 4.0], [3.0, 2.0]])


def test_multi_head_attention_to_a_memory(multi_head_attention):
    """Queries come from x, keys and values from the memory."""
    x = np.array([[0.0, 0.0], [1.0, 1.0]])
    memory = np.array([[0.0, 0.0], [LOG_3, LOG_3]])
    params = plain_attention(2, w_v=np.eye(2) * 4 / LOG_3)  # values 0 and 4
    assert_close(multi_head_attention(x, params, 2, memory=memory), [[2.0, 2.0], [3.0, 3.0]])


def test_multi_head_attention_to_a_memory_of_another_length(multi_head_attention):
    """The memory may have more tokens than x; the mask has a row for each of x and a column for each of the memory."""
    x, memory = np.array([[7.0, 7.0]]), np.array([[2.0, 4.0], [6.0, 8.0], [50.0, 60.0]])
    mask = np.array([[True, True, False]])
    assert_close(multi_head_attention(x, even_attention(2), 2, mask=mask, memory=memory), [[4.0, 6.0]])


def test_multi_head_attention_hides_what_the_mask_hides(multi_head_attention):
    """The mask holds for every head."""
    x = np.array([[2.0, 4.0], [6.0, 8.0]])
    mask = np.array([[True, False], [True, True]])
    assert_close(multi_head_attention(x, even_attention(2), 2, mask=mask), [[2.0, 4.0], [4.0, 6.0]])


def test_multi_head_attention_with_a_mask_for_each_sequence(multi_head_attention):
    """A mask of shape (batch, 1, n) has a row for each sequence, not for each head, even if there are 2 of both."""
    x = np.array([[[2.0, 4.0], [6.0, 8.0]], [[2.0, 4.0], [6.0, 8.0]]])
    mask = np.array([[[True, False]], [[True, True]]])
    expected = [[[2.0, 4.0], [2.0, 4.0]], [[4.0, 6.0], [4.0, 6.0]]]
    assert_close(multi_head_attention(x, even_attention(2), 2, mask=mask), expected)


def test_multi_head_attention_hides_large_scores(multi_head_attention):
    """A hidden token has no influence, however large its score is."""
    x, memory = np.array([[1.0, 1.0]]), np.array([[0.0, 2.0], [0.0, 4.0], [1e6, 600.0]])
    params, mask = plain_attention(2, w_k=[[1.0, 0.0], [0.0, 0.0]]), np.array([[True, True, False]])
    assert_close(multi_head_attention(x, params, 1, mask=mask, memory=memory), [[0.0, 3.0]])


def test_multi_head_attention_with_nothing_to_see(multi_head_attention):
    """A query that may attend to nothing brings home 0, to which the last map adds its b_o."""
    x, params = np.array([[2.0, 4.0], [6.0, 8.0]]), even_attention(2, b_o=[10.0, 20.0])
    mask = np.array([[False, False], [True, True]])
    assert_close(multi_head_attention(x, params, 2, mask=mask), [[10.0, 20.0], [14.0, 26.0]])


@given(SEEDS, SIZES, SIZES)
def test_multi_head_attention_keeps_a_batch_apart(multi_head_attention, seed, batch, n):
    """Every sequence of a batch comes out as it would alone."""
    x, params = random_array(seed, batch, n, 4), random_like(seed, plain_attention(4))
    output = multi_head_attention(x, params, 2)
    assert_close(output[-1], multi_head_attention(x[-1], params, 2))


@given(SEEDS, SIZES, SIZES)
def test_multi_head_attention_does_not_see_hidden_tokens(multi_head_attention, seed, n, n_memory):
    """Hiding the last token of the memory is the same as leaving it out."""
    x, memory = random_array(seed, n, 6), random_array(seed + 1, n_memory + 1, 6)
    params, mask = random_like(seed, plain_attention(6)), np.arange(n_memory + 1)[None, :] < n_memory
    output = multi_head_attention(x, params, 3, mask=mask, memory=memory)
    assert_close(output, multi_head_attention(x, params, 3, memory=memory[:-1]))


def test_multi_head_attention_leaves_its_arguments_alone(multi_head_attention):
    """The arrays given, parameters and mask too, are the same after the call as before."""
    x, memory, mask = random_array(0, 2, 4), random_array(1, 3, 4), np.array([[True, True, False]])
    params = random_like(0, plain_attention(4))
    before = deepcopy({"x": x, "params": params, "mask": mask, "memory": memory})
    multi_head_attention(x, params, 2, mask=mask, memory=memory)
    assert_same({"x": x, "params": params, "mask": mask, "memory": memory}, before)


# layer_norm


def test_layer_norm_by_hand(layer_norm):
    """[1, 3] has mean 2 and variance 1: without eps it becomes [-1, 1]."""
    assert_close(layer_norm(np.array([[1.0, 3.0]]), np.ones(2), np.zeros(2), eps=0.0), [[-1.0, 1.0]])


def test_layer_norm_treats_each_token_by_itself(layer_norm):
    """Each row has its own mean and variance, whatever the other rows hold."""
    x = np.array([[1.0, 3.0], [60.0, 20.0], [5.0, 5.5]])
    assert_close(layer_norm(x, np.ones(2), np.zeros(2), eps=0.0), [[-1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]])


def test_layer_norm_puts_eps_inside_the_root(layer_norm):
    """With variance 1 and eps 3, the row is divided by the root of 4."""
    assert_close(layer_norm(np.array([[1.0, 3.0]]), np.ones(2), np.zeros(2), eps=3.0), [[-0.5, 0.5]])


def test_layer_norm_has_an_eps_of_its_own(layer_norm):
    """Without an eps given it is 1e-5: with a variance of 3e-5, the row is divided by the root of 4e-5."""
    x = np.array([[-np.sqrt(3e-5), np.sqrt(3e-5)]])
    assert_close(layer_norm(x, np.ones(2), np.zeros(2)), [[-np.sqrt(3 / 4), np.sqrt(3 / 4)]])


def test_layer_norm_scales_and_shifts_each_feature(layer_norm):
    """After the norm, every feature is multiplied by its gain, and its bias is added."""
    x = np.array([[1.0, 3.0], [3.0, 1.0]])
    gain, bias = np.array([10.0, 20.0]), np.array([1.0, 2.0])
    assert_close(layer_norm(x, gain, bias, eps=0.0), [[-9.0, 22.0], [11.0, -18.0]])


def test_layer_norm_of_a_constant_token(layer_norm):
    """A token whose features are all equal becomes the bias, not NaN."""
    assert_close(layer_norm(np.array([[7.0, 7.0]]), np.ones(2), np.array([1.0, 2.0])), [[1.0, 2.0]])


def test_layer_norm_far_from_zero(layer_norm):
    """A large number added to all features changes nothing: 100,000,001 and 100,000,003 are like 1 and 3."""
    assert_close(layer_norm(np.array([[1.0, 3.0]]) + 1e8, np.ones(2), np.zeros(2), eps=0.0), [[-1.0, 1.0]])


@given(SEEDS, SIZES, SIZES, st.integers(2, 5))
def test_layer_norm_brings_mean_0_and_variance_1(layer_norm, seed, batch, n, d):
    """Before gain and bias, the features of every token have mean 0 and variance 1, also in a batch."""
    x = random_array(seed, batch, n, d)
    x[..., 0] = 4.0  # so that no token is constant
    y = layer_norm(x, np.ones(d), np.zeros(d), eps=0.0)
    assert_close(y.mean(axis=-1), np.zeros((batch, n)), of="the mean of each token")
    assert_close(y.var(axis=-1), np.ones((batch, n)), of="the variance of each token")


def test_layer_norm_leaves_its_arguments_alone(layer_norm):
    """The arrays given are the same after the call as before."""
    x, gain, bias = np.array([[1.0, 2.0], [4.0, 3.0]]), np.array([1.0, 2.0]), np.array([3.0, 4.0])
    layer_norm(x, gain, bias)
    assert_equal(x, [[1.0, 2.0], [4.0, 3.0]])
    assert_equal(gain, [1.0, 2.0])
    assert_equal(bias, [3.0, 4.0])


# feed_forward


def test_feed_forward_cuts_off_what_is_negative(feed_forward):
    """Between the two maps, negative numbers become 0: [1, -2] becomes [1, 0]."""
    params = plain_feed_forward(2, np.eye(2))
    assert_close(feed_forward(np.array([[1.0, -2.0]]), params), [[1.0, 0.0]])


def test_feed_forward_by_hand(feed_forward):
    """x w_1 + b_1 = [10, -1, 3], after the ReLU [10, 0, 3], times w_2 [13, -10], plus b_2 [23, 10]."""
    params = {
        "w_1": np.array([[1.0, 0.0, 1.0], [1.0, -1.0, 0.0]]),
        "b_1": np.array([7.0, 1.0, 2.0]),
        "w_2": np.array([[1.0, -1.0], [5.0, 5.0], [1.0, 0.0]]),
        "b_2": np.array([10.0, 20.0]),
    }
    assert_close(feed_forward(np.array([[1.0, 2.0]]), params), [[23.0, 10.0]])


def test_feed_forward_may_answer_below_zero(feed_forward):
    """There is no ReLU after the second map."""
    params = plain_feed_forward(2, -np.eye(2))
    assert_close(feed_forward(np.array([[1.0, 2.0]]), params), [[-1.0, -2.0]])


@given(SEEDS, SIZES, SIZES)
def test_feed_forward_treats_each_token_by_itself(feed_forward, seed, batch, n):
    """In a batch, every token comes out as it would alone."""
    x, params = random_array(seed, batch, n, 4), random_encoder(seed)["feed_forward"]
    assert_close(feed_forward(x, params)[-1, -1:], feed_forward(x[-1, -1:], params))


def test_feed_forward_leaves_its_arguments_alone(feed_forward):
    """The arrays given, parameters too, are the same after the call as before."""
    x, params = random_array(0, 3, 4), random_encoder(0)["feed_forward"]
    before = deepcopy({"x": x, "params": params})
    feed_forward(x, params)
    assert_same({"x": x, "params": params}, before)


# encoder_block


def test_encoder_block_post_norm_by_hand(encoder_block):
    """By default: norm_1(x + attention(x)), then norm_2(x + feed_forward(x)), here for a single token."""
    w_2 = [[0.0, 0.0, 0.0], [0.0, 1.0, 1.0], [2.0, 0.0, -1.0]]
    params = {
        "attention": plain_attention(3, b_o=[0.0, 2 * M, 2 * M]),  # x + x + b_o = [2M, 6M, 4M]
        "norm_1": norm([M / S, M / S, M / S], [0.0, 0.0, 2 * M]),  # [-1M, 1M, 2M]
        "feed_forward": plain_feed_forward(3, w_2),  # + [4M, 1M, -1M] = [3M, 2M, 1M]
        "norm_2": norm([10 / S, 20 / S, 30 / S], [1.0, 2.0, 3.0]),  # [10 + 1, 0 + 2, -30 + 3]
    }
    assert_close(encoder_block(np.array([[M, 2 * M, M]]), params, 1), [[11.0, 2.0, -27.0]])


def test_encoder_block_pre_norm_by_hand(encoder_block):
    """With norm_first: x + attention(norm_1(x)), then x + feed_forward(norm_2(x)), here for a single token."""
    params = {
        "attention": plain_attention(2),
        "norm_1": norm([M, M], [5 * M, 0.0]),  # [1M, 3M] becomes [4M, 1M], and added to x [5M, 4M]
        "norm_2": norm([M, 2 * M], [M, 0.0]),  # [5M, 4M] becomes [2M, -2M]
        "feed_forward": plain_feed_forward(2, [[1.0, 3.0], [0.0, 0.0]]),  # [2M, 0] becomes [2M, 6M], and is added
    }
    assert_close(encoder_block(np.array([[M, 3 * M]]), params, 1, norm_first=True), [[7 * M, 10 * M]])


def test_encoder_block_norms_small_numbers(encoder_block):
    """The norms have their eps of 1e-5: a token of variance 3e-5 comes out of the first with a variance of 3/4."""
    params = {
        "attention": plain_attention(2),
        "norm_1": norm([1.0, 1.0]),
        "norm_2": norm([1.0, 1.0]),
        "feed_forward": plain_feed_forward(2, np.zeros((2, 2))),
    }
    small = np.sqrt(3e-5)
    output = encoder_block(np.array([[-small, small]]), params, 1, norm_first=True)
    assert_close(output, [[-small - np.sqrt(3 / 4), small + np.sqrt(3 / 4)]])


def test_encoder_block_with_two_heads(encoder_block):
    """Head 0 listens to the token itself, head 1 to the other token."""
    params = {
        "attention": plain_attention(2, w_k=np.diag([1.0, -1.0])),
        "norm_1": norm([10.0, 10.0]),  # [-10, 10] and [10, -10]: scores of 100 and -100
        "norm_2": norm([1.0, 1.0]),
        "feed_forward": plain_feed_forward(2, np.zeros((2, 2))),
    }
    output = encoder_block(np.array([[M, 3 * M], [3 * M, M]]), params, 2, norm_first=True)
    assert_close(output, [[M - 10, 3 * M - 10], [3 * M + 10, M + 10]])


def test_encoder_block_hides_what_the_mask_hides(encoder_block):
    """The first token hears itself, [-1M, 1M], the second the mean of both, [0, 0]. (1M is a million.)"""
    params = {
        "attention": even_attention(2),
        "norm_1": norm([M, M]),  # [-1M, 1M] and [1M, -1M]
        "norm_2": norm([1.0, 1.0]),
        "feed_forward": plain_feed_forward(2, np.zeros((2, 2))),
    }
    mask = np.array([[True, False], [True, True]])
    output = encoder_block(np.array([[2 * M, 4 * M], [3 * M, M]]), params, 1, mask=mask, norm_first=True)
    assert_close(output, [[M, 5 * M], [3 * M, M]])


@BOTH_ORDERS
@FEW
@given(SEEDS, SIZES)
def test_encoder_block_does_not_see_hidden_tokens(encoder_block, norm_first, seed, n):
    """Hiding the last token from the others is the same to them as leaving it out."""
    x, params, mask = random_array(seed, n + 1, 4), random_encoder(seed), np.arange(n + 1)[None, :] < n
    output = encoder_block(x, params, 2, mask=mask, norm_first=norm_first)
    assert_close(output[:-1], encoder_block(x[:-1], params, 2, norm_first=norm_first))


@BOTH_ORDERS
@FEW
@given(SEEDS, SIZES)
def test_encoder_block_does_not_see_the_order(encoder_block, norm_first, seed, n):
    """Without positions, shuffled tokens come out the same, in their shuffled places."""
    x, params = random_array(seed, n, 4), random_encoder(seed)
    shuffled = np.random.default_rng(seed).permutation(n)
    output = encoder_block(x[shuffled], params, 2, norm_first=norm_first)
    assert_close(output, encoder_block(x, params, 2, norm_first=norm_first)[shuffled])


@BOTH_ORDERS
def test_encoder_block_uses_the_number_of_heads(encoder_block, norm_first):
    """Two heads give another answer than one."""
    x, params = random_array(0, 3, 4), random_encoder(0)
    two = encoder_block(x, params, 2, norm_first=norm_first)
    if np.allclose(two, encoder_block(x, params, 1, norm_first=norm_first)):
        raise Mismatch(two, "another answer than with n_heads = 1")


@BOTH_ORDERS
def test_encoder_block_keeps_a_batch_apart(encoder_block, norm_first):
    """Every sequence of a batch comes out as it would alone."""
    x, params = random_array(0, 3, 2, 4), random_encoder(0)
    output = encoder_block(x, params, 2, norm_first=norm_first)
    assert_close(output[-1], encoder_block(x[-1], params, 2, norm_first=norm_first))


@BOTH_ORDERS
def test_encoder_block_leaves_its_arguments_alone(encoder_block, norm_first):
    """The arrays given, parameters and mask too, are the same after the call as before."""
    x, params, mask = random_array(0, 2, 4), random_encoder(0), np.array([[True, False], [True, True]])
    before = deepcopy({"x": x, "params": params, "mask": mask})
    encoder_block(x, params, 2, mask=mask, norm_first=norm_first)
    assert_same({"x": x, "params": params, "mask": mask}, before)


# decoder_block


def test_decoder_block_post_norm_by_hand(decoder_block):
    """By default: x + self-attention, norm_1, + cross-attention, norm_2, + feed-forward, norm_3."""
    w_2 = [[1.0, -2.0, 3.0], [0.0, 2.0, 1.0], [0.0, 0.0, 0.0]]
    params = {
        "self_attention": plain_attention(3, b_o=[0.0, 2 * M, 2 * M]),  # x + x + b_o = [2M, 6M, 4M]
        "norm_1": norm([M / S, M / S, M / S], [0.0, 0.0, 2 * M]),  # [-1M, 1M, 2M]
        "cross_attention": plain_attention(3),  # + memory = [3M, 2M, 1M]
        "norm_2": norm([M / S, M / S, M / S], [0.0, M, 0.0]),  # [1M, 1M, -1M]
        "feed_forward": plain_feed_forward(3, w_2),  # + [1M, 0, 4M] = [2M, 1M, 3M]
        "norm_3": norm([10 / S, 20 / S, 30 / S], [1.0, 2.0, 3.0]),  # [0 + 1, -20 + 2, 30 + 3]
    }
    x, memory = np.array([[M, 2 * M, M]]), np.array([[4 * M, M, -M]])
    assert_close(decoder_block(x, memory, params, 1), [[1.0, -18.0, 33.0]])


def test_decoder_block_pre_norm_by_hand(decoder_block):
    """With norm_first, each step takes the norm of x, and is added to x; the memory gets no norm."""
    params = {
        "self_attention": plain_attention(2),
        "norm_1": norm([M, 2 * M]),  # [1M, 3M] becomes [-1M, 2M], and added to x [0, 5M]
        "cross_attention": plain_attention(2),  # + [5M, 4M] = [5M, 9M]
        "norm_2": norm([M, M]),
        "norm_3": norm([M, M], [0.0, M]),  # [5M, 9M] becomes [-1M, 2M]
        "feed_forward": plain_feed_forward(2, [[0.0, 0.0], [1.0, 3.0]]),  # [0, 2M] becomes [2M, 6M], and is added
    }
    x, memory = np.array([[M, 3 * M]]), np.array([[5 * M, 4 * M]])
    assert_close(decoder_block(x, memory, params, 1, norm_first=True), [[7 * M, 15 * M]])


def test_decoder_block_asks_with_what_it_has_heard(decoder_block):
    """With norm_first, the queries are norm_2 of x plus self-attention: with 1, head 0 has weights of 1/4 and 3/4."""
    params = {
        "self_attention": plain_attention(2, w_o=np.zeros((2, 2)), b_o=[4 * M, 0.0]),  # [1M, 3M] + [4M, 0]
        "norm_1": norm([-1.0, -1.0]),
        "norm_2": norm([1.0, 1.0]),  # [1, -1]
        "cross_attention": plain_attention(2, w_v=np.eye(2) * 4 / LOG_3),  # values 0 and 4: [3, 1]
        "norm_3": norm([-1.0, -1.0]),
        "feed_forward": plain_feed_forward(2, np.zeros((2, 2))),
    }
    x, memory = np.array([[M, 3 * M]]), np.array([[0.0, 0.0], [LOG_3, LOG_3]])
    assert_close(decoder_block(x, memory, params, 2, norm_first=True), [[5 * M + 3, 3 * M + 1]])


def test_decoder_block_norms_small_numbers(decoder_block):
    """The norms have their eps of 1e-5: a token of variance 3e-5 comes out of the first with a variance of 3/4."""
    params = {
        "self_attention": plain_attention(2),
        "norm_1": norm([1.0, 1.0]),
        "cross_attention": plain_attention(2),  # adds the memory, which is 0
        "norm_2": norm([1.0, 1.0]),
        "norm_3": norm([1.0, 1.0]),
        "feed_forward": plain_feed_forward(2, np.zeros((2, 2))),
    }
    small = np.sqrt(3e-5)
    output = decoder_block(np.array([[-small, small]]), np.zeros((1, 2)), params, 1, norm_first=True)
    assert_close(output, [[-small - np.sqrt(3 / 4), small + np.sqrt(3 / 4)]])


def test_decoder_block_has_two_masks(decoder_block):
    """The mask is for the tokens themselves, the memory_mask for the memory."""
    params = {
        "self_attention": even_attention(2),
        "norm_1": norm([M, M]),  # [-1M, 1M] and [1M, -1M]
        "cross_attention": even_attention(2),
        "norm_2": norm([1.0, 1.0]),
        "norm_3": norm([1.0, 1.0]),
        "feed_forward": plain_feed_forward(2, np.zeros((2, 2))),
    }
    x, memory = np.array([[M, 4 * M], [4 * M, M]]), np.array([[2 * M, 0.0], [4 * M, 2 * M]])
    mask = np.array([[True, True], [True, False]])  # adds [0, 0] and [-1M, 1M]
    memory_mask = np.array([[False, True], [True, True]])  # adds [4M, 2M] and [3M, 1M]
    output = decoder_block(x, memory, params, 1, mask=mask, memory_mask=memory_mask, norm_first=True)
    assert_close(output, [[5 * M, 6 * M], [6 * M, 3 * M]])


@BOTH_ORDERS
@FEW
@given(SEEDS, SIZES, SIZES)
def test_decoder_block_does_not_see_hidden_tokens(decoder_block, norm_first, seed, n, n_memory):
    """Hiding the last token of x and the last of the memory is the same to the others as leaving both out."""
    x, memory, params = random_array(seed, n + 1, 4), random_array(seed + 1, n_memory + 1, 4), random_decoder(seed)
    mask, memory_mask = np.arange(n + 1)[None, :] < n, np.arange(n_memory + 1)[None, :] < n_memory
    output = decoder_block(x, memory, params, 2, mask=mask, memory_mask=memory_mask, norm_first=norm_first)
    assert_close(output[:-1], decoder_block(x[:-1], memory[:-1], params, 2, norm_first=norm_first))


@BOTH_ORDERS
@pytest.mark.parametrize("other", ["self_attention", "cross_attention"])
def test_decoder_block_uses_the_number_of_heads(decoder_block, norm_first, other):
    """In each of its attentions, two heads give another answer than one, even if the other adds nothing."""
    x, memory, params = random_array(0, 3, 4), random_array(1, 5, 4), random_decoder(0)
    params[other]["w_o"] = np.zeros((4, 4))
    two = decoder_block(x, memory, params, 2, norm_first=norm_first)
    if np.allclose(two, decoder_block(x, memory, params, 1, norm_first=norm_first)):
        raise Mismatch(two, "another answer than with n_heads = 1")


@BOTH_ORDERS
def test_decoder_block_keeps_a_batch_apart(decoder_block, norm_first):
    """Every sequence of a batch comes out as it would alone with its own memory."""
    x, memory, params = random_array(0, 3, 2, 4), random_array(1, 3, 5, 4), random_decoder(0)
    output = decoder_block(x, memory, params, 2, norm_first=norm_first)
    assert_close(output[-1], decoder_block(x[-1], memory[-1], params, 2, norm_first=norm_first))


@BOTH_ORDERS
def test_decoder_block_leaves_its_arguments_alone(decoder_block, norm_first):
    """The arrays given, parameters and masks too, are the same after the call as before."""
    x, memory, params = random_array(0, 2, 4), random_array(1, 3, 4), random_decoder(0)
    masks = {"mask": np.array([[True, False], [True, True]]), "memory_mask": np.array([[True, True, False]])}
    before = deepcopy({"x": x, "memory": memory, "params": params, "masks": masks})
    decoder_block(x, memory, params, 2, **masks, norm_first=norm_first)
    assert_same({"x": x, "memory": memory, "params": params, "masks": masks}, before)
