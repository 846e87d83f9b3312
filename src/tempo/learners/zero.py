"""Gumbel AlphaZero (Silver et al. 2018; Danihelka et al. 2022): a policy and a value by self-play.

One iteration: `plies` moves in each of `games` games, which begin anew when they end; every move
is found by a search of the core that the network guides. The games that ended give examples: the
policy that the search improved, and what the seat to move got. A step draws from the last `replay`
of them, each turned by a symmetry of the game.

Most of what a search finds out goes into its move, so few searches are full (`full`), the others
are `quick` and give no policy (Wu 2019). Games that both sides take for decided are broken off
(`resign`); some are played on, to see how often that is wrong.
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tempo.errors import ParseError
from tempo.learners.guided_parts import Parts, Setup
from tempo.learners.guided_play import Searching
from tempo.learners.registry import declare_whole
from tempo.learners.ring import Ring
from tempo.learners.settings import Settings, require_same
from tempo.ledger import Ledger
from tempo.nets.approximator import Arrays
from tempo.nets.guided import Examples, Guided, Losses, is_guided
from tempo.nets.registry import GUIDED, STEP_SIZES, Shape, make
from tempo.nets.stored import PREFIX, part

if TYPE_CHECKING:
    from tempo.cluster.workers import Workers
    from tempo.games.game import Game


@dataclass(frozen=True)
class ZeroSettings(Settings):
    """What searches and games are set by, besides what every learner is."""

    simulations: int = 16  # of a full search
    quick: int = 0  # of the others; 0: all are full
    full: float = 0.25  # share of moves with a full search, if some are quick
    considered: int = 16  # moves that a search begins with
    scale: float = 1.0  # how much values count beside priors
    plies: int = 16  # moves of each game in an iteration
    resign: float = 0.0  # value beyond which a game is broken off; 0: never
    checked: float = 0.1  # share of games that are played on all the same
    soon: float = 0.8  # λ of the auxiliary value
    parts: int = 1  # groups of games that are played apart, so that workers can share them
    rung: int = 2  # depth of the alpha-beta of an exam; 0: random moves alone

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.simulations < 2:
            raise ParseError(f"simulations is 2 or more, not {self.simulations}")
        if self.parts > self.games:
            raise ParseError(f"{self.games} games cannot be played in {self.parts} parts")
        whole = ("considered", "plies", "replay", "parts")
        if wrong := [name for name in whole if getattr(self, name) < 1]:
            raise ParseError(f"{wrong[0]} is 1 or more, not {getattr(self, wrong[0])}")
        if wrong := [name for name in ("quick", "scale", "rung") if getattr(self, name) < 0]:
            raise ParseError(f"{wrong[0]} is 0 or more, not {getattr(self, wrong[0])}")
        shares = ("full", "resign", "checked", "soon")
        if wrong := [name for name in shares if not 0 <= getattr(self, name) <= 1]:
            raise ParseError(f"{wrong[0]} is from 0 to 1, not {getattr(self, wrong[0])}")


USUAL = ZeroSettings(
    net="policy", hidden=(128,), channels=(32, 32, 32), games=32, trace=1.0, discount=1.0,
    replay=20_000, passes=2, opening=2,
)  # fmt: skip


def _refusal(settings: Settings) -> str:
    if settings.net in GUIDED:
        return ""
    return f"zero needs a net with a policy: {' or '.join(GUIDED)}, not {settings.net}"


@declare_whole("zero", "improves policy and value by guided search (AlphaZero)", USUAL, _refusal)
class Zero:
    """A network, games under way, and a place in the schedule."""

    def __init__(self, game: Game, settings: ZeroSettings, seed: int, threads: int = 1) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self.step = 0
        self.ledger = Ledger()
        shape = Shape(settings.hidden, settings.channels, seed)
        made: Any = make(settings.net, game, shape)
        assert is_guided(made)
        self.approximator: Guided = made
        s = settings
        searching = Searching(
            s.simulations, s.quick, s.full, s.considered, s.scale, 0 if s.start else s.opening,
            s.longest, s.resign, s.checked, s.start, s.practice, s.trace, s.soon,
            s.discount ** (1 / game.seats),
        )  # fmt: skip
        setup = Setup(game.spec, s.net, shape, searching, s.games, seed)
        self._play = Parts(game, self.approximator, setup, s.parts, threads)
        self._ring = Ring(s.replay)

    def spread(self, workers: Workers) -> None:
        """Has workers play the games, a part each."""
        self._play.spread(workers)

    @property
    def total(self) -> int:
        """How many iterations there are."""
        return self.settings.iterations

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end, or its time is up: on a GPU that of the device."""
        limit, spent = self.settings.seconds, self.ledger
        taken = spent.gpu_seconds if self.approximator.on_gpu else spent.cpu_seconds
        return self.step >= self.total or bool(limit and taken >= limit)

    def iterate(self) -> dict[str, Any]:
        """Moves, examples, steps; returns the line of the log."""
        s, cost = self.settings, Ledger()
        with cost.timing():
            played = self._play.moves(s.plies, cost)
            losses = self._learn(played.examples, cost)
        if self.approximator.on_gpu:
            cost.gpu_seconds = cost.wall_seconds
        self.step += 1
        self.ledger += cost
        return {
            "step": self.step,
            "games": self._play.ended,
            "won": _mean((played.scores + 1) / 2, 0.5),
            "decided": _mean(played.scores != 0),
            "moves": _mean(played.lengths),
            "samples": len(played.examples),
            "loss": losses.total,
            "value_loss": losses.value,
            "policy_loss": losses.policy,
            "resigned": played.resigned / max(len(played.scores), 1),
            "wrongly": played.wrongly / max(played.called, 1),
            "evaluations": self.ledger.evaluations,
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
            "wall_seconds": round(self.ledger.wall_seconds, 3),
        }

    def _learn(self, examples: Examples, cost: Ledger) -> Losses:
        """Steps towards examples drawn from the latest ones."""
        s = self.settings
        self._ring.add(examples)
        random = np.random.default_rng([self.seed, self.step, 1])
        rate = s.step_size or STEP_SIZES[s.net]
        symmetries = self.game.symmetries if hasattr(self.game.core, "transformed_moves") else 1
        found = [Losses(0.0, 0.0, 0.0)] if not len(examples) else []
        for _ in range(-(-s.passes * len(examples) // s.batch)):
            which = random.integers(len(self._ring), size=s.batch)
            turned = random.integers(symmetries, size=s.batch)
            found.append(self.approximator.improve(self._ring[which], turned, rate))
            cost.gradient_steps += 1
            # A gradient costs about twice a value.
            cost.multiply_adds += 3 * s.batch * self.approximator.multiply_adds
        return Losses(*np.mean([astuple(one) for one in found], axis=0).tolist())

    # Checkpoints

    def arrays(self) -> Arrays:
        """What was learnt, the games under way, and the examples."""
        found = {PREFIX + name: array for name, array in self.approximator.arrays().items()}
        return found | self._play.arrays() | self._ring.arrays()

    def state(self) -> dict[str, Any]:
        """Counters; random streams are made from them and the seed."""
        return {
            "seed": self.seed, "settings": asdict(self.settings), "game": self.game.spec,
            **self._play.counters(),
        }  # fmt: skip

    def restore(self, step: int, arrays: Arrays, state: dict[str, Any]) -> None:
        """Goes back to a checkpoint. A run may go on for longer, nothing else can change."""
        require_same(self.settings, state["settings"])
        self.step, self.seed = step, state["seed"]
        self.approximator.restore(part(arrays, PREFIX))
        self._play.restore(arrays, state)
        self._ring.restore(arrays)


def _mean(numbers: Any, without: float = 0.0) -> float:
    return float(np.mean(numbers)) if len(numbers) else without
