"""Sarsa and Q-learning with a table: one value and one count of visits for every move ever made.

The learner knows an environment only by `Environment`, the rule only by its targets (`tempo.td`)
and exploration only by the moves it gives (`tempo.explore`). Letters: B games side by side, A move
numbers, N moves of whole games laid end to end.

The games of a round are played side by side with the table as it was when the round began, and
learnt from when they are over. For one game at a time that is what updating after every move
would do, if no position comes twice in a game: what a game has learnt is read only by later games.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from tempo import td
from tempo._core.tables import ValueTable
from tempo.errors import ParseError, TempoError
from tempo.explore import best_values, epsilon_greedy, schedule
from tempo.ledger import Ledger

Rule = Literal["sarsa", "q_learning"]
Keys = NDArray[np.uint64]
Seats = NDArray[np.uint8]
Moves = NDArray[np.intp]
Floats = NDArray[np.float64]


class Environment(Protocol):
    """Games side by side that can be played and that pay a reward for every move."""

    @property
    def games(self) -> int:
        """The number of games, B."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    @property
    def is_tree(self) -> bool:
        """Whether every key is reached in one way only: then nothing is below what is new."""

    @property
    def turns(self) -> Seats:
        """[B] the seat to move in each game."""

    def restart(self) -> None:
        """Begins all games anew."""

    def legal_mask(self) -> NDArray[np.bool_]:
        """[B, A] which moves are legal. All games end at the same move: then none is."""

    def next_keys(self) -> Keys:
        """[B, A] the key of what each legal move leads to, anything for the others."""

    def play(self, moves: NDArray[np.integer]) -> Floats:
        """Plays a move in every game; [B] what each earns the seat that made it."""


@dataclass(frozen=True)
class Settings:
    """The settings. The defaults are the Jiu paper's, and ours where it is silent."""

    rule: Rule = "sarsa"
    successor: td.Successor = "own_turn"
    step_size: float = 0.1  # α; not published
    discount: float = 0.9  # γ; not published
    exploration: str = "0.1"  # ε by games played, see tempo.explore; the paper's greedy 0.9
    games: int = 160_000  # rounded up to whole rounds
    parallel: int = 200  # games side by side; 1 is the paper's order
    report: int = 1000  # games, rounded up to whole rounds, in a line of the log

    def __post_init__(self) -> None:
        if self.rule not in get_args(Rule):
            raise ParseError(f"there is no rule '{self.rule}'; there are sarsa and q_learning")
        if self.successor not in get_args(td.Successor):
            known = ", ".join(get_args(td.Successor))
            raise ParseError(f"there is no successor '{self.successor}'; there are {known}")
        if not (0 < self.step_size <= 1 and 0 <= self.discount <= 1):
            raise ParseError("step_size lies above 0, discount from 0, both up to 1")
        if min(self.games, self.parallel, self.report) < 1:
            raise ParseError("games, parallel and report start at 1")
        schedule(self.exploration, 0)


@dataclass(frozen=True)
class Episodes:
    """The moves of whole games laid end to end, with what the table said when they were made."""

    keys: Keys  # [N] of what each move led to
    turn: Seats  # [N] who made it
    reward: Floats  # [N] what it earned
    taken: NDArray[np.floating]  # [N] its value
    ahead: NDArray[np.floating]  # [N] what the rule sees of that place from before
    last: td.Flags  # [N] whether it ended its game


class Tabular:
    """The learner: a table and a place in the schedule."""

    def __init__(
        self, environment: Environment, settings: Settings, seed: int, threads: int = 1
    ) -> None:
        if environment.games != settings.parallel:
            raise ParseError(
                f"an environment of {environment.games} games; expected {settings.parallel}, "
                "the games that are played side by side"
            )
        self.environment = environment
        self.settings = settings
        self.seed = seed
        self.table = ValueTable(threads)
        self.step = 0
        self.rounds = 0
        self.ledger = Ledger()

    @property
    def games(self) -> int:
        """How many have been played."""
        return self.rounds * self.settings.parallel

    @property
    def done(self) -> bool:
        """Whether all games have been played."""
        return self.games >= self.settings.games

    @property
    def total(self) -> int:
        """The number of iterations."""
        rounds = -(-self.settings.games // self.settings.parallel)
        return -(-rounds // self._rounds_reported)

    @property
    def _rounds_reported(self) -> int:
        return -(-self.settings.report // self.settings.parallel)

    def iterate(self) -> dict[str, Any]:
        """Plays and learns from the next `report` games; returns their line of the log."""
        first, seats = self.games, self.environment.seats
        reward, change = np.zeros(seats), 0.0
        with self.ledger.timing():
            for _ in range(self._rounds_reported):
                if self.done:
                    break
                played = self.play()
                change += self.learn(played)
                reward += np.bincount(played.turn, played.reward, minlength=seats)
        self.step += 1
        games = self.games - first
        return {
            "step": self.step,
            "games": self.games,
            "epsilon": schedule(self.settings.exploration, first),
            "reward": float(reward.sum()) / games,
            "rewards": (reward / games).tolist(),
            "change": change / games,
            "entries": len(self.table),
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    def play(self, *, explore: bool = True) -> Episodes:
        """One round of self-play by the table as it stands, exploring as the schedule says."""
        environment = self.environment
        moves: list[tuple[NDArray[Any], ...]] = []
        epsilon = schedule(self.settings.exploration, self.games) if explore else 0.0
        random = np.random.default_rng([self.seed, self.rounds])
        environment.restart()
        everyone = np.arange(environment.games)
        known = np.ones(environment.games, bool)
        while (legal := environment.legal_mask())[0].any():
            keys, turn = environment.next_keys(), environment.turns
            # Below a branch of a tree that is new there is nothing to look up.
            asked = legal & known[:, None] if environment.is_tree else legal
            values, visits = self.table.read(keys, asked)
            chosen = epsilon_greedy(values, legal, epsilon, random.random((2, len(everyone))))
            known = visits[everyone, chosen] > 0
            taken = values[everyone, chosen]
            ahead = taken if self.settings.rule == "sarsa" else best_values(values, legal)
            reward = environment.play(chosen)
            moves.append((keys[everyone, chosen], turn, reward, taken, ahead))
            self.ledger.evaluations += int(np.count_nonzero(asked))
        return _laid_end_to_end(moves)

    def learn(self, played: Episodes) -> float:
        """Moves the values of what was played to the rule's targets; how far, summed."""
        targets = self._targets(played)
        self.table.approach(played.keys, targets, self.settings.step_size)
        self.rounds += 1
        self.ledger.games += self.settings.parallel
        self.ledger.moves += len(targets)
        return float(np.abs(targets - played.taken).sum())

    def _targets(self, played: Episodes) -> Floats:
        rule = td.sarsa if self.settings.rule == "sarsa" else td.q_learning
        episodes = played.reward, played.ahead, played.turn, played.last
        return rule(*episodes, self.settings.discount, self.settings.successor)

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The table by ascending key."""
        return dict(zip(("keys", "values", "visits"), self.table.entries(), strict=True))

    def state(self) -> dict[str, Any]:
        """Counters; random streams are made from them and the seed, so they need no storing."""
        return {"rounds": self.rounds, "seed": self.seed, "settings": asdict(self.settings)}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint. A resumed run may have more games; no other setting may change."""
        if {**state["settings"], "games": self.settings.games} != asdict(self.settings):
            raise TempoError(f"a run cannot go on with other settings than {state['settings']}")
        self.table.load(arrays["keys"], arrays["values"], arrays["visits"])
        self.step, self.rounds, self.seed = step, state["rounds"], state["seed"]


def _laid_end_to_end(moves: list[tuple[NDArray[Any], ...]]) -> Episodes:
    """From one row of B games a move to one row of moves a game."""
    keys, turn, reward, taken, ahead = (
        np.stack(column, axis=1).ravel() for column in zip(*moves, strict=True)
    )
    last = np.zeros(len(keys), bool)
    last[len(moves) - 1 :: len(moves)] = True
    return Episodes(keys, turn, reward, taken, ahead, last)
