"""The summary inputs of Siguo against a slow reference, and what must hold of them."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import siguo as slow_siguo
from reference.siguo_summary import Summary

import tempo
from tempo import _core

GAME: Any = tempo.load("siguo")
LEARNING = _core.siguo_learning
CORE = _core.siguo
DEFAULTS = {
    "arc": "separate",
    "rail_exit": "any",
    "rail_straight": "lines",
    "repetition": "none",
    "hq": "two",
    "camps": "everybody",
    "c5_stop": "yes",
    "bomb_flag": "both_gone_owner_out",
    "flag_taker": "any",
    "mine_hit": "mine_stays",
    "flag_reveal": "public",
    "no_move": "at_turn",
    "pass_limit": "0",
    "no_capture_draw": "70",
    "max_plies": "2000",
    "turn_order": "ccw",
}
SETUP = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B"
Rows = NDArray[np.float32]


def walk(seed: int, every: int) -> list[tuple[Any, Any]]:
    """Of a random game that likes to attack: some positions, each with its twin in slow."""
    random, position = Random(seed), GAME.start(seed)
    slow = slow_siguo.Game(DEFAULTS, position.text)
    pairs: list[tuple[Any, Any]] = []
    while not position.is_over:
        if position.ply % every == every // 2:
            pairs.append((position.view(position.turn), deepcopy(slow)))
        moves = [position.move_text(move) for move in position.legal_moves]
        attacks = [move for move in moves if "x" in move]
        move = random.choice(attacks if attacks and random.random() < 0.5 else moves)
        position = position.play(move)
        slow.play(move)
    return pairs


def slowly(view: Any, slow: Any) -> Summary:
    rows = LEARNING.chances(view)
    chances = {
        home: dict(zip(slow_siguo.KINDS, map(float, row), strict=True))
        for home, row in zip(slow.pieces, rows, strict=True)
    }
    return Summary(slow, view.seat, chances, (70, 2000))


@pytest.mark.parametrize("seed", [1, 2])
def test_they_are_those_of_a_slow_computation(seed: int) -> None:
    pairs = walk(seed, 23)
    rows = LEARNING.features([view for view, _ in pairs], "summary")
    assert rows.shape == (len(pairs), 130)
    for row, (view, slow) in zip(rows, pairs, strict=True):
        assert row == pytest.approx(slowly(view, slow).now(), abs=2e-5)


@pytest.mark.parametrize("seed", [3, 4])
def test_they_are_so_after_moves_too(seed: int) -> None:
    random, attacks = Random(seed), 0
    for view, slow in walk(seed, 31):
        moves, rows = LEARNING.after_moves(view, "summary")
        texts = [view.move_text(move) for move in moves]
        fights = [i for i, text in enumerate(texts) if "x" in text]
        chosen = {*random.sample(range(len(texts)), 2), *random.sample(fights, min(3, len(fights)))}
        for i in chosen:
            start, end = texts[i].replace("x", "-").split("-")
            expected = slowly(view, slow).after(start, end)
            assert rows[i] == pytest.approx(expected, abs=2e-5), texts[i]
        attacks += len(fights)
    assert attacks > 5


def test_all_seats_see_themselves_first() -> None:
    position = CORE.of_setups([SETUP] * 4, GAME.options)
    rows = LEARNING.features([position.view(seat) for seat in range(4)], "summary")
    for row in rows[1:]:
        assert np.array_equal(row, rows[0])
    assert rows[0][:12] == pytest.approx(np.ones(12))
    assert rows[0][105] == pytest.approx(0.41)  # the 41 first moves of that setup


def test_hidden_kinds_change_nothing() -> None:
    for view, _ in walk(5, 60):
        other = view.sample(7).view(view.seat)
        pairs = (LEARNING.after_moves(each, "summary-sapper")[1] for each in (view, other))
        one, two = pairs
        assert np.array_equal(one, two)


def test_all_lie_from_minus_one_to_one() -> None:
    seen: list[Rows] = [LEARNING.after_moves(view, "summary")[1] for view, _ in walk(6, 9)]
    rows = np.concatenate(seen)
    assert np.abs(rows).max() <= 1 + 1e-6
    moving = np.flatnonzero(rows.std(axis=0) == 0)
    assert set(moving) <= {
        11,
        80,
        100,
        129,
    }  # the own flag and life; the constant; no guard in reach


def test_the_last_input_tells_of_a_sapper_or_is_one() -> None:
    back = " ".join(f"{s}.F@{s}62 {s}.2@{s}61" for s in "SENW")
    view = GAME.parse(f"{back} S.1@S51 S.2@S31 turn=S").view(0)
    moves, rows = LEARNING.after_moves(view, "summary-sapper")
    last = {view.move_text(move): float(row[129]) for move, row in zip(moves, rows, strict=True)}
    assert last["S51-S11"] == 1  # round the piece in the way
    assert last["S51-S41"] == 0
    assert (LEARNING.after_moves(view, "summary")[1][:, 129] == 1).all()
