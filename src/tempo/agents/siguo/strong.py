"""Siguo by search: moves are tried on determinizations of the seat's view.

`siguo-strong` plays on by a policy in which every seat goes by what it may know; `siguo-strong-1`
is the first version, which later ones are measured against. Both live in the core: see
core/games/siguo/strong.h and first_strong.h.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
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
    from collections.abc import Mapping

    from tempo.games.game import Game
    from tempo.games.protocol import View


@dataclass(frozen=True)
class SearchSettings(AgentSettings):
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
    moves: int = setting(16, "moves tried: those that the policy scores highest", (1, 10_000))

    def budgets(self) -> dict[str, Any]:
        """The budgets as the core's searches take them."""
        unbounded = self.sims == 0 and self.determinizations == 0 and self.time == 0
        return {
            "determinizations": self.determinizations,
            "simulations": self.sims,
            "seconds": 0.5 if unbounded else self.time,
            "moves": self.moves,
        }


@dataclass(frozen=True)
class SiguoStrongSettings(SearchSettings):
    """What the search can be told."""

    plies: int = setting(8, "played by the policy after a move tried", (0, 10_000))
    anchor: float = setting(0.33, "how much the policy counts beside the search", FACTOR)
    tells: str = setting(
        "none",
        "what play tells about ranks: learned, none or a run's folder",
        choices=("learned", "none"),
        opens="file",
    )


@dataclass(frozen=True)
class FirstSettings(SearchSettings):
    """What the first version can be told."""

    plies: int = setting(
        8, "played after a move tried, in the tree and by a quick policy", (0, 10_000)
    )
    depth: int = setting(
        4, "plies of the tree below a move tried; 0: no tree", (0, siguo_strong.deepest)
    )
    anchor: float = setting(0.33, "how much the rules of thumb count beside the search", FACTOR)
    explore: float = setting(0.3, "how much the tree looks at moves that were seldom tried", FACTOR)


def _of_run(folder: str, config: Mapping[str, Any]) -> SiguoStrongSettings:
    """A run has learnt worths or tells."""
    if config.get("learns") == "tells":
        return SiguoStrongSettings(tells=folder)
    return SiguoStrongSettings(eval=folder)


class _Searching(Drawing, Cloned, ABC):
    """What both versions share: one search a move, from the view alone."""

    settings: SearchSettings

    def choose(self, view: View) -> Choice:
        """The best move, with the scores that seats may expect after each one tried."""
        known = played_by(self.name, view, siguo.View)
        moves, _, values, visits, _, simulations, positions = self._search(
            known, self._random.getrandbits(64)
        )
        candidates = tuple(
            Candidate(int(move), int(count), by_seat(float(value), known.turn, 4))
            for move, count, value in zip(moves, visits, values, strict=True)
        )
        best = candidates[0]
        cost = Cost(positions, evaluations=simulations)
        return Choice(best.move, best.values, (best.move,), cost, candidates)

    @abstractmethod
    def _search(self, view: siguo.View, seed: int) -> tuple[Any, ...]:
        """What the core found."""


@declare(
    "siguo-strong",
    SiguoStrongSettings,
    "tries moves on determinizations of the view",
    games=("siguo",),
    weights=("siguo/terms", "siguo/tells"),
    runs=Runs(
        {"results": "siguo"},
        _of_run,
        lambda run, game: worths_evaluator(_evaluator(str(run.folder)), game),
    ),
)
class SiguoStrong(_Searching):
    """What the search and the policy together like best."""

    def __init__(
        self, settings: SiguoStrongSettings | None = None, name: str | None = None
    ) -> None:
        self.settings: SiguoStrongSettings = settings or SiguoStrongSettings()
        self.name = name or text_of("siguo-strong", self.settings)
        self._evaluator = _evaluator(self.settings.eval)
        self._tells = _tells(self.settings.tells)
        self.reset(0)

    def _search(self, view: siguo.View, seed: int) -> tuple[Any, ...]:
        s = self.settings
        return siguo_strong.search(
            view,
            self._evaluator,
            seed,
            self._tells,
            plies=s.plies,
            anchor=s.anchor,
            **s.budgets(),
        )


@declare(
    "siguo-strong-1",
    FirstSettings,
    "siguo-strong as it first was: what later versions are measured against",
    games=("siguo",),
    weights=("siguo/terms",),
)
class SiguoStrong1(_Searching):
    """The first version: playouts as if all ranks were open, below a tree over public states."""

    def __init__(self, settings: FirstSettings | None = None) -> None:
        self.settings: FirstSettings = settings or FirstSettings()
        self.name = text_of("siguo-strong-1", self.settings)
        self._evaluator = _evaluator(self.settings.eval)
        self.reset(0)

    def _search(self, view: siguo.View, seed: int) -> tuple[Any, ...]:
        s = self.settings
        return siguo_strong.search_first(
            view,
            self._evaluator,
            seed,
            plies=s.plies,
            depth=s.depth,
            anchor=s.anchor,
            explore=s.explore,
            **s.budgets(),
        )


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


def _tells(name: str) -> siguo_strong.Tells | None:
    made = siguo_strong.Tells
    known = {
        "learned": lambda: made.linear(weights.terms("siguo", "tells")),
        "none": lambda: None,
    }
    return evaluator("siguo-strong", name, known, made.linear)
