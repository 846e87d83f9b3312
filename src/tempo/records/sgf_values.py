"""Values of SGF: how texts are escaped, composed and spelled in one way."""

from __future__ import annotations

import re

NEWLINE = re.compile(r"\r\n|\n\r|\r|\n")
_escaped = re.compile(r"\\(.)", re.DOTALL)
_to_escape = re.compile(r"[\\\]]")
_BARE = "\0"  # stands for a colon that was not escaped, while a value is taken apart
_colon = re.compile(r"\\.|:", re.DOTALL)
_blank = str.maketrans("\t\v\f\0", "    ")  # white space other than line breaks reads as a space


def split_composed(value: str) -> tuple[str, str] | None:
    """The two texts of a composed value, `first:second`; None if it has no colon or several."""
    first, colon, second = _colon.sub(_bare_colon, value).partition(_BARE)
    return (unescape(first), unescape(second)) if colon and _BARE not in second else None


def _bare_colon(match: re.Match[str]) -> str:
    return _BARE if match[0] == ":" else match[0]


def escape(text: str) -> str:
    """A text as it stands between brackets; colons stay, as only composed values escape them."""
    plain = NEWLINE.sub("\n", text).translate(_blank)
    return _to_escape.sub(r"\\\g<0>", plain)


def compose(first: str, second: str) -> str:
    """Two texts as one escaped value, `first:second`."""
    return ":".join(escape(part).replace(":", r"\:") for part in (first, second))


def unescape(value: str) -> str:
    """The text that an escaped value stands for."""
    return _escaped.sub(r"\1", value) if "\\" in value else value


def canonical(value: str) -> str:
    r"""The one spelling of a value: no soft line breaks, `\` only before `\`, `]` and `:`."""
    if not _unusual.search(value):
        return value
    return _spelling.sub(_respelled, value).translate(_blank)


_unusual = re.compile(r"[\\\r\t\v\f\0]")
_spelling = re.compile(r"\\(\r\n|\n\r|.)|\r\n|\n\r|\r", re.DOTALL)


def _respelled(match: re.Match[str]) -> str:
    escaped: str | None = match[1]
    if escaped is None:
        return "\n"
    if escaped[0] in "\r\n":
        return ""
    return match[0] if escaped in r"\]:" else escaped
