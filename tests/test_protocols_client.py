"""Other programs as agents: engines that behave and engines that do not, and our own as one."""

from __future__ import annotations

import gc
import importlib.util
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo import agents, arena
from tempo.arena.log import read_log
from tempo.engines import gnushogi, process, usi
from tempo.engines.answer import Limits
from tempo.engines.process import EngineError, EngineProcess
from tempo.engines.trail import Trail
from tempo.errors import ParseError
from tempo.games.shogi import csa

GAME = tempo.load("shogi")

# What a well-behaved engine says; a test changes a line.
ENGINE = """
import sys, time, os
moves = 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["usi"]:
        print("id name Fake 1")
        print("option name Depth Limit type spin default 3 min 0 max 9")
        print("usiok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        position = line.strip()
    elif words[:1] == ["go"]:
        moves += 1
        GO
    elif words == ["quit"]:
        break
"""
SAYS = 'print("info depth 1 score cp 600 nodes 42 pv 7g7f 3c3d\\nbestmove MOVE", flush=True)'


@pytest.fixture
def engine(tmp_path: Path) -> Any:
    """Writes a program and gives the text of an agent that runs it."""

    def write(
        go: str = SAYS.replace("MOVE", "7g7f"), program: str = ENGINE, **settings: str
    ) -> str:
        path = tmp_path / "engine.py"
        path.write_text(program.replace("GO", go))
        given = {"path": f"{sys.executable} {path}", "byoyomi": "0.05", **settings}
        return "usi:" + ",".join(f"{name}={value}" for name, value in given.items())

    return write


def chosen(spec: str) -> agents.Choice:
    agent: Any = agents.load(spec)
    try:
        choice: agents.Choice = agent.choose(GAME.start())
        return choice
    finally:
        agent.close()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")  # dead, and waited for by nobody


# ---- engines that behave -------------------------------------------------------------------------


def test_a_move_with_what_was_said_of_it(engine: Any) -> None:
    choice = chosen(engine())
    assert GAME.start().move_text(choice.move) == "7g7f"
    assert list(choice.values) == pytest.approx([0.7616, -0.7616], abs=1e-4)
    assert choice.cost.positions == 42


PONDERS = """
import sys
for line in sys.stdin:
    open(LOG, "a").write(line)
    words = line.split()
    if words == ["usi"]:
        print("option name USI_Ponder type check default false\\nusiok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        move = "2g2f" if "7g7f" in words else "7g7f"
    elif words[:2] != ["go", "ponder"] and words[0] in ("go", "ponderhit", "stop"):
        print("bestmove", move, "ponder", "3c3d" if move == "7g7f" else "4c4d", flush=True)
"""


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("3c3d", ["ponderhit"]),
        ("8c8d", ["stop", "position startpos moves 7g7f 8c8d", "go btime 0 wtime 0 byoyomi 50"]),
    ],
)
def test_an_engine_ponders(engine: Any, tmp_path: Path, reply: str, told: list[str]) -> None:
    log = tmp_path / "log"
    program = PONDERS.replace("LOG", repr(str(log)))
    agent: Any = agents.load(engine(program=program, ponder="yes"))
    position: Any = GAME.start()
    position = position.play(agent.choose(position).move).play(reply)
    assert GAME.start().play("7g7f").play(reply).move_text(agent.choose(position).move) == "2g2f"
    agent.reset(1)  # what it ponders on then is over, too
    agent.close()
    lines = log.read_text().splitlines()
    assert "setoption name USI_Ponder value true" in lines
    first = lines.index("go ponder btime 0 wtime 0 byoyomi 50")
    assert lines[first - 1] == "position startpos moves 7g7f 3c3d"
    assert lines[first + 1 :][: len(told)] == told
    assert lines[-4:] == ["stop", "isready", "usinewgame", "quit"]


def test_our_own_engine_ponders_for_us(tmp_path: Path) -> None:
    program = f"{sys.executable} -m tempo engine usi --agent shogi-strong"
    agent: Any = agents.load(f"usi:path={program},byoyomi=0.1,ponder=yes")
    position: Any = GAME.start()
    try:
        position = position.play(agent.choose(position).move)
        assert agent._engine._expected, "every answer of ours names a reply"
        position = position.play(agent._engine._expected.split()[-1])
        choice = agent.choose(position)
        assert position.is_legal(choice.move)
        agent.reset(1)
        assert GAME.start().is_legal(agent.choose(GAME.start()).move)
    finally:
        agent.close()


def test_an_engine_is_told_the_moves_of_the_game(engine: Any, tmp_path: Path) -> None:
    log = tmp_path / "log"
    told = f'open({str(log)!r}, "a").write(position + " | " + line)\n        '
    answers = 'print("bestmove", ["7g7f", "2g2f", "6i7h"][moves - 1], flush=True)'
    agent: Any = agents.load(engine(told + answers))
    position: Any = GAME.start()
    position = position.play(agent.choose(position).move).play("3c3d")
    position = position.play(agent.choose(position).move)
    elsewhere = GAME.parse("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7")
    agent.choose(elsewhere)
    agent.close()
    assert log.read_text().splitlines() == [
        "position startpos | go btime 0 wtime 0 byoyomi 50",
        "position startpos moves 7g7f 3c3d | go btime 0 wtime 0 byoyomi 50",
        f"position sfen {elsewhere.text} | go btime 0 wtime 0 byoyomi 50",
    ]


def test_limits_and_options_as_text(engine: Any) -> None:
    assert usi.go_text(Limits(movetime=0.5)) == "movetime 500"
    assert usi.go_text(Limits(nodes=7, depth=3)) == "nodes 7 depth 3"
    chosen(engine(options="Depth Limit:5;USI_Hash:64"))
    with pytest.raises(EngineError, match="no option 'Threads'; its options are Depth Limit"):
        chosen(engine(options="Threads:5"))
    with pytest.raises(
        ParseError, match="'Threads' is no option of an engine; expected name:value"
    ):
        chosen(engine(options="Threads"))
    with pytest.raises(ParseError, match="usi needs a limit"):
        chosen(engine(byoyomi="0"))
    with pytest.raises(ParseError, match="usi needs the engine's path"):
        chosen("usi:byoyomi=1")
    with pytest.raises(ParseError, match=r"usi:path cannot be .*: No closing quotation"):
        chosen("usi:byoyomi=1,path=engine 'x")
    with pytest.raises(ParseError, match="plays shogi, not minishogi"):
        agents.load(engine()).choose(tempo.load("minishogi").start())


def test_what_is_kept_of_an_info_line() -> None:
    assert usi.info_of("info depth 3 score cp -5 nodes 9 pv 7g7f 3c3d") == {
        "cp": "-5", "mate": "", "nodes": "9", "pv": "7g7f 3c3d",
    }  # fmt: skip
    assert usi.info_of("info score mate + nodes") == {"mate": "+", "cp": ""}
    assert usi.info_of("info string nodes 5 pv") == {}
    assert usi.info_of("info") == {}


def test_an_engine_that_resigns_has_lost(engine: Any) -> None:
    spec = engine(SAYS.replace("MOVE", "resign"))
    with pytest.raises(agents.Resigns):
        chosen(spec)
    result = arena.match((spec, "random"), "shogi", games=2, openings=[arena.Opening()])
    assert (result.wins, result.losses) == (0, 2)
    assert {record.reason for record in result.records} == {f"{spec} resigned"}
    assert {record.forfeit for record in result.records} == {None}


def test_an_illegal_move_and_a_false_declaration_forfeit(engine: Any) -> None:
    for move in ("5i5e", "win"):
        spec = engine(SAYS.replace("MOVE", move))
        result = arena.match((spec, "random"), "shogi", games=2, openings=[arena.Opening()])
        assert (result.losses, result.records[0].forfeit) == (2, "a")


# ---- engines that do not -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("go", "message"),
    [
        ("sys.exit(3)", r"it ended before bestmove \(exit status 3\)"),
        ('os.write(2, b"out of memory\\n"); os._exit(9)', "it last said: .*out of memory"),
        ('print("bestmove", flush=True)', "a bestmove without a move"),
        ('print("bestmove 7g7g7g", flush=True)', "'bestmove 7g7g7g' is no move; expected one like"),
        ('print("bestmove e2e4", flush=True)', "'bestmove e2e4' is no move"),
    ],
)
def test_faults_are_told_with_the_last_words(engine: Any, go: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        chosen(engine(go))


def test_noise_is_passed_over(engine: Any) -> None:
    noise = (
        r'sys.stdout.buffer.write(b"\xff\xfe\x00 bestmove\ninfo score cp x\ninfo nodes -\n"'
        r' + b"y" * 200_000 + b"\n\n" * 20_000); sys.stdout.flush(); '
    )
    choice = chosen(engine(noise + 'print("bestmove 2g2f ponder 3c3d  ", flush=True)'))
    assert GAME.start().move_text(choice.move) == "2g2f"
    assert choice.values == ()


def test_an_engine_that_is_late_is_told_to_stop(
    engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usi, "STOPPING", 0.3)
    waits = 'assert sys.stdin.readline() == "stop\\n"; print("bestmove 7g7f", flush=True)'
    assert chosen(engine(waits, late="0.1"))
    with pytest.raises(EngineError, match=r"no bestmove within 0\.15 s, nor after stop"):
        chosen(engine("pass", late="0.1"))


def test_an_engine_that_never_greets(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usi, "GREETING", 0.3)
    monkeypatch.setattr(process, "PATIENCE", 0.1)
    with pytest.raises(EngineError, match=r"no usiok within 0\.3 s; it last said: nothing"):
        chosen(engine(program="import time; time.sleep(60)"))
    monkeypatch.setattr(usi, "GREETING", 30)  # the next one ends by itself, on a busy machine late
    with pytest.raises(EngineError, match="it ended before usiok"):
        chosen(engine(program="input(); print('hello')"))
    with pytest.raises(
        EngineError, match="nowhere/engine cannot be started: there is no such program"
    ):
        chosen("usi:path=/nowhere/engine,byoyomi=1")


def test_nothing_is_left_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a program that ignores `quit` and signals, nor what it has started."""
    monkeypatch.setattr(process, "PATIENCE", 0.2)
    child = "import time, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    path = tmp_path / "stubborn.py"
    path.write_text(
        "import subprocess, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "print(child.pid, flush=True)\ntime.sleep(60)\n"
    )
    for how in ("closed", "forgotten"):
        engine = EngineProcess([sys.executable, str(path)])
        line = engine.read(time.monotonic() + 10, "a number")
        pids = [int(line or 0), engine._process.pid]
        if how == "closed":
            engine.close()
        del engine
        gc.collect()
        deadline = time.monotonic() + 5
        while any(map(is_running, pids)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not any(map(is_running, pids)), how


def test_a_signal_at_the_terminal_is_not_for_engines(engine: Any) -> None:
    agent: Any = agents.load(engine())
    agent.choose(GAME.start())
    group = os.getpgid(agent._engine._process._process.pid)
    assert group != os.getpgrp()
    agent.close()
    assert signal.getsignal(signal.SIGINT) is not None


# ---- matches against engines that do not ---------------------------------------------------------

FAULTS = {
    "exits": "sys.exit(3)",
    "is killed": "os.kill(os.getpid(), 9)",
    "stalls": "time.sleep(60)",
    "talks nonsense": 'print("bestmove castles", flush=True)',
    "floods without a newline": 'while True: sys.stdout.write("x" * 65536)',
    "floods with lines": 'while True: print("info string", "y" * 1000)',
    "floods its errors": 'while True: sys.stderr.write("z" * 65536)',
    "closes its output": "os.close(1); time.sleep(60)",
    "closes its input": (
        'os.close(0); print("bestmove", "7g7f" if "startpos" in position else "3c3d", flush=True);'
        " time.sleep(60)"
    ),
    "ignores every signal": (
        "import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 13, 15)]; time.sleep(60)"
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_engine_that_fails_loses_its_game_and_the_match_goes_on(
    engine: Any, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash ended the whole match, and an engine that never stopped talking hung it."""
    monkeypatch.setattr(usi, "STOPPING", 0.1)
    monkeypatch.setattr(process, "PATIENCE", 0.05)
    monkeypatch.setattr(process, "LINGERING", 0.1)
    pids = tmp_path / "pids"
    notes = f'open({str(pids)!r}, "a").write(str(os.getpid()) + "\\n")\n        '
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spec = engine(notes + FAULTS[fault], late="0.1")
    log = tmp_path / "match.jsonl"
    result = arena.match(
        (spec, "random"), "shogi(length=20)", games=2, openings=[arena.Opening()], log=log
    )
    assert result.losses == 2
    assert result.forfeits == result.failures == {"a": 2, "b": 0}
    assert all(record.reason.startswith("engine failure by usi:") for record in result.records)
    assert "2 by usi:" in str(result).replace("\n", " ")
    assert "(2 by engine failure)" in " ".join(str(result).split())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000, "KiB"
    assert read_log(log)[1] == list(result.records), "and the log says why"
    started = {int(line) for line in pids.read_text().split()}
    assert len(started) == 2, "one process a game"
    gc.collect()
    assert not any(map(is_running, started))


def test_an_engine_that_ends_between_games_is_started_again(engine: Any) -> None:
    spec = engine(SAYS.replace("MOVE", "resign") + "; sys.exit(0)")
    result = arena.match((spec, "random"), "shogi", games=4, openings=[arena.Opening()])
    assert {record.reason for record in result.records} == {f"{spec} resigned"}


def test_an_engine_that_never_worked_ends_the_match(tmp_path: Path) -> None:
    for path in ("/nowhere/engine", sys.executable + " -c 1", str(tmp_path)):
        with pytest.raises(process.NotStarted):
            arena.match((f"usi:path={path},byoyomi=1", "random"), "shogi", games=2)
    plain = tmp_path / "plain"
    plain.write_bytes(b"\x7fELF nonsense")
    plain.chmod(0o755)
    with pytest.raises(process.NotStarted, match=r"exit status 126.*Exec format error"):
        arena.match((f"usi:path={plain},byoyomi=1", "random"), "shogi", games=2)


def test_a_program_that_does_not_read_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PATIENCE", 0.05)
    monkeypatch.setattr(process, "DEAFNESS", 0.2)
    deaf = EngineProcess([sys.executable, "-c", "import time; time.sleep(60)"])
    with pytest.raises(EngineError, match="does not read"):
        deaf.send("x" * 1_000_000)
    deaf.close()


def test_no_engine_outlives_a_process_that_is_killed(tmp_path: Path) -> None:
    """Neither the engine, which ignores signals, nor what it has started in sessions of its own."""
    pids = tmp_path / "pids"
    stubborn = (
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "for depth in range(3):\n"
        f"    open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "    if os.fork(): break\n"
        "    os.setsid()\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    ours = (
        "import sys, threading, time\n"
        "from tempo.engines.process import EngineProcess\n"
        f"engine = EngineProcess([sys.executable, '-c', {stubborn!r}])\n"
        "engine.read(time.monotonic() + 20, 'a word')\n"
        "print(engine._process.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", ours], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        supervisor = int(parent.stdout.readline())
        deadline = time.monotonic() + 10
        while len(pids.read_text().split()) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        started = [supervisor, *map(int, pids.read_text().split())]
        assert len(started) == 4
        assert all(map(is_running, started))
        parent.kill()
    deadline = time.monotonic() + 10
    while any(map(is_running, started)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_running, started))


# ---- our own engine ------------------------------------------------------------------------------


def test_a_match_against_our_own_server(tmp_path: Path) -> None:
    path = tmp_path / "server.py"
    path.write_text('from tempo.protocols.serving import serve\nserve("usi", "random")\n')
    spec = f"usi:path={sys.executable} {path},byoyomi=0.05"
    result = arena.match((spec, "random"), "shogi(length=40)", games=2, seed=3)
    assert [record.forfeit for record in result.records] == [None, None]
    assert all(record.reason in ("length limit", "checkmate") for record in result.records)


# ---- GNU Shogi -----------------------------------------------------------------------------------

# As much of the program as the adapter speaks with, from what it was seen to say.
GNU = """
import sys
print("GNU Shogi 1.4.2", flush=True)
forced = editing = False
answers = iter(ANSWERS)
for line in sys.stdin:
    open(LOG, "a").write(line)
    word = line.strip()
    if word == "edit":
        editing = True
    elif editing:
        editing = word != "."
    elif word in ("new", "force"):
        forced = True
    elif word.startswith("level"):
        print("Clocks: 0 0", flush=True)
    elif word == "quit":
        break
    elif word in ("black", "white", ""):
        pass
    elif forced and word != "go":
        print("1.", word, 0, flush=True)
    else:
        forced = False
        print(f"1. {word} 0\\n{next(answers)}", flush=True)
"""


def gnu(folder: Path, *answers: str) -> tuple[Any, Path]:
    """An agent with a program that answers so, and the log of what it was told."""
    log, path = folder / "log", folder / "gnushogi"
    program = GNU.replace("LOG", repr(str(log))).replace("ANSWERS", repr(answers))
    path.write_text(f"#!{sys.executable}\n{program}")
    path.chmod(0o755)
    return agents.load(f"gnushogi:path={path},movetime=0.2"), log


def test_gnu_shogi_is_followed_move_by_move(tmp_path: Path) -> None:
    agent, log = gnu(tmp_path, "1. ... 3c3d -1000", "2. ... 8c8d -1000", "Black mates!")
    position: Any = GAME.start().play("7g7f")
    position = position.play(agent.choose(position).move).play("2g2f")
    position = position.play(agent.choose(position).move).play("2f2e")
    assert position.text.split(" ")[3] == "6"
    with pytest.raises(agents.Resigns):
        agent.choose(position)
    agent.close()
    lines = log.read_text().splitlines()
    assert lines[:4] == ["new", "level 0 0:02", "force", "edit"], "it had not seen the first move"
    assert lines[lines.index(".") :] == [".", "white", "go", "2g2f", "2f2e", "quit"]
    with pytest.raises(EngineError, match=r"expected movetime=0\.5"):
        gnushogi.GnuShogi.go(agent, Trail(), Limits(depth=3))


def test_gnu_shogi_is_set_up_anew_where_it_takes_a_game_for_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = ("1. ... 7g7f 0\nDrawn game!", "2. ... 1g1f 0", "2. ... 2g2f 0\nBlack mates!", "x")
    agent, log = gnu(tmp_path, *answers, "1. ... 9g9f 0")
    position: Any = GAME.start()
    position = position.play(agent.choose(position).move).play("3c3d")
    assert position.move_text(agent.choose(position).move) == "2g2f", "not what it said before"
    agent.reset(1)
    monkeypatch.setattr(gnushogi, "LATE", 0.2)
    with pytest.raises(EngineError, match=r"no move 0\.2 s after it was told to"):
        agent.choose(position.play("2g2f").play("8c8d"))
    agent.close()
    assert log.read_text().split("\n").count("new") == 3


def test_what_gnu_shogi_is_told_of_a_position() -> None:
    told = list(gnushogi._edited("4k4/4+P4/9/9/9/9/9/9/4K4 w G2p 1"))
    assert told == [
        "edit", "#", "p5b+", "k5i", "g*", "c", "k5a", "p*", "p*", "c", ".", "white",
    ]  # fmt: skip


# ---- the tool that meets real programs -----------------------------------------------------------


@pytest.fixture(scope="module")
def rungs() -> Any:
    path = Path(__file__).resolve().parent.parent / "tools" / "shogi_rungs.py"
    spec = importlib.util.spec_from_file_location("shogi_rungs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["shogi_rungs"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_programs_that_are_not_here_are_passed_over(
    rungs: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rungs, "found", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["shogi_rungs.py", "random", "--zshogi", str(tmp_path)])
    rungs.main()
    assert capsys.readouterr().out.splitlines() == [
        "gnushogi: not here; apt-get install gnushogi",
        "zshogi-1: not here; npm install zshogi, and --zshogi",
        "zshogi-3: not here; npm install zshogi, and --zshogi",
        "gpsshogi: not here; apt-get install gpsshogi",
    ]


def test_matches_are_kept_as_records(rungs: Any, engine: Any, tmp_path: Path) -> None:
    spec = engine(SAYS.replace("MOVE", "resign"))
    result = arena.match(("random", spec), "shogi", games=2, seed=4)
    rungs.keep(result, rungs.Rung("fake", spec), tmp_path)
    games = csa.read_file(tmp_path / "fake.csa")
    assert [game.result for game in games] == ["B+R", "W+R"]
    assert [game.headers["PB"] for game in games] == ["random", spec]
    assert '"wins": 2' in (tmp_path / "fake.json").read_text()
