"""Adaptive dynamic programming: a critic that learns from every move of games, its own or others'.

After each move the value of the position before it is moved towards the value of the position
after it, many times over; the last position towards the result ("Self-teaching adaptive dynamic
programming for Gomoku", Zhao, Zhang, Dai 2012). There is no actor: the best move is the one after
which the critic's value is best.

A `Pupil` plays and learns, in the core. `Adp` takes a pupil through a schedule and keeps the
curves. What it learns from is a switch: its own games (`teach_itself`), or games that are given
(`watch`).

Letters: G games, T moves of all games one after the other, I inputs, H hidden units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError, TempoError
from tempo.ledger import Ledger
from tempo.nets.critic import Critic, Rule

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Stage:
    """One row of a schedule: iterations, games of each, and how they explore."""

    games: int = 1000  # an iteration; the curves have one point for each
    iterations: int = 10
    random_share: float = 0.1  # ε
    random_opening: bool = False  # the paper's exploration (1)
    begins: Literal["alternate", "one", "two"] = "alternate"  # which player begins


PAPER = (
    Stage(iterations=20, random_opening=True),
    Stage(random_share=0.1),
    Stage(random_share=0.08),
    Stage(random_share=0.07),
    Stage(random_share=0.05),
)


@dataclass(frozen=True)
class Settings:
    """The settings of this learner. Every default is the paper's, or our reading of it."""

    alpha: float = 0.2
    rate_in: float = 0.05  # l1
    rate_out: float = 0.05  # l2
    discount: float = 1.0  # γ
    repeats: int = 50
    target: Literal["moving", "fixed"] = "moving"
    inputs: str = "patterns"  # what the critic sees, where a game offers a choice
    hidden: int = 100
    spread: float = 0.5  # first weights lie between -spread and spread
    forced: bool = True  # a move that wins at once is played without asking
    radius: int = 2  # how far candidates lie from stones, where a game has stones
    source: Literal["self", "expert"] = "self"  # whose games it learns from
    expert: str = ""  # weights of a critic that is watched, or compared with
    stages: tuple[Stage, ...] = PAPER

    def __post_init__(self) -> None:
        for name, choices in (("target", ("moving", "fixed")), ("source", ("self", "expert"))):
            if getattr(self, name) not in choices:
                wrong = getattr(self, name)
                raise ParseError(f"{name} cannot be '{wrong}'; it takes {' or '.join(choices)}")

    @property
    def rule(self) -> Rule:
        """The part that says how one transition is learnt."""
        return Rule(
            self.alpha, self.rate_in, self.rate_out, self.discount, self.repeats, self.target
        )


@dataclass(frozen=True)
class Games:
    """Games as they were played, and how often pupil and expert agreed."""

    firsts: NDArray[np.uint8]  # [G] the player who began
    moves: NDArray[np.int16]  # [T]
    is_random: NDArray[np.bool_]  # [T] drawn, not chosen
    lengths: NDArray[np.int32]  # [G]
    results: Floats  # [G] of player 1: 1 won, 1/2 drawn, 0 lost
    squares: Floats  # [G] how far values were from their targets, squared, summed over moves
    evaluated: NDArray[np.int64]  # [G] positions valued to choose moves
    asked: NDArray[np.int32]  # [G, 2] by player: moves that were compared
    agreed: NDArray[np.int32]  # [G, 2] of them, equal ones


class Pupil(Protocol):
    """What plays and learns."""

    def teach_itself(self, firsts: NDArray[np.uint8], seed: int, begin: int, stage: Stage) -> Games:
        """Games against itself, learning after every move; game i by (seed, begin + i) alone."""
        ...

    def watch(self, games: Games, stage: Stage) -> Games:
        """The same learning from given games; agreed says what it would have played itself."""
        ...

    def weights(self) -> tuple[Floats, Floats]:
        """Into [I, H] and out of [H] the hidden layer."""
        ...

    def load(self, first: Floats, second: Floats) -> None:
        """Takes these weights."""
        ...


Shown = Callable[[NDArray[np.uint8], int, int, Stage], Games]  # firsts, seed, begin, stage


class Adp:
    """The learner: a pupil's place in a schedule."""

    def __init__(
        self, pupil: Pupil, settings: Settings, seed: int, shown: Shown | None = None
    ) -> None:
        if settings.source == "expert" and shown is None:
            raise ParseError("to watch, a pupil needs games: name an expert")
        self.pupil = pupil
        self.settings = settings
        self.seed = seed
        self.step = 0
        self.games = 0
        self.ledger = Ledger()
        self._shown = shown if settings.source == "expert" else None
        start = Critic.random(pupil.weights()[0].shape[0], settings.hidden, seed, settings.spread)
        pupil.load(start.first, start.second)

    @property
    def total(self) -> int:
        """The number of iterations."""
        return sum(stage.iterations for stage in self.settings.stages)

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""
        return self.step >= self.total

    def iterate(self) -> dict[str, Any]:
        """The games of one iteration; its line has the curves of the paper."""
        stage = self._stage()
        firsts = begins(stage, self.games)
        cost = Ledger()
        with cost.timing():
            if self._shown is None:
                games = self.pupil.teach_itself(firsts, self.seed, self.games, stage)
            else:
                games = self.pupil.watch(self._shown(firsts, self.seed, self.games, stage), stage)
        moves = int(games.lengths.sum())
        cost.games, cost.moves = len(firsts), moves
        cost.evaluations = int(games.evaluated.sum())
        cost.gradient_steps = (moves + len(firsts)) * self.settings.repeats
        # A step looks at two positions and changes every weight. Counted as if no input were zero.
        weights = sum(array.size for array in self.pupil.weights())
        cost.multiply_adds = (cost.evaluations + 3 * cost.gradient_steps) * weights
        self.ledger += cost
        self.step += 1
        self.games += len(firsts)
        return {
            "step": self.step,
            "games": self.games,
            "moves": moves,
            "won": float(games.results.mean()),
            "loss": float(games.squares.sum() / (moves + len(firsts))),
            **_correctness(games),
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    def _stage(self) -> Stage:
        before = 0
        for stage in self.settings.stages:
            before += stage.iterations
            if self.step < before:
                return stage
        raise TempoError("the schedule is at its end")

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights, for a checkpoint."""
        first, second = self.pupil.weights()
        return {"first": first, "second": second}

    def state(self) -> dict[str, Any]:
        """Counters, for a checkpoint. Random streams follow from them."""
        return {"games": self.games, "seed": self.seed}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint."""
        self.step, self.games, self.seed = step, state["games"], state["seed"]
        self.pupil.load(arrays["first"], arrays["second"])


def begins(stage: Stage, number: int) -> NDArray[np.uint8]:
    """[G] who begins the games of an iteration, the first of which has this number."""
    if stage.begins == "alternate":
        return ((number + np.arange(stage.games)) % 2).astype(np.uint8)
    if stage.begins in ("one", "two"):
        return np.full(stage.games, ("one", "two").index(stage.begins), np.uint8)
    raise ParseError(f"begins cannot be '{stage.begins}'; it takes alternate, one or two")


def _correctness(games: Games) -> dict[str, float]:
    """The share of moves equal to the expert's, in all and by player."""
    asked, agreed = games.asked.sum(0), games.agreed.sum(0)
    if not asked.sum():
        return {}
    by_player = agreed / np.maximum(asked, 1)
    return {
        "correct": float(agreed.sum() / asked.sum()),
        "correct_one": float(by_player[0]),
        "correct_two": float(by_player[1]),
    }
