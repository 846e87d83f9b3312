"""Encodings by game: one whose core packs its planes has its own, any other the plain one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.errors import ParseError
from tempo.nets.encoding import Encoding, Planes
from tempo.nets.shogi import Shogi

if TYPE_CHECKING:
    from tempo.games.game import Game


def encoding_of(game: Game, method: str = "joint", reward: str = "material") -> Encoding:
    """What a Q-learner of this method sees of a game; `reward` names what moves earn in it."""
    if hasattr(game.core, "packed"):
        return Shogi(game, "joint" if method == "joint" else "pair", reward)
    if method != "joint":
        raise ParseError(f"piece and place are of shogi; {game.name} is learnt by method 'joint'")
    return Planes(game)
