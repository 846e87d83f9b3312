"""The search half of the shogi paper: what is played, how it is kept, and that it resumes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tempo import agents
from tempo.papers.jobs import Stage, carry_out
from tempo.papers.shogi import searches
from tempo.papers.shogi.searches import FULL, QUICK, Match, least_budget, matches

SMALL = Match("budgets", "path 60", "shogi-uct:sims=60,values=path", "random", 6, game="minishogi")


@pytest.mark.parametrize("sizes", [FULL, QUICK])
def test_every_match_has_its_own_name_and_agents_that_exist(sizes: searches.Sizes) -> None:
    wanted = matches(sizes)
    assert len({match.name for match in wanted}) == len(wanted)
    for match in wanted:
        agents.load(match.a)
        agents.load(match.b)
        assert match.games % 2 == 0
    groups = {match.group for match in wanted}
    assert groups == {"table6", "budgets", "values", "constants", "rules", "choices", "searches"}


def test_the_published_tree_and_all_switches_are_there() -> None:
    specs = {match.a for match in matches()}
    assert "shogi-uct:nodes=150000,constant=1.187,values=rollout" in specs
    assert "shogi-uct:nodes=150000,constant=1.414,values=rollout" in specs
    for switch in ("rule=tuned", "fpu=1.0", "choice=max", "choice=robust_max", "choice=secure"):
        assert any(switch in spec for spec in specs), switch


def test_every_tree_says_which_moves_it_values() -> None:
    trees = [agent for match in matches() for agent in (match.a, match.b) if "uct" in agent]
    assert trees
    assert all("values=" in agent for agent in trees)  # the paper's is not the agent's default


def test_a_match_gives_what_the_paper_s_table_has(tmp_path: Path) -> None:
    row = SMALL.carry_out(tmp_path)
    assert json.loads(json.dumps(row)) == row
    assert (row["group"], row["row"], row["games"]) == ("budgets", "path 60", 6)
    assert row["wins"] + row["draws"] + row["losses"] == 6
    assert row["won_low"] <= row["won"] == row["wins"] / 6 <= row["won_high"]
    assert sum(game["moves"] for game in row["each"]) / 6 == pytest.approx(row["length"], abs=0.01)
    assert all(game["points"] in (0, 0.5, 1) and game["seconds"] > 0 for game in row["each"])
    assert row["move_seconds"]["a"] > row["move_seconds"]["b"]


def test_what_is_done_is_not_played_again(tmp_path: Path, monkeypatch: Any) -> None:
    row = SMALL.carry_out(tmp_path)
    log = tmp_path / "games" / f"{SMALL.name}.jsonl"
    SMALL.result(tmp_path).unlink()
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:-2]) + lines[-2][:40])  # killed in the middle of a game's line
    again = SMALL.carry_out(tmp_path)
    for key in ("wins", "draws", "losses", "pairs", "length", "reasons"):
        assert again[key] == row[key]
    monkeypatch.setattr(searches, "match", None)
    assert SMALL.carry_out(tmp_path) == again
    assert replace(SMALL, games=8).result(tmp_path) != SMALL.result(tmp_path)


def test_matches_side_by_side_come_in_their_order(tmp_path: Path) -> None:
    wanted = [SMALL, replace(SMALL, row="path 20", a="shogi-uct:sims=20,values=path")]
    told: list[tuple[int, int]] = []
    stages = [Stage(wanted)]
    carry_out(tmp_path, stages, 2, lambda done, total, _: told.append((done, total)))
    rows = [job.carry_out(tmp_path) for job in wanted]
    assert [row["row"] for row in rows] == ["path 60", "path 20"]
    assert told[-1] == (2, 2)


def test_the_least_budget_is_the_first_that_stays_enough() -> None:
    won = {"rollout 100": 0.96, "rollout 200": 0.9, "rollout 400": 0.95, "rollout 800": 1.0}
    rows = [{"group": "budgets", "row": name, "won": share} for name, share in won.items()]
    assert least_budget(rows, "rollout") == 400
    assert least_budget(rows, "rollout", share=0.99) == 800
    assert least_budget(rows[:2], "rollout") is None
    assert least_budget(rows, "path") is None
