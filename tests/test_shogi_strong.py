"""shogi-strong: what it sees, its budgets, its weights, and how they are learnt."""

from __future__ import annotations

import json
from importlib import resources

import numpy as np
import pytest

import tempo
from tempo import agents, recipes, td, weights
from tempo._core import AlphaBetaSettings, shogi, shogi_strong
from tempo._core.shogi import Position
from tempo.arena import match
from tempo.learners.fast.tree_strap import TreeStrap

MIDDLE = "ln3gsnl/1r1gk4/p1ppppb1p/1p4p2/9/2P4P1/PP1PPPP1P/1BG1K2R1/LNS2GSNL b sp 20"


def parse(text: str) -> Position:
    return shogi.parse(text, shogi.Options({}))


def middle_game() -> Position:
    return parse(MIDDLE)


def random_positions(count: int) -> list[Position]:
    batch = shogi.Batch(shogi.start(shogi.Options({})), count, seed=4)
    batch.playout(60)
    return [batch[i] for i in range(count) if not batch[i].is_over]


def test_same_position_same_choice() -> None:
    agent = agents.load("shogi-strong:nodes=3000")
    first = agent.choose(middle_game())
    agent.reset(7)
    other = agents.load("shogi-strong:nodes=3000").choose(middle_game())
    assert agent.choose(middle_game()) == first == other


@pytest.mark.parametrize("nodes", [1, 2, 50, 777, 5000])
def test_positions_of_mates_count(nodes: int) -> None:
    choice = agents.load(f"shogi-strong:nodes={nodes}").choose(middle_game())
    assert 0 < choice.cost.positions <= nodes
    assert choice.move in middle_game().legal_moves


def test_a_mate_is_played_to_its_end() -> None:
    position = parse("4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1")
    choice = agents.load("shogi-strong:nodes=20000").choose(position)
    assert choice.values[0] == 1
    for move in choice.line:
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.reason == "checkmate"


def test_a_mate_at_a_leaf_is_seen_before_it_is_played() -> None:
    """Black's rook guards against a gold on 5h, and could take White's rook instead."""
    position = parse("4k4/9/9/9/1r7/9/4p4/1R7/4K4 b g 1")
    taken = position.parse_move("8h8e")
    spec = "shogi-strong:depth=1,eval=static,mate=0,leaf={}"
    assert agents.load(spec.format(0)).choose(position).move == taken
    assert agents.load(spec.format(1)).choose(position).move != taken


def test_other_games_are_refused() -> None:
    with pytest.raises(tempo.ParseError, match="minishogi"):
        agents.load("shogi-strong").choose(tempo.load("minishogi").start())
    with pytest.raises(tempo.ParseError, match="evaluator"):
        agents.load("shogi-strong:eval=nnue")
    with pytest.raises(tempo.ParseError, match="0, 1 or 3"):
        agents.load("shogi-strong:leaf=2")


def test_an_evaluation_is_the_squashed_sum_of_terms() -> None:
    random = np.random.default_rng(3)
    some = random.normal(size=len(shogi_strong.term_names)).astype(np.float32)
    evaluator = shogi_strong.Evaluator.linear(some)
    for position in random_positions(8):
        total = float(shogi_strong.terms(position) @ some)
        value = total / (abs(total) + shogi_strong.half_win)
        assert evaluator(position)[position.turn] == pytest.approx(value, abs=1e-4)
    with pytest.raises(tempo.ParseError, match="terms"):
        shogi_strong.Evaluator.linear(some[:-1])


def test_the_start_is_even_but_for_the_turn() -> None:
    terms = shogi_strong.terms(shogi.start(shogi.Options({})))
    assert terms[0] == 1
    assert not terms[1:].any()


def test_the_gradient_is_that_of_its_nodes() -> None:
    """What the core sums is what NumPy makes of the terms written down."""
    some = shogi_strong.hand_tuned_weights()
    evaluator = shogi_strong.Evaluator.linear(some)
    settings = AlphaBetaSettings(depth=3, record=400, reduce=True)
    search = shogi_strong.AlphaBeta(evaluator, settings)
    search.search(middle_game())
    terms, low, high = search.nodes()
    assert len(terms) > 50
    sums = terms @ some
    half = shogi_strong.half_win
    values = sums / (np.abs(sums) + half)
    error = values - td.tree_strap(values, low, high)
    assert np.count_nonzero(error) > 0
    slope = half / (np.abs(sums) + half) ** 2
    gradient, squares, positions = search.gradient(evaluator)
    assert positions == len(terms)
    assert squares == pytest.approx(float(np.sum(error**2)), rel=1e-3)
    np.testing.assert_allclose(gradient, (error * slope) @ terms.astype(np.float64), atol=1e-5)


def learner(threads: int = 1) -> TreeStrap:
    recipe = {
        "learner": "tree_strap",
        "game": "shogi(length=200)",
        "games": 4,
        "steps": 5,
        "positions": 300,
        "depth": 3,
    }
    made = recipes.make_learner(recipe, seed=1, threads=threads)
    assert isinstance(made, TreeStrap)
    return made


def test_learning_begins_with_nothing_and_threads_change_nothing() -> None:
    one, two = learner(), learner(threads=2)
    assert not one.weights.any()
    for student in (one, two):
        while not student.done:
            student.iterate()
    assert np.array_equal(one.weights, two.weights)


def test_learnt_weights_are_described() -> None:
    learnt = weights.terms("shogi")
    assert len(learnt) == len(shogi_strong.term_names)
    folder = resources.files(weights) / "shogi"
    about = json.loads((folder / "terms.json").read_text())
    assert about["bytes"] == len((folder / "terms.safetensors").read_bytes())
    assert about["command"].startswith("tempo train shogi-terms")
    assert about["ledger"]["games"] > 100


def test_learnt_weights_know_pieces() -> None:
    """A rook more in hand is worth more than a pawn more; both are worth something."""
    evaluator = shogi_strong.Evaluator.linear(weights.terms("shogi"))
    board = "lnsgkgsnl/9/p1p1ppppp/9/9/9/P1P1PPPPP/9/LNSGKGSNL b {} 30"

    def value(hands: str) -> float:
        return float(evaluator(parse(board.format(hands)))[0])

    assert value("R2BPrp") > value("RB2Prbp")  # a bishop for a pawn
    assert value("2RBPbp") > value("RBPrbp") > value("RBrb2p")


def test_learnt_weights_beat_the_count_of_material() -> None:
    """Twenty games at 500 positions; the figure at 5,000 is in weights/shogi/terms.json."""
    names = [f"shogi-strong:nodes=500,eval={name}" for name in ("learned", "static")]
    result = match((names[0], names[1]), "shogi", games=20, seed=2)
    assert result.score > 0.6


def test_learnt_weights_are_the_default() -> None:
    position = middle_game()
    values = [
        agents.load(f"shogi-strong:nodes=2000{which}").choose(position).values
        for which in ("", ",eval=learned", ",eval=static")
    ]
    assert values[0] == values[1] != values[2]
