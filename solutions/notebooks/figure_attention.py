# %% [markdown]
# ## The figure
#
# Seven words with hand-made features look at each other, left all at all, right none at a later one. A dark square is a
# large weight. With your functions "it" finds the animal.

# %%
import matplotlib.pyplot as plt
import numpy as np
from attention import attention

tokens = ["animal", "didn't", "cross", "street", "because", "it", "tired"]
keys, queries = np.zeros((7, 4)), np.zeros((7, 4))
keys[[0, 3], [1, 1]] = 4, 1  # the animal is very much alive, the street hardly
queries[5, 1] = 3  # "it" asks for something that is alive
try:
    figure, panels = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
    views = [("sees all words", None), ("sees no later word", np.tri(7, dtype=bool))]
    for panel, (title, mask) in zip(panels, views, strict=True):
        _, weights = attention(queries, keys, keys, mask)
        panel.imshow(weights, cmap="Blues", vmin=0, vmax=1)
        panel.set(title=f'"it" {title}: {weights[5, 0]:.2f} on "animal"')
        panel.set_xticks(range(7), tokens, rotation=45)
        panel.set_yticks(range(7), tokens)
    plt.show()
except NotImplementedError:
    plt.close(figure)
    print("The figure comes when attention is written.")
