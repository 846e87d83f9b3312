"""Gomoku by the book: a dictionary of stones, and lines walked point by point."""

from __future__ import annotations

Point = tuple[int, int]

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Game:
    """One game. `x` moves first; stones are keyed by (column, row), row 0 at the bottom."""

    def __init__(self, options: dict[str, str], dealt: str = "") -> None:
        self.size = int(options["size"])
        self.exactly_five = options["rule"] == "exactly_five"
        self.stones: dict[Point, str] = {}
        self.last: Point | None = None
        self.turn = 0

    def moves(self) -> list[str]:
        if self.outcome() is not None:
            return []
        points = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [name(point) for point in points if point not in self.stones]

    def play(self, move: str) -> None:
        assert move in self.moves()
        self.last = ("abcdefghijklmnopqrst".index(move[0]), int(move[1:]) - 1)
        self.stones[self.last] = "xo"[self.turn]
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[str, tuple[float, ...]] | None:
        if self.last is not None and self.wins(self.last):
            return "five in a row", (1.0, -1.0) if self.stones[self.last] == "x" else (-1.0, 1.0)
        if len(self.stones) == self.size * self.size:
            return "board full", (0.0, 0.0)
        return None

    def wins(self, point: Point) -> bool:
        runs = [self.run(point, direction) for direction in DIRECTIONS]
        return any(run == 5 or (run > 5 and not self.exactly_five) for run in runs)

    def run(self, point: Point, direction: Point) -> int:
        """How many stones of one colour stand in line through a point."""
        colour = self.stones[point]
        length = 1
        for sign in (1, -1):
            x, y = point
            while True:
                x, y = x + sign * direction[0], y + sign * direction[1]
                if self.stones.get((x, y)) != colour:
                    break
                length += 1
        return length

    def text(self) -> str:
        rows = []
        for y in reversed(range(self.size)):
            row = ""
            empty = 0
            for x in range(self.size):
                stone = self.stones.get((x, y))
                if stone is None:
                    empty += 1
                    continue
                row += (str(empty) if empty else "") + stone
                empty = 0
            rows.append(row + (str(empty) if empty else ""))
        return "/".join(rows) + " " + "xo"[self.turn]


def name(point: Point) -> str:
    return f"{'abcdefghijklmnopqrst'[point[0]]}{point[1] + 1}"
