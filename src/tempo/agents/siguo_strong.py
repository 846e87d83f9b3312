"""Siguo by trials: the likeliest moves are tried on truths drawn from the seat's view."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from tempo._core import siguo, siguo_heuristic
from tempo.agents.base import Candidate, Choice, Cost
from tempo.agents.settings import setting, text_of
from tempo.errors import ParseError

if TYPE_CHECKING:
    from tempo.games.protocol import View

HALF = 4.0  # a lead, in Generals or so, that is worth half a win


@dataclass(frozen=True)
class SiguoStrongSettings:
    """Budgets end the trials at the first one reached; with none, 100 truths are drawn."""

    truths: int = setting(0, "truths drawn a move, exactly; 0: no limit")
    time: float = setting(0.0, "seconds a move; 0: no limit")
    moves: int = setting(16, "moves tried: those that the rules of thumb score highest")
    plies: int = setting(8, "played on after a move tried, by a quick policy")
    anchor: float = setting(1.0, "how much the rules of thumb count beside the trials")


class SiguoStrong:
    """What the trials and the rules of thumb together like best."""

    def __init__(self, settings: SiguoStrongSettings | None = None) -> None:
        self.settings = s = settings or SiguoStrongSettings()
        self.name = text_of("siguo-strong", s)
        if s.truths < 0 or s.time < 0 or s.moves < 1 or s.plies < 0:
            raise ParseError(
                f"{self.name}: truths, time and plies are 0 or more, moves are 1 or more"
            )
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Takes a new random stream."""
        self._random = Random(seed)

    def choose(self, view: View) -> Choice:
        """The best move, with what each one tried is worth to the seats."""
        if not isinstance(view, siguo.View):
            raise ParseError(f"{self.name} plays siguo alone, not {getattr(view, 'game', '?')}")
        s = self.settings
        moves, worths, truths, positions = siguo_heuristic.try_moves(
            view,
            self._random.getrandbits(64),
            truths=100 if s.truths == 0 and s.time == 0 else s.truths,
            seconds=s.time,
            moves=s.moves,
            plies=s.plies,
            anchor=s.anchor,
        )
        candidates = tuple(
            Candidate(int(move), truths, _by_seat(float(worth), view.turn))
            for move, worth in zip(moves, worths, strict=True)
        )
        best = candidates[0]
        cost = Cost(positions, evaluations=truths * len(candidates))
        return Choice(best.move, best.values, (best.move,), cost, candidates)

    def clone(self) -> SiguoStrong:
        """Another one, for another thread or seat."""
        return SiguoStrong(self.settings)


def _by_seat(lead: float, seat: int) -> tuple[float, ...]:
    """A lead of a seat's team as values of all seats in [-1, 1]."""
    own = lead / (abs(lead) + HALF)
    return tuple(own if (seat - other) % 2 == 0 else -own for other in range(4))
