"""What a network sees of a game and what its outputs mean: all that a Q-learner knows of it.

An encoding writes positions down in few bytes (`observe`), unfolds them into planes where the
network computes (`planes`), and gives every legal move an output. `Planes` serves any game with
features; games may have better ones of their own.

Letters: B games of a batch, W numbers stored of a position, P planes, R rows, C columns, O outputs,
M legal moves of all games together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError

if TYPE_CHECKING:
    from jax import Array

    from tempo.games.game import Game

Ints = NDArray[np.intp]
Stored = NDArray[Any]  # uint8 or float16, as the encoding says


@dataclass(frozen=True)
class Legal:
    """The legal moves of a batch: move `moves[i]` of game `games[i]` has output `outputs[i]`."""

    offsets: NDArray[np.int64]  # [B + 1] those of game b are offsets[b] to offsets[b + 1] - 1
    games: Ints  # [M]
    outputs: Ints  # [M]
    moves: NDArray[np.uint16]  # [M]
    bits: NDArray[np.uint8]  # [B, O / 8 rounded up] the legal outputs of each game, first bit first

    def drawn(self, draws: NDArray[np.float64]) -> Ints:
        """[B] a place in the list for each game, by draws [B] from [0, 1); -1 without moves."""
        counts = np.diff(self.offsets)
        places = self.offsets[:-1] + np.minimum((draws * counts).astype(np.int64), counts - 1)
        return np.where(counts > 0, places, -1)

    def places(self, chosen: NDArray[np.integer]) -> Ints:
        """[B] where the chosen outputs [B] stand in the list; -1 where they are not legal.

        Of moves that share an output the one with the highest number counts.
        """
        found = np.full(len(self.offsets) - 1, -1, np.intp)
        met = np.flatnonzero(self.outputs == chosen[self.games])
        met = met[np.argsort(self.moves[met], kind="stable")]
        found[self.games[met]] = met
        return found


class Encoding(Protocol):
    """A game as a Q-learner sees it."""

    def __hash__(self) -> int:
        """What is compiled for an encoding is kept for it."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows, columns that the network sees."""

    @property
    def kinds(self) -> int:
        """Outputs a cell: output kind * R * C + cell."""

    @property
    def stored(self) -> tuple[int, type[np.generic]]:
        """How many numbers `observe` stores of a position, and of which kind."""

    @property
    def cells(self) -> Ints:
        """[S, P * R * C] planes under symmetry s are planes.flat[cells[s]]; 0 changes nothing."""

    @property
    def turned(self) -> Ints:
        """[S, O] where symmetry s takes each output."""

    def observe(self, batch: Any) -> Stored:
        """[B, W] every position, as the seat to move sees it."""

    def planes(self, stored: Array) -> Array:
        """[B, P, R, C] of [B, W], where the network computes."""

    def legal(self, batch: Any) -> Legal:
        """Every legal move with its output."""

    def gains(self, batch: Any, moves: NDArray[np.int32]) -> NDArray[np.float32]:
        """[B] what the moves about to be made earn besides a won game; 0 for no move, -1."""


def listed(
    offsets: NDArray[np.int64], moves: NDArray[np.uint16], outputs: Ints, width: int
) -> Legal:
    """Legal moves with their outputs, and the bits of the latter."""
    games = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    mask = np.zeros((len(offsets) - 1, width), np.uint8)
    mask.reshape(-1)[games * width + outputs] = 1
    return Legal(offsets, games, outputs, moves, np.packbits(mask, axis=1, bitorder="little"))


class Planes:
    """Any game with features of its own: output m is move m, nothing is earned but the game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        if game.seats != 2 or not hasattr(game.core.Batch, "features"):
            raise ParseError(f"{game.spec} is no game of two seats with features")
        start: Any = game.start()
        self.shape: tuple[int, int, int] = start.features().shape
        self._area = self.shape[1] * self.shape[2]
        self.kinds = -(-game.move_numbers // self._area)
        self.stored: tuple[int, type[np.generic]] = (self.shape[0] * self._area, np.float16)

    @cached_property
    def cells(self) -> Ints:
        """As the game's own tables have it."""
        core, options = self.game.core, self.game.options
        count = self.game.symmetries if hasattr(core, "transformed_features") else 1
        if count == 1:
            return np.arange(self.stored[0])[None]
        goes = [core.transformed_features(options, s) for s in range(count)]
        return np.stack([np.argsort(row) for row in goes])

    @cached_property
    def turned(self) -> Ints:
        """As the game's start has it."""
        start: Any = self.game.start()
        found = np.tile(np.arange(self.kinds * self._area), (len(self.cells), 1))
        for s in range(1, len(found)):
            for move in range(self.game.move_numbers):
                found[s, move] = start.transformed_move(move, s)
        return found

    def observe(self, batch: Any) -> Stored:
        """The features, in half the bytes."""
        features: Stored = batch.features()
        return features.reshape(len(features), -1).astype(np.float16)

    def planes(self, stored: Array) -> Array:
        """The features again."""
        return stored.reshape(-1, *self.shape).astype("float32")

    def legal(self, batch: Any) -> Legal:
        """Every legal move with its output."""
        offsets, moves = batch.legal_list()
        return listed(offsets, moves, moves.astype(np.intp), self.kinds * self._area)

    def gains(self, batch: Any, moves: NDArray[np.int32]) -> NDArray[np.float32]:
        """Nothing."""
        return np.zeros(len(moves), np.float32)
