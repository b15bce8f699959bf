# %% [markdown]
# ## The figure
#
# Shuffle the tokens of one encoder block with random parameters, and put its answers back in order: how much did they
# change? Your own block, with 50 draws of parameters; once as it is, once with something added to each place.

# %%
import matplotlib.pyplot as plt
import numpy as np
from transformer import encoder_block


def change(seed, positions):
    """The largest change after the shuffle is undone."""
    rng = np.random.default_rng(seed)
    squares = iter(rng.standard_normal((6, 16, 16)) / 4)
    maps = {f"w_{name}": next(squares) for name in "qkvo"} | {f"b_{name}": np.zeros(16) for name in "qkvo"}
    wide = {"w_1": next(squares), "b_1": np.zeros(16), "w_2": next(squares), "b_2": np.zeros(16)}
    norm = {"gain": np.ones(16), "bias": np.zeros(16)}
    params = {"attention": maps, "norm_1": norm, "feed_forward": wide, "norm_2": norm}
    x, order, places = rng.standard_normal((8, 16)), rng.permutation(8), positions * rng.standard_normal((8, 16))
    before = encoder_block(x + places, params, 4, norm_first=True)
    after = encoder_block(x[order] + places, params, 4, norm_first=True)
    return np.abs(after - before[order]).max()


try:
    changes = [[change(seed, positions) for seed in range(50)] for positions in (0, 1)]
    figure, panel = plt.subplots(figsize=(6, 3))
    for row, values in enumerate(changes):
        panel.semilogx(np.maximum(values, 1e-17), [row] * 50, "o", alpha=0.4)
    panel.set(title="Without positions, a sentence is a bag of words", xlabel="largest change", ylim=(-1, 2))
    panel.set_yticks([0, 1], ["without positions", "with positions"])
    plt.show()
except NotImplementedError as unfinished:
    print(f"The figure comes when encoder_block is written ({unfinished}).")
