"""Agents' settings as text: `name:key=value,...`, read into and printed from frozen dataclasses.

Every number has a range and every word its choices, checked when the settings are made, so that an
agent never has to.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tempo.errors import ParseError, meant, quoted
from tempo.games.registry import parse_settings
from tempo.runs import is_run

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

S = TypeVar("S", bound="DataclassInstance")
Range = tuple[float, float]  # both ends included
Opens = Literal["", "file", "program", "run"]  # a run has a slash in its name, or is there

# Ranges that settings of many agents share.
SECONDS: Range = (0, 1e6)
COUNT: Range = (0, 10**12)  # positions, simulations
DEPTH: Range = (0, 100)
DRAWS: Range = (1, 10**6)  # playouts, determinizations
THREADS: Range = (1, 256)
FACTOR: Range = (0, 1e6)  # an exploration constant, a temperature

RENAMED = {"truths": "determinizations"}  # old names of settings, which the refusal tells

_yes_no = {"yes": True, "no": False}


def _memory() -> Range:
    """MiB that this machine has."""
    try:
        return (0, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20)
    except (ValueError, OSError, AttributeError):  # not told here
        return (0, 2**20)


MEMORY = _memory()


def setting(
    default: Any,
    meaning: str,
    within: Range | None = None,
    *,
    choices: tuple[str, ...] = (),
    opens: Opens = "",
) -> Any:
    """A field of a settings dataclass with what it means, for `tempo agents`.

    A number is `within` a range; a word is one of the `choices`. `opens` says that any other text
    names a file or a folder that is read, or a program that is started.
    """
    about = {"help": meaning, "within": within, "choices": choices, "opens": opens}
    return field(default=default, metadata=about)


@dataclass(frozen=True)
class AgentSettings:
    """The base of settings dataclasses: out of range is a ParseError, however they are made."""

    def __post_init__(self) -> None:
        for known in fields(self):
            _check(known, getattr(self, known.name))


def _check(known: Field[Any], value: Any) -> None:
    if not _fits(known, value):
        raise ParseError(f"{known.name} cannot be {quoted(value)}; it takes {_expected(known)}")


def _fits(known: Field[Any], value: Any) -> bool:
    within, choices, opens = (known.metadata[name] for name in ("within", "choices", "opens"))
    if within is not None:
        number = isinstance(value, int if _kind(known) == "int" else int | float)
        return number and not isinstance(value, bool) and within[0] <= value <= within[1]
    if opens:
        named = opens != "run" or "/" in value or ".py:" in value or is_run(value)
        return value in choices or (_is_path(value) and named)
    return not choices or value in choices


def _kind(known: Field[Any]) -> str:
    """The name of a setting's type, which a module may have written as text or not."""
    return known.type if isinstance(known.type, str) else known.type.__name__


def _expected(known: Field[Any]) -> str:
    about = known.metadata
    if about["within"] is not None:
        low, high = about["within"]
        kind = "a whole number" if _kind(known) == "int" else "a number"
        return f"{kind} from {low:,g} to {_large(high)}"
    opened = "a run folder" if about["opens"] == "run" else f"the name of a {about['opens']}"
    words = [*about["choices"], *([opened] if about["opens"] else [])]
    if words:
        return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    return "yes or no" if _kind(known) == "bool" else "a text"


def _is_path(text: str) -> bool:
    """Whether a file can be called so."""
    try:
        parts = os.fsencode(text).split(b"/")
    except ValueError:
        return False
    return "\0" not in text and len(text) < 4096 and all(len(part) < 256 for part in parts)


def _large(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 and float(value).is_integer() else f"{value:g}"


def split(spec: str) -> tuple[str, dict[str, str]]:
    """`mcts:sims=100,c=1` as its name and its settings."""
    name, colon, rest = spec.strip().partition(":")
    if colon and name.endswith(".py"):  # of a class in a file
        made, colon, rest = rest.partition(":")
        name = f"{name}:{made}"
    if not name or (colon and not rest.strip()):
        raise ParseError(f"{quoted(spec)} is not an agent; expected name or name:setting=value,...")
    return name, parse_settings(rest, spec) if colon else {}


def read(kind: type[S], given: dict[str, str], agent: str, usual: S | None = None) -> S:
    """A settings dataclass from text; unknown names and values out of range are refused.

    What is not given is as in `usual`, or as the class has it.
    """
    known = check_names(kind, given, agent)
    try:
        values: Any = {name: _convert(text, known[name]) for name, text in given.items()}
        return kind(**values) if usual is None else replace(usual, **values)
    except ParseError as error:
        raise ParseError(f"{agent}:{error}") from None


def check_names(kind: type[Any], given: Iterable[str], agent: str) -> dict[str, Field[Any]]:
    """Refuses settings that an agent does not have; gives those that it has."""
    known = {field.name: field for field in fields(kind)}
    for name in given:
        if name not in known and RENAMED.get(name) in known:
            raise ParseError(f"{agent}: the setting '{name}' is now called '{RENAMED[name]}'")
        if name not in known:
            guess = meant(name, known)
            it_has = f"{guess} It has" if guess else "; it has"
            listed = ", ".join(known) or "none"
            raise ParseError(f"{agent} has no setting {quoted(name)}{it_has} {listed}")
    return known


def with_new_names(stored: str) -> str:
    """An agent's text as an earlier version stored it, with the settings' names of today."""
    for old, new in RENAMED.items():
        stored = re.sub(rf"(?<=[:,]){old}=", f"{new}=", stored)
    return stored


def _convert(text: str, known: Field[Any]) -> int | float | bool | str:
    kind = _kind(known)
    try:
        if kind == "bool":
            return _yes_no[text]
        if kind in ("int", "float"):
            if not text.isascii() or "_" in text:  # Python would take both
                raise ValueError
            number = int(text) if kind == "int" else float(text)
            if not math.isfinite(number):
                raise ValueError
            return number
    except (ValueError, KeyError, OverflowError):
        message = f"{known.name} cannot be {quoted(text)}; it takes {_expected(known)}"
        raise ParseError(message) from None
    return text


def opened(settings: DataclassInstance) -> dict[str, Opens]:
    """The settings whose values name a file to read or a program to start, and which of both.

    A program counts even where nothing was set: its agent starts one whatever it is called.
    """
    found: dict[str, Opens] = {}
    for known in fields(settings):
        opens, value = known.metadata["opens"], getattr(settings, known.name)
        if opens == "program" or (opens and value and value not in known.metadata["choices"]):
            found[known.name] = opens
    return found


def shown(value: Any) -> str:
    """A setting's value as it is typed."""
    if isinstance(value, bool):
        return ("no", "yes")[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def text_of(agent: str, settings: DataclassInstance) -> str:
    """The agent's full name: only what differs from the defaults is printed."""
    parts = []
    for known in fields(settings):
        value = getattr(settings, known.name)
        if known.default is MISSING or value != known.default:
            parts.append(f"{known.name}={shown(value)}")
    return agent + (":" + ",".join(parts) if parts else "")
