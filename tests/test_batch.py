"""Batches: shapes, one stream per game whatever the threads, all or nothing, and planes by hand."""

from __future__ import annotations

from typing import Any

import game_data
import numpy as np
import pytest

import tempo
from tempo.errors import IllegalMove, ParseError
from tempo.games import Game


def batch_of(spec: str, count: int, seed: int = 1, threads: int = 1) -> Any:
    return game_data.load(spec).batch(count, seed=seed, threads=threads)


def summary(batch: Any) -> list[Any]:
    arrays = (batch.keys, batch.scores, batch.lengths, batch.over, batch.turns, batch.random_states)
    return [array.tolist() for array in arrays]


def test_shapes_and_types(game: Game) -> None:
    batch: Any = game.batch(7, seed=3)
    batch.playout(limit=4)
    expected = {
        "turns": ((7,), np.uint8),
        "over": ((7,), np.bool_),
        "scores": ((7, game.seats), np.float32),
        "lengths": ((7,), np.int32),
        "keys": ((7,), np.uint64),
        "random_states": ((7, 4), np.uint64),
    }
    for name, (shape, kind) in expected.items():
        array = getattr(batch, name)
        assert (array.shape, array.dtype) == (shape, kind), name
        assert array.flags.writeable, name
    mask = batch.legal_mask()
    assert (mask.shape, mask.dtype) == ((7, game.move_numbers), np.uint8)
    assert set(np.unique(mask)) <= {0, 1}
    offsets, moves = batch.legal_list()
    assert (offsets.shape, offsets.dtype, moves.dtype) == ((8,), np.int64, np.uint16)
    assert (offsets[0], offsets[-1]) == (0, len(moves))
    assert batch.features().shape == (7, *batch[0].features().shape)
    assert batch.features().dtype == np.float32
    assert len(batch) == 7


def test_arrays_are_copies() -> None:
    batch = batch_of("gomoku(size=5)", 3)
    keys = batch.keys
    keys[:] = 0
    assert batch.keys.all()


@pytest.mark.parametrize("spec", game_data.SPECS)
def test_threads_change_nothing(spec: str) -> None:
    found = []
    for threads in (1, 2, 5):
        batch = batch_of(spec, 300, seed=11, threads=threads)
        assert batch.threads == threads
        made = [batch.playout(limit=9), batch.playout()]
        found.append([made, summary(batch), batch.features().sum(dtype=np.float64)])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("spec", game_data.SPECS)
def test_a_game_does_not_know_how_many_others_there_are(spec: str) -> None:
    few, many = batch_of(spec, 10, seed=5), batch_of(spec, 1000, seed=5, threads=2)
    few.playout()
    many.playout()
    assert [row[:10] for row in summary(many)] == summary(few)


def test_games_and_seeds_differ() -> None:
    one, other = batch_of("gomoku", 500, seed=1), batch_of("gomoku", 500, seed=2)
    assert len(set(map(tuple, one.random_states.tolist()))) == 500
    for batch in (one, other):
        batch.playout()
    assert len(set(one.keys.tolist())) == 500
    assert not set(one.keys.tolist()) & set(other.keys.tolist())


@pytest.mark.parametrize("spec", game_data.SPECS)
def test_stored_streams_go_on_where_they_were(spec: str) -> None:
    batch = batch_of(spec, 20, seed=9)
    batch.playout(limit=6)
    states, positions = batch.random_states, [batch[i] for i in range(20)]
    batch.playout()
    again = batch_of(spec, 20, seed=12345)
    for i, position in enumerate(positions):
        again.place(i, position)
    again.random_states = states
    again.playout()
    assert again.keys.tolist() == batch.keys.tolist()
    assert again.random_states.tolist() == batch.random_states.tolist()


def test_one_illegal_move_stops_all() -> None:
    batch = batch_of("gomoku(size=5)", 40, threads=2)
    first = np.full(40, 12, dtype=np.int32)
    batch.play(first)
    before = summary(batch)
    for at in (0, 17, 39):
        moves = np.arange(40, dtype=np.int32) % 12
        moves[at] = 12
        with pytest.raises(IllegalMove, match=rf"^game {at}: c3 is occupied \(gomoku, move 2\)$"):
            batch.play(moves)
        assert summary(batch) == before


def test_the_first_illegal_move_is_named_whatever_the_threads() -> None:
    moves = np.zeros(400, dtype=np.int32)
    moves[[390, 333, 77]] = 99
    messages = set()
    for threads in (1, 2, 5):
        batch = batch_of("gomoku(size=5)", 400, threads=threads)
        with pytest.raises(IllegalMove) as refused:
            batch.play(moves)
        messages.add(str(refused.value))
    assert messages == {"game 77: move number 99 is not in 0 to 24 and not -1 (no move)"}


@pytest.mark.parametrize("number", [-2, 25, 70000, 2**31 - 1, -(2**31)])
def test_numbers_that_are_no_moves(number: int) -> None:
    batch = batch_of("gomoku(size=5)", 2)
    with pytest.raises(IllegalMove, match="game 1: move number"):
        batch.play(np.array([0, number], dtype=np.int32))
    assert batch.lengths.tolist() == [0, 0]


def test_minus_one_plays_nothing() -> None:
    batch = batch_of("gomoku(size=5)", 3)
    batch.play(np.array([-1, 4, -1], dtype=np.int32))
    assert batch.lengths.tolist() == [0, 1, 0]
    assert batch.turns.tolist() == [0, 1, 0]


def test_finished_games_take_no_move() -> None:
    batch = batch_of("gomoku(size=5)", 2)
    batch.playout()
    with pytest.raises(IllegalMove, match="game 0: the game is over: "):
        batch.play(np.zeros(2, dtype=np.int32))
    assert batch.playout() == 0


def test_a_game_drawn_by_repetition_takes_no_move() -> None:
    batch = batch_of("chess", 2)
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        batch.play(np.array([batch[0].parse_move(move), -1], dtype=np.int32))
    assert batch.over.tolist() == [True, False]
    assert batch.legal_mask().sum(axis=1).tolist() == [0, 20]
    assert batch[0].outcome.reason == "threefold repetition"
    with pytest.raises(IllegalMove, match="game 0: the game is over: threefold repetition"):
        batch.play(np.array([batch[1].parse_move("e2e4"), -1], dtype=np.int32))
    with pytest.raises(IllegalMove, match="threefold repetition"):
        batch[0].parse_move("e2e4")


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        (np.zeros(2, dtype=np.int32), ParseError),
        (np.zeros(4, dtype=np.int32), ParseError),
        (np.zeros((3, 1), dtype=np.int32), TypeError),
        (np.zeros(3, dtype=np.float64), TypeError),
        (np.array(["a1"] * 3), TypeError),
        (None, TypeError),
    ],
)
def test_wrong_moves_arrays(moves: Any, error: type[Exception]) -> None:
    batch = batch_of("gomoku(size=5)", 3)
    with pytest.raises(error) as refused:
        batch.play(moves)
    assert str(refused.value)
    if error is ParseError:
        assert "expected one for each of 3 games" in str(refused.value)
    assert batch.lengths.tolist() == [0, 0, 0]


def test_moves_that_do_not_lie_side_by_side() -> None:
    """A column of a table of moves is read as it stands, or refused: never read wrongly."""
    table = np.arange(12, dtype=np.int32).reshape(3, 4)
    batch = batch_of("gomoku(size=5)", 3)
    batch.play(table[:, 2])
    assert [batch[i].text for i in range(3)] == [
        game_data.load("gomoku(size=5)").start().play(move).text for move in (2, 6, 10)
    ]


@pytest.mark.parametrize(
    "states", [np.zeros((2, 4), np.uint64), np.zeros((3, 3), np.uint64), np.zeros(4, np.uint64)]
)
def test_wrong_random_states(states: Any) -> None:
    batch = batch_of("gomoku(size=5)", 3)
    with pytest.raises((ParseError, TypeError)):
        batch.random_states = states


def test_restart() -> None:
    batch = batch_of("gomoku(size=5)", 4)
    start = batch.keys.tolist()
    batch.playout()
    played, lengths, states = batch.keys.tolist(), batch.lengths.tolist(), batch.random_states
    batch.restart(np.array([True, False, False, True]))
    assert batch.keys.tolist() == [start[0], played[1], played[2], start[3]]
    assert batch.lengths.tolist() == [0, lengths[1], lengths[2], 0]
    assert (batch.random_states == states).all()
    batch.playout()
    assert batch.keys.tolist()[0] != played[0]  # the stream went on, so this is another game
    batch.restart()
    assert batch.keys.tolist() == start
    for flags in (np.ones(3, dtype=bool), np.ones(5, dtype=bool)):
        with pytest.raises(ParseError, match="expected one for each of 4 games"):
            batch.restart(flags)


def test_a_restarted_toy_is_dealt_anew() -> None:
    batch = batch_of("quarrel", 50)
    first = batch.keys.tolist()
    assert len(set(first)) > 10
    batch.restart()
    assert batch.keys.tolist() != first


def test_place() -> None:
    game = game_data.load("gomoku(size=5)")
    batch: Any = game.batch(3)
    batch.playout(limit=2)
    batch.place(1, game.start().play("c3"))
    assert batch[1] == game.start().play("c3")
    assert batch.lengths.tolist() == [2, 0, 2]
    for other in ("gomoku(size=6)", "gomoku(size=5,rule=exactly_five)"):
        with pytest.raises(ParseError, match=r"the batch of gomoku\(size=5\)"):
            batch.place(0, game_data.load(other).start())
    with pytest.raises(TypeError):
        batch.place(0, game_data.load("chess").start())
    for index in (-1, 3):
        with pytest.raises(IndexError, match="in a batch of 3"):
            batch.place(index, game.start())
        with pytest.raises(IndexError, match="in a batch of 3"):
            batch[index]


def test_a_placed_position_brings_its_past() -> None:
    game: Any = game_data.load("chess")
    position = game.start()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        position = position.play(move)
    batch = game.batch(2)
    batch.place(0, position)
    batch.play(np.array([position.parse_move("f6g8"), -1], dtype=np.int32))
    assert batch.over.tolist() == [True, False]


def test_a_batch_begins_where_it_is_told() -> None:
    game: Any = game_data.load("chess")
    ending = game.parse("8/8/8/8/8/2k5/7r/K7 w - - 0 1")
    batch = game.batch(3, start=ending)
    batch.playout()
    batch.restart()
    assert [batch[i] for i in range(3)] == [ending] * 3


@pytest.mark.parametrize(("count", "threads"), [(0, 1), (-1, 1), (5, 0), (5, 1025)])
def test_sizes_that_make_no_sense(count: int, threads: int) -> None:
    with pytest.raises(ParseError, match=r"at least one game|threads must be"):
        game_data.load("gomoku").batch(count, threads=threads)


def test_playout_limits() -> None:
    batch = batch_of("gomoku", 6)
    assert batch.playout(limit=5) == 30
    assert batch.lengths.tolist() == [5] * 6
    with pytest.raises(ParseError, match="limit"):
        batch.playout(limit=-1)


@pytest.mark.parametrize("spec", game_data.SPECS)
def test_batch_features_are_those_of_single_positions(spec: str) -> None:
    batch = batch_of(spec, 30, seed=2)
    for _ in range(6):
        batch.playout(limit=5)
        alone = np.stack([batch[i].features() for i in range(30)])
        assert np.array_equal(batch.features(), alone)


def plane(*rows: str) -> Any:
    """A plane drawn with its row 0 at the bottom: # is 1."""
    return np.array([[float(c == "#") for c in row] for row in reversed(rows)], dtype=np.float32)


def test_gomoku_planes_by_hand() -> None:
    position: Any = tempo.load("gomoku(size=5)").start().play("a1").play("c3").play("e1")
    white, black = position.features(), position.features("black")
    blacks = plane(".....", ".....", ".....", ".....", "#...#")
    whites = plane(".....", ".....", "..#..", ".....", ".....")
    assert np.array_equal(white, position.features(1))
    assert np.array_equal(white, np.stack([whites, blacks, np.zeros((5, 5))]))
    assert np.array_equal(black, np.stack([blacks, whites, np.ones((5, 5))]))


def test_chess_planes_by_hand() -> None:
    """After 1 e4 Nf6 2 e5 d5: White may take en passant on d6; both may castle both ways."""
    position: Any = tempo.load("chess").start()
    for move in ("e4", "Nf6", "e5", "d5"):
        position = position.play(move)
    own = position.features()
    assert own.shape == (19, 8, 8)
    empty = "........"
    own_pawns = plane(empty, empty, empty, "....#...", empty, empty, "####.###", empty)
    assert np.array_equal(own[0], own_pawns)
    assert np.array_equal(own[1], plane(*[empty] * 7, ".#....#."))
    assert np.array_equal(own[2], plane(*[empty] * 7, "..#..#.."))
    assert np.array_equal(own[3], plane(*[empty] * 7, "#......#"))
    assert np.array_equal(own[4], plane(*[empty] * 7, "...#...."))
    assert np.array_equal(own[5], plane(*[empty] * 7, "....#..."))
    their_pawns = plane(empty, "###.####", empty, "...#....", empty, empty, empty, empty)
    assert np.array_equal(own[6], their_pawns)
    assert np.array_equal(own[7], plane(".#......", empty, ".....#..", *[empty] * 5))
    assert np.array_equal(own[11], plane("....#...", *[empty] * 7))
    assert (own[12:16] == 1).all()
    assert np.array_equal(own[16], plane(empty, empty, "...#....", *[empty] * 5))
    assert (own[17] == 0).all()
    assert (own[18] == 1).all()

    theirs = position.features("black")  # the same from Black's side: ranks turned, sides swapped
    assert np.array_equal(theirs[0:6], own[6:12, ::-1])
    assert np.array_equal(theirs[6:12], own[0:6, ::-1])
    assert np.array_equal(theirs[16], own[16, ::-1])
    assert (theirs[18] == 0).all()


def test_chess_rights_and_clock_planes() -> None:
    position: Any = tempo.load("chess").parse("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 25 40")
    black = position.features()
    assert [float(black[i, 0, 0]) for i in (12, 13, 14, 15)] == [0.0, 1.0, 1.0, 0.0]
    assert black[17] == pytest.approx(0.25)
    assert (black[16] == 0).all()
    with pytest.raises(ParseError, match="0 or 'white', 1 or 'black'"):
        position.features("green")
