# %% [markdown]
# # Self-check
#
# **What have you understood?**
#
# No program to write here: thirteen questions, and a pencil. Put your answer in place of `None`. Above each
# question stands what kind of answer it wants. `pytest test_self_check.py` says whether you are right, and
# `pytest --hint NAME` (for instance `pytest --hint SCORES_SHAPE`) where to read on if you are not.

# %% [markdown]
# ## Shapes
#
# Attention gets queries `(n_q, d_k)`, keys `(n_k, d_k)` and values `(n_k, d_v)`, and no batch.
#
# **SCORES_SHAPE**: which shape do the scores have? Answer: a shape in quotes, made of the letters above, such as
# `"(d_k, d_v)"`.

# %%
SCORES_SHAPE = None  # your answer, in place of None

# %% [markdown]
# **OUTPUT_SHAPE**: which shape does the output have? Answer: a shape in quotes, as before.

# %%
OUTPUT_SHAPE = None  # your answer, in place of None

# %% [markdown]
# ## By hand
#
# Two queries, three keys and three values, one in each row:
#
# $$Q = \begin{pmatrix} 2 & 0 & 1 & 1 \\ 0 & 2 & 1 & -1 \end{pmatrix} \quad
# K = \begin{pmatrix} 1 & 0 & 0 & 0 \\ 0 & 1 & 1 & -1 \\ 1 & 0 & 1 & 1 \end{pmatrix} \quad
# V = \begin{pmatrix} 1 & 0 \\ 0 & 2 \\ 2 & 1 \end{pmatrix}$$
#
# You will need $e \approx 2.718$ and $e^2 \approx 7.389$.
#
# **HAND_SCORES**: the scores that go into the softmax. Answer: 2 rows of 3 numbers, as a list of lists.

# %%
HAND_SCORES = None  # your answer, in place of None

# %% [markdown]
# **HAND_WEIGHTS**: the weights. Answer: 2 rows of 3 numbers, to three decimals.

# %%
HAND_WEIGHTS = None  # your answer, in place of None

# %% [markdown]
# **HAND_OUTPUT**: the output. Answer: 2 rows of 2 numbers, to three decimals.

# %%
HAND_OUTPUT = None  # your answer, in place of None

# %% [markdown]
# ## Why divide?
#
# **DOT_PRODUCT_VARIANCE**: a query and a key have 64 features each, all independent, with mean 0 and variance 1.
# What is the variance of their dot product, before it is divided by anything? Answer: a number.

# %%
DOT_PRODUCT_VARIANCE = None  # your answer, in place of None

# %% [markdown]
# ## Order
#
# **SHUFFLED_TOKENS**: tokens without positions go through attention (queries, keys and values are all made from
# them), without a mask. What happens to the outputs when the tokens are shuffled?
#
# - a: nothing, each row of the output stays as it is
# - b: all outputs become the same
# - c: the outputs are shuffled in the same way, and are otherwise as before
# - d: the outputs become other numbers, since each token has other neighbours now
# - e: only the weights change, the outputs do not
#
# Answer: a letter in quotes.

# %%
SHUFFLED_TOKENS = None  # your answer, in place of None

# %% [markdown]
# **CAUSAL_MASK_HIDES**: what does a causal mask hide from a query?
#
# - a: the keys before its own position
# - b: the keys after its own position
# - c: the key at its own position, and those after it
# - d: the keys that are padding
# - e: the queries after its own position
#
# Answer: a letter in quotes.

# %%
CAUSAL_MASK_HIDES = None  # your answer, in place of None

# %% [markdown]
# ## Who is who
#
# **BERT**, **GPT**, **T5**: of which blocks is each of them made? Answer, for each: `"encoder"`, `"decoder"` or
# `"both"`.

# %%
BERT = None  # your answer, in place of None

# %%
GPT = None  # your answer, in place of None

# %%
T5 = None  # your answer, in place of None

# %% [markdown]
# **CROSS_ATTENTION**: which of the three have cross-attention? Answer: their names, as a list; `[]` if none has.

# %%
CROSS_ATTENTION = None  # your answer, in place of None

# %% [markdown]
# ## Cost
#
# **CROSSOVER_LENGTH**: in an encoder block with $d = 1024$ and a hidden layer of $4d$, from how many tokens on
# does attention cost at least as much as the maps? Answer: a whole number.

# %%
CROSSOVER_LENGTH = None  # your answer, in place of None

# %% [markdown]
# ## How far you are

# %%
if __name__ == "__main__":
    from reading import QUESTIONS

    answers = {name: globals().get(name) for name in QUESTIONS}
    given = {name: value for name, value in answers.items() if value is not None}
    if not given:
        print(f"Nothing to show yet: none of {len(answers)} questions is answered.")
    else:
        print(f"{len(given)} of {len(answers)} questions are answered:")
        for name, value in given.items():
            print(f"  {name:<22}{value}")
        if len(given) < len(answers):
            print(f"Still to answer: {', '.join(name for name in answers if name not in given)}.")
        print("Whether they are right: pytest test_self_check.py")
