"""Agents by name: `random`, `mcts:sims=2000`, `alphabeta:depth=4,eval=static`, `runs/krk`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tempo.agents.base import Agent, Candidate, Choice, Cost, Resigns
from tempo.agents.critic import CriticAgent, CriticSettings
from tempo.agents.dqn import DqnAgent, DqnSettings
from tempo.agents.endgame import EndgameAgent, EndgameSettings
from tempo.agents.engines import GnuShogiAgent, GnuShogiSettings, UsiAgent, UsiSettings
from tempo.agents.gomoku_playouts import (
    AdpMcts,
    AdpSettings,
    Hmcts,
    HmctsSettings,
    Uct,
    UctSettings,
)
from tempo.agents.gomoku_standins import StandIn, StandInSettings
from tempo.agents.gomoku_strong import GomokuStrong
from tempo.agents.gomoku_strong import StrongSettings as GomokuStrongSettings
from tempo.agents.jiu import BayesSettings, ExpertSettings, bayes_agent, expert_agent
from tempo.agents.jiu_library import LibrarySettings, library_agent
from tempo.agents.jiu_strong import StrongSettings, strong_agent
from tempo.agents.random import RandomAgent
from tempo.agents.search import (
    AlphaBetaAgent,
    AlphaBetaSettings,
    MonteCarloAgent,
    MonteCarloSettings,
)
from tempo.agents.settings import read, split
from tempo.agents.shogi_uct import ShogiUct, ShogiUctSettings
from tempo.agents.siguo_heuristic import SiguoHeuristic
from tempo.agents.siguo_learnt import SiguoLearnt, SiguoLearntSettings
from tempo.agents.siguo_strong import SiguoStrong, SiguoStrongSettings
from tempo.agents.tablebase import TablebaseAgent, TablebaseSettings
from tempo.errors import ParseError
from tempo.runs import Run


def _random(given: dict[str, str]) -> Agent:
    if given:
        raise ParseError(f"random takes no settings, not {', '.join(given)}")
    return RandomAgent()


def _alphabeta(given: dict[str, str]) -> Agent:
    return AlphaBetaAgent(read(AlphaBetaSettings, given, "alphabeta"))


def _mcts(given: dict[str, str]) -> Agent:
    return MonteCarloAgent(read(MonteCarloSettings, given, "mcts"))


def _tablebase(given: dict[str, str]) -> Agent:
    return TablebaseAgent(read(TablebaseSettings, given, "tablebase"))


def _endgame(given: dict[str, str]) -> Agent:
    return EndgameAgent(read(EndgameSettings, given, "endgame"))


def _jiu_expert(given: dict[str, str]) -> Agent:
    return expert_agent(read(ExpertSettings, given, "jiu-expert"))


def _jiu_bayes(given: dict[str, str]) -> Agent:
    return bayes_agent(read(BayesSettings, given, "jiu-bayes"))


def _jiu_sarsa(given: dict[str, str]) -> Agent:
    return library_agent("jiu-sarsa", "sarsa", read(LibrarySettings, given, "jiu-sarsa"))


def _jiu_qlearning(given: dict[str, str]) -> Agent:
    settings = read(LibrarySettings, given, "jiu-qlearning")
    return library_agent("jiu-qlearning", "q_learning", settings)


def _jiu_strong(given: dict[str, str]) -> Agent:
    return strong_agent(read(StrongSettings, given, "jiu-strong"))


def _gomoku_strong(given: dict[str, str]) -> Agent:
    return GomokuStrong(read(GomokuStrongSettings, given, "gomoku-strong"))


def _critic(given: dict[str, str]) -> Agent:
    return CriticAgent(read(CriticSettings, given, "critic"))


def _dqn(given: dict[str, str]) -> Agent:
    return DqnAgent(read(DqnSettings, given, "dqn"))


def _shogi_dqn(given: dict[str, str]) -> Agent:
    return DqnAgent(read(DqnSettings, given, "shogi-dqn"), agent="shogi-dqn")


def _hmcts(given: dict[str, str]) -> Agent:
    return Hmcts(read(HmctsSettings, given, "hmcts"))


def _uct(given: dict[str, str]) -> Agent:
    return Uct(read(UctSettings, given, "uct"))


def _adp_hmcts(given: dict[str, str]) -> Agent:
    return AdpMcts("hmcts", read(AdpSettings, given, "adp-hmcts"))


def _adp_uct(given: dict[str, str]) -> Agent:
    return AdpMcts("uct", read(AdpSettings, given, "adp-uct"))


def _stand_in(given: dict[str, str]) -> Agent:
    return StandIn(read(StandInSettings, given, "stand-in"))


def _shogi_uct(given: dict[str, str]) -> Agent:
    return ShogiUct(read(ShogiUctSettings, given, "shogi-uct"))


def _shogi_strong(given: dict[str, str]) -> Agent:
    from tempo.agents.shogi_strong import ShogiStrong, ShogiStrongSettings  # noqa: PLC0415

    return ShogiStrong(read(ShogiStrongSettings, given, "shogi-strong"))


def _siguo_heuristic(given: dict[str, str]) -> Agent:
    if given:
        raise ParseError(f"siguo-heuristic takes no settings, not {', '.join(given)}")
    return SiguoHeuristic()


def _siguo_strong(given: dict[str, str]) -> Agent:
    return SiguoStrong(read(SiguoStrongSettings, given, "siguo-strong"))


def _siguo_q(given: dict[str, str]) -> Agent:
    return SiguoLearnt(read(SiguoLearntSettings, given, "siguo-q"))


def _siguo_ttd(given: dict[str, str]) -> Agent:
    return SiguoLearnt(read(SiguoLearntSettings, given, "siguo-ttd"), agent="siguo-ttd")


def _usi(given: dict[str, str]) -> Agent:
    return UsiAgent(read(UsiSettings, given, "usi"))


def _gnushogi(given: dict[str, str]) -> Agent:
    return GnuShogiAgent(read(GnuShogiSettings, given, "gnushogi"))


_makers: dict[str, tuple[Callable[[dict[str, str]], Agent], str]] = {
    "random": (_random, "a uniformly random legal move"),
    "mcts": (_mcts, "Monte-Carlo tree search"),
    "alphabeta": (_alphabeta, "alpha-beta with a static evaluation"),
    "tablebase": (_tablebase, "perfect play in chess endings of at most four pieces"),
    "endgame": (_endgame, "what was learnt of chess endings, at the leaves of minimax"),
    "critic": (_critic, "Gomoku: a learnt critic of patterns, without search"),
    "dqn": (_dqn, "a deep Q-network's best move, without search"),
    "shogi-dqn": (_shogi_dqn, "Shogi: the Q-network that comes with Tempo, without search"),
    "jiu-expert": (_jiu_expert, "Jiu: places by an expert's priorities"),
    "jiu-bayes": (_jiu_bayes, "Jiu: places by a Bayesian network of shapes"),
    "jiu-sarsa": (_jiu_sarsa, "Jiu: places by a library that Sarsa has learnt"),
    "jiu-qlearning": (_jiu_qlearning, "Jiu: places by a library that Q-learning has learnt"),
    "jiu-strong": (_jiu_strong, "Jiu: tries boards out, then searches with learnt weights"),
    "hmcts": (_hmcts, "Gomoku: playouts by rules of thumb after every candidate"),
    "uct": (_uct, "Gomoku: a tree with playouts by rules of thumb"),
    "adp-hmcts": (_adp_hmcts, "Gomoku: the critic's best moves, tried by playouts"),
    "adp-uct": (_adp_uct, "Gomoku: the critic's best moves, tried by trees"),
    "stand-in": (_stand_in, "Gomoku: stand-ins for a commercial program's three levels"),
    "gomoku-strong": (_gomoku_strong, "Gomoku: continuous fours, then alpha-beta with threats"),
    "usi": (_usi, "Shogi: any engine that speaks USI, run as a program of its own"),
    "gnushogi": (_gnushogi, "Shogi: GNU Shogi, where it is installed"),
    "shogi-uct": (_shogi_uct, "Shogi: a published UCT, rollouts valued by what was captured"),
    "shogi-strong": (_shogi_strong, "Shogi: looks for mates, then alpha-beta with cuts"),
    "siguo-heuristic": (_siguo_heuristic, "Siguo: rules of thumb on what a seat may know"),
    "siguo-q": (_siguo_q, "Siguo: what Q-learning has learnt, without search"),
    "siguo-ttd": (_siguo_ttd, "Siguo: what truncated TD has learnt, without search"),
    "siguo-strong": (_siguo_strong, "Siguo: tries moves on truths drawn from the view"),
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
    summaries = {name: summary for name, (_, summary) in _makers.items()}
    return summaries | {name: summary for name, (_, summary) in _also.items()}


def load(spec: str) -> Agent:
    """The agent that a string names, or the folder of a run. Each call makes a new one."""
    if (Path(spec) / "config.toml").is_file():
        learner = Run.open(spec).config.get("learner")
        if learner == "adp":
            return CriticAgent(CriticSettings(weights=spec), name=spec)
        if learner == "dqn":
            return DqnAgent(DqnSettings(weights=spec), name=spec)
        if learner == "truncated":
            return SiguoLearnt(SiguoLearntSettings(weights=spec), name=spec)
        return EndgameAgent(EndgameSettings(weights=spec), name=spec)
    name, given = split(spec)
    if name in _also:
        meant, fixed = split(_also[name][0])
        if twice := fixed.keys() & given:
            raise ParseError(f"{name} is {_also[name][0]}: leave out {', '.join(twice)}")
        name, given = meant, fixed | given
    if name not in _makers:
        known = ", ".join(names())
        raise ParseError(f"there is no agent '{name}'; there are {known}, and folders of runs")
    return _makers[name][0](given)


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
]
