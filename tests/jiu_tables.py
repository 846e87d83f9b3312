"""Jiu for the tests of its rules: the slow reference and the core, asked the same things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

import game_data
from reference import jiu as slow

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


class SlowTable:
    """The reference, which thinks in whole turns anyway."""

    def __init__(self, options: dict[str, str], text: str = "") -> None:
        self.game = slow.Game(options, text)

    def text(self) -> str:
        return self.game.text()

    def outcome(self) -> End | None:
        return self.game.outcome()

    def placements(self) -> list[str]:
        return [slow.name(point) for point in self.game.placements()]

    def place(self, point: str) -> None:
        self.game.play(point)

    def ways(self) -> list[str]:
        return [str(way) for way in self.game.displacements(self.game.turn)]

    def way(self, text: str) -> slow.Displacement:
        ways = self.game.displacements(self.game.turn)
        return next(way for way in ways if str(way) == text)

    def jumped(self, way: str) -> set[str]:
        return {slow.name(point) for point in self.way(way).jumped}

    def takes(self, way: str) -> int:
        return self.game.due(self.game.turn, self.way(way))

    def targets(self, way: str) -> set[str]:
        return {slow.name(point) for point in self.game.targets(self.game.turn, self.way(way))}

    def turns(self, way: str) -> int:
        whole = list(self.game.turns(self.game.turn, self.way(way)))
        assert len(set(whole)) == self.game.turn_count(self.game.turn, self.way(way))
        return len(whole)

    def play(self, way: str, taken: list[str]) -> None:
        self.game.play_turn(self.game.read_turn(way + "*" * bool(taken) + ",".join(taken)))

    def dalians(self, side: str) -> list[str]:
        found = self.game.live_dalians(slow.SEATS.index(side))
        return [f"{slow.name(dalian.vital)}-{slow.name(dalian.hole)}" for dalian in found]

    def gates(self, side: str) -> list[str]:
        return [slow.name(cell[0]) for cell in self.game.structural_gates(slow.SEATS.index(side))]


class CoreTable:
    """The core, whose turns are walked move by move."""

    def __init__(self, options: dict[str, str], text: str = "") -> None:
        inside = ",".join(f"{name}={value}" for name, value in options.items())
        self.game = game_data.load(f"jiu({inside})")
        self.position: Any = self.game.parse(text) if text else self.game.start()

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
        return [way for way, _ in walk(self.position)]

    def after(self, way: str) -> Any:
        return next(position for text, position in walk(self.position) if text == way)

    def jumped(self, way: str) -> set[str]:
        enemy = "xo"[self.position.turn]
        return stones(self.text(), enemy) - stones(self.after(way).text, enemy)

    def takes(self, way: str) -> int:
        return max(len(takes) for takes in self.lines(way))

    def targets(self, way: str) -> set[str]:
        return {point for takes in self.lines(way) for point in takes}

    def turns(self, way: str) -> int:
        return len(self.lines(way))

    def lines(self, way: str) -> list[list[str]]:
        """Every list of takes that can follow a displacement."""
        return list(lines(self.after(way)))

    def play(self, way: str, taken: list[str]) -> None:
        position = self.after(way)
        for point in sorted(taken, key=slow.point_of):
            position = position.play(f"*{point}")
        assert not any(move.startswith("*") for move in moves_of(position)), "more is due"
        self.position = position


def moves_of(position: Any) -> list[str]:
    return [position.move_text(move) for move in position.legal_moves]


def walk(position: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    """Displacements of a position, each with the position after it."""
    for move in moves_of(position):
        after = position.play(move)
        if move == "stop":
            yield way, after
            continue
        if any(following.startswith("-") for following in moves_of(after)):
            yield from walk(after, way + move)
        else:
            yield way + move, after


def lines(position: Any) -> Iterator[list[str]]:
    takes = [move for move in moves_of(position) if move.startswith("*")]
    if not takes:
        yield []
    for move in takes:
        yield from ([move[1:], *rest] for rest in lines(position.play(move)))


def stones(text: str, stone: str) -> set[str]:
    """The points where a text shows a side's stones."""
    rows = re.sub(r"\d+", lambda empty: "." * int(empty[0]), text.split(maxsplit=1)[0]).split("/")
    return {
        slow.name((r, c))
        for r, row in enumerate(rows)
        for c, held in enumerate(row)
        if held == stone
    }
