"""The corpora of notation, tests/data/notation: what is valid, what is not, and why."""

from __future__ import annotations

from typing import Any

import game_data
import pytest

from tempo.errors import IllegalMove, ParseError
from tempo.games import Game

Case = tuple[str, list[str]]


def cases(kind: str) -> list[Case]:
    found = []
    for name in game_data.NAMES:
        for line in game_data.data_lines("notation", name):
            head, *parts = (part.strip() for part in line.split(";"))
            if head == kind:
                found.append((name, parts))
    assert found, kind
    return found


def located(name: str, text: str) -> tuple[Game, str]:
    """A position's text without the options before it, and its game."""
    if not text.startswith("["):
        return game_data.load(name), text
    options, _, rest = text[1:].partition("]")
    return game_data.load(f"{name}({options})"), rest.removeprefix(" ")


def position_of(name: str, text: str) -> Any:
    game, rest = located(name, text)
    return game.parse(rest)


def test_no_line_is_of_another_kind() -> None:
    kinds = {"valid", "invalid", "move", "illegal", "nonsense"}
    for name in game_data.NAMES:
        found = {line.split(";")[0].strip() for line in game_data.data_lines("notation", name)}
        assert found == kinds, name


@pytest.mark.parametrize("case", cases("valid"), ids=lambda case: f"{case[0]} {case[1][0]}")
def test_valid(case: Case) -> None:
    name, (text, *printed) = case
    game, rest = located(name, text)
    position = game.parse(rest)
    assert position.text == (printed[0] if printed else rest)
    assert position.check() == ""
    assert game.parse(position.text) == position


@pytest.mark.parametrize("case", cases("invalid"), ids=lambda case: f"{case[0]} {case[1][0]}")
def test_invalid(case: Case) -> None:
    name, (text, reason) = case
    with pytest.raises(ParseError) as refused:
        position_of(name, text)
    assert reason in str(refused.value)


@pytest.mark.parametrize("case", cases("move"), ids=lambda case: " ".join(case[1][:2]))
def test_move(case: Case) -> None:
    name, (text, move, printed) = case
    position = position_of(name, text)
    assert position.move_text(position.parse_move(move)) == printed
    assert move in position.legal_moves
    assert position.play(move) == position.play(printed)


@pytest.mark.parametrize("case", cases("illegal"), ids=lambda case: " ".join(case[1][:2]))
def test_illegal(case: Case) -> None:
    name, (text, move, reason) = case
    position = position_of(name, text)
    for refuse in (position.parse_move, position.play):
        with pytest.raises(IllegalMove) as refused:
            refuse(move)
        assert reason in str(refused.value)
    assert move not in position.legal_moves


@pytest.mark.parametrize("case", cases("nonsense"), ids=lambda case: " ".join(case[1][:2]))
def test_nonsense(case: Case) -> None:
    name, (text, move, reason) = case
    position = position_of(name, text)
    with pytest.raises(ParseError) as refused:
        position.play(move)
    assert reason in str(refused.value)
    assert move not in position.legal_moves
