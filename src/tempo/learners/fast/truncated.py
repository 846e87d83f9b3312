"""Q-learning with truncated traces and a small network (Siguo's paper).

Q(s, a) is the network on the expected state after a. A game is played by the weights as they are;
when it is over every move is pushed towards its target (`tempo.td`), all pushes added at once;
`parallel` games share their weights. Or `online`: the network is taught at every own move, as soon
as all is seen that the move's target is made of (Cichosz 1995). Games are played with itself or
with `opponents`, whose moves teach nothing.

The learner knows a game by `SelfPlay` alone. Letters: G games, N own moves of them laid end to end,
I inputs, S seats.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tempo import td
from tempo.errors import ParseError, TempoError
from tempo.explore import cooled
from tempo.ledger import Ledger
from tempo.nets.tanh import TanhNetwork

Rule = Literal["q_learning", "q_lambda", "ttd"]
Exploration = Literal["greedy", "epsilon", "metropolis"]
MOST_STEPS = 1 << 30  # more than a game has


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


@dataclass(frozen=True)
class OnlineGame:
    """A game that was learnt from while it was played."""

    score: float  # of the network's team
    length: int  # moves of all
    made: int  # own moves
    explored: int  # of them not the best
    undone: int  # of them that took back the one before
    squares: float  # the sum of squared errors
    judged: int  # moves that were valued


@dataclass(frozen=True)
class OnlineRule:
    """How a network is taught while it plays."""

    trace: tuple[float, float, float]  # λ: first, low, and own moves to half-way; 0: it stays
    steps: int
    discount: float
    step_size: float
    strength: float
    cut_on_explore: bool


class SelfPlay(Protocol):
    """A game that a network can play with itself, or with opponents."""

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
        """Games of the network; game i by (seed, begin + i) alone."""


@runtime_checkable
class OnlinePlay(Protocol):
    """A game in which a network can be taught while it plays."""

    def learn(
        self,
        network: TanhNetwork,
        rule: OnlineRule,
        *,
        seed: int,
        game: int,
        random_share: float,
        temperature: float,
    ) -> OnlineGame:
        """One game by (seed, game) alone; the network's weights are changed."""


@dataclass(frozen=True)
class Settings:
    """The settings of this learner. The defaults are the paper's, and ours where it is silent."""

    rule: Rule = "ttd"
    successor: td.Successor = "own_turn"
    trace: float = 0.3  # λ; adaptive: unused
    adaptive: str = ""  # the adaptive λ: closed, recursive, or by the moves of a game; or none
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
    opponents: str = "itself"  # or others, joined by +, that are met in turn
    notices: float = 0.2  # how often a stand-in sees a good attack
    online: bool = False  # taught at every own move, not after the game
    games: int = 1000
    parallel: int = 1
    report: int = 50  # games in a line of the log

    def __post_init__(self) -> None:
        for name, known in (
            ("rule", get_args(Rule)),
            ("successor", get_args(td.Successor)),
            ("exploration", get_args(Exploration)),
            ("adaptive", ("", "moves", *get_args(td.Reading))),
        ):
            if getattr(self, name) not in known:
                wrong = getattr(self, name)
                there = ", ".join(each for each in known if each)
                raise ParseError(f"there is no {name} '{wrong}'; there are {there}")
        shares = (
            self.trace, self.discount, self.random_share, self.cooling, self.strength, self.notices
        )  # fmt: skip
        if (
            not all(0 <= share <= 1 for share in shares)
            or min(self.step_size, self.temperature) <= 0
        ):
            raise ParseError(
                "trace, discount, random_share, cooling, strength and notices lie from 0 to 1, "
                "step_size and temperature above 0"
            )
        if min(self.steps, self.hidden, self.games, self.parallel, self.report) < 1:
            raise ParseError("steps, hidden, games, parallel and report start at 1")
        if self.online and (self.successor != "own_turn" or self.averaged or self.parallel > 1):
            raise ParseError(
                "online learns one game at a time, by successor own_turn, and averages nothing"
            )
        if self.adaptive == "moves" and not self.online:
            raise ParseError('adaptive = "moves" needs online = true')

    def truncation(self, games: int) -> td.Truncation:
        """How far targets look ahead after a number of games."""
        if self.rule == "q_learning":
            return td.Truncation(0.0, 1, self.discount)
        trace = self.trace
        if self.adaptive == "moves":
            trace = td.adaptive_trace("closed", 0)
        elif self.adaptive:
            reading: td.Reading = "closed" if self.adaptive == "closed" else "recursive"
            trace = td.adaptive_trace(reading, games, step_size=self.step_size)
        return td.Truncation(trace, None if self.rule == "q_lambda" else self.steps, self.discount)

    def online_rule(self, games: int) -> OnlineRule:
        """How the next game is learnt from while it is played."""
        by = self.truncation(games)
        falls = self.rule != "q_learning" and self.adaptive == "moves"
        return OnlineRule(
            trace=(by.trace, td.LOW_TRACE, td.HALF_WAY) if falls else (by.trace, 0.0, 0.0),
            steps=by.steps or MOST_STEPS,
            discount=by.discount,
            step_size=self.step_size,
            strength=self.strength,
            cut_on_explore=self.cut_on_explore,
        )


class Truncated:
    """The learner: a network and a place in the schedule."""

    def __init__(self, self_play: SelfPlay, settings: Settings, seed: int) -> None:
        if settings.online and not isinstance(self_play, OnlinePlay):
            raise ParseError("this game cannot be learnt from while it is played")
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
        moves = explored = won = lost = 0
        squares = 0.0
        truncation, temperature = self.settings.truncation(first), self.temperature
        more: dict[str, float] = {}
        with self.ledger.timing():
            if self.settings.online:
                learnt = [self.learn_online() for _ in range(first, end)]
                moves = sum(one.made for one in learnt)
                explored = sum(one.explored for one in learnt)
                won = sum(one.score > 0 for one in learnt)
                lost = sum(one.score < 0 for one in learnt)
                squares = sum(one.squares for one in learnt)
                more["undone"] = sum(one.undone for one in learnt) / max(moves, 1)
            while self.games < end:
                count = min(self.settings.parallel, end - self.games)
                teams = (self.games + np.arange(count)) % 2 * (self.settings.opponents != "itself")
                played = self.play(count)
                squares += float((self.learn(played) ** 2).sum())
                moves += len(played.turn)
                explored += int(np.count_nonzero(played.taken < played.best))
                scores = played.scores[np.arange(count), teams]
                won += int(np.count_nonzero(scores > 0))
                lost += int(np.count_nonzero(scores < 0))
        self.step += 1
        games = self.games - first
        return {
            "step": self.step,
            "games": self.games,
            "moves": moves / games,
            "explored": explored / games,
            "decided": (won + lost) / games,
            "won": won / games,
            "loss": squares / moves,
            "trace": truncation.trace,
            "temperature": temperature,
            "weights": self.network.size,
            **more,
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    @property
    def temperature(self) -> float:
        """That of Metropolis now; 0 for other explorations."""
        if self.settings.exploration != "metropolis":
            return 0.0
        return cooled(self.settings.temperature, self.games, self.settings.cooling)

    def learn_online(self) -> OnlineGame:
        """The next game, learnt from while it is played."""
        assert isinstance(self.self_play, OnlinePlay)
        explores = self.settings.exploration == "epsilon"
        one = self.self_play.learn(
            self.network,
            self.settings.online_rule(self.games),
            seed=self.seed,
            game=self.games,
            random_share=self.settings.random_share if explores else 0.0,
            temperature=self.temperature,
        )
        self.games += 1
        self._charge(1, one.length, one.judged, one.made)
        self.ledger.gradient_steps += one.made
        return one

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
        games = len(played.lengths)
        self.games += games
        self._charge(games, len(errors), played.judged, len(errors))
        self.ledger.gradient_steps += games
        return errors

    def learn_in_order(self, played: Played) -> dict[str, Any]:
        """One game that is over, move by move, each by its error of then; its line of the log.

        Targets are made of the values before the game. Pushes that are added up, as in `learn`,
        would move the weights of a single long game too far.
        """
        squares = 0.0
        with self.ledger.timing():
            for row, target in zip(played.rows[:, None], self.targets(played), strict=True):
                error = target - self.network.values(row)
                self.network.push(row, self.settings.step_size * error)
                squares += float(error[0] ** 2)
        moves = len(played.turn)
        self.step, self.games = self.step + 1, self.games + 1
        self._charge(1, moves, played.judged, moves)
        self.ledger.gradient_steps += moves
        return {
            "step": self.step,
            "games": self.games,
            "moves": float(moves),
            "won": float(played.scores[0, played.turn[0]] > 0),
            "loss": squares / moves,
            "weights": self.network.size,
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    def _charge(self, games: int, moves: int, judged: int, taught: int) -> None:
        self.ledger.games += games
        self.ledger.moves += moves
        self.ledger.evaluations += judged
        # A push looks at every move once more, and changes every weight as often.
        self.ledger.multiply_adds += (judged + 3 * taught) * self.network.weights

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
        stored = {**asdict(Settings()), **state["settings"], "games": self.settings.games}
        if stored != asdict(self.settings):
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
