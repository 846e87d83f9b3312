"""The rules of Jiu: worked examples, a master game, and games of a program nobody here wrote.

Every fact is asked of the slow reference and of the core alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from game_data import DATA, load
from jiu_tables import CoreTable, SlowTable, Table, stones
from reference import jiu as slow
from reference import jiu_board as slow_board

FOLDER = DATA / "jiu"
EXAMPLE_OPTIONS = {"fly_threshold": "0", "min_stones": "0", "shape_check": "off"}

# GongJiu is the program of PEKEW/BJUTjiuqi; the three records are its games against itself. It
# bans the single jump for both sides once one flies, and stops when "more than 15" plies
# have passed without a capture; its games end by material alone.
GONGJIU = slow.PROFILES["gongjiu"]
GONGJIU_ENDS = {
    1: ("material", (-1.0, 1.0)),
    2: ("no capture", (0.0, 0.0)),
    3: ("material", (-1.0, 1.0)),
}

Make = Callable[..., Table]


@pytest.fixture(params=[SlowTable, CoreTable], ids=["reference", "core"])
def make(request: pytest.FixtureRequest) -> Make:
    """The two implementations of the rules."""
    made: Make = request.param
    return made


def read_options(text: str) -> dict[str, str]:
    return dict(item.split("=", 1) for item in text.split(",") if item)


def position_text(rows: list[str], side: str) -> str:
    """A battle position from lines of `X`, `O` and dots."""
    return "/".join(encode(row.replace(" ", "").lower()) for row in rows) + f" {side} battle 0 0"


def encode(row: str) -> str:
    """`..x.` as `2x1`."""
    text, empty = "", 0
    for held in row:
        if held != "." and empty:
            text += str(empty)
        empty = empty + 1 if held == "." else 0
        text += held if held != "." else ""
    return text + (str(empty) if empty else "")


# The worked examples --------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    """A block of the examples' file: where it starts and what is then done and asked."""

    title: str
    options: dict[str, str]
    rows: list[str]
    script: list[str]


def read_example(block: str) -> Example:
    title, *lines = block.splitlines()
    options = read_options(lines.pop(0).removeprefix("options ")) if "options" in lines[0] else {}
    rows = [line for line in lines if set(line) <= set("XO. ")]
    if rows:
        options = EXAMPLE_OPTIONS | {"size": str(len(rows))} | options
    return Example(title, options, rows, [line for line in lines if line not in rows])


def examples() -> list[Example]:
    lines = (FOLDER / "examples.txt").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return [read_example(block) for block in text.strip().split("\n\n")]


class Stage:
    """A table on which the lines of an example are played and checked."""

    def __init__(self, make: Make, example: Example) -> None:
        self.make = make
        self.options = example.options
        start = position_text(example.rows, "x") if example.rows else ""
        self.table = make(example.options, start)

    def run(self, line: str) -> None:
        verb, *words = line.split()
        if verb != "outcome":
            words = [word for word in words if word != "none"]
        getattr(self, verb)(*words)

    # What is done.

    def to(self, _move: str, side: str) -> None:
        rows, _, rest = self.table.text().split(" ", 2)
        text = f"{rows} {side.lower()} {rest}"
        if text != self.table.text():
            self.table = self.make(self.options, text)

    def place(self, *points: str) -> None:
        for point in points:
            self.table.place(point)

    def play(self, turn: str) -> None:
        play_turn(self.table, turn)

    # What is asked.

    def placements(self, *points: str) -> None:
        assert set(self.table.placements()) == set(points)

    def displacements(self, *ways: str) -> None:
        assert sorted(self.table.ways()) == sorted(ways)

    def count(self, what: str, number: str) -> None:
        found = self.table.ways() if what == "displacements" else self.table.placements()
        assert len(found) == len(set(found)) == int(number)

    def jumping(self, *ways: str) -> None:
        assert sorted(way for way in self.table.ways() if self.table.jumped(way)) == sorted(ways)

    def closing(self, *ways: str) -> None:
        assert sorted(way for way in self.table.ways() if self.table.takes(way)) == sorted(ways)

    def landing(self, point: str, *ways: str) -> None:
        ends = {way: way.replace("~", "-").split("-")[-1] for way in self.table.ways()}
        assert sorted(way for way, end in ends.items() if end == point) == sorted(ways)

    def illegal(self, *ways: str) -> None:
        assert not set(ways) & set(self.table.ways())

    def jumps(self, way: str, *points: str) -> None:
        assert self.table.jumped(way) == set(points)

    def targets(self, way: str, *points: str) -> None:
        assert self.table.targets(way) == set(points)

    def squares(self, way: str, number: str) -> None:
        """Squares beyond the stones left earn nothing, so that moves alone do not show them."""
        enemy = "x" if self.side() == "o" else "o"
        left = len(stones(self.table.text(), enemy) - self.table.jumped(way))
        assert self.table.takes(way) == min(int(number), left)
        if isinstance(self.table, SlowTable):
            game = self.table.game
            assert game.squares_closed(game.turn, self.table.way(way)) == int(number)

    def takes(self, way: str, number: str) -> None:
        assert self.table.takes(way) == int(number)

    def turns(self, way: str, number: str) -> None:
        assert self.table.turns(way) == int(number)

    def dalians(self, *shapes: str) -> None:
        assert sorted(self.table.dalians("x")) == sorted(shapes)

    def gates(self, *cells: str) -> None:
        assert sorted(self.table.gates("x")) == sorted(cells)

    def stones(self, side: str, number: str) -> None:
        assert len(stones(self.table.text(), side.lower())) == int(number)

    def side(self) -> str:
        return self.table.text().split()[1]

    def mover(self, side: str) -> None:
        assert self.side() == side.lower()

    def board(self, *rows: str) -> None:
        assert self.table.text().split()[0] == "/".join(encode(row.lower()) for row in rows)

    def outcome(self, reason: str, winner: str = "") -> None:
        scores = {"O": (1.0, -1.0), "X": (-1.0, 1.0), "draw": (0.0, 0.0)}
        expected = None if reason == "none" else (reason, scores[winner])
        assert self.table.outcome() == expected


def play_turn(table: Table, turn: str) -> None:
    """A turn as `G9-G7xG8*E7`; the jumped stones may be left out, the taken ones not."""
    rest, _, taken = turn.partition("*")
    way, _, jumped = rest.partition("x")
    if jumped:
        assert table.jumped(way) == set(jumped.split(",")), turn
    table.play(way, taken.split(",") if taken else [])


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.title)
def test_worked_example(make: Make, example: Example) -> None:
    stage = Stage(make, example)
    for number, line in enumerate(example.script):
        try:
            stage.run(line)
        except AssertionError as error:
            error.add_note(f"{example.title}, fact {number + 1}: {line}")
            raise


# The master game ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ply:
    """A turn of the master game; the stones of Black and White after it where they are known."""

    number: int
    turn: str
    left: tuple[int, int] | None


def golden() -> tuple[list[str], list[Ply]]:
    lines = (FOLDER / "golden.txt").read_text().splitlines()
    rows = [line for line in lines if line and set(line) <= set("XO. ")]
    plies = []
    for line in lines:
        number, _, rest = line.partition(" ")
        if number.isdigit():
            turn, _, left = rest.partition(" ; ")
            _, black, _, white = left.split() if left else ("", "", "", "")
            plies.append(Ply(int(number), turn, (int(black), int(white)) if left else None))
    return rows, plies


def side_of(ply: int) -> str:
    """Black moves at odd plies of the game and, moving twice at its end, at even ones later."""
    return "x" if (ply % 2 == 1) == (ply < 24) else "o"


def with_side(make: Make, table: Table, side: str) -> Table:
    rows, _, rest = table.text().split(" ", 2)
    return make({}, f"{rows} {side} {rest}")


def test_the_master_game_begins(make: Make) -> None:
    table = make({}, position_text(golden()[0], "x"))
    takes = {"F7-G7": 1, "G9-G7": 1}
    ways = ["F7-G7", "F8-H8", "G6-G7", "G9-G7", "H7-G7", "H7-H8", "I8-H8"]
    assert sorted(table.ways()) == ways
    assert {way: table.takes(way) for way in ways} == {way: takes.get(way, 0) for way in ways}
    assert [table.turns(way) for way in ways] == [98, 1, 1, 97, 1, 1, 1]
    assert table.jumped("F8-H8") == table.jumped("G9-G7") == {"G8"}


def test_the_master_game(make: Make) -> None:
    rows, plies = golden()
    assert [ply.number for ply in plies] == list(range(1, 73))
    table = make({}, position_text(rows, "x"))
    for ply in plies[:-1]:
        if ply.number == 24:
            table = with_side(make, table, "x")
        assert table.text().split()[1] == side_of(ply.number), ply
        play_turn(table, ply.turn)
        assert table.outcome() is None, ply
        black, white = len(stones(table.text(), "x")), len(stones(table.text(), "o"))
        assert ply.left is None or (black, white) == ply.left, ply
    last = plies[-1]
    assert table.takes(last.turn) == 1, "it completes a square, and nothing is taken for it"
    assert (len(stones(table.text(), "x")), len(stones(table.text(), "o"))) == last.left


def replayed(plies: int, options: dict[str, str] | None = None) -> slow.Game:
    """The master game after some plies, by the reference."""
    rows, turns = golden()
    game = slow.Game(options or {}, position_text(rows, "x"))
    for ply in turns[:plies]:
        if ply.number == 24:
            game.turn = 1
            game.listed.clear()
        game.play_turn(game.read_turn(ply.turn))
    return game


def test_shapes_of_the_master_game(make: Make) -> None:
    rows, plies = golden()
    table = make({}, position_text(rows, "x"))
    found = []
    for ply in plies[:11]:
        play_turn(table, ply.turn)
        found.append(bool(table.dalians("x")))
        if ply.number <= 3:
            assert not table.has_gate("o"), ply
    assert found.index(True) + 1 == 3
    assert [any(replayed(ply).double_dalians(1)) for ply in (10, 11)] == [False, True]


def test_rules_that_the_master_game_probes() -> None:
    turns = golden()[1]
    for ply in (48, 52, 60, 68):
        game = replayed(ply - 1)
        turn = game.read_turn(turns[ply - 1].turn)
        inside = {point for square in game.squares(0) for point in square}
        assert inside & set(turn.taken), f"ply {ply} takes from a square of White"
    for ply, squares in ((9, 1), (15, 1), (23, 1), (64, 1), (52, 2), (62, 2), (68, 2)):
        game = replayed(ply - 1)
        turn = game.read_turn(turns[ply - 1].turn)
        assert game.squares_closed(1, turn.displacement) == squares == len(turn.taken)
        assert bool(turn.displacement.jumped) == (ply not in (52, 62)), ply
    game = replayed(63)
    turn = game.read_turn(turns[63].turn)
    game.options["square_count"] = "every_landing"
    assert game.squares_closed(1, turn.displacement) == 2, "one of them on the way"


@pytest.mark.parametrize("profile", slow.PROFILES)
def test_where_profiles_would_end_the_master_game(make: Make, profile: str) -> None:
    """Read literally, the rule on shapes ends the game at ply 3; a double Dalian, at ply 11."""
    rows, plies = golden()
    table = make(slow.PROFILES[profile], position_text(rows, "x"))
    ends = {"seed_literal": (3, "shape"), "adjudicated": (11, "double Dalian")}
    for ply in plies[:23]:
        play_turn(table, ply.turn)
        if end := table.outcome():
            assert (ply.number, *end) == (*ends[profile], (-1.0, 1.0))
            return
    assert profile not in ends


# Games of the program GongJiu -----------------------------------------------------------------


@dataclass(frozen=True)
class Battle:
    """A record of GongJiu: placements, and turns as the mover, the path and the stones taken."""

    placements: list[str]
    turns: list[tuple[str, list[str], list[str]]]


def read_gongjiu(number: int) -> Battle:
    lines = (FOLDER / f"gongjiu_selfplay_{number}.txt").read_text().split()
    moves = [line.rstrip(";").split(".") for line in lines if line.endswith(";")]
    placements = [gongjiu_point(text) for index, text in moves if index == "0"]
    turns = []
    for index, text in moves:
        if index != "0" and "@" not in text:
            path, *taken = text.split(",")
            points = [gongjiu_point(point) for point in path.split("-")]
            turns.append(("o" if path[0].islower() else "x", points, [*map(gongjiu_point, taken)]))
    return Battle(placements, turns)


def gongjiu_point(text: str) -> str:
    """Its columns are the digits 1-9, A-E."""
    return f"{text[0].upper()}{int(text[1], 16)}"


def replay_gongjiu(make: Make, number: int, options: dict[str, str]) -> tuple[int, Table]:
    """Plays a record as far as it is legal; returns how many turns that was."""
    battle = read_gongjiu(number)
    table = make(options)
    for point in battle.placements:
        table.place(point)
    for played, (side, points, taken) in enumerate(battle.turns):
        written = {"-".join(points), "~".join(points)} if len(points) == 2 else {"-".join(points)}
        ways = [way for way in table.ways() if way in written and table.takes(way) == len(taken)]
        # A flight and a jump of the same path would be told apart by the stones they earn.
        if table.text().split()[1] != side or table.outcome() or len(ways) != 1:
            return played, table
        if not set(taken) <= table.targets(ways[0]):
            return played, table
        table.play(ways[0], taken)
    return len(battle.turns), table


@pytest.mark.parametrize("number", [1, 2, 3])
def test_games_of_gongjiu(make: Make, number: int) -> None:
    battle = read_gongjiu(number)
    played, table = replay_gongjiu(make, number, GONGJIU)
    assert (played, len(battle.placements)) == (len(battle.turns), 196)
    assert table.outcome() == GONGJIU_ENDS[number]


# Rules that a game contradicts, and after how many turns.
CONTRADICTED = {
    "battle_first=white": (1, 0),
    "capture_compulsory=yes": (1, 1),
    "formation_bonus=jq": (1, 2),
    "square_targets=outside_squares": (1, 6),
    "early_double_dalian=yes": (1, 23),
    "line_capture=on": (2, 57),
    "chain_compulsory=yes": (3, 60),
    "no_capture_limit=15": (2, 157),
    "fly_threshold=13": (3, 169),
    "shape_check=threshold": (3, 169),
    "shuttle_limit=on": (3, 184),
    "min_stones=5": (3, 189),
}


@pytest.mark.parametrize("rule", CONTRADICTED)
def test_games_of_gongjiu_contradict_other_rules(rule: str) -> None:
    """The comparison can fail: a different rule is noticed, and where."""
    number, turns = CONTRADICTED[rule]
    played, _ = replay_gongjiu(SlowTable, number, GONGJIU | read_options(rule))
    assert played == turns


# Shapes and text ------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "flat", "slant"), [(14, 1144, 1056), (6, 120, 96)])
def test_dalian_placements(size: int, flat: int, slant: int) -> None:
    game = slow.Game({"size": str(size)})
    placements = list(game.dalian_placements(game.points))
    assert len(set(placements)) == len(placements) == flat + slant
    assert all(len(dalian.stones) == 7 for dalian in placements)
    assert sum(is_flat(dalian) for dalian in placements) == flat


def is_flat(dalian: slow_board.Dalian) -> bool:
    top, left, bottom, right = slow_board.box(dalian.stones)
    return min(bottom - top, right - left) == 1


def test_the_core_finds_every_dalian() -> None:
    """Each of the 216 of a 6 x 6 board, alone on it: its stones, its hole, its kind."""
    core = load("jiu(size=6)")
    game = slow.Game({"size": "6"})
    for dalian in game.dalian_placements(game.points):
        game.stones = dict.fromkeys(dalian.stones, "x")
        game.is_battle = True
        position: Any = core.parse(game.text().replace(" o ", " x "))
        kind = "flat dalian" if is_flat(dalian) else "slant dalian"
        stones = sorted(r * 6 + c for r, c in dalian.stones)
        shape = (kind, stones, dalian.hole[0] * 6 + dalian.hole[1])
        assert [found for found in position.shapes("black") if "dalian" in found[0]] == [shape]


def test_turns_are_written_and_read() -> None:
    """E28: what a text says, and back."""
    game = slow.Game({}, position_text(golden()[0], "x"))
    turn = game.read_turn("G9-G7xG8*E7")
    names = [
        tuple(map(slow_board.name, points))
        for points in (turn.displacement.path, turn.displacement.jumped, turn.taken)
    ]
    assert names == [("G9", "G7"), ("G8",), ("E7",)]
    assert str(turn) == "G9-G7xG8*E7"
    assert game.read_turn("G9-G7*E7") == turn
