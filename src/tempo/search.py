"""Searches of any game, with any evaluator: alpha-beta, Monte-Carlo trees, many games at once.

>>> import tempo
>>> from tempo import search
>>> position = tempo.load("gomoku(size=7)").parse("7/7/7/xxxx3/7/oooo3/7 x")
>>> found = search.alpha_beta(position, depth=2)
>>> position.move_text(found.move), found.scores
('e4', (1.0, -1.0))

What values the positions that a search does not look beyond is an evaluator (`evaluator`): the
game's own, weights of its terms, a network, a table, or a function of yours. Agents that play by
these searches, with clocks and hidden games, are `tempo.agents`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import weights
from tempo._core import AlphaBetaSettings, MonteCarloSettings, RootMove, Searched, SearchResult
from tempo.errors import ParseError, quoted, unknown
from tempo.games.registry import load

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Batch, Position

__all__ = [
    "AlphaBetaSettings",
    "MonteCarloSettings",
    "RootMove",
    "SearchResult",
    "Searched",
    "alpha_beta",
    "alpha_beta_of",
    "evaluator",
    "many",
    "many_monte_carlo",
    "many_monte_carlo_of",
    "monte_carlo",
    "monte_carlo_of",
    "successors",
]

WORDS = ("static", "none", "learned")  # evaluators that have a name
Asked = Callable[[NDArray[np.float32]], Any]


def evaluator(game: Game | str, source: Any = "static") -> Any:
    """What a search asks about positions of a game that are not over.

    `source` is a word (`static`, the game's own; `learned`, weights that come with Tempo; `none`),
    an array with a weight for each of the game's terms, a list of layers (weights, bias,
    activation), or a function of features [N, planes, rows, columns] as the seat to move sees them.
    The function gives values [N] for that seat or [N, seats], from -1 to 1, or (values, logits
    [N, moves]) for searches that a policy guides. What is an evaluator already stays as it is.

    >>> import tempo
    >>> from tempo import search
    >>> stones = lambda seen: 0.01 * (seen[:, 0].sum((1, 2)) - seen[:, 1].sum((1, 2)))
    >>> scores = search.evaluator("othello", stones)(tempo.load("othello").start())
    >>> [abs(score) for score in scores]
    [0.0, 0.0]
    """
    game = load(game)
    kinds = game.core.Evaluator
    if isinstance(source, str):
        return _named(source, game)
    if isinstance(source, kinds | getattr(game.search, "Evaluator", kinds)):
        return source
    if callable(source):
        return kinds.callback(source)
    if isinstance(source, np.ndarray):
        if not hasattr(kinds, "linear"):
            raise ParseError(f"{game.name} has no terms that weights could be for")
        return kinds.linear(np.ascontiguousarray(source, np.float32))
    if isinstance(source, Sequence) and source:
        return kinds.dense(game.options, source)
    raise ParseError(
        f"{quoted(source)} is no evaluator; expected {', '.join(WORDS)}, weights, layers or a "
        "function of features"
    )


def _named(name: str, game: Game) -> Any:
    kinds = game.core.Evaluator
    if name == "learned":
        learnt = weights.terms(game.name)
        if not hasattr(kinds, "linear"):
            raise ParseError(f"{game.name} has a learned evaluation for {game.name}-strong alone")
        return kinds.linear(learnt)
    if name == "none":
        return kinds.none()
    if name == "static":
        if not hasattr(kinds, "static"):
            raise ParseError(f"{game.name} has no static evaluator; use eval=none")
        return kinds.static()
    raise unknown("evaluator", name, WORDS)


def alpha_beta_of(game: Game | str, source: Any = "static", **settings: Any) -> Any:
    """A searcher that keeps its table: `search(position, watch=None)`, `limit()`, `reset()`.

    Settings are those of `AlphaBetaSettings`; without a budget it looks three moves ahead.
    """
    made = AlphaBetaSettings(**_bounded(settings))
    asked = evaluator(game, source)
    # An evaluator that only one search knows comes with that search.
    return sys.modules[type(asked).__module__].AlphaBeta(asked, made)


def alpha_beta(position: Position, source: Any = "static", **settings: Any) -> SearchResult:
    """Searches one position by principal-variation search.

    The budget is `depth`, `positions` or `seconds`, the first that is reached; three moves ahead if
    none is given. The result has the move, scores by seat, the line, and what every move is worth.
    """
    found: SearchResult = alpha_beta_of(position.game, source, **settings).search(position)
    return found


def _bounded(settings: dict[str, Any]) -> dict[str, Any]:
    if any(settings.get(name) for name in ("depth", "positions", "seconds")):
        return settings
    return {**settings, "depth": 3}


def monte_carlo_of(
    game: Game | str, source: Any = "none", *, reuse: bool = True, **settings: Any
) -> Any:
    """A searcher that keeps its tree: `search(position)`, `reset(seed)`.

    Settings are those of `MonteCarloSettings`. Playouts run to the end of the game, unless
    `rollout_moves` says after how many moves the evaluator is asked; a function that gives logits
    guides the search with `selection="puct"` or `"gumbel"` and `rollout_moves=0`.
    """
    loaded = load(game)
    asked = evaluator(loaded, source)
    if not isinstance(asked, loaded.core.Evaluator):
        raise ParseError(f"{quoted(source)} values leaves of alpha-beta alone")
    return loaded.core.MonteCarlo(asked, MonteCarloSettings(**settings), reuse)


def monte_carlo(position: Position, source: Any = "none", **settings: Any) -> SearchResult:
    """Searches one position by a Monte-Carlo tree; 1,000 simulations if nothing else is said.

    >>> import tempo
    >>> from tempo import search
    >>> position = tempo.load("gomoku(size=5)").parse("xxxx1/oooo1/5/5/5 x")
    >>> position.move_text(search.monte_carlo(position, simulations=500, seed=1).move)
    'e5'
    """
    found: SearchResult = monte_carlo_of(position.game, source, **settings).search(position)
    return found


def many(
    positions: Batch | Sequence[Position],
    source: Any = "static",
    *,
    threads: int = 1,
    inputs: str = "features",
    **settings: Any,
) -> Searched:
    """Alpha-beta in many positions of one game at once, with the GIL released.

    Gives arrays: `moves` [B], `values` [B] for the seat to move, and the leaves as `inputs`
    (features, terms, keys or packed). Threads never change the result.

    >>> import tempo
    >>> from tempo import search
    >>> start = tempo.load("othello").start()
    >>> found = search.many([start.play(move) for move in start.legal_moves], depth=3)
    >>> found.moves.shape
    (4,)
    """
    batch = _batch_of(positions, threads) if isinstance(positions, Sequence) else positions
    asked = evaluator(batch[0].game, source)
    return batch.search(asked, AlphaBetaSettings(**_bounded(settings)), inputs)


def many_monte_carlo_of(game: Game | str, games: int, **settings: Any) -> Any:
    """A searcher with a tree for each of `games` games: `search(batch, evaluator)`.

    Settings are those of `MonteCarloSettings`. With `selection="gumbel"` it also goes a step at a
    time, for a network of your own: `begin`, then `gather` (features of all leaves) and `apply`
    (values and priors) until there are no leaves, then `policies`.
    """
    return load(game).core.ManySearch(MonteCarloSettings(**settings), games)


def many_monte_carlo(
    positions: Batch | Sequence[Position],
    source: Any = "none",
    *,
    threads: int = 1,
    **settings: Any,
) -> list[SearchResult]:
    """A Monte-Carlo tree in each of many positions of one game, with the GIL released.

    The evaluator is asked about the leaves of all trees together: one call of a network a step.
    Each result has what that of `monte_carlo` has. Threads never change it.

    >>> import tempo
    >>> from tempo import search
    >>> start = tempo.load("othello").start()
    >>> after = [start.play(move) for move in start.legal_moves]
    >>> found = search.many_monte_carlo(after, "static", simulations=50, rollout_moves=0, seed=1)
    >>> [sum(move.visits for move in one.root) for one in found]
    [50, 50, 50, 50]
    """
    batch = _batch_of(positions, threads) if isinstance(positions, Sequence) else positions
    game = load(batch[0].game)
    searcher = many_monte_carlo_of(game, len(batch), threads=threads, **settings)
    found: list[SearchResult] = searcher.search(batch, evaluator(game, source))
    return found


def _batch_of(positions: Sequence[Position], threads: int) -> Batch:
    if not positions:
        raise ParseError("there is no position to search")
    batch = load(positions[0].game).batch(len(positions), threads=threads, start=positions[0])
    batch.place_all(positions)
    return batch


def successors(position: Position, *, threads: int = 1) -> tuple[NDArray[np.int32], Batch]:
    """The legal moves [N] of a position, and the positions after them as a batch of N games.

    A batch has their features, keys, ends, values by an evaluator and more, an array each.

    >>> import tempo
    >>> from tempo import search
    >>> moves, after = search.successors(tempo.load("chess").start())
    >>> len(moves), after.features().shape[0], bool(after.over.any())
    (20, 20, False)
    """
    moves = np.array([*position.legal_moves], np.int32)
    if not len(moves):
        raise ParseError("the game is over; no move leads on from here")
    batch = load(position.game).batch(len(moves), threads=threads, start=position)
    batch.play(moves)
    return moves, batch
