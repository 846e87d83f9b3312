"""Weights that come with the package, each described by a JSON file of the same name.

NAME.safetensors: networks of chess endings, made by `tools/export_weights.py` from runs of
`tempo train`; read by `tempo.agents.endgame`. GAME/terms.safetensors: weights of a game's terms,
learnt by TreeStrap or TD-Leaf; GAME/network.safetensors: a small network on them. Other files of a
game stand beside them.
"""

from __future__ import annotations

from importlib import resources

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from tempo.errors import ParseError


def terms(game: str) -> NDArray[np.float32]:
    """The learnt weights of a game's terms."""
    file = resources.files(__name__) / game / "terms.safetensors"
    if not file.is_file():
        raise ParseError(f"no learned evaluation of {game} comes with Tempo; use static or none")
    return np.asarray(load(file.read_bytes())["weights"], np.float32)


def network(game: str) -> dict[str, NDArray[np.float32]]:
    """The learnt network on a game's terms, by the names of its parts."""
    file = resources.files(__name__) / game / "network.safetensors"
    if not file.is_file():
        raise ParseError(f"no learned network of {game} comes with Tempo")
    return {name: np.asarray(part, np.float32) for name, part in load(file.read_bytes()).items()}
