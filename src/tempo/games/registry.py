"""Games by name. Anyone can register a further one; `tempo.testing` then checks it."""

from __future__ import annotations

import re
from types import ModuleType

from tempo import _core
from tempo.errors import ParseError, check_text, quoted
from tempo.games.game import Game
from tempo.games.jiu.face import PROFILES as JIU_PROFILES

_games: dict[str, ModuleType] = {}
_profiles: dict[str, dict[str, dict[str, str]]] = {"jiu": JIU_PROFILES}

LONGEST = 2000  # letters of a game with its options
_spec = re.compile(r"\s*([a-z][a-z0-9_-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)


def register(core: ModuleType) -> None:
    """Makes a game known under its own name; `core` is a module bound as the built-in games are."""
    _games[str(core.name)] = core


def names() -> tuple[str, ...]:
    """The registered games."""
    return tuple(_games)


def load(spec: str | Game) -> Game:
    """The game that a string names: `gomoku`, `gomoku(size=9,rule=exactly_five)`."""
    if isinstance(spec, Game):
        return spec
    name, given = parse_spec(spec)
    if name not in _games:
        raise ParseError(f"there is no game {quoted(name)}; there are {', '.join(_games)}")
    core = _games[name]
    return Game(core, core.Options(_without_profile(name, given)))


def profiles(name: str) -> dict[str, dict[str, str]]:
    """Bundles of options that a game has names for: `jiu(profile=competition)`."""
    return _profiles.get(name, {})


def _without_profile(name: str, given: dict[str, str]) -> dict[str, str]:
    if "profile" not in given or not profiles(name):
        return given
    profile = given["profile"]
    if profile not in profiles(name):
        known = ", ".join(profiles(name))
        raise ParseError(f"{name} has no profile {quoted(profile)}; it has {known}")
    rest = {key: value for key, value in given.items() if key != "profile"}
    return {**profiles(name)[profile], **rest}


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """`name(key=value,...)` taken apart. Refuses what is malformed or given twice."""
    check_text(spec, "a game's name with its options", LONGEST)
    match = _spec.fullmatch(spec)
    if match is None:
        raise ParseError(f"{quoted(spec)} is not a game; expected name or name(option=value,...)")
    inside = (match[2] or "").strip()
    return match[1], parse_settings(inside, spec) if inside else {}


def parse_settings(text: str, whole: str) -> dict[str, str]:
    """`key=value,key=value` as a dictionary; `whole` is what error messages quote."""
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


for _core_game in (_core.gomoku, _core.chess, _core.jiu, _core.shogi, _core.minishogi, _core.siguo):
    register(_core_game)
