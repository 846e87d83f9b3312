"""The preparation stage as an environment: legal moves, keys, rewards by hand and by reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import jiu_preparation as reference

from tempo._core.jiu_preparation import Preparation
from tempo.errors import IllegalMove, ParseError


def move_of(text: str, size: int = 14) -> int:
    """`G7` as a move: row * 6 + column of the central points."""
    first = size // 2 - 3
    return 6 * (ord(text[0]) - ord("A") - first) + int(text[1:]) - 1 - first


def play(moves: str, **rules: Any) -> tuple[Preparation, list[float]]:
    """One game through a list of points, and the reward of every placement."""
    game = Preparation(1, **rules)
    return game, [float(game.play(np.array([move_of(text)]))[0]) for text in moves.split()]


def last_reward(moves: str, **rules: Any) -> float:
    return play(moves, **rules)[1][-1]


# ---- moves ---------------------------------------------------------------------------------------


def test_the_first_two_stones_go_to_the_ends_of_the_diagonal() -> None:
    game = Preparation(1)
    assert np.flatnonzero(game.legal_mask()) == [move_of("G7")]
    game.play(np.array([move_of("G7")]))
    assert np.flatnonzero(game.legal_mask()) == [move_of("H8")]
    game.play(np.array([move_of("H8")]))
    assert game.legal_mask().sum() == 34
    assert not game.legal_mask()[0, [move_of("G7"), move_of("H8")]].any()


def test_white_may_choose_its_end_where_that_is_asked_for() -> None:
    game = Preparation(1, either_end=True)
    assert np.flatnonzero(game.legal_mask()).tolist() == [move_of("G7"), move_of("H8")]
    game.play(np.array([move_of("H8")]))
    assert np.flatnonzero(game.legal_mask()) == [move_of("G7")]


def test_games_alternate_and_end_after_36_stones() -> None:
    game = Preparation(2)
    for stone in range(36):
        assert game.placed == stone
        assert game.turns.tolist() == [stone % 2] * 2
        game.play(np.argmax(game.legal_mask(), axis=1))
    assert not game.legal_mask().any()
    with pytest.raises(IllegalMove, match="all central points are filled"):
        game.play(np.array([0, 0]))
    game.restart()
    assert game.placed == 0
    assert game.legal_mask().sum() == 2


def test_an_illegal_move_is_named_and_nothing_is_played() -> None:
    game = Preparation(2)
    with pytest.raises(IllegalMove, match=r"game 1, stone 1: move 0 .* ends of the diagonal"):
        game.play(np.array([move_of("G7"), 0]))
    assert game.placed == 0
    game.play(np.array([move_of("G7")] * 2))
    game.play(np.array([move_of("H8")] * 2))
    with pytest.raises(IllegalMove, match=r"game 0, stone 3: move 14 .* filled"):
        game.play(np.array([move_of("G7"), 0]))
    with pytest.raises(IllegalMove, match="moves are 0 to 35"):
        game.play(np.array([36, 0]))
    with pytest.raises(ParseError, match="expected one for each of 2 games"):
        game.play(np.array([0]))
    assert game.placed == 2


def test_unknown_rules_are_refused() -> None:
    wrongs: list[dict[str, Any]] = [
        {"size": 5}, {"size": 16}, {"keys": "tree"}, {"unfilled": "full"}, {"chain": "x"}
    ]  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(ParseError, match="expected"):
            Preparation(1, **wrong)
    with pytest.raises(ParseError, match="at least one"):
        Preparation(0)


@pytest.mark.parametrize("size", [6, 10, 14])
def test_points_are_those_of_the_whole_board(size: int) -> None:
    points = Preparation(1, size=size).points
    first = size // 2 - 3
    assert points[0] == first * size + first
    assert points[35] == (first + 5) * size + first + 5
    assert points[move_of("G7")] == (size // 2 - 1) * (size + 1)  # the upper end on every board


# ---- rewards by hand -----------------------------------------------------------------------------
#
# The board of the battle has G7 and H8 empty; unfilled points are walls unless stated.


def test_the_forced_stones_earn_their_points_alone() -> None:
    assert play("G7 H8")[1] == [1e6, 1e6]


def test_the_other_two_central_points() -> None:
    # 100,000 for the point; a step into G7 or H8: 1; one pair, G7-G8 and H7-H8: 2.
    assert play("G7 H8 G8 H7")[1][2:] == [100_003, 100_003]


def test_a_triangle_and_then_the_square() -> None:
    # F7: point 50, step down 1, pair with G7 2, triangle F7 G7 G8 waiting for F8 2.
    assert last_reward("G7 H8 G8 H7 F7") == 55
    # F8: point 50, walls and own stones around it 0, two pairs 4, no triangle: four are a square.
    assert last_reward("G7 H8 G8 H7 F7 J5 F8") == 54
    # As before with Black on F8: the three wait for nothing.
    assert last_reward("G7 H8 G8 F8 F7") == 53


def test_a_jump_into_the_centre() -> None:
    # G9: point 50; over White's G8 into G7: 5. G9 and H8 are no pair.
    assert last_reward("G7 H8 G8 G9") == 55
    # Over an own stone there is no jump: J8, below Black's I8, reaches nothing: point 1.
    assert last_reward("G7 H8 J5 I8 J10 J8") == 1 + 2  # and the pair I8-J8


def test_two_jumps_need_empty_points() -> None:
    # F6 over F7 to F8, over F9 to F10.
    moves = "G7 H8 J5 F7 J10 F9 F6"
    assert last_reward(moves) == 50
    assert last_reward(moves, unfilled="empty") == 50 + 10


def test_completing_a_dalian_around_g7() -> None:
    # Row F from 6 to 9, G6, G8, G9: seven stones, the hole G7, the vital stone G8. F9 comes last:
    # point 50, cannot move 0, pairs with F8 and G9 4, the cell F8 F9 G8 G9 is a square, Dalian.
    moves = "G7 H8 G8 J5 G9 J6 G6 J7 F6 J8 F7 J9 F8 J10 F9"
    assert last_reward(moves) == 50 + 4 + 10_000
    # G8 last: 100,000; it can step across and keep the Dalian 10,000; pairs F8 G9 and (as the board
    # stands) G7 6; no triangle, as all cells around are full or hold four; Dalian 10,000.
    moves = "G7 H8 F9 J5 G9 J6 G6 J7 F6 J8 F7 J9 F8 J10 G8"
    assert last_reward(moves) == 100_000 + 10_000 + 6 + 10_000
    # The same shape one row further up has no hole that is empty in battle, unless unfilled is.
    moves = "G7 H8 F6 J5 F7 J6 F8 J7 F9 J8 E6 J9 E8 J10 E9"
    assert last_reward(moves) < 100
    assert last_reward(moves, unfilled="empty") > 10_000


def test_a_step_that_would_build_a_dalian() -> None:
    # G8 G9 H9 and F6 F7 G6 stand; a White stone stepping from I8 into H8 makes the square
    # G8 G9 H8 H9 whose stone G8 waits to cross G7. I8: point 50, control 10,000, no shape.
    stones = "G7 H8 G8 J5 G9 J6 H9 J7 F6 E5 F7 E6 G6 E7"
    assert last_reward(f"{stones} I8") == 50 + 10_000
    # Without G6 it is a step.
    assert last_reward(f"{stones.replace('G6', 'E10')} I8") == 50 + 1


def test_terms_can_be_switched_off() -> None:
    moves = "G7 H8 G8 H7 F7"  # 50 + 1 + 4
    assert last_reward(moves, place=False) == 5
    assert last_reward(moves, control=False) == 54
    assert last_reward(moves, shape=False) == 51
    assert last_reward(moves, place=False, control=False, shape=False) == 0


def test_a_chain_may_mean_a_line_of_three() -> None:
    moves = "G7 H8 F6 J5 F7 J6 F8"
    assert last_reward(moves, place=False, control=False) == 2 + 2  # F7-F8; triangle F7 F8 G7
    assert last_reward(moves, place=False, control=False, chain="line") == 2 + 2  # F6-F7-F8
    moves = "G7 H8 F6 J5 F7"
    assert last_reward(moves, place=False, control=False) == 4 + 2  # F6-F7, F7-G7; triangle
    assert last_reward(moves, place=False, control=False, chain="line") == 2


# ---- rewards by reference ------------------------------------------------------------------------

RULES: list[dict[str, Any]] = [
    {},
    {"unfilled": "empty"},
    {"chain": "line", "place": False},
    {"size": 6, "unfilled": "empty", "shape": False},
    {"size": 8, "unfilled": "empty", "control": False},
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_rewards_of_random_games_agree_with_the_slow_reference(rules: dict[str, Any]) -> None:
    games, size = 12, rules.get("size", 14)
    batch = Preparation(games, **rules, threads=2)
    points = [(int(p) // size, int(p) % size) for p in batch.points]
    stones: list[tuple[set[reference.Point], set[reference.Point]]] = [
        (set(), set()) for _ in range(games)
    ]
    random = np.random.default_rng(11)
    dalians = 0
    while batch.legal_mask().any():
        seat = int(batch.turns[0])
        chosen = some_moves(batch.legal_mask(), seat, points, random)
        rewards = batch.play(chosen)
        for i in range(games):
            stone = points[int(chosen[i])]
            stones[i][seat].add(stone)
            expected = reference.reward(
                stones[i][seat], stones[i][1 - seat], stone, reference.Rules(**rules)
            )
            assert rewards[i] == expected, (i, seat, stones[i], stone)
            dalians += 10_000 <= expected < 100_000
    assert dalians > 0


def some_moves(
    legal: NDArray[np.bool_],
    seat: int,
    points: list[reference.Point],
    random: np.random.Generator,
) -> NDArray[np.intp]:
    """Random moves that keep White above and Black below, so that Dalians come about."""
    rows = np.array([row for row, _ in points])
    middle = rows.mean()
    weights = np.where((rows < middle) == (seat == 0), 1.0, 0.05)
    noise = random.random(legal.shape) * weights
    moves: NDArray[np.intp] = np.where(legal, noise, -1.0).argmax(axis=1)
    return moves


# ---- keys ----------------------------------------------------------------------------------------


def key_after(moves: str, **rules: Any) -> int:
    *before, last = moves.split()
    game, _ = play(" ".join(before), **rules)
    return int(game.next_keys()[0, move_of(last)])


def test_keys_of_sequences_tell_every_order_apart() -> None:
    a = key_after("G7 H8 F6 J5 F7")
    b = key_after("G7 H8 F7 J5 F6")
    assert a != b
    assert a == key_after("G7 H8 F6 J5 F7", size=14, threads=2)


def test_keys_are_zero_where_a_move_is_illegal() -> None:
    game, _ = play("G7 H8 F6")
    keys, legal = game.next_keys()[0], game.legal_mask()[0]
    assert (keys[~legal] == 0).all()
    assert (keys[legal] != 0).all()
    assert len(np.unique(keys[legal])) == legal.sum()


def test_keys_of_positions_forget_the_order_and_know_the_symmetries() -> None:
    key = key_after("G7 H8 F6 J5 F7", keys="position")
    assert key == key_after("G7 H8 F7 J5 F6", keys="position")
    assert key == key_after("G7 H8 G6 E10 F6", keys="position")  # transposed: F7 -> G6
    assert key != key_after("G7 H8 F6 J5 E7", keys="position")
    assert key != key_after("G7 H8 F6 F7 J5", keys="position")  # colours count
    # Half turn: White began on the other end.
    turned = key_after("H8 G7 I9 E10 I8", keys="position", either_end=True)
    assert key == turned


def test_no_two_of_many_sequences_share_a_key() -> None:
    games = 300
    batch = Preparation(games)
    random = np.random.default_rng(3)
    seen: dict[int, bytes] = {}
    history = np.zeros((games, 36), np.int8)
    for ply in range(36):
        noise = random.random((games, 36))
        chosen = np.where(batch.legal_mask(), noise, -1).argmax(axis=1)
        keys = batch.next_keys()[np.arange(games), chosen]
        history[:, ply] = chosen
        for key, line in zip(keys.tolist(), history[:, : ply + 1], strict=True):
            assert seen.setdefault(key, line.tobytes()) == line.tobytes()
        batch.play(chosen)
    assert len(seen) > 30 * games


def test_threads_change_nothing() -> None:
    found = []
    for threads in (1, 2):
        batch = Preparation(600, threads=threads)
        random = np.random.default_rng(5)
        rows = []
        for _ in range(36):
            keys, legal = batch.next_keys(), batch.legal_mask()
            chosen = np.where(legal, random.random(legal.shape), -1).argmax(axis=1)
            rows.append((keys.tobytes(), legal.tobytes(), batch.play(chosen).tobytes()))
        found.append(rows)
    assert found[0] == found[1]
