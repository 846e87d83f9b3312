"""Games of a network in integers against itself, played in the core from end to end.

The game's own search plays them, on all threads, with a budget of positions a move; what crosses
the border is whole games. Game i is played by its own random stream, (seed, i).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tempo import _core, weights
from tempo.errors import ParseError
from tempo.learners.experience import Acting, Experience, Nodes
from tempo.ledger import Ledger
from tempo.nets.approximator import Approximator, Inputs
from tempo.nets.relu import layers_of

if TYPE_CHECKING:
    from tempo.games.game import Game

TABLE = 1 << 20  # bytes of a search's transposition table
MARGIN = 0.08  # near the horizon, what a quiet move is thought to change the score by at most


def search_settings(nodes: int) -> _core.AlphaBetaSettings:
    """How such games are searched: with all cuts, as players search."""
    return _core.AlphaBetaSettings(
        positions=nodes, table_bytes=TABLE, reduce=True, steep=True, null_move=True, margin=MARGIN
    )


def shipped(game: Game) -> Any:
    """The learnt evaluation of the game's own search that ships with the package, if there is one.

    A dense network where there is one, else learnt terms.
    """
    made = game.search.Evaluator
    if hasattr(made, "network") and weights.has(game.name, "network"):
        return made.network(layers_of(weights.network(game.name)))
    if hasattr(made, "linear") and weights.has(game.name, "terms"):
        return made.linear(weights.terms(game.name))
    return None


def in_bulk(
    game: Game,
    approximator: Approximator,
    acting: Acting,
    nodes: int,
    *,
    games: int,
    seed: int,
    first: int,
    threads: int,
    given: bool = False,
) -> Experience:
    """Plays games `first` to `first + games`, which learners read as they read all others.

    If `given`, by the evaluation that ships with the package and not by the network.
    """
    player = getattr(approximator, "player", None)
    if player is None or not hasattr(game.search, "network_games"):
        raise ParseError(
            f"games with a budget of nodes are played by nets in integers; take depth, or "
            f"--net incremental or lines where {game.name} has them"
        )
    evaluator = shipped(game) if given else player()
    if evaluator is None:
        raise ParseError(f"no learnt evaluation of {game.name} ships with Tempo: leave out given")
    played: dict[str, Any] = game.search.network_games(
        evaluator, game.start(), search_settings(nodes), acting.random, acting.opening,
        acting.longest, seed, first, games, threads, acting.detours, acting.even,
    )  # fmt: skip
    rows = played["game"]
    sign = np.where(played["turn"] == 0, 1, -1).astype(np.float32)
    evaluations = int(played["evaluations"])
    cost = Ledger(
        games=games, moves=len(rows), positions=int(played["positions"]), evaluations=evaluations,
        multiply_adds=evaluations * approximator.multiply_adds,
    )  # fmt: skip
    aside = played["aside_best"]
    return Experience(
        inputs=Inputs(played["keys"], played["inputs"]),
        asides=Nodes(
            Inputs(played["aside_keys"], played["aside_inputs"]),
            aside,
            aside,
            np.zeros(len(aside), np.int64),
        ),
        game=rows,
        turn=played["turn"],
        sign=sign,
        moves=played["moves"],
        value=played["value"],
        best=played["best"],
        taken=played["best"],
        explored=played["explored"],
        last=np.append(rows[1:] != rows[:-1], True),
        scores=played["scores"],
        leaves=Inputs(played["leaf_keys"], played["leaves"]),
        leaf_sign=played["leaf_sign"],
        evaluated=played["evaluated"],
        quiet=played["quiet"],
        cost=cost,
    )
