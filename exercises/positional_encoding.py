# %% [markdown]
# # Positional encoding
#
# **How does the model know which word comes first?**
#
# > The dog bites the man. The man bites the dog.
#
# It does not. Attention compares queries with keys, and wherever a key stands, it fits as well as before.
# So every position gets a vector of its own, which is added to the features of the word that stands there.
#
# Think of a clock. A fast hand, a slower one and a slow one together tell the time. And "20 minutes later"
# turns each hand by an angle of its own, whatever the time was. Here a position is the time, and there are
# $d/2$ hands; hand $i$ turns by $\omega_i$ at each position, and its tip is a sine and a cosine:
#
# $$\mathrm{pe}_{p,\,2i} = \sin(p\,\omega_i) \qquad \mathrm{pe}_{p,\,2i+1} = \cos(p\,\omega_i)
# \qquad \omega_i = 10000^{-2i/d}$$
#
# ![The encoding, and three similarity curves that are one: only the distance counts.](figures/fig04_positions.svg)
#
# Try it without positions and with: run `python playground.py` and open
# http://127.0.0.1:8765/#sentence=the+dog+bites+the+man&pick=3&positions=on&heads=4&head=4

# %%
import numpy as np

# %% [markdown]
# ## A row of hands for every position
#
# The fastest hand is back where it was after $2\pi$, or about 6 positions: it tells neighbours apart. With many
# features, the slowest needs tens of thousands: it tells the beginning of a book from its end. With all of them,
# no two positions look the same.


# %%
def sinusoidal_pe(n, d):
    """Give every position a row of sines and cosines, from fast to slow.

    pe[p, 2i] = sin(p ω_i),  pe[p, 2i + 1] = cos(p ω_i),  ω_i = 10000^(-2i / d)

    n: how many positions, from 0
    d: how many features; an odd number raises ValueError
    returns: (n, d)
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("sinusoidal_pe is not started")
    # Your code ends here.


# %% [markdown]
# ## k words later
#
# What matters in a sentence is rarely "the 17th word", mostly "the word before". Why do sines and cosines
# suit that? Because of what happens to them when an angle $a$ grows by $b$:
#
# $$\sin(a + b) = \sin a \cos b + \cos a \sin b \qquad \cos(a + b) = \cos a \cos b - \sin a \sin b$$
#
# With $a = p\,\omega_i$ and $b = k\,\omega_i$: the hand at $p + k$ is a mixture of the sine and the cosine at $p$,
# and the mixture depends on $k$ alone. It is a rotation, one for each frequency. So one matrix moves **every**
# position by $k$, and "k words later" is something that a linear map can learn.


# %%
def shift_matrix(k, d):
    """Make the matrix that moves an encoding by k positions, wherever it starts.

    shift_matrix(k, d) @ pe[p] = pe[p + k] for every p

    k: how many positions, also negative
    d: how many features
    returns: (d, d), a rotation by k ω_i for each pair of features, and 0 elsewhere
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("shift_matrix is not started")
    # Your code ends here.


# %% [markdown]
# ## How alike two positions are
#
# The dot product of two positions adds up, hand by hand, $\sin a \sin b + \cos a \cos b = \cos(a - b)$. Where the
# two positions are no longer matters, only how far apart they are.


# %%
def offset_similarity(k, d):
    """Say how alike two encodings are that stand k positions apart.

    pe[p] · pe[p + k] = Σ_i cos(k ω_i) for every p

    k: how many positions, also negative
    d: how many features
    returns: one number, a float; d / 2 at k = 0, where all hands agree
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("offset_similarity is not started")
    # Your code ends here.


# %% [markdown]
# ## Wherever you start
#
# How alike are position $p$ and position $p + k$? Measured on your own encoding from three starting points, and
# worked out by your `offset_similarity`: the columns agree in all but rounding. A position is most like itself
# and its neighbours; farther off the likeness falls, with ups and downs.

# %%
if __name__ == "__main__":
    d, starts, offsets = 64, (5, 20, 40), (0, 1, 2, 5, 10, 20, 50)
    try:
        pe = sinusoidal_pe(100, d)
        shifted = {k: pe @ shift_matrix(k, d).T for k in offsets}
        similarity = {k: [float(pe[p] @ pe[p + k]) for p in starts] + [offset_similarity(k, d)] for k in offsets}
    except NotImplementedError as unfinished:
        print(f"Nothing to show yet: {unfinished}.")
    else:
        print("How alike positions p and p + k are (d = 64):")
        print("   k    p = 5   p = 20   p = 40   any p")
        for k, row in similarity.items():
            print(f"  {k:2} " + " ".join(f"{value:8.3f}" for value in row))
        spread = max(max(row) - min(row) for row in similarity.values())
        print(f"The largest difference within a row: {spread:.0e}")
        error = max(np.abs(shifted[k][: 100 - k] - pe[k:]).max() for k in offsets)
        print(f"The largest error of a position moved by shift_matrix: {error:.0e}")
