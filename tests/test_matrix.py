"""Every learner on every game: it trains, stores, goes on to the same bytes and plays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import agents, recipes
from tempo.games.description import Small
from tempo.games.registry import names
from tempo.learners.registry import kinds
from tempo.nets.registry import NETS
from tempo.recipes import general
from tempo.runs import Run

SMALL = [
    *(small for name in names() for small in tempo.load(name).description.small),
    Small("chess"),  # whole, too: it is small as endings
]
SHORT = {
    "games": 2, "iterations": 2, "longest": 8, "opening": 1, "hidden": (8,), "replay": 40,
    "exam": 4,
}  # fmt: skip
LEAST_SHARE = 0.85  # of cells that work


def recipe_of(learner: str, small: Small, **given: Any) -> dict[str, Any]:
    short = {**SHORT, "start": small.start, **given}
    if learner != "dqn":
        short.pop("replay", None)
    if learner == "zero":
        short |= {"simulations": 4, "plies": 5, "batch": 16}
    return general.recipe_of(learner, small.spec, short)


def last_of(folder: Path) -> dict[str, bytes]:
    return {name: a.tobytes() for name, a in Run.open(folder).trained().arrays.items()}


@pytest.mark.parametrize("learner", kinds())
@pytest.mark.parametrize("small", SMALL, ids=str)
def test_a_learner_meets_a_game(
    learner: str, small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = recipe_of(learner, small)
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    recipes.train(recipe, seed=3, out=whole, checkpoint_seconds=0)
    recipes.train({**recipe, "iterations": 1}, seed=3, out=pieces, checkpoint_seconds=0)
    recipes.train(recipe, seed=3, out=pieces, resume=True, threads=2)
    assert last_of(pieces) == last_of(whole)
    monkeypatch.chdir(tmp_path)
    position: Any = tempo.load(small.spec).start()
    if small.start:
        position = tempo.load(small.spec).description.starts(small.start)(np.random.default_rng(1))
    view = position.view(position.turn)
    for spec in (
        str(whole),
        f"alphabeta:depth=1,eval={whole}",
        "mcts:sims=4,rollout=0,eval=whole",
    ):
        assert agents.load(spec).choose(view).move in view.legal_moves


def test_most_cells_work(record_property: Callable[[str, object], None]) -> None:
    cells = [(kind, tempo.load(small.spec)) for kind in kinds().values() for small in SMALL]
    refused = [why for kind, game in cells if (why := kind.refusal(game, kind.usual))]
    working = f"{len(cells) - len(refused)} of {len(cells)} pairs of learner and game work"
    record_property("counted", working)
    assert len(cells) - len(refused) >= LEAST_SHARE * len(cells)
    assert all(why.count(".") == 0 and len(why) < 120 for why in refused)


# Networks in JAX are compiled anew for every shape of a game: a few of them are enough. Those in
# integers ask for features that not all games have.
ONLY = {
    "conv": ("gomoku", "othello", "siguo"), "incremental": ("othello",), "lines": ("gomoku",),
    "residual": ("jiu",),
}  # fmt: skip
MEETINGS = [(net, name) for net in NETS for name in names() if name in ONLY.get(net, (name,))]


@pytest.mark.parametrize(("net", "name"), MEETINGS)
def test_an_approximator_meets_a_game(net: str, name: str, tmp_path: Path) -> None:
    small = tempo.load(name).description.small[0]
    units = (32,) if net in ("incremental", "lines") else SHORT["hidden"]
    recipe = recipe_of("td", small, net=net, channels=(4,), hidden=units)
    recipes.train(recipe, seed=1, out=tmp_path / "run", checkpoint_seconds=0)
    row = Run.open(tmp_path / "run").rows()[-1]
    assert row["step"] == SHORT["iterations"]
    assert 0 <= row["random"] <= 1
