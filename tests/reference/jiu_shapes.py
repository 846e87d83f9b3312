"""Shapes of Jiu and the paper's battle value, slowly: sets of points and loops over templates.

Written from the definitions; the core finds the same shapes by shifting whole boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tempo._core.jiu import Position

Point = tuple[int, int]
Points = frozenset[Point]

STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))
WIN = 1_000_000


def cells(size: int) -> Iterator[Points]:
    """Every unit cell."""
    for r in range(size - 1):
        for c in range(size - 1):
            yield frozenset({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)})


def dalians(own: Points, empty: Points, size: int) -> Iterator[tuple[Points, Point]]:
    """Live Dalians as (seven stones, hole): a square with s, a cell that waits for e beside s."""
    for e in empty:
        for down, right in STEPS:
            s = (e[0] + down, e[1] + right)
            if s not in own:
                continue
            for square in cells(size):
                if s not in square or e in square or not square <= own:
                    continue
                for cell in cells(size):
                    if e in cell and s not in cell and cell - {e} <= own:
                        yield square | cell - {e}, e


def lines_of_three(own: Points) -> int:
    """Own stones three in a row, along rows and columns."""
    return sum(
        {(r, c), (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)} <= own
        for r, c in own
        for dr, dc in ((0, 1), (1, 0))
    )


def open_threes(own: Points, empty: Points, size: int) -> int:
    """Cells of three own stones and an empty point."""
    return sum(len(cell & own) == 3 and bool(cell & empty) for cell in cells(size))


class Turn(NamedTuple):
    """A displacement: where it ended, its jumps, the captures it earned, the boards after it."""

    moves: tuple[int, ...]
    to: Point
    jumps: int
    due: int
    after: Position


class Scene(NamedTuple):
    """The board of a position."""

    size: int
    stones: tuple[Points, Points]
    empty: Points

    @classmethod
    def of(cls, position: Position) -> Scene:
        """As the position's text draws it."""
        rows = position.text.split(" ")[0].split("/")
        stones: tuple[set[Point], set[Point]] = (set(), set())
        for r, row in enumerate(rows):
            c, run = 0, ""
            for letter in row + "!":
                if letter.isdigit():
                    run += letter
                    continue
                c += int(run or 0)
                run = ""
                if letter in "ox":
                    stones["ox".index(letter)].add((r, c))
                    c += 1
        size = len(rows)
        points = {(r, c) for r in range(size) for c in range(size)}
        return cls(
            size,
            (frozenset(stones[0]), frozenset(stones[1])),
            frozenset(points - stones[0] - stones[1]),
        )


def point_of(text: str) -> Point:
    """`G7` as row and column."""
    return ord(text[0]) - ord("A"), int(text[1:]) - 1


def displacements(position: Position) -> Iterator[Turn]:
    """Every displacement of the seat to move, chains stopped wherever they may be."""
    yield from _onwards(position, (), (0, 0), 0)


def _onwards(position: Position, moves: tuple[int, ...], at: Point, jumps: int) -> Iterator[Turn]:
    for move in position.legal_moves:
        text = position.move_text(move)
        after = position.play(move)
        if text == "stop":
            to, jumped = at, jumps
        else:
            to = point_of(text.replace("~", "-").split("-")[-1])
            # A jump is two points long in one line and takes a stone; a flight takes none.
            jumped = jumps + int(sum(after.counts) < sum(position.counts))
        if after.in_turn and after.due == 0:
            yield from _onwards(after, (*moves, move), to, jumped)
        else:
            yield Turn((*moves, move), to, jumped, after.due, after)


def class_of(turn: Turn, before: Scene, seat: int) -> int:
    """Table 3: what a displacement is; a Dalian that it makes outranks its jumps."""
    return 10_000 if makes_dalian(turn, before, seat) else 5 * turn.jumps or 1


def makes_dalian(turn: Turn, before: Scene, seat: int) -> bool:
    """Whether a live Dalian has the moved stone, or a hole that was not empty."""
    scene = Scene.of(turn.after)
    return any(
        turn.to in stones or hole not in before.empty
        for stones, hole in dalians(scene.stones[seat], scene.empty, scene.size)
    )


def shapes(scene: Scene, seat: int) -> int:
    """Table 4 over the whole board."""
    own = scene.stones[seat]
    live = any(True for _ in dalians(own, scene.empty, scene.size))
    small = lines_of_three(own) + open_threes(own, scene.empty, scene.size)
    return 2 * small + 10_000 * live


def worth(turn: Turn, before: Scene, seat: int) -> int:
    """The value of a whole turn, its captures made: `turn.after` is the opponent's to move."""
    after = turn.after
    outcome = after.outcome
    if outcome is not None:
        return round(WIN * outcome.scores[seat])
    scene = Scene.of(after)
    taken = len(before.stones[1 - seat]) - len(scene.stones[1 - seat])
    own = class_of(turn, before, seat) + shapes(scene, seat) + 5 * taken
    replies = list(displacements(after))
    best = max(class_of(reply, scene, 1 - seat) for reply in replies)
    most = max(reply.jumps + reply.due for reply in replies)
    return own - best - shapes(scene, 1 - seat) - 5 * most


def capture(position: Position) -> Point:
    """The stone that the engine takes for a square."""
    scene = Scene.of(position)
    enemy = scene.stones[1 - position.turn]
    dalian_stones = [stones for stones, _ in dalians(enemy, scene.empty, scene.size)]
    threes = [c & enemy for c in cells(scene.size) if len(c & enemy) == 3 and c & scene.empty]

    def rank(point: Point) -> tuple[int, int, int, Point]:
        r, c = point
        return (
            sum(point in stones for stones in dalian_stones),
            sum(point in three for three in threes),
            sum((r + dr, c + dc) in enemy for dr, dc in STEPS),
            (-r, -c),
        )

    return max(enemy, key=rank)


# ---- placing -------------------------------------------------------------------------------------

PRIORITY = {
    "defend square": 20625,
    "defend gate": 20625,
    "defend dalian": 20625,
    "dalian": 625,
    "triangle": 125,
    "square": 25,
    "pair": 5,
    "diagonal": 1,
}
SCORE = {
    "defend square": 2,
    "defend gate": 2,
    "defend dalian": 2,
    "dalian": 20,
    "triangle": 2,
    "square": 10,
    "pair": 1,
    "line": 2,
}


def motives(stones: tuple[Points, Points], seat: int, p: Point, centre: Points) -> dict[str, int]:
    """What a stone on p does: enemy shapes it stops, own shapes it makes. The board is 14x14."""
    size = 14
    own, enemy = stones[seat] - centre, stones[1 - seat] - centre
    points = frozenset((r, c) for r in range(size) for c in range(size))
    empty = points - stones[0] - stones[1]
    free = (empty | centre) - {p}
    around = [cell - {p} for cell in cells(size) if p in cell]

    def with_stone(side: Points) -> int:
        return sum(p in seven for seven, _ in dalians(side | {p}, centre, size))

    def at(steps: int, way: Point) -> Point:
        return p[0] + steps * way[0], p[1] + steps * way[1]

    def lines(way: Point, first: int) -> bool:
        three = {at(first + i, way) for i in range(3)}
        return three <= own | {p} and bool({at(first - 1, way), at(first + 3, way)} & free)

    return {
        "defend square": sum(three <= enemy for three in around),
        "defend gate": sum(len(three & enemy) == 2 and bool(three & centre) for three in around),
        "defend dalian": with_stone(enemy),
        "dalian": with_stone(own),
        "triangle": sum(len(three & own) == 2 and bool(three & free) for three in around),
        "square": sum(three <= own for three in around),
        "pair": sum(at(1, way) in own for way in STEPS),
        "diagonal": sum(at(1, (dr, dc)) in own for dr in (-1, 1) for dc in (-1, 1)),
        "line": sum(lines(way, first) for way in ((0, 1), (1, 0)) for first in (-2, -1, 0)),
        "contact": sum(at(1, way) in enemy for way in STEPS),
        "spoil": sum(len(three & enemy) == 2 and bool(three & free) for three in around),
    }
