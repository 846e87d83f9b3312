"""Tables on disk: events are appended before anybody hears of them, and never changed.

SQLite with a write-ahead log. A killed process loses nothing that was answered: what is committed
is with the operating system. (`synchronous=NORMAL`: only a power cut may take the last moments, and
even then the file is whole.)
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tempo.errors import IllegalMove, ParseError, TempoError
from tempo.web import events
from tempo.web.events import Event
from tempo.web.tables import Table

FORMAT = 1
log = logging.getLogger("tempo.web")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
  id TEXT PRIMARY KEY, touched REAL NOT NULL, over INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
  id TEXT NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (id, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idle ON tables (over, touched);
"""


def default_data() -> Path:
    """Where tables are kept: $XDG_DATA_HOME/tempo/tables.sqlite, as a rule under ~/.local/share."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(home) / "tempo/tables.sqlite"


def _make_private(path: Path) -> None:
    """Nobody else on this machine reads the file: hidden ranks and who played stand in it.

    A folder that we make, or that is the default's, is closed as well; another one is not ours.
    What SQLite writes beside the file gets the file's mode.
    """
    folder = path.parent
    if not folder.is_dir():
        folder.mkdir(0o700, parents=True, exist_ok=True)
    if folder == default_data().parent:
        _close_to_others(folder, 0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        _close_to_others(folder / name, 0o600)


def _close_to_others(path: Path, mode: int) -> None:
    try:
        if path.exists() and path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
    except OSError as error:  # another user's, say
        log.warning("%s can be read by others: %s", path, error)


class Store:
    """All tables that a server has ever had, in one file that one server holds."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        try:
            if path != ":memory:":
                _make_private(Path(path))
            self._base = sqlite3.connect(
                path, timeout=0.5, isolation_level=None, check_same_thread=False
            )
            self._base.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            found = self._base.execute("PRAGMA user_version").fetchone()[0]
            if found not in {0, FORMAT}:
                raise TempoError(f"{path} has format {found}; this Tempo reads {FORMAT}")
            self._base.executescript("BEGIN;" + _SCHEMA + f"PRAGMA user_version={FORMAT};COMMIT;")
        except (sqlite3.OperationalError, OSError) as error:
            raise TempoError(
                f"{path} cannot be opened ({error}); is another `tempo play` using it?"
            ) from error
        except sqlite3.DatabaseError as error:
            raise TempoError(f"{path} holds no tables of Tempo ({error})") from error

    def append(self, table: str, number: int, event: Event) -> None:
        """Keeps an event; when this returns, a killed server still has it."""
        body = json.dumps(events.to_json(event), separators=(",", ":"))
        try:
            with self._whole() as base:
                base.execute("INSERT INTO events VALUES (?, ?, ?)", (table, number, body))
                base.execute(
                    "INSERT INTO tables (id, touched) VALUES (?1, ?2) "
                    "ON CONFLICT (id) DO UPDATE SET touched = ?2",
                    (table, event.at),
                )
        except sqlite3.Error as error:  # a full disk, say
            log.error("%s cannot be written: %s", self.path, error)
            raise TempoError("the server cannot store this, so nothing was done") from error

    @contextmanager
    def _whole(self) -> Iterator[sqlite3.Connection]:
        """All of a block is kept, or nothing."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield self._base
            self._base.execute("COMMIT")
        except BaseException:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise

    def mark(self, table: str, *, over: bool) -> None:
        """Says that a table's game has ended, or goes on again; a hint for the next start."""
        self._base.execute("UPDATE tables SET over = ? WHERE id = ?", (int(over), table))

    def events(self, table: str) -> list[Event]:
        """What has happened at a table, in order; nothing for an unknown one."""
        rows = self._base.execute("SELECT body FROM events WHERE id = ? ORDER BY number", (table,))
        return [events.from_json(json.loads(body)) for (body,) in rows]

    def table(self, name: str) -> Table | None:
        """A table made again from its events; None if there is none that can be."""
        try:
            log_of = self.events(name)
            return Table.replay(log_of) if log_of else None
        except (ParseError, IllegalMove, ValueError) as error:
            # Events of other rules, or of a newer Tempo: left as they are.
            log.warning("table %s cannot be made again: %s", name, error)
            return None

    def unfinished(self, since: float) -> Iterator[str]:
        """The tables at which something happened since then and whose game goes on."""
        rows = self._base.execute(
            "SELECT id FROM tables WHERE over = 0 AND touched >= ? ORDER BY touched", (since,)
        )
        yield from (name for (name,) in rows.fetchall())

    def count(self) -> int:
        """How many tables are kept."""
        return int(self._base.execute("SELECT count(*) FROM tables").fetchone()[0])

    def prune(self, most: int) -> int:
        """Deletes the finished tables that were left longest ago, beyond so many in all."""
        extra = self.count() - most
        if extra <= 0:
            return 0
        rows = self._base.execute(
            "SELECT id FROM tables WHERE over = 1 ORDER BY touched LIMIT ?", (extra,)
        ).fetchall()
        with self._whole() as base:
            base.executemany("DELETE FROM events WHERE id = ?", rows)
            base.executemany("DELETE FROM tables WHERE id = ?", rows)
        return len(rows)

    def close(self) -> None:
        """Lets go of the file."""
        self._base.close()
