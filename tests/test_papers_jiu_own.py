"""The second reading of the Jiu paper: who places, its network, its jobs, and its claims."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tempo import recipes, texts
from tempo._core.jiu_preparation import Preparation
from tempo.agents.jiu.placing import (
    BayesPlacer,
    ExpertPlacer,
    Layouts,
    RandomPlacer,
    both_ways,
    central,
    lay_out,
    pair_seeds,
    rules,
)
from tempo.errors import ParseError
from tempo.games.jiu.library import EMPTY_BOARD, Library, Node
from tempo.papers.jiu import own, own_tables
from tempo.papers.jiu.matches import Wavering
from tempo.papers.jiu.training import RULES, Arm
from tempo.papers.verdicts import WORDS

G7, H8, G8, H7, A1 = 6 * 14 + 6, 7 * 14 + 7, 6 * 14 + 7, 7 * 14 + 6, 0


# The library


def small_library() -> Library:
    """White has tried H7 after G8 was Black's, and G8 and H7 after another stone of Black's."""
    nodes = [EMPTY_BOARD, Node(0, G7, 60, 1.0), Node(1, H8, 60, 1.0),
             Node(2, G8, 30, 5.0), Node(3, H7, 30, 2.0), Node(4, G8 + 1, 10, 6.0),
             Node(2, H7, 10, 1.0), Node(6, A1, 10, 1.0), Node(7, G8 + 1, 30, 2.0)]  # fmt: skip
    return Library("jiu", nodes)


def test_own_stones_are_known_whatever_the_other_side_has_placed() -> None:
    library = small_library()
    assert library.best([G7, A1], "sequence") is None
    assert library.best([G7, A1], "own") == G8
    assert library.best([G7, G8], "own") == H7  # its best is taken
    assert library.best([G7, H8, A1 + 1], "own") == H7  # of Black's two tries the one worth more
    assert library.best([G7, A1, G8], "own") is None  # Black has never begun on A1
    assert library.best([G7, A1, G8 + 5, H8], "own") is None  # White's second stone is unknown


def test_values_of_the_same_own_stones_are_averaged_by_visits() -> None:
    nodes = [EMPTY_BOARD, Node(0, G7, 40, 1.0), Node(1, H8, 30, 1.0), Node(2, G8, 30, 4.0),
             Node(1, H7, 10, 1.0), Node(4, G8, 10, 8.0)]  # fmt: skip
    known = Library("jiu", nodes).known([G7, A1], "own")
    assert [(node.point, node.visits, node.value) for node in known] == [(G8, 40, 5.0)]


# The network


def test_the_records_are_whole_games_and_a_layout() -> None:
    games, layout = own.records()
    assert games.shape == (3, 196)
    assert all(sorted(game) == list(range(196)) for game in games.tolist())
    assert (games[:, :2] == [G7, H8]).all()
    assert np.flatnonzero(layout == 0).tolist() == [G7, H8]
    assert own.one_colour(layout[None]) == pytest.approx(0.0888, abs=1e-4)


def test_orders_lead_to_the_layout_with_one_stone_of_another_owner() -> None:
    _, layout = own.records()
    for order in own.orders(layout):
        board = np.zeros(196, np.uint8)
        board[order] = np.arange(196) % 2 + 1
        assert sorted(order.tolist()) == list(range(196))
        off = np.flatnonzero((board != layout) & (layout > 0))
        assert len(off) == 1
        assert layout[off[0]] == 1


def test_the_network_fills_boards_as_people_do() -> None:
    seeds = pair_seeds(20, 1)
    placer = own.taking_over()
    assert isinstance(placer, BayesPlacer)
    filled = lay_out(rules(), (placer, placer), both_ways(20), seeds, area=0)
    low, high = own.ONE_COLOUR
    assert low <= own.one_colour(filled.boards) <= high


def test_unit_cells_of_one_colour_by_hand() -> None:
    board = np.zeros((14, 14), np.uint8)
    board[:2, :3] = 1
    board[5:7, 5:7] = [[2, 2], [2, 1]]
    assert own.one_colour(board.reshape(1, -1)) == pytest.approx(2 / 169)


# Who places


def test_central_stones_are_as_many_as_said() -> None:
    seeds = pair_seeds(30, 2)
    inside = central(14, 6)
    placer = own.Centrally(RandomPlacer(), Corner(), 2.5)
    sides = (Wavering(placer, 0.0), Wavering(Corner(), 0.0))
    games = lay_out(rules(), sides, both_ways(30), seeds, area=0)
    as_white = games.placements[::2, 2:60:2]
    placed = inside[as_white].sum(axis=1)
    assert set(placed) == {2, 3}
    assert inside[games.placements[::2, 3:60:2]].sum() == 0
    assert placed.mean() == pytest.approx(2.5, abs=0.3)


class Corner:
    """Places on the first allowed point."""

    def place(self, games: Layouts, allowed: Any) -> Any:
        assert len(allowed) == len(games.boards)
        return np.argmax(allowed, axis=1).astype(np.int32)


def test_no_library_is_even_with_the_network() -> None:
    row, _ = own.meet(own.taking_over(), 6, 1, "paper")
    assert row["score"] == 0.5
    row, _ = own.meet(ExpertPlacer(), 6, 1, "paper")
    assert row["distinct_layouts"] == 12


def test_ideal_centres_are_whole_and_the_best_of_those_tried() -> None:
    boards = own.ideal_centres(3, 50, 1)
    inside = central(14, 6)
    assert (np.count_nonzero(boards, axis=1) == 36).all()
    assert (boards[:, inside] > 0).all()
    assert (boards == own.ideal_centres(3, 50, 1)).all()
    # White has a point that pays 10^5 in each of them: the most that a place can lead by.
    assert ((boards[:, G8] == 1) & (boards[:, H7] == 1)).all()


def test_a_recipe_says_what_unfilled_points_are_taken_for() -> None:
    recipe = {"learner": "tabular", "rule": "sarsa", "games": 1000, "report": 1000}
    seen = []
    for unfilled in ("wall", "empty"):
        learner = recipes.make_learner({**recipe, "unfilled": unfilled}, 1)
        seen.append(learner.iterate()["reward"])
    assert seen[0] != seen[1]
    with pytest.raises((ParseError, ValueError), match="heart"):
        recipes.make_learner({**recipe, "unfilled": "heart"}, 1)
    with pytest.raises(ParseError, match="unfilled"):
        recipes.make_learner({**recipe, "unfilled": 3}, 1)
    assert Preparation(1, unfilled="empty").games == 1


# Jobs and the report


def test_seeds_and_what_is_played() -> None:
    wanted = own.trainings(5, quick=False)
    assert len({job.name for job in wanted}) == len(wanted)
    seeds = {job.seed for job in wanted if isinstance(job, own.OwnTraining)}
    assert seeds == set(range(301, 306))


def test_a_quick_run_is_reported(tmp_path: Path) -> None:
    rows = [job.carry_out(tmp_path) for stage in own.stages(1, quick=True) for job in stage.jobs]
    again = [job.carry_out(tmp_path) for stage in own.stages(1, quick=True) for job in stage.jobs]
    assert rows == again
    results = {"own": own.collect(rows), "scale": own.QUICK_GAMES}
    for rule in RULES:
        for battle in own.BATTLES:
            found = {
                player: own_tables.matches_of(results, Arm(rule), own.LAST, battle, player)
                for player in (own_tables.LIBRARY, "library by sequence", *own.MATCHED)
            }
            assert all(set(tests) == {301} for tests in found.values())
            assert found[own_tables.LIBRARY][301]["known"] > 1
    made = own_tables.claims(results)
    assert made
    assert not any(row["counted"] for row in made)
    slopes = [row for row in made if "slope" in row["claim"]]  # over three trainings of three ε
    assert {row["verdict"] for row in made if row not in slopes} == {"untestable"}
    text = "\n\n".join(own_tables.sections(results, {"rows": made}))
    assert "Ideal centres score" in text
    assert "random everywhere" in text


def made_up(score: Any, ideal: float) -> dict[str, Any]:
    """Five trainings of each kind that score as is said."""
    noise = np.random.default_rng(1)
    runs = []
    for job in own.trainings(5, quick=False):
        assert isinstance(job, own.OwnTraining)
        tests = []
        for games, pairs in job.points:
            players = [*(f"library by {by}" for by in job.ways), *job.controls]
            for battle in own.BATTLES:
                for player in players:
                    value = score(player, battle) + float(noise.normal(0, 0.004))
                    tests.append({"games": games, "battle": battle, "player": player,
                                  "score": value, "pairs": [0, 0, pairs, 0, 0], "known": 4.0,
                                  "one_colour": 0.1})  # fmt: skip
        runs.append({"player": job.arm.player, "greedy": job.arm.greedy,
                     "unfilled": job.arm.unfilled, "seed": job.seed, "tests": tests})  # fmt: skip
    checks = [{"ideal": battle, "score": ideal if battle == "paper" else 0.8,
               "centres": 50, "games": 20}
              for battle in own.BATTLES]  # fmt: skip
    return {"own": {"runs": runs, "checks": checks}, "scale": 1}


def test_what_learning_adds_is_the_library_less_its_control() -> None:
    def score(player: str, battle: str) -> float:
        return 0.66 if player.startswith("library") else 0.55

    rows = {row["claim"]: row for row in own_tables.claims(made_up(score, ideal=0.7))}
    assert {row["verdict"] for row in rows.values()} <= set(WORDS)
    added = rows["What the learning adds: Sarsa less as many random stones (own stones, paper)"]
    assert added["verdict"] == "reproduced"
    assert added["ours"] == pytest.approx(0.11, abs=0.01)
    rises = rows["Figure 3: Sarsa rises from the first to the last point (own stones, paper)"]
    assert rises["verdict"] == "undecided"


def test_its_claims_and_reasons_are_said_in_chinese() -> None:
    rows = own_tables.claims(made_up(lambda _player, _battle: 0.66, ideal=0.55))
    with texts.speaking("zh"):
        said = [texts.translated(row["claim"], "claims") for row in rows]
        reasons = [texts.translated(row["reason"]) for row in rows]
    names = re.compile("Sarsa|ε_greedy|search:100")
    assert [one for one in said if re.search(r"[a-z]{2,}", names.sub("", one))] == []
    assert [one for one in reasons if re.search(r"[a-z]{3,}", one)] == []
    assert len({*said}) == len(rows)


def test_an_engine_in_whose_hands_ideal_centres_fail_shows_nothing() -> None:
    rows = own_tables.claims(made_up(lambda _player, _battle: 0.66, ideal=0.55))
    by_battle = {b: {r["verdict"] for r in rows if r["battle"] == b} for b in own.BATTLES}
    assert by_battle["paper"] == {"untestable"}
    assert "reproduced" in by_battle["search:100"]
    assert not any("p_holm" in row or "effect" in row for row in rows if row["battle"] == "paper")
    tested = [row for row in rows if "p_holm" in row]
    assert len(tested) == 8
    least = min(tested, key=lambda row: row["p"])
    assert least["p_holm"] == pytest.approx(min(1, 8 * least["p"]), abs=1e-4)


def test_every_library_has_both_controls_at_every_point() -> None:
    for job in own.trainings(1, quick=False):
        assert isinstance(job, own.OwnTraining)
        assert job.controls == (own.MATCHED if job.ways else own.STANDING)
