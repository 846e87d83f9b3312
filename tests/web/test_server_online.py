"""`tempo play --learn`: a run learns from the games that it plays at the tables."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from web_tables import SETUP, Clock, opened, token

from tempo import games, recipes
from tempo._core import siguo, siguo_learning
from tempo.errors import TempoError
from tempo.nets.tanh import TanhNetwork
from tempo.recipes.online import Move, OnlineRun
from tempo.runs import Run
from tempo.web import events
from tempo.web.events import SeatPlan
from tempo.web.hall import Hall
from tempo.web.limits import Limits
from tempo.web.online import OnlineLearner
from tempo.web.opening import digest
from tempo.web.store import Store
from tempo.web.thinking import Thinkers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of truncated TD after ten games on-line."""
    recipe = {**recipes.read("siguo-ttd-online"), "games": 10, "report": 5}
    out = tmp_path / "runs" / "pupil"
    recipes.train(recipe, seed=3, out=out)
    return out


def network(folder: Path) -> TanhNetwork:
    return TanhNetwork.of_arrays(Run.open(folder).trained().arrays, "the run")


def played(count: int, seats: Sequence[int]) -> list[Move]:
    """Own moves of these seats in random play."""
    random, position = Random(5), games.load("siguo").start(3)
    found: list[Move] = []
    while len(found) < count:
        view = position.view(position.turn)
        move = random.choice(list(position.legal_moves))
        if position.turn in seats:
            found.append((view, getattr(move, "move", move)))
        position = position.play(move)
    return found


def value(net: TanhNetwork, move: Move) -> float:
    view, made = move
    assert isinstance(view, siguo.View)
    legal, after = siguo_learning.after_moves(view, "summary")
    return float(net.values(after)[int(np.flatnonzero(legal == made)[0])])


@pytest.mark.parametrize("won", [True, False])
def test_a_game_moves_the_values_of_its_moves_towards_its_end(folder: Path, won: bool) -> None:
    moves = played(40, (0, 2))
    score = 1.0 if won else -1.0
    before = [value(network(folder), move) for move in moves[-2:]]
    learning = OnlineRun(folder)
    row = learning.learn(moves, (score, -score, score, -score))
    learning.close()
    after = [value(network(folder), move) for move in moves[-2:]]
    risen = [b - a for a, b in zip(before, after, strict=True)]
    assert all(change > 0.01 if won else change < -0.01 for change in risen), risen
    assert (row["games"], row["moves"], row["won"]) == (11, 40.0, float(won))
    assert Run.open(folder).ledger().games == 11
    assert Run.open(folder).rows()[-1]["games"] == 11


def test_a_run_that_learns_is_trained_by_nobody_else(folder: Path) -> None:
    learning = OnlineRun(folder)
    with pytest.raises(TempoError, match="another process trains"):
        OnlineRun(folder)
    learning.close()
    OnlineRun(folder).close()


def test_runs_of_other_learners_are_refused(tmp_path: Path) -> None:
    recipe = {**recipes.read("jiu-sarsa"), "games": 1000}
    recipes.train(recipe, seed=1, out=tmp_path / "table")
    with pytest.raises(TempoError, match="does not learn from games played with others"):
        OnlineRun(tmp_path / "table")


class Evening:
    """A table of two persons and the run twice, in a hall whose agents are moved by hand."""

    def __init__(self, folder: Path) -> None:
        self.online = OnlineLearner(folder)
        self.thinkers = Thinkers(1)
        self.hall = Hall(
            Store(":memory:"), self.thinkers, Limits(), Clock(), ended=self.online.ended
        )
        made: Any = opened("siguo(first=S)", ["person"] * 4)
        seats = tuple(
            SeatPlan("agent", agent="runs/pupil") if seat % 2 else
            SeatPlan("person", digest=digest(token(seat)))
            for seat in range(4)
        )  # fmt: skip
        self.table = self.hall.open("t", events.Opened(0.0, made.game, "", "", seats, None, 1,
                                                       digest(token(0))))  # fmt: skip

    def play(self, plies: int) -> None:
        random = Random(1)
        for seat in (0, 2):
            if self.table.phase == "deploy":
                self.hall.record("t", self.table, events.Deployed(0.0, seat, SETUP))
        self.hall._deal("t", self.table)
        while self.table.ply < plies:
            move = random.choice(list(self.table.position.legal_moves))
            turn = self.table.turn
            assert turn is not None
            self.hall.record("t", self.table, events.Moved(0.0, turn, int(move)))

    def give_up(self, seats: Sequence[int]) -> None:
        for seat in seats:
            self.hall.record("t", self.table, events.Resigned(0.0, seat))


def test_the_run_learns_from_a_game_at_a_table_and_once(folder: Path) -> None:
    async def evening() -> None:
        one = Evening(folder)
        one.play(24)
        assert Run.open(folder).trained().step == 2  # nothing before the end
        one.give_up((0, 2))
        assert one.table.phase == "over"
        own = one.online.moves(one.table)
        assert [move for _, move in own] == [
            ply.move for ply in one.table.plies if ply.seat % 2 and ply.move is not None
        ]
        one.online.ended("t", one.table)  # the same round again
        one.hall.players.close()
        await one.online.close()
        await one.thinkers.close()

    asyncio.run(evening())
    rows = Run.open(folder).rows()
    assert [row["games"] for row in rows] == [5, 10, 11]
    assert rows[-1]["won"] == 1.0
    assert Run.open(folder).trained().step == 3


def test_games_of_others_teach_nothing(folder: Path) -> None:
    async def evening() -> None:
        one = Evening(folder)
        one.online.agent = "runs/another"
        one.play(8)
        one.give_up((0, 2))
        one.hall.players.close()
        await one.online.close()
        await one.thinkers.close()

    asyncio.run(evening())
    assert Run.open(folder).trained().step == 2
