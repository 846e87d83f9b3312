"""Siguo by rules of thumb: sensible choices, legal ones, and none that hidden ranks decide."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import agents, arena
from tempo._core import siguo, siguo_heuristic
from tempo.errors import IllegalMove, ParseError

GAME = tempo.load("siguo")
OPEN = tempo.load("siguo(info=all_open)")
BACK = " ".join(f"{s}.F@{s}62 {s}.2@{s}61" for s in "SENW")
SEEDS = range(8)


def chosen(position: Any, seed: int = 1) -> str:
    """The move for the seat to move, from its view alone."""
    return str(position.move_text(siguo_heuristic.choose(position.view(position.turn), seed)))


def at(pieces: str, game: Any = GAME, turn: str = "S") -> Any:
    return game.parse(f"{BACK} {pieces} turn={turn}")


def random_positions(games: int, every: int) -> list[Any]:
    """Positions of random games."""
    found = []
    for seed in range(games):
        random = Random(seed)
        position: Any = GAME.start(seed)
        while not position.is_over:
            if position.ply % every == 0:
                found.append(position)
            position = position.play(random.choice(position.legal_moves))
    return found


@pytest.mark.parametrize(
    ("why", "pieces", "move"),
    [
        ("takes a flag", "S.2@W52 S.5@C5 W.3@C4", "W52xW62"),
        ("a sapper takes a mine", "S.1@W54 W.M@W55 S.7@S41", "W54xW55"),
        ("a bomb takes the General", "S.B@C5 W.9@C4 S.2@S41", "C5xC4"),
        ("a stronger piece takes a weaker", "S.8@C5 W.7@C4 E.M@E52", "C5xC4"),
        ("a piece that comes for the flag is taken", "S.5@S53 W.4@S52 S.3@W31 W.2@W21", "S53xS52"),
    ],
)
def test_what_is_known_is_used(why: str, pieces: str, move: str) -> None:
    position = at(pieces, OPEN)
    assert {chosen(position, seed) for seed in SEEDS} == {move}, why


@pytest.mark.parametrize(
    "pieces",
    ["S.5@C5 W.7@C4", "S.7@W54 W.M@W55", "S.9@W54 W.M@W55 W.M@W53", "S.9@C5 W.B@C4"],
)
def test_known_losses_are_left_alone(pieces: str) -> None:
    position = at(pieces, OPEN)
    assert all("x" not in chosen(position, seed) for seed in SEEDS)


def test_a_piece_flees_to_a_camp() -> None:
    position = at("S.8@W21 W.9@W31", OPEN)
    assert {chosen(position, seed) for seed in SEEDS} == {"W21-W22"}


def test_a_flag_shown_to_all_is_taken_without_open_ranks() -> None:
    # West's General dies on a mine of south's, which shows west's flag.
    position = at("S.M@S51 W.9@S41 S.3@W63 W.4@W64 E.5@E51 N.5@N51", turn="W")
    position = position.play(position.parse_move("S41xS51- !W62"))
    assert chosen(position) == "W63xW62"


def test_what_a_battle_has_shown_is_used() -> None:
    # South's Major General died on a piece that never moved: it is the 9 or the 8.
    position = at("S.7@W31 W.8@W41 S.6@W42 S.B@C1")
    for move in ("W31xW41", "E61-E51", "N61-N51", "W61-W51"):
        position = position.play(move)
    assert chosen(position) == "C1xW41"


def test_same_view_same_choice() -> None:
    for i, position in enumerate(random_positions(games=4, every=60)):
        view = position.view(position.turn)
        for seed in range(3):
            drawn = view.sample(seed)
            assert siguo_heuristic.choose(drawn.view(position.turn), i) == (
                siguo_heuristic.choose(view, i)
            )
            np.testing.assert_array_equal(
                siguo_heuristic.scores(drawn.view(position.turn)), siguo_heuristic.scores(view)
            )


@pytest.mark.parametrize(
    "game",
    [
        "siguo",
        "siguo(flag_taker=sapper,bomb_flag=forbidden,pass_limit=3)",
        "siguo(hq=one,camps=own,c5_stop=no,rail_straight=three_steps)",
        "siguo(no_capture_draw=0,max_plies=300,turn_order=cw,mine_hit=both_gone)",
    ],
)
def test_moves_are_legal_under_every_rule(game: str) -> None:
    for seed in range(3):
        random = Random(seed)
        position: Any = tempo.load(game).start(seed)
        while not position.is_over:
            view = position.view(position.turn)
            move = siguo_heuristic.choose(view, seed)
            assert move in position.legal_moves
            assert len(siguo_heuristic.scores(view)) == len(view.legal_moves)
            if random.random() < 0.3:  # so that strange positions come up too
                move = random.choice(position.legal_moves)
            position = position.play(move)


def test_quick_chances_are_near_the_exact_ones() -> None:
    start = GAME.start(1).view(0)
    exact = siguo.Belief(start).chances()
    np.testing.assert_allclose(siguo_heuristic.chances(start), exact, atol=1e-3)
    for position in random_positions(games=2, every=100)[1:4]:
        view = position.view(position.turn)
        quick = siguo_heuristic.chances(view)
        np.testing.assert_allclose(quick.sum(axis=1), 1, atol=1e-5)
        assert np.abs(quick - siguo.Belief(view).chances()).mean() < 0.02


def test_the_agent_beats_random() -> None:
    result = arena.match(("siguo-heuristic", "random"), "siguo", games=40, seed=3)
    assert result.score >= 0.95


def test_faults() -> None:
    position = GAME.start()
    with pytest.raises(IllegalMove, match="not this seat's turn"):
        siguo_heuristic.choose(position.view(1), 1)
    with pytest.raises(ParseError, match="has no setting"):
        agents.load("siguo-heuristic:depth=3")
    with pytest.raises(ParseError, match="siguo-heuristic plays siguo, not "):
        agents.load("siguo-heuristic").choose(tempo.load("gomoku").start())
