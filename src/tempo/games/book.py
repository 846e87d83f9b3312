"""Opening books: the moves to draw among in positions that were searched beforehand.

A book is text, and what follows a `#` is a remark. Its first line names the rules. Every other line
is a position and the replies that the book knows there: the moves that lead to it (a lone `-` is
the start), a colon, and for each reply the move, its weight and its value to the seat to move.

    game gomoku
    - : h8 100 0.201
    h8 : h7 100 -0.437, i9 52 -0.468

Positions are found by their keys, so in any order of moves, and in games with symmetries from any
side. `tools/make_book.py` makes books.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError, quoted
from tempo.games.registry import load

if TYPE_CHECKING:
    from tempo.games.game import Game

START = "-"
HEAVIEST = 10**6


@dataclass(frozen=True, slots=True)
class Reply:
    """A move of a book: how often it is drawn beside the others, and what it is worth."""

    move: int
    weight: int
    value: float  # to the seat to move


class Book:
    """What to play in the positions that it knows.

    >>> import tempo
    >>> book = parse("game gomoku\\n- : h8 1 0.2\\nh8 : h7 3 -0.4, i9 1 -0.5", "an example")
    >>> position = tempo.load("gomoku").start().play("h8")
    >>> [(position.move_text(reply.move), reply.weight) for reply in book.replies(position)]
    [('h7', 3), ('i9', 1)]
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._replies: dict[int, tuple[Reply, ...]] = {}  # by the key of one image, as seen there

    def __len__(self) -> int:
        return len(self._replies)

    def add(self, position: Any, replies: Iterable[Reply]) -> None:
        """Adds a position. Raises ParseError if it is there already, from whichever side."""
        key, symmetries = self._image(position)
        if key in self._replies:
            raise ParseError("the position is given twice")
        moved = _moved(position, symmetries[0])
        self._replies[key] = tuple(replace(one, move=moved[one.move]) for one in replies)

    def replies(self, position: Any, random: Random | None = None) -> tuple[Reply, ...]:
        """The replies to a position, none where the book does not know it.

        A position that looks the same from several sides has each reply at several places; `random`
        draws one of these sides.
        """
        key, symmetries = self._image(position)
        if key not in self._replies:
            return ()
        side = 0 if random is None else int(random.random() * len(symmetries))
        back = {to: move for move, to in _moved(position, symmetries[side]).items()}
        return tuple(replace(one, move=back[one.move]) for one in self._replies[key])

    def line(self, position: Any, move: int) -> tuple[int, ...]:
        """A move and how the book goes on, by the heaviest replies."""
        line = [move]
        position = position.play(move)
        while following := self.replies(position):
            line.append(max(following, key=lambda reply: reply.weight).move)
            position = position.play(line[-1])
        return tuple(line)

    def _image(self, position: Any) -> tuple[int, list[int]]:
        """The lowest key of all sides, and the symmetries that show this image."""
        return image_of(position, self.game)


def image_of(position: Any, game: Game) -> tuple[int, list[int]]:
    """One key for a position and its images, and the symmetries that lead to the one with it."""
    if game.symmetries == 1:
        return position.key, [0]
    keys = [position.transformed(symmetry).key for symmetry in range(game.symmetries)]
    lowest = min(keys)
    return lowest, [symmetry for symmetry, key in enumerate(keys) if key == lowest]


def _moved(position: Any, symmetry: int) -> dict[int, int]:
    """Where a symmetry takes each legal move."""
    if symmetry == 0:
        return {move: move for move in position.legal_moves}
    return {move: position.transformed_move(move, symmetry) for move in position.legal_moves}


def shipped(game: Game) -> Book | None:
    """The book of these rules that comes with the package, if there is one."""
    return _shipped(game.spec)


@cache
def _shipped(spec: str) -> Book | None:
    game = load(spec)
    file = game.description.book(game)
    if file is None:
        return None
    book = parse(file.read_text(encoding="utf-8"), file.name)
    return book if book.game == game else None


def read(path: str | os.PathLike[str]) -> Book:
    """Reads a book. Raises ParseError, with file and line, for anything else."""
    try:
        return parse(Path(path).read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ParseError(f"there is no book {quoted(str(path))}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ParseError(f"{path} is no book: it is not UTF-8 text") from None


def parse(text: str, source: str) -> Book:
    """A book from its text; every move is played. `source` is what errors call it."""
    book: Book | None = None
    for number, whole in enumerate(text.splitlines(), start=1):
        line = whole.partition("#")[0].strip()
        if not line:
            continue
        try:
            if book is None:
                book = Book(_game(line))
            else:
                _add(book, line)
        except ValueError as error:  # ParseError and IllegalMove are
            raise ParseError(f"{source}, line {number}: {error}") from None
    if book is None or not len(book):
        raise ParseError(f"{source} is no book: no position in it")
    return book


def _game(line: str) -> Game:
    word, _, spec = line.partition(" ")
    if word != "game" or not spec:
        raise ParseError(f"a book begins with its game, such as 'game gomoku', not {quoted(line)}")
    game = load(spec.strip())
    if game.is_hidden or game.is_dealt:
        raise ParseError(f"{game.name} has no books: its positions are hidden or dealt")
    return game


def _add(book: Book, line: str) -> None:
    before, colon, after = line.partition(":")
    if not colon:
        raise ParseError(f"expected 'MOVES : MOVE WEIGHT VALUE, ...', not {quoted(line)}")
    position: Any = book.game.start()
    for move in [] if before.split() == [START] else before.split():
        position = position.play(move)
    if position.is_over:
        raise ParseError("the game is over there")
    replies = [_reply(position, words) for words in after.split(",")]
    if len({reply.move for reply in replies}) < len(replies):
        raise ParseError("a reply is given twice")
    book.add(position, replies)


def _reply(position: Any, text: str) -> Reply:
    try:
        move, weight_text, value_text = text.split()
        weight, value = int(weight_text), float(value_text)
    except ValueError:
        raise ParseError(f"expected MOVE WEIGHT VALUE, not {quoted(text.strip())}") from None
    if not 1 <= weight <= HEAVIEST:
        raise ParseError(f"a weight is from 1 to {HEAVIEST:,}, not {quoted(weight_text)}")
    if not (math.isfinite(value) and -1 <= value <= 1):
        raise ParseError(f"a value is from -1 to 1, not {quoted(value_text)}")
    return Reply(position.parse_move(move), weight, value)


def line_of(moves: Iterable[str], replies: Iterable[tuple[str, int, float]]) -> str:
    """A line of a book: the moves to a position, and for each reply its weight and value."""
    told = ", ".join(f"{move} {weight} {value:.3f}" for move, weight, value in replies)
    return f"{' '.join(moves) or START} : {told}"
