"""What goes wrong with input. Every message says what, where and what would have been right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo._core import IllegalMove, ParseError, Stopped, TempoError

if TYPE_CHECKING:
    from collections.abc import Iterable


def quoted(value: object) -> str:
    """A value for a message: of bounded length, and printable whatever it holds."""
    text = value if isinstance(value, str) else repr(value)
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:40])
    return f"'{shown}{'...' if len(text) > 40 else ''}'"


def check_text(text: str, what: str, longest: int) -> None:
    """Raises ParseError for a text that is too long, or that no file and no library could hold."""
    if len(text) > longest:
        raise ParseError(
            f"{what} has at most {longest:,} letters, not {len(text):,}: {quoted(text)}"
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ParseError(f"{what} is text, and {quoted(text)} holds half a character") from None


def unknown(what: str, name: object, known: Iterable[str], more: str = "") -> ParseError:
    """The error for a name that is none of those there are; first the one that was likely meant.

    >>> print(unknown("learner", "td_laef", ["td", "td_leaf"]))
    there is no learner 'td_laef'; did you mean td_leaf? There are td, td_leaf
    >>> print(unknown("learner", "x", ["td", "td_leaf"]))
    there is no learner 'x'; there are td, td_leaf
    """
    names = list(known)
    guess = meant(name, names)
    there = f"{guess} There" if guess else "; there"
    return ParseError(f"there is no {what} {quoted(name)}{there} are {', '.join(names)}{more}")


def meant(name: object, known: Iterable[str]) -> str:
    """To add to a message on a name that is wrong: the one that was likely meant, if any was."""
    from difflib import get_close_matches  # noqa: PLC0415 - names are seldom wrong

    close = get_close_matches(str(name)[:100], list(known), 1)
    return f"; did you mean {close[0]}?" if close else ""


# The packages of each extra, by the name under which they are imported.
EXTRAS = {
    "deep": ("jax", "jaxlib", "equinox", "optax"),
    "web": ("fastapi", "starlette", "uvicorn", "websockets"),
    "plot": ("matplotlib",),
    "tensorboard": ("tensorboardX",),
    "envs": ("gymnasium", "pettingzoo"),
    "cluster": ("ray",),
}


def missing_extra(error: ImportError) -> TempoError | None:
    """What to install where a package of an extra is not there; None for any other package."""
    package = (error.name or "").partition(".")[0]
    for extra, packages in EXTRAS.items():
        if package in packages:
            return TempoError(
                f"this needs {package}, of the extra `{extra}`: pip install 'tempo-games[{extra}]'"
            )
    return None


__all__ = [
    "IllegalMove",
    "ParseError",
    "Stopped",
    "TempoError",
    "check_text",
    "meant",
    "missing_extra",
    "quoted",
    "unknown",
]
