"""What can be played and against whom, for the page."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tempo import games as registry
from tempo import texts
from tempo._core.endings import Family
from tempo.agents.listing import Rating, levels_of
from tempo.errors import ParseError
from tempo.games import Game, scene
from tempo.games.protocol import Position
from tempo.web import fitting, strength
from tempo.web.messages import POSITION, SPEC, Fill, Refused, Replace
from tempo.web.opening import LOT
from tempo.web.skipping import can_skip
from tempo.web.tables import Table

_RANGE = re.compile(r"-?\d+ to \d+")


def games() -> list[dict[str, Any]]:
    """Every game with its options and named bundles of them."""
    return _games(texts.language())


@lru_cache(maxsize=8)
def _games(language: str) -> list[dict[str, Any]]:
    with texts.speaking(language):
        return [_game(registry.load(name)) for name in registry.names()]


def _game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.description.face.title(game),
        "summary": _summary(game),
        "rules_version": game.rules_version,
        "seats": list(game.seat_names),
        "seat_words": [game.description.face.seat_words(name) for name in game.seat_names],
        "teams": list(game.teams),
        "hidden": game.is_hidden,
        "timed_moves": can_skip(game),
        "options": [
            {"name": one.name, "default": one.default, "help": texts.translated(one.help),
             "lot": one.name == LOT,
             "choices": one.choices if _RANGE.fullmatch(one.choices) else one.choices.split(", ")}
            for one in game.option_fields
        ],
        "profiles": dict(game.description.profiles or {}),
        "starts": [],
        "position_text": texts.translated(game.description.position_text),
        "endings": list(game.description.endings),
        "ratings": {
            name: round(one.rating) for name, one in levels_of(game.name).items() if one
        },
    }  # fmt: skip


def _summary(game: Game) -> str:
    words = texts.word("game", f"{game.name}.summary")
    return game.summary if words == f"{game.name}.summary" else words


def layout(spec: str, side: int) -> dict[str, Any]:
    """The board with a seat at the bottom, without what only that seat is given."""
    game = _loaded(spec)
    if not 0 <= side < game.seats:
        raise Refused("side", f"{game.name} has seats 0 to {game.seats - 1}")
    return replace(scene.layout(game, side), deployment=None).data()


def agents(spec: str, start: str, runs: Path) -> dict[str, Any]:
    """Who plays a game from a position: strengths in words, exact agents, runs of this machine."""
    game = _loaded(spec)
    position = _position(game, start)

    def fits(agent: str) -> bool:
        return not fitting.position_misfit(agent, position, runs)

    rated = levels_of(game.name)
    found = fitting.runs_of(runs).items()
    mine = [(name, config) for name, config in found if not fitting.run_misfit(game, name, runs)]
    return {
        "levels": [
            {
                **asdict(level),
                "agent": level.spec,
                "help": texts.translated(level.help),
                "rating": _rating(rated.get(level.name)),
            }
            for level in strength.levels(game)
            if fits(level.spec)
        ],
        "agents": [one for one in strength.agents_of(game) if fits(one["name"])],
        "runs": [
            {"agent": name, "summary": str(config.get("ending", config.get("learner", "")))}
            for name, config in mine
            if fits(name)
        ],
    }


def _rating(found: Rating | None) -> dict[str, float] | None:
    """What the page shows of a rating."""
    if found is None:
        return None
    return {"rating": found.rating, "low": found.low, "high": found.high}


def _position(game: Game, start: str) -> Position | None:
    """A position by its text, or any of an ending by its name; an invalid text is no error."""
    try:
        if start in game.description.endings:
            return Family(start).position(0)
        return game.parse(start) if start else None if game.is_hidden else game.start()
    except ParseError:
        return None


def portrait(spec: str) -> str:
    """A picture that shows what a game is like."""
    return picture(spec, _loaded(spec).description.portrait)


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


def resolved(table: Table, message: Fill | Replace, runs: Path) -> Fill | Replace:
    """The message with the exact agent that its level or text names, if it can play on."""
    agent = strength.agent_for(table.game, message.agent, runs)
    position = table.position if table.positions else None
    if why := fitting.position_misfit(agent, position, runs):
        raise Refused("agent", why)
    return replace(message, agent=agent)
