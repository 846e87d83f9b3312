"""What can be played and against whom, for the page; and what tables say of chess endings."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tempo import games as registry
from tempo.errors import ParseError, TempoError
from tempo.games import Game
from tempo.games.protocol import Position
from tempo.games.registry import profiles
from tempo.games.scene import face_of
from tempo.games.tablebase import Tablebase, plies, value
from tempo.web import strength
from tempo.web.messages import POSITION, SPEC, Fill, Refused, Replace
from tempo.web.opening import ENDINGS, LOT
from tempo.web.skipping import can_skip

_RANGE = re.compile(r"-?\d+ to \d+")


@lru_cache(maxsize=1)
def games() -> list[dict[str, Any]]:
    """Every game with its options and named bundles of them."""
    return [_game(registry.load(name)) for name in registry.names()]


def _game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": face_of(game.name).title(game),
        "summary": game.summary,
        "rules_version": game.rules_version,
        "seats": list(game.seat_names),
        "teams": list(game.teams),
        "hidden": game.is_hidden,
        "timed_moves": can_skip(game),
        "options": [
            {"name": one.name, "default": one.default, "help": one.help, "lot": one.name == LOT,
             "choices": one.choices if _RANGE.fullmatch(one.choices) else one.choices.split(", ")}
            for one in game.option_fields
        ],
        "profiles": profiles(game.name),
        "starts": [],
        "endings": list(ENDINGS) if game.name == "chess" else [],
    }  # fmt: skip


def agents(spec: str, runs: Path) -> dict[str, Any]:
    """Who plays a game: strengths in words, agents with their settings, runs on this machine."""
    game = _loaded(spec)
    return {
        "levels": [asdict(level) for level in strength.levels(game)],
        "agents": strength.agents_of(game),
        "runs": [{"agent": name, "summary": text} for name, text in strength.runs_of(runs)],
    }


def picture(spec: str, start: str) -> str:
    """A position as SVG, with nothing hidden in it that its text does not say."""
    game = _loaded(spec)
    if len(start) > POSITION:
        raise Refused("start", "a position's text is shorter than this")
    try:
        return (game.parse(start) if start else game.start()).svg()
    except ParseError as error:
        raise Refused("start", str(error)) from None


def _loaded(spec: str) -> Game:
    if len(spec) > SPEC:
        raise Refused("game", "a game's text is shorter than this")
    try:
        return registry.load(spec)
    except ParseError as error:
        raise Refused("game", str(error)) from None


def resolved(game: Game, message: Fill | Replace, runs: Path) -> Fill | Replace:
    """The message with the exact agent that its level or text names."""
    return replace(message, agent=strength.agent_for(game, message.agent, runs))


def verdict(tablebase: Tablebase, position: Position) -> dict[str, Any]:
    """What perfect play makes of a chess position of at most four pieces, and of its moves."""
    try:
        found = tablebase.probe(position)
        moves = tablebase.moves(position) if not position.is_over else []
    except (ParseError, TempoError) as error:
        raise Refused("verdict", str(error)) from None
    names = ("White", "Black")
    mover = names[position.turn]
    return {
        "text": _sentence(found, mover, names[1 - position.turn]),
        "value": value(found),
        "plies": plies(found) if found else None,
        "moves": [
            {"move": move, "text": position.move_text(move), "value": value(after),
             "verdict": _short(after)}
            for move, after in moves
        ],
    }  # fmt: skip


def _sentence(found: int, mover: str, other: str) -> str:
    if found == 0:
        return "Draw with best play"
    winner = mover if value(found) > 0 else other
    if plies(found) == 0:
        return f"{winner} has mated"
    count = (plies(found) + 1) // 2
    return f"{winner} mates in {count} move{'s' if count > 1 else ''}"


def _short(found: int) -> str:
    if found == 0:
        return "draws"
    return f"{'wins' if value(found) > 0 else 'loses'} in {(plies(found) + 1) // 2}"
