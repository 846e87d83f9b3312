"""Agents by name: `random`, `mcts:sims=2000`, `alphabeta:depth=4,eval=static`, `runs/krk`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tempo.agents.base import Agent, Candidate, Choice, Cost, Resigns
from tempo.agents.chess.endgame import EndgameAgent, EndgameSettings
from tempo.agents.chess.tablebase import TablebaseAgent, TablebaseSettings
from tempo.agents.dqn import DqnAgent, DqnSettings
from tempo.agents.gomoku.critic import CriticAgent, CriticSettings
from tempo.agents.gomoku.playouts import (
    AdpMcts,
    AdpSettings,
    Hmcts,
    HmctsSettings,
    Uct,
    UctSettings,
)
from tempo.agents.gomoku.standins import StandIn, StandInSettings
from tempo.agents.gomoku.strong import GomokuStrong
from tempo.agents.gomoku.strong import StrongSettings as GomokuStrongSettings
from tempo.agents.jiu.library import LibrarySettings, library_agent
from tempo.agents.jiu.players import BayesSettings, ExpertSettings, bayes_agent, expert_agent
from tempo.agents.jiu.strong import StrongSettings, strong_agent
from tempo.agents.random import RandomAgent
from tempo.agents.search import (
    AlphaBetaAgent,
    AlphaBetaSettings,
    MonteCarloAgent,
    MonteCarloSettings,
)
from tempo.agents.settings import AgentSettings, opened, read, split
from tempo.agents.shogi.engines import GnuShogiAgent, GnuShogiSettings, UsiAgent, UsiSettings
from tempo.agents.shogi.strong import ShogiStrong, ShogiStrongSettings
from tempo.agents.shogi.uct import ShogiUct, ShogiUctSettings
from tempo.agents.siguo.heuristic import SiguoHeuristic
from tempo.agents.siguo.learnt import SiguoLearnt, SiguoLearntSettings
from tempo.agents.siguo.strong import SiguoStrong, SiguoStrongSettings
from tempo.errors import ParseError, quoted
from tempo.runs import Run


@dataclass(frozen=True)
class NoSettings(AgentSettings):
    """For agents that have nothing to set."""


class _Kind(NamedTuple):
    """What there is of one name: its settings, how it is made from them, and what it does."""

    settings: type[Any]
    make: Callable[[Any], Agent]
    summary: str


_kinds: dict[str, _Kind] = {
    "random": _Kind(NoSettings, lambda _: RandomAgent(), "a uniformly random legal move"),
    "mcts": _Kind(MonteCarloSettings, MonteCarloAgent, "Monte-Carlo tree search"),
    "alphabeta": _Kind(AlphaBetaSettings, AlphaBetaAgent, "alpha-beta with a static evaluation"),
    "tablebase": _Kind(
        TablebaseSettings, TablebaseAgent, "perfect play in chess endings of at most four pieces"
    ),
    "endgame": _Kind(
        EndgameSettings, EndgameAgent, "what was learnt of chess endings, at the leaves of minimax"
    ),
    "critic": _Kind(
        CriticSettings, CriticAgent, "Gomoku: a learnt critic of patterns, without search"
    ),
    "dqn": _Kind(DqnSettings, DqnAgent, "a deep Q-network's best move, without search"),
    "shogi-dqn": _Kind(
        DqnSettings,
        partial(DqnAgent, agent="shogi-dqn"),
        "Shogi: the Q-network that comes with Tempo, without search",
    ),
    "jiu-expert": _Kind(ExpertSettings, expert_agent, "Jiu: places by an expert's priorities"),
    "jiu-bayes": _Kind(BayesSettings, bayes_agent, "Jiu: places by a Bayesian network of shapes"),
    "jiu-sarsa": _Kind(
        LibrarySettings,
        partial(library_agent, "jiu-sarsa", "sarsa"),
        "Jiu: places by a library that Sarsa has learnt",
    ),
    "jiu-qlearning": _Kind(
        LibrarySettings,
        partial(library_agent, "jiu-qlearning", "q_learning"),
        "Jiu: places by a library that Q-learning has learnt",
    ),
    "jiu-strong": _Kind(
        StrongSettings, strong_agent, "Jiu: tries boards out, then searches with learnt weights"
    ),
    "hmcts": _Kind(
        HmctsSettings, Hmcts, "Gomoku: playouts by rules of thumb after every candidate"
    ),
    "uct": _Kind(UctSettings, Uct, "Gomoku: a tree with playouts by rules of thumb"),
    "adp-hmcts": _Kind(
        AdpSettings, partial(AdpMcts, "hmcts"), "Gomoku: the critic's best moves, tried by playouts"
    ),
    "adp-uct": _Kind(
        AdpSettings, partial(AdpMcts, "uct"), "Gomoku: the critic's best moves, tried by trees"
    ),
    "stand-in": _Kind(
        StandInSettings, StandIn, "Gomoku: stand-ins for a commercial program's three levels"
    ),
    "gomoku-strong": _Kind(
        GomokuStrongSettings, GomokuStrong, "Gomoku: continuous fours, then alpha-beta with threats"
    ),
    "usi": _Kind(
        UsiSettings, UsiAgent, "Shogi: any engine that speaks USI, run as a program of its own"
    ),
    "gnushogi": _Kind(GnuShogiSettings, GnuShogiAgent, "Shogi: GNU Shogi, where it is installed"),
    "shogi-uct": _Kind(
        ShogiUctSettings, ShogiUct, "Shogi: a published UCT, rollouts valued by what was captured"
    ),
    "shogi-strong": _Kind(
        ShogiStrongSettings, ShogiStrong, "Shogi: looks for mates, then alpha-beta with cuts"
    ),
    "siguo-heuristic": _Kind(
        NoSettings, lambda _: SiguoHeuristic(), "Siguo: rules of thumb on what a seat may know"
    ),
    "siguo-q": _Kind(
        SiguoLearntSettings, SiguoLearnt, "Siguo: what Q-learning has learnt, without search"
    ),
    "siguo-ttd": _Kind(
        SiguoLearntSettings,
        partial(SiguoLearnt, agent="siguo-ttd"),
        "Siguo: what truncated TD has learnt, without search",
    ),
    "siguo-strong": _Kind(
        SiguoStrongSettings, SiguoStrong, "Siguo: tries moves on truths drawn from the view"
    ),
}

# The same agents by names that begin with their game's.
_also: dict[str, tuple[str, str]] = {
    "gomoku-adp": ("critic", "Gomoku: the critic"),
    "gomoku-beginner": ("stand-in:level=beginner", "Gomoku: the weakest stand-in"),
    "gomoku-dilettante": ("stand-in:level=dilettante", "Gomoku: the middle stand-in"),
    "gomoku-candidate": ("stand-in:level=candidate", "Gomoku: the strongest stand-in"),
}


def names() -> dict[str, str]:
    """The agents there are, with what each does."""
    summaries = {name: kind.summary for name, kind in _kinds.items()}
    return summaries | {name: summary for name, (_, summary) in _also.items()}


def settings_of(name: str) -> Any:
    """The settings that an agent has by its name alone, a dataclass."""
    meant, fixed = _meant(name, {})
    return read(_known(meant).settings, fixed, meant)


def load(spec: str, *, inside: bool = False) -> Agent:
    """The agent that a string names, or the folder of a run. Each call makes a new one.

    `inside` is for text that comes from outside, over a protocol or the web: what would start a
    program, or read a file that such a text names, is a ParseError then.
    """
    if _is_run(spec):
        if inside:
            raise ParseError(f"'{spec}' is a folder of this machine; give it on the command line")
        return _of_run(spec)
    name, given = _meant(*split(spec))
    kind = _known(name)
    settings = read(kind.settings, given, name)
    if inside and (found := opened(settings)):
        setting, what = next(iter(found.items()))
        does = "starts a program" if what == "program" else f"would read a file ({setting})"
        raise ParseError(f"{name} {does}, which is for the command line alone")
    try:
        return kind.make(settings)
    except ParseError:
        raise
    except (ValueError, OSError, MemoryError) as error:  # what no single setting tells
        raise ParseError(f"{name}: {error or 'not enough memory'}") from None


def _is_run(spec: str) -> bool:
    try:
        return (Path(spec) / "config.toml").is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _of_run(folder: str) -> Agent:
    learner = Run.open(folder).config.get("learner")
    if learner == "adp":
        return CriticAgent(CriticSettings(weights=folder), name=folder)
    if learner == "dqn":
        return DqnAgent(DqnSettings(weights=folder), name=folder)
    if learner == "truncated":
        return SiguoLearnt(SiguoLearntSettings(weights=folder), name=folder)
    return EndgameAgent(EndgameSettings(weights=folder), name=folder)


def _meant(name: str, given: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The agent behind a second name, with what that name fixes."""
    if name not in _also:
        return name, given
    meant, fixed = split(_also[name][0])
    if twice := fixed.keys() & given:
        raise ParseError(f"{name} is {_also[name][0]}: leave out {', '.join(twice)}")
    return meant, fixed | given


def _known(name: str) -> _Kind:
    if name not in _kinds:
        known = ", ".join(names())
        raise ParseError(
            f"there is no agent {quoted(name)}; there are {known}, and folders of runs"
        )
    return _kinds[name]


__all__ = [
    "Agent",
    "AlphaBetaAgent",
    "AlphaBetaSettings",
    "Candidate",
    "Choice",
    "Cost",
    "CriticAgent",
    "CriticSettings",
    "DqnAgent",
    "DqnSettings",
    "EndgameAgent",
    "EndgameSettings",
    "MonteCarloAgent",
    "MonteCarloSettings",
    "RandomAgent",
    "Resigns",
    "TablebaseAgent",
    "TablebaseSettings",
    "load",
    "names",
    "settings_of",
]
