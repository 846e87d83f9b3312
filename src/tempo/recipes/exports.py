"""From a run to files that agents read, with what they are and what they cost beside them.

What a learner exports is said in the module that makes it (`tempo.recipes.learners`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors.numpy import save

from tempo import arena
from tempo.errors import TempoError
from tempo.files import replacing, write_text
from tempo.recipes import names, read
from tempo.recipes.learners import kind_of
from tempo.runs import Checkpoint, Run

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Source:
    """A run with its last checkpoint, and how it is measured."""

    run: Run
    checkpoint: Checkpoint
    games: int | None = None  # of every match; as many as the learner says if None
    threads: int = 1
    progress: Callable[[arena.MatchProgress], None] | None = None

    def matches(self, game: str, opponents: Mapping[str, int]) -> dict[str, Any]:
        """Scores against opponents in the usual number of games, unless the source names one."""
        found = {}
        for opponent, usual in opponents.items():
            players = {"run": str(self.run.folder), "opponent": opponent}
            result = arena.match(players, game, games=self.games or usual, seed=1,
                                 progress=self.progress)  # fmt: skip
            low, high = result.interval
            found[opponent] = {
                "score": result.score, "low": low, "high": high, "won": result.wins,
                "drawn": result.draws, "lost": result.losses, "games": result.games,
            }  # fmt: skip
        return found


@dataclass(frozen=True)
class Exported:
    """What agents read, and what there is to say of it."""

    name: str  # the usual name of its file, without suffix
    data: bytes
    about: Mapping[str, Any] = field(default_factory=dict)
    suffix: str = ".safetensors"

    @classmethod
    def of_arrays(
        cls, name: str, arrays: Mapping[str, NDArray[Any]], names: Sequence[str] = (), **about: Any
    ) -> Exported:
        """Some arrays, or all of them."""
        return cls(name, save({key: arrays[key] for key in names or arrays}), about)


def export(
    folder: str | Path,
    out: Path | None = None,
    *,
    games: int | None = None,
    threads: int = 1,
    figures: Mapping[str, Any] | None = None,
    command: str | None = None,
    progress: Callable[[arena.MatchProgress], None] | None = None,
) -> tuple[Path, dict[str, Any]]:
    """Writes what a run has learnt, and a JSON file that says what it is; the path, and the latter.

    The same run gives the same files. `figures` replace those that would be measured.
    """
    run = Run.open(folder)
    checkpoint = run.latest()
    if checkpoint is None:
        raise TempoError(f"{folder} has no checkpoint yet")
    source = Source(run, checkpoint, games, threads, progress)
    found: Exported = kind_of(run.config).load().export(source)
    seed = run.config["seed"]
    about: dict[str, Any] = {
        **{name: run.config[name] for name in ("game", "ending") if name in run.config},
        "command": command or f"tempo train {_recipe_name(run)} --seed {seed}",
        "seed": seed,
        "step": checkpoint.step,
        **found.about,
        "bytes": len(found.data),
        "ledger": run.ledger().to_json(),
        "recipe": run.config,
    }
    if figures is not None:
        about["figures"] = figures
    path = (out or run.folder / found.name).with_suffix(found.suffix)
    with replacing(path) as file:
        file.write(found.data)
    write_text(path.with_suffix(".json"), json.dumps(about, indent=1) + "\n")
    return path, about


def _recipe_name(run: Run) -> str:
    """The recipe that comes with the package and is the run's; else the name of its folder."""
    config = {name: value for name, value in run.config.items() if name != "seed"}
    return next((name for name in names() if read(name) == config), run.folder.name)
