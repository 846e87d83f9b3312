"""What was learnt, as an agent: runs and files, all orientations, search near and whole alike."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import _core, agents
from tempo._core.graph import Graph
from tempo.agents.chess import endgame
from tempo.agents.chess.endgame import EndgameAgent
from tempo.arena.endings import evaluate
from tempo.errors import ParseError, TempoError
from tempo.ledger import Ledger
from tempo.runs import Checkpoint, Run

CHESS = tempo.load("chess")
SEED = 8
RECIPE: dict[str, Any] = {"ending": "KRK", "play_depth": 3, "discount": 0.97}


def position(fen: str) -> _core.chess.Position:
    made = CHESS.parse(fen)
    assert isinstance(made, _core.chess.Position)
    return made


def arrays(planes: int = 8, hidden: int = 12) -> dict[str, Any]:
    random = np.random.default_rng(SEED)
    width = 64 * planes + 6
    return {
        "network.layers[0].weight": random.normal(0, 0.2, (hidden, width)).astype(np.float32),
        "network.layers[0].bias": np.zeros(hidden, np.float32),
        "network.layers[1].weight": random.normal(0, 0.3, (1, hidden)).astype(np.float32),
        "network.layers[1].bias": np.zeros(1, np.float32),
    }


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with a network of random weights: bad play, but always the same."""
    made = Run.create(tmp_path / "run", RECIPE)
    made.save(Checkpoint(7, arrays(), {}), Ledger())
    return made.folder


def test_a_run_folder_is_an_agent(run: Path) -> None:
    agent = agents.load(str(run))
    assert agent.name == str(run)
    view = position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1")
    choice = agent.choose(view)
    assert choice.move in view.legal_moves
    assert choice.line == (choice.move,)
    assert choice.values[0] == -choice.values[1]
    width = 12 * (8 * 64 + 6) + 12
    assert choice.cost.positions > choice.cost.evaluations > 100
    assert choice.cost.multiply_adds == width * choice.cost.evaluations
    again = agent.choose(view)
    assert again.move == choice.move
    assert again.cost.evaluations == 0, "what is known is not evaluated again"
    by_name = agents.load(f"endgame:weights={run},depth=2")
    assert by_name.name == f"endgame:weights={run},depth=2"
    assert by_name.choose(view).cost.evaluations < choice.cost.evaluations


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("discount", [1.0, 0.97])
def test_near_and_whole_search_agree(run: Path, depth: int, discount: float) -> None:
    """A choice looks at its neighbourhood only and must come to what the whole space says."""
    learnt = endgame.read(run)
    learnt.recipe["discount"] = discount
    near, far = endgame.Player(learnt, depth), endgame.Player(learnt, depth)
    choices, ends = far.choices(), far.family.ends()
    graph = Graph(*far.family.graph(), far.family.turns(), ends)
    values = np.where(ends == 0, far._values, np.array([0, 1, -1, 0], np.float32)[ends])
    found = endgame.best_successors(graph, values, ends, depth, discount)[1]
    print(f"seed {SEED}")
    for number in np.random.default_rng(SEED).permutation(np.flatnonzero(ends == 0))[:40]:
        successor, value, _ = near.search(int(number))
        assert value == pytest.approx(found[number], abs=1e-6)
        # Rounding may decide between moves of the same worth.
        if successor != choices[number]:
            assert near._values[successor] == pytest.approx(far._values[choices[number]], abs=1e-6)


def test_orientation_and_colour_do_not_matter(run: Path) -> None:
    agent = agents.load(str(run))
    shown = "8/8/8/4k3/8/1K6/8/R7 w - - 0 1", "8/8/8/3k4/8/6K1/8/7R w - - 0 1"
    black = "r7/8/1k6/8/4K3/8/8/8 b - - 0 1"
    first, mirrored, swapped = (agent.choose(position(fen)) for fen in (*shown, black))
    assert mirrored.values == first.values
    assert swapped.values == (first.values[1], first.values[0])
    text = position(shown[0]).move_text(first.move)

    def turned(move: str, files: bool) -> str:
        change = {"a": "h", "b": "g", "c": "f", "d": "e", "e": "d", "f": "c", "g": "b", "h": "a"}
        ranks = {str(i): str(9 - i) for i in range(1, 9)}
        return "".join((change if files else ranks).get(letter, letter) for letter in move)

    assert position(shown[1]).move_text(mirrored.move) == turned(text, files=True)
    assert position(black).move_text(swapped.move) == turned(text, files=False)


def test_mate_is_seen_whatever_the_network_says(run: Path) -> None:
    agent = agents.load(str(run))
    for fen in ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "K7/8/1k6/8/8/8/8/7r b - - 0 1"):
        view = position(fen)
        choice = agent.choose(view)
        assert view.move_text(choice.move) == "h1h8"
        assert choice.values[view.turn] == pytest.approx(0.97)


def test_an_ending_is_judged_whole(run: Path) -> None:
    agent = agents.load(str(run))
    result = evaluate(agent, "KRK", floor_games=100)
    assert result.exact
    with pytest.raises(ParseError, match="has learnt KRK, not KQK"):
        evaluate(agent, "KQK", floor_games=100)


@pytest.mark.parametrize(
    ("fen", "says"),
    [
        ("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", "has weights for KRK, not for"),
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", "has weights for KRK"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "at most four pieces"),
    ],
)
def test_positions_outside_the_ending_are_refused(run: Path, fen: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        agents.load(str(run)).choose(CHESS.parse(fen))


def test_other_games_are_refused(run: Path) -> None:
    with pytest.raises(ParseError, match="endgame plays chess, not gomoku"):
        agents.load(str(run)).choose(tempo.load("gomoku").start())


def test_weights_that_do_not_fit_are_refused(tmp_path: Path, run: Path) -> None:
    (run / "checkpoint-00000007.safetensors").write_bytes(b"nonsense")
    with pytest.raises(TempoError, match="damaged"):
        agents.load(str(run))
    wrong = Run.create(tmp_path / "wrong", RECIPE)
    with pytest.raises(TempoError, match="no checkpoint yet"):
        agents.load(str(wrong.folder))
    wrong.save(Checkpoint(1, arrays(planes=12), {}), Ledger())
    with pytest.raises(ParseError, match=r"does not fit KRK: .* expected \[12, 518\]"):
        agents.load(str(wrong.folder))
    with pytest.raises(TempoError, match=r"there is no .*nowhere"):
        agents.load(f"endgame:weights={tmp_path}/nowhere.safetensors")
    with pytest.raises(ParseError, match="from 0 to 20"):
        agents.load(f"endgame:weights={run},depth=-1")


def test_a_file_is_described_beside_it(tmp_path: Path, run: Path) -> None:
    stored = run / "checkpoint-00000007.safetensors"
    file = tmp_path / "mine.safetensors"
    file.write_bytes(stored.read_bytes())
    with pytest.raises(TempoError, match=r"no .*mine\.json"):
        agents.load(f"endgame:weights={file}")
    file.with_suffix(".json").write_text(json.dumps({"ending": "KRK", "recipe": RECIPE}))
    view = position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1")
    assert agents.load(f"endgame:weights={file}").choose(view) == agents.load(str(run)).choose(view)


@pytest.mark.parametrize("ending", endgame.shipped())
def test_shipped_weights_play_and_say_where_they_come_from(ending: str) -> None:
    about = endgame.description(ending)
    assert {"ending", "recipe", "command", "seed", "ledger", "figures"} <= about.keys()
    Ledger.from_json(about["ledger"])
    family = _core.endings.Family(ending)
    start = family.position(int(np.flatnonzero(family.successors_of(np.arange(9))[2] == 0)[0]))
    assert EndgameAgent().choose(start).move in start.legal_moves


def test_shipped_weights_play_both_colours() -> None:
    agent = agents.load("endgame")
    for fen in ("8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "r3k3/8/8/8/4K3/8/8/8 b - - 0 1"):
        view = position(fen)
        assert agent.choose(view).values[view.turn] > 0.5


def test_some_positions_are_as_among_all() -> None:
    family = _core.endings.Family("KPK")
    planes, globals_ = family.features()
    offsets, successors = family.graph()
    print(f"seed {SEED}")
    numbers = np.append(np.random.default_rng(SEED).integers(0, family.dead, 500), family.dead)
    some_planes, some_globals = family.features_of(numbers)
    np.testing.assert_array_equal(some_planes, planes[numbers])
    np.testing.assert_array_equal(some_globals, globals_[numbers])
    begins, next_, ends = family.successors_of(numbers)
    np.testing.assert_array_equal(ends, family.ends()[numbers])
    for i, number in enumerate(numbers):
        expected = successors[offsets[number] : offsets[number + 1]]
        np.testing.assert_array_equal(next_[begins[i] : begins[i + 1]], expected)
    for wrong in (-1, len(family)):
        with pytest.raises(ParseError, match="has the positions 0 to"):
            family.features_of(np.array([wrong]))
        with pytest.raises(ParseError, match="has the positions 0 to"):
            family.successors_of(np.array([wrong]))


def test_playing_takes_no_jax(run: Path) -> None:
    code = (
        "import sys; sys.modules['jax'] = None; import tempo; from tempo import agents;"
        "view = tempo.load('chess').parse('8/8/8/4k3/8/8/8/R3K3 w - - 0 1');"
        f"agents.load({str(run)!r}).choose(view)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
