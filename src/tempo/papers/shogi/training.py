"""The learning half of the shogi paper: its networks, its ten games, and what more of them give.

A training is one job, and what came of it one small file: games, costs, and the matches that its
networks played at several points on the way; while it is under way it may keep a large checkpoint.
The paper's networks are too large to be kept (169 million weights each), so they play while they
are there. Those of the improved learner are kept, `networks/`, and meet the ladder like any other
player.

All of it takes JAX (the extra `deep`) and computes on the GPU where JAX finds one.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from tempo import recipes
from tempo.agents.base import Choice, Cost
from tempo.agents.dqn import PREFIX
from tempo.arena.seeds import derive
from tempo.arena.statistics import Pairs, pair_interval
from tempo.explore import schedule
from tempo.files import replacing, write_text
from tempo.games import load as load_game
from tempo.learners.fast.dqn_exam import play_random
from tempo.learners.loop import learn
from tempo.ledger import Ledger, Machine
from tempo.papers.jobs import Job, Row
from tempo.papers.shogi.ladder import FIRST_RUNGS, live_meeting
from tempo.papers.shogi.published import TRAINING_GAMES
from tempo.runs import Checkpoint, Run

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View
    from tempo.learners.fast.dqn import Dqn
    from tempo.nets.encoding import Encoding

RECIPES = {
    "faithful": "shogi-dqn-faithful",
    "corrected": "shogi-dqn-corrected",
    "improved": "shogi-dqn",
}
PAPER_KINDS = ("faithful", "corrected")
UNTRAINED = 80  # games of networks that have learnt nothing: a processor must play them too
TESTED, RUNG = 400, 20  # games at every goal: against random moves, against each first rung
CHECKPOINT_SECONDS = 120
ENDLESS = 10**9  # the goals end a training, not its schedule

# A quick run learns from a few short games, and by a small network.
QUICK_GAME = "shogi(length=60)"
QUICK_CHANGES: dict[str, dict[str, Any]] = {
    "corrected": {"game": QUICK_GAME, "every": 12, "first": 20},
    "improved": {
        "game": QUICK_GAME, "channels": 16, "blocks": 1, "half": False, "games": 64, "plies": 16,
        "memory": 20_000, "first": 1_000, "batch": 64, "cap": 60,
    },
}  # fmt: skip

Chooser = Callable[[Any, Any], Any]  # stored positions and bits of legal outputs: best outputs


@dataclass(frozen=True)
class Training(Job):
    """Networks from nothing, tested when each goal is reached."""

    folder = "trainings"
    kind: str  # one of RECIPES
    seed: int
    goals: tuple[int, ...]  # games; of the improved learner, seconds
    tested: int  # games against random moves at every goal
    rung: int  # games against each of the ladder's first rungs
    quick: bool = False

    @property
    def config(self) -> Row:
        """The recipe as it is used."""
        changes: Row = {"exam": 0, **(QUICK_CHANGES.get(self.kind, {}) if self.quick else {})}
        if self.kind == "improved":
            changes["seconds"] = float(self.goals[-1])
        else:
            changes |= {"plies": 1, "steps": ENDLESS}
        return {**recipes.read(RECIPES[self.kind]), **changes}

    @property
    def name(self) -> str:
        """Of its files: other settings, other files."""
        settings = derive(0, json.dumps([asdict(self), self.config], sort_keys=True))
        return f"{self.kind}-{self.goals[-1]}-{self.seed}-{settings:016x}"

    def label(self, goal: int) -> str:
        """What the ladder calls its networks."""
        return f"{self.kind}-{goal}-{self.seed}"

    def network(self, goal: int) -> str:
        """The name of the file in which its networks are kept, where they are."""
        return f"{self.name}-{goal}"

    def work(self, out: Path, threads: int) -> Row:
        """Trains and tests."""
        share_the_device()
        learner: Any = recipes.make_learner(self.config, self.seed, threads)
        learnt = _by_clock if self.kind == "improved" else _by_game
        return {
            "kind": self.kind,
            "seed": self.seed,
            "quick": self.quick,
            "device": device(),
            "weights": _size(learner.nets),
            **learnt(out, self, learner),
            "ledger": (learner.ledger + Ledger.here()).to_json(),
        }


def trainings(seeds: int, quick: bool) -> list[list[Training]]:
    """The paper's ten games by every seed, then ten times as many by fewer: they cost as much more.

    A quick run plays two short games, and by the corrected networks alone: those of the paper are
    too large for it.
    """
    every = range(1, seeds + 1)
    if quick:
        return [[Training("corrected", seed, (2,), 8, 2, quick=True) for seed in every]]
    ten, hundred = TRAINING_GAMES, 10 * TRAINING_GAMES
    return [
        [Training(kind, seed, (ten,), TESTED, RUNG) for kind in PAPER_KINDS for seed in every],
        [
            *(Training("faithful", seed, (hundred,), TESTED, RUNG) for seed in every[:2]),
            *(Training("corrected", seed, (hundred,), TESTED, RUNG) for seed in every[:3]),
        ],
    ]


def untrained(seeds: int, quick: bool) -> list[Training]:
    """Networks as they are drawn, against random moves: the floor of Table 8.

    The corrected ones alone: a move of the others costs 0.2 s of one core.
    """
    games = 4 if quick else UNTRAINED
    return [Training("corrected", seed, (0,), games, 0, quick) for seed in range(1, seeds + 1)]


def improved(quick: bool) -> Training:
    """The improved learner, by the clock: what seconds buy."""
    if quick:
        return Training("improved", 1, (6, 12), 8, 0, quick=True)
    return Training("improved", 1, (15, 30, 60, 120, 240), TESTED, 0)


# A hundred times the paper's games, by the smaller networks and one seed.
LONGER = Training("corrected", 1, (100 * TRAINING_GAMES,), TESTED, RUNG)


# Carrying one out


def share_the_device() -> None:
    """Trainings run side by side: none may take the whole memory of a GPU. Before JAX begins."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")


def device() -> str:
    """Where JAX computes."""
    import jax  # noqa: PLC0415 - the extra `deep`

    found = jax.devices()[0]
    return Machine.here().cpu if found.platform == "cpu" else str(found.device_kind)


def _size(nets: Any) -> int:
    from tempo.nets.qnets import weights  # noqa: PLC0415 - needs JAX

    return weights(nets)


def _by_game(out: Path, training: Training, learner: Dqn) -> Row:
    """Game after game, as the paper did."""
    found: Row = {"games": [], "points": []}
    run, next_save = Run(out / "checkpoints" / training.name, {}), _in_a_while()
    # Checkpoints of the larger networks take longer than what they would save.
    is_kept = training.kind == "corrected"
    if is_kept and (last := run.latest()):
        learner.restore(last.step, last.arrays, last.state["learner"])
        learner.ledger, found = run.ledger(), last.state["found"]
    lines = learn(learner)
    for goal in training.goals[len(found["points"]) :]:
        while learner.games < goal:
            found["games"].append(_one_game(learner, lines))
            if is_kept and time.monotonic() >= next_save:
                state = {"learner": learner.state(), "found": found}
                run.save(Checkpoint(learner.step, learner.arrays(), state), learner.ledger)
                next_save = _in_a_while()
        found["points"].append(_point(training, goal, learner, learner.nets))
    shutil.rmtree(run.folder, ignore_errors=True)
    return found


def _in_a_while() -> float:
    return time.monotonic() + CHECKPOINT_SECONDS


def _one_game(learner: Dqn, lines: Iterator[Row]) -> Row:
    """A line of Table 7."""
    epsilon = schedule(learner.settings.exploration, learner.begun)
    cpu, wall = learner.ledger.cpu_seconds, learner.ledger.wall_seconds
    row: Row = {}
    while "length" not in row:
        row = next(lines)
    return {
        "moves": int(row["length"]),
        "winner": {1.0: 1, 0.0: 2}.get(row["won"], 0),
        "epsilon": round(epsilon, 6),
        "cpu_seconds": round(learner.ledger.cpu_seconds - cpu, 3),
        "wall_seconds": round(learner.ledger.wall_seconds - wall, 3),
    }


def _by_clock(out: Path, training: Training, learner: Dqn) -> Row:
    """Until the last second; the target networks are kept at every goal."""
    points, goals = [], list(training.goals)
    for _ in learn(learner):
        while goals and (learner.ledger.wall_seconds >= goals[0] or learner.done):
            goal = goals.pop(0)
            _keep(out / "networks", training, goal, learner)
            points.append(_point(training, goal, learner, learner.slow))
    return {"games": [], "points": points}


def _keep(folder: Path, training: Training, goal: int, learner: Dqn) -> None:
    """Networks in 16 bits with their recipe beside, as the agent `dqn` reads them.

    They play in 32 bits: ordinary processors have no others.
    """
    from tempo.nets.squares import arrays_of  # noqa: PLC0415 - needs JAX

    arrays = {k: v.astype(np.float16) for k, v in arrays_of(learner.slow, PREFIX).items()}
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / f"{training.network(goal)}.safetensors") as file:
        file.write(save(arrays))
    recipe = {**training.config, "half": False, "seed": training.seed}
    about = json.dumps({"recipe": recipe}) + "\n"
    write_text(folder / f"{training.network(goal)}.json", about)


def _point(training: Training, goal: int, learner: Dqn, nets: Any) -> Row:
    """What the networks can do now, and what they have cost."""
    label, game = training.label(goal), load_game(QUICK_GAME if training.quick else "shogi")
    choose = chooser_of(learner, nets)
    seed = derive(training.seed, "test", goal)
    tested = versus_random(
        game, learner.encoding, choose, games=training.tested, seed=seed, threads=learner.threads
    )
    matches = [{**tested, "group": "table8", "row": f"{label} random", "seed": training.seed}]
    if training.rung:
        agent = Live(label, learner.encoding, choose, learner.method.cost(nets))
        for rung in FIRST_RUNGS:
            matches.append(live_meeting(label, rung, training.rung, training.seed).live(agent))
    return {
        "after": goal,
        "label": label,
        "games": learner.games,
        "moves": learner.moves,
        "updates": learner.updates,
        "ledger": (learner.ledger + Ledger.here()).to_json(),
        "matches": matches,
    }


def chooser_of(learner: Dqn, nets: Any) -> Chooser:
    """How these networks of a learner choose."""
    import jax  # noqa: PLC0415 - the extra `deep`

    from tempo.nets.qmethods import chooser  # noqa: PLC0415

    best = jax.jit(chooser(learner.method, learner.encoding))
    return lambda stored, bits: best(nets, stored, bits)[0]


class Live:
    """Networks at the board while they are in memory, as an agent."""

    def __init__(self, name: str, encoding: Encoding, choose: Chooser, cost: int) -> None:
        self.name, self._encoding, self._choose, self._cost = name, encoding, choose, cost

    def reset(self, seed: int) -> None:
        """Nothing to forget: it plays the same in every game."""

    def choose(self, view: View) -> Choice:
        """The best legal move by the networks."""
        batch = load_game(str(getattr(view, "game", "shogi"))).core.Batch(view, 1)
        legal = self._encoding.legal(batch)
        outputs = np.asarray(self._choose(self._encoding.observe(batch), legal.bits))
        move = int(legal.moves[int(legal.places(outputs)[0])])
        return Choice(move, values=(0.0, 0.0), line=(move,), cost=Cost(1, 1, self._cost))

    def clone(self) -> Live:
        """It has no state: itself."""
        return self


# Table 8


def versus_random(
    game: Game, encoding: Encoding, choose: Chooser, *, games: int, seed: int, threads: int = 1
) -> Row:
    """Games against random moves from the start, side by side; seat 0 in even games.

    Two games that follow each other are a pair.
    """
    spent = Ledger()
    with spent.timing():
        scores, lengths, asked = play_random(
            game, encoding, choose,
            games=games, cap=game.length_bound, seed=seed, threads=threads,
        )  # fmt: skip
    points = (scores + 1) / 2
    spent += Ledger(games=games, moves=asked, evaluations=asked)
    return {
        **tested(points),
        "length": round(float(lengths.mean()), 2),
        "ledger": {"a": (spent + Ledger.here()).to_json()},
    }


def tested(points: NDArray[Any]) -> Row:
    """What points say, by seats and by pairs; those of even games were won as first player."""
    pairs = Pairs.of((points[0::2] + points[1::2]).tolist())
    score = pair_interval(pairs)
    by_seat = {
        seat: [int((points[i::2] == worth).sum()) for worth in (1, 0.5, 0)]
        for i, seat in enumerate(("first", "second"))
    }
    return {
        "games": len(points),
        **by_seat,
        "pairs": list(pairs),
        "score": round(pairs.mean, 5),
        "score_low": round(score.low, 5),
        "score_high": round(score.high, 5),
    }
