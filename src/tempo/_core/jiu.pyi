"""Tibetan Jiu."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

import numpy
import numpy.typing

import tempo._core
import tempo._core.tables


name: str = 'jiu'

rules_version: str = 'jiu-rules/1.0'

summary: str = ...

seat_names: tuple[str, ...]

teams: tuple[int, ...]

symmetries: int = 4

def transformed_features(options: Options, symmetry: int) -> numpy.typing.NDArray[numpy.int64]:
    """Where a symmetry takes each number of the flattened features."""

def transformed_moves(options: Options, symmetry: int) -> numpy.typing.NDArray[numpy.int64]:
    """Where a symmetry takes each move number."""

scaled_planes: tuple[int, ...]

class Options:
    """The rule choices of a game, fixed at its start."""

    def __init__(self, given: dict[str, str | int]) -> None:
        """Options by name; ParseError says what a wrong one should have been."""

    @property
    def spec(self) -> str:
        """The game in one string, as `tempo.load` takes it."""

    @property
    def move_numbers(self) -> int:
        """Every move is a number below this."""

    @property
    def length_bound(self) -> int:
        """No game has more moves than this."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def option_fields() -> list[tuple[str, str, str, str]]:
    """Every rule option: name, default, choices, meaning."""

class Moves:
    """The legal moves of a position, in their fixed order."""

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> int: ...

    def __iter__(self) -> Iterator[int]: ...

    @overload
    def __contains__(self, arg: int, /) -> bool: ...

    @overload
    def __contains__(self, arg: str, /) -> bool: ...

    def __repr__(self) -> str: ...

class Position:
    """
    One moment of a game, with the past that its rules need. A value: playing a move gives a new one.
    """

    @property
    def game(self) -> str:
        """The game and its options in one string."""

    @property
    def options(self) -> Options: ...

    @property
    def turn(self) -> int:
        """The number of the seat to move."""

    @property
    def legal_moves(self) -> Moves:
        """The legal moves; empty when the game is over."""

    @property
    def outcome(self) -> tempo._core.Outcome | None:
        """Why the game ended and what each seat got; None while it goes on."""

    @property
    def is_over(self) -> bool: ...

    @property
    def key(self) -> int:
        """64 bits of identity."""

    @property
    def scratch_key(self) -> int:
        """The key computed anew, for tests of the incremental one."""

    @property
    def text(self) -> str:
        """One line that `parse` reads back."""

    @property
    def board(self) -> str:
        """The board in several lines, to be printed."""

    def check(self) -> str:
        """
        What is unsound about this position; empty, always, unless there is a bug.
        """

    def is_legal(self, move: int) -> bool: ...

    @overload
    def play(self, move: int) -> Position:
        """The position after a move, given as a number or as text."""

    @overload
    def play(self, move: str) -> Position: ...

    def move_text(self, move: int) -> str:
        """A legal move as text."""

    def parse_move(self, text: str) -> int:
        """The number of a legal move given as text."""

    def svg(self) -> str:
        """The position as an SVG picture."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def view(self, seat: int | str) -> Position:
        """What a seat may know: everything, in an open game."""

    def transformed(self, symmetry: int) -> Position:
        """The mirrored or turned position; symmetry 0 is the identity."""

    def transformed_move(self, move: int, symmetry: int) -> int: ...

    def features(self, seat: int | str | None = None) -> numpy.typing.NDArray[numpy.float32]:
        """[planes, rows, columns] as a seat sees it, by default the one to move."""

    @property
    def is_battle(self) -> bool:
        """Whether the board has been filled."""

    @property
    def in_turn(self) -> bool:
        """Whether a turn is under way: the same seat goes on."""

    @property
    def due(self) -> int:
        """Captures still to be taken."""

    @property
    def plies(self) -> int:
        """Battle turns so far, or stones placed."""

    @property
    def counts(self) -> tuple[int, int]:
        """Stones on the board, White's and Black's."""

    def flies(self, seat: int | str) -> bool:
        """Whether a seat has so few stones that they fly."""

    def has_gate(self, seat: int | str) -> bool:
        """Whether a seat, were it to move, could complete a square."""

    def shapes(self, seat: int | str) -> list[tuple[str, list[int], int]]:
        """
        The shapes of a seat: kind, points, and the point that is waited for (or -1).
        """

def start(options: Options) -> Position:
    """The start of a game."""

def parse(text: str, options: Options) -> Position:
    """A position from its text; ParseError says what is wrong with it."""

def perft(position: Position, depth: int) -> int:
    """The number of move sequences of this length."""

def divide(position: Position, depth: int) -> list[tuple[str, int]]:
    """perft for each first move, to find a disagreement."""

class Batch:
    """Many games side by side, each with its own random stream."""

    def __init__(self, start: Position, count: int, seed: int = 0, threads: int = 1, deal: bool = False) -> None: ...

    def __len__(self) -> int: ...

    @property
    def threads(self) -> int: ...

    def __getitem__(self, game: int) -> Position: ...

    def place(self, game: int, position: Position) -> None:
        """Puts one game at a position of its own."""

    def restart(self, which: numpy.typing.NDArray[numpy.bool_] | None = None) -> None:
        """
        Starts the flagged games anew, all of them without flags. Random streams go on.
        """

    def play(self, moves: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64] | numpy.typing.NDArray[numpy.uint16]) -> None:
        """
        One move [B] in every game, -1 for none. If one is illegal, nothing is played.
        """

    def playout(self, limit: int = 0) -> int:
        """
        Random moves in every game until it is over or has made `limit` more. Returns moves made.
        """

    @property
    def turns(self) -> numpy.typing.NDArray[numpy.uint8]:
        """[B] the seat to move in each game."""

    @property
    def over(self) -> numpy.typing.NDArray[numpy.bool_]:
        """[B] which games have ended."""

    @property
    def scores(self) -> numpy.typing.NDArray[numpy.float32]:
        """[B, seats] what each seat got; zeros while a game goes on."""

    @property
    def lengths(self) -> numpy.typing.NDArray[numpy.int32]:
        """[B] moves made since each game began."""

    @property
    def keys(self) -> numpy.typing.NDArray[numpy.uint64]:
        """[B] the positions' keys."""

    @property
    def random_states(self) -> numpy.typing.NDArray[numpy.uint64]:
        """
        [B, 4] each game's random stream, to store in a checkpoint and to restore.
        """

    @random_states.setter
    def random_states(self, states: numpy.typing.NDArray[numpy.uint64], /) -> None: ...

    def legal_mask(self) -> numpy.typing.NDArray[numpy.uint8]:
        """[B, A] ones where a move number is legal; no ones in a finished game."""

    def legal_list(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint16]]:
        """
        Offsets [B + 1] and moves [sum]: those of game i are moves[offsets[i]:offsets[i + 1]].
        """

    def features(self) -> numpy.typing.NDArray[numpy.float32]:
        """[B, planes, rows, columns], each as the seat to move sees it."""

    def packed_features(self) -> numpy.typing.NDArray[numpy.uint8]:
        """
        [B, bytes] the same in bits, the first number in the lowest; then a float32 for each of `scaled_planes`, which its bits are multiplied by.
        """

    @property
    def input_keys(self) -> numpy.typing.NDArray[numpy.uint64]:
        """
        [B] what a table of values may go by: the positions' keys, or in a hidden game the keys of what the seats to move may know.
        """

    def values(self, evaluator: Evaluator) -> numpy.typing.NDArray[numpy.float32]:
        """
        [B] what the evaluator gives the seat to move; the score in a finished game.
        """

    def move_values(self, evaluator: Evaluator, determinizations: int = 1) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.float32]]:
        """
        Offsets [B + 1], moves and values as in `legal_list`: what the position after each move is worth to its player's team, exact where the game ends there. Hidden games take the mean over positions drawn from the view of the seat to move.
        """

    def search(self, evaluator: Evaluator, settings: tempo._core.AlphaBetaSettings, inputs: str = 'features') -> tempo._core.Searched:
        """
        Alpha-beta in every game that is not over, each on its own, with the leaves as 'features', 'terms', 'keys' or 'packed'. A hidden game is searched from a position drawn from the view of the seat to move.
        """

    def place_all(self, positions: Sequence[Position]) -> None:
        """Puts every game at a position of its own; all of them or none."""

    def terms(self) -> numpy.typing.NDArray[numpy.float32]:
        """[B, terms], each as the seat to move sees it."""

class Evaluator:
    """What a search asks about positions that are not over."""

    @staticmethod
    def none() -> Evaluator:
        """Knows nothing: every position is even."""

    @staticmethod
    def dense(options: Options, layers: Sequence[tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], str]]) -> Evaluator:
        """
        A network on the game's features, in the core: layers of (weights [out, in], bias [out], activation).
        """

    @staticmethod
    def callback(function: Callable[[numpy.typing.NDArray[numpy.float32]], object]) -> Evaluator:
        """
        Asks Python: function(features [N, planes, rows, columns]) returns values [N] or [N, seats], or (values, logits [N, A]), seen from the seat to move.
        """

    @staticmethod
    def positions(function: Callable[[list[Position]], object]) -> Evaluator:
        """
        Asks Python about whole positions, without their past: function([position, ...]) returns what that of `callback` does.
        """

    @staticmethod
    def table(table: tempo._core.tables.ValueTable) -> Evaluator:
        """
        Learnt values by `Batch.input_keys`, for the seat to move; what is not stored is even. The table is read as it stands at each call.
        """

    @property
    def multiply_adds(self) -> int:
        """Of one evaluation by a network in the core."""

    def __call__(self, position: Position) -> tuple[float, ...]:
        """The scores by seat of one position; a finished game gives its own."""

    @staticmethod
    def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator:
        """A weighted sum of the game's terms."""

    @staticmethod
    def static() -> Evaluator:
        """The game's own static evaluation."""

term_names: tuple[str, ...]

half_win: float = 12.0

def hand_tuned_weights() -> numpy.typing.NDArray[numpy.float32]:
    """[terms] hand-tuned weights, where learning starts."""

def terms(position: Position) -> numpy.typing.NDArray[numpy.float32]:
    """[terms] what the weighted sum is of, as the seat to move sees it."""

class AlphaBeta:
    """Principal-variation search with exact budgets."""

    def __init__(self, evaluator: Evaluator, settings: tempo._core.AlphaBetaSettings) -> None: ...

    def search(self, position: Position, watch: Callable[[tempo._core.SearchResult], object] | None = None) -> tempo._core.SearchResult:
        """
        The best move within the budget, values by seat and the principal line. `watch` is called with what is known after an iteration, twenty times a second at most.
        """

    def limit(self, positions: int = 0, seconds: float = 0.0, soft_seconds: float = 0.0, depth: int = 0) -> None:
        """Other budgets for the searches to come."""

    def reset(self) -> None:
        """Forgets earlier searches, as before a new game."""

    def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """
        What the last search proved of up to `record` interior positions: terms [N, terms] and low [N] <= value <= high [N], for the seat to move at each.
        """

def leaf_games(evaluator: Evaluator, start: Position, settings: tempo._core.AlphaBetaSettings, trace: float, random_share: float, opening: int, seed: int, first: int, count: int, threads: int = 1) -> tempo._core.LeafGradient:
    """
    TD-Leaf's gradient from `count` games of the search against itself, numbered from `first`: the number and the seed fix a game's random moves, so that threads change nothing.
    """

class MonteCarlo:
    """Monte-Carlo tree search; same seed and budget, same tree."""

    def __init__(self, evaluator: Evaluator, settings: tempo._core.MonteCarloSettings, reuse: bool = True) -> None: ...

    def search(self, position: Position) -> tempo._core.SearchResult:
        """
        The move to play after the budget is spent; with reuse, the search continues in the tree of the last one.
        """

    def reset(self, seed: int) -> None:
        """As if newly made with this seed."""

    @property
    def fingerprint(self) -> int:
        """One number for the whole tree."""

    @property
    def memory_used(self) -> int: ...

    @property
    def nodes(self) -> int:
        """
        Of the tree: its root and the children of expanded nodes, visited or not.
        """

    @property
    def visits(self) -> int:
        """Visits of the root, kept ones included."""

class ManySearch:
    """One tree for each game of a batch, leaves evaluated together."""

    def __init__(self, settings: tempo._core.MonteCarloSettings, games: int) -> None: ...

    @overload
    def search(self, batch: Batch, evaluator: Evaluator) -> list[tempo._core.SearchResult]:
        """
        A result for each game of the batch; a hidden one is searched on a determinization.
        """

    @overload
    def search(self, batch: Batch, evaluator: Evaluator, simulations: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64], seeds: numpy.typing.NDArray[numpy.uint64]) -> list[tempo._core.SearchResult]:
        """The same with simulations [B] and seeds [B], as `begin` has them."""

    def begin(self, batch: Batch, simulations: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64], seeds: numpy.typing.NDArray[numpy.uint64]) -> None:
        """
        Plants a tree for each game of the batch, that of a hidden game on a determinization of what the seat to move knows. simulations [B], 0 for none; seeds [B]: a search depends on nothing else.
        """

    def gather(self) -> tuple[numpy.typing.NDArray[numpy.uint8] | numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint16]]:
        """
        Grows every tree to its next leaf: features [L, ...] as the seat to move there sees them, packed where the game's can be; its legal moves, by offsets [L + 1]. No leaves when the search is done.
        """

    def apply(self, values: numpy.typing.NDArray[numpy.float32], priors: numpy.typing.NDArray[numpy.float32]) -> None:
        """
        Answers what was gathered: values [L] for the seat to move, priors of the legal moves.
        """

    def policies(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.float32]]:
        """
        What a search by 'gumbel' found: moves [B], -1 without a search; values [B] for the seat to move; offsets [B + 1] of moves and of the improved policy over them.
        """

    @property
    def evaluations(self) -> int:
        """Leaves answered since it was made."""
