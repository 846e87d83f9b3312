"""What a protocol allows for a move, and what an agent makes of it."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo import agents, recipes
from tempo.errors import ParseError
from tempo.protocols.budget import Budgeted, Order
from tempo.recipes import general


@pytest.mark.parametrize(
    ("order", "seconds"),
    [
        (Order(movetime=1.0), 0.95),
        (Order(byoyomi=0.5, clock=0.0), 0.45),
        (Order(byoyomi=1.0, clock=60.0), 2.95),
        (Order(clock=60.0), 1.95),
        (Order(clock=60.0, increment=10.0), 9.95),
        (Order(clock=60.0, moves_to_go=2), 29.95),
        (Order(clock=1.0, moves_to_go=1), 0.75),
        (Order(clock=1.0, increment=60.0), 0.75),
        (Order(clock=0.0), 0.01),
        (Order(movetime=0.01), 0.01),
        (Order(nodes=5), None),
        (Order(), None),
    ],
)
def test_the_time_for_a_move(order: Order, seconds: float | None) -> None:
    assert order.seconds(0.05) == (None if seconds is None else pytest.approx(seconds))


def test_a_budget_becomes_the_agents_settings() -> None:
    def name(spec: str, *limits: Any) -> str:
        return Budgeted(spec).within(*limits).name

    assert name("mcts", 1.0) == "mcts:time=0.95"
    assert name("mcts:time=0.5", 1.0) == "mcts:time=0.5"
    assert name("mcts:c=1", None, 700) == "mcts:sims=700,c=1"
    assert name("random", 1.0, 5, 5) == "random"
    agent = Budgeted("mcts")
    assert agent.within(1.0) is agent.within(1.001), "a clock that runs down rebuilds nothing"
    assert agent.within(1.0) is not agent.within(0.5)
    assert agent.another().spec == "mcts"


def test_agents_that_can_be_limited_are_not_rebuilt() -> None:
    position = tempo.load("shogi").start()
    for spec in ("shogi-strong:nodes=900", "alphabeta:nodes=900"):
        agent = Budgeted(spec)
        assert agent.within(1.0) is agent.within(0.5, 100)
        assert agent.within(60.0, 100).choose(position).cost.positions <= 100
        assert 100 < agent.within(60.0, 5000).choose(position).cost.positions <= 900
        assert agent.within(60.0, 0, 2).choose(position).depth == 2


@pytest.mark.parametrize(
    ("order", "hard", "soft"),
    [
        (Order(movetime=1.0), 0.95, 0),
        (Order(byoyomi=0.5, clock=0.0), 0.45, 0),
        (Order(clock=60.0), 7.8, 1.95),
        (Order(clock=60.0, increment=1.0), 11.0, 2.75),
        (Order(clock=60.0, byoyomi=1.0), 8.8, 2.95),
        (Order(clock=60.0, moves_to_go=1), 47.95, 0),
        (Order(clock=0.3, increment=10.0), 0.19, 0.19),
    ],
)
def test_hard_moves_may_take_longer(order: Order, hard: float, soft: float) -> None:
    plan = order.plan(0.05)
    assert plan is not None
    assert (plan.hard, plan.soft) == pytest.approx((hard, soft))
    assert order.clock is None or plan.hard <= order.clock + order.byoyomi


def test_a_clock_is_never_overdrawn() -> None:
    """Any clock, whatever it names: no plan reaches its end, if there is time at all."""
    times = (0.0, 0.06, 0.3, 5.0, 600.0)
    for clock, increment, byoyomi, moves in product(times, times, times, (0, 1, 3)):
        order = Order(clock=clock, increment=increment, byoyomi=byoyomi, moves_to_go=moves)
        plan = order.plan(0.05)
        assert plan is not None
        assert plan.hard <= max(clock + byoyomi - 0.05, 0.01)
        assert 0 <= plan.soft <= plan.hard


@pytest.mark.parametrize("learner", ["td", "zero"])
def test_a_run_keeps_to_an_order(learner: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"games": 2, "iterations": 1, "hidden": (8,), "longest": 8, "exam": 0}
    if learner == "zero":
        given |= {"simulations": 4, "plies": 4, "batch": 8}
    recipe = general.recipe_of(learner, "othello(size=4)", given)
    recipes.train(recipe, seed=1, out=tmp_path / "run")
    position = tempo.load("othello(size=4)").start()
    found = Budgeted(str(tmp_path / "run"))
    for agent in (found.within(0.05), found.changed("threads", 2).within(0.05, depth=2)):
        assert agent.choose(position).move in position.legal_moves
    timed: Any = agents.load(f"{tmp_path / 'run'}:time=0.5")
    assert (timed.settings.eval, timed.settings.time) == (str(tmp_path / "run"), 0.5)
    with pytest.raises(ParseError, match="has no setting 'deep'"):
        agents.load(f"{tmp_path / 'run'}:deep=5")
