"""USI's `go mate`: whether the side to move mates by checks alone, answered beside the server."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from tempo._core import shogi, shogi_mate
from tempo.errors import ParseError
from tempo.stopping import Stop

if TYPE_CHECKING:
    from tempo.games.protocol import Position

LONGEST = 600.0  # seconds, where `infinite` was asked for
NO_LIMIT = 10**12  # positions: only time counts


def seconds_of(words: list[str]) -> float:
    """What follows `go mate`: milliseconds or `infinite`."""
    if words in ([], ["infinite"]):
        return LONGEST
    if len(words) == 1 and words[0].isascii() and words[0].isdigit() and len(words[0]) <= 12:
        return min(int(words[0]) / 1000, LONGEST)
    raise ParseError(f"go mate takes milliseconds or infinite, not '{' '.join(words)[:40]}'")


class MateSearch:
    """One search in a thread of its own, answered exactly once; stopped, it does not know."""

    def __init__(self, position: Position, seconds: float, say: Callable[[str], None]) -> None:
        self._position, self._seconds, self._say = position, seconds, say
        self._lock = threading.Lock()
        self._stop = Stop()
        self.answered = False
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """Answers at once, and ends the search."""
        self._stop.set()
        self._answer("timeout")

    def _run(self) -> None:
        position = cast("shogi.Position", self._position)  # USI is for shogi
        with self._stop:
            found = shogi_mate.search(position, NO_LIMIT, max(self._seconds, 1e-3))
        if found.verdict == "win":
            self._answer(" ".join(_texts(self._position, found.line)))
        else:
            self._answer("nomate" if found.verdict == "none" else "timeout")

    def _answer(self, what: str) -> None:
        with self._lock:
            if not self.answered:
                self.answered = True
                self._say(f"checkmate {what}")


def _texts(position: Position, line: list[int]) -> list[str]:
    texts = []
    for move in line:
        texts.append(position.move_text(move))
        position = position.play(move)
    return texts
