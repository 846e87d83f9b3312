"""The core against slow second implementations of the rules: random games, move by move."""

from __future__ import annotations

from random import Random
from typing import Any

import game_data
import pytest
import reference

from tempo.games import Game

# Positions compared for each game and option set: the slow rules of chess, Jiu and shogi take
# milliseconds each, Jiu has test_jiu_reference.py besides, and shogi its oracles.
BUDGET = {"chess": 500, "jiu": 500, "shogi": 120, "minishogi": 400, "siguo": 600}
OTHER_BUDGET = 3000
# Games that go on for hundreds of random moves: none takes more than its share.
LONGEST = {"chess": 60, "shogi": 40, "minishogi": 80}

# Starts from which rare things come soon. Chess: castling, en passant, promotion, mates and bare
# draws. Shogi: drops of everything, pawn-drop mates, kings about to declare, the length limit.
STARTS = {
    "chess": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/1p1p1p2/8/2P1P1P1/2p1p1p1/8/1P1P1P2/4K3 w - - 0 1",
        "6k1/PPPP4/8/8/8/8/4pppp/1K6 b - - 0 1",
        "8/8/8/3k4/8/8/1q6/K1B5 w - - 95 80",
        "8/2q5/8/3k4/8/8/8/K7 b - - 0 60",
        "8/8/4kb2/8/8/2BK4/8/8 w - - 140 90",
        "8/8/4k3/8/5p2/8/4PK2/8 w - - 0 1",
    ),
    "shogi": (
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 1",
        "3k1+B3/R+Lp4Pl/1+Pn+P2psn/1G2Gp3/pP2p1gpP/1pG2S3/2+ns2+s2/KB+pp1+n2L/1+p1LR4 b P2p 101",
        "1K7/+P+P+P+P+PGR2/B1N1S1P2/9/9/9/2+p+p+p+p+p2/1s1g1r3/6k2 w BGSN2L2Pgs2n2l2p 60",
        "K8/R1B1S1G2/P1P1P1P1P/9/9/9/1p1p1p1p1/9/8k b RB2G2S2N5P 110",
    ),
    "minishogi": (
        "1r1gk/4p/s2GR/2S2/K2B1 w Bp 12",
        "B+PK1k/3R1/G1Sr1/2+s1+b/g4 b P 51",
        "2k2/5/5/5/2K2 b RBGSPrbgsp 1",
    ),
}


def options_of(game: Game) -> dict[str, str]:
    given = {field.name: field.default for field in game.option_fields}
    _, _, inside = game.spec.rstrip(")").partition("(")
    return given | dict(item.split("=") for item in inside.split(",") if inside)


def agree(position: Any, slow: reference.Reference, about: str) -> None:
    end = position.outcome
    expected = slow.outcome()
    assert (end and (end.reason, pytest.approx(end.scores))) == expected, about
    assert position.text == slow.text(), about
    texts = [position.move_text(move) for move in position.legal_moves]
    assert sorted(texts) == sorted(slow.moves()), about
    if expected is None:
        assert position.turn == slow.turn, about


def follow(game: Game, start: Any, seed: int, budget: int) -> int:
    """Plays one random game on both; returns how many positions were compared."""
    random = Random(seed)
    slow = reference.start(game.name, options_of(game), start.text)
    played: list[str] = []
    position = start
    while True:
        agree(position, slow, f"{game.spec} {start.text} (seed {seed}) after {' '.join(played)}")
        if position.is_over or len(played) >= budget:
            return len(played) + 1
        # Early moves of the list are likelier, so that stones gather and lines of any length occur.
        moves = position.legal_moves
        move = moves[int(len(moves) * random.random() ** 1.5)]
        played.append(position.move_text(move))
        slow.play(played[-1])
        position = position.play(move)


def starts(game: Game, seed: int) -> Any:
    if game.name in STARTS and seed % 2:
        texts = STARTS[game.name]
        return game.parse(texts[seed // 2 % len(texts)])
    return game.start(seed) if game.is_dealt else game.start()


def test_the_core_agrees_with_the_slow_rules(game: Game) -> None:
    left = BUDGET.get(game.name, OTHER_BUDGET)
    seed = 0
    while left > 0:
        left -= follow(game, starts(game, seed), seed, budget=LONGEST.get(game.name, left))
        seed += 1


@pytest.mark.parametrize("spec", ["chess", "chess(repetition=five)"])
def test_repetition_counts_positions_not_boards(spec: str) -> None:
    """Rooks step away and back: the first time the rights to castle go with them."""
    game = game_data.load(spec)
    start: Any = game.parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    slow = reference.start("chess", options_of(game), start.text)
    position = start
    times = 3 if spec == "chess" else 5
    for lap in range(1, times + 1):
        assert not position.is_over, f"after {lap - 1} laps"
        for move in ("h1g1", "h8g8", "g1h1", "g8h8"):
            position = position.play(move)
            slow.play(move)
            agree(position, slow, f"{spec} lap {lap} {move}")
            if position.is_over:
                break
    assert position.outcome.reason.endswith("repetition")
    assert slow.outcome() == (position.outcome.reason, (0.0, 0.0))


def test_a_repetition_with_en_passant_is_another_position() -> None:
    """FIDE 9.2.3: a position in which en passant was possible is not the one without it."""
    game = game_data.load("chess")
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    moves = ("e2e4", "a7a6", "e4e5", "d7d5", *shuffle, *shuffle)
    position: Any = game.start()
    slow = reference.start("chess", options_of(game), position.text)
    for move in moves:
        position = position.play(move)
        slow.play(move)
        agree(position, slow, move)
    assert not position.is_over
    position = position.play("g1f3")  # for the third time
    slow.play("g1f3")
    agree(position, slow, "g1f3")
    assert position.outcome.reason == "threefold repetition"


def test_mate_in_the_last_quiet_move_wins() -> None:
    """FIDE 9.6.2: a mate comes before the draw that the same move would bring."""
    game = game_data.load("chess")
    position: Any = game.parse("6k1/8/6K1/8/8/8/8/R7 w - - 99 80").play("a1a8")
    assert (position.outcome.reason, position.outcome.scores) == ("checkmate", (1.0, -1.0))


def test_the_reference_would_notice() -> None:
    """A rule left out of the slow game is a difference: the comparison can fail."""
    game = game_data.load("gomoku(size=5)")
    slow: Any = reference.start("gomoku", options_of(game))
    slow.wins = lambda point: False
    position: Any = game.start()
    for move in ("a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5"):
        agree(position, slow, move)
        position = position.play(move)
        slow.play(move)
    with pytest.raises(AssertionError):
        agree(position, slow, "five stones")
