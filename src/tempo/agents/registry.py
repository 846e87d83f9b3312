"""Agents by name: each is declared in its own module, which is found here.

    @declare("mcts", MonteCarloSettings, "Monte-Carlo tree search")
    class MonteCarloAgent: ...

Modules are imported when an agent is first asked for.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tempo.agents.settings import AgentSettings, opened, read, split
from tempo.errors import ParseError, TempoError, quoted, unknown
from tempo.games.registry import names as game_names
from tempo.games.registry import parse_spec
from tempo.nets.stored import is_general, is_guided, is_simulated
from tempo.runs import Run, is_run

if TYPE_CHECKING:
    from tempo.agents.base import Agent
    from tempo.games.game import Game
    from tempo.games.protocol import Position

Make = TypeVar("Make", bound=Callable[..., Any])
Misfit = Callable[["Position", str, Mapping[str, Any]], str]


@dataclass(frozen=True)
class NoSettings(AgentSettings):
    """For agents that have nothing to set."""


@dataclass(frozen=True)
class Runs:
    """How an agent plays what learners have left in run folders."""

    learners: Mapping[str, str]  # each with the game of runs that name none; empty: all do
    settings: Callable[[str, Mapping[str, Any]], AgentSettings]  # of a folder and its configuration
    evaluates: Callable[[Run, Game], Any] | str  # what searches ask; or what runs value instead


@dataclass(frozen=True)
class Kind:
    """What there is of one name: its settings, how it is made from them, and what it does."""

    name: str
    settings: type[Any]
    make: Callable[..., Agent]
    summary: str
    only: tuple[str, ...] | None = None  # the games it plays; None: every one
    weights: tuple[str, ...] = ()  # that come with it, by their path in `tempo.weights`
    runs: Runs | None = None  # those that play by it
    misfit: Misfit | None = None
    meant: str = ""  # the agent behind a second name

    @property
    def games(self) -> tuple[str, ...]:
        """The games that it plays by its name alone."""
        return game_names() if self.only is None else self.only

    @property
    def note(self) -> str:
        """What its settings have in common, such as the budget that holds where none is set."""
        return (self.settings.__doc__ or "").strip().partition("\n")[0]

    @property
    def starts_program(self) -> bool:
        """Whether it runs a program of this machine."""
        return "program" in opened(self.settings()).values()


_declared: dict[str, Kind] = {}
_added: set[str] = set()  # those of files, packages and programs, which may be replaced


def declare(
    name: str,
    settings: type[AgentSettings],
    summary: str,
    *,
    games: tuple[str, ...] | None = None,
    weights: tuple[str, ...] = (),
    runs: Runs | None = None,
    misfit: Misfit | None = None,
) -> Callable[[Make], Make]:
    """Registers an agent: the class or function that follows makes it from its settings.

    An agent of `runs` is made with `name`, too. `games` are all, if none are given. `misfit` says
    why it cannot play on from a position, of its own name and of the configuration of a run, if it
    is one.
    """

    def take(make: Make) -> Make:
        kind = Kind(name, settings, make, summary, games, weights, runs, misfit)
        _declared[name] = kind
        return make

    return take


def declare_also(name: str, meant: str, summary: str) -> None:
    """A second name of an agent that is declared, with what it fixes: `stand-in:level=beginner`."""
    kind = _declared[split(meant)[0]]
    _declared[name] = Kind(
        name, kind.settings, kind.make, summary, kind.only, kind.weights, misfit=kind.misfit,
        meant=meant,
    )  # fmt: skip


def add(kind: Kind) -> None:
    """Makes an agent known that was made elsewhere; a name of Tempo's own stays what it is."""
    known = _all()
    if kind.name in known and kind.name not in _added:
        raise ParseError(f"there is an agent {kind.name} already; give yours another name")
    _added.add(kind.name)
    _declared[kind.name] = kind


def kinds() -> dict[str, Kind]:
    """All agents by name: those of every game first, then by game, each in the order of names.

    Agents that are declared elsewhere are among them.
    """
    game_names()  # files of games, which may register agents too, are run
    _all()
    _installed()
    order = {game: i for i, game in enumerate(game_names())}
    known = sorted(
        _declared.values(),
        key=lambda kind: (order.get(kind.only[0], len(order)) if kind.only else -1, kind.name),
    )
    return {kind.name: kind for kind in known}


@cache
def _all() -> frozenset[str]:
    """Imports all modules with agents; gives the names of Tempo's own."""
    for found in pkgutil.walk_packages([str(Path(__file__).parent)], "tempo.agents."):
        import_module(found.name)
    return frozenset({*_declared} - _added)


@cache
def _installed() -> dict[str, TempoError]:
    broken: dict[str, TempoError] = own().installed()
    return broken


def own() -> Any:
    """The module of agents of your own, which needs this one."""
    return import_module("tempo.agents.own")


def names() -> dict[str, str]:
    """Lists the agents, with what each does.

    >>> names()["mcts"]
    'Monte-Carlo tree search'
    """
    return {name: kind.summary for name, kind in kinds().items()}


def settings_of(name: str) -> Any:
    """Gives the settings that an agent has by its name alone, a dataclass.

    >>> settings_of("mcts").rule
    'ucb1'
    """
    kind, fixed = _meant(name, {})
    return read(kind.settings, fixed, kind.name)


def load(spec: str, *, inside: bool = False) -> Agent:
    """Makes the agent that a string names: a name, a run folder, or `file.py:Class`.

    Settings may follow, as in `alphabeta:depth=2` or `runs/krk:depth=4`.

    `inside` is for text that comes from outside, over a protocol or the web: what would start a
    program, or read a file that such a text names, is a ParseError then.

    >>> import tempo
    >>> position = tempo.load("gomoku(size=7)").parse("7/7/7/xxxx3/7/oooo3/7 x")
    >>> choice = load("alphabeta:depth=2").choose(position)
    >>> position.move_text(choice.move), choice.values
    ('e4', (1.0, -1.0))
    >>> load("alphabeta:depht=2")
    Traceback (most recent call last):
        ...
    tempo._core.ParseError: alphabeta has no setting 'depht'; ...
    """
    name, given = parted(spec)
    if is_run(name):
        if inside:
            raise ParseError(f"'{name}' is a folder of this machine; give it on the command line")
        config = Run.open(name).config
        kind, runs = of_run(config)
        return kind.make(read(kind.settings, given, name, runs.settings(name, config)), name=spec)
    if own().named_by_file(name):
        if inside:
            raise ParseError(f"'{spec}' is a file of this machine; give it on the command line")
        found: Agent = own().from_file(name, given)
        return found
    kind, given = _meant(name, given)
    settings = read(kind.settings, given, kind.name)
    if inside and (opens := opened(settings)):
        setting, what = next(iter(opens.items()))
        does = "starts a program" if what == "program" else f"would read a file ({setting})"
        raise ParseError(f"{kind.name} {does}, which is for the command line alone")
    try:
        return kind.make(settings)
    except ParseError:
        raise
    except (ValueError, OSError, MemoryError) as error:  # what no single setting tells
        raise ParseError(f"{kind.name}: {error or 'not enough memory'}") from None


def parted(spec: str) -> tuple[str, dict[str, str]]:
    """The name of an agent, or the folder of a run, and the settings that follow it."""
    return (spec, {}) if is_run(spec) else split(spec)


def of_run(config: Mapping[str, Any]) -> tuple[Kind, Runs]:
    """The agent that plays a run: one of its game before one of any game."""
    learner, game = _learner_of(config), learnt_game(config)
    fits = [
        (kind, kind.runs)
        for kind in kinds().values()
        if kind.runs and learner in kind.runs.learners and (not kind.only or game in kind.only)
    ]
    if not fits:
        raise ParseError(f"no agent plays what {quoted(learner)} has learnt of {quoted(game)}")
    return max(fits, key=lambda fit: bool(fit[0].only))


def learnt_game(config: Mapping[str, Any]) -> str:
    """The name of the game that a run has learnt."""
    learner = _learner_of(config)
    usual = [kind.runs.learners.get(learner) for kind in kinds().values() if kind.runs]
    return parse_spec(str(config.get("game", next(filter(None, usual), ""))))[0]


def _learner_of(config: Mapping[str, Any]) -> str:
    if is_guided(config):
        return GUIDED
    if is_simulated(config):
        return SIMULATED
    return GENERAL if is_general(config) else str(config.get("learner", USUAL))


def evaluator_of(run: Run, game: Game) -> Any:
    """What a run has learnt, as an evaluator for searches of a game."""
    learnt, (_, runs) = learnt_game(run.config), of_run(run.config)
    if learnt != game.name:
        raise ParseError(f"{run.folder} has learnt {learnt}, not {game.name}")
    if isinstance(runs.evaluates, str):
        raise ParseError(
            f"{run.folder} values {runs.evaluates}, so no search can ask it; it plays by itself"
        )
    return runs.evaluates(run, game)


USUAL = "search_td"  # what a run without a learner's name is of
GENERAL = "self_play"  # what runs of learners are that any game meets
GUIDED = "guided_play"  # the same of those that learn by guided search
SIMULATED = "simulated_play"  # and of those whose games were searched by simulations


def games_of(spec: str) -> tuple[str, ...]:
    """The games that the agent of a text plays; ParseError where there is no such agent."""
    name, given = parted(spec)
    if is_run(name):
        return (learnt_game(Run.open(name).config),)
    if own().named_by_file(name):
        return game_names()
    return _meant(name, given)[0].games or game_names()


def _meant(name: str, given: dict[str, str]) -> tuple[Kind, dict[str, str]]:
    """The agent behind a name, with what a second name fixes."""
    if name not in kinds():
        if name in _installed():
            raise _installed()[name]
        raise unknown("agent", name, kinds(), ", folders of runs and file.py:Class")
    kind = kinds()[name]
    if not kind.meant:
        return kind, given
    meant, fixed = split(kind.meant)
    if twice := fixed.keys() & given:
        raise ParseError(f"{name} is {kind.meant}: leave out {', '.join(twice)}")
    return kinds()[meant], fixed | given
