"""One number for the behaviour of the whole core: it changes when rules or searches change.

Perft of every game, and searches of a fixed budget with evaluators that use integers or exactly
rounded arithmetic, so that every compiler and machine gives the same number. Commits quote it.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator

from tempo import agents, games
from tempo.games.description import Sample
from tempo.games.protocol import Position
from tempo.games.registry import describe

SEARCHES = (
    "alphabeta:depth=3",
    "alphabeta:nodes=5000",
    "mcts:sims=500",
    "mcts:sims=300,rule=tuned,rollout=8,eval=static",
    "mcts:sims=300,rule=puct,rollout=0,eval=static,trees=2",
)


@functools.cache
def lines() -> tuple[str, ...]:
    """What the signature covers, a line each, to see which part moved."""
    samples = (sample for name in games.names() for sample in _samples(name))
    return tuple(line for sample in samples for line in _lines_of(sample))


def _samples(name: str) -> tuple[Sample, ...]:
    return describe(name).samples or (Sample(name),)


def _lines_of(sample: Sample) -> Iterator[str]:
    game = games.load(sample.spec)
    start = game.parse(sample.start) if sample.start else game.start()
    yield f"{game.rules_version} perft {sample.depth} {game.perft(sample.depth, start)}"
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
