"""The 20 patterns of Gomoku and what the critic sees of them, against a slow count."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from reference import gomoku_patterns as slow

import tempo
from tempo._core import gomoku, gomoku_critic
from tempo.errors import IllegalMove, ParseError

SEED = 2012
LENGTHS = {"patterns": 274, "counts": 122, "one_turn": 196, "no_turn": 194, "board": 452}


def rules(size: int = 15) -> gomoku.Options:
    options = tempo.load(f"gomoku(size={size})").options
    assert isinstance(options, gomoku.Options)
    return options


def random_game(size: int, random: Random) -> list[int]:
    """Moves near the middle first, so that stones meet."""
    position = gomoku.start(rules(size))
    moves: list[int] = []
    while not position.is_over and len(moves) < 80:
        near = sorted(position.legal_moves, key=lambda m: abs(m - size * size // 2))
        moves.append(near[int(random.random() ** 2 * len(near))])
        position = position.play(moves[-1])
    return moves


def positions_of(moves: list[int], size: int) -> list[gomoku.Position]:
    found = [gomoku.start(rules(size))]
    for move in moves:
        found.append(found[-1].play(move))
    return found


def stones_of(moves: list[int], size: int) -> slow.Stones:
    return {(move % size, move // size): "xo"[i % 2] for i, move in enumerate(moves)}


def test_patterns_are_those_of_the_reference() -> None:
    assert gomoku_critic.patterns() == slow.PATTERNS


@pytest.mark.parametrize("size", [5, 6, 9, 15, 20])
def test_counts_agree_with_the_slow_ones_on_random_games(size: int) -> None:
    random = Random(SEED + size)
    games = [random_game(size, random) for _ in range(3)]
    lengths = np.array([len(game) for game in games])
    all_moves = np.array([move for game in games for move in game])
    followed = gomoku_critic.follow_patterns(rules(size), all_moves, lengths)
    at_once = np.concatenate(
        [gomoku_critic.pattern_counts(positions_of(game, size)[1:]) for game in games]
    )
    assert followed.shape == (len(all_moves), 2, 20)
    assert np.array_equal(followed, at_once)
    at = 0
    for game in games:
        for length in range(1, len(game) + 1, 7):
            stones = stones_of(game[:length], size)
            expected = [slow.counts(stones, size, colour) for colour in "xo"]
            assert followed[at + length - 1].tolist() == expected, (SEED, size, game[:length])
        at += len(game)


def test_illegal_games_are_refused() -> None:
    with pytest.raises(IllegalMove, match="game 1"):
        gomoku_critic.follow_patterns(rules(), np.array([3, 4, 7, 7]), np.array([2, 2]))
    with pytest.raises(ParseError, match="add up"):
        gomoku_critic.follow_patterns(rules(), np.array([3, 4]), np.array([3]))


@pytest.mark.parametrize("kind", LENGTHS)
def test_encoder_writes_what_the_tables_say(kind: str) -> None:
    critic = gomoku_critic.Critic(rules(), inputs=kind)
    assert critic.input_count == LENGTHS[kind]
    random = Random(SEED)
    moves = random_game(15, random)
    for first in (0, 1):
        seen = critic.encode(positions_of(moves, 15), first=first)
        assert seen.shape == (len(moves) + 1, LENGTHS[kind])
        for length in range(0, len(moves) + 1, 9):
            turn = length % 2 ^ first
            expected = slow.inputs(kind, stones_of(moves[:length], 15), 15, turn, first)
            assert len(expected) == LENGTHS[kind]
            assert seen[length].tolist() == expected


def test_thermometer_goes_on_by_halves() -> None:
    """One stone in the centre is eight times `_X____`: four ones and (8 - 4) / 2."""
    critic = gomoku_critic.Critic(rules())
    seen = critic.encode([gomoku.start(rules()).play("h8")])[0]
    assert seen[91:96].tolist() == [1, 1, 1, 1, 2]
    assert np.count_nonzero(seen) == 5 + 1 + 1  # the pattern, its pair, and who began


def test_other_boards_and_inputs_are_refused() -> None:
    with pytest.raises(ParseError, match="inputs 'pixels'"):
        gomoku_critic.Critic(rules(), inputs="pixels")
    with pytest.raises(ParseError, match="hidden"):
        gomoku_critic.Critic(rules(), hidden=0)
    with pytest.raises(ParseError, match="15x15"):
        gomoku_critic.Critic(rules()).encode([gomoku.start(rules(9))])
