"""Solved endings on disk: one file an ending, checked whenever it is opened.

A file is a prelude (magic, format version, size and CRC-32 of the header), a header in JSON
(ending, rules, numbering, counts, BLAKE2b of what follows) and one verdict a byte, in the order of
the core's numbering. Every byte is covered by some check, so a damaged file is never believed.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from tempo import _core
from tempo.errors import ParseError, TempoError
from tempo.files import replacing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tempo.games.protocol import View

MAGIC = b"TEMPO-TB"
FORMAT = 1  # of the file
NUMBERING = 1  # of the positions, by core/games/chess/endings/space.h; moves when that moves
SUFFIX = ".tempo-tb"
_PRELUDE = struct.Struct("<8sIII")
_ALIGNED = 64  # where the verdicts begin

Progress = Callable[[str, str, int, int], None]  # ending, phase, done, total


def default_folder() -> Path:
    """Where tables are kept: $XDG_CACHE_HOME/tempo/tablebases, as a rule under ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tempo/tablebases"


def plies(verdict: int) -> int:
    """Plies to mate of a verdict that is no draw."""
    return verdict - 1


def value(verdict: int) -> int:
    """What a verdict is worth to the side to move: 1, 0 or -1."""
    return 0 if verdict == 0 else 1 if verdict % 2 == 0 else -1


def best_moves(rows: list[tuple[int, int]]) -> list[int]:
    """Of moves with their verdicts the best, all equally good: win soon, draw, or lose late."""

    def merit(verdict: int) -> int:
        return 1000 * value(verdict) + (-verdict if value(verdict) > 0 else verdict)

    highest = max(merit(verdict) for _, verdict in rows)
    return [move for move, verdict in rows if merit(verdict) == highest]


@dataclass(frozen=True)
class Counts:
    """One side to move: how many positions there are and what becomes of them, in plies."""

    numbers: int
    positions: int
    wins: int
    draws: int
    losses: int
    win_plies: int
    loss_plies: int
    longest_win: int
    longest_loss: int
    mates: int
    stalemates: int


class Tablebase:
    """Exact tables, read from a folder or computed when they are first asked for.

    What had to be computed is kept in the folder (in memory only, if `store` is off). A file that
    is damaged or foreign raises TempoError and is left alone.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, store: bool = True) -> None:
        self.folder = default_folder() if folder is None else Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise TempoError(f"{self.folder} is a file; tables need a folder")
        self.core = _core.endings.Tables()
        self._store = store
        self._lock = RLock()

    def path(self, name: str) -> Path:
        """The file of an ending."""
        return self.folder / (name + SUFFIX)

    def need(self, name: str, progress: Progress | None = None, threads: int = 1) -> None:
        """Makes sure that the tables of an ending and of all it can become are here."""
        with self._lock:
            for ending in _core.endings.Tables.needed(name):
                if ending in self.core.names:
                    continue
                if self.path(ending).exists():
                    self.core.add(ending, read(self.path(ending), ending))
                else:
                    self.compute(ending, progress, threads)

    def compute(self, name: str, progress: Progress | None = None, threads: int = 1) -> None:
        """Solves an ending anew, whatever is stored; the smaller ones must be here."""
        tell = None if progress is None else lambda *done: progress(name, *done)
        with self._lock:
            verdicts = self.core.solve(name, threads, tell)
            self.core.add(name, verdicts)
            if self._store:
                write(self.path(name), name, verdicts, self.counts(name))

    def counts(self, name: str) -> tuple[Counts, Counts]:
        """What an ending holds, White to move and Black to move."""
        white, black = (Counts(**self.core.summary(name, seat)) for seat in (0, 1))
        return white, black

    def probe(self, position: View) -> int:
        """The verdict of a chess position with at most four pieces."""
        return self.core.probe(self._ready(position))

    def moves(self, position: View) -> list[tuple[int, int]]:
        """Each legal move with the verdict it leads to, for the side that makes it."""
        return self.core.moves(self._ready(position))

    def _ready(self, position: View) -> _core.chess.Position:
        if not isinstance(position, _core.chess.Position):
            raise ParseError(f"tablebases know chess alone, not {getattr(position, 'game', '?')}")
        name, dead = _core.endings.Tables.material(position)
        if not dead and name not in self.core.names:
            self.need(name)
        return position


def write(
    path: Path, name: str, verdicts: NDArray[np.uint8], counts: tuple[Counts, Counts]
) -> None:
    """Stores a solved ending; the file appears whole or not at all."""
    header = {
        "ending": name,
        "rules": _core.chess.rules_version,
        "numbering": NUMBERING,
        "numbers": len(verdicts),
        "white": vars(counts[0]),
        "black": vars(counts[1]),
        "checksum": _checksum(verdicts),
    }
    text = json.dumps(header).encode()
    text += b" " * (-(_PRELUDE.size + len(text)) % _ALIGNED)
    with replacing(path) as file:
        file.write(_PRELUDE.pack(MAGIC, FORMAT, len(text), zlib.crc32(text)))
        file.write(text)
        file.write(verdicts.tobytes())


def read(path: Path, name: str) -> NDArray[np.uint8]:
    """The verdicts of a stored ending, mapped into memory. TempoError says what is wrong."""
    header, begin = _read_header(path)
    expected = {"ending": name, "rules": _core.chess.rules_version, "numbering": NUMBERING}
    for key, wanted in expected.items():
        if header.get(key) != wanted:
            raise _refusal(path, f"its {key} is {header.get(key)!r}, not {wanted!r}")
    numbers, size = header["numbers"], path.stat().st_size
    if size != begin + numbers:
        raise _refusal(path, f"it has {size} bytes, not {begin + numbers}: it was cut or added to")
    verdicts: NDArray[np.uint8] = np.memmap(path, np.uint8, "r", begin, (numbers,))
    if _checksum(verdicts) != header["checksum"]:
        raise _refusal(path, "its contents do not fit their checksum")
    return verdicts


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    with path.open("rb") as file:
        prelude = file.read(_PRELUDE.size)
        if len(prelude) < _PRELUDE.size or prelude[: len(MAGIC)] != MAGIC:
            raise _refusal(path, "it is no tablebase of Tempo")
        _, version, size, crc = _PRELUDE.unpack(prelude)
        if version != FORMAT:
            raise _refusal(path, f"its format is {version}; this Tempo reads {FORMAT}")
        text = file.read(min(size, 2**16))
    if len(text) != size or zlib.crc32(text) != crc:
        raise _refusal(path, "its header is damaged")
    header: dict[str, Any] = json.loads(text)
    return header, _PRELUDE.size + size


def _refusal(path: Path, why: str) -> TempoError:
    again = f"delete it, or run `tempo tablebase {path.name.removesuffix(SUFFIX)}`"
    return TempoError(f"{path} is refused: {why}; {again}")


def _checksum(verdicts: NDArray[np.uint8]) -> str:
    return hashlib.blake2b(verdicts.data, digest_size=16).hexdigest()
