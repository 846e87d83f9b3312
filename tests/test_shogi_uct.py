"""shogi-uct: its settings, its budgets, what it sees, and that it replays from its seed."""

from __future__ import annotations

import time
from typing import Any

import pytest

import tempo
from tempo import _core, agents, arena
from tempo.errors import ParseError

SHOGI = tempo.load("shogi")
MINI = tempo.load("minishogi")
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


def search(position: Any, **settings: Any) -> tuple[Any, Any]:
    """The paper's tree grown from a position, and what it found."""
    common = {"simulations": 0, "rollout_moves": 15, "cut_value": "rollout", "expand_after": 0}
    tree = _core.shogi.MonteCarlo(
        _core.shogi.Evaluator.none(),
        _core.MonteCarloSettings(**{**common, **settings}),
        reuse=False,
    )
    return tree, tree.search(position)


@pytest.mark.parametrize(
    "spec",
    [
        "shogi-uct",
        "shogi-uct:time=0.2",
        "shogi-uct:nodes=5000,constant=1.187,rule=tuned,choice=secure",
    ],
)
def test_its_name_is_its_spec(spec: str) -> None:
    assert agents.load(spec).name == spec


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("shogi-uct:c=1", "no setting 'c'; it has sims, nodes, time, constant"),
        ("shogi-uct:rule=puct", "ucb1 or tuned"),
        ("shogi-uct:values=all", "path or rollout"),
    ],
)
def test_settings_that_make_no_sense(spec: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        agents.load(spec)


def test_it_plays_shogi_alone() -> None:
    with pytest.raises(ParseError, match="plays shogi and minishogi, not chess"):
        agents.load("shogi-uct").choose(tempo.load("chess").start())


@pytest.mark.parametrize("game", [SHOGI, MINI])
def test_simulations_are_kept_exactly(game: Any) -> None:
    choice = agents.load("shogi-uct:sims=321").choose(game.start())
    assert sum(candidate.visits for candidate in choice.candidates) == 321


def test_a_published_tree_has_at_most_150_000_nodes() -> None:
    position = SHOGI.start()
    tree, found = search(position, nodes=150_000, seed=1)
    assert 150_000 - 600 < tree.nodes <= 150_000
    alone = agents.load("shogi-uct")
    alone.reset(1)
    visits = [candidate.visits for candidate in alone.choose(position).candidates]
    assert sum(visits) == pytest.approx(tree.visits, rel=0.1)  # nodes is 150,000 with no budget
    assert found.seconds < 20  # hundredths of a second on a free core


def test_time_is_kept_within_generous_bounds() -> None:
    agent = agents.load("shogi-uct:time=0.1")
    begun = time.perf_counter()
    agent.choose(SHOGI.start())
    assert 0.09 < time.perf_counter() - begun < 3.0


@pytest.mark.parametrize("rule", ["ucb1", "tuned"])
@pytest.mark.parametrize("choice", ["robust", "max", "robust_max", "secure"])
@pytest.mark.parametrize("constant", [1.187, 1.414])
def test_every_rule_and_choice_mates(rule: str, choice: str, constant: float) -> None:
    position = SHOGI.parse(MATE_IN_ONE)
    spec = f"shogi-uct:sims=1500,rule={rule},choice={choice},constant={constant}"
    found = agents.load(spec).choose(position)
    assert position.move_text(found.move) == "G*5b"
    assert found.values == (1.0, -1.0)


def test_first_play_urgency_leaves_moves_untried() -> None:
    """Rewards are some 0.5, so an urgency of 0.4 is soon less than what was tried."""
    position = SHOGI.start()
    usual = agents.load("shogi-uct:sims=100").choose(position)
    urged = agents.load("shogi-uct:sims=100,fpu=0.4").choose(position)
    assert sum(candidate.visits > 0 for candidate in usual.candidates) == 30
    assert sum(candidate.visits > 0 for candidate in urged.candidates) < 10


def test_values_count_the_rollout_or_the_whole_path() -> None:
    """Taking a rook for nothing is worth more where the path counts: 8.3 of 10 at once."""
    position = SHOGI.parse("4k4/9/9/9/r8/9/9/9/R3K4 b - 1")
    taken = {}
    for values in ("rollout", "path"):
        choice = agents.load(f"shogi-uct:sims=3000,values={values}").choose(position)
        moves = {position.move_text(c.move): c for c in choice.candidates}
        taken[values] = moves["9i9e"].values[0]
    assert taken["path"] > 0.75
    assert taken["rollout"] < taken["path"]


def test_the_result_depends_on_trees_and_not_on_threads() -> None:
    position = SHOGI.start()
    trees = [search(position, nodes=20_000, trees=3, threads=n, seed=2)[0] for n in (1, 2)]
    assert trees[0].fingerprint == trees[1].fingerprint


def test_it_replays_from_its_seed_and_keeps_no_tree() -> None:
    def game_of(seed: int) -> list[int]:
        agent = agents.load("shogi-uct:sims=150")
        agent.reset(seed)
        position: Any = MINI.start()
        moves: list[int] = []
        while not position.is_over and len(moves) < 10:
            choice = agent.choose(position)
            assert sum(candidate.visits for candidate in choice.candidates) == 150
            moves.append(choice.move)
            position = position.play(choice.move)
        return moves

    assert game_of(5) == game_of(5)
    assert game_of(5) != game_of(6)


def test_it_beats_chance() -> None:
    result = arena.match(("shogi-uct:sims=250,values=path", "random"), "minishogi", games=20)
    assert result.wins >= 17
