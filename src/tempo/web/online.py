"""A run that learns from the games it plays at the tables: `tempo play --learn`."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from tempo.errors import TempoError
from tempo.recipes.online import Move, OnlineRun
from tempo.web.thinking import Pool

if TYPE_CHECKING:
    from tempo.web.tables import Table

log = logging.getLogger("tempo.web")


class OnlineLearner:
    """Learns in a thread, one game after another; the next game is played by what it then knows."""

    def __init__(self, folder: Path) -> None:
        self._run = OnlineRun(folder)
        self.agent = f"{folder.parent.name}/{folder.name}"  # as seats name it
        self._pool = Pool(1)
        self._heard: set[tuple[str, int]] = set()  # tables with their rounds: each teaches once
        self._tasks: set[asyncio.Task[None]] = set()

    def ended(self, name: str, table: Table) -> None:
        """A game is over: it teaches if the run has played in it."""
        moves = self.moves(table)
        result = table.result
        if result is None or not moves or (name, table.round) in self._heard:
            return
        self._heard.add((name, table.round))
        task = asyncio.get_running_loop().create_task(self._learn(name, moves, result.scores))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def moves(self, table: Table) -> list[Move]:
        """What the seats of the run saw and did, in the order of the game."""
        if table.game.name != self._run.game:
            return []
        own = {i for i, seat in enumerate(table.seats) if seat.agent == self.agent}
        return [
            (before.view(ply.seat), ply.move)
            for before, ply in zip(table.positions, table.plies, strict=False)
            if ply.seat in own and isinstance(ply.move, int)
        ]

    async def _learn(self, name: str, moves: list[Move], scores: tuple[float, ...]) -> None:
        try:
            row = await self._pool.run(self._run.learn, moves, scores)
            log.info("%s has learnt from game %d, of %d own moves", self.agent, row["games"],
                     len(moves))  # fmt: skip
        except TempoError as error:
            log.warning("a game at table %s taught nothing: %s", name, error)
        except Exception:  # what goes wrong in learning must not stop a table
            log.exception("a game at table %s taught nothing", name)

    async def close(self) -> None:
        """Waits for the game under way; another process may train the run afterwards."""
        await asyncio.gather(*self._tasks)
        self._pool.close()
        self._run.close()
