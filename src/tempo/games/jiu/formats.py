"""Jiu's records as the page opens and saves them."""

from __future__ import annotations

import re

from tempo.games.dialect import sgf_format
from tempo.games.formats import Format, GameTree, tree_of
from tempo.games.jiu import foreign, sgf


def _foreign(name: str, begins: str) -> Format:
    """A format of another program, which is read and not written."""

    def read(text: str) -> list[GameTree]:
        return [tree_of([record]) for record in foreign.read(text, name)]

    return Format(name, "another record of Jiu", read, re.compile(begins), tried=2)


FORMATS = (
    sgf_format(sgf.DIALECT),
    _foreign("open", r'"?Stage\['),
    _foreign("gongjiu", r"[^\n]+ vs [^\n]+\n"),
    _foreign("book", r"0,[a-nA-N][0-9A-Da-d],"),
)
