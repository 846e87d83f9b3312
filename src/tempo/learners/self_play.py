"""The learner of every rule: plays games, turns them into samples, trains an approximator.

One iteration: `games` games by the approximator as it stands, samples by the rule, `passes` over
them in steps of `batch`. With `replay` samples of earlier iterations are kept and learnt from, too;
with `refresh` targets are made by a copy that is renewed now and then, the target network. A rule
that notes its targets in play is then played by that copy, too; one that recalls moves
(`tempo.learners.memory`) is played by what learns.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import td
from tempo.errors import ParseError
from tempo.explore import cooled, schedule
from tempo.learners.experience import Acting, Experience
from tempo.learners.gathering import Asked, gathered, played
from tempo.learners.memory import Memory, Transitions
from tempo.learners.registry import Kind, Samples, kind
from tempo.learners.settings import require_same
from tempo.learners.targets import imitation
from tempo.ledger import Ledger
from tempo.nets.approximator import Arrays, Inputs
from tempo.nets.registry import STEP_SIZES, Shape, make
from tempo.nets.stored import PREFIX, begin_with, part

if TYPE_CHECKING:
    from tempo.cluster.workers import Workers
    from tempo.games.game import Game
    from tempo.learners.settings import Settings

Drawn = Callable[[NDArray[np.int64]], Samples]  # of some numbers
QUICKER = 10  # times that games are searched less whose positions alone matter
FRESH = 8192  # samples of an iteration that are looked at before they are learnt from


class SelfPlay:
    """A rule, an approximator, and a place in the schedule."""

    def __init__(
        self, name: str, game: Game, settings: Settings, seed: int, threads: int = 1
    ) -> None:
        self.kind: Kind = kind(name)
        if why := self.kind.refusal(game, settings):
            raise ParseError(why)
        self.game, self.settings, self.seed = game, settings, seed
        self.step = 0
        self.ledger = Ledger()
        self.threads = threads
        self._workers: Workers | None = None
        shape = self._shape = Shape(settings.hidden, settings.channels, seed)
        self.approximator = make(settings.net, game, shape)
        if settings.init:
            begin_with(self.approximator, settings.init, settings.net, shape, game)
        self._slow = self.approximator
        if settings.refresh:
            self._slow = make(settings.net, game, shape)
            self._slow.restore(copy.deepcopy(self.approximator.arrays()))
        self._replay: Samples | None = None
        self._memory = Memory(game, settings.replay, threads)
        self._start = None
        if settings.start:
            self._start = game.description.starts(settings.start, practice=settings.practice)

    @property
    def total(self) -> int:
        """The number of iterations."""
        return self.settings.iterations

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end, or its time is up."""
        limit = self.settings.seconds
        return self.step >= self.total or bool(limit and self.ledger.cpu_seconds >= limit)

    def iterate(self) -> dict[str, Any]:
        """Games, samples, steps; returns the line of the log."""
        s, cost = self.settings, Ledger()
        with cost.timing():
            played = self._play()
            told = played if len(set(self.game.teams)) == 2 else played.by_seat()
            imitates = bool(s.nodes) and self.step < s.imitate
            samples: Any = (
                imitation(told) if imitates else self.kind.rule(told, self._at_this_step())
            )
            fresh = self._fresh(samples) if s.nodes else {}
            loss = self._recall(samples, cost) if self.kind.recalls else self._study(samples, cost)
        self.step += 1
        if s.refresh and self.step % s.refresh == 0:
            self._slow.restore(copy.deepcopy(self.approximator.arrays()))
            self._memory.renew()
        self.ledger += cost + played.cost
        lengths = len(played) / s.games
        return {
            "step": self.step,
            "games": self.step * s.games,
            "won": float(np.mean((played.scores[:, 0] + 1) / 2)),
            "decided": float(np.mean(played.scores[:, 0] != 0)),
            "moves": lengths,
            "samples": len(samples),
            "loss": loss,
            **fresh,
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    def _at_this_step(self) -> Settings:
        """The settings with λ as it is now."""
        s = self.settings
        if not s.adaptive:
            return s
        reading: td.Reading = "closed" if s.adaptive == "closed" else "recursive"
        return replace(s, trace=td.adaptive_trace(reading, self.step * s.games))

    def _play(self) -> Experience:
        s = self.settings
        warm, drawn = (
            cooled(first, self.step, s.cooling) if first else 0.0
            for first in (s.temperature, s.boltzmann)
        )
        acting = Acting(
            depth=s.depth,
            random=schedule(s.exploration, self.step + 1),
            temperature=warm,
            boltzmann=drawn,
            simulations=s.simulations,
            opening=0 if s.start else s.opening,
            longest=s.longest,
            record=s.record,
            detours=s.detours,
            even=s.even,
            keep=self.kind.recalls,
        )
        player = self.approximator if self.kind.recalls else self._slow
        imitates = bool(s.nodes) and self.step < s.imitate
        asked = Asked(
            self.game.spec, s.net, self._shape, acting, self.seed, self.step * s.games, s.games,
            s.start, s.practice, nodes=max(s.nodes // QUICKER, 1) if imitates else s.nodes,
            given=imitates or (bool(s.nodes) and self.step < s.given),
        )  # fmt: skip
        if self._workers is not None:
            return gathered(self._workers, asked, player)
        return played(asked, self.game, player, asked.first, s.games, self._start, self.threads)

    def spread(self, workers: Workers) -> None:
        """Has workers play the games."""
        self._workers = workers

    def _fresh(self, samples: Samples) -> dict[str, float]:
        """The mean squared error on samples not learnt from yet, and that of knowing nothing."""
        some = samples[:FRESH]
        error = self.approximator.values(some.inputs) - some.low
        return {"held_out": float(np.mean(error**2)), "unknowing": float(np.mean(some.low**2))}

    def _study(self, samples: Samples, cost: Ledger) -> float:
        """Learns from samples, and from earlier ones where they are kept."""
        samples = self._remembered(samples)
        return self._learn(len(samples), lambda which: samples[which], cost)

    def _recall(self, moves: Transitions, cost: Ledger) -> float:
        """Learns from moves drawn from the memory."""
        self._memory.add(moves)
        random = np.random.default_rng([self.seed, self.step, 2])  # for what is hidden

        def drawn(which: NDArray[np.int64]) -> Samples:
            if not self.settings.refresh:  # then the target network is the one that learns
                self._memory.renew()
            seed = int(random.integers(2**63))
            found, asked = self._memory.drawn(which, self._slow.evaluator(), seed)
            cost.evaluations += asked
            cost.multiply_adds += asked * self.approximator.multiply_adds
            return found

        return self._learn(len(self._memory), drawn, cost)

    def _remembered(self, samples: Samples) -> Samples:
        """The samples with those of earlier iterations, the oldest of which are forgotten."""
        if not self.settings.replay:
            return samples
        if self._replay is not None:
            samples = Samples.joined([self._replay, samples])
        self._replay = samples[-self.settings.replay :] if len(samples) else samples
        return self._replay

    def _learn(self, count: int, drawn: Drawn, cost: Ledger) -> float:
        """Steps towards some of `count` samples, drawn by their numbers."""
        s = self.settings
        random = np.random.default_rng([self.seed, self.step, 1])
        fresh = count if not s.replay else min(count, s.batch * s.games)
        rate = (s.step_size or STEP_SIZES[s.net]) * s.final_share ** (self.step / self.total)
        losses = []
        for _ in range(s.passes):
            order = random.permutation(count)[:fresh]
            for at in range(0, len(order), s.batch):
                part = drawn(order[at : at + s.batch])
                targets = part.low
                if (part.low < part.high).any():
                    values = self.approximator.values(part.inputs)
                    targets = td.tree_strap(values, part.low, part.high).astype(np.float32)
                losses.append(self.approximator.fit(part.inputs, targets, rate))
                cost.gradient_steps += 1
                # A gradient costs about twice a value.
                cost.multiply_adds += 3 * len(targets) * self.approximator.multiply_adds
        return float(np.mean(losses)) if losses else 0.0

    # Checkpoints

    def arrays(self) -> Arrays:
        """What was learnt, and what is needed to go on."""
        found = {PREFIX + name: array for name, array in self.approximator.arrays().items()}
        if self.settings.refresh:
            found |= {f"acting.{name}": array for name, array in self._slow.arrays().items()}
        found |= self._memory.arrays()
        if self._replay is not None:
            kept = self._replay
            found |= {
                "replay.keys": kept.inputs.keys, "replay.features": kept.inputs.features,
                "replay.low": kept.low, "replay.high": kept.high,
            }  # fmt: skip
        return found

    def state(self) -> dict[str, Any]:
        """Counters; random streams are made from them and the seed, so they need no storing."""
        return {"seed": self.seed, "settings": asdict(self.settings), "game": self.game.spec}

    def restore(self, step: int, arrays: Arrays, state: dict[str, Any]) -> None:
        """Restores a checkpoint. A resumed run may last longer; no other setting may change."""
        require_same(self.settings, state["settings"])
        self.step, self.seed = step, state["seed"]
        self.approximator.restore(part(arrays, PREFIX))
        if self.settings.refresh:
            self._slow.restore(part(arrays, "acting."))
        self._memory.restore(arrays)
        if "replay.keys" in arrays:
            inputs = Inputs(arrays["replay.keys"], arrays["replay.features"])
            self._replay = Samples(inputs, arrays["replay.low"], arrays["replay.high"])
