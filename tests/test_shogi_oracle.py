"""Shogi against cshogi and python-shogi (test oracles, nothing the package uses).

A test run compares some thousands of positions of random play and of alpha-beta on material. The
long comparison is a command of its own:

    python tests/test_shogi_oracle.py POSITIONS [SEED]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import cshogi
import pytest
import reference.shogi
import shogi as python_shogi

import tempo
from tempo import agents

GAME = tempo.load("shogi(declaration=on)")
CHUNKS = 2
POSITIONS = 1000  # in each chunk of random play
ENGINE_POSITIONS = 400  # the same of the engine's, which takes its time
SECOND_EVERY = 10  # python-shogi takes milliseconds a position
# Starts from which drops, promotions, entering kings and pawn-drop mates come soon.
STARTS = (
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 1",
    "8k/9/8G/9/9/9/9/9/K6R1 b P2b3g4s4n4l17p 1",
    "1K7/+P+P+P+P+PGR2/B1N1S1P2/9/9/9/2+p+p+p+p+p2/1s1g1r3/6k2 w BGSN2L2Pgs2n2l2p 160",
)
Chooser = Callable[[Any, Random], str]


def random_move(position: Any, random: Random) -> str:
    moves = position.legal_moves
    text: str = position.move_text(moves[int(random.random() * len(moves))])
    return text


def engine_move() -> Chooser:
    """Alpha-beta on material, with a random move now and then so that games differ."""
    agent = agents.load("alphabeta:nodes=100,eval=static,table=1")

    def choose(position: Any, random: Random) -> str:
        if position.in_check or random.random() > 0.15:
            text: str = position.move_text(agent.choose(position).move)
            return text
        return random_move(position, random)

    return choose


class Comparison:
    """One game in all three programs, compared before each move."""

    def __init__(self, sfen: str, seen: Counter[str], second: int) -> None:
        self.position: Any = GAME.parse(sfen)
        self.board = cshogi.Board(sfen)
        self.slow = python_shogi.Board(sfen)
        self.played: list[str] = []
        self.first = sfen
        self.seen = seen
        self.second = second

    def about(self) -> str:
        return f"{self.first} {' '.join(self.played)}"

    def compare(self) -> bool:
        """Asserts that all agree; says whether the game goes on."""
        position, board, seen = self.position, self.board, self.seen
        theirs = [cshogi.move_to_usi(move) for move in board.legal_moves]
        end = position.outcome
        declared = end is not None and end.reason == "declaration"
        assert declared == board.is_nyugyoku(), self.about()
        if declared or (end is not None and end.reason in {"length limit", "fourfold repetition"}):
            seen[end.reason] += 1
            return False
        ours = [position.move_text(move) for move in position.legal_moves]
        assert sorted(ours) == sorted(theirs), self.about()
        assert position.in_check == board.is_check(), self.about()
        assert position.text == board.sfen(), self.about()
        if len(self.played) % self.second == 0:
            third = {move.usi() for move in self.slow.legal_moves}
            if third != set(ours):
                assert third - set(ours) == self.overlooked_mate(), self.about()
                seen["overlooked by python-shogi"] += 1
            assert third >= set(ours), self.about()
            assert position.text == self.slow.sfen(), self.about()
            seen["python-shogi"] += 1
        seen["positions"] += 1
        seen["in check"] += position.in_check
        seen["checkmate"] += end is not None and end.reason == "checkmate"
        seen["pawn-drop mates"] += self.forbidden_pawn()
        return bool(ours)

    def overlooked_mate(self) -> set[str]:
        """The pawn drop that mates by the slow rules. python-shogi lists it where the only piece
        that could take the pawn is pinned, or the only flight is in the line of a check: it looks
        at neither (its own comment says so of the king)."""
        slow = reference.shogi.Game({"length": "500", "repetition": "draw"}, self.position.text)
        mating = set(slow.candidates()) - set(slow.legal())
        return {
            move
            for move in mating
            if move.startswith("P*") and not slow.attacked(slow.after(move)[0], slow.turn)
        }

    def forbidden_pawn(self) -> bool:
        """Whether a pawn may not be dropped because it would mate; the move lists have agreed."""
        file, rank = divmod(self.board.king_square(1 - self.board.turn), 9)
        rank += 1 if self.board.turn == cshogi.BLACK else -1
        if not 0 <= rank < 9:
            return False
        try:
            self.position.parse_move(f"P*{file + 1}{'abcdefghi'[rank]}")
        except tempo.IllegalMove as refused:
            return "dropped to give mate" in str(refused)
        return False

    def play(self, move: str) -> None:
        self.seen["drops"] += "*" in move
        self.seen["promotions"] += move.endswith("+")
        self.position = self.position.play(move)
        self.board.push_usi(move)
        self.slow.push_usi(move)
        self.played.append(move)


def compare_games(
    choose: Chooser, random: Random, positions: int, seen: Counter[str], second: int
) -> None:
    """Plays and compares until `wanted` positions have been seen."""
    until = seen["positions"] + positions
    while seen["positions"] < until:
        game = Comparison(random.choice(STARTS), seen, second)
        while seen["positions"] < until and len(game.played) < 300:
            if not game.compare():
                break
            game.play(choose(game.position, random))


@pytest.mark.parametrize("seed", range(CHUNKS))
def test_random_play_agrees(seed: int) -> None:
    seen: Counter[str] = Counter()
    compare_games(random_move, Random(seed), POSITIONS, seen, SECOND_EVERY)
    for what in ("in check", "drops", "promotions", "python-shogi"):
        assert seen[what] > 0, f"no {what} among the positions of seed {seed}"


@pytest.mark.parametrize("seed", range(CHUNKS))
def test_engine_play_agrees(seed: int) -> None:
    seen: Counter[str] = Counter()
    compare_games(engine_move(), Random(seed), ENGINE_POSITIONS, seen, SECOND_EVERY)
    for what in ("in check", "drops", "promotions", "checkmate", "python-shogi"):
        assert seen[what] > 0, f"no {what} among the positions of seed {seed}"


def test_python_shogi_overlooks_a_pinned_defender() -> None:
    """Where the oracles differ the slow rules and cshogi are with us: the bishop is pinned."""
    sfen = "S1+L1n4/3n2s2/+b4gg2/6n1k/9/P2lgp3/s2+np1p2/1l1Ps4/KB1rP1G2 w l12p 68"
    assert "P*9h" in {move.usi() for move in python_shogi.Board(sfen).legal_moves}
    assert "P*9h" not in {cshogi.move_to_usi(move) for move in cshogi.Board(sfen).legal_moves}
    assert "P*9h" not in GAME.parse(sfen).legal_moves
    assert Comparison(sfen, Counter(), 1).compare()


def test_the_same_positions_are_over() -> None:
    """A mate, a side without moves, a declaration, and what is almost one."""
    for sfen, reason in (
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 12", "checkmate"),
        ("8k/9/8G/9/9/9/9/9/K6R1 w - 2", "stalemate"),
        ("KRRBB4/GGGGSSSS1/9/9/9/9/9/9/8k b - 100", "declaration"),
        ("KRRBB4/GGGGSSS2/9/9/9/9/9/9/8k b - 100", None),
        ("KRRBB4/PP1PP4/9/9/9/9/9/9/8k b 10P 100", None),
        ("8K/9/9/9/9/9/9/1ggggssss/krrbb4 w - 100", "declaration"),
        ("8K/9/9/9/9/9/9/1ggggsss1/krrbb4 w - 100", "declaration"),
        ("8K/9/9/9/9/9/9/1ggggss2/krrbb4 w - 100", None),
        ("K1RBB4/GGGGSSSS1/9/9/9/9/9/9/r7k b 9P 100", "declaration"),
        ("K1RBB4/1GGGSSSS1/9/9/9/9/9/9/r7k b 9P 100", None),  # in check
    ):
        found = GAME.parse(sfen).outcome
        assert (found and found.reason) == reason, sfen
        assert cshogi.Board(sfen).is_nyugyoku() == (reason == "declaration"), sfen


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3}:
        sys.exit("usage: python tests/test_shogi_oracle.py POSITIONS [SEED]")
    wanted, chosen = int(sys.argv[1]), Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for way, chooser in (("random play", random_move), ("engine play", engine_move())):
        counted: Counter[str] = Counter()
        begun = time.process_time()
        compare_games(chooser, chosen, wanted // 2, counted, second=1)
        spent = time.process_time() - begun
        figures = ", ".join(f"{counted[what]:,} {what}" for what in sorted(counted))
        print(f"{way}: no difference; {figures}; {spent:.0f} s of CPU", flush=True)
