# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A critic that teaches itself Gomoku
#
# The Gomoku papers train a *critic* by adaptive dynamic programming: a small network values positions from patterns of
# stones, plays against itself one move ahead, and moves each value towards that of its own next move. Nobody tells it
# anything but the rules and the patterns to look at.

# %%
import tempfile
from pathlib import Path

import tempo
from tempo import agents, arena, displays, recipes

runs = Path(tempfile.mkdtemp())
recipe = recipes.read("gomoku-critic")
print(recipe["about"], recipe["stages"][0])

# %% [markdown]
# The published schedule is 60,000 games. Here it gets 500, 2,000 and 4,000, a few seconds in all.

# %%
critics = {}
for iterations, games in ((1, 500), (2, 1000), (4, 1000)):
    shorter = recipe | {"stages": [{"iterations": iterations, "games": games}]}
    name = f"{iterations * games} games"
    critics[name] = recipes.train(shorter, seed=1, out=runs / f"critic-{iterations * games}")
    print(name, critics[name].ledger())
critics[name]

# %% [markdown]
# What does it see? A position with an open three of Black, and the value of a few replies, by seat.

# %%
critic = agents.load(str(critics[name].folder))
position = tempo.load("gomoku").start()
for move in ("h8", "h9", "i8", "i9", "g8"):
    position = position.play(move)
choice = critic.choose(position)
print("White plays", position.move_text(choice.move), "values by seat", choice.values)
position

# %% [markdown]
# How strong is it? Against random moves, against itself with less experience, and against a search of one move with an
# evaluation that was tuned by hand.

# %%
few, most = (str(critics[key].folder) for key in ("500 games", name))
players, shown = {"critic": most, "random": "random"}, displays.Bar("the critic against random")
floor = arena.match(players, "gomoku", games=20, seed=1, progress=shown)
assert floor.interval.low > 0.5
floor

# %%
arena.match({"4,000 games": most, "500 games": few}, "gomoku", games=40, seed=1)

# %%
arena.match({"critic": most, "search of depth 1": "alphabeta:depth=1"}, "gomoku", games=40, seed=1)

# %% [markdown]
# **What is seen.** A second of self-play is enough to beat random moves, and 4,000 games are clearly better than 500. **What is
# not.** That it plays well: against a hand-tuned evaluation that looks one move ahead, as it does itself, this critic loses
# most games. The one that ships (`critic`) has played 60,000 games; `gomoku-strong`, which searches, has won 200 of 200 games
# against that one (`docs/papers/gomoku.md`, `docs/engines/gomoku-strong.md`). One training of each length is one seed.
