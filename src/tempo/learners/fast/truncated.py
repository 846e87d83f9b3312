"""Q-learning with truncated traces and a small network, taught after every game (Siguo's paper).

Q(s, a) is the network on the expected state after a. A game is played by the weights as they are;
when it is over every move is pushed towards its target (`tempo.td`), all pushes added at once. With
one game at a time that is the paper's order; `parallel` games share their weights.

The learner knows a game by `SelfPlay` alone. Letters: G games, N moves of them laid end to end,
I inputs, S seats.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from tempo import td
from tempo.errors import ParseError, TempoError
from tempo.explore import cooled
from tempo.ledger import Ledger
from tempo.nets.tanh import TanhNetwork

Rule = Literal["q_learning", "q_lambda", "ttd"]
Exploration = Literal["greedy", "epsilon", "metropolis"]


@dataclass(frozen=True)
class Played:
    """Games as they were played, with what the network said of their moves."""

    rows: NDArray[np.float32]  # [N, I] the expected states after the moves
    taken: NDArray[np.float32]  # [N] Q of the move made
    best: NDArray[np.float32]  # [N] Q of the best one
    turn: NDArray[np.uint8]  # [N] who made it
    gains: NDArray[np.float32]  # [N, S] strength that each seat took with it less what it lost
    lengths: NDArray[np.int32]  # [G]
    scores: NDArray[np.float32]  # [G, S] what each seat got
    judged: int  # moves that were valued


class SelfPlay(Protocol):
    """A game that a network can play with itself."""

    @property
    def inputs(self) -> int:
        """The number of inputs, I."""

    def play(
        self,
        network: TanhNetwork,
        games: int,
        *,
        seed: int,
        begin: int,
        random_share: float,
        temperature: float,
    ) -> Played:
        """Games of the network with itself; game i by (seed, begin + i) alone."""


@dataclass(frozen=True)
class Settings:
    """The settings of this learner. The defaults are the paper's, and ours where it is silent."""

    rule: Rule = "ttd"
    successor: td.Successor = "own_turn"
    trace: float = 0.3  # λ; adaptive: unused
    adaptive: str = ""  # the reading of the adaptive λ: closed or recursive; none if empty
    steps: int = 20  # m
    cut_on_explore: bool = False  # Watkins's traces
    discount: float = 0.98  # γ; not published
    strength: float = 0.0  # of the reward for strength taken; the paper names no reward
    step_size: float = 0.4  # α
    averaged: bool = False  # pushes divided by the moves of the games; the paper adds them up
    exploration: Exploration = "greedy"
    random_share: float = 0.1  # ε
    temperature: float = 0.1  # T of Metropolis at first; not published
    cooling: float = 0.99  # T a game later; not published
    inputs: str = "stations"  # what the network sees, where a game offers a choice
    hidden: int = 5
    biases: bool = False
    spread: float = 0.1  # first weights lie between -spread and spread
    games: int = 1000
    parallel: int = 1
    report: int = 50  # games in a line of the log

    def __post_init__(self) -> None:
        for name, known in (
            ("rule", get_args(Rule)),
            ("successor", get_args(td.Successor)),
            ("exploration", get_args(Exploration)),
            ("adaptive", ("", *get_args(td.Reading))),
        ):
            if getattr(self, name) not in known:
                wrong = getattr(self, name)
                there = ", ".join(each for each in known if each)
                raise ParseError(f"there is no {name} '{wrong}'; there are {there}")
        shares = (self.trace, self.discount, self.random_share, self.cooling, self.strength)
        if (
            not all(0 <= share <= 1 for share in shares)
            or min(self.step_size, self.temperature) <= 0
        ):
            raise ParseError(
                "trace, discount, random_share, cooling and strength lie from 0 to 1, "
                "step_size and temperature above 0"
            )
        if min(self.steps, self.hidden, self.games, self.parallel, self.report) < 1:
            raise ParseError("steps, hidden, games, parallel and report start at 1")

    def truncation(self, games: int) -> td.Truncation:
        """How far targets look ahead after a number of games."""
        if self.rule == "q_learning":
            return td.Truncation(0.0, 1, self.discount)
        trace = self.trace
        if self.adaptive:
            reading: td.Reading = "closed" if self.adaptive == "closed" else "recursive"
            trace = td.adaptive_trace(reading, games, step_size=self.step_size)
        return td.Truncation(trace, None if self.rule == "q_lambda" else self.steps, self.discount)


class Truncated:
    """The learner: a network and a place in the schedule."""

    def __init__(self, self_play: SelfPlay, settings: Settings, seed: int) -> None:
        self.self_play = self_play
        self.settings = settings
        self.seed = seed
        self.network = TanhNetwork.random(
            self_play.inputs, settings.hidden, seed, settings.spread, settings.biases
        )
        self.step = 0
        self.games = 0
        self.ledger = Ledger()

    @property
    def total(self) -> int:
        """The number of iterations."""
        return -(-self.settings.games // self.settings.report)

    @property
    def done(self) -> bool:
        """Whether all games have been played."""
        return self.games >= self.settings.games

    def iterate(self) -> dict[str, Any]:
        """Plays and learns from the next `report` games; returns their line of the log."""
        first = self.games
        end = min(self.settings.games, first + self.settings.report)
        moves = explored = decided = won = 0
        squares = 0.0
        truncation, temperature = self.settings.truncation(first), self.temperature
        with self.ledger.timing():
            while self.games < end:
                played = self.play(min(self.settings.parallel, end - self.games))
                squares += float((self.learn(played) ** 2).sum())
                moves += len(played.turn)
                explored += int(np.count_nonzero(played.taken < played.best))
                decided += int(np.count_nonzero(played.scores[:, 0]))
                won += int(np.count_nonzero(played.scores[:, 0] > 0))
        self.step += 1
        games = self.games - first
        return {
            "step": self.step,
            "games": self.games,
            "moves": moves / games,
            "explored": explored / games,
            "decided": decided / games,
            "won": won / games,
            "loss": squares / moves,
            "trace": truncation.trace,
            "temperature": temperature,
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    @property
    def temperature(self) -> float:
        """That of Metropolis now; 0 for other explorations."""
        if self.settings.exploration != "metropolis":
            return 0.0
        return cooled(self.settings.temperature, self.games, self.settings.cooling)

    def play(self, games: int) -> Played:
        """The next games, by the weights as they stand."""
        explores = self.settings.exploration == "epsilon"
        return self.self_play.play(
            self.network,
            games,
            seed=self.seed,
            begin=self.games,
            random_share=self.settings.random_share if explores else 0.0,
            temperature=self.temperature,
        )

    def learn(self, played: Played) -> NDArray[np.float64]:
        """Steps every move's value towards its target; returns the errors [N]."""
        settings = self.settings
        errors = self.targets(played) - played.taken
        share = 1 / len(errors) if settings.averaged else 1.0
        self.network.push(played.rows, settings.step_size * share * errors)
        games, moves = len(played.lengths), len(errors)
        self.games += games
        self.ledger.games += games
        self.ledger.moves += moves
        self.ledger.evaluations += played.judged
        self.ledger.gradient_steps += games
        # A push looks at every move once more, and changes every weight as often.
        self.ledger.multiply_adds += (played.judged + 3 * moves) * self.network.weights
        return errors

    def targets(self, played: Played) -> NDArray[np.float64]:
        """[N] the target of every move's value."""
        last = np.zeros(len(played.turn), bool)
        last[np.cumsum(played.lengths) - 1] = True
        following, sign = td.successors(played.turn, last, self.settings.successor)
        cut = (played.taken < played.best) & self.settings.cut_on_explore
        truncation = self.settings.truncation(self.games)
        return td.truncated(
            rewards(played, following, self.settings.strength),
            played.best,
            following,
            sign,
            cut,
            truncation,
        )

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights, for a checkpoint."""
        return {**self.network.arrays()}

    def state(self) -> dict[str, Any]:
        """Counters; random streams are made from them and the seed, so they need no storing."""
        return {"games": self.games, "seed": self.seed, "settings": asdict(self.settings)}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint. A resumed run may have more games; no other setting may change."""
        if {**state["settings"], "games": self.settings.games} != asdict(self.settings):
            raise TempoError(f"a run cannot go on with other settings than {state['settings']}")
        self.network = TanhNetwork.of_arrays(arrays, "the checkpoint")
        self.network.has_biases = self.settings.biases
        self.step, self.games, self.seed = step, state["games"], state["seed"]


def rewards(
    played: Played, following: NDArray[np.intp], strength: float = 0.0
) -> NDArray[np.float64]:
    """[N] what a seat got in the end, at every move that nothing follows; 0 at the others.

    With `strength`, every move also earns so much for what its seat took less what it lost, until
    the move that follows, of any seat: what others took from it in between counts.
    """
    game = np.repeat(np.arange(len(played.lengths)), played.lengths)
    result = np.where(following < 0, played.scores[game, played.turn], 0.0).astype(np.float64)
    if strength == 0:
        return result
    before = np.zeros((len(game) + 1, played.gains.shape[1]))
    np.cumsum(played.gains, axis=0, out=before[1:])
    until = np.where(following < 0, np.cumsum(played.lengths)[game], following)
    rows = np.arange(len(game))
    return result + strength * (before[until, played.turn] - before[rows, played.turn])
