"""The reward of a placement in Jiu, slowly: every displacement and every shape one by one.

A second opinion on core/games/jiu/reward.h that shares nothing with it. Points are (row, column)
from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Point = tuple[int, int]

# Table 2 of Li et al. (2019), the central 6x6 points.
PLACES = (
    (1, 1, 1, 1, 1, 1),
    (1, 50, 50, 50, 50, 1),
    (1, 50, 1_000_000, 100_000, 50, 1),
    (1, 50, 100_000, 1_000_000, 50, 1),
    (1, 50, 50, 50, 50, 1),
    (1, 1, 1, 1, 1, 1),
)
WAYS = ((-1, 0), (0, -1), (0, 1), (1, 0))
DALIAN = 10_000


@dataclass(frozen=True)
class Rules:
    size: int = 14
    place: bool = True
    control: bool = True
    shape: bool = True
    unfilled: Literal["wall", "empty"] = "wall"
    chain: Literal["pair", "line"] = "pair"


@dataclass(frozen=True)
class Board:
    """Own stones, enemy stones and empty points; everything else is a wall."""

    own: frozenset[Point]
    enemy: frozenset[Point]
    empty: frozenset[Point]


def reward(own: set[Point], enemy: set[Point], stone: Point, rules: Rules) -> int:
    """What the stone just placed earns; it is one of `own`."""
    ends = centre_ends(rules.size)
    points = {(r, c) for r in range(rules.size) for c in range(rules.size)}
    unfilled = points - own - enemy
    empty = ends | unfilled if rules.unfilled == "empty" else ends
    battle = Board(frozenset(own - ends), frozenset(enemy - ends), frozenset(empty))
    total = 0
    if rules.place:
        total += place(stone, rules.size)
    if rules.control and stone not in ends:
        total += control(battle, stone)
    if rules.shape:
        total += 2 * len([chain for chain in chains(own, rules.chain) if stone in chain])
        total += 2 * len([three for three in triangles(own, unfilled) if stone in three])
        total += DALIAN * any(stone in dalian for dalian in dalians(battle))
    return total


def centre_ends(size: int) -> set[Point]:
    return {(size // 2 - 1, size // 2 - 1), (size // 2, size // 2)}


def place(stone: Point, size: int) -> int:
    row, column = stone[0] - size // 2 + 3, stone[1] - size // 2 + 3
    return PLACES[row][column] if 0 <= row < 6 and 0 <= column < 6 else 0


def control(board: Board, stone: Point) -> int:
    """Step 1, n jumps 5n, anything after which the stone is part of a live Dalian 10,000."""
    best = 0
    for after, to, jumps in displacements(board, stone):
        builds = any(to in dalian for dalian in dalians(after))
        best = max(best, DALIAN if builds else 5 * jumps or 1)
    return best


def displacements(board: Board, stone: Point) -> Iterator[tuple[Board, Point, int]]:
    """The board after every step and every jump chain, where the stone is then, and the jumps."""
    for way in WAYS:
        to = moved(stone, way)
        if to in board.empty:
            yield shifted(board, stone, to), to, 0
    yield from jump_chains(board, stone, 0)


def jump_chains(board: Board, stone: Point, jumps: int) -> Iterator[tuple[Board, Point, int]]:
    for way in WAYS:
        over = moved(stone, way)
        to = moved(over, way)
        if over in board.enemy and to in board.empty:
            after = shifted(board, stone, to)
            after = Board(after.own, after.enemy - {over}, after.empty | {over})
            yield after, to, jumps + 1
            yield from jump_chains(after, to, jumps + 1)


def moved(point: Point, way: Point) -> Point:
    return point[0] + way[0], point[1] + way[1]


def shifted(board: Board, start: Point, to: Point) -> Board:
    return Board(board.own - {start} | {to}, board.enemy, board.empty - {to} | {start})


def cells_with(point: Point) -> list[set[Point]]:
    """The four unit cells around a point; those over the edge hold points that no one has."""
    row, column = point
    return [
        {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)}
        for r in (row - 1, row)
        for c in (column - 1, column)
    ]


def chains(own: set[Point], kind: str) -> list[set[Point]]:
    lines = []
    for row, column in own:
        for down, right in ((0, 1), (1, 0)):
            length = 2 if kind == "pair" else 3
            line = {(row + i * down, column + i * right) for i in range(length)}
            if line <= own:
                lines.append(line)
    return lines


def triangles(own: set[Point], unfilled: set[Point]) -> list[set[Point]]:
    return [
        cell - {point} for point in unfilled for cell in cells_with(point) if cell - {point} <= own
    ]


def dalians(board: Board) -> Iterator[set[Point]]:
    """The seven stones of every live Dalian: vital stone s, hole e, square, waiting cell."""
    for s in board.own:
        for e in (moved(s, way) for way in WAYS):
            if e not in board.empty:
                continue
            for square in cells_with(s):
                for waiting in cells_with(e):
                    three = waiting - {e}
                    if e not in square and s not in waiting and square | three <= board.own:
                        yield square | three
