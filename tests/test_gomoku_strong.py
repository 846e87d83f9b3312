"""gomoku-strong: what it sees, its budgets, its weights, and the openings it is measured with."""

from __future__ import annotations

import importlib.util
import json
from importlib import resources
from pathlib import Path

import gomoku_problems
import numpy as np
import pytest

import tempo
from tempo import agents, recipes, weights
from tempo._core import AlphaBetaSettings, gomoku, gomoku_threats
from tempo.arena import openings
from tempo.games.protocol import Position

ROOT = Path(__file__).resolve().parent.parent
SPECS = tuple(
    f"gomoku(size={size},rule={rule})"
    for rule in ("freestyle", "exactly_five")
    for size in (9, 13, 15, 19, 20)
)


def middle_game(spec: str = "gomoku") -> Position:
    position: Position = tempo.load(spec).start()
    for move in ("h8", "i9", "h9", "h10", "g9", "i7", "i8", "f9"):
        position = position.play(move)
    return position


def played(first: str, second: str, opening: str, spec: str) -> float:
    """What the first to move scored."""
    seats = [agents.load(first), agents.load(second)]
    position = openings.Opening.parse(opening).position(tempo.load(spec))
    begins = position.turn
    while not position.is_over:
        agent = seats[(position.turn - begins) % 2]
        position = position.play(agent.choose(position.view(position.turn)).move)
    outcome = position.outcome
    assert outcome is not None
    return outcome.scores[begins]


def test_same_position_same_choice() -> None:
    position = middle_game()
    agent = agents.load("gomoku-strong:nodes=3000")
    first = agent.choose(position)
    other = agents.load("gomoku-strong:nodes=3000").choose(position)
    assert agent.choose(position) == first == other


@pytest.mark.parametrize("nodes", [1, 2, 50, 777, 5000])
def test_positions_of_fours_count(nodes: int) -> None:
    choice = agents.load(f"gomoku-strong:nodes={nodes}").choose(middle_game())
    assert 0 < choice.cost.positions <= nodes
    assert choice.move in middle_game().legal_moves


def test_wins_by_fours_are_played_at_once() -> None:
    agent = agents.load("gomoku-strong:nodes=40000")
    for problem in gomoku_problems.read()[::8]:
        position = problem.position()
        choice = agent.choose(position.view(position.turn))
        assert choice.values[position.turn] == 1
        for move in choice.line:
            position = position.play(move)
        assert position.outcome is not None


def test_a_loss_by_fours_is_seen_a_move_before() -> None:
    """The side to move, when the other has a win by fours, either stops it or knows of it."""
    agent = agents.load("gomoku-strong:nodes=6000")
    for problem in gomoku_problems.read()[:6]:
        position = problem.position()
        seat = position.turn
        waiting = [m for m in position.legal_moves if not _close(position, m)]
        passed = position.play(waiting[0])  # a move far from everything, so that the other is on
        choice = agent.choose(passed)
        after = passed.play(choice.move)
        if not after.is_over and choice.values[1 - seat] > -1:
            assert gomoku_threats.fours(after, 3000)[0] != "win" or choice.values[1 - seat] == 1


def _close(position: Position, move: int) -> bool:
    size = len(position.text.split("/"))
    row, column = divmod(move, size)
    legal = set(position.legal_moves)
    around = [
        y * size + x
        for y in range(max(0, row - 2), min(size, row + 3))
        for x in range(max(0, column - 2), min(size, column + 3))
    ]
    return any(point not in legal for point in around)


def test_beats_plain_alpha_beta_with_fewer_positions() -> None:
    scores = []
    for opening in ("e5 f6 d4", "e5 e6 g5 d5"):
        for spec in ("gomoku(size=9)", "gomoku(size=9,rule=exactly_five)"):
            strong, plain = "gomoku-strong:nodes=1500", "alphabeta:nodes=3000"
            scores.append(played(strong, plain, opening, spec))
            scores.append(-played(plain, strong, opening, spec))
    assert sum(scores) >= 4, scores


def test_only_gomoku_and_only_known_weights() -> None:
    agent = agents.load("gomoku-strong:nodes=100")
    with pytest.raises(tempo.ParseError, match="plays gomoku, not chess"):
        agent.choose(tempo.load("chess").start())
    with pytest.raises(tempo.ParseError, match="knows no evaluator 'nnue'"):
        agents.load("gomoku-strong:eval=nnue")


def test_terms_are_seen_by_the_mover() -> None:
    position = gomoku.parse("9/9/9/3o5/3xx4/4o4/9/9/9 x", gomoku.Options({"size": "9"}))
    terms = gomoku_threats.terms(position)
    named = dict(zip(gomoku_threats.term_names, terms, strict=True))
    assert named["turn"] == 1
    assert named["own _XX___"] + named["own XX___"] > 0
    assert named["enemy _XX___"] == 0
    assert len(gomoku_threats.hand_tuned_weights()) == len(terms) == len(gomoku_threats.term_names)


def test_decided_positions_teach_nothing() -> None:
    settings = AlphaBetaSettings(depth=3, record=500, reduce=True)
    search = gomoku_threats.AlphaBeta(gomoku_threats.Evaluator.static(), settings)
    search.search(gomoku.parse(middle_game().text, gomoku.Options({})))
    terms, low, high = search.nodes()
    assert len(terms) == len(low) == len(high) > 20
    winning = gomoku_threats.term_names.index("own winning")
    four = [gomoku_threats.term_names.index(f"enemy {p}") for p in ("XXXX_", "XXX_X", "XX_XX")]
    quiet = terms[:, four].sum(axis=1) == 0
    assert not terms[quiet, winning].any()
    assert np.all(low <= high)


def test_a_short_training_learns_and_says_what_it_cost(tmp_path: object) -> None:
    recipe = {**recipes.read("gomoku-terms"), "steps": 6, "games": 4, "positions": 300}
    run = recipes.train(recipe, seed=3, out=f"{tmp_path}/run")
    last = run.latest()
    assert last is not None
    assert not np.array_equal(last.arrays["weights"], gomoku_threats.hand_tuned_weights())
    assert run.ledger().positions > 1000
    agents.load(f"gomoku-strong:nodes=100,eval={tmp_path}/run").choose(middle_game())


def test_shipped_weights_name_their_origin() -> None:
    folder = resources.files("tempo.weights") / "gomoku"
    about = json.loads((folder / "terms.json").read_text())
    assert about["command"].startswith("tempo train gomoku-terms")
    assert about["ledger"]["games"] > 0
    assert about["figures"]["score_against_hand_tuned"]["low"] > 0.5
    assert len(weights.terms("gomoku")) == len(gomoku_threats.term_names)


def test_the_shipped_network_names_its_origin() -> None:
    folder = resources.files("tempo.weights") / "gomoku"
    about = json.loads((folder / "network.json").read_text())
    assert about["command"].startswith("tempo train gomoku-network")
    recipe = recipes.read("gomoku-network")
    assert {name: about["recipe"][name] for name in recipe} == recipe
    assert about["ledger"]["games"] == recipe["steps"] * recipe["games"]
    assert about["figures"]["score_against_terms"]["low"] > 0.5
    parts = weights.network("gomoku")
    assert parts["first"].shape == (gomoku_threats.network_inputs, recipe["hidden"])
    with pytest.raises(tempo.ParseError, match="no learned network of chess"):
        weights.network("chess")


@pytest.mark.parametrize(
    ("spec", "kind"), [*((spec, "openings") for spec in SPECS), ("gomoku", "fair")]
)
def test_stored_openings_are_different_and_unfinished(spec: str, kind: str) -> None:
    game = tempo.load(spec)
    found = openings.stored(game, kind)
    assert found is not None
    assert len(found) >= 50
    images = set()
    for opening in found:
        position = opening.position(game)
        assert isinstance(position, gomoku.Position)
        assert 3 <= len(opening.moves) <= 5
        images.add(min(position.transformed(symmetry).key for symmetry in range(8)))
    assert len(images) == len(found)


def test_matches_begin_with_stored_openings() -> None:
    game = tempo.load("gomoku")
    some, more = openings.standard(game, 3, seed=4), openings.standard(game, 8, seed=4)
    assert some.openings == more.openings[:3]
    assert some.source == more.source
    assert set(more.openings) <= set(openings.stored(game) or ())
    assert openings.standard(game, 8, seed=5).openings != more.openings
    assert openings.stored(tempo.load("gomoku(size=6)")) is None


def test_fair_openings_are_asked_for_by_name(tmp_path: Path) -> None:
    game = tempo.load("gomoku")
    assert openings.named("fair", game) == openings.stored(game, "fair") != openings.stored(game)
    openings.write(tmp_path / "own.txt", openings.named("fair", game)[:2])
    assert openings.named(str(tmp_path / "own.txt"), game) == openings.named("fair", game)[:2]
    with pytest.raises(tempo.ParseError, match="no fair openings of gomoku"):
        openings.named("fair", tempo.load("gomoku(size=9)"))


def test_a_fair_opening_is_won_by_both_colours() -> None:
    """What the maker asks: a board on which black has an open three is none."""
    spec = importlib.util.spec_from_file_location("maker", ROOT / "tools/make_gomoku_openings.py")
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    players = [agents.load("gomoku-strong:nodes=200"), agents.load("gomoku-strong:nodes=300")]
    won = gomoku.parse("9/9/9/9/3xxx3/9/9/9/oo5o1 x", gomoku.Options({"size": "9"}))
    assert not maker.is_fair(won, players * 2)
    assert maker.is_fair(won, players)  # two games cannot lead by more than two
