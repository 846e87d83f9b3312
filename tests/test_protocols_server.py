"""Our agents as engines: scripted sessions of UCI and USI, and lines without sense."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest
from engine_sessions import WAIT, Session
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutated

import tempo
from tempo import agents
from tempo.agents.base import Choice
from tempo.agents.random import RandomAgent
from tempo.engines.answer import centipawns_of, value_of
from tempo.errors import ParseError
from tempo.protocols import searching
from tempo.protocols.budget import Order
from tempo.protocols.server import UCI, UGI, USI, EngineServer

# ---- USI and UCI ---------------------------------------------------------------------------------


def test_the_handshake() -> None:
    assert Session(USI).talk("usi", "isready", "usinewgame", "quit", "isready") == [
        "id name Tempo random",
        "id author the authors of Tempo",
        "option name MoveOverhead type spin default 50 min 0 max 10000",
        "option name USI_Ponder type check default false",
        "option name Agent type string default random",
        "option name MultiPV type spin default 1 min 1 max 200",
        "usiok",
        "readyok",
    ]
    assert Session(UCI).talk("uci")[-1] == "uciok"


def test_moves_are_answers_to_the_position() -> None:
    game = tempo.load("shogi")
    (move,) = Session(USI).moves("position startpos moves 7g7f", "go byoyomi 20", "?")
    assert move in game.start().play("7g7f").legal_moves
    mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
    assert Session(USI, "alphabeta:depth=2").moves(f"position sfen {mate}", "go depth 2", "?") == [
        "G*5b"
    ]
    fools = "position startpos moves f2f3 e7e5 g2g4"
    assert Session(UCI, "alphabeta").moves(fools, "go movetime 100", "?") == ["d8h4"]


def test_what_is_said_of_a_move() -> None:
    said = Session(USI, "alphabeta:depth=1").talk("go nodes 1000", "?")
    said_of = r"info depth \d+ time \d+ nodes \d+ nps \d+ score cp -?\d+ pv( \S+)+"
    assert re.fullmatch(said_of, said[0])
    said = Session(USI, "shogi-strong").talk(
        "setoption name USI_Ponder value true", "go depth 12", "?"
    )
    depths = [int(line.split()[2]) for line in said[:-1] if re.fullmatch(said_of, line)]
    assert len(depths) == len(said) - 1 >= 2, "lines while it thinks, and one at the end"
    assert depths == sorted(depths)
    assert re.fullmatch(r"bestmove \S+ ponder \S+", said[-1])
    assert [round(value_of(centipawns_of(v)), 2) for v in (-1, -0.5, 0, 0.25)] == [
        -1,
        -0.5,
        0,
        0.25,
    ]


def test_where_there_is_no_move() -> None:
    mated = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
    assert Session(USI).moves(mated, "go byoyomi 10") == ["resign"]
    assert Session(UCI).moves("position startpos moves f2f3 e7e5 g2g4 d8h4", "go") == ["(none)"]
    entered = "position sfen KRRBBGG2/PPPPPPPPP/9/9/9/9/9/9/8k b 2G2SNL 1"
    declared = Session(USI, game="shogi(declaration=on)").moves(entered, "go byoyomi 10", "?")
    assert declared == ["win"]


def test_an_agent_that_resigns_or_fails_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def resigns(*_: object) -> Choice:
        raise agents.Resigns

    def fails(*_: object) -> Choice:
        raise RuntimeError("out\nof order")

    monkeypatch.setattr(RandomAgent, "choose", resigns)
    assert Session(USI).talk("go byoyomi 10", "?") == ["bestmove resign"]
    monkeypatch.setattr(RandomAgent, "choose", fails)
    said = Session(USI).talk("go byoyomi 10", "?")
    assert said == ["info string error: RuntimeError: out of order", "bestmove resign"]


def test_stop_is_answered_at_once() -> None:
    session = Session(USI, "mcts")
    begun = time.monotonic()
    assert len(session.moves("go byoyomi 20000", "stop", "?")) == 1
    assert time.monotonic() - begun < 1.5, "and not when the time is over"
    assert not session.server.is_searching, "the search itself has ended"
    assert len(session.moves("go byoyomi 10", "?")) == 1
    assert session.moves("stop", "stop") == []


@pytest.mark.parametrize(
    "spec",
    [
        "alphabeta",
        "mcts:sims=1000000000",
        "shogi-strong",
        "shogi-uct:nodes=1000000000",
        "shogi-dqn",
    ],
)
def test_the_end_of_the_input_ends_a_search(spec: str) -> None:
    session = Session(USI, spec)
    session.server._agent.within(1.0).choose(session.server.game.start())  # its weights are read
    session.server._obey(["go", "infinite"])
    time.sleep(0.05)
    begun = time.monotonic()
    session.server.serve([])
    assert time.monotonic() - begun < 0.4
    assert not session.server.is_searching
    assert session.said[-1].startswith("bestmove ")
    session.server.game.start().play(session.said[-1].split()[1])


def test_an_agent_that_does_not_obey_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "PATIENCE", 0.05)
    held = threading.Event()
    monkeypatch.setattr(RandomAgent, "choose", lambda *_: held.wait())
    session = Session(USI)
    assert len(session.moves("go infinite", "stop")) == 1
    assert session.server.is_searching
    held.set()


def test_a_search_without_limit_waits_for_stop() -> None:
    session = Session(USI)
    server, said = session.server, session.said
    server._obey(["go", "infinite"])
    time.sleep(0.1)
    assert [line.split()[0] for line in said] == ["info"], "what it has found, and no move"
    server._obey(["isready"])
    server._obey(["go", "byoyomi", "10"])
    server._obey(["stop"])
    assert said[1:3] == [
        "readyok",
        "info string error: a search is under way; expected stop before another go",
    ]
    assert said[-1].startswith("bestmove ")


def test_pondering() -> None:
    session = Session(USI)
    assert len(session.moves("go ponder btime 0 wtime 0 byoyomi 20", "ponderhit", "?")) == 1
    assert len(session.moves("go ponder byoyomi 20", "stop", "?")) == 1
    assert "ponderhit without a go ponder" in session.talk("ponderhit")[0]


@pytest.mark.parametrize("nodes", [20, 16582])
def test_an_answer_names_a_reply_to_ponder_on(nodes: int) -> None:
    """A search cut in its first iteration knows no reply, nor one cut above its window."""
    session = Session(USI, "shogi-strong")
    said = session.talk("setoption name USI_Ponder value true", f"go nodes {nodes}", "?")
    assert re.fullmatch(r"bestmove \S+ ponder \S+", said[-1])


def test_an_engine_that_takes_no_limits_tells_what_it_thinks() -> None:
    session = Session(UGI, "gomoku-strong", "gomoku(size=15)")
    session.server._set_position(["startpos", "moves", "h8", "i9"])
    session.server._go(["infinite"])
    session.wait_for("info depth", 2)
    session.server._stop([])
    session.wait_for("bestmove", 1)


def test_what_a_search_without_limit_finds_is_told_before_it_is_stopped() -> None:
    mate = "position fen 7k/8/8/5K2/8/8/8/6Q1 w - - 0 1"
    session = Session(UCI, "alphabeta:depth=6")
    told: list[str] = []

    def lines() -> Iterator[str]:
        yield mate
        yield "go infinite"
        session.wait_for("info", 1)
        told.extend(session.said)
        time.sleep(0.2)
        yield "stop"

    session.server.serve(lines())
    assert [line.split()[0] for line in told] == ["info"]
    assert told[0].endswith(" score mate 2 pv f5f6 h8h7 g1g7")
    assert session.said[-1] == "bestmove f5f6"
    assert " nps " in session.said[-2]
    assert int(session.said[-2].split()[4]) < 200, "the time of the search, not of the wait"


@pytest.mark.parametrize(
    ("dialect", "position", "score"),
    [
        (UCI, "fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "mate 1"),
        (UCI, "fen 7k/8/8/5K2/8/8/8/6Q1 w - - 0 1", "mate 2"),
        (UCI, "fen k7/8/1K6/8/8/8/8/6Q1 b - - 0 1", "mate -1"),
        (USI, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "mate 1"),
        (USI, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1", "mate 1"),
        (USI, "sfen 3k5/9/4P4/9/9/9/9/9/4K4 b 2G 1", "mate 3"),
    ],
)
def test_a_sure_end_is_told_in_moves(dialect: Any, position: str, score: str) -> None:
    said = Session(dialect, "alphabeta").talk(f"position {position}", "go depth 6", "?")
    assert f" score {score} pv " in said[-2]


class Cut:
    """Thinks a line, and has no more than its move when its time is over."""

    name = "cut"

    def __init__(self, found: int) -> None:
        self.found = found

    def within(self, *_: object) -> Cut:
        return self

    def watch(self, tell: Any) -> None:
        self.tell = tell

    def choose(self, view: Any) -> Choice:
        first, second, *_ = view.legal_moves
        self.tell(Choice(first, values=(), line=(first, 7)))
        move = (first, second)[self.found]
        return Choice(move, values=(), line=(move,))


@pytest.mark.parametrize(("found", "length"), [(0, 2), (1, 1)])
def test_a_search_that_is_ended_keeps_the_line_it_told(found: int, length: int) -> None:
    heard: list[Any] = []
    agent: Any = Cut(found)
    search = searching.Search(
        agent, tempo.load("chess").start(), Order(movetime=0.1), None,
        lambda _, choice, __: heard.append(choice), lambda *_: None,
    )  # fmt: skip
    search._thread.join(WAIT)
    assert [len(one.line) for one in heard] == [length]


def test_what_was_pondered_counts() -> None:
    session = Session(USI, "shogi-strong")
    for clock, soon in (("btime 600000 byoyomi 0", False), ("btime 3000 byoyomi 0", True)):
        session.said.clear()
        begun = time.monotonic()
        session.server._obey(f"go ponder {clock}".split())
        time.sleep(0.2)
        assert not any(line.startswith("bestmove") for line in session.said)
        session.server._obey(["ponderhit"])
        time.sleep(0.05)
        if not soon:  # twenty seconds were planned: the search goes on
            assert session.server.is_searching
            session.server._obey(["stop"])
        session.wait_for("bestmove", 1)
        assert time.monotonic() - begun < 5
        thought = next(line for line in reversed(session.said) if " nodes " in line)
        assert int(thought.split()[4]) >= 150, "milliseconds, those of the pondering included"


def test_the_table_and_threads_are_options() -> None:
    session = Session(USI, "shogi-strong")
    session.talk("setoption name USI_Hash value 2", "setoption name Threads value 2")
    assert session.said == []
    assert session.server._agent.within(0.1).name == "shogi-strong:table=2,threads=2"
    assert session.server._agent.spec == "shogi-strong"
    assert len(session.moves("position startpos", "go nodes 3000", "?")) == 1
    assert "takes a number" in session.talk("setoption name Threads value many")[0]


def test_moves_keep_to_their_time() -> None:
    """Twenty moves under a clock, the first ones included; measured as a referee would."""
    session = Session(USI, "shogi-strong")
    session.talk("usi", "isready", "usinewgame", "setoption name MoveOverhead value 20")
    line: list[str] = []
    late = 0
    for _ in range(20):
        session.server._obey(["position", "startpos", *(["moves", *line] if line else [])])
        before = time.monotonic()
        spent = time.process_time()
        line += session.moves("go btime 0 wtime 0 byoyomi 120", "?")
        # The machine may be busy: what counts is the time that we had, if it is the smaller one.
        late += min(time.monotonic() - before, time.process_time() - spent) > 0.12
    assert len(line) == 20
    assert late == 0


def test_mate_by_checks_alone() -> None:
    session = Session(USI)
    mate = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
    assert session.talk(mate, "go mate 60000", "!") == ["checkmate G*5b"]
    assert session.talk("position startpos", "go mate 60000", "!") == ["checkmate nomate"]
    assert session.talk("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "go mate 9") == [
        "checkmate nomate"
    ]
    assert (
        "milliseconds or infinite, not 'soon'"
        in session.talk("position startpos", "go mate soon")[0]
    )


def test_a_mate_search_that_is_stopped_does_not_know() -> None:
    session = Session(USI)
    # Three generals in hand against a king in the open: far too much to search in no time.
    wide = "position sfen 9/9/9/4k4/9/9/9/9/4K4 b 2R2B4G4S4N4L9P 1"
    assert session.talk(wide, "go mate infinite", "go byoyomi 10", "stop", "stop") == [
        "info string error: a search is under way; expected stop before another go",
        "checkmate timeout",
    ]


def test_uci_reads_mate_as_a_plain_search() -> None:
    assert len(Session(UCI).moves("go mate 2 movetime 20", "?")) == 1


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hello", "there is no command 'hello'; there are usi, usinewgame"),
        ("position", "expected position startpos, or sfen and its text"),
        ("position here", "expected position startpos"),
        ("position sfen x y z", "an SFEN has 4 fields"),
        ("position startpos moves 7g7e", "7g7e: a pawn cannot go there"),
        ("position startpos moves 7g7f nonsense", "nonsense"),
        ("go byoyomi soon", "byoyomi takes a number, not 'soon'"),
        (
            "setoption name Speed value 9",
            "there is no option 'Speed'; there are MoveOverhead, USI_Ponder, Agent, MultiPV",
        ),
        ("setoption name MoveOverhead value -1", "milliseconds from 0 to 10000, not '-1'"),
        ("setoption name Agent value nobody", "there is no agent 'nobody'"),
        ("setoption", "there is no option ''"),
    ],
)
def test_bad_lines_are_answered_and_forgotten(line: str, answer: str) -> None:
    said = Session(USI).talk(line, "isready")
    assert said[0].startswith("info string error: ")
    assert answer in said[0]
    assert said[1:] == ["readyok"]


def test_after_a_bad_position_no_other_is_played() -> None:
    said = Session(USI).talk("position startpos moves 7g7e", "go byoyomi 10")
    assert said[-1] == "bestmove resign"


def test_options() -> None:
    session = Session(USI)
    session.talk("setoption name USI_Hash value 64", "setoption name MoveOverhead value 7")
    assert session.said == []
    session.talk("setoption name Agent value alphabeta:depth=1", "usi")
    assert "id name Tempo alphabeta:depth=1" in session.said
    with pytest.raises(ParseError, match="usi is for shogi, not for chess"):
        EngineServer(USI, "random", print, "chess")


SCRIPT = (
    "usi\nsetoption name MoveOverhead value 5\nisready\nusinewgame\n"
    "position startpos moves 7g7f 3c3d\ngo btime 100 wtime 100 byoyomi 5\nstop\n"
    "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b\n"
    "go infinite\nstop\ngo ponder\nponderhit\nstop\ngameover win\n"
)
PIECES = ("\n", " ", "go", "stop", "-1", "9" * 30, "position", "moves", "sfen", "é", "+", "value")


def test_damaged_sessions_never_end_the_server() -> None:
    stream = random.Random(7)
    session = Session(USI)
    for _ in range(150):
        lines = mutated(SCRIPT, PIECES, stream).replace("quit", "").split("\n")
        said = session.talk(*(line for line in lines if line not in ("?", "!")), "stop", "isready")
        assert said[-1] == "readyok" or "bestmove" in said[-1]
        assert "readyok" in said


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_lines_at_all(lines: list[str]) -> None:
    assert Session(UCI).talk(*(line for line in lines if line not in ("?", "!")), "stop", "isready")


# ---- other programs' clients ---------------------------------------------------------------------


def test_python_chess_plays_with_our_engine() -> None:
    program = "from tempo.protocols.serving import serve; serve('uci', 'alphabeta:depth=2')"
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-c", program]) as engine:
        assert engine.id["name"] == "Tempo alphabeta:depth=2"
        engine.configure({"MoveOverhead": 10})
        for limit in (
            chess.engine.Limit(time=0.1),
            chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1),
            chess.engine.Limit(nodes=500),
            chess.engine.Limit(depth=1),
        ):
            answer = engine.play(board, limit, info=chess.engine.INFO_ALL)
            assert answer.move is not None
            assert answer.info["pv"][0] == answer.move
            board.push(answer.move)
        with engine.analysis(board) as endless:
            pass
        found = endless.wait().move
        assert found is not None
        assert found in board.legal_moves


def test_cshogi_plays_with_our_engine(tmp_path: Path) -> None:
    client = pytest.importorskip("cshogi.usi", reason="cshogi is not installed")
    path = tmp_path / "engine"
    program = "from tempo.protocols.serving import serve\nserve('usi', 'alphabeta:depth=1')\n"
    path.write_text(f"#!{sys.executable}\n{program}")
    path.chmod(0o755)
    engine = client.Engine(str(path))
    engine.isready()
    engine.usinewgame()
    position: Any = tempo.load("shogi").start()
    moves: list[str] = []
    for _ in range(4):
        engine.position(moves=moves)
        move, _ = engine.go(byoyomi=50)
        moves.append(move)
        position = position.play(move)
    engine.quit()


# ---- the command ---------------------------------------------------------------------------------


def test_the_command_speaks_nothing_but_the_protocol() -> None:
    ran = subprocess.run(
        [
            sys.executable,
            "-c",
            "from tempo.cli import main; main()",
            "engine",
            "usi",
            "-a",
            "random",
        ],
        input=b"usi\n\xff\xfe\nposition startpos\ngo byoyomi 10\nstop\nquit\n",
        capture_output=True,
        timeout=60,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    said = ran.stdout.decode().splitlines()
    assert said[6] == "usiok"
    assert said[7].startswith("info string error: there is no command")
    assert sum(line.startswith("bestmove ") for line in said) == 1
    assert ran.stderr == b""
