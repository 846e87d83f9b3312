"""Opening libraries of Jiu: the placements that self-play has tried, as a tree.

A library is a file for people (`library_sgf`): open it in an editor, show, merge and prune it by
`tempo library`. Nothing here decides what to do where it ends: then `best` is None.

A point is row * size + column, as in the game's moves; a sequence is the points placed so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tempo import games
from tempo._core.jiu_preparation import Preparation
from tempo._core.tables import ValueTable
from tempo.errors import ParseError
from tempo.games.jiu.board import size_of

By = Literal["sequence", "symmetry", "position", "own"]
Masks = tuple[int, int]  # the points of either side as bits, of the one that places first before

VISITS = 10  # placements tried less often are not worth a line
DIGITS = 4  # of a value, behind the point
SYMMETRIES = range(4)


@dataclass(frozen=True, slots=True)
class Node:
    """A placement: how often it was tried, and what it is worth to the seat that makes it."""

    parent: int  # the number of the node before it
    point: int
    visits: int
    value: float
    comment: str = ""


EMPTY_BOARD = Node(-1, -1, 0, 0.0)


@dataclass(frozen=True)
class Library:
    """A tree of placements. Node 0 is the empty board; parents come before their children."""

    game: str
    nodes: Sequence[Node] = (EMPTY_BOARD,)
    headers: Mapping[str, str] = field(default_factory=dict)  # of SGF: GN, GC, …

    def __len__(self) -> int:
        return len(self.nodes) - 1

    @cached_property
    def size(self) -> int:
        """Points on a side."""
        return size_of(games.load(self.game))

    @cached_property
    def stones(self) -> list[int]:
        """How many stand on the board at each node."""
        stones = [0]
        for node in self.nodes[1:]:
            stones.append(stones[node.parent] + 1)
        return stones

    @cached_property
    def children(self) -> list[list[int]]:
        """For each node the numbers of those that follow it, the best first."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes[1:], start=1):
            found[node.parent].append(number)
        for numbers in found:
            numbers.sort(key=lambda number: _rank(self.nodes[number]))
        return found

    @property
    def games(self) -> int:
        """How many games it was made from, as far as the first placements tell."""
        return sum(self.nodes[child].visits for child in self.children[0])

    # Looking up

    def find(self, sequence: Sequence[int]) -> int | None:
        """The number of the node of exactly this sequence."""
        number: int | None = 0
        for point in sequence:
            number = None if number is None else self._steps.get((number, point))
        return number

    def known(self, sequence: Sequence[int], by: By = "sequence") -> list[Node]:
        """The placements that the library knows next, the best first; none where it ends.

        `by` says what counts as the same: the sequence itself; it or one of its images under the
        four symmetries that keep the marked diagonal; all that led to the same stones, up to
        symmetry; or all that led to the same stones of the side to place, whatever the other side
        has done. Of several that are the same, the most visited speaks; of own stones, all do.
        """
        if by == "position":
            return self._known_by_position(sequence)
        if by == "own":
            return self._known_by_own_stones(sequence)
        if by not in get_args(By):
            raise ParseError(f"there is no lookup '{by}'; there are {', '.join(get_args(By))}")
        tried = SYMMETRIES if by == "symmetry" else SYMMETRIES[:1]
        found = [(symmetry, self.find(self._images(sequence, symmetry))) for symmetry in tried]
        same = [(symmetry, number) for symmetry, number in found if number is not None]
        if not same:
            return []
        symmetry, number = max(same, key=lambda pair: self.nodes[pair[1]].visits)
        below = [self.nodes[child] for child in self.children[number]]
        return [replace(node, point=self._image(node.point, symmetry)) for node in below]

    def best(self, sequence: Sequence[int], by: By = "sequence") -> int | None:
        """The point of the best placement after a sequence; None where the library ends."""
        known = self.known(sequence, by)
        return known[0].point if known else None

    @cached_property
    def _steps(self) -> dict[tuple[int, int], int]:
        return {(node.parent, node.point): number for number, node in enumerate(self.nodes)}

    @cached_property
    def _positions(self) -> dict[Masks, int]:
        """The most visited node of every position."""
        masks: list[Masks] = [(0, 0)]
        found: dict[Masks, int] = {}
        for number, node in enumerate(self.nodes[1:], start=1):
            masks.append(_with_stone(masks[node.parent], self.stones[node.parent], node.point))
            rival = found.get(masks[number], 0)
            if self.nodes[rival].visits < node.visits:
                found[masks[number]] = number
        return found

    def _known_by_position(self, sequence: Sequence[int]) -> list[Node]:
        """Position by position, as a placement known from elsewhere leads to the same stones."""
        before = [(0, 0) for _ in SYMMETRIES]
        for stones, point in enumerate(sequence):
            before = self._all_with_stone(before, stones, point)
        known = []
        for point in set(range(self.size**2)) - set(sequence):
            after = self._all_with_stone(before, len(sequence), point)
            nodes = [self.nodes[self._positions[m]] for m in after if m in self._positions]
            if nodes:
                known.append(replace(max(nodes, key=lambda node: node.visits), point=point))
        return sorted(known, key=_rank)

    @cached_property
    def _own(self) -> dict[tuple[int, int], dict[int, Node]]:
        """What a side then placed, by its number and its stones: averages by visits."""
        masks: list[Masks] = [(0, 0)]
        found: dict[tuple[int, int], dict[int, Node]] = {}
        for node in self.nodes[1:]:
            before, stones = masks[node.parent], self.stones[node.parent]
            masks.append(_with_stone(before, stones, node.point))
            tried = found.setdefault((stones % 2, before[stones % 2]), {})
            same = tried.get(node.point)
            tried[node.point] = _averaged(same, node) if same else node
        return found

    def _known_by_own_stones(self, sequence: Sequence[int]) -> list[Node]:
        seat, taken = len(sequence) % 2, set(sequence)
        own = sum(1 << point for point in sequence[seat::2])
        tried = self._own.get((seat, own), {})
        return sorted((node for node in tried.values() if node.point not in taken), key=_rank)

    def _all_with_stone(self, images: Sequence[Masks], stones: int, point: int) -> list[Masks]:
        return [
            _with_stone(masks, stones, self._image(point, symmetry))
            for symmetry, masks in zip(SYMMETRIES, images, strict=True)
        ]

    def _image(self, point: int, symmetry: int) -> int:
        """Bit 0 transposes, bit 1 turns by half. Each of the four undoes itself."""
        row, column = divmod(point, self.size)
        if symmetry & 1:
            row, column = column, row
        if symmetry & 2:
            row, column = self.size - 1 - row, self.size - 1 - column
        return row * self.size + column

    def _images(self, points: Sequence[int], symmetry: int) -> list[int]:
        return [self._image(point, symmetry) for point in points]

    # Changing

    def pruned(self, visits: int = 0, stones: int | None = None) -> Library:
        """Without placements tried less often, without those deeper, and what is below them."""
        numbers = {0: 0}
        kept = [EMPTY_BOARD]
        for number, node in enumerate(self.nodes[1:], start=1):
            deep = stones is not None and self.stones[number] > stones
            if node.parent in numbers and node.visits >= visits and not deep:
                numbers[number] = len(kept)
                kept.append(replace(node, parent=numbers[node.parent]))
        return replace(self, nodes=kept)

    def merged(self, other: Library) -> Library:
        """Both in one: visits add up, values are averaged by visits."""
        if self.game != other.game:
            raise ParseError(f"{self.game} and {other.game} do not merge; expected the same rules")
        nodes, steps = list(self.nodes), dict(self._steps)
        numbers = {0: 0}
        for number, node in enumerate(other.nodes[1:], start=1):
            moved = replace(node, parent=numbers[node.parent])
            known = steps.setdefault((moved.parent, moved.point), len(nodes))
            numbers[number] = known
            if known == len(nodes):
                nodes.append(moved)
            else:
                nodes[known] = _averaged(nodes[known], moved)
        return Library(self.game, nodes, {**other.headers, **self.headers})


def _with_stone(masks: Masks, stones: int, point: int) -> Masks:
    first, second = masks
    return (first | 1 << point, second) if stones % 2 == 0 else (first, second | 1 << point)


def _rank(node: Node) -> tuple[float, int, int]:
    return -node.value, -node.visits, node.point


def _averaged(a: Node, b: Node) -> Node:
    visits = a.visits + b.visits
    value = rounded((a.visits * a.value + b.visits * b.value) / visits)
    comments = dict.fromkeys(text for text in (a.comment, b.comment) if text)
    return replace(a, visits=visits, value=value, comment="\n".join(comments))


def rounded(value: float) -> float:
    """A value as a library holds it, so that files come back as they were."""
    return round(float(value), DIGITS) + 0.0  # no minus zero


def from_table(
    table: ValueTable,
    environment: Callable[[int], Preparation],
    *,
    visits: int = VISITS,
    headers: Mapping[str, str] | None = None,
) -> Library:
    """What a table has learnt, as far as placements were tried `visits` times.

    `environment(games)` makes what it was learnt from, with any number of games. Where keys are of
    positions, each stands in the library once, below the first of the lines that lead to it.
    """
    points, size = environment(1).points, environment(1).size
    nodes = [EMPTY_BOARD]
    numbers = np.zeros(1, np.int64)  # [F] the nodes of a level, and the moves that lead to them
    lines = np.zeros((1, 0), np.int64)
    while len(numbers):
        level = environment(len(numbers))
        for placed in lines.T:
            level.play(placed)
        keys, legal = level.next_keys(), level.legal_mask()
        values, tried = table.read(keys, legal)
        rows, moves = _best_first(values, tried >= max(visits, 1))
        if not level.is_tree:
            first = np.sort(np.unique(keys[rows, moves], return_index=True)[1])
            rows, moves = rows[first], moves[first]
        parents, before = numbers[rows], len(nodes)
        columns = parents, points[moves], tried[rows, moves], values[rows, moves]
        for parent, point, count, value in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            nodes.append(Node(parent, point, count, rounded(value)))
        numbers = np.arange(before, len(nodes))
        lines = np.column_stack([lines[rows], moves])
    return Library(games.load(f"jiu(size={size})").spec, nodes, headers or {})


def _best_first(
    values: NDArray[np.float32], kept: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and columns that are kept, row by row, in a row the greatest value first."""
    rows, columns = np.nonzero(kept)
    order = np.lexsort((-values[rows, columns], rows))
    return rows[order], columns[order]
