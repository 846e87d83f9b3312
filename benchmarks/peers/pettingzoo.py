# The peers are not installed where types are checked.
# mypy: ignore-errors

"""PettingZoo's own classic games: an agent at a time, in Python (chess by python-chess).

`env` is what its pages tell users to make; `raw_env` is the same without the wrappers that check
the order of calls and the legality of moves.
"""

import os
from functools import partial
from importlib import import_module, metadata
from random import random, seed

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # nothing is drawn

NAME = "PettingZoo"
VERSION = metadata.version("pettingzoo")


def steps(game, kind="env"):
    """Whole random games by its documented loop, with the cheapest choice among legal moves."""
    environment = getattr(import_module(f"pettingzoo.classic.{game}"), kind)()
    seed(1)

    def playout():
        environment.reset(seed=1)
        count = 0
        for _ in environment.agent_iter():
            seen, _, terminated, truncated, info = environment.last()
            if terminated or truncated:
                environment.step(None)
            else:
                legal = (seen if "action_mask" in seen else info)["action_mask"].nonzero()[0]
                environment.step(int(legal[int(random() * len(legal))]))
                count += 1
        return count

    return playout


GAMES = {
    "chess": "chess_v6",
    "connect-four": "connect_four_v3",
    "tictactoe": "tictactoe_v3",
    "go": "go_v5",
}
TASKS = {
    **{f"env-{name}": ("steps", partial(steps, game)) for name, game in GAMES.items()},
    **{f"raw-{name}": ("steps", partial(steps, game, "raw_env")) for name, game in GAMES.items()},
}
