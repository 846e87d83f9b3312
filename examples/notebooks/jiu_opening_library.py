# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Sarsa's opening library for Jiu
#
# A game of Tibetan Jiu begins with a preparation: both sides fill the board with stones, and only then fight. The Jiu
# paper learns the filling of the central 6x6 points by Sarsa with a table and keeps the result as an *opening library*.

# %%
import tempfile
from pathlib import Path

import tempo
from tempo.games.jiu import Preparation, library, library_sgf
from tempo.learners.fast.tabular import Settings, Tabular
from tempo.learners.loop import carry_out
from tempo.runs import Run

folder = Path(tempfile.mkdtemp())

# %% [markdown]
# The paper plays 160,000 games; 20,000 take a second or two.

# %%
runs, learners = {}, {}
for rule in ("sarsa", "q_learning"):
    settings = Settings(rule=rule, games=20_000)
    learners[rule] = Tabular(Preparation(settings.parallel), settings, seed=1)
    runs[rule] = Run.create(folder / rule, {"learner": rule, "seed": 1})
    carry_out(runs[rule], learners[rule])
    first, last = (runs[rule].rows()[i] for i in (0, -1))
    print(
        f"{rule}: reward of a game {first['reward']:.0f} at first, {last['reward']:.0f} at last,",
        f"{last['entries']:,} values, {runs[rule].ledger()}",
    )
runs["sarsa"]

# %% [markdown]
# A placement enters the library once it was tried often enough. It is an SGF file: any program for SGF shows the tree.

# %%
books = {rule: library.from_table(learner.table, Preparation) for rule, learner in learners.items()}
for rule, book in books.items():
    library_sgf.save(book, folder / f"{rule}.sgf")
    print(rule, len(book), "placements from", book.games, "games")

# %% [markdown]
# The main line of each, from the first placement to the last, and how far the two agree.

# %%
lines = {}
for rule, book in books.items():
    line = []
    while (point := book.best(line)) is not None:
        line.append(point)
    lines[rule] = line
    print(rule, len(line), "placements deep")
same = sum(a == b for a, b in zip(*lines.values(), strict=True))
print(same, "of them are the same")

position = tempo.load("jiu").start()
for point in lines["sarsa"]:
    row, column = divmod(point, 14)
    position = position.play(f"{chr(ord('A') + row)}{column + 1}")
position

# %% [markdown]
# **What is seen.** Both rules end with the same main line, placement by placement, though their tables differ. The tables grow
# with every game, because hardly any sequence of 36 placements comes twice: a library is deep only along what was played most. The
# reward is dominated by G7 and H8, which every game begins with; what is left to learn changes it by a few parts in a
# thousand. **What is not.** Whether a library helps to win. In our reading of the paper it adds nothing that can be
# measured (`docs/papers/jiu.md`): the fight decides, and the reward of the preparation says little about it.
