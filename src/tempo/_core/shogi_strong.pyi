"""The strong search of shogi, and its evaluation."""

from collections.abc import Callable

import numpy
import numpy.typing

import tempo._core
import tempo._core.networks
import tempo._core.shogi


class Evaluator:
    """The evaluation of the search: a weighted sum of terms, or a network."""

    @staticmethod
    def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator:
        """A weighted sum of the terms."""

    @staticmethod
    def static() -> Evaluator:
        """The hand-tuned count of material."""

    @staticmethod
    def quantized(network: tempo._core.networks.Incremental) -> Evaluator:
        """An incremental network on half-king-piece features."""

    def __call__(self, position: tempo._core.shogi.Position) -> tuple[float, ...]:
        """The scores by seat of one position; a finished game gives its own."""

    @property
    def multiply_adds(self) -> int:
        """
        Of one evaluation, were every term there; a position has less than a tenth of them.
        """

class AlphaBeta:
    """Mates at the root and at the leaves, alpha-beta between."""

    def __init__(self, evaluator: Evaluator, settings: tempo._core.AlphaBetaSettings, leaf_mates: int = 1, root_share: int = 0) -> None: ...

    def search(self, position: tempo._core.shogi.Position, watch: Callable[[tempo._core.SearchResult], object] | None = None) -> tempo._core.SearchResult:
        """
        The best move within the budget, values by seat and the principal line. `watch` is called with what is known after an iteration, twenty times a second at most.
        """

    def limit(self, positions: int = 0, seconds: float = 0.0, soft_seconds: float = 0.0, depth: int = 0) -> None:
        """Other budgets for the searches to come."""

    def reset(self) -> None:
        """Forgets earlier searches, as before a new game."""

    def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """
        What the last search proved of up to `record` interior positions, those left out in which the mover mates at once: terms [N, terms] and low [N] <= value <= high [N], for the seat to move at each.
        """

    def gradient(self, evaluator: Evaluator) -> tuple[numpy.typing.NDArray[numpy.float64], float, int]:
        """
        Of the same positions: the summed gradient [terms] of half the squared distance of their value from the bounds, the summed squared distance, and their number.
        """

term_names: tuple[str, ...]

half_win: float = 8.0

def hand_tuned_weights() -> numpy.typing.NDArray[numpy.float32]:
    """[terms] hand-tuned weights, where learning starts."""

def terms(position: tempo._core.shogi.Position) -> numpy.typing.NDArray[numpy.float32]:
    """[terms] what the weighted sum is of, as the seat to move sees it."""

def leaf_games(evaluator: Evaluator, start: tempo._core.shogi.Position, settings: tempo._core.AlphaBetaSettings, trace: float, random_share: float, opening: int, seed: int, first: int, count: int, threads: int = 1) -> tempo._core.LeafGradient:
    """
    TD-Leaf's gradient from `count` games of the search against itself, numbered from `first`: the number and the seed fix a game's random moves, so that threads change nothing.
    """

def network_games(evaluator: Evaluator, start: tempo._core.shogi.Position, settings: tempo._core.AlphaBetaSettings, random_share: float, opening: int, longest: int, seed: int, first: int, count: int, threads: int = 1, detours: float = 0.0, even: float = 1.0) -> dict[str, numpy.typing.NDArray[numpy.generic]]:
    """
    Games `first` to `first + count` of the search against itself, end to end: of every move `inputs` and `leaves` [N, bytes] packed, `keys`, `leaf_keys`, `turn`, `moves`, `value` by the evaluator, `best` by the search, `leaf_sign`, `explored`, `quiet`, `evaluated` and `game`; `scores` [games, 2]; `positions` and `evaluations` in all. Before a share `detours` of the moves, one to four drawn moves lead off the line, and what is quiet there is valued by a search: `aside_inputs`, `aside_keys`, `aside_best`. Openings that the search values beyond `even` are drawn again. The seed and a game's number fix what is drawn, so that threads change nothing.
    """

def network_match(evaluator: Evaluator, other: Evaluator, start: tempo._core.shogi.Position, settings: tempo._core.AlphaBetaSettings, opening: int, longest: int, seed: int, pairs: int, threads: int = 1) -> numpy.typing.NDArray[numpy.float32]:
    """
    [pairs, 2] what the first evaluator's search gets against the other's, from random openings that both play from both sides.
    """
