"""Networks with a policy and a value, and the searches of the core that they guide.

A search of many games (`ManySearch`) hands over its leaves all at once: features in rows, packed in
bits where a game's can be, and the legal moves of each. A network answers with values for the seat
to move and with priors of those moves alone.

Letters: N positions, W numbers of a row, K moves of all positions, P planes, F features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tempo.games.game import Game
from tempo.nets.approximator import Approximator, Arrays, Floats
from tempo.stopping import check

Rows = NDArray[Any]
Ints = NDArray[np.int64]
Answer = Callable[[], tuple[Floats, Floats]]  # waits for values [N] and priors [K]


class Packing:
    """How a game's features lie in the rows that searches and batches hand over."""

    def __init__(self, game: Game) -> None:
        self.shape = game.feature_shape
        self.scaled: tuple[int, ...] = getattr(game.core, "scaled_planes", ())
        self.is_packed = hasattr(game.core, "scaled_planes")

    @cached_property
    def numbers(self) -> int:
        """F, of a position."""
        return int(np.prod(self.shape))

    def rows(self, batch: Any) -> Rows:
        """[N, W] of the games of a batch, each as the seat to move sees it."""
        if self.is_packed:
            packed: Rows = batch.packed_features()
            return packed
        plain: Rows = batch.features().reshape(len(batch), -1)
        return plain

    def features(self, rows: Rows) -> Floats:
        """[N, F] what rows stand for."""
        if not self.is_packed:
            return rows
        octets = -(-self.numbers // 8)
        bits = np.unpackbits(rows[:, :octets], axis=1, count=self.numbers, bitorder="little")
        features = bits.astype(np.float32)
        if self.scaled:
            scales = np.ascontiguousarray(rows[:, octets:]).view("<f4")
            planes = features.reshape(len(rows), self.shape[0], -1)
            for i, plane in enumerate(self.scaled):
                planes[:, plane] *= scales[:, i, None]
        return features


@dataclass(frozen=True)
class Policies:
    """Moves of N positions with a number each: those of position i lie at offsets[i] to [i + 1]."""

    offsets: Ints  # [N + 1]
    moves: NDArray[np.uint16]  # [K]
    shares: Floats  # [K]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, which: Any) -> Policies:
        """Those of some positions, by numbers or flags."""
        numbers = np.arange(len(self))[which]
        counts = np.diff(self.offsets)[numbers]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        places = np.repeat(self.offsets[numbers] - offsets[:-1], counts) + np.arange(offsets[-1])
        return Policies(offsets, self.moves[places], self.shares[places])

    def padded(self, width: int) -> tuple[NDArray[np.int32], Floats]:
        """[N, width] moves and shares; where there are no more, -1 and 0."""
        counts = np.diff(self.offsets)
        filled = np.arange(width) < counts[:, None]
        moves, shares = np.full(filled.shape, -1, np.int32), np.zeros(filled.shape, np.float32)
        moves[filled], shares[filled] = self.moves, self.shares
        return moves, shares

    def arrays(self, prefix: str) -> Arrays:
        """For a checkpoint."""
        found: Arrays = {"offsets": self.offsets, "moves": self.moves, "shares": self.shares}
        return {prefix + name: array for name, array in found.items()}

    @staticmethod
    def restored(arrays: Arrays, prefix: str) -> Policies:
        """From a checkpoint."""
        return Policies(*(arrays[prefix + name] for name in ("offsets", "moves", "shares")))

    @staticmethod
    def none(count: int) -> Policies:
        """Of positions without moves."""
        nothing = np.zeros(0, np.float32)
        return Policies(np.zeros(count + 1, np.int64), nothing.astype(np.uint16), nothing)

    @staticmethod
    def joined(parts: Sequence[Policies]) -> Policies:
        """Several laid end to end."""
        counts = np.concatenate([np.diff(part.offsets) for part in parts])
        return Policies(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate([part.moves for part in parts]),
            np.concatenate([part.shares for part in parts]),
        )


@dataclass(frozen=True)
class Examples:
    """Positions with the policies and values that a network should have there.

    `soon` is a value that looks a few moves ahead, for an auxiliary head: it is less noisy than the
    result of the game.
    """

    rows: Rows  # [N, W]
    policies: Policies
    values: Floats  # [N] for the seat to move
    soon: Floats  # [N]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, which: Any) -> Examples:
        """Some of them, by numbers, flags or a slice."""
        return Examples(
            self.rows[which], self.policies[which], self.values[which], self.soon[which]
        )

    @staticmethod
    def joined(parts: Sequence[Examples]) -> Examples:
        """Several laid end to end."""
        return Examples(
            np.concatenate([part.rows for part in parts]),
            Policies.joined([part.policies for part in parts]),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.soon for part in parts]),
        )


@dataclass(frozen=True)
class Losses:
    """Means over the positions of a step: squared errors, and the cross entropy of policies."""

    value: float
    soon: float
    policy: float

    @property
    def total(self) -> float:
        """What a step goes down."""
        return self.value + SOON * self.soon + self.policy


SOON = 0.5  # what the auxiliary value counts for


class Guided(Approximator, Protocol):
    """An approximator with a policy."""

    on_gpu: bool

    def ask(self, rows: Rows, offsets: Ints, moves: NDArray[np.uint16]) -> Answer:
        """Begins to answer about leaves. Priors need not add up to one."""

    def improve(
        self, examples: Examples, symmetries: NDArray[np.int64], step_size: float
    ) -> Losses:
        """One step, with position i turned by symmetries[i]; the losses before it."""


def is_guided(approximator: Approximator) -> bool:
    """Whether it has a policy."""
    return hasattr(approximator, "ask")


def symmetry_tables(game: Game) -> tuple[Ints, Ints]:
    """[S, F] which feature stands where after each symmetry; [S, A] which number a move gets.

    The identity alone, where features are not known to turn with the board.
    """
    core: Any = game.core
    if not hasattr(core, "transformed_features"):
        numbers, moves = int(np.prod(game.feature_shape)), game.move_numbers
        return np.arange(numbers)[None], np.arange(moves)[None]
    all_symmetries = range(game.symmetries)
    to = [core.transformed_features(game.options, s) for s in all_symmetries]
    moved = [core.transformed_moves(game.options, s) for s in all_symmetries]
    return np.argsort(np.array(to), axis=1), np.array(moved)


def grow(searches: Sequence[Any], net: Guided) -> None:
    """Runs searches that have begun to their end: some trees grow while others wait for answers."""
    waiting = [(search, asked) for search in searches if (asked := _asked(search, net))]
    while waiting:
        check()
        answered = waiting
        waiting = []
        for search, answer in answered:
            search.apply(*answer())
            if asked := _asked(search, net):
                waiting.append((search, asked))


def _asked(search: Any, net: Guided) -> Answer | None:
    rows, offsets, moves = search.gather()
    return net.ask(rows, offsets, moves) if len(rows) else None
