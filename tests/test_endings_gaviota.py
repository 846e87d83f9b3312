"""Our tables against Gaviota's, which nobody here wrote (tests/data/gaviota).

Every legal position of KRK, KQK and KPK, 100,000 of KBBK (twins) and KRKN (both sides armed); then
positions turned, mirrored and recoloured by python-chess, so that our numbering has no say.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import chess
import chess.gaviota
import numpy as np
import pytest
from test_packaging import tool

import tempo
from tempo.games.chess.endings import Ending
from tempo.games.chess.tablebase import Tablebase

FOLDER = Path(__file__).parent / "data" / "gaviota"
CHECK = tool("check_gaviota")
SEED = 11
CHESS = tempo.load("chess")
TURNS: list[Callable[[int], int]] = [
    chess.flip_vertical, chess.flip_horizontal, chess.flip_diagonal, chess.flip_anti_diagonal,
]  # fmt: skip


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    return Tablebase(tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize(
    ("name", "compared"),
    [("KRK", 50_015), ("KQK", 46_137), ("KPK", 165_676), ("KBBK", 100_000), ("KRKN", 100_000)],
)
def test_every_distance_is_gaviotas(tables: Tablebase, name: str, compared: int) -> None:
    count, wrong = CHECK.differences(name, FOLDER, tables, 100_000, SEED)
    assert count == compared
    assert not wrong, f"{len(wrong)} differ, seed {SEED}: {wrong[:3]}"


@pytest.mark.parametrize("name", ["KPK", "KRKN"])
def test_turned_and_recoloured_positions_are_found(tables: Tablebase, name: str) -> None:
    ending = Ending(name, tables)
    random = Random(SEED)
    numbers = np.random.default_rng(SEED).integers(0, ending.family.members[0][2], 3000)
    with chess.gaviota.PythonTablebase() as prober:
        prober.add_directory(str(FOLDER))
        for fen in ending.family.texts(np.sort(numbers)):
            board = chess.Board(fen)
            turns = TURNS[1:2] if "P" in name else TURNS
            for turn in random.sample(turns, random.randint(0, len(turns))):
                board = board.transform(turn)
            if random.random() < 0.5:
                board = board.mirror()
            wanted = CHECK.expected(prober, board.fen())
            assert tables.probe(CHESS.parse(board.fen())) == wanted, f"{board.fen()}, seed {SEED}"


def test_the_check_can_fail(tables: Tablebase) -> None:
    tables.need("KRK")
    verdicts = tables.core.verdicts(Ending("KRK", tables).family)[:-1].copy()
    verdicts[1234] += 2
    broken = Tablebase(tables.folder, store=False)
    broken.core.add("KRK", verdicts)
    _, wrong = CHECK.differences("KRK", FOLDER, broken, 100_000, SEED)
    assert len(wrong) == 1
