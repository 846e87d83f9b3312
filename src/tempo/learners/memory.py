"""A memory of moves (Mnih et al. 2015): their targets are made when they are drawn.

A move's target is gain + factor * max_b Q(s+, b). The memory keeps where s+ is, so that the target
network of the moment values it; what it has said of a position is kept until it is renewed.

Letters: N moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError
from tempo.learners.registry import Samples, samples_of
from tempo.nets.approximator import Arrays, Floats, Inputs

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position

Objects = NDArray[np.object_]
PREFIX = "memory."  # among the arrays of a checkpoint


@dataclass(frozen=True)
class Transitions:
    """Moves with what their targets are made of."""

    inputs: Inputs  # [N] the positions after them
    sign: Floats  # [N] 1 where the seat to move there is of the mover's team, else -1
    gain: Floats  # [N] what is known of the target
    factor: Floats  # [N] how the value of s+ counts for the mover; 0 without s+
    following: Objects  # [N] s+, a position or None

    def __len__(self) -> int:
        return len(self.gain)

    def __getitem__(self, which: Any) -> Transitions:
        """A subset, by indices, a mask or a slice."""
        return Transitions(
            self.inputs[which], self.sign[which], self.gain[which], self.factor[which],
            self.following[which],
        )  # fmt: skip

    @staticmethod
    def joined(parts: list[Transitions]) -> Transitions:
        """Several, concatenated."""
        names = ("sign", "gain", "factor", "following")
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in names]
        return Transitions(Inputs.joined([part.inputs for part in parts]), *columns)


class Memory:
    """The latest moves, and what the target network says of what followed them.

    With size 0 those that were added last.
    """

    def __init__(self, game: Game, size: int, threads: int = 1) -> None:
        self._game, self._size, self._threads = game, size, threads
        self._moves: Transitions | None = None
        self._best: Floats = np.zeros(0, np.float32)  # [N] max_b Q(s+, b); NaN: not asked yet

    def __len__(self) -> int:
        return len(self._best)

    def add(self, made: Transitions) -> None:
        """Remembers moves, and forgets the oldest where there are too many."""
        best = np.full(len(made), np.nan, np.float32)
        if self._moves is not None and self._size:
            made = Transitions.joined([self._moves, made])
            best = np.concatenate([self._best, best])
        self._moves, self._best = made[-self._size :], best[-self._size :]

    def renew(self) -> None:
        """Forgets what the target network has said: it is another one now."""
        self._best = np.full(len(self), np.nan, np.float32)

    def drawn(self, which: NDArray[np.int64], evaluator: Any, seed: int) -> tuple[Samples, int]:
        """Samples of the moves `which`, by a target network; how often that was asked."""
        assert self._moves is not None
        moves, asked = self._moves[which], 0
        unknown = np.unique(which[np.isnan(self._best[which])])
        if len(unknown):
            self._best[unknown], asked = self._ask(self._moves.following[unknown], evaluator, seed)
        targets = moves.gain + moves.factor * self._best[which]
        return samples_of(moves.inputs, moves.sign * targets), asked

    def _ask(self, positions: Objects, evaluator: Any, seed: int) -> tuple[Floats, int]:
        """[M] the largest value of a move in each position, 0 where there is none."""
        best = np.zeros(len(positions), np.float32)
        there = np.array([position is not None for position in positions])
        known: list[Position] = positions[there].tolist()
        if not known:
            return best, 0
        batch: Any = self._game.batch(len(known), seed=seed, threads=self._threads, start=known[0])
        batch.place_all(known)
        offsets, _, values = batch.move_values(evaluator)
        best[there] = np.maximum.reduceat(values, offsets[:-1])
        return best, len(values)

    # Checkpoints

    def arrays(self) -> Arrays:
        """What is remembered; positions as their texts."""
        if self._moves is None:
            return {}
        kept = self._moves
        texts = "\n".join("" if at is None else at.text for at in kept.following)
        found: Arrays = {
            "keys": kept.inputs.keys, "features": kept.inputs.features, "sign": kept.sign,
            "gain": kept.gain, "factor": kept.factor, "best": self._best,
            "following": np.frombuffer(texts.encode(), np.uint8),
        }  # fmt: skip
        return {PREFIX + name: array for name, array in found.items()}

    def restore(self, arrays: Arrays) -> None:
        """Restores a checkpoint."""
        if PREFIX + "keys" not in arrays:
            return
        keys, features, sign, gain, factor, best, text = (
            arrays[PREFIX + name]
            for name in ("keys", "features", "sign", "gain", "factor", "best", "following")
        )
        texts = bytes(text).decode().split("\n")
        if len(texts) != len(gain):
            raise ParseError(f"a memory of {len(gain)} moves has {len(texts)} positions")
        following = np.empty(len(texts), object)
        for i, line in enumerate(texts):
            following[i] = self._game.parse(line) if line else None
        self._moves = Transitions(Inputs(keys, features), sign, gain, factor, following)
        self._best = best.copy()
