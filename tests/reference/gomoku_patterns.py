"""The 20 patterns of Gomoku counted the slow way: every window of every line, letter by letter.

And what the critic sees of the counts, written down from the paper's tables.
"""

from __future__ import annotations

Stones = dict[tuple[int, int], str]  # (column, row) to "x" or "o"

PATTERNS = [
    "XXXXX", "_XXXX_", "XXXX_", "XXX_X", "XX_XX", "__XXX_", "_X_XX_", "XXX__", "XX_X_", "X_XX_",
    "XX__X", "X_X_X", "_XX___", "_X_X__", "_X__X_", "XX___", "X_X__", "X__X_", "X___X", "_X____",
]  # fmt: skip


def counts(stones: Stones, size: int, colour: str) -> list[int]:
    """How often each pattern stands, for one colour."""
    found = [0] * len(PATTERNS)
    for line in lines(stones, size, colour):
        for number, pattern in enumerate(PATTERNS):
            for start in range(len(line) - len(pattern) + 1):
                window = line[start : start + len(pattern)]
                found[number] += window in (pattern, pattern[::-1])
    return found


def lines(stones: Stones, size: int, colour: str) -> list[str]:
    """Every row, column and diagonal: X for the colour, # for the other."""
    letters = {None: "_", colour: "X"}

    def letter(x: int, y: int) -> str:
        return letters.get(stones.get((x, y)), "#")

    n = range(size)
    rows = [[(x, y) for x in n] for y in n] + [[(x, y) for y in n] for x in n]
    for d in range(-size + 1, size):
        rows.append([(x, x - d) for x in n if 0 <= x - d < size])
    for d in range(2 * size - 1):
        rows.append([(x, d - x) for x in n if 0 <= d - x < size])
    return ["".join(letter(x, y) for x, y in row) for row in rows]


def inputs(kind: str, stones: Stones, size: int, turn: int, first: int) -> list[float]:
    """What the critic sees. `turn` and `first` are players, 0 for the paper's player 1."""
    colours = "xo" if first == 0 else "ox"  # of player 1 and player 2
    if kind == "board":
        points = [(x, y) for y in range(size) for x in range(size)]
        board = [float(stones.get(point) == colour) for colour in colours for point in points]
        return board + pair(turn)
    found = [counts(stones, size, colour) for colour in colours]
    if kind == "counts":
        numbers = [float(n) for player in found for n in player]
    else:
        numbers = []
        for player in found:
            numbers.append(float(player[0] > 0))
            for n in player[1:]:
                numbers += thermometer(n)
    if kind in ("patterns", "counts"):
        for player in found:
            for n in player:
                numbers += pair(turn) if n else [0.0, 0.0]
    elif kind == "one_turn":
        numbers += pair(turn)
    return numbers + pair(first)


def thermometer(n: int) -> list[float]:
    """0 to 4 as that number of ones; beyond that the last node has half of what is left."""
    if n > 4:
        return [1.0, 1.0, 1.0, 1.0, (n - 4) / 2]
    return [1.0] * n + [0.0] * (5 - n)


def pair(which: int) -> list[float]:
    """(1, 0) or (0, 1)."""
    return [1.0, 0.0] if which == 0 else [0.0, 1.0]
