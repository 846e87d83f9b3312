"""Tibetan Jiu by the book: a dictionary of stones, and whole turns written out.

A turn is a displacement (a path of points, through the air or not, with the stones it jumps) and
the set of stones taken for the squares it completes. Nothing on the board changes before a turn is
whole: the moves of a turn half played are read off the whole turns that begin with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, pairwise
from math import comb

Point = tuple[int, int]  # row from the top, column from the left
Cell = tuple[Point, Point, Point, Point]
End = tuple[str, tuple[float, ...]]

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
}


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


@dataclass(frozen=True)
class Dalian:
    """Seven stones and a hole: the vital stone beside the hole belongs to a square."""

    vital: Point
    hole: Point
    stones: frozenset[Point]


class Game:
    """One game. Options not given have their default; a position may be given as text."""

    def __init__(self, options: dict[str, str], dealt: str = "") -> None:
        self.options = DEFAULTS | options
        assert self.options.keys() == DEFAULTS.keys(), "an option that Jiu does not know"
        self.size = int(self.options["size"])
        self.points = [(r, c) for r in range(self.size) for c in range(self.size)]
        fly_threshold = int(self.options["fly_threshold"])
        self.flying_at = self.size if fly_threshold == -1 else fly_threshold
        self.shapes_at = self.flying_at or self.size  # where nobody flies, shapes still decide
        self.cells = unit_cells(self.size)
        self.stones: dict[Point, str] = {}
        self.listed: dict[int, list[Displacement]] = {}  # kept until a stone moves
        self.turn = 0 if self.options["first_placer"] == "white" else 1
        self.is_battle = False
        self.quiet = 0  # battle plies since a stone was last taken
        self.plies = 0  # battle plies in all
        self.seen: Counter[tuple[object, ...]] = Counter()
        self.trip: tuple[Point, ...] = ()  # the edge Black went along last, from and to,
        self.trips = 0  # and how often running
        self.end: End | None = None
        self.ended_by_crossing = False
        self.begun: list[str] = []  # of a turn not yet whole: the moves of its displacement,
        self.way: Displacement | None = None  # the displacement once that is done,
        self.taken: list[Point] = []  # and what has been taken for it
        if dealt:
            self.load(dealt)

    def is_set(self, option: str, value: str = "yes") -> bool:
        return self.options[option] == value

    # The stages -----------------------------------------------------------------------------

    def ends(self) -> list[Point]:
        """The two points of the marked diagonal, taken first and emptied for the battle."""
        near, far = self.size // 2 - 1, self.size // 2
        if self.is_set("diagonal", "main"):
            return [(near, near), (far, far)]
        return [(near, far), (far, near)]

    def placements(self) -> list[Point]:
        empty = [point for point in self.points if point not in self.stones]
        return [end for end in self.ends() if end in empty] or empty

    def place(self, point: Point) -> None:
        self.listed.clear()
        self.stones[point] = SEATS[self.turn]
        self.turn = 1 - self.turn
        if len(self.stones) == len(self.points):
            self.begin_battle()

    def begin_battle(self) -> None:
        for end in self.ends():
            del self.stones[end]
        self.is_battle = True
        self.turn = 1 if self.is_set("battle_first", "black") else 0
        self.enter_battle()

    def enter_battle(self) -> None:
        """The first position in battle that is known: as after a turn, if one has been played."""
        mover = 1 - self.turn
        self.end = self.judge(mover, self.count(self.turn)) if self.plies else self.unable()
        self.seen = Counter([self.identity()])

    def identity(self) -> tuple[object, ...]:
        """What makes two positions the same for repetition."""
        return (self.turn, frozenset(self.stones.items()))

    # Stones, squares, shapes ----------------------------------------------------------------

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

    def has_gate(self, seat: int) -> bool:
        """Whether the seat, if it were to move, could complete a square."""
        if self.is_set("gate_test", "structural"):
            return bool(self.structural_gates(seat))
        return any(self.squares_closed(seat, way) for way in self.displacements(seat))

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

    def read_turn(self, text: str) -> Turn:
        """The turn that a text means. `x` and its list may be left out, `*` and its may not."""
        path, _, taken = text.partition("*")
        path = path.partition("x")[0]
        way = next((way for way in self.displacements(self.turn) if str(way) == path), None)
        assert way is not None, f"{path} is no displacement here"
        points = tuple(sorted(point_of(word) for word in taken.split(",") if word))
        assert len(points) in self.sizes(self.turn, way), f"{text} takes {len(points)} for squares"
        assert set(points) <= set(self.targets(self.turn, way)), f"{text} takes what it may not"
        turn = Turn(way, points)
        assert "x" not in text or str(turn) == text, f"{text} should read {turn}"
        return turn

    def play_turn(self, turn: Turn) -> None:
        """A whole turn, and the tests at its end."""
        self.listed.clear()
        mover, way = self.turn, turn.displacement
        before = self.count(1 - mover)
        self.stones[way.path[-1]] = self.stones.pop(way.path[0])
        for point in (*way.jumped, *turn.taken):
            del self.stones[point]
        if mover == SEATS.index("x"):
            self.trip, self.trips = self.trip_after(way.path)
        self.plies += 1
        self.quiet += 1
        if way.jumped or turn.taken:
            self.quiet = 0
            self.seen.clear()
        self.turn = 1 - mover
        self.end = self.judge(mover, before)

    def trip_after(self, path: Sequence[Point]) -> tuple[tuple[Point, ...], int]:
        """The first edge of a path, and how often running it has been gone along, there or back."""
        if not path:
            return self.trip, self.trips
        same = set(path[:2]) == set(self.trip)
        return tuple(path[:2]), min(self.trips + 1, 6) if same else 1

    # The end --------------------------------------------------------------------------------

    def judge(self, mover: int, before: int) -> End | None:
        """The tests at the end of a turn, in order. `before` counts the enemy before the turn.

        The rules name repetition before the limits. Where both come at once the limits go first:
        what a position shows by itself beats its past.
        """
        return (
            self.material(mover)
            or self.shape(mover, before)
            or self.double_dalian(mover)
            or self.unable()
            or self.repetition(mover)
        )

    def material(self, mover: int) -> End | None:
        few = self.count(1 - mover) < int(self.options["min_stones"])
        return ("material", win(mover)) if few else None

    def shape(self, mover: int, before: int) -> End | None:
        left = self.count(1 - mover)
        crossed = left <= self.shapes_at < before
        end = self.shape_end(mover, left, crossed)
        self.ended_by_crossing = crossed and end is not None
        return end

    def shape_end(self, mover: int, left: int, crossed: bool) -> End | None:
        if self.is_set("literal_14") and left < self.size:
            return ("shape", win(mover)) if self.has_shape(mover) else ("reversal", win(1 - mover))
        applies = {
            "off": False,
            "crossing_only": crossed,
            "threshold": left <= self.shapes_at,
            "any_time": True,
        }[self.options["shape_check"]]
        if not applies:
            return None
        shape, gate = self.has_shape(mover), self.has_gate(1 - mover)
        if shape and not gate:
            return "shape", win(mover)
        return ("reversal", win(1 - mover)) if crossed and gate and not shape else None

    def double_dalian(self, mover: int) -> End | None:
        other = 1 - mover
        if self.is_set("early_double_dalian", "no") or self.count(mover) <= self.count(other):
            return None
        owned = any(True for _ in self.double_dalians(mover))
        stuck = not self.live_dalians(other) and not self.has_gate(other)
        return ("double Dalian", win(mover)) if owned and stuck else None

    def unable(self) -> End | None:
        """What ends a game without regard to shapes: the only tests before the first turn."""
        return self.immobile() or self.limits()

    def immobile(self) -> End | None:
        """The seat to move must have a turn; what comes instead depends on the option."""
        if self.displacements(self.turn):
            return None
        if self.is_set("no_legal_turn", "loss"):
            return "immobile", win(1 - self.turn)
        if self.is_set("no_legal_turn", "draw"):
            return "no legal turn", (0.0, 0.0)
        if not self.displacements(1 - self.turn):
            return "no legal turn", (0.0, 0.0)
        self.turn = 1 - self.turn
        return None

    def repetition(self, mover: int) -> End | None:
        self.seen[self.identity()] += 1
        times = {"off": 0, "two": 2, "three": 3, "forbid": 3}[self.options["repetition"]]
        if not times or self.seen[self.identity()] < times:
            return None
        forbidden = self.is_set("repetition", "forbid")
        return "repetition", win(1 - mover) if forbidden else (0.0, 0.0)

    def limits(self) -> End | None:
        limit = int(self.options["no_capture_limit"])
        if limit and self.quiet >= limit:
            return "no capture", (0.0, 0.0)
        if self.plies < int(self.options["max_battle_plies"]):
            return None
        lead = self.count(0) - self.count(1)
        needed = {"draw": 1000, "material1": 1, "material5": 5}[self.options["limit_result"]]
        if abs(lead) < needed:
            return "length", (0.0, 0.0)
        return "length", win(0 if lead > 0 else 1)

    # A move at a time -----------------------------------------------------------------------

    def outcome(self) -> End | None:
        return self.end

    def moves(self) -> list[str]:
        """The moves that begin a turn, or go on with the one begun."""
        if self.end is not None:
            return []
        if not self.is_battle:
            return [name(point) for point in self.placements()]
        if self.way is not None:
            return self.takes(self.way)
        done = len(self.begun)
        ways = self.ways_begun()
        longer = {way.moves[done] for way in ways if len(way.moves) > done}
        stop = any(len(way.moves) == done for way in ways)
        return [*sorted(longer), *(["stop"] if stop else [])]

    def ways_begun(self) -> list[Displacement]:
        """The displacements that begin with the moves played in this turn."""
        done = tuple(self.begun)
        ways = self.displacements(self.turn)
        return [way for way in ways if way.moves[: len(done)] == done]

    def takes(self, way: Displacement) -> list[str]:
        """Stones are taken one by one in any order; the set of them is the turn."""
        takes = [f"*{name(point)}" for point in self.takeable(way)]
        return [*takes, *(["stop"] if self.is_set("square_capture", "optional") else [])]

    def takeable(self, way: Displacement) -> list[Point]:
        return [point for point in self.targets(self.turn, way) if point not in self.taken]

    def play(self, move: str) -> None:
        assert move in self.moves(), f"{move} is not among {self.moves()}"
        if not self.is_battle:
            self.place(point_of(move))
        elif self.way is None:
            self.displace(move)
        elif move == "stop":
            self.finish_turn(self.way)
        else:
            self.taken.append(point_of(move[1:]))
            self.finish_if_whole(self.way)

    def displace(self, move: str) -> None:
        """One more move of a displacement; it is over when stopped or when nothing can follow."""
        if move != "stop":
            self.begun.append(move)
        ways = self.ways_begun()
        if move == "stop" or (len(ways) == 1 and len(ways[0].moves) == len(self.begun)):
            self.way = next(way for way in ways if len(way.moves) == len(self.begun))
            self.finish_if_whole(self.way)

    def finish_if_whole(self, way: Displacement) -> None:
        if len(self.taken) == self.due(self.turn, way):
            self.finish_turn(way)

    def finish_turn(self, way: Displacement) -> None:
        turn = Turn(way, tuple(sorted(self.taken)))
        self.begun, self.way, self.taken = [], None, []
        self.play_turn(turn)

    # Text -----------------------------------------------------------------------------------

    def text(self) -> str:
        """Rows from the top, the seat to move, the stage; in battle counters and the turn begun."""
        shown = self.shown()
        rows = "/".join(self.row(shown, r) for r in range(self.size))
        if not self.is_battle:
            return f"{rows} {SEATS[self.turn]} prep"
        words = [rows, SEATS[self.turn], "battle", str(self.quiet), str(self.plies)]
        path = self.path_begun() if self.turn == SEATS.index("x") else []
        trip, trips = self.trip_after(path)
        if self.is_set("shuttle_limit", "on") and trips:
            words += ["shuttle", *map(name, trip), str(trips)]
        return " ".join([*words, *(["crossed"] if self.ended_by_crossing else []), *self.part()])

    def path_begun(self) -> list[Point]:
        """The points that the stone moving in this turn has stood on."""
        words = re.findall(r"[A-N]\d+", "".join(self.begun))
        return [point_of(word) for word in words]

    def jumped_so_far(self) -> list[Point]:
        if self.way is not None:
            return list(self.way.jumped)
        path = self.path_begun()
        return [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in pairwise(path)]

    def shown(self) -> dict[Point, str]:
        """The stones with what is done of the turn begun."""
        stones = dict(self.stones)
        path = self.path_begun()
        if path:
            stones[path[-1]] = stones.pop(path[0])
        held = self.way is None and self.is_set("jumped_removed", "end_of_turn")
        for point in (*([] if held else self.jumped_so_far()), *self.taken):
            del stones[point]
        return stones

    def part(self) -> list[str]:
        """Of a turn begun: origin, stone, jumps, captures due, enemies before it, and two lists:
        jumped stones that still stand or stones that may be taken, points not to visit again."""
        path = self.path_begun()
        if not path:
            return []
        jumped = self.jumped_so_far()
        due, held, visited = 0, [], []
        if self.way is not None:
            due = self.due(self.turn, self.way) - len(self.taken)
            restricted = self.is_set("square_targets", "outside_squares")
            held = self.takeable(self.way) if restricted else []
        else:
            if self.is_set("square_count", "every_landing"):
                due = self.squares_closed(
                    self.turn, Displacement(tuple(path), jumped=tuple(jumped))
                )
            held = sorted(jumped) if self.is_set("jumped_removed", "end_of_turn") else []
            visited = sorted(path[:-1]) if self.is_set("chain_revisit", "none") else []
        lists = [",".join(map(name, points)) or "-" for points in (held, visited)]
        numbers = [len(jumped), due, self.count(1 - self.turn)]
        kind = "jump" if self.way is None else "take"
        return [kind, name(path[0]), name(path[-1]), *map(str, numbers), *lists]

    def row(self, stones: dict[Point, str], r: int) -> str:
        points = "".join(stones.get((r, c), ".") for c in range(self.size))
        return re.sub(r"\.+", lambda empty: str(len(empty[0])), points)

    def load(self, text: str) -> None:
        rows, seat, stage, *counts = text.split()
        for r, row in enumerate(rows.split("/")):
            points = re.sub(r"\d+", lambda empty: "." * int(empty[0]), row)
            assert len(points) == self.size
            self.stones |= {(r, c): stone for c, stone in enumerate(points) if stone != "."}
        self.turn = SEATS.index(seat)
        self.is_battle = stage == "battle"
        if not self.is_battle:
            return
        self.quiet, self.plies = map(int, counts[:2])
        if "shuttle" in counts:
            self.trip = (point_of(counts[3]), point_of(counts[4]))
            self.trips = int(counts[5])
        self.enter_battle()


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


def win(seat: int) -> tuple[float, ...]:
    return (1.0, -1.0) if seat == 0 else (-1.0, 1.0)
