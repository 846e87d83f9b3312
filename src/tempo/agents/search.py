"""Agents that search: alpha-beta and Monte-Carlo trees, both run in the core.

Games with hidden ranks are searched on determinizations, drawn from the seat's view; the move that
they agree on is played.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tempo import _core, search, weights
from tempo.agents.base import Candidate, Choice, Cloned, Cost
from tempo.agents.own import named_by_file, object_in
from tempo.agents.registry import GENERAL, GUIDED, SIMULATED, Runs, declare, evaluator_of
from tempo.agents.settings import (
    COUNT,
    DEPTH,
    DRAWS,
    FACTOR,
    MEMORY,
    SECONDS,
    THREADS,
    AgentSettings,
    setting,
    text_of,
)
from tempo.agents.steps import steps_of
from tempo.errors import ParseError, unknown
from tempo.games.registry import load as load_game
from tempo.nets.approximator import QUIESCENCE_TURNS
from tempo.nets.stored import approximator_of, is_general, is_guided, is_rounded, rounded_of
from tempo.runs import Run, is_run
from tempo.stopping import Stop, stopped

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View

MEBIBYTE = 2**20
EVALUATORS = search.WORDS
FINAL_CHOICES = ("robust", "max", "robust_max", "secure")
STEPS = "what strong engines add, joined by +, with numbers as in late:60; or all, or none"
THREADS_SHARE = "that search through one table; with more than one, games are not repeatable"
CPU = "time is processor time of the thread, not time on the wall"
URGENCY = (-1.0, 1e6)
RULES = ("ucb1", "tuned", "puct", "gumbel")
TREES = (1, 1024)


@dataclass(frozen=True)
class AlphaBetaSettings(AgentSettings):
    """Budgets are exact and the first one reached ends the search; with none, depth is 3."""

    depth: int = setting(0, "moves below the root; 0: no limit, or 3 if no budget is set", DEPTH)
    nodes: int = setting(0, "positions visited, never more; 0: no limit", COUNT)
    time: float = setting(0.0, "seconds a move; 0: no limit", SECONDS)
    eval: str = setting(
        "static", "what values a leaf: static, none, learned where shipped, or a run folder",
        choices=EVALUATORS, opens="run",
    )  # fmt: skip
    table: int = setting(16, "MiB of transposition table; 0: none", MEMORY)
    quiescence: bool = setting(True, "search on through captures, where a game has them")
    keep: bool = setting(False, "keep the table from move to move")
    reduce: bool = setting(False, "search late moves less deep first")
    exact: bool = setting(False, "a true value for every move, not just the best: for study")
    determinizations: int = setting(
        8, "determinizations searched a move, in games with hidden ranks", DRAWS
    )
    steps: str = setting("none", STEPS)
    threads: int = setting(1, THREADS_SHARE, THREADS)
    cpu: bool = setting(False, CPU)

    def __post_init__(self) -> None:
        super().__post_init__()
        steps_of(self.steps)


@dataclass(frozen=True)
class MonteCarloSettings(AgentSettings):
    """Budgets are exact; with neither simulations nor time, 1000 simulations are run."""

    sims: int = setting(
        0, "simulations a move, exactly; 0: no limit, or 1000 if no time is set", COUNT
    )
    time: float = setting(0.0, "seconds a move; 0: no limit", SECONDS)
    rule: str = setting("ucb1", "how a child is picked: ucb1, tuned, puct or gumbel", choices=RULES)
    c: float = setting(1.4, "exploration constant, for rewards in [0, 1]", FACTOR)
    fpu: float = setting(-1.0, "urgency of unvisited moves; negative: try each once first", URGENCY)
    rollout: int = setting(
        -1, "random moves before the evaluator is asked; -1: to the end", (-1, 10**6)
    )
    eval: str = setting(
        "none", "what values an unfinished rollout: static, none, learned, or a run folder",
        choices=EVALUATORS, opens="run",
    )  # fmt: skip
    choice: str = setting(
        "robust", "final choice: robust, max, robust_max or secure", choices=FINAL_CHOICES
    )
    extra: int = setting(0, "further simulations that robust_max may take", COUNT)
    trees: int = setting(1, "independent trees, added up at the root", TREES)
    threads: int = setting(1, "trees grown at a time; never changes the result", THREADS)
    reuse: bool = setting(True, "keep the tree of the last move")
    memory: int = setting(256, "MiB for all trees, never more", (1, MEMORY[1]))
    determinizations: int = setting(
        8, "determinizations searched a move, in games with hidden ranks", DRAWS
    )


class SearchAgent(Cloned, ABC):
    """What both searches share: one searcher per game, determinizations, costs."""

    determinizations = 8
    seconds = 0.0  # for a choice as a whole; 0: no limit

    def __init__(self, name: str, evaluator: Any = None) -> None:
        self.name = name
        self._own = evaluator
        self._searchers: dict[str, Any] = {}
        self._multiply_adds = 0
        self.reset(0)

    def clone(self) -> Self:
        """A copy with the same settings, evaluator and name, for another thread or seat."""
        if self._own is None:
            return super().clone()
        make: Any = type(self)
        made: Self = make(self.settings, self.name, evaluator=self._own)
        return made

    def reset(self, seed: int) -> None:
        """Forgets trees and tables, and takes a new random stream."""
        self._seed = seed % 2**64
        self._random = Random(seed)
        for searcher in self._searchers.values():
            self._restart(searcher)

    def choose(self, view: View) -> Choice:
        """The move that the search likes best."""
        if not hasattr(view, "sample"):
            return choice_of(self._search(self._searcher(view), view), self._multiply_adds)
        results: list[Any] = []
        with Stop(self.seconds or None):
            while not results or (len(results) < self.determinizations and not stopped()):
                determinization = view.sample(self._random.getrandbits(63))
                searcher = self._searcher(determinization)
                results.append(self._search(searcher, determinization))
        return agreed_choice(results, self._multiply_adds)

    def _searcher(self, position: Any) -> Any:
        if position.game not in self._searchers:
            try:
                self._searchers[position.game] = self._make(load_game(position.game))
            except ParseError:
                raise
            except (ValueError, MemoryError) as error:  # settings that do not fit each other
                raise ParseError(f"{self.name}: {error or 'not enough memory'}") from None
        return self._searchers[position.game]

    def _search(self, searcher: Any, position: Any) -> Any:
        return searcher.search(position)

    def _search_seconds(self, core: Any) -> float:
        """The time for one search: determinizations share that of the choice."""
        return self.seconds / self.determinizations if hasattr(core, "View") else self.seconds

    def _evaluator(self, name: str, game: Game) -> Any:
        if self._own is not None:
            evaluator = search.evaluator(game, self._own)
        else:
            evaluator = evaluator_named(name, game)
        self._multiply_adds = evaluator.multiply_adds
        return evaluator

    @abstractmethod
    def _make(self, game: Game) -> Any:
        """The searcher for one game."""

    @abstractmethod
    def _restart(self, searcher: Any) -> None:
        """Resets a searcher to its initial state."""


def _as_deep(folder: str, config: Mapping[str, Any]) -> AlphaBetaSettings:
    """A search as deep as the run's were in the end."""
    stages = config.get("stages")
    stage = stages[-1] if isinstance(stages, list) and stages else config
    depth = stage.get("depth") if isinstance(stage, Mapping) else 0
    return AlphaBetaSettings(eval=folder, depth=depth if type(depth) is int and depth > 0 else 1)


def learnt_evaluator(run: Run, game: Game) -> Any:
    """An approximator, or weights of the game's terms."""
    if is_general(run.config):
        if is_rounded(run.config):
            return game.core.Evaluator.quantized(rounded_of(run, game).network)
        return approximator_of(run, game).evaluator()
    found = weights.checked(run.trained().arrays, "weights", str(run.folder), 1)
    return game.core.Evaluator.linear(found)


@declare(
    "alphabeta",
    AlphaBetaSettings,
    "alpha-beta with a static evaluation",
    runs=Runs(dict.fromkeys((GENERAL, "tree_strap", "td_leaf"), ""), _as_deep, learnt_evaluator),
)
class AlphaBetaAgent(SearchAgent):
    """Principal-variation search with a static or learned evaluator.

    >>> import tempo
    >>> position = tempo.load("chess").parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    >>> choice = AlphaBetaAgent(AlphaBetaSettings(depth=3)).choose(position)
    >>> position.move_text(choice.move), choice.values
    ('a1a8', (1.0, -1.0))
    """

    _turn: dict[int, int]  # the rest of a turn under way: moves by position
    _values: tuple[float, ...]
    _limits: dict[str, int | float] | None = None  # other than those of the settings
    _watch: Callable[[Any], None] | None = None

    def __init__(
        self, settings: AlphaBetaSettings | None = None, name: str = "", evaluator: Any = None
    ) -> None:
        self.settings = settings or AlphaBetaSettings()
        self.determinizations, self.seconds = self.settings.determinizations, self.settings.time
        super().__init__(name or text_of("alphabeta", self.settings), evaluator)

    def choose(self, view: View) -> Choice:
        """The move that the search likes best; a turn of several moves is searched once."""
        if (planned := self._turn.get(view.key)) is not None and planned in view.legal_moves:
            return Choice(planned, self._values, (planned,))
        choice = super().choose(view)
        self._turn, self._values = rest_of_turn(view, choice.line), choice.values
        return choice

    def _make(self, game: Game) -> Any:
        s, core = self.settings, game.core
        unbounded = s.depth == 0 and s.nodes == 0 and s.time == 0
        evaluator = self._evaluator(s.eval, game)
        settings = _core.AlphaBetaSettings(
            depth=3 if unbounded else s.depth,
            positions=s.nodes,
            seconds=self._search_seconds(core),
            table_bytes=s.table * MEBIBYTE,
            quiescence=s.quiescence,
            quiescence_turns=QUIESCENCE_TURNS if self._own or _is_approximator(s.eval) else 0,
            keep=s.keep,
            reduce=s.reduce,
            exact_root=s.exact,
            steps=steps_of(s.steps),
            threads=s.threads,
            thread_time=s.cpu,
        )
        # An evaluation that only one search knows comes with that search.
        return sys.modules[type(evaluator).__module__].AlphaBeta(evaluator, settings)

    def limit(
        self, seconds: float = 0.0, soft: float = 0.0, nodes: int = 0, depth: int = 0
    ) -> None:
        """Other budgets for the moves to come. Determinizations share the time."""
        self.seconds = seconds
        self._limits = {"positions": nodes, "soft_seconds": soft, "depth": depth}

    def watch(self, told: Callable[[Choice], None] | None) -> None:
        """Has searches of open games tell what is known so far."""
        self._watch = watching(told, self._multiply_adds)

    def reset(self, seed: int) -> None:
        """Forgets tables and plans, and takes a new random stream."""
        super().reset(seed)
        self._turn, self._values = {}, ()

    def _search(self, searcher: Any, position: Any) -> Any:
        if self._limits is not None:
            core = sys.modules[type(position).__module__]
            searcher.limit(seconds=self._search_seconds(core), **self._limits)
        return searcher.search(position, self._watch)

    def _restart(self, searcher: Any) -> None:
        if self.settings.keep:  # otherwise it forgets after each search anyway
            searcher.reset()


def _as_many(folder: str, config: Mapping[str, Any]) -> MonteCarloSettings:
    """A search of as many simulations as the run's."""
    sims = config.get("simulations")
    rule = "gumbel" if is_guided(config) else "ucb1"
    return MonteCarloSettings(
        eval=folder, rule=rule, rollout=0, sims=sims if type(sims) is int and sims > 0 else 16
    )


@declare(
    "mcts",
    MonteCarloSettings,
    "Monte-Carlo tree search",
    runs=Runs({GUIDED: "", SIMULATED: ""}, _as_many, learnt_evaluator),
)
class MonteCarloAgent(SearchAgent):
    """Monte-Carlo tree search with random rollouts or an evaluator at the leaves.

    >>> import tempo
    >>> position = tempo.load("gomoku(size=5)").parse("xxxx1/oooo1/5/5/5 x")
    >>> choice = MonteCarloAgent(MonteCarloSettings(sims=500)).choose(position)
    >>> position.move_text(choice.move)
    'e5'
    """

    def __init__(
        self, settings: MonteCarloSettings | None = None, name: str = "", evaluator: Any = None
    ) -> None:
        self.settings = settings or MonteCarloSettings()
        self.determinizations, self.seconds = self.settings.determinizations, self.settings.time
        super().__init__(name or text_of("mcts", self.settings), evaluator)

    def _make(self, game: Game) -> Any:
        s, core = self.settings, game.core
        settings = _core.MonteCarloSettings(
            simulations=1000 if s.sims == 0 and s.time == 0 else s.sims,
            seconds=self._search_seconds(core),
            selection=s.rule,
            exploration=s.c,
            first_play=None if s.fpu < 0 else s.fpu,
            rollout_moves=None if s.rollout < 0 else s.rollout,
            final_choice=s.choice,
            extra_simulations=s.extra,
            trees=s.trees,
            threads=s.threads,
            memory=s.memory * MEBIBYTE,
            seed=self._seed,
        )
        evaluator = self._evaluator(s.eval, game)
        if not isinstance(evaluator, core.Evaluator):  # one that comes with a search of its own
            evaluator = core.Evaluator.positions(partial(_scores, evaluator))
        return core.MonteCarlo(evaluator, settings, s.reuse)

    def _restart(self, searcher: Any) -> None:
        searcher.reset(self._seed)


def _scores(evaluator: Callable[[Any], tuple[float, ...]], positions: list[Any]) -> list[Any]:
    """[N, seats] the scores of positions, counted from the seat to move on."""
    return [np.roll(evaluator(position), -position.turn) for position in positions]


def watching(
    told: Callable[[Choice], None] | None, multiply_adds: int
) -> Callable[[Any], None] | None:
    """What a search of the core calls to have choices told."""
    return told and (lambda result: told(choice_of(result, multiply_adds)))


def rest_of_turn(view: View, line: tuple[int, ...]) -> dict[int, int]:
    """The moves of a line that go on with the turn it begins, by the key of where they are due."""
    rest: dict[int, int] = {}
    if not hasattr(view, "in_turn"):
        return rest
    position: Any = view
    for move, following in pairwise(line):
        position = position.play(move)
        if position.is_over or not position.in_turn:
            break
        rest[position.key] = following
    return rest


def evaluator_named(name: str, game: Game) -> Any:
    """An evaluator by the name that agents' settings use: a word, a run, or `file.py:function`."""
    if name in EVALUATORS:
        return search.evaluator(game, name)
    if named_by_file(name):
        return search.evaluator(game, object_in(name))
    if not is_run(name):
        raise unknown("evaluator", name, EVALUATORS, ", folders of runs and file.py:function")
    return evaluator_of(Run.open(name), game)


def _is_approximator(name: str) -> bool:
    """Whether an evaluator is what a run of a general learner has learnt."""
    if name in EVALUATORS or named_by_file(name):
        return False
    return is_general(Run.open(name).config)


def choice_of(result: Any, multiply_adds: int = 0) -> Choice:
    """A core search result as an agent's choice."""
    return Choice(
        move=result.move,
        values=result.scores,
        line=tuple(result.line),
        cost=_cost([result], multiply_adds),
        candidates=tuple(Candidate(r.move, r.visits, r.scores) for r in result.root),
        depth=result.depth,
    )


def agreed_choice(results: list[Any], multiply_adds: int = 0) -> Choice:
    """The move with most visits over several determinizations; values are averaged by visits."""
    visits: dict[int, int] = defaultdict(int)
    totals: dict[int, list[float]] = {}
    for result in results:
        for root in result.root:
            visits[root.move] += root.visits
            before = totals.get(root.move, [0.0] * len(root.scores))
            totals[root.move] = [
                a + root.visits * b for a, b in zip(before, root.scores, strict=True)
            ]
    candidates = [
        Candidate(move, n, tuple(total / max(n, 1) for total in totals[move]))
        for move, n in visits.items()
    ]
    candidates.sort(key=lambda candidate: (-candidate.visits, candidate.move))
    best = candidates[0]
    cost = _cost(results, multiply_adds)
    return Choice(best.move, best.values, (best.move,), cost, tuple(candidates))


def _cost(results: list[Any], multiply_adds: int) -> Cost:
    evaluations = sum(result.evaluations for result in results)
    positions = sum(result.positions for result in results)
    return Cost(positions, evaluations, evaluations * multiply_adds)
