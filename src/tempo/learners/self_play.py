"""The learner of every rule: plays games, turns them into samples, moves an approximator.

One iteration: `games` games by the approximator as it stands, samples by the rule, `passes` over
them in steps of `batch`. With `replay` samples of earlier iterations are kept and learnt from, too;
with `refresh` games are played, and targets made, by a copy that is renewed now and then.
"""

from __future__ import annotations

import copy
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tempo import td
from tempo.errors import ParseError, TempoError
from tempo.explore import cooled, schedule
from tempo.learners.experience import Acting, Experience, self_play
from tempo.learners.registry import Kind, Samples, kind
from tempo.ledger import Ledger
from tempo.nets.approximator import Arrays, Inputs
from tempo.nets.registry import Shape, make
from tempo.nets.stored import PREFIX, part

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.learners.settings import Settings

STEP_SIZES = {"table": 0.2, "linear": 0.02, "dense": 2e-3, "conv": 1e-3}


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
        self._threads = threads
        shape = Shape(settings.hidden, settings.channels, seed)
        self.approximator = make(settings.net, game, shape)
        self._acting = (
            self.approximator if not settings.refresh else make(settings.net, game, shape)
        )
        self._replay: Samples | None = None
        self._start = None
        if settings.start:
            self._start = game.description.starts(settings.start)

    @property
    def total(self) -> int:
        """How many iterations there are."""
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
            samples = self.kind.rule(played, self._at_this_step())
            loss = self._learn(self._remembered(samples), cost)
        self.step += 1
        if s.refresh and self.step % s.refresh == 0:
            self._acting.restore(copy.deepcopy(self.approximator.arrays()))
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
        warm = cooled(s.temperature, self.step, s.cooling) if s.temperature else 0.0
        acting = Acting(
            depth=s.depth,
            random=schedule(s.exploration, self.step + 1),
            temperature=warm,
            opening=s.opening,
            longest=s.longest,
            record=s.record,
        )
        return self_play(
            self.game, self._acting, acting, games=s.games, seed=self.seed,
            first=self.step * s.games, threads=self._threads, start=self._start,
        )  # fmt: skip

    def _remembered(self, samples: Samples) -> Samples:
        """The samples with those of earlier iterations, the oldest of which are forgotten."""
        if not self.settings.replay:
            return samples
        if self._replay is not None:
            samples = Samples.joined([self._replay, samples])
        self._replay = samples[-self.settings.replay :] if len(samples) else samples
        return self._replay

    def _learn(self, samples: Samples, cost: Ledger) -> float:
        s = self.settings
        random = np.random.default_rng([self.seed, self.step, 1])
        fresh = len(samples) if not s.replay else min(len(samples), s.batch * s.games)
        rate = s.step_size or STEP_SIZES[s.net]
        losses = []
        for _ in range(s.passes):
            order = random.permutation(len(samples))[:fresh]
            for at in range(0, len(order), s.batch):
                part = samples[order[at : at + s.batch]]
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
            found |= {f"acting.{name}": array for name, array in self._acting.arrays().items()}
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
        """Goes back to a checkpoint. A run may go on for longer, nothing else can change."""
        longer = ("iterations", "seconds", "exam")
        now, then = asdict(self.settings), dict(state["settings"])
        for told in (now, then):
            for name in longer:
                told.pop(name, None)
            for name in ("hidden", "channels"):
                told[name] = list(told[name])
        if now != then:
            raise TempoError(f"a run cannot go on with other settings than {state['settings']}")
        self.step, self.seed = step, state["seed"]
        self.approximator.restore(part(arrays, PREFIX))
        if self.settings.refresh:
            self._acting.restore(part(arrays, "acting."))
        if "replay.keys" in arrays:
            inputs = Inputs(arrays["replay.keys"], arrays["replay.features"])
            self._replay = Samples(inputs, arrays["replay.low"], arrays["replay.high"])
