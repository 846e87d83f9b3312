"""Who places stones in Jiu, and who fights."""

import numpy
import numpy.typing

import tempo._core.jiu


def block_names() -> list[str]:
    """
    The 21 classes of blocks: points row by row, X own, O the enemy's, . empty.
    """

def block_codes() -> numpy.typing.NDArray[numpy.uint8]:
    """
    [81] the class of every block: its points row by row as digits of base 3, 0 empty, 1 enemy, 2 own.
    """

def pick(scores: numpy.typing.NDArray[numpy.float64], temperature: float, seeds: numpy.typing.NDArray[numpy.uint64], placed: int) -> numpy.typing.NDArray[numpy.int32]:
    """
    [B] a point for every board by its scores [B, P], -inf for points that may not be chosen: the best (of equals the nearest to the middle, then any), or drawn by temperature. Board b draws from the stream (seeds[b], placed).
    """

def expert_scores(options: tempo._core.jiu.Options, boards: numpy.typing.NDArray[numpy.uint8], seat: int, allowed: numpy.typing.NDArray[numpy.uint8], weights: numpy.typing.NDArray[numpy.float64] | None = None, threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
    """
    [B, P] what the expert gives for every empty point where `allowed` is 1, -inf elsewhere, by weights as of `expert_weights`; by priority if none are given.
    """

def expert_features() -> list[str]:
    """What the expert's weights are of."""

def expert_weights(name: str) -> numpy.typing.NDArray[numpy.float64]:
    """
    The expert's weights by name, `priority` or `score`, in the order of expert_features.
    """

def expert_fill(options: tempo._core.jiu.Options, boards: numpy.typing.NDArray[numpy.uint8], seeds: numpy.typing.NDArray[numpy.uint64], weights: numpy.typing.NDArray[numpy.float64] | None = None, temperature: float = 0.0, random_share: float = 0.0, random_until: int = 0, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int32]]:
    """
    Boards filled by the expert for both sides, and the points in the order of placing. Of the first `random_until` placements a share is placed at random.
    """

def block_scores(boards: numpy.typing.NDArray[numpy.uint8], seat: int, last: numpy.typing.NDArray[numpy.int32], allowed: numpy.typing.NDArray[numpy.uint8], log_odds: numpy.typing.NDArray[numpy.float64], threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
    """
    [B, P] the sum of log odds [s, g, z, l, s'] over the blocks around each allowed empty point, -inf elsewhere; `last` is the other side's last stone, or -1.
    """

def count_blocks(placements: numpy.typing.NDArray[numpy.int32], size: int, counted: numpy.typing.NDArray[numpy.uint8], neighbours: bool = False) -> numpy.typing.NDArray[numpy.int64]:
    """
    Counts [s, g, z, l, k, s'] of the changes of blocks in games given by their placements [B, T]; `counted` [B, 2] says whose placements count, the first placer's and the second's. k is the best neighbour's class, or 0 where nobody asks for it.
    """

def battles(options: tempo._core.jiu.Options, boards: numpy.typing.NDArray[numpy.uint8]) -> list[tempo._core.jiu.Position]:
    """
    The battles that begin from full boards: the two centre stones are taken off.
    """

def boards_of(positions: list[tempo._core.jiu.Position]) -> numpy.typing.NDArray[numpy.uint8]:
    """[B, P] the boards of positions."""

def choose_turn(position: tempo._core.jiu.Position, engine: str, seed: int, weights: numpy.typing.NDArray[numpy.float32] | None = None) -> list[int]:
    """
    The moves of the rest of a turn, by an engine: `paper`, `random`, or `search:N`, which visits N positions and values them by `weights` of Jiu's terms, or hand-tuned ones.
    """

def paper_turns(position: tempo._core.jiu.Position) -> list[tuple[list[int], int]]:
    """What the engine `paper` thinks of every turn: its moves and its worth."""

def play_battles(positions: list[tempo._core.jiu.Position], seeds: numpy.typing.NDArray[numpy.uint64], engines: tuple[str, str], keep_moves: bool = False, threads: int = 1, weights: numpy.typing.NDArray[numpy.float32] | None = None) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int32], list[str], list[numpy.typing.NDArray[numpy.int32]]]:
    """
    Battles played to their ends, engines by seat as in `choose_turn`: scores [B, 2], turns played [B], why each ended, and the moves if they are kept.
    """
