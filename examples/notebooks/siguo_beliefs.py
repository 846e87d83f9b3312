# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Beliefs in Siguo
#
# Siguo is a game for four in two teams. Every seat sees where all pieces stand and the kinds of its own pieces alone. What
# moves, what wins a fight and what is lost says something about the rest. A `Belief` is all that follows.

# %%
import numpy as np

import tempo
from tempo import agents
from tempo.games.siguo import Belief

game = tempo.load("siguo")
position = game.start(seed=3)
position  # as the seat to move sees it

# %% [markdown]
# We play on with a quick agent and ask, every 20 plies, what South can know: how many deals fit what it has seen, and how
# uncertain each piece of its right-hand opponent, East, is, in bits.


# %%
def uncertainty(chances: np.ndarray) -> np.ndarray:
    """The entropy of each piece in bits: 0 when its kind is certain."""
    some = np.where(chances > 0, chances, 1)
    return -(chances * np.log2(some)).sum(axis=1)


agent = agents.load("siguo-heuristic")
agent.reset(seed=1)
told = []
for ply in range(121):
    if ply % 20 == 0:
        belief = Belief(position.view(0), seed=1, draws=1000)
        bits = uncertainty(belief.chances()).reshape(4, 25)
        told.append((ply, belief.determinizations, bits[1].sum()))
        how = "exact" if belief.is_exact else f"drawn, error {belief.error:.3f}"
        print(
            f"ply {ply:3}: {belief.determinizations:8.2g} deals fit ({how}); East {bits[1].sum():5.1f} bits"
        )
    if position.is_over:
        break
    position = position.play(agent.choose(position.view(position.turn)).move)

assert told[-1][1] < told[0][1]  # deals are excluded, never added
assert bits[0].sum() == 0  # South knows its own pieces
position.view(0)

# %% [markdown]
# A determinization is one of those deals. Searches of hidden games look at several, each as if it were open. Two of them
# look the same to South and differ in what it cannot see:

# %%
view = position.view(0)
one, other = view.sample(seed=1), view.sample(seed=2)
assert one.view(0) == other.view(0) == view
print(sum(a != b for a, b in zip(one.text, other.text, strict=True)), "letters differ")

# %% [markdown]
# How many of East's pieces can South name by now, and how many of the others are open between how many kinds?

# %%
east = belief.chances().reshape(4, 25, 12)[1]
kinds = (east > 0).sum(axis=1)  # that each piece may still be; 0 where it has left the board
print(
    "certain:",
    int((kinds == 1).sum()),
    "of",
    int((kinds > 0).sum()),
    "pieces; open between",
    np.bincount(kinds[kinds > 1])[2:].tolist(),
    "pieces have 2, 3, ... kinds left",
)

# %% [markdown]
# **What is seen.** The deals that fit fall by many orders of magnitude in a hundred plies, and still far too many are left
# to look at: most pieces that still stand could be several kinds. **What is not.** The belief takes all deals as equally likely. People
# do not deploy at random, and neither do our agents; a belief that knew their habits would know more
# (`docs/games/siguo.md`).
