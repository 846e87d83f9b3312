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

class Tells:
    """What is seen of a piece says about its kind."""

    @staticmethod
    def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Tells:
        """By one weight for each feature and kind."""

tell_terms: int = 3948

def search(view: tempo._core.siguo.View, evaluator: Evaluator, seed: int, tells: Tells | None = None, policy: numpy.typing.NDArray[numpy.float32] | None = None, determinizations: int = 0, simulations: int = 0, seconds: float = 0.0, moves: int = 16, plies: int = 8, anchor: float = 0.33) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32], int, int, int]:
    """
    Tries the moves that the policy scores highest on determinizations of the view: [M] moves, best first, [M] what decided, [M] the score their team may expect, [M] visits; determinizations, simulations and positions.
    """

def search_first(view: tempo._core.siguo.View, evaluator: Evaluator, seed: int, determinizations: int = 0, simulations: int = 0, seconds: float = 0.0, moves: int = 16, plies: int = 8, depth: int = 4, anchor: float = 0.33, explore: float = 0.3, widen: float = 1.0) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32], int, int, int]:
    """The search as it first was, with the same results as `search`."""

def result_gradient(evaluator: Evaluator, games: int, seed: int, begin: int, random_share: float = 0.1, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float64], float, int, int, float]:
    """
    Games of the rules of thumb against themselves: [T] the gradient of the log loss of results, the loss, both summed over positions; positions, moves, and games that seat 0 won, draws counting half.
    """

def tell_gradient(tells: Tells, evaluator: Evaluator, games: int, seed: int, begin: int, random_share: float = 0.02, simulations: int = 100, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float64], float, int, int, float]:
    """
    Games of the search against itself (of the policy with 0 simulations): [T] the gradient of the log loss of telling the kinds of two pieces from the same exchanged, the loss, both summed over exchanges; exchanges, moves, and games that seat 0 won.
    """

def policy() -> numpy.typing.NDArray[numpy.float32]:
    """[P] the numbers that the playout policy goes by."""

def match(evaluator: Evaluator, tells: Tells | None, first: numpy.typing.NDArray[numpy.float32], second: numpy.typing.NDArray[numpy.float32], deals: int, seed: int, begin: int = 0, simulations: int = 0, threads: int = 1) -> numpy.typing.NDArray[numpy.float32]:
    """
    [D] what one policy scores against another on each deal, from -1 to 1: two games, teams swapped, with a search of so much on top or none. Deal i by (seed, begin + i) alone.
    """
