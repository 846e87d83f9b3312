"""Siguo by search: moves are tried on determinizations of the seat's view, with a tree below.

The tree is over what everyone has seen, and positions at its end are valued by worths of pieces and
places that were learnt from results. It lives in the core: see core/games/siguo/strong.h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tempo import weights
from tempo._core import siguo, siguo_strong
from tempo.agents.base import Candidate, Choice, Cloned, Cost, Drawing, played_by
from tempo.agents.evaluators import evaluator
from tempo.agents.registry import Runs, declare
from tempo.agents.settings import COUNT, DRAWS, FACTOR, SECONDS, AgentSettings, setting, text_of
from tempo.games.game import by_seat

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View


@dataclass(frozen=True)
class SiguoStrongSettings(AgentSettings):
    """Budgets are exact and the first one reached ends the search; with none, time is 0.5."""

    sims: int = setting(0, "simulations a move, never more; 0: no limit", COUNT)
    determinizations: int = setting(
        0, "determinizations a move, never more; 0: no limit", (0, DRAWS[1])
    )
    time: float = setting(0.0, "seconds a move; 0: no limit", SECONDS)
    eval: str = setting(
        "learned",
        "worths: learned, static (hand-tuned) or a run's folder",
        choices=("learned", "static"),
        opens="file",
    )
    moves: int = setting(
        16, "moves tried: those that the rules of thumb score highest", (1, 10_000)
    )
    plies: int = setting(
        8, "played after a move tried, in the tree and by a quick policy", (0, 10_000)
    )
    depth: int = setting(
        4, "plies of the tree below a move tried; 0: no tree", (0, siguo_strong.deepest)
    )
    anchor: float = setting(0.33, "how much the rules of thumb count beside the search", FACTOR)
    explore: float = setting(0.3, "how much the tree looks at moves that were seldom tried", FACTOR)


@declare(
    "siguo-strong",
    SiguoStrongSettings,
    "tries moves on determinizations of the view",
    games=("siguo",),
    weights=("siguo/terms",),
    runs=Runs(
        {"results": "siguo"},
        lambda folder, _: SiguoStrongSettings(eval=folder),
        lambda run, game: worths_evaluator(_evaluator(str(run.folder)), game),
    ),
)
class SiguoStrong(Drawing, Cloned):
    """What the search and the rules of thumb together like best."""

    def __init__(
        self, settings: SiguoStrongSettings | None = None, name: str | None = None
    ) -> None:
        self.settings = s = settings or SiguoStrongSettings()
        self.name = name or text_of("siguo-strong", s)
        self._evaluator = _evaluator(s.eval)
        self.reset(0)

    def choose(self, view: View) -> Choice:
        """The best move, with the scores that seats may expect after each one tried."""
        known = played_by(self.name, view, siguo.View)
        s = self.settings
        unbounded = s.sims == 0 and s.determinizations == 0 and s.time == 0
        moves, _, values, visits, _, simulations, positions = siguo_strong.search(
            known,
            self._evaluator,
            self._random.getrandbits(64),
            determinizations=s.determinizations,
            simulations=s.sims,
            seconds=0.5 if unbounded else s.time,
            moves=s.moves,
            plies=s.plies,
            depth=s.depth,
            anchor=s.anchor,
            explore=s.explore,
        )
        candidates = tuple(
            Candidate(int(move), int(count), by_seat(float(value), known.turn, 4))
            for move, count, value in zip(moves, visits, values, strict=True)
        )
        best = candidates[0]
        cost = Cost(positions, evaluations=simulations)
        return Choice(best.move, best.values, (best.move,), cost, candidates)


def worths_evaluator(worths: siguo_strong.Evaluator, game: Game) -> Any:
    """Worths for searches of determinizations, which have all ranks."""

    def values(positions: list[siguo.Position]) -> list[float]:
        return [worths.value(one) * (1 - 2 * game.teams[one.turn]) for one in positions]

    return game.core.Evaluator.positions(values)


def _evaluator(name: str) -> siguo_strong.Evaluator:
    made = siguo_strong.Evaluator
    known = {
        "learned": lambda: made.linear(weights.terms("siguo")),
        "static": lambda: made.linear(siguo_strong.hand_tuned_weights()),
    }
    return evaluator("siguo-strong", name, known, made.linear)
