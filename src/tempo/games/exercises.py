"""Exercises: a position, a goal that the rules can check, and what the others answer.

The steps of a game's tutorial and its positions to practise are exercises, written as TOML in the
game's folder (`tutorial.toml`, `practice.toml`). An exercise is tried as a line of own moves: the
rules say after each whether the goal is reached, and the others answer by a script or by the best
defence that the game knows (`study.defence`). Nothing is kept between two tries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from tempo.errors import IllegalMove, ParseError, TempoError
from tempo.games import registry, scene

if TYPE_CHECKING:
    from tempo.games.protocol import Position

State = Literal["open", "solved", "failed"]
TUTORIAL = "tutorial"
PRACTICE = "practice"
RULES = "rules"
PARTS = (TUTORIAL, PRACTICE, RULES)
BEST = "best"  # who answers: the game's own defence
STILL = "skip"  # an answer: the seat lets its turn pass, where the rules can
MOST_REPLIES = 20  # moves of others in a row


@dataclass(frozen=True)
class Exercise:
    """Something to be done on a board. `id` is unique within its part of a game."""

    id: str
    game: str  # with its options
    start: str = ""  # the start of the game if empty
    before: tuple[str, ...] = ()  # moves that led from there to the exercise
    seat: int = 0
    goal: Mapping[str, Any] | None = None  # None: there is only something to look at
    most: int = 1  # own turns; one that needs more has failed
    reply: str | tuple[str, ...] = ()  # BEST, or moves of the others in turn
    marks: tuple[str, ...] = ()  # places to point at
    solution: tuple[str, ...] = ()  # own moves that reach the goal
    group: str = ""  # of practice
    ask: str = ""  # a place: which kind of piece stands there?

    @property
    def name(self) -> str:
        """The game without its options."""
        return registry.parse_spec(self.game)[0]


@dataclass(frozen=True)
class Tried:
    """How far a try has come: the whole line, answers included, and what it reached."""

    state: State
    positions: tuple[Position, ...]
    moves: tuple[int, ...]
    turns: int  # own turns that were used
    distance: int | None = None  # own moves that are left at best, where the game knows them

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.positions[-1]


@lru_cache(maxsize=64)
def exercises(name: str, part: str) -> tuple[Exercise, ...]:
    """The exercises of a game's tutorial, of its practice, or the pictures of its rules."""
    package = registry.load(name).description.package
    file = resources.files(package) / f"{part}.toml" if package and part in PARTS else None
    if file is None or not file.is_file():
        return ()
    return tuple(_read(name, part, tomllib.loads(file.read_text(encoding="utf-8"))))


def _read(name: str, part: str, data: Mapping[str, Any]) -> Iterator[Exercise]:
    usual = {key: value for key, value in data.items() if key != "exercise"}
    for row in data["exercise"]:
        given = {"game": name, **usual, **row}
        for key, value in given.items():
            if isinstance(value, list):
                given[key] = tuple(value)
        try:
            yield Exercise(**given)
        except TypeError as error:
            raise TempoError(f"{name}/{part}.toml, {row.get('id', '?')}: {error}") from None


def find(name: str, part: str, id_: str) -> Exercise:
    """One exercise by its names; ParseError if there is none."""
    for one in exercises(name, part):
        if one.id == id_:
            return one
    raise ParseError(f"{name} has no exercise '{id_[:40]}' in its {part}")


def begin(exercise: Exercise) -> tuple[Position, ...]:
    """The positions up to the exercise's own."""
    game = registry.load(exercise.game)
    positions = [game.parse(exercise.start) if exercise.start else game.start()]
    for text in exercise.before:
        positions.append(positions[-1].play(positions[-1].parse_move(text)))
    return tuple(positions)


def attempt(exercise: Exercise, own: Sequence[int | str]) -> Tried:
    """What a line of own moves reaches; IllegalMove if one of them may not be made.

    What comes after the goal was reached or missed is refused, too: there is nothing left to do.
    """
    start = begin(exercise)
    tried = Tried("open", start[-1:], (), 0)
    for number, move in enumerate(own, start=1):
        if tried.state != "open":
            raise IllegalMove(f"move {number}: the exercise is over")
        tried = _after(exercise, tried, move)
    return _measured(exercise, tried)


def steps(exercise: Exercise, position: Position) -> tuple[scene.Step, ...]:
    """The moves that may be made now; none by a seat that only lets its turn pass."""
    if position.is_over or position.turn != exercise.seat:
        return ()
    view = position.view(exercise.seat)
    return tuple(step for step in scene.steps(view) if step.text != STILL)


def _after(exercise: Exercise, tried: Tried, move: int | str) -> Tried:
    """One own move, judged, and the answers to it."""
    position = tried.position
    number = position.parse_move(move) if isinstance(move, str) else move
    positions = [*tried.positions, position.play(number)]
    moves = [*tried.moves, number]
    turns = tried.turns + (positions[-1].turn != exercise.seat or positions[-1].is_over)
    if _reached(exercise, positions[0], position, number, positions[-1]):
        return Tried("solved", tuple(positions), tuple(moves), turns)
    if positions[-1].is_over or turns >= exercise.most:
        return Tried("failed", tuple(positions), tuple(moves), turns)
    script = iter(exercise.reply[_answered(exercise, tried) :] if _scripted(exercise) else ())
    for _ in range(MOST_REPLIES):
        position = positions[-1]
        if position.is_over or position.turn == exercise.seat:
            break
        answer = _answer(exercise, position, script)
        if answer is None:
            return Tried("failed", tuple(positions), tuple(moves), turns)
        moves.append(answer)
        positions.append(position.play(answer))
    state: State = "failed" if positions[-1].is_over else "open"
    return Tried(state, tuple(positions), tuple(moves), turns)


def _scripted(exercise: Exercise) -> bool:
    return not isinstance(exercise.reply, str)


def _answered(exercise: Exercise, tried: Tried) -> int:
    """How many answers of the script were given."""
    return sum(one.turn != exercise.seat for one in tried.positions[:-1])


def _answer(exercise: Exercise, position: Position, script: Iterator[str]) -> int | None:
    """What the seat to move does: as the script has it if it can, else its first move."""
    if not _scripted(exercise):
        return scene.describe(position).defence(position)
    wanted = next(script, None)
    if wanted is None:
        return None
    try:
        return position.parse_move(wanted)
    except (IllegalMove, ParseError):  # the stone was taken that should have moved
        return int(position.legal_moves[0])


def _measured(exercise: Exercise, tried: Tried) -> Tried:
    """Adds how far it is; a forced win that was let go is a failure."""
    if _scripted(exercise) or tried.state != "open":
        return tried
    plies = scene.describe(tried.position).distance(tried.position)
    left = None if plies is None else (plies + 1) // 2
    lost = left is None or left > exercise.most - tried.turns
    state: State = "failed" if lost and exercise.goal == {"win": True} else "open"
    return Tried(state, tried.positions, tried.moves, tried.turns, left)


# ---- goals ---------------------------------------------------------------------------------------


def _reached(
    exercise: Exercise, first: Position, before: Position, move: int, after: Position
) -> bool:
    """Whether every part of the goal holds after an own move."""
    goal = exercise.goal or {}
    seat = exercise.seat
    text = before.move_text(move)
    for name, wanted in goal.items():
        match name:
            case "moves":
                held = text in wanted
            case "any":
                held = True
            case "taken":
                held = _foreign(first, seat) - _foreign(after, seat) >= wanted
            case "on":
                held = any(
                    piece.place == wanted and piece.seat == seat for piece in _pieces(after, seat)
                )
            case "shape":
                held = wanted in _shapes(after, seat, own=True)
            case "broken":
                held = wanted not in _shapes(after, seat, own=False) and not _due(after, seat)
            case "win":
                outcome = after.outcome
                held = outcome is not None and outcome.scores[seat] > 0
            case _:
                raise TempoError(f"{exercise.name}, {exercise.id}: there is no goal '{name}'")
        if not held:
            return False
    return bool(goal)


def _due(after: Position, seat: int) -> bool:
    """Whether the own turn goes on."""
    return not after.is_over and after.turn == seat


def _pieces(position: Position, seat: int) -> tuple[scene.Piece, ...]:
    view = position.view(seat)
    return scene.face_of(view).pieces(view, seat)


def _foreign(position: Position, seat: int) -> int:
    """Pieces of the other team that are in play."""
    teams = scene.game_of(position).teams
    return sum(one.count for one in _pieces(position, seat) if teams[one.seat] != teams[seat])


def _shapes(position: Position, seat: int, *, own: bool) -> set[str]:
    view = position.view(seat)
    found: Any = scene.describe(view).shapes(view) or {"shapes": []}
    return {one["name"] for one in found["shapes"] if (one["seat"] == seat) == own}


# ---- questions -----------------------------------------------------------------------------------


def kinds_possible(exercise: Exercise) -> list[dict[str, Any]]:
    """The kinds that the piece asked for may be of, by what the seat knows: letter and chance."""
    view = begin(exercise)[-1].view(exercise.seat)
    found: Any = scene.describe(view).belief(view)
    for piece in found["pieces"] if found else ():
        if piece["place"] == exercise.ask:
            chances: list[dict[str, Any]] = piece["chances"]
            return chances
    raise TempoError(f"{exercise.name}, {exercise.id}: nothing is hidden on {exercise.ask}")
