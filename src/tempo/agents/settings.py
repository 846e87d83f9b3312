"""Agents' settings as text: `name:key=value,...`, read into and printed from frozen dataclasses."""

from __future__ import annotations

from dataclasses import MISSING, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from tempo.errors import ParseError
from tempo.games.registry import parse_settings

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

S = TypeVar("S", bound="DataclassInstance")

_yes_no = {"yes": True, "no": False}


def setting(default: Any, meaning: str) -> Any:
    """A field of a settings dataclass with what it means, for `tempo agents`."""
    return field(default=default, metadata={"help": meaning})


def split(spec: str) -> tuple[str, dict[str, str]]:
    """`mcts:sims=100,c=1` as its name and its settings."""
    name, colon, rest = spec.strip().partition(":")
    if not name or (colon and not rest.strip()):
        raise ParseError(f"'{spec}' is not an agent; expected name or name:setting=value,...")
    return name, parse_settings(rest, spec) if colon else {}


def read(kind: type[S], given: dict[str, str], agent: str) -> S:
    """A settings dataclass from text; unknown names and unreadable values are refused."""
    known = {field.name: field for field in fields(kind)}
    values: dict[str, Any] = {}
    for name, text in given.items():
        if name not in known:
            raise ParseError(f"{agent} has no setting '{name}'; it has {', '.join(known)}")
        values[name] = _convert(text, str(known[name].type), f"{agent}:{name}")
    return kind(**values)


def _convert(text: str, kind: str, where: str) -> int | float | bool | str:
    try:
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
        if kind == "bool":
            return _yes_no[text]
    except (ValueError, KeyError):
        expected = {"int": "a whole number", "float": "a number", "bool": "yes or no"}[kind]
        raise ParseError(f"{where} cannot be '{text}'; it takes {expected}") from None
    return text


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
