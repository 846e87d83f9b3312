"""What a match showed and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tempo.arena.rendering import match_html, match_table, match_text
from tempo.arena.statistics import (
    SPRT,
    Decision,
    Interval,
    Pairs,
    elo,
    elo_interval,
    pair_interval,
)
from tempo.arena.table import SIDES, GameRecord, Side
from tempo.ledger import Ledger

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["MatchResult"]


@dataclass(frozen=True)
class MatchResult:
    """What a match showed, from a's side, and what it cost. Pairs of games are the unit."""

    game: str
    options: Mapping[str, int | str]
    rules: str
    a: str
    b: str
    seed: int
    records: tuple[GameRecord, ...] = field(repr=False)
    sprt: SPRT | None = None

    @property
    def games(self) -> int:
        """How many games were played and count."""
        return len(self.records)

    @property
    def wins(self) -> int:
        """Games won by a."""
        return sum(record.points == 1 for record in self.records)

    @property
    def draws(self) -> int:
        """Games drawn."""
        return sum(record.points == 0.5 for record in self.records)

    @property
    def losses(self) -> int:
        """Games lost by a."""
        return sum(record.points == 0 for record in self.records)

    @property
    def distinct(self) -> int:
        """How many different games there were; far fewer than `games` means little was tested."""
        return len({record.sequence for record in self.records})

    @property
    def pairs(self) -> Pairs:
        """How many pairs gave a 0, 1/2, 1, 1 1/2 and 2 points."""
        return count_pairs(self.records)

    @property
    def score(self) -> float:
        """The share of the points that a won."""
        return self.pairs.mean

    @property
    def interval(self) -> Interval:
        """The score's 95 % interval."""
        return pair_interval(self.pairs)

    @property
    def elo(self) -> float:
        """The score as an Elo difference; finite whatever the score."""
        return elo(self.score, self.games)

    @property
    def elo_interval(self) -> Interval:
        """The 95 % interval of the Elo difference; finite."""
        return elo_interval(self.interval, self.games)

    @property
    def mean_length(self) -> float:
        """Moves a game, the opening's included."""
        lengths = [len(record.opening.moves) + len(record.moves) for record in self.records]
        return sum(lengths) / max(1, len(lengths))

    @property
    def forfeits(self) -> dict[Side, int]:
        """Games each side lost by an illegal move or because its engine failed."""
        return {side: sum(record.forfeit == side for record in self.records) for side in SIDES}

    @property
    def failures(self) -> dict[Side, int]:
        """Games each side lost because its engine crashed, fell silent or talked nonsense."""
        return {side: sum(record.failure == side for record in self.records) for side in SIDES}

    @property
    def reasons(self) -> dict[str, int]:
        """How the games ended, the most frequent first."""
        ends = ("forfeit" if record.forfeit else record.reason for record in self.records)
        return dict(Counter(ends).most_common())

    @property
    def decision(self) -> Decision | None:
        """What the sequential test says, if there was one."""
        return self.sprt.decide(self.pairs) if self.sprt else None

    @property
    def ledger(self) -> dict[Side, Ledger]:
        """What each side spent on choosing its moves."""
        here = Ledger.here()
        return {side: sum((r.ledgers[side] for r in self.records), here) for side in SIDES}

    def to_json(self) -> dict[str, Any]:
        """One object, as `tempo match --json` prints it."""
        low, high = self.interval
        elo_low, elo_high = self.elo_interval
        data: dict[str, Any] = {
            "game": self.game,
            "options": dict(self.options),
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "distinct": self.distinct,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "low": low,
            "high": high,
            "elo": self.elo,
            "elo_low": elo_low,
            "elo_high": elo_high,
            "seed": self.seed,
            "ledger": {side: ledger.to_json() for side, ledger in self.ledger.items()},
            "pairs": list(self.pairs),
            "mean_length": self.mean_length,
            "forfeits": self.forfeits,
            "failures": self.failures,
            "reasons": self.reasons,
            "rules": self.rules,
        }
        if self.sprt:
            ratio = self.sprt.log_likelihood_ratio(self.pairs)
            data["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "alpha": self.sprt.alpha,
                "beta": self.sprt.beta,
                "llr": ratio,
                "decision": self.decision,
            }
        return data

    def __str__(self) -> str:
        return match_text(self)

    def __rich__(self) -> Table:
        return match_table(self)

    def _repr_html_(self) -> str:
        return match_html(self)


def count_pairs(records: Iterable[GameRecord]) -> Pairs:
    """The pairs among games; a game whose partner is missing does not count."""
    points = {record.index: record.points for record in records}
    first = [index for index in points if index % 2 == 0 and index + 1 in points]
    return Pairs.of(points[index] + points[index + 1] for index in first)
