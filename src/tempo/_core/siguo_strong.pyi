"""Siguo by search on determinizations."""

import numpy
import numpy.typing

import tempo._core.siguo


terms: int = 1717

deepest: int = 16

class Evaluator:
    """How well a team stands: worths of pieces by kind and station."""

    @staticmethod
    def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator:
        """By one weight for each term."""

    def value(self, position: tempo._core.siguo.Position) -> float:
        """The score that seat 0 and its partner may expect, from -1 to 1."""

def hand_tuned_weights() -> numpy.typing.NDArray[numpy.float32]:
    """
    [T] the worths of pieces that the rules of thumb go by, and nothing else.
    """

def search(view: tempo._core.siguo.View, evaluator: Evaluator, seed: int, determinizations: int = 0, simulations: int = 0, seconds: float = 0.0, moves: int = 16, plies: int = 8, depth: int = 4, anchor: float = 0.33, explore: float = 0.3, widen: float = 1.0) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32], int, int, int]:
    """
    Tries the moves that score highest on determinizations of the view: [M] moves, best first, [M] what decided, [M] the score their team may expect, [M] visits; determinizations, simulations and positions.
    """

def result_gradient(evaluator: Evaluator, games: int, seed: int, begin: int, random_share: float = 0.1, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float64], float, int, int, float]:
    """
    Games of the rules of thumb against themselves: [T] the gradient of the log loss of results, the loss, both summed over positions; positions, moves, and games that seat 0 won, draws counting half.
    """
