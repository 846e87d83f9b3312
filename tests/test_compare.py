"""Comparisons of learners: what is trained and played, resuming, ratings, the report."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import tempo
from tempo import _core, agents, arena, games, recipes
from tempo.arena import bulk
from tempo.arena.bulk import Player
from tempo.arena.ratings import Rating
from tempo.arena.statistics import Pairs
from tempo.cli import app
from tempo.cluster.workers import InTurn
from tempo.compare import contest, matrix, report
from tempo.compare.plan import Plan, openings, place, place_text, played, player_of
from tempo.compare.standings import controls, over_seeds, score, standings
from tempo.errors import ParseError
from tempo.games.description import Small
from tempo.learners.registry import kind, kinds
from tempo.learners.self_play import SelfPlay
from tempo.nets.stored import approximator_of
from tempo.recipes import general
from tempo.runs import Run

SHORT = (("iterations", 2), ("games", 4), ("hidden", (8,)))


def small_plan(**changes: Any) -> Plan:
    given: dict[str, Any] = {
        "learners": ("td", "td_leaf"), "places": (place("gomoku(size=5)"),), "budget": 1000,
        "seeds": 2, "games": 4, "shares": (0.0, 0.5, 1.0), "settings": SHORT,
    }  # fmt: skip
    return Plan(**{**given, **changes})


def compared(out: Path, **changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = contest.compare(
        small_plan(**changes), out, workers=InTurn(), command="tempo compare"
    )
    return found


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A whole comparison in small."""
    return compared(tmp_path_factory.mktemp("whole"))


def without_times(rows: Any) -> Any:
    """Rows as they are however fast the machine is."""
    if isinstance(rows, list):
        return [without_times(row) for row in rows]
    if not isinstance(rows, dict):
        return rows
    timed = ("cpu_seconds", "wall_seconds", "peak_memory", "machines")
    return {name: without_times(value) for name, value in rows.items() if name not in timed}


# ---- games and players ---------------------------------------------------------------------------


def test_a_place_is_a_game_and_where_it_starts() -> None:
    for text in ("gomoku(size=9)", "chess:KRK", "othello"):
        assert place_text(place(text)) == text
    assert place("chess:KBNK") == Small("chess", "KBNK")
    for text in ("chess:", "chess:XYZ", "othello:KRK", "draughts"):
        with pytest.raises(ParseError):
            place(text)


def short_run(out: Path, learner: str, spec: str, **given: Any) -> Run:
    short = {"games": 2, "iterations": 1, "longest": 8, "opening": 1, "hidden": (8,), **given}
    recipe = general.recipe_of(learner, spec, short)
    return recipes.train(recipe, seed=3, out=out, checkpoint_seconds=0)


def test_a_run_plays_in_bulk_as_it_does_alone(tmp_path: Path) -> None:
    game = tempo.load("minishogi")
    run = short_run(tmp_path / "run", "td_leaf", game.spec, depth=2)
    found = arena.openings.generate(game, 3, seed=5, plies=6)
    single = arena.match((str(run.folder), "alphabeta:depth=1"), game, games=6, openings=found)
    sides = player_of(run, game), Player(game.core.Evaluator.static(), 1)
    assert bulk.match(game, *sides, [opening.position(game) for opening in found]) == single.pairs


def test_an_untaught_network_follows_few_captures(tmp_path: Path) -> None:
    game = tempo.load("shogi")
    run = short_run(tmp_path / "run", "td", game.spec)
    position, random = game.start(), Random(1)
    for _ in range(60):
        position = position.play(random.choice(position.legal_moves))
    few = agents.load(str(run.folder)).choose(position).cost.positions
    settings = _core.AlphaBetaSettings(depth=1, positions=20 * few)
    evaluator = approximator_of(run, game).evaluator()
    assert game.core.AlphaBeta(evaluator, settings).search(position).positions > 10 * few


@pytest.mark.parametrize(
    ("spec", "a", "b"),
    [
        ("gomoku(size=6)", 2, 1),
        ("othello(size=6)", 3, 1),
        ("minishogi", 1, 2),
        ("chess", 1, 2),
    ],
)
def test_a_match_in_bulk_is_that_of_agents(spec: str, a: int, b: int) -> None:
    game = tempo.load(spec)
    found = arena.openings.generate(game, 3, seed=5, plies=6)
    names = [f"alphabeta:depth={depth}" for depth in (a, b)]
    single = arena.match((names[0], names[1]), game, games=6, openings=found)
    sides = [Player(game.core.Evaluator.static(), depth) for depth in (a, b)]
    starts = [opening.position(game) for opening in found]
    assert bulk.match(game, sides[0], sides[1], starts) == single.pairs
    assert bulk.match(game, sides[1], sides[0], starts, threads=2) == single.pairs.swapped()


def test_random_players_are_even_and_seeds_count() -> None:
    game = tempo.load("othello(size=4)")
    pairs = bulk.match(game, Player(), Player(), [game.start()] * 300, seed=4)
    assert pairs.number == 300
    assert pairs.mean == pytest.approx(0.5, abs=0.06)
    assert pairs == bulk.match(game, Player(), Player(), [game.start()] * 300, seed=4)
    assert pairs != bulk.match(game, Player(), Player(), [game.start()] * 300, seed=5)


def test_partners_of_a_game_of_four_play_for_one_side() -> None:
    game = tempo.load("siguo")
    starts = openings(Small("siguo"), 2)
    strong = Player(game.core.Evaluator.static(), 1)
    assert bulk.match(game, strong, Player(), starts).mean > 0.5


def test_games_that_are_too_long_are_drawn() -> None:
    game = tempo.load("othello(size=6)")
    assert bulk.match(game, Player(), Player(), [game.start()] * 4, longest=5).one == 4


def test_openings_are_the_same_for_all() -> None:
    ending, usual = openings(Small("chess", "KRK"), 5), openings(Small("othello(size=6)"), 5)
    assert len({p.key for p in ending}) == len({p.key for p in usual}) == 5
    assert [p.key for p in ending] == [
        p.key for p in openings.__wrapped__(Small("chess", "KRK"), 5)
    ]


def test_a_match_that_takes_too_long_is_short() -> None:
    small = Small("gomoku(size=5)")
    sides = (Player(), Player())
    assert played(small, sides, 40, 0.0, seed=1).number == 2
    assert played(small, sides, 40, 1e9, seed=1).number == 20


def test_a_match_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    small, sides, match = Small("gomoku(size=5)"), (Player(), Player()), bulk.match
    begun, seen_keys = played(small, sides, 40, 0.0, seed=1), list[int]()

    def seen(game: Any, a: Player, b: Player, part: Any, **named: Any) -> Any:
        seen_keys.extend(position.key for position in part)
        return match(game, a, b, part, **named)

    monkeypatch.setattr(bulk, "match", seen)
    whole = played(small, sides, 40, 1e9, seed=1, begun=begun)
    assert all(after >= before for after, before in zip(whole, begun, strict=True))
    assert seen_keys == [position.key for position in openings(small, 20)[2:]]


def test_no_portion_of_a_match_takes_longer_than_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0

    def slow(game: Any, a: Player, b: Player, part: Any, **named: Any) -> Pairs:
        nonlocal clock
        clock += 3 * len(part)
        return Pairs(one=len(part))

    monkeypatch.setattr(bulk, "match", slow)
    monkeypatch.setattr(time, "process_time", lambda: clock)
    small, sides = Small("gomoku(size=5)"), (Player(), Player())
    assert [played(small, sides, 80, s, seed=1).number for s in (0, 6, 8, 9, 20, 100)] == [
        2, 2, 2, 3, 6, 33,
    ]  # fmt: skip


# ---- plan and resuming ---------------------------------------------------------------------------


def test_every_learner_meets_every_rung_and_every_other(results: dict[str, Any]) -> None:
    made = small_plan()
    names = [job.name for stage in made.stages() for job in stage.jobs]
    assert len(set(names)) == len(names) == 4 + 3 + 2
    assert len(results["trainings"]) == results["trainings_planned"] == 4
    assert len(results["meetings"]) == results["meetings_planned"] == 5
    for row in results["trainings"]:
        assert [point["share"] for point in row["points"]] == [0.0, 0.5, 1.0]
        assert [point["games"] > 0 for point in row["points"]] == [False, True, True]
        for point in row["points"]:
            assert {*point["results"]} == {"random", "one-ply", "alpha-beta"}
            assert all(sum(pairs) == 2 for pairs in point["results"].values())
    assert {row["depth"] for row in results["trainings"]} == {1, 2}
    assert results["ledger"]["games"] >= 4 * 8


def test_killed_at_any_job_it_ends_with_the_same_rows(
    results: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, match, calls = results, bulk.match, 0

    def dying(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls % 7 == 0:
            raise KeyboardInterrupt
        return match(*given, **named)

    monkeypatch.setattr(bulk, "match", dying)
    kills = 0
    while True:
        try:
            again = compared(tmp_path)
            break
        except KeyboardInterrupt:
            kills += 1
            contest.read_results(tmp_path)
    assert kills >= 3
    for name in ("trainings", "meetings"):
        assert without_times(again[name]) == without_times(whole[name])
    assert not list((tmp_path / "runs").iterdir())
    stored = {
        path: path.read_bytes() for path in tmp_path.rglob("*.json") if path.parent != tmp_path
    }
    compared(tmp_path)
    assert all(path.read_bytes() == before for path, before in stored.items())


def test_the_time_that_is_left_goes_to_matches_that_were_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes: dict[str, Any] = {"games": 8, "match_seconds": 0.0, "seeds": 1, "meet": False}

    def pairs_of(results: dict[str, Any]) -> set[int]:
        points = [point for row in results["trainings"] for point in row["points"]]
        for point in points:
            played_games = 2 * sum(sum(pairs) for pairs in point["results"].values())
            assert point["playing"]["games"] == played_games
        return {sum(pairs) for point in points for pairs in point["results"].values()}

    short = compared(tmp_path, **changes)
    assert pairs_of(short) == {2}
    assert pairs_of(compared(tmp_path, **changes, seconds=1e-9)) == {2}  # nothing is left
    match, calls = bulk.match, 0

    def dying(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 12:
            raise KeyboardInterrupt
        return match(*given, **named)

    monkeypatch.setattr(bulk, "match", dying)
    with pytest.raises(KeyboardInterrupt):
        compared(tmp_path, **changes, seconds=1e6)
    whole = compared(tmp_path, **changes, seconds=1e6)
    assert pairs_of(whole) == {4}
    assert whole["playing"]["cpu_seconds"] > short["playing"]["cpu_seconds"]
    for row, before in zip(whole["trainings"], short["trainings"], strict=True):
        assert row["ledger"] == before["ledger"]


def test_an_untrained_player_is_where_learning_starts() -> None:
    training, other = small_plan(learners=("td_leaf", "td_stem"), seeds=1).trainings()
    assert (training.shares[0], other.shares[0]) == (0.0, 0.5)  # the same network: measured once
    learner = SelfPlay(
        "td_leaf", tempo.load("gomoku(size=5)"), kind("td_leaf").settings(dict(SHORT)), 1
    )
    asked = tempo.load("gomoku(size=5)").batch(1).move_values
    wanted = asked(learner.approximator.evaluator())[2]
    player = training.untrained()
    assert player.depth == 2
    assert asked(player.evaluator)[2].tolist() == wanted.tolist()


def test_what_was_learnt_is_an_agent_of_weights_alone(tmp_path: Path) -> None:
    compared(tmp_path, learners=("td",), seeds=1)
    (folder,) = (tmp_path / "players").iterdir()
    position = tempo.load("gomoku(size=5)").start()
    assert agents.load(str(folder)).choose(position).move in position.legal_moves
    (file,) = folder.glob("checkpoint-*")
    assert b"adam" not in file.read_bytes()


def test_without_time_nothing_begins(tmp_path: Path) -> None:
    made = small_plan()
    found = contest.compare(made, tmp_path, workers=InTurn(), command="", seconds=0)
    assert (found["trainings"], found["meetings"], found["meetings_planned"]) == ([], [], 5)
    assert "0 of 4 trainings" in report.markdown(found, standings(found), [])


def test_pairs_that_cannot_be_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusal(self: Any, *_: Any) -> str:
        return "td learns nothing today" if self.name == "td" else ""

    monkeypatch.setattr("tempo.learners.registry.Kind.refusal", refusal)
    assert {job.learner for job in small_plan().trainings()} == {"td_leaf"}
    with pytest.raises(ParseError, match="nothing today"):
        small_plan(learners=("td",))


# ---- ratings and report --------------------------------------------------------------------------


def test_an_interval_holds_seeds_and_games() -> None:
    near = [Rating("td", 100, 40, 160), Rating("td", 101, 41, 161), Rating("td", 99, 39, 159)]
    assert over_seeds(near[:1]).width == 120
    assert over_seeds(near).width == pytest.approx(120 / 3**0.5)
    far = [Rating("td", 0, -60, 60), Rating("td", 100, 40, 160), Rating("td", 200, 140, 260)]
    assert over_seeds(far).value == 100
    assert over_seeds(far).width / 2 == pytest.approx(4.303 * 100 / 3**0.5)


def by_hand() -> dict[str, Any]:
    """Results of two learners, of which the second wins everything."""

    def training(learner: str, seed: int, pairs: list[int]) -> dict[str, Any]:
        point = {"cpu_seconds": 30.0, "games": 640, "positions": 9, "playing": {}}
        met = {"random": pairs, "one-ply": [5, 0, 0, 0, 5]}
        points = [{**point, "share": share, "results": met} for share in (0.5, 1.0)]
        before = {"random": [5, 0, 0, 0, 5], "one-ply": [10, 0, 0, 0, 0]}
        points.insert(0, {**point, "share": 0.0, "cpu_seconds": 0.0, "results": before})
        ledger = tempo.ledger.Ledger(cpu_seconds=60.0, games=640).to_json()
        return {"learner": learner, "place": "othello", "seed": seed, "depth": 1,
                "points": points, "ledger": ledger}  # fmt: skip

    rungs = {"place": "othello", "seed": 0, "a": "random", "b": "one-ply", "pairs": [2, 0, 8, 0, 0]}
    between = {"place": "othello", "seed": 1, "a": "td", "b": "sarsa", "pairs": [10, 0, 0, 0, 0]}
    ledger = tempo.ledger.Ledger(cpu_seconds=120.0).to_json()
    return {
        "command": "tempo compare", "commit": "abc", "learners": ["td", "sarsa", "adp"],
        "places": ["othello"], "rungs": ["random", "one-ply"], "seeds": [1], "budget": 60.0,
        "games": 20, "match_seconds": 30.0, "refused": [["adp", "othello", "adp is asleep"]],
        "workers": 1, "wall_seconds": 9.0, "trainings_planned": 2, "meetings_planned": 2,
        "trainings": [training("td", 1, [1, 0, 8, 0, 1]), training("sarsa", 1, [0, 0, 0, 0, 10])],
        "meetings": [rungs, between], "training": ledger, "playing": ledger, "ledger": ledger,
    }  # fmt: skip


def test_ratings_follow_results() -> None:
    found = standings(by_hand())
    td, sarsa = found.rating("othello", "td"), found.rating("othello", "sarsa")
    assert td
    assert sarsa
    assert sarsa.value > td.value + 100
    assert found.learners() == ["sarsa", "td"]
    assert (found.mean_rank("sarsa"), found.mean_rank("adp")) == (1.0, None)
    assert found.rungs["othello"]["random"].value == 0
    assert [point.share for point in found.curves["othello"]["td"]] == [0.0, 0.5, 1.0]
    untrained = found.untrained("othello", "sarsa")
    assert untrained
    assert untrained.value < td.value < sarsa.value
    assert found.untrained("othello", "adp") is None
    exact = score(by_hand(), "othello", "sarsa", "random")
    assert exact
    assert exact.value == 1
    assert score(by_hand(), "othello", "adp", "random") is None


def test_the_report_is_made_of_stored_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results.json").write_text(json.dumps(by_hand()))
    monkeypatch.chdir(tmp_path.parent)
    done = CliRunner().invoke(app, ["compare", "--report-only", "--out", tmp_path.name])
    assert done.exit_code == 0, done.output
    assert max(map(len, done.output.splitlines())) <= 80
    assert "sarsa" in done.output
    text = (tmp_path / "report.md").read_text()
    for part in (
        "2 of 2 trainings", "adp is asleep", "`sarsa` | ", "1.00 (0.84 to 1.00)",
        "| untrained, depth 1 |",
    ):  # fmt: skip
        assert part in text
    for name in report.CAPTIONS:
        assert (tmp_path / f"{name}.svg").exists() == (f"({name}.svg)" in text)


# ---- learners that are added ---------------------------------------------------------------------


def test_a_learner_is_added_to_stored_results(results: dict[str, Any], tmp_path: Path) -> None:
    plan = replace(contest.added(results, ["sarsa"]), settings=SHORT, shares=(0.0, 0.5, 1.0))
    found = contest.compare(plan, tmp_path, workers=InTurn(), command="more", stored=results)
    assert found["learners"] == ["td", "td_leaf", "sarsa"]
    assert found["command"] == "tempo compare; more"
    stored = len(results["trainings"])
    assert found["trainings"][:stored] == results["trainings"]
    assert [row["learner"] for row in found["trainings"][stored:]] == ["sarsa", "sarsa"]
    assert found["trainings_planned"] == len(found["trainings"])
    assert found["meetings"] == results["meetings"]  # rungs have met, and nobody else is there
    assert standings(found).rating("gomoku(size=5)", "sarsa")
    assert found["training"]["games"] > results["training"]["games"]


def test_what_searches_otherwise_has_a_control_of_its_own() -> None:
    stored = by_hand()
    stored["trainings"][1] |= {"simulations": 16}
    stored["trainings"][0]["points"].pop(0)  # td's control was measured with another learner
    found = standings(stored)
    assert found.untrained("othello", "sarsa")
    assert found.untrained("othello", "td") is None
    assert list(controls(stored, found, ["othello"])) == ["untrained, 16 simulations"]


# ---- the command ---------------------------------------------------------------------------------


def test_the_command_prints_one_object(tmp_path: Path) -> None:
    words = "compare td --game gomoku(size=5) --seeds 1 --games 2 --set iterations=1 --set games=2"
    done = CliRunner().invoke(app, [*words.split(), "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["learners"] == ["td"]
    assert np.array(found["trainings"][0]["points"][0]["results"]["random"]).sum() == 1
    assert (tmp_path / "report.md").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["td"], "--game"),
        (["magic", "--game", "othello"], "there is no learner 'magic'"),
        (["td", "--game", "othello:KRK"], "one place to start"),
        (["td", "--game", "othello", "--games", "3"], "even number"),
        (["td", "--game", "othello", "--set", "colour=red"], "no setting"),
        (["td", "--game", "othello", "--set", "net=soup"], "no net"),
        (["td", "--report-only"], "holds no results.json"),
        (["zero", "--onto", "docs/compare", "--game", "othello"], "from the stored comparison"),
        (["td", "--onto", "docs/compare"], "td is in the stored comparison already"),
        (["--onto", "docs/compare"], "say which learners are added"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(words: list[str], told: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["compare", *words, "--out", str(tmp_path / "none")])
    assert isinstance(done.exception, ValueError | tempo.errors.TempoError)
    assert told in str(done.exception)


def test_openings_that_a_game_lacks_are_told_before_anything_is_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len({p.key for p in openings(Small("othello(size=6)"), 50)}) == 50  # 16 are balanced
    monkeypatch.setattr("tempo.arena.openings.ATTEMPTS", 1)
    with pytest.raises(ValueError, match="gave only"):
        compared(tmp_path, places=(place("othello(size=4)"),), games=800)
    assert not (tmp_path / "runs").exists()


def test_settings_are_those_of_all_learners() -> None:
    assert {tuple(job.recipe["hidden"]) for job in small_plan().trainings()} == {(8,)}


# ---- the matrix ----------------------------------------------------------------------------------


def test_the_matrix_is_of_all_learners_and_all_small_games_within_its_time() -> None:
    made = matrix.plan_of(60, 2, [], [])
    small = [s for name in games.names() for s in tempo.load(name).description.small]
    assert (made.learners, made.places) == (tuple(kinds()), tuple(small))
    pairs = len(made.trainings())
    assert pairs * (made.budget + 2 * made.match_seconds) <= 2 * 3600
    assert made.seconds < 2 * 3600
    assert not made.meetings()
    assert len(matrix.plan_of(60, 2, ["td"], ["chess:KRK"]).trainings()) == 1


def test_the_page_of_the_matrix_tells_who_beats_random_moves() -> None:
    text = matrix.page(by_hand())
    assert "**1 of 2 pairs (50%) beat random moves" in text
    assert "1 score above what they started from" in text
    assert "| `sarsa` | **1.00 (0.84 to 1.00)** |" in text
    assert "| `adp` | – |" in text
    assert "| untrained, depth 1 | 0.50 (0.30 to 0.70) |" in text
    assert "## Against one-ply" in text
