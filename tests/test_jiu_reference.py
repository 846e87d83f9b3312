"""Jiu in the core against the slow reference: random games of all profiles and of drawn options."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from game_data import load
from reference import jiu as slow

from tempo.games.jiu import PROFILES

# Values besides the default one, for option sets drawn at random.
OTHER_VALUES = {
    "diagonal": ["anti"],
    "first_placer": ["black"],
    "battle_first": ["white"],
    "move_dirs": ["eight"],
    "jump_dirs": ["eight"],
    "capture_compulsory": ["yes"],
    "chain_compulsory": ["yes"],
    "jumped_removed": ["end_of_turn"],
    "chain_revisit": ["none"],
    "square_count": ["every_landing", "final_any"],
    "square_capture": ["optional"],
    "square_targets": ["outside_squares"],
    "formation_bonus": ["jq"],
    "line_capture": ["on"],
    "fly_threshold": ["0", "3", "5", "9", "20"],
    "fly_jump": ["no"],
    "single_jump_ban": ["strong", "both"],
    "min_stones": ["0", "1", "2", "6", "10"],
    "shape_check": ["off", "crossing_only", "any_time"],
    "shape_min": ["2"],
    "shape_set": ["lhasa", "goldfish"],
    "gate_test": ["structural"],
    "literal_14": ["yes"],
    "early_double_dalian": ["yes"],
    "no_legal_turn": ["pass", "draw"],
    "repetition": ["two", "forbid", "off"],
    "shuttle_limit": ["on"],
    "no_capture_limit": ["0", "3", "12", "1000"],
    "max_battle_plies": ["1", "20", "60"],
    "limit_result": ["draw", "material1"],
}
# Ends that games from strewn positions must meet; the rarer ones are corners below.
COMMON_ENDS = {
    "material",
    "shape",
    "reversal",
    "immobile",
    "repetition",
    "length",
    "no capture",
}
SIZES = ["4", "6", "8", "10", "12", "14"]


def spec_of(options: dict[str, str]) -> str:
    inside = ",".join(f"{name}={value}" for name, value in options.items())
    return f"jiu({inside})"


def agree(position: Any, game: slow.Game, about: str) -> list[str]:
    """Compares all there is to see; returns the legal moves."""
    end = position.outcome
    assert (end and (end.reason, tuple(end.scores))) == game.outcome(), (
        f"{about} CORE {end} SLOW {game.outcome()}"
    )
    assert position.text == game.text(), f"{about} SLOW {game.text()} {end}"
    moves = [position.move_text(move) for move in position.legal_moves]
    assert sorted(moves) == sorted(game.moves()), f"{about} CORE {moves} SLOW {game.moves()}"
    assert end or position.turn == game.turn, about
    return moves


def draw_options(random: Random) -> dict[str, str]:
    """A few options with other values than the default ones."""
    chance = random.choice([0.05, 0.15, 0.3])
    drawn = {
        name: random.choice(values)
        for name, values in OTHER_VALUES.items()
        if random.random() < chance
    }
    return {"size": random.choice([*SIZES, "4", "6", "6", "8"])} | drawn


def draw_position(random: Random, options: dict[str, str]) -> str:
    """A battle position with stones strewn about, in clumps, and perhaps shapes among them."""
    game = slow.Game(options)
    empty = random.choice([0.0, 0.1, 0.3, 0.6, 0.8])
    clumped = random.choice([0.0, 0.5, 0.8])
    for r, c in game.points:
        near = [game.stones.get(point, "") for point in ((r - 1, c), (r, c - 1), (r - 1, c - 1))]
        stone = random.choice(near) if random.random() < clumped else ""
        if random.random() >= empty:
            game.stones[r, c] = stone or random.choice("xo")
    for _ in range(random.choice([0, 1, 2])):
        plant(random, game)
    thin(random, game)
    game.is_battle = True
    game.turn = random.randrange(2)
    return slow.Game(options, game.text()).text()  # a side without a turn may have to pass


def plant(random: Random, game: slow.Game) -> None:
    """Puts a live Dalian or a row with one gap on the board."""
    side = random.choice("xo")
    if random.random() < 0.6 and game.size > 4:
        dalian = random.choice(list(game.dalian_placements(game.points)))
        stones, hole = set(dalian.stones), dalian.hole
    else:
        hole = random.choice(game.points)
        stones = {(hole[0], c) for c in range(game.size)} - {hole}
        beyond = hole[0] + 1 if hole[0] + 1 < game.size else hole[0] - 1
        stones.add((beyond, hole[1]))
    game.stones.pop(hole, None)
    game.stones |= dict.fromkeys(stones, side)


def thin(random: Random, game: slow.Game) -> None:
    """Nobody has more than half the points, and one is empty."""
    for side in (0, 1):
        own = sorted(game.own(side))
        for point in random.sample(own, max(0, len(own) - len(game.points) // 2)):
            del game.stones[point]
    if len(game.stones) == len(game.points):
        del game.stones[random.choice(game.points)]


class Player:
    """Plays at random, with a taste: for jumps and captures, or for going back and forth."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lively = random.choice([0.0, 0.5, 0.9])
        self.restless = random.choice([0.0, 0.0, 0.5, 0.95])
        self.back = ["", ""]

    def choose(self, seat: int, moves: list[str]) -> str:
        move = self.draw(seat, moves)
        if match := re.fullmatch(r"(\w+)([-~])(\w+)", move):
            self.back[seat] = f"{match[3]}{match[2]}{match[1]}"
        return move

    def draw(self, seat: int, moves: list[str]) -> str:
        if self.back[seat] in moves and self.random.random() < self.restless:
            return self.back[seat]
        lively = [move for move in moves if move[0] in "*-"]
        return self.random.choice(
            lively if lively and self.random.random() < self.lively else moves
        )


def follow(options: dict[str, str], seed: int, most: int, start: str = "") -> str | None:
    """Plays one random game of at most `moves` moves on both; returns why it ended, if it did."""
    player = Player(Random(seed))
    core = load(spec_of(options))
    position: Any = core.parse(start) if start else core.start()
    game = slow.Game(options, start)
    for _ in range(most):
        about = f"{spec_of(options)} {start} seed {seed}: {position.text}"
        moves = agree(position, game, about)
        if not moves:
            break
        move = player.choose(game.turn, moves)
        position = position.play(move)
        game.play(move)
    end = game.outcome()
    return end and end[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("profile", slow.PROFILES)
def test_whole_games(profile: str, size: str) -> None:
    for seed in range(3 if int(size) < 10 else 1):
        follow(slow.PROFILES[profile] | {"size": size}, seed, 400)


def test_profiles_are_those_of_the_rules() -> None:
    assert PROFILES == slow.PROFILES
    defaults = {field.name: field.default for field in load("jiu").option_fields}
    assert defaults == slow.DEFAULTS
    assert OTHER_VALUES.keys() == slow.DEFAULTS.keys() - {"size"}


@pytest.mark.parametrize("profile", slow.PROFILES)
def test_strewn_stones_under_profiles(profile: str) -> None:
    for seed, size in enumerate(SIZES):
        options = slow.PROFILES[profile] | {"size": size}
        follow(options, seed, 60, draw_position(Random(seed), options))


def test_strewn_stones_under_drawn_options() -> None:
    """The common ends are all met: another draw of the games must not lose one unnoticed."""
    ends = set()
    for seed in range(25):
        random = Random(seed)
        for _ in range(5):
            options = draw_options(random)
            ends.add(follow(options, seed, 60, draw_position(random, options)))
    assert ends >= COMMON_ENDS | {None}


@pytest.mark.parametrize("shape_set", ["dalian", "lhasa", "goldfish"])
def test_pairs_of_dalians(shape_set: str) -> None:
    """Two Dalians of Black among a few White stones, judged as at the end of a turn."""
    random = Random(1)
    options = {"size": "6", "shape_check": "any_time", "shape_set": shape_set, "shape_min": "2"}
    core = load(spec_of(options))
    placements = list(slow.Game(options).dalian_placements(slow.Game(options).points))
    ends = set()
    for _ in range(400):
        one, other = random.sample(placements, 2)
        game = slow.Game(options)
        game.stones = dict.fromkeys(one.stones | other.stones, "x")
        free = [point for point in game.points if point not in {one.hole, other.hole, *game.stones}]
        game.stones |= dict.fromkeys(random.sample(free, 4), "o")
        game.is_battle, game.plies = True, 3
        position: Any = core.parse(game.text())
        judged = slow.Game(options, game.text())
        agree(position, judged, game.text())
        ends.add(judged.outcome())
    assert ends == {None, ("shape", (-1.0, 1.0))}


# Combinations of rules that random games seldom meet: options, position, moves, and the end.
CORNERS = {
    "a side without a turn draws": (
        "size=4,min_stones=0,shape_check=off,no_legal_turn=draw,fly_threshold=0",
        "oxx1/x3/x2x/4 x battle 0 3",
        "C4-D4",
        ("no legal turn", (0.0, 0.0)),
    ),
    "a side without a turn passes": (
        "size=4,min_stones=0,shape_check=off,no_legal_turn=pass,fly_threshold=0",
        "oxx1/x3/x2x/4 x battle 0 3",
        "C4-D4 D4-C4 C4-B4",
        None,
    ),
    "two sides without a turn draw": (
        "size=4,min_stones=0,shape_check=off,no_legal_turn=pass,fly_threshold=1",
        "4/4/4/4 x battle 0 0",
        "",
        ("no legal turn", (0.0, 0.0)),
    ),
    "a double Dalian wins early": (
        "size=8,early_double_dalian=yes,fly_threshold=3",
        "x1xx4/xxxx4/8/o1o1o1o1/8/8/x1xx3x/xxxx4 x battle 0 6",
        "G8-F8",
        ("double Dalian", (-1.0, 1.0)),
    ),
    "the only capture is on a spent edge": (
        "size=6,min_stones=0,shape_check=off,capture_compulsory=yes,shuttle_limit=on",
        "xx4/x5/6/6/6/oooo1x x battle 0 12 shuttle B2 F6 6",
        "",
        None,
    ),
    "the only gate is on a spent edge": (
        "size=6,min_stones=0,shape_check=any_time,shuttle_limit=on,fly_threshold=0",
        "xx4/x1x3/6/4o1/oo1oo1/oooo1o o battle 0 12 shuttle B2 B3 6",
        "D5-D6",
        ("shape", (1.0, -1.0)),
    ),
    "the only gate is a single jump, which is banned": (
        "size=10,min_stones=0,shape_check=any_time,square_count=every_landing,"
        "single_jump_ban=both,fly_threshold=9",
        "9x/1xx7/1x1ox4x/10/6x2x/3x6/x9/5o1oo1/5oooo1/o9 o battle 0 12",
        "J1-I1",
        ("shape", (1.0, -1.0)),
    ),
    "nobody is left to be captured": (
        "size=6,min_stones=0,shape_check=off,capture_compulsory=yes,no_legal_turn=pass",
        "xx4/x1x3/6/6/6/6 x battle 0 3",
        "B3-C3 C3-B3",
        None,
    ),
    "the player who repeats loses, though the other has passed": (
        "size=4,min_stones=0,shape_check=off,repetition=forbid,no_legal_turn=pass,fly_threshold=0",
        "xoo1/o3/o3/3o o battle 0 12",
        "D4-C4 C4-D4 D4-C4 C4-D4",
        ("repetition", (-1.0, 1.0)),
    ),
}


@pytest.mark.parametrize("corner", CORNERS)
def test_corners(corner: str) -> None:
    given, start, moves, end = CORNERS[corner]
    options = dict(item.split("=") for item in given.split(","))
    position: Any = load(spec_of(options)).parse(start)
    game = slow.Game(options, start)
    agree(position, game, corner)
    for move in moves.split():
        position = position.play(move)
        game.play(move)
        agree(position, game, f"{corner}: {move}")
    assert game.outcome() == end


def test_the_reference_would_notice() -> None:
    """A rule left out of the slow game is a difference: the comparison can fail."""
    start = "6/1xx3/1x1x2/6/4oo/5o x battle 0 0"
    position: Any = load("jiu(size=6)").parse(start).play("C4-C3")
    game = slow.Game({"size": "6"}, start)
    game.options["square_capture"] = "optional"
    game.play("C4-C3")
    with pytest.raises(AssertionError):
        agree(position, game, "a capture that need not be taken")
