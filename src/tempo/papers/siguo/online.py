"""The Siguo paper on-line: learning at every own move, against opponents (its Algorithm 2).

The paper's system learns while it plays "a mixture of human and computer opponents", and its tables
count the games in which it does. So here: two seats by one network against two of the stand-in that
the other reading is tested with, taught at every own move; the first 100 games are the tables'.

Fixed before the trainings, on seeds 101 to 110: the stand-in and the limit of plies are those of
the other reading, where on-line Q-learning wins 15.7 and loses 7.1 % (published 15 and 7). The
first temperature is the lowest there is: 9 % of Metropolis's moves are not the best (published 6 of
79); at 0.003 it is 11 to 17 %.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from tempo import recipes
from tempo.arena.seeds import derive
from tempo.learners.fast.truncated import Settings, Truncated
from tempo.learners.loop import learn
from tempo.ledger import Ledger
from tempo.papers.jobs import Job, Row, digest
from tempo.papers.siguo.published import Arm
from tempo.papers.siguo.testing import GAME, MOST_PLIES, NOTICES, examined

GROUP = "online"
SEEDS = 8  # for each of the other reading
GAMES, QUICK_GAMES = 500, 100
WINDOW = 25
LONGER, LONGER_SEEDS = 2000, 4  # games of the arms of Table III, and seeds for each
PAIRS, QUICK_PAIRS = 50, 4
TEMPERATURE = 0.001

_AGAINST = {
    "game": f"{GAME}(max_plies={MOST_PLIES})",
    "opponents": "stand-in",
    "notices": NOTICES,
    "temperature": TEMPERATURE,
}
_ONLINE = {**_AGAINST, "online": True}

ARMS = {
    "q": Arm("Q-learning", "siguo-q", _ONLINE),
    "q-epsilon": Arm("ε-greedy", "siguo-q-epsilon", _ONLINE),
    "ttd-adaptive": Arm("TTD, adaptive λ", "siguo-ttd-adaptive", _ONLINE),
    "metropolis": Arm("Metropolis", "siguo-metropolis", _ONLINE),
    "metropolis-ttd": Arm("Metropolis + TTD", "siguo-metropolis-ttd", _ONLINE),
    "q-lambda": Arm("Q(0.3)", "siguo-qlambda", _ONLINE),
    "ttd": Arm("TTD(0.3, 20)", "siguo-ttd", _ONLINE),
    "ttd-moves": Arm(
        "TTD, λ falling within a game", "siguo-ttd-adaptive", {**_ONLINE, "adaptive": "moves"}
    ),
    "ttd-long": Arm("TTD(0.9, 20)", "siguo-ttd", {**_ONLINE, "trace": 0.9, "step_size": 0.3}),
    "averaged": Arm("TTD(0.9, 20) after games, averaged", "siguo-ttd-averaged", _AGAINST),
}
TABLE_ARMS = ("q", "q-epsilon", "ttd-adaptive", "metropolis", "metropolis-ttd")
LOGGED = ("games", "moves", "explored", "decided", "won", "loss", "trace", "weights")


@dataclass(frozen=True)
class OnlineTraining(Job):
    """One training, the games of which are its own test, and a test without learning after it."""

    arm: str
    seed: int
    games: int
    quick: bool

    @property
    def recipe(self) -> Row:
        """What it is trained by."""
        arm = ARMS[self.arm]
        length = {"games": self.games, "report": WINDOW}
        return {**recipes.read(arm.recipe), **arm.changes, **length}

    @property
    def name(self) -> str:
        """Of its file: other settings, other files."""
        settings: Settings = recipes.settings_of(self.recipe)
        config = [asdict(self), asdict(settings), MOST_PLIES, PAIRS]
        return f"{GROUP}-{self.arm}-{self.games}-{self.seed}-{digest(config)}"

    def work(self, out: Path, threads: int) -> Row:
        """Trains and tests."""
        # Trainings of one number begin with the same weights and deals, whatever their arm.
        learner = recipes.make_learner(self.recipe, derive(self.seed, GROUP))
        assert isinstance(learner, Truncated), "the paper's recipes name no other learner"
        playing = Ledger()
        log = list(learn(learner))
        pairs = QUICK_PAIRS if self.quick else PAIRS
        return {
            "group": GROUP,
            "arm": self.arm,
            "seed": self.seed,
            "games": self.games,
            "curves": {name: [round(line[name], 6) for line in log] for name in LOGGED},
            "undone": round(sum(line.get("undone", 0.0) for line in log) / len(log), 4),
            "end": examined(learner, pairs, derive(self.seed, GROUP, "test"), playing),
            "training": (learner.ledger + Ledger.here()).to_json(),
            "playing": (playing + Ledger.here()).to_json(),
        }


def trainings(seeds: int, quick: bool) -> list[Job]:
    """All of them, seed by seed; those of more games last."""
    games, count = (QUICK_GAMES, seeds) if quick else (GAMES, SEEDS * seeds)
    found: list[Job] = [
        OnlineTraining(arm, seed, games, quick) for seed in range(1, count + 1) for arm in ARMS
    ]
    if not quick:
        found += [
            OnlineTraining(arm, seed, LONGER, quick)
            for seed in range(1, LONGER_SEEDS * seeds + 1)
            for arm in TABLE_ARMS
        ]
    return found
