"""Games written in Python: the examples, faults of classes, what is held and what is let go."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from race import Race

import tempo
from tempo import _core, agents, arena, games, recipes, testing
from tempo.errors import IllegalMove, ParseError, TempoError
from tempo.games import Game, registry, scene
from tempo.games.record import Record
from tempo.learners.registry import kinds
from tempo.recipes import general
from tempo.web import catalogue

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PERFT = {"nim": [1, 16, 206, 2116], "breakthrough": [1, 13, 156, 1924, 23_084]}


pytestmark = pytest.mark.usefixtures("own_games")


@pytest.fixture(params=sorted(PERFT))
def example(request: pytest.FixtureRequest) -> Game:
    return tempo.load(registry.from_file(str(EXAMPLES / f"{request.param}.py")))


@pytest.fixture
def nim() -> Game:
    return tempo.load(registry.from_file(str(EXAMPLES / "nim.py")))


# The examples


@pytest.mark.parametrize("seed", [1, 2026])
@pytest.mark.parametrize("holds", testing.PROPERTIES, ids=lambda holds: holds.__name__)
def test_conformance(example: Game, holds: Callable[[Game, int], None], seed: int) -> None:
    holds(example, seed)


def test_perft(example: Game) -> None:
    counts = PERFT[example.name]
    assert [example.perft(depth) for depth in range(len(counts))] == counts


def test_perft_agrees_with_open_spiel() -> None:
    """Whose breakthrough(rows=5,columns=5) has one row of pawns a side."""
    game = tempo.load(registry.from_file(str(EXAMPLES / "breakthrough.py")))
    start = game.parse("bbbbb/...../...../...../wwwww white")
    assert [game.perft(depth, start) for depth in range(5)] == [1, 13, 169, 1911, 21_514]


def test_a_game_tells_about_itself(example: Game) -> None:
    assert tempo.load(example.spec) == example
    assert example.rules_version == f"{example.name}-rules/1.0"
    assert example.name in games.names()
    assert example.summary
    assert example.start().game == example.spec
    assert scene.game_of(example.start()) == example


def test_alpha_beta_solves_nim(nim: Game) -> None:
    """Heaps whose exclusive or is zero are lost for the player to move (Bouton 1901)."""
    agent = agents.load("alphabeta:depth=16")
    for text, value in (("1,2,3,0 first", -1.0), ("1,2,2,0 first", 1.0), ("0,3,3,0 second", 1.0)):
        assert agent.choose(nim.parse(text)).values[0] == value, text


def test_searches_play_better_than_chance(example: Game) -> None:
    for agent in ("alphabeta:depth=4", "mcts:sims=100"):
        result = arena.match((agent, "random"), example, games=10, seed=1)
        assert result.score > 0.6, agent


def test_same_seed_same_games(example: Game) -> None:
    first, second = (example.batch(50, seed=7, threads=threads) for threads in (1, 3))
    assert first.playout() == second.playout()
    assert first.keys.tolist() == second.keys.tolist()
    trees = [
        agents.load(f"mcts:sims=60,trees=3,threads={threads}").choose(example.start()).move
        for threads in (1, 3)
    ]
    assert trees[0] == trees[1]


def test_many_searches_share_an_evaluator(example: Game) -> None:
    batch = example.batch(8, seed=1)
    shapes = []

    def judge(features: Any) -> Any:
        shapes.append(features.shape[1:])
        return np.zeros(len(features), np.float32)

    settings = _core.MonteCarloSettings(simulations=20, rollout_moves=0, selection="puct")
    search = example.core.ManySearch(settings, 8)
    found = search.search(batch, example.core.Evaluator.callback(judge))
    assert len(found) == 8
    start: Any = example.start()
    assert set(shapes) == {start.features().shape}


def test_a_record_holds_a_game(example: Game) -> None:
    *_, last = line = list(testing.random_game(example, 3))
    moves = [a.parse_move(next(a.move_text(m) for m in a.legal_moves if a.play(m) == b))
             for a, b in pairwise(line)]  # fmt: skip
    assert Record(example.spec, tuple(moves)).last() == last
    assert Record(example.spec, start=line[2].text).first() == line[2]


def test_the_page_shows_a_printed_board_and_a_button_for_each_move(nim: Game) -> None:
    start = nim.start()
    shown = scene.scene(start, 0)
    assert shown.board == start.board
    assert [step.button for step in shown.moves] == [start.move_text(m) for m in start.legal_moves]
    assert scene.layout(nim).places == ()


def test_the_page_lists_a_game(example: Game) -> None:
    assert example.start().svg().startswith("<svg")
    told = catalogue._game(example)
    assert told["title"] == example.name.capitalize()
    assert told["seats"] == list(example.seat_names)


# Classes


def raced(**changes: Any) -> Game:
    """The race with something changed."""
    other: Any = type("Other", (Race,), changes)
    return tempo.load(tempo.register(other).name)


@pytest.mark.parametrize("seed", [1, 2026])
def test_the_least_class_conforms(seed: int) -> None:
    testing.check_game(raced(), seed)


@pytest.mark.parametrize("said", ["start", "as text"])
def test_what_a_class_lacks_is_made_up_for(said: str) -> None:
    def silent(self: Race, *given: int) -> None:  # its arguments have no names
        Race.__init__(self, *given)

    game = raced() if said == "as text" else raced(__init__=silent)
    position = game.start().play(1).play("2")
    assert position.text == position.board == ("start 1 2" if said == "start" else "3 first")
    assert game.parse(position.text) == position
    assert position.outcome is None
    assert position.features().shape == (7, 1, 128)
    end = position.play(2).play(2).play(2).play(1)
    assert end.outcome.reason == "the game is over"
    assert end.outcome.scores == (-1.0, 1.0)
    with pytest.raises(IllegalMove, match="the game is over"):
        end.play(1)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "Race"}, "expected small letters"),
        ({"name": "chess"}, "there is a game chess already"),
        ({"seats": 3}, "is for 3 seats; seat_names has 2"),
        ({"move_numbers": 0}, "move_numbers is 1 to 65535"),
        ({"length_bound": 0}, "length_bound is at least 1"),
        ({"seat_names": ("one",)}, "two to four names"),
        ({"legal_moves": ()}, "no legal move and no outcome"),
        ({"legal_moves": (1, 3)}, "from 0 to 2, not 3"),
        ({"legal_moves": lambda self: (1, 2)}, "put @property above it"),
        ({"outcome": (1, 1)}, "add up to zero"),
        ({"outcome": (2, -2)}, "from -1 to 1"),
        ({"outcome": (0,)}, "for each of 2 seats"),
        ({"text": "x"}, "both text and parse, or neither"),
        ({"features": lambda self, seat: np.zeros((1, 1, 1, 1))}, "up to three dimensions"),
    ],
)
def test_faults_of_a_class_are_said_when_it_is_registered(
    changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(ParseError, match=says):
        raced(**changes)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"play": lambda self, move: None}, "play returned None"),
        ({"play": lambda self, move: self}, "play returned the same object"),
        ({"play": lambda self, move: Race(1, 7)}, "turn is 0 to 1, not 7"),
        ({"features": lambda self, seat: np.zeros(2 + self.said)}, "features are 2 numbers, not 3"),
        ({"features": lambda self, seat: np.full(2, np.nan)}, "finite"),
        ({"length_bound": 1}, "not over after 1 moves, its length_bound"),
    ],
)
def test_faults_of_a_position_are_said_when_it_is_asked(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ParseError, match=says):
        raced(**changes).start().play(1).features()


class BrokenError(Exception):
    """What a faulty game raises."""


TASKS: dict[str, Callable[[Game], Any]] = {
    "alphabeta": lambda game: agents.load("alphabeta:depth=9").choose(game.start()),
    "mcts": lambda game: agents.load("mcts:sims=50").choose(game.start()),
    "trees": lambda game: agents.load("mcts:sims=50,trees=2,threads=2").choose(game.start()),
    "batch": lambda game: game.batch(100, seed=1, threads=3).playout(),
    "perft": lambda game: game.perft(8),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("where", ["play", "legal_moves", "outcome"])
def test_what_a_game_raises_comes_out_of_a_search(task: str, where: str) -> None:
    def fail(self: Race, *given: Any) -> Any:
        if self.said > 4 and broken:
            raise BrokenError(where)
        usual = vars(Race)[where]
        return usual(self, *given) if where == "play" else usual if where == "legal_moves" else (
            usual.fget(self)
        )  # fmt: skip

    broken = True
    game = raced(**{where: fail if where == "play" else property(fail)})
    gc.collect()
    before = Race.alive
    with pytest.raises(BrokenError, match=where):
        TASKS[task](game)
    broken = False
    TASKS[task](game)
    gc.collect()
    assert Race.alive == before


def test_nothing_is_kept_after_searches() -> None:
    game = raced()
    start: Any = game.start()
    gc.collect()
    before = Race.alive
    search = agents.load("mcts:sims=200")
    search.choose(start)
    assert Race.alive < before + 5  # the root and where the last simulation ended
    batch = game.batch(20, seed=1)
    batch.playout()
    assert Race.alive < before + 25
    del batch, search
    gc.collect()
    assert Race.alive == before


def test_threads_take_turns() -> None:
    """Searches of several Python threads, one game: nothing waits for ever."""
    game = raced()
    chosen: list[int] = []

    def think() -> None:
        for _ in range(5):
            chosen.append(agents.load("mcts:sims=200,trees=2,threads=2").choose(game.start()).move)

    threads = [threading.Thread(target=think) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert chosen == [1] * 15


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1,3,5,7", "expected 2 words, as in '1,3,5,7 first'"),
        ("1,3,5,8 first", "expected four heaps of up to 7"),
        ("1,3,5 first", "expected four heaps of up to 7"),
        ("1,3,5,07 first", "expected a text such as '1,3,5,7 first'"),
        ("1,3,five,7 first", "'1,3,five,7' is no number of heaps"),
        ("1,3,5,7 third", "'third' is no seat; there are first, second"),
    ],
)
def test_texts_of_no_position_are_refused_in_words(nim: Game, text: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        nim.parse(text)


def test_options_are_refused_in_words(nim: Game) -> None:
    with pytest.raises(ParseError, match="nim has no option 'size'; it has none"):
        tempo.load("nim(size=3)")
    with pytest.raises(ParseError, match="no game is chosen"):
        _core.foreign.parse("x", _core.foreign.Options({}))
    with pytest.raises(ParseError, match="of no game"):
        hash(_core.foreign.start(_core.foreign.Options({})))


# Files and processes


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=120,
        env=os.environ | environment,
    )  # fmt: skip


def test_the_command_line_takes_a_file() -> None:
    path = str(EXAMPLES / "nim.py")
    done = run("-m", "tempo", "match", "mcts:sims=50", "random", "-g", path, "-n", "4", "--json")
    assert json.loads(done.stdout)["game"] == "nim", done.stderr
    done = run("-m", "tempo", "perft", path, "2", "--json")
    assert json.loads(done.stdout)["nodes"] == PERFT["nim"][2], done.stderr
    assert done.stderr == ""


def test_the_environment_names_files() -> None:
    script = "import tempo; print(tempo.load('nim').perft(1))"
    assert run("-c", script, TEMPO_GAMES=str(EXAMPLES / "nim.py")).stdout == "16\n"


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(TempoError, match="is no Python file"):
        registry.from_file(str(tmp_path / "missing.py"))
    empty = tmp_path / "empty.py"
    empty.write_text("")
    with pytest.raises(ParseError, match="registers no game"):
        registry.from_file(str(empty))
    empty.write_text("1 / 0")
    with pytest.raises(TempoError, match="ZeroDivisionError"):
        registry.from_file(str(empty))
    for spec in ("examples/nim.py", "nim.py"):
        with pytest.raises(ParseError, match="is not a game"):
            tempo.load(spec)  # a name from elsewhere runs no file


def test_ctrl_c_ends_a_search() -> None:
    script = (
        "import signal, tempo\nfrom tempo import agents\nfrom tempo.games import registry\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # shells ignore it behind &
        f"game = tempo.load(registry.from_file({str(EXAMPLES / 'breakthrough.py')!r}))\n"
        "agent, start = agents.load('mcts:time=60'), game.start()\n"
        "print('ready', flush=True)\n"  # all is imported: what is interrupted is the search
        "agent.choose(start)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        _, errors = process.communicate(timeout=30)
        assert time.monotonic() - begun < 10
        assert errors.rstrip().endswith("KeyboardInterrupt")


def test_a_closed_registry_learns_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_closed", False)
    game = raced()
    registry.close()
    assert tempo.load("race") == game
    with pytest.raises(ParseError, match="there is no game 'openspiel:hex'"):
        tempo.load("openspiel:hex")


# Learners


@pytest.mark.parametrize("learner", kinds())
def test_a_learner_meets_a_game_written_in_python(
    learner: str, example: Game, tmp_path: Path
) -> None:
    short: Any = {"games": 2, "iterations": 2, "opening": 1, "hidden": (8,), "longest": 20}
    if learner == "zero":
        short |= {"simulations": 4, "exam": 4}
    recipe = general.recipe_of(learner, example.spec, short)
    recipes.train(recipe, seed=1, out=tmp_path / "run")
    view = example.start()
    for spec in (str(tmp_path / "run"), f"mcts:sims=4,rollout=0,eval={tmp_path / 'run'}"):
        assert agents.load(spec).choose(view).move in view.legal_moves
