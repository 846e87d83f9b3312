"""Regression of a small evaluation network towards searched values and results of self-play.

Every step plays a few games; what they teach (inputs of positions, the value that a search gave
each, the result of its game where that says something) goes into a pool of the latest samples, and
Adam takes a few steps on batches drawn from the pool. The target is a probability of winning:
`result_share` of the result and the rest of the search's value, or that value alone where there is
no result. The first games are played by given weights, since a network that knows nothing plays
games that teach nothing; later ones by the network as it stands.

Letters: N samples, I inputs, H hidden units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError
from tempo.ledger import Ledger
from tempo.nets.relu import PARTS, Floats, Layers, layers_of

MOST = 127  # an input is remembered as a byte


@dataclass(frozen=True)
class Settings:
    """The settings of this learner."""

    steps: int = 400
    games: int = 128  # played for each step
    positions: int = 5000  # budget of a search
    given_share: float = 0.5  # of the steps, the first ones: games played by the given weights
    hidden: int = 32  # units
    pool: int = 400_000  # samples remembered
    updates: int = 60  # batches a step
    batch: int = 512  # samples
    step_size: float = 4e-3  # of Adam
    final_share: float = 0.01  # of the step size, reached by equal factors
    result_share: float = 0.5  # of a target, where a sample has a result

    def __post_init__(self) -> None:
        """Raises ParseError for settings that make no sense."""
        counts = (self.steps, self.games, self.positions, self.hidden, self.updates, self.batch)
        if min(counts) < 1 or self.pool < self.batch:
            raise ParseError("a recipe's counts are 1 or more, and its pool holds a batch")
        if not 0 <= self.result_share <= 1:
            raise ParseError("a recipe's result_share is from 0 to 1")


@dataclass(frozen=True)
class Samples:
    """Samples from some games."""

    inputs: Floats  # [N, I] counts
    values: Floats  # [N] of a search for the seat to move, from -1 to 1
    results: Floats  # [N] for the same seat, NaN where there is none
    won: float  # games, by seat 0; draws count half
    cost: Ledger


class SelfPlay(Protocol):
    """Games to learn from."""

    @property
    def inputs(self) -> int:
        """The number of inputs, I."""

    def play(
        self, layers: Layers | None, games: int, *, positions: int, seed: int, begin: int
    ) -> Samples:
        """Games evaluated by a network, or by the given weights. Game i by (seed, begin + i)."""


class Regression:
    """The learner: a network, Adam's averages, and the pool."""

    def __init__(self, self_play: SelfPlay, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.seed = seed
        self.step = 0
        self.updates = 0
        self.ledger = Ledger()
        inputs, hidden = self_play.inputs, settings.hidden
        random = np.random.default_rng(seed)
        self._parts = {
            "first": random.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
            "bias": np.zeros(hidden, np.float32),
            "second": random.normal(0, 0.1, hidden).astype(np.float32),
            "last": np.zeros(1, np.float32),
        }
        self._mean = {name: np.zeros_like(part) for name, part in self._parts.items()}
        self._square = {name: np.zeros_like(part) for name, part in self._parts.items()}
        self._scale = np.zeros(inputs, np.float32)  # what an input is divided by; 0: not known yet
        self._inputs = np.zeros((0, inputs), np.int8)
        self._targets = np.zeros(0, np.float32)
        self._self_play = self_play

    @property
    def total(self) -> int:
        """The number of iterations."""
        return self.settings.steps

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""
        return self.step >= self.settings.steps

    def iterate(self) -> dict[str, Any]:
        """A few games, and a few batches of what is remembered."""
        s = self.settings
        given = self.step < s.given_share * s.steps
        cost = Ledger(gradient_steps=s.updates)
        with cost.timing():
            begin = self.step * s.games
            samples = self._self_play.play(
                None if given else layers_of(self._played()),
                s.games,
                positions=s.positions,
                seed=self.seed,
                begin=begin,
            )
            targets = targets_of(samples.values, samples.results, s.result_share)
            self._remember(samples.inputs, targets)
            loss = self._excess(samples.inputs / self._scale, targets)
            self._learn()
        self.ledger += cost + samples.cost
        self.step += 1
        return {
            "step": self.step,
            "games": self.step * s.games,
            "won": samples.won / s.games,
            "samples": len(targets),
            "loss": loss,
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    def _remember(self, inputs: Floats, targets: Floats) -> None:
        if not self._scale.any():
            self._scale = np.asarray(np.sqrt(np.mean(inputs**2, axis=0)) + 0.01, np.float32)
        kept = np.minimum(inputs, MOST).astype(np.int8)
        self._inputs = np.concatenate([self._inputs, kept])[-self.settings.pool :]
        self._targets = np.concatenate([self._targets, targets])[-self.settings.pool :]

    def _learn(self) -> None:
        s = self.settings
        random = np.random.default_rng([self.seed, self.step])
        rate = s.step_size * s.final_share ** (self.step / s.steps)
        for _ in range(s.updates):
            rows = random.integers(0, len(self._targets), s.batch)
            x = self._inputs[rows].astype(np.float32) / self._scale
            self._adam(self._gradient(x, self._targets[rows]), rate)

    def _odds(self, x: Floats) -> tuple[Floats, Floats]:
        """[N, H] the hidden units, [N] log odds, of inputs that were scaled."""
        p = self._parts
        hidden = np.maximum(x @ p["first"] + p["bias"], 0)
        return hidden, hidden @ p["second"] + p["last"]

    def _excess(self, x: Floats, targets: Floats) -> float:
        """The mean log loss of samples not yet learnt from, above that of knowing the targets."""
        won = np.clip(1 / (1 + np.exp(-self._odds(x)[1].astype(np.float64))), 1e-9, 1 - 1e-9)
        known = np.clip(targets.astype(np.float64), 1e-9, 1 - 1e-9)
        return float(
            np.mean(targets * np.log(known / won) + (1 - targets) * np.log((1 - known) / (1 - won)))
        )

    def _gradient(self, x: Floats, targets: Floats) -> dict[str, Floats]:
        """Of the mean log loss."""
        hidden, odds = self._odds(x)
        error = (1 / (1 + np.exp(-odds)) - targets) / len(targets)
        inner = np.outer(error, self._parts["second"]) * (hidden > 0)
        return {
            "first": x.T @ inner,
            "bias": inner.sum(axis=0),
            "second": error @ hidden,
            "last": error.sum(keepdims=True),
        }

    def _adam(self, gradient: dict[str, Floats], rate: float) -> None:
        self.updates += 1
        for name, part in list(self._parts.items()):
            mean, square = self._mean[name], self._square[name]
            mean += 0.1 * (gradient[name] - mean)
            square += 0.001 * (gradient[name] ** 2 - square)
            up = mean / (1 - 0.9**self.updates)
            down = rate * up / (np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8)
            self._parts[name] = np.asarray(part - down, np.float32)

    def _played(self) -> dict[str, Floats]:
        """The network on inputs as they are."""
        return {**self._parts, "first": self._parts["first"] / self._scale[:, None]}

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The network on inputs as they are, and what it takes to go on."""
        kinds = {"own": self._parts, "mean": self._mean, "square": self._square}
        further = {f"{kind} {name}": part[name] for kind, part in kinds.items() for name in PARTS}
        pool: dict[str, NDArray[Any]] = {
            "scale": self._scale,
            "inputs": self._inputs,
            "targets": self._targets,
        }
        return {**self._played(), **further, **pool}

    def state(self) -> dict[str, Any]:
        """Counters, for a checkpoint."""
        return {"seed": self.seed, "updates": self.updates}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint."""
        self.step, self.seed, self.updates = step, state["seed"], state["updates"]
        self._parts = {name: np.array(arrays[f"own {name}"]) for name in PARTS}
        self._mean = {name: np.array(arrays[f"mean {name}"]) for name in PARTS}
        self._square = {name: np.array(arrays[f"square {name}"]) for name in PARTS}
        self._scale, self._inputs = arrays["scale"], arrays["inputs"]
        self._targets = arrays["targets"]


def targets_of(values: Floats, results: Floats, result_share: float) -> Floats:
    """[N] probabilities of winning.

    A value is z / (|z| + 2) with z the log odds, as the search makes it from a network's output.
    """
    with np.errstate(divide="ignore"):
        odds = 2 * values / (1 - np.abs(values))  # a decided game's are infinite
    by_value = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    by_value = np.where(np.abs(values) < 1, by_value, (values + 1) / 2)
    share = np.where(np.isnan(results), 0, result_share)
    by_result = np.where(np.isnan(results), 0, (results + 1) / 2)
    return np.asarray(share * by_result + (1 - share) * by_value, np.float32)
