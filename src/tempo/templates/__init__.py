"""Projects to start from: a game of one's own in C++."""

from __future__ import annotations

import re
from pathlib import Path

from tempo.errors import TempoError, quoted
from tempo.files import write_text
from tempo.games import registry

GAME = Path(__file__).parent / "game"  # a project as it stands, of a game that is called so:
PLACEHOLDER = "mygame"
LONGEST = 40  # letters of a name
RESERVED = ("games",)  # tempo-games is this package
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def write_game(name: str, folder: Path | None = None) -> Path:
    """Writes a project with a game of this name into a new or empty folder, and returns that."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise TempoError(
            f"{quoted(name)} cannot be the name of a game; expected up to {LONGEST} small letters "
            "and digits, a letter first, with single underscores between them"
        )
    if name in (*registry.names(), *registry.broken(), *RESERVED):
        raise TempoError(f"the name {name} is taken; give the new game another")
    into = folder or Path(f"tempo-{name}")
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise TempoError(f"{into} exists and is not an empty folder; name another by --into")
    for source in sorted(path for path in GAME.rglob("*") if _is_text(path)):
        target = into / str(source.relative_to(GAME)).replace(PLACEHOLDER, name)
        write_text(target, source.read_text(encoding="utf-8").replace(PLACEHOLDER, name))
    return into


def _is_text(path: Path) -> bool:
    return path.is_file() and path.parent.name != "__pycache__"
