"""The searches as Python sees them: mates, forced wins, exact budgets, equal trees, agents."""

from __future__ import annotations

import time
from typing import Any

import game_data
import numpy as np
import pytest
from searching import CHESS, CORE, SMALL, alpha_beta, monte_carlo, opened, story

import tempo
from tempo import _core, agents
from tempo.errors import ParseError

# White (and once Black) mates in two, and only by this move.
MATES = [
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "Ra6"),
    ("r7/8/8/8/8/1p6/PP6/KBk5 b - - 0 1", "Ra3"),
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", "Nf6+"),
    ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", "Qd5+"),
    ("5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 1 1", "Qxg6+"),
    ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "Kf7"),
]

# Boards with x to move and the moves that win by force, as drawings.
FORCED_WINS = [
    (  # a four is made five
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        o x x x x . .
        . o o . . . .
        . . . o . . .
        . . . . . . .
        """,
        {"f4"},
        1,
    ),
    (  # an open three becomes an open four, which two points finish
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . x x x . .
        . . . . . . .
        o o . . . . .
        o . . . . . .
        """,
        {"b4", "f4"},
        3,
    ),
    (  # the same, upright
        """
        . . . . . . .
        o . . . . . .
        o . . x . . .
        . . . x . . .
        . . . x . . .
        . . . . . . .
        . o . . . . .
        """,
        {"d2", "d6"},
        3,
    ),
]


def drawn(board: str) -> Any:
    """A gomoku position from a drawing; whose turn it is follows from the stones."""
    rows = [line.split() for line in board.strip().split("\n")]
    text = "/".join("".join(row) for row in rows)
    for run in range(len(rows), 0, -1):
        text = text.replace("." * run, str(run))
    turn = "x" if text.count("x") == text.count("o") else "o"
    return tempo.load(f"gomoku(size={len(rows)})").parse(f"{text} {turn}")


# Playing strength that is known


@pytest.mark.parametrize(("fen", "best"), MATES)
def test_alpha_beta_mates_in_two(fen: str, best: str) -> None:
    position = CHESS.parse(fen)
    found = alpha_beta(CHESS, depth=4).search(position)
    assert position.san(found.move) == best
    assert found.scores[position.turn] > 0.99
    assert found.scores[0] == -found.scores[1]
    for move in found.line[:3]:
        position = position.play(move)
    assert position.outcome.reason == "checkmate"


@pytest.mark.parametrize(("board", "winning", "depth"), FORCED_WINS)
def test_alpha_beta_wins_by_force(board: str, winning: set[str], depth: int) -> None:
    position = drawn(board)
    found = alpha_beta(SMALL, depth=depth).search(position)
    assert position.move_text(found.move) in winning
    assert found.scores[position.turn] > 0.99


@pytest.mark.parametrize(("board", "winning", "depth"), FORCED_WINS)
@pytest.mark.parametrize("rule", ["ucb1", "tuned", "puct"])
def test_trees_win_by_force(board: str, winning: set[str], depth: int, rule: str) -> None:
    position = drawn(board)
    found = monte_carlo(SMALL, simulations=6000, selection=rule, seed=1).search(position)
    assert position.move_text(found.move) in winning


@pytest.mark.parametrize("choice", ["max", "robust", "robust_max", "secure"])
def test_every_final_choice_takes_the_win(choice: str) -> None:
    position = drawn(FORCED_WINS[0][0])
    search = monte_carlo(
        SMALL, simulations=2000, final_choice=choice, extra_simulations=500, seed=1
    )
    assert position.move_text(search.search(position).move) == "f4"


def test_a_finished_game_gives_its_scores_and_no_move() -> None:
    mated = CHESS.parse("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
    for search in (alpha_beta(CHESS, depth=2), monte_carlo(CHESS, simulations=10)):
        found = search.search(mated)
        assert (found.move, found.scores, found.line) == (None, (1.0, -1.0), [])


def test_searches_know_the_past() -> None:
    """A third dance of the knights is a draw: seen in the game, not in its FEN."""
    position = opened(CHESS, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    assert position.play("f6g8").outcome.reason == "threefold repetition"
    found = alpha_beta(CHESS, depth=1, exact_root=True, quiescence=False).search(position)
    back = next(move for move in found.root if position.move_text(move.move) == "f6g8")
    assert back.scores == (0.0, 0.0)
    alone = alpha_beta(CHESS, depth=1, exact_root=True, quiescence=False)
    pure = CHESS.parse(position.text)
    other = next(m for m in alone.search(pure).root if pure.move_text(m.move) == "f6g8")
    assert other.scores != (0.0, 0.0)


# Budgets


@pytest.mark.parametrize("positions", [1, 2, 17, 1000, 12345])
def test_alpha_beta_never_exceeds_its_positions(positions: int) -> None:
    start = opened(CHESS, "e2e4 e7e5 g1f3")
    found = alpha_beta(CHESS, positions=positions).search(start)
    assert found.positions <= positions
    assert found.move in start.legal_moves
    if positions > 100:
        assert found.positions == positions


@pytest.mark.parametrize("simulations", [1, 2, 3, 50, 777])
@pytest.mark.parametrize("trees", [1, 2, 3])
def test_simulations_are_run_exactly(simulations: int, trees: int) -> None:
    search = monte_carlo(SMALL, reuse=False, simulations=simulations, trees=trees, seed=4)
    found = search.search(SMALL.start())
    assert search.visits == simulations
    assert sum(move.visits for move in found.root) <= simulations
    assert found.move in SMALL.start().legal_moves


@pytest.mark.parametrize("nodes", [1, 500, 20_000])
@pytest.mark.parametrize("expand_after", [0, 1])
def test_nodes_of_a_tree_are_never_exceeded(nodes: int, expand_after: int) -> None:
    search = monte_carlo(
        SMALL, reuse=False, simulations=0, nodes=nodes, expand_after=expand_after, seed=4
    )
    found = search.search(SMALL.start())
    children = len(SMALL.start().legal_moves)
    assert search.nodes <= max(nodes, children + 1)  # the root's children are always there
    assert search.nodes + children > nodes
    assert sum(move.visits for move in found.root) == search.visits


@pytest.mark.parametrize("agent", ["alphabeta:time=0.2", "mcts:time=0.2"])
def test_time_is_kept_within_generous_bounds(agent: str) -> None:
    searcher = agents.load(agent)
    begun = time.perf_counter()
    searcher.choose(CHESS.start())
    spent = time.perf_counter() - begun
    assert 0.1 < spent < 3.0


def test_memory_is_bounded_and_the_search_goes_on() -> None:
    bound = 2**20
    search = monte_carlo(SMALL, reuse=False, simulations=20_000, memory=bound, seed=1)
    found = search.search(SMALL.start())
    assert search.memory_used <= bound
    assert search.visits == 20_000
    assert found.move in SMALL.start().legal_moves


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: alpha_beta(SMALL), "needs a budget"),
        (lambda: alpha_beta(SMALL, depth=-1), "depth must be 0 to 100"),
        (lambda: alpha_beta(SMALL, depth=101), "depth must be 0 to 100"),
        (lambda: alpha_beta(SMALL, positions=-5), "cannot be negative"),
        (lambda: alpha_beta(SMALL, seconds=float("nan")), "seconds must be"),
        (lambda: alpha_beta(SMALL, seconds=float("inf")), "seconds must be"),
        (lambda: monte_carlo(SMALL, simulations=0), "simulations, of nodes or of seconds"),
        (lambda: monte_carlo(SMALL, simulations=-1), "cannot be negative"),
        (lambda: monte_carlo(SMALL, seconds=float("nan")), "seconds must be"),
        (lambda: monte_carlo(SMALL, nodes=-1), "cannot be negative"),
        (lambda: monte_carlo(SMALL, expand_after=-1), "cannot be negative"),
        (lambda: monte_carlo(SMALL, cut_value="path"), "moves of gomoku have no values"),
        (lambda: CORE.MonteCarloSettings(cut_value="all"), "it takes evaluator, rollout, path"),
        (lambda: monte_carlo(SMALL, trees=0), "start at 1"),
        (lambda: monte_carlo(SMALL, threads=0), "start at 1"),
        (lambda: monte_carlo(SMALL, rollout_moves=-1), "cannot be negative"),
        (lambda: monte_carlo(SMALL, exploration=float("nan")), "exploration"),
        (lambda: monte_carlo(SMALL, memory=100), "needs"),
        (lambda: CORE.MonteCarloSettings(selection="best"), "it takes ucb1, tuned, puct"),
        (lambda: CORE.MonteCarloSettings(final_choice="any"), "robust_max"),
        (lambda: SMALL.core.ManySearch(CORE.MonteCarloSettings(), 0), "at least one"),
        (lambda: SMALL.core.ManySearch(CORE.MonteCarloSettings(simulations=-1), 2), "negative"),
        (
            lambda: SMALL.core.ManySearch(CORE.MonteCarloSettings(simulations=0, seconds=1), 2),
            "number of simulations",
        ),
    ],
)
def test_settings_that_make_no_sense(make: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        make()


# The same again


def test_same_seed_same_tree() -> None:
    position = opened(SMALL, "d4 d5 e4")
    trees = []
    for seed in (7, 7, 8):
        search = monte_carlo(SMALL, simulations=500, seed=seed)
        trees.append((story(search.search(position)), search.fingerprint))
    assert trees[0] == trees[1]
    assert trees[0][1] != trees[2][1]


@pytest.mark.parametrize(
    "settings",
    [
        {"simulations": 400, "trees": 2},
        {"simulations": 401, "trees": 5, "selection": "tuned"},
        {"simulations": 300, "trees": 3, "selection": "puct", "rollout_moves": 4},
    ],
)
def test_threads_do_not_change_the_result(settings: dict[str, Any]) -> None:
    position = opened(CHESS, "e2e4 c7c5")
    found = []
    for threads in (1, 2):
        search = monte_carlo(CHESS, threads=threads, seed=3, **settings)
        found.append((story(search.search(position)), search.fingerprint))
    assert found[0] == found[1]


def test_alpha_beta_depends_on_nothing_else() -> None:
    position = opened(CHESS, "d2d4 d7d5 c2c4")
    first, second = alpha_beta(CHESS, depth=4), alpha_beta(CHESS, depth=4)
    assert story(first.search(position)) == story(second.search(position))
    assert story(first.search(position)) == story(second.search(position))


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "mcts:sims=200",
        "mcts:sims=100,trees=2",
        "alphabeta:depth=2",
        "alphabeta:nodes=500",
    ],
)
def test_agents_replay_from_their_seed(spec: str) -> None:
    def game_of(seed: int) -> list[int]:
        agent = agents.load(spec)
        agent.reset(seed)
        position: Any = SMALL.start()
        moves: list[int] = []
        while not position.is_over and len(moves) < 8:
            moves.append(agent.choose(position).move)
            position = position.play(moves[-1])
        return moves

    assert game_of(5) == game_of(5)
    if not spec.startswith("alphabeta"):
        assert game_of(5) != game_of(6)


def test_a_reset_agent_forgets_the_game_before() -> None:
    agent, fresh = agents.load("mcts:sims=200"), agents.load("mcts:sims=200")
    agent.reset(1)
    agent.choose(SMALL.start())
    for each in (agent, fresh):
        each.reset(2)
    assert agent.choose(SMALL.start()) == fresh.choose(SMALL.start())


def test_reuse_keeps_the_visits_below_the_moves_played() -> None:
    position = SMALL.start()
    search = monte_carlo(SMALL, simulations=2000, seed=1)
    first = search.search(position)
    kept = next(m.visits for m in first.root if m.move == first.move)
    assert search.visits == kept  # it stands after its own move already
    position = position.play(first.move)
    reply = first.line[1]
    position = position.play(reply)
    before = search.search(position)
    assert sum(move.visits for move in before.root) > 2000  # its own simulations and kept ones
    alone = monte_carlo(SMALL, reuse=False, simulations=2000, seed=1)
    assert sum(move.visits for move in alone.search(position).root) <= 2000


# Many games at once


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "settings", [{"rollout_moves": 0, "selection": "puct"}, {"rollout_moves": 0}, {}]
)
def test_many_searches_are_single_ones(settings: dict[str, Any], threads: int) -> None:
    batch = SMALL.batch(40, seed=2)
    batch.playout(limit=6)
    static = SMALL.core.Evaluator.static()
    common = {"simulations": 60, "seed": 5, **settings}
    many = SMALL.core.ManySearch(CORE.MonteCarloSettings(threads=threads, **common), 40)
    together = many.search(batch, static)
    for i in range(40):
        alone = monte_carlo(SMALL, static, stream=i, **common).search(batch[i])
        assert story(together[i]) == story(alone), i
        assert together[i].evaluations == alone.evaluations


def test_many_searches_count_what_they_cost() -> None:
    batch = SMALL.batch(3)
    settings = CORE.MonteCarloSettings(simulations=25, rollout_moves=0)
    many = SMALL.core.ManySearch(settings, 3)
    for _ in range(2):
        found = many.search(batch, SMALL.core.Evaluator.static())
        assert [result.evaluations for result in found] == [25] * 3
        assert all(25 <= result.positions < 100 for result in found)
        assert all(result.seconds > 0 for result in found)


def test_many_searches_leave_finished_games_alone() -> None:
    batch = SMALL.batch(3, seed=1)
    batch.playout()
    batch.restart(np.array([False, True, False]))
    settings = CORE.MonteCarloSettings(simulations=10, rollout_moves=0)
    found = SMALL.core.ManySearch(settings, 3).search(batch, SMALL.core.Evaluator.static())
    assert [result.move is None for result in found] == [True, False, True]
    assert found[0].scores == tuple(batch.scores[0].tolist())
    with pytest.raises(ParseError, match="the batch has 3 games, the search 4"):
        SMALL.core.ManySearch(settings, 4).search(batch, SMALL.core.Evaluator.static())


# Agents


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("", "is not an agent"),
        ("mcts:", "is not an agent"),
        ("chess960", "there is no agent 'chess960'; there are alphabeta, dqn, level, mcts, random"),
        ("mcts:sims", "is not a setting"),
        ("mcts:sims=many", "whole number"),
        ("mcts:sims=5,sims=6", "given twice"),
        ("mcts:depth=3", "mcts has no setting 'depth'; it has sims"),
        ("mcts:c=high", "takes a number"),
        ("mcts:reuse=maybe", "yes or no"),
        ("random:sims=3", "no setting 'sims'"),
    ],
)
def test_agents_that_do_not_exist(spec: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        agents.load(spec)


def test_an_agent_s_name_is_its_spec() -> None:
    for spec in ("random", "mcts:sims=50,rule=tuned", "alphabeta:depth=4,quiescence=no", "mcts"):
        assert agents.load(spec).name == spec
        assert agents.load(agents.load(spec).name).name == spec


def test_costs_are_counted() -> None:
    choice = agents.load("mcts:sims=100,rollout=0,eval=static").choose(SMALL.start())
    assert choice.cost.evaluations == 100
    assert choice.cost.positions >= 100
    assert sum(candidate.visits for candidate in choice.candidates) <= 100
    assert choice.line[0] == choice.move
    nodes = agents.load("alphabeta:nodes=700").choose(SMALL.start())
    assert nodes.cost.positions == 700


@pytest.mark.parametrize(
    "spec", ["random", "mcts:sims=60", "mcts:sims=40,trees=2", "alphabeta:depth=2,eval=none"]
)
def test_the_toy_is_played_through_views_alone(toy: Any, spec: str) -> None:
    """Agents get views: what the others hold never changes their choice."""
    agent = agents.load(spec)
    position: Any = toy.start(seed=3)
    moves = 0
    while not position.is_over:
        seat = position.turn
        view = position.view(seat)
        agent.reset(moves)
        choice = agent.choose(view)
        assert choice.move in list(view.legal_moves)
        if choice.values:
            assert choice.values[0] == pytest.approx(choice.values[2])
            assert choice.values[0] == pytest.approx(-choice.values[1])
        for draw in range(3):
            other = view.sample(draw).view(seat)
            agent.reset(moves)
            assert agent.choose(other) == choice
        position = position.play(choice.move)
        moves += 1
    assert moves > 4


def test_search_beats_chance_at_the_toy(toy: Any) -> None:
    """Partners who search determinizations drawn from their views win more than they lose."""
    total = 0.0
    for seed in range(40):
        searcher, chance = agents.load("mcts:sims=40,determinizations=4"), agents.load("random")
        searcher.reset(seed)
        chance.reset(seed)
        position: Any = toy.start(seed=seed)
        team = seed % 2
        while not position.is_over:
            agent = searcher if position.turn % 2 == team else chance
            position = position.play(agent.choose(position.view(position.turn)).move)
        total += position.outcome.scores[team]
    assert total > 8


def test_every_game_can_be_searched(toy: Any) -> None:
    for spec in game_data.SPECS:
        game = game_data.load(spec)
        position: Any = game.start(1) if game.is_dealt else game.start()
        choice = agents.load("mcts:sims=20").choose(position.view(position.turn))
        assert choice.move in position.legal_moves, spec


def test_a_tree_before_its_first_search_has_nothing_in_it() -> None:
    """It told what earlier searches had left in the memory that it was given, or crashed."""
    core: Any = tempo.load("chess").core
    settings = _core.MonteCarloSettings(simulations=300, memory=100_000)
    told = set()
    for _ in range(20):
        search = core.MonteCarlo(core.Evaluator.none(), settings)
        told.add((search.visits, search.memory_used, search.fingerprint))
        search.search(tempo.load("chess").start())
        del search
    assert len(told) == 1
    assert min(told)[:2] == (0, 0)
