# %% [markdown]
# # Masking
#
# **What must a word not see?**
#
# Two things. When you guess the next word of a sentence, you cannot peek at it. And when sentences of
# different lengths are stacked into one array, the short ones are filled up with padding, which nobody
# should listen to.
#
# Think of an exam with the answers printed at the bottom of the sheet: cover them while you write (the
# **causal** mask), and skip the pages that were left blank by the printer (the **padding** mask).
#
# $$\mathrm{visible}_{ij} = (j \le i) \;\wedge\; (j < \mathrm{length})$$
#
# Row $i$ is the query, column $j$ the key, and **True means "may attend"**, as in `attention`.
#
# ![The sentence without a mask and with a causal one: no word reads a later one.](figures/fig01_attention.svg)
#
# Try it: run `python playground.py` and open
# http://127.0.0.1:8765/#mask=causal&pick=8

# %%
import numpy as np

# %% [markdown]
# ## No peeking
#
# A word may look at itself and at what came before.


# %%
def causal_mask(n):
    """Hide the future: a query sees the keys up to its own position.

    visible_ij = (j ≤ i)

    returns: boolean (n, n), row = query, column = key
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("causal_mask is not started")
    # Your code ends here.


# %% [markdown]
# ## No padding
#
# Each sentence of the batch has its own length, and all its queries see the same keys. So the mask needs
# only one row per sentence: the axis of length 1 broadcasts over the queries.


# %%
def padding_mask(lengths, n):
    """Hide the padding: in each sequence, the keys from its length on.

    visible_bj = (j < length_b)

    lengths: the length of each sequence, a list or an integer array, (batch,)
    n: how long the padded sequences are
    returns: boolean (batch, 1, n)
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("padding_mask is not started")
    # Your code ends here.


# %% [markdown]
# ## Both
#
# A key is visible only if every mask says so. Shapes broadcast: a causal mask `(n, n)` and a padding mask
# `(batch, 1, n)` make one of `(batch, n, n)`.


# %%
def combine_masks(*masks):
    """Keep visible what every mask lets through.

    visible = mask_1 and mask_2 and ...

    masks: one or more boolean arrays whose shapes broadcast; they stay as they are
    returns: boolean, of the broadcast shape
    """
    # Your code begins here, in place of the next line.
    raise NotImplementedError("combine_masks is not started")
    # Your code ends here.


# %% [markdown]
# ## A picture
#
# Two sentences of 4 and 2 words, padded to 5, on your own functions. An x is what a query (row) sees.

# %%
if __name__ == "__main__":
    lengths = np.array([4, 2])
    try:
        both = combine_masks(causal_mask(5), padding_mask(lengths, 5))
    except NotImplementedError as unfinished:
        print(f"Nothing to show yet: {unfinished}.")
    else:
        for length, sentence in zip(lengths, both, strict=True):
            print(f"{length} words, padded to 5:")
            for row in sentence:
                print("  " + " ".join("x" if visible else "." for visible in row))
