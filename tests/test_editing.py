"""Positions set up by hand: what a position shows is read, and makes the same position again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import tempo
from tempo import games
from tempo.errors import ParseError
from tempo.games import editing

EDITED = [name for name in games.names() if tempo.load(name).description.editor]


def test_the_games_that_ship_have_editors() -> None:
    assert len(EDITED) >= 7  # a new game may do without: its positions are set up by their text


@pytest.mark.parametrize("name", EDITED)
def test_an_editor_gives_back_what_it_reads(name: str) -> None:
    game = tempo.load(name)
    codes = [row["code"] for row in editing.palette(game)]
    assert len(codes) == len(set(codes)) >= 2
    position: Any = game.start()
    random = Random(1)
    for _ in range(40):
        if position.is_over:
            break
        position = position.play(position.legal_moves[random.randrange(len(position.legal_moves))])
    placed = editing.placed_on(game, position)
    assert {code for code, _ in placed.values()} <= set(codes)
    sides = [side for side, _ in editing.editor_of(game).SIDES]
    made = []
    for side in sides:
        try:
            made.append(editing.composed(game, placed, side))
        except ParseError:  # the other side would be in check, or has no move
            continue
    assert made
    assert all(editing.placed_on(game, game.parse(text)) == placed for text in made)


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    chess = tempo.load("chess")
    for placed, side, words in [
        ({"e1": ("K", 1)}, "w", "king"),
        ({"z9": ("K", 1)}, "w", "cannot stand on"),
        ({"e1": ("X", 1)}, "w", "cannot stand on"),
        ({"e1": ("K", 1), "e8": ("k", 1)}, "sideways", "who comes next"),
    ]:
        with pytest.raises(ParseError, match=words):
            editing.composed(chess, placed, side)


def test_hands_and_castling_are_kept() -> None:
    shogi = tempo.load("shogi")
    text = "4k4/9/9/9/9/9/9/9/4K4 b R2Pg 1"
    placed = editing.placed_on(shogi, shogi.parse(text))
    assert editing.composed(shogi, placed, "b") == text
    chess = tempo.load("chess")
    start = chess.start()
    assert editing.composed(chess, editing.placed_on(chess, start), "w") == start.text
