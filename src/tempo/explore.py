"""Exploration: how often a random move is played, and which.

ε is always the probability of a *random* move. A schedule gives it for the index i of an iteration.
"""

from __future__ import annotations

from collections.abc import Callable

from tempo.errors import ParseError

# Those of the endgame paper: experiment 1 `i^(-3/4)`, experiment 2 `1 - 0.02 i` held above 0.
SCHEDULES: dict[str, Callable[[int], float]] = {
    "power": lambda i: 1.0 if i <= 0 else i**-0.75,
    "linear": lambda i: max(0.0, 1 - 0.02 * i),
    "none": lambda i: 0.0,
}


def schedule(name: str, index: int) -> float:
    """ε at an index: a schedule's name, or a constant such as `0.1`."""
    if name in SCHEDULES:
        return SCHEDULES[name](index)
    try:
        constant = float(name)
    except ValueError:
        constant = -1.0
    if not 0 <= constant <= 1:
        raise ParseError(
            f"there is no exploration '{name}'; there are {', '.join(SCHEDULES)} and constants"
        )
    return constant
