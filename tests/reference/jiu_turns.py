"""Turns of Tibetan Jiu in battle, written out whole: what a stone may do and what it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

from reference.jiu_board import DIAGONAL, SEATS, STRAIGHT, Board, Cell, Point, add, name


@dataclass(frozen=True)
class Displacement:
    """One stone's way in a turn: a step, a flight that is no step, or a chain of jumps."""

    path: tuple[Point, ...]
    flight: bool = False
    jumped: tuple[Point, ...] = ()

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The single moves it is made of."""
        first = ("~" if self.flight else "-").join(map(name, self.path[:2]))
        return (first, *(f"-{name(point)}" for point in self.path[2:]))

    def __str__(self) -> str:
        return "".join(self.moves)


@dataclass(frozen=True)
class Turn:
    """A displacement and the stones taken for its squares, in ascending order."""

    displacement: Displacement
    taken: tuple[Point, ...] = ()

    def __str__(self) -> str:
        jumped = ",".join(map(name, self.displacement.jumped))
        taken = ",".join(map(name, self.taken))
        return f"{self.displacement}{'x' * bool(jumped)}{jumped}{'*' * bool(taken)}{taken}"


class Turns(Board):
    """The turns that either seat has, if it is to move."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.listed: dict[int, list[Displacement]] = {}  # kept until a stone moves
        self.trip: tuple[Point, ...] = ()  # the edge Black went along last, from and to,
        self.trips = 0  # and how often running

    def has_gate(self, seat: int) -> bool:
        """Whether the seat, if it were to move, could complete a square."""
        if self.is_set("gate_test", "structural"):
            return bool(self.structural_gates(seat))
        return any(self.squares_closed(seat, way) for way in self.displacements(seat))

    # Displacements --------------------------------------------------------------------------

    def is_flying(self, seat: int) -> bool:
        return self.count(seat) <= self.flying_at

    def displacements(self, seat: int) -> list[Displacement]:
        """All that a seat may do with one stone, if it is to move."""
        if seat not in self.listed:
            self.listed[seat] = self.list_displacements(seat)
        return self.listed[seat]

    def list_displacements(self, seat: int) -> list[Displacement]:
        ways = [*self.quiet_ways(seat), *self.chains(seat)]
        ways = [way for way in ways if self.is_allowed(seat, way)]
        if self.is_set("capture_compulsory"):
            return [way for way in ways if way.jumped or self.due(seat, way)] or ways
        return ways

    def is_allowed(self, seat: int, way: Displacement) -> bool:
        """Whether neither the ban of single jumps nor the limit of shuttling forbids it."""
        if len(way.jumped) == 1 and self.bans_single_jump(seat):
            return False
        limited = self.is_set("shuttle_limit", "on") and seat == SEATS.index("x")
        again = not way.jumped and set(way.path) == set(self.trip)
        return not (limited and again and self.trips >= 6)

    def bans_single_jump(self, seat: int) -> bool:
        mine, theirs = self.is_flying(seat), self.is_flying(1 - seat)
        if self.is_set("single_jump_ban", "strong"):
            return theirs and not mine
        return self.is_set("single_jump_ban", "both") and (mine or theirs)

    def quiet_ways(self, seat: int) -> Iterator[Displacement]:
        steps = STRAIGHT + (DIAGONAL if self.is_set("move_dirs", "eight") else ())
        empty = [point for point in self.points if point not in self.stones]
        flying = self.is_flying(seat)
        for start in sorted(self.own(seat)):
            reached = [add(start, step) for step in steps]
            yield from (Displacement((start, to)) for to in reached if self.is_empty(to))
            if flying:
                far = (to for to in empty if to not in reached)
                yield from (Displacement((start, to), flight=True) for to in far)

    def chains(self, seat: int) -> Iterator[Displacement]:
        if self.is_flying(seat) and self.is_set("fly_jump", "no"):
            return
        for start in sorted(self.own(seat)):
            yield from self.chains_from(seat, (start,), ())

    def chains_from(
        self, seat: int, path: tuple[Point, ...], jumped: tuple[Point, ...]
    ) -> Iterator[Displacement]:
        """The chain so far, unless it must go on, and all that begin with it."""
        jumps = list(self.jumps(seat, path, jumped))
        if jumped and not (jumps and self.is_set("chain_compulsory")):
            yield Displacement(path, jumped=jumped)
        for over, to in jumps:
            yield from self.chains_from(seat, (*path, to), (*jumped, over))

    def jumps(
        self, seat: int, path: tuple[Point, ...], jumped: tuple[Point, ...]
    ) -> Iterator[tuple[Point, Point]]:
        """Where a chain can go on: the stone jumped and the point behind it."""
        directions = STRAIGHT + (DIAGONAL if self.is_set("jump_dirs", "eight") else ())
        gone = jumped if self.is_set("jumped_removed", "immediately") else ()
        for step in directions:
            over, to = add(path[-1], step), add(add(path[-1], step), step)
            if self.stones.get(over) != SEATS[1 - seat] or over in jumped:
                continue
            if not (self.is_empty(to) or to in gone or to == path[0]):
                continue
            if to in path and self.is_set("chain_revisit", "none"):
                continue
            yield over, to

    # Captures -------------------------------------------------------------------------------

    def squares_closed(self, seat: int, way: Displacement) -> int:
        """How many squares a displacement completes, as the option counts them."""
        landings = way.path[1:] if self.is_set("square_count", "every_landing") else way.path[-1:]
        return sum(self.squares_at(seat, way.path[0], landing) for landing in landings)

    def squares_at(self, seat: int, start: Point, landing: Point) -> int:
        """Squares on a landing point that did not stand before the turn."""
        if landing == start and not self.is_set("square_count", "final_any"):
            return 0  # whatever stands there stood before
        return sum(self.completes(seat, start, landing, cell) for cell in self.cells_at(landing))

    def completes(self, seat: int, start: Point, landing: Point, cell: Cell) -> bool:
        for point in cell:
            if point != landing and (point == start or self.stones.get(point) != SEATS[seat]):
                return False
        return True

    def line_bonus(self, seat: int, way: Displacement) -> int:
        """Two for a whole row or column completed by the landing."""
        if self.is_set("line_capture", "off") or way.path[0] == way.path[-1]:
            return 0
        start, (r, c) = way.path[0], way.path[-1]
        rest = self.own(seat) - {start} | {(r, c)}
        row = all((r, other) in rest for other in range(self.size))
        column = all((other, c) in rest for other in range(self.size))
        return 2 if row or column else 0

    def formation_bonus(self, seat: int, way: Displacement) -> int:
        """A step that leaves a Dalian which steps back earns one more, a double gate two."""
        start, to = way.path[0], way.path[-1]
        if self.is_set("formation_bonus", "none") or way.flight or way.jumped:
            return 0
        after = self.own(seat) - {start} | {to}
        dalians = self.dalian_placements([to])
        if not any(dalian.hole == start and dalian.stones <= after for dalian in dalians):
            return 0
        returns = [set(cell) - {start} for cell in self.cells_at(start) if to not in cell]
        back = sum(rest <= after for rest in returns)
        return 2 if max(back, self.squares_closed(seat, way)) >= 2 else 1

    def due(self, seat: int, way: Displacement) -> int:
        """How many stones are taken after a displacement."""
        earned = self.squares_closed(seat, way)
        earned += self.line_bonus(seat, way) + self.formation_bonus(seat, way)
        return min(earned, self.count(1 - seat) - len(way.jumped))

    def targets(self, seat: int, way: Displacement) -> list[Point]:
        """The stones that may be taken after a displacement, in ascending order."""
        left = self.own(1 - seat) - set(way.jumped)
        if self.is_set("square_targets", "outside_squares"):
            squares = [cell for cell in self.cells if left.issuperset(cell)]
            outside = left.difference(*squares)
            if len(outside) >= self.due(seat, way):
                left = outside
        return sorted(left)

    # Turns ----------------------------------------------------------------------------------

    def sizes(self, seat: int, way: Displacement) -> range:
        """How many stones may be taken after a displacement."""
        due = self.due(seat, way)
        return range(0 if self.is_set("square_capture", "optional") else due, due + 1)

    def turns(self, seat: int, way: Displacement) -> Iterator[Turn]:
        """The turns that begin with a displacement, one for each set of stones taken."""
        for size in self.sizes(seat, way):
            for taken in combinations(self.targets(seat, way), size):
                yield Turn(way, taken)

    def turn_count(self, seat: int, way: Displacement) -> int:
        targets = len(self.targets(seat, way))
        return sum(comb(targets, size) for size in self.sizes(seat, way))
