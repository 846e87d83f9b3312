"""How fast a mate is, by trying everything: `core/games/shogi/shortest_mate.h`, word by word.

The rules are the extension's, which have references of their own; nothing of its mate search is
used.
"""

from __future__ import annotations

import re
from typing import Any

from tempo._core import minishogi, shogi

BOARDS: tuple[Any, ...] = (shogi, minishogi)


def length(position: Any, most: int) -> int | None:
    """Plies within which the side to move mates by checks, up to a limit."""
    least = None
    for check in position.checks:
        left = (most if least is None else least - 2) - 1
        if left < 0:
            break
        answered = _answered(position.play(check), left)
        if answered is not None:
            least = 1 + answered
    return least


def _answered(position: Any, most: int) -> int | None:
    """The same for a side in check that holds out as long as it can."""
    squares = _size(position) ** 2
    moves = list(position.legal_moves)
    drops = [move for move in moves if move // (2 * squares) >= squares]
    undisturbed = 0
    for move in moves[: len(moves) - len(drops)]:
        after = length(position.play(move), most - 1) if most >= 2 else None
        if after is None:
            return None
        undisturbed = max(undisturbed, 1 + after)
    longest = undisturbed
    for drop in drops:
        if is_useless(position, drop, undisturbed):
            continue
        after = length(position.play(drop), most - 1) if most >= 2 else None
        if after is None:
            return None
        longest = max(longest, 1 + after)
    return longest


def is_useless(position: Any, drop: int, undisturbed: int) -> bool:
    """Whether the slider takes what was dropped, hands it back, and mates no later."""
    after = position.play(drop)
    return any(
        after.play(move).in_check
        and _answered(_handed_back(after.play(move), _letter(position, drop)), undisturbed)
        is not None
        for move in after.legal_moves
        if _takes_from_behind(position, move, drop)
    )


def _takes_from_behind(position: Any, move: int, drop: int) -> bool:
    """Whether a move takes the dropped piece on the line from it away from the king."""
    size = _size(position)
    origin, to = divmod(move // 2, size * size)
    if to != drop // 2 % (size * size) or origin >= size * size:
        return False
    rank, column = divmod(to, size)
    away = (origin // size - rank, origin % size - column)
    king = _king(position)
    near = (king // size - rank, king % size - column)
    in_line = away[0] * near[1] == away[1] * near[0]
    return in_line and away[0] * near[0] + away[1] * near[1] < 0


def _size(position: Any) -> int:
    return 5 if isinstance(position, minishogi.Position) else 9


def _letter(position: Any, drop: int) -> str:
    return str(position.move_text(drop)[0])


def _king(position: Any) -> int:
    """The square of the king of the side to move."""
    board, turn = position.text.split()[:2]
    drawn = re.sub(r"\d", lambda empty: "." * int(empty[0]), board).replace("+", "")
    return drawn.replace("/", "").index("K" if turn == "b" else "k")


def _handed_back(position: Any, letter: str) -> Any:
    """A position in which the side to move gets back a piece that was just taken from it."""
    board, turn, hands, number = position.text.split()
    counts: dict[str, int] = {}
    for many, piece in re.findall(r"(\d*)([A-Za-z])", hands):
        counts[piece] = int(many or 1)
    owner, taker = (letter, letter.lower()) if turn == "b" else (letter.lower(), letter)
    counts[taker] -= 1
    counts[owner] = counts.get(owner, 0) + 1
    text = "".join(
        (str(counts[piece]) if counts[piece] > 1 else "") + piece
        for piece in "RBGSNLPrbgsnlp"
        if counts.get(piece, 0) > 0
    )
    module = BOARDS[isinstance(position, minishogi.Position)]
    return module.parse_problem(f"{board} {turn} {text} {number}", position.options)
