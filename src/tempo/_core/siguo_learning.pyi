"""What the paper's learners of Siguo play with."""

from collections.abc import Sequence
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray

import tempo._core.siguo


inputs: int = 130

def features(views: Sequence[tempo._core.siguo.View], inputs: str = 'stations') -> numpy.typing.NDArray[numpy.float32]:
    """
    [V, 130] what each view's seat sees and believes, as stations or ranks.
    """

def chances(view: tempo._core.siguo.View) -> numpy.typing.NDArray[numpy.float32]:
    """
    [100, 12] the quick chance of each kind for each piece, by seat and home.
    """

def after_moves(view: tempo._core.siguo.View, inputs: str = 'stations') -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]:
    """The legal moves [M] and the expected states after them [M, 130]."""

def check_opponent(name: str) -> None:
    """Refuses names other than itself, stand-in and heuristic."""

class Player:
    """
    A network on the 130 inputs that plays: tanh units, weights into [130, H], biases [H] and weights out of [H] the hidden units, and the last bias.
    """

    def __init__(self, first: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], last: float, *, inputs: str = 'stations') -> None: ...

    def judge(self, view: tempo._core.siguo.View) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]:
        """The legal moves [M] and what each is worth to the seat to move [M]."""

    def play(self, options: tempo._core.siguo.Options, games: int, *, seed: int, begin: int = 0, random_share: float = 0.0, temperature: float = 0.0, opponent: str = 'itself', notices: float = 0.0, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], int]:
        """
        Games from dealt starts with itself, or of two of it with two stand-ins or heuristics, game i by (seed, begin + i) alone. Of its own moves: the expected states after them [N, 130], Q of the moves made [N] and of the best [N], who made them [N], the strength that each seat took less what it lost [N, 4], lengths [G], scores [G, 4], and how many moves were judged.
        """

    def learn(self, options: tempo._core.siguo.Options, *, seed: int, game: int, random_share: float = 0.0, temperature: float = 0.0, opponent: str = 'itself', notices: float = 0.0, trace: tuple[float, float, float], steps: int, discount: float, step_size: float, strength: float = 0.0, cut_on_explore: bool = False, biases: bool = False) -> dict[str, float]:
        """
        Plays one game by (seed, game) alone and learns at every own move, m - 1 moves late: the weights are changed. `trace` is (first, low, half): λ falls from first to low over the own moves of a game, half-way after `half`; 0: it stays. Returns the score of its team, all moves (length), its own (made), those not best (explored), those that took back the one before (undone), the sum of squared errors, and moves judged.
        """

    def weights(self) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], float]:
        """
        Weights into [130, H], biases [H] and weights out of [H] the hidden units, the last bias.
        """

    def test(self, options: tempo._core.siguo.Options, pairs: int, *, seed: int, begin: int = 0, random_share: float = 0.0, temperature: float = 0.0, notices: float = 0.0, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int32], int]:
        """
        Two of it against two stand-ins, which with probability `notices` make the attack that they expect most of, if it gains anything, and else any move. Every dealt start twice, teams swapped: scores [P, 2]; all moves, those of the networks, those of them that were not best and those that took back the one before [P, 2, 4]; and how many moves were judged.
        """
