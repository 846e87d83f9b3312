"""A run folder of every learner is an agent: it plays, and searches ask it or say why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from short_runs import RUNS

import tempo
from tempo import agents, arena, recipes
from tempo.agents.gomoku.critic import read_weights
from tempo.errors import ParseError
from tempo.games.registry import names
from tempo.recipes.learners import KINDS
from tempo.runs import Checkpoint, Run
from tempo.web.fitting import run_misfit

ENDING = "8/8/8/8/8/3k4/8/3KR3 w - - 0 1"
# What searches cannot ask of a run, and why.
REFUSED = {"tabular": "values placements"}


def games_of(learner: str) -> list[str]:
    """Games that a learner of recipes accepts; the usual one where each would be compiled anew."""
    kind, recipe = KINDS[learner], RUNS[learner][0]
    if kind.deep:
        pytest.importorskip("jax", reason="needs the extra `deep`")
        return [str(recipe.get("game", kind.game))]
    settings, found = recipes.settings_of(recipe), []
    for name in names():
        small = tempo.load(tempo.load(name).description.small[0].spec)
        if not kind.load().refusal(small, settings, recipe):
            found.append(small.spec)
    return found


def position_of(learner: str, spec: str) -> Any:
    game = tempo.load(spec)
    if learner == "search_td":
        return game.parse(ENDING)
    position: Any = game.start(seed=1) if game.is_dealt else game.start()
    return position


def stored(learner: str, folder: Path, **changed: Any) -> Run:
    """A short run; where learning is compiled, one that has just begun."""
    recipe = {**RUNS[learner][0], **changed}
    if not KINDS[learner].deep:
        return recipes.train(recipe, seed=2, out=folder)
    pytest.importorskip("jax", reason="needs the extra `deep`")
    made = recipes.make_learner(recipe, 2)
    run = Run.create(folder, {**recipe, "seed": 2})
    run.save(Checkpoint(0, made.arrays(), made.state()), made.ledger)
    run.release()
    return run


def plays(spec: str, position: Any) -> None:
    agent = agents.load(spec)
    agent.reset(1)
    view = position.view(position.turn)
    assert agent.name == spec
    assert agent.choose(view).move in view.legal_moves


@pytest.mark.parametrize("learner", KINDS)
def test_a_run_is_an_agent(learner: str, tmp_path: Path) -> None:
    for number, spec in enumerate(games_of(learner)):
        folder = tmp_path / "runs" / f"run{number}"
        stored(learner, folder, game=spec)
        position = position_of(learner, spec)
        plays(str(folder), position)
        assert run_misfit(tempo.load(spec), f"runs/run{number}", folder.parent) == ""
        searches = [f"alphabeta:depth=1,eval={folder}", f"mcts:sims=4,rollout=0,eval={folder}"]
        for search in searches:
            why = REFUSED.get(learner)
            if not why:
                plays(search, position)
                continue
            with pytest.raises(ParseError, match=why) as told:
                agents.load(search).choose(position.view(position.turn))
            assert "\n" not in str(told.value)


def test_a_run_plays_a_match_and_only_its_game(tmp_path: Path) -> None:
    run = stored("tree_strap", tmp_path / "run", game="othello(size=4)")
    result = arena.match((str(run.folder), "random"), "othello(size=4)", games=4, seed=1)
    assert result.games == 4
    with pytest.raises(ParseError, match="has learnt othello, not jiu"):
        agents.load(str(run.folder)).choose(tempo.load("jiu(size=6)").start())


def test_runs_that_no_agent_plays_are_told(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('learner = "magic"\ngame = "othello"\n')
    with pytest.raises(ParseError, match="no agent plays what 'magic' has learnt of 'othello'"):
        agents.load(str(tmp_path))


def test_a_network_of_an_ending_values_leaves(tmp_path: Path) -> None:
    """Alpha-beta of depth 1 over a run finds what the run's own agent finds, for both colours."""
    run = stored("search_td", tmp_path / "run", play_depth=1, discount=1.0)
    game = tempo.load("chess")
    for text in (ENDING, "3kr3/8/3K4/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/3k4/7R/3K4 b - - 0 1"):
        position = game.parse(text)
        own = agents.load(str(run.folder)).choose(position)
        search = f"alphabeta:depth=1,quiescence=no,eval={run.folder}"
        found = agents.load(search).choose(position)
        assert found.values == pytest.approx(own.values, abs=1e-6)


def test_a_critic_values_leaves(tmp_path: Path) -> None:
    run = stored("adp", tmp_path / "run")
    game = tempo.load("gomoku")
    position = game.start().play("h8").play("h9").play("j9")
    evaluator = agents.registry.evaluator_of(run, game)
    critic = read_weights(str(run.folder)).critic(game.core.Options({}))
    for place in ("j10", "g7"):
        first = 2 * float(critic.values([position], first=0)[0]) - 1
        assert evaluator(position) == pytest.approx((first, -first), abs=1e-6)
        position = position.play(place)
    assert np.abs(evaluator(position)).max() > 0
