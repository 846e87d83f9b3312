"""From games to the arrays that the rules of `tempo.td` take.

Rules of V speak of one seat, the first; rules of Q of the seat that moves. Signs are of teams.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tempo import td
from tempo.learners.experience import Experience, Flags
from tempo.learners.registry import Samples, samples_of
from tempo.learners.settings import Settings
from tempo.nets.approximator import Floats, Inputs


def episodes(played: Experience, values: Floats) -> dict[str, Any]:
    """`outcome` and `last` for the first seat, with games cut at moves made at random.

    What follows a random move says nothing of the moves before it: there an episode ends with the
    value of the position, and the position itself is left out (`learnable`).
    """
    random = played.explored
    before = np.append(random[1:], False) & ~played.last
    following = np.append(values[1:], 0)
    outcome = np.where(before, following, played.outcome)
    return {"outcome": outcome, "last": played.last | random | before}


def learnable(played: Experience, settings: Settings) -> Flags:
    """[N] positions worth learning from: quiet ones, if the settings say so, and each once."""
    kept = np.ones(len(played), bool)
    if played.quiet is None:  # games that do not say so are taken as they are
        return kept
    _, first = np.unique(played.inputs.keys, return_index=True)
    kept[:] = False
    kept[first] = True
    return kept & (played.quiet | (not settings.quiet))


def returns(played: Experience, settings: Settings) -> dict[str, Any]:
    """λ, γ and how far to look ahead, as `tempo.td` takes them.

    γ is that of a round, as it is for moves: by the move, games of four would fade twice as fast.
    """
    discount = settings.discount ** (1 / played.round)
    return {"trace": settings.trace, "discount": discount, "steps": settings.steps or None}


def faded(played: Experience, settings: Settings, results: Floats) -> Floats:
    """[N] what was got in the end, discounted to each entry: sooner is better."""
    ends = np.flatnonzero(played.last)
    left = ends[np.searchsorted(ends, np.arange(len(played)))] - np.arange(len(played))
    found: Floats = (results * settings.discount ** (left / played.round)).astype(np.float32)
    return found


def towards(
    played: Experience, settings: Settings, inputs: Inputs, targets: Any, sign: Floats, kept: Flags
) -> Samples:
    """Samples of V: targets for the first seat, turned to the seat that moves at each input."""
    share = settings.results
    mixed = (1 - share) * targets + share * faded(played, settings, played.outcome)
    return samples_of(inputs[kept], (sign * mixed)[kept])


def of_moves(played: Experience, settings: Settings, targets: Any) -> Samples:
    """Samples of Q: the position after each move, unless it ended the game, which is exact."""
    share = settings.results
    mixed = (1 - share) * targets + share * faded(played, settings, played.result)
    kept = np.flatnonzero(~played.last)
    sign = played.sign[kept] * played.sign[kept + 1]
    return samples_of(played.inputs[kept + 1], sign * mixed[kept])


def with_asides(samples: Samples, played: Experience) -> Samples:
    """The samples, and positions off the line of the games towards their searched values."""
    if played.asides is None:
        return samples
    _, first = np.unique(played.asides.inputs.keys, return_index=True)
    return Samples.joined(
        [samples, samples_of(played.asides.inputs[first], played.asides.low[first])]
    )


def imitation(played: Experience) -> Samples:
    """Samples of what the evaluation that played says itself, of positions and of leaves.

    A network begins as good as that evaluation, sooner than by searches and results. What is
    decided says nothing of it.
    """
    leaf_values = (played.best * played.leaf_sign)[played.evaluated]
    inputs = Inputs.joined([played.inputs, played.leaves[played.evaluated]])
    values = np.concatenate([played.value, leaf_values])
    open_ones = np.abs(values) < 1
    return samples_of(inputs[open_ones], values[open_ones])


def rewards(played: Experience, successor: td.Successor) -> Floats:
    """[N] what a seat got in the end, at every move that nothing follows; 0 at the others."""
    following, _ = td.successors(played.turn, played.last, successor)
    return np.where(following < 0, played.result, 0).astype(np.float32)


def truncated(played: Experience, settings: Settings, by: td.Truncation, cut: Flags) -> Samples:
    """Samples of Q by traces, which end at entries that are `cut`."""
    following, sign = td.successors(played.turn, played.last, settings.successor)
    reward = rewards(played, settings.successor)
    return of_moves(played, settings, td.truncated(reward, played.best, following, sign, cut, by))
