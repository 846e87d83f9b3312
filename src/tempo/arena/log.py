"""The game log of a match: one line of JSON for the match, then one for each game.

Lines are appended, flushed and synced as games finish, so a killed match loses only the games
that were being played. A last line cut short by the kill is dropped on reading.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tempo.agents.settings import with_new_names
from tempo.arena.table import GameRecord
from tempo.errors import ParseError
from tempo.files import naming

__all__ = ["FORMAT", "GameLog", "read_log"]

FORMAT = "tempo-match/1"


def read_log(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[GameRecord]]:
    """The header and the games of a log. Raises ParseError naming the line that is unsound."""
    header, records, _ = _read(Path(path))
    if header is None:
        raise ParseError(f"{path}: no whole line in it")
    return header, records


class GameLog:
    """A log open for appending; `records` holds the games it already had.

    The file is made when it is not there. Raises ParseError when it is, but belongs to another
    match, and OSError when another process is writing it. Without a path nothing is kept.
    """

    def __init__(self, path: str | os.PathLike[str] | None, header: dict[str, Any]) -> None:
        self.records: list[GameRecord] = []
        self.path = Path(os.devnull if path is None else path)
        self._file: IO[bytes] | None = None
        if path is not None:
            self._open(header)

    def _open(self, header: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(self.path, "ab")  # noqa: SIM115 - closed by close()
        try:
            _lock(self._file, self.path)
            found, self.records, whole = _read(self.path)
            # Cutting the torn tail off in place keeps the lock and can lose nothing else.
            self._file.truncate(whole)
            if found is None:
                self._write({"format": FORMAT, **header})
            else:
                _compare(self.path, found, header)
        except BaseException:
            self.close()
            raise

    def append(self, record: GameRecord) -> None:
        """Adds a game; it is on the disk when this returns."""
        self._write(record.to_json())

    def close(self) -> None:
        """Closes the file and lets others write it."""
        if self._file:
            with naming(self.path):  # what could not be written is tried once more
                self._file.close()

    def __enter__(self) -> GameLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _write(self, data: dict[str, Any]) -> None:
        if self._file is None:
            return
        with naming(self.path):
            self._file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl  # noqa: PLC0415 - not on Windows; there two writers are not caught
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise OSError(f"{path}: another process is writing this log") from error


def _read(path: Path) -> tuple[dict[str, Any] | None, list[GameRecord], int]:
    # Header, games, and how many bytes of the file are whole lines.
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        if not _begins_like_ours(data):
            raise ParseError(f"{path}: not a game log")
        return None, [], 0
    header = _header(path, lines[0])
    records: dict[int, GameRecord] = {}
    for number, line in enumerate(lines[1:], start=2):
        try:
            record = GameRecord.from_json(json.loads(line))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ParseError(f"{path}, line {number}: not a game of the log: {error}") from error
        if record.index in records:
            raise ParseError(f"{path}, line {number}: game {record.index} stands there twice")
        records[record.index] = record
    return header, list(records.values()), whole


def _begins_like_ours(data: bytes) -> bool:
    start = b'{"format":"' + FORMAT.encode()
    return data[: len(start)] == start[: len(data)]


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(with_new_names(line.decode()))
        version = header.pop("format")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ParseError(f"{path}, line 1: not the header of a game log") from error
    if version != FORMAT:
        raise ParseError(f"{path}: format {version}; this version reads {FORMAT}")
    assert isinstance(header, dict)
    return header


def _compare(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    different = [
        f"{name} is {found.get(name)!r} there and {wanted.get(name)!r} here"
        for name in sorted(found.keys() | wanted.keys())
        if found.get(name) != wanted.get(name)
    ]
    if different:
        raise ParseError(f"{path} is the log of another match: {'; '.join(different)}")
