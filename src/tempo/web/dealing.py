"""Setups for seats that have nobody to choose one: drawn by the server, stored as events.

Each is drawn from the operating system's randomness and from nothing else, so neither a seed nor
another setup tells anything about it. How likely each one is, readers of the code may know.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tempo.web.events import Deployed
from tempo.web.messages import Refused

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.web.tables import Table


def due(table: Table, now: float) -> Iterator[Deployed]:
    """The setups that a table waits for and no person will give it."""
    for seat in table.undealt():
        yield Deployed(now, seat, drawn(table.game))


def drawn(game: Game) -> str:
    """A good setup, also for a person who asks for one."""
    if not hasattr(game.core, "draw_setup"):
        raise Refused("setup", f"nobody deploys in {game.name}")
    setup: str = game.core.draw_setup(game.options, secrets.randbelow)
    return setup
