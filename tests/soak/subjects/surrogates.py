"""Half a letter: texts with a lone surrogate, which Python can hold and UTF-8 cannot.

They come from file names, from JSON ("\\ud800") and from programs that cut UTF-16. Every reader of
texts is given some, in the inputs of its own subject.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from soak.subject import Subject
from soak.subjects import agents, records, texts, web

LONE = ("\ud800", "\udfff", "\udc80")


def readers() -> dict[str, Subject]:
    """The subjects whose inputs are texts, or hold one."""
    found = (*texts.subjects(), *records.subjects(), *agents.subjects(), *web.subjects())
    heavy = ("web.h", "web.s", "agents.choices")
    return {one.name: one for one in found if not one.name.startswith(heavy)}


READERS = readers()


def pierced(given: Any, random: Random) -> Any:
    """An input with half a letter in its last text; what holds no text stays as it is."""
    if isinstance(given, str):
        at = random.randrange(len(given) + 1)
        return given[:at] + random.choice(LONE) + given[at:]
    if isinstance(given, tuple):
        *first, last = given
        return type(given)((*first, pierced(last, random)))
    return given


def make(random: Random) -> tuple[str, Any]:
    """A subject, and an input of it with half a letter."""
    name = random.choice(list(READERS))
    return name, pierced(READERS[name].make(random), random)


def attempt(given: tuple[str, Any]) -> str:
    """As the subject does."""
    name, pierced_input = given
    subject = READERS[name]
    try:
        return subject.attempt(pierced_input)
    except subject.refusals as error:
        return f"refused: {type(error).__name__}"


def subjects() -> Iterator[Subject]:
    """One for all readers."""
    yield Subject("surrogates", make, attempt, (), slice=150)
