"""The board of Tibetan Jiu: a dictionary of stones, the squares and the shapes on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

Point = tuple[int, int]  # row from the top, column from the left
Cell = tuple[Point, Point, Point, Point]

SEATS = "ox"  # White, who places first, and Black, who moves first in battle
ROWS = "ABCDEFGHIJKLMN"
STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))

DEFAULTS = {
    "size": "14",
    "diagonal": "main",
    "first_placer": "white",
    "battle_first": "black",
    "move_dirs": "orthogonal",
    "jump_dirs": "orthogonal",
    "capture_compulsory": "no",
    "chain_compulsory": "no",
    "jumped_removed": "immediately",
    "chain_revisit": "any",
    "square_count": "final_new",
    "square_capture": "exact",
    "square_targets": "any",
    "formation_bonus": "none",
    "line_capture": "off",
    "fly_threshold": "-1",
    "fly_jump": "yes",
    "single_jump_ban": "off",
    "min_stones": "4",
    "shape_check": "threshold",
    "shape_min": "1",
    "shape_set": "dalian",
    "gate_test": "mobility",
    "literal_14": "no",
    "early_double_dalian": "no",
    "no_legal_turn": "loss",
    "repetition": "three",
    "shuttle_limit": "off",
    "no_capture_limit": "100",
    "max_battle_plies": "1000",
    "limit_result": "material5",
}

PROFILES = {
    "seed": {},
    "competition": {"shape_check": "off", "single_jump_ban": "strong"},
    "seed_literal": {"shape_check": "any_time", "literal_14": "yes"},
    "adjudicated": {"early_double_dalian": "yes"},
    "gongjiu": {
        "single_jump_ban": "both",
        "shape_check": "off",
        "repetition": "off",
        "no_capture_limit": "16",
    },
    "jcar": {"chain_revisit": "none", "single_jump_ban": "both", "shuttle_limit": "on"},
    "jiuchess": {"diagonal": "anti", "square_count": "every_landing"},
    "jq_chess": {
        "formation_bonus": "jq",
        "line_capture": "on",
        "fly_jump": "no",
        "single_jump_ban": "strong",
        "shape_check": "crossing_only",
        "shape_set": "lhasa",
        "gate_test": "structural",
    },
}


@dataclass(frozen=True)
class Dalian:
    """Seven stones and a hole: the vital stone beside the hole belongs to a square."""

    vital: Point
    hole: Point
    stones: frozenset[Point]


class Board:
    """Stones under some options; options not given have their default."""

    def __init__(self, options: dict[str, str]) -> None:
        self.options = DEFAULTS | options
        assert self.options.keys() == DEFAULTS.keys(), "an option that Jiu does not know"
        self.size = int(self.options["size"])
        self.points = [(r, c) for r in range(self.size) for c in range(self.size)]
        fly_threshold = int(self.options["fly_threshold"])
        self.flying_at = self.size if fly_threshold == -1 else fly_threshold
        self.shapes_at = self.flying_at or self.size  # where nobody flies, shapes still decide
        self.cells = unit_cells(self.size)
        self.stones: dict[Point, str] = {}

    def is_set(self, option: str, value: str = "yes") -> bool:
        return self.options[option] == value

    def own(self, seat: int) -> set[Point]:
        return {point for point, stone in self.stones.items() if stone == SEATS[seat]}

    def count(self, seat: int) -> int:
        return list(self.stones.values()).count(SEATS[seat])

    def is_on_board(self, point: Point) -> bool:
        return 0 <= point[0] < self.size and 0 <= point[1] < self.size

    def is_empty(self, point: Point) -> bool:
        return self.is_on_board(point) and point not in self.stones

    def cells_at(self, point: Point) -> list[Cell]:
        """The unit cells with a corner on a point."""
        return cells_by_point(self.size)[point]

    def squares(self, seat: int) -> list[Cell]:
        own = self.own(seat)
        return [cell for cell in self.cells if own.issuperset(cell)]

    def structural_gates(self, seat: int) -> list[Cell]:
        """Cells with three own stones and an empty point."""
        own = self.own(seat)
        return [
            cell
            for cell in self.cells
            if sum(point in own for point in cell) == 3 and any(map(self.is_empty, cell))
        ]

    def live_dalians(self, seat: int) -> list[Dalian]:
        own = self.own(seat)
        return [
            dalian
            for dalian in self.dalian_placements(sorted(own))
            if dalian.stones <= own and dalian.hole not in self.stones
        ]

    def dalian_placements(self, vital_points: Iterable[Point]) -> Iterator[Dalian]:
        """Every way a Dalian can lie with its vital stone on these points."""
        for vital in vital_points:
            for step in STRAIGHT:
                hole = add(vital, step)
                for first in self.cells_at(vital):
                    for second in self.cells_at(hole) if self.is_on_board(hole) else ():
                        if hole not in first and vital not in second:
                            stones = frozenset(first + second) - {hole}
                            yield Dalian(vital, hole, stones)

    def double_dalians(self, seat: int) -> Iterator[tuple[Dalian, Dalian]]:
        """Pairs of live Dalians that share no stone and no hole."""
        for one, other in combinations(self.live_dalians(seat), 2):
            if one.hole != other.hole and not one.stones & other.stones:
                yield one, other

    def has_shape(self, seat: int) -> bool:
        """Whether the seat owns what the shape test asks for."""
        if self.is_set("shape_set", "lhasa"):
            return any(is_boxed(pair) for pair in self.double_dalians(seat))
        if self.is_set("shape_set", "goldfish"):
            pairs = self.double_dalians(seat)
            return any(overlap(*pair) and not is_boxed(pair) for pair in pairs)
        if self.is_set("shape_min", "2"):
            return any(True for _ in self.double_dalians(seat))
        return bool(self.live_dalians(seat))


@cache
def unit_cells(size: int) -> tuple[Cell, ...]:
    corners = [(r, c) for r in range(size - 1) for c in range(size - 1)]
    return tuple(((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)) for r, c in corners)


@cache
def cells_by_point(size: int) -> dict[Point, list[Cell]]:
    """The unit cells with a corner on each point."""
    found: dict[Point, list[Cell]] = {(r, c): [] for r in range(size) for c in range(size)}
    for cell in unit_cells(size):
        for point in cell:
            found[point].append(cell)
    return found


def is_boxed(pair: tuple[Dalian, Dalian]) -> bool:
    """Whether two Dalians lie in one box of 4 x 4 points."""
    top, left, bottom, right = box(pair[0].stones | pair[1].stones)
    return bottom - top < 4 and right - left < 4


def overlap(one: Dalian, other: Dalian) -> bool:
    """Whether the boxes around two Dalians share a point."""
    top, left, bottom, right = box(one.stones)
    other_top, other_left, other_bottom, other_right = box(other.stones)
    rows_meet = top <= other_bottom and other_top <= bottom
    return rows_meet and left <= other_right and other_left <= right


def box(points: Iterable[Point]) -> tuple[int, int, int, int]:
    rows, columns = zip(*points, strict=True)
    return min(rows), min(columns), max(rows), max(columns)


def add(point: Point, step: Point) -> Point:
    return point[0] + step[0], point[1] + step[1]


@cache
def name(point: Point) -> str:
    return f"{ROWS[point[0]]}{point[1] + 1}"


def point_of(text: str) -> Point:
    return ROWS.index(text[0]), int(text[1:]) - 1
