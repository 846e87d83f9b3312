"""The Siguo paper's reproduction: what is run, figures by hand, resuming, verdicts, the report."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tempo.arena.statistics import sample_size
from tempo.cli import app
from tempo.cluster.workers import InTurn
from tempo.papers import reproduction
from tempo.papers.siguo import claims, online, online_tables, plan, tables
from tempo.papers.siguo.plan import Training
from tempo.papers.siguo.published import CURVES, GAPS, GROUPS, ORDER, TABLE_2, TABLE_3
from tempo.papers.siguo.report import REPORT
from tempo.papers.verdicts import WORDS

TINY = {"QUICK_GAMES": 4, "QUICK_WINDOW": 1, "QUICK_PAIRS": 2, "QUICK_POINT_PAIRS": 1,
        "FIRST_GAMES": 1, "POINTS": 2}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A whole reproduction in small."""
    out = tmp_path_factory.mktemp("siguo")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in TINY.items():
            patch.setattr(plan, name, value)
        patch.setattr(plan, "TEMPERATURES", (0.01, 0.1))
        patch.setattr(plan, "NOTICED", (0.2, 1.0))
        command = "tempo reproduce siguo"
        reproduction.reproduce(
            plan.PLAN, out, seeds=2, quick=True, workers=InTurn(), command=command
        )
        yield out


@pytest.fixture
def results(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "results.json").read_text())
    return found


# What is run


def test_every_arm_has_the_games_that_tell_19_from_23_per_cent() -> None:
    wanted = plan.trainings(plan.PLAN.seeds, quick=False)
    assert len({job.name for job in wanted}) == len(wanted)
    for group, arms in GROUPS.items():
        for arm in arms:
            found = [job for job in wanted if (job.group, job.arm) == (group, arm)]
            assert len({job.seed for job in found}) >= 5
            assert sum(2 * job.pairs for job in found) >= sample_size(0.19, 0.23) == 1627


def test_the_grids_share_no_seed_with_the_tests() -> None:
    wanted = plan.trainings(20, quick=False)
    grids = {job.seed for job in wanted if job.group in ("stand-in", "temperature")}
    assert not grids & {job.seed for job in wanted if job.group in GROUPS}


def test_printed_arms_are_the_papers_and_differ_where_they_should() -> None:
    def of(group: str, arm: str) -> Any:
        return Training(group, arm, 1, quick=False).settings

    assert of("printed", "q").rule == "q_learning"
    assert of("printed", "ttd-adaptive").step_size == 0.3
    assert of("printed", "ttd").steps == 20
    assert not any(of("printed", arm).averaged for arm in GROUPS["printed"])
    assert all(of("averaged", arm).averaged for arm in GROUPS["averaged"])
    assert of("switches", "team").successor == "team"
    assert of("switches", "cut").cut_on_explore
    assert {of(*place).games for place in (("printed", "q"), ("switches", "summary"))} == {500}


def test_trainings_of_one_number_begin_alike() -> None:
    one, two = (
        plan._learner(Training("printed", arm, 3, quick=True)).network
        for arm in ("q", "ttd-adaptive")
    )
    assert (one.first == two.first).all()


# Figures by hand


def run_of(loss: list[float], trace: list[float] | None = None) -> dict[str, Any]:
    games = [10 * (i + 1) for i in range(len(loss))]
    moves = [4.0 * 75] * len(loss)
    traces = trace or [0.3] * len(loss)
    return {"curves": {"loss": loss, "games": games, "moves": moves, "trace": traces}}


def test_a_curve_settles_where_it_stays_near_its_end() -> None:
    errors = [1.0, 0.6, 0.2, 0.5, 0.24, 0.2, 0.2, 0.18, 0.2, 0.2]
    assert tables.settled(run_of([e**2 for e in errors])) == 50
    assert tables.settled(run_of([0.0] * 10)) == 10
    assert tables.settled(run_of([float(i) ** 2 for i in range(10)])) == 90


def test_nodes_are_those_that_count() -> None:
    assert tables.nodes(run_of([0.0] * 2, [0.0, 0.3])) == [1, 1 + math.floor(3.76)]
    assert tables.nodes(run_of([0.0], [0.9])) == [20]
    assert tables.nodes(run_of([0.0], [0.9]), steps=None) == [37]
    # Half a game of the published 75 moves is the published 37.
    assert tables.nodes_left(run_of([0.0])) == [38]


def test_gaps_are_no_surer_than_their_games() -> None:
    def match(won: int) -> dict[str, Any]:
        drawn = 20 - won
        return {"pairs": [0, 0, drawn // 2, 0, won // 2], "won": won, "drawn": drawn, "lost": 0}

    alike = [match(4)] * 5
    effect = tables.gap([match(6)] * 5, alike, "won")
    assert effect is not None
    assert effect.mean.value == pytest.approx(0.1)
    assert effect.mean.low < 0 < effect.p  # a hundred games a side tell nothing so small
    assert tables.shares([match(4)], "score") == [pytest.approx(0.6)]


def test_the_temperature_is_the_one_nearest_to_what_is_wanted() -> None:
    rows = [(0.1, 0.4, 1.0), (0.01, 0.12, 1.0), (0.001, 0.2, 1.0)]
    assert tables.nearest_temperature(rows) == 0.01


# The whole


def test_results_hold_every_job_and_what_it_cost(results: dict[str, Any]) -> None:
    places = {(run["group"], run["arm"]) for run in results["runs"]}
    assert places == {(g, arm) for g, arms in GROUPS.items() for arm in arms} | {
        ("baselines", "random"),
        ("baselines", "untrained"),
    }
    assert results["ledger"]["games"] == (
        results["training"]["games"] + results["playing"]["games"]
    )
    for run in results["runs"]:
        test = run["test"]
        assert test["won"] + test["drawn"] + test["lost"] == 2 * sum(test["pairs"]) == 4
    curve = tables.runs_of(results, "printed", "q")[0]["points"]
    assert [point["games"] for point in curve] == [0, 2, 4]


def test_ttd_and_q_lambda_are_one_rule_at_so_small_a_trace(results: dict[str, Any]) -> None:
    for reading in ("printed", "averaged"):
        one, two = (tables.runs_of(results, reading, arm) for arm in ("ttd", "q-lambda"))
        assert [run["test"] for run in one] == [run["test"] for run in two]


def test_what_was_done_is_not_done_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Training) -> dict[str, Any]:
        raise AssertionError("trained again")

    monkeypatch.setattr(plan, "_train", refuse)
    job = Training("printed", "q", 1, quick=True)
    before = job.result(folder).read_text()
    assert job.carry_out(folder) == json.loads(before)
    with pytest.raises(AssertionError, match="trained again"):
        Training("printed", "q", 9, quick=True).carry_out(folder)


def test_every_claim_has_a_verdict(results: dict[str, Any]) -> None:
    rows = claims.answer(results)["rows"]
    found = [row for row in rows if row["table"] == "online"]
    assert len(found) == 3 * len(TABLE_3) + 2 * len(TABLE_2) + len(GAPS) + 1 + len(ORDER)
    assert not any(row["counted"] for row in found)
    readings = 2
    assert len(rows) - len(found) == (
        readings * len(ORDER) + 4 + 3 * len(TABLE_2) + 3 * len(TABLE_3) + readings * len(GAPS)
    )
    assert len({row["claim"] for row in rows}) == len(rows)
    for row in rows:
        assert row["verdict"] in WORDS
        if "set" in row["claim"].split():
            assert row["verdict"] == "untestable"
    assert set(CURVES) == {"printed", "averaged"}


def test_verdicts_follow_the_games(results: dict[str, Any]) -> None:
    """Made-up tests in which the paper is right come out as reproduced."""
    right = {**copy.deepcopy(results), "quick": False}
    for run in right["runs"]:
        counts = TABLE_3.get(run["arm"], (15, 78, 7))
        won, drawn, lost = (17 * count for count in counts)
        pairs = [lost // 2, lost % 2, (drawn - lost % 2 - won % 2) // 2, won % 2, won // 2]
        run["test"] |= {"won": won, "drawn": drawn, "lost": lost, "pairs": pairs}
    right["runs"] = [run for run in right["runs"] for _ in range(3)]
    rows = {row["claim"]: row for row in claims.answer(right)["rows"]}
    most = rows["Table III: Metropolis + TTD, games won (stand-in)"]
    assert most["ours"] == pytest.approx(0.23)
    assert most["verdict"] == "untestable"
    gap = rows["Table III: Metropolis + TTD wins more than Q-learning (stand-in), printed"]
    assert gap["ours"] == pytest.approx(0.08)
    assert gap["verdict"] == "same direction"  # the sign; its size is the stand-in's


def test_the_report_shows_all_and_is_made_from_the_results_alone(folder: Path) -> None:
    found = CliRunner().invoke(
        app, ["reproduce", "siguo", "--report-only", "--out", str(folder), "--json"]
    )
    assert found.exit_code == 0, found.output
    answer = json.loads(found.stdout)
    assert answer["paper"] == "siguo"
    text = (folder / "report.md").read_text()
    for title in ("Figure 6", "Figure 7", "Table II", "Table III", "The stand-in", "Cost"):
        assert f"## {title}" in text
    for row in answer["rows"]:
        assert row["claim"] in text
    for name in REPORT.captions:
        assert (folder / f"{name}.svg").exists()


def test_differences_after_more_games_are_taken_seed_by_seed() -> None:
    noise = np.random.default_rng(3)
    rows = []
    for number, arm in enumerate(online.TABLE_ARMS):
        for seed in range(1, 21):
            won = 0.4 + 0.1 * number + 0.02 * seed / 20 + float(noise.normal(0, 0.001))
            curves = {
                "games": [25 * n for n in range(1, 81)],
                "won": [won] * 80,
                "decided": [1] * 80,
            }
            rows.append({"arm": arm, "seed": seed, "games": online.LONGER, "curves": curves,
                         "end": {"undone": 0.1}})  # fmt: skip
    text = online_tables._longer({"online": rows})
    assert f"| {online.ARMS['q'].title} | 20 |" in text
    assert "| ε-greedy less Q-learning | +0.10 (0.07 to 0.13) | 0.000 |" in text
