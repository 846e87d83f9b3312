"""Workers: in turn, in processes, and on a real Ray cluster, one of whose nodes is killed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tempo import arena, recipes
from tempo.cli import app
from tempo.cluster.cores import cores, quota
from tempo.cluster.workers import InTurn, Processes, Workers, workers_of
from tempo.compare import contest
from tempo.compare.plan import Plan, place
from tempo.errors import ParseError, TempoError
from tempo.papers.jobs import Row
from tempo.recipes.general import recipe_of

CORNER = """
class Corner:
    def choose(self, view):
        return view.legal_moves[0]
"""
PLAYERS = ("mcts:sims=30", "alphabeta:depth=1")
SMALL = "gomoku(size=5)"


class Two(InTurn):
    """Splits work as two workers would."""

    size = 2


def doubled(number: int, folder: str = "") -> int:
    """Leaves a trace of every try, and takes a while."""
    if folder:
        (Path(folder) / f"{number}-{os.getpid()}").touch()
        time.sleep(0.2)
    return 2 * number


def refused() -> None:
    raise ParseError("this cannot be")


def fatal() -> None:
    os._exit(1)


def without_times(result: arena.MatchResult) -> list[Any]:
    return [(r.index, r.moves, r.scores, r.seats, r.reason) for r in result.records]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head without cores and two nodes of one core each, on this machine."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "0"}
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - starts threads

    small: dict[str, Any] = {"object_store_memory": 80 * 2**20, "include_dashboard": False}
    made: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **small})
    made.add_node(num_cpus=1, **small)
    made.doomed = made.add_node(num_cpus=1, **small)
    yield made
    made.shutdown()


@pytest.fixture(scope="module")
def on_ray(cluster: Any) -> Iterator[Workers]:
    with workers_of(f"ray={cluster.address}") as workers:
        yield workers


# ---- every kind of workers -----------------------------------------------------------------------


@pytest.mark.parametrize("made", [InTurn, lambda: Processes(2)])
def test_results_have_the_numbers_of_their_calls(made: Callable[[], Workers]) -> None:
    with made() as workers:
        found = dict(workers.results((doubled, (n,)) for n in range(9)))
        again = dict(workers.results([(doubled, (5,))]))
    assert found == {n: 2 * n for n in range(9)}
    assert again == {0: 10}


@pytest.mark.parametrize("made", [InTurn, lambda: Processes(1)])
def test_no_call_begins_after_the_end(made: Callable[[], Workers]) -> None:
    with made() as workers:
        assert list(workers.results([(doubled, (1,))], end=time.monotonic() - 1)) == []


def test_what_a_call_raises_is_raised_here() -> None:
    with Processes(1) as workers, pytest.raises(ParseError, match="this cannot be"):
        list(workers.results([(refused, ())]))


@pytest.mark.parametrize("text", ["", "0", "ray=", "cluster", "-1"])
def test_unknown_workers_are_refused(text: str) -> None:
    with pytest.raises(ParseError):
        workers_of(text)


def test_without_a_cluster_a_sentence_says_how_to_begin_one() -> None:
    words = ["train", "td", "--game", SMALL, "--workers", "ray=127.0.0.1:1", "--out", "none"]
    done = subprocess.run(
        [sys.executable, "-m", "tempo", *words], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "ray start --head" in done.stderr
    assert "Traceback" not in done.stderr
    assert not Path("none").exists()


# ---- cores ---------------------------------------------------------------------------------------


def test_affinity_limits_the_cores() -> None:
    script = (
        "import os; from tempo.cluster.cores import cores\n"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); print(cores())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "1\n"
    assert 1 <= cores() <= len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    ("files", "own", "expected"),
    [
        ({"cpu.max": "150000 100000\n"}, "0::/\n", 2),
        ({"a/cpu.max": "max 100000\n", "cpu.max": "300000 100000\n"}, "0::/a/b\n", 3),
        ({"a/b/cpu.max": "50000 100000\n", "cpu.max": "300000 100000\n"}, "0::/a/b\n", 1),
        ({"cpu/x/cpu.cfs_quota_us": "400000\n", "cpu/x/cpu.cfs_period_us": "100000\n"},
         "3:cpu,cpuacct:/x\n", 4),
        ({"cpu/x/cpu.cfs_quota_us": "-1\n", "cpu/x/cpu.cfs_period_us": "100000\n"},
         "3:cpu:/x\n", 2**31),
        ({"cpu.max": "max 100000\n"}, "0::/\n", 2**31),
        ({}, "", 2**31),
    ],
)  # fmt: skip
def test_control_groups_limit_the_cores(
    tmp_path: Path, files: dict[str, str], own: str, expected: int
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "own").write_text(own)
    assert quota(tmp_path, tmp_path / "own") == expected


# ---- matches and trainings, shared among workers of this process ---------------------------------


def test_a_match_by_workers_has_the_games_of_one_alone() -> None:
    alone = arena.match(PLAYERS, SMALL, games=6, seed=3)
    shared = arena.match(PLAYERS, SMALL, games=6, seed=3, workers=Two())
    assert without_times(shared) == without_times(alone)
    assert shared.ledger["a"].without_times() == alone.ledger["a"].without_times()


def test_agents_given_as_objects_stay_here() -> None:
    from tempo import agents  # noqa: PLC0415

    with pytest.raises(ValueError, match="as an object"):
        arena.match((agents.load("random"), "random"), SMALL, games=2, workers=Two())


def test_a_tournament_by_workers_goes_on_from_its_logs(tmp_path: Path) -> None:
    players = ["random", *PLAYERS]
    alone = arena.tournament(players, SMALL, games=4, log=tmp_path / "alone")
    told: list[int] = []
    shared = arena.tournament(
        players, SMALL, games=4, log=tmp_path / "shared", workers=Two(),
        progress=lambda state: told.append(state.done),
    )  # fmt: skip
    for one, other in zip(shared.matches, alone.matches, strict=True):
        assert without_times(one) == without_times(other)
    assert told == list(range(1, 13))
    again = arena.tournament(
        players, SMALL, games=4, log=tmp_path / "shared", workers=Two(),
        progress=lambda state: told.append(state.done),
    )  # fmt: skip
    assert again.ratings == shared.ratings
    assert told[12:] == list(range(1, 13))  # of the logs


def test_agents_of_a_python_file_play_in_processes(tmp_path: Path) -> None:
    spec = f"{tmp_path / 'corner.py'}:Corner"
    (tmp_path / "corner.py").write_text(
        CORNER.replace("return", "import os; open(f'{__file__}.{os.getpid()}', 'w'); return")
    )
    alone = arena.match((spec, "random"), SMALL, games=4)
    seen = {path.suffix for path in tmp_path.glob("corner.py.*")}
    assert seen == {f".{os.getpid()}"}
    shared = arena.match((spec, "random"), SMALL, games=4, threads=2)
    assert without_times(shared) == without_times(alone)
    assert {path.suffix for path in tmp_path.glob("corner.py.*")} > seen


@pytest.mark.parametrize("learner", ["td", "tree_strap", "dqn", "zero"])
def test_workers_change_nothing_of_a_training(learner: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"games": 5, "iterations": 2, "exam": 0, "hidden": (8,)}
    if learner == "zero":
        given["parts"] = 2
    recipe = recipe_of(learner, "othello(size=4)", given)
    runs = [
        recipes.train(recipe, out=tmp_path / str(i), workers=workers)
        for i, workers in enumerate((None, Two()))
    ]
    rows = [
        [{k: v for k, v in row.items() if "seconds" not in k} for row in r.rows()] for r in runs
    ]
    assert rows[0] == rows[1]
    first, second = (run.trained().arrays for run in runs)
    assert all((first[name] == second[name]).all() for name in first if name.startswith("net."))
    assert runs[1].ledger().cpu_seconds > 0


def test_a_part_of_zero_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    given = {"games": 4, "iterations": 2, "exam": 0, "hidden": (8,), "parts": 2}
    recipe = recipe_of("zero", "othello(size=4)", given)
    whole = recipes.train(recipe, out=tmp_path / "whole", workers=Two())
    short = recipe | {"iterations": 1}
    recipes.train(short, out=tmp_path / "cut", workers=Two())
    cut = recipes.train(recipe, out=tmp_path / "cut", workers=Two(), resume=True)
    first, second = (run.trained().arrays for run in (whole, cut))
    assert all((first[name] == second[name]).all() for name in first)


def test_learners_that_cannot_share_their_games_say_so(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match="learners of any game"):
        recipes.train(recipes.read("gomoku-critic"), out=tmp_path / "no", workers=Two())
    one_part = recipe_of("zero", SMALL, {"games": 4})
    with pytest.raises(ParseError, match="parts=8"):
        recipes.train(one_part, out=tmp_path / "no", workers=Two())
    assert not (tmp_path / "no").exists()


# ---- a real cluster ------------------------------------------------------------------------------


def compared(out: Path, workers: Workers) -> Row:
    plan = Plan(
        ("td", "sarsa"), (place(SMALL),), 1000, seeds=1, games=2, shares=(1.0,),
        rungs=("random",), settings=(("iterations", 1), ("games", 2), ("hidden", (4,))),
    )  # fmt: skip
    found = contest.compare(plan, out, workers=workers, command="")
    return {
        "points": [row["points"][0]["results"] for row in found["trainings"]],
        "pairs": [row["pairs"] for row in found["meetings"]],
    }


def test_a_cluster_plays_trains_and_compares_as_one_machine(
    on_ray: Workers, tmp_path: Path
) -> None:
    assert on_ray.size == 2
    alone = arena.match(PLAYERS, SMALL, games=4, seed=2)
    assert without_times(arena.match(PLAYERS, SMALL, games=4, seed=2, workers=on_ray)) == (
        without_times(alone)
    )
    recipe = recipe_of("td", "othello(size=4)", {"games": 4, "iterations": 2, "exam": 0})
    first, second = (
        recipes.train(recipe, out=tmp_path / str(i), workers=workers).trained().arrays
        for i, workers in enumerate((None, on_ray))
    )
    assert all((first[name] == second[name]).all() for name in first)
    here = compared(tmp_path / "here", InTurn())
    assert compared(tmp_path / "there", on_ray) == here
    with pytest.raises(ParseError, match="this cannot be"):
        list(on_ray.results([(refused, ())]))


def test_a_node_that_dies_loses_only_its_calls(
    cluster: Any, on_ray: Workers, tmp_path: Path
) -> None:
    found: dict[int, int] = {}
    for number, result in on_ray.results((doubled, (n, str(tmp_path))) for n in range(8)):
        found[number] = result
        if len(found) == 2:
            cluster.remove_node(cluster.doomed, allow_graceful=False)
    assert found == {n: 2 * n for n in range(8)}
    tries = [path.name.partition("-")[0] for path in tmp_path.iterdir()]
    assert 8 <= len(tries) <= 10  # what was done before the death was not done again


def test_a_call_that_kills_its_workers_is_given_up(
    cluster: Any, on_ray: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempo.cluster.on_ray.TRIES", 1)
    again = workers_of(f"ray={cluster.address}")
    with pytest.raises(TempoError, match="given up after 1 tries"):
        list(again.results([(fatal, ())]))
    assert dict(on_ray.results([(doubled, (4,))])) == {0: 8}


def test_commands_take_the_address_of_a_cluster(cluster: Any, on_ray: Workers) -> None:
    words = ["match", *PLAYERS, "--game", SMALL, "--games", "2", "--json"]
    done = CliRunner().invoke(app, [*words, "--workers", f"ray={cluster.address}"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["games"] == 2
