"""Self-play by guided search: games side by side that begin anew when they end.

A half of the games grows its trees while the network answers for the other. No object is made for a
game or a move: what is noted of the moves of a game lies in arrays, a row a game, until the game
ends and they become examples. Game n draws from (seed, n), its searches from (seed, n, move).

Letters: B games of a half, T moves of a game at most, W numbers of a row, M moves of a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core, td
from tempo.learners.experience import random_moves
from tempo.ledger import Ledger
from tempo.nets.approximator import Arrays, Floats
from tempo.nets.guided import (
    NO_MOVE,
    Examples,
    Guided,
    Packing,
    grow,
    in_columns,
    power_of_two,
    widened,
)
from tempo.stopping import check

if TYPE_CHECKING:
    from tempo.games.game import Game

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Words = NDArray[np.uint64]
AGREED = 4  # moves in a row after which a game that seems decided is broken off
TREE, SIMULATION = 1 << 18, 1 << 14  # bytes: a root with its children, and a leaf with its moves


@dataclass(frozen=True)
class Searching:
    """How moves are found, when games end, and what their moves are moved towards."""

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
    practice: bool
    trace: float
    soon: float
    discount: float


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


class Notes:
    """What was noted of the moves of games under way: arrays [B, T, ...]."""

    def __init__(self, games: int, longest: int, width: int, kind: Any) -> None:
        shape = (games, longest)
        self.line = np.zeros(shape, np.uint16)  # the moves that were made
        self.searched = np.zeros(shape, bool)  # not drawn at random
        self.full = np.zeros(shape, bool)  # with a policy
        self.sign = np.zeros(shape, np.float32)  # 1 for the first seat's team, else -1
        self.value = np.zeros(shape, np.float32)  # what the search says, for the mover
        self.rows = np.zeros((*shape, width), kind)
        columns = power_of_two(0)
        self.moves = np.full((*shape, columns), NO_MOVE, np.uint16)
        self.shares = np.zeros((*shape, columns), np.float16)

    def policies(
        self, place: tuple[Ints, Ints], moves: NDArray[np.uint16], shares: NDArray[np.float16]
    ) -> None:
        """Notes policies [N, M] of the games and moves at `place`."""
        columns = max(self.moves.shape[2], moves.shape[1])
        self.moves = widened(self.moves, columns, NO_MOVE)
        self.shares = widened(self.shares, columns, 0)
        self.moves[place] = widened(moves, columns, NO_MOVE)
        self.shares[place] = widened(shares, columns, 0)

    def arrays(self, ply: Ints) -> Arrays:
        """Of the moves made so far, for a checkpoint."""
        made = self._made(ply)
        return {name: getattr(self, name)[made] for name in NOTED}

    def restore(self, arrays: Arrays, ply: Ints) -> None:
        """Goes back to a checkpoint."""
        made = self._made(ply)
        columns = arrays["moves"].shape[1]
        self.moves = widened(self.moves, columns, NO_MOVE)
        self.shares = widened(self.shares, columns, 0)
        for name in NOTED:
            getattr(self, name)[made] = arrays[name]

    def _made(self, ply: Ints) -> Flags:
        return np.arange(self.line.shape[1]) < ply[:, None]


NOTED = ("line", "searched", "full", "sign", "value", "rows", "moves", "shares")


@dataclass(frozen=True)
class Played:
    """Games that have ended, and the examples that they give."""

    examples: Examples
    scores: Floats  # [games] what the first seats got
    lengths: Ints  # [games]
    resigned: int = 0  # games broken off
    called: int = 0  # games that would have been, and were played on
    wrongly: int = 0  # those of them that ended otherwise

    @staticmethod
    def joined(parts: Sequence[Played]) -> Played:
        """Several together."""
        counts = [
            sum(getattr(p, name) for p in parts) for name in ("resigned", "called", "wrongly")
        ]
        return Played(
            Examples.joined([part.examples for part in parts]),
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.lengths for part in parts]),
            *counts,
        )


class Half:
    """Half of the games, with a tree each."""

    def __init__(
        self, game: Game, searching: Searching, games: int, seed: int, stream: int, threads: int
    ) -> None:
        self._game, self._s, self._seed = game, searching, seed
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
        self._starts = None
        if start := searching.start:
            self._starts = game.description.starts(start, practice=searching.practice)
        self._table = np.arange(games)
        self.number = np.zeros(games, np.int64)
        self.ply = np.zeros(games, np.int64)
        self.agreed = np.zeros(games, np.int64)  # moves since one side seems to have won; < 0: lost
        self.called = np.zeros(games, np.float32)  # how a game that is played on would have ended
        rows = self._packing.rows(self.batch)
        longest = min(searching.longest, game.length_bound)
        self.notes = Notes(games, longest, rows.shape[1], rows.dtype)
        self.texts: list[str] = [""] * games  # of starts that differ

    def begin_games(self, which: Flags, begun: int) -> int:
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
    def opening(self) -> Flags:
        """[B] where a random move comes next."""
        moves = mixed(self._seed, self.number, 2) % np.uint64(self._s.opening + 1)
        return self.ply < moves.astype(np.int64)

    def begin_search(self, simulations: int) -> None:
        """Plants the trees."""
        budgets = np.where(self.opening, 0, simulations).astype(np.int32)
        self.search.begin(self.batch, budgets, mixed(self._seed, self.number, self.ply, 3))

    def play(self, full: bool) -> int:
        """Makes the moves that were found, and notes them; how many there were."""
        moves, values, offsets, listed, shares = self.search.policies()
        searched, notes = moves >= 0, self.notes
        place = (self._table, self.ply)
        sign = self._sign[self.batch.turns]
        notes.searched[place], notes.full[place] = searched, searched & full
        notes.sign[place], notes.value[place] = sign, values
        notes.rows[place] = self._packing.rows(self.batch)
        if full:
            notes.policies(place, *in_columns(offsets, listed, shares))
        at_random = random_moves(self.batch, uniform(self._seed, self.number, self.ply, 4))
        moves = np.where(searched, moves, at_random).astype(np.int32)
        notes.line[place] = moves
        self._agree(np.where(searched, sign * values, 0))
        self.batch.play(moves)
        self.ply += 1
        return int(searched.sum())

    def _agree(self, value: Floats) -> None:
        """Counts moves in a row at which the same side seems to have won."""
        if self._s.resign:
            side = np.sign(value) * (np.abs(value) >= self._s.resign)
            going_on = side * self.agreed > 0
            self.agreed = np.where(going_on, self.agreed + side, side).astype(np.int64)

    def ended(self) -> tuple[Flags, Played]:
        """[B] which games are over, or broken off; what they were."""
        over = self.batch.over
        seems = np.sign(self.agreed) * (np.abs(self.agreed) >= AGREED)
        checked = uniform(self._seed, self.number, 5) < self._s.checked
        self.called = np.where(checked & (self.called == 0), seems, self.called).astype(np.float32)
        resigned = ~over & ~checked & (seems != 0)
        scores = np.where(resigned, seems, self.batch.scores[:, 0]).astype(np.float32)
        done = over | resigned | (self.ply >= self.notes.line.shape[1])
        called = done & (self.called != 0)
        wrong = called & (np.sign(scores) != self.called)
        counts = (int(flags.sum()) for flags in (resigned, called, wrong))
        return done, Played(self._examples(done, scores), scores[done], self.ply[done], *counts)

    def _examples(self, done: Flags, scores: Floats) -> Examples:
        """Positions after a full search, with the λ-returns of searched values as targets."""
        notes, s = self.notes, self._s
        noted = notes.searched[done] & (np.arange(notes.line.shape[1]) < self.ply[done, None])
        game, ply = np.nonzero(noted)
        place = (np.flatnonzero(done)[game], ply)
        sign = notes.sign[place]
        last = np.append(game[1:] != game[:-1], True)[: len(game)]
        values, outcome = sign * notes.value[place], scores[place[0]]
        targets: list[Any] = [values, values]
        if len(game):
            targets = [td.td(values, outcome, last, t, None, s.discount) for t in (s.trace, s.soon)]
        kept = notes.full[place]
        where = (place[0][kept], ply[kept])
        both = ((sign * np.clip(t, -1, 1)).astype(np.float32)[kept] for t in targets)
        return Examples(notes.rows[where], notes.moves[where], notes.shares[where], *both)

    # Checkpoints

    def arrays(self) -> Arrays:
        """Where the games stand, as the moves that led there, and what was noted of these."""
        texts = "\n".join(self.texts).encode()
        return {
            "number": self.number, "ply": self.ply, "agreed": self.agreed, "called": self.called,
            "random": self.batch.random_states, "texts": np.frombuffer(texts, np.uint8),
            **{f"noted.{name}": a for name, a in self.notes.arrays(self.ply).items()},
        }  # fmt: skip

    def restore(self, arrays: Arrays) -> None:
        """Goes back to a checkpoint."""
        self.number, self.ply, self.agreed, self.called = (
            arrays[name].copy() for name in ("number", "ply", "agreed", "called")
        )
        self.notes.restore({name: arrays[f"noted.{name}"] for name in NOTED}, self.ply)
        self.batch.restart()
        self.texts = bytes(arrays["texts"]).decode().split("\n")
        for i, text in enumerate(self.texts):
            if text:
                self.batch.place(i, self._game.parse(text))
        line = self.notes.line.astype(np.int32)
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

    def moves(self, plies: int, cost: Ledger) -> Played:
        """Makes this many moves in every game; the games that ended meanwhile."""
        found: list[Played] = []
        before = self._evaluations()
        for _ in range(plies):
            drawn = uniform(self._seed, self._made, 6)[0]
            full = not self._s.quick or bool(drawn < self._s.full)
            self._made += 1
            for half in self._halves:
                half.begin_search(self._s.simulations if full else self._s.quick)
            grow([half.search for half in self._halves], self._net)
            for half in self._halves:
                cost.moves += half.play(full)
                done, played = half.ended()
                found.append(played)
                self.begun = half.begin_games(done, self.begun)
        played = Played.joined(found)
        asked = self._evaluations() - before
        cost.evaluations += asked
        cost.positions += asked
        cost.multiply_adds += asked * self._net.multiply_adds
        cost.games += len(played.scores)
        self.ended += len(played.scores)
        return played

    def _evaluations(self) -> int:
        return sum(int(half.search.evaluations) for half in self._halves)

    # Checkpoints

    def arrays(self) -> Arrays:
        """The games under way."""
        found: Arrays = {"games.made": np.array([self._made])}
        for i, half in enumerate(self._halves):
            found |= {f"games{i}.{name}": array for name, array in half.arrays().items()}
        return found

    def restore(self, arrays: Arrays, ended: int, begun: int) -> None:
        """Goes back to a checkpoint."""
        self.ended, self.begun = ended, begun
        self._made = int(arrays["games.made"][0])
        for i, half in enumerate(self._halves):
            prefix = f"games{i}."
            own = {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}
            half.restore(own)
