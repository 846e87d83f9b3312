"""Gomoku's records as the page opens and saves them."""

from __future__ import annotations

import re

from tempo.games.dialect import sgf_format
from tempo.games.formats import Format, tree_of
from tempo.games.gomoku import psq, sgf

FORMATS = (
    sgf_format(sgf.DIALECT),
    Format(
        name="psq",
        title="PSQ",
        read=lambda text: [tree_of([psq.read(text)])],
        begins=re.compile("Piskvorky"),
        write_record=psq.write,
    ),
)
