"""Self-play by guided search: games side by side that are begun anew when they end.

A half of the games grows its trees while the network answers for the other. No object is made for
a game or a move: what is noted of a move in every game is a row of arrays, and the rows of a game
are examples once it is over. Game n draws from (seed, n), its searches from (seed, n, move).

Letters: N moves of all games, B games of a half.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core, td
from tempo.learners.experience import random_moves
from tempo.ledger import Ledger
from tempo.nets.approximator import Arrays, Floats
from tempo.nets.guided import Examples, Guided, Packing, Policies, grow
from tempo.stopping import check

if TYPE_CHECKING:
    from tempo.games.game import Game

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
NOTED = ("game", "ply", "sign", "value", "rows")  # of a move, besides its policy
PENDING = "pending."  # among the arrays of a checkpoint
AGREED = 4  # moves in a row after which a game that seems decided is broken off
TREE, SIMULATION = 1 << 18, 1 << 14  # bytes: a root with its children, and a leaf with its moves


@dataclass(frozen=True)
class Searching:
    """How moves are found, and when games end."""

    simulations: int
    quick: int
    full: float
    considered: int
    scale: float
    opening: int
    longest: int
    resign: float
    checked: float
    start: str


def mixed(*parts: Any) -> Words:
    """Well mixed bits of whole numbers and arrays of them (Steele, Lea, Flood 2014)."""
    state = np.zeros(np.broadcast_shapes(*(np.shape(part) for part in parts)) or (1,), np.uint64)
    for given in parts:
        state = state ^ np.asarray(given).astype(np.uint64)
        state = state + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state = state ^ (state >> np.uint64(31))
    return state


def uniform(*parts: Any) -> NDArray[np.float64]:
    """From 0 to 1, by the same numbers."""
    return (mixed(*parts) >> np.uint64(11)).astype(np.float64) * 2.0**-53


@dataclass(frozen=True)
class Moves:
    """What was noted of moves: a row each."""

    game: Ints  # [N]
    ply: Ints  # [N]
    sign: Floats  # [N] 1 where the mover is of the first seat's team, else -1
    value: Floats  # [N] what the search says, for the mover
    rows: NDArray[Any]  # [N, W] what the mover saw
    policies: Policies  # none of quick searches

    def __len__(self) -> int:
        return len(self.game)

    def __getitem__(self, which: Any) -> Moves:
        """Some of them, by numbers or flags."""
        return Moves(*(getattr(self, field.name)[which] for field in fields(self)))

    @staticmethod
    def joined(parts: list[Moves]) -> Moves:
        """Several laid end to end."""
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in NOTED}
        return Moves(**columns, policies=Policies.joined([part.policies for part in parts]))


@dataclass(frozen=True)
class Played:
    """The moves of games that have ended, game by game, and how those ended."""

    moves: Moves
    outcome: Floats  # [N] what the first seat got
    scores: Floats  # [games] the same by game
    length: float  # moves of a game on average
    resigned: float  # share of games broken off
    wrongly: float  # share of those, played on, that ended otherwise

    def examples(self, trace: float, soon: float, discount: float) -> Examples:
        """Positions after a full search, with the λ-returns of searched values as targets."""
        moves = self.moves
        last = np.append(moves.game[1:] != moves.game[:-1], True)[: len(moves)]
        values = moves.sign * moves.value
        kept = np.diff(moves.policies.offsets) > 0
        targets = [
            (moves.sign * np.clip(td.td(values, self.outcome, last, by, None, discount), -1, 1))
            for by in (trace, soon)
        ] if len(moves) else [values, values]  # fmt: skip
        both = [target.astype(np.float32)[kept] for target in targets]
        return Examples(moves.rows[kept], moves.policies[kept], *both)


class Half:
    """Half of the games, with a tree each."""

    def __init__(
        self, game: Game, searching: Searching, games: int, seed: int, stream: int, threads: int
    ) -> None:
        self._game, self._s, self._seed, self._threads = game, searching, seed, threads
        self.batch: Any = game.batch(games, seed=int(mixed(seed, stream)[0]), threads=threads)
        most = max(searching.simulations, searching.quick)
        settings = _core.MonteCarloSettings(
            simulations=most, selection="gumbel", rollout_moves=0, noise_fraction=1.0,
            considered=searching.considered, value_scale=searching.scale, threads=threads,
            memory=games * (TREE + SIMULATION * most),
        )  # fmt: skip
        self.search: Any = game.core.ManySearch(settings, games)
        teams = np.array(game.teams)
        self._sign = np.where(teams == teams[0], 1, -1).astype(np.float32)
        self._packing = Packing(game)
        self._starts = game.description.starts(searching.start) if searching.start else None
        self.number = np.zeros(games, np.int64)
        self.ply = np.zeros(games, np.int64)
        self.agreed = np.zeros(games, np.int64)  # moves since one side seems to have won; < 0: lost
        self.called = np.zeros(games, np.float32)  # how a game that is played on would have ended
        self.line = np.zeros((games, min(searching.longest, game.length_bound) + 1), np.uint16)
        self.texts: list[str] = [""] * games  # of starts that differ

    def begin_games(self, which: NDArray[np.bool_], begun: int) -> int:
        """Starts the flagged games anew, with the next numbers; how many have begun now."""
        count = int(which.sum())
        if not count:
            return begun
        self.number[which] = begun + np.arange(count)
        self.ply[which] = self.agreed[which] = 0
        self.called[which] = 0
        self.batch.restart(which)
        if self._starts is not None or self._game.is_dealt:
            for i in np.flatnonzero(which).tolist():
                if self._starts is not None:
                    random = np.random.default_rng([self._seed, int(self.number[i])])
                    self.batch.place(i, self._starts(random))
                self.texts[i] = self.batch[i].text
        return begun + count

    @property
    def opening(self) -> NDArray[np.bool_]:
        """[B] where a random move comes next."""
        moves = mixed(self._seed, self.number, 2) % np.uint64(self._s.opening + 1)
        return self.ply < moves.astype(np.int64)

    def begin_search(self, simulations: int) -> None:
        """Plants the trees."""
        budgets = np.where(self.opening | self.batch.over, 0, simulations).astype(np.int32)
        self.search.begin(self.batch, budgets, mixed(self._seed, self.number, self.ply, 3))

    def play(self, full: bool, cost: Ledger) -> Moves:
        """Makes the moves that were found; what was noted of them."""
        moves, values, offsets, listed, shares = self.search.policies()
        searched = moves >= 0
        policies = Policies(offsets, listed, shares) if full else Policies.none(len(moves))
        noted = Moves(
            self.number, self.ply, self._sign[self.batch.turns], values,
            self._packing.rows(self.batch), policies,
        )[searched]  # fmt: skip
        at_random = random_moves(self.batch, uniform(self._seed, self.number, self.ply, 4))
        moves = np.where(searched, moves, at_random)
        self.line[np.arange(len(moves)), self.ply] = np.maximum(moves, 0)
        self._agree(searched, noted)
        self.batch.play(moves.astype(np.int32))
        self.ply += 1
        cost.moves += int(searched.sum())
        return noted

    def _agree(self, searched: NDArray[np.bool_], noted: Moves) -> None:
        """Counts moves in a row at which the same side seems to have won."""
        if not self._s.resign:
            return
        value = np.zeros(len(searched), np.float32)
        value[searched] = noted.sign * noted.value
        side = np.where(value >= self._s.resign, 1, np.where(value <= -self._s.resign, -1, 0))
        self.agreed = np.where(side * self.agreed > 0, self.agreed + side, side)

    def ended(self) -> tuple[NDArray[np.bool_], Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        """[B] which games are over, and what their first seats got; which were broken off.

        Last come those that were played on, and ended otherwise than they would have.
        """
        over = self.batch.over
        scores = self.batch.scores[:, 0].astype(np.float32)
        seems = np.sign(self.agreed) * (np.abs(self.agreed) >= AGREED)
        checked = uniform(self._seed, self.number, 5) < self._s.checked
        self.called = np.where(checked & (self.called == 0), seems, self.called).astype(np.float32)
        resigned = ~over & ~checked & (seems != 0)
        scores = np.where(resigned, seems, scores).astype(np.float32)
        cut = self.ply >= self.line.shape[1] - 1
        done = over | resigned | cut
        wrong = done & (self.called != 0) & (np.sign(scores) != self.called)
        return done, scores, resigned, wrong

    # Checkpoints

    def arrays(self) -> Arrays:
        """Where the games stand, as the moves that led there."""
        texts = "\n".join(self.texts).encode()
        return {
            "number": self.number, "ply": self.ply, "agreed": self.agreed, "called": self.called,
            "line": self.line[:, : int(self.ply.max(initial=0)) + 1],
            "random": self.batch.random_states, "texts": np.frombuffer(texts, np.uint8),
        }  # fmt: skip

    def restore(self, arrays: Arrays) -> None:
        """Goes back to a checkpoint."""
        self.number, self.ply, self.agreed, self.called = (
            arrays[name].copy() for name in ("number", "ply", "agreed", "called")
        )
        line = arrays["line"]
        self.line[:, : line.shape[1]] = line
        self.batch.restart()
        self.texts = bytes(arrays["texts"]).decode().split("\n")
        for i, text in enumerate(self.texts):
            if text:
                self.batch.place(i, self._game.parse(text))
        for at in range(int(self.ply.max(initial=0))):
            check()
            self.batch.play(np.where(at < self.ply, line[:, at], -1).astype(np.int32))
        self.batch.random_states = arrays["random"]


class GuidedPlay:
    """Games under way, in two halves."""

    def __init__(
        self, game: Game, net: Guided, searching: Searching, games: int, seed: int, threads: int
    ) -> None:
        self._net, self._s, self._seed = net, searching, seed
        sizes = [size for size in ((games + 1) // 2, games // 2) if size]
        self._halves = [
            Half(game, searching, size, seed, i, threads) for i, size in enumerate(sizes)
        ]
        self.begun = self.ended = 0
        self._made = 0  # moves of every game so far
        for half in self._halves:
            self.begun = half.begin_games(np.ones(len(half.number), bool), self.begun)
        self._pending: list[Moves] = []

    def moves(self, plies: int, cost: Ledger) -> Played:
        """Makes this many moves in every game; the games that ended meanwhile."""
        outcomes: list[tuple[Ints, Floats, Ints]] = []
        resigned = wrong = called = 0
        asked = sum(half.search.evaluations for half in self._halves)
        for _ in range(plies):
            full = not self._s.quick or bool(uniform(self._seed, self._made, 6)[0] < self._s.full)
            self._made += 1
            for half in self._halves:
                half.begin_search(self._s.simulations if full else self._s.quick)
            grow([half.search for half in self._halves], self._net)
            for half in self._halves:
                self._pending.append(half.play(full, cost))
                done, scores, broken, otherwise = half.ended()
                outcomes.append((half.number[done], scores[done], half.ply[done]))
                resigned += int(broken.sum())
                wrong += int(otherwise.sum())
                called += int((done & (half.called != 0)).sum())
                self.begun = half.begin_games(done, self.begun)
        asked = sum(half.search.evaluations for half in self._halves) - asked
        cost.evaluations += asked
        cost.positions += asked
        cost.multiply_adds += asked * self._net.multiply_adds
        return self._finished(outcomes, resigned, wrong, called, cost)

    def _finished(
        self,
        outcomes: list[tuple[Ints, Floats, Ints]],
        resigned: int,
        wrong: int,
        called: int,
        cost: Ledger,
    ) -> Played:
        """Takes the moves of games that are over out of those that wait for an end."""
        numbers, scores, lengths = (
            np.concatenate(column) for column in zip(*outcomes, strict=True)
        )
        self.ended += len(numbers)
        cost.games += len(numbers)
        waiting = Moves.joined(self._pending)
        over = np.isin(waiting.game, numbers)
        self._pending = [waiting[~over]]
        done = waiting[over]
        done = done[np.lexsort((done.ply, done.game))]
        order = np.argsort(numbers)
        outcome = scores[order][np.searchsorted(numbers[order], done.game)]
        length = float(lengths.mean()) if len(lengths) else 0.0
        share = resigned / len(numbers) if len(numbers) else 0.0
        return Played(done, outcome, scores, length, share, wrong / called if called else 0.0)

    # Checkpoints

    def arrays(self) -> Arrays:
        """The games under way, and the moves that wait for their ends."""
        found: Arrays = {"games.made": np.array([self._made])}
        for i, half in enumerate(self._halves):
            found |= {f"games{i}.{name}": array for name, array in half.arrays().items()}
        if self._pending:
            waiting = Moves.joined(self._pending)
            found |= {PENDING + name: getattr(waiting, name) for name in NOTED}
            found |= waiting.policies.arrays(PENDING)
        return found

    def restore(self, arrays: Arrays, ended: int, begun: int) -> None:
        """Goes back to a checkpoint."""
        self.ended, self.begun = ended, begun
        self._made = int(arrays["games.made"][0])
        for i, half in enumerate(self._halves):
            prefix = f"games{i}."
            own = {name.removeprefix(prefix): a for name, a in arrays.items()
                   if name.startswith(prefix)}  # fmt: skip
            half.restore(own)
        if PENDING + "game" in arrays:
            columns = {name: arrays[PENDING + name] for name in NOTED}
            self._pending = [Moves(**columns, policies=Policies.restored(arrays, PENDING))]
