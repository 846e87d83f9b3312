"""Othello by the book: a dictionary of discs, and lines walked point by point."""

from __future__ import annotations

Point = tuple[int, int]

COLUMNS = "abcdefgh"
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Game:
    """One game. `x` moves first; discs are keyed by (column, row), row 0 at the top."""

    def __init__(self, options: dict[str, str], dealt: str = "") -> None:
        self.size = int(options["size"])
        self.turn = 0
        left, right = self.size // 2 - 1, self.size // 2
        self.discs = {
            (left, left): "o",
            (right, right): "o",
            (right, left): "x",
            (left, right): "x",
        }

    def enclosed(self, point: Point, seat: int) -> list[Point]:
        """The discs that a seat turns over by placing one on a point."""
        if point in self.discs:
            return []
        found = []
        for dx, dy in DIRECTIONS:
            line = []
            x, y = point[0] + dx, point[1] + dy
            while self.discs.get((x, y)) == "ox"[seat]:
                line.append((x, y))
                x, y = x + dx, y + dy
            if self.discs.get((x, y)) == "xo"[seat]:
                found += line
        return found

    def places(self, seat: int) -> list[str]:
        """Where a seat can place a disc."""
        points = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [name(point) for point in points if self.enclosed(point, seat)]

    def moves(self) -> list[str]:
        if self.outcome() is not None:
            return []
        return self.places(self.turn) or ["pass"]

    def play(self, move: str) -> None:
        assert move in self.moves()
        if move != "pass":
            point = (COLUMNS.index(move[0]), int(move[1]) - 1)
            for each in [point, *self.enclosed(point, self.turn)]:
                self.discs[each] = "xo"[self.turn]
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[str, tuple[float, ...]] | None:
        if self.places(0) or self.places(1):
            return None
        colours = list(self.discs.values())
        black, white = colours.count("x"), colours.count("o")
        if black == white:
            return "equal discs", (0.0, 0.0)
        return "more discs", (1.0, -1.0) if black > white else (-1.0, 1.0)

    def text(self) -> str:
        rows = []
        for y in range(self.size):
            row = "".join(self.discs.get((x, y), ".") for x in range(self.size))
            for run in range(self.size, 0, -1):
                row = row.replace("." * run, str(run))
            rows.append(row)
        return "/".join(rows) + " " + "xo"[self.turn]


def name(point: Point) -> str:
    return f"{COLUMNS[point[0]]}{point[1] + 1}"
