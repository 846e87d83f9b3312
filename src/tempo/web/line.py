"""The moves of a game as a connection is sent them: those that it has not been sent before.

A state carries the moves from `since` on, so it does not grow with the game. A client that comes
back says what it has (round, number of moves, and the `mark` of its last state) and is sent the
rest; if that is not how the game began, it is sent all.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tempo.web.messages import Have
    from tempo.web.plies import Ply


@dataclass(frozen=True)
class Line:
    """What has happened on the board in a game, at one moment."""

    round: int
    plies: tuple[Ply, ...]

    @cached_property
    def mark(self) -> str:
        """Tells this line from others of the same length."""
        told = "\n".join(f"{ply.seat} {ply.text}" for ply in self.plies)
        return blake2b(f"{self.round}\n{told}".encode(), digest_size=6).hexdigest()

    def known(self, have: Have | None) -> Line | None:
        """The beginning of this line that a client has; None if it has another."""
        if have is None or have.round != self.round:
            return None
        beginning = Line(self.round, self.plies[: have.ply])
        return beginning if beginning.mark == have.mark else None

    def shared(self, told: Line | None) -> int:
        """How many moves this line begins with that were told before."""
        if told is None or told.round != self.round:
            return 0
        pairs = enumerate(zip(self.plies, told.plies, strict=False))
        most = min(len(self.plies), len(told.plies))
        return next((at for at, (mine, theirs) in pairs if mine != theirs), most)

    def added(self, state: str, told: Line | None) -> str:
        """A state's JSON with the moves that were not told before."""
        since = self.shared(told)
        moves = [
            {"seat": ply.seat, "text": ply.text, **({"native": ply.native} if ply.native else {})}
            for ply in self.plies[since:]
        ]
        text = json.dumps(moves, separators=(",", ":"), ensure_ascii=False)
        return f'{state[:-1]},"since":{since},"moves":{text}}}'
