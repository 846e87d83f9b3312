"""The summary inputs of Siguo one by one, on the slow game; nothing is shared with the core.

Chances are given: by the home of a piece, one for each kind. What the slow game knows of hidden
kinds is not looked at, but for those of the seat itself.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

from reference.siguo import (
    CAMPS,
    INVENTORY,
    KINDS,
    RANKS,
    SEATS,
    STATIONS,
    Game,
    Piece,
    fight,
    is_camp,
    place,
)

WORTHS = dict(
    zip(KINDS, (1, 0.9, 0.72, 0.5, 0.42, 0.28, 0.22, 0.18, 0.4, 0.52, 0.45, 1), strict=True)
)
Chances = dict[str, dict[str, float]]


def seat_of(piece: Piece) -> int:
    return SEATS.index(piece.home[0])


@dataclass
class Summary:
    """What one seat counts."""

    game: Game
    seat: int
    chances: Chances  # home, kind
    limits: tuple[int, int]  # quiet plies, plies

    def order(self) -> list[int]:
        return [(self.seat + p) % 4 for p in range(4)]

    def mate(self, piece: Piece) -> bool:
        return (seat_of(piece) - self.seat) % 2 == 0

    def kind(self, piece: Piece) -> str:
        assert seat_of(piece) == self.seat
        return piece.kind

    def worth(self, piece: Piece) -> float:
        return sum(chance * WORTHS[kind] for kind, chance in self.chances[piece.home].items())

    def factor(self, piece: Piece) -> float:
        return 1.0 if seat_of(piece) == self.seat else 0.75 if self.mate(piece) else -1.0

    def centre(self) -> list[str]:
        """C1 to C9 as this seat sees them, sitting at the south."""

        def seen(name: str) -> tuple[int, int]:
            x, y = place(name)
            for _ in range(self.seat):  # the inverse of (x, y) -> (y, 16 - x)
                x, y = 16 - y, x
            return y, x

        return sorted((f"C{k}" for k in range(1, 10)), key=seen)

    # The blocks

    def expected(self) -> dict[str, float]:
        """Inputs 0 to 92 by a name of their own."""
        x: dict[str, float] = {}
        for p, seat in enumerate(self.order()):
            army = self.game.alive(seat)
            for kind in KINDS:
                alive = sum(self.chances[piece.home][kind] for piece in army)
                x[f"material {p} {kind}"] = min(1, alive / INVENTORY[kind])  # rounding
            for row, column in sorted(CAMPS):
                there = self.game.at(f"{SEATS[seat]}{row}{column}")
                x[f"camp {p} {row}{column}"] = 0 if not there else 1 if self.mate(there) else -1
            for column in (2, 4):
                there = self.game.at(f"{SEATS[seat]}6{column}")
                x[f"hq {p} {column}"] = self.chances[there.home]["F"] if there else 0
            x[f"known {p}"] = float(seat in self.game.flags and seat not in self.game.out)
            x[f"alive {p}"] = float(seat not in self.game.out)
        for i, name in enumerate(self.centre()):
            there = self.game.at(name)
            x[f"centre {i}"] = self.factor(there) * self.worth(there) if there else 0
        return x

    def can_move(self, piece: Piece) -> bool:
        hopeful = any(c > 0 for k, c in self.chances[piece.home].items() if k not in "MF")
        return hopeful and not self.game.headquarters(str(piece.where))

    def reach(self, piece: Piece) -> set[str]:
        own = seat_of(piece) == self.seat
        return self.game.targets(piece, self.kind(piece) if own else "?")

    def safety(self, seat: int) -> list[float]:
        homes = [self.game.at(f"{SEATS[seat]}6{column}") for column in (2, 4)]
        own = [piece for piece in homes if piece and seat_of(piece) == seat]
        best = max(own, key=lambda piece: self.chances[piece.home]["F"], default=None)
        if best is None or self.chances[best.home]["F"] == 0:
            return [1, 0, 0]
        taken = {p.where: p for p in self.game.pieces.values() if p.where}
        steps, edge, found = {str(best.where): 0}, [str(best.where)], []
        for far in range(1, 8):
            ahead = set()
            for name in edge:
                others = {k: p for k, p in taken.items() if k != name}
                joined = self.game.network.roads[name] | set(self.game.network.rails[name])
                ahead |= joined | self.game.run(name, others)
            ahead -= set(steps)
            steps.update(dict.fromkeys(ahead, far))
            found += [(far, taken[name]) for name in ahead if name in taken]
            edge = [name for name in ahead if name not in taken]
        movers = [(far, p) for far, p in found if self.can_move(p)]
        foes = [far for far, p in movers if (seat_of(p) - seat) % 2]
        guards = [far for far, p in movers if (seat_of(p) - seat) % 2 == 0]
        return [
            min([8, *foes]) / 8,
            min(1, sum(far <= 3 for far in foes) / 8),
            min(1, sum(far <= 2 for far in guards) / 8),
        ]

    def mobility(self, seat: int) -> list[float]:
        army = self.game.alive(seat)
        moves = sum(len(self.reach(piece)) for piece in army if self.can_move(piece))
        return [min(1, moves / 100), sum(p.moved for p in army) / len(army) if army else 0]

    def top(self, seat: int) -> int:
        found = [
            int(kind)
            for piece in self.game.alive(seat)
            for kind in RANKS
            if self.chances[piece.home][kind] > 0
        ]
        return max(found, default=0)

    def tops(self, x: dict[str, float]) -> list[float]:
        found = []
        for p, seat in list(enumerate(self.order()))[1:]:
            none = 1.0
            for kind in RANKS:
                if int(kind) > self.top(self.seat):
                    none *= (1 - x[f"material {p} {kind}"]) ** INVENTORY[kind]
            found += [self.top(seat) / 9, 1 - none]
        return found

    def threats(self) -> list[float]:
        found = []
        for side in (self.seat, (self.seat + 2) % 4):
            risk = capture = 0.0
            for piece in self.game.alive(side):
                worst = [self.loss(foe, piece) for foe in self.foes() if self.attacks(foe, piece)]
                risk += max(worst, default=0)
                won = [self.gain(piece, foe) for foe in self.foes() if self.attacks(piece, foe)]
                capture = max([capture, *won])
            found += [min(1, risk / 2), min(1, capture / 2)]
        return found

    def foes(self) -> list[Piece]:
        return [p for p in self.game.pieces.values() if p.where and not self.mate(p)]

    def attacks(self, piece: Piece, other: Piece) -> bool:
        return self.can_move(piece) and other.where in self.reach(piece)

    def loss(self, foe: Piece, piece: Piece) -> float:
        return sum(
            a * d * WORTHS[mine]
            for kind, a in self.chances[foe.home].items()
            for mine, d in self.chances[piece.home].items()
            if kind not in "MF" and fight(kind, mine, "mine_stays") != "-"
        )

    def gain(self, piece: Piece, foe: Piece) -> float:
        return sum(
            a * d * WORTHS[kind]
            for mine, a in self.chances[piece.home].items()
            for kind, d in self.chances[foe.home].items()
            if mine not in "MF" and fight(mine, kind, "mine_stays") != "-"
        )

    def board(self, x: dict[str, float]) -> list[float]:
        """Inputs 93 to 122."""
        return [
            *(value for seat in self.order() for value in self.safety(seat)),
            *(value for seat in self.order() for value in self.mobility(seat)),
            *self.tops(x),
            *self.threats(),
        ]

    # Whole vectors

    def now(self) -> list[float]:
        x = self.expected()
        clock = [self.game.quiet / self.limits[0], self.game.ply / self.limits[1]]
        return [*flat(x), *self.board(x), *clock, 0, 0, 0, 0, 1]

    def after(self, start: str, end: str) -> list[float]:
        piece, other = self.game.at(start), self.game.at(end)
        assert piece
        x, later = self.expected(), deepcopy(self.game)
        mover, met = later.pieces[piece.home], other and later.pieces[other.home]
        mover.moved = True
        odds = dict.fromkeys("+=-", 0.0)
        quiet = self.game.quiet + 1
        if other is None or met is None:
            mover.where = end
            x = Summary(later, self.seat, self.chances, self.limits).expected()
        else:
            quiet = 0
            ends = dict.fromkeys("F+-=", 0.0)
            for kind, chance in self.chances[other.home].items():
                sign = fight(self.kind(piece), kind, "mine_stays")
                odds[sign] += chance
                ends["F" if kind == "F" else sign] += chance
            x = self.fought(x, piece, other, odds)
            likely = max(ends, key=lambda end: ends[end])
            bomb = self.kind(piece) == "B"
            dead = {"F": [met, *[mover] * bomb], "+": [met], "-": [mover], "=": [mover, met]}
            for loser in dead[likely]:
                loser.where = None
            if likely == "F":
                for each in later.alive(seat_of(met)):
                    each.where = None
                later.out.add(seat_of(met))
            if mover.where:
                mover.where = end
        board = Summary(later, self.seat, self.chances, self.limits).board(x)
        clock = [quiet / self.limits[0], (self.game.ply + 1) / self.limits[1]]
        return [*flat(x), *board, *clock, float(bool(other)), odds["+"], odds["="], odds["-"], 1]

    def fought(
        self, x: dict[str, float], piece: Piece, other: Piece, odds: dict[str, float]
    ) -> dict[str, float]:
        """Averages over how a battle ends."""
        own, its = self.kind(piece), self.chances[other.home]
        owner = (seat_of(other) - self.seat) % 4
        keeps = 1 - its["F"]
        x[f"material 0 {own}"] -= (odds["="] + odds["-"]) / INVENTORY[own]
        if own == "9":
            x["known 0"] = max(x["known 0"], odds["="] + odds["-"])
        stays = {k: c for k, c in its.items() if fight(own, k, "mine_stays") == "-"}
        for kind, count in INVENTORY.items():
            rest = x[f"material {owner} {kind}"] - its[kind] / count
            x[f"material {owner} {kind}"] = max(0, keeps * rest + stays.get(kind, 0) / count)
        lost = its["9"] if "9" not in stays else 0
        x[f"known {owner}"] += (1 - x[f"known {owner}"]) * lost
        x[f"known {owner}"] *= keeps
        x[f"alive {owner}"] *= keeps
        for station in STATIONS:
            there = self.game.at(station)
            name = self.name(station)
            if name is None or there is None:
                continue
            if station == other.where:
                left = sum(chance * WORTHS[kind] for kind, chance in stays.items())
                x[name] = odds["+"] * WORTHS[own] - left if name.startswith("centre") else 0
            elif station == piece.where:
                x[name] = 0
            elif seat_of(there) == seat_of(other):
                x[name] *= keeps
        return x

    def name(self, station: str) -> str | None:
        """Of the input that a station has to itself, if it has one."""
        if station[0] == "C":
            return f"centre {self.centre().index(station)}"
        p = (SEATS.index(station[0]) - self.seat) % 4
        if is_camp(station):
            return f"camp {p} {station[1:]}"
        return f"hq {p} {station[2]}" if self.game.headquarters(station) else None


def flat(x: dict[str, float]) -> list[float]:
    """The named inputs in the order of the vector."""
    blocks = ("material", "camp", "hq", "known", "alive", "centre")
    return [value for block in blocks for name, value in x.items() if name.split(" ")[0] == block]
