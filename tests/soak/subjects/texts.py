"""What games read: specifications, positions and moves, of every game that is registered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any

from game_data import data_lines, perft_lines, specs_of

from soak.mutating import Texts
from soak.subject import Subject
from tempo import games, testing

POOL = 150  # positions of each set of options


@lru_cache
def positions_of(name: str) -> list[Any]:
    """Positions from random games by several rules, and those of the data files."""
    found: list[Any] = []
    for spec in specs_of(name):
        found += testing.sample_positions(games.load(spec), 1, POOL)
    found += [games.load(line.spec).parse(line.position) for line in perft_lines(name)]
    return found


# ---- specifications ------------------------------------------------------------------------------


def spec_texts(name: str) -> Sequence[str]:
    """Specifications that set one option or several, each to what it may be."""
    core = games.load(name).core
    single = [
        f"{name}({field[0]}={choice.strip()})"
        for field in core.option_fields()
        for choice in (field[1], *field[2].replace(" to ", "|").replace(",", "|").split("|"))
    ]
    return [*specs_of(name), *single, *(f"{name}(profile={p})" for p in ("competition", "open"))]


def try_spec(text: str) -> str:
    """What is loaded is loaded again by its own name."""
    game = games.load(text)
    assert games.load(game.spec) == game
    assert game.spec == games.load(game.spec).spec
    return "accepted"


# ---- positions -----------------------------------------------------------------------------------


def try_position(given: tuple[str, str]) -> str:
    """What is parsed is sound, writes itself down, can be looked at and played from."""
    spec, text = given
    game = games.load(spec)
    position: Any = game.parse(text)
    assert position.check() == ""
    again: Any = game.parse(position.text)
    assert again.text == position.text
    assert (again.turn, again.is_over) == (position.turn, position.is_over)
    moves = list(position.legal_moves)
    assert bool(moves) != position.is_over
    if moves:
        assert position.play(moves[len(text) % len(moves)]).check() == ""
    assert position.board
    for seat in range(game.seats):
        assert position.view(seat).text
    return "accepted"


def make_position(name: str, texts: Texts, random: Random) -> tuple[str, str]:
    """A text with the rules that it is read by, mostly its own."""
    position = random.choice(positions_of(name))
    spec = random.choice(specs_of(name)) if random.random() < 0.1 else position.game
    return spec, texts.changed(position.text, random)


# ---- moves ---------------------------------------------------------------------------------------


def move_texts(name: str) -> Sequence[str]:
    """Legal moves of the pool."""
    random = Random(1)
    found = set()
    for position in positions_of(name):
        moves = list(position.legal_moves)
        for move in random.sample(moves, min(10, len(moves))):
            found.add(position.move_text(move))
    return sorted(found)


class Shown(tuple[Any, str]):
    """A position and a text; the position prints itself as its rules and its own text."""

    def __repr__(self) -> str:
        position, text = self
        return f"({position.game!r}, {position.text!r}, {text!r})"


def make_move(name: str, texts: Texts, random: Random) -> Shown:
    """A position, and a move of it or of another."""
    position = random.choice(positions_of(name))
    if random.random() < 0.5 or position.is_over:
        return Shown((position, texts(random)))
    moves = position.legal_moves
    text = position.move_text(moves[random.randrange(len(moves))])
    return Shown((position, texts.changed(text, random)))


def try_move(given: tuple[Any, str]) -> str:
    """What is parsed is legal and has a text that means the same."""
    position, text = given
    move = position.parse_move(text)
    assert position.is_legal(move)
    assert position.parse_move(position.move_text(move)) == move
    assert text in position.legal_moves
    after = position.play(text)
    assert after == position.play(move)
    assert after.check() == ""
    return "accepted"


def subjects() -> Iterator[Subject]:
    """Three for every game."""
    for name in games.names():
        words = [word for row in games.load(name).core.option_fields() for word in row[:2]]
        specs = Texts(partial(spec_texts, name), words)
        yield Subject(f"specs.{name}", specs, try_spec, slice=300)
        texts = Texts(partial(_position_texts, name))
        yield Subject(f"positions.{name}", partial(make_position, name, texts), try_position)
        moves = Texts(partial(move_texts, name))
        yield Subject(f"moves.{name}", partial(make_move, name, moves), try_move)


def _position_texts(name: str) -> Sequence[str]:
    """What parts are lent from: the pool, and what the data files say is right and wrong."""
    lines = [line.split(" ; ")[1] for line in data_lines("notation", name) if " ; " in line]
    return [position.text for position in positions_of(name)] + lines
