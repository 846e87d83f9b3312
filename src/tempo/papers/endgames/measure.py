"""What a model of an ending is worth: the endgame paper's test, and the same exactly."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tempo import _core
from tempo.arena import endings
from tempo.arena.seeds import derive
from tempo.games.chess.endings import Ending
from tempo.ledger import Ledger
from tempo.papers.jobs import Row

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tempo.learners.fast.search_td import SearchTD

GAMES = 2000  # test games a model, half with each side
TEST_DEPTH = 3  # d_V of the last stages


@cache
def ending_of(name: str) -> Ending:
    """An ending with its exact table."""
    return Ending(name)


def examine(learner: SearchTD, name: str, mate_depth: int, seed: int) -> Row:
    """A model as it stands: 2,000 games against perfect play, and exactly over all positions."""
    ending = ending_of(name)
    ledger = Ledger()
    with ledger.timing():
        first, choice = policies(learner, mate_depth)
        row = {
            "step": learner.step,
            "games": learner.games,
            "cpu_seconds": round(learner.ledger.cpu_seconds, 3),
            "sampled": sampled(ending, choice, derive(seed, "test", learner.step)),
            "exact": exact(ending, choice),
            "exact_first": exact(ending, first),
        }
    row["test_cpu_seconds"] = round(ledger.cpu_seconds, 3)
    return row


def policies(learner: SearchTD, mate_depth: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """What minimax plays with the mate search: the first of equal moves, or the best of them.

    Without a discount every forced mate is worth 1, and the first of equal moves may put it off for
    ever. The better choice mates as soon, and is mated as late, as the search can see.
    """
    from tempo.learners.fast.search_td import sweep  # noqa: PLC0415 - needs JAX

    found = learner.search(TEST_DEPTH)
    mates = sweep(learner.graph, learner.game.scores, max(mate_depth, 1), 0.999)
    mover = np.where(learner.game.turn == 0, 1, -1)
    forced = (mover * mates.values[-1] > 0) & (mate_depth > 0)
    first = np.where(forced, mates.best, found.best).astype(np.int32)
    seen = sweep(learner.graph, learner.game.scores, TEST_DEPTH, 0.999)
    sooner = np.where(seen.values[-1] != 0, seen.best, found.best)
    return first, np.where(forced, mates.best, sooner).astype(np.int32)


def sampled(ending: Ending, choice: NDArray[np.int32], seed: int) -> Row:
    """The paper's test: half of the games with each side."""
    family, verdicts = ending.family, ending.verdicts
    attacks = ending.starts(GAMES // 2, derive(seed, "attack"))
    defences = ending.starts(GAMES // 2, derive(seed, "defence"), turn=endings.BLACK)
    won = _core.endings.play_attack(
        family, verdicts, attacks, choice, cap=2 * endings.MOVES, seed=derive(seed, "play")
    )
    held = _core.endings.play_defence(family, verdicts, defences, choice, seed=derive(seed, "hold"))
    return _figures(
        endings.Trials.of_games(ending, attacks, won),
        endings.Trials.of_games(ending, defences, held),
    )


def exact(ending: Ending, choice: NDArray[np.int32]) -> Row:
    """The expectation of the same figures, every position once."""
    return _figures(*endings.whole(ending, choice))


def _figures(attack: endings.Trials, defence: endings.Trials) -> Row:
    found = endings.figures(attack, defence)
    return {name: value and round(value, 5) for name, value in found.items()}


def floors(ending: Ending, mate_plies: int, seed: int = 1) -> Row:
    """Random moves with a mate finder in place of a model."""
    games = endings.FLOOR_GAMES
    attacks = ending.starts(games, derive(seed, "floor"))
    defences = ending.starts(games, derive(seed, "floor", "held"), turn=endings.BLACK)
    won = _core.endings.play_attack(
        ending.family, ending.verdicts, attacks, mate_plies=mate_plies, cap=2 * endings.MOVES,
        seed=derive(seed, "floor", mate_plies),
    )  # fmt: skip
    held = _core.endings.play_defence(
        ending.family, ending.verdicts, defences, seed=derive(seed, "floor", "hold")
    )
    return _figures(
        endings.Trials.of_games(ending, attacks, won),
        endings.Trials.of_games(ending, defences, held),
    )
