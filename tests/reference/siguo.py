"""Siguo by the book: a graph drawn from the board's picture, pieces as objects, no tables.

A run by railway goes on as long as the next edge leaves in the direction in which the last one
arrived; lines are not listed anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

SEATS = "SENW"
RANKS = "987654321"
KINDS = RANKS + "BMF"
INVENTORY = dict(zip(KINDS, (1, 1, 2, 2, 2, 2, 3, 3, 3, 2, 3, 1), strict=True))
CAMPS = {(2, 2), (2, 4), (3, 3), (4, 2), (4, 4)}
Way = tuple[int, int]


def place(name: str) -> Way:
    """Where a station is drawn."""
    if name[0] == "C":
        k = int(name[1]) - 1
        return 6 + 2 * (k % 3), 6 + 2 * (k // 3)
    row, column = int(name[1]), int(name[2])
    return {
        "S": (5 + column, 10 + row),
        "E": (10 + row, 11 - column),
        "N": (11 - column, 6 - row),
        "W": (6 - row, 5 + column),
    }[name[0]]


def arm(name: str) -> tuple[int, int]:
    return int(name[1]), int(name[2])


STATIONS = [f"{s}{r}{c}" for s in SEATS for r in range(1, 7) for c in range(1, 6)]
STATIONS += [f"C{k}" for k in range(1, 10)]


def is_camp(name: str) -> bool:
    return name[0] != "C" and arm(name) in CAMPS


def on_arm_rail(row: int, column: int) -> bool:
    return row <= 5 and (row in (1, 5) or column in (1, 5))


def direction(a: str, b: str) -> Way:
    (x, y), (u, v) = place(a), place(b)
    return (u > x) - (u < x), (v > y) - (v < y)


class Network:
    """Roads as sets; railways with the directions in which an edge leaves and arrives."""

    def __init__(self, arc: str, rail_exit: str) -> None:
        self.roads: dict[str, set[str]] = {name: set() for name in STATIONS}
        self.rails: dict[str, dict[str, tuple[Way, Way]]] = {name: {} for name in STATIONS}
        for seat in SEATS:
            self.add_arm(seat)
        self.add_centre()
        self.corner_turns: set[tuple[str, str, str]] = set()
        for i, seat in enumerate(SEATS):
            self.add_arc(f"{seat}15", f"{SEATS[(i + 1) % 4]}11", arc)
        if rail_exit == "camps_and_back":
            for name, ends in self.roads.items():
                if self.rails[name]:
                    ends -= {e for e in ends if not is_camp(e) and arm(e)[0] != 6}

    def add_arm(self, seat: str) -> None:
        cells = [(r, c) for r in range(1, 7) for c in range(1, 6)]
        for r, c in cells:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                other = (r + down, c + right)
                if other not in cells:
                    continue
                a, b = f"{seat}{r}{c}", f"{seat}{other[0]}{other[1]}"
                straight = down == 0 or right == 0
                along = r == other[0] in (1, 5) or (c == other[1] in (1, 5) and other[0] <= 5)
                if straight and along:
                    self.join(a, b)
                elif straight or is_camp(a) or is_camp(b):
                    self.roads[a].add(b)
                    self.roads[b].add(a)

    def add_centre(self) -> None:
        fronts = [f"{s}1{c}" for s in SEATS for c in (1, 3, 5)]
        centre = [f"C{k}" for k in range(1, 10)]
        for a in centre:
            (x, y) = place(a)
            for b in centre + fronts:
                (u, v) = place(b)
                near = abs(x - u) + abs(y - v)
                aligned = x == u or y == v
                if aligned and near == (2 if b in centre else 1) and b not in self.rails[a]:
                    self.join(a, b)

    def join(self, a: str, b: str) -> None:
        way = direction(a, b)
        back = (-way[0], -way[1])
        self.rails[a][b] = (way, way)
        self.rails[b][a] = (back, back)

    def add_arc(self, a: str, b: str, arc: str) -> None:
        out = direction(f"{a[0]}25", a)  # along column 5
        into = direction(b, f"{b[0]}21")  # along column 1
        if arc == "separate":
            self.rails[a][b] = (out, into)
            self.rails[b][a] = ((-into[0], -into[1]), (-out[0], -out[1]))
        else:  # through the corner of the centre, which bends there
            corner = next(c for c in self.rails[a] if c in self.rails[b] and c[0] == "C")
            self.corner_turns |= {(a, corner, b), (b, corner, a)}


def fight(attacker: str, defender: str, mine_hit: str) -> str:
    if "B" in (attacker, defender):
        return "="
    if defender == "F":
        return "+"
    if defender == "M":
        if attacker == "1":
            return "+"
        return "=" if mine_hit == "both_gone" else "-"
    return "=" if attacker == defender else "+" if attacker > defender else "-"


@dataclass
class Piece:
    """One piece, known to all by its home and to its owner by its kind."""

    home: str
    kind: str
    where: str | None
    moved: bool = False
    ran: bool = False
    stormed: bool = False
    note: str = ""


class Game:
    """One game, begun from the text of its start."""

    def __init__(self, options: dict[str, str], dealt: str = "") -> None:
        self.options = options
        self.network = Network(options["arc"], options["rail_exit"])
        words = dict(word.split("=", 1) for word in dealt.split(" ") if "=" in word)
        assert "@" not in dealt
        self.pieces: dict[str, Piece] = {}
        for seat in SEATS:
            for row, line in enumerate(words[seat].split("/")):
                for column, kind in enumerate(line):
                    if kind != ".":
                        home = f"{seat}{row + 1}{column + 1}"
                        self.pieces[home] = Piece(home, kind, home)
        self.turn = SEATS.index(words["turn"])
        self.ply = self.quiet = 0
        self.out: set[int] = set()
        self.end = ""
        self.passes = [0] * 4
        self.last: dict[int, tuple[str, str, int]] = {}
        self.flags: dict[int, str] = {}
        self.battles: dict[str, str] = {}  # by the home of the dead, or of the attacker of two

    # What is where

    def at(self, station: str) -> Piece | None:
        return next((p for p in self.pieces.values() if p.where == station), None)

    def headquarters(self, station: str) -> bool:
        columns = (2,) if self.options["hq"] == "one" else (2, 4)
        return station[0] != "C" and arm(station) in {(6, column) for column in columns}

    def alive(self, seat: int) -> list[Piece]:
        return [p for p in self.pieces.values() if p.home[0] == SEATS[seat] and p.where]

    def may_storm(self, kind: str) -> bool:
        if kind == "B" and self.options["bomb_flag"] == "forbidden":
            return False
        taker = self.options["flag_taker"]
        return taker == "any" or (taker == "not_general" and kind != "9") or kind == "1"

    # Moving

    def targets(self, piece: Piece, kind: str) -> set[str]:
        """Where a piece could go were it of this kind; `?` is a kind that may not storm."""
        assert piece.where is not None
        start = piece.where
        taken = {p.where: p for p in self.pieces.values() if p.where}
        del taken[start]
        reach = set(self.network.roads[start]) | set(self.network.rails[start])
        if kind == "1":
            reach |= self.walk(start, taken, len(STATIONS))
        elif self.options["rail_straight"] == "three_steps":
            reach |= self.walk(start, taken, 3)
        else:
            reach |= self.run(start, taken)
        seat = SEATS.index(piece.home[0])
        allowed = {end for end in reach - {start} if self.may_stop(seat, end, taken.get(end), kind)}
        last = self.last.get(seat)
        if self.options["repetition"] == "shuttle" and last and last[1:] == (start, 7):
            allowed.discard(last[0])
        return allowed

    def may_stop(self, seat: int, end: str, there: Piece | None, kind: str) -> bool:
        if there and SEATS.index(there.home[0]) % 2 == seat % 2:
            return False
        if is_camp(end) and (there or (self.options["camps"] == "own" and end[0] != SEATS[seat])):
            return False
        if end == "C5" and self.options["c5_stop"] == "no":
            return False
        if self.headquarters(end):
            if there is None:
                return self.options["hq"] != "one"
            guarded = self.options["bomb_flag"] != "both_gone_owner_out"
            guarded |= self.options["flag_taker"] != "any"
            return not guarded or (kind != "?" and self.may_storm(kind))
        return True

    def walk(self, start: str, taken: dict[str, Piece], most: int) -> set[str]:
        reached = {start}
        edge = [start]
        for _ in range(most):
            ahead = {end for a in edge for end in self.network.rails[a]} - reached
            reached |= ahead
            edge = [end for end in ahead if end not in taken]
        return reached

    def run(self, start: str, taken: dict[str, Piece]) -> set[str]:
        reached: set[str] = set()
        bends = self.options["rail_straight"] == "lines"
        stack = [(start, end) for end in self.network.rails[start]]
        seen = set(stack)
        while stack:
            a, b = stack.pop()
            reached.add(b)
            if b in taken or b == start:
                continue
            arrives = self.network.rails[a][b][1]
            for c, (leaves, _) in self.network.rails[b].items():
                arc = self.is_arc(a, b) or self.is_arc(b, c)
                straight = leaves == arrives and (bends or not arc)
                corner = bends and (a, b, c) in self.network.corner_turns
                if (straight or corner) and (b, c) not in seen:
                    seen.add((b, c))
                    stack.append((b, c))
        return reached

    @staticmethod
    def is_arc(a: str, b: str) -> bool:
        return a[0] != b[0] and "C" not in (a[0], b[0])

    def moves_of(self, seat: int) -> Iterator[tuple[Piece, str]]:
        for piece in self.alive(seat):
            if piece.kind in "MF" or self.headquarters(str(piece.where)):
                continue
            for end in self.targets(piece, piece.kind):
                yield piece, end

    def moves(self) -> list[str]:
        if self.end:
            return []
        found = [
            f"{piece.where}{'x' if self.at(end) else '-'}{end}"
            for piece, end in self.moves_of(self.turn)
        ]
        return found + (["skip"] if self.may_pass(self.turn) else [])

    def may_pass(self, seat: int) -> bool:
        return self.passes[seat] < int(self.options["pass_limit"])

    # Playing

    def play(self, move: str) -> None:
        mover = self.turn
        self.ply += 1
        self.quiet += 1
        if move == "skip":
            self.passes[mover] += 1
            self.pass_on()
            return
        start, end = move.replace("x", "-").split("-")
        piece = self.at(start)
        assert piece is not None
        other = self.at(end)
        if piece.kind == "1" and end not in self.targets(piece, "2") | self.storms(start):
            piece.ran = True
        piece.moved = True
        if self.options["repetition"] == "shuttle":
            last = self.last.get(mover)
            times = last[2] + 1 if last and last[:2] == (end, start) else 0
            self.last[mover] = (start, end, times)
        if other is None:
            piece.where = end
        else:
            piece.stormed |= self.headquarters(end)
            self.attack(piece, other, end)
        if not self.end and self.options["no_move"] == "after_move":
            seats = [mover] + ([SEATS.index(other.home[0])] if other else [])
            for seat in seats:
                if seat not in self.out and not self.can_go_on(seat):
                    self.put_out_stuck(seat)
        if not self.end:
            self.pass_on()

    def storms(self, start: str) -> set[str]:
        """Steps into an occupied headquarters by road, which show no sapper: others may."""
        return {end for end in self.network.roads[start] if self.headquarters(end)}

    def attack(self, piece: Piece, other: Piece, end: str) -> None:
        sign = fight(piece.kind, other.kind, self.options["mine_hit"])
        self.quiet = 0
        notes = "#" if other.kind == "F" else ""
        for loser, lost in ((piece, sign != "+"), (other, sign != "-")):
            if not lost:
                continue
            loser.where = None
            if loser.kind == "9" and self.options["flag_reveal"] == "public":
                seat = SEATS.index(loser.home[0])
                self.flags[seat] = next(
                    p.home
                    for p in self.pieces.values()
                    if p.home[0] == loser.home[0] == p.home[0] and p.kind == "F"
                )
                notes += "!" + self.flags[seat]
        if sign == "+":
            piece.where = end
        dead = other.home if sign == "+" else piece.home
        self.battles[dead] = f"{piece.home}x{other.home}{sign}{notes}"
        if other.kind == "F":
            self.put_out(SEATS.index(other.home[0]), "flag")

    def can_go_on(self, seat: int) -> bool:
        return self.may_pass(seat) or any(True for _ in self.moves_of(seat))

    def put_out(self, seat: int, end: str) -> None:
        self.out.add(seat)
        self.quiet = 0
        for piece in self.alive(seat):
            piece.where = None
        if (seat + 2) % 4 in self.out:
            self.end = end

    def put_out_stuck(self, seat: int) -> None:
        notes = {}
        for piece in self.alive(seat):
            if self.headquarters(str(piece.where)):
                continue
            if self.targets(piece, "?"):
                notes[piece.home] = "stuck"
            elif any(
                self.headquarters(e) and self.may_stop(seat, e, self.at(e), "1")
                for e in self.network.roads[str(piece.where)]
            ):
                notes[piece.home] = "held"
        for home, note in notes.items():
            self.pieces[home].note = note
        self.put_out(seat, "nomove")

    def pass_on(self) -> None:
        step = 1 if self.options["turn_order"] == "ccw" else -1
        seat = (self.turn + step) % 4
        while seat in self.out or not self.can_go_on(seat):
            if seat not in self.out:
                self.put_out_stuck(seat)
            if self.end:
                return
            seat = (seat + step) % 4
        self.turn = seat
        limit = int(self.options["no_capture_draw"])
        if limit and self.quiet >= limit:
            self.end = "nocapture"
        elif self.ply >= int(self.options["max_plies"]):
            self.end = "maxplies"

    # Telling

    def outcome(self) -> tuple[str, tuple[float, ...]] | None:
        reasons = {
            "flag": "flag taken",
            "nomove": "no move",
            "nocapture": "no capture",
            "maxplies": "ply limit",
        }
        if not self.end:
            return None
        if self.end in ("nocapture", "maxplies"):
            return reasons[self.end], (0.0,) * 4
        south = -1.0 if {0, 2} <= self.out else 1.0
        return reasons[self.end], (south, -south, south, -south)

    def text(self) -> str:
        words = [f"{seat}={self.setup(seat)}" for seat in SEATS]
        words += [f"turn={SEATS[self.turn]}", f"ply={self.ply}", f"quiet={self.quiet}"]
        if int(self.options["pass_limit"]):
            words.append("passes=" + ",".join(map(str, self.passes)))
        if self.out:
            words.append("out=" + "".join(SEATS[seat] for seat in sorted(self.out)))
        if self.end:
            words.append("end=" + self.end)
        for seat, (start, end, times) in sorted(self.last.items()):
            words.append(f"last={SEATS[seat]}:{start}-{end}:{times}")
        for piece in self.pieces.values():
            if piece.note:
                words.append(f"{piece.home}@{piece.note}")
            if piece.moved:
                marks = ("~" if piece.ran else "") + ("*" if piece.stormed else "")
                words.append(f"{piece.home}@{piece.where or '-'}{marks}")
        words += [self.battles[home] for home in self.pieces if home in self.battles]
        return " ".join(words)

    def setup(self, seat: str) -> str:
        rows = []
        for row in range(1, 7):
            homes = [f"{seat}{row}{column}" for column in range(1, 6)]
            rows.append("".join("." if is_camp(h) else self.pieces[h].kind for h in homes))
        return "/".join(rows)
