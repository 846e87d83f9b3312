"""Positions and records of Jiu that several tests share."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import tempo
from tempo.games.jiu import PROFILES
from tempo.games.jiu import sgf as jiu
from tempo.games.jiu.board import size_of
from tempo.games.jiu.turns import play_turn, read_turn
from tempo.games.record import Record

DATA = Path(__file__).resolve().parent / "data"

# The rules of the worked examples: a bare board, nothing but steps, jumps and squares.
BARE = "fly_threshold=0,min_stones=0,shape_check=off"
VARIETY = (
    *(
        f"size={size},{_options}"
        for size in (6, 8)
        for _options in (
            ",".join(f"{name}={value}" for name, value in profile.items())
            for profile in PROFILES.values()
        )
    ),
    "size=4",
    "size=6,square_capture=optional",
    "size=6,diagonal=anti,first_placer=black,battle_first=white",
    "size=6,move_dirs=eight,jump_dirs=eight",
    "size=6,chain_compulsory=yes,single_jump_ban=both,fly_threshold=14",
    "size=6,jumped_removed=end_of_turn,chain_revisit=none",
    "size=6,no_legal_turn=pass,capture_compulsory=yes",
    "size=6,square_count=every_landing,square_targets=outside_squares",
    "size=6,formation_bonus=jq,line_capture=on,fly_jump=no,repetition=forbid",
    "size=6,max_battle_plies=30,limit_result=material1",
)
SPECS = tuple(f"jiu({options.rstrip(',')})" for options in VARIETY)


E6 = ("......", "......", "XO.O..", "......", "......", "......")
E11 = ("......", ".XXX..", ".X.X..", "..X...", "....OO", "...OOO")
E21 = ("X....O", "......", "XO..X.", "......", "X.....", "XX..OO")


def board(rows: Iterable[str], turn: str = "x", options: str = BARE) -> Any:
    """A battle position drawn with X, O and dots, as the rules' examples are."""
    lines = [row.replace(" ", "").lower() for row in rows]
    game = tempo.load(f"jiu(size={len(lines)},{options})")
    runs = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), line) for line in lines)
    return game.parse(f"{runs} {turn} battle 0 0")


def random_record(spec: str, seed: int, moves: int = 10_000) -> Record:
    """A random game, ended by its rules or broken off; never where a stop is missing."""
    stream = random.Random(seed)
    position: Any = tempo.load(spec).start()
    played: list[int] = []
    while not position.is_over and (len(played) < moves or "stop" in position.legal_moves):
        legal = position.legal_moves
        move = legal[stream.randrange(len(legal))]
        jumping = len(played) >= moves and "stop" in legal
        move = position.parse_move("stop") if jumping else move
        played.append(move)
        position = position.play(move)
    texts = [text for move in position.legal_moves if (text := position.move_text(move))[0] == "-"]
    if texts:  # a chain that must go on
        return random_record(spec, seed, moves + 1)
    return Record(spec, _takes_ascending(played, spec), result=jiu.result_of(position.outcome))


def _takes_ascending(moves: list[int], spec: str) -> tuple[int, ...]:
    """The same turns with their taken stones in the order in which records have them."""
    points = size_of(tempo.load(spec)) ** 2
    takes = range(points * (points + 9), points * (points + 10))
    runs = groupby(moves, key=lambda move: move in takes)
    return tuple(chain.from_iterable(sorted(run) if is_take else run for is_take, run in runs))


def master_game() -> tuple[Any, Any, list[str]]:
    """The two positions from which Black moves in the master game, and its 72 turns."""
    lines = (DATA / "jiu" / "golden.txt").read_text().splitlines()
    rows = [line for line in lines if line and set(line) <= set("XO. ")]
    texts = [line.split()[1] for line in lines if line.split(" ")[0].isdigit()]
    first = tempo.load("jiu").parse(board(rows).text)
    position: Any = first
    for text in texts[:23]:
        for move in jiu.parse_turn(position, text):
            position = position.play(move)
    stones, _, rest = position.text.split(" ", 2)
    return first, tempo.load("jiu").parse(f"{stones} x {rest}"), texts


def master_records() -> tuple[Record, Record]:
    """The game, and the continuation that one master demonstrated."""
    first, second, texts = master_game()
    headers = {"EV": "A master against a program", "DT": "2020"}

    def moves(position: Any, part: list[str]) -> tuple[int, ...]:
        found: list[int] = []
        for number, text in enumerate(part, start=1):
            turn = play_turn(position, read_turn(text), complete=number < len(part))
            found.extend(turn.moves)
            position = turn.after
        return tuple(found)

    return (
        Record("jiu", moves(first, texts[:23]), first.text, headers, "B+D"),
        Record("jiu", moves(second, texts[23:]), second.text, {"EV": "A demonstration"}),
    )
