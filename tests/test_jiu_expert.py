"""The expert's placements against their slow definition; layouts in bulk; whole games."""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference import jiu_shapes as slow

import tempo
from tempo import agents
from tempo._core import jiu_players
from tempo._core.jiu import Options, Position
from tempo.agents.jiu.placing import (
    PLACING,
    Boards,
    ExpertPlacer,
    Layouts,
    Placer,
    Points,
    RandomPlacer,
    both_ways,
    central,
    compare,
    ends,
    expert_weights,
    lay_out,
    pair_seeds,
    rules,
)
from tempo.agents.jiu.players import BattleAgent, JiuAgent
from tempo.errors import ParseError
from tempo.games.jiu import sgf as records
from tempo.recipes import jiu_expert_games as expert_games

SEED = 3
CENTRE = frozenset({(6, 6), (7, 7)})


def board_with(options: Options, white: str, black: str) -> Layouts:
    """A 14x14 board with these stones; the order of placing is unknown."""
    boards = np.zeros((1, 196), np.uint8)
    for number, names in ((1, white), (2, black)):
        for name in names.split():
            row, column = slow.point_of(name)
            boards[0, 14 * row + column] = number
    placed = np.full((1, np.count_nonzero(boards)), -1, np.int32)
    return Layouts(options, boards, placed, np.array([SEED], np.uint64))


def best(layouts: Layouts, weights: str = "priority") -> set[str]:
    """The points that the expert likes best."""
    scores = ExpertPlacer(weights=weights).scores(layouts, layouts.allowed())[0]
    points = np.flatnonzero(scores == scores.max())
    return {f"{chr(ord('A') + p // 14)}{p % 14 + 1}" for p in points.tolist()}


@pytest.mark.parametrize("weights", PLACING)
def test_scores_are_those_of_the_slow_reference(weights: str) -> None:
    print(f"seed {SEED}")
    rng = np.random.default_rng(SEED)
    worth = dict(zip(jiu_players.expert_features(), expert_weights(weights).tolist(), strict=True))
    away = worth.pop("distance")
    if weights != "tuned":
        written = slow.PRIORITY if weights == "priority" else slow.SCORE
        assert {name: weight for name, weight in worth.items() if weight} == written
        assert away == 0.1
    for placed in (30, 70, 120, 170):
        layouts = Layouts.start(rules(), np.array([placed], np.uint64))
        while layouts.placed < placed:
            placer: Placer = ExpertPlacer() if layouts.placed % 3 else RandomPlacer()
            layouts = layouts.place(placer.place(layouts, layouts.allowed(10)))
        stones = tuple(
            frozenset(divmod(int(p), 14) for p in np.flatnonzero(layouts.boards[0] == seat + 1))
            for seat in (0, 1)
        )
        scores = ExpertPlacer(weights=weights).scores(layouts, layouts.allowed())[0]
        empty = np.flatnonzero(layouts.boards[0] == 0)
        assert np.all(np.isneginf(scores[layouts.boards[0] != 0]))
        for point in rng.choice(empty, 12, replace=False).tolist():
            row, column = divmod(point, 14)
            found = slow.motives((stones[0], stones[1]), layouts.seat, (row, column), CENTRE)
            total = sum(worth.get(name, 0) * number for name, number in found.items())
            expected = total - away * math.hypot(row - 6.5, column - 6.5)
            assert scores[point] == pytest.approx(expected), (placed, point, found)


def test_all_motives_are_met() -> None:
    """The comparison above is worth something only if its boards have every motive."""
    layouts = lay_out(rules(), (RandomPlacer(), RandomPlacer()), both_ways(1), pair_seeds(1, 1))
    met = dict.fromkeys(jiu_players.expert_features()[:-1], 0)
    for board in layouts.boards:
        seats = [
            frozenset(divmod(int(p), 14) for p in np.flatnonzero(board == seat + 1))
            for seat in (0, 1)
        ]
        for point in [*seats[0]][:60]:
            for name, number in slow.motives(
                (seats[0] - {point}, seats[1]), 0, point, CENTRE
            ).items():
                met[name] += number
    assert all(met[name] > 0 for name in met if "dalian" not in name), met


def test_the_order_is_defend_attack_connect() -> None:
    options = rules()
    # White to place. Black threatens a square at C4; White could make a triangle elsewhere.
    assert best(board_with(options, "G7 L3 L4 A14", "H8 C3 B3 B4")) == {"C4"}
    # Two of the three points that wait around H8: Black would have a gate when the battle begins.
    assert best(board_with(options, "G7 L3 L4", "H8 I7 I8")) == {"H7"}
    # Nothing to stop: the triangle nearest to the middle.
    assert best(board_with(options, "G7 E5 E6 A1", "H8 A14 N1 N14")) == {"F6"}
    # Nothing to make either: a pair beats two diagonals; of pairs, the one nearest to the middle.
    assert best(board_with(options, "G7 C3", "H8 N14")) == {"C4", "D3"}


def test_a_dalian_around_a_centre_point_comes_first_of_all_attacks() -> None:
    # Around G7: F7 F8 G8 wait, the square of vital G6 lacks H5.
    stones = "F7 F8 G8 G5 G6 H6 C3 C4 C5"
    layouts = board_with(rules(), "H8 " + stones, "G7 A1 A3 A5 A7 A9 A11 A13 N1 N3")
    assert best(layouts) == {"H5"}


def test_the_first_two_stones_go_to_the_marked_diagonal() -> None:
    for spec in ("jiu", "jiu(diagonal=anti)", "jiu(size=8,first_placer=black)"):
        options = rules(spec)
        boards, order = jiu_players.expert_fill(
            options, Layouts.start(options, pair_seeds(4, 1)).boards, pair_seeds(4, 1)
        )
        marked = set(np.flatnonzero(ends(options)).tolist())
        assert all(set(first) == marked for first in order[:, :2].tolist())
        assert np.all(boards > 0)
        start = tempo.load(spec).start()
        points = boards.shape[1]
        for point in order[0]:
            start = start.play(points * points + 8 * points + int(point))
        assert start == jiu_players.battles(options, boards[:1])[0]


def test_layouts_fill_the_centre_by_the_placers_and_depend_on_the_seeds_alone() -> None:
    class Recorder:
        def __init__(self) -> None:
            self.asked: list[tuple[int, int]] = []

        def place(self, games: Layouts, allowed: Boards) -> Points:
            self.asked.append((games.placed, len(games.boards)))
            assert games.placed < 2 or not np.any(allowed[:, ~central(14, 6)])
            return RandomPlacer().place(games, allowed)

    recorder = Recorder()
    seeds = pair_seeds(3, SEED)
    mixed = np.array([[0, 1], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]])
    layouts = lay_out(rules(), (ExpertPlacer(), recorder), mixed, seeds)
    assert recorder.asked == [(t, 3 if t % 2 == 0 else 4) for t in range(36)]
    assert np.array_equal(np.sort(layouts.placements, axis=1), np.tile(np.arange(196), (6, 1)))
    assert np.all(central(14, 6)[layouts.placements[:, :36]])
    alone = lay_out(rules(), (ExpertPlacer(), RandomPlacer()), mixed[2:4], seeds[2:4], threads=2)
    np.testing.assert_array_equal(alone.placements, layouts.placements[2:4])


def test_a_pair_swaps_seats_over_the_same_seed() -> None:
    scores = compare(rules(), (ExpertPlacer(), ExpertPlacer()), 10, SEED, threads=2)
    assert scores.shape == (10, 2)
    np.testing.assert_allclose(scores.sum(1), 1)  # the same game twice, seen from either side


def test_the_expert_beats_a_random_placer() -> None:
    """0.99 over 600 games on all points."""
    scores = compare(rules(), (ExpertPlacer(), RandomPlacer()), 50, SEED, area=0, threads=2)
    assert scores.mean() > 0.95


def test_tuned_weights_beat_priorities() -> None:
    """0.725 ± 0.020 over 2,000 games from random beginnings."""
    tuned = ExpertPlacer(weights="tuned")
    scores = compare(rules(), (tuned, ExpertPlacer()), 40, SEED, "search:30", area=0, threads=2)
    assert scores.mean() > 0.6


def test_weights_that_cannot_be() -> None:
    boards = np.zeros((1, 196), np.uint8)
    with pytest.raises(ParseError, match="weights has 3 entries; the expert has 12"):
        jiu_players.expert_fill(rules(), boards, np.zeros(1, np.uint64), np.zeros(3))
    with pytest.raises(ParseError, match="weights"):
        jiu_players.expert_fill(rules(), boards, np.zeros(1, np.uint64), np.full(12, np.nan))
    with pytest.raises(ParseError, match="by priority or by score, not by 'luck'"):
        jiu_players.expert_weights("luck")


def test_stones_on_stones_are_refused() -> None:
    layouts = Layouts.start(rules(), np.zeros(2, np.uint64)).place(np.array([90, 90], np.int32))
    with pytest.raises(ParseError, match="game 1: point 90 is not empty"):
        layouts.place(np.array([105, 90], np.int32))


def test_uneven_boards_are_refused() -> None:
    boards = Layouts.start(rules(), np.zeros(2, np.uint64)).boards
    boards[1, 5] = 1
    with pytest.raises(ParseError, match="board 1 has another number of stones than board 0"):
        jiu_players.expert_fill(rules(), boards, np.zeros(2, np.uint64))


def test_records_of_the_expert_are_sound() -> None:
    games = expert_games.play(2, SEED)
    written = records.write(games.records())
    again = records.read_all(written)
    for record, order, scores in zip(again, games.placements, games.scores, strict=True):
        np.testing.assert_array_equal(expert_games.placements_of(record), order)
        outcome = record.last().outcome
        assert outcome is not None
        assert outcome.scores == tuple(scores)
        assert expert_games.winners(record) == (scores[0] > 0, scores[1] > 0)


# ---- agents --------------------------------------------------------------------------------------


def play_out(white: agents.Agent, black: agents.Agent, spec: str = "jiu(size=8)") -> Position:
    position = tempo.load(spec).start()
    white.reset(1)
    black.reset(2)
    while not position.is_over:
        choice = (white, black)[position.turn].choose(position)
        assert choice.line[0] == choice.move
        position = position.play(choice.move)
    assert isinstance(position, Position)
    return position


@pytest.mark.parametrize("spec", ["jiu-expert", "jiu-bayes", "jiu-bayes:area=0,temperature=1"])
def test_agents_play_whole_games(spec: str) -> None:
    end = play_out(agents.load(spec), agents.load("random"))
    assert end.outcome is not None
    assert end.text == play_out(agents.load(spec), agents.load("random")).text


def test_an_agent_places_as_its_placer_does_in_bulk() -> None:
    agent = agents.load("jiu-bayes")
    assert isinstance(agent, JiuAgent)
    agent.reset(SEED)
    other = RandomPlacer()
    position = tempo.load("jiu").start()
    layouts = Layouts.start(rules(), np.array([SEED], np.uint64))
    while layouts.placed < 36:
        allowed = layouts.allowed(6)
        if layouts.seat == 0:
            point = agent.placer.place(layouts, allowed)
            assert agent.choose(position).move == 196 * 196 + 8 * 196 + point[0]
        else:
            point = other.place(layouts, allowed)
        position = position.play(196 * 196 + 8 * 196 + int(point[0]))
        layouts = layouts.place(point)


def test_an_agent_knows_the_order_of_what_it_has_watched() -> None:
    class Watcher:
        seen: Points = np.zeros((1, 0), np.int32)

        def place(self, games: Layouts, allowed: Boards) -> Points:
            self.seen = games.placements
            return RandomPlacer().place(games, allowed)

    watcher = Watcher()
    agent = JiuAgent("watcher", watcher, BattleAgent())
    position = tempo.load("jiu").start().play("G7")
    position = position.play(agent.choose(position).move).play("F6")
    agent.choose(position)
    assert watcher.seen.tolist() == [[90, 105, 75]]
    # Thrown into a game that it has not watched, it knows the stones but not their order.
    stranger = tempo.load("jiu").start().play("H8").play("G7").play("A1")
    agent.choose(stranger)
    assert watcher.seen.tolist() == [[-1, -1, -1]]
    agent.reset(1)
    agent.choose(tempo.load("jiu").start())
    assert watcher.seen.tolist() == [[]]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("jiu-expert:weights=size", "cannot be 'size'; it takes priority, score or tuned"),
        ("jiu-expert:battle=none", "battle cannot be 'none'; it takes paper"),
        ("jiu-bayes:tables=nowhere", "there are no tables 'nowhere'"),
        ("jiu-bayes:depth=3", "has no setting 'depth'; it has tables"),
    ],
)
def test_wrong_settings_are_refused(spec: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        agents.load(spec)


def test_other_games_are_refused() -> None:
    with pytest.raises(ParseError, match="jiu-expert plays jiu, not gomoku"):
        agents.load("jiu-expert").choose(tempo.load("gomoku").start())
