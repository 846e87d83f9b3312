# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Search against learning, at equal cost
#
# A program can spend its time before the game, by learning, or at the board, by search. Which is better depends on how many
# moves the learning is shared by. Here is the arithmetic for Othello on 6x6.

# %%
import tempfile
from pathlib import Path

from tempo import arena, recipes
from tempo.recipes.general import recipe_of

game = "othello(size=6)"
runs = Path(tempfile.mkdtemp())
recipe = recipe_of("td_leaf", game, {"net": "linear", "iterations": 20, "games": 16, "exam": 0})
run = recipes.train(recipe, seed=1, out=runs / "learnt")
learning = run.ledger().cpu_seconds
print(f"learning took {learning:.2f} s of CPU")
run

# %% [markdown]
# The learnt values are searched to depth 2. Its opponents know nothing but the rules: Monte-Carlo tree search that plays
# random games to the end, with 10, 40 and 160 of them a move. All meet all, with both sides of every opening.

# %%
learnt = str(run.folder)
players = {"learnt, depth 2": learnt, "random": "random"}
players |= {f"{sims} simulations": f"mcts:sims={sims}" for sims in (10, 40, 160)}
table = arena.tournament(players, game, games=100, seed=1)
table

# %% [markdown]
# What a move cost each of them, and after how many moves the learning has paid for itself against a search that costs more.

# %%
costs = {row.name: row.ledger.cpu_seconds / row.ledger.moves for row in table.standings}
own = costs.pop("learnt, depth 2")
print(f"learnt: {1e6 * own:.0f} µs a move")
for met in table.matches:
    if met.a == "learnt, depth 2":
        cost, (low, high) = costs[met.b], met.interval
        repaid = f"; repaid after {learning / (cost - own):,.0f} moves" if cost > own else ""
        print(
            f"{met.score:.0%} [{low:.0%}, {high:.0%}] against {met.b} ({1e6 * cost:.0f} µs a move){repaid}"
        )
assert table.score("learnt, depth 2", "random") > 0.8

# %% [markdown]
# **What is seen.** A tenth of a second of learning replaces a search of 160 simulations, which costs several times as much at
# every move, as far as a hundred games can tell; at about the same price a move, 40 simulations lose. Against 160 the learning
# is repaid after some thousand moves, a hundred games or so: nothing for a program that plays all day, a lot for one that
# plays a game a year. **What is not.** One training is one seed, and the times are those of this machine at this moment. More
# simulations catch up: a weighted sum of a few terms has a ceiling, search has none.
# `docs/compare/README.md` compares ten learners for equal CPU seconds, with several seeds.
