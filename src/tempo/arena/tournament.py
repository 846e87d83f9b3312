"""Round robins: all agents meet all others from the same openings; ratings, costs, cross table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo.arena.conditions import Conditions
from tempo.arena.match import MatchProgress, Plan, Underway, are_in_python
from tempo.arena.openings import Opening, OpeningSet, standard
from tempo.arena.ratings import Misfit, Rating, connected, misfits, rate
from tempo.arena.rendering import standings_html, standings_table, standings_text
from tempo.arena.result import MatchResult
from tempo.arena.seeds import derive
from tempo.arena.statistics import Pairs
from tempo.arena.table import Entrant
from tempo.cluster.workers import Processes, Workers
from tempo.games import Game, load
from tempo.ledger import Ledger
from tempo.stopping import check

if TYPE_CHECKING:
    from rich.table import Table

    from tempo.agents import Agent

__all__ = ["Standing", "TournamentProgress", "TournamentResult", "tournament"]


@dataclass(frozen=True)
class Standing:
    """An agent's place. Its rating is None while no games join it to the anchor."""

    rank: int
    name: str
    rating: Rating | None
    score: float
    games: int
    ledger: Ledger


@dataclass(frozen=True)
class TournamentResult:
    """What a round robin showed so far; `matches` may be incomplete."""

    game: str
    names: tuple[str, ...]
    games: int
    seed: int
    anchor: str
    anchor_rating: float
    matches: tuple[MatchResult, ...]

    @property
    def pairings(self) -> int:
        """How many matches a full tournament has."""
        return len(self.names) * (len(self.names) - 1) // 2

    @property
    def ratings(self) -> dict[str, Rating]:
        """Ratings of the agents that games join to the anchor."""
        results = self._results()
        reached = connected(results, self.anchor)
        part = {p: pairs for p, pairs in results.items() if set(p) <= set(reached)}
        return rate(part, self.anchor, self.anchor_rating)

    @property
    def misfits(self) -> list[Misfit]:
        """Pairings that do not fit one scale of strength."""
        return misfits(self._results(), self.ratings)

    @property
    def standings(self) -> list[Standing]:
        """Best first; those without a rating last, in the order given."""
        ratings = self.ratings
        order = {name: i for i, name in enumerate(self.names)}
        ranked = sorted(
            self.names, key=lambda n: (-ratings[n].rating if n in ratings else 1e9, order[n])
        )
        return [self._standing(i, name, ratings.get(name)) for i, name in enumerate(ranked, 1)]

    def score(self, name: str, other: str) -> float | None:
        """The share of the points `name` took from `other`; None if they have not met."""
        for played in self.matches:
            if played.games and (played.a, played.b) == (name, other):
                return played.score
            if played.games and (played.a, played.b) == (other, name):
                return 1 - played.score
        return None

    def to_json(self) -> dict[str, Any]:
        """One object: standings, then every match as `tempo match --json` prints it."""
        return {
            "game": self.game,
            "seed": self.seed,
            "anchor": self.anchor,
            "anchor_rating": self.anchor_rating,
            "standings": [_standing_json(standing) for standing in self.standings],
            "misfits": [vars(misfit) for misfit in self.misfits],
            "matches": [played.to_json() for played in self.matches],
        }

    def __str__(self) -> str:
        return standings_text(self)

    def __rich__(self) -> Table:
        return standings_table(self)

    def _repr_html_(self) -> str:
        return standings_html(self)

    def _results(self) -> dict[tuple[str, str], Pairs]:
        return {(played.a, played.b): played.pairs for played in self.matches}

    def _standing(self, rank: int, name: str, rating: Rating | None) -> Standing:
        points, games, ledger = 0.0, 0, Ledger()
        for played in self.matches:
            if name == played.a:
                points += played.wins + played.draws / 2
                ledger += played.ledger["a"]
            elif name == played.b:
                points += played.losses + played.draws / 2
                ledger += played.ledger["b"]
            else:
                continue
            games += played.games
        return Standing(rank, name, rating, points / games if games else 0.5, games, ledger)


@dataclass(frozen=True)
class TournamentProgress:
    """Where a tournament stands after a game; a display may ask for the result so far."""

    done: int
    total: int
    match: MatchProgress
    result: Callable[[], TournamentResult]


def tournament(
    players: Mapping[str, Agent | str] | Sequence[Agent | str],
    game: Game | str,
    *,
    games: int = 20,
    seed: int = 1,
    openings: Sequence[Opening] | OpeningSet | None = None,
    anchor: str | None = None,
    anchor_rating: float = 0.0,
    log: str | os.PathLike[str] | None = None,
    threads: int = 1,
    progress: Callable[[TournamentProgress], None] | None = None,
    conditions: Conditions | None = None,
    workers: Workers | None = None,
) -> TournamentResult:
    """Plays `games` games between every two of the players, all from the same openings.

    `anchor` (the first player if not given) is rated `anchor_rating` and all others relative to
    it. With `log`, a folder with one game log a pairing, a tournament that was killed and is called
    again goes on where it was. `progress` is called after each game. See `match` for the rest.

    >>> players = ["random", "alphabeta:depth=1", "alphabeta:depth=2"]
    >>> result = tournament(players, "gomoku(size=7)", games=10)
    >>> result.standings[-1].name
    'random'
    """
    game = load(game)
    pool = _named(players)
    anchor = next(iter(pool)) if anchor is None else anchor
    if anchor not in pool:
        raise ValueError(f"the anchor {anchor} does not play; {', '.join(pool)} do")
    if openings is None:
        openings = standard(game, max(1, games // 2), seed, again=True)
    names, log_folder = tuple(pool), None if log is None else Path(log)
    total = games * len(names) * (len(names) - 1) // 2

    def tell(state: MatchProgress) -> None:
        if progress:
            done = sum(under_way.done for under_way in all_begun)
            progress(TournamentProgress(done, total, state, standing))

    def begun(a: str, b: str) -> Underway:
        # Named, not numbered: adding a player leaves the other pairings as they were.
        own = derive(seed, "pairing", a, b)
        pair = {a: pool[a], b: pool[b]}
        plan = Plan(pair, game, games, own, openings, conditions or Conditions())
        plan.check(threads, workers)
        kept = f"{_file_name(a)}--{_file_name(b)}.jsonl"
        return Underway(plan, log_folder / kept if log_folder else None, tell)

    def standing() -> TournamentResult:
        played = tuple(one.result() for one in all_begun if one.done)
        return TournamentResult(game.spec, names, games, seed, anchor, anchor_rating, played)

    all_begun: list[Underway] = []
    with ExitStack() as logs:
        if workers is None and threads > 1 and are_in_python([*map(Entrant.of, pool.values())]):
            workers = logs.enter_context(Processes(threads))
        for a, b in combinations(names, 2):
            all_begun.append(begun(a, b))
            logs.enter_context(all_begun[-1])
            if workers is None:
                _play(all_begun[-1], threads)
        if workers is not None:
            _spread(all_begun, workers)
        return standing()


def _play(under_way: Underway, threads: int) -> None:
    """The games of one pairing, on this machine."""
    with closing(under_way.plan.play(under_way.missing, threads)) as played:
        for record in played:
            under_way.take(record)


def _spread(all_begun: Sequence[Underway], workers: Workers) -> None:
    """The games of all pairings, by workers that never wait for the end of one."""
    calls, of = [], []
    for under_way in all_begun:
        for call in under_way.plan.calls(under_way.missing, workers):
            calls.append(call)
            of.append(under_way)
    with closing(workers.results(calls, tell=check)) as found:
        for number, records in found:
            for record in records:
                of[number].take(record)


def _named(players: Mapping[str, Agent | str] | Sequence[Agent | str]) -> dict[str, Agent | str]:
    if isinstance(players, Mapping):
        pool = dict(players)
    else:
        pool = {p if isinstance(p, str) else p.name: p for p in players}
    if len(pool) != len(players):
        raise ValueError("two players have the same name: give names, {'name': agent, ...}")
    if len(pool) < 2:
        raise ValueError("a tournament needs two players or more")
    return pool


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.,=_-]", "_", name)


def _standing_json(standing: Standing) -> dict[str, Any]:
    rating = standing.rating
    return {
        "rank": standing.rank,
        "agent": standing.name,
        "rating": rating.rating if rating else None,
        "low": rating.low if rating else None,
        "high": rating.high if rating else None,
        "score": standing.score,
        "games": standing.games,
        "ledger": standing.ledger.to_json(),
    }
