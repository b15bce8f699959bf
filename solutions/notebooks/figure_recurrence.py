# %% [markdown]
# ## The figure
#
# How much of a change still reaches the last of 50 steps, with your own function: for weights that shrink, and for
# larger weights with quiet and with loud inputs.

# %%
import matplotlib.pyplot as plt
import numpy as np
from recurrence import rnn_gradient_norms

rng = np.random.default_rng(0)
rotation, _ = np.linalg.qr(rng.standard_normal((64, 64)))
noise = rng.standard_normal((50, 64))
try:
    figure, panel = plt.subplots(figsize=(6, 3.5))
    for scale, loudness in [(0.68, 0.1), (1.2, 0.1), (1.2, 1.0)]:
        norms = rnn_gradient_norms(scale * rotation, np.eye(64), loudness * noise, np.zeros(64))
        panel.semilogy(norms, label=f"weights times {scale}, inputs of size {loudness}")
    panel.set(title="What reaches the end", xlabel="steps back", ylabel="spectral norm of the gradient")
    panel.legend()
    plt.show()
except NotImplementedError:
    plt.close(figure)
    print("The figure comes when rnn_gradient_norms is written.")
