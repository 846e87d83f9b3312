"""Scripted sessions with our engines, which several tests share."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

from tempo.protocols.server import EngineServer

WAIT = 20.0  # seconds, for machines under load
MOVES = re.compile(r"bestmove (\S+)")


class Session:
    """A server, what it said, and lines that may wait for an answer."""

    def __init__(self, dialect: Any, agent: str = "random", game: str | None = None) -> None:
        self.said: list[str] = []
        self.server = EngineServer(dialect, agent, self.said.append, game)

    def talk(self, *lines: str) -> list[str]:
        """Says these lines; `?` waits for the next bestmove, `!` for the next checkmate."""
        self.said.clear()
        self.server.serve(self._waiting(lines))
        return list(self.said)

    def _waiting(self, lines: tuple[str, ...]) -> Iterator[str]:
        heard = {"?": 0, "!": 0}
        for line in lines:
            if line not in heard:
                yield line
                continue
            heard[line] += 1
            self.wait_for({"?": "bestmove", "!": "checkmate"}[line], heard[line])

    def wait_for(self, answer: str, times: int) -> None:
        """Until it has said so, this many times."""
        until = time.monotonic() + WAIT
        while sum(answer in said for said in list(self.said)) < times:
            assert time.monotonic() < until, self.said
            time.sleep(0.002)

    def moves(self, *lines: str) -> list[str]:
        return [found[1] for said in self.talk(*lines) if (found := MOVES.match(said))]
