"""Threats of Gomoku, and the searches that use them."""

from collections.abc import Callable, Sequence

import numpy
import numpy.typing

import tempo._core
import tempo._core.gomoku
import tempo._core.networks


def threats(position: tempo._core.gomoku.Position, seat: int) -> dict[str, list[int]]:
    """
    The empty points at which a seat, were it its turn, would complete five (`five`), make a four (`four`), make a four that cannot be stopped (`winning`) or an open three (`three`), and where an open four that it could make next can be spoilt (`stops`).
    """

def fours(position: tempo._core.gomoku.Position, positions: int, seconds: float = 0.0) -> tuple[str, list[int], int]:
    """
    Whether the seat to move wins by continuous fours: `win`, `none` or, where the budget of positions ended first, `unknown`; the line from the first four to the five; positions visited.
    """

def continuous_threats(position: tempo._core.gomoku.Position, positions: int, seconds: float = 0.0) -> tuple[str, list[int], int]:
    """
    Whether the seat to move wins by fours and open threes alone, whatever the reply: `win`, `none` or, where looking into `positions` was not enough, `unknown`; a line from the first threat on; positions that were looked at.
    """

class Evaluator:
    """The evaluation of leaves."""

    @staticmethod
    def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator:
        """A weighted sum of the terms."""

    @staticmethod
    def static() -> Evaluator:
        """The hand-tuned weights."""

    @staticmethod
    def network(layers: Sequence[tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], str]]) -> Evaluator:
        """
        A network on `inputs`, whose one output is the log odds of the seat to move: layers of (weights [out, in], bias [out], activation).
        """

    @staticmethod
    def quantized(network: tempo._core.networks.Lines) -> Evaluator:
        """A network of line patterns."""

    def __call__(self, position: tempo._core.gomoku.Position) -> tuple[float, ...]:
        """
        The scores by seat of one position, threats not looked into; a finished game gives its own.
        """

    def promises(self, position: tempo._core.gomoku.Position) -> numpy.typing.NDArray[numpy.int32]:
        """
        [points] how much a move at each promises, by a network of line patterns: larger is better.
        """

    @property
    def multiply_adds(self) -> int:
        """Of one evaluation."""

class AlphaBeta:
    """Continuous fours at the root and at the leaves, alpha-beta between."""

    def __init__(self, evaluator: Evaluator, settings: tempo._core.AlphaBetaSettings, leaf_fours: int = 60, inner_fours: int = 0, inner_threats: int = 0) -> None: ...

    def search(self, position: tempo._core.gomoku.Position, watch: Callable[[tempo._core.SearchResult], object] | None = None) -> tempo._core.SearchResult:
        """
        The best move within the budget, values by seat and the principal line. `watch` is called with what is known after an iteration, twenty times a second at most.
        """

    def limit(self, positions: int = 0, seconds: float = 0.0, soft_seconds: float = 0.0, depth: int = 0) -> None:
        """Other budgets for the searches to come."""

    def reset(self) -> None:
        """Forgets earlier searches, as before a new game."""

    def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """
        What the last search proved of up to `record` interior positions, those left out that threats alone decide: terms [N, terms] and low [N] <= value <= high [N], for the seat to move at each.
        """

term_names: tuple[str, ...]

half_win: float = 8.0

def hand_tuned_weights() -> numpy.typing.NDArray[numpy.float32]:
    """[terms] hand-tuned weights, where learning starts."""

def terms(position: tempo._core.gomoku.Position) -> numpy.typing.NDArray[numpy.float32]:
    """[terms] what the weighted sum is of, as the seat to move sees it."""

network_inputs: int = 53

def inputs(position: tempo._core.gomoku.Position) -> numpy.typing.NDArray[numpy.float32]:
    """
    [I] what the network is fed: the terms, then for the seat to move and for the other the points that make two open threes, an open three and a two, a four and a two.
    """

def self_play_samples(evaluator: Evaluator, start: tempo._core.gomoku.Position, games: int, seed: int, begin: int = 0, positions: int = 5000, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], float, int, int, int]:
    """
    Games of the search against itself on the board of `start`, with slips: [N, I] inputs of positions that nothing decides at once, on the line of the games and off it; [N] their values by a search of `positions` and [N] results, NaN where the game says nothing about them, both for the seat to move; games that seat 0 won, moves, positions, evaluations.
    """

def network_games(evaluator: Evaluator, start: tempo._core.gomoku.Position, settings: tempo._core.AlphaBetaSettings, random_share: float, opening: int, longest: int, seed: int, first: int, count: int, threads: int = 1, detours: float = 0.0, even: float = 1.0) -> dict[str, numpy.typing.NDArray[numpy.generic]]:
    """
    Games `first` to `first + count` of the search against itself, end to end: of every move `inputs` and `leaves` [N, bytes] packed, `keys`, `leaf_keys`, `turn`, `moves`, `value` by the evaluator, `best` by the search, `leaf_sign`, `explored`, `quiet`, `evaluated` and `game`; `scores` [games, 2]; `positions` and `evaluations` in all. Before a share `detours` of the moves, one to four drawn moves lead off the line, and what is quiet there is valued by a search: `aside_inputs`, `aside_keys`, `aside_best`. Openings that the search values beyond `even` are drawn again. The seed and a game's number fix what is drawn, so that threads change nothing.
    """

def network_match(evaluator: Evaluator, other: Evaluator, start: tempo._core.gomoku.Position, settings: tempo._core.AlphaBetaSettings, opening: int, longest: int, seed: int, pairs: int, threads: int = 1) -> numpy.typing.NDArray[numpy.float32]:
    """
    [pairs, 2] what the first evaluator's search gets against the other's, from random openings that both play from both sides.
    """
