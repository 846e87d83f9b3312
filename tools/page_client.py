"""A person at a table of the page, as a program: for trials of the server."""

from __future__ import annotations

import asyncio
import http.client
import json
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

AGENT = {"kind": "agent", "agent": "random"}
PERSON = {"kind": "person"}
COMPRESSION: str | None = None  # or "deflate"


def post(port: int, path: str, body: object, origin: str = "") -> Any:
    """The answer to a request, perhaps from another address of this machine."""
    source = (origin, 0) if origin else None
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=source)
    try:
        line.request("POST", path, json.dumps(body), {"content-type": "application/json"})
        answer = line.getresponse()
        text = answer.read()
    finally:
        line.close()
    if answer.status >= 400:
        raise RuntimeError(f"{path}: {answer.status} {text[:300]!r}")
    return json.loads(text)


async def make(
    port: int, game: str, *seats: dict[str, str], origin: str = "", **more: object
) -> Any:
    """A new table: its name, tokens and invitations."""
    body = {"game": game, "seats": list(seats), **more}
    return await asyncio.to_thread(post, port, "/api/tables", body, origin)


class Sitter:
    """A connection to a table."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {"moves": []}

    @classmethod
    async def join(cls, port: int, table: str, token: str = "", origin: str = "") -> Sitter:
        """Sits down, or looks on without a token; from `origin`, if given."""
        socket = await websockets.connect(
            f"ws://127.0.0.1:{port}/ws",
            compression=COMPRESSION,
            max_size=None,
            open_timeout=60,
            local_addr=(origin, 0) if origin else None,
        )
        sitter = cls(socket)
        await sitter.say(type="join", table=table, **({"token": token} if token else {}))
        await sitter.wait()
        return sitter

    async def say(self, **message: object) -> None:
        """Sends a message."""
        await self.socket.send(json.dumps(message))

    async def wait(self) -> dict[str, Any]:
        """The next state; a refusal is an error here."""
        while True:
            message: dict[str, Any] = json.loads(await self.socket.recv())
            if message["type"] == "error":
                raise RuntimeError(message["text"])
            if message["type"] == "state":
                message["moves"] = [*self.state["moves"][: message["since"]], *message["moves"]]
                self.state = message
                return message

    async def close(self) -> None:
        """Leaves."""
        await self.socket.close()
