"""What a try of an exercise shows: the board after the own moves and the answers to them.

Made from the view of the learner's seat alone; the exercise itself, with what it hides and its
solution, stays here unless the solution is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tempo import texts
from tempo.errors import IllegalMove, ParseError
from tempo.games import exercises, load, scene
from tempo.games.description import Data
from tempo.games.exercises import Exercise
from tempo.games.line import move_name
from tempo.web.glancing import why_not
from tempo.web.messages import Refused
from tempo.web.plies import written

if TYPE_CHECKING:
    from tempo.games.protocol import Position

SURE = 0.9995  # the chance of the one kind that is possible, as floats have it


def picture(exercise: Exercise) -> Data:
    """The board of an exercise before anything was tried."""
    position = exercises.begin(exercise)[-1]
    return {
        "id": exercise.id,
        "marks": exercise.marks,
        "layout": scene.layout(load(exercise.game), exercise.seat).data(),
        "scene": scene.scene(position.view(exercise.seat), exercise.seat).data(),
    }


def tried(exercise: Exercise, moves: Sequence[int], *, layout: bool = False) -> Data:
    """How far these own moves come: the moment, and whether the goal is reached."""
    found = _attempt(exercise, moves)
    seat, position = exercise.seat, found.position
    before = (*exercises.begin(exercise), *found.positions[1:])
    made = found.moves[-1:] or [before[-2].parse_move(text) for text in exercise.before[-1:]]
    shown = scene.scene(position.view(seat), seat, [(before[-2].view(seat), one) for one in made])
    names = [move_name(at, move) for at, move in zip(found.positions, found.moves, strict=False)]
    data: Data = {
        "scene": replace(shown, moves=exercises.steps(exercise, position)).data(),
        "state": found.state,
        "turns": found.turns,
        "most": exercise.most,
        "distance": found.distance,
        "line": names,
        "seat": seat,
        "marks": [] if moves else exercise.marks,
        "outcome": None if position.outcome is None else {"reason": position.outcome.reason},
    }
    if layout:
        data["layout"] = scene.layout(load(exercise.game), seat).data()
        data["past"] = past(exercise) if exercise.ask else []
    return data


def past(exercise: Exercise) -> list[Data]:
    """The moves before an exercise as its seat knows them; `about`: of the piece in question."""
    positions = exercises.begin(exercise)
    game, seat, place = load(exercise.game), exercise.seat, exercise.ask
    owner = next((p.seat for p in _pieces(positions[-1], seat) if p.place == place), None)
    rows: list[Data] = []
    for before, text in reversed(list(zip(positions, exercise.before, strict=False))):
        move = before.parse_move(text)
        ply = written(game, before, before.turn, move)
        touches = scene.face_of(before).step(before.view(before.turn), move).touches
        about = bool(touches) and touches[-1] == place
        if about and before.turn == owner:
            place = touches[0]
        native = ply.own if ply.seat == seat else ply.native
        rows.append({"seat": ply.seat, "text": ply.text, "native": native, "about": about})
    return rows[::-1]


def moment(exercise: Exercise, ply: int) -> Data:
    """The board after some of the moves before an exercise; nothing is entered there."""
    positions = exercises.begin(exercise)
    if ply >= len(positions):
        raise Refused("exercise", texts.t("refused.no_move", n=ply))
    seat = exercise.seat
    trail = []
    if ply:
        before = positions[ply - 1]
        trail = [(before.view(seat), before.parse_move(exercise.before[ply - 1]))]
    shown = scene.scene(positions[ply].view(seat), seat, trail)
    return {"scene": replace(shown, moves=()).data()}


def _pieces(position: Position, seat: int) -> tuple[scene.Piece, ...]:
    view = position.view(seat)
    return scene.face_of(view).pieces(view, seat)


def _attempt(exercise: Exercise, moves: Sequence[int]) -> exercises.Tried:
    try:
        return exercises.attempt(exercise, moves)
    except (IllegalMove, ParseError, OverflowError, TypeError) as error:
        raise Refused("exercise", str(error)) from error


def answered(exercise: Exercise, letter: str) -> Data:
    """Whether a piece can be of this kind, and of no other."""
    possible = exercises.kinds_possible(exercise)
    right = possible[0]["letter"] == letter and possible[0]["chance"] > SURE
    return {"state": "solved" if right else "failed"}


def solution(exercise: Exercise) -> Data:
    """Own moves that reach the goal: as they are written down, or as the game finds them."""
    if exercise.ask:
        return {"answer": exercises.kinds_possible(exercise)[0]["letter"], "moves": []}
    own: list[int] = []
    rows: list[Data] = []
    written = iter(exercise.solution)
    while (here := exercises.attempt(exercise, own)).state == "open":
        text = next(written, None)
        move = _found(here.position) if text is None else here.position.parse_move(text)
        if move is None:
            break
        own.append(move)
        rows.append({"move": move, "text": move_name(here.position, move)})
    return {"moves": rows}


def _found(position: Position) -> int | None:
    """The first move of the win that the game finds."""
    exact: Any = scene.describe(position).exact(position)
    return exact["line"][0]["move"] if exact and exact["line"] else None


def answers(request: dict[str, Any]) -> Data:
    """What is asked of an exercise, in a worker or in a thread."""
    with texts.speaking(request["language"], plain=request["plain"]):
        return _answers(request)


def _answers(request: dict[str, Any]) -> Data:
    try:
        exercise = exercises.find(request["game"], request["part"], request["id"])
    except ParseError as error:
        raise Refused("exercise", str(error), 404) from error
    if request["solution"]:
        return solution(exercise)
    if request["answer"]:
        if not exercise.ask:
            raise Refused("exercise", "this exercise asks for moves")
        return answered(exercise, request["answer"])
    if request["look"] is not None:
        return moment(exercise, request["look"])
    if request["touches"]:
        return {"text": _why(exercise, request["moves"], tuple(request["touches"]))}
    return tried(exercise, request["moves"], layout=request["layout"])


def _why(exercise: Exercise, moves: Sequence[int], touches: tuple[str, ...]) -> str:
    view = _attempt(exercise, moves).position.view(exercise.seat)
    if view.turn != exercise.seat:
        return texts.t("why.wait")
    return why_not(load(exercise.game), view, touches)
