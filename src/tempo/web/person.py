"""A connection: what is to be sent waits here, and a newer state takes the place of an older one.

So a slow reader costs the server one state, not a queue of them.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from fastapi import WebSocketDisconnect

if TYPE_CHECKING:
    from fastapi import WebSocket

    from tempo.web.messages import Refused

ERRORS = 20  # refusals that wait for a slow reader; further ones are dropped


class Person:
    """Somebody at a table, or who looks on."""

    def __init__(self, socket: WebSocket, address: str = "") -> None:
        self.address = address
        self.table = ""
        self.digest = ""
        self.joined = False
        self._socket = socket
        self._waiting: dict[str, str] = {}
        self._something = asyncio.Event()
        self._refusals = 0

    def send(self, kind: str, text: str) -> None:
        """Sends a message soon; a newer one of the same kind takes its place."""
        self._waiting.pop(kind, None)
        self._waiting[kind] = text
        self._something.set()

    def refuse(self, error: Refused) -> None:
        """Says why something was not done."""
        self._refusals += 1
        text = json.dumps({"type": "error", **error.to_json()})
        self.send(f"error {self._refusals % ERRORS}", text)

    async def write(self) -> None:
        """Sends whatever waits, until the connection ends."""
        while True:
            await self._something.wait()
            self._something.clear()
            while self._waiting:
                kind = next(iter(self._waiting))
                text = self._waiting.pop(kind)
                try:
                    await self._socket.send_text(text)
                except (WebSocketDisconnect, RuntimeError):  # closed meanwhile
                    return
