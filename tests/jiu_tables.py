"""Jiu for the tests of its rules: the slow reference and the core, asked the same things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

import game_data
from reference import jiu as slow
from reference import jiu_board as slow_board
from reference.jiu_turns import Displacement

End = tuple[str, tuple[float, ...]]


class Table(Protocol):
    """A position in play, asked for whole displacements by their text."""

    def text(self) -> str: ...
    def outcome(self) -> End | None: ...
    def placements(self) -> list[str]: ...
    def place(self, point: str) -> None: ...
    def ways(self) -> list[str]: ...
    def jumped(self, way: str) -> set[str]: ...
    def takes(self, way: str) -> int: ...
    def targets(self, way: str) -> set[str]: ...
    def turns(self, way: str) -> int: ...
    def play(self, way: str, taken: list[str]) -> None: ...
    def dalians(self, side: str) -> list[str]: ...
    def gates(self, side: str) -> list[str]: ...
    def has_gate(self, side: str) -> bool: ...


class SlowTable:
    """The reference, which thinks in whole turns anyway."""

    def __init__(self, options: dict[str, str], text: str = "") -> None:
        self.game = slow.Game(options, text)

    def text(self) -> str:
        return self.game.text()

    def outcome(self) -> End | None:
        return self.game.outcome()

    def placements(self) -> list[str]:
        return [slow_board.name(point) for point in self.game.placements()]

    def place(self, point: str) -> None:
        self.game.play(point)

    def ways(self) -> list[str]:
        return [str(way) for way in self.game.displacements(self.game.turn)]

    def way(self, text: str) -> Displacement:
        ways = self.game.displacements(self.game.turn)
        return next(way for way in ways if str(way) == text)

    def jumped(self, way: str) -> set[str]:
        return {slow_board.name(point) for point in self.way(way).jumped}

    def takes(self, way: str) -> int:
        return self.game.due(self.game.turn, self.way(way))

    def targets(self, way: str) -> set[str]:
        return {
            slow_board.name(point) for point in self.game.targets(self.game.turn, self.way(way))
        }

    def turns(self, way: str) -> int:
        whole = list(self.game.turns(self.game.turn, self.way(way)))
        assert len(set(whole)) == self.game.turn_count(self.game.turn, self.way(way))
        return len(whole)

    def play(self, way: str, taken: list[str]) -> None:
        self.game.play_turn(self.game.read_turn(way + "*" * bool(taken) + ",".join(taken)))

    def dalians(self, side: str) -> list[str]:
        found = self.game.live_dalians(slow_board.SEATS.index(side))
        return [
            f"{slow_board.name(dalian.vital)}-{slow_board.name(dalian.hole)}" for dalian in found
        ]

    def gates(self, side: str) -> list[str]:
        return [
            slow_board.name(cell[0])
            for cell in self.game.structural_gates(slow_board.SEATS.index(side))
        ]

    def has_gate(self, side: str) -> bool:
        return self.game.has_gate(slow_board.SEATS.index(side))


class CoreTable:
    """The core, whose turns are walked move by move."""

    def __init__(self, options: dict[str, str], text: str = "") -> None:
        inside = ",".join(f"{name}={value}" for name, value in options.items())
        self.game = game_data.load(f"jiu({inside})")
        self.position: Any = self.game.parse(text) if text else self.game.start()
        self.walked: Any = None  # the position whose displacements are known
        self.reached: dict[str, Any] = {}

    def text(self) -> str:
        return str(self.position.text)

    def outcome(self) -> End | None:
        end = self.position.outcome
        return end and (end.reason, tuple(end.scores))

    def placements(self) -> list[str]:
        return moves_of(self.position)

    def place(self, point: str) -> None:
        self.position = self.position.play(point)

    def ways(self) -> list[str]:
        if self.walked is not self.position:
            self.walked, self.reached = self.position, dict(walk(self.position))
        return list(self.reached)

    def after(self, way: str) -> Any:
        assert way in self.ways(), f"{way} is no displacement here"
        return self.reached[way]

    def jumped(self, way: str) -> set[str]:
        enemy = "xo"[self.position.turn]
        return stones(self.text(), enemy) - stones(self.after(way).text, enemy)

    def takes(self, way: str) -> int:
        position, taken = self.after(way), 0
        while takes := takes_of(position):
            position, taken = position.play(f"*{takes[0]}"), taken + 1
        return taken

    def targets(self, way: str) -> set[str]:
        return set(takes_of(self.after(way)))

    def turns(self, way: str) -> int:
        return len(set(sets_taken(self.after(way))))

    def play(self, way: str, taken: list[str]) -> None:
        position = self.after(way)
        for point in sorted(taken, key=slow_board.point_of):
            position = position.play(f"*{point}")
        assert not takes_of(position), "more is due"
        self.position = position

    def dalians(self, side: str) -> list[str]:
        size = self.text().split()[0].count("/") + 1
        places = slow.Game({"size": str(size)})
        vital = {(d.stones, d.hole): d.vital for d in places.dalian_placements(places.points)}
        found = self.shapes(side, size, "flat dalian") + self.shapes(side, size, "slant dalian")
        return [f"{slow_board.name(vital[shape])}-{slow_board.name(shape[1])}" for shape in found]

    def gates(self, side: str) -> list[str]:
        size = self.text().split()[0].count("/") + 1
        return [
            slow_board.name(min(*stones, hole)) for stones, hole in self.shapes(side, size, "gate")
        ]

    def has_gate(self, side: str) -> bool:
        return bool(self.position.has_gate(slow_board.SEATS.index(side)))

    def shapes(
        self, side: str, size: int, kind: str
    ) -> list[tuple[frozenset[slow_board.Point], slow_board.Point]]:
        return [
            (frozenset(divmod(point, size) for point in points), divmod(hole, size))
            for found, points, hole in self.position.shapes(slow_board.SEATS.index(side))
            if found == kind
        ]


def moves_of(position: Any) -> list[str]:
    return [position.move_text(move) for move in position.legal_moves]


def walk(position: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    """Displacements of a position, each with the position after it."""
    for move in moves_of(position):
        after = position.play(move)
        if move == "stop":
            yield way, after
            continue
        if after.in_turn and any(text.startswith("-") for text in moves_of(after)):
            yield from walk(after, way + move)
        else:
            yield way + move, after


def takes_of(position: Any) -> list[str]:
    if not position.in_turn:
        return []
    return [move[1:] for move in moves_of(position) if move.startswith("*")]


def sets_taken(position: Any) -> Iterator[frozenset[str]]:
    """The stones that can be taken to end a turn, once for each order of taking them."""
    takes = takes_of(position)
    if not takes:
        yield frozenset()
    for point in takes:
        yield from (rest | {point} for rest in sets_taken(position.play(f"*{point}")))


def stones(text: str, stone: str) -> set[str]:
    """The points where a text shows a side's stones."""
    rows = re.sub(r"\d+", lambda empty: "." * int(empty[0]), text.split(maxsplit=1)[0]).split("/")
    return {
        slow_board.name((r, c))
        for r, row in enumerate(rows)
        for c, held in enumerate(row)
        if held == stone
    }
