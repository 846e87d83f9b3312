"""What searches ask: callbacks into Python, with their errors, and the network in the core."""

from __future__ import annotations

import gc
import threading
import weakref
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from searching import CORE, SMALL, alpha_beta, monte_carlo, opened, story

import tempo
from tempo import testing
from tempo.errors import ParseError
from tempo.games import Game

Planes = NDArray[np.float32]

# Callbacks into Python


def positions_of(planes: Planes, game: Any) -> list[Any]:
    """Gomoku positions read back from their features."""
    found = []
    for own, other, first in planes:
        mine, yours = ("x", "o") if first[0, 0] else ("o", "x")
        size = len(own)
        rows = [
            "".join(mine if own[y, x] else yours if other[y, x] else "." for x in range(size))
            for y in reversed(range(size))
        ]
        text = "/".join(rows)
        for run in range(size, 0, -1):
            text = text.replace("." * run, str(run))
        found.append(game.parse(f"{text} {mine}"))
    return found


def static_again(planes: Planes) -> NDArray[np.float32]:
    """The static evaluation, by way of Python."""
    static = SMALL.core.Evaluator.static()
    values = [static(position)[position.turn] for position in positions_of(planes, SMALL)]
    return np.array(values, dtype=np.float32)


@pytest.mark.parametrize(
    "settings",
    [
        {"rollout_moves": 0},
        {"rollout_moves": 3},
        {"rollout_moves": 0, "selection": "puct"},
        {"rollout_moves": 0, "trees": 3},
    ],
)
def test_a_callback_with_the_same_numbers_gives_the_same_tree(settings: dict[str, Any]) -> None:
    position = opened(SMALL, "d4 d5 e4")
    results = []
    for evaluator in (
        SMALL.core.Evaluator.static(),
        SMALL.core.Evaluator.callback(static_again),
    ):
        search = monte_carlo(SMALL, evaluator, simulations=150, seed=3, **settings)
        found = search.search(position)
        results.append((story(found), found.evaluations, search.fingerprint))
    assert results[0] == results[1]


def test_alpha_beta_agrees_with_a_callback() -> None:
    position = opened(SMALL, "d4 d5 e4")
    callback = SMALL.core.Evaluator.callback(static_again)
    plain = alpha_beta(SMALL, depth=2).search(position)
    asking = alpha_beta(SMALL, callback, depth=2).search(position)
    assert (plain.move, plain.scores, plain.line) == (asking.move, asking.scores, asking.line)


def test_callbacks_are_asked_for_many_leaves_at_once() -> None:
    sizes = []

    def count(planes: Planes) -> NDArray[np.float32]:
        sizes.append(planes.shape)
        return np.zeros(len(planes), dtype=np.float32)

    callback = SMALL.core.Evaluator.callback(count)
    alpha_beta(SMALL, callback, depth=1).search(SMALL.start())
    assert max(shape[0] for shape in sizes) == 49
    sizes.clear()
    many = SMALL.core.ManySearch(CORE.MonteCarloSettings(simulations=5, rollout_moves=0), 30)
    many.search(SMALL.batch(30), callback)
    assert sizes == [(30, 3, 7, 7)] * 5


def test_values_by_seat_count_from_the_seat_to_move(toy: Any) -> None:
    """Four seats: the first value is the mover's, the next that of the seat after it."""
    evaluator = toy.core.Evaluator.callback(lambda planes: np.array([[0.4, -0.3, 0.2, -0.1]]))
    start: Any = toy.start()
    position = start.play("1").play("xe1")
    assert (start.turn, position.turn) == (0, 1)
    assert evaluator(start) == pytest.approx((0.4, -0.3, 0.2, -0.1))
    assert evaluator(position) == pytest.approx((-0.1, 0.4, -0.3, 0.2))
    single = toy.core.Evaluator.callback(lambda planes: np.array([0.5]))
    assert single(position) == pytest.approx((-0.5, 0.5, -0.5, 0.5))


def test_logits_guide_the_search() -> None:
    """All prior on one move: it takes nearly all visits, and illegal moves take no share."""
    start = SMALL.start()
    favourite = start.parse_move("b3")

    def policy(planes: Planes) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        logits = np.full((len(planes), 49), -20.0, dtype=np.float32)
        logits[:, favourite] = 5.0
        return np.zeros(len(planes), dtype=np.float32), logits

    search = monte_carlo(
        SMALL, SMALL.core.Evaluator.callback(policy), simulations=100, selection="puct",
        rollout_moves=0,
    )  # fmt: skip
    found = search.search(start)
    assert found.move == favourite
    assert found.root[0].visits > 90


def test_masked_moves_may_have_minus_infinity() -> None:
    logits = np.full((1, 49), -np.inf, dtype=np.float32)
    logits[0, 10] = 0.0
    evaluator = SMALL.core.Evaluator.callback(
        lambda planes: (np.zeros(len(planes)), np.repeat(logits, len(planes), axis=0))
    )
    search = monte_carlo(SMALL, evaluator, simulations=20, selection="puct", rollout_moves=0)
    assert search.search(SMALL.start()).move == 10


class UnwellError(Exception):
    """What a callback of the tests raises."""


def asking_searches(callback: Any) -> dict[str, Any]:
    settings = CORE.MonteCarloSettings(simulations=20, rollout_moves=0, selection="puct")
    many = SMALL.core.ManySearch(settings, 3)
    return {
        "one": lambda: callback(SMALL.start()),
        "alpha-beta": lambda: alpha_beta(SMALL, callback, depth=1).search(SMALL.start()),
        "tree": lambda: SMALL.core.MonteCarlo(callback, settings).search(SMALL.start()),
        "many": lambda: many.search(SMALL.batch(3), callback),
    }


@pytest.mark.parametrize("search", ["one", "alpha-beta", "tree", "many"])
def test_a_callback_s_own_error_comes_through(search: str) -> None:
    def unwell(planes: Planes) -> None:
        raise UnwellError("out of memory")

    with pytest.raises(UnwellError, match=r"^out of memory$"):
        asking_searches(SMALL.core.Evaluator.callback(unwell))[search]()


@pytest.mark.parametrize("search", ["one", "alpha-beta", "tree", "many"])
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda n: np.full(n, np.nan), "not finite"),
        (lambda n: np.full(n, np.inf), "not finite"),
        (lambda n: np.zeros((n, 3)), "values must have shape"),
        (lambda n: np.zeros(n + 1), "values must have shape"),
        (lambda n: np.zeros((n, 1, 1)), "values must have shape"),
        (lambda n: (np.zeros(n),) * 3, r"returns values, or \(values, logits\)"),
        (lambda n: "high", "could not convert"),
        (lambda n: None, "not finite|values must have shape"),
    ],
)
def test_wrong_values_are_refused(search: str, answer: Any, says: str) -> None:
    callback = SMALL.core.Evaluator.callback(lambda planes: answer(len(planes)))
    with pytest.raises((ParseError, ValueError, TypeError), match=says):
        asking_searches(callback)[search]()


@pytest.mark.parametrize("search", ["tree", "many"])
@pytest.mark.parametrize(
    ("logits", "says"),
    [
        (lambda n: np.zeros((n, 48)), "logits must have shape"),
        (np.zeros, "logits must have shape"),
        (lambda n: np.full((n, 49), np.nan), "logit is not a number"),
        (lambda n: np.full((n, 49), np.inf), "logit is not a number"),
    ],
)
def test_wrong_logits_are_refused(search: str, logits: Any, says: str) -> None:
    callback = SMALL.core.Evaluator.callback(
        lambda planes: (np.zeros(len(planes)), logits(len(planes)))
    )
    with pytest.raises(ParseError, match=says):
        asking_searches(callback)[search]()


def test_a_search_works_again_after_its_callback_failed() -> None:
    calls = 0

    def flaky(planes: Planes) -> NDArray[np.float32]:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise UnwellError
        return np.zeros(len(planes), dtype=np.float32)

    search = monte_carlo(
        SMALL, SMALL.core.Evaluator.callback(flaky), simulations=40, rollout_moves=0
    )
    with pytest.raises(UnwellError):
        search.search(SMALL.start())
    found = search.search(SMALL.start())
    assert found.evaluations == 40
    assert found.move in SMALL.start().legal_moves


def test_a_search_is_not_entered_twice() -> None:
    """The GIL is free while a search runs: a second call would walk the same tree."""
    search: Any = None
    refused: list[str] = []

    def nested(planes: Planes) -> NDArray[np.float32]:
        try:
            search.search(SMALL.start())
        except RuntimeError as error:
            refused.append(str(error))
        return np.zeros(len(planes), dtype=np.float32)

    search = monte_carlo(
        SMALL, SMALL.core.Evaluator.callback(nested), simulations=3, rollout_moves=0
    )
    search.search(SMALL.start())
    assert refused == ["this search is already running; use one for each thread"] * 3


def test_searches_run_side_by_side_in_threads() -> None:
    """Each with its own search, while the GIL is released: the same as one after another."""
    expected = story(monte_carlo(SMALL, simulations=3000, seed=9).search(SMALL.start()))
    found: list[Any] = [None] * 4

    def work(i: int) -> None:
        found[i] = story(monte_carlo(SMALL, simulations=3000, seed=9).search(SMALL.start()))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.parametrize("kind", ["evaluator", "alpha-beta", "tree"])
def test_callbacks_are_collected(kind: str) -> None:
    """A function that knows its own search is a cycle; Python's collector has to see it."""

    class Model:
        search: Any = None

        def __call__(self, planes: Planes) -> NDArray[np.float32]:
            return np.zeros(len(planes), dtype=np.float32)

    model = Model()
    evaluator = SMALL.core.Evaluator.callback(model)
    if kind == "evaluator":
        model.search = evaluator
    elif kind == "alpha-beta":
        model.search = alpha_beta(SMALL, evaluator, depth=1)
    else:
        model.search = monte_carlo(SMALL, evaluator, simulations=5, rollout_moves=0)
    if kind != "evaluator":
        model.search.search(SMALL.start())
    seen = weakref.ref(model)
    del model, evaluator
    gc.collect()
    assert seen() is None


# The network in the core


def network(sizes: list[int], activations: list[str], seed: int = 1) -> list[Any]:
    random = np.random.default_rng(seed)
    return [
        (
            random.normal(0, 0.3, (outputs, inputs)).astype(np.float32),
            random.normal(0, 0.1, outputs).astype(np.float32),
            activation,
        )
        for inputs, outputs, activation in zip(sizes, sizes[1:], activations, strict=False)
    ]


def forward(layers: list[Any], features: Planes) -> NDArray[np.float64]:
    functions: dict[str, Any] = {
        "linear": lambda x: x,
        "relu": lambda x: np.maximum(x, 0),
        "tanh": np.tanh,
        "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    }
    values = features.ravel().astype(np.float64)
    for weights, bias, activation in layers:
        values = functions[activation](weights @ values + bias)
    return values


NETWORKS = [
    ([147, 20, 1], ["relu", "tanh"]),
    ([147, 33, 9, 1], ["tanh", "sigmoid", "linear"]),
    ([147, 1], ["sigmoid"]),
    ([147, 40, 2], ["relu", "tanh"]),
]


@pytest.mark.parametrize(("sizes", "activations"), NETWORKS)
def test_the_dense_evaluator_is_a_forward_pass(sizes: list[int], activations: list[str]) -> None:
    layers = network(sizes, activations)
    evaluator = SMALL.core.Evaluator.dense(SMALL.options, layers)
    products = sum(a * b for a, b in pairwise(sizes))
    assert evaluator.multiply_adds == products
    batch = SMALL.batch(20, seed=3)
    batch.playout(limit=9)
    for i in range(20):
        position = batch[i]
        if position.is_over:
            continue
        outputs = forward(layers, position.features())
        mine = outputs[0] if len(outputs) == 1 else (outputs[0] - outputs[1]) / 2
        if activations[-1] == "sigmoid":
            mine = 2 * mine - 1
        mine = float(np.clip(mine, -1, 1))
        expected = (mine, -mine) if position.turn == 0 else (-mine, mine)
        assert evaluator(position) == pytest.approx(expected, abs=1e-5)


def test_a_finished_game_is_not_asked_about() -> None:
    evaluator = SMALL.core.Evaluator.callback(lambda planes: pytest.fail("asked"))
    assert evaluator(drawn_win()) == (1.0, -1.0)


def drawn_win() -> Any:
    return opened(SMALL, "a1 a2 b1 b2 c1 c2 d1 d2 e1")


@pytest.mark.parametrize(
    ("layers", "says"),
    [
        ([], "at least one layer"),
        ([(np.zeros((1, 3)), np.zeros(1), "linear")], "takes 3 inputs; gomoku has 147"),
        ([(np.zeros((1, 147)), np.zeros(2), "linear")], "has 2 biases; expected 1"),
        ([(np.zeros((3, 147)), np.zeros(3), "linear")], "has 3 outputs; expected 1 or"),
        ([(np.zeros((1, 147)), np.zeros(1), "softmax")], "linear, relu, tanh, sigmoid"),
        ([(np.full((1, 147), np.nan), np.zeros(1), "linear")], "not finite"),
        (
            [(np.zeros((4, 147)), np.zeros(4), "relu"), (np.zeros((1, 5)), np.zeros(1), "tanh")],
            "layer 1: takes 5 inputs, but the layer before gives 4",
        ),
    ],
)
def test_networks_that_do_not_fit(layers: list[Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        SMALL.core.Evaluator.dense(SMALL.options, layers)


def test_a_network_of_another_board_is_refused() -> None:
    """Seen as an overflow of the heap: a larger board wrote its features past the network's own."""
    evaluator = SMALL.core.Evaluator.dense(SMALL.options, network([147, 1], ["tanh"]))
    larger = tempo.load("gomoku(size=9)").start()
    with pytest.raises(ValueError, match="takes 147 features; this position of gomoku has 243"):
        evaluator(larger)
    with pytest.raises(ValueError, match="takes 147 features"):
        alpha_beta(SMALL, evaluator, depth=1).search(larger)


# Evaluations by hand


def test_static_evaluations_have_the_symmetries_of_their_game(game: Game) -> None:
    if game.symmetries == 1 or not hasattr(game.core.Evaluator, "static"):
        return
    value = game.core.Evaluator.static()
    for position in testing.sample_positions(game, 1, 48):
        for k in range(game.symmetries):
            assert value(position.transformed(k)) == value(position), f"{position!r}, symmetry {k}"
