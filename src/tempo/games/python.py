"""Games written in Python: one class has searches, batches, learners, arena, records and the page.

@tempo.register
class Race(tempo.PythonGame):
    "Add 1 or 2 in turn; who says ten wins."

    name, move_numbers, length_bound = "race", 3, 10
    legal_moves = (1, 2)

    def __init__(self, said=0, turn=0):
        self.said, self.turn = said, turn

    def play(self, move):
        return Race(self.said + move, 1 - self.turn)

    @property
    def outcome(self):
        return None if self.said < 10 else (-1, 1) if self.turn == 0 else (1, -1)

agents.load("alphabeta:depth=9").choose(tempo.load("race").start())
"""

from __future__ import annotations

import importlib.util
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import signature
from pathlib import Path
from random import Random
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tempo._core import foreign, foreign3, foreign4, foreign_hidden
from tempo.errors import ParseError, TempoError, quoted

if TYPE_CHECKING:
    from tempo.games.protocol import Options

FILES = "TEMPO_GAMES"  # files of games, for this program and those that it starts
MODULES: Mapping[int, Any] = {2: foreign, 3: foreign3, 4: foreign4}  # of the core, by seats
_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_PROPERTIES = (
    "turn", "legal_moves", "outcome", "reason", "text", "key", "board", "evaluation",
    "public_text", "open_moves")  # fmt: skip


class PythonGame(ABC):
    """A position of a game for two to four, never changed; the class itself holds what stays.

    A class has `name`, `move_numbers` and `length_bound`, and its objects `turn`, `legal_moves`,
    `outcome` and `play`. It may have more, and is given something simple for what it lacks:

    - `text` and `parse`: a position in one line and back; else the arguments of the constructor
    - `check`: raises ValueError for a position that was read from a text and cannot be
    - `key`: a number that says all of a position; else one made from its text
    - `move_text`: a move in letters; else its number
    - `board`: several lines for eyes; else the text
    - `reason`: why the game ended, in words
    - `features(seat)`: an array for networks, of up to three dimensions; else the text's letters
    - `evaluation`: a guess at the scores of an unfinished game, for alpha-beta; else all are even
    - `deal(random)`: a first position drawn at random; else all games start the same

    A game for two that hides something has `view` and `sample`, and may have the rest:

    - `view(seat)`: all that a seat knows, in one line
    - `sample(seat, random)`: a position with the same view, drawn at random; a seat's agent sees
      nothing but views and samples, so what is hidden from it must not matter here
    - `view_board(seat)`: several lines for the eyes of a seat; else the view
    - `public_text`: what everybody knows, in one line; else nothing
    - `open_moves`: whether all see what a seat plays; else its move is told to nobody else

    `GridGame` has more for games on the squares of a board.
    """

    name: ClassVar[str]
    move_numbers: ClassVar[int]  # every move is a number below this
    length_bound: ClassVar[int]  # no game has more moves
    seat_names: ClassVar[tuple[str, ...]] = ("first", "second")  # as many as there are seats
    version: ClassVar[str] = "1.0"  # of the rules

    turn: Any  # the number of the seat to move
    legal_moves: Any  # numbers, in an order that the position decides
    outcome: Any  # None while the game goes on, then a score for each seat, 1 for a win

    @classmethod
    def start(cls) -> Self:
        """The first position; of a game that is dealt, one of them, always the same."""
        deal: Callable[[Random], Self] | None = getattr(cls, "deal", None)
        return cls() if deal is None else deal(Random(0))

    @abstractmethod
    def play(self, move: int) -> PythonGame:
        """The position after a legal move, a new object."""

    @property
    def text(self) -> str:
        """The arguments of the constructor in words, as the attributes of their names have them.

        A class without such attributes has no text; then the moves from the start are one.
        """
        return " ".join(map(self._word, _arguments(type(self))))

    @classmethod
    def parse(cls, text: str) -> Self:
        """The position that a text says; ValueError says what is wrong with it."""
        start, names, words = cls.start(), _arguments(cls), text.split(" ")
        if len(words) != len(names):
            raise ValueError(f"expected {len(names)} words, as in '{start.text}'")
        position = cls(**dict(zip(names, map(start._value, names, words), strict=True)))
        if position.text != text:
            raise ValueError(f"expected a text such as '{start.text}'")
        position.check()
        return position

    def check(self) -> None:  # noqa: B027 - where nothing is said, every position can be
        """Raises ValueError for a position that was read from a text and cannot be."""

    def _word(self, name: str) -> str:
        """An argument of the constructor in a word."""
        value: object = getattr(self, name)
        if name == "turn":
            return str(self.seat_names[self.turn])
        match value:
            case int():
                return str(value)
            case tuple() if value and all(isinstance(one, int) for one in value):
                return ",".join(map(str, value))
            case str() if re.fullmatch(r"[!-~]+", value):
                return value
        raise AttributeError(f"{self.name} has {name} {value!r}; give it `text` and `parse`")

    def _value(self, name: str, word: str) -> object:
        """An argument of the constructor from a word; this position has one of its kind."""
        if name == "turn":
            if word not in self.seat_names:
                raise ValueError(f"'{word}' is no seat; there are {', '.join(self.seat_names)}")
            return self.seat_names.index(word)
        kind, words = getattr(self, name), word.split(",")
        if isinstance(kind, str):
            return word
        if not all(re.fullmatch("-?[0-9]{1,18}", one) for one in words):
            raise ValueError(f"'{word}' is no number of {name}")
        return tuple(map(int, words)) if isinstance(kind, tuple) else int(word)


@cache
def _arguments(game: type[PythonGame]) -> tuple[str, ...]:
    return tuple(signature(game).parameters)


def _module(seats: int, hidden: bool) -> Any:
    """What the core has for games of this kind."""
    return foreign_hidden if hidden else MODULES[seats]


class ForeignCore(ModuleType):
    """A game whose rules are written in Python, in the shape of a module of the core."""

    symmetries = 1

    def __init__(
        self,
        name: str,
        summary: str,
        version: str,
        seat_names: Sequence[str],
        rules: Callable[[Mapping[str, str]], Options],
        *,
        hidden: bool = False,
        dealt: bool = False,
        open_moves: bool = False,
    ) -> None:
        super().__init__(name, summary)
        self.name = name
        self.summary = summary
        self.rules_version = f"{name}-rules/{version}"
        self.seat_names = tuple(seat_names)
        self.teams = tuple(range(len(seat_names)))
        self._module = _module(len(seat_names), hidden)
        self._rules = rules
        self._is_dealt = dealt
        self.open_moves = open_moves  # where something is hidden: all see what is played
        self._known: dict[tuple[tuple[str, str], ...], Options] = {}
        self._closed = False

    def __getattr__(self, name: str) -> Any:
        if name == "deal" and not self._is_dealt:
            raise AttributeError(f"{self.name} is not dealt")
        return getattr(self._module, name)

    def Options(self, given: Mapping[str, str]) -> Options:  # noqa: N802 - a class in other cores
        """The rules with these options; the same options are the same rules."""
        key = tuple(sorted((name, str(value)) for name, value in given.items()))
        if key not in self._known:
            if self._closed:
                raise ParseError(f"{self.name} is played here by the rules it was loaded with")
            self._known[key] = self._rules(dict(key))
        return self._known[key]

    def close(self) -> None:
        """From now on only rules that were asked for before are known."""
        self._closed = True

    def option_fields(self) -> list[tuple[str, str, str, str]]:
        """Every rule option; there is none that could be listed."""
        return []


def core_of(game: type[Any]) -> ForeignCore:
    """A class as a core; ParseError says what it lacks."""
    name = getattr(game, "name", "")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ParseError(f"{game.__name__}.name is {quoted(name)}; expected small letters")
    for needed in ("move_numbers", "length_bound", "start", "play"):
        if not hasattr(game, needed):
            raise ParseError(f"{name} has no {needed}, which every game needs")
    for number in ("move_numbers", "length_bound"):
        if not isinstance(getattr(game, number), int):
            found = quoted(getattr(game, number))
            raise ParseError(f"{name}.{number} is a whole number, not {found}")
    hidden, deal = hasattr(game, "view"), getattr(game, "deal", None)
    if hidden and not hasattr(game, "sample"):
        raise ParseError(f"{name} has view and no sample, a position with the same view")
    seat_names = getattr(game, "seat_names", PythonGame.seat_names)
    if len(seat_names) not in MODULES or len(set(seat_names)) < len(seat_names):
        raise ParseError(f"{name} has seat_names {seat_names!r}; expected two to four names")
    if getattr(game, "seats", len(seat_names)) != len(seat_names):
        raise ParseError(f"{name} is for {game.seats} seats; seat_names has {len(seat_names)}")
    if hidden and len(seat_names) > 2:
        raise ParseError(f"{name} hides something, which games for two alone may do")
    summary = (game.__doc__ or name).strip().partition("\n")[0].rstrip(".")

    def rules(given: Mapping[str, str]) -> Options:
        if given:
            raise ParseError(f"{name} has no option {quoted(next(iter(given)))}; it has none")
        _check(game.start(), name)
        parse = getattr(game, "parse", None) if hasattr(game.start(), "text") else None
        bounds = (game.move_numbers, game.length_bound)
        shape = feature_shape(game.start())
        make = _module(len(seat_names), hidden).rules
        made: Options = make(name, game.start, parse, *bounds, seat_names, shape, deal)
        return made

    version = getattr(game, "version", "1.0")
    core = ForeignCore(
        name, summary, version, seat_names, rules, hidden=hidden, dealt=deal is not None,
        open_moves=bool(getattr(game, "open_moves", False)),
    )  # fmt: skip
    core.Options({})  # what is wrong with it is said at once
    return core


def _check(start: Any, name: str) -> None:
    """Says what the first position lacks."""
    for needed in ("turn", "legal_moves", "outcome"):
        if not hasattr(start, needed):
            raise ParseError(f"{name} has no {needed}, which every position needs")
    kinds = [vars(kind) for kind in type(start).__mro__ if kind is not PythonGame]
    if any("text" in kind for kind in kinds) != any("parse" in kind for kind in kinds):
        raise ParseError(f"{name}: give both text and parse, or neither")
    for one in _PROPERTIES:
        if callable(getattr(start, one, None)):
            raise ParseError(f"{name}.{one} is a function; put @property above it")
    if hasattr(start, "move_text") and isinstance(start.legal_moves, list | tuple):
        texts = [start.move_text(move) for move in start.legal_moves]
        if twice := {text for text in texts if texts.count(text) > 1}:
            raise ParseError(f"{name}: several moves are called {quoted(min(twice))}")


def feature_shape(start: Any) -> tuple[int, int, int] | None:
    """The shape of a position's features as planes, rows and columns; None if it has none."""
    if not hasattr(start, "features"):
        return None
    import numpy as np  # noqa: PLC0415 - a game without features needs none

    shape: tuple[int, ...] = np.shape(start.features(start.turn))
    if len(shape) > 3:
        raise ParseError(f"features have up to three dimensions, not {len(shape)}")
    planes, rows, columns = (1,) * (3 - len(shape)) + shape
    return planes, rows, columns


def run_file(path: str | Path) -> ModuleType:
    """Runs a file that registers games or agents; programs that this one starts know them too."""
    full = str(Path(path).resolve())
    spec = importlib.util.spec_from_file_location(f"tempo_game_{Path(full).stem}", full)
    if spec is None or spec.loader is None or not Path(full).is_file():
        raise TempoError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (ParseError, TempoError):
        raise
    except Exception as error:
        raise TempoError(f"{path} failed: {type(error).__name__}: {error}") from error
    listed = [one for one in os.environ.get(FILES, "").split(os.pathsep) if one]
    if full not in listed:
        os.environ[FILES] = os.pathsep.join([*listed, full])
    return module


def place_of(error: BaseException) -> str:
    """Where in the file of a game an exception was raised; empty if it was elsewhere."""
    listed = os.environ.get(FILES, "").split(os.pathsep)
    lines = [(one.filename, str(one.lineno)) for one in extract_tb(error.__traceback__)]
    # Of an exception in a worker process the text of its traceback comes back.
    lines += re.findall(r'File "(.+)", line (\d+)', str(error.__cause__ or ""))
    found = [(Path(file).name, line) for file, line in lines if file in listed]
    return f"{found[-1][0]}, line {found[-1][1]}" if found else ""
