"""Nothing but a game's own folder, its agents and its papers may name a game: others ask it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from game_data import ROOT

import tempo
from tempo import games

PACKAGE = Path(tempo.__file__).parent
NAME = re.compile(rf"(?:{'|'.join(games.names())})(?:\(.*\))?", re.DOTALL)
# What lies in these is of one game, or a training's plan; the others have folders by game.
OWN = ("papers", "recipes", "learners")
FOLDERS = ("games", "agents")
ALLOWED = {
    "agents/dqn.py",  # the Q-network that comes with the package
    "cli/learning.py",  # a paper of that name
    "cli/playing.py",  # the game of a match where none is given
    "protocols/server.py",  # UCI is spoken for chess, USI for shogi
}


def _named(path: Path) -> Iterator[str]:
    """Strings of a module that are a game's name, with or without options."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and NAME.fullmatch(str(node.value)):
            yield f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.value!r}"


def _is_own(path: Path) -> bool:
    """Whether a module may name a game; what is generic in `games` and `agents` may not."""
    room, *rest = path.relative_to(PACKAGE).parts
    return room in OWN or (room in FOLDERS and len(rest) > 1)


def test_no_module_names_a_game_that_is_not_its_own() -> None:
    named = {
        str(path.relative_to(PACKAGE)): list(_named(path))
        for path in sorted(PACKAGE.rglob("*.py"))
        if not _is_own(path)
    }
    found = {path: rows for path, rows in named.items() if rows}
    assert sorted(found.keys() - ALLOWED) == [], found


def test_a_game_names_no_other_game() -> None:
    kin = {"minishogi": {"shogi"}}
    for name in games.names():
        others = set(games.names()) - {name} - kin.get(name, set())
        for path in sorted((PACKAGE / "games" / name).glob("*.py")):
            named = {row.rpartition(": ")[2].strip("'").partition("(")[0] for row in _named(path)}
            assert not named & others, path


def test_every_game_lies_in_the_folder_of_its_name() -> None:
    folders = {path.parent.name for path in (PACKAGE / "games").glob("*/__init__.py")}
    assert folders == set(games.names())
    assert (ROOT / "src" / "tempo").samefile(PACKAGE)
