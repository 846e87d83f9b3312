"""Shogi's records as the page opens and saves them; older files are in Shift-JIS."""

from __future__ import annotations

import re

from tempo.games.formats import Format, tree_of
from tempo.games.shogi import csa, kif

FORMATS = (
    Format(
        name="kif",
        title="KIF",
        read=lambda text: [tree_of(kif.read_lines(text))],
        begins=re.compile(
            r"#KIF|(?s:.*)(手合割|手数----|\n[ 　]*1[ 　]+[１-９1-9][一二三四五六七八九])"
        ),
        tried=1,
        encoding="cp932",
        write_record=kif.write,
        write_tree=lambda records, _: kif.write_lines(records),
    ),
    Format(
        name="csa",
        title="CSA",
        read=lambda text: [tree_of([record]) for record in csa.read_all(text)],
        begins=re.compile(r"'|V[123]|N[+-]|PI|P[1-9+-]|[+-]\d{4}[A-Z]{2}|\$[A-Z]"),
        tried=4,
        encoding="cp932",
        write_record=csa.write,
        joined="\n/\n",
    ),
)
