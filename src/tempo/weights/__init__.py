"""Weights that come with the package, each described by a JSON file of the same name.

NAME.safetensors: networks of chess endings, read by the agent `endgame`. All are made from runs of
`tempo train` by `tempo export`. GAME/terms.safetensors: weights of a game's terms,
learnt by TreeStrap or TD-Leaf; GAME/network.safetensors: a small network on them. Other files of a
game stand beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from tempo.errors import ParseError


def checked(
    arrays: Mapping[str, NDArray[Any]], name: str, source: str, dimensions: int
) -> NDArray[np.float32]:
    """One array of weights; ParseError if it is missing, of another form, or holds no numbers."""
    if name not in arrays:
        raise ParseError(f"{source} has no '{name}'; it holds {', '.join(arrays) or 'nothing'}")
    found = np.asarray(arrays[name], np.float32)
    if found.ndim != dimensions:
        raise ParseError(
            f"{source}: '{name}' has the shape {found.shape}; expected {dimensions} axes"
        )
    if not np.isfinite(found).all():
        raise ParseError(f"{source}: '{name}' holds numbers that are not finite")
    return np.ascontiguousarray(found)


def terms(game: str, name: str = "terms") -> NDArray[np.float32]:
    """The learnt weights of a game's terms; by `name` of others than its evaluation's."""
    file = resources.files(__name__) / game / f"{name}.safetensors"
    if not file.is_file():
        what = "evaluation" if name == "terms" else name
        raise ParseError(f"no learned {what} of {game} comes with Tempo; use static or none")
    return np.asarray(load(file.read_bytes())["weights"], np.float32)


def has(game: str, name: str) -> bool:
    """Whether weights of a game come with the package: its `terms`, its `network`."""
    return (resources.files(__name__) / game / f"{name}.safetensors").is_file()


def network(game: str) -> dict[str, NDArray[np.float32]]:
    """The learnt network on a game's terms, by the names of its parts."""
    file = resources.files(__name__) / game / "network.safetensors"
    if not file.is_file():
        raise ParseError(f"no learned network of {game} comes with Tempo")
    return {name: np.asarray(part, np.float32) for name, part in load(file.read_bytes()).items()}
