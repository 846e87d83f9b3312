"""The planes of shogi the slow way: from the text of a position, square by square."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

PLAIN, GROWN, HAND = "PLNSGBRK", "PLNSBR", "PLNSGBR"
UP, GOLD = [(-1, 0)], [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)]
DIAGONAL, STRAIGHT = [(-1, -1), (-1, 1), (1, -1), (1, 1)], [(-1, 0), (1, 0), (0, -1), (0, 1)]
# Steps and slides of each kind, for a side that plays upwards.
STEPS = {
    "P": UP,
    "L": [],
    "N": [(-2, -1), (-2, 1)],
    "S": [*UP, *DIAGONAL],
    "G": GOLD,
    "B": [],
    "R": [],
    "K": [*STRAIGHT, *DIAGONAL],
    **dict.fromkeys(("+P", "+L", "+N", "+S"), GOLD),
    "+B": STRAIGHT,
    "+R": DIAGONAL,
}
SLIDES = {"L": UP, "B": DIAGONAL, "R": STRAIGHT, "+B": DIAGONAL, "+R": STRAIGHT}

Board = dict[tuple[int, int], tuple[bool, str]]  # square: whether own, and kind


def planes(text: str) -> NDArray[np.float32]:
    """[67, size, size] of an SFEN text, as the side to move sees it."""
    placement, turn, hands, _ = text.split()
    rows = placement.split("/")
    size = len(rows)
    board: Board = {}
    for row, line in enumerate(rows):
        column = 0
        for token in re.findall(r"\+?[A-Za-z]|\d", line):
            if token.isdigit():
                column += int(token)
                continue
            is_own = token.isupper() == (turn == "b")
            place = (row, column) if turn == "b" else (size - 1 - row, size - 1 - column)
            board[place] = (is_own, token.upper())
            column += 1
    found = np.zeros((67, size, size), np.float32)
    for own in (True, False):
        _add_side(found, board, own, size)
    held = {letter for letter in hands if letter.isupper() == (turn == "b") and letter.isalpha()}
    _add_drops(found, board, {letter.upper() for letter in held}, size)
    return found


def _add_side(found: NDArray[np.float32], board: Board, own: bool, size: int) -> None:
    attacks = np.zeros((size, size), int)
    for (row, column), (is_own, kind) in board.items():
        if is_own != own:
            continue
        if kind[0] == "+":
            here, there = 32 + 6 * (not own) + GROWN.index(kind[1]), 12
        else:
            here, there = 8 * (not own) + PLAIN.index(kind), 16
        found[here, row, column] = 1
        for target in reached(board, (row, column), kind, own, size):
            attacks[target] += 1
            if target not in board or board[target][0] != own:
                found[here + there][target] = 1
    first = 63 if own else 65
    found[first], found[first + 1] = attacks >= 1, attacks >= 2


def reached(
    board: Board, start: tuple[int, int], kind: str, own: bool, size: int
) -> list[tuple[int, int]]:
    """Every square that a piece attacks, own pieces' too."""
    way = 1 if own else -1
    squares = [(start[0] + way * r, start[1] + way * c) for r, c in STEPS[kind]]
    for r, c in SLIDES.get(kind, []):
        row, column = start
        while True:
            row, column = row + way * r, column + way * c
            squares.append((row, column))
            if (row, column) in board or not (0 <= row < size and 0 <= column < size):
                break
    return [(r, c) for r, c in squares if 0 <= r < size and 0 <= c < size]


def _add_drops(found: NDArray[np.float32], board: Board, held: set[str], size: int) -> None:
    pawns = {column for (_, column), piece in board.items() if piece == (True, "P")}
    for i, kind in enumerate(HAND):
        for row in range(size):
            for column in range(size):
                barred = row < {"P": 1, "L": 1, "N": 2}.get(kind, 0)
                barred |= kind == "P" and column in pawns
                if kind in held and (row, column) not in board and not barred:
                    found[56 + i, row, column] = 1
