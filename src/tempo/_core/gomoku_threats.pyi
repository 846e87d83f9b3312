"""Threats of Gomoku, and the searches that use them."""

import numpy
import numpy.typing

import tempo._core
import tempo._core.gomoku


def threats(position: tempo._core.gomoku.Position, seat: int) -> dict[str, list[int]]:
    """
    The empty points at which a seat, were it its turn, would complete five (`five`), make a four (`four`), make a four that cannot be stopped (`winning`) or an open three (`three`), and where an open four that it could make next can be spoilt (`stops`).
    """

def fours(position: tempo._core.gomoku.Position, positions: int, seconds: float = 0.0) -> tuple[str, list[int], int]:
    """
    Whether the seat to move wins by continuous fours: `win`, `none` or, where the budget of positions ended first, `unknown`; the line from the first four to the five; positions visited.
    """

class Evaluator:
    """Weights of the terms that the search weighs."""

    @staticmethod
    def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator:
        """A weighted sum of the terms."""

    @staticmethod
    def static() -> Evaluator:
        """The weights set by hand."""

    @property
    def multiply_adds(self) -> int:
        """Of one evaluation."""

class AlphaBeta:
    """Continuous fours at the root and at the leaves, alpha-beta between."""

    def __init__(self, evaluator: Evaluator, settings: tempo._core.AlphaBetaSettings, leaf_fours: int = 60, inner_fours: int = 0) -> None: ...

    def search(self, position: tempo._core.gomoku.Position) -> tempo._core.SearchResult:
        """
        The best move within the budget, values by seat and the principal line.
        """

    def reset(self) -> None:
        """Forgets earlier searches, as before a new game."""

    def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """
        What the last search proved of up to `record` interior positions, those left out that threats alone decide: terms [N, terms] and low [N] <= value <= high [N], for the seat to move at each.
        """

term_names: tuple[str, ...]

half_win: float = 8.0

def typed_in_weights() -> numpy.typing.NDArray[numpy.float32]:
    """[terms] weights set by hand, where learning starts."""

def terms(position: tempo._core.gomoku.Position) -> numpy.typing.NDArray[numpy.float32]:
    """[terms] what the weighted sum is of, as the seat to move sees it."""
