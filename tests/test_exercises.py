"""Tutorials, rules and practice: every exercise is begun, solved and told in both languages."""

from __future__ import annotations

from typing import Any

import pytest

import tempo
from tempo import games, texts
from tempo.errors import IllegalMove, ParseError
from tempo.games import exercises, scene
from tempo.games.exercises import PARTS, PRACTICE, RULES, TUTORIAL, Exercise
from tempo.web import trying

ALL = [
    pytest.param(name, part, one, id=f"{name}-{part}-{one.id}")
    for name in games.names()
    for part in PARTS
    for one in exercises.exercises(name, part)
]
STEPS = {"jiu": 10, "siguo": 10, "shogi": 5, "gomoku": 3, "chess": 3, "othello": 3}


def test_every_tutorial_has_its_steps() -> None:
    found = {name: len(exercises.exercises(name, TUTORIAL)) for name in STEPS}
    assert found == STEPS
    groups = {one.group for name in games.names() for one in exercises.exercises(name, PRACTICE)}
    assert {"mate1", "mate3", "mate5", "mate7", "krk", "kbnk", "take2", "deduce"} <= groups


@pytest.mark.parametrize(("name", "part", "one"), ALL)
def test_an_exercise_can_be_begun_solved_and_told(name: str, part: str, one: Exercise) -> None:
    shown = trying.picture(one)
    layout: Any = shown["layout"]
    assert set(one.marks) <= {place["id"] for place in layout["places"]}
    for language in ("en", "zh"):
        known = texts.catalogue(language, "learn")
        keys = {
            TUTORIAL: [f"learn.{name}.{one.id}", f"learn.{name}.{one.id}.done"],
            PRACTICE: [f"learn.group.{name}.{one.group}", f"learn.task.{name}.{one.group}"],
            RULES: [f"rules.{name}.{one.id}"],
        }[part]
        assert all(known[key] for key in keys)
    if part == RULES:
        return
    if one.ask:
        right: Any = trying.solution(one)["answer"]
        kinds: Any = layout["deployment"]["kinds"]
        states = {kind: trying.answered(one, kind)["state"] for kind in kinds}
        assert [kind for kind, state in states.items() if state == "solved"] == [right]
        return
    if one.game == "chess" and one.group in {"kbbk", "kbnk"}:
        return  # their tables take seconds to make; tests/test_endings.py tries them
    assert exercises.attempt(one, ()).state == "open"
    moves: Any = trying.solution(one)["moves"]
    tried = exercises.attempt(one, [row["move"] for row in moves])
    assert tried.state == "solved"
    assert tried.turns <= one.most
    with pytest.raises(IllegalMove, match="over"):
        exercises.attempt(one, [*(row["move"] for row in moves), 0])


def test_a_wrong_move_fails_and_an_illegal_one_is_refused() -> None:
    square = exercises.find("jiu", TUTORIAL, "square")
    assert exercises.attempt(square, ["B2-A2"]).state == "failed"
    assert exercises.attempt(square, ["D3-C3"]).state == "open"  # the stone is still to be taken
    with pytest.raises(IllegalMove):
        exercises.attempt(square, ["A1-A2"])
    with pytest.raises(ParseError, match="no exercise"):
        exercises.find("jiu", TUTORIAL, "nothing")


def test_the_defence_punishes_a_check_too_many() -> None:
    one = exercises.find("shogi", PRACTICE, "mate3-1")
    start: Any = exercises.begin(one)[-1]
    moves = [*start.checks, start.legal_moves[0]]
    assert {exercises.attempt(one, [move]).state for move in moves} >= {"open", "failed"}
    ending = exercises.find("chess", PRACTICE, "krk-6")
    first = exercises.attempt(ending, ())
    assert first.distance is not None
    found = exercises.begin(ending)[-1].legal_moves
    distances = {exercises.attempt(ending, [move]).distance for move in found}
    assert first.distance - 1 in distances  # the best move comes one nearer
    assert len(distances) > 1


def test_nothing_hidden_is_shown_of_an_exercise() -> None:
    one = exercises.find("siguo", TUTORIAL, "attack")
    shown: Any = trying.tried(one, (), layout=True)["scene"]
    foreign = [piece for piece in shown["pieces"] if piece["seat"] != one.seat]
    assert foreign
    assert all(not piece["text"] for piece in foreign)
    position = exercises.begin(one)[-1]
    other = one.start.replace("E.5@E21", "E.6@E21")
    changed = tempo.load(one.game).parse(other)
    same = [scene.scene(which.view(0), 0).data() for which in (position, changed)]
    assert same[0] == same[1]
