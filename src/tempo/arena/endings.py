"""How well an agent plays an ending, against perfect play.

WCR  won of the games that should be won, with the strong side against perfect defence
WE   mean distance to mate of the won games over their mean length
LHS  mean length of the lost games, with the weak side against perfect attack, over their mean
     distance to mate

1 is perfect in each. Games start with the agent to move; the strong side has 50 moves. Perfect play
chooses at random among equally good moves. Repetition is not looked at: a position that comes back
may still be won, and the move limit ends what goes in circles.

An agent whose choice depends on the position alone can be judged without games, over every position
of the ending (`whole`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from tempo import _core
from tempo.agents import load as load_agent
from tempo.arena.seeds import derive
from tempo.arena.statistics import Interval, wilson
from tempo.errors import ParseError
from tempo.games.chess.endings import Ending
from tempo.games.chess.tablebase import best_moves, value
from tempo.ledger import Ledger
from tempo.stopping import check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tempo.agents import Agent
    from tempo.games.protocol import Position

MOVES = 50  # of the strong side
WHITE, BLACK = 0, 1  # White is the strong side of every ending
FLOOR_GAMES = 20_000
FLOOR_MATES = {"random": 0, "mate_in_1": 1, "mate_in_2": 3, "mate_in_3": 5}  # plies searched
RESAMPLES = 2000  # of the bootstrap
STRATA = 4


@runtime_checkable
class FixedChoice(Protocol):
    """An agent whose move depends on the position alone and is known for all of them at once."""

    def choices(self, family: _core.endings.Family) -> NDArray[np.int32]:
        """[n] the number that the agent moves to; anything where the game is over."""
        ...


@dataclass(frozen=True)
class Rate:
    """A figure with its 95 % interval; None when there was nothing to divide."""

    value: float | None
    low: float
    high: float


@dataclass(frozen=True)
class Stratum:
    """The starts whose mate is `first` to `last` moves away."""

    first: int
    last: int
    positions: int
    wcr: Rate
    we: Rate


@dataclass(frozen=True)
class EndingResult:
    """An agent's figures in an ending, beside what mere chance and a mate finder reach."""

    ending: str
    agent: str
    positions: int
    exact: bool
    seed: int
    wcr: Rate
    we: Rate
    lhs: Rate
    strata: tuple[Stratum, ...]
    floor: dict[str, Rate]
    ledger: Ledger

    def to_json(self) -> dict[str, Any]:
        """One plain object."""
        return {
            "ending": self.ending, "agent": self.agent,
            "wcr": self.wcr.value, "we": self.we.value, "lhs": self.lhs.value,
            "positions": self.positions, "low": self.wcr.low, "high": self.wcr.high,
            "exact": self.exact, "seed": self.seed,
            "intervals": {
                name: [rate.low, rate.high]
                for name, rate in (("wcr", self.wcr), ("we", self.we), ("lhs", self.lhs))
            },
            "strata": [
                {"moves": [s.first, s.last], "positions": s.positions, "wcr": s.wcr.value,
                 "we": s.we.value}
                for s in self.strata
            ],
            "floor": {name: rate.value for name, rate in self.floor.items()},
            "ledger": self.ledger.to_json(),
        }  # fmt: skip


@dataclass(frozen=True)
class Trials:
    """Games, or positions judged whole: arrays [m], a trial each.

    dtm      plies to mate at the start with perfect play
    won      1 or 0, or the probability of winning
    plies    length, counted only as far as won
    weights  how many positions a trial stands for
    """

    dtm: NDArray[np.float64]
    won: NDArray[np.float64]
    plies: NDArray[np.float64]
    weights: NDArray[np.float64]
    exact: bool = False

    @classmethod
    def of_games(
        cls, ending: Ending, starts: NDArray[np.int32], lengths: NDArray[Any], *,
        exact: bool = False,
    ) -> Trials:  # fmt: skip
        """Games from these positions: [m] plies until mate, 0 where there was none."""
        dtm, plies = (column.astype(np.float64) for column in (ending.plies[starts], lengths))
        return cls(dtm, (plies > 0).astype(np.float64), plies, np.ones(len(starts)), exact)

    @property
    def positions(self) -> int:
        """How many positions the trials stand for."""
        return int(self.weights.sum())

    def where(self, mask: NDArray[np.bool_]) -> Trials:
        """Some of the trials."""
        kept = (self.dtm[mask], self.won[mask], self.plies[mask], self.weights[mask])
        return Trials(*kept, self.exact)

    @property
    def win_rate(self) -> Rate:
        """WCR, with Wilson's interval unless exact."""
        total, won = float(self.weights.sum()), float(self.weights @ self.won)
        if not total:
            return Rate(None, 0.0, 1.0)
        share = won / total
        low, high = Interval(share, share) if self.exact else wilson(won, total)
        return Rate(share, low, high)

    def efficiency(self, *, held: bool, seed: int) -> Rate:
        """WE, or LHS if `held`: a ratio of means over won games, with a bootstrap interval."""
        weights = self.weights * self.won
        distance, length = weights * self.dtm, self.weights * self.plies
        above, below = (length, distance) if held else (distance, length)
        if below.sum() == 0:
            return Rate(None, 0.0, 1.0)
        ratio = float(above.sum() / below.sum())
        if self.exact:
            return Rate(ratio, ratio, ratio)
        counted = np.flatnonzero(weights)
        random = np.random.default_rng(seed)
        drawn = random.multinomial(len(counted), np.full(len(counted), 1 / len(counted)), RESAMPLES)
        ratios = (drawn @ above[counted]) / (drawn @ below[counted])
        low, high = np.quantile(ratios, [0.025, 0.975])
        return Rate(ratio, float(low), float(high))


Progress = Callable[[int, int], None]


def evaluate(
    agent: Agent | str,
    ending: Ending | str,
    *,
    games: int = 2000,
    seed: int = 1,
    floor_games: int = FLOOR_GAMES,
    progress: Progress | None = None,
    played: list[int] | None = None,
) -> EndingResult:
    """Judges an agent in an ending: half of the games with the strong side, half with the weak.

    An agent with a fixed choice is judged over all positions, without games. `played` gets the
    plies until mate of every game as it ends, 0 where there was none; the strong side comes first.
    """
    if games < 2:
        raise ParseError(f"an evaluation takes 2 games or more, not {games}")
    agent = load_agent(agent) if isinstance(agent, str) else agent
    ending = Ending(ending) if isinstance(ending, str) else ending
    ending.starts(1, seed)  # refuses endings that nobody can win
    ledger = Ledger.here()
    with ledger.timing():
        if isinstance(agent, FixedChoice):
            attack, defence = whole(ending, agent.choices(ending.family))
        else:
            table = _Table(agent, ending, seed, ledger, progress, games, played)
            attack = table.attacks(games - games // 2)
            defence = table.defences(games // 2)
    return EndingResult(
        ending=ending.name,
        agent=agent.name,
        positions=attack.positions + defence.positions,
        exact=attack.exact,
        seed=seed,
        wcr=attack.win_rate,
        we=attack.efficiency(held=False, seed=derive(seed, "we")),
        lhs=defence.efficiency(held=True, seed=derive(seed, "lhs")),
        strata=_strata(attack, int(ending.plies[ending.decided(WHITE, WHITE)].max()), seed),
        floor=floor(ending, games=floor_games, seed=seed),
        ledger=ledger,
    )


def whole(
    ending: Ending, choice: NDArray[np.int32], *, any_defence: bool = False, threads: int = 1
) -> tuple[Trials, Trials]:
    """A fixed choice judged over every position: attack, and defence, each with the agent to move.

    `any_defence`: the worst that could happen to this very choice, not what perfect play does.
    """
    family, verdicts = ending.family, ending.verdicts
    won, plies = _core.endings.attack_worth(
        family, verdicts, choice, seat=WHITE, moves=MOVES, any_defence=any_defence, threads=threads
    )
    held = _core.endings.defence_worth(family, verdicts, choice, seat=BLACK, threads=threads)

    def trials(numbers: NDArray[np.int32], share: Any, length: Any) -> Trials:
        columns = (ending.plies, share, length, ending.orbits)
        dtm, won, plies, weights = (column[numbers].astype(np.float64) for column in columns)
        return Trials(dtm, won, plies, weights, exact=True)

    attack = trials(ending.decided(WHITE, WHITE), won, plies)
    defence = trials(ending.decided(WHITE, BLACK), np.ones(len(family)), held)
    return attack, defence


def figures(attack: Trials, defence: Trials) -> dict[str, float | None]:
    """WCR, WE and LHS, without intervals."""
    rates = (
        attack.win_rate,
        attack.efficiency(held=False, seed=1),
        defence.efficiency(held=True, seed=1),
    )
    return {name: rate.value for name, rate in zip(("wcr", "we", "lhs"), rates, strict=True)}


def floor(ending: Ending, *, games: int = FLOOR_GAMES, seed: int = 1) -> dict[str, Rate]:
    """What random moves win, alone and with mates in 1, 2 and 3 moves always found."""
    starts = ending.starts(games, derive(seed, "floor"))
    rates = {}
    for name, mate_plies in FLOOR_MATES.items():
        lengths = _core.endings.play_attack(
            ending.family, ending.verdicts, starts, mate_plies=mate_plies, cap=2 * MOVES,
            seed=derive(seed, "floor", name),
        )  # fmt: skip
        wins = int((lengths > 0).sum())
        rates[name] = Rate(wins / games, *wilson(wins, games))
    return rates


def _strata(attack: Trials, longest_plies: int, seed: int) -> tuple[Stratum, ...]:
    moves = (attack.dtm + 1) // 2
    longest = (longest_plies + 1) // 2
    edges = [round(longest * i / STRATA) for i in range(STRATA + 1)]
    strata = []
    for before, last in pairwise(edges):
        first = before + 1
        if first > last:
            continue
        part = attack.where((moves >= first) & (moves <= last))
        we = part.efficiency(held=False, seed=derive(seed, "we", first))
        strata.append(Stratum(first, last, part.positions, part.win_rate, we))
    return tuple(strata)


class _Table:
    """Games of an agent against perfect play."""

    def __init__(
        self, agent: Agent, ending: Ending, seed: int, ledger: Ledger,
        progress: Progress | None, games: int, played: list[int] | None = None,
    ) -> None:  # fmt: skip
        self._agent = agent
        self._ending = ending
        self._seed = seed
        self._ledger = ledger
        self._tell = progress or (lambda done, total: None)
        self._games = games
        self._played = [] if played is None else played

    def attacks(self, games: int) -> Trials:
        """With the strong side."""
        starts = self._ending.starts(games, derive(self._seed, "attack"))
        lengths = [self._game("attack", i, int(start)) for i, start in enumerate(starts)]
        return Trials.of_games(self._ending, starts, np.array(lengths))

    def defences(self, games: int) -> Trials:
        """With the weak side."""
        starts = self._ending.starts(games, derive(self._seed, "defence"), turn=BLACK)
        lengths = [self._game("defence", i, int(start)) for i, start in enumerate(starts)]
        return Trials.of_games(self._ending, starts, np.array(lengths))

    def _game(self, kind: str, game: int, start: int) -> int:
        """Plies until mate; 0 if the strong side gave the win away or ran out of moves."""
        self._agent.reset(derive(self._seed, kind, game))
        random = Random(derive(self._seed, kind, game, "perfect"))
        position: Position = self._ending.family.position(start)
        own = position.turn
        length = 0
        for ply in range(1, 2 * MOVES + 1):
            move = self._chosen(position) if position.turn == own else self._best(position, random)
            # Parsed anew without its past: repetition does not end these games.
            position = self._ending.game.parse(position.play(move).text)
            verdict = self._ending.tablebase.probe(position)
            if verdict == 1:
                length = ply
                break
            winning = value(verdict) == (-1 if position.turn == BLACK else 1)
            if not winning:
                break
        self._ledger.games += 1
        self._played.append(length)
        self._tell(self._ledger.games, self._games)
        return length

    def _chosen(self, position: Position) -> int:
        choice = self._agent.choose(position.view(position.turn))
        check()
        self._ledger.moves += 1
        self._ledger.positions += choice.cost.positions
        self._ledger.evaluations += choice.cost.evaluations
        self._ledger.multiply_adds += choice.cost.multiply_adds
        return choice.move

    def _best(self, position: Position, random: Random) -> int:
        best = best_moves(self._ending.tablebase.moves(position))
        return best[random.randrange(len(best))]
