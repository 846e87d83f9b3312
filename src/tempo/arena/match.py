"""Matches: two sides, games in pairs, a score with its interval and what each side spent."""

from __future__ import annotations

import os
import queue
import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from tempo.arena.conditions import Conditions
from tempo.arena.log import GameLog
from tempo.arena.openings import Opening, OpeningSet, standard
from tempo.arena.result import MatchResult
from tempo.arena.statistics import SPRT, Pairs
from tempo.arena.table import SIDES, Entrant, GameRecord, Side, Table, seating
from tempo.cluster.workers import Call, Processes, Workers
from tempo.errors import ParseError
from tempo.games import Game, load
from tempo.stopping import Stop, check

if TYPE_CHECKING:
    from tempo.agents import Agent

__all__ = ["MatchProgress", "Players", "Progress", "match"]

GLANCE = 0.02  # seconds between looks at whether a match was stopped

Players = Mapping[str, "Agent | str"] | tuple["Agent | str", "Agent | str"]


@dataclass(frozen=True)
class MatchProgress:
    """Where a match stands after a game; a display may ask for the result so far."""

    done: int
    total: int
    a: str
    b: str
    record: GameRecord
    result: Callable[[], MatchResult]


Progress = Callable[[MatchProgress], None]


def match(
    players: Players,
    game: Game | str,
    *,
    games: int = 200,
    seed: int = 1,
    openings: Sequence[Opening] | OpeningSet | None = None,
    log: str | os.PathLike[str] | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    sprt: SPRT | None = None,
    conditions: Conditions | None = None,
    workers: Workers | None = None,
) -> MatchResult:
    """Plays a match of `games` games, each opening twice with the sides swapped.

    `players` are two agents or agent specs, `{"name": agent, ...}` or `(a, b)`. Without `openings`
    each pair gets one of its own (`openings.standard`); a list that is too short is gone through
    again. With `log`, a file, a match that was killed and is called again goes on where it was.
    `progress` is called after each game, those of the log included. With `sprt` the
    match ends at the first pair that decides the test. The games depend on `seed` and never on
    `threads` or `workers`, unless `conditions` set a clock. With `workers` games are played in
    other processes, by agents that are given as specs; those of a Python file always are, if there
    is more than one thread.

    Raises ValueError when players, games or log do not fit.

    >>> result = match(("alphabeta:depth=1", "random"), "gomoku(size=7)", games=10, seed=1)
    >>> result.wins, result.draws, result.losses
    (10, 0, 0)
    >>> f"{result.score:.0%}, at least {result.interval.low:.0%}"
    '100%, at least 72%'
    """
    plan = Plan(players, load(game), games, seed, openings, conditions or Conditions())
    plan.check(threads, workers)
    with Underway(plan, log, progress, sprt) as under_way:
        with closing(plan.play(under_way.missing, threads, workers)) as played:
            while not under_way.decided and (fresh := next(played, None)):
                under_way.take(fresh)
        return under_way.result()


class Underway:
    """A match that is being played: its log, its games so far, and whom to tell."""

    def __init__(
        self,
        plan: Plan,
        log: str | os.PathLike[str] | None,
        progress: Progress | None,
        sprt: SPRT | None = None,
    ) -> None:
        self.plan, self._tally, self._progress = plan, _Tally(sprt), progress
        self._log = GameLog(log, plan.header())

    def __enter__(self) -> Self:
        self._log.__enter__()
        for record in self.plan.known(self._log):
            self._add(record)
        return self

    def __exit__(self, *error: Any) -> None:
        self._log.__exit__(*error)

    @property
    def missing(self) -> list[int]:
        """The games that have not been played."""
        return self._tally.missing(self.plan.games)

    @property
    def done(self) -> int:
        """How many have been."""
        return len(self._tally.records)

    @property
    def decided(self) -> bool:
        """Whether a sequential test is at its end."""
        return self._tally.decided

    def take(self, record: GameRecord) -> None:
        """One more game."""
        self._log.append(record)
        self._add(record)

    def result(self) -> MatchResult:
        """What it has come to."""
        return self.plan.result(self._tally)

    def _add(self, record: GameRecord) -> None:
        self._tally.add(record)
        if self._progress:
            a, b = (entrant.name for entrant in self.plan.entrants.values())
            self._progress(MatchProgress(self.done, self.plan.games, a, b, record, self.result))


class _Tally:
    """Games as they come in, in any order; the sequential test sees them in theirs."""

    def __init__(self, sprt: SPRT | None) -> None:
        self.sprt = sprt
        self.records: dict[int, GameRecord] = {}
        self.decided = False
        self._pairs = Pairs()

    def add(self, record: GameRecord) -> None:
        self.records[record.index] = record
        while self.sprt and not self.decided and (points := self._next_pair()) is not None:
            self._pairs = self._pairs.plus(Pairs.of([points]))
            self.decided = self.sprt.decide(self._pairs) != "continue"

    def _next_pair(self) -> float | None:
        first = self.records.get(2 * self._pairs.number)
        second = self.records.get(2 * self._pairs.number + 1)
        return first.points + second.points if first and second else None

    def missing(self, games: int) -> list[int]:
        return [index for index in range(games) if index not in self.records]

    def counted(self) -> tuple[GameRecord, ...]:
        # What was played past the deciding pair depends on the threads, so it does not count.
        end = 2 * self._pairs.number if self.decided else len(self.records)
        return tuple(self.records[index] for index in sorted(self.records)[:end])


class Plan:
    """All that fixes a match before its first move."""

    def __init__(
        self,
        players: Players,
        game: Game,
        games: int,
        seed: int,
        openings: Sequence[Opening] | OpeningSet | None,
        conditions: Conditions,
    ) -> None:
        self.conditions = conditions
        if games < 2 or games % 2:
            raise ValueError(f"games come in pairs: an even number is needed, not {games}")
        self.entrants = _entrants(players)
        self.game = game
        self.games = games
        self.seed = seed
        if openings is None:
            openings = standard(game, games // 2, seed, again=True)
        self.opening_set = OpeningSet.of(openings)
        if not self.opening_set.openings:
            raise ValueError("the list of openings is empty")

    def check(self, threads: int, workers: Workers | None) -> None:
        """Raises ValueError when these agents cannot play this way."""
        if threads < 1:
            raise ValueError(f"at least one thread is needed, not {threads}")
        for entrant in self.entrants.values():
            if workers is not None and not entrant.by_text:
                raise ValueError(
                    f"{entrant.name} was given as an object, and other processes need its spec, "
                    "such as file.py:Class"
                )
        copies_needed = threads > 1 or self.game.seats > 2
        for entrant in self.entrants.values():
            if copies_needed and not entrant.copies:
                raise ValueError(
                    f"{entrant.name} was given as an object that cannot be copied: give its spec, "
                    "give it a clone() method, or play games of two seats with one thread"
                )
        a, b = self.entrants.values()
        if not a.copies and not b.copies and a.make() is b.make():
            raise ValueError(f"{a.name} cannot play itself with one object: give its spec")

    def header(self) -> dict[str, Any]:
        agents: dict[str, Any] = {
            side: {"name": entrant.name, "spec": entrant.spec}
            for side, entrant in self.entrants.items()
        }
        return {
            "game": self.game.spec,
            "rules": self.game.rules_version,
            **agents,
            "seed": self.seed,
            "openings": self.opening_set.source,
            **({"conditions": text} if (text := str(self.conditions)) else {}),
        }

    def opening(self, index: int) -> Opening:
        openings = self.opening_set.openings
        return openings[index // 2 % len(openings)]

    def known(self, log: GameLog) -> list[GameRecord]:
        """The games of this match that the log holds already."""
        records = [record for record in log.records if record.index < self.games]
        for record in records:
            expected = self.opening(record.index), seating(self.game, record.index)
            if (record.opening, record.seats) != expected:
                raise ParseError(
                    f"{log.path}: game {record.index} began with '{record.opening}' and seats "
                    f"{record.seats}; expected '{expected[0]}' and {expected[1]}"
                )
        return records

    def play(
        self, indices: Sequence[int], threads: int, workers: Workers | None = None
    ) -> Generator[GameRecord]:
        """Plays the games with these numbers and yields them as they finish."""
        if workers is not None:
            for _, records in workers.results(self.calls(indices, workers), tell=check):
                yield from records
        elif threads > 1 and are_in_python(self.entrants.values()):
            with Processes(min(threads, len(indices) or 1)) as processes:
                yield from self.play(indices, 1, processes)
        elif threads > 1:
            yield from self._play_in_threads(indices, threads)
        else:
            # Alone in the process, an agent is charged for the threads it starts as well.
            table = Table(
                self.game, self.entrants, seed=self.seed, cpu_clock=time.process_time,
                conditions=self.conditions,
            )  # fmt: skip
            for index in indices:
                yield table.play(index, self.opening(index))

    def calls(self, indices: Sequence[int], workers: Workers) -> Iterator[Call]:
        """The games with these numbers as calls, a pair each."""
        names = tuple((entrant.name, entrant.spec) for entrant in self.entrants.values())
        setting = workers.share(Setting(self.game.spec, names, self.seed, self.conditions))
        for at in range(0, len(indices), 2):
            pair = tuple((index, self.opening(index)) for index in indices[at : at + 2])
            yield played_elsewhere, (setting, pair)

    def _play_in_threads(self, indices: Sequence[int], threads: int) -> Generator[GameRecord]:
        stop = Stop()
        tables: queue.SimpleQueue[Table] = queue.SimpleQueue()
        for _ in range(threads):
            tables.put(
                Table(
                    self.game,
                    self.entrants,
                    seed=self.seed,
                    cpu_clock=time.thread_time,
                    stop=stop,
                    conditions=self.conditions,
                )
            )

        def play(index: int) -> GameRecord:
            table = tables.get()
            try:
                return table.play(index, self.opening(index))
            finally:
                tables.put(table)

        waiting = deque(indices)
        running: set[Future[GameRecord]] = set()
        pool = ThreadPoolExecutor(threads, thread_name_prefix="tempo-match")
        try:
            while waiting or running:
                while waiting and len(running) < 2 * threads:
                    running.add(pool.submit(play, waiting.popleft()))
                done, running = wait(running, timeout=GLANCE, return_when=FIRST_COMPLETED)
                check()
                for future in done:
                    yield future.result()
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)

    def result(self, tally: _Tally) -> MatchResult:
        return MatchResult(
            game=self.game.spec,
            options=_options(self.game),
            rules=self.game.rules_version,
            a=self.entrants["a"].name,
            b=self.entrants["b"].name,
            seed=self.seed,
            records=tally.counted(),
            sprt=tally.sprt,
        )


def are_in_python(entrants: Collection[Entrant]) -> bool:
    """Whether they play in processes: in threads of one, Python holds them up."""
    return any(one.in_python for one in entrants) and all(one.by_text for one in entrants)


@dataclass(frozen=True)
class Setting:
    """What another process needs to play games of a match."""

    game: str
    names: tuple[tuple[str, str], ...]  # of both sides, and their specs
    seed: int
    conditions: Conditions


@lru_cache(4)
def _table(setting: Setting) -> Table:
    entrants = (Entrant.of(spec, name) for name, spec in setting.names)
    return Table(
        load(setting.game), dict(zip(SIDES, entrants, strict=True)), seed=setting.seed,
        cpu_clock=time.process_time, conditions=setting.conditions,
    )  # fmt: skip


def played_elsewhere(
    setting: Setting, numbered: tuple[tuple[int, Opening], ...]
) -> list[GameRecord]:
    """Games of a match by their numbers, each from its opening."""
    table = _table(setting)
    return [table.play(index, opening) for index, opening in numbered]


def _entrants(players: Players) -> dict[Side, Entrant]:
    named: list[tuple[str | None, Agent | str]]
    if isinstance(players, Mapping):
        named = list(players.items())
    else:
        named = [(None, agent) for agent in players]
    if len(named) != 2:
        raise ValueError(f"a match is between two agents, not {len(named)}")
    entrants = [Entrant.of(agent, name) for name, agent in named]
    return dict(zip(SIDES, entrants, strict=True))


def _options(game: Game) -> dict[str, int | str]:
    return {
        name: int(value) if value.lstrip("-").isdecimal() else value
        for name, value in game.chosen.items()
    }
