"""Gomoku's patterns, and a critic that learns."""

from collections.abc import Sequence

import numpy
import numpy.typing

import tempo._core.gomoku


class LearningRule:
    """
    How the critic is taught: e = alpha [r + discount V(x') - V(x)], with alpha once more in the gradient; `rate_in` and `rate_out` are the paper's l1 and l2. A transition is learnt `repeats` times over, V(x') looked up anew each time if `moving_target`.
    """

    def __init__(self, *, alpha: float = 0.2, rate_in: float = 0.05, rate_out: float = 0.05, discount: float = 1.0, repeats: int = 50, moving_target: bool = True) -> None: ...

class PlayRule:
    """
    How games are played: a `random_share` of the moves is drawn from the candidates, the empty points within `radius` of a stone. With `random_opening` the first stone of player 2 is drawn from all points, and so is that of player 1 unless he begins. `forced`: a move that wins is played without asking the critic.
    """

    def __init__(self, *, random_share: float = 0.1, random_opening: bool = False, forced: bool = True, radius: int = 2) -> None: ...

class Critic:
    """
    A network without biases that says how likely player 1 is to win: `inputs` are patterns, counts, one_turn, no_turn or board; one hidden layer; sigmoids. Player 1 and 2 are 0 and 1 here, `first` is the player who began. All weights are 0 until they are loaded.
    """

    def __init__(self, options: tempo._core.gomoku.Options, *, inputs: str = 'patterns', hidden: int = 100) -> None: ...

    @property
    def inputs(self) -> str:
        """Which inputs it has."""

    @property
    def input_count(self) -> int:
        """How many."""

    @property
    def hidden(self) -> int:
        """How many hidden units."""

    def load(self, first: numpy.typing.NDArray[numpy.float32], second: numpy.typing.NDArray[numpy.float32]) -> None:
        """Takes weights into [I, H] and out of [H] the hidden layer."""

    def weights(self) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """Weights into [I, H] and out of [H] the hidden layer."""

    def encode(self, positions: Sequence[tempo._core.gomoku.Position], first: int = 0) -> numpy.typing.NDArray[numpy.float32]:
        """[N, I] what the critic sees of positions."""

    def values(self, positions: Sequence[tempo._core.gomoku.Position], first: int = 0) -> numpy.typing.NDArray[numpy.float32]:
        """[N] how likely player 1 is to win."""

    def judge(self, position: tempo._core.gomoku.Position, first: int = 0, radius: int = 2) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], int]:
        """
        The candidates [M], the value after each [M], and the last of them that wins at once, or -1.
        """

    def learn(self, rule: LearningRule, x: numpy.typing.NDArray[numpy.float32], next: numpy.typing.NDArray[numpy.float32] | None = None, worth: float = 0.0) -> None:
        """
        One transition: inputs x [I] towards the value of the next [I], or towards a number.
        """

    def teach_itself(self, firsts: numpy.typing.NDArray[numpy.uint8], seed: int, begin: int, learning: LearningRule, rule: PlayRule, expert: Critic | None = None) -> tuple[numpy.typing.NDArray[numpy.int16], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32]]:
        """
        Plays G games against itself, begun by players `firsts` [G], and learns after every move. Game i takes its random numbers from seed and begin + i. Returns moves [T], whether each was random [T], lengths [G], results of player 1 [G], how far values were from what they were moved to, squared and summed [G], positions evaluated to choose moves [G], and by player how often the expert was asked and agreed [G, 2] each.
        """

    def watch(self, moves: numpy.typing.NDArray[numpy.integer], is_random: numpy.typing.NDArray[numpy.bool_], lengths: numpy.typing.NDArray[numpy.integer], firsts: numpy.typing.NDArray[numpy.uint8], learning: LearningRule, rule: PlayRule) -> tuple[numpy.typing.NDArray[numpy.int16], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32]]:
        """
        Learns from games that others played. Returns what `teach_itself` does; asked and agreed say how often this critic would have played what was played.
        """

    def play(self, firsts: numpy.typing.NDArray[numpy.uint8], seed: int, begin: int, rule: PlayRule, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int16], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32]]:
        """As `teach_itself`, and learns nothing."""

def patterns() -> list[str]:
    """The 20 patterns as text: X an own stone, _ an empty point."""

def pattern_counts(positions: Sequence[tempo._core.gomoku.Position]) -> numpy.typing.NDArray[numpy.int16]:
    """[N, 2, 20] how often each pattern stands, by seat."""

def follow_patterns(options: tempo._core.gomoku.Options, moves: numpy.typing.NDArray[numpy.integer], lengths: numpy.typing.NDArray[numpy.integer]) -> numpy.typing.NDArray[numpy.int16]:
    """
    [T, 2, 20] the patterns after every move of games, counted stone by stone.
    """
