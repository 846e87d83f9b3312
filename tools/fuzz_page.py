"""Malformed messages by the thousand: the server answers each, forgets nothing and grows no larger.

python tools/fuzz_page.py                    100,000 messages
python tools/fuzz_page.py --messages 3000

Messages are well-formed ones with something wrong: bytes changed, cut, doubled; fields gone, added,
of another type, too large; JSON that is none; requests over HTTP with the same faults. In the end
games that were begun before stand as they were left, the server has not died nor logged an error,
and what it holds has not grown by more than a few MiB.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from page_client import AGENT, PERSON, Sitter, make
from page_server import PageServer

CONNECTIONS = 8  # at a time
BATCH = 50  # messages before an answer is waited for

GOOD: list[dict[str, Any]] = [
    {"type": "join", "table": "abc", "token": "abc", "have": {"round": 1, "ply": 0, "mark": "0a"}},
    {"type": "move", "ply": 0, "move": 1, "moment": 1},
    {"type": "deploy", "setup": "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B"},
    {"type": "undo"},
    {"type": "answer_draw", "accept": True},
    {"type": "rematch", "swap": True},
    {"type": "fill", "agent": "mcts:sims=10"},
    {"type": "replace", "seat": 1, "agent": "club"},
    {"type": "name", "name": "Ada"},
    {"type": "ping"},
]
ODD: list[Any] = [
    None, True, -1, 0, 2**31, 10**400, 1.5, -0.0, 1e308, "", "x" * 300, "\x00", "\ud800", "🀄",
    "../..",
    [], [[]], {}, {"a": {"b": []}}, "runs/../../etc/passwd", "usi:path=/bin/sh", "NaN",
]  # fmt: skip
TABLE: dict[str, Any] = {
    "game": "gomoku(size=5)",
    "seats": [{"kind": "person"}, {"kind": "agent", "agent": "random"}],
    "start": "",
    "clock": {"base": 60},
    "seed": 1,
}
PATHS = (
    "tables",
    "tables/abc/join",
    "tables/abc/invite",
    "tables/abc/record",
    "tables/abc/verdict",
)


def broken(random: Random, good: dict[str, Any]) -> bytes:
    """A message with something wrong with it. A few are right by chance."""
    data = json.loads(json.dumps(good))
    for _ in range(random.randrange(1, 3)):
        key = random.choice([*data, "more", "type"])
        what = random.randrange(3)
        if what == 0:
            data.pop(key, None)
        else:
            data[key] = random.choice(ODD)
    raw = json.dumps(data, ensure_ascii=random.random() < 0.9).encode("utf-8", "replace")
    match random.randrange(6):
        case 0:
            raw = raw[: random.randrange(len(raw) + 1)]
        case 1:
            at = random.randrange(len(raw))
            raw = raw[:at] + bytes([random.randrange(256)]) + raw[at + 1 :]
        case 2:
            raw = raw + raw
        case 3:
            raw = b"[" * random.randrange(3000) + raw
    return raw


class Fuzz:
    """The messages of one trial and what became of them."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.random = Random(seed)
        self.refused = 0
        self.answered = 0
        self.closed = 0

    async def messages(self, count: int) -> None:
        """Sends over connections that have not joined, that look on and that sit at a table."""
        made = await make(self.port, "gomoku(size=5)", PERSON, AGENT)
        siguo = await make(self.port, "siguo", PERSON, AGENT, AGENT, AGENT)
        places = [
            ("", ""),
            (made["table"], ""),
            (made["table"], made["tokens"]["0"]),
            (siguo["table"], siguo["tokens"]["0"]),
        ]
        left = count

        async def worker(number: int) -> None:
            nonlocal left
            while left > 0:
                batch = min(left, 500)
                left -= batch
                await self.connection(*places[number % len(places)], batch)
                number += 1

        await asyncio.gather(*(worker(number) for number in range(CONNECTIONS)))

    async def connection(self, table: str, token: str, count: int) -> None:
        """One connection; now and then it waits until all that was sent has been looked at."""
        sitter = await Sitter.join(self.port, table, token) if table else await _stranger(self.port)
        socket = sitter.socket
        for begin in range(0, count, BATCH):
            for _ in range(min(BATCH, count - begin)):
                raw = broken(self.random, self.random.choice(GOOD))
                if self.random.random() < 0.3:
                    await socket.send(raw)
                else:
                    await socket.send(raw.decode("utf-8", "replace"))
            await socket.send('{"type":"ping"}')
            while True:
                answer = json.loads(await asyncio.wait_for(socket.recv(), 60))
                if answer["type"] == "error":
                    self.refused += 1
                    # A stranger's ping is refused: it must join first.
                    if not table and answer["about"] == "join":
                        break
                elif answer["type"] == "pong":
                    break
                else:
                    self.answered += 1
        await sitter.close()
        self.closed += 1

    def requests(self, count: int) -> dict[int, int]:
        """The same over HTTP; how often each status came."""
        found: dict[int, int] = {}
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for _ in range(count):
            path = "/api/" + self.random.choice(PATHS)
            body = broken(self.random, TABLE if path.endswith("tables") else {"token": "x"})
            link.request("POST", path, body, {"content-type": "application/json"})
            answer = link.getresponse()
            answer.read()
            found[answer.status] = found.get(answer.status, 0) + 1
        link.close()
        return found


async def _stranger(port: int) -> Sitter:
    import websockets  # noqa: PLC0415

    return Sitter(
        await websockets.connect(f"ws://127.0.0.1:{port}/ws", compression=None, max_size=None)
    )


async def a_game(port: int, moves: int) -> tuple[str, str, list[str]]:
    """A table at which a few moves were made: its name, a token, and the moves."""
    made = await make(port, "gomoku", PERSON, PERSON)
    players = [await Sitter.join(port, made["table"], made["tokens"][str(i)]) for i in (0, 1)]
    for ply in range(moves):
        mover = players[ply % 2]
        while mover.state["ply"] < ply:
            await mover.wait()
        await mover.say(type="move", ply=ply, move=mover.state["scene"]["moves"][3 * ply]["move"])
        while mover.state["ply"] <= ply:
            await mover.wait()
    texts = [one["text"] for one in players[(moves - 1) % 2].state["moves"]]
    for player in players:
        await player.close()
    return made["table"], made["tokens"]["0"], texts


async def still_there(port: int, games: list[tuple[str, str, list[str]]]) -> bool:
    """Whether every table stands as it was left."""
    for table, token, texts in games:
        sitter = await Sitter.join(port, table, token)
        if [one["text"] for one in sitter.state["moves"]] != texts:
            return False
        await sitter.close()
    return True


async def trial(server: PageServer, count: int, seed: int) -> dict[str, Any]:
    """Everything; what was found."""
    games = [await a_game(server.port, 5 + i) for i in range(8)]
    fuzz = Fuzz(server.port, seed)
    await fuzz.messages(count // 10)  # what is made once is made
    fuzz.requests(count // 100)
    before, begun = server.memory(), time.monotonic()
    await fuzz.messages(count - count // 10)
    statuses = await asyncio.to_thread(fuzz.requests, count // 20)
    grown = server.memory() - before
    return {
        "messages": count,
        "refused": fuzz.refused,
        "requests": statuses,
        "seconds": round(time.monotonic() - begun, 1),
        "grown_mib": round(grown / 2**20, 1),
        "server_mib": server.memory() // 2**20,
        "alive": server.process.poll() is None,
        "games_kept": await still_there(server.port, games),
        "errors_logged": server.log.read_text().count("Traceback"),
    }


def main() -> int:
    """Prints one line of JSON; 1 when something was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, PageServer(Path(folder)) as server:
        found = asyncio.run(trial(server, given.messages, given.seed))
        if found["errors_logged"]:
            print(server.log.read_text()[-3000:])
    print(json.dumps(found))
    sound = found["alive"] and found["games_kept"] and not found["errors_logged"]
    return 0 if sound and found["grown_mib"] < 32 else 1


if __name__ == "__main__":
    raise SystemExit(main())
