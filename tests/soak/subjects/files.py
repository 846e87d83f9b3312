"""Files: weights of every agent that takes some, checkpoints, runs, logs, recipes, openings."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from soak.mutating import NUMBERS, Texts, changed, damaged
from soak.subject import REFUSALS, Subject
from tempo import agents, games, recipes, weights
from tempo.arena import openings
from tempo.arena.log import read_log
from tempo.ledger import Ledger
from tempo.recipes import read, settings_of
from tempo.runs import Checkpoint, Run, read_checkpoint, toml_text

SHIPPED = Path(weights.__file__).parent
REFUSED: tuple[type[Exception], ...] = (*REFUSALS, OSError)


@lru_cache
def scratch() -> Path:
    """A folder for the files of this process."""
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def put(name: str, data: bytes) -> Path:
    """A file with these bytes."""
    path = scratch() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


# ---- weights -------------------------------------------------------------------------------------


@lru_cache
def takers() -> dict[str, str]:
    """The agents that take a file or a run, and the setting that names it."""
    found = {}
    for name in agents.names():
        settings = getattr(agents.load(name), "settings", None)
        for item in fields(settings) if settings is not None else ():
            words = str(item.metadata.get("help", ""))
            if "file" in words or "folder" in words:
                found[name] = item.name
    return found


@lru_cache
def shipped(suffix: str, most: int = 200_000) -> list[tuple[str, bytes]]:
    """Stored files of a kind, the small ones: what a reader does wrong it does there, too."""
    files = sorted(SHIPPED.rglob(f"*{suffix}"))
    return [(file.name, file.read_bytes()) for file in files if file.stat().st_size <= most]


def make_weights(random: Random) -> tuple[str, str, bytes, bytes]:
    """An agent, a file's name, damaged weights and what is said beside them."""
    name = random.choice(list(takers()))
    file, data = random.choice(_own(name) or shipped(".safetensors"))
    beside = dict(shipped(".json")).get(file.replace(".safetensors", ".json"), b"{}")
    if random.random() < 0.3:
        beside = damaged(beside, random)
    return name, file, damaged(data, random), beside


def _own(name: str) -> list[tuple[str, bytes]]:
    """Files of the agent's own game."""
    words = name.replace("-", " ").split()
    kinds = shipped(".safetensors") + [
        (name, data[:20_000]) for name, data in shipped(".sgf", 10**6)
    ]
    return [one for one in kinds if any(word in str(SHIPPED / one[0]) for word in words)]


def load_weights(given: tuple[str, str, bytes, bytes]) -> str:
    """An agent plays with them, or says what is wrong."""
    name, file, data, beside = given
    path = put(f"weights/{file}", data)
    path.with_suffix(".json").write_bytes(beside)
    agent: Any = agents.load(f"{name}:{takers()[name]}={path}")
    agent.reset(1)
    for game in games.names():
        if name.startswith(game) or name in ("critic", "endgame", "dqn"):
            position: Any = games.load(game).start()
            agent.choose(position.view(position.turn))
    return "accepted"


# ---- runs ----------------------------------------------------------------------------------------

CONFIG = {"learner": "adp", "game": "gomoku", "hidden": 8, "seed": 3, "stages": [{"iterations": 2}]}
ARRAYS: dict[str, Any] = {"w": np.ones((2, 3), np.float32), "bits": np.arange(4, dtype=np.uint64)}


@lru_cache
def sound_run() -> dict[str, bytes]:
    """The files of a run of two checkpoints."""
    folder = scratch() / "sound"
    run = Run.create(folder, CONFIG)
    for step in (1, 2):
        run.log({"step": step, "loss": 1 / step})
        run.save(Checkpoint(step, ARRAYS, {"games": step}), Ledger(games=step))
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}


def make_run(random: Random) -> dict[str, bytes]:
    """The files of a run, some of them damaged, gone or of another time."""
    files = dict(sound_run())
    for _ in range(random.choice((1, 1, 2, 3))):
        name = random.choice(list(files))
        if random.random() < 0.1:
            del files[name]
        elif name.endswith((".json", ".jsonl")) and random.random() < 0.5:
            rows = files[name].decode(errors="replace").splitlines() or [""]
            rows[-1] = json.dumps(changed(_loaded(rows[-1]), random))
            files[name] = "\n".join(rows).encode("utf-8", "surrogatepass")
        else:
            files[name] = damaged(files[name], random)
        if not files:
            break
    return files


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return {"step": 1}


def open_run(files: dict[str, bytes]) -> str:
    """All that a run is asked, and the agent that it is."""
    folder = scratch() / "run"
    for old in folder.glob("*"):
        old.unlink()
    for name, data in files.items():
        put(f"run/{name}", data)
    run = Run.open(folder)
    run.rows()
    run.ledger()
    run.latest()
    run.resume()
    try:
        agents.load(str(folder))
    except REFUSED:
        return "accepted, no agent"
    return "accepted"


def make_checkpoint(random: Random) -> bytes:
    """A damaged checkpoint."""
    return damaged(sound_run()["checkpoint-00000002.safetensors"], random)


def open_checkpoint(data: bytes) -> str:
    """A checkpoint, as a learner gets it."""
    found = read_checkpoint(put("c.safetensors", data))
    assert isinstance(found.step, int)
    assert isinstance(found.state, dict)
    return "accepted"


# ---- game logs, recipes, openings ----------------------------------------------------------------


@lru_cache
def sound_log() -> bytes:
    """The log of a short match."""
    from tempo import arena  # noqa: PLC0415

    path = scratch() / "match.jsonl"
    arena.match(("random", "random"), "gomoku(size=5)", games=4, seed=1, log=path)
    return path.read_bytes()


def make_log(random: Random) -> bytes:
    """A game log with a line changed or bytes damaged."""
    if random.random() < 0.5:
        return damaged(sound_log(), random)
    lines = sound_log().decode().splitlines()
    at = random.randrange(len(lines))
    lines[at] = json.dumps(changed(json.loads(lines[at]), random))
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def open_log(data: bytes) -> str:
    """A log's header and games, and what they are worth."""
    header, found = read_log(put("log.jsonl", data))
    assert isinstance(header, dict)
    for record in found:
        assert record.points in (0.0, 0.5, 1.0)
        record.to_json()
    return "accepted"


def recipe_texts() -> Sequence[str]:
    """Every recipe that comes with the package."""
    return [toml_text(recipes.read(name)) for name in recipes.names()]


def read_recipe(text: str) -> str:
    """The settings of a recipe."""
    path = put("recipe.toml", text.encode("utf-8", "surrogatepass"))
    settings_of(read(str(path)))
    return "accepted"


def opening_texts() -> Sequence[str]:
    """The openings that come with the package."""
    folder = resources.files("tempo.games.gomoku") / "openings"
    return [file.read_text() for file in sorted(folder.iterdir(), key=str)]


def read_openings(text: str) -> str:
    """Openings of a file, each played."""
    path = put("openings.txt", text.encode("utf-8", "surrogatepass"))
    game = games.load("gomoku")
    found = openings.named(str(path), game)
    assert len(found) > 0
    return "accepted"


def subjects() -> Iterator[Subject]:
    """Weights are read with a network's size in mind: few inputs, much memory."""
    made: Callable[..., Subject] = partial(Subject, refusals=REFUSED)
    yield made("files.weights", make_weights, load_weights, slice=40, weight=3, patience=60)
    yield made("files.checkpoints", make_checkpoint, open_checkpoint, slice=200)
    yield made("files.runs", make_run, open_run, slice=60)
    yield made("files.logs", make_log, open_log, slice=150)
    yield made("files.openings", Texts(opening_texts, NUMBERS), read_openings, slice=40)
    yield made("files.recipes", Texts(recipe_texts, NUMBERS), read_recipe, slice=60, memory=0)
