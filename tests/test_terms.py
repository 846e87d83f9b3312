"""Terms of plain positions: those of the evaluations by hand and of the games' own searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tempo
from tempo import search, testing, weights
from tempo._core import gomoku_threats, shogi_strong
from tempo.agents import load
from tempo.games.registry import names
from tempo.nets.linear import Linear
from tempo.nets.registry import Shape, make

GAMES = {
    "chess": "chess", "gomoku": "gomoku(size=9)", "jiu": "jiu(size=8)", "minishogi": "minishogi",
    "othello": "othello(size=6)", "shogi": "shogi",
}  # fmt: skip
SEED = 4


def positions(name: str, count: int = 40) -> list[Any]:
    found = testing.sample_positions(tempo.load(GAMES[name]), SEED, count)
    return [position for position in found if not position.is_over]


def test_every_game_without_hidden_information_has_terms() -> None:
    open_ones = {name for name in names() if not tempo.load(name).is_hidden}
    assert {name for name in open_ones if hasattr(tempo.load(name).core, "term_names")} == set(
        GAMES
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_linear_net_learns_terms_and_the_core_gives_its_numbers(name: str) -> None:
    game = tempo.load(GAMES[name])
    core: Any = game.core
    net = make("linear", game, Shape())
    assert isinstance(net, Linear)
    assert len(core.term_names) == net.multiply_adds
    net.weights = np.random.default_rng(SEED).normal(size=net.multiply_adds).astype(np.float32)
    evaluator = net.evaluator()
    for position in positions(name):
        total = float(core.terms(position).astype(np.float64) @ net.weights)
        value = total / (abs(total) + core.half_win)
        assert evaluator(position)[position.turn] == pytest.approx(value, abs=1e-5), position.text
    with pytest.raises(tempo.ParseError, match="terms"):
        core.Evaluator.linear(net.weights[1:])


@pytest.mark.parametrize("name", [n for n in GAMES if tempo.load(GAMES[n]).symmetries > 1])
def test_symmetries_keep_terms(name: str) -> None:
    core: Any = tempo.load(GAMES[name]).core
    for position in positions(name, 20):
        terms = core.terms(position)
        for k in range(core.symmetries):
            np.testing.assert_allclose(core.terms(position.transformed(k)), terms, atol=1e-4)


@pytest.mark.parametrize(("name", "own"), [("gomoku", gomoku_threats), ("shogi", shogi_strong)])
def test_terms_are_those_of_the_games_own_search(name: str, own: Any) -> None:
    core: Any = tempo.load(name).core
    assert (core.term_names, core.half_win) == (own.term_names, own.half_win)
    np.testing.assert_array_equal(core.hand_tuned_weights(), own.hand_tuned_weights())
    for position in positions(name, 20):
        np.testing.assert_array_equal(core.terms(position), own.terms(position))


@pytest.mark.parametrize(("name", "worth"), [("chess", 400), ("shogi", 800), ("minishogi", 800)])
def test_the_weights_by_hand_are_the_static_evaluation(name: str, worth: int) -> None:
    """But for chess, which divides in whole centipawns: to the centipawn."""
    core: Any = tempo.load(name).core
    by_hand, static = core.Evaluator.linear(core.hand_tuned_weights()), core.Evaluator.static()
    assert len(set(core.term_names)) == len(core.term_names)
    near = 1.01 if name == "chess" else 0.01
    for position in positions(name, 200):
        found, told = (
            worth * v / (1 - abs(v))
            for v in (e(position)[position.turn] for e in (by_hand, static))
        )
        assert found == pytest.approx(told, abs=near + abs(told) * 1e-4), position.text


@pytest.mark.parametrize(
    "text",
    ["8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "8/8/8/3k4/8/8/8/R3K3 b - - 0 1",
     "r1bqk2r/ppp2ppp/2n2n2/3pp3/1bPP4/2N1PN2/PP3PPP/R1BQKB1R w - - 0 1",
     "8/2P2pk1/1p6/8/3p4/8/5KP1/8 b - - 0 1"],
)  # fmt: skip
def test_terms_of_chess_are_seen_by_the_mover_on_one_wing(text: str) -> None:
    game = tempo.load("chess")
    core: Any = game.core
    board, turn, *rest = text.split()
    ranks = board.split("/")
    other = "w" if turn == "b" else "b"
    turned = " ".join(["/".join(reversed(ranks)).swapcase(), other, *rest])
    mirrored = " ".join(["/".join(rank[::-1] for rank in ranks), turn, *rest])
    terms = core.terms(game.parse(text))
    assert np.count_nonzero(terms) > 5
    for same in (turned, mirrored):
        np.testing.assert_allclose(core.terms(game.parse(same)), terms, atol=1e-6)


def test_weights_that_ship_with_a_search_are_known_to_every_search() -> None:
    position = tempo.load("gomoku").start().play("h8").play("j9")
    own = gomoku_threats.Evaluator.linear(weights.terms("gomoku"))
    assert search.evaluator("gomoku", "learned")(position) == pytest.approx(own(position), abs=1e-6)
    assert load("alphabeta:depth=1,eval=learned").choose(position).move in position.legal_moves


def test_runs_on_planes_of_earlier_versions_are_refused_in_a_sentence() -> None:
    game = tempo.load("gomoku(size=7)")
    planes = make("dense", game, Shape((4,)))
    with pytest.raises(tempo.ParseError, match="train it anew"):
        make("linear", game, Shape()).restore(planes.arrays())
