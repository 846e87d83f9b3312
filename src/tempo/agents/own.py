"""Agents of your own: a class with `choose(view)`, registered, installed or named by its file.

    from tempo import agents

    @agents.register
    class Corner:
        name = "corner"
        def __init__(self, depth: int = 2): ...
        def choose(self, view):
            return view.legal_moves[0]

A file of it is an agent wherever an agent's name goes: `corner.py:Corner:depth=3`. A package that
is installed names its agents as entry points of the group `tempo.agents`.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from dataclasses import make_dataclass, replace
from functools import cache
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from tempo.agents.base import Candidate, Choice, Cloned, as_choice
from tempo.agents.registry import Kind, add
from tempo.agents.settings import AgentSettings, read, setting, text_of
from tempo.errors import ParseError, TempoError, quoted
from tempo.games.python import run_file
from tempo.games.registry import load as game_of

if TYPE_CHECKING:
    from tempo.games.protocol import View

C = TypeVar("C", bound=type[Any])
ENTRY_POINTS = "tempo.agents"
OFFERED = "TEMPO_AGENTS"  # an environment variable: a line each, as in `corner.py:Corner`
KINDS = {int: "int", float: "float", bool: "bool", str: "str"}
_named = re.compile(r"(?P<file>[^:=,]+\.py):(?P<name>[A-Za-z_]\w*)")
_name = re.compile(r"[a-z][a-z0-9_-]*")


@overload
def register(made: C) -> C: ...
@overload
def register(
    *, name: str = "", summary: str = "", games: tuple[str, ...] | None = None
) -> Callable[[C], C]: ...
def register(
    made: Any = None, *, name: str = "", summary: str = "", games: tuple[str, ...] | None = None
) -> Any:
    """Makes a class an agent that is known by name, everywhere in this process.

    It has `choose(view)`, which gives a move, as its number or its text, or a `Choice`; and, if it
    likes, `reset(seed)`, called before every game. `name` is its attribute or the class's own in
    small letters. Arguments of its constructor, with their defaults, are its settings.

    >>> from tempo import agents, arena
    >>> @agents.register(name="first")
    ... class First:
    ...     def choose(self, view):
    ...         return view.legal_moves[0]
    >>> arena.match(("first", "random"), "gomoku(size=5)", games=2).games
    2
    """
    if made is None:
        return lambda given: register_as(given, name, summary, games) and given
    register_as(made, name, summary, games)
    return made


def register_as(
    made: Any, name: str = "", summary: str = "", games: tuple[str, ...] | None = None
) -> Kind:
    """The same, giving what is known of the agent then."""
    if not isinstance(made, type) or not callable(getattr(made, "choose", None)):
        raise ParseError(f"{quoted(getattr(made, '__name__', made))} is no class with choose(view)")
    own = getattr(made, "name", None)
    named = name or (own if isinstance(own, str) else made.__name__.lower())
    if not _name.fullmatch(named):
        raise ParseError(f"{quoted(named)} is no name of an agent; expected letters, digits and -")
    about = summary or (inspect.getdoc(made) or "an agent of your own").partition("\n")[0]
    settings = _settings_of(made)

    def make(given: Any) -> OwnAgent:
        return OwnAgent(made, named, given)

    kind = Kind(named, settings, make, about.rstrip("."), games)
    add(kind)
    return kind


class OwnAgent(Cloned):
    """Anything with `choose(view)` as an agent: what it answers is checked."""

    def __init__(self, made: type[Any], name: str, settings: Any) -> None:
        self.settings, self._class, self._base = settings, made, name
        self.name = text_of(name, settings)
        given = {key: getattr(settings, key) for key in settings.__dataclass_fields__}
        self._agent = made(**given)
        if not _takes_a_view(self._agent.choose):
            raise ParseError(f"{made.__name__}.choose takes no view; expected choose(self, view)")

    def choose(self, view: View) -> Choice:
        """What the agent answers, as a choice."""
        return _checked(as_choice(self._agent.choose(view), view, self.name), view, self.name)

    def reset(self, seed: int) -> None:
        """Begins a new game, if the agent wants to know."""
        if callable(reset := getattr(self._agent, "reset", None)):
            reset(seed)

    def clone(self) -> OwnAgent:
        """Another of the same settings."""
        other = OwnAgent(self._class, self._base, self.settings)
        other.name = self.name
        return other


def _takes_a_view(choose: Any) -> bool:
    """Whether it can be called with one argument, as far as can be seen."""
    try:
        inspect.signature(choose).bind(None)
    except ValueError:  # of what is not written in Python
        return True
    except TypeError:
        return False
    return True


def _checked(choice: Choice, view: View, name: str) -> Choice:
    """A choice in whose parts there are numbers where others count on them."""

    def wrong(part: str, given: object, expected: str) -> TempoError:
        told = f"{name} answered a Choice whose {part} is {quoted(given)}; expected {expected}"
        return TempoError(told)

    seats = _seats(view.game)
    values = choice.values
    if len(values) not in (0, seats) or not all(-1 <= one <= 1 for one in values):
        raise wrong("values", values, f"a number from -1 to 1 for each of {seats} seats, or ()")
    move = as_choice(choice.move, view, name).move
    try:
        line = tuple(map(index, choice.line)) or (move,)
    except TypeError:
        raise wrong("line", choice.line, "the numbers of moves, or ()") from None
    if not isinstance(choice.depth, int):
        raise wrong("depth", choice.depth, "a whole number")
    candidates = choice.candidates
    if not isinstance(candidates, tuple) or not all(isinstance(c, Candidate) for c in candidates):
        raise wrong("candidates", candidates, "a tuple of Candidate")
    return replace(choice, move=move, line=line)


@cache
def _seats(spec: str) -> int:
    return game_of(spec).seats


def _settings_of(made: type[Any]) -> type[Any]:
    """The arguments of a constructor as settings; ParseError where one is no plain value."""
    fields: list[Any] = []
    if made.__init__ is not object.__init__:
        for one in [*inspect.signature(made.__init__).parameters.values()][1:]:
            if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                continue
            if type(one.default) not in KINDS:
                raise ParseError(
                    f"the argument {one.name} of {made.__name__} needs a default that is a number, "
                    "a text or a bool"
                )
            fields.append((one.name, KINDS[type(one.default)], setting(one.default, "its own")))
    found = make_dataclass(f"{made.__name__}Settings", fields, bases=(AgentSettings,), frozen=True)
    found.__doc__ = "The arguments of its constructor." if fields else ""
    return found


# ---- by file ---------------------------------------------------------------------------------


def named_by_file(name: str) -> bool:
    """Whether a text names something in a file: `corner.py:Corner`."""
    return _named.fullmatch(name) is not None


def from_file(name: str, given: dict[str, str]) -> OwnAgent:
    """The agent of a class in a file, `corner.py:Corner`, with these settings."""
    kind = register_as(object_in(name))
    agent = cast("OwnAgent", kind.make(read(kind.settings, given, kind.name)))
    agent.name = ":".join(
        [name, *([",".join(f"{k}={v}" for k, v in given.items())] if given else [])]
    )
    return agent


def object_in(named: str) -> Any:
    """A class or function of a Python file, which is run once: `corner.py:Corner`."""
    file, _, name = named.partition(":")
    path = Path(file).expanduser().resolve()
    if not path.is_file():
        raise ParseError(f"there is no file {quoted(file)}")
    module = _run(str(path), os.stat(path).st_mtime_ns)
    if not hasattr(module, name):
        known = [key for key, one in vars(module).items() if hasattr(one, "choose")]
        has = f"; it has {', '.join(known)}" if known else ""
        raise ParseError(f"{file} has no {quoted(name)}{has}")
    return getattr(module, name)


@cache
def _run(path: str, _changed: int) -> Any:
    return run_file(path)


def offer(name: str) -> str:
    """Makes a class in a file known by its own name, in the programs that this one starts too."""
    kind = register_as(object_in(name))
    listed = [one for one in os.environ.get(OFFERED, "").split("\n") if one]
    if name not in listed:
        os.environ[OFFERED] = "\n".join([*listed, name])
    return kind.name


# ---- installed -------------------------------------------------------------------------------


def installed() -> dict[str, TempoError]:
    """Registers agents of installed packages and those on offer; gives those that fail, and why."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and seldom needed

    broken: dict[str, TempoError] = {}
    for name in filter(None, os.environ.get(OFFERED, "").split("\n")):
        register_as(object_in(name))
    for point in entry_points(group=ENTRY_POINTS):
        package = point.dist.name if point.dist else point.module
        try:
            register_as(point.load(), point.name)
        except Exception as error:
            broken[point.name] = TempoError(
                f"the agent {point.name} of {package} cannot be loaded: "
                f"{type(error).__name__}: {error}"
            )
    return broken


__all__ = ["OwnAgent", "from_file", "installed", "named_by_file", "object_in", "offer", "register"]
