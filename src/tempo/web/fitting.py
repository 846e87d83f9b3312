"""What fits a game: runs that have learnt it, and agents of chess endings where there is one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo._core import chess
from tempo._core.endings import Tables
from tempo.agents.chess.endgame import shipped
from tempo.errors import ParseError, TempoError
from tempo.games.registry import parse_spec
from tempo.runs import Run

if TYPE_CHECKING:
    from tempo.games import Game
    from tempo.games.protocol import Position

MOST = 200  # runs that are looked at

# What a run of each learner plays unless it says so. Others learn what agents are made of (terms,
# libraries): their folders are no agents.
_LEARNT = {"search_td": "chess", "adp": "gomoku", "dqn": "shogi", "truncated": "siguo"}


def runs_of(folder: Path) -> dict[str, dict[str, Any]]:
    """The runs of a folder as agents, with what was asked of each."""
    found = {}
    for path in sorted(folder.glob("*/config.toml"))[:MOST]:
        try:
            found[f"{folder.name}/{path.parent.name}"] = Run.open(path.parent).config
        except (ValueError, OSError, TempoError):
            continue
    return found


def run_misfit(game: Game, name: str, runs: Path) -> str:
    """Why a run does not play a game, in a sentence; empty when it does."""
    config = runs_of(runs).get(name)
    if config is None:
        return f"there is no run '{name[:80]}'"
    learner = str(config.get("learner", "search_td"))
    if learner not in _LEARNT:
        return f"{name} is a run of {learner}, whose weights do not play by themselves"
    try:
        learnt = parse_spec(str(config.get("game", _LEARNT[learner])))[0]
    except ParseError as error:
        return f"{name} names no game: {error}"
    if learnt != game.name:
        return f"{name} has learnt {learnt}, not {game.name}"
    if not any((runs / name.rpartition("/")[2]).glob("checkpoint-*.safetensors")):
        return f"{name} has no checkpoint yet"
    return ""


def position_misfit(agent: str, position: Position | None, runs: Path | None) -> str:
    """Why an agent of endings cannot play on from a position; empty when it can, or is none."""
    name = agent.partition(":")[0]
    ending = _ending_of(name, runs)
    if not isinstance(position, chess.Position) or (ending is None and name not in _ENDINGS):
        return ""
    try:
        material, _ = Tables.material(position)
    except ParseError:
        return f"{name} plays endings of at most 4 pieces, not this position"
    if name == "endgame" and material not in shipped():
        return f"{name} has learnt {', '.join(shipped())}, not {material}"
    if ending is not None and not _becomes(ending, material):
        return f"{name} has learnt {ending}, not {material}"
    return ""


_ENDINGS = {"tablebase", "endgame"}


def _ending_of(name: str, runs: Path | None) -> str | None:
    """The ending that a run has learnt; None for anything else."""
    if runs is None or "/" not in name:
        return None
    ending = runs_of(runs).get(name, {}).get("ending")
    return None if ending is None else str(ending)


def _becomes(ending: str, material: str) -> bool:
    """Whether captures and promotions can lead from one ending to another."""

    def covers(more: str, less: str) -> bool:
        extra = Counter(less) - Counter(more)
        return extra.total() <= (Counter(more) - Counter(less))["P"]

    strong, weak = ending[1:].split("K")
    one, two = material[1:].split("K")
    return any(covers(strong, a) and covers(weak, b) for a, b in ((one, two), (two, one)))
