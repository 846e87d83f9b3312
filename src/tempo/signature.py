"""One number for the behaviour of the whole core: it changes when rules or searches change.

Perft of every game, and searches of a fixed budget with evaluators that use integers or exactly
rounded arithmetic, so that every compiler and machine gives the same number. Commits quote it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from tempo import agents, games
from tempo.games.protocol import Position

PERFT_DEPTHS = {"chess": 4, "jiu": 3, "jiu(size=8)": 4, "shogi": 4, "minishogi": 4}
OTHER_DEPTH = 2
# A game whose start says too little of it begins a second time: Jiu's battle, on a filled board.
SECOND_STARTS = {
    "jiu": (
        "jiu(size=8)",
        "xoxxooxo/ooxoxxox/xxoxooxo/oxx1oxox/xoxo1xxo/ooxxoxoo/xxoooxxo/oxoxxoox x battle 0 0",
    )
}
# Random games of hundreds of plies are cut short: a rollout need not see their end.
SPECS = {"siguo": "siguo(max_plies=80)"}
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
        game = games.load(SPECS.get(name, name))
        yield from _lines_of(game, game.start())
        if name in SECOND_STARTS:
            spec, text = SECOND_STARTS[name]
            yield from _lines_of(games.load(spec), games.load(spec).parse(text))


def _lines_of(game: games.Game, start: Position) -> Iterator[str]:
    depth = PERFT_DEPTHS.get(game.spec, OTHER_DEPTH)
    yield f"{game.rules_version} perft {depth} {game.perft(depth, start)}"
    for search in SEARCHES:
        yield f"{game.spec} {search} {' '.join(_searched(start, search))}"


def _searched(position: Position, spec: str) -> list[str]:
    agent = agents.load(spec)
    agent.reset(1)
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
