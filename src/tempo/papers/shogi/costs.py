"""How many weights the shogi paper's networks have (its Table 4), and the time that they take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tempo import recipes
from tempo.games import load as load_game
from tempo.ledger import Ledger
from tempo.papers.jobs import Job, Row
from tempo.papers.shogi.ladder import one_core
from tempo.papers.shogi.published import LAYERS
from tempo.papers.shogi.training import (
    ENDLESS,
    PAPER_KINDS,
    RECIPES,
    Live,
    chooser_of,
    device,
    share_the_device,
)


@dataclass(frozen=True)
class Counting(Job):
    """The weights of the paper's networks, counted. They need not be made for it."""

    folder = "networks"
    name = "weights"

    def work(self, out: Path, threads: int) -> Row:
        """Weights by layer and multiply-adds, faithful and corrected."""
        return {"counts": {kind: _counted(kind) for kind in PAPER_KINDS}}


def _counted(kind: str) -> Row:
    import jax  # noqa: PLC0415 - the extra `deep`

    from tempo.learners.fast.dqn_settings import method_of, settings_in  # noqa: PLC0415
    from tempo.nets.encodings import encoding_of  # noqa: PLC0415
    from tempo.nets.qnets import weights  # noqa: PLC0415

    recipe = recipes.read(RECIPES[kind])
    settings = settings_in(recipe)
    method = method_of(settings, encoding_of(load_game("shogi"), settings.method, "paper"))
    pair = jax.eval_shape(method.make, jax.random.key(0))
    found: Row = {"multiply_adds": method.cost(pair)}
    for which in ("s", "a"):
        net = getattr(pair, which)
        layers = [*net.convolutions, *net.layers]
        found[which] = {
            "layers": dict(zip(LAYERS, map(weights, layers), strict=True)),
            "total": weights(net),
        }
    return found


@dataclass(frozen=True)
class Timing(Job):
    """How long networks take to choose a move and to learn from one, by themselves."""

    folder = "times"
    kind: str
    on_cpu: bool  # on one machine with the searches; else wherever JAX likes
    updates: int = 20
    moves: int = 50

    @property
    def name(self) -> str:
        """Of its file."""
        return f"time-{self.kind}-{'cpu' if self.on_cpu else 'device'}-{self.moves}-{self.updates}"

    def work(self, out: Path, threads: int) -> Row:
        """Seconds a move and an update, after warming up. Weights do not matter: they are fresh."""
        share_the_device()
        if self.on_cpu:
            one_core()
        recipe = {**recipes.read(RECIPES[self.kind]), "plies": 1, "games": 1, "opening": 0,
                  "exam": 0, "seconds": 0.0, "steps": ENDLESS, "first": 1, "half": False,
                  "memory": 2000, "batch": 10}  # fmt: skip
        learner: Any = recipes.make_learner(recipe, 1)
        row = {**asdict(self), "device": device(), "learning": [], "playing": []}
        while learner.updates < 2:
            learner.iterate()
        for _ in range(self.updates):
            row["learning"].append(_spent(learner.iterate))
        agent = Live("", learner.encoding, chooser_of(learner, learner.nets), 0)
        position = load_game("shogi").start()
        agent.choose(position)
        for _ in range(self.moves):
            row["playing"].append(_spent(partial(agent.choose, position)))
        return row


def _spent(work: Callable[[], object]) -> list[float]:
    """Wall and processor seconds."""
    ledger = Ledger()
    with ledger.timing():
        work()
    return [round(ledger.wall_seconds, 6), round(ledger.cpu_seconds, 6)]
