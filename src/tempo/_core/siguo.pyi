"""Siguo, four-player military chess."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

import numpy
import numpy.typing

import tempo._core
import tempo._core.tables


name: str = 'siguo'

rules_version: str = 'siguo-rules/1.0'

summary: str = ...

seat_names: tuple[str, ...]

teams: tuple[int, ...]

symmetries: int = 2

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

class View:
    """What one seat may know of a position."""

    @property
    def game(self) -> str:
        """The game and its options in one string."""

    @property
    def seat(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def legal_moves(self) -> list[int]: ...

    @property
    def outcome(self) -> tempo._core.Outcome | None: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def key(self) -> int: ...

    @property
    def text(self) -> str: ...

    @property
    def board(self) -> str: ...

    def move_text(self, move: int) -> str: ...

    def is_legal(self, move: int) -> bool:
        """Whether this seat may make a move now."""

    def parse_move(self, text: str) -> int:
        """The number of a move that this seat may make, given as text."""

    def sample(self, seed: int) -> Position:
        """A position consistent with this view, drawn at random."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def features(self) -> numpy.typing.NDArray[numpy.float32]:
        """[planes, rows, columns] as this seat sees it."""

    def possible(self, home: str) -> str:
        """
        The kinds that quick deduction leaves to the piece deployed there, as letters.
        """

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

    def view(self, seat: int | str) -> View:
        """What a seat may know: all that its agent ever receives."""

    def transformed(self, symmetry: int) -> Position:
        """The mirrored or turned position; symmetry 0 is the identity."""

    def transformed_move(self, move: int, symmetry: int) -> int: ...

    def features(self, seat: int | str | None = None) -> numpy.typing.NDArray[numpy.float32]:
        """[planes, rows, columns] as a seat sees it, by default the one to move."""

    def noted_text(self, move: int) -> str:
        """A move with its result and notes, as records have it: S51xW55- !S62."""

    def resign(self, seat: int | str) -> Position:
        """The position after a seat gave up, at the table and out of turn."""

    def setup(self, seat: int | str) -> str:
        """How a seat was deployed."""

    def targets(self, station: str) -> list[str]:
        """Where the piece of the seat to move that stands there may go."""

    @property
    def ply(self) -> int:
        """Plies so far."""

    @property
    def quiet(self) -> int:
        """Plies since a piece left the board."""

    @property
    def in_play(self) -> list[bool]:
        """Which seats are still in the game."""

def start(options: Options) -> Position:
    """The start of a game."""

def parse(text: str, options: Options) -> Position:
    """A position from its text; ParseError says what is wrong with it."""

def deal(options: Options, seed: int) -> Position:
    """A start drawn at random."""

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
    def static() -> Evaluator:
        """The game's own static evaluation."""

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

stations: int = 129

def station_text(station: int) -> str:
    """The name of a station."""

def station(text: str) -> int:
    """The number of a station."""

def place(station: int) -> tuple[int, int]:
    """
    Where a station is drawn: column from the west and row from the north, both 0 to 16.
    """

def turned(station: int, turns: int) -> int:
    """Where quarter turns take a station; one takes south to east."""

def edges(options: Options) -> list[tuple[int, int, str]]:
    """Roads (r) and railways (R) between stations."""

def lines(options: Options) -> list[list[int]]:
    """The railway lines along which pieces run."""

def sound_setups() -> list[str]:
    """Ways to deploy that make sense, by hand."""

def setup_fault(setup: str, options: Options) -> str:
    """What is wrong with a setup; empty when it is legal."""

def of_setups(setups: Sequence[str], options: Options) -> Position:
    """The start with these setups of S, E, N and W."""

setup_draws: int = 8

plain_share: int = 16

def setups(options: Options) -> int:
    """How many setups are legal."""

def setup_number(number: int, options: Options) -> str:
    """A legal setup by its number."""

def setup_worth(setup: str) -> int:
    """How well a setup does by learnt worths: thousandths of a game's score."""

def draw_setup(options: Options, below: Callable[[int], int]) -> str:
    """
    A good setup that tells little: the best of `setup_draws` uniform ones by its worth, or, once in `plain_share`, any. `below(n)` gives random numbers, as secrets.randbelow does.
    """

class Belief:
    """
    What follows from a view: what each piece may be, and how likely that is.
    """

    def __init__(self, view: View, seed: int = 1, draws: int = 2000, limit: int = 20000) -> None: ...

    def candidates(self, home: str) -> str:
        """
        The kinds that the piece deployed there has in some determinization, as letters.
        """

    def chances(self) -> numpy.typing.NDArray[numpy.float32]:
        """[100, 12] the chance of each kind for each piece, by seat and home."""

    @property
    def is_exact(self) -> bool:
        """Whether the chances are counted, not drawn."""

    @property
    def error(self) -> float:
        """One standard error of a chance at worst; 0 if exact."""

    @property
    def determinizations(self) -> float:
        """The number of determinizations; an estimate unless exact."""
