"""The Python face of shogi on both its boards: how it is drawn and a move is entered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from tempo.games.boards import Grid, refusal, ruled, stuck
from tempo.games.scene import Face, Layout, Mark, Piece, Place, Shape, Step
from tempo.texts import is_plain, t, word

if TYPE_CHECKING:
    from tempo._core import shogi as core
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
_letters_of = {name: letter for letter, name in _kinds.items()}
_marks = "☗☖"
_files = "１２３４５６７８９"
_ranks = "一二三四五六七八九"
_rows = dict(zip("abcdefghi", _ranks, strict=True))
_squares = re.compile(r"(?<![0-9A-Za-z])[1-9][a-i](?![0-9A-Za-z])")  # in a sentence of the core


class ShogiFace(Face):
    """Wedges that point at the opponent, the own ones upwards; hands above and below the board."""

    def __init__(self, hand: str) -> None:
        self.hand = hand  # the kinds that can be held, the strongest first

    def seat_words(self, name: str) -> str:
        """Black moves first."""
        return word("shogi", name)

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The board, turned for White, between two trays for what is in hand."""
        bottom = seat or 0
        size = game.start().text.partition(" ")[0].count("/") + 1
        grid = _grid(size).turned() if bottom else _grid(size)
        ground = [Shape("rect", "board", (-0.6, -1, size + 0.6, size + 0.6)), *ruled(grid)]
        if size == 9:
            ground += [Shape("circle", "dot", (x, y, 0.07)) for x in (2.5, 5.5) for y in (2.5, 5.5)]
        places = [replace(one, label=_square(one.id)) for one in grid.places("square")]
        for owner in (0, 1):
            y = size + 0.25 if owner == bottom else -1.65
            ground.append(Shape("rect", "tray", (-0.6, y - 0.65, size + 0.6, 1.3)))
            places += self._tray(owner, size, y, bottom)
        return Layout(
            game=game.spec,
            title=self.title(game),
            box=(-0.6, -2.3, size + 0.6, size + 3.2),
            ground=(*ground, *grid.names_as_in_shogi(_rows)),
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
                t("shogi.hand", kind=word("shogi", _kinds[kind]), colour=_side(owner)),
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
            choice = t("shogi.promote")
        elif text + "+" in view.legal_moves:  # only then is there anything to choose
            choice = t("shogi.keep")
        shows = self._shown(view, text) if choice else None
        return Step(move, text, (text[:2], text[2:4]), choice, shows=shows)

    def _shown(self, view: View, text: str) -> Piece:
        """The piece after the move, where it may promote or not."""
        stands = {piece.place: piece for piece in self.pieces(view, view.turn)}
        letters = ("+" if text.endswith("+") else "") + stands[text[:2]].short
        return _piece(letters.lower() if view.turn else letters, text[2:4], view.turn)

    def hint(self, view: View) -> str:
        """A move, or a drop where something is in hand."""
        if cast("core.Position", view).in_check:
            return t("shogi.check")
        letters = view.text.split(" ")[2]
        holds = any(letter.isupper() == (view.turn == 0) for letter in letters if letter.isalpha())
        return t("shogi.drop") if holds else t("face.move")

    def say(self, before: View, step: Step, after: View) -> str:
        """The move, in Japanese unless plain letters are wanted."""
        move = step.text if is_plain() else self.notation(before, step.move)
        return t("face.plays", move=move)

    def notation(self, view: View, move: int) -> str:
        """As in a Japanese record: ☗７六歩; where it is not clear which piece, its square, too."""
        text = view.move_text(move)
        end = _written(text[2:4])
        mark = _marks[view.turn]
        if text[1] == "*":
            return f"{mark}{end}{_plain[text[0]]}打"
        stood = {piece.place: piece.text for piece in self.pieces(view, None)}
        kind = stood[text[:2]]
        texts = [view.move_text(other) for other in view.legal_moves]
        rivals = {one[:2] for one in texts if one[2:4] == text[2:4] and one[1] != "*"}
        clear = all(stood[one] != kind for one in rivals - {text[:2]})
        from_ = "" if clear else f"({text[0]}{ord(text[1]) - ord('a') + 1})"
        may = text.endswith("+") or text + "+" in view.legal_moves
        promotes = "" if not may else "成" if text.endswith("+") else "不成"
        return f"{mark}{end}{kind}{promotes}{from_}"

    def marks(self, view: View) -> tuple[Mark, ...]:
        """The king in check."""
        if not cast("core.Position", view).in_check:
            return ()
        kings = (p for p in self.pieces(view, None) if p.short == "K" and p.seat == view.turn)
        return tuple(Mark("check", (king.place,)) for king in kings)

    def meant(self, view: View, touches: Sequence[str]) -> str:
        """From the board or from the hand."""
        start, end = touches[0], touches[-1]
        if start.startswith("hand:"):
            _, owner, kind = start.split(":")
            return "" if int(owner) != view.turn or start == end else f"{_letters_of[kind]}*{end}"
        if end.startswith("hand:"):
            return ""
        text = start + end
        return text + "+" if "must promote" in refusal(view, text) else text

    def why_not(self, view: View, touches: Sequence[str]) -> str:
        """Why not, with squares as they are called in the notation of now."""
        return _squares.sub(lambda found: _square(found[0]), self._why_not(view, touches))

    def _why_not(self, view: View, touches: Sequence[str]) -> str:
        """A piece without a move is blocked, or the check bars it; the rules say the rest."""
        start = touches[0]
        if start.startswith("hand:") and int(start.split(":")[1]) != view.turn:
            return t("shogi.foreign_hand")
        piece = next((one for one in self.pieces(view, None) if one.place == start), None)
        if len(touches) > 1 or piece is None or piece.seat != view.turn:
            return super().why_not(view, touches)
        size = view.text.partition(" ")[0].count("/") + 1
        moves = [self.meant(view, [start, end.id]) for end in _grid(size).places("square")]
        key = stuck(view, moves, king=piece.short == "K")
        kind = _kind_words(piece.short[-1], promoted=piece.short.startswith("+"))
        if start.startswith("hand:"):
            return t("shogi.no_help" if key == "why.no_help" else "shogi.no_drop", kind=kind)
        return t(key, piece=kind, place=start)

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


def _grid(size: int) -> Grid:
    return Grid([str(size - i) for i in range(size)], [chr(ord("a") + i) for i in range(size)])


def _written(square: str) -> str:
    """A square as in a Japanese record: 7g is ７七."""
    return _files[int(square[0]) - 1] + _rows[square[1]]


def _square(square: str) -> str:
    """What a square is called in the notation of now."""
    return square if is_plain() else _written(square)


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


def _side(owner: int) -> str:
    return word("shogi", _names[owner])


def _kind_words(kind: str, promoted: bool = False) -> str:
    name = word("shogi", _kinds[kind])
    return t("shogi.promoted", kind=name) if promoted else name


def _piece(letters: str, place: str, bottom: int) -> Piece:
    kind = letters[-1].upper()
    owner = 0 if letters[-1].isupper() else 1
    promoted = letters[0] == "+"
    return Piece(
        place=place,
        seat=owner,
        form="wedge",
        text=_promoted[kind] if promoted else "王" if letters == "k" else _plain[kind],
        short=letters.upper(),
        label=t(
            "shogi.piece",
            colour=_side(owner),
            kind=_kind_words(kind, promoted),
            place=_square(place),
        ),
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
        label=t("shogi.held", n=count, kind=_kind_words(kind), colour=_side(owner)),
        turned=owner != bottom,
        count=count,
    )


FACE = ShogiFace("RBGSNLP")
