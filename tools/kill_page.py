"""Kills the server in the middle of many games, again and again: nothing that was told is lost.

python tools/kill_page.py                    50 games, 5 kills
python tools/kill_page.py --games 6 --kills 2

Persons and agents play at all tables at once; everything a person was told is remembered. Then
kill -9, a new server on the same file, and everybody comes back with the same token: each table
must stand where its persons last saw it, or later, by moves that are legal in their order.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from page_client import AGENT, PERSON, Sitter, make
from page_server import PageServer
from websockets.exceptions import WebSocketException

from tempo import games

GAMES = ("gomoku", "chess", "jiu", "shogi", "siguo")
SETUP = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B"


@dataclass
class Watched:
    """A table, whose tokens we have, and the most that anybody there was told."""

    name: str
    game: str
    tokens: list[str]
    round: int = 1
    told: list[str] = field(default_factory=list)

    def note(self, state: dict[str, Any]) -> None:
        """Remembers what a state tells."""
        texts = [one["text"] for one in state["moves"]]
        if (state["round"], len(texts)) >= (self.round, len(self.told)):
            self.round, self.told = state["round"], texts


async def open_table(port: int, number: int) -> Watched:
    """Two persons, or one among agents in Siguo; every third table against an agent."""
    game = GAMES[number % len(GAMES)]
    if game == "siguo":
        made = await make(port, game, PERSON, AGENT, AGENT, AGENT)
    else:
        made = await make(port, game, PERSON, AGENT if number % 3 == 0 else PERSON)
    return Watched(made["table"], game, list(made["tokens"].values()))


async def play(port: int, table: Watched, token: str, random: Random) -> None:
    """Plays until the server is gone."""
    with contextlib.suppress(WebSocketException, OSError):
        sitter = await Sitter.join(port, table.name, token)
        while True:
            state = sitter.state
            table.note(state)
            if state["phase"] == "over":
                with contextlib.suppress(RuntimeError):
                    await sitter.say(type="rematch")
            elif state["phase"] == "deploy" and state["deploy"]["setup"] is None:
                await sitter.say(type="deploy", setup=SETUP)
            elif state["turn"] == state["seat"] and state["phase"] == "play":
                await asyncio.sleep(random.uniform(0, 0.1))
                move = random.choice(state["scene"]["moves"])["move"]
                await sitter.say(type="move", ply=state["ply"], move=move)
            with contextlib.suppress(RuntimeError):  # a refusal: somebody was faster
                await sitter.wait()


async def until_killed(
    server: PageServer, tables: list[Watched], seconds: float, random: Random
) -> None:
    """Lets everybody play for so long, then kills the server."""
    tasks = [
        asyncio.create_task(play(server.port, table, token, Random(random.random())))
        for table in tables
        for token in table.tokens
    ]
    await asyncio.sleep(seconds)
    server.kill()
    await asyncio.wait(tasks, timeout=30)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def lost(port: int, tables: list[Watched]) -> list[str]:
    """What a table has forgotten, a line each."""
    found = []
    for table in tables:
        for token in table.tokens:
            sitter = await Sitter.join(port, table.name, token)
            state = sitter.state
            texts = [one["text"] for one in state["moves"]]
            kept = state["round"] > table.round or texts[: len(table.told)] == table.told
            if not kept or state["seat"] is None:
                found.append(
                    f"{table.name} ({table.game}): {len(texts)} of {len(table.told)} moves"
                )
            if state["phase"] == "play" and table.game not in {"siguo", "chess"}:
                _replayed(table.game, texts)
            await sitter.close()
    return found


def _replayed(game: str, texts: list[str]) -> None:
    """The moves are legal ones, in their order."""
    position = games.load(game).start()
    for text in texts:
        position = position.play(text)


async def trial(server: PageServer, count: int, kills: int, seconds: float) -> dict[str, Any]:
    """Everything; what was found."""
    random = Random(1)
    tables = [await open_table(server.port, number) for number in range(count)]
    missing: list[str] = []
    starts: list[float] = []
    for _ in range(kills):
        await until_killed(server, tables, seconds, random)
        begun = time.monotonic()
        await asyncio.to_thread(server.restart)
        starts.append(round(time.monotonic() - begun, 1))
        missing += await lost(server.port, tables)
    return {
        "games": count,
        "kills": kills,
        "moves": sum(len(table.told) for table in tables),
        "lost": missing,
        "seconds_to_come_back": starts,
    }


def main() -> int:
    """Prints one line of JSON; 1 when something was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=6.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, PageServer(Path(folder)) as server:
        found = asyncio.run(trial(server, given.games, given.kills, given.seconds))
    print(json.dumps(found))
    return 1 if found["lost"] or not found["moves"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
