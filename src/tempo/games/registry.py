"""Games by name: those in the folders beside this file, and any that is registered.

`tempo.testing` checks what is registered.
"""

from __future__ import annotations

import pkgutil
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tempo.errors import ParseError, check_text, quoted
from tempo.games.description import Description
from tempo.games.game import Game

LONGEST = 2000  # letters of a game with its options
_spec = re.compile(r"\s*([a-z][a-z0-9_-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)


@cache
def _games() -> dict[str, Description]:
    """The games by name, in the order in which they are listed."""
    folders = [one.name for one in pkgutil.iter_modules([str(Path(__file__).parent)]) if one.ispkg]
    found: list[Description] = [import_module(f"tempo.games.{name}").GAME for name in folders]
    found.sort(key=lambda game: (game.listed, game.name))
    return {game.name: game for game in found}


def register(core: ModuleType, description: Description | None = None) -> None:
    """Makes a game known under its own name; `core` is a module bound as the built-in games are."""
    _games()[str(core.name)] = description or Description(core)


def names() -> tuple[str, ...]:
    """Lists the registered games.

    >>> "gomoku" in names()
    True
    """
    return tuple(_games())


def describe(name: str) -> Description:
    """Gives what the package knows of a registered game besides its rules."""
    if name not in _games():
        raise ParseError(f"there is no game {quoted(name)}; there are {', '.join(_games())}")
    return _games()[name]


def load(spec: str | Game) -> Game:
    """Loads the game that a string names, with its rule options in brackets.

    >>> load("gomoku")
    <game gomoku, gomoku-rules/1.0>
    >>> load("gomoku(size=9,rule=exactly_five)").move_numbers
    81
    >>> load("go")
    Traceback (most recent call last):
        ...
    tempo._core.ParseError: there is no game 'go'; there are ...
    """
    if isinstance(spec, Game):
        return spec
    name, given = parse_spec(spec)
    game = describe(name)
    return Game(game.core, game.core.Options(_without_profile(game, given)), game)


def _without_profile(game: Description, given: dict[str, str]) -> dict[str, str]:
    if "profile" not in given or not game.profiles:
        return given
    profile = given["profile"]
    if profile not in game.profiles:
        known = ", ".join(game.profiles)
        raise ParseError(f"{game.name} has no profile {quoted(profile)}; it has {known}")
    rest = {key: value for key, value in given.items() if key != "profile"}
    return {**game.profiles[profile], **rest}


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Takes `name(key=value,...)` apart. Refuses what is malformed or given twice.

    >>> parse_spec("gomoku(size=9)")
    ('gomoku', {'size': '9'})
    """
    check_text(spec, "a game's name with its options", LONGEST)
    match = _spec.fullmatch(spec)
    if match is None:
        raise ParseError(f"{quoted(spec)} is not a game; expected name or name(option=value,...)")
    inside = (match[2] or "").strip()
    return match[1], parse_settings(inside, spec) if inside else {}


def parse_settings(text: str, whole: str) -> dict[str, str]:
    """Reads `key=value,key=value` into a dictionary; `whole` is what error messages quote."""
    given: dict[str, str] = {}
    for item in text.split(","):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or not key or not value:
            where = f"{quoted(item.strip())} in {quoted(whole)}"
            raise ParseError(f"{where} is not a setting; expected name=value")
        if key in given:
            raise ParseError(f"{quoted(key)} is given twice in {quoted(whole)}")
        given[key] = value
    return given
