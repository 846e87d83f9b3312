"""Words for people: one catalogue a language, and the language in which somebody is spoken to.

A catalogue is the sum of `<language>.json` here and of those in the folders `texts` of the games.
Texts that only some rooms of the page need lie in `<language>.<part>.json`. A text may have gaps
(`{who} to move`); one with a bar has a form for one and a form for more (`{n} stone|{n} stones`).

Sentences that the core makes are English. Templates of them stand in the catalogues under `core.`
and are translated by form: what fits the English template is put into the other one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

LANGUAGES = {"en": "English", "zh": "中文", "ja": "日本語"}
USUAL = "en"  # also what a language says that has no word of its own
_language: ContextVar[str] = ContextVar("language", default=USUAL)
_plain: ContextVar[bool] = ContextVar("plain", default=False)
_CORE = "core."
_GAP = re.compile(r"\\\{(\w+)\\\}")
REFUSALS = "refused"  # the part that says why something is not done
_SENTENCES = ("why", "text", "more", "names")  # gaps of refusals that take several words
_PLACES = ("refused.line", "refused.line_column", "refused.move")  # what they begin with
LONGEST = 600  # letters of a refusal; gaps in a longer one would take long to find


@contextmanager
def speaking(language: str, plain: bool = False) -> Iterator[None]:
    """Within it, texts are in this language; `plain`: in letters that every reader of it knows."""
    tokens = _language.set(known(language)), _plain.set(plain)
    try:
        yield
    finally:
        _language.reset(tokens[0])
        _plain.reset(tokens[1])


def listen(wanted: str, *, plain: bool = False) -> None:
    """From here on, in this context, texts are in the language that a browser asks for."""
    _language.set(chosen(wanted))
    _plain.set(plain)


def chosen(accepted: str) -> str:
    """The first language of an `Accept-Language` header that there is a catalogue for."""
    for part in accepted.split(",")[:20]:
        tag = part.partition(";")[0].strip().lower().partition("-")[0]
        if tag in LANGUAGES:
            return tag
    return USUAL


def known(language: str) -> str:
    """The language itself if there is a catalogue for it; else the usual one."""
    return language if language in LANGUAGES else USUAL


def language() -> str:
    """In which language texts are made now."""
    return _language.get()


def is_plain() -> bool:
    """Whether somebody asked for plain letters instead of Chinese and Japanese characters."""
    return _plain.get()


def t(key: str, **given: object) -> str:
    """A text by its key, with its gaps filled."""
    return fill(catalogue(_language.get())[key], given)


def word(group: str, name: str) -> str:
    """A word by its English name (`seat`, `black`); a name without an entry stays as it is."""
    return catalogue(_language.get()).get(f"{group}.{name}", name)


def fill(text: str, given: dict[str, object]) -> str:
    """A text with its gaps filled; the form for one where `n` is one."""
    if "|" in text:
        one, more = text.split("|")
        text = one if given.get("n") == 1 else more
    return text.format(**given)


def translated(sentence: str, part: str = "") -> str:
    """A sentence of the core in the language of now; as it is where no template fits.

    With `part`, the templates are all texts of that part (`claims`: of papers) before those of the
    core, and what fits their gap `{n}` is a number.
    """
    spoken = _language.get()
    if spoken == USUAL:
        return sentence
    for key, form in _forms(part):
        if fits := form.fullmatch(sentence):
            gaps = {name: translated(gap, part) for name, gap in fits.groupdict().items()}
            return fill(catalogue(spoken, part)[key], {**gaps})
    return translated(sentence) if part else sentence


def refusal(sentence: str) -> str:
    """Why something is not done, in the language of now; faults in texts and positions, too."""
    return sentence if len(sentence) > LONGEST else translated(sentence, REFUSALS)


@lru_cache(maxsize=4)
def _forms(part: str) -> list[tuple[str, re.Pattern[str]]]:
    """The English templates of what the core says or of a part, the most definite first."""
    known = catalogue(USUAL, part).items()
    rows = [(key, text) for key, text in known if part or key.startswith(_CORE)]
    if part == REFUSALS:  # sentences within sentences: where it is, then the most letters
        rows.sort(key=lambda row: (row[0] not in _PLACES, -len(re.sub(r"\{\w+\}", "", row[1]))))
    else:
        rows.sort(key=lambda row: (row[1].count("{"), -len(row[1])))
    fits = partial(_fitting, part)
    return [(key, re.compile(_GAP.sub(fits, re.escape(text)))) for key, text in rows]


def _fitting(part: str, gap: re.Match[str]) -> str:
    """What may fill a gap: anything; in a part `{n}` is a number, in refusals most are a word."""
    name = gap[1]
    form = ".*?" if name == "text" else ".+?"
    if part and name == "n":
        form = r"[\d.,]+|[IVX]+"
    elif part == REFUSALS and name not in _SENTENCES:
        form = r"\S+?"
    return f"(?P<{name}>{form})"


@lru_cache(maxsize=32)
def catalogue(spoken: str, part: str = "") -> dict[str, str]:
    """All texts of a language; with `part`, those of that part alone."""
    found = dict(catalogue(USUAL, part)) if spoken != USUAL else {}
    for file in _files(f"{spoken}.{part}.json" if part else f"{spoken}.json"):
        found.update(json.loads(file.read_text("utf-8")))
    return found


def _files(name: str) -> Iterator[Traversable]:
    """The files of this name: the general one, then those of the games."""
    root = resources.files("tempo")
    folders = [root / "texts"]
    folders += [game / "texts" for game in (root / "games").iterdir() if game.is_dir()]
    for folder in folders:
        if (file := folder / name).is_file():
            yield file
