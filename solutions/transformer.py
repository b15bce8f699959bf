# %% [markdown]
# # The Transformer
#
# **How does one look at the other words become a model that reads and writes?**
#
# Think of a team with one person for each word of a text, and a sheet of notes each. In a round, everybody
# listens to the others (**attention**) and adds what they learnt to their notes, then thinks alone
# (**feed-forward**) and adds that too; the notes are kept to one scale (**norm**). A round is a block, and a
# Transformer is a stack of blocks. With $f$ for listening or thinking:
#
# $$\text{post-norm:}\quad x \leftarrow \mathrm{norm}(x + f(x)) \qquad\qquad
# \text{pre-norm:}\quad x \leftarrow x + f(\mathrm{norm}(x))$$
#
# ![200 shuffles: without positions a block's output only moves along, with them it changes.](figures/fig05_order.svg)
#
# Why blocks are stacked: run `python playground.py` and open
# http://127.0.0.1:8765/#view=two
#
# Parameters come as dicts of arrays, and a linear map is `x @ w + b`:
#
# | dict | keys |
# |---|---|
# | attention | `w_q` `b_q` `w_k` `b_k` `w_v` `b_v` `w_o` `b_o`, of shape `(d, d)` and `(d,)` |
# | feed-forward | `w_1` `(d, d_ff)`, `b_1` `(d_ff,)`, `w_2` `(d_ff, d)`, `b_2` `(d,)` |
# | norm | `gain` `bias`, both `(d,)` |
# | encoder block | `attention` `norm_1` `feed_forward` `norm_2`, each one of the dicts above |
# | decoder block | `self_attention` `norm_1` `cross_attention` `norm_2` `feed_forward` `norm_3` |

# %%
import numpy as np
from attention import attention

# %% [markdown]
# ## Heads
#
# One look has one set of weights: it can find out *who* or *when*, but not both. So several **heads** share the
# features, the first few for head 0, the next few for head 1, and each looks for itself. On an axis before the
# tokens, the heads are a batch like any other.


# %%
def split_heads(x, n_heads):
    """Deal the features out to the heads.

    heads[h, i, j] = x[i, h · d / n_heads + j]

    x: (..., n, d); d that n_heads does not divide raises ValueError
    returns: (..., n_heads, n, d / n_heads)
    """
    ### BEGIN SOLUTION
    *batch, n, d = x.shape
    if d % n_heads:
        raise ValueError(f"{n_heads} heads cannot share {d} features equally")
    heads = x.reshape(*batch, n, n_heads, d // n_heads)
    return np.swapaxes(heads, -2, -3)  # (..., n_heads, n, d / n_heads)
    ### END SOLUTION


# %%
def merge_heads(x):
    """Put the features of the heads side by side again: the inverse of split_heads.

    x: (..., n_heads, n, d / n_heads)
    returns: (..., n, d)
    """
    ### BEGIN SOLUTION
    *batch, n_heads, n, width = x.shape
    tokens = np.swapaxes(x, -2, -3)  # (..., n, n_heads, d / n_heads)
    return tokens.reshape(*batch, n, n_heads * width)
    ### END SOLUTION


# %% [markdown]
# ## Listening
#
# Three linear maps make queries, keys and values of the tokens: a word can ask for one thing, offer another, and
# say a third. A last map mixes what the heads bring home. Usually tokens listen to each other
# (**self-attention**); in **cross-attention**, keys and values come from another text, the `memory`.


# %%
def multi_head_attention(x, params, n_heads, mask=None, memory=None):
    """Let every head attend with its own features, and mix what the heads bring home.

    head_h = attention(q_h, k_h, v_h)
    output = [head_0, head_1, ...] w_o + b_o

    with q = x w_q + b_q, k = memory w_k + b_k, v = memory w_v + b_v, each dealt out to the heads

    x: (..., n_x, d)
    params: an attention's dict
    mask: boolean, broadcasts to (..., n_x, n_memory), no axis for heads; True where x may attend to memory
    memory: (..., n_memory, d); None stands for x
    returns: (..., n_x, d)
    """
    ### BEGIN SOLUTION
    memory = x if memory is None else memory
    q = split_heads(x @ params["w_q"] + params["b_q"], n_heads)  # (..., n_heads, n_x, d / n_heads)
    k = split_heads(memory @ params["w_k"] + params["b_k"], n_heads)  # (..., n_heads, n_memory, d / n_heads)
    v = split_heads(memory @ params["w_v"] + params["b_v"], n_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)  # the same for every head
    heads, _ = attention(q, k, v, mask)  # (..., n_heads, n_x, d / n_heads)
    return merge_heads(heads) @ params["w_o"] + params["b_o"]
    ### END SOLUTION


# %% [markdown]
# ## Keeping to one scale
#
# After many blocks, some tokens have grown and others faded. Layer norm brings the features of each token to
# mean 0 and variance 1, and lets a learnt gain and bias decide from there. The small `eps` keeps it from
# dividing by 0.


# %%
def layer_norm(x, gain, bias, eps=1e-5):
    """Bring every token to mean 0 and variance 1 over its features, then scale and shift each feature.

    norm(x) = (x - mean) / √(variance + eps) · gain + bias,  variance = mean of (x - mean)²

    x: (..., d)
    gain, bias: (d,)
    returns: the shape of x
    """
    ### BEGIN SOLUTION
    centred = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centred**2, axis=-1, keepdims=True)
    return centred / np.sqrt(variance + eps) * gain + bias
    ### END SOLUTION


# %% [markdown]
# ## Thinking
#
# Every token by itself, all in the same way: out to more features, negative ones to 0 (ReLU), and back. Two
# thirds of an encoder block's parameters are here.


# %%
def feed_forward(x, params):
    """Work on every token by itself: out to a wider layer, a ReLU, and back.

    output = max(0, x w_1 + b_1) w_2 + b_2

    x: (..., n, d)
    params: a feed-forward's dict
    returns: (..., n, d)
    """
    ### BEGIN SOLUTION
    hidden = np.maximum(x @ params["w_1"] + params["b_1"], 0)  # (..., n, d_ff)
    return hidden @ params["w_2"] + params["b_2"]
    ### END SOLUTION


# %% [markdown]
# ## A round for readers
#
# An **encoder** reads: every token may look at the whole text, also at what comes later.
#
# Each of the two steps is added to what is there, the **residual**: it only has to learn what to change, and
# the gradient has a way past it. The first Transformer normed after each sum (post-norm), and so put a norm into
# that way, block after block. Most later ones norm what goes into a step (pre-norm) and leave the way free: deep
# stacks are then easier to train.


# %%
def encoder_block(x, params, n_heads, mask=None, norm_first=False):
    """Attention, then feed-forward, each with its residual and its norm.

    post-norm: x = norm_1(x + attention(x)), then norm_2(x + feed_forward(x))
    pre-norm:  x = x + attention(norm_1(x)), then x + feed_forward(norm_2(x))

    x: (..., n, d)
    params: an encoder block's dict
    mask: boolean, broadcasts to (..., n, n)
    norm_first: True for pre-norm
    returns: (..., n, d)
    """
    ### BEGIN SOLUTION
    if norm_first:
        normed = layer_norm(x, **params["norm_1"])
        x = x + multi_head_attention(normed, params["attention"], n_heads, mask)
        normed = layer_norm(x, **params["norm_2"])
        return x + feed_forward(normed, params["feed_forward"])
    attended = multi_head_attention(x, params["attention"], n_heads, mask)
    x = layer_norm(x + attended, **params["norm_1"])
    return layer_norm(x + feed_forward(x, params["feed_forward"]), **params["norm_2"])
    ### END SOLUTION


# %% [markdown]
# ## A round for writers
#
# A **decoder** writes, one word after the other. It must not see the next word while it learns to guess it, so its
# self-attention has a causal mask. If it writes *about* another text, as a translator does, it has one more step
# between listening and thinking: **cross-attention** to the memory, which an encoder made of that text.
#
# BERT learnt to fill gaps in a text that it sees as a whole. GPT learnt to guess the next word, with no other text
# beside it. T5 learnt to read one text and write another. Which of them needs an encoder, which a decoder, which
# both, and who looks across?


# %%
def decoder_block(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False):
    """Attention to itself, attention to the memory, then feed-forward, each with its residual and its norm.

    Post-norm and pre-norm as in the encoder block, with norm_1, norm_2 and norm_3 in this order.
    The memory is taken as it comes: no norm is for it.

    x: (..., n, d)
    memory: (..., n_memory, d)
    params: a decoder block's dict
    mask: boolean, broadcasts to (..., n, n), for the self-attention
    memory_mask: boolean, broadcasts to (..., n, n_memory), for the cross-attention
    norm_first: True for pre-norm
    returns: (..., n, d)
    """
    ### BEGIN SOLUTION
    if norm_first:
        normed = layer_norm(x, **params["norm_1"])
        x = x + multi_head_attention(normed, params["self_attention"], n_heads, mask)
        normed = layer_norm(x, **params["norm_2"])
        x = x + multi_head_attention(normed, params["cross_attention"], n_heads, memory_mask, memory)
        normed = layer_norm(x, **params["norm_3"])
        return x + feed_forward(normed, params["feed_forward"])
    attended = multi_head_attention(x, params["self_attention"], n_heads, mask)
    x = layer_norm(x + attended, **params["norm_1"])
    looked_up = multi_head_attention(x, params["cross_attention"], n_heads, memory_mask, memory)
    x = layer_norm(x + looked_up, **params["norm_2"])
    return layer_norm(x + feed_forward(x, params["feed_forward"]), **params["norm_3"])
    ### END SOLUTION


# %% [markdown]
# ## Does the order of the words matter?
#
# One encoder block with random parameters. Shuffle the tokens that go in, put what comes out back in order, and
# look at the largest change. Without positions there is none but rounding: to a block, a sentence is a bag of
# words. With a positional encoding added, the same shuffle changes the answer.

# %%
if __name__ == "__main__":
    rng = np.random.default_rng(0)
    n, d, n_heads, d_ff = 8, 16, 4, 64

    def linear(n_in, n_out, *names):
        """Random parameters of a linear map that about keeps the size of numbers."""
        return dict(zip(names, [rng.standard_normal((n_in, n_out)) / np.sqrt(n_in), np.zeros(n_out)], strict=True))

    params = {
        "attention": linear(d, d, "w_q", "b_q")
        | linear(d, d, "w_k", "b_k")
        | linear(d, d, "w_v", "b_v")
        | linear(d, d, "w_o", "b_o"),
        "norm_1": {"gain": np.ones(d), "bias": np.zeros(d)},
        "feed_forward": linear(d, d_ff, "w_1", "b_1") | linear(d_ff, d, "w_2", "b_2"),
        "norm_2": {"gain": np.ones(d), "bias": np.zeros(d)},
    }
    words, shuffle = rng.standard_normal((n, d)), rng.permutation(n)

    def change(x, pe):
        """The largest change in what comes out when the tokens go in shuffled."""
        in_order = encoder_block(x + pe, params, n_heads, norm_first=True)
        shuffled = encoder_block(x[shuffle] + pe, params, n_heads, norm_first=True)
        return np.abs(shuffled - in_order[shuffle]).max()

    try:
        output = encoder_block(words, params, n_heads)
        without = change(words, 0)
    except NotImplementedError as unfinished:
        print(f"Nothing to show yet: {unfinished}.")
    else:
        print(f"{n} tokens of {d} features, {n_heads} heads: in {words.shape}, out {output.shape}.")
        print("Parameters:")
        for part, arrays in params.items():
            print(f"  {part:12} {sum(array.size for array in arrays.values()):5}")
        print(f"  {'together':12} {sum(a.size for arrays in params.values() for a in arrays.values()):5}")
        print("The largest change when the tokens are shuffled:")
        print(f"  without positions {without:.0e}")
        try:
            from positional_encoding import sinusoidal_pe

            print(f"  with positions    {change(words, sinusoidal_pe(n, d)):.1f}")
        except (ImportError, NotImplementedError, SyntaxError) as unfinished:
            print(f"  with positions    needs positional_encoding.py: {unfinished}")
