"""Settings from what a TOML file says: every value is of its field's kind, or one sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tempo.errors import ParseError, check_text, quoted

# What a recipe says besides its learner's settings: every one, and those of some learners.
COMMON: Mapping[str, type] = {"about": str, "game": str, "learner": str, "seed": int}
OTHERS: Mapping[str, type] = {
    **COMMON, "ending": str, "keys": str, "learns": str, "play_depth": int, "reward": str,
    "simulations": int, "unfilled": str,
}  # fmt: skip
LONGEST = 2000  # letters of a text
LARGEST = 2**62  # of a whole number: what the core can count
_kinds = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


def made(kind: type[Any], given: object, what: str) -> Any:
    """A dataclass from a table. Unknown and missing names and values of other kinds are refused."""
    if not isinstance(given, Mapping):
        raise ParseError(f"a {what} is a table of settings, not {quoted(given)}")
    known, hints = [field.name for field in fields(kind)], get_type_hints(kind)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ParseError(f"a {what} has no {quoted(unknown[0])}; it has {', '.join(known)}")
    try:
        return kind(**{name: typed(f"{what}: {name}", hints[name], v) for name, v in given.items()})
    except TypeError as error:
        raise ParseError(f"a {what} is incomplete: {error}") from None


def plain(recipe: Mapping[str, Any], takes: Sequence[str] = ()) -> dict[str, Any]:
    """What of a recipe is the learner's own; the rest, which such recipes take, is checked."""
    others = (*COMMON, *takes)
    for name in others:
        if name in recipe:
            typed(f"recipe: {name}", OTHERS[name], recipe[name])
    return {name: value for name, value in recipe.items() if name not in others}


def in_plain(settings: Any) -> dict[str, Any]:
    """Settings as a TOML file has them."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(settings).items()}


def typed(where: str, hint: Any, value: Any) -> Any:
    """A value of the kind that a field is annotated with."""
    if get_origin(hint) is Literal:
        if value in get_args(hint):
            return value
        known = ", ".join(map(str, get_args(hint)))
        raise ParseError(f"{where} cannot be {quoted(value)}; it takes one of {known}")
    if get_origin(hint) in (Union, UnionType):
        parts = [part for part in get_args(hint) if part is not type(None)]
        return None if value is None else typed(where, parts[0], value)
    if get_origin(hint) is tuple:
        if not isinstance(value, list | tuple):
            raise ParseError(f"{where} cannot be {quoted(value)}; it takes a list")
        return tuple(typed(where, get_args(hint)[0], part) for part in value)
    if hint in _kinds and not _is(hint, value):
        raise ParseError(f"{where} cannot be {quoted(value)}; it takes {_kinds[hint]}")
    kind: Any = hint
    if is_dataclass(hint) and not isinstance(value, kind):
        return made(kind, value, kind.__name__.lower())
    if isinstance(value, str):
        check_text(value, where, LONGEST)
    return value


def _is(hint: Any, value: Any) -> bool:
    if hint is float:
        return type(value) in (int, float) and math.isfinite(value) and abs(value) < LARGEST
    return type(value) is hint and (hint is not int or abs(value) < LARGEST)
