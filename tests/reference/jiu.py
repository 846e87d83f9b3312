"""Tibetan Jiu by the book: a dictionary of stones, and whole turns written out.

A turn is a displacement (a path of points, through the air or not, with the stones it jumps) and
the set of stones taken for the squares it completes. Nothing on the board changes before a turn is
whole: the moves of a turn half played are read off the whole turns that begin with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from reference.jiu_board import DEFAULTS, PROFILES, SEATS, Point, name, point_of
from reference.jiu_turns import Displacement, Turn, Turns

__all__ = ["DEFAULTS", "PROFILES", "Game"]

End = tuple[str, tuple[float, ...]]


class Game(Turns):
    """One game. Options not given have their default; a position may be given as text."""

    def __init__(self, options: dict[str, str], dealt: str = "") -> None:
        super().__init__(options)
        self.turn = 0 if self.options["first_placer"] == "white" else 1
        self.is_battle = False
        self.quiet = 0  # battle plies since a stone was last taken
        self.plies = 0  # battle plies in all
        self.seen: Counter[tuple[object, ...]] = Counter()
        self.end: End | None = None
        self.ended_by_crossing = False
        self.begun: list[str] = []  # of a turn not yet whole: the moves of its displacement,
        self.way: Displacement | None = None  # the displacement once that is done,
        self.taken: list[Point] = []  # and what has been taken for it
        if dealt:
            self.load(dealt)

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

    # Turns ----------------------------------------------------------------------------------

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


def win(seat: int) -> tuple[float, ...]:
    return (1.0, -1.0) if seat == 0 else (-1.0, 1.0)
