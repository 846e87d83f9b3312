"""What values a leaf, by the names that settings of agents have for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tempo import weights
from tempo.errors import ParseError
from tempo.games.registry import load as load_game
from tempo.nets.incremental import Incremental
from tempo.nets.lines import Lines
from tempo.nets.stored import SUFFIX, is_rounded, read_rounded, rounded_of
from tempo.runs import Run, is_run

E = TypeVar("E")


def evaluator(
    agent: str,
    chosen: str,
    known: Mapping[str, Callable[[], E]],
    linear: Callable[[NDArray[np.float32]], E],
    network: Callable[[Mapping[str, NDArray[Any]], str], E] | None = None,
    quantized: Callable[[Any], E] | None = None,
) -> E:
    """One of those that are known by name, or what a run has learnt: weights of terms, a network.

    `quantized` makes one of a network in integers: that of a run, or of a file that was exported.
    Raises ParseError where there is none of these.
    """
    if chosen in known:
        return known[chosen]()
    if chosen.endswith(SUFFIX) and Path(chosen).is_file() and quantized is not None:
        return _in_integers(agent, quantized, read_rounded(chosen), chosen)
    if not is_run(chosen):
        raise ParseError(
            f"{agent} knows no evaluator '{chosen}'; there are {', '.join(known)} "
            "and folders of runs"
        )
    run = Run.open(chosen)
    if quantized is not None and is_rounded(run.config):
        learnt = rounded_of(run, load_game(str(run.config["game"])))
        return _in_integers(agent, quantized, learnt, chosen)
    last = run.trained()
    if network is not None and "weights" not in last.arrays:
        return network(last.arrays, chosen)
    return linear(weights.checked(last.arrays, "weights", chosen, 1))


def _in_integers(
    agent: str, make: Callable[[Any], E], found: Incremental | Lines, source: str
) -> E:
    try:
        return make(found.network)
    except (TypeError, ValueError):
        raise ParseError(
            f"{source} is a network of {found.version}, which {agent} does not play with"
        ) from None
