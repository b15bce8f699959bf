# %% [markdown]
# ## The figure
#
# The work of one encoder block with $d = 768$, counted by your own functions: the maps grow with the number of tokens,
# attention with its square.

# %%
import matplotlib.pyplot as plt
from counters import attention_flops, crossover_length, dense_flops

try:
    lengths, crossing = [2**i for i in range(7, 17)], crossover_length(768)
    figure, panel = plt.subplots(figsize=(6, 3.5))
    panel.loglog(lengths, [dense_flops(n, 768) for n in lengths], label="the maps")
    panel.loglog(lengths, [attention_flops(n, 768) for n in lengths], label="attention")
    panel.axvline(crossing, color="grey", linestyle=":")
    panel.set(title=f"They cross at {crossing:,} tokens", xlabel="tokens", ylabel="operations")
    panel.legend()
    plt.show()
except NotImplementedError:
    print("The figure comes when the counters are written.")
