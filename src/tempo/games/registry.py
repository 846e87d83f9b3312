"""Games by name: those in the folders beside this file, and any that is registered or installed.

Files that the environment names in TEMPO_GAMES register theirs when a game is first asked for.
An installed package names its games by entry points of the group `tempo.games`: a `Description`, or
a class in Python. `tempo.testing` checks a game.
"""

from __future__ import annotations

import os
import pkgutil
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from tempo.errors import ParseError, TempoError, check_text, meant, quoted, unknown
from tempo.games import python
from tempo.games.description import Description
from tempo.games.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Registered = TypeVar("Registered", bound="ModuleType | type[Any]")

ENTRY_POINTS = "tempo.games"  # the group in which packages name their games
FROM_LIBRARY = "openspiel:"  # names of games that another library has
LONGEST = 2000  # letters of a game with its options
_spec = re.compile(r"\s*((?:openspiel:[a-z0-9_]|[a-z])[a-z0-9_-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)


@cache
def _games() -> dict[str, Description]:
    """The games by name, in the order in which they are listed."""
    folders = [one.name for one in pkgutil.iter_modules([str(Path(__file__).parent)]) if one.ispkg]
    found: list[Description] = [import_module(f"tempo.games.{name}").GAME for name in folders]
    found.sort(key=lambda game: (game.listed, game.name))
    return {game.name: game for game in found}


def register(game: Registered, description: Description | None = None) -> Registered:
    """Makes a game known under its own name, and returns it: a class may have this above it.

    A game is a class in Python (`tempo.games.python`) or a module bound as those of the core are.
    """
    core = python.core_of(game) if isinstance(game, type) else game
    known = _games().get(str(core.name))
    if isinstance(game, type) and known and not isinstance(known.core, python.ForeignCore):
        raise ParseError(f"there is a game {core.name} already; give this one another name")
    face = getattr(game, "face", None) if isinstance(game, type) else None
    _games()[str(core.name)] = description or Description(core, drawn=face() if face else None)
    return game


_files_wait = True  # until a game is first asked for
_closed = False
_broken: dict[str, TempoError] = {}


def close() -> None:
    """Lets no further game of a library become known: for servers, whose guests name games."""
    global _closed  # noqa: PLW0603 - of the whole program
    _closed = True
    for description in _known().values():
        if isinstance(description.core, python.ForeignCore):
            description.core.close()


def _known() -> dict[str, Description]:
    """All games, those of files and of installed packages included."""
    _run_files()
    for name in _installed():
        _find(name)
    return _games()


def _run_files() -> None:
    global _files_wait  # noqa: PLW0603 - a file may ask for games while it registers its own
    if _files_wait:
        _files_wait = False
        for path in filter(None, os.environ.get(python.FILES, "").split(os.pathsep)):
            python.run_file(path)


@cache
def _installed() -> dict[str, EntryPoint]:
    """Where the games of installed packages are found, by name. None is imported here."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and often not needed

    return {found.name: found for found in entry_points(group=ENTRY_POINTS)}


def _find(name: str) -> Description | None:
    """A game by its name; an installed one is imported when it is first asked for."""
    _run_files()
    if name not in _games() and name in _installed() and name not in _broken:
        try:
            _games()[name] = _imported(_installed()[name])
        except TempoError as error:
            _broken[name] = error
    return _games().get(name)


def _imported(point: EntryPoint) -> Description:
    """The game of an entry point; TempoError says what is wrong with it."""
    package = point.dist.name if point.dist else point.module
    try:
        found = point.load()
        game = Description(python.core_of(found)) if isinstance(found, type) else found
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise TempoError(f"the game {point.name} of {package} cannot be loaded: {why}") from error
    if not isinstance(game, Description) or game.name != point.name:
        what = f"a game {game.name}" if isinstance(game, Description) else "no Description"
        raise TempoError(f"the game {point.name} of {package} cannot be loaded: it is {what}")
    return game


def broken() -> dict[str, TempoError]:
    """Installed games that cannot be loaded, and why; no list of games has them."""
    _known()
    return dict(_broken)


def from_file(path: str) -> str:
    """Runs a Python file that registers a game; gives the game's name, the last if it has more."""
    before = dict(_known())
    python.run_file(path)
    new = [name for name, game in _games().items() if before.get(name) is not game]
    if not new:
        raise ParseError(f"{path} registers no game; put @tempo.register above its class")
    return new[-1]


def names() -> tuple[str, ...]:
    """Lists the registered games.

    >>> "gomoku" in names()
    True
    """
    return tuple(_known())


def describe(name: str) -> Description:
    """Gives what the package knows of a registered game besides its rules."""
    found = _find(name)
    if found is None and name.startswith(FROM_LIBRARY) and not _closed:
        from tempo.games import openspiel  # noqa: PLC0415 - an optional library

        register(openspiel.core_of(name))
        found = _find(name)
    if found is None and name in _broken:
        raise _broken[name]
    if found is None:
        raise unknown("game", name, _known())
    return found


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
    chosen = _without_profile(game, given)
    try:
        options = game.core.Options(chosen)
    except ParseError as error:
        raise _with_guess(error, game, chosen) from None
    return Game(game.core, options, game)


def _with_guess(error: ParseError, game: Description, given: dict[str, str]) -> ParseError:
    """What the core refuses, with the option or the value that was likely meant."""
    choices = {row[0]: row[2].split(", ") for row in game.core.option_fields()}
    names = [*choices, *["profile"] * bool(game.profiles)]
    for name, value in given.items():
        wrong, known = (value, choices[name]) if name in choices else (name, names)
        if wrong not in known and f"'{wrong}'" in str(error) and (guess := meant(wrong, known)):
            return ParseError(str(error).replace("; it ", f"{guess} It ", 1))
    return error


def _without_profile(game: Description, given: dict[str, str]) -> dict[str, str]:
    if "profile" not in given or not game.profiles:
        return given
    profile = given["profile"]
    if profile not in game.profiles:
        guess = meant(profile, game.profiles)
        it_has = f"{guess} It has" if guess else "; it has"
        known = ", ".join(game.profiles)
        raise ParseError(f"{game.name} has no profile {quoted(profile)}{it_has} {known}")
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
