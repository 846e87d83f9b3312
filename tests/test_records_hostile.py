"""Records with half characters, huge numbers and nesting without end: taken, or one sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tempo.errors import IllegalMove, ParseError
from tempo.files import write_text
from tempo.games import plain
from tempo.games.chess import pgn
from tempo.games.gomoku import psq
from tempo.games.jiu import book as jiu_book
from tempo.games.jiu import foreign as jiu_foreign
from tempo.games.shogi import csa, kif
from tempo.games.siguo import record as siguo
from tempo.records import sgf

SEED = 1411
DATA = Path(__file__).parent / "data" / "records"
READERS: dict[str, Callable[[str], object]] = {
    "sgf": sgf.read, "pgn": pgn.read_all, "kif": kif.read, "kif lines": kif.read_lines,
    "csa": csa.read_all, "psq": psq.read, "siguo": siguo.read, "jq": jiu_foreign.read_jq,
    "open": jiu_foreign.read_open, "gongjiu": jiu_foreign.read_gongjiu, "book": jiu_book.read_book,
    "txt": plain.read,
}  # fmt: skip
PIECES = (
    "\ud800", "\udcff", "\0", "9" * 5000, "(" * 50_000, "[" * 50_000, "{" * 50_000, "٣", "²", "①",
    "-1", "1e308", "nan", "\x1b[31m", "\u2028", "[" + "\ud800" + "]",
)  # fmt: skip
WHOLE = (
    "", "\ud800", "\0", "(;" * 50_000, "(;GM[4]SZ[" + "9" * 5000 + "])", "1. " + "(" * 50_000,
    '[Event "\ud800"]\n\n1. e4 *', "siguo 1\nname S \ud800\n", "siguo 1\nopt x=\ud800\n",
    "game othello\nmoves\n\ud800\n", "game \ud800\nmoves\n", "game othello\nstart \0\nmoves\n",
)  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_no_text_is_another_kind_of_error(name: str) -> None:
    print("seed", SEED)
    draw = random.Random(SEED)
    samples = [path.read_bytes().decode(errors="replace") for path in sorted(DATA.iterdir())]
    texts = list(WHOLE)
    for _ in range(60):
        text = draw.choice(samples)
        place, cut = draw.randrange(len(text) + 1), draw.choice((0, 0, 3))
        texts.append(text[:place] + draw.choice(PIECES) + text[place + cut :])
    for text in texts:
        with suppress(ParseError, IllegalMove):
            READERS[name](text)


def test_half_a_character_is_kept_out_of_files(tmp_path: Path) -> None:
    tree = sgf.read_one("(;FF[4]GM[4]SZ[9]C[x\ud800];B[aa])")
    with pytest.raises(ParseError, match="cannot be written"):
        write_text(tmp_path / "game.sgf", sgf.write(tree))
    assert not list(tmp_path.iterdir())
