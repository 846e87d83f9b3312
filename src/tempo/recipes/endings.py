"""Chess endings: the learner on all positions of one, and its network as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from tempo._core import endings
from tempo.agents.chess import endgame
from tempo.arena.endings import figures, whole
from tempo.errors import TempoError
from tempo.games.chess.endings import Ending
from tempo.games.game import Game
from tempo.games.registry import load as load_game
from tempo.learners.fast.search_td import GameGraph, SearchTD, Settings
from tempo.nets import plain
from tempo.recipes import make_learner
from tempo.recipes.exports import Exported, Source

Arrays = dict[str, NDArray[Any]]
Figures = dict[str, float | None]

BITS = (8, 9, 10, 12, 14, 16)  # of a weight that ships
MOST_BYTES = 8_000_000
CHUNK = 1 << 18  # positions whose inputs are looked at together


def refusal(game: Game, _: Settings, recipe: Mapping[str, Any]) -> str:
    """Endings are of chess, and their positions know no repetition."""
    if game != load_game("chess"):
        return f"endings are learnt of chess by its usual rules, not of {game.spec}"
    return "" if "ending" in recipe else 'a recipe names its ending, such as ending = "KRK"'


def make(
    _: Game, settings: Settings, recipe: Mapping[str, Any], seed: int, threads: int = 1
) -> SearchTD:
    """The learner of a recipe that names its ending."""
    return SearchTD(ending_graph(recipe["ending"], threads), settings, seed, threads)


def ending_learner(recipe: Mapping[str, Any], seed: int, threads: int = 1) -> SearchTD:
    """The learner of a recipe, at the start of its schedule."""
    learner = make_learner({**recipe, "learner": "search_td"}, seed, threads)
    assert isinstance(learner, SearchTD)
    return learner


def ending_graph(name: str, threads: int = 1) -> GameGraph:
    """A chess ending with everything it can become; games start anywhere in the ending itself."""
    family = endings.Family(name)
    offsets, successors = family.graph(threads)
    ends = family.ends(threads)
    planes, numbers = family.features(threads)
    _, first, after = family.members[0]
    starts = np.arange(first, after, dtype=np.int32)
    later = np.arange(after, family.dead, dtype=np.int32)
    return GameGraph(
        offsets=offsets,
        next=successors,
        turn=family.turns(),
        end=ends,
        starts=starts[ends[starts] == 0],
        planes=planes,
        numbers=numbers,
        later=later[ends[later] == 0],
    )


def export(source: Source) -> Exported:
    """The network alone, in as few bits as change no figure in its fourth place."""
    recipe, checkpoint = source.run.config, source.checkpoint
    arrays = {k: v for k, v in sorted(checkpoint.arrays.items()) if k.startswith("network.")}
    arrays = without_unseen(arrays, endings.Family(recipe["ending"]))
    narrow, found = narrowest(arrays, recipe, source.threads)
    data = save(narrow, {"tempo": json.dumps({"step": checkpoint.step, "state": {}})})
    if len(data) > MOST_BYTES:
        raise TempoError(f"{len(data):,} bytes are too many to ship; at most {MOST_BYTES:,}")
    return Exported(recipe["ending"].lower(), data, {"figures": found})


def without_unseen(arrays: Arrays, family: endings.Family) -> Arrays:
    """The same with zeros where no position of the family has anything: no value changes.

    White's king stands on few squares in the standard orientation, and Black's pieces are few:
    two fifths of a first layer are never learnt, and zeros take no room in a wheel.
    """
    name = "network.layers[0].weight"
    seen = inputs_seen(family)
    if name not in arrays or arrays[name].shape[1] != len(seen):
        return arrays  # convolutions see every square
    return {**arrays, name: np.where(seen, arrays[name], 0).astype(arrays[name].dtype)}


def inputs_seen(family: endings.Family) -> NDArray[np.bool_]:
    """[64 P + G] whether an input of a dense network is ever anything but 0."""
    sets, others = (part[0] for part in family.features_of(np.zeros(1, np.int32)))
    for begin in range(0, len(family), CHUNK):
        numbers = np.arange(begin, min(begin + CHUNK, len(family)), dtype=np.int32)
        planes, globals_ = family.features_of(numbers)
        sets = sets | np.bitwise_or.reduce(planes, axis=0)
        others = np.maximum(others, np.abs(globals_).max(axis=0))
    squares = plain.unpack(sets[None]).reshape(-1)
    return np.asarray(np.concatenate([squares, others]) != 0, np.bool_)


def narrowest(arrays: Arrays, recipe: dict[str, Any], threads: int) -> tuple[Arrays, Figures]:
    """Weights in as few bits as leave every figure as it is to the fourth place; the figures.

    What is perfect stays perfect.
    """
    exact = _figures(arrays, recipe, threads)
    for bits in BITS:
        narrow = plain.narrowed(arrays, bits)
        rounded = _figures(narrow, recipe, threads)
        lost = {name: (exact[name] or 0) - (rounded[name] or 0) for name in exact}
        if all(loss <= (0 if exact[name] == 1 else 5e-5) for name, loss in lost.items()):
            return narrow, rounded
    return arrays, exact


def _figures(arrays: Arrays, recipe: dict[str, Any], threads: int) -> Figures:
    """Exact over every position of the ending, at the depth that the recipe plays with."""
    ending = Ending(recipe["ending"])
    learnt = endgame.Learnt(ending.name, recipe, plain.read(arrays), "the run")
    choices = endgame.Player(learnt, learnt.depth).choices()
    return figures(*whole(ending, choices, threads=threads))
