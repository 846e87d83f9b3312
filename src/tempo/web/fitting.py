"""What fits a game: runs that have learnt it, and agents that can play on from a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo import agents
from tempo.agents.registry import Kind, learnt_game, of_run
from tempo.errors import ParseError, TempoError
from tempo.runs import Run
from tempo.web.runs_found import STEPS

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position

MOST = 200  # runs that are looked at


def runs_of(folder: Path) -> dict[str, dict[str, Any]]:
    """The runs of a folder as agents, with what was asked of each."""
    found = {}
    paths = [
        *sorted(folder.glob("*/config.toml")),
        *sorted(folder.glob(f"*/{STEPS}/*/config.toml")),
    ]
    for path in paths[:MOST]:
        try:
            name = path.parent.relative_to(folder).as_posix()
            found[f"{folder.name}/{name}"] = Run.open(path.parent).config
        except (ValueError, OSError, TempoError):
            continue
    return found


def run_misfit(game: Game, name: str, runs: Path) -> str:
    """Why a run does not play a game, in a sentence; empty when it does."""
    config = runs_of(runs).get(name)
    if config is None:
        return f"there is no run '{name[:80]}'"
    try:
        of_run(config)
        learnt = learnt_game(config)
    except ParseError as error:
        return f"{name} does not play: {error}"
    if learnt != game.name:
        return f"{name} has learnt {learnt}, not {game.name}"
    if not any((runs / name.partition("/")[2]).glob("checkpoint-*.safetensors")):
        return f"{name} has no checkpoint yet"
    return ""


def position_misfit(agent: str, position: Position | None, runs: Path | None) -> str:
    """Why an agent cannot play on from a position; empty when it can."""
    name = agent.partition(":")[0]
    config = runs_of(runs).get(name) if runs is not None and "/" in name else None
    kind = agents.kinds().get(name) if config is None else _agent_of(config)
    if position is None or kind is None or kind.misfit is None:
        return ""
    return kind.misfit(position, name, config or {})


def _agent_of(config: dict[str, Any]) -> Kind | None:
    try:
        return of_run(config)[0]
    except ParseError:
        return None
