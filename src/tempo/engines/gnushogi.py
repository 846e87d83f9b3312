"""GNU Shogi as an engine: its own language of lines, which xshogi speaks with it.

    new, force          a new game; wait for moves of both sides
    level 0 0:02        two seconds a move, always whole ones
    edit ... .          any position, piece by piece
    7g7f                a move; when not forced, the program then makes its own
    go                  move now for the side to move
    (an empty line)     stop thinking and move: so that it can be given half a second

It answers `1. ... 3c3d 297620`, and `Black mates!` where there is nothing left to play.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tempo.engines.answer import RESIGN, Answer, Limits
from tempo.engines.process import EngineError, EngineProcess

if TYPE_CHECKING:
    from tempo.engines.trail import Trail

DRAWN = "drawn"
GREETING = 10.0  # seconds until it has said its name
LATE = 5.0  # from being told to move to its move

_answer = re.compile(r"[0-9]+\. \.\.\. ([1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i])(?: .*)?")
_lost = {"b": ("White mates!", "Resigns", "Resigns."), "w": ("Black mates!", "Resigns", "Resigns.")}
_drawn = re.compile(r"Drawn game!|Draw\b.*")
_held = re.compile(r"([0-9]*)([a-zA-Z])")


class GnuShogi:
    """The program from its greeting to its end."""

    def __init__(self, path: str) -> None:
        self._process = EngineProcess([path, "-X"])
        self._known: tuple[str, list[str]] | None = None  # the start and the moves it has been told
        try:
            self._process.read_until(
                lambda line: line.startswith("GNU Shogi"), GREETING, "greeting"
            )
        except BaseException:
            self._process.close()
            raise

    def new_game(self) -> None:
        """Forgets the last game."""
        self._known = None

    def go(self, trail: Trail, limits: Limits) -> Answer:
        """Its move after these; a position that it did not follow is set up piece by piece."""
        if limits.seconds <= 0 or limits.nodes or limits.depth:
            raise EngineError("GNU Shogi thinks for a time; expected movetime=0.5 or the like")
        follows = self._follows(trail)
        if follows:
            self._process.send(trail.moves[-1])
        else:
            self._set_up(trail, limits.seconds)
        self._known = (trail.start, list(trail.moves))
        move = self._await_move(limits.seconds, trail.text.split(" ")[1])
        if move == DRAWN and follows:  # for it the game is over, by our rules it is not
            self._known = None
            return self.go(trail, limits)
        if move in (RESIGN, DRAWN):
            self._known = None
            return Answer(RESIGN)
        self._known[1].append(move)
        return Answer(move)

    def _set_up(self, trail: Trail, seconds: float) -> None:
        whole = math.ceil(seconds) + 1  # it would stop by itself; it is hurried before
        self._process.send("new")
        self._process.send(f"level 0 {whole // 60}:{whole % 60:02d}")
        # What it still had to say of the last game comes before this.
        self._process.read_until(lambda line: line.startswith("Clocks:"), GREETING, "clocks")
        self._process.send("force")
        for line in _edited(trail.text) if trail.start else trail.moves:
            self._process.send(line)
        self._process.send("go")

    def _follows(self, trail: Trail) -> bool:
        """Whether one move by the other side is all that it has not been told."""
        if self._known is None or not trail.moves:
            return False
        return self._known == (trail.start, trail.moves[:-1])

    def _await_move(self, seconds: float, turn: str) -> str:
        hurry = time.monotonic() + seconds
        for until, obeys in ((hurry, True), (hurry + LATE, False)):
            while (line := self._process.read(until, "its move", obeys=obeys)) is not None:
                if (found := _answer.fullmatch(line)) is not None:
                    return found[1]
                if line.startswith("Illegal move"):
                    raise self._process.error("it takes a move for an illegal one")
                if line in _lost[turn]:
                    return RESIGN
                if _drawn.fullmatch(line):
                    return DRAWN
            self._process.send("")
        raise self._process.error(f"no move {LATE:g} s after it was told to")

    def close(self) -> None:
        """Ends the program."""
        self._process.close()


def _edited(sfen: str) -> Iterator[str]:
    """A position, Black's pieces first: `p5b+` on a square, `g*` in the hand."""
    rows, turn, hands, _ = sfen.split(" ")
    yield from ("edit", "#")
    for is_black in (True, False):
        for rank, row in zip("abcdefghi", rows.split("/"), strict=True):
            file = 9
            for cell in re.findall(r"\+?[a-zA-Z]|[0-9]", row):
                if cell.isdigit():
                    file -= int(cell)
                    continue
                if cell[-1].isupper() == is_black:
                    yield f"{cell[-1].lower()}{file}{rank}{cell[:-1]}"
                file -= 1
        for count, letter in _held.findall(hands):
            if letter.isupper() == is_black:
                yield from [f"{letter.lower()}*"] * int(count or 1)
        yield "c"
    yield "."
    # It thinks for the side that it does not have; it has what these words do not say.
    yield "black" if turn == "b" else "white"
