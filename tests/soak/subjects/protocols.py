"""Protocols: streams of lines into the real servers, and what other programs may answer us."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any

from soak.mutating import Texts
from soak.subject import REFUSALS, Subject
from soak.subjects.files import scratch
from tempo import agents, games, testing
from tempo.engines import gnushogi, usi
from tempo.errors import IllegalMove
from tempo.protocols.gomocup import GomocupServer
from tempo.protocols.server import DIALECTS, EngineServer

WAIT = 20.0  # seconds for an answer that must come
AGENTS = ("random", "mcts:sims=4", "alphabeta:depth=1,nodes=50")
PROGRAM = "/PROGRAM"  # stands for one that must never be started, and leaves a file if it is
CANARY = "canary"


# ---- our engines ---------------------------------------------------------------------------------


ANY = "othello"  # what a protocol of any game is tried with


@lru_cache
def games_of(name: str) -> list[list[str]]:
    """The moves of some random games, as text."""
    found = []
    for seed in range(12):
        positions = list(testing.random_game(games.load(name), seed, 12))
        moves = []
        for before, after in itertools.pairwise(positions):
            moves.append(next(before.move_text(m) for m in before.legal_moves
                              if before.play(m) == after))  # fmt: skip
        found.append(moves)
    return found


def canary() -> Path:
    """A program that leaves a file behind when somebody starts it."""
    path = scratch() / "program.sh"
    if not path.exists():
        path.write_text(f"#!/bin/sh\ntouch {scratch() / CANARY}\n")
        path.chmod(0o755)
    return path


def engine_lines(name: str) -> list[str]:
    """What a board on the screen may say in UCI or USI."""
    dialect = DIALECTS[name]
    game = dialect.game or ANY
    moves = [" ".join(line) for line in games_of(game)]
    text = games.load(game).start().text
    return [
        name,
        "isready",
        f"{name}newgame",
        "position startpos",
        "stop",
        "ponderhit",
        *(f"position startpos moves {line}" for line in moves),
        f"position {dialect.position} {text}",
        f"position {dialect.position} {text} moves {moves[1]}",
        "go nodes 20",
        "go depth 1",
        "go movetime 60",
        "go ponder",
        "go infinite",
        f"go {dialect.clocks[0]} 100 {dialect.clocks[1]} 100 {dialect.increments[0]} 1 byoyomi 10",
        "go mate 10",
        "go mate infinite",
        "setoption name MoveOverhead value 30",
        "setoption name Hash value 16",
        "setoption name MultiPV value 3",
        "query gameover",
        "query result",
        "query legalmoves",
        "gameover win",
        "debug on",
        "register later",
        *(f"setoption name Agent value {agent}" for agent in AGENTS),
        f"setoption name Agent value usi:path={PROGRAM},nodes=1",
        f"setoption name Agent value gnushogi:path={PROGRAM}",
    ]


def make_stream(texts: Texts, random: Random) -> list[str]:
    """A conversation."""
    return [
        random.choice(texts.corpus) if random.random() < 0.6 else texts(random).replace("\n", " ")
        for _ in range(random.randrange(1, 16))
    ]


def talk_engine(name: str, lines: list[str]) -> str:
    """Every line is answered in the protocol's words; every `go` by one best move."""
    said: list[str] = []
    (scratch() / CANARY).unlink(missing_ok=True)
    game = None if DIALECTS[name].game else ANY
    server = EngineServer(DIALECTS[name], "random", said.append, game)
    program = str(canary())
    server.serve(line.replace(PROGRAM, program) for line in lines)
    until = time.monotonic() + WAIT
    while server.is_searching and time.monotonic() < until:
        time.sleep(0.002)
    assert not (scratch() / CANARY).exists(), "a line from outside started a program"
    answers = ("id ", "option ", f"{name}ok", "readyok", "info ", "bestmove ", "checkmate ")
    known = (*answers, "response ") if name == "ugi" else answers
    assert all(line.startswith(known) and "\n" not in line for line in said), said
    moves = sum(line.startswith("bestmove") for line in said)
    asked = sum(line.split()[:1] == ["go"] for line in lines)
    assert moves <= asked, (moves, asked)
    complaints = sum("error" in line for line in said)
    return "accepted" if not complaints else "refused: a line"


def gomocup_lines() -> list[str]:
    """What Gomocup's manager may say; a BOARD comes in one piece."""
    return [
        "START 15", "START 5", "RECTSTART 9,9", "RESTART", "BEGIN", "TURN 3,3", "TURN 0,0",
        "TURN 14,14", "BOARD|3,3,1|3,4,2|DONE", "BOARD|0,0,2|DONE", "BOARD|DONE", "TAKEBACK 3,3",
        "INFO timeout_turn 20", "INFO time_left 1000", "INFO rule 1", "INFO rule 0",
        "INFO max_memory 1000", "ABOUT", "SWAP2BOARD|DONE", "END",
    ]  # fmt: skip


def talk_gomocup(lines: list[str]) -> str:
    """Every line is answered in the protocol's words."""
    said: list[str] = []
    server = GomocupServer("random", said.append)
    server.serve(part for line in lines for part in line.split("|"))
    known = ("OK", "UNKNOWN", "ERROR", 'name="', "SWAP")
    for line in said:
        assert "\n" not in line
        numbers = line.replace(" ", ",").split(",")  # a point, or the three that open a game
        assert line.startswith(known) or all(word.isdigit() for word in numbers), said
    return (
        "accepted" if not any(line.startswith(known[1:3]) for line in said) else "refused: a line"
    )


# ---- other programs ------------------------------------------------------------------------------

# It says all it has to say at once, then goes when it is told to.
SCRIPT = """#!/bin/sh
cat "$1"
while read -r line; do [ "$line" = quit ] && exit; done
"""


def engine_texts() -> list[str]:
    """What engines of shogi say in a game of one move."""
    greeting = "id name Fake 1\noption name Depth type spin default 3\nusiok\nreadyok\nreadyok\n"
    info = "info depth 1 score cp 600 nodes 42 pv 7g7f 3c3d\n"
    return [
        f"{greeting}{info}bestmove 7g7f\n",
        f"{greeting}bestmove resign\n",
        f"{greeting}bestmove win\n",
        f"{greeting}info score mate -3 string x\nbestmove 2g2f ponder 3c3d\n",
        f"{greeting}info string bestmove 1a1b\ninfo nodes 9999999999999\nbestmove P*5e\n",
    ]


def make_answer(random: Random) -> bytes:
    """What a hostile engine says."""
    text = TEXTS(random)
    if random.random() < 0.02:
        text = "info string " + "x" * 200_000 + "\n" + text
    return text.encode("utf-8", "surrogatepass")


TEXTS = Texts(
    engine_texts, ("bestmove", "info", "usiok\n", "readyok\n", "7g7f", "pv", "score", "cp")
)


def play_against(data: bytes) -> str:
    """A legal move, a resignation, or an error that names the engine; its process ends."""
    usi.GREETING = usi.LOADING = usi.STOPPING = usi.UNTIMED = 0.3
    gnushogi.GREETING = gnushogi.LATE = 0.3
    program, said = scratch() / "engine.sh", scratch() / "said.txt"
    if not program.exists():
        program.write_text(SCRIPT)
        program.chmod(0o755)
    said.write_bytes(data)
    agent: Any = agents.load(f"usi:path={program} {said},nodes=1,late=0")
    position = games.load("shogi").start()
    try:
        choice = agent.choose(position)
        # An engine may answer an illegal move: the caller checks that.
        return "accepted" if position.is_legal(choice.move) else "accepted, illegal"
    except agents.Resigns:
        return "accepted, resigns"
    finally:
        agent.close()


def subjects() -> Iterator[Subject]:
    """A stream for every dialect there is, Gomocup, and a hostile engine."""
    for name in DIALECTS:
        texts = Texts(partial(engine_lines, name), AGENTS)
        talk: Callable[[Any], str] = partial(talk_engine, name)
        yield Subject(
            f"protocols.{name}",
            partial(make_stream, texts),
            talk,
            (),
            slice=25,
            weight=2,
            patience=40,
            memory=0,
        )
    texts = Texts(gomocup_lines)
    yield Subject("protocols.gomocup", partial(make_stream, texts), talk_gomocup, (), slice=100)
    yield Subject("protocols.engines", make_answer, play_against,
                  (*REFUSALS, IllegalMove), slice=10, weight=2, patience=40, memory=0)  # fmt: skip
