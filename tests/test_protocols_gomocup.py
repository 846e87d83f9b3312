"""Our agents behind Gomocup's protocol: scripted sessions, and lines without sense."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator

import pytest
from mutations import mutated

from tempo.ledger import peak_memory
from tempo.protocols.gomocup import GomocupServer

WAIT = 20.0  # seconds, for machines under load


def brain(*lines: str, agent: str = "random", answers: int = 0) -> list[str]:
    """What it says to these lines; the input ends when it has said so much."""
    said: list[str] = []

    def held() -> Iterator[str]:
        yield from lines
        until = time.monotonic() + WAIT
        while len(said) < answers and time.monotonic() < until:
            time.sleep(0.002)

    GomocupServer(agent, said.append).serve(held())
    return said


POINT = r"\d+,\d+"


def test_a_game_of_gomocup() -> None:
    said = brain("START 15", "BEGIN", "TURN 3,4", "RESTART", "TURN 0,0", "END", "BEGIN")
    assert [bool(re.fullmatch(POINT, line)) for line in said] == [False, True, True, False, True]
    assert said[0] == said[3] == "OK"


def test_gomocups_boards() -> None:
    four = [f"{column},2,1" for column in range(4)] + [f"{column},9,2" for column in range(4)]
    win = brain("START 15", "BOARD", *four, "DONE", agent="alphabeta:depth=1", answers=2)
    assert win == ["OK", "4,2"], "Black, with as many stones"
    won = brain("START 15", "BOARD", *four, "14,14,2", "DONE", agent="alphabeta:depth=1", answers=2)
    assert won == ["OK", "4,2"], "White, with one less"


def test_gomocups_rule_and_time() -> None:
    said: list[str] = []
    server = GomocupServer("mcts", said.append)
    server.serve(
        ["START 9", "INFO rule 1", "INFO timeout_turn 250", "INFO time_left 30000", "BEGIN"]
    )
    assert server._past[-1].game == "gomoku(size=9,rule=exactly_five)"
    assert server._seconds() == pytest.approx(0.2)
    server.serve(["INFO time_left 1500", "INFO folder /tmp", "INFO"])
    assert server._seconds() == pytest.approx(0.05)
    assert GomocupServer("random", said.append)._seconds() is None


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        (("timeout_turn 30",), 0.015),
        (("timeout_turn 4",), 0.002),
        (("timeout_turn 0",), 0.001),
        (("timeout_turn 1000", "time_left -20"), 0.001),
        (("timeout_turn 1000", "time_left 2147483647"), 0.95),
        (("time_left 2147483647",), None),
        (("timeout_match 0", "time_left 5"), None),
    ],
)
def test_gomocups_limits(told: tuple[str, ...], seconds: float | None) -> None:
    said: list[str] = []
    server = GomocupServer("random", said.append)
    server.serve([f"INFO {each}" for each in told])
    assert server._seconds() == (None if seconds is None else pytest.approx(seconds))


def test_gomocups_tiny_limits_are_kept() -> None:
    """By the CPU time of this process, so that other work on the machine does not count."""
    game = ["RESTART", "TURN 0,0", "TURN 19,19", "TURN 0,19", "TURN 19,0"]  # too short to be won
    begun = time.process_time()
    said = brain(
        "START 20", "INFO timeout_turn 20", *game * 3, agent="gomoku-strong", answers=16
    )  # fmt: skip
    assert time.process_time() - begun < 12 * 0.02 + 0.15
    assert sum(bool(re.fullmatch(POINT, line)) for line in said) == 12


@pytest.mark.parametrize(
    ("number", "named"),
    [(4, "renju"), (5, "renju"), (2, "continuous games"), (8, "caro"), (16, "")],
)
def test_gomocup_refuses_rules_that_are_not_played(number: int, named: str) -> None:
    said = brain("START 15", f"INFO rule {number}", "BEGIN", "TURN 1,1", "INFO rule 0", "BEGIN")
    refusal = f"ERROR rule {number} ({named or 'unknown'}) is not played here"
    assert [line.startswith(refusal) for line in said] == [False, True, True, True, False]
    assert re.fullmatch(POINT, said[4]), "the other rule is played again"


def test_gomocups_empty_board_needs_no_thinking() -> None:
    said: list[str] = []
    begun = time.process_time()
    GomocupServer("gomoku-strong:time=5", said.append).serve(["START 15", "BEGIN"])
    assert said == ["OK", "7,7"]
    assert time.process_time() - begun < 1


def test_gomocups_stop_has_the_best_move_played() -> None:
    said: list[str] = []

    def lines() -> Iterator[str]:
        yield from ("START 15", "STOP", "BEGIN")
        time.sleep(0.1)
        assert said == ["OK"], "a STOP before the command stops nothing"
        yield "YXSTOP"
        until = time.monotonic() + WAIT
        while len(said) < 2 and time.monotonic() < until:
            time.sleep(0.002)
        assert re.fullmatch(POINT, said[1])
        yield "ABOUT"

    GomocupServer("mcts:sims=1000000000", said.append).serve(lines())
    assert said[2].startswith("name=")


def test_gomocup_is_told_what_the_agent_thinks() -> None:
    said: list[str] = []

    def lines() -> Iterator[str]:
        yield from ("START 15", "BOARD", "7,7,1", "8,6,2", "DONE")
        until = time.monotonic() + WAIT
        while len(said) < 3 and time.monotonic() < until:
            time.sleep(0.002)
        yield "STOP"
        while len(said) < 5 and time.monotonic() < until:
            time.sleep(0.002)

    GomocupServer("gomoku-strong:time=1000", said.append).serve(lines())
    told = r"MESSAGE depth \d+ time \d+ nodes \d+ nps \d+ score cp -?\d+ pv \d+,\d+( \d+,\d+)*"
    assert all(re.fullmatch(told, line) for line in said[1:-1]), said
    assert len(said) >= 5, "while it thinks, and before its move"
    assert said[-2].split(" pv ")[1].split()[0] == said[-1]


def test_gomocups_memory_is_obeyed() -> None:
    said: list[str] = []
    server = GomocupServer("gomoku-strong:nodes=10", said.append)
    server.serve(["INFO max_memory 0", "START 9", "BEGIN"])
    assert server._agent.within(None, memory=server._memory).name == "gomoku-strong:nodes=10"
    server.serve([f"INFO max_memory {peak_memory() + 20 * 2**20 + 900_000}", "START 9", "BEGIN"])
    assert server._agent.within(None, memory=server._memory).name.endswith("table=4")
    server.serve(["INFO max_memory 1", "START 9", "BEGIN"])
    assert server._agent.within(None, memory=server._memory).name.endswith("table=0")


def test_gomocups_swap2() -> None:
    agent = "gomoku-strong:nodes=2000"

    def answer(*stones: str) -> str:
        return brain("START 15", "SWAP2BOARD", *stones, "DONE", agent=agent, answers=2)[1]

    first = answer()
    assert len(set(first.split())) == 3
    assert all(re.fullmatch(POINT, point) for point in first.split())
    # White is to move: against three stones of Black's in a row it swaps; with two it stays.
    assert answer("7,7", "0,0", "8,7", "0,14", "9,7") == "SWAP"
    assert re.fullmatch(POINT, answer("0,0", "7,7", "14,0", "8,7", "0,14"))
    assert answer("1,1").startswith("ERROR 1 stones")
    assert answer("1,1", "1,1", "1,2").startswith("ERROR 1,1 is given twice")


def test_gomocups_end_ends_a_move() -> None:
    said: list[str] = []

    def lines() -> Iterator[str]:
        yield from ("START 15", "BEGIN")
        time.sleep(0.1)
        assert said == ["OK"]
        yield "END"

    begun = time.monotonic()
    GomocupServer("mcts:sims=1000000000", said.append).serve(lines())
    assert time.monotonic() - begun < 0.6
    assert len(said) == 2, said


def test_moves_taken_back() -> None:
    said: list[str] = []
    server = GomocupServer("random", said.append)
    server.serve(["START 5", "BOARD", "1,1,2", "DONE", "TAKEBACK 1,1"])
    assert said[2] == "ERROR 1,1 was not the last move", "the last one was its own"
    server.serve([f"TAKEBACK {said[1]}", f"TAKEBACK {said[1]}", "BEGIN"])
    assert said[3] == "OK"
    assert said[4].startswith("ERROR ")
    assert re.fullmatch(POINT, said[5])


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("FOO", "UNKNOWN FOO; there are START"),
        ("START", "ERROR option size of gomoku cannot be ''"),
        ("START 99", "ERROR option size of gomoku cannot be '99'"),
        ("RECTSTART 10,12", "ERROR a board of 10,12; expected a square one"),
        ("BEGIN", "ERROR no game yet; expected START 15"),
        ("TURN 1,1", "ERROR no game yet"),
        ("RESTART", "ERROR no game yet"),
    ],
)
def test_what_gomocup_does_not_understand(line: str, answer: str) -> None:
    said = brain(line, "ABOUT")
    assert said[0].startswith(answer)
    assert said[1].startswith('name="Tempo random"')


def test_what_gomocup_does_not_understand_in_a_game() -> None:
    said = brain(
        "START 5", "TURN 5,0", "TURN x", "BOARD", "1,1", "1,1,3", "DONE", "BOARD", "1,1,1", "DONE",
        "BOARD", "1,1,1", "2,2,2", "1,1,2", "DONE", "BOARD", "1,1,2", "3,1,3", "DONE"
    )  # fmt: skip
    assert said[1:3] == [
        "ERROR '5,0' is not a point; expected column,row from 0",
        "ERROR 'x' is not a point; expected column,row from 0",
    ]
    assert said[3] == "ERROR '1,1' is not a stone; expected column,row,1 or 2"
    assert said[4].startswith("ERROR ")
    assert said[5] == "ERROR 1,1 is given twice"
    assert said[6].startswith("ERROR '3,1,3' is a stone of a finished line: continuous games are")


def test_damaged_sessions_never_end_the_brain() -> None:
    script = "START 7\nINFO rule 1\nBEGIN\nTURN 3,3\nBOARD\n1,1,1\n2,2,2\nDONE\nTAKEBACK 1,1\n"
    stream = random.Random(3)
    for _ in range(300):
        lines = mutated(script, ("\n", " ", ",", "-1", "99", "DONE", "é"), stream).split("\n")
        assert "END" in lines or brain(*lines, "DONE", "ABOUT")[-1].startswith('name="Tempo')
