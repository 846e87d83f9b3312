"""Everything in the core that can take long, with far too much to do. For the tests of stopping."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import tempo
from tempo import _core, agents
from tempo.weights import terms

CORE: Any = _core
CHESS: Any = tempo.load("chess")
GOMOKU: Any = tempo.load("gomoku")
JIU: Any = tempo.load("jiu")
SHOGI: Any = tempo.load("shogi")
SIGUO: Any = tempo.load("siguo")
MANY = 10**9
WIDE_MATE = "9/9/9/4k4/9/9/9/9/4K4 b 2R2B4G4S4N4L9P 1"

Work = Callable[[], Any]


def gomoku_position() -> Any:
    """One without a win that a search of fours or of threes would find at once."""
    position = GOMOKU.start()
    for move in ["h8", "j9", "k7", "g9"]:
        position = position.play(move)
    return position


def battle() -> Any:
    position, random = JIU.start(), np.random.default_rng(1)
    while not position.is_battle:
        moves = list(position.legal_moves)
        position = position.play(moves[random.integers(len(moves))])
    return position


# ---- searches: they give what they have found ----------------------------------------------------


def alpha_beta(game: Any, evaluator: Any, **settings: Any) -> Any:
    return game.core.AlphaBeta(evaluator, CORE.AlphaBetaSettings(depth=100, **settings))


def monte_carlo(game: Any, evaluator: Any, **settings: Any) -> Any:
    chosen = CORE.MonteCarloSettings(simulations=MANY, memory=1 << 26, **settings)
    return game.core.MonteCarlo(evaluator, chosen)


def flat(features: Any) -> Any:
    return np.zeros(len(features), np.float32)


def searches() -> dict[str, tuple[Any, Callable[[Any], Any]]]:
    """Positions, and a call that gives a move of them, by name."""
    chess, shogi, jiu = CHESS.core.Evaluator, SHOGI.core.Evaluator, JIU.core.Evaluator
    found: dict[str, tuple[Any, Callable[[Any], Any]]] = {}

    def add(name: str, position: Any, search: Any) -> None:
        found[name] = (position, lambda at: search(at).move)

    add("alpha-beta", CHESS.start(), alpha_beta(CHESS, chess.static()).search)
    add("alpha-beta asking Python", CHESS.start(), alpha_beta(CHESS, chess.callback(flat)).search)
    add("alpha-beta over long turns", battle(), alpha_beta(JIU, jiu.static()).search)
    add("Monte-Carlo", SHOGI.start(), monte_carlo(SHOGI, shogi.none()).search)
    add("trees", CHESS.start(), monte_carlo(CHESS, chess.none(), trees=4, threads=2).search)
    guided = monte_carlo(CHESS, chess.callback(flat), rollout_moves=0, selection="puct", trees=2)
    add("Monte-Carlo asking Python", CHESS.start(), guided.search)
    for name, settings in AGENTS.items():
        agent: Any = agents.load(settings)
        add(name, START[name](), agent.choose)
    return found


AGENTS = {  # one of every kind that searches
    "gomoku-strong": "gomoku-strong:time=1000",
    "shogi-strong": "shogi-strong:time=1000",
    "shogi-uct": "shogi-uct:sims=1000000000",
    "siguo-strong": "siguo-strong:time=1000",
    "siguo-strong-1": "siguo-strong-1:time=1000",
    "jiu-strong placing": "jiu-strong:time=1000,fills=1000000",
    "jiu-expert fighting": "jiu-expert:battle=search:999999999",
    "hmcts": "hmcts:playouts=1000000",
    "adp-hmcts": "adp-hmcts:playouts=1000000",
    "adp-uct": "adp-uct:playouts=1000000",
    "uct": "uct:playouts=1000000",
    "stand-in": "stand-in:level=candidate,depth=60,slips=0",
    "mcts on determinizations": "mcts:determinizations=1000000,sims=100000",
    "alphabeta on determinizations": "alphabeta:determinizations=1000000,depth=6",
}
START: dict[str, Callable[[], Any]] = {
    "gomoku-strong": gomoku_position,
    "shogi-strong": SHOGI.start,
    "shogi-uct": SHOGI.start,
    "siguo-strong": lambda: SIGUO.core.deal(SIGUO.options, 1).view(0),
    "siguo-strong-1": lambda: SIGUO.core.deal(SIGUO.options, 1).view(0),
    "jiu-strong placing": JIU.start,
    "jiu-expert fighting": battle,
    "hmcts": gomoku_position,
    "adp-hmcts": gomoku_position,
    "adp-uct": gomoku_position,
    "uct": gomoku_position,
    "stand-in": gomoku_position,
    "mcts on determinizations": lambda: SIGUO.core.deal(SIGUO.options, 1).view(0),
    "alphabeta on determinizations": lambda: SIGUO.core.deal(SIGUO.options, 1).view(0),
}


# ---- work: it has no result before it is done ----------------------------------------------------


def work() -> dict[str, Work]:
    """Calls that raise Stopped, by name."""
    found: dict[str, Work] = {
        "perft of chess": lambda: CHESS.core.perft(CHESS.start(), 12),
        "perft of shogi": lambda: SHOGI.core.perft(SHOGI.start(), 12),
        "perft of siguo": lambda: SIGUO.core.perft(SIGUO.start(), 9),
        "divide": lambda: CHESS.core.divide(CHESS.start(), 12),
    }
    for threads in (1, 2):
        batch = CHESS.batch(100_000, seed=1, threads=threads)
        found[f"playouts, threads={threads}"] = batch.playout
    small = CHESS.batch(4, seed=1)
    many = CHESS.core.ManySearch(CORE.MonteCarloSettings(simulations=MANY, memory=1 << 26), 4)
    found["many trees"] = lambda: many.search(small, CHESS.core.Evaluator.none())
    deep = CORE.AlphaBetaSettings(depth=100)
    for threads in (1, 2):
        games = CHESS.batch(100, seed=1, threads=threads)
        found[f"searches of a batch, threads={threads}"] = partial(
            games.search, CHESS.core.Evaluator.static(), deep
        )
    hidden = SIGUO.batch(500, seed=1, threads=2)
    found["values of moves on determinizations"] = lambda: hidden.move_values(
        SIGUO.core.Evaluator.static(), determinizations=1000
    )
    found |= _gomoku() | _shogi() | _siguo() | _jiu() | _endings()
    return found


def _gomoku() -> dict[str, Work]:
    critics: Any = CORE.gomoku_critic
    critic = critics.Critic(GOMOKU.options)
    firsts = np.zeros(200_000, np.uint8)
    learning, play = critics.LearningRule(), critics.PlayRule()
    threats = CORE.gomoku_threats
    return {
        "self-teaching": lambda: critic.teach_itself(firsts, 1, 0, learning, play),
        "the critic's games": lambda: critic.play(firsts, 1, 0, play, threads=2),
        "self-play samples of gomoku": lambda: threats.self_play_samples(
            threats.Evaluator.static(), GOMOKU.start(), 1000, 1, positions=10**8, threads=2
        ),
    }


def _shogi() -> dict[str, Work]:
    strong = CORE.shogi_strong
    settings = CORE.AlphaBetaSettings(positions=10**9)
    return {
        "leaf games": lambda: strong.leaf_games(
            strong.Evaluator.static(), SHOGI.start(), settings, 0.9, 0.03, 4, 1, 0, 1000, 2
        )
    }


def _siguo() -> dict[str, Work]:
    network = [np.zeros(shape, np.float32) for shape in ((130, 5), 5, 5)]
    player = CORE.siguo_learning.Player(*network, 0.0)
    strong = CORE.siguo_strong
    judge = strong.Evaluator.linear(terms("siguo"))
    tells = strong.Tells.linear(np.zeros(strong.tell_terms, np.float32))
    policy = strong.policy()
    return {
        "self-play of siguo": lambda: player.play(SIGUO.options, 100_000, seed=1, threads=2),
        "tests of siguo": lambda: player.test(SIGUO.options, 100_000, seed=1),
        "result gradient of siguo": lambda: strong.result_gradient(judge, 3000, 1, 0, threads=2),
        "tell gradient of siguo": lambda: strong.tell_gradient(tells, judge, 900, 1, 0, threads=2),
        "matches of siguo": lambda: strong.match(judge, tells, policy, policy, 9000, 1, threads=2),
        "beliefs": lambda: CORE.siguo.Belief(_fought(), draws=2 * 10**9, limit=0),
    }


def _fought() -> Any:
    """A seat's view after enough moves that not everything is dealt at random."""
    position, random = SIGUO.core.deal(SIGUO.options, 1), np.random.default_rng(1)
    for _ in range(120):
        moves = list(position.legal_moves)
        position = position.play(moves[random.integers(len(moves))])
    return position.view(position.turn)


def _jiu() -> dict[str, Work]:
    starts = [battle()] * 1000
    seeds = np.arange(1000, dtype=np.uint64)
    players = CORE.jiu_players
    boards = np.zeros((20_000, 196), np.uint8)
    many = np.arange(20_000, dtype=np.uint64)
    return {
        "battles": lambda: players.play_battles(starts, seeds, ("search:999999999", "paper")),
        "battles by rules": lambda: players.play_battles(
            starts * 50, np.tile(seeds, 50), ("paper", "paper"), threads=2
        ),
        "filled boards": lambda: players.expert_fill(JIU.options, boards, many, threads=2),
    }


def _endings() -> dict[str, Work]:
    endings: Any = CORE.endings
    tables = endings.Tables()
    for name in endings.Tables.needed("KRK"):
        tables.add(name, tables.solve(name))
    family = endings.Family("KBNK")
    rook = endings.Family("KRK")
    verdicts = tables.verdicts(rook)
    lost = np.flatnonzero((verdicts > 1) & (verdicts % 2 == 1))  # for the side to move
    starts = np.resize(lost, 3_000_000).astype(np.int32)
    return {  # what takes less than seconds, again and again
        "solving an ending": lambda: _again(lambda: tables.solve("KRRK")),
        "the graph of an ending": lambda: _again(lambda: family.graph(2)),
        "flags of an ending": lambda: _again(family.flags),
        "features of an ending": lambda: _again(family.features),
        "games of an ending": lambda: endings.play_defence(rook, verdicts, starts, threads=2),
    }


def _again(call: Work) -> None:
    while True:
        call()
