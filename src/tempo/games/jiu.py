"""The Python face of Jiu: named bundles of rules, and how a board is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.games.drawing import Drawing, Mark, register_face

if TYPE_CHECKING:
    from tempo.games.protocol import Position

# What differs from the default rules, by the name under which players know it.
PROFILES: dict[str, dict[str, str]] = {
    "seed": {},
    "competition": {"shape_check": "off", "single_jump_ban": "strong"},
    "seed_literal": {"shape_check": "any_time", "literal_14": "yes"},
    "adjudicated": {"early_double_dalian": "yes"},
}


def describe(position: Position) -> Drawing:
    """Stones on the crossings; the marked diagonal's ends are dotted while they are empty."""
    rows = position.text.split(" ", maxsplit=1)[0].split("/")
    size = len(rows)
    marks = tuple(
        Mark(column, size - 1 - row, "stone", "xo".index(letter))
        for row, line in enumerate(rows)
        for column, letter in _stones(line)
    )
    middle = size // 2
    ends = ((middle - 1, middle), (middle, middle - 1))
    if "diagonal=anti" in position.game:
        ends = ((middle, middle), (middle - 1, middle - 1))
    return Drawing(
        title=f"{position.game}: {position.text}",
        columns=size,
        rows=size,
        places="points",
        marks=marks,
        dots=ends,
        column_names=tuple(str(i + 1) for i in range(size)),
        row_names=tuple(chr(ord("A") + size - 1 - i) for i in range(size)),
    )


def _stones(line: str) -> list[tuple[int, str]]:
    """The stones of one row of a position's text, with their columns."""
    found, column, run = [], 0, ""
    for letter in line:
        if letter.isdigit():
            run += letter
            continue
        column += int(run or 0)
        run = ""
        found.append((column, letter))
        column += 1
    return found


register_face("jiu", describe)
