"""A connection: what is to be sent waits here, and a newer state takes the place of an older one.

So a slow reader costs the server one state, not a queue of them; and a board that changes faster
than anybody can follow costs no more than one that does not.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING

from fastapi import WebSocketDisconnect

from tempo import texts

if TYPE_CHECKING:
    from fastapi import WebSocket

    from tempo.web.limits import Bucket
    from tempo.web.line import Line
    from tempo.web.messages import Refused

ERRORS = 20  # refusals that wait for a slow reader; further ones are dropped


class Person:
    """Somebody at a table, or a spectator. `pace`: how fast states follow each other."""

    def __init__(self, socket: WebSocket, pace: Bucket, address: str = "") -> None:
        self.address = address
        self.table = ""
        self.digest = ""
        self.joined = False
        self.speech: tuple[str, bool] = (texts.USUAL, False)
        self.told: Line | None = None
        self._socket = socket
        self._pace = pace
        self._waiting: dict[str, tuple[str, Line | None]] = {}
        self._something = asyncio.Event()
        self._refusals = 0

    def send(self, kind: str, text: str) -> None:
        """Sends a message soon; a newer one of the same kind takes its place."""
        self._wait(kind, text, None)

    def show(self, state: str, line: Line) -> None:
        """Sends a state soon, with the moves that have not been told by then."""
        self._wait("state", state, line)

    def _wait(self, kind: str, text: str, line: Line | None) -> None:
        self._waiting.pop(kind, None)
        self._waiting[kind] = (text, line)
        self._something.set()

    def refuse(self, error: Refused) -> None:
        """Says why something was not done."""
        self._refusals += 1
        with texts.speaking(*self.speech):
            text = json.dumps({"type": "error", **error.to_json()})
        self.send(f"error {self._refusals % ERRORS}", text)

    async def write(self) -> None:
        """Sends whatever waits, until the connection ends."""
        while True:
            await self._something.wait()
            self._something.clear()
            while self._waiting:
                kind = next(iter(self._waiting))
                while kind == "state" and not self._pace.take(time.monotonic()):
                    await asyncio.sleep(self._pace.wait)
                text, line = self._waiting.pop(kind)
                if line is not None:
                    text, self.told = line.added(text, self.told), line
                try:
                    await self._socket.send_text(text)
                except (WebSocketDisconnect, RuntimeError):  # closed meanwhile
                    return
