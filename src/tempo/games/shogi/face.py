"""The Python face of shogi on both its boards: how it is drawn and a move is entered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tempo.games.boards import Grid, ruled
from tempo.games.scene import Face, Layout, Piece, Place, Shape, Step

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View

# One character a piece, as on diagrams.
_plain = dict(zip("PLNSGBRK", "歩香桂銀金角飛玉", strict=True))
_promoted = dict(zip("PLNSBR", "と杏圭全馬龍", strict=True))
_kinds = dict(
    zip(
        "PLNSGBRK",
        ("pawn", "lance", "knight", "silver", "gold", "bishop", "rook", "king"),
        strict=True,
    )
)
_names = ("black", "white")


class ShogiFace(Face):
    """Wedges that point at the opponent, the own ones upwards; hands above and below the board."""

    def __init__(self, hand: str) -> None:
        self.hand = hand  # the kinds that can be held, the strongest first

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The board, turned for White, between two trays for what is in hand."""
        bottom = seat or 0
        size = game.start().text.partition(" ")[0].count("/") + 1
        grid = _grid(size).turned() if bottom else _grid(size)
        ground = [Shape("rect", "board", (-0.6, -1, size + 0.6, size + 0.6)), *ruled(grid)]
        if size == 9:
            ground += [Shape("circle", "dot", (x, y, 0.07)) for x in (2.5, 5.5) for y in (2.5, 5.5)]
        places = list(grid.places("square"))
        for owner in (0, 1):
            y = size + 0.25 if owner == bottom else -1.65
            ground.append(Shape("rect", "tray", (-0.6, y - 0.65, size + 0.6, 1.3)))
            places += self._tray(owner, size, y, bottom)
        return Layout(
            game=game.spec,
            title=self.title(game),
            box=(-0.6, -2.3, size + 0.6, size + 3.2),
            ground=(*ground, *grid.names_as_in_shogi()),
            places=tuple(places),
            seats=self.chairs(game),
        )

    def _tray(self, owner: int, size: int, y: float, bottom: int) -> list[Place]:
        """Room for each kind that can be held, the strongest to its owner's right."""
        gap = min(1.15, size / len(self.hand))
        middle = (size - 1.2) / 2
        order = self.hand[::-1] if owner == bottom else self.hand
        return [
            Place(
                _hand_id(owner, kind),
                round(middle + (i - (len(order) - 1) / 2) * gap, 3),
                y,
                "hand",
                f"{_kinds[kind]} in {_names[owner]}'s hand",
            )
            for i, kind in enumerate(order)
        ]

    def pieces(self, view: View, seat: int | None) -> tuple[Piece, ...]:
        """Read off the SFEN: the board, then the hands."""
        board, _, hands = view.text.split(" ")[:3]
        ranks = board.split("/")
        grid = _grid(len(ranks))
        bottom = seat or 0
        found = [
            _piece(letters, grid.name(x, y), bottom)
            for y, rank in enumerate(ranks)
            for x, letters in _letters(rank)
        ]
        for count, letter in re.findall(r"(\d*)([A-Za-z])", hands if hands != "-" else ""):
            found.append(_held(letter, int(count or 1), bottom))
        return tuple(found)

    def step(self, view: View, move: int) -> Step:
        """From the board or from the hand; where a piece may promote, both ways are choices."""
        text = view.move_text(move)
        if text[1] == "*":
            return Step(move, text, (_hand_id(view.turn, text[0]), text[2:]))
        choice = ""
        if text.endswith("+"):
            choice = "promote"
        elif text + "+" in view.legal_moves:  # only then is there anything to choose
            choice = "do not promote"
        return Step(move, text, (text[:2], text[2:4]), choice)

    def hint(self, view: View) -> str:
        """A move, or a drop where something is in hand."""
        letters = view.text.split(" ")[2]
        holds = any(letter.isupper() == (view.turn == 0) for letter in letters if letter.isalpha())
        return "Move a piece, or drop one from your hand." if holds else "Move a piece."

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


def _grid(size: int) -> Grid:
    return Grid([str(size - i) for i in range(size)], [chr(ord("a") + i) for i in range(size)])


def _hand_id(owner: int, kind: str) -> str:
    return f"hand:{owner}:{_kinds[kind]}"


def _letters(rank: str) -> list[tuple[int, str]]:
    """The pieces of a rank with their columns: `+P`, `k`, ..."""
    found, x = [], 0
    for letters in re.findall(r"\d|\+?[A-Za-z]", rank):
        if letters.isdigit():
            x += int(letters)
            continue
        found.append((x, letters))
        x += 1
    return found


def _piece(letters: str, place: str, bottom: int) -> Piece:
    kind = letters[-1].upper()
    owner = 0 if letters[-1].isupper() else 1
    promoted = letters[0] == "+"
    return Piece(
        place=place,
        seat=owner,
        form="wedge",
        text=_promoted[kind] if promoted else _plain[kind],
        short=letters.upper(),
        label=f"{_names[owner]} {'promoted ' if promoted else ''}{_kinds[kind]} on {place}",
        turned=owner != bottom,
    )


def _held(letter: str, count: int, bottom: int) -> Piece:
    kind, owner = letter.upper(), 0 if letter.isupper() else 1
    return Piece(
        place=_hand_id(owner, kind),
        seat=owner,
        form="wedge",
        text=_plain[kind],
        short=kind,
        label=f"{count} {_kinds[kind]} in {_names[owner]}'s hand",
        turned=owner != bottom,
        count=count,
    )


FACE = ShogiFace("RBGSNLP")
