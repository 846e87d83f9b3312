"""How long a move takes when many play and many look on.

python tools/load_page.py                       50 tables, 200 who look on, 20 s
python tools/load_page.py --tables 5 --seconds 3
python tools/load_page.py --hostile             the same beside a client at every limit

At every table persons play random moves, each after a pause of about a second; those who look on
are spread over the tables. A round trip is from sending a move to the state that shows it, at
the mover; and to the last client at the table. Client and server share the machine.
Limits are those of `tempo play`; every table has its own address, all of 127.0.0.0/8.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import page_client
from page_client import PERSON, Sitter, make, post
from page_server import PageServer

GAMES = ("gomoku", "chess", "jiu", "shogi", "siguo")
SETUP = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B"


class Trial:
    """All tables of a trial, and what was measured."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.seed = seed
        self.trips: list[float] = []
        self.last: list[float] = []  # until everybody at the table has seen it
        self.sent: dict[tuple[str, int], float] = {}
        self.seen: dict[tuple[str, int], float] = {}
        self.bytes = 0
        self.seated = 0
        self.names: list[str] = []
        self.used = 0.0  # the server's processor time
        self.ending = False
        self.hostile: dict[str, int] = {}  # what a hostile client did

    async def table(self, number: int, lookers: int) -> None:
        """One table with its players and those who look on."""
        random = Random(f"{self.seed} {number}")
        game = GAMES[number % len(GAMES)]
        origin = f"127.0.1.{1 + number % 250}"
        name, tokens = await self.seats(game, origin)
        self.names.append(name)
        players = [await Sitter.join(self.port, name, token, origin) for token in tokens]
        watching = [await Sitter.join(self.port, name, "", origin) for _ in range(lookers)]
        if game == "siguo":
            for player in players:
                await player.say(type="deploy", setup=SETUP)
        self.seated += 1
        tasks = [asyncio.create_task(self.watch(name, sitter)) for sitter in watching]
        tasks += [asyncio.create_task(self.play(name, sitter, random)) for sitter in players]
        await asyncio.gather(*tasks)

    async def seats(self, game: str, origin: str) -> tuple[str, list[str]]:
        """A table with persons on all seats."""
        if game != "siguo":
            made = await make(self.port, game, PERSON, PERSON, origin=origin)
            return made["table"], [made["tokens"]["0"], made["tokens"]["1"]]
        made = await make(self.port, game, PERSON, *[{"kind": "open"}] * 3, origin=origin)
        name = made["table"]
        tokens = [made["tokens"]["0"]]
        for seat in (1, 2, 3):
            body = {"invite": made["invites"][str(seat)]}
            path = f"/api/tables/{name}/join"
            taken = await asyncio.to_thread(post, self.port, path, body, origin)
            tokens.append(taken["token"])
        return name, tokens

    async def watch(self, name: str, sitter: Sitter) -> None:
        """Takes note of when each state has come."""
        try:
            while True:
                text = await sitter.socket.recv()
                self.bytes += len(text)
                self.note(name, json.loads(text))
        except Exception:
            if not self.ending:
                raise

    def note(self, name: str, message: dict[str, Any]) -> None:
        """When somebody has seen a ply last."""
        if message["type"] == "state":
            self.seen[name, message["ply"]] = time.perf_counter()

    async def play(self, name: str, sitter: Sitter, random: Random) -> None:
        """Moves when it is this seat's turn, after a pause."""
        try:
            while True:
                state = sitter.state
                if state["phase"] == "over":
                    await sitter.say(type="rematch", swap=False)
                    while (await sitter.wait())["phase"] == "over":
                        pass
                    continue
                if state["turn"] != state["seat"]:
                    await sitter.wait()
                    self.note(name, sitter.state)
                    continue
                await asyncio.sleep(random.uniform(0.5, 1.5))
                move = random.choice(state["scene"]["moves"])["move"]
                begun = time.perf_counter()
                await sitter.say(type="move", ply=state["ply"], move=move)
                while sitter.state["ply"] <= state["ply"] and sitter.state["phase"] == "play":
                    await sitter.wait()
                self.trips.append(time.perf_counter() - begun)
                self.sent[name, state["ply"] + 1] = begun
                self.note(name, sitter.state)
        except Exception:
            if not self.ending:
                raise


def share(values: list[float], part: float) -> float:
    """The value that a share of all values is below, in milliseconds."""
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)


async def run(
    server: PageServer, tables: int, lookers: int, seconds: float, seed: int, hostile: str = ""
) -> Trial:
    """Plays for so long after everybody has sat down."""
    trial = Trial(server.port, seed)
    each = [lookers // tables + (i < lookers % tables) for i in range(tables)]
    tasks = [asyncio.create_task(trial.table(i, each[i])) for i in range(tables)]
    done: set[asyncio.Task[None]] = set()
    while trial.seated < tables and not done:
        done, _ = await asyncio.wait(tasks, timeout=0.5)
    other = None
    if hostile and not done:
        other = await _hostile(server, trial.names[0], seconds + 2, hostile)
    trial.trips.clear()
    trial.sent.clear()
    trial.bytes = 0
    used = server.seconds()
    if not done:
        done, _ = await asyncio.wait(tasks, timeout=seconds)
    trial.used = server.seconds() - used
    trial.ending = True
    if other is not None:
        trial.hostile = json.loads((await other.communicate())[0])
    for task in done:
        task.result()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    trial.last = [trial.seen[key] - begun for key, begun in trial.sent.items() if key in trial.seen]
    return trial


async def _hostile(
    server: PageServer, table: str, seconds: float, acts: str
) -> asyncio.subprocess.Process:
    """A hostile client in a process of its own, after a moment."""
    script = str(Path(__file__).with_name("hostile_page.py"))
    given = [script, str(server.port), table, str(seconds), *([acts] if acts != "all" else [])]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, *given, stdout=pipe)
    await asyncio.sleep(2)
    return process


def main() -> None:
    """Measures and prints one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--lookers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hostile", nargs="?", const="all", default="", metavar="ACT,ACT")
    parser.add_argument("--deflate", action="store_true", help="compressed, as browsers ask for it")
    given = parser.parse_args()
    page_client.COMPRESSION = "deflate" if given.deflate else None
    with (
        tempfile.TemporaryDirectory() as folder,
        PageServer(Path(folder), usual=True) as server,
    ):
        asked = (given.tables, given.lookers, given.seconds, given.seed, given.hostile)
        trial = asyncio.run(run(server, *asked))
        print(
            json.dumps(
                {
                    "tables": given.tables,
                    "lookers": given.lookers,
                    "moves": len(trial.trips),
                    "moves_per_second": round(len(trial.trips) / given.seconds, 1),
                    "trip_ms": {p: share(trial.trips, p / 100) for p in (50, 95, 99)},
                    "everybody_ms": {p: share(trial.last, p / 100) for p in (50, 95, 99)},
                    "server_ms_a_move": round(1000 * trial.used / len(trial.trips), 2),
                    "server_share": round(trial.used / given.seconds, 2),
                    "megabytes": round(trial.bytes / 1e6, 1),
                    "server_mib": server.memory() // 2**20,
                    "errors_logged": server.log.read_text().count("Traceback"),
                    "hostile": trial.hostile,
                    "load_average": round(os.getloadavg()[0], 1),
                    "cores": os.cpu_count(),
                    "machine": platform.processor() or platform.machine(),
                }
            )
        )


if __name__ == "__main__":
    main()
