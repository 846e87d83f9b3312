"""Learning the weights of a game's terms by TreeStrap, from games that the search plays itself.

The evaluation is H(s) = squash(w · φ(s)), with φ the game's terms as the seat to move sees them
(`core.terms`). Every search of depth d proves bounds for its interior positions; H is moved into
them (`td.tree_strap`, Veness et al. 2009). Bootstrapping alone has a second fixed point, w = 0,
from which nothing escapes but forced wins; so the positions at which a seat chose are also moved
towards the result of their game, with weight `outcome_share`.

Games run side by side with one set of weights, so that the number of threads changes nothing.
Where a game has thousands of terms, its search sums the gradient itself (`gradient`) instead of
writing them down for every position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core, td
from tempo.ledger import Ledger
from tempo.nets.adam import Adam, falling

if TYPE_CHECKING:
    from tempo.games.protocol import Position

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    """The settings of this learner."""

    steps: int = 1000  # turns played in every game, with one update of the weights after each
    games: int = 16  # side by side
    depth: int = 2  # of the search
    positions: int = 0  # budget of a search; 0: none
    record: int = 2000  # interior positions taken from a search
    step_size: float = 0.01  # of Adam
    damping: float = 1e-8  # of Adam: the larger, the less terms move whose gradients are small
    final_share: float = 0.1  # of the step size, reached on a straight line
    outcome_share: float = 0.3  # weight of results beside bounds
    random_share: float = 0.05  # turns played at random
    opening: int = 8  # random turns at most before a game counts
    table: int = 1  # MiB a search


@dataclass
class _Game:
    """One of the games side by side: its number, which fixes its start, and what was played."""

    number: int
    position: Position
    moves: list[int] = field(default_factory=list)
    rows: list[tuple[Floats, int]] = field(default_factory=list)  # terms, and whose turn it was


@dataclass(frozen=True)
class _Bounds:
    """Terms [N, T], and where their value should lie, for the seat to move."""

    terms: Floats
    low: Floats
    high: Floats
    cost: Ledger = field(default_factory=Ledger)


@dataclass(frozen=True)
class _GradientSum:
    """The same, summed by the search: gradient [T], squared errors, and of how many positions."""

    gradient: NDArray[np.float64]
    squares: float
    positions: int
    cost: Ledger = field(default_factory=Ledger)


class TreeStrap:
    """The learner: weights, Adam's averages, and the games under way."""

    def __init__(
        self,
        core: ModuleType,
        start: Callable[[int], Position],
        settings: Settings,
        seed: int,
        *,
        threads: int = 1,
        weights: Floats | None = None,
    ) -> None:
        self.core = core
        self.settings = settings
        self.seed = seed
        self.step = 0
        self.begun = 0  # games begun so far; each has a start and a random stream of its own
        self.games = 0  # games ended
        self.won = 0.0  # of them, by seat 0; draws count half
        self.ledger = Ledger()
        self.weights = np.array(core.hand_tuned_weights() if weights is None else weights)
        self._adam = Adam(len(self.weights), damping=settings.damping)
        self._start = start
        self._threads = threads
        self._sums = hasattr(core.AlphaBeta, "gradient")
        self._games = [self._new_game() for _ in range(settings.games)]

    @property
    def total(self) -> int:
        """The number of iterations."""
        return self.settings.steps

    @property
    def done(self) -> bool:
        """Whether the schedule is at its end."""
        return self.step >= self.settings.steps

    def iterate(self) -> dict[str, Any]:
        """A turn in every game, and one update."""
        cost = Ledger(gradient_steps=1)
        with cost.timing():
            evaluator = self.core.Evaluator.linear(self.weights)
            with ThreadPoolExecutor(self._threads) as pool:
                found = list(pool.map(lambda t: self._turn(t, evaluator), self._games))
            results = [self._end(i) for i in range(len(self._games))]
            ended = [result for result in results if result is not None]
            loss = self._learn(found, ended)
        self.step += 1
        for bounds in (*found, *ended):
            cost += bounds.cost
        self.ledger += cost
        return {
            "step": self.step,
            "games": self.games,
            "won": self.won / self.games if self.games else 0.5,
            "loss": loss,
            "cpu_seconds": round(self.ledger.cpu_seconds, 3),
        }

    # Playing

    def _new_game(self) -> _Game:
        """The next game whose start is not over."""
        while True:
            game = self._begin(self.begun)
            self.begun += 1
            if not game.position.is_over:
                return game

    def _begin(self, number: int) -> _Game:
        random = Random(f"{self.seed}/{number}")
        position = self._start(random.getrandbits(63))
        for _ in range(random.randrange(self.settings.opening + 1)):
            if not position.is_over:
                position = position_after(position, _random_turn(position, random))
        return _Game(number, position)

    def _turn(self, game: _Game, evaluator: Any) -> _Bounds | _GradientSum:
        """Searches, notes what was proved, and plays a turn."""
        s = self.settings
        search = self.core.AlphaBeta(
            evaluator,
            _core.AlphaBetaSettings(
                depth=s.depth,
                positions=s.positions,
                table_bytes=s.table << 20,
                reduce=True,
                record=s.record,
            ),
        )
        found = search.search(game.position)
        cost = Ledger(moves=1, positions=found.positions, evaluations=found.evaluations)
        bounds: _Bounds | _GradientSum
        if self._sums:
            gradient, squares, positions = search.gradient(evaluator)
            bounds = _GradientSum(gradient, squares, positions, cost)
        else:
            terms, low, high = search.nodes()
            bounds = _Bounds(terms, low, high, cost)
        random = Random(f"{self.seed}/{game.number}/{len(game.rows)}")
        if random.random() < s.random_share:
            self._play(game, _random_turn(game.position, random))
        else:
            self._play(game, _turn_of(game.position, found.line))
        return bounds

    def _play(self, game: _Game, turn: list[int]) -> None:
        game.rows.append((self.core.terms(game.position), game.position.turn))
        game.moves += turn
        game.position = position_after(game.position, turn)

    def _end(self, i: int) -> _Bounds | None:
        """What a finished game shows, in whose place a new one begins."""
        game = self._games[i]
        outcome = game.position.outcome
        if outcome is None:
            return None
        self._games[i] = self._new_game()
        self.games += 1
        self.won += (outcome.scores[0] + 1) / 2
        terms = np.stack([row for row, _ in game.rows])
        got = np.array([outcome.scores[seat] for _, seat in game.rows], np.float32)
        return _Bounds(terms, got, got, Ledger(games=1))

    # Learning

    def _learn(self, found: Sequence[_Bounds | _GradientSum], results: list[_Bounds]) -> float:
        """One step of Adam down the mean squared distance from the bounds, and from results."""
        gradient, loss = self._gradient(found)
        if results:
            # A result speaks for a whole game, a search for one turn of every game.
            share = self.settings.outcome_share * len(results)
            gradient = gradient + share * self._gradient(results)[0]
        s = self.settings
        rate = falling(s.step_size, s.final_share, self.step, s.steps)
        change = self._adam.step(gradient, rate, self.step + 1)
        self.weights = np.asarray(self.weights - change, np.float32)
        return loss

    def _gradient(
        self, given: Sequence[_Bounds | _GradientSum]
    ) -> tuple[NDArray[np.float64], float]:
        if summed := [bounds for bounds in given if isinstance(bounds, _GradientSum)]:
            return _mean_of(summed)
        found = [bounds for bounds in given if isinstance(bounds, _Bounds)]
        terms = np.concatenate([bounds.terms for bounds in found])
        if len(terms) == 0:
            return np.zeros(len(self.weights)), 0.0
        low = np.concatenate([bounds.low for bounds in found])
        high = np.concatenate([bounds.high for bounds in found])
        sums = terms @ self.weights
        half = self.core.half_win
        values = sums / (np.abs(sums) + half)
        error = values - td.tree_strap(values, low, high)
        slope = half / (np.abs(sums) + half) ** 2
        return (error * slope) @ terms.astype(np.float64) / len(terms), float(np.mean(error**2))

    # Checkpoints

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights and Adam's averages, for a checkpoint."""
        return {"weights": self.weights, **self._adam.arrays()}

    def state(self) -> dict[str, Any]:
        """Counters, and the games under way as their numbers and moves."""
        tables = [{"number": game.number, "moves": game.moves} for game in self._games]
        counters = {"games": self.games, "won": self.won, "begun": self.begun, "seed": self.seed}
        return {**counters, "tables": tables}

    def restore(self, step: int, arrays: dict[str, NDArray[Any]], state: dict[str, Any]) -> None:
        """Restores a checkpoint."""
        self.step, self.games, self.won = step, state["games"], state["won"]
        self.begun, self.seed = state["begun"], state["seed"]
        self.weights = arrays["weights"]
        self._adam.restore(arrays)
        self._games = [self._replayed(game["number"], game["moves"]) for game in state["tables"]]

    def _replayed(self, number: int, moves: list[int]) -> _Game:
        game, turn = self._begin(number), list[int]()
        position = game.position
        for move in moves:
            turn.append(move)
            position = position.play(move)
            if not is_in_turn(position):
                self._play(game, turn)
                turn = []
        return game


def _mean_of(found: list[_GradientSum]) -> tuple[NDArray[np.float64], float]:
    positions = max(sum(bounds.positions for bounds in found), 1)
    gradient = np.sum([bounds.gradient for bounds in found], axis=0) / positions
    return gradient, sum(bounds.squares for bounds in found) / positions


def is_in_turn(position: Position) -> bool:
    """Whether the seat to move is in the middle of its turn."""
    return not position.is_over and bool(getattr(position, "in_turn", False))


def position_after(position: Position, moves: list[int]) -> Position:
    """The position after several moves."""
    for move in moves:
        position = position.play(move)
    return position


def _turn_of(position: Position, line: list[int]) -> list[int]:
    """The moves of a line that belong to the turn it begins with."""
    turn = []
    for move in line:
        turn.append(move)
        position = position.play(move)
        if not is_in_turn(position):
            break
    return turn


def _random_turn(position: Position, random: Random) -> list[int]:
    turn = []
    while True:
        moves = position.legal_moves
        turn.append(moves[random.randrange(len(moves))])
        position = position.play(turn[-1])
        if not is_in_turn(position):
            return turn
