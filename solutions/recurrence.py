# %% [markdown]
# # Recurrence
#
# **Why is it hard to remember the beginning of a long sentence?**
#
# Before attention, networks read as you read aloud: one word after the other, with one **state** that has to
# hold all that they remember.
#
# Think of children in a row who whisper a message from ear to ear. If each of them passes on 67 % of what they
# heard, fifty children pass on $0.67^{50}$ of it: two billionths.
#
# $$h_t = \tanh(W_h\,h_{t-1} + W_x\,x_t)$$
#
# ![Gradients over 50 steps back: two billionths are left at 0.68, they explode at 2.5.](figures/fig02_recurrence.svg)
#
# With attention, a far word is one look away: run `python playground.py` and open
# http://127.0.0.1:8765/#sentence=the+animal+that+crossed+the+long+old+street+in+the+big+city+was+tired+because+it+walked&pick=16

# %%
import numpy as np

# %% [markdown]
# ## Reading
#
# Each new state is made from the one before and from the next input. Each has to wait for the one before: a
# recurrent network cannot read two words at once.


# %%
def rnn_states(w_h, w_x, inputs, h_0):
    """Read a sequence, one input after the other, and keep every state.

    h_t = tanh(w_h h_{t-1} + w_x x_t)

    w_h: (d, d)
    w_x: (d, m)
    inputs: (T, m), the rows x_1 to x_T
    h_0: (d,)
    returns: (T + 1, d), the rows h_0 to h_T
    """
    ### BEGIN SOLUTION
    states = [h_0]
    for x in inputs:
        states.append(np.tanh(w_h @ states[-1] + w_x @ x))
    return np.array(states, dtype=float)
    ### END SOLUTION


# %% [markdown]
# ## What reaches the end
#
# To learn that an early word mattered, training asks: how much would the last state change, had an early state
# been a little different? The answer is the **gradient**, and by the chain rule every step in between is one
# factor of it:
#
# $$\frac{\partial h_T}{\partial h_{T-k}} = J_T\,J_{T-1} \cdots J_{T-k+1} \qquad J_t = \mathrm{diag}(1 - h_t^2)\,W_h$$
#
# ($1 - \tanh^2$ is the derivative of $\tanh$.) The **spectral norm** of this product, its largest singular value,
# is how much of a change gets through at best. Fifty factors that each shrink leave nothing; fifty that each
# stretch explode.


# %%
def rnn_gradient_norms(w_h, w_x, inputs, h_0):
    """Measure how strongly the last state still feels each earlier one.

    norm_k = ‖ ∂h_T / ∂h_{T-k} ‖, the spectral norm of J_T J_{T-1} ... J_{T-k+1} with J_t = diag(1 - h_t²) w_h

    w_h, w_x, inputs, h_0: as for rnn_states
    returns: (T + 1,), the norms for k = 0 to T steps back; the first is 1, as h_T moves with itself
    """
    ### BEGIN SOLUTION
    states = rnn_states(w_h, w_x, inputs, h_0)
    gradients = [np.eye(len(h_0))]  # of the last state with respect to itself
    for h in states[:0:-1]:  # from the last state back to the first
        gradients.append(gradients[-1] @ ((1 - h**2)[:, None] * w_h))  # (d, d), one step further back
    return np.linalg.norm(gradients, 2, axis=(-2, -1))  # (T + 1,), of all of them at once
    ### END SOLUTION


# %% [markdown]
# ## Fifty steps back
#
# A network of 64 units, measured with your own functions. $W_h$ is a rotation times 0.68: each step passes on at
# most 68 %, and $\tanh$ takes the rest. After 50 steps two billionths are left: nothing can be learnt from a word
# that far back. Do larger weights help? The same matrix times 1.2 instead of 0.68 makes the gradient grow when
# the inputs are quiet, and lets it vanish when they are loud, because $\tanh$ is flat where states are large. No
# one size of weights is right for all inputs.
#
# Attention has no such row of children: from any word to any other it is one step, however far apart they are.

# %%
if __name__ == "__main__":
    rng = np.random.default_rng(0)
    rotation, _ = np.linalg.qr(rng.standard_normal((64, 64)))  # orthogonal: changes no length
    noise = rng.standard_normal((50, 64))
    start, into_each = np.zeros(64), np.eye(64)  # every unit has its own input
    try:
        columns = [
            rnn_gradient_norms(scale * rotation, into_each, loudness * noise, start)
            for scale, loudness in [(0.68, 0.1), (1.2, 0.1), (1.2, 1.0)]
        ]
    except NotImplementedError as unfinished:
        print(f"Nothing to show yet: {unfinished}.")
    else:
        print("How much of a change gets through:")
        print("  weights         0.68     1.2     1.2")
        print("  inputs         quiet   quiet    loud")
        for k in range(0, 51, 10):
            print(f"  {k:2} steps back " + " ".join(f"{norms[k]:7.1e}" for norms in columns))
        print(f"For comparison, 67 % at each of 50 steps: {0.67**50:.1e}")
