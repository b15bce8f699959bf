# %% [markdown]
# # Attention
#
# **When you read a word, which other words do you take its meaning from?**
#
# > The animal didn't cross the street because it was tired.
#
# Who was tired, the street or the animal? To understand "it" you look at the other words and listen
# mostly to one of them. Attention is that look, written as arithmetic.
#
# Think of a question asked in a full room. You ask for something (your **query**), everybody holds up a
# card that says what they know about (their **key**), and you listen to each person as much as their card
# fits your question. What you take home is a mixture of what they say (their **values**).
#
# $$\mathrm{attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# Read it from the inside out: how well does each card fit (`scaled_scores`), how much do I listen to each
# (`softmax`), what do I take home (`attention`). In code, tokens are on the second-last axis and features
# on the last; any axes before those are a batch.
#
# ![Two heat maps: "it" reads "animal" with weight 0.98, masked or not.](figures/fig01_attention.svg)
#
# Try it on your own functions: run `python playground.py` and open
# http://127.0.0.1:8765/#sentence=animal+didn%27t+cross+street+because+it+tired&pick=6

# %%
import numpy as np

# %% [markdown]
# ## Scores become weights
#
# A score can be any number. A weight must be at least 0, and the weights that one query hands out must
# add up to 1. The exponential function makes every score positive, and dividing by the sum does the rest.
#
# One trap: `np.exp(1000)` is already infinite. Adding the same number to all scores changes no weight;
# that gets you out of the trap.


# %%
def softmax(x, axis=-1):
    """Turn scores into weights: at least 0, and adding up to 1 along the axis.

    softmax(x)_i = exp(x_i) / Σ_j exp(x_j)

    x: scores of any shape, floats or integers of any size; -inf means "not at all" and gets weight 0
    returns: weights, the shape of x
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("softmax is not started")
    # Your code ends here.


# %% [markdown]
# ## Queries meet keys
#
# How well a key fits a query is their dot product. It grows with the number of features: with entries of
# variance 1, the dot product of two independent vectors has variance $d_k$. Large scores make softmax all
# or nothing, so that nothing can be learnt from the words that lost. Dividing by $\sqrt{d_k}$ brings the
# variance back to 1.
#
# ![The largest of four weights: 0.989 without the division, 0.52 with it.](figures/fig03_scaling.svg)


# %%
def scaled_scores(q, k):
    """Score every query against every key.

    scores_ij = (q_i · k_j) / √d_k

    q: (..., n_q, d_k)
    k: (..., n_k, d_k)
    returns: (..., n_q, n_k)
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("scaled_scores is not started")
    # Your code ends here.


# %% [markdown]
# ## Weights mix values
#
# Each query takes home the average of the values, weighted by how much it listens to each.
#
# Sometimes a query must not see a key: a word that comes later, or padding that is no word at all. A
# **mask** says so: True means "may attend". A hidden key must have no influence whatever, as if it had
# never been in the room.


# %%
def attention(q, k, v, mask=None):
    """Let every query take the average of the values, weighted by how well their keys fit.

    output = softmax(q kᵀ / √d_k) v

    q: (..., n_q, d_k)
    k: (..., n_k, d_k)
    v: (..., n_k, d_v)
    mask: boolean, broadcasts to (..., n_q, n_k); True where the query may attend to the key
    returns: output (..., n_q, d_v) and weights (..., n_q, n_k)

    A hidden key gets weight exactly 0. A query that may attend to nothing gets weights 0 and output 0.
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("attention is not started")
    # Your code ends here.


# %% [markdown]
# ## Who was tired?
#
# A worked example on your own functions. "It" asks for a thing that is alive.

# %%
if __name__ == "__main__":
    tokens = ["animal", "didn't", "cross", "street", "because", "it", "tired"]
    #                     thing alive doing feeling
    features = np.array([[1.0, 3.0, 0.0, 0.0],  # animal
                         [0.0, 0.0, 0.0, 0.0],  # didn't
                         [0.0, 0.0, 1.0, 0.0],  # cross
                         [1.0, 0.0, 0.0, 0.0],  # street
                         [0.0, 0.0, 0.0, 0.0],  # because
                         [0.0, 0.0, 0.0, 0.0],  # it
                         [0.0, 0.0, 0.0, 1.0]])  # tired  # fmt: skip
    it = np.array([[3.0, 3.0, 0.0, 0.0]])
    try:
        output, weights = attention(it, features, features)
    except NotImplementedError as unfinished:
        print(f"Nothing to show yet: {unfinished}.")
    else:
        print('How much "it" listens to each word:')
        for token, weight in zip(tokens, weights[0], strict=True):
            print(f"  {token:8} {weight:.3f}")
        print('What "it" means now:')
        for feature, value in zip(["thing", "alive", "doing", "feeling"], output[0], strict=True):
            print(f"  {feature:8} {value:.3f}")
