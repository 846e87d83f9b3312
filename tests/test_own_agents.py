"""Agents and evaluators of your own: registered, installed, named by a file; `tempo.search`."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import ParseError, TempoError, agents, arena, search
from tempo.agents import own, registry
from tempo.agents.search import AlphaBetaAgent, AlphaBetaSettings, MonteCarloAgent
from tempo.games.public import public_view
from tempo.protocols.server import UCI, UGI, EngineServer
from tempo.web import strength

SOURCE = '''
"""Agents for a test."""
from tempo.agents import Choice

class Corner:
    """Plays one of the first legal moves."""
    def __init__(self, skip: int = 0):
        self.skip = skip
    def choose(self, view):
        return view.legal_moves[self.skip % len(view.legal_moves)]

class Text:
    def choose(self, view):
        return view.move_text(view.legal_moves[0])

class Jargon:
    def choose(self, view):
        return "zz9"

class Nothing:
    def choose(self, view):
        return None

class Odd:
    def choose(self, view):
        return Choice(view.legal_moves[0], values="even", line=())

class Blind:
    def choose(self):
        return 0

class Late:
    def choose(self, view):
        return view.legal_moves[0] / 0

class Stiff:
    def __init__(self, net):
        self.net = net
    def choose(self, view):
        return 0

def discs(seen):
    return 0.01 * (seen[:, 0].sum((1, 2)) - seen[:, 1].sum((1, 2)))
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    agents.kinds()  # all that come with Tempo are known
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    for variable in (own.OFFERED, "TEMPO_GAMES"):
        monkeypatch.setenv(variable, "")
    monkeypatch.setattr(registry, "_declared", dict(registry._declared))
    monkeypatch.setattr(registry, "_added", set(registry._added))
    return path


def test_a_class_in_a_file_is_an_agent(file: Path) -> None:
    agent = agents.load(f"{file}:Corner:skip=2")
    position = tempo.load("othello").start()
    assert agent.choose(position).move == position.legal_moves[2]
    assert agent.name == f"{file}:Corner:skip=2"
    result = arena.match((f"{file}:Corner", f"{file}:Text"), "othello", games=4, threads=2)
    assert result.games == 4
    assert [record.forfeit for record in result.records] == [None] * 4
    first = arena.match((f"{file}:Corner", f"{file}:Text"), "othello", games=4)
    assert [one.moves for one in first.records] == [one.moves for one in result.records]


def test_an_agent_of_a_hidden_game_answers_with_text(file: Path) -> None:
    """Views of Siguo had no `parse_move`: a right answer ended the match."""
    names = (f"{file}:Text", f"{file}:Corner")
    by_text, by_number = (
        arena.match((name, "random"), "siguo(max_plies=40)", games=2, seed=3) for name in names
    )
    assert [record.forfeit for record in by_text.records] == [None] * 2
    assert [one.moves for one in by_text.records] == [one.moves for one in by_number.records]
    with pytest.raises(TempoError, match=r"answered 'zz9'.* expected one such as [A-Z][0-9]"):
        arena.match((f"{file}:Jargon", "random"), "siguo", games=2)


def test_a_view_reads_its_own_moves_and_says_nothing_of_others() -> None:
    position: Any = tempo.load("siguo").start(seed=3)
    south, east = position.view("south"), position.view("east")
    text = south.move_text(south.legal_moves[0])
    assert south.parse_move(text) == south.legal_moves[0]
    assert south.is_legal(south.legal_moves[0])
    assert not east.is_legal(south.legal_moves[0])
    with pytest.raises(tempo.IllegalMove, match="this seat cannot make that move now"):
        east.parse_move(text)
    everybody = public_view(tempo.load("siguo"), position)
    assert not everybody.is_legal(south.legal_moves[0])
    with pytest.raises(tempo.IllegalMove, match="what everybody sees"):
        everybody.parse_move(text)
    # A mine that stays where it is and a sapper that is blocked are refused in the same words.
    stays = [m for m in range(len(south.legal_moves), 4000) if not south.is_legal(m)][:50]
    said = set()
    for move in stays:
        text = south.move_text(move)
        with pytest.raises(tempo.IllegalMove) as refused:
            south.parse_move(text)
        said.add(str(refused.value).removeprefix(text))
    assert len(said) == 1


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("Jargon", "mine.py:Jargon answered 'zz9': 'zz9' is not a move; expected pass or a point"),
        ("Nothing", "answered 'None'; choose returns a move"),
        ("Odd", "whose values are 'even'"),
        (
            "Nobody",
            "has no 'Nobody'; it has Corner, Text, Jargon, Nothing, Odd, ",
        ),
        ("Corner:skpi=1", "has no setting 'skpi'; did you mean skip? It has skip"),
        ("Corner:skip=much", "it takes a text"),
        ("Stiff", "the argument net of Stiff needs a default"),
        ("Blind", "Blind.choose takes no view; expected choose(self, view)"),
        ("discs", "is no class with choose(view)"),
    ],
)
def test_what_is_wrong_with_it_is_a_sentence(file: Path, spec: str, says: str) -> None:
    with pytest.raises((ParseError, TempoError)) as told:
        arena.match((f"{file}:{spec}", "random"), "othello", games=2)
    expected = "cannot be 'much'" if spec.endswith("much") else says
    assert expected in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"values": (0.5,)}, r"whose values is '\(0.5,\)'; expected .* each of 2 seats"),
        ({"values": (float("nan"), 0.0)}, "from -1 to 1"),
        ({"values": (7.0, -7.0)}, "from -1 to 1"),
        ({"move": "zz9"}, "'zz9': 'zz9' is not a move"),
        ({"move": 0.5}, "'0.5'; choose returns a move"),
        ({"line": "abc"}, "whose line is 'abc'; expected the numbers of moves"),
        ({"line": ("d3",)}, "expected the numbers of moves"),
        ({"depth": "deep"}, "whose depth is 'deep'"),
        ({"candidates": (3,)}, r"whose candidates is .*; expected a tuple of Candidate"),
        ({"cost": 3}, "whose cost is '3', no Cost"),
    ],
)
def test_odd_parts_of_a_choice_are_a_sentence(file: Path, given: Any, says: str) -> None:
    assert file

    @agents.register
    class Parts:
        def choose(self, view: Any) -> agents.Choice:
            return agents.Choice(**{"move": view.legal_moves[0], **given})

    with pytest.raises(TempoError, match=f"^parts answered .*{says}"):
        arena.match(("parts", "random"), "othello", games=2)


def test_a_choice_needs_no_more_than_its_move(file: Path) -> None:
    assert file

    @agents.register
    class Short:
        def choose(self, view: Any) -> agents.Choice:
            move: Any = view.move_text(view.legal_moves[0])
            return agents.Choice(move, line=(view.legal_moves[0], 9999))

    position = tempo.load("othello").start()
    assert agents.load("short").choose(position).move == position.legal_moves[0]
    said: list[str] = []
    server = EngineServer(UGI, "short", said.append, "othello")
    server.serve(["setoption name Ponder value true", "position startpos", "go depth 1"])
    first = position.move_text(position.legal_moves[0])
    assert said[-1] == f"bestmove {first}"
    assert said[-2].endswith(f"pv {first}"), "as far as it can be played"


def test_an_object_that_is_no_agent_is_a_sentence() -> None:
    nobody: Any = object()
    with pytest.raises(ParseError, match="is no agent: it has no name"):
        arena.match((nobody, "random"), "othello", games=2)


def test_the_command_line_names_the_line_that_failed(file: Path) -> None:
    command = [sys.executable, "-m", "tempo", "match", f"{file}:Late", "random", "-g", "othello"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    line = SOURCE.split("\n").index("        return view.legal_moves[0] / 0") + 1
    assert done.stderr == f"tempo: mine.py, line {line}: ZeroDivisionError: division by zero\n"


def test_what_comes_from_outside_names_no_file(file: Path) -> None:
    with pytest.raises(ParseError, match="is a file of this machine"):
        agents.load(f"{file}:Corner", inside=True)
    with pytest.raises(ParseError, match="would read a file"):
        agents.load(f"alphabeta:eval={file}:discs", inside=True)


def test_an_engine_plays_it(file: Path) -> None:
    said: list[str] = []
    server = EngineServer(UCI, f"{file}:Corner:skip=1", said.append)
    server.serve(["uci", "position startpos", "go movetime 50", "isready", "quit"])
    best = [line for line in said if line.startswith("bestmove")]
    start = tempo.load("chess").start()
    assert best == [f"bestmove {start.move_text(start.legal_moves[1])}"]


def test_registered_agents_are_known_by_name(file: Path) -> None:
    @agents.register(name="second", games=("othello",))
    class Second:
        """The second legal move."""

        def choose(self, view: Any) -> int:
            return int(view.legal_moves[1 % len(view.legal_moves)])

    assert agents.names()["second"] == "The second legal move"
    assert agents.kinds()["second"].games == ("othello",)
    assert arena.match(("second", "random"), "othello", games=2).games == 2
    assert "second" in {one["name"] for one in strength.agents_of(tempo.load("othello"))}
    assert "second" not in {one["name"] for one in strength.agents_of(tempo.load("chess"))}
    with pytest.raises(ParseError, match="there is an agent mcts already"):
        agents.register(name="mcts")(Second)


def test_agents_of_installed_packages(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(file.parent))
    points = [
        EntryPoint("installed-corner", "mine:Corner", own.ENTRY_POINTS),
        EntryPoint("missing", "mine:Absent", own.ENTRY_POINTS),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    registry._installed.cache_clear()
    try:
        assert agents.load("installed-corner:skip=1").name == "installed-corner:skip=1"
        with pytest.raises(TempoError, match="the agent missing of mine cannot be loaded"):
            agents.load("missing")
    finally:
        registry._installed.cache_clear()


def test_an_agent_on_offer_is_known_to_the_programs_that_this_one_starts(file: Path) -> None:
    assert own.offer(f"{file}:Corner") == "corner"
    code = "from tempo import agents; print('corner' in agents.kinds())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout == "True\n"


# ---- evaluators and searches -------------------------------------------------------------------


def discs(seen: np.ndarray[Any, Any]) -> Any:
    return 0.01 * (seen[:, 0].sum((1, 2)) - seen[:, 1].sum((1, 2)))


def test_agents_take_an_evaluator(file: Path) -> None:
    game = tempo.load("othello")
    position = game.start().play("d3")
    named = agents.load(f"alphabeta:depth=3,eval={file}:discs").choose(position)
    agent = AlphaBetaAgent(AlphaBetaSettings(depth=3), evaluator=discs)
    made = agent.choose(position)
    assert made.values == named.values
    assert made.values != agents.load("alphabeta:depth=3").choose(position).values
    assert agent.clone().choose(position) == made
    guided = MonteCarloAgent(evaluator=discs)
    assert guided.choose(position).move in position.legal_moves
    assert arena.match((agent, "random"), game, games=4, threads=2).games == 4


def test_searches_by_their_public_names() -> None:
    game = tempo.load("othello")
    position = game.start()
    found = search.alpha_beta(position, discs, depth=4)
    searcher = search.alpha_beta_of(game, discs, depth=4)
    assert searcher.search(position).scores == found.scores
    assert found.depth == 4
    assert search.alpha_beta(position).depth == 3, "without a budget"
    tree = search.monte_carlo(position, simulations=200, seed=3)
    assert sum(one.visits for one in tree.root) >= 200
    assert search.monte_carlo(position, simulations=200, seed=3).scores == tree.scores


def test_many_positions_are_searched_as_one_is() -> None:
    game = tempo.load("othello")
    moves, after = search.successors(game.start())
    positions = [game.start().play(int(move)) for move in moves]
    assert [after[i] for i in range(len(moves))] == positions
    together = search.many(positions, "static", depth=3, threads=2)
    for i, position in enumerate(positions):
        alone = search.alpha_beta(position, "static", depth=3)
        assert together.values[i] == pytest.approx(alone.scores[position.turn])
    assert (search.many(after, "static", depth=3).values == together.values).all()


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("statik", "did you mean static?"),
        (3.0, "is no evaluator; expected static, none, learned, weights"),
        (np.zeros(3, np.float32), "othello has 8 terms, not 3"),
    ],
)
def test_what_is_no_evaluator(source: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("?", r"\?")):
        search.evaluator("othello", source)


def test_a_finished_game_has_no_successors() -> None:
    over = tempo.load("gomoku(size=5)").parse("xxxxx/oooo1/5/5/5 o")
    with pytest.raises(ParseError, match="the game is over"):
        search.successors(over)
