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
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tempo.errors import TempoError
from tempo.web import events
from tempo.web.events import Event
from tempo.web.tables import Table

FORMAT = 1
QUIET = 60.0  # seconds between two complaints of the same kind
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


class UnreadableError(TempoError):
    """A table whose events cannot be read or played again; they stay as they are."""


class StoreError(OSError):
    """The file cannot be read or written at this moment; perhaps later."""


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
        self._quiet: dict[str, float] = {}  # when the next complaint may be made
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
        except sqlite3.IntegrityError as error:
            raise UnreadableError(f"event {number} is there already: {error}") from error
        except sqlite3.Error as error:  # a full disk, say
            self._complain("cannot be written", error)
            raise StoreError("the server cannot store this, so nothing was done") from error

    def _complain(self, what: str, error: sqlite3.Error) -> None:
        """Logs what is wrong with the file, now and then: clocks try again at every tick."""
        if time.monotonic() >= self._quiet.get(what, 0.0):
            self._quiet[what] = time.monotonic() + QUIET
            log.error("%s %s: %s", self.path, what, error)

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
        try:
            self._base.execute("UPDATE tables SET over = ? WHERE id = ?", (int(over), table))
        except sqlite3.Error as error:
            self._complain("cannot be written", error)

    def events(self, table: str) -> list[Event]:
        """What has happened at a table, in order; nothing for an unknown one.

        UnreadableError if an event is missing or means nothing to this version.
        """
        query = "SELECT number, body FROM events WHERE id = ? ORDER BY number"
        rows = self._rows(query, table)
        found = []
        for expected, (number, body) in enumerate(rows):
            if number != expected:
                raise UnreadableError(f"event {expected} is missing")
            try:
                found.append(events.from_json(json.loads(body)))
            except Exception as error:  # whatever stands there
                raise UnreadableError(f"event {number} cannot be read: {error}") from error
        return found

    def table(self, name: str) -> Table | None:
        """A table made again from its events; None if there are none.

        Events of other rules, or of a newer Tempo, are left as they are: UnreadableError.
        """
        log_of = self.events(name)
        try:
            return Table.replay(log_of) if log_of else None
        except Exception as error:
            raise UnreadableError(f"its events make no table: {error!r}") from error

    def _rows(self, query: str, *given: object) -> list[Any]:
        try:
            return self._base.execute(query, given).fetchall()
        except sqlite3.Error as error:
            self._complain("cannot be read", error)
            raise StoreError("the server cannot read its tables") from error

    def unfinished(self, since: float) -> list[str]:
        """The tables at which something happened since then and whose game goes on."""
        query = "SELECT id FROM tables WHERE over = 0 AND touched >= ? ORDER BY touched"
        return [name for (name,) in self._rows(query, since)]

    def count(self) -> int:
        """How many tables are kept."""
        return int(self._rows("SELECT count(*) FROM tables")[0][0])

    def prune(self, most: int, kept: Collection[str] = ()) -> int:
        """Deletes tables beyond a number, but none that are kept in memory.

        Finished ones go first, then those at which nobody moved, then all others; of each kind
        those that were left longest ago.
        """
        try:
            extra = self.count() - most
            if extra <= 0:
                return 0
            played = (
                "(SELECT count(*) FROM (SELECT 1 FROM events WHERE events.id = tables.id LIMIT 3))"
            )
            names = self._rows(
                f"SELECT id FROM tables ORDER BY over DESC, {played} > 2, touched LIMIT ?",
                extra + len(kept),
            )
            gone = [row for row in names if row[0] not in kept][:extra]
            with self._whole() as base:
                base.executemany("DELETE FROM events WHERE id = ?", gone)
                base.executemany("DELETE FROM tables WHERE id = ?", gone)
        except (sqlite3.Error, StoreError) as error:
            log.warning("old tables cannot be deleted: %s", error)
            return 0
        return len(gone)

    def close(self) -> None:
        """Closes the file."""
        self._base.close()
