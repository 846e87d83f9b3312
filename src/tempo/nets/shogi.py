"""Shogi as Q-networks see it, on either board: planes, outputs, and what a move earns.

The paper's two networks choose a piece, then a place: 88 x 81 outputs, promotion always where it
can be. The joint head has 27 outputs a square, which is where a move ends: ten directions from
which it may come (eight lines and two knight's jumps; the piece is the nearest on that line), the
same with promotion, and seven kinds to drop.

The board is seen by the seat to move, whose pieces play upwards.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError
from tempo.nets.encoding import Ints, Legal, Stored, listed

if TYPE_CHECKING:
    from jax import Array

    from tempo.games.game import Game

HAND = 7  # kinds that can be in hand
PAPER_PLANES = 63
KINDS = 27
# Where a mover comes from, seen from where it goes: rows down, columns right. The last two jump.
ORIGINS = ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1), (2, -1), (2, 1))
# The other side of a board: left and right change places.
MIRRORED = (2, 1, 0, 4, 3, 7, 6, 5, 9, 8)

# By kind: pawn, lance, knight, silver, gold, bishop, rook, king, then promoted pawn, lance, knight,
# silver, bishop, rook. What the paper rewards is captures, from 1 to 16; it prints no list.
PAPER = ((1, 3, 4, 5, 6, 11, 13, 0, 7, 7, 7, 7, 14, 16), (0,) * 14)
# What a capture takes from one side and gives to the other, and what a promotion adds; a pawn is 1.
_worth = (1, 3, 3.5, 5, 6, 8, 10, 0, 6, 6, 6, 6, 11, 13)
_base = (0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 5, 6)
_grown = (8, 9, 10, 11, 4, 12, 13, 7)
MATERIAL = (
    tuple(_worth[kind] + _worth[_base[kind]] for kind in range(14)),
    tuple(_worth[_grown[kind]] - _worth[kind] if kind < 8 else 0 for kind in range(14)),
)
REWARDS = {"paper": PAPER, "material": MATERIAL}


class Shogi:
    """Shogi or mini-shogi for one of the heads.

    `joint` sees 63 planes and four of attacks, both hands and check; `pair` the paper's 63.
    """

    def __init__(
        self, game: Game, head: Literal["joint", "pair"] = "joint", reward: str = "material"
    ) -> None:
        if not hasattr(game.core, "packed"):
            raise ParseError(f"these planes are of shogi and minishogi, not of {game.name}")
        if reward not in REWARDS:
            raise ParseError(f"there is no reward '{reward}'; there are {', '.join(REWARDS)}")
        self.game, self.head = game, head
        start: Any = game.start()
        self.size = int(start.features().shape[1])
        self.area = self.size * self.size
        self.kinds = KINDS if head == "joint" else self.area + HAND
        self._bytes = (self.area + 7) // 8
        self._sets = int(game.core.packed_planes)
        self._planes = self._sets if head == "joint" else PAPER_PLANES
        numbers = 2 * HAND + 1
        self.shape = (self._planes + (numbers if head == "joint" else 0), self.size, self.size)
        self.stored: tuple[int, type[np.generic]] = (self._sets * self._bytes + numbers, np.uint8)
        self._taken, self._grown = (np.array(row, np.float32) for row in REWARDS[reward])

    @cached_property
    def outputs(self) -> Ints:
        """[2, move numbers] the output of each move of each seat; -1 where no piece moves so."""
        return output_table(self.size, self.head)

    @cached_property
    def cells(self) -> Ints:
        """As it is, and mirrored from left to right."""
        plain = np.arange(np.prod(self.shape)).reshape(self.shape)
        return np.stack([plain.reshape(-1), plain[:, :, ::-1].reshape(-1)])

    @cached_property
    def turned(self) -> Ints:
        """As it is, and mirrored from left to right."""
        count = self.kinds * self.area
        kind, cell = np.divmod(np.arange(count), self.area)
        other = mirrored_cell(cell, self.size)
        if self.head == "joint":
            kinds = np.array([*MIRRORED, *(10 + m for m in MIRRORED), *range(20, KINDS)])[kind]
        else:
            kinds = np.where(kind < self.area, mirrored_cell(kind, self.size), kind)
        return np.stack([np.arange(count), kinds * self.area + other])

    def observe(self, batch: Any) -> Stored:
        """[B, W] bits and bytes from the core."""
        stored: Stored = self.game.core.packed(batch)
        return stored

    def planes(self, stored: Array) -> Array:
        """[B, P, R, C] of [B, W]."""
        import jax.numpy as jnp  # noqa: PLC0415 - the rest needs no JAX

        sets = stored[:, : self._planes * self._bytes].reshape(-1, self._planes, self._bytes)
        bits = (sets[..., None] >> jnp.arange(8, dtype=jnp.uint8)) & 1
        board = bits.reshape(len(stored), self._planes, -1)[..., : self.area]
        board = board.reshape(-1, self._planes, self.size, self.size).astype(jnp.float32)
        if self.head == "pair":
            return board
        # A hand of many pawns is to count about as much as a square that is taken.
        scale = jnp.array([4.0, 2, 2, 2, 2, 1, 1] * 2 + [1.0])
        numbers = stored[:, self._sets * self._bytes :].astype(jnp.float32) / scale
        whole = jnp.broadcast_to(numbers[:, :, None, None], (*numbers.shape, self.size, self.size))
        return jnp.concatenate([board, whole], axis=1)

    def legal(self, batch: Any) -> Legal:
        """Every legal move with its output; for `pair`, what may promote does."""
        offsets, moves = batch.legal_list()
        games = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        if self.head == "pair":
            numbers = games * self.game.move_numbers + moves
            kept = ~np.isin(numbers + 1, numbers[moves % 2 == 1])
            games, moves = games[kept], moves[kept]
            offsets = np.concatenate([[0], np.cumsum(np.bincount(games, minlength=len(batch)))])
        outputs = self.outputs[batch.turns[games], moves]
        return listed(offsets, moves, outputs, self.kinds * self.area)

    def gains(self, batch: Any, moves: NDArray[np.int32]) -> NDArray[np.float32]:
        """[B] what captures and promotions are worth."""
        found: NDArray[np.float32] = self.game.core.gains(batch, moves, self._taken, self._grown)
        return found


def mirrored_cell(cell: Ints, size: int) -> Ints:
    """The square on the other side of the middle file."""
    rows, columns = np.divmod(cell, size)
    return rows * size + size - 1 - columns


def output_table(size: int, head: str) -> Ints:
    """[2, move numbers] outputs of all moves of both seats; -1 where no piece moves so."""
    area = size * size
    number = np.arange((area + HAND) * area * 2)
    start, end, grows = number // (2 * area), number // 2 % area, number % 2
    is_drop = start >= area
    found = []
    for seat in (0, 1):
        # White's squares are counted from the other end.
        seen_start = np.where(is_drop | (seat == 0), start, area - 1 - start)
        seen_end = end if seat == 0 else area - 1 - end
        kind = seen_start if head == "pair" else _kinds(seen_start, seen_end, grows, size)
        found.append(np.where(kind >= 0, kind * area + seen_end, -1))
    return np.stack(found)


def _kinds(start: Ints, end: Ints, grows: Ints, size: int) -> Ints:
    """Which of the 27 outputs of its last square a move has; -1 where no piece moves so."""
    area = size * size
    down = start // size - end // size
    right = start % size - end % size
    kind = np.full(len(start), -1)
    for i, (rows, columns) in enumerate(ORIGINS):
        if abs(rows) == 2:
            met = (down == rows) & (right == columns)
        else:
            far = np.maximum(np.abs(down), np.abs(right))
            met = (far > 0) & (down == rows * far) & (right == columns * far)
        kind = np.where(met, i + 10 * grows, kind)
    return np.where(start >= area, np.where(grows == 0, 20 + start - area, -1), kind)
