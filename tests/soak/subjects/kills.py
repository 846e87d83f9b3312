"""Kills: kill -9 at random moments, and the files of one that was never killed, byte for byte.

Trainings of every learner, matches, tournaments, reproductions and the server. What is compared is
everything but times, and what a machine is called.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from game_data import ROOT

from soak.subject import Subject
from soak.subjects.files import scratch
from tempo.learners.registry import kinds
from tempo.nets.registry import GUIDED
from tempo.recipes.general import recipe_of
from tempo.runs import read_checkpoint, toml_text

PATIENCE = 600.0  # seconds for one command on a busy machine
TIMES = ("second", "memory", "machine", "load", "commit", "date")  # in names of what may differ

# A training of a few seconds for each learner. A learner of a recipe that is missing here fails.
QUICK: dict[str, dict[str, Any]] = {
    "search_td": {
        "ending": "KQK", "play_depth": 1, "rule": "tree_strap", "discount": 0.95, "hidden": [8],
        "optimizer": "adam", "step_size": 1e-3, "final_share": 0.1, "batch": 64, "updates": 5,
        "exploration": "0.2", "stages": [{"games": 50, "iterations": 30, "depth": 2}],
    },
    "tree_strap": {
        "learner": "tree_strap", "game": "gomoku(size=9)", "steps": 30, "games": 4, "depth": 1,
        "positions": 300, "record": 60, "step_size": 0.03, "final_share": 0.1,
    },
    "td_leaf": {
        "learner": "td_leaf", "game": "shogi(length=40)", "trace": 0.25, "step_size": 0.1,
        "opening": 4, "stages": [{"iterations": 15, "games": 2, "terms": 57},
                                 {"iterations": 15, "games": 2}],
    },
    "regression": {
        "learner": "regression", "game": "gomoku(size=9)", "steps": 16, "games": 4,
        "positions": 200, "hidden": 8, "pool": 4000, "updates": 5, "batch": 32,
    },
    "tabular": {"learner": "tabular", "games": 3000, "parallel": 50, "report": 100},
    "adp": {
        "learner": "adp", "game": "gomoku", "hidden": 8, "repeats": 5,
        "stages": [{"games": 4, "iterations": 15, "random_opening": True},
                   {"games": 4, "iterations": 15}],
    },
    "dqn": {
        "learner": "dqn", "game": "minishogi", "reward": "material", "method": "joint", "steps": 8,
        "plies": 4, "games": 16, "channels": 4, "blocks": 1, "exploration": "0.5", "opening": 4,
        "memory": 2048, "first": 32, "batch": 32, "n_step": 2, "random_share": 0.3, "exam": 8,
        "exam_every": 4, "cap": 20,
    },
    "truncated": {"learner": "truncated", "game": "siguo", "games": 60, "report": 3, "steps": 5},
    "results": {"learner": "results", "game": "siguo", "steps": 20, "games": 2, "step_size": 0.02},
}  # fmt: skip


@lru_cache
def trainings() -> dict[str, dict[str, Any]]:
    """Recipes by kind: those above, and each learner of the registry with one net after another."""
    found, nets = dict(QUICK), cycle(["table", "linear", "dense"])
    few = {"iterations": 60, "games": 8, "exam": 4}
    for name, kind in kinds().items():
        net = kind.usual.net if kind.usual.net in GUIDED else next(nets)
        found[f"any.{name}"] = recipe_of(name, "othello(size=6)", {**few, "net": net})
    return found


@dataclass(frozen=True)
class Plan:
    """What is begun, and how far it is let come before each kill: shares of its whole work."""

    what: str
    seed: int
    kills: tuple[float, ...]
    delay: float  # seconds from there to the kill


def plan(names: Sequence[str]) -> Callable[[Random], Plan]:
    """Plans of one kill or several."""

    def make(random: Random) -> Plan:
        shares = sorted(random.random() for _ in range(random.choice((1, 1, 2, 3))))
        # Two seeds: the undisturbed run of each is made once.
        return Plan(
            random.choice(names), random.choice((1, 2)), tuple(shares), random.uniform(0, 0.2)
        )

    return make


def command(*words: str) -> list[str]:
    """`tempo` as a process of this Python."""
    return [sys.executable, "-c", "from tempo.cli import main; main()", *words]


def started(words: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """A command under way in a group of its own."""
    log = (folder.parent / f"{folder.name}.said").open("ab")
    with log:
        return subprocess.Popen(
            words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "JAX_PLATFORMS": "cpu"},
        )  # fmt: skip


def finished(words: Sequence[str], folder: Path) -> None:
    """A command to its end; anything but success is a fault."""
    process = started(words, folder)
    try:
        status = process.wait(3 * PATIENCE)
    finally:
        end(process)
    said = (folder.parent / f"{folder.name}.said").read_text(errors="replace")
    assert status == 0, f"exit status {status}: {said[-1500:]}"
    assert "Traceback" not in said, said[-1500:]


def end(process: subprocess.Popen[bytes]) -> None:
    """kill -9 for a command and all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def killed(words: Sequence[str], folder: Path, far: Callable[[], float], plan: Plan) -> int:
    """Begins a command again and again and kills it; how often it was really in the middle."""
    count = 0
    for share in plan.kills:
        process = started(words, folder)
        until = time.monotonic() + PATIENCE
        while process.poll() is None and far() < share and time.monotonic() < until:
            time.sleep(0.005)
        time.sleep(plan.delay)
        count += process.poll() is None
        end(process)
    return count


def lines(path: Path) -> int:
    """Whole lines of a file."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


# ---- what is compared ----------------------------------------------------------------------------


def timeless(data: Any) -> Any:
    """An object of JSON without times."""
    if isinstance(data, dict):
        return {k: timeless(v) for k, v in data.items() if not any(word in k for word in TIMES)}
    return [timeless(one) for one in data] if isinstance(data, list) else data


def contents(folder: Path) -> dict[str, Any]:
    """Every file of a folder, as far as it must be the same."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_dir() or path.suffix in (".svg", ".png") or path.name == ".lock":
            continue
        if path.suffix == ".safetensors":
            stored = read_checkpoint(path)
            arrays = {key: (a.dtype.str, a.shape, a.tobytes()) for key, a in stored.arrays.items()}
            found[name] = (stored.step, timeless(stored.state), arrays)
        elif path.suffix == ".json":
            found[name] = timeless(json.loads(path.read_text()))
        elif path.suffix == ".jsonl":
            rows = [timeless(json.loads(line)) for line in path.read_text().splitlines()]
            # Games of a match are written as they end, its header first.
            found[name] = sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
        elif path.suffix == ".md":
            continue  # tells times in words; it is made from results.json
        else:
            found[name] = path.read_bytes()
    return found


def same(one: Path, two: Path, *, last_only: bool = False) -> None:
    """Two folders hold the same; of checkpoints the last, for older ones depend on the clock."""
    a, b = contents(one), contents(two)
    if last_only:
        for found in (a, b):
            for old in sorted(name for name in found if name.startswith("checkpoint-"))[:-1]:
                del found[old]
    assert a.keys() == b.keys(), (sorted(a), sorted(b))
    for name in a:
        assert a[name] == b[name], f"{name} differs: {str(a[name])[:300]} {str(b[name])[:300]}"


# ---- trainings -----------------------------------------------------------------------------------


def train_words(kind: str, seed: int, folder: Path) -> list[str]:
    """A training, begun or gone on with."""
    recipe = scratch() / f"{kind}.toml"
    recipe.write_text(toml_text(trainings()[kind]))
    return command(
        "train",
        str(recipe),
        "--seed",
        str(seed),
        "--out",
        str(folder),
        "--threads",
        "1",
        "--checkpoint-seconds",
        "0",
    )


@lru_cache
def whole_training(kind: str, seed: int) -> Path:
    """The run of a training that nobody disturbed."""
    folder = scratch() / f"whole-{kind}-{seed}"
    finished(train_words(kind, seed, folder), folder)
    return folder


def kill_training(given: Plan) -> str:
    """A training that was killed ends with the files of one that was not."""
    whole = whole_training(given.what, given.seed)
    total = lines(whole / "log.jsonl")
    folder = fresh(f"killed-{given.what}")
    count = 0
    for share in given.kills:
        words = train_words(given.what, given.seed, folder)
        again = ["--resume"] if (folder / "config.toml").exists() else []
        one = Plan(given.what, given.seed, (share,), given.delay / 5)
        count += killed([*words, *again], folder, lambda: lines(folder / "log.jsonl") / total, one)
    again = ["--resume"] if (folder / "config.toml").exists() else []
    finished([*train_words(given.what, given.seed, folder), *again], folder)
    same(whole, folder, last_only=True)
    return f"accepted, {given.what}" if count else "accepted, ended before the kill"


def fresh(name: str) -> Path:
    """A folder that is not there."""
    folder = scratch() / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder.parent / f"{name}.said").unlink(missing_ok=True)
    return folder


# ---- matches -------------------------------------------------------------------------------------

MATCHES = {
    "match": (
        "match",
        "random",
        "mcts:sims=300",
        "-g",
        "gomoku(size=9)",
        "-n",
        "30",
        "--threads",
        "2",
    ),
    "siguo": ("match", "random", "siguo-heuristic", "-g", "siguo", "-n", "40", "--threads", "2"),
    "tournament": (
        "tournament",
        "random",
        "mcts:sims=100",
        "alphabeta:depth=1",
        "-g",
        "gomoku(size=9)",
        "-n",
        "10",
        "--threads",
        "2",
    ),
}


def match_words(what: str, seed: int, folder: Path) -> list[str]:
    """A match with its log in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder if what == "tournament" else folder / "games.jsonl"
    return command(*MATCHES[what], "--seed", str(seed), "--log", str(log))


@lru_cache
def whole_match(what: str, seed: int) -> Path:
    """The logs of a match that nobody disturbed."""
    folder = scratch() / f"whole-{what}-{seed}"
    finished(match_words(what, seed, folder), folder)
    return folder


def kill_match(given: Plan) -> str:
    """A match that was killed goes on from its log and ends with the same games."""
    whole = whole_match(given.what, given.seed)
    total = sum(map(lines, whole.rglob("*.jsonl")))
    folder = fresh(f"killed-{given.what}")
    words = match_words(given.what, given.seed, folder)
    count = killed(words, folder, lambda: sum(map(lines, folder.rglob("*.jsonl"))) / total, given)
    finished(words, folder)
    same(whole, folder)
    return f"accepted, {given.what}" if count else "accepted, ended before the kill"


# ---- reproductions -------------------------------------------------------------------------------

PAPERS = ("jiu", "siguo", "gomoku")  # whose short runs take a few minutes on two cores


def paper_words(paper: str, folder: Path) -> list[str]:
    """A short reproduction."""
    return command(
        "reproduce", paper, "--quick", "--seeds", "2", "--jobs", "2", "--out", str(folder)
    )


@lru_cache
def whole_paper(paper: str) -> Path:
    """The folder of a reproduction that nobody disturbed."""
    folder = scratch() / f"whole-paper-{paper}"
    finished(paper_words(paper, folder), folder)
    return folder


def kill_paper(given: Plan) -> str:
    """A reproduction that was killed ends with the same results."""
    whole = whole_paper(given.what)
    total = sum(1 for _ in whole.rglob("*"))
    folder = fresh(f"killed-paper-{given.what}")
    words = paper_words(given.what, folder)
    count = killed(words, folder, lambda: sum(1 for _ in folder.rglob("*")) / total, given)
    finished(words, folder)
    one, two = (json.loads((path / "results.json").read_text()) for path in (whole, folder))
    for results in (one, two):
        results.pop("ledger", None)
    assert timeless(one) == timeless(two)
    return f"accepted, {given.what}" if count else "accepted, ended before the kill"


# ---- the server ----------------------------------------------------------------------------------


def server_plan(random: Random) -> dict[str, Any]:
    """How many tables, how many kills, and how long everybody plays between them."""
    return {"games": random.randrange(2, 8), "kills": random.choice((1, 2)),
            "seconds": random.uniform(0.5, 3)}  # fmt: skip


def kill_server(given: dict[str, Any]) -> str:
    """Nothing that anybody was told is lost."""
    sys.path.append(str(ROOT / "tools"))
    import kill_page  # noqa: PLC0415
    from page_server import PageServer  # noqa: PLC0415

    folder = fresh("server-killed")
    folder.mkdir()
    with PageServer(folder) as server:
        found = asyncio.run(
            kill_page.trial(server, given["games"], given["kills"], given["seconds"])
        )
    assert not found["lost"], found
    assert "Traceback" not in server.log.read_text(), server.log.read_text()[-1500:]
    return "accepted" if found["moves"] else "accepted, nobody moved"


def subjects() -> Iterator[Subject]:
    """Each input takes seconds or minutes; `make test` has tests of its own for these."""
    heavy: dict[str, Any] = {"slice": 0, "patience": 2 * PATIENCE, "memory": 0, "refusals": ()}
    for kind in trainings():
        yield Subject(
            f"kills.train.{kind}", plan([kind]), kill_training, most=50, least=20, **heavy
        )
    for what in MATCHES:
        yield Subject(f"kills.{what}", plan([what]), kill_match, most=100, least=15, **heavy)
    slow = {**heavy, "patience": 6 * PATIENCE}
    yield Subject("kills.reproduce", plan(PAPERS), kill_paper, most=6, least=900, **slow)
    yield Subject("kills.server", server_plan, kill_server, most=100, least=15, **heavy)
