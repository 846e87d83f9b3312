"""One hostile client of the page, at every limit and above it.

python tools/hostile_page.py PORT TABLE SECONDS [flood,silent,...]      prints one line of JSON

From one address it floods connections with messages of all kinds, comes and goes, changes its name,
opens tables with agents that think, sends frames that are too large, looks on at TABLE and reads
nothing, and asks for files, pictures and agents: each several times as often as it may.
"""

from __future__ import annotations

import asyncio
import collections
import http.client
import json
import sys
import time
from collections.abc import Awaitable, Callable

import websockets
from page_client import PERSON, post

ADDRESS = "127.0.0.66"
MESSAGES = 240  # a second, over all connections; a quarter is allowed
FLOODS = 12  # connections that send them
SILENT = 120  # connections that read nothing
COMES = 15  # a second
REQUESTS = 90  # a second; a third is allowed
FILES = 300  # a second
TABLES = 4  # a second; one is allowed
SAID = (
    {"type": "ping"}, {"type": "name", "name": "Mallory"}, {"type": "undo"}, {"type": "offer_draw"},
    {"type": "move", "ply": 0, "move": 1}, {"type": "resign"}, {"type": "rematch"},
    {"type": "fill", "agent": "master"}, {"type": "replace", "seat": 1, "agent": "club"},
)  # fmt: skip
THINKERS = ("gomoku-strong:time=60", "mcts:time=60,memory=256", "mcts:sims=200000")
PAGE = ("/", "/static/js/table.js")
PATHS = ("/api/agents?game=jiu", "/api/picture?game=siguo", "/api/games", "/api/runs", "/api/none")


class Hostile:
    """What one hostile client does, and what it is answered."""

    def __init__(self, port: int, victim: str, seconds: float, only: list[str]) -> None:
        self.port = port
        self.victim = victim
        self.only = only
        self.end = time.monotonic() + seconds
        self.counts: collections.Counter[str] = collections.Counter()

    async def run(self) -> dict[str, int]:
        """Everything at once."""
        made = await asyncio.to_thread(
            post, self.port, "/api/tables", {"game": "gomoku", "seats": [PERSON, PERSON]}, ADDRESS
        )
        table, token = made["table"], made["tokens"]["0"]
        acts: dict[str, Callable[[], list[Awaitable[None]]]] = {
            "come": lambda: [self.repeat(COMES, self.come_and_go)],
            "giant": lambda: [self.repeat(1, self.giant)],
            "flood": lambda: [self.flood(table, token, MESSAGES / FLOODS) for _ in range(FLOODS)],
            "silent": lambda: [self.silent(table if i % 2 else self.victim) for i in range(SILENT)],
            "ask": lambda: [asyncio.to_thread(self.ask, "requests", REQUESTS, PATHS)],
            "files": lambda: [asyncio.to_thread(self.ask, "files", FILES, PAGE)],
            "tables": lambda: [asyncio.to_thread(self.open_tables)],
        }
        chosen = [acts[name]() for name in self.only or acts]
        await asyncio.gather(*(one for some in chosen for one in some))
        return dict(sorted(self.counts.items()))

    async def repeat(self, rate: float, act: Callable[[], Awaitable[None]]) -> None:
        """Does something `rate` times a second; what fails is counted."""
        while time.monotonic() < self.end:
            begun = time.monotonic()
            try:
                await act()
            except (OSError, websockets.WebSocketException, TimeoutError) as error:
                self.counts[f"{act.__name__}: {type(error).__name__}"] += 1
            await asyncio.sleep(max(0.0, 1 / rate - (time.monotonic() - begun)))

    async def connect(self) -> websockets.ClientConnection:
        """A connection from the hostile address."""
        return await websockets.connect(
            f"ws://127.0.0.1:{self.port}/ws",
            local_addr=(ADDRESS, 0), compression=None, open_timeout=5, close_timeout=0.2,
        )  # fmt: skip

    async def come_and_go(self) -> None:
        """Looks on at somebody's table for a moment."""
        async with await self.connect() as line:
            await line.send(json.dumps({"type": "join", "table": self.victim}))
            await line.recv()
            self.counts["came"] += 1

    async def giant(self) -> None:
        """A frame that is too large, and then a message that is."""
        async with await self.connect() as line:
            await line.send("x" * 60_000)
            await line.recv()
            await line.send(b"\0" * 10_000_000)
            self.counts["giants"] += 1

    async def flood(self, table: str, token: str, rate: float) -> None:
        """Sends messages faster than allowed; a connection that is closed is opened again."""

        async def one() -> None:
            async with await self.connect() as line:
                await line.send(json.dumps({"type": "join", "table": table, "token": token}))
                for number in range(1_000_000):
                    if time.monotonic() > self.end:
                        return
                    await line.send(json.dumps(SAID[number % len(SAID)]))
                    self.counts["messages"] += 1
                    await asyncio.sleep(1 / rate)

        await self.repeat(2, one)

    async def silent(self, table: str) -> None:
        """Looks on and reads nothing, not even pings."""

        async def one() -> None:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(ADDRESS, 0), limit=1
            )
            try:
                writer.write(
                    f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
                )
                said = json.dumps({"type": "join", "table": table}).encode()
                writer.write(bytes([0x81, 0x80 | len(said)]) + bytes(4) + said)
                self.counts["silent"] += 1
                while time.monotonic() < self.end and not writer.is_closing():
                    await asyncio.sleep(0.5)
                    writer.write(b"\x8a\x80\0\0\0\0")  # a pong that nobody asked for
                    await writer.drain()
            finally:
                writer.close()
                del reader

        await self.repeat(0.5, one)

    def ask(self, what: str, rate: float, paths: tuple[str, ...]) -> None:
        """Requests, counted by how they were answered."""
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=10, source_address=(ADDRESS, 0)
        )
        number = 0
        while time.monotonic() < self.end:
            number += 1
            try:
                line.request("GET", paths[number % len(paths)])
                answer = line.getresponse()
                answer.read()
                self.counts[f"{what} {answer.status}"] += 1
            except (OSError, http.client.HTTPException) as error:
                self.counts[f"{what} {type(error).__name__}"] += 1
                line.close()  # the next request opens it again
            time.sleep(1 / rate)
        line.close()

    def open_tables(self) -> None:
        """Tables whose agents think for long."""
        number = 0
        while time.monotonic() < self.end:
            number += 1
            agent = {"kind": "agent", "agent": THINKERS[number % len(THINKERS)]}
            try:
                body = {"game": "gomoku", "seats": [agent, PERSON]}
                post(self.port, "/api/tables", body, ADDRESS)
                self.counts["tables"] += 1
            except (RuntimeError, OSError):
                self.counts["tables refused"] += 1
            time.sleep(1 / TABLES)


def main() -> None:
    """Is hostile for that many seconds."""
    port, table, seconds = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    only = sys.argv[4].split(",") if len(sys.argv) > 4 else []
    print(json.dumps(asyncio.run(Hostile(port, table, seconds, only).run())))


if __name__ == "__main__":
    main()
