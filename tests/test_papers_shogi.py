"""The shogi paper's reproduction: jobs, matches, and parts that are put together."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tempo import agents
from tempo.arena.ratings import connected
from tempo.arena.statistics import Pairs
from tempo.cli import app
from tempo.cluster.workers import InTurn
from tempo.papers import jobs as running
from tempo.papers import reproduction
from tempo.papers.shogi import claims, costs, ladder, plan
from tempo.papers.shogi import published as printed
from tempo.papers.shogi import training as networks
from tempo.papers.shogi.report import REPORT
from tempo.papers.shogi.searches import Match
from tempo.papers.shogi.training import Training

Row = dict[str, Any]

SMALL = ladder.Meeting("ladder", "uct-5 random", "shogi-uct:sims=5", "random", 4, game="minishogi")


# What is printed


def test_the_published_numbers_agree_with_each_other() -> None:
    published = printed
    for net in ("s", "a"):
        assert sum(published.WEIGHTS[net]) == published.TOTALS[net]
    assert pytest.approx(49.5, abs=0.05) == published.TRAINING_SECONDS
    assert pytest.approx(46.2, abs=0.01) == published.TRAINING_HOURS
    assert np.mean(published.TRAINING_MOVES) == pytest.approx(335.8)
    assert pytest.approx(0.525) == published.DQN_SCORE
    assert [sum(games) for games in published.TEST_GAMES.values()] == [10, 10]


# What is run


def jobs(part: str, quick: bool) -> list[running.Job]:
    seeds = plan.PLAN.quick_seeds if quick else plan.PLAN.seeds
    stages = plan.stages(seeds, quick)
    return [job for stage in stages if stage.part == part for job in stage.jobs]


def test_every_job_has_files_of_its_own() -> None:
    every = [
        job.result(Path()) for q in (True, False) for part in plan.PARTS for job in jobs(part, q)
    ]
    assert len(set(every)) == len(every) - 1  # weights are counted once, quick or not


def test_the_paper_s_ten_games_are_played_one_at_a_time_with_its_memory() -> None:
    found = [job for job in jobs("dqn", quick=False) if isinstance(job, Training)]
    ten = [job for job in found if job.goals == (10,)]
    assert {(job.kind, job.seed) for job in ten} == {
        (kind, seed) for kind in ("faithful", "corrected") for seed in range(1, 6)
    }
    for job in found:
        config = job.config
        assert (config["games"], config["memory"], config["batch"]) == (1, 2000, 10)
        assert (config["plies"], config["game"]) == (1, "shogi(length=700)")
    assert {job.goals for job in found if job.kind == "faithful"} == {(10,), (100,)}
    assert sum(job.tested for job in ten if job.kind == "faithful") >= 50 * 20


def test_a_quick_run_makes_no_network_of_169_million_weights_but_to_time_it() -> None:
    quick = [job for part in plan.PARTS for job in jobs(part, quick=True)]
    assert not [job for job in quick if isinstance(job, Training) and job.kind == "faithful"]
    timed = [job for job in quick if isinstance(job, costs.Timing)]
    assert {job.kind for job in timed} == {"faithful", "corrected", "improved"}
    assert all(job.on_cpu and job.updates <= 2 for job in timed)


@pytest.mark.parametrize("quick", [True, False])
def test_games_join_every_player_of_the_ladder_to_random_play(quick: bool) -> None:
    improved = networks.improved(quick)
    named = [(improved.label(goal), improved.network(goal)) for goal in improved.goals]
    found = list(ladder.matches(quick, named))
    pairs = {(m.row.split()[0], m.row.split()[1]): Pairs(one=1) for m in found}
    labels = {label for pair in pairs for label in pair}
    assert set(connected(pairs, "random")) == labels
    assert {label for label, _ in named} <= labels
    for match in found:
        assert match.games % 2 == 0
        for spec in (match.a, match.b):
            assert spec.startswith("network:") or agents.load(spec)
    # A network meets only rungs whose own meetings are of the ladder.
    rungs = ladder.QUICK_RUNGS if quick else ladder.RUNGS
    assert {m.row.split()[1] for m in found} <= set(rungs)
    assert set(ladder.FIRST_RUNGS) <= set(rungs)


def test_budgets_of_every_search_span_a_wide_range() -> None:
    labels = {*ladder.RUNGS, *ladder.POINTS}
    for method, low, high in (("uct", 50, 3200), ("path", 50, 3200), ("ab", 100, 100_000)):
        budgets = sorted(int(x.split("-")[1]) for x in labels if x.startswith(method + "-"))
        assert (budgets[0], budgets[-1]) == (low, high)
        assert all(b / a <= 4 for a, b in pairwise(budgets))


def test_long_matches_do_not_begin_last(tmp_path: Path) -> None:
    begun: list[Any] = []

    class Noticed(InTurn):
        def results(self, calls: Any, **_: Any) -> Any:
            begun.extend(job.row for _, (job, *_) in calls)
            return iter(())

    short = replace(SMALL, row="uct-4 random", a="shogi-uct:sims=4")
    running.carry_out(tmp_path, [running.Stage([short, SMALL])], Noticed())
    assert begun == ["uct-5 random", "uct-4 random"]
    both = jobs("search", quick=False) + jobs("ladder", quick=False)
    found = sorted(both, key=lambda job: job.burden)
    rows = [job.row for job in found if isinstance(job, Match)]
    assert {"rollout 3200", "rollout 1.414"} <= set(rows[-40:])
    assert rows.index("uct-50 random") < 10


# The ladder's matches, and parts that are put together


def test_a_match_is_played_once_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = SMALL.carry_out(tmp_path)
    assert sum(row["pairs"]) == 2
    assert "each" not in row
    log = tmp_path / "games" / f"{SMALL.name}.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:-1]) + lines[-1][:30])
    SMALL.result(tmp_path).unlink()
    again = SMALL.carry_out(tmp_path)
    assert (again["pairs"], again["length"]) == (row["pairs"], row["length"])
    monkeypatch.setattr(ladder.Meeting, "play", None)
    assert SMALL.carry_out(tmp_path) == again


def test_a_match_of_networks_waits_for_them_and_its_name_knows_no_folder(tmp_path: Path) -> None:
    match = replace(SMALL, a="network:improved-12-1-abc-6")
    assert SMALL.is_ready(tmp_path)
    assert not match.is_ready(tmp_path)
    (tmp_path / "networks").mkdir()
    (tmp_path / "networks" / "improved-12-1-abc-6.safetensors").touch()
    assert match.is_ready(tmp_path)
    assert str(tmp_path) not in match.name


def few(seeds: int, quick: bool) -> list[running.Stage]:
    """Two matches in two parts, and one that waits for a network that never comes."""
    waiting = replace(SMALL, a="network:none")
    return [
        running.Stage([replace(SMALL, group="budgets", row="rollout 5")], "search"),
        running.Stage([SMALL, waiting], "ladder"),
    ]


def test_parts_done_apart_are_put_together_by_copying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortened = replace(plan.PLAN, stages=few)
    one, other = tmp_path / "one", tmp_path / "other"
    told: list[tuple[int, int]] = []
    for out, part in ((one, "search"), (other, "ladder")):
        found = reproduction.reproduce(
            shortened, out, seeds=2, quick=True, workers=InTurn(), parts=[part],
            command="tempo reproduce shogi --quick",
            progress=lambda done, total, _: told.append((done, total)),
        )  # fmt: skip
        assert [match["group"] for match in found["matches"]] == [
            {"search": "budgets"}.get(part, part)
        ]
    assert told[-1] == (1, 2)  # one match waits
    shutil.copytree(one, other, dirs_exist_ok=True)
    both = reproduction.read_results(shortened, other)
    assert [match["group"] for match in both["matches"]] == ["budgets", "ladder"]
    assert both["parts"]["ladder"] == [1, 2]
    assert both["playing"]["games"] == 8
    assert json.loads((other / "results.json").read_text()) == both
    REPORT.write(other, both, claims.answer(both))
    assert "uct-5" in (other / "report.md").read_text()


def test_the_command_line_refuses_parts_that_are_none() -> None:
    run = CliRunner().invoke(app, ["reproduce", "jiu", "--part", "search"])
    assert run.exit_code != 0
    assert "jiu has no part 'search'" in run.output + str(run.exception)
    run = CliRunner().invoke(app, ["reproduce", "shogi", "--part", "everything"])
    assert run.exit_code != 0
    assert (
        "shogi has no part 'everything'; it has search (UCT and its switches), dqn"
        in run.output + str(run.exception)
    )
