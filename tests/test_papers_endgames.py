"""The endgame paper's reproduction: schedules, verdicts by hand, resuming, and the report."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tempo import recipes
from tempo.cli import app
from tempo.papers import judging, reproduction, verdicts
from tempo.papers.endgames import claims, conditions, crossed, plan
from tempo.papers.endgames.plan import Training
from tempo.papers.endgames.report import REPORT
from tempo.papers.judging import Mean


def episodes(recipe: dict[str, Any], stages: int) -> int:
    return sum(stage["games"] * stage["iterations"] for stage in recipe["stages"][:stages])


@pytest.mark.parametrize("rule", ["leaf", "stem", "stem-state"])
def test_the_schedules_are_those_of_table_iii(rule: str) -> None:
    krk, kqk = Training("krk", rule, 1, False).recipe, Training("kqk", rule, 1, False).recipe
    assert episodes(krk, 7) == 337_500
    assert (episodes(kqk, 3), episodes(kqk, 5)) == (20_000, 37_500)
    assert plan.stage_ends(krk) == [20, 40, 60, 80, 110, 140, 190]
    assert krk.get("anchor", "leaf") == ("state" if rule == "stem-state" else "leaf")
    assert [s["mate_depth"] for s in kqk["stages"]] == [3, 3, 3, 5, 5]


def test_both_rules_get_the_same_schedule_quick_or_not() -> None:
    for quick in (False, True):
        for experiment in ("krk", "kqk"):
            leaf, stem = (Training(experiment, rule, 1, quick).recipe for rule in ("leaf", "stem"))
            assert leaf["stages"] == stem["stages"]


def test_a_full_reproduction_has_five_seeds_of_each_kind() -> None:
    *stages, crossed = plan.stages(plan.PLAN.seeds, quick=False)
    assert crossed.part == "conditions"
    for stage, kinds in zip(stages, (2, 1), strict=True):
        wanted = [job for job in stage.jobs if isinstance(job, Training)]
        assert len(wanted) == len({job.name for job in wanted}) == 2 * kinds * 5
    assert plan.PLAN.chosen([]) == ["printed"]
    assert plan.PLAN.chosen(["literal"]) == ["printed", "literal"]
    assert plan.PLAN.chosen(["conditions"]) == ["conditions"]
    assert plan.PLAN.chosen(["literal", "conditions"]) == ["printed", "literal", "conditions"]


# Crossed conditions


def test_every_condition_has_ten_seeds_of_either_rule_that_chose_nothing() -> None:
    wanted = conditions.conditions(10, quick=False)
    assert len({job.name for job in wanted}) == len(wanted) == 600
    assert {job.seed for job in wanted} == set(range(11, 21))
    for ending in ("KRK", "KQK"):
        for place in crossed.places():
            for rule in ("leaf", "stem"):
                found = [j for j in wanted if (j.ending, j.rule) == (ending, rule)
                         and (j.depth, j.optimizer, j.discount) == place]  # fmt: skip
                assert len(found) == 10
    recipe = {**conditions.Condition("KRK", "stem", 5, "adam", 1.0, 11, False).recipe}
    other = {**conditions.Condition("KRK", "leaf", 5, "adam", 1.0, 11, False).recipe}
    assert {k for k in recipe if recipe[k] != other[k]} == {"rule"}


def crossed_row(rule: str, seed: int, wcr: float, ending: str = "KRK") -> dict[str, Any]:
    points = [[0.0, 0, 0.0, None, 0.5], [2.0, 8500, wcr, 0.9, 0.9], [5.0, 20_000, wcr, 0.9, 0.9]]
    shares = dict.fromkeys(crossed.LEAVES, 0.5)
    return {"ending": ending, "rule": rule, "depth": 5, "optimizer": "adam", "discount": 0.99,
            "seed": seed, "points": points, "ledger": {"machines": [{"cpu": "A"}]},
            **shares}  # fmt: skip


def test_areas_and_ends_by_hand() -> None:
    run = crossed_row("stem", 11, 0.8)
    # From 0 to 0.8 over the first half, 0.8 over the second: 0.2 and 0.4.
    assert crossed.measured(run, "area") == pytest.approx(0.6, abs=0.01)
    assert crossed.measured(run, "end") == pytest.approx(0.8)


def test_a_condition_is_judged_by_its_own_runs() -> None:
    rows = [crossed_row("stem", s, 0.8 + 0.01 * (s % 3)) for s in range(11, 17)]
    rows += [crossed_row("leaf", s, 0.4 + 0.01 * (s % 3)) for s in range(11, 17)]
    rows += [crossed_row(rule, s, 0.05) for s in (11, 12) for rule in ("stem-state", "td")]
    results = {"conditions": {"rows": rows}}
    found = crossed.differences(results)
    assert [row["measure"] for row in found] == ["area", "end"]
    area, end = found
    assert end["ours"] == pytest.approx(0.4)
    assert end["published"] == 0.37
    assert area["published"] is None
    assert not end["counted"]
    assert end["verdict"] == "reproduced"
    assert end["p_holm"] < 0.001
    text = "\n".join(crossed.sections(results, {"rows": found}))
    assert "depth 5, Adam, γ = 0.99" in text
    assert "Equation 12 as printed" in text
    assert "Six rules" in text
    assert crossed.sections({"conditions": None}, {"rows": []}) == []


def test_a_condition_is_trained_and_kept(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    job = conditions.Condition("KRK", "stem", 1, "adam", 0.99, 11, quick=True)
    row = job.carry_out(tmp_path)
    assert [point[1] for point in row["points"]] == [0, 2000, 3000]
    assert row["points"][-1][2] > row["points"][0][2]  # it has learnt something
    assert 0 < row["leaves_distinct"] <= 1
    assert job.carry_out(tmp_path) == row  # kept, not trained again


def test_student_interval_by_hand() -> None:
    mean = judging.mean_of([0.2, 0.4, 0.6])  # s = 0.2, t(2) = 4.303, 4.303 * 0.2 / sqrt(3)
    assert mean is not None
    assert mean.value == pytest.approx(0.4)
    assert mean.high - mean.value == pytest.approx(0.49687, abs=1e-4)
    assert judging.mean_of([0.5]) is None


def test_welch_interval_by_hand() -> None:
    # Equal variances 0.04 and sizes 3: freedom 4, t = 2.776, se = sqrt(0.08 / 3).
    mean = judging.difference_of([0.5, 0.7, 0.9], [0.2, 0.4, 0.6])
    assert mean is not None
    assert mean.value == pytest.approx(0.3)
    assert mean.high - mean.value == pytest.approx(2.776 * (0.08 / 3) ** 0.5, abs=1e-6)


def test_permutations_and_holm_by_hand() -> None:
    assert judging.permutation_p([5, 6, 7, 8, 9], [0, 1, 2, 3, 4]) == pytest.approx(2 / 252)
    assert judging.permutation_p([1, 2], [1, 2]) == 1.0
    assert judging.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


@pytest.mark.parametrize(
    ("ours", "error", "verdict"),
    [
        (Mean(0.84, 0.80, 0.88), 0.0, "reproduced"),
        (Mean(0.78, 0.70, 0.86), 0.0, "reproduced"),
        (Mean(0.84, 0.60, 1.00), 0.0, "same direction"),
        (Mean(0.50, 0.40, 0.60), 0.0, "same direction"),  # 0.6 times the effect
        (Mean(0.40, 0.30, 0.50), 0.0, "refuted"),  # 0.4 times
        (Mean(0.40, 0.30, 0.50), 0.5, "same direction"),  # which the published error allows
        (Mean(0.10, 0.01, 0.19), 0.0, "refuted"),
        (Mean(0.40, 0.00, 0.90), 0.0, "undecided"),
        (Mean(0.04, -0.1, 0.18), 0.85, "undecided"),
        (None, 0.0, "untestable"),
    ],
)
def test_verdicts_on_a_level_of_085(ours: Mean | None, error: float, verdict: str) -> None:
    assert verdicts.of_level(ours, 0.85, 0.04, error).word == verdict


@pytest.mark.parametrize(
    ("ours", "published", "error", "verdict"),
    [
        (Mean(0.35, 0.20, 0.50), 0.37, 0.0, "reproduced"),
        (Mean(0.20, 0.10, 0.30), 0.37, 0.0, "same direction"),
        (Mean(0.15, 0.05, 0.25), 0.37, 0.0, "refuted"),  # less than half as much
        (Mean(0.15, 0.05, 0.25), 0.37, 0.3, "same direction"),
        (Mean(0.20, -0.01, 0.41), 0.37, 0.0, "undecided"),
        (Mean(-0.20, -0.30, -0.10), 0.37, 0.0, "refuted"),
        (Mean(0.00, -0.02, 0.02), 0.37, 0.0, "refuted"),
        (Mean(0.00, -0.02, 0.02), 0.37, 0.4, "undecided"),
        (Mean(0.01, -0.02, 0.04), 0.0, 0.0, "reproduced"),
        (Mean(0.01, -0.20, 0.22), 0.0, 0.0, "undecided"),
        (Mean(0.20, 0.10, 0.30), 0.0, 0.0, "refuted"),
        (Mean(0.20, 0.10, 0.30), 0.0, 0.3, "undecided"),
    ],
)
def test_verdicts_on_a_difference(ours: Mean, published: float, error: float, verdict: str) -> None:
    assert verdicts.of_difference(ours, published, error).word == verdict


# A reproduction made up by hand: TD-Stem 0.85 and TD-Leaf 0.48 in KRK, all alike in KQK.


def made_run(experiment: str, rule: str, seed: int) -> dict[str, Any]:
    ends = [20, 40, 60, 80, 110, 140, 190] if experiment == "krk" else [20, 40, 60, 110, 130]
    level = (0.85 if rule == "stem" else 0.48) if experiment == "krk" else 0.7
    speed = 2.0 if rule == "stem" else 1.0
    noise = 0.004 * (seed - 3)
    tests = []
    for step in range(0, ends[-1] + 1, 5):
        learnt = level * step / ends[-1]
        row = {"wcr": learnt + noise, "we": 0.87 if step else None, "lhs": 0.9 + noise}
        tests.append(
            {"step": step, "games": 1000 * step, "cpu_seconds": speed * step, "sampled": row,
             "exact": row, "exact_first": row, "test_cpu_seconds": 0.5}
        )  # fmt: skip
    steps = range(1, ends[-1] + 1)
    log = {
        "games": [1000 * step for step in steps],
        "won": [0.1 + 0.5 * step / ends[-1] + noise for step in steps],
        "cpu_seconds": [speed * step for step in steps],
        "epsilon": [1 / step for step in steps],
        "length": [50.0 for _ in steps],
    }
    ledger = {"wall_seconds": 1.0, "cpu_seconds": 1.0, "games": 1, "moves": 1, "positions": 1,
              "evaluations": 1, "multiply_adds": 1}  # fmt: skip
    return {"experiment": experiment, "rule": rule, "seed": seed, "stage_ends": ends, "log": log,
            "tests": tests, "ledger": ledger}  # fmt: skip


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    floor = {"wcr": 0.04, "we": 0.99, "lhs": 0.6}
    names = [("KRK", 0), ("KRK", 3), ("KQK", 0), ("KQK", 3), ("KQK", 5)]
    runs = [
        made_run(experiment, rule, seed)
        for experiment in ("krk", "kqk")
        for rule in ("leaf", "stem", "stem-state")
        for seed in range(1, 6)
    ]
    return {
        "paper": "endgames", "quick": False, "command": "tempo reproduce endgames", "commit": "0",
        "seeds": [1, 2, 3, 4, 5], "test_games": 2000, "workers": 2, "wall_seconds": 1.0,
        "floors": {f"{ending}, mates within {plies} plies": floor for ending, plies in names},
        "ledger": runs[0]["ledger"], "runs": runs,
    }  # fmt: skip


def row_of(answer: dict[str, Any], claim: str) -> dict[str, Any]:
    found: dict[str, Any] = next(r for r in answer["rows"] if r["claim"].startswith(claim))
    return found


def test_the_answer_has_the_shape_that_was_promised(results: dict[str, Any]) -> None:
    answer = claims.answer(results)
    assert {"paper", "commit", "seeds", "rows", "ledger"} <= answer.keys()
    keys = {"claim", "published", "ours", "low", "high", "games", "verdict"}
    assert all(keys <= row.keys() for row in answer["rows"])
    assert {row["verdict"] for row in answer["rows"]} <= set(verdicts.WORDS)
    assert all(row["reason"] for row in answer["rows"])
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer


def test_claims_that_hold_are_found_reproduced(results: dict[str, Any]) -> None:
    answer = claims.answer(results)
    for claim in (
        "Table IV: KRK, TD-Leaf, WCR",
        "Table IV: KRK, TD-Stem, WCR",
        "Table IV: KRK, WCR of TD-Stem minus TD-Leaf, equal episodes",
        "Table V: KQK after 5 stages, WCR of TD-Stem minus TD-Leaf, equal episodes",
        "Figure 4: KRK, self-play win rate of TD-Leaf rises",
    ):
        assert row_of(answer, claim)["verdict"] == "reproduced", claim
    assert row_of(answer, "Figure 4: KQK, TD-Leaf's falls")["verdict"] == "refuted"


def test_equal_seconds_cut_the_slower_rule(results: dict[str, Any]) -> None:
    # TD-Leaf takes 190 s; TD-Stem, twice as slow, has done half of its iterations by then.
    assert claims.cpu_budget(results["runs"], "krk", 7) == 190
    cut = claims.within(claims.chosen(results["runs"], "krk", "stem")[0], 190)
    assert cut["step"] == 95
    row = row_of(claims.answer(results), "Table IV: KRK, WCR of TD-Stem minus TD-Leaf, equal CPU")
    assert row["ours"] == pytest.approx(0.425 - 0.48, abs=1e-3)
    assert (row["verdict"], row["counted"]) == ("refuted", False)


def test_the_report_is_made_from_stored_results_alone(
    results: dict[str, Any], tmp_path: Path
) -> None:
    rows = [crossed_row(rule, seed, 0.5) for rule in conditions.RULES for seed in (11, 12, 13)]
    crossed = {"rows": rows, "ledger": results["ledger"]}
    (tmp_path / "results.json").write_text(json.dumps({**results, "conditions": crossed}))
    done = CliRunner().invoke(
        app, ["reproduce", "endgames", "--report-only", "--out", str(tmp_path), "--json"]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["paper"] == "endgames"
    text = (tmp_path / "report.md").read_text()
    assert "**reproduced**" in text
    assert "| KRK, TD-Stem | WCR | 0.85 | 0.85 (0.84 to 0.86) | 0.8500 |" in text
    pytest.importorskip("matplotlib")
    for name in REPORT.captions:
        assert (tmp_path / f"{name}.svg").stat().st_size > 1000
        assert (tmp_path / f"{name}.png").stat().st_size > 1000


def test_quick_results_say_so(results: dict[str, Any]) -> None:
    quick = {**copy.deepcopy(results), "quick": True}
    assert REPORT.quick_note in REPORT.markdown(quick, claims.answer(quick))


def test_a_report_shows_its_figures_or_says_why_there_are_none(results: dict[str, Any]) -> None:
    answer = claims.answer(results)
    missing = "No figures: matplotlib"
    assert missing in REPORT.markdown(results, answer)
    text = REPORT.markdown(results, answer, ["win-rate"])
    assert f"![{REPORT.captions['win-rate']}](win-rate.svg)" in text
    assert missing not in text


def test_unknown_papers_and_missing_results_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no paper 'chess'"):
        CliRunner().invoke(app, ["reproduce", "chess"], catch_exceptions=False)
    with pytest.raises(Exception, match=r"holds no results\.json"):
        reproduction.read_results(plan.PLAN, tmp_path)


class Tiny(Training):
    """Three iterations of a few games."""

    @property
    def recipe(self) -> dict[str, Any]:
        stage = {"games": 40, "iterations": 3, "depth": 1, "mate_depth": 1}
        return {**recipes.read("paper-krk-stem"), "hidden": [4], "stages": [stage]}


def without_times(run: dict[str, Any]) -> dict[str, Any]:
    kept = copy.deepcopy(run)
    del kept["ledger"], kept["log"]["cpu_seconds"]
    for test in kept["tests"]:
        del test["cpu_seconds"], test["test_cpu_seconds"]
    return kept


def test_a_killed_run_ends_as_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_td = pytest.importorskip("tempo.learners.fast.search_td")
    monkeypatch.setattr(plan, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(plan, "TEST_EVERY", 1)
    job = Tiny("krk", "stem", 7, True)
    straight = job.carry_out(tmp_path / "straight")
    assert [test["step"] for test in straight["tests"]] == [0, 1, 2, 3]

    iterate = search_td.SearchTD.iterate

    def killed(learner: Any) -> Any:
        if learner.step == 2:
            raise KeyboardInterrupt
        return iterate(learner)

    monkeypatch.setattr(search_td.SearchTD, "iterate", killed)
    with pytest.raises(KeyboardInterrupt):
        job.carry_out(tmp_path / "killed")
    monkeypatch.setattr(search_td.SearchTD, "iterate", iterate)
    resumed = job.carry_out(tmp_path / "killed")
    assert without_times(resumed) == without_times(straight)
    assert without_times(job.carry_out(tmp_path / "killed")) == without_times(straight)
