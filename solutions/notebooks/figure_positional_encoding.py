# %% [markdown]
# ## The figure
#
# Left your encoding: each row is a position, and the hands go from fast to slow. Right how alike position $p$ and
# position $p + k$ are, from three starting points: the three curves lie on each other.

# %%
import matplotlib.pyplot as plt
from positional_encoding import sinusoidal_pe

try:
    pe = sinusoidal_pe(100, 64)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
    left.imshow(pe, cmap="RdBu", aspect="auto")
    left.set(title="Every position has a row of its own", xlabel="feature", ylabel="position")
    for p, width in [(5, 6), (20, 3), (40, 1)]:
        right.plot(pe[p : p + 51] @ pe[p] / 32, linewidth=width, label=f"p = {p}")
    right.set(title="Only the distance counts", xlabel="k words later", ylabel="likeness")
    right.legend()
    plt.show()
except NotImplementedError:
    print("The figure comes when sinusoidal_pe is written.")
