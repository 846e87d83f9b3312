"""Whether mygame is what tempo takes for a game, and plays by its own rules."""

import pytest

import tempo
from tempo import agents, testing

SPECS = ["mygame", "mygame(misere=yes)"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("holds", testing.PROPERTIES, ids=lambda holds: holds.__name__)
def test_conformance(spec, holds):
    """What holds for every game."""
    holds(tempo.load(spec), seed=1)


def test_perft():
    """The number of move sequences of each length, which a book or another program knows."""
    game = tempo.load("mygame")
    assert [game.perft(depth) for depth in range(7)] == [1, 9, 72, 504, 3024, 15120, 54720]


@pytest.mark.parametrize("spec", SPECS)
def test_best_play_is_a_draw(spec):
    """A fact about the game that a search finds."""
    choice = agents.load("alphabeta:depth=9").choose(tempo.load(spec).start())
    assert choice.values == (0, 0)
