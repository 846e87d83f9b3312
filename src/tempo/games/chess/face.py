"""The Python face of chess: how a board is drawn and a move is entered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tempo.games.boards import Grid, on_squares, stuck
from tempo.games.chess.figures import FIGURES
from tempo.games.scene import Face, Layout, Mark, Piece, Step
from tempo.texts import t, word

if TYPE_CHECKING:
    from tempo._core import chess as core
    from tempo.games.game import Game
    from tempo.games.protocol import View

_kinds = dict(zip("kqrbnp", ("king", "queen", "rook", "bishop", "knight", "pawn"), strict=True))
_names = ("white", "black")
_grid = Grid("abcdefgh", "87654321")


class ChessFace(Face):
    """Pieces on the squares, the own ones at the bottom."""

    colours = ("white", "black")
    numbering = "pairs"
    shows_lost = True
    becomes = "P"
    figures = FIGURES

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The chequered board, turned for Black."""
        grid = _grid.turned() if seat == 1 else _grid
        return on_squares(self, game, grid)

    def pieces(self, view: View, seat: int | None) -> tuple[Piece, ...]:
        """Read off the FEN."""
        found = []
        for y, rank in enumerate(view.text.partition(" ")[0].split("/")):
            x = 0
            for letter in rank:
                if letter.isdigit():
                    x += int(letter)
                    continue
                found.append(_piece(letter, _grid.name(x, y)))
                x += 1
        return tuple(found)

    def step(self, view: View, move: int) -> Step:
        """From and to; castling by the king's own squares; a promotion is a choice."""
        text = view.move_text(move)
        touches = (text[:2], text[2:4])
        if len(text) == 4:
            return Step(move, text, touches)
        choice = t("chess.promote", kind=word("chess", _kinds[text[4]]))
        letter = text[4] if view.turn else text[4].upper()
        return Step(move, text, touches, choice, shows=_piece(letter, text[2:4]))

    def notation(self, view: View, move: int) -> str:
        """SAN."""
        return str(cast("core.Position", view).san(move))

    def hint(self, view: View) -> str:
        """One piece; out of check first."""
        return t("chess.check") if cast("core.Position", view).in_check else t("face.move")

    def marks(self, view: View) -> tuple[Mark, ...]:
        """The king in check."""
        if not cast("core.Position", view).in_check:
            return ()
        kings = (p for p in self.pieces(view, None) if p.short == "K" and p.seat == view.turn)
        return tuple(Mark("check", (king.place,)) for king in kings)

    def meant(self, view: View, touches: Sequence[str]) -> str:
        """From and to; a pawn that arrives becomes a queen."""
        start, end = touches[0], touches[-1]
        stands = {piece.place: piece for piece in self.pieces(view, None)}
        pawn = start in stands and stands[start].short == "P"
        return start + end + ("q" if pawn and end[1] in "18" and start != end else "")

    def why_not(self, view: View, touches: Sequence[str]) -> str:
        """A piece without a move is blocked, or the check bars it; the rules say the rest."""
        stands = {piece.place: piece for piece in self.pieces(view, None)}
        piece = stands.get(touches[0])
        if len(touches) > 1 or piece is None or piece.seat != view.turn:
            return super().why_not(view, touches)
        last = "q" if piece.short == "P" else ""  # what a pawn that arrives becomes
        tries = (
            piece.place + square.id + (last if square.id[1] in "18" else "")
            for square in _grid.places("square")
        )
        kind = word("chess", _kinds[piece.short.lower()])
        return t(stuck(view, tries, king=piece.short == "K"), piece=kind, place=piece.place)

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


def _piece(letter: str, place: str) -> Piece:
    owner = 0 if letter.isupper() else 1
    kind = letter.lower()
    colour, name = word("colour", _names[owner]), word("chess", _kinds[kind])
    label = t("chess.piece", colour=colour, kind=name, place=place)
    return Piece(place, owner, "figure", "", letter.upper(), label)


FACE = ChessFace()
