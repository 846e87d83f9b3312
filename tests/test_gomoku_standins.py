"""The stand-ins for a commercial program's levels, and the record that freezes them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import gomoku_problems
import pytest

import tempo
from tempo import ParseError, agents, arena
from tempo._core import gomoku
from tempo.agents.gomoku.standins import LEVELS, StandIn, StandInSettings, frozen, frozen_slips
from tempo.arena.statistics import wilson

ROOT = Path(__file__).resolve().parent.parent


def drawn(text: str) -> gomoku.Position:
    return gomoku.parse(text, gomoku.Options({"size": "9"}))


def steady(level: str) -> StandIn:
    """Without slips."""
    return StandIn(StandInSettings(level=level, slips=0.0))


def chosen(level: str, position: gomoku.Position) -> str:
    return position.move_text(steady(level).choose(position).move)


@pytest.mark.parametrize("level", list(LEVELS))
def test_every_level_completes_five(level: str) -> None:
    assert chosen(level, drawn("9/9/9/9/xxxx5/9/oooo5/9/9 x")) == "e5"


@pytest.mark.parametrize("level", ["dilettante", "candidate"])
def test_who_looks_a_reply_ahead_stops_a_four(level: str) -> None:
    assert chosen(level, drawn("9/9/9/9/xx2x4/9/oooo5/8x/9 x")) == "e3"


def test_all_but_the_beginner_see_fours_far_ahead() -> None:
    """Nine moves of the attacker's, where the searches alone look four moves ahead at most."""
    problem = next(p for p in gomoku_problems.read() if p.name == "fours-61")
    position = problem.position()
    for level in ("dilettante", "candidate"):
        found = steady(level).choose(position)
        assert found.values[position.turn] == 1.0
        assert len(found.line) == 2 * problem.moves - 1
    assert steady("beginner").choose(position).values[position.turn] < 1.0


def test_slips_are_drawn_from_points_close_by_and_from_the_seed() -> None:
    position = drawn("9/9/9/9/xxxx5/9/oooo5/9/9 x")
    agent = StandIn(StandInSettings(level="beginner", slips=0.5))
    moves = []
    for seed in range(60):
        agent.reset(seed)
        moves.append(agent.choose(position).move)
    right = moves.count(position.parse_move("e5"))
    assert 15 <= right <= 45
    assert len(set(moves)) > 10
    agent.reset(7)
    assert agent.choose(position).move == moves[7]


def test_settings_and_games_that_are_none_are_refused() -> None:
    with pytest.raises(
        ParseError, match="level cannot be 'master'; it takes beginner, dilettante or candidate"
    ):
        StandIn(StandInSettings(level="master"))
    with pytest.raises(ParseError, match="slips cannot be"):
        StandIn(StandInSettings(slips=1.5))
    with pytest.raises(ParseError, match="stand-in plays gomoku, not chess"):
        steady("beginner").choose(tempo.load("chess").start())


def test_the_record_says_how_each_knob_was_found() -> None:
    record = frozen()
    assert record["game"].startswith("gomoku")
    assert list(record["levels"]) == list(LEVELS)
    published = {"beginner": 0.46, "dilettante": 0.13, "candidate": 0.0}
    for level, found in record["levels"].items():
        assert found["published"] == published[level]
        assert 0 <= found["slips"] <= 1
        assert "tools/calibrate_standins.py" in found["command"]
        for trial in [*found["tried"], found["check"]]:
            assert trial["wins"] + trial["draws"] + trial["losses"] == trial["games"]
            assert trial["low"] <= trial["score"] <= trial["high"]
        assert found["check"]["slips"] == found["slips"]
        # What was measured afterwards agrees with the paper's 100 games.
        low, high = wilson(100 * published[level], 100)
        assert found["check"]["low"] <= high
        assert found["check"]["high"] >= low
        agent = agents.load(f"stand-in:level={level}")
        assert isinstance(agent, StandIn)
        assert agent.slips == frozen_slips(level) == found["slips"]


def test_frozen_means_frozen() -> None:
    """What the calibration measured must not change with the searches it is made of.

    Where this fails on purpose, calibrate anew: tools/calibrate_standins.py.
    """
    games = {}
    for level in LEVELS:
        position = gomoku.start(gomoku.Options({})).play("h8").play("g9").play("j7").play("h10")
        agent = steady(level)
        for _ in range(6):
            position = position.play(agent.choose(position).move)
        games[level] = position.text
    assert games == FROZEN_GAMES


FROZEN_GAMES = {
    "beginner": "15/15/15/15/8x6/6oo7/6o8/5o1xx6/4o4x5/3x11/15/15/15/15/15 x",
    "dilettante": "15/15/15/15/6x8/5ooo7/6o8/5xox7/6x2x5/15/15/15/15/15/15 x",
    "candidate": "15/15/15/15/15/7o7/6o1x6/4oxxx1o5/6o2x5/15/15/15/15/15/15 x",
}


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "calibrate_standins", ROOT / "tools" / "calibrate_standins.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("scores", "target", "expected"),
    [
        ((0.2, 0.4, 0.6), 0.5, 0.15),  # on the line
        ((0.2, 0.4, 0.6), 0.9, 0.2),  # beyond the knobs tried: the last of them
        ((0.2, 0.4, 0.6), 0.0, 0.0),
        ((0.6, 0.4, 0.2), 0.25, 0.2),  # the wrong way round: the nearest one
    ],
)
def test_the_knob_is_where_a_line_meets_the_score(
    scores: tuple[float, ...], target: float, expected: float
) -> None:
    tried = [{"slips": 0.1 * i, "score": score} for i, score in enumerate(scores)]
    assert tool().crossing(tried, target) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["hmcts", "uct", "adp-hmcts", "adp-uct"])
def test_players_by_playouts_are_known_by_name(name: str) -> None:
    spec = f"{name}:playouts=2"
    result = arena.match((spec, "stand-in:slips=1"), "gomoku(size=7)", games=2, seed=1)
    assert (result.a, result.b) == (spec, "stand-in:slips=1")
    assert not any(result.forfeits.values())


def test_names_that_begin_with_the_game_mean_the_same_agents() -> None:
    for level in LEVELS:
        assert agents.load(f"gomoku-{level}").name == agents.load(f"stand-in:level={level}").name
    assert agents.load("gomoku-adp").name == agents.load("critic").name
    assert agents.load("gomoku-candidate:depth=3").name == "stand-in:level=candidate,depth=3"
    assert {"gomoku-adp", "gomoku-candidate"} <= agents.names().keys()
    with pytest.raises(ParseError, match="is stand-in:level=candidate: leave out level"):
        agents.load("gomoku-candidate:level=beginner")
