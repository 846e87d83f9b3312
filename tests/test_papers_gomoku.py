"""The Gomoku papers' reproduction: jobs, resuming, verdicts by hand, and the report."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tempo.agents.gomoku.standins import frozen
from tempo.cli import app
from tempo.cluster.workers import InTurn
from tempo.papers import jobs, reproduction
from tempo.papers.gomoku import claims as judged
from tempo.papers.gomoku import matches, plan, tables
from tempo.papers.gomoku import published as printed
from tempo.papers.gomoku.matches import Match, Player
from tempo.papers.gomoku.plan import Training
from tempo.papers.gomoku.report import REPORT
from tempo.papers.judging import Effect, Mean, pooled, widened

Row = dict[str, Any]


# What is run


def full() -> list[jobs.Job]:
    """Of both parts; experts that both need are named once."""
    jobs = [job for stage in plan.stages(plan.PLAN.seeds, quick=False) for job in stage.jobs]
    return list(dict.fromkeys(jobs))


def full_matches(group: str) -> list[Match]:
    return [job for job in full() if isinstance(job, Match) and job.group == group]


def test_every_job_has_a_name_of_its_own() -> None:
    names = [job.name for job in full()]
    assert len(set(names)) == len(names)
    quick = {job.name for stage in plan.stages(2, quick=True) for job in stage.jobs}
    assert not quick & set(names)


def test_whatever_a_job_needs_is_made_in_an_earlier_stage() -> None:
    made: set[str] = set()
    for stage in plan.stages(3, quick=False):
        for job in stage.jobs:
            if isinstance(job, Training):
                assert job.expert is None or job.expert.name in made
            elif isinstance(job, Match):
                assert {job.a.critic, job.b.critic} - {""} <= made
        trained = [job for job in stage.jobs if isinstance(job, Training)]
        made |= {name for job in trained for name in (job.name, job.early)}


def test_the_cases_are_trained_as_long_as_published() -> None:
    for case, of in printed.CASES.items():
        stages = Training(case, 1, quick=False).config["stages"]
        assert sum(stage["games"] * stage["iterations"] for stage in stages) == of.games
    for case in (*plan.PUPIL_RECIPES, plan.STEADY):
        stages = Training(case, 1, quick=False).config["stages"]
        assert sum(stage["games"] * stage["iterations"] for stage in stages) == 80_000


def test_pupils_begin_alike_and_otherwise_than_their_expert() -> None:
    taught, watching = (Training(case, 3, quick=False) for case in ("taught", "watching"))
    expert = taught.expert
    assert expert is not None
    assert taught.config["seed"] == watching.config["seed"] != expert.config["seed"]
    assert taught.config["expert"] == watching.config["expert"] == expert.name


@pytest.mark.parametrize(
    ("group", "rows", "games"),
    [("cases", 11, 1000), ("cross", 6, 500), ("ladder", 9, 200), ("uct", 6, 200),
     ("shares", 4, 200), ("watching", 2, 1000), ("early", 1, 1000)],
)  # fmt: skip
def test_every_published_row_has_more_games_than_were_published(
    group: str, rows: int, games: int
) -> None:
    played: dict[str, int] = {}
    for match in full_matches(group):
        played[match.row] = played.get(match.row, 0) + 2 * match.pairs
    assert sum(count >= games for count in played.values()) == rows


# One match


def test_matches_of_one_seed_meet_the_same_openings_and_blocks_follow_each_other() -> None:
    one, other = Player("hmcts", playouts=1), Player("uct", playouts=1)
    first = Match("uct", "1", 1, one, other, 40)
    deck = first.openings().openings
    assert len(set(deck)) == 40
    assert replace(first, group="cross", a=other, pairs=20).openings().openings == deck[:20]
    assert replace(first, seed=2).openings().openings != deck
    following = [replace(first, block=block).openings().openings for block in (1, 2)]
    assert not set(deck) & set(following[0])
    assert following[1][20:] == deck[:20]  # there are 100: then they begin anew


def test_a_stand_in_calibrated_anew_is_another_player(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("ladder", "hmcts beginner", 1, Player("hmcts"),
                  Player("stand-in", level="beginner"), 2)  # fmt: skip
    before = match.name
    record = copy.deepcopy(frozen())
    record["levels"]["beginner"]["slips"] = 0.5
    monkeypatch.setattr(matches, "frozen", lambda: record)
    assert match.name != before
    match = replace(match, b=Player("stand-in", level="candidate"))
    before = match.name
    record["levels"]["beginner"]["slips"] = 0.25
    assert match.name == before


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if not k.endswith("_seconds")}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def test_a_killed_match_ends_as_one_that_was_not(tmp_path: Path) -> None:
    match = Match("uct", "1", 1, Player("hmcts", playouts=1), Player("uct", playouts=2), 3)
    straight = match.carry_out(tmp_path)
    assert sum(straight["pairs"]) == 3
    assert straight["distinct"] == 6
    log = tmp_path / "games" / f"{match.name}.jsonl"
    lines = log.read_text().splitlines()
    assert len(lines) == 7
    log.write_text("\n".join(lines[:3]) + "\n" + lines[3][:50])  # torn in its third game
    match.result(tmp_path).unlink()
    again = match.carry_out(tmp_path)
    assert without_times(again) == without_times(straight)
    assert log.read_text().splitlines()[:3] == lines[:3]
    log.unlink()
    assert match.carry_out(tmp_path) == again  # the result alone is enough


# Trainings


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games an iteration, and one match of each kind that needs a critic."""
    monkeypatch.setattr(plan, "QUICK_ITERATION", 2)
    sizes = plan.Sizes(case=1, unpublished=1, uct=1, uct_blocks=1, cross=1, ladder=1,
                         calibration=1, shares=1)  # fmt: skip
    monkeypatch.setattr(plan, "QUICK", sizes)


@pytest.mark.usefixtures("tiny")
def test_a_training_is_done_once_and_alike(tmp_path: Path) -> None:
    training = Training("taught", 1, quick=True)
    expert = training.expert
    assert expert is not None
    for job in (expert, training):
        job.carry_out(tmp_path)
    critics = tmp_path / "critics"
    file = critics / f"{training.name}.safetensors"
    row, weights = training.carry_out(tmp_path), file.read_bytes()
    assert len(row["curves"]["correct"]) == len(row["curves"]["moves"]) == 80
    assert (critics / f"{expert.early}.safetensors").exists()
    assert (critics / f"{expert.early}.safetensors").read_bytes() != weights
    training.result(tmp_path).unlink()  # killed before its end
    file.unlink()
    again = training.carry_out(tmp_path)
    assert file.read_bytes() == weights
    row["curves"].pop("cpu_seconds")
    again["curves"].pop("cpu_seconds")
    assert without_times(again) == without_times(row)


@pytest.mark.usefixtures("tiny")
def test_a_reproduction_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def few(seeds: int, quick: bool) -> list[jobs.Stage]:
        groups = ("cases", "watching", "early")
        return [
            jobs.Stage([job for job in stage.jobs
                        if isinstance(job, Training)
                        or (isinstance(job, Match) and job.group in groups)], "papers")
            for stage in plan.stages(seeds, quick)[:3]
        ]  # fmt: skip

    told: list[tuple[int, int]] = []

    def run() -> Row:
        return reproduction.reproduce(
            replace(plan.PLAN, stages=few), tmp_path,
            seeds=2, quick=True, workers=InTurn(), command="tempo reproduce gomoku",
            progress=lambda done, total, _: told.append((done, total)),
        )  # fmt: skip

    first = run()
    assert told[0][0] == 1
    assert told[-1][0] == told[-1][1] == len(first["trainings"]) + len(first["matches"])
    assert json.loads((tmp_path / "results.json").read_text()) == first
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*")}
    second = run()
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*")} == kept
    assert second["trainings"] == first["trainings"]
    assert second["matches"] == first["matches"]
    assert second["ledger"] == first["ledger"]
    assert first["playing"]["games"] == 2 * (5 * 3 + 1 + 2) * 2
    assert first["training"]["games"] == 2 * 2 * (60 + 80 + 80 + 30 + 30 + 80 + 80)


def test_few_random_moves_to_the_end_are_an_arm_of_its_own() -> None:
    rows = [row for row in judged.answer(made())["rows"] if row["table"] == plan.STEADY]
    assert [row["published"] for row in rows] == [23.5, 0.66, None]
    assert not any(row["counted"] for row in rows)
    assert {row["verdict"] for row in rows} == {"reproduced"}
    stages = Training(plan.STEADY, 1, quick=False).config["stages"]
    assert [stage["random_share"] for stage in stages] == [0.1, 0.1, 0.08, 0.07, 0.05]
    assert plan.PLAN.chosen([]) == ["papers"]


# A reproduction made up by hand: everything as published.


def as_published(match: Match) -> float:
    names = match.row.split()
    level = names[-1]
    if match.group == "cases":
        return printed.CASES[names[0]].won.get(level, 0) / 30
    if match.group == "early":
        return 20 / 30
    if match.group == "uct":
        return printed.UCT_WON[int(match.row)] / 100
    if match.group == "cross":
        return printed.CROSS_WON[names[0], names[1]] / 500
    if match.group == "ladder":
        return printed.LADDER_WON[names[0]][level] / 100
    return 1.0 if match.group == "watching" else 0.75


def made_pairs(score: float, pairs: int) -> list[int]:
    """Pairs that were split, and others that one side won."""
    decided = min(pairs, round(abs(2 * score - 1) * pairs))
    ends = (0, decided) if score >= 0.5 else (decided, 0)
    return [ends[0], 0, pairs - decided, 0, ends[1]]


LEDGER = {"wall_seconds": 1.0, "cpu_seconds": 1.0, "games": 1, "moves": 1, "positions": 0,
          "evaluations": 0, "multiply_adds": 0}  # fmt: skip


def made_match(match: Match, score: float) -> Row:
    kinds = {"a": match.a.kind, "b": match.b.kind}
    spent = {
        side: {
            **LEDGER,
            "cpu_seconds": printed.TIMES.get(kind, (1.0,))[0] / 4,
            "moves": 250,
        }
        for side, kind in kinds.items()
    }
    return {
        "group": match.group, "row": match.row, "seed": match.seed, "block": match.block, **kinds,
        "pairs": made_pairs(score, match.pairs), "draws": 0, "distinct": 2 * match.pairs,
        "length": 25.0, "ledger": spent,
    }  # fmt: skip


def made_training(training: Training, noise: float) -> Row:
    points = np.arange(1, 81)
    curves = {"games": (1000 * points).tolist(), "cpu_seconds": points.tolist()}
    moves = np.interp(points, list(printed.MOVES), list(printed.MOVES.values()))
    if training.case == "watching":
        moves = np.full(80, 22.15)
    curves["moves"] = (1000 * (moves + noise)).tolist()
    case = "taught" if training.case == plan.STEADY else training.case
    published = dict(printed.CORRECT.get(case, {}))
    if published:
        published[25] = {"taught": 0.50, "watching": 0.47}[case]
        for name in ("correct", "correct_one", "correct_two"):
            line = np.interp(points, sorted(published), [published[k] for k in sorted(published)])
            curves[name] = (line + noise).tolist()
    return {"case": training.case, "seed": training.seed, "curves": curves, "ledger": LEDGER}


def made(score: Callable[[Match], float] = as_published, noise: float = 0.01) -> Row:
    random = np.random.default_rng(1)
    jobs = full()
    trainings = [
        made_training(job, float(random.normal(0, noise)))
        for job in jobs
        if isinstance(job, Training)
    ]
    matches = [
        made_match(job, min(1.0, max(0.0, score(job) + float(random.normal(0, noise)))))
        for job in jobs
        if isinstance(job, Match)
    ]
    check = {"score": 0.45, "low": 0.4, "high": 0.5, "games": 100}
    levels = printed.LEVELS
    return {
        "paper": "gomoku", "quick": False, "command": "tempo reproduce gomoku", "commit": "0",
        "game": "gomoku", "seeds": [1, 2, 3, 4, 5], "iteration": 1000, "workers": 2,
        "wall_seconds": 1.0,
        "stand_ins": {level: {"published": 0.46, "check": check} for level in levels},
        "training": LEDGER, "playing": LEDGER, "ledger": LEDGER,
        "trainings": trainings, "matches": matches,
    }  # fmt: skip


@pytest.fixture(scope="module")
def published() -> Row:
    return made()


def test_claims_that_hold_are_found_reproduced(published: Row) -> None:
    rows = judged.answer(published)["rows"]
    untested = [row for row in rows if row["verdict"] == "untestable"]
    calibrated = [row for row in untested if row["claim"].startswith("Ladder: HMCTS against")]
    assert len(calibrated) == 3
    assert all("was set by" in row["reason"] for row in calibrated)
    levels = [row for row in untested if row["kind"] != "time"]
    assert all(row["kind"] == "level" and "(stand-in)" in row["claim"] for row in levels)
    tested = [row for row in rows if row not in untested]
    stand_ins = [row for row in tested if "(stand-in)" in row["claim"]]
    assert len(stand_ins) == 11
    assert {row["verdict"] for row in stand_ins} == {"same direction"}
    wrong = {row["claim"]: row["verdict"] for row in tested if row not in stand_ins}
    assert set(wrong.values()) == {"reproduced"}, wrong


def test_the_ladder_s_figures_of_case_1_are_counted_once(published: Row) -> None:
    rows = judged.answer(published)["rows"]
    again = [row["claim"] for row in rows if row.get("reading") == "the figures of case 1 again"]
    assert [f"Ladder: ADP against the {level} (stand-in)" for level in printed.LEVELS] == again
    assert not any(row["counted"] for row in rows if row["claim"] in again)


def test_even_matches_reproduce_no_score_that_was_published_uneven() -> None:
    rows = judged.answer(made(lambda _: 0.5))["rows"]
    uneven = [row for row in rows if row["kind"] == "level" and abs(row["published"] - 0.5) > 0.1]
    assert len(uneven) > 25
    assert {row["verdict"] for row in uneven} <= {"refuted", "undecided", "untestable"}


def test_weaker_players_in_the_same_order_go_in_the_same_direction() -> None:
    rows = judged.answer(made(lambda match: 0.6 * as_published(match)))["rows"]
    found = {row["claim"]: row["verdict"] for row in rows}
    assert found["Case 1 less case 4 against the beginner (stand-in)"] == "same direction"
    assert found["Case 1 (ST-Gomoku) against the beginner (stand-in)"] == "untestable"


def test_one_of_many_differences_needs_more_than_its_own_p() -> None:
    steps = (-0.14, -0.07, 0.0, 0.07, 0.14)  # by seed: t = 0.16 / (0.11 / sqrt 5), p = 0.03

    def score(match: Match) -> float:
        if match.row == "adp-hmcts dilettante":
            return 0.73 + 0.16 * 0.9 + 0.9 * steps[match.seed - 1]
        return 0.5 if match.group == "shares" else as_published(match)  # four that show nothing

    rows = judged.answer(made(score, noise=0.001))["rows"]
    claim = "Ladder: ADP-HMCTS less ADP against the dilettante (stand-in)"
    row = next(row for row in rows if row["claim"] == claim)
    assert row["low"] > 0
    assert row["p"] < 0.05 < row["p_holm"]
    assert row["ours"] == pytest.approx(row["published"], abs=0.03)
    assert row["verdict"] == "undecided"


def test_moves_are_judged_as_a_share_of_the_published_number(published: Row) -> None:
    longer = copy.deepcopy(published)
    for training in longer["trainings"]:
        training["curves"]["moves"] = [1.04 * moves for moves in training["curves"]["moves"]]
    far = copy.deepcopy(published)
    for training in far["trainings"]:
        training["curves"]["moves"] = [1.2 * moves for moves in training["curves"]["moves"]]
    for results, expected in ((longer, "reproduced"), (far, "refuted")):
        rows = judged.answer(results)["rows"]
        found = [row for row in rows if row["kind"] == "curve" and "Moves a game" in row["claim"]]
        assert len(found) == 7  # one of them by the other arm
        assert {row["verdict"] for row in found} == {expected}


def test_trainings_that_score_alike_are_no_surer_than_their_games() -> None:
    lost = [{"seed": seed, "pairs": [20, 0, 0, 0, 0]} for seed in (1, 2)]
    mean = tables.over_trainings(lost)
    assert mean is not None
    assert (mean.value, mean.low) == (0.0, 0.0)
    assert 0.04 < mean.high < 0.06  # Wilson's after 80 games lost
    exact = Effect(Mean(0.1, 0.1, 0.1), 0.0)
    games = pooled(lost)
    wider = widened(exact, games, games)
    assert wider is not None
    assert wider.mean.width == pytest.approx(mean.high * 2**0.5)
    assert 0 < wider.p < 0.05
    wide = Effect(Mean(0.1, -0.5, 0.7), 0.6)
    assert widened(wide, games, games) == wide


def test_the_answer_has_the_shape_that_was_promised(published: Row) -> None:
    answer = judged.answer(published)
    assert {"paper", "commit", "seeds", "rows", "ledger", "training", "playing"} <= answer.keys()
    keys = {"claim", "published", "ours", "low", "high", "games", "verdict"}
    assert all(keys <= row.keys() for row in answer["rows"])
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    claims = [row["claim"] for row in answer["rows"]]
    assert len(set(claims)) == len(claims)
    levels = printed.LEVELS
    against = [claim for claim in claims if any(level in claim for level in levels)]
    assert len(against) == 11 + 1 + 4 + 12 + 7
    assert all("(stand-in)" in claim for claim in against)
    first = answer["rows"][1]
    assert (first["published_low"], first["published_high"]) == (0.556, 0.858)  # 22 of 30
    assert first["games"] == 1000


def test_times_are_those_of_each_method(published: Row) -> None:
    for method, (milliseconds, _) in printed.TIMES.items():
        found = tables.milliseconds(published, method)
        assert found == pytest.approx([milliseconds] * len(found))
        assert len(found) == (10 if method == "uct" else 5)


def test_the_report_is_made_from_stored_results_alone(published: Row, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(json.dumps(published))
    done = CliRunner().invoke(
        app, ["reproduce", "gomoku", "--report-only", "--out", str(tmp_path), "--json"]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["paper"] == "gomoku"
    text = (tmp_path / "report.md").read_text()
    assert "**reproduced**" in text
    assert "| beginner (stand-in) | dilettante (stand-in) | candidate (stand-in) |" in text
    assert "22:8 / 0.7" in text
    pytest.importorskip("matplotlib")
    for name in REPORT.captions:
        assert (tmp_path / f"{name}.svg").stat().st_size > 1000
        assert (tmp_path / f"{name}.png").stat().st_size > 1000


def test_quick_results_say_so(published: Row) -> None:
    quick = {**published, "quick": True}
    assert REPORT.quick_note in REPORT.markdown(quick, judged.answer(quick))
