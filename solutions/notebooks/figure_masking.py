# %% [markdown]
# ## The figure
#
# Two sentences of 4 and 2 words, padded to 5, with your own masks. A row is a query, a column a key; dark: it may
# attend.

# %%
import matplotlib.pyplot as plt
from masking import causal_mask, combine_masks, padding_mask

try:
    both = combine_masks(causal_mask(5), padding_mask([4, 2], 5))
    figure, panels = plt.subplots(1, 2, figsize=(6, 3))
    for panel, visible, length in zip(panels, both, [4, 2], strict=True):
        panel.imshow(visible, cmap="Blues", vmin=0, vmax=1.2)
        panel.set(title=f"{length} words, padded to 5", xlabel="key", ylabel="query")
    plt.show()
except NotImplementedError:
    print("The figure comes when the masks are written.")
