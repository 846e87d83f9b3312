"""Networks with a policy and a value, and the searches of the core that they guide.

A search of many games (`ManySearch`) hands over its leaves all at once: features in rows, packed in
bits where a game's can be, and the legal moves of each. A network answers with values for the seat
to move and with priors of those moves alone.

Letters: N positions, W numbers of a row, K moves of all positions, M of one at most, F features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tempo.games.game import Game
from tempo.nets.approximator import Approximator, Floats
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


NO_MOVE = 0xFFFF  # where a position has no more moves


def in_columns(
    offsets: Ints, moves: NDArray[np.uint16], shares: Floats
) -> tuple[NDArray[np.uint16], NDArray[np.float16]]:
    """[N, M] moves and shares, those of position i from the first column on, then `NO_MOVE` and 0.

    M is a power of two, so that few shapes are compiled.
    """
    counts = np.diff(offsets)
    filled = np.arange(power_of_two(int(counts.max(initial=1)))) < counts[:, None]
    listed = np.full(filled.shape, NO_MOVE, np.uint16)
    shared = np.zeros(filled.shape, np.float16)
    listed[filled], shared[filled] = moves, shares
    return listed, shared


def widened(array: NDArray[Any], columns: int, filler: int) -> NDArray[Any]:
    """[..., M] with more columns."""
    missing = columns - array.shape[-1]
    if missing <= 0:
        return array
    widths = [(0, 0)] * (array.ndim - 1) + [(0, missing)]
    return np.pad(array, widths, constant_values=filler)


def power_of_two(count: int) -> int:
    """The smallest one that is not below a number, and not below 16."""
    return max(16, 1 << max(count - 1, 0).bit_length())


@dataclass(frozen=True)
class Examples:
    """Positions with the policies and values that a network should have there.

    `soon` is a value that looks a few moves ahead, for an auxiliary head: it is less noisy than the
    result of the game.
    """

    rows: Rows  # [N, W]
    moves: NDArray[np.uint16]  # [N, M] the legal ones, then NO_MOVE
    shares: NDArray[np.float16]  # [N, M] of them in the policy
    values: Floats  # [N] for the seat to move
    soon: Floats  # [N]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, which: Any) -> Examples:
        """Some of them, by numbers, flags or a slice."""
        return Examples(*(getattr(self, name)[which] for name in COLUMNS))

    @staticmethod
    def joined(parts: Sequence[Examples]) -> Examples:
        """Several laid end to end."""
        width = max(part.moves.shape[1] for part in parts)
        wide = [part.widened(width) for part in parts]
        return Examples(
            *(np.concatenate([getattr(part, name) for part in wide]) for name in COLUMNS)
        )

    def widened(self, columns: int) -> Examples:
        """With room for more moves."""
        moves, shares = widened(self.moves, columns, NO_MOVE), widened(self.shares, columns, 0)
        return replace(self, moves=moves, shares=shares)


COLUMNS = ("rows", "moves", "shares", "values", "soon")


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


class Later:
    """Logits that are computed if somebody asks: a search by values alone does not."""

    def __init__(self, logits: Callable[[], Floats]) -> None:
        self._logits = logits

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        """What NumPy and the core read."""
        return np.asarray(self._logits(), dtype)


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
