"""The 2x2 blocks of Jiu, slowly: classes by trying all eight images, tables by dictionaries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

Board = dict[int, int]  # seat by point
Change = tuple[str, int, int, int, str]  # s, g, z, l, s'

PHASES = 8


def images(block: str) -> set[str]:
    """A block turned and mirrored in every way; points row by row."""
    found = set()
    for _ in range(4):
        block = block[2] + block[0] + block[3] + block[1]
        found |= {block, block[1] + block[0] + block[3] + block[2]}
    return found


def class_of(block: str) -> str:
    """The name of a block's class; `.` comes before `O` before `X` in ASCII too."""
    return min(images(block))


def corners(top: int, left: int, size: int) -> list[int]:
    """The four points of a block, row by row."""
    return [(top + down) * size + left + right for down in (0, 1) for right in (0, 1)]


def seen(board: Board, points: Iterable[int], seat: int) -> str:
    """What a seat sees on points."""
    return "".join("." if p not in board else "X" if board[p] == seat else "O" for p in points)


def ring(top: int, left: int, size: int) -> int:
    """The smallest central square of 2, 4, 6 points a side with the whole block in it, or 3."""
    for z, side in enumerate((2, 4, 6)):
        low, high = (size - side) // 2, (size + side) // 2 - 1
        if low <= top and top + 1 <= high and low <= left and left + 1 <= high:
            return z
    return 3


def is_near(top: int, left: int, last: int | None, size: int) -> int:
    """1 if the last stone is in the block or touches it, diagonally too."""
    if last is None:
        return 0
    return int(
        any(
            max(abs(p // size - last // size), abs(p % size - last % size)) <= 1
            for p in corners(top, left, size)
        )
    )


def changes(board: Board, seat: int, point: int, last: int | None, size: int) -> list[Change]:
    """What a stone of `seat` on `point` does to every block of the board."""
    after = {**board, point: seat}
    phase = PHASES * len(board) // (size * size)
    return [
        (
            class_of(seen(board, corners(top, left, size), seat)),
            phase,
            ring(top, left, size),
            is_near(top, left, last, size),
            class_of(seen(after, corners(top, left, size), seat)),
        )
        for top in range(size - 1)
        for left in range(size - 1)
    ]


def count(placements: Sequence[int], size: int, counted: tuple[bool, bool]) -> Counter[Change]:
    """All changes of a game but those of its two forced stones."""
    board: Board = {}
    found: Counter[Change] = Counter()
    for t, point in enumerate(placements):
        if t >= 2 and counted[t % 2]:
            found.update(changes(board, t % 2, point, placements[t - 1], size))
        board[point] = t % 2
    return found


def reachable(shape: str) -> set[str]:
    """A class and those it can become."""
    holes = [i for i, point in enumerate(shape) if point == "."]
    return {shape} | {class_of(shape[:i] + "X" + shape[i + 1 :]) for i in holes}


class Tables:
    """The smoothed probabilities, each computed when it is asked for."""

    def __init__(self, counts: Counter[Change], smoothing: float = 10.0) -> None:
        self.counts, self.smoothing = counts, smoothing

    def _sum(self, **wanted: object) -> int:
        names = ("s", "g", "z", "l", "after")
        return sum(
            n
            for change, n in self.counts.items()
            if all(change[names.index(name)] == value for name, value in wanted.items())
        )

    def plain(self, s: str, after: str) -> float:
        """P(s'|s)."""
        classes = reachable(s)
        extra = 1 / len(classes) if after in classes else 0.0
        return (self._sum(s=s, after=after) + extra) / (self._sum(s=s) + 1)

    def by_phase(self, s: str, g: int, after: str) -> float:
        """P(s'|s,g)."""
        k = self.smoothing
        return (self._sum(s=s, g=g, after=after) + k * self.plain(s, after)) / (
            self._sum(s=s, g=g) + k
        )

    def full(self, s: str, g: int, z: int, l: int, after: str) -> float:  # noqa: E741
        """P(s'|s,g,z,l)."""
        k = self.smoothing
        return (self._sum(s=s, g=g, z=z, l=l, after=after) + k * self.by_phase(s, g, after)) / (
            self._sum(s=s, g=g, z=z, l=l) + k
        )

    def score(self, board: Board, seat: int, point: int, last: int | None, size: int) -> float:
        """The value of a placement: the mean log odds of the blocks around it, times four."""
        row, column = divmod(point, size)
        logs = []
        for change, (top, left) in zip(
            changes(board, seat, point, last, size),
            [(top, left) for top in range(size - 1) for left in range(size - 1)],
            strict=True,
        ):
            if top <= row <= top + 1 and left <= column <= left + 1:
                s, g, z, near, after = change
                odds = self.full(s, g, z, near, after) / self.full(s, g, z, near, s)
                logs.append(math.log(odds))
        return 4 * sum(logs) / len(logs)
