"""The rules of learners on games worked out by hand, and what learners share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tempo
from tempo.errors import ParseError
from tempo.learners.experience import Experience, Nodes
from tempo.learners.registry import Samples, kind, kinds
from tempo.learners.settings import Settings
from tempo.nets.approximator import Inputs
from tempo.nets.registry import Shape, make
from tempo.recipes import general

# A game of three moves that the first seat wins, and one of two moves that is drawn. Keys are
# numbers of positions, so that samples show what they are of.
TURN = np.array([0, 1, 0, 0, 1], np.uint8)
LAST = np.array([False, False, True, False, True])
PLAIN = {"discount": 1.0, "results": 0.0}


def inputs(*numbers: int) -> Inputs:
    return Inputs(np.array(numbers, np.uint64), np.zeros((len(numbers), 0), np.float32))


def floats(*numbers: float) -> Any:
    return np.array(numbers, np.float32)


def played(**changed: Any) -> Experience:
    whole: dict[str, Any] = {
        "inputs": inputs(0, 1, 2, 10, 11), "game": np.array([0, 0, 0, 1, 1]), "turn": TURN,
        "sign": floats(1, -1, 1, 1, -1), "moves": np.zeros(5, np.int32),
        "value": floats(0.1, -0.2, 0.3, 0.0, 0.5), "best": floats(0.2, -0.3, 0.4, 0.1, 0.6),
        "taken": floats(0.2, -0.4, 0.4, 0.1, 0.6), "explored": np.zeros(5, bool), "last": LAST,
        "scores": floats(1, -1, 0, 0).reshape(2, 2), "leaves": inputs(20, 21, 22, 30, 31),
        "leaf_sign": floats(-1, -1, -1, 1, -1), "evaluated": np.array([True] * 4 + [False]),
    }  # fmt: skip
    return Experience(**{**whole, **changed})


def samples(name: str, games: Experience | None = None, **settings: Any) -> dict[int, float]:
    """The targets of a rule, by the keys of positions; each has one target."""
    found = kind(name)
    assert not found.recalls
    made: Samples = found.rule(games or played(), found.settings({**PLAIN, **settings}))
    assert (made.low == made.high).all()
    keys = [int(key) for key in made.inputs.keys]
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, made.low.tolist(), strict=True))


def near(**expected: float) -> Any:
    return pytest.approx({int(name[1:]): value for name, value in expected.items()}, abs=1e-6)


def test_td_moves_positions_towards_what_followed() -> None:
    # For the first seat the values are .1, .2, .3, and 0, -.5.
    assert samples("td", trace=0.0) == near(_0=0.2, _1=-0.3, _2=1.0, _10=-0.5, _11=0.0)
    assert samples("td", trace=1.0) == near(_0=1.0, _1=-1.0, _2=1.0, _10=0.0, _11=0.0)


def test_td_leaf_moves_leaves_for_the_seat_that_moves_there() -> None:
    # Searched values for the first seat: .2, .3, .4, and .1, -.6. The last leaf is an end.
    expected = near(_20=-0.3, _21=0.4, _22=-1.0, _30=-0.6)
    assert samples("td_leaf", trace=0.0) == expected


def test_td_stem_and_td_root_move_positions_towards_searches() -> None:
    following = near(_0=0.3, _1=-0.4, _2=1.0, _10=-0.6, _11=0.0)
    assert samples("td_root") == following
    assert samples("td_stem", trace=0.0) == following
    assert samples("root_strap", results=0.0) == near(_0=0.2, _1=-0.3, _2=0.4, _10=0.1, _11=0.6)
    assert samples("root_strap", results=0.5) == near(_0=0.6, _1=-0.65, _2=0.7, _10=0.05, _11=0.3)


def test_regression_moves_positions_towards_results() -> None:
    whole = near(_0=1.0, _1=-1.0, _2=1.0, _10=0.0, _11=0.0)
    assert samples("regression", results=1.0) == whole
    # A result two moves away, one away, and at hand: γ is that of a round, two moves here.
    faded = near(_0=0.25, _1=-0.5, _2=1.0, _10=0.0, _11=0.0)
    assert samples("regression", discount=0.25, results=1.0) == faded
    assert samples("regression", results=0.0) == near(_0=0.2, _1=-0.3, _2=0.4, _10=0.1, _11=0.6)


def test_moves_made_at_random_are_left_out_and_end_what_came_before() -> None:
    games = played(explored=np.array([False, True, False, False, False]))
    # Position 0 is moved towards the value of position 1, and not past it.
    expected = near(_0=0.2, _2=1.0, _10=0.0, _11=0.0)
    assert samples("td", games, trace=1.0) == expected


def test_q_rules_move_the_position_after_a_move_for_the_seat_that_moves_there() -> None:
    # The first seat's first move towards its second, .4; the second seat's only one towards -1.
    assert samples("sarsa") == near(_1=-0.4, _2=1.0, _11=0.0)
    games = played(best=floats(0.2, -0.3, 0.7, 0.1, 0.6))
    assert samples("q_learning", games) == near(_1=-0.7, _2=1.0, _11=0.0)
    assert samples("adp") == samples("sarsa")
    assert samples("sarsa", successor="team") == near(_1=-0.4, _2=0.4, _11=0.6)


def test_traces_of_q_rules() -> None:
    assert samples("q_lambda", trace=0.0) == samples("q_learning")
    assert samples("q_lambda", trace=1.0) == near(_1=-1.0, _2=1.0, _11=0.0)
    assert samples("ttd", steps=1) == samples("q_learning")
    games = played(explored=np.array([False, False, True, False, False]))
    assert samples("q_lambda", games, trace=1.0) == near(_1=-0.4, _2=1.0, _11=0.0)
    assert samples("ttd", games, trace=1.0) == near(_1=-1.0, _2=1.0, _11=0.0)


def test_tree_strap_keeps_bounds_and_adds_results() -> None:
    nodes = Nodes(inputs(40, 41), floats(-1, 0.2), floats(0.5, 0.2), np.arange(2))
    settings = kind("tree_strap").settings({"discount": 0.25})
    made = kind("tree_strap").rule(played(nodes=nodes), settings)
    assert made.inputs.keys.tolist() == [40, 41, 0, 2, 11]  # every other root
    assert made.low.tolist() == pytest.approx([-1, 0.2, 0.25, 1, 0])
    assert made.high.tolist() == pytest.approx([0.5, 0.2, 0.25, 1, 0])


def test_discounts() -> None:
    assert samples("sarsa", discount=0.5) == near(_1=-0.2, _2=1.0, _11=0.0)
    assert samples("td", trace=0.0, discount=0.25)[0] == pytest.approx(0.1)  # half a round
    assert samples("td", played(round=4), trace=0.0, discount=0.0625)[0] == pytest.approx(0.1)


# ---- approximators -------------------------------------------------------------------------------


def numbers(count: int, features: int, seed: int = 1) -> Inputs:
    random = np.random.default_rng(seed)
    keys = random.integers(1 << 60, size=count).astype(np.uint64)
    return Inputs(keys, random.normal(size=(count, features)).astype(np.float32))


@pytest.mark.parametrize("hidden", [(), (5,), (6, 4)])
def test_the_gradient_of_a_dense_network(hidden: tuple[int, ...]) -> None:
    """The first step of Adam is the sign of the gradient: compare it with differences."""
    game = tempo.load("othello(size=4)")
    net: Any = make("dense", game, Shape(hidden=hidden or (5,), seed=2))
    if not hidden:
        net = type(net)(game, (), 2)
    seen = numbers(16, int(np.prod(game.feature_shape)))
    targets = np.linspace(-1, 1, 16).astype(np.float32)
    before = [part.astype(np.float64) for part in (*net.weights, *net.biases)]

    def loss() -> float:
        return float(np.mean((net.values(seen).astype(np.float64) - targets) ** 2))

    slopes = []
    for part in (*net.weights, *net.biases):
        kept = part.flat[0]
        part.flat[0] = kept + 1e-2
        above = loss()
        part.flat[0] = kept - 1e-2
        slopes.append((above - loss()) / 2e-2)
        part.flat[0] = kept
    net.fit(seen, targets, 1e-4)
    after = (*net.weights, *net.biases)
    moved = [float(a.flat[0] - b.flat[0]) for a, b in zip(after, before, strict=True)]
    for slope, step in zip(slopes, moved, strict=True):
        if abs(slope) > 1e-3:
            assert np.sign(step) == -np.sign(slope)
            assert abs(step) == pytest.approx(1e-4, rel=0.02)


@pytest.mark.parametrize("net", ["table", "linear", "dense", "conv"])
def test_an_approximator_learns_and_goes_back(net: str) -> None:
    game = tempo.load("othello(size=4)")
    first, second = (make(net, game, Shape((8,), (4,), seed=1)) for _ in range(2))
    width = 8 if net == "linear" else int(np.prod(game.feature_shape))
    seen = numbers(32, width)
    targets = np.clip(seen.features[:, 0] / 2, -0.8, 0.8).astype(np.float32)
    losses = [first.fit(seen, targets, 0.05) for _ in range(60)]
    assert losses[-1] < 0.7 * losses[0]
    second.restore({name: array.copy() for name, array in first.arrays().items()})
    assert first.fit(seen, targets, 0.05) == second.fit(seen, targets, 0.05)
    assert (first.values(seen) == second.values(seen)).all()


# ---- settings ------------------------------------------------------------------------------------


def test_settings_are_read_and_refused() -> None:
    assert general.read_settings(["depth=3", "hidden=8,4", "trace=0.5"]) == {
        "depth": 3, "hidden": (8, 4), "trace": 0.5
    }  # fmt: skip
    for wrong, words in (
        ("depth=x", "depth cannot be 'x'; it takes a whole number"),
        ("deep=1", r"there is no setting 'deep'; did you mean depth\? There are net, hidden"),
        ("hidden=a", "hidden cannot be 'a'; it takes whole numbers"),
    ):
        with pytest.raises(ParseError, match=words):
            general.read_settings([wrong])
    wrong_values: dict[str, Any] = {"games": 0, "trace": 2.0, "exploration": "often", "hidden": ()}
    for name, value in wrong_values.items():
        given: dict[str, Any] = {name: value}
        with pytest.raises(ParseError):
            replace(Settings(), **given)


def test_a_learner_from_inside_searches_needs_some_positions() -> None:
    with pytest.raises(ParseError, match="record must be at least 1"):
        general.recipe_of("tree_strap", "othello(size=4)", {"record": 0})


def test_learners_have_names_and_sentences() -> None:
    assert {"td", "td_leaf", "td_stem", "td_root", "root_strap", "tree_strap", "adp", "sarsa",
            "q_learning", "q_lambda", "ttd", "dqn", "regression"} <= set(kinds())  # fmt: skip
    for found in kinds().values():
        assert len(found.summary) < 66
        assert found.learns in ("V", "Q")
    with pytest.raises(
        ParseError, match=r"there is no learner 'tdd'; did you mean td\? There are adp"
    ):
        kind("tdd")
    with pytest.raises(
        ParseError, match=r"there is no net 'deep'; did you mean dense\? There are table"
    ):
        make("deep", tempo.load("othello"), Shape())
