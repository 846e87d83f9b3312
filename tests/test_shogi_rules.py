"""What only shogi has: repetition and perpetual check, declarations, problems, checks, the mirror.

The slow rules (tests/reference) are followed beside every line of play here.
"""

from __future__ import annotations

from random import Random
from typing import Any

import game_data
import pytest
import reference
from test_reference import agree, options_of

import tempo
from tempo import testing


def play(spec: str, first: str, moves: str) -> tuple[Any, int]:
    """Plays on both sides of the comparison; the last position and how many moves were made."""
    game = game_data.load(spec)
    position: Any = game.parse(first)
    slow = reference.start(game.name, options_of(game), first)
    for made, move in enumerate(moves.split()):
        if position.is_over:
            return position, made
        position = position.play(move)
        slow.play(move)
        agree(position, slow, f"{spec} {first} {move}")
    return position, len(moves.split())


# Repetition

QUIET = "4k4/9/9/9/9/9/9/9/4K4 b - 1"
QUIET_LAP = "5i5h 5a5b 5h5i 5b5a "
# Black's rook gives check with every move of a lap, White's king goes to and fro.
CHECKED = "4k4/9/9/9/9/9/9/9/R3K4 b - 1"
CHECKED_LAP = "9a9b 5b5a 9b9a 5a5b "


@pytest.mark.parametrize("rule", ["draw", "perpetual-loses"])
def test_the_fourth_equal_position_is_a_draw(rule: str) -> None:
    position, made = play(f"shogi(repetition={rule})", QUIET, QUIET_LAP * 4)
    assert made == 12
    assert position.outcome.reason == "fourfold repetition"
    assert position.outcome.scores == (0.0, 0.0)


@pytest.mark.parametrize(("rule", "scores"), [("draw", (0.0, 0.0)), ("perpetual-loses", (-1, 1))])
def test_perpetual_check_loses_where_it_is_asked_for(rule: str, scores: tuple[float, ...]) -> None:
    position, made = play(f"shogi(repetition={rule})", CHECKED, "9i9a 5a5b " + CHECKED_LAP * 4)
    reason = "fourfold repetition" if rule == "draw" else "perpetual check"
    assert (position.outcome.reason, position.outcome.scores, made) == (reason, scores, 13)


def test_perpetual_check_by_the_side_to_move() -> None:
    """The lap closes with the fugitive's move, so the checking side is to move and has lost."""
    start = "R8/4k4/9/9/9/9/9/9/4K4 b - 1"
    position, made = play("shogi(repetition=perpetual-loses)", start, CHECKED_LAP * 4)
    assert (position.turn, made) == (0, 12)
    assert (position.outcome.reason, position.outcome.scores) == ("perpetual check", (-1.0, 1.0))


def test_one_quiet_move_makes_a_draw_of_it() -> None:
    lap = "9a9b 5b5a 9b9a 5a5b 9a9c 5b5a 9c9a 5a5b "  # 9a9c gives no check
    position, _ = play("shogi(repetition=perpetual-loses)", "R8/4k4/9/9/9/9/9/9/4K4 b - 1", lap * 4)
    assert position.outcome.reason == "fourfold repetition"


def test_the_hand_is_part_of_a_position() -> None:
    """The board comes back with every lap, but Black's hand has a pawn less."""
    start = "4k4/9/9/9/9/9/9/9/3GK4 b 4Pr 1"
    lap = "P*5b 5a5b 6i6h 5b5a 6h6i 5a5b 5i5h 5b5a 5h5i 5a5b 6i6h 5b5a 6h6i"
    position, _ = play("shogi", start, lap)
    assert not position.is_over
    assert position.hand("black") == {"pawn": 3}
    assert position.hand("white") == {"rook": 1, "pawn": 1}


def test_captures_and_drops_can_repeat() -> None:
    """No move of shogi is irreversible: a gold is given, taken, taken back and dropped again."""
    start = "4k4/g8/9/1S7/9/9/9/9/4K4 b G 1"
    lap = "G*9c 9b9c 8d9c G*9b 9c8d 5a5b 5i5h 5b4a 5h5i 4a5a "
    position, made = play("shogi", start, lap * 4)
    assert (position.outcome.reason, made) == ("fourfold repetition", 30)


# Ends


def test_a_mate_with_the_last_move_counts() -> None:
    game = tempo.load("shogi(length=10)")
    first: Any = game.parse("4k4/9/4P4/9/9/9/9/9/4K4 b G 10")
    assert first.play("G*5b").outcome.reason == "checkmate"
    assert first.play("G*9e").outcome.reason == "length limit"


def test_a_side_without_moves_has_lost() -> None:
    position: Any = tempo.load("shogi").parse("8k/9/8G/9/9/9/9/9/K6R1 w - 2")
    assert (position.outcome.reason, position.outcome.scores) == ("stalemate", (1.0, -1.0))


def test_a_declaration_ends_the_game_only_where_it_is_asked_for() -> None:
    text = "KRRBB4/GGGGSSSS1/9/9/9/9/9/9/8k b - 100"
    assert tempo.load("shogi").parse(text).outcome is None
    declared: Any = tempo.load("shogi(declaration=on)").parse(text)
    assert (declared.outcome.reason, declared.outcome.scores) == ("declaration", (1.0, -1.0))
    assert list(declared.legal_moves) == []
    assert "declaration" not in {f.name for f in tempo.load("minishogi").option_fields}


# Pawn drops


@pytest.mark.parametrize(
    ("text", "drop", "allowed"),
    [
        ("8k/9/8G/9/9/9/9/9/K6R1 b P 1", "P*1b", False),
        ("8k/9/9/9/9/9/9/9/K6R1 b P 1", "P*1b", True),  # the king takes it
        ("8k/9/8G/9/9/9/9/9/K8 b P 1", "P*1b", True),  # the king flees
        ("8k/9/8G/6b2/9/9/9/9/K6R1 b P 1", "P*1b", True),  # the bishop takes it
        ("8k/9/7RG/6b2/9/9/9/9/K8 b P 1", "P*1b", False),  # the rook is in its way
        ("7sk/9/8G/9/9/9/9/9/K8 b P 1", "P*1b", True),  # the silver takes it
        ("R6sk/9/8G/9/9/9/9/9/K8 b P 1", "P*1b", False),  # the silver is pinned
        # The lance on the file may take along its pin.
        ("7gk/9/8S/8l/9/8L/9/9/K8 b P 1", "P*1b", True),
    ],
)
def test_a_pawn_may_not_be_dropped_to_mate(text: str, drop: str, allowed: bool) -> None:
    game = tempo.load("shogi")
    position: Any = game.parse(text)
    slow = reference.start("shogi", options_of(game), text)
    agree(position, slow, text)
    assert (drop in position.legal_moves) == allowed, text


def test_other_pieces_may_be_dropped_to_mate_and_a_pawn_moved() -> None:
    game = tempo.load("shogi")
    lance: Any = game.parse("8k/9/8G/9/9/9/9/9/K6R1 b L 1").play("L*1b")
    assert lance.outcome.reason == "checkmate"
    pawn: Any = game.parse("8k/6G2/8P/7N1/9/9/9/9/K8 b - 1").play("1c1b")
    assert pawn.outcome.reason == "checkmate"


# Problems


def test_a_problem_lacks_the_attackers_king() -> None:
    game = tempo.load("shogi")
    text = "8k/9/8G/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1"
    with pytest.raises(tempo.ParseError, match="black has no king"):
        game.parse(text)
    problem: Any = game.core.parse_problem(text, game.options)
    assert problem.check() == ""
    assert problem.text == text
    assert "G*1b" in problem.legal_moves
    mated = problem.play("G*1b")
    assert mated.check() == ""
    assert mated.outcome.reason == "checkmate"
    with pytest.raises(tempo.ParseError, match="there is no king"):
        game.core.parse_problem("9/9/9/9/9/9/9/9/9 b - 1", game.options)
    with pytest.raises(tempo.ParseError, match="two pawns on file 9"):
        game.core.parse_problem("4k4/9/P8/P8/9/9/9/9/9 b - 1", game.options)


def test_problems_are_played_by_the_slow_rules_too() -> None:
    game = tempo.load("shogi")
    random = Random(3)
    for seed in range(6):
        text = "4k4/9/9/4G4/9/9/9/9/9 b RBGSNL5Prbgsnl5p 1"
        position: Any = game.core.parse_problem(text, game.options)
        slow = reference.start("shogi", options_of(game), text)
        for _ in range(6):
            if position.is_over:
                break
            agree(position, slow, f"{text} seed {seed}")
            move = position.move_text(random.choice(list(position.legal_moves)))
            position = position.play(move)
            slow.play(move)


# Checks and the mirror


@pytest.mark.parametrize("name", ["shogi", "minishogi"])
def test_checks_are_the_moves_that_give_check(name: str) -> None:
    found = 0
    for position in testing.sample_positions(tempo.load(name), 5, 300):
        listed = position.checks
        giving = [move for move in position.legal_moves if position.play(move).in_check]
        assert listed == giving, position.text
        found += len(listed)
    assert found > 100


def test_the_start_is_not_its_own_mirror_image() -> None:
    start: Any = tempo.load("shogi").start()
    mirrored = start.transformed(1)
    assert mirrored.text == "lnsgkgsnl/1b5r1/ppppppppp/9/9/9/PPPPPPPPP/1R5B1/LNSGKGSNL b - 1"
    assert mirrored.transformed(1) == start


def test_the_board_shows_the_hands() -> None:
    text = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
    lines = str(tempo.load("shogi").parse(text)).split("\n")
    assert lines[0] == "white in hand: g s n 5p"
    assert lines[1] == "  9  8  7  6  5  4  3  2  1"
    assert lines[3] == "  .  .  .  .  . +P  .  g  k  b"
    assert lines[11] == "black in hand: R G"
    assert all(len(line) <= 80 for line in lines)
