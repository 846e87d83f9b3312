"""Gomoku's critic: one update by hand, the core against NumPy, teaching, watching, playing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference.critic import PlainPupil, planes

import tempo
from tempo import agents, arena, recipes
from tempo._core import gomoku, gomoku_critic
from tempo.agents.gomoku.critic import CriticAgent, CriticSettings, Weights, read_weights
from tempo.errors import IllegalMove, ParseError
from tempo.learners.fast.adp import Adp, Games, Settings, Stage
from tempo.nets.critic import Critic, Rule
from tempo.recipes import curve
from tempo.recipes.gomoku_critic import CorePupil, games_of, make
from tempo.runs import Run

SEED = 7
HAND_OUT, HAND_IN = 0.0001246233, 0.0000250064
SHORT = (Stage(games=20, iterations=3, random_opening=True), Stage(games=20, iterations=2))
Floats = NDArray[np.float32]


def rules(size: int = 15, rule: str = "freestyle") -> gomoku.Options:
    options = tempo.load(f"gomoku(size={size},rule={rule})").options
    assert isinstance(options, gomoku.Options)
    return options


def core_critic(plain: Critic, inputs: str = "patterns") -> gomoku_critic.Critic:
    made = gomoku_critic.Critic(rules(), inputs=inputs, hidden=len(plain.second))
    made.load(plain.first, plain.second)
    return made


def pupil(seed: int = SEED, **given: Any) -> CorePupil:
    made = CorePupil(rules(), Settings(**given))
    weights = Critic.random(made.critic.input_count, made.settings.hidden, seed)
    made.load(weights.first, weights.second)
    return made


def played(count: int = 12) -> Games:
    """Games that a critic with random weights plays with itself."""
    rule = gomoku_critic.PlayRule(random_share=0.2)
    firsts = (np.arange(count) % 2).astype(np.uint8)
    return Games(firsts, *pupil().critic.play(firsts, SEED, 0, rule))


def positions_of(games: Games, game: int) -> list[gomoku.Position]:
    end = int(games.lengths[: game + 1].sum())
    position = gomoku.start(rules())
    found = [position]
    for move in games.moves[end - games.lengths[game] : end].tolist():
        position = position.play(move)
        found.append(position)
    return found


# ---- the update ----------------------------------------------------------------------------------


def test_update_worked_out_by_hand() -> None:
    """One unit, one input: w1 0.4, w2 0.5, moved towards a win once.

    g = σ(0.4) = 0.598688, V = σ(0.5 g) = 0.574282, e = 0.2 (1 - V) = 0.0851436,
    0.2 e V(1 - V) = 0.00416322: α is in there twice. Times 0.05 g for w2, and 0.05 w2 g(1 - g)
    for w1.
    """
    x = np.zeros(274, np.float32)
    x[5] = 1
    for learnt in ("core", "numpy"):
        plain = Critic(np.zeros((274, 1), np.float32), np.array([0.5], np.float32))
        plain.first[5] = 0.4
        core = core_critic(plain)
        if learnt == "core":
            core.learn(gomoku_critic.LearningRule(repeats=1), x, worth=1.0)
            first, second = core.weights()
        else:
            plain.learn(Rule(repeats=1), x, 1.0)
            first, second = plain.first, plain.second
        assert second[0] - 0.5 == pytest.approx(HAND_OUT, rel=1e-3)
        assert first[5, 0] - 0.4 == pytest.approx(HAND_IN, rel=2e-2)  # of 0.4 in 24 bits
        assert np.count_nonzero(first) == 1


@pytest.mark.parametrize("inputs", ["patterns", "counts", "one_turn", "no_turn", "board"])
@pytest.mark.parametrize("target", ["moving", "fixed"])
def test_core_and_numpy_learn_the_same(inputs: str, target: str) -> None:
    """All repeats on sums, as the core does them, or one after the other on weights."""
    plain = Critic.random(gomoku_critic.Critic(rules(), inputs=inputs).input_count, 33, SEED)
    core = core_critic(plain, inputs)
    rule = Rule(target="moving" if target == "moving" else "fixed", repeats=20, alpha=0.4)
    core_rule = gomoku_critic.LearningRule(moving_target=target == "moving", repeats=20, alpha=0.4)
    seen = core.encode(positions_of(played(1), 0))[-8:]
    before = plain.first.copy()
    for x, after in pairwise(seen):
        core.learn(core_rule, x, after)
        plain.learn(rule, x, after)
    core.learn(core_rule, seen[-1], worth=1.0)
    plain.learn(rule, seen[-1], 1.0)
    first, second = core.weights()
    assert np.abs(plain.first - before).max() > 1e-3
    assert np.allclose(first, plain.first, atol=2e-5)
    assert np.allclose(second, plain.second, atol=2e-5)


def test_values_of_core_and_numpy_are_the_same() -> None:
    plain = Critic.random(274, 100, SEED)
    core = core_critic(plain)
    positions = positions_of(played(1), 0)
    for first in (0, 1):
        values = core.values(positions, first=first)
        assert np.allclose(values, plain.values(core.encode(positions, first=first)), atol=1e-5)
        assert values.std() > 0.01


@pytest.mark.parametrize("inputs", ["patterns", "counts", "one_turn", "no_turn", "board"])
def test_candidates_are_valued_as_the_positions_after_them(inputs: str) -> None:
    """By the rows that change, against the whole network on every position."""
    count = gomoku_critic.Critic(rules(), inputs=inputs).input_count
    core = core_critic(Critic.random(count, 100, SEED), inputs)
    for position in positions_of(played(1), 0)[1:-1:3]:
        for first in (0, 1):
            moves, values, five = core.judge(position, first=first)
            after = [position.play(int(move)) for move in moves]
            assert np.allclose(values, core.values(after, first=first), atol=1e-5)
            wins = [m for m, p in zip(moves.tolist(), after, strict=True) if p.is_over]
            assert five == (wins[-1] if wins else -1)


def test_candidates_lie_within_two_points() -> None:
    core = core_critic(Critic.random(274, 10, SEED))
    moves, _, _ = core.judge(gomoku.start(rules()).play("h8"))
    assert {(m % 15 - 7, m // 15 - 7) for m in moves.tolist()} == {
        (x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0)
    }


def test_an_overline_does_not_win_by_the_other_rule() -> None:
    """x can make six in a row in one place and five in another."""
    text = "15/15/15/15/15/15/15/15/xx1xxx9/15/15/15/15/15/oooo1o9 x"
    critic = gomoku_critic.Critic(rules(rule="exactly_five"))
    free = gomoku_critic.Critic(rules())
    six = gomoku.parse(text, rules(rule="exactly_five"))
    assert critic.judge(six)[2] == -1
    assert free.judge(gomoku.parse(text, rules()))[2] == 6 * 15 + 2


# ---- self-teaching and watching ------------------------------------------------------------------


def weights_after(learner: Adp) -> tuple[Floats, Floats]:
    while not learner.done:
        learner.iterate()
    return learner.pupil.weights()


def learner(seed: int = SEED, **given: Any) -> Adp:
    settings = Settings(stages=SHORT, hidden=20, **given)
    return make(tempo.load("gomoku"), settings, {}, seed)


def test_same_seed_same_weights_and_other_seed_others() -> None:
    first, second = weights_after(learner())
    again, _ = weights_after(learner())
    other, _ = weights_after(learner(seed=SEED + 1))
    assert np.array_equal(first, again)
    assert not np.allclose(first, other, atol=0.1)
    assert np.isfinite(first).all()
    assert np.isfinite(second).all()


def test_watching_ones_own_games_is_teaching_oneself() -> None:
    """The same transitions in the same order; the core, and the core's games seen by NumPy."""
    self_taught, watcher = pupil(hidden=20), pupil(hidden=20)
    stage = Stage(random_share=0.1, random_opening=True)
    games = self_taught.teach_itself(np.array([0, 1, 0], np.uint8), SEED, 0, stage)
    seen = watcher.watch(games, stage)
    for ours, theirs in zip(self_taught.weights(), watcher.weights(), strict=True):
        assert np.array_equal(ours, theirs)
    assert np.array_equal(seen.results, games.results)
    assert np.array_equal(seen.asked, seen.agreed)  # it would have played the same
    assert seen.asked.sum() > 0


def test_core_and_numpy_watch_alike() -> None:
    """Whole games through both, for player 1 beginning, as NumPy's player 1 always does."""
    core = pupil(hidden=20, repeats=5)
    plain = PlainPupil(
        tempo.load("gomoku"),
        lambda positions: core.critic.encode(list(positions)),
        core.settings,
    )
    plain.load(*core.weights())
    games = replace(played(2), firsts=np.zeros(2, np.uint8))
    seen = core.watch(games, Stage())
    plainly = plain.watch(games, Stage())
    for ours, theirs in zip(core.weights(), plain.weights(), strict=True):
        assert np.allclose(ours, theirs, atol=1e-4)
    assert np.array_equal(seen.results, plainly.results)
    assert np.allclose(seen.squares, plainly.squares, rtol=1e-2)


def test_a_critic_agrees_with_itself_until_it_learns() -> None:
    first, second = pupil(hidden=20).weights()
    expert = Weights(first, second).critic(rules())
    stage = Stage(games=10)
    firsts = (np.arange(10) % 2).astype(np.uint8)
    idle = CorePupil(rules(), Settings(hidden=20, repeats=0), expert)
    idle.load(first, second)
    games = idle.teach_itself(firsts, SEED, 0, stage)
    assert np.array_equal(games.asked, games.agreed)
    # The first two moves of each side and random moves are not compared.
    compared = (
        games.lengths
        - 4
        - [int(part[4:].sum()) for part in np.split(games.is_random, np.cumsum(games.lengths)[:-1])]
    )
    assert np.array_equal(games.asked.sum(1), compared)
    learning = CorePupil(rules(), Settings(hidden=20), expert)
    learning.load(first, second)
    games = learning.teach_itself(firsts, SEED, 0, stage)
    assert games.agreed.sum() < games.asked.sum()


def test_openings_are_drawn_as_the_paper_says() -> None:
    """Player 1 begins in the centre; player 2's first stone is anywhere, and so is player 1's."""
    firsts = (np.arange(200) % 2).astype(np.uint8)
    rule = gomoku_critic.PlayRule(random_share=0, random_opening=True)
    games = Games(firsts, *pupil(hidden=8).critic.play(firsts, SEED, 0, rule, threads=2))
    starts = np.cumsum(games.lengths) - games.lengths
    begun, replied = games.moves[starts], games.moves[starts + 1]
    assert np.all(begun[firsts == 0] == 112)
    assert len(set(begun[firsts == 1].tolist())) > 60
    assert len(set(replied[firsts == 0].tolist())) > 60
    assert len(set(replied[firsts == 1].tolist())) > 60
    without = gomoku_critic.PlayRule(random_share=0)
    same = Games(firsts, *pupil(hidden=8).critic.play(firsts, SEED, 0, without))
    assert set(same.moves[np.cumsum(same.lengths) - same.lengths].tolist()) == {112}


def test_forced_fives_are_played_even_by_a_critic_that_would_not() -> None:
    """With all weights 0 every move is worth the same and the last is played; a five ends it."""
    rule = gomoku_critic.PlayRule(random_share=0.3)
    free = gomoku_critic.PlayRule(random_share=0.3, forced=False)
    blank = gomoku_critic.Critic(rules(), hidden=4)
    firsts = np.zeros(30, np.uint8)
    forced, unforced = (blank.play(firsts, SEED, 0, r)[2].mean() for r in (rule, free))
    assert forced < unforced


def test_games_do_not_depend_on_threads() -> None:
    firsts = (np.arange(40) % 2).astype(np.uint8)
    rule = gomoku_critic.PlayRule(random_share=0.2)
    one, two = (
        Games(firsts, *pupil(hidden=8).critic.play(firsts, SEED, 0, rule, n)) for n in (1, 2)
    )
    assert np.array_equal(one.moves, two.moves)
    assert np.array_equal(one.lengths, two.lengths)


def test_damaged_games_teach_nothing() -> None:
    watcher = pupil(hidden=8)
    before = watcher.weights()[0]
    games = played(2)
    wrong = games.moves.copy()
    wrong[-1] = wrong[-2]
    with pytest.raises(IllegalMove, match="game 1"):
        watcher.watch(replace(games, moves=wrong), Stage())
    with pytest.raises(ParseError, match="firsts"):
        watcher.watch(replace(games, firsts=np.zeros(3, np.uint8)), Stage())
    assert np.array_equal(before, watcher.weights()[0])


def test_weights_that_do_not_fit_are_refused() -> None:
    critic = gomoku_critic.Critic(rules(), hidden=4)
    with pytest.raises(ParseError, match=r"expected \[274, 4\]"):
        critic.load(np.zeros((10, 4), np.float32), np.zeros(4, np.float32))
    with pytest.raises(ParseError, match="finite"):
        critic.load(np.full((274, 4), np.nan, np.float32), np.zeros(4, np.float32))


# ---- runs ----------------------------------------------------------------------------------------

RECIPE: dict[str, Any] = {
    "learner": "adp", "game": "gomoku", "hidden": 16,
    "stages": [{"games": 30, "iterations": 4, "random_opening": True}],
}  # fmt: skip


def weights_of(run: Run) -> tuple[Floats, Floats]:
    weights = read_weights(str(run.folder))
    return weights.first, weights.second


def test_run_goes_on_after_a_kill(tmp_path: Path) -> None:
    whole = recipes.train(RECIPE, seed=SEED, out=tmp_path / "whole", checkpoint_seconds=0)

    def kill(state: recipes.Progress) -> None:
        if state.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recipes.train(
            RECIPE, seed=SEED, out=tmp_path / "killed", checkpoint_seconds=0, progress=kill
        )
    killed = recipes.train(RECIPE, seed=SEED, out=tmp_path / "killed", resume=True)
    for ours, theirs in zip(weights_of(whole), weights_of(killed), strict=True):
        assert np.array_equal(ours, theirs)
    rows = killed.rows()
    assert [row["step"] for row in rows] == [1, 2, 3, 4]
    assert [row["moves"] for row in rows] == [row["moves"] for row in whole.rows()]
    assert killed.ledger().games == 120
    assert killed.ledger().evaluations > 120 * 10


def test_watching_the_shipped_critic_brings_a_pupil_closer_to_it(tmp_path: Path) -> None:
    watching = {
        **RECIPE, "source": "expert", "expert": "patterns", "hidden": 40,
        "stages": [{"games": 300, "iterations": 4}],
    }  # fmt: skip
    run = recipes.train(watching, seed=SEED, out=tmp_path / "watching")
    rows = run.rows()
    assert rows[-1]["correct"] > rows[0]["correct"] + 0.03
    pytest.importorskip("matplotlib", reason="needs the extra `plot`")
    drawn = curve.draw(run)[0].read_text()
    assert all(drawn.count(f"<!-- {label} -->") for label in ("games", "moves as the expert's"))
    assert all(0 <= row[f"correct_{player}"] <= 1 for row in rows for player in ("one", "two"))


def test_recipes_have_the_papers_numbers_of_games() -> None:
    cases = {
        "gomoku-critic": ("patterns", 100, 60_000),
        "gomoku-critic-counts": ("counts", 60, 80_000),
        "gomoku-critic-one-turn": ("one_turn", 60, 80_000),
        "gomoku-critic-no-turn": ("no_turn", 60, 30_000),
        "gomoku-critic-board": ("board", 100, 30_000),
    }
    for name, (inputs, hidden, games) in cases.items():
        settings = recipes.settings_of(recipes.read(name))
        assert (settings.inputs, settings.hidden) == (inputs, hidden)
        assert sum(stage.games * stage.iterations for stage in settings.stages) == games
    assert recipes.settings_of(recipes.read("gomoku-critic")).stages == Settings().stages


def test_recipe_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ParseError, match="'colour'"):
        recipes.settings_of({**RECIPE, "colour": "red"})
    with pytest.raises(ParseError, match="it takes one of moving, fixed"):
        recipes.make_learner({**RECIPE, "target": "flying"}, 1)
    with pytest.raises(ParseError, match="name an expert"):
        recipes.make_learner({**RECIPE, "source": "expert"}, 1)
    with pytest.raises(ParseError, match="this critic plays gomoku; see tempo train adp"):
        recipes.make_learner({**RECIPE, "game": "chess"}, 1)
    with pytest.raises(ParseError, match="alternate, one, two"):
        recipes.make_learner({**RECIPE, "stages": [{"begins": "nobody"}]}, 1).iterate()


def test_the_slow_pupil_learns_by_the_schedule() -> None:
    """Five points on a side: player 1 learns that he draws, and beats chance on the way."""
    game = tempo.load("gomoku(size=5)")
    settings = Settings(hidden=8, repeats=2, stages=(Stage(games=2, iterations=2),))
    made = Adp(PlainPupil(game, planes(game), settings), settings, SEED)
    rows = [made.iterate(), made.iterate()]
    assert made.done
    assert rows[-1]["games"] == 4
    assert 9 * 4 <= sum(row["moves"] for row in rows) <= 25 * 4
    again = Adp(PlainPupil(game, planes(game), settings), settings, SEED)
    assert np.array_equal(weights_after(again)[0], made.pupil.weights()[0])


def test_expert_games_are_shown_by_the_stage() -> None:
    expert = pupil(hidden=8).critic
    shown = games_of(expert, Settings(hidden=8))
    firsts = np.zeros(50, np.uint8)
    strict = shown(firsts, SEED, 0, Stage(random_share=0))
    loose = shown(firsts, SEED, 0, Stage(random_share=0.5))
    assert not strict.is_random[1 : strict.lengths[0]].any()
    assert 0.3 < loose.is_random.mean() < 0.7


# ---- the agent -----------------------------------------------------------------------------------


def short_run(folder: Path) -> Path:
    stages = [{"games": 1000, "iterations": 2, "random_opening": True}]
    return recipes.train({**RECIPE, "hidden": 40, "stages": stages}, seed=SEED, out=folder).folder


def test_two_seconds_of_self_teaching_beat_chance(tmp_path: Path) -> None:
    folder = short_run(tmp_path / "run")
    agent = agents.load(str(folder))
    assert isinstance(agent, CriticAgent)
    result = arena.match({"critic": agent, "chance": "random"}, "gomoku", games=20, seed=SEED)
    assert result.score >= 0.9
    with pytest.raises(ParseError, match="plays gomoku, not chess"):
        agent.choose(tempo.load("chess").start())


def test_agent_speaks_for_either_player() -> None:
    """As player 1 it wants V high, as player 2 low; its values are the seat's own."""
    position = gomoku.start(rules()).play("h8").play("j9")
    for player in ("one", "two", "seat"):
        choice = CriticAgent(CriticSettings(player=player)).choose(position)
        assert choice.move in position.legal_moves
        assert sum(choice.values) == pytest.approx(0)
        best = max(candidate.values[0] for candidate in choice.candidates)
        assert choice.values[0] == pytest.approx(best)


def test_agent_wins_where_it_can_and_plays_any_size() -> None:
    agent = agents.load("critic")
    for size in (9, 15, 20):
        position = gomoku.start(rules(size))
        assert agent.choose(position).move == size // 2 * size + size // 2
        for move in ("a1", "a3", "b1", "b3", "c1", "c3", "d1", "d3"):
            position = position.play(move)
        assert position.move_text(agent.choose(position).move) == "e1"


def test_agent_refuses_unknown_settings() -> None:
    for spec, message in (
        ("critic:player=three", "one, two or seat"),
        ("critic:variant=pixels", "variant cannot be 'pixels'"),
        ("critic:weights=/nowhere", "no weights"),
    ):
        with pytest.raises(ParseError, match=message):
            agents.load(spec)


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "critic.safetensors"
    damaged.write_bytes(b"not weights at all")
    with pytest.raises(ParseError, match="no file of weights"):
        read_weights(str(damaged))


def test_shipped_critic_beats_chance_and_says_what_it_cost() -> None:
    result = arena.match({"critic": "critic", "chance": "random"}, "gomoku", games=20, seed=SEED)
    assert result.score == 1.0
