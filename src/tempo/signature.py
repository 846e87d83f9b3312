"""One number for the behaviour of the whole core: it changes when rules or searches change.

Perft of every game, and searches of a fixed budget with evaluators that use integers or exactly
rounded arithmetic, so that every compiler and machine gives the same number. Commits quote it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from tempo import agents, games

PERFT_DEPTHS = {"chess": 4, "gomoku": 2}
OTHER_DEPTH = 2
SEARCHES = (
    "alphabeta:depth=3",
    "alphabeta:nodes=5000",
    "mcts:sims=500",
    "mcts:sims=300,rule=tuned,rollout=8,eval=static",
    "mcts:sims=300,rule=puct,rollout=0,eval=static,trees=2",
)


def lines() -> Iterator[str]:
    """What the signature covers, a line each, to see which part moved."""
    for name in games.names():
        game = games.load(name)
        depth = PERFT_DEPTHS.get(name, OTHER_DEPTH)
        yield f"{game.rules_version} perft {depth} {game.perft(depth)}"
        for spec in SEARCHES:
            yield f"{name} {spec} {' '.join(_searched(game, spec))}"


def _searched(game: games.Game, spec: str) -> list[str]:
    agent = agents.load(spec)
    agent.reset(1)
    position = game.start()
    moves = []
    for _ in range(6):
        choice = agent.choose(position.view(position.turn))
        moves.append(f"{position.move_text(choice.move)}/{choice.cost.positions}")
        position = position.play(choice.move)
    return moves


def signature() -> str:
    """The number: eight hexadecimal digits."""
    text = "\n".join(lines())
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
