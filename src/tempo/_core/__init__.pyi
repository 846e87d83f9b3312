"""Rules, features, searches and batches. Private: use tempo's own names."""

from collections.abc import Mapping

import numpy
import numpy.typing

from tempo._core import (
    chess as chess,
    endings as endings,
    foreign as foreign,
    foreign3 as foreign3,
    foreign4 as foreign4,
    foreign_hidden as foreign_hidden,
    gomoku as gomoku,
    gomoku_critic as gomoku_critic,
    gomoku_playouts as gomoku_playouts,
    gomoku_threats as gomoku_threats,
    graph as graph,
    jiu as jiu,
    jiu_players as jiu_players,
    jiu_preparation as jiu_preparation,
    minishogi as minishogi,
    networks as networks,
    othello as othello,
    shogi as shogi,
    shogi_mate as shogi_mate,
    shogi_strong as shogi_strong,
    siguo as siguo,
    siguo_heuristic as siguo_heuristic,
    siguo_learning as siguo_learning,
    siguo_strong as siguo_strong,
    tables as tables
)


class ParseError(ValueError):
    """Text, options or arrays that do not mean anything."""

class IllegalMove(ValueError):
    """A move that is well formed but not legal in its position."""

class TempoError(Exception):
    """A request that cannot be carried out, with the reason in one sentence."""

class Stopped(TempoError):
    """Work was stopped before it had a result."""

shared: object

headers: str = ...

class Stop:
    """
    Ends work early. In a `with` block, everything that the thread does obeys; any thread may set it.
    """

    def __init__(self, seconds: float | None = None) -> None:
        """With `seconds`, it is set so long after it was made."""

    def set(self) -> None:
        """From any thread: the work ends within 50 ms."""

    @property
    def is_set(self) -> bool:
        """Asked to stop, or past its deadline."""

    def __enter__(self) -> Stop: ...

    def __exit__(self, *error: object) -> None: ...

def end_all_work() -> None:
    """
    Before the program ends: whatever any thread does in the core ends, for good.
    """

def stopped() -> bool:
    """Whether a Stop that this thread obeys is set."""

class Outcome:
    """Why a game ended and what each seat got."""

    @property
    def reason(self) -> str: ...

    @property
    def scores(self) -> tuple[float, ...]:
        """One number per seat in [-1, 1]."""

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

class AlphaBetaSettings:
    """Budgets (0: no limit; at least one is needed) and switches."""

    def __init__(self, *, depth: int = 0, positions: int = 0, seconds: float = 0.0, table_bytes: int = 16777216, keep: bool = False, quiescence: bool = True, extend_checks: bool = True, equal_depth: bool = False, exact_root: bool = False, quiescence_turns: int = 0, reduce: bool = False, record: int = 0, null_move: bool = False, steep: bool = False, margin: float = 0.0, widen: bool = False, steps: Mapping[str, int] = {}, soft_seconds: float = 0.0, thread_time: bool = False, threads: int = 1) -> None:
        """
        steps are numbers by name (`alpha_beta_steps`); with threads the result depends on timing.
        """

alpha_beta_steps: dict[str, int]

class MonteCarloSettings:
    """How a Monte-Carlo tree is grown."""

    def __init__(self, *, simulations: int = 1000, nodes: int = 0, seconds: float = 0.0, selection: str = 'ucb1', exploration: float = 1.4, first_play: float | None = None, rollout_moves: int | None = None, cut_value: str = 'evaluator', expand_after: int = 1, final_choice: str = 'robust', security: float = 1.0, extra_simulations: int = 0, noise_alpha: float = 0.3, noise_fraction: float = 0.0, considered: int = 16, value_scale: float = 1.0, memory: int = 268435456, trees: int = 1, threads: int = 1, seed: int = 0, stream: int = 0) -> None:
        """
        rollout_moves=None plays whole games, 0 asks the evaluator at the leaf. A cut rollout is worth what the evaluator says, or what the moves of the rollout or of the whole path have won. The result depends on trees, never on threads.
        """

class LeafGradient:
    """What TD-Leaf learns from games of a search."""

    @property
    def gradient(self, /) -> numpy.typing.NDArray[numpy.float64]:
        """
        [terms] of the loss whose slope by the weighted sum is the error, summed over leaves.
        """

    @property
    def squares(self) -> float:
        """The squared errors, summed."""

    @property
    def leaves(self) -> int:
        """Leaves that were evaluated and not decided."""

    @property
    def moves(self) -> int:
        """Moves searched for."""

    @property
    def positions(self) -> int:
        """Positions the searches visited."""

    @property
    def evaluations(self) -> int:
        """Positions they evaluated."""

    @property
    def score(self) -> float:
        """What seat 0 got in all games together."""

class RootMove:
    """A move at the root of a search."""

    @property
    def move(self) -> int: ...

    @property
    def visits(self) -> int:
        """Simulations or positions spent below it."""

    @property
    def scores(self) -> tuple[float, ...]:
        """What it is worth to each seat."""

class SearchResult:
    """What a search found and what it took."""

    @property
    def move(self) -> int | None:
        """The move to play; None when the game is over."""

    @property
    def scores(self) -> tuple[float, ...]:
        """By seat, in [-1, 1]."""

    @property
    def line(self) -> list[int]:
        """The principal variation, beginning with the move."""

    @property
    def root(self) -> list[RootMove]:
        """Every move considered, best first."""

    @property
    def depth(self) -> int: ...

    @property
    def positions(self) -> int: ...

    @property
    def evaluations(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class Searched:
    """
    What searches in all games of a batch found. A game's leaf is the position that its value comes from; features, terms and packed inputs have rows only where they were asked for.
    """

    @property
    def moves(self) -> numpy.typing.NDArray[numpy.int32]:
        """[B] the best moves; -1 where a game is over."""

    @property
    def values(self) -> numpy.typing.NDArray[numpy.float32]:
        """[B] to the seat to move."""

    @property
    def leaf_values(self) -> numpy.typing.NDArray[numpy.float32]:
        """[B] to the seat to move there."""

    @property
    def leaf_turns(self) -> numpy.typing.NDArray[numpy.uint8]:
        """[B] the seat to move at each leaf."""

    @property
    def leaf_signs(self) -> numpy.typing.NDArray[numpy.float32]:
        """[B] 1 where the same team moves at root and leaf, else -1."""

    @property
    def leaf_plies(self) -> numpy.typing.NDArray[numpy.int32]:
        """[B] moves from the root to the leaf."""

    @property
    def evaluated(self) -> numpy.typing.NDArray[numpy.bool_]:
        """[B] whether the value is the evaluator's, not that of a finished game."""

    @property
    def leaf_keys(self) -> numpy.typing.NDArray[numpy.uint64]:
        """[B] as `Batch.input_keys`."""

    @property
    def leaf_features(self) -> numpy.typing.NDArray[numpy.float32]:
        """[B, planes, rows, columns] as the seat to move sees them."""

    @property
    def leaf_terms(self) -> numpy.typing.NDArray[numpy.float32]:
        """[B, terms] as the seat to move sees them."""

    @property
    def leaf_packed(self) -> numpy.typing.NDArray[numpy.uint8]:
        """[B, bytes] as `Batch.packed`."""

    @property
    def node_games(self) -> numpy.typing.NDArray[numpy.int32]:
        """
        [M] the game of each interior position, of which `record` says how many are kept.
        """

    @property
    def low(self) -> numpy.typing.NDArray[numpy.float32]:
        """[M] what was proved to the seat to move: at least this, or -inf."""

    @property
    def high(self) -> numpy.typing.NDArray[numpy.float32]:
        """[M] at most this, or inf."""

    @property
    def node_keys(self) -> numpy.typing.NDArray[numpy.uint64]:
        """[M] as `Batch.input_keys`."""

    @property
    def node_features(self) -> numpy.typing.NDArray[numpy.float32]:
        """[M, planes, rows, columns] as the seat to move sees them."""

    @property
    def node_terms(self) -> numpy.typing.NDArray[numpy.float32]:
        """[M, terms] as the seat to move sees them."""

    @property
    def node_packed(self) -> numpy.typing.NDArray[numpy.uint8]:
        """[M, bytes] as `Batch.packed`."""

    @property
    def positions(self) -> int:
        """Positions visited in all games."""

    @property
    def evaluations(self) -> int:
        """Positions evaluated in all games."""
