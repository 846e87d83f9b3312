"""Balanced openings: positions to start the games of a match from, each played by both sides.

A file of openings is text, one a line: moves as the game writes them, separated by spaces; before
them `deal=N` where the game is dealt (`game.start(seed=N)`), or `start=POSITION` where it does not
begin at the beginning, the position's text with underscores for spaces; a lone `-` is the plain
start. What follows a `#` is a remark.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from tempo import agents
from tempo.arena.seeds import derive
from tempo.errors import ParseError
from tempo.files import write_text
from tempo.games.chess.endings import Ending
from tempo.games.formats import all_formats
from tempo.games.plain import PLAIN
from tempo.games.record_files import read_file, record_of
from tempo.games.registry import load

if TYPE_CHECKING:
    from tempo.agents import Agent
    from tempo.games import Game
    from tempo.games.protocol import Position

__all__ = [
    "Opening",
    "OpeningSet",
    "from_ending",
    "generate",
    "named",
    "read",
    "standard",
    "stored",
    "write",
]

ATTEMPTS = 200  # tries per opening wanted, before giving up
FAIR = "fair"  # a kind of stored openings
POSITIONS = ("fen", "epd", "sfen")  # names of files with a position a line
BOOK_PLIES = 8  # moves of each game of a record file
STANDARD_PLIES = 4
STANDARD_JUDGE = "alphabeta:depth=2,table=1"
STANDARD_LIMIT = 0.1  # in chess half a pawn; keeps some 70-80 % of the random openings


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a deal or a position, if any, and moves already made, as text."""

    moves: tuple[str, ...] = ()
    deal: int | None = None
    start: str | None = None

    def position(self, game: Game) -> Position:
        """The position after the opening. Raises ParseError or IllegalMove if it does not fit."""
        if self.start is not None:
            position = game.parse(self.start)
        else:
            position = game.start() if self.deal is None else game.start(seed=self.deal)
        for move in self.moves:
            position = position.play(move)
        return position

    def __str__(self) -> str:
        words = [] if self.deal is None else [f"deal={self.deal}"]
        words += [] if self.start is None else ["start=" + self.start.replace(" ", "_")]
        return " ".join([*words, *self.moves]) or "-"

    @classmethod
    def parse(cls, text: str) -> Opening:
        """Undoes `str`. Whether the moves are legal only the game can say: see `position`."""
        words = text.split()
        if not words:
            raise ParseError("an opening is a list of moves, or - for the plain start")
        deal = start = None
        if words[0].startswith("start="):
            start = words.pop(0).removeprefix("start=").replace("_", " ")
        elif words[0].startswith("deal="):
            number = words.pop(0).removeprefix("deal=")
            if not (number.isascii() and number.isdigit()):
                raise ParseError(f"deal= takes a number, not '{number}'")
            deal = int(number)
        if words == ["-"] and deal is None and start is None:
            words = []
        if "-" in words:
            raise ParseError(f"- stands alone, for the plain start; not in '{text.strip()}'")
        return cls(tuple(words), deal, start)


@dataclass(frozen=True)
class OpeningSet:
    """A list of openings and where it comes from: logs tell sets apart by their source."""

    openings: tuple[Opening, ...]
    source: str

    @classmethod
    def of(cls, openings: Sequence[Opening] | OpeningSet) -> OpeningSet:
        """A plain list is named by a hash of its text."""
        if isinstance(openings, OpeningSet):
            return openings
        text = "".join(f"{opening}\n" for opening in openings)
        digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        return cls(tuple(openings), digest)


def standard(game: Game, count: int, seed: int = 1, *, again: bool = False) -> OpeningSet:
    """What a match begins with where nothing else is said.

    Dealt games get a deal each. A game whose balanced openings come with the package (`stored`)
    begins with these. Others get four random moves; if the game is one of two sides with a static
    evaluation, a search of two moves must find them balanced. A game too small for as many
    different openings begins with those it has `again` and again, or raises ValueError.
    """
    if game.is_dealt:
        return OpeningSet(tuple(generate(game, count, seed=seed, plies=0)), f"deals, seed {seed}")
    if (kept := stored(game)) is not None:
        order = sorted(range(len(kept)), key=lambda i: derive(seed, "stored", i))
        chosen = tuple(kept[i] for i in order[:count])
        return OpeningSet(chosen, f"stored openings of {game.spec}, seed {seed}")
    judged = hasattr(getattr(game.core, "Evaluator", None), "static") and len(set(game.teams)) == 2
    judge = agents.load(STANDARD_JUDGE) if judged else None
    plies = STANDARD_PLIES
    try:
        openings = generate(game, count, seed=seed, plies=plies, judge=judge, limit=STANDARD_LIMIT)
    except ValueError:
        if not again:
            raise
        judge = None
        plies, openings = _few(game, count, seed)
    source = f"{plies} random moves, judge {judge.name if judge else 'none'}, seed {seed}"
    return OpeningSet(tuple(openings), source)


def _few(game: Game, count: int, seed: int) -> tuple[int, list[Opening]]:
    """The openings of a small game, again and again up to `count`, and their number of moves."""
    for plies in (STANDARD_PLIES, 2, 0):
        every = _candidates(game, count * ATTEMPTS, seed=seed, plies=plies, judge=None, limit=0)
        if found := list(islice(every, count)):
            return plies, list(islice(cycle(found), count))
    raise ValueError(f"{game.spec} is over before it begins")


def stored(game: Game, kind: str = "openings") -> list[Opening] | None:
    """The balanced openings of this game, size and rule that come with the package, if any.

    `fair` ones are stricter: quick players who play themselves from them win as often by either
    colour.
    """
    file = game.description.openings(game, kind)
    if file is None:
        return None
    with resources.as_file(file) as path:
        return read(path, game)


def from_ending(name: str, count: int, seed: int = 1) -> OpeningSet:
    """Won positions of a chess ending, White to move, each distance to mate in its share."""
    ending = Ending(name)
    texts = ending.family.texts(ending.starts(count, seed))
    return OpeningSet(tuple(Opening(start=text) for text in texts), f"{name}, seed {seed}")


def generate(
    game: Game,
    count: int,
    *,
    seed: int = 1,
    plies: int = 4,
    judge: Agent | None = None,
    limit: float = 0.3,
) -> list[Opening]:
    """Generates `count` different openings of random moves from the start, none of them finished.

    With a judge (a shallow search), only those it values within `limit` of even for every seat.
    A dealt game gets a deal of its own for each opening. A longer list begins with the shorter
    one of the same seed. Raises ValueError when the game does not have enough of them.
    """
    candidates = _candidates(
        game, count * ATTEMPTS, seed=seed, plies=plies, judge=judge, limit=limit
    )
    found = list(islice(candidates, count))
    if len(found) < count:
        balanced = f" within {limit} of even" if judge else ""
        raise ValueError(
            f"{game.spec} gave only {len(found)} different openings of {plies} moves{balanced} "
            f"in {count * ATTEMPTS} attempts; {count} were asked for: try more moves"
            + (" or a wider limit" if judge else "")
        )
    return found


def _candidates(
    game: Game, attempts: int, *, seed: int, plies: int, judge: Agent | None, limit: float
) -> Iterator[Opening]:
    seen: set[int] = set()
    for attempt in range(attempts):
        deal = derive(seed, "deal", attempt) if game.is_dealt else None
        moves, position = _random_walk(game, deal, plies, derive(seed, "opening", attempt))
        if position.is_over or (deal is None and position.key in seen):
            continue
        seen.add(position.key)
        if judge is None or _imbalance(position, judge, derive(seed, "judge", attempt)) <= limit:
            yield Opening(moves, deal)


def _random_walk(
    game: Game, deal: int | None, plies: int, seed: int
) -> tuple[tuple[str, ...], Position]:
    # Python promises that random() is the same in every version, and nothing about the rest.
    stream = random.Random(seed)
    position = Opening((), deal).position(game)
    moves: list[str] = []
    while len(moves) < plies and not position.is_over:
        legal = position.legal_moves
        move = legal[int(stream.random() * len(legal))]
        moves.append(position.move_text(move))
        position = position.play(move)
    return tuple(moves), position


def _imbalance(position: Position, judge: Agent, seed: int) -> float:
    judge.reset(seed)
    values = judge.choose(position.view(position.turn)).values
    if not values:
        raise ValueError(f"{judge.name} cannot judge openings: it gives no values")
    return max(abs(value) for value in values)


def write(path: str | os.PathLike[str], openings: Sequence[Opening], remark: str = "") -> None:
    """Writes a file that `read` reads."""
    lines = [f"# {line}" for line in remark.splitlines()] + [str(o) for o in openings]
    write_text(path, "\n".join(lines) + "\n")


def named(text: str, game: Game, plies: int = BOOK_PLIES) -> list[Opening]:
    """`fair`, for the stored ones of that kind, or a file. Raises ParseError as `read` does.

    A file of openings has one a line; one of positions (.fen, .epd, .sfen) a position a line; one
    of records (.pgn, .sgf, .csa, ...) gives the first `plies` moves of each game.
    """
    if text != FAIR:
        kind = Path(text).suffix.removeprefix(".").lower()
        if kind in POSITIONS:
            return _from_positions(text, game)
        if kind in {one.name for one in all_formats()} - {PLAIN.name}:
            return _from_records(text, game, plies)
        return read(text, game)
    if (kept := stored(game, FAIR)) is None:
        raise ParseError(
            f"no fair openings of {game.spec} come with Tempo; give a file of openings"
        )
    return kept


def _from_records(path: str, game: Game, plies: int) -> list[Opening]:
    """The beginnings of games, each position once."""
    found: dict[int, Opening] = {}
    for number, tree in enumerate(read_file(path), start=1):
        record = record_of(tree)
        if load(record.game).name != game.name:
            raise ParseError(f"{path}: game {number} is one of {record.game}, not of {game.name}")
        position = game.parse(record.start) if record.start else game.start()
        moves: list[str] = []
        for move in record.moves[:plies]:
            if position.is_over:
                break
            moves.append(position.move_text(move))
            position = position.play(move)
        if not position.is_over:
            found.setdefault(position.key, Opening(tuple(moves), start=record.start or None))
    if not found:
        raise ParseError(f"{path}: no openings in it")
    return list(found.values())


def _from_positions(path: str, game: Game) -> list[Opening]:
    """A position a line, as FEN, EPD or SFEN have it; USI's `startpos moves ...` is one too."""
    found: dict[int, Opening] = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        text, _, moves = line.partition("#")[0].partition(" moves ")
        words = text.removeprefix("position ").removeprefix("sfen ").split()
        if not words:
            continue
        try:
            start = None if words == ["startpos"] else _position_text(words, game)
            opening = Opening(tuple(moves.split()), start=start)
            position = opening.position(game)
        except ValueError as error:
            raise ParseError(f"{path}, line {number}: {error}") from error
        if not position.is_over:
            found.setdefault(position.key, opening)
    if not found:
        raise ParseError(f"{path}: no openings in it")
    return list(found.values())


def _position_text(words: list[str], game: Game) -> str:
    """A position's text; what EPD leaves out are the counters of a game that begins here."""
    try:
        return game.parse(" ".join(words)).text
    except ParseError:
        if len(words) < 4:
            raise
        return game.parse(" ".join([*words[:4], "0", "1"])).text


def read(path: str | os.PathLike[str], game: Game) -> list[Opening]:
    """Reads a file of openings and plays each through.

    Raises ParseError naming file and line when an opening does not parse, is not legal, is
    finished, or leads to a position that an earlier line had.
    """
    openings: list[Opening] = []
    lines_by_key: dict[int, int] = {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ParseError(f"{path}: not UTF-8 text ({error})") from None
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0]
        if not text.strip():
            continue
        try:
            opening = Opening.parse(text)
            position = opening.position(game)
            if position.is_over:
                raise ParseError(f"the game is over after '{opening}'")
            earlier = lines_by_key.setdefault(position.key, number)
            if earlier != number:
                raise ParseError(f"same position as line {earlier}")
        except ValueError as error:
            raise ParseError(f"{path}, line {number}: {error}") from error
        openings.append(opening)
    if not openings:
        raise ParseError(f"{path}: no openings in it")
    return openings
