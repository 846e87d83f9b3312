"""jiu-strong: what it places, how it fights, and that it says so deterministically."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import agents, weights
from tempo._core import jiu, jiu_players
from tempo.agents.base import Choice
from tempo.agents.jiu.placing import ExpertPlacer, Layouts
from tempo.agents.jiu.strong import RolloutPlacer

FAST = "jiu-strong:time=0,nodes=300,candidates=4,fills=1"


def layouts(text: str) -> Layouts:
    position = jiu.parse(text, jiu.Options({"size": "6"}))
    boards = jiu_players.boards_of([position])
    stones = int(np.count_nonzero(boards))
    options = jiu.Options({"size": "6"})
    return Layouts(options, boards, np.full((1, stones), -1, np.int32), np.array([7], np.uint64))


def played(white: str, black: str, seed: int, spec: str = "jiu(size=6)") -> Any:
    seats = [agents.load(white), agents.load(black)]
    for seat in seats:
        seat.reset(seed)
    position = tempo.load(spec).start()
    while not position.is_over:
        position = position.play(seats[position.turn].choose(position).move)
    return position


def test_same_seed_same_game() -> None:
    assert played(FAST, "jiu-expert", 5) == played(FAST, "jiu-expert", 5)


def test_places_where_the_filled_boards_are_best() -> None:
    """With one point of difference left the best board can be found by trying both."""
    games = layouts("xoxoxo/oxoxox/xxooxo/ooxx2/xoxoxo/oxoxox o prep")
    allowed = games.allowed(0)
    open_points = np.flatnonzero(allowed[0])
    assert len(open_points) == 2
    judge = jiu.AlphaBeta(
        jiu.Evaluator.linear(weights.terms("jiu")),
        tempo._core.AlphaBetaSettings(positions=100, reduce=True, table_bytes=1 << 16),
    )
    values = []
    for point in open_points:
        boards = games.boards.copy()
        boards[0, point] = games.seat + 1
        full, _ = jiu_players.expert_fill(games.options, boards, games.seeds)
        battle = jiu_players.battles(games.options, full)[0]
        values.append(judge.search(battle).scores[games.seat])
    placed = RolloutPlacer(candidates=2, fills=1).place(games, allowed)[0]
    assert placed == open_points[int(np.argmax(values))]


def test_one_candidate_is_the_expert() -> None:
    games = Layouts.start(jiu.Options({}), np.arange(3, dtype=np.uint64))
    allowed = games.allowed(0)
    one = RolloutPlacer(candidates=1).place(games, allowed)
    assert list(one) == list(ExpertPlacer().place(games, allowed))


def test_beats_random_and_the_paper_on_a_small_board() -> None:
    for other in ("random", "jiu-expert"):
        scores = [played(FAST, other, seed).outcome.scores[0] for seed in range(4)]
        scores += [played(other, FAST, seed).outcome.scores[1] for seed in range(4)]
        assert sum(scores) >= 4, (other, scores)


def test_a_turn_is_searched_once() -> None:
    agent = agents.load("alphabeta:nodes=2000,eval=learned,reduce=yes")
    agent.reset(1)
    position = jiu.start(jiu.Options({"size": "8"}))
    random = np.random.default_rng(2)
    while not position.is_battle:
        moves = position.legal_moves
        position = position.play(moves[int(random.integers(len(moves)))])
    free = 0
    for _ in range(60):
        if position.is_over:
            break
        choice = agent.choose(position)
        if position.in_turn:
            free += choice.cost.positions == 0
        position = position.play(choice.move)
    assert free > 0


def test_shipped_weights_name_their_origin() -> None:
    folder = resources.files("tempo.weights") / "jiu"
    about = json.loads((folder / "terms.json").read_text())
    assert about["command"].startswith("tempo train jiu-terms")
    assert about["ledger"]["games"] > 0
    assert len(weights.terms("jiu")) == len(jiu.term_names)


def test_games_without_learnt_terms_say_so() -> None:
    with pytest.raises(tempo.ParseError, match="no learned evaluation of chess"):
        agents.load("alphabeta:eval=learned").choose(tempo.load("chess").start())


def test_it_tells_how_deep_it_looks_while_it_fights() -> None:
    text = "xoooxx/xxxoox/xo1ooo/xxx1xo/oxxooo/ooxxox x battle 0 0"
    battle = tempo.load("jiu(size=6)").parse(text)
    told: list[Choice] = []
    agent: Any = agents.load("jiu-strong:time=0.5")
    agent.watch(told.append)
    chosen = agent.choose(battle)
    depths = [one.depth for one in told]
    assert 0 < depths[0] < depths[-1] <= chosen.depth
    assert all(len(one.values) == 2 for one in told)
    expert: Any = agents.load("jiu-expert")  # whose engine has nothing to tell
    expert.watch(told.append)
    assert expert.choose(battle).depth == 0
    assert len(told) == len(depths)
