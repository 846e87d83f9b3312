"""The shogi paper's reproduction: jobs, parts that are put together, verdicts by hand, report."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tempo import agents
from tempo.arena.ratings import connected
from tempo.arena.statistics import Pairs
from tempo.cli import app
from tempo.ledger import Ledger
from tempo.papers import jobs as running
from tempo.papers import reproduction
from tempo.papers.shogi import claims, costs, ladder, plan, tables
from tempo.papers.shogi import published as printed
from tempo.papers.shogi import training as networks
from tempo.papers.shogi.report import REPORT
from tempo.papers.shogi.searches import Match
from tempo.papers.shogi.training import Training

Row = dict[str, Any]


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


def test_long_matches_do_not_begin_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []

    def noticed(calls: list[Any], *_: Any, **__: Any) -> list[Row]:
        begun.extend(call.__self__.row for call, _ in calls)
        return []

    monkeypatch.setattr(running, "side_by_side", noticed)
    short = replace(SMALL, row="uct-4 random", a="shogi-uct:sims=4")
    running.carry_out(tmp_path, [running.Stage([short, SMALL])], 1)
    assert begun == ["uct-5 random", "uct-4 random"]
    both = jobs("search", quick=False) + jobs("ladder", quick=False)
    found = sorted(both, key=lambda job: job.burden)
    rows = [job.row for job in found if isinstance(job, Match)]
    assert {"rollout 3200", "rollout 1.414"} <= set(rows[-40:])
    assert rows.index("uct-50 random") < 10


# Trainings


class Learner:
    """As much of a learner as is asked for: games of 3, 4, 5, ... moves, won by turns."""

    def __init__(self) -> None:
        self.settings = SimpleNamespace(exploration="exponential")
        self.ledger = Ledger()
        self.games, self.begun, self.moves, self.updates, self._ply = 0, 1, 0, 0, 0
        self.nets, self.slow = "nets", "slow"
        self.step = 0

    def arrays(self) -> dict[str, Any]:
        return {"weights": np.full(3, self.games)}

    def state(self) -> Row:
        return {"games": self.games, "begun": self.begun, "moves": self.moves}

    def restore(self, step: int, arrays: dict[str, Any], state: Row) -> None:
        self.step = step
        assert arrays["weights"].tolist() == [state["games"]] * 3
        for name, value in state.items():
            setattr(self, name, value)

    @property
    def done(self) -> bool:
        return False

    def iterate(self) -> Row:
        self.ledger.wall_seconds += 1
        self.step += 1
        self.moves += 1
        self._ply += 1
        row: Row = {"won": 0.5}
        if self._ply == self.games + 3:
            row = {"length": float(self._ply), "won": (1.0, 0.0, 0.5)[self.games % 3]}
            self.games, self.begun, self._ply = self.games + 1, self.begun + 1, 0
        return row


def noted(_: Training, goal: int, learner: Any, nets: Any) -> Row:
    return {"after": goal, "moves": learner.moves, "nets": nets}


def test_games_are_counted_one_by_one_as_in_table_7(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "_point", noted)
    training = Training("faithful", 1, (2, 10), 4, 0)
    learner: Any = Learner()
    found = networks._by_game(Path(), training, learner)
    assert [game["moves"] for game in found["games"]] == list(range(3, 13))
    assert [game["winner"] for game in found["games"][:4]] == [1, 2, 0, 1]
    epsilons = [game["epsilon"] for game in found["games"]]
    assert epsilons == pytest.approx(printed.EPSILONS, abs=0.001)
    assert epsilons[1] == pytest.approx(0.1 + 0.7 * np.exp(-0.5), abs=1e-6)
    assert [game["wall_seconds"] for game in found["games"][:2]] == [3, 4]
    assert [point["moves"] for point in found["points"]] == [3 + 4, sum(range(3, 13))]
    assert found["points"][0]["nets"] == "nets"


def test_a_long_training_goes_on_from_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networks, "_point", noted)
    monkeypatch.setattr(networks, "CHECKPOINT_SECONDS", 0)
    training = Training("corrected", 1, (2, 6), 4, 0)
    straight: Any = Learner()
    expected = networks._by_game(tmp_path / "other", training, straight)

    class Killed(Learner):
        def iterate(self) -> Row:
            if self.games == 4 and self._ply == 2:
                raise KeyboardInterrupt
            return super().iterate()

    killed: Any = Killed()
    with pytest.raises(KeyboardInterrupt):
        networks._by_game(tmp_path, training, killed)
    assert list((tmp_path / "checkpoints").glob("*/*.safetensors"))
    again: Any = Learner()
    assert networks._by_game(tmp_path, training, again) == expected
    assert again.ledger.wall_seconds == straight.ledger.wall_seconds
    assert not list((tmp_path / "checkpoints").iterdir())


def test_the_clock_decides_when_the_improved_networks_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[tuple[int, float]] = []
    monkeypatch.setattr(networks, "_point", noted)
    monkeypatch.setattr(
        networks, "_keep",
        lambda _, __, goal, learner: kept.append((goal, learner.ledger.wall_seconds)),
    )  # fmt: skip
    training = Training("improved", 1, (3, 7, 10), 4, 0)

    class Ending(Learner):
        @property
        def done(self) -> bool:
            return self.ledger.wall_seconds >= 10

    learner: Any = Ending()
    found = networks._by_clock(tmp_path, training, learner)
    assert kept == [(3, 3), (7, 7), (10, 10)]
    assert [point["nets"] for point in found["points"]] == ["slow"] * 3
    assert training.config["seconds"] == 10


def test_points_are_counted_by_seats_and_by_pairs() -> None:
    found = networks.tested(np.array([1, 0, 0.5, 0.5, 1, 1, 0, 0.5]))
    assert found["first"] == [2, 1, 1]
    assert found["second"] == [1, 2, 1]
    assert found["pairs"] == [0, 1, 2, 0, 1]
    assert found["score"] == pytest.approx(4.5 / 8)


class FirstWins:
    """Stands for game, batch and encoding: a move each, and whoever moves first has won."""

    length_bound = 10

    def __init__(self, games: int = 0, **_: int) -> None:
        self.ply, self.games = 0, games
        self.played: list[Any] = []

    def batch(self, games: int, **_: int) -> FirstWins:
        return FirstWins(games)

    def legal(self, batch: FirstWins) -> Any:
        count = 2 if batch.ply < 2 else 0
        start = count * np.arange(batch.games)
        return SimpleNamespace(
            offsets=count * np.arange(batch.games + 1), moves=np.tile([0, 1], batch.games),
            bits=None, places=lambda chosen: start + chosen, drawn=lambda _: start,
        )  # fmt: skip

    def observe(self, _: FirstWins) -> None:
        return None

    @property
    def turns(self) -> Any:
        return np.full(self.games, self.ply % 2)

    def play(self, moves: Any) -> None:
        self.played.append(moves)
        self.ply += 1
        PLAYED[:] = self.played

    @property
    def scores(self) -> Any:
        return np.tile([1.0, -1.0], (self.games, 1))


PLAYED: list[Any] = []


def test_the_network_sits_at_either_seat_by_turns() -> None:
    stub: Any = FirstWins()
    row = networks.versus_random(stub, stub, lambda *_: np.ones(6, int), games=6, seed=1)
    assert (row["first"], row["second"]) == ([3, 0, 0], [0, 0, 3])
    # Its own moves are 1, random ones 0.
    assert [moves.tolist() for moves in PLAYED] == [[1, 0] * 3, [0, 1] * 3]
    assert row["ledger"]["a"]["moves"] == 6


def test_games_against_random_moves_are_played_to_their_ends_from_both_seats() -> None:
    from tempo.games import load  # noqa: PLC0415
    from tempo.nets.encodings import encoding_of  # noqa: PLC0415

    game = load("minishogi")
    encoding = encoding_of(game, "paper", "paper")

    def first_legal(_: Any, bits: Any) -> Any:
        return np.unpackbits(np.asarray(bits), axis=1, bitorder="little").argmax(1)

    row = networks.versus_random(game, encoding, first_legal, games=8, seed=5)
    assert sum(row["first"]) == sum(row["second"]) == 4
    assert sum(row["pairs"]) == 4
    won, drawn = (row["first"][i] + row["second"][i] for i in (0, 1))
    assert row["score"] == pytest.approx((won + drawn / 2) / 8)
    ledger = row["ledger"]["a"]
    assert abs(ledger["moves"] - 8 * row["length"] / 2) <= 4  # every second move is its own
    again = networks.versus_random(game, encoding, first_legal, games=8, seed=5)
    assert (again["first"], again["second"], again["length"]) == (
        row["first"], row["second"], row["length"])  # fmt: skip


def test_weights_are_counted_as_printed(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    found = costs.Counting().carry_out(tmp_path)["counts"]
    for net, published in printed.WEIGHTS.items():
        assert tuple(found["faithful"][net]["layers"].values()) == published
        assert found["faithful"][net]["total"] == printed.TOTALS[net]
    assert found["corrected"]["s"]["total"] == 25_270_291
    assert found["faithful"]["multiply_adds"] == pytest.approx(2 * 226.65e6, rel=1e-4)


# The ladder's matches, and parts that are put together


SMALL = ladder.Meeting("ladder", "uct-5 random", "shogi-uct:sims=5", "random", 4, game="minishogi")


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


def in_turn(
    calls: list[Any], workers: int, tell: Callable[[], None], *, fresh: bool
) -> Iterator[Row]:
    for call, given in calls:
        yield call(*given)
        tell()


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
    monkeypatch.setattr(running, "side_by_side", in_turn)
    one, other = tmp_path / "one", tmp_path / "other"
    told: list[tuple[int, int]] = []
    for out, part in ((one, "search"), (other, "ladder")):
        found = reproduction.reproduce(
            shortened, out, seeds=2, quick=True, workers=1, command="tempo reproduce shogi --quick",
            parts=[part], progress=lambda done, total, _: told.append((done, total)),
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


# Verdicts by hand


def ledger(seconds: float = 1.0, multiply_adds: int = 0) -> Row:
    return Ledger(cpu_seconds=seconds, moves=100, multiply_adds=multiply_adds).to_json()


def met(row: str, pairs: tuple[int, ...], group: str = "ladder") -> Row:
    sides = {"a": ledger(seconds=1.0), "b": ledger(seconds=0.5)}
    return {"group": group, "row": row, "games": 2 * sum(pairs), "pairs": list(pairs),
            "ledger": sides}  # fmt: skip


def table6(row: str, won: float, moves: int) -> Row:
    each = [{"moves": moves + i % 2, "seconds": 1.0 + i % 2, "points": 1, "reason": ""}
            for i in range(200)]  # fmt: skip
    return {**met(row, (0, 0, 0, 0, 100), "table6"), "won": won, "won_low": won - 0.04,
            "won_high": won + 0.04, "draws": 3, "losses": 4, "length": moves, "each": each,
            "move_seconds": {"a": 0.02, "b": 0.0}}  # fmt: skip


def trained(
    kind: str, seed: int, first: tuple[int, ...], second: tuple[int, ...], moves: int
) -> Row:
    """Ten games of so many moves, and forty test games."""
    games = [{"moves": moves, "winner": k % 2, "epsilon": epsilon}
             for k, epsilon in enumerate(printed.EPSILONS)]  # fmt: skip
    points = np.repeat([1.0, 0.5, 0.0], first), np.repeat([1.0, 0.5, 0.0], second)
    row = networks.tested(np.stack(points, axis=1).reshape(-1))
    label = f"{kind}-10-{seed}"
    test = {**row, "group": "table8", "row": f"{label} random", "seed": seed, "length": 300.0,
            "ledger": {"a": ledger()}}  # fmt: skip
    point = {"after": 10, "label": label, "games": 10, "moves": 10 * moves, "updates": 9,
             "ledger": ledger(multiply_adds=10**12), "matches": [test]}  # fmt: skip
    return {"kind": kind, "seed": seed, "quick": False, "device": "a device", "weights": 5,
            "games": games, "points": [point], "ledger": ledger()}  # fmt: skip


def timed(kind: str, playing: float, learning: float) -> Row:
    return {"kind": kind, "on_cpu": True, "device": "a core",
            "playing": [[9.0, playing], [9.0, 1.01 * playing]],
            "learning": [[9.0, learning], [9.0, 1.01 * learning]]}  # fmt: skip


@pytest.fixture
def results() -> Row:
    layers = {
        kind: {
            "multiply_adds": 10,
            **{net: {"layers": dict(zip(printed.LAYERS, published, strict=True)),
                     "total": sum(published)}
               for net, published in printed.WEIGHTS.items()},
        }
        for kind in ("faithful", "corrected")
    }  # fmt: skip
    trainings = [
        trained("faithful", seed, (8 + seed % 2, 24, 8 - seed % 2), (12, 20, 8), 336)
        for seed in range(1, 6)
    ]
    trainings += [trained("corrected", seed, (30, 8, 2), (32, 6, 2), 60) for seed in range(1, 6)]
    matches = [table6(f"{values} {c}", won, 190) for values, won in (("rollout", 0.7), ("path", 1))
               for c in (1.414, 1.187)]  # fmt: skip
    matches += [
        met("uct-50 random", (0, 0, 10, 20, 20)), met("uct-1600 random", (0, 0, 0, 10, 40)),
        met("uct-1600 uct-50", (0, 10, 20, 10, 10)),
    ]  # fmt: skip
    machine = ledger()
    return {
        "paper": "shogi", "quick": False, "command": "tempo reproduce shogi", "commit": "c",
        "game": "shogi", "seeds": [1, 2, 3, 4, 5], "workers": 2, "wall_seconds": 1.0,
        "parts": {"search": [1, 2]}, "counts": layers, "trainings": trainings, "matches": matches,
        "times": [timed("faithful", 0.2, 3.0), timed("corrected", 0.01, 0.3),
                  timed("improved", 0.004, 0.1)],
        "shipped": None, "training": machine, "playing": machine, "ledger": machine,
    }  # fmt: skip


def verdicts(results: Row) -> dict[str, str]:
    return {row["claim"]: row["verdict"] for row in claims.answer(results)["rows"]}


def test_claims_are_judged_as_by_hand(results: Row) -> None:
    found = verdicts(results)
    assert found["Table 4: all weights, s-network"] == "reproduced"
    assert found["Table 4: weights of layer 4, s-network"] == "reproduced"
    rollout, path = (f"Table 6: UCT (C = 1.414, values of the {v})" for v in ("rollout", "path"))
    assert found[f"{rollout} wins against random"] == "reproduced"
    assert found[f"{path} wins against random"] == "same direction"
    assert found[f"{rollout}, moves a game"] == "reproduced"
    assert found[f"{rollout}, seconds a move"] == "untestable"
    assert found["Table 7: faithful DQN, moves a training game"] == "reproduced"
    assert found["Table 7: corrected DQN, moves a training game"] == "not reproduced"
    assert found["Table 7: faithful DQN, training games that somebody won"] == "reproduced"
    assert found["Table 7: faithful DQN, largest difference from the ten ε"] == "reproduced"
    assert found["Table 8: faithful DQN wins as first player"] == "reproduced"
    assert found["Table 8: corrected DQN wins as first player"] == "not reproduced"
    assert found["Table 8: faithful DQN draws"] == "reproduced"
    # 0.525 is called even: the interval of ours must stay within 0.05 of that.
    assert found["Table 8: faithful DQN, score against random less an even match"] in (
        "reproduced", "same direction")  # fmt: skip
    assert found["Table 8: corrected DQN, score against random less an even match"] == (
        "not reproduced"
    )
    wins = "Conclusion: UCT wins more against random than the"
    assert found[f"{wins} faithful DQN"] in ("reproduced", "same direction")
    assert found[f"{wins} corrected DQN"] == "not reproduced"
    # 0.02 s of search against 0.2 s and 0.01 s of networks; 1.73 was published.
    longer = "Conclusion: a move of UCT takes longer than one of the"
    assert found[f"{longer} faithful DQN (log10 of times)"] == "not reproduced"
    assert found[f"{longer} corrected DQN (log10 of times)"] == "same direction"


def test_one_weight_more_or_none_counted_is_no_reproduction(results: Row) -> None:
    results["counts"]["faithful"]["s"]["layers"]["dense 441"] += 1
    assert verdicts(results)["Table 4: weights of layer 5, s-network"] == "not reproduced"
    results["counts"] = None
    assert verdicts(results)["Table 4: all weights, a-network"] == "untestable"


def test_differences_are_corrected_for_their_number(results: Row) -> None:
    rows = claims.answer(results)["rows"]
    tested = [row for row in rows if "p" in row]
    assert len(tested) == 2 * 5
    assert all(row["p_holm"] >= row["p"] - 1e-4 for row in tested)
    assert "effect" not in json.dumps(rows)


def test_the_training_counts_in_games_of_the_search(results: Row) -> None:
    row = next(r for r in claims.answer(results)["rows"]
               if r["claim"].startswith("Conclusion: faithful DQN, log10"))  # fmt: skip
    # Ten games of 336 moves at 3.015 s (the median), and 1.5 s a game of UCT.
    assert row["ours"] == pytest.approx(np.log10(3360 * 3.015 / 1.5), abs=1e-3)
    assert row["published"] == pytest.approx(np.log10(2772 / 109.4), abs=1e-3)


def test_missing_parts_leave_their_claims_untestable(results: Row) -> None:
    results |= {"trainings": [], "matches": [], "times": [], "counts": None}
    found = verdicts(results)
    assert set(found.values()) == {"untestable"} | {found[c] for c in found if "Elo" in c}
    assert REPORT.markdown(results, claims.answer(results))


# Ratings


def test_ratings_come_from_all_meetings_with_random_play_at_0(results: Row) -> None:
    ratings = tables.ladder(results)
    assert ratings["random"].rating == 0
    assert ratings["uct-1600"].rating > ratings["uct-50"].rating > 100
    assert abs(ratings["faithful-10-1"].rating) < 60
    assert ratings["corrected-10-2"].rating > 200
    # Two blocks of one meeting are one meeting.
    twice = {**results, "matches": [*results["matches"], met("uct-50 random", (0, 0, 0, 0, 50))]}
    assert tables.meetings(twice)["uct-50", "random"] == (0, 0, 10, 20, 70)
    assert tables.ladder(twice)["uct-50"].rating > ratings["uct-50"].rating
    # Who has met nobody that has met random play has no rating.
    apart = {**results, "matches": [*results["matches"], met("ab-1 ab-2", (0, 0, 1, 0, 0))]}
    assert "ab-1" not in tables.ladder(apart)


def test_standings_know_what_learning_and_playing_cost(results: Row) -> None:
    found = {s.label: s for s in tables.standings(results)}
    assert found["uct-50"].move_seconds == pytest.approx((1 + 0.5) / 200)
    assert found["uct-50"].multiply_adds == 0
    network = found["faithful-10-3"]
    assert network.move_seconds == pytest.approx(0.201)
    assert (network.multiply_adds, network.budget, network.seed) == (10**12, 10, 3)


# The report


def test_the_report_shows_tables_and_figures(results: Row, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    answer = claims.answer(results)
    REPORT.write(tmp_path, results, answer)
    text = (tmp_path / "report.md").read_text()
    for name in REPORT.captions:
        assert f"({name}.svg)" in text
        assert (tmp_path / f"{name}.png").stat().st_size > 5_000
    for part in ("168,033,936", "49.5", "0.525", "faithful-10-1", "uct-1600", "320"):
        assert part in text, part
    assert json.loads((tmp_path / "answer.json").read_text()) == json.loads(json.dumps(answer))
    fields = {"claim", "published", "ours", "low", "high", "games", "verdict"}
    assert all(fields <= row.keys() for row in answer["rows"])


def test_at_equal_strength_the_cheapest_search_is_named(results: Row) -> None:
    text = REPORT.markdown(results, claims.answer(results))
    line = next(x for x in text.splitlines() if x.startswith("| corrected-10-1 |")
                and "none here" in x)  # fmt: skip
    assert "uct-" in line or line.count("none here") == 3
