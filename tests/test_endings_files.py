"""Tables on disk: whole or not at all, and never believed when damaged."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tempo import TempoError
from tempo.games.chess import tablebase
from tempo.games.chess.tablebase import Tablebase, default_folder, read

SEED = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tables = Tablebase(tmp_path_factory.mktemp("tables"))
    tables.need("KQK")
    tables.need("KRK")
    return tables.folder


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(folder / "KRK.tempo-tb", tmp_path))


def test_what_is_stored_is_read_back(folder: Path) -> None:
    fresh = Tablebase(folder, store=False)
    fresh.core.add("KRK", read(folder / "KRK.tempo-tb", "KRK"))
    solved = Tablebase(folder, store=False)
    solved.compute("KRK")
    assert fresh.counts("KRK") == solved.counts("KRK")
    stored = read(folder / "KRK.tempo-tb", "KRK")
    assert isinstance(stored, np.memmap)
    assert np.array_equal(stored, solved.core.solve("KRK"))


def test_no_temporary_file_is_left(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["KQK.tempo-tb", "KRK.tempo-tb"]


def test_any_flipped_bit_is_found(copy: Path) -> None:
    whole = copy.read_bytes()
    header = len(whole) - 50_015
    random = Random(SEED)
    places = [*range(header + 3), len(whole) - 1, *random.sample(range(header, len(whole)), 200)]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << random.randrange(8)
        copy.write_bytes(damaged)
        with pytest.raises(TempoError, match="is refused"):
            read(copy, "KRK")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data[:-1], "cut or added to"),
        (lambda data: data + b"\0", "cut or added to"),
        (lambda data: data[:40], "header is damaged"),
        (lambda data: data[:7], "no tablebase of Tempo"),
        (lambda data: b"", "no tablebase of Tempo"),
        (lambda data: b"PK\3\4" + data, "no tablebase of Tempo"),
        (lambda data: data[:8] + b"\2" + data[9:], "its format is 2; this Tempo reads 1"),
    ],
)
def test_what_is_wrong_is_said(copy: Path, change: object, says: str) -> None:
    assert callable(change)
    copy.write_bytes(change(copy.read_bytes()))
    with pytest.raises(TempoError, match=says):
        read(copy, "KRK")


def test_a_file_under_another_name_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "KQK.tempo-tb", tmp_path / "KRK.tempo-tb")
    with pytest.raises(TempoError, match="its ending is 'KQK', not 'KRK'"):
        Tablebase(tmp_path).need("KRK")


def test_other_rules_are_refused(copy: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tablebase, "NUMBERING", 2)
    with pytest.raises(TempoError, match="its numbering is 1, not 2"):
        read(copy, "KRK")


def test_a_damaged_file_stays_and_a_new_table_takes_its_place(copy: Path) -> None:
    damaged = copy.read_bytes()[:-1] + b"\xff"
    copy.write_bytes(damaged)
    tables = Tablebase(copy.parent)
    with pytest.raises(TempoError, match="tempo tablebase KRK"):
        tables.need("KRK")
    assert copy.read_bytes() == damaged
    tables.compute("KRK")
    assert len(read(copy, "KRK")) == 50_015


def test_the_cache_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "tempo" / "tablebases"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".cache" / "tempo" / "tablebases"
