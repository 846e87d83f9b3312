"""A game with its options fixed: where positions come from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError, check_text
from tempo.games.description import Description

if TYPE_CHECKING:
    from tempo.games.protocol import Batch, Options, Position


LONGEST = 20_000  # letters of a position


@dataclass(frozen=True)
class OptionField:
    """One rule option: what it may be and what it means."""

    name: str
    default: str
    choices: str
    help: str


class Game:
    """Rules with their options, as `tempo.load` returns them. Equal when the rules are the same.

    >>> import tempo
    >>> game = tempo.load("gomoku(size=9)")
    >>> game.seats, game.seat_names, game.rules_version
    (2, ('black', 'white'), 'gomoku-rules/1.0')
    >>> game == tempo.load("gomoku(rule=freestyle,size=9)")
    True
    """

    def __init__(
        self, core: ModuleType, options: Options, description: Description | None = None
    ) -> None:
        self.core = core
        self.options = options
        self.description = description or Description(core)

    @property
    def search(self) -> ModuleType:
        """The module of the game's own search, if it has one, else that of all games."""
        return self.description.search or self.core

    @property
    def name(self) -> str:
        """The game's name without options."""
        return str(self.core.name)

    @property
    def spec(self) -> str:
        """Name and options in one string, as `tempo.load` takes it."""
        return self.options.spec

    @property
    def rules_version(self) -> str:
        """The version of the rules, which changes only when behaviour does; records carry it."""
        return str(self.core.rules_version)

    @property
    def summary(self) -> str:
        """The game in a few words."""
        return str(self.core.summary)

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.core.seat_names)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """What the seats are called, in turn order."""
        return tuple(self.core.seat_names)

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat."""
        return tuple(self.core.teams)

    @property
    def move_numbers(self) -> int:
        """Every move is a number below this."""
        return self.options.move_numbers

    @property
    def length_bound(self) -> int:
        """No game has more moves than this."""
        return self.options.length_bound

    @property
    def symmetries(self) -> int:
        """How many reflections and rotations leave the rules alone; 1 when there are none."""
        return int(self.core.symmetries)

    @property
    def is_hidden(self) -> bool:
        """Whether seats see less than the full state."""
        return hasattr(self.core, "View")

    @property
    def hides_moves(self) -> bool:
        """Whether a seat is not told what others play."""
        return self.is_hidden and not getattr(self.core, "open_moves", True)

    @property
    def is_dealt(self) -> bool:
        """Whether a start is drawn at random."""
        return hasattr(self.core, "deal")

    @property
    def option_fields(self) -> tuple[OptionField, ...]:
        """The rule options this game knows."""
        return tuple(OptionField(*row) for row in self.core.option_fields())

    @property
    def chosen(self) -> dict[str, str]:
        """Every rule option with its value."""
        from tempo.games.registry import parse_spec  # noqa: PLC0415 - which makes games

        defaults = {option.name: option.default for option in self.option_fields}
        return defaults | parse_spec(self.spec)[1]

    def with_options(self, **options: str) -> Game:
        """The same game with some options changed."""
        from tempo.games.registry import parse_spec  # noqa: PLC0415 - which makes games

        given = parse_spec(self.spec)[1] | options
        return Game(self.core, self.core.Options(given), self.description)

    def start(self, seed: int | None = None) -> Position:
        """Gives the first position; games whose start is dealt draw it from the seed."""
        if seed is None:
            first: Position = self.core.start(self.options)
            return first
        if not self.is_dealt:
            raise ParseError(f"{self.name} always starts the same; it takes no seed")
        dealt: Position = self.core.deal(self.options, seed)
        return dealt

    def parse(self, text: str) -> Position:
        """Reads a position from its text, and checks it.

        >>> import tempo
        >>> tempo.load("chess").parse("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").turn
        0
        """
        check_text(text, f"a position of {self.name}", LONGEST)
        position: Position = self.core.parse(text, self.options)
        return position

    @cached_property
    def feature_shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns of what a learner sees of a position."""
        start: Any = self.core.Batch(self.start(), 1)
        if not hasattr(start, "features"):
            raise ParseError(f"{self.name} has no features to learn from")
        planes, rows, columns = start.features().shape[1:]
        return planes, rows, columns

    def batch(
        self, count: int, *, seed: int = 0, threads: int = 1, start: Position | None = None
    ) -> Batch:
        """Makes `count` games side by side, game i with its own random stream from (seed, i)."""
        deal = self.is_dealt and start is None
        first = self.start() if start is None else start
        batch: Batch = self.core.Batch(first, count, seed, threads, deal)
        return batch

    def perft(self, depth: int, position: Position | None = None) -> int:
        """Counts the move sequences of this length.

        >>> import tempo
        >>> tempo.load("chess").perft(3)
        8902
        """
        if depth < 0:
            raise ParseError(f"a depth is 0 or more, not {depth}")
        return int(self.core.perft(self.start() if position is None else position, depth))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"<game {self.spec}, {self.rules_version}>"


def by_seat(value: float, seat: int, seats: int = 2) -> tuple[float, ...]:
    """What is worth `value` to a seat, for every seat; of four, those opposite share it."""
    return tuple(value if (other - seat) % 2 == 0 else -value for other in range(seats))
