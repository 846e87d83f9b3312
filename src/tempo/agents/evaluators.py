"""What values a leaf, by the names that settings of agents have for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tempo import weights
from tempo.errors import ParseError
from tempo.runs import Run

E = TypeVar("E")


def evaluator(
    agent: str,
    chosen: str,
    known: Mapping[str, Callable[[], E]],
    linear: Callable[[NDArray[np.float32]], E],
    network: Callable[[Mapping[str, NDArray[Any]], str], E] | None = None,
) -> E:
    """One of those that are known by name, or what a run has learnt: weights of terms, a network.

    Raises ParseError where there is neither.
    """
    if chosen in known:
        return known[chosen]()
    if not (Path(chosen) / "config.toml").is_file():
        raise ParseError(
            f"{agent} knows no evaluator '{chosen}'; there are {', '.join(known)} "
            "and folders of runs"
        )
    last = Run.open(chosen).trained()
    if network is not None and "weights" not in last.arrays:
        return network(last.arrays, chosen)
    return linear(weights.checked(last.arrays, "weights", chosen, 1))
