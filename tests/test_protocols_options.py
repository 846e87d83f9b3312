"""What is set over a protocol opens nothing and keeps to what an agent can do; sessions of UGI."""

from __future__ import annotations

import io
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

from engine_sessions import MOVES, Session

import tempo
from tempo import agents
from tempo.engines.answer import centipawns_of
from tempo.protocols import serving
from tempo.protocols.server import UCI, UGI, USI, EngineServer


def test_the_agent_option_starts_no_program_and_reads_no_file(tmp_path: Path) -> None:
    """`setoption name Agent value usi:path=...` ran any program on the next game."""
    trace = tmp_path / "trace"
    program = tmp_path / "engine.py"
    program.write_text(f"#!{sys.executable}\nopen({str(trace)!r}, 'w').write('ran')\n")
    program.chmod(0o755)
    run = tmp_path / "run"
    run.mkdir()
    (run / "config.toml").write_text('learner = "adp"\n')
    refused = [
        f"usi:path={program},byoyomi=0.1", f"gnushogi:path={program}", "gnushogi", str(run),
        f"shogi-strong:eval={run}", f"jiu-bayes:tables={program}", f"tablebase:folder={tmp_path}",
        f"endgame:weights={program}", f"dqn:weights={run}", f"jiu-sarsa:library={program}",
    ]  # fmt: skip
    for agent in refused:
        session = Session(USI)
        said = session.talk(
            f"setoption name Agent value {agent}",
            "usinewgame",
            "position startpos",
            "go nodes 9",
            "?",
        )  # fmt: skip
        assert "command line" in said[0], said
        assert any(MOVES.match(line) for line in said), "the agent before plays on"
    assert not trace.exists()
    assert Session(USI).talk("setoption name Agent value shogi-strong:eval=static") == []


def test_the_agent_of_the_command_line_may_be_set_again(tmp_path: Path) -> None:
    """Boards send every option back at its default."""
    agent = f"usi:path={sys.executable},byoyomi=0.1"
    assert Session(USI, agent).talk(f"setoption name Agent value {agent}") == []


def test_every_setting_that_opens_something_says_so() -> None:
    """A setting that is passed to the file system or to a shell must be marked."""
    opening = {
        (name, field.name): field.metadata["opens"]
        for name in agents.names()
        for field in fields(agents.settings_of(name))
        if field.metadata["opens"]
    }
    assert {name for name, opens in opening.items() if opens == "program"} == {
        ("usi", "path"), ("gnushogi", "path"), ("uci", "path"), ("ugi", "path"),
        ("gomocup", "path"),
    }  # fmt: skip
    words = ("weights", "file", "folder", "library", "program")
    for name in agents.names():
        for field in fields(agents.settings_of(name)):
            if field.type == "str" and any(word in field.metadata["help"] for word in words):
                assert field.metadata["opens"] or field.metadata["choices"], (name, field.name)


def test_limits_beyond_an_agents_range_are_cut() -> None:
    session = Session(UCI, "alphabeta:nodes=50")
    assert session.moves("position startpos", "go depth 5000 movetime 999999999999", "?")


def test_lines_without_end_are_passed_over() -> None:
    stream = io.BytesIO(b"x" * (3 << 20) + b"\nisready\n" + b"y" * (1 << 21))
    lines = list(serving.lines_of(stream))
    assert [line.strip() for line in lines] == [lines[0], "isready", lines[0]]
    assert len(lines[0]) < 100


def test_several_lines_and_what_an_agent_can_set() -> None:
    """MultiPV gives the best moves with their values; Hash and Threads are offered and set."""
    said: list[str] = []
    server = EngineServer(UCI, "alphabeta", said.append)
    server.serve(["uci", "setoption name MultiPV value 3", "setoption name Hash value 2"])
    assert "option name Hash type spin default 16" in "\n".join(said)
    assert "option name Threads type spin default 1 min 1 max 256" in said
    assert server._agent.number("table") == (2, server._agent._known["table"])
    del said[:]
    server = EngineServer(UCI, "alphabeta", said.append)
    lines = ["setoption name MultiPV value 3", "position startpos", "go depth 2"]

    def paced() -> Any:
        yield from lines
        until = time.monotonic() + 30
        while not any(line.startswith("bestmove") for line in said) and time.monotonic() < until:
            time.sleep(0.01)

    server.serve(paced())
    last = [line for line in said if " multipv " in line][-3:]
    assert [line.partition(" multipv ")[2][0] for line in last] == ["1", "2", "3"]
    moves = [line.partition(" pv ")[2].split()[0] for line in last]
    assert len(set(moves)) == 3
    values = [int(line.partition(" cp ")[2].split()[0]) for line in last]
    assert values == sorted(values, reverse=True)
    best = tempo.load("chess").start()
    exact = agents.load("alphabeta:depth=2,exact=yes").choose(best)
    worth = sorted((one.values[0] for one in exact.candidates), reverse=True)[:3]
    assert values == [centipawns_of(value) for value in worth]


def test_ugi_answers_what_the_rules_say() -> None:
    said: list[str] = []
    server = EngineServer(UGI, "random", said.append, "othello(size=4)")
    server.serve(["position startpos", "query p1turn", "query p2turn", "query gameover",
                  "query result", "query legalmoves", "query nothing"])  # fmt: skip
    start = tempo.load("othello(size=4)").start()
    legal = " ".join(start.move_text(move) for move in start.legal_moves)
    assert said[:5] == ["response true", "response false", "response false", "response none",
                        f"response {legal}"]  # fmt: skip
    assert "there is no query 'nothing'; there are gameover" in said[5]


def test_ugi_shows_an_agent_what_its_seat_may_know() -> None:
    """A hidden game: the agent is given a view, never the position."""
    said: list[str] = []
    server = EngineServer(UGI, "siguo-heuristic", said.append, "siguo")
    start = tempo.load("siguo").start(seed=5)

    def paced() -> Any:
        yield f"position fen {start.text}"
        yield "go movetime 100"
        until = time.monotonic() + 30
        while not any(line.startswith("bestmove") for line in said) and time.monotonic() < until:
            time.sleep(0.01)

    server.serve(paced())
    assert said[-1].split()[1] in [start.move_text(move) for move in start.legal_moves]
