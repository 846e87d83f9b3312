"""Temporal-difference learning rules: what a position's value is moved towards.

Every rule is a pure function on arrays of whole episodes laid end to end: entry t is the position
s_t before a move, `last` [N] marks the final such position of each episode, and `outcome` [N]
repeats the episode's result z on all of its entries. Finished positions have no entry: nothing is
bootstrapped from them but z itself, and nothing is trained on them. All values belong to one seat
(White in chess), whichever seat moves: no rule flips a sign.

Letters: N positions, V(s) the network's value of s, l(s) the leaf of the principal variation of a
search from s and V(l(s)) its value, λ `trace`, γ `discount`, K `steps`.

A rule returns targets [N]; the learner adds α (target - V(input)) ∇V(input), targets held fixed.

Sarsa and Q-learning speak of Q(s, a), what a move is worth to the seat that makes it. There a
`successor` says which later entry s+ of the episode a target looks at, and with which sign.

The truncated rules of the Siguo paper look m entries ahead along the same successors, and learn
when the game is over.

Two episodes, of two positions and of one; the first was won, the second lost:

>>> import numpy as np
>>> from tempo import td
>>> values = np.array([0.2, 0.6, -0.5])
>>> outcome = np.array([1.0, 1.0, -1.0])
>>> last = np.array([False, True, True])
>>> td.td(values, outcome, last, trace=0.0)  # the next value; at the end the result
array([ 0.6,  1. , -1. ])
>>> td.td(values, outcome, last, trace=1.0)  # the result everywhere
array([ 1.,  1., -1.])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tempo.errors import ParseError

Values = NDArray[np.floating]
Flags = NDArray[np.bool_]
Seats = NDArray[np.integer]
Successor = Literal["own_turn", "negamax", "team", "literal"]
Reading = Literal["closed", "recursive"]


def differences(values: Values, outcome: Values, last: Flags, discount: float = 1.0) -> Values:
    """Computes δ_t = γ V(s_{t+1}) - V(s_t), with z in place of V after the last position.

    >>> differences(np.array([0.25, 0.5]), np.array([1.0, 1.0]), np.array([False, True]))
    array([0.25, 0.5 ])
    """
    following = np.append(values[1:], 0.0)
    return np.where(last, outcome, discount * following) - values


def trace_sum(
    deltas: Values, last: Flags, trace: float, steps: int | None = None, discount: float = 1.0
) -> Values:
    """Sums G_t = Σ_{n=t}^{T-1} (γλ)^{n-t} δ_n, up to `steps` terms or the end of the episode.

    >>> trace_sum(np.array([1.0, 1.0, 1.0]), np.array([False, False, True]), trace=0.5)
    array([1.75, 1.5 , 1.  ])
    """
    decay = discount * trace
    total = np.array(deltas, dtype=np.float64)
    place = np.arange(len(total))
    ends = np.flatnonzero(last)
    end = ends[np.searchsorted(ends, place)]
    # All episodes at once, from their last positions backwards.
    order = np.argsort(end - place, kind="stable")
    starts = np.searchsorted((end - place)[order], np.arange(1, np.max(end - place, initial=0) + 2))
    for here in np.split(order, starts)[1:]:
        total[here] += decay * total[np.minimum(here + 1, len(total) - 1)]
    if steps is None:
        return total
    # The terms from t + K on are (γλ)^K G_{t+K}, unless the episode ends before.
    beyond = place + steps
    rest = decay**steps * total[np.minimum(beyond, len(total) - 1)]
    return total - np.where(beyond <= end, rest, 0.0)


def td(
    values: Values,
    outcome: Values,
    last: Flags,
    trace: float,
    steps: int | None = None,
    discount: float = 1.0,
) -> Values:
    """TD(λ) (Sutton 1988): input s_t, target V(s_t) + Σ (γλ)^{n-t} [γ V(s_{n+1}) - V(s_n)].

    With moves chosen by search this is TD-Directed (Veness et al. 2009).

    >>> td(np.array([0.0, 0.5]), np.array([1.0, 1.0]), np.array([False, True]), trace=0.5)
    array([0.75, 1.  ])
    """
    deltas = differences(values, outcome, last, discount)
    return values + trace_sum(deltas, last, trace, steps, discount)


def td_leaf(
    leaf_values: Values,
    outcome: Values,
    last: Flags,
    trace: float,
    steps: int | None = None,
    discount: float = 1.0,
    plies: int = 0,
) -> Values:
    """TD-Leaf(λ) (Baxter et al. 1998): input l(s_t), target V(l(s_t)) + G_t of the leaves' values.

    Where the leaf is a finished position its value is exact: the learner must leave it out. Where
    the search discounts a leaf's value back to the root, it is worth γ^`plies` V(l(s_t)) there: the
    return is that of the root, and the leaf's target is 1 / γ^`plies` of it.

    >>> td_leaf(np.array([0.25, 0.5]), np.array([1.0, 1.0]), np.array([False, True]), trace=0.0)
    array([0.5, 1. ])
    >>> one, last = np.array([1.0]), np.array([True])
    >>> td_leaf(0.5 * one, 0.5 * one, last, trace=0.0, discount=0.5, plies=1)
    array([1.])
    """
    return td(leaf_values, outcome, last, trace, steps, discount) / discount**plies


def td_stem(
    values: Values,
    leaf_values: Values,
    outcome: Values,
    last: Flags,
    trace: float,
    steps: int | None = None,
    discount: float = 1.0,
    anchor: Literal["leaf", "state"] = "leaf",
) -> Values:
    """TD-Stem(λ): input s_t, target anchor + G_t of the leaves' values.

    Anchored at the leaf this is a λ-return over searched values. Anchored at the state, as printed
    (eq. 12 with the differences of eq. 13), nothing holds V(s_t) in place: it diverges on a chain.

    >>> values, leaves = np.array([0.0, 0.25]), np.array([0.25, 0.5])
    >>> td_stem(values, leaves, np.array([1.0, 1.0]), np.array([False, True]), trace=0.5)
    array([0.75, 1.  ])
    """
    deltas = differences(leaf_values, outcome, last, discount)
    start = leaf_values if anchor == "leaf" else values
    return start + trace_sum(deltas, last, trace, steps, discount)


def td_root(
    leaf_values: Values,
    outcome: Values,
    last: Flags,
    trace: float = 0.0,
    steps: int | None = None,
    discount: float = 1.0,
) -> Values:
    """TD-Root(λ) (Veness et al. 2009): input s_t, target the searched value of what follows.

    With λ = 0 that is V(l(s_{t+1})); with a trace it equals TD-Stem anchored at the leaf.
    """
    return td_leaf(leaf_values, outcome, last, trace, steps, discount)


def root_strap(leaf_values: Values) -> Values:
    """RootStrap (Veness et al. 2009): input s_t, target the value of its own search.

    >>> root_strap(np.array([0.25, 0.5]))
    array([0.25, 0.5 ])
    """
    return leaf_values


def tree_strap(values: Values, low: Values, high: Values) -> Values:
    """TreeStrap(αβ) (Veness et al. 2009): input every searched node, target within its bounds.

    Alpha-beta proves low <= V_d(s) <= high; the value is moved only where it lies outside. Plain
    minimax has low = high.

    >>> low, high = np.array([0.0, 0.75, -1.0]), np.array([0.25, 1.0, 1.0])
    >>> tree_strap(np.array([0.5, 0.5, 0.5]), low, high)
    array([0.25, 0.75, 0.5 ])
    """
    return np.clip(values, low, high)


def episode_weights(last: Flags) -> Values:
    """Gives every position of an episode of T positions the weight 1/T, as in θ += (α/T) Σ_t.

    >>> episode_weights(np.array([False, True, True]))
    array([0.5, 0.5, 1. ])
    """
    ends = np.flatnonzero(last)
    lengths = np.diff(ends, prepend=-1)
    return np.repeat(1.0 / lengths, lengths)


def sarsa(
    reward: Values,
    taken: Values,
    turn: Seats,
    last: Flags,
    discount: float,
    successor: Successor = "own_turn",
) -> NDArray[np.float64]:
    """Sarsa (Rummery and Niranjan 1994): input (s_t, a_t), target r_t ± γ Q(s+, a+).

    `reward` [N] is what move a_t earned its seat, `taken` [N] is Q(s_t, a_t), `turn` [N] the seat
    that made it. Where an episode has no s+, nothing is added to r_t.

    Two seats in turn; each looks at its own next move:

    >>> reward, taken = np.array([0.0, 0.0, 1.0, -1.0]), np.array([0.1, 0.2, 0.5, -0.5])
    >>> turn, last = np.array([0, 1, 0, 1]), np.array([False, False, False, True])
    >>> sarsa(reward, taken, turn, last, discount=1.0)
    array([ 0.5, -0.5,  1. , -1. ])
    """
    return _one_step(reward, taken, turn, last, discount, successor)


def q_learning(
    reward: Values,
    best: Values,
    turn: Seats,
    last: Flags,
    discount: float,
    successor: Successor = "own_turn",
) -> NDArray[np.float64]:
    """Q-learning (Watkins 1989): input (s_t, a_t), target r_t ± γ max_b Q(s+, b).

    As `sarsa`, with `best` [N], max_b Q(s_t, b) over the legal moves b, whichever was made.

    >>> reward, best = np.array([0.0, 1.0]), np.array([0.5, 0.75])
    >>> q_learning(reward, best, np.array([0, 0]), np.array([False, True]), discount=1.0)
    array([0.75, 1.  ])
    """
    return _one_step(reward, best, turn, last, discount, successor)


def _one_step(
    reward: Values, ahead: Values, turn: Seats, last: Flags, discount: float, successor: Successor
) -> NDArray[np.float64]:
    following, sign = successors(turn, last, successor)
    there = np.where(following < 0, 0.0, sign * ahead[following])
    targets: NDArray[np.float64] = reward + discount * there
    return targets


def successors(
    turn: Seats, last: Flags, successor: Successor
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Finds [N] the entry s+ that each entry's target uses, -1 for none, and [N] its sign.

    own_turn: where the same seat moves next. It gathers its own rewards; others only stand in its
        way.
    negamax: the next entry, whose value counts against the seat if another one moves there. For
        two seats, where what one gains the other loses.
    team: as negamax, but a partner's value counts for the seat. Teams sit in turn: seats 0 and 2
        against 1 and 3.
    literal: the next entry, as if it belonged to the same seat: what three of the papers print. All
        seats then work for the sum of all rewards.

    >>> successors(np.array([0, 1, 0]), np.array([False, False, True]), "negamax")
    (array([ 1,  2, -1]), array([-1., -1.,  1.]))
    """
    following = np.full(len(turn), -1)
    if successor == "own_turn":
        episode: Seats = np.cumsum(last) - last
        for seat in np.unique(turn):
            own = np.flatnonzero(turn == seat)
            again: Flags = episode[own[1:]] == episode[own[:-1]]
            following[own[:-1][again]] = own[1:][again]
    elif successor in get_args(Successor):
        following[~last] = np.flatnonzero(~last) + 1
    else:
        raise _unknown("successor", successor, Successor)
    return following, _sign(turn, turn[following], successor)


def _unknown(what: str, name: str, known: Any) -> ParseError:
    return ParseError(f"there is no {what} '{name}'; there are {', '.join(get_args(known))}")


def _sign(turn: Seats, there: Seats, successor: Successor) -> NDArray[np.float64]:
    """Whether what is good for the seat `there` is good for the seat `turn`: 1 or -1."""
    against = turn != there
    if successor == "team":
        against = turn % 2 != there % 2
    return np.where(against & (successor in {"negamax", "team"}), -1.0, 1.0)


@dataclass(frozen=True)
class Ahead:
    """What an entry's target is made of: gain + factor * Q(the entry `offset` later)."""

    gain: NDArray[np.float32]  # [N]
    factor: NDArray[np.float32]  # [N] signed and discounted; 0 where the game ends before
    offset: NDArray[np.int32]  # [N] 0 where the game ends before
    known: Flags  # [N] whether there is a target at all


def n_step(
    reward: Values,
    turn: Seats,
    last: Flags,
    cut: Flags,
    broken: Flags,
    *,
    discount: float,
    steps: int,
    successor: Successor,
    replies: bool = True,
) -> Ahead:
    """Q-learning over several steps (Sutton 1988; Rainbow 2018), of the first of K + 1 entries.

    All arrays are [K + 1, N]: N games side by side, entry k played k moves after entry 0. `reward`
    is what a move earned its own seat, `last` that the game ended with it. A target looks at the
    value `steps` entries later, or earlier at an entry that is `cut`: one at which something else
    than the best move was played, so that what follows says little about its value. A game that was
    `broken` off at an entry has its last known value there.

    negamax, team and literal count every entry, own_turn those of the same seat; there others'
    rewards count against the seat as `replies`, or not at all.
    """
    if successor not in get_args(Successor):
        raise _unknown("successor", successor, Successor)
    gain = np.array(reward[0], np.float64)
    factor, offset = np.zeros(len(gain)), np.zeros(len(gain), np.int32)
    power, seen = np.ones(len(gain)), np.zeros(len(gain), np.int32)
    ended = np.array(last[0] | broken[0])
    known = ~broken[0]
    for k in range(1, len(reward)):
        own: Flags = turn[k] == turn[0]
        counts = own if successor == "own_turn" else np.ones_like(own)
        power = np.where(counts, power * discount, power)
        seen = seen + counts
        # What others earn counts against an own_turn's seat, though it looks at its own values.
        sign = _sign(turn[0], turn[k], "negamax" if successor == "own_turn" else successor)
        stops = ~ended & counts & ((seen >= steps) | cut[k] | broken[k])
        factor, offset = np.where(stops, sign * power, factor), np.where(stops, k, offset)
        lost = ~ended & ~stops & broken[k]
        known = known & ~lost
        ended = ended | stops | lost
        counted = ~ended & (own | (successor != "own_turn") | replies)
        gain = gain + np.where(counted, sign * power * reward[k], 0.0)
        ended = ended | last[k]
    return Ahead(
        gain.astype(np.float32), factor.astype(np.float32), offset.astype(np.int32), known & ended
    )


def look_ahead(steps: int, successor: Successor) -> int:
    """K, the entries that `n_step` needs after the first, in a game of two seats in turn."""
    return 2 * steps if successor == "own_turn" else steps


# ---- the truncated rules of the Siguo paper ------------------------------------------------------


@dataclass(frozen=True)
class Truncation:
    """How far a truncated rule looks ahead, and how much what it sees there counts."""

    trace: float = 0.3  # λ
    steps: int | None = 20  # m; none: to the end of the episode
    discount: float = 0.98  # γ


def truncated(
    reward: Values,
    best: Values,
    following: NDArray[np.intp],
    sign: Values,
    cut: Flags,
    by: Truncation,
) -> NDArray[np.float64]:
    """TTD(λ, m) (Cichosz 1995): input (s_t, a_t), target z_t of m rewards, as eq. 3.

    z_t = Σ_{k<m} (γλ)^k [r_{t+k} + γ(1-λ) V(s_{t+k+1})] + (γλ)^m V(s_{t+m}), V = `best` [N], the
    largest Q; `following` and `sign` are of `successors`. Nothing is added past an end. m = 1 and
    λ = 0 are both Q-learning; no m at all is Q(λ). A trace ends at an entry that is `cut`
    (Watkins: where something else than the best move was made); without cuts it is naive.

    >>> reward, best = np.array([0.0, 0.0, 1.0]), np.array([0.25, 0.5, 0.75])
    >>> turn, last = np.zeros(3, int), np.array([False, False, True])
    >>> following, sign = successors(turn, last, "own_turn")
    >>> truncated(reward, best, following, sign, ~last & last, Truncation(1.0, 2, 1.0))
    array([0.75, 1.  , 1.  ])
    """
    ends = following < 0
    there = np.where(ends, 0.0, sign * best[following])
    stops = ends | cut[following]
    target: NDArray[np.float64] = reward + by.discount * there
    for _ in range(len(reward) if by.steps is None else by.steps - 1):
        carried = np.where(stops, there, sign * target[following])
        longer = reward + by.discount * (by.trace * carried + (1 - by.trace) * there)
        if np.array_equal(longer, target):
            break
        target = longer
    return target


FIRST_TRACE, LOW_TRACE, HALF_WAY = 0.9, 0.1, 50.0  # the adaptive λ: from, to, half-way after


def adaptive_trace(
    reading: Reading,
    games: int,
    *,
    first: float = FIRST_TRACE,
    low: float = LOW_TRACE,
    step_size: float = 0.4,
) -> float:
    """Gives λ after a number of games, falling from `first` to `low` (eq. 5, with N_t = a t + b).

    closed: λ_t = low + (first - low) / (100 α N_t) with b = 1 / (100 α) and a = b / 50, which are
        unpublished: half the way is gone after 50 games, whatever α is.
    recursive: as printed, λ ← low + (λ - low) / (100 α N_t) with N_t = t + 1: there in two games.

    >>> [round(adaptive_trace("closed", games), 2) for games in (0, 50, 500)]
    [0.9, 0.5, 0.17]
    """
    if reading == "closed":
        return low + (first - low) / (1 + games / HALF_WAY)
    if reading != "recursive":
        raise _unknown("reading of the adaptive trace", reading, Reading)
    above = first - low
    for t in range(games):
        above /= 100 * step_size * (t + 1)
        if above == 0:
            break
    return low + above
