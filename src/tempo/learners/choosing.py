"""Which move is made while learning: what moves are worth, by whom that is found, and the choice.

Letters: B games side by side, K moves of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo import _core
from tempo.explore import boltzmann

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.nets.approximator import Floats

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Draws = NDArray[np.float64]
TREE, SIMULATION = 1 << 18, 1 << 14  # bytes: a root with its children, and a leaf with its moves


@dataclass(frozen=True)
class Valued:
    """Moves of every game, with what each is worth to the seat to move there."""

    offsets: Ints  # [B + 1] those of game i are from offsets[i] to offsets[i + 1]
    moves: NDArray[np.uint16]  # [K]
    values: Floats  # [K]

    def best(self, draws: Draws) -> tuple[Floats, Ints]:
        """[B] the best value of each game, 0 without moves, and where it is; draws break ties."""
        counts = np.diff(self.offsets)
        best = np.zeros(len(counts), np.float32)
        filled = counts > 0
        if len(self.values):
            best[filled] = np.maximum.reduceat(self.values, self.offsets[:-1][filled])
        equal = np.flatnonzero(self.values == np.repeat(best, counts))
        of = np.searchsorted(self.offsets, equal, side="right") - 1
        ties = np.bincount(of, minlength=len(counts))
        nth = np.minimum((draws * ties).astype(np.int64), np.maximum(ties - 1, 0))
        before = np.cumsum(ties) - ties
        where = np.append(equal, -1)
        return best, np.where(filled, where[np.where(filled, before + nth, -1)], -1)

    def places(self, wanted: Ints) -> Ints:
        """[B] where in the list each game's wanted move stands; -1 without one."""
        hits = np.flatnonzero(self.moves == np.repeat(wanted, np.diff(self.offsets)))
        found = np.full(len(wanted), -1, np.int64)
        found[np.searchsorted(self.offsets, hits, side="right") - 1] = hits
        return found

    def at(self, places: Ints) -> tuple[Ints, Floats]:
        """[B] the moves at places of the list, and their values; -1 and 0 where that is -1."""
        moves = np.append(self.moves.astype(np.int64), -1)[places]
        return moves, np.append(self.values, np.float32(0))[places]

    def accepted(self, proposed: Ints, best: Floats, temperature: float, draws: Draws) -> Flags:
        """[B] whether Metropolis takes the moves at places; never one that has no value."""
        worse = np.where(proposed >= 0, self.at(proposed)[1], -np.inf) - best
        taken: Flags = draws <= np.exp(np.minimum(worse / temperature, 0.0))
        return taken

    def drawn(self, temperature: float, draws: Draws) -> Ints:
        """[B] where in the list the moves are that Boltzmann's rule draws; -1 without moves."""
        counts = np.diff(self.offsets)
        legal = np.arange(counts.max(initial=1)) < counts[:, None]
        values = np.zeros(legal.shape, np.float32)
        values[legal] = self.values
        some, found = counts > 0, np.full(len(counts), -1, np.int64)
        nth = boltzmann(values[some], legal[some], temperature, draws[some])
        found[some] = self.offsets[:-1][some] + nth
        return found


class Simulations:
    """Monte-Carlo searches in the games of a batch, which are numbered from `first`.

    Every tree draws from (seed, game, move), and so does the determinization of a hidden game that
    it stands on: neither other games nor threads change what it finds.
    """

    def __init__(
        self, game: Game, simulations: int, games: int, *, seed: int, first: int, threads: int
    ) -> None:
        self._budget, self._seed, self._numbers = simulations, seed, range(first, first + games)
        settings = _core.MonteCarloSettings(
            simulations=simulations, rollout_moves=0, threads=threads,
            memory=games * (TREE + SIMULATION * simulations),
        )  # fmt: skip
        self._trees: Any = game.core.ManySearch(settings, games)

    def search(
        self, batch: Any, evaluator: Any, which: Flags, ply: Ints
    ) -> tuple[Valued, int, int]:
        """The moves tried in the flagged games, best first; positions visited, and evaluations.

        `ply` [B] is how many moves each game has made.
        """
        seeds = [
            np.random.SeedSequence([self._seed, number, at, 3]).generate_state(1, np.uint64)[0]
            for number, at in zip(self._numbers, ply.tolist(), strict=True)
        ]
        budgets = np.where(which, self._budget, 0).astype(np.int32)
        results = self._trees.search(batch, evaluator, budgets, np.array(seeds, np.uint64))
        turns, counts = batch.turns.tolist(), np.zeros(len(which), np.int64)
        moves: list[int] = []
        values: list[float] = []
        positions = evaluations = 0
        for i in np.flatnonzero(which).tolist():
            tried = [one for one in results[i].root if one.visits]
            counts[i] = len(tried)
            moves += [one.move for one in tried]
            values += [one.scores[turns[i]] for one in tried]
            positions += results[i].positions
            evaluations += results[i].evaluations
        offsets = np.concatenate([[0], np.cumsum(counts)])
        found = Valued(offsets, np.array(moves, np.uint16), np.array(values, np.float32))
        return found, positions, evaluations
