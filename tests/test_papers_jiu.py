"""The Jiu paper's reproduction: schedules, matches, verdicts by hand, resuming, and the report."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_papers_jiu_own import made_up
from typer.testing import CliRunner

from tempo import agents, games
from tempo._core.jiu_preparation import Preparation
from tempo.agents.jiu.library import LibraryPlacer
from tempo.agents.jiu.placing import (
    BayesPlacer,
    Boards,
    ExpertPlacer,
    Layouts,
    Points,
    RandomPlacer,
    both_ways,
    lay_out,
    pair_seeds,
    rules,
)
from tempo.arena.statistics import sample_size
from tempo.cli import app
from tempo.errors import TempoError
from tempo.games.jiu.library import EMPTY_BOARD, Library, Node
from tempo.nets.bayes import SHAPE, BlockNetwork
from tempo.papers import judging, verdicts
from tempo.papers.jiu import claims, plan, training
from tempo.papers.jiu.matches import RewardPlacer, Wavering, centre_spread, match, uniform
from tempo.papers.jiu.plan import Test, Training
from tempo.papers.jiu.report import REPORT
from tempo.papers.jiu.training import Arm
from tempo.papers.judging import Effect, Mean

G7, H8, G8, H7 = 6 * 14 + 6, 7 * 14 + 7, 6 * 14 + 7, 7 * 14 + 6


# What is run


def test_the_last_points_have_the_games_that_tell_66_from_68_per_cent() -> None:
    for rule in training.RULES:
        found = [
            2 * test.pairs
            for job in plan.trainings(plan.PLAN.seeds, quick=False)
            if job.purpose == "figures" and job.arm == Arm(rule)
            for test in job.tests
            if test == Test(160_000, test.pairs)
        ]
        assert len(found) == 5
        assert sum(found) >= sample_size(0.66, 0.68)


def test_every_point_has_400_games_and_every_training_its_own_name() -> None:
    wanted = plan.trainings(plan.PLAN.seeds, quick=False)
    assert len({job.name for job in wanted}) == len(wanted)
    for rule, greedy in [("q_learning", 0.9), *(("sarsa", greedy) for greedy in plan.GREEDY)]:
        arm = [job for job in wanted if job.arm == Arm(rule, greedy) and job.purpose == "figures"]
        for games_trained in plan.POINTS:
            tests = [test for job in arm for test in job.tests if test.games == games_trained]
            assert sum(2 * test.pairs for test in tests) >= 400


def test_the_sweep_shares_no_seed_with_the_tests() -> None:
    wanted = plan.trainings(20, quick=False)
    swept = {job.seed for job in wanted if job.purpose == "sweep"}
    assert not swept & {job.seed for job in wanted if job.purpose != "sweep"}
    assert sum(job.purpose == "sweep" for job in wanted) == 9 * 2 * 3


def test_training_stops_exactly_at_every_point() -> None:
    for quick in (False, True):
        for job in plan.trainings(1, quick):
            assert all(test.games % training.REPORT == 0 for test in job.tests)


# Matches


def test_uniform_numbers_differ_by_seed_and_by_place() -> None:
    seeds = np.arange(4000, dtype=np.uint64)
    first, second = uniform(seeds, 2), uniform(seeds, 3)
    assert first.min() >= 0
    assert first.max() < 1
    assert abs(first.mean() - 0.5) < 0.02
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.05


def test_both_games_of_a_pair_waver_at_the_same_placements() -> None:
    options, pairs = rules(), 300
    seeds = pair_seeds(pairs, 5)
    games_ = Layouts.start(options, seeds)
    wavered = []
    for share in (0.0, 0.1, 0.1):
        placers = (Wavering(FirstPoint(), share), Wavering(FirstPoint(), share))
        games_ = lay_out(options, placers, both_ways(pairs), seeds)
        wavered.append(games_.placements[:, :36])
    steady, once, again = wavered
    assert (once == again).all()
    assert (steady[:, :2] == [G7, H8]).all()
    assert (once[:, :2] == [G7, H8]).all()
    assert (once[0::2] == once[1::2]).all()  # one placer for both: the pair is one game
    share = np.mean(once[:, 2] != steady[:, 2])
    assert 0.05 < share < 0.15
    assert len(np.unique(once[:, :10], axis=0)) > pairs / 4


class FirstPoint:
    """Places on the first point there is."""

    def place(self, games: Layouts, allowed: Boards) -> Points:
        first: Points = np.argmax(allowed, axis=1).astype(np.int32)
        assert len(first) == len(games.boards)
        return first


def small_library() -> Library:
    nodes = [EMPTY_BOARD, Node(0, G7, 9, 1.0), Node(1, H8, 9, 1.0), Node(2, H7, 9, 5.0),
             Node(2, G8, 9, 7.0)]  # fmt: skip
    return Library(games.load("jiu").spec, nodes)


def test_a_library_places_its_best_and_then_leaves_it_to_the_expert() -> None:
    options = rules()
    seeds = np.arange(3, dtype=np.uint64)
    layouts = Layouts.start(options, seeds)
    for point in (G7, H8):
        layouts = layouts.place(np.full(3, point, np.int32))
    placer = LibraryPlacer(small_library())
    known = placer.place(layouts, layouts.allowed(6))
    assert known.tolist() == [G8] * 3
    layouts = layouts.place(known)
    allowed = layouts.allowed(6)
    assert (placer.place(layouts, allowed) == ExpertPlacer().place(layouts, allowed)).all()
    assert (placer.known, placer.asked) == (3, 6)


def test_the_reward_placer_earns_the_most_that_can_be_earned() -> None:
    options = rules()
    layouts = Layouts.start(options, np.arange(4, dtype=np.uint64))
    points = Preparation(1).points.tolist()
    played: list[int] = []
    placer = Wavering(RewardPlacer(), 0.0)
    for _ in range(12):
        placed = placer.place(layouts, layouts.allowed(6))
        best = max(earned(played, move) for move in range(36) if move not in played)
        move = points.index(int(placed[0]))
        if len(played) >= 2:
            assert earned(played, move) == best
        layouts = layouts.place(np.full(4, placed[0], np.int32))
        played.append(move)
    assert {points[move] for move in played[2:4]} == {G8, H7}


def earned(played: list[int], move: int) -> float:
    environment = Preparation(1)
    for before in played:
        environment.play(np.array([before]))
    return float(environment.play(np.array([move]))[0]) if environment.legal_mask()[0, move] else -1


def test_matches_are_played_in_pairs_and_alike_for_the_same_seed() -> None:
    row, ledger = match(rules(), RandomPlacer(), ExpertPlacer(), 12, seed=3)
    again, _ = match(rules(), RandomPlacer(), ExpertPlacer(), 12, seed=3)
    other, _ = match(rules(), RandomPlacer(), ExpertPlacer(), 12, seed=4)
    assert row == again != other
    assert sum(row["pairs"]) == 12
    assert ledger.games == 24 == sum(row["ends"].values())
    assert row["score"] == pytest.approx((row["as_white"] + row["as_black"]) / 2, abs=1e-4)
    assert row["distinct_layouts"] == 24


def test_centres_are_weighed_alike_for_the_same_seed() -> None:
    row, ledger = centre_spread(rules(), 6, 8, seed=2)
    assert row == centre_spread(rules(), 6, 8, seed=2)[0]
    assert ledger.games == 48
    assert row["chance"] == pytest.approx(0.5 / 8**0.5, abs=0.04)
    assert row["limit"] > 0


def test_a_player_is_even_with_itself() -> None:
    row, _ = match(rules(), ExpertPlacer(), ExpertPlacer(), 8, seed=1)
    assert row["pairs"][2] == 8
    assert row["score"] == 0.5


@pytest.mark.parametrize("name", ["jiu-sarsa", "jiu-qlearning"])
def test_the_libraries_that_ship_place_what_they_have_learnt(name: str) -> None:
    agent = agents.load(name)
    agent.reset(1)
    position = games.load("jiu").start()
    for expected in ("G7", "H8", "G8", "H7"):  # the ends of the diagonal, then what pays 10^5
        move = position.move_text(agent.choose(position).move)
        assert move == expected
        position = position.play(move)
    mirrored = agents.load(name)  # White begins on the other end: the same up to a half turn
    mirrored.reset(1)
    turned = games.load("jiu").start().play("H8").play("G7")
    assert turned.move_text(mirrored.choose(turned).move) in ("H7", "G8")


def test_libraries_are_refused_for_other_boards_and_other_questions() -> None:
    with pytest.raises(ValueError, match="14 points a side, not 8"):
        agents.load("jiu-sarsa").choose(games.load("jiu(size=8)").start())
    with pytest.raises(ValueError, match="by cannot be 'heart'"):
        agents.load("jiu-sarsa:by=heart")


# One job


def made_network(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    counts = np.zeros(SHAPE, np.int64)
    BayesPlacer(BlockNetwork(counts))
    np.save(out / "network.npy", counts)


def without_times(run: dict[str, Any]) -> dict[str, Any]:
    kept = copy.deepcopy(run)
    for test in kept["tests"]:
        for ledger in ("training", "playing"):
            for name in ("wall_seconds", "cpu_seconds"):
                del test[ledger][name]
    return kept


def test_a_killed_job_ends_as_one_that_was_not(tmp_path: Path) -> None:
    tests = (Test(1000, 4), Test(2000, 4), Test(2000, 4, visits=2))
    job = Training("figures", Arm("q_learning"), 7, tests, book=True)
    for name in ("straight", "killed"):
        made_network(tmp_path / name)
    straight = job.carry_out(tmp_path / "straight")
    assert [test["trained"] for test in straight["tests"]] == [1000, 2000, 2000]
    assert straight["tests"][2]["library"] > straight["tests"][1]["library"]

    job.carry_out(tmp_path / "killed")
    path = tmp_path / "killed" / "tests" / f"{job.name}.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:2]) + "\n" + lines[2][:40])  # torn in its second test
    job.result(tmp_path / "killed").unlink()
    assert without_times(job.carry_out(tmp_path / "killed")) == without_times(straight)
    assert len(path.read_text().splitlines()) == 4
    books = [tmp_path / name / "libraries" / "q_learning.sgf" for name in ("straight", "killed")]
    assert books[0].read_bytes() == books[1].read_bytes()
    other = Training("figures", Arm("q_learning"), 7, tests[:1])
    with pytest.raises(TempoError, match="other settings"):
        other.carry_out(tmp_path / "killed")


def test_workers_end_when_their_starter_is_killed() -> None:
    script = (
        "import time\n"
        "from tempo.cluster.workers import Processes\n"
        "calls = [(time.sleep, (0,)), (time.sleep, (60,)), (time.sleep, (60,))]\n"
        "for _ in Processes(2).results(calls): print('running', flush=True)\n"
    )
    starter = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    assert starter.stdout.readline() == "running\n"
    workers = [int(pid) for pid in children(starter.pid)]
    assert len(workers) >= 2
    os.kill(starter.pid, signal.SIGKILL)
    starter.wait()
    deadline = time.monotonic() + 10
    while any(alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(pid) for pid in workers)


def test_ctrl_c_ends_the_workers_too() -> None:
    script = (
        "import time\n"
        "from tempo.interrupts import handled\n"
        "from tempo.cluster.workers import Processes\n"
        "calls = [(time.sleep, (0,)), *[(time.sleep, (60,))] * 9]\n"
        "with handled():\n"
        "    for _ in Processes(4).results(calls): print('running', flush=True)\n"
    )
    starter = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert starter.stdout is not None
    assert starter.stdout.readline() == "running\n"
    os.killpg(starter.pid, signal.SIGINT)  # as a terminal does
    assert starter.communicate(timeout=30) == ("", "tempo: interrupted\n")
    assert starter.returncode == 130


def children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


# Statistics


@pytest.mark.parametrize(("t", "freedom"), [(12.706, 1), (2.776, 4), (2.086, 20), (2.069, 23)])
def test_student_p_by_its_table(t: float, freedom: int) -> None:
    assert judging.student_p(t, freedom) == pytest.approx(0.05, abs=1e-4)
    assert judging.student_p(0.0, freedom) == pytest.approx(1.0)


def test_student_is_that_of_scipy() -> None:
    """Equal at whole degrees of freedom; between them never too small."""
    from scipy import stats  # noqa: PLC0415 - the oracle is slow to load

    for freedom in (*range(1, 120), 500):
        assert judging.student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=3e-3)
        assert judging.student(freedom + 0.7) >= stats.t.ppf(0.975, freedom + 0.7)
    for t, freedom in ((0.3, 1.4), (2.1, 3.0), (2.8, 7.7), (4.4, 60.5)):
        assert judging.student_p(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-9)


def test_effects_by_hand() -> None:
    effect = judging.effect_of([0.6, 0.7, 0.8], 0.5)  # t = 0.2 / (0.1 / sqrt 3) = 3.464, p = 0.0742
    assert effect is not None
    assert effect.mean.value == pytest.approx(0.2)
    assert effect.p == pytest.approx(0.0742, abs=1e-3)
    slope = judging.slope_of([0.0, 1.0, 2.0, 3.0], [1.0, 3.1, 4.9, 7.0])
    assert slope is not None
    assert slope.mean.value == pytest.approx(1.98)
    assert slope.p < 0.001
    assert judging.slope_of([0.1, 0.1, 0.1], [1.0, 2.0, 3.0]) is None
    even = judging.effect_of([0.5, 0.5], 0.5)
    assert even is not None
    assert even.p == 1.0


@pytest.mark.parametrize(
    ("effect", "adjusted", "verdict"),
    [
        (Effect(Mean(0.1, 0.05, 0.15), 0.001), 0.01, "reproduced"),
        (Effect(Mean(0.1, 0.05, 0.15), 0.03), 0.2, "same direction"),
        (Effect(Mean(0.1, -0.05, 0.25), 0.2), 1.0, "undecided"),
        (Effect(Mean(-0.1, -0.15, -0.05), 0.001), 0.01, "refuted"),
        (None, None, "untestable"),
    ],
)
def test_verdicts_on_an_effect(effect: Effect | None, adjusted: float, verdict: str) -> None:
    assert verdicts.of_effect(effect, adjusted).word == verdict


# A reproduction made up by hand: everything as published.


def as_published(job: Training, test: Test) -> float:
    grown = np.interp(test.games, [5_000, 80_000, 160_000], [0, 1, 1])
    if job.arm.player == "q_learning":
        return 0.5 + 0.16 * float(np.interp(test.games, [5_000, 40_000], [0, 1]))
    if job.arm.player != "sarsa":
        return 0.5
    random = 1 - job.arm.greedy
    late = float(np.interp(test.games, [5_000, 160_000], [0, 1]))
    return 0.5 + 0.18 * float(grown) + (random - 0.1) * (0.6 * late - 0.2)


def made_row(test: Test, score: float) -> dict[str, Any]:
    wins = round(score * test.pairs)
    ledger = {"wall_seconds": 1.0, "cpu_seconds": 1.0, "games": 1, "moves": 1, "positions": 0,
              "evaluations": 0, "multiply_adds": 0}  # fmt: skip
    return {
        "test": test.name, "games": test.games, "opponent": test.opponent, "visits": test.visits,
        "wavers": test.wavers, "trained": test.games, "reward": 2_202_000.0, "entries": 9,
        "training": ledger, "library": 5, "pairs": [test.pairs - wins, 0, 0, 0, wins],
        "score": score, "as_white": score, "as_black": score, "draws": 0,
        "ends": {"shape": 2 * test.pairs}, "turns": 200.0, "distinct_centres": test.pairs,
        "distinct_layouts": test.pairs, "known": 1.5, "playing": ledger,
    }  # fmt: skip


def made(score: Any, quick: bool = False) -> dict[str, Any]:
    noise = np.random.default_rng(1)
    runs = []
    for job in plan.trainings(5, quick=False):
        tests = [made_row(t, score(job, t) + float(noise.normal(0, 0.004))) for t in job.tests]
        arm = {name: getattr(job.arm, name) for name in Arm.__dataclass_fields__}
        runs.append({"job": job.name, "purpose": job.purpose, **arm, "seed": job.seed,
                     "tests": tests})  # fmt: skip
    ledger = runs[0]["tests"][0]["playing"]
    return {
        "paper": "jiu", "quick": quick, "command": "tempo reproduce jiu", "commit": "0",
        "seeds": [1, 2, 3, 4, 5], "points": list(plan.POINTS), "scale": 1, "workers": 2,
        "wall_seconds": 1.0, "network": {"games": 300, "seed": 300, "ledger": ledger},
        "centres": [{"battle": "paper", "centres": 300, "games": 20, "spread": 0.11,
                     "chance": 0.11, "limit": 0.04}],
        "training": ledger, "playing": ledger, "ledger": ledger, "runs": runs,
    }  # fmt: skip


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    return made(as_published)


def test_claims_that_hold_are_found_reproduced(published: dict[str, Any]) -> None:
    answer = claims.answer(published)
    verdicts = {row["claim"]: row["verdict"] for row in answer["rows"]}
    people = [claim for claim in verdicts if claim.startswith(("Table", "Text"))]
    assert all(verdicts[claim] == "untestable" for claim in people)
    found = {verdict for claim, verdict in verdicts.items() if claim not in people}
    assert found == {"reproduced"}, verdicts


def test_even_matches_reproduce_nothing() -> None:
    answer = claims.answer(made(lambda _job, _test: 0.5))
    assert "reproduced" not in {row["verdict"] for row in answer["rows"]}


def test_the_answer_has_the_shape_that_was_promised(published: dict[str, Any]) -> None:
    answer = claims.answer(published)
    assert {"paper", "commit", "seeds", "rows", "ledger", "training", "playing"} <= answer.keys()
    keys = {"claim", "published", "ours", "low", "high", "games", "verdict"}
    assert all(keys <= row.keys() for row in answer["rows"])
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    people = {row["claim"]: row for row in answer["rows"] if row["kind"] == "humans"}
    junior = people["Table 7: against a junior player, together"]
    assert (junior["published_low"], junior["published_high"]) == (0.571, 0.703)


def test_the_sweep_keeps_the_usual_pair_unless_another_is_clearly_better() -> None:
    def better(gain: float) -> Any:
        return lambda job, _: 0.5 + gain * (job.arm.step_size == 0.3 and job.arm.discount == 0.8)

    assert claims.swept(made(better(0.0)))[1] == (0.1, 0.9)
    assert claims.swept(made(better(0.1)))[1] == (0.3, 0.8)


def test_the_report_is_made_from_stored_results_alone(
    published: dict[str, Any], tmp_path: Path
) -> None:
    both = published | made_up(lambda player, _: 0.6 if "library" in player else 0.5, ideal=0.5)
    (tmp_path / "results.json").write_text(json.dumps(both))
    done = CliRunner().invoke(
        app, ["reproduce", "jiu", "--report-only", "--out", str(tmp_path), "--json"]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["paper"] == "jiu"
    text = (tmp_path / "report.md").read_text()
    assert "**reproduced**" in text
    assert "| Sarsa, positions up to symmetry |" in text
    pytest.importorskip("matplotlib")
    for name in REPORT.captions:
        assert (tmp_path / f"{name}.svg").stat().st_size > 1000
        assert (tmp_path / f"{name}.png").stat().st_size > 1000


def test_quick_results_say_so(published: dict[str, Any]) -> None:
    quick = {**published, "quick": True}
    assert REPORT.quick_note in REPORT.markdown(quick, claims.answer(quick))


def test_parts_of_other_papers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"jiu has no part 'literal'; it has centre .*, own "):
        CliRunner().invoke(app, ["reproduce", "jiu", "--part", "literal"], catch_exceptions=False)
