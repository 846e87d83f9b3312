"""The paper's battle engine against its slow definition; whole battles in bulk."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from reference import jiu_shapes as slow

import tempo
from tempo._core import jiu_players
from tempo._core.jiu import Position
from tempo.agents.jiu.placing import Layouts, RandomPlacer, both_ways, lay_out, pair_seeds, rules
from tempo.errors import ParseError

SEED = 5


def battles(count: int, size: int = 14, seed: int = SEED) -> list[Position]:
    print(f"seed {seed}")
    options = rules(f"jiu(size={size})")
    layouts = lay_out(
        options,
        (RandomPlacer(), RandomPlacer()),
        both_ways(count // 2),
        pair_seeds(count // 2, seed),
    )
    return jiu_players.battles(options, layouts.boards)


def parsed(spec: str, text: str) -> Position:
    position = tempo.load(spec).parse(text)
    assert isinstance(position, Position)
    return position


def seeds(count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.arange(count, dtype=np.uint64)


def middles(size: int, count: int) -> list[Position]:
    """Positions from all over battles that the engine plays against random moves."""
    found = []
    starts = battles(count, size)
    for engines in (("paper", "paper"), ("paper", "random")):
        _, _, _, moves = jiu_players.play_battles(starts, seeds(count), engines, keep_moves=True)
        for number, (start, played) in enumerate(zip(starts, moves, strict=True)):
            position, between = start, [start]
            for move in played:
                position = position.play(int(move))
                if not position.in_turn and not position.is_over:
                    between.append(position)
            found.append(between[len(between) * (number + 1) // (count + 2)])
    return found


def finished(turn: slow.Turn) -> slow.Turn:
    """A displacement with its captures paid as the engine pays them."""
    after, moves = turn.after, turn.moves
    while after.in_turn:
        row, column = slow.capture(after)
        move = after.parse_move(f"*{chr(ord('A') + row)}{column + 1}")
        after, moves = after.play(move), (*moves, move)
    return turn._replace(after=after, moves=moves)


def slow_values(position: Position) -> dict[tuple[int, ...], int]:
    before = slow.Scene.of(position)
    turns = map(finished, slow.displacements(position))
    return {turn.moves: slow.worth(turn, before, position.turn) for turn in turns}


def values(position: Position) -> dict[tuple[int, ...], int]:
    return {tuple(moves): worth for moves, worth in jiu_players.paper_turns(position)}


@pytest.mark.parametrize(("size", "count"), [(6, 6), (8, 2)])
def test_turns_are_worth_what_the_slow_reference_says(size: int, count: int) -> None:
    for position in middles(size, count):
        fresh = parsed(position.game, position.text)  # without a past to repeat
        assert values(fresh) == slow_values(fresh), position.text


def test_a_turn_of_the_highest_value_is_played() -> None:
    for position in middles(14, 6):
        worths = values(position)
        chosen = tuple(jiu_players.choose_turn(position, "paper", 1))
        assert worths[chosen] == max(worths.values()), position.text


# White's stones, and whether White can make a Dalian by a step or jump.
REPLIES = {
    "the vital stone goes to and fro": ("o1oo4/oooo4/8/8/8/8/5x2/5xxx", True),
    "a stone steps in": ("o1o1o3/oooo4/8/8/8/8/5x2/5xxx", True),
    "a stone jumps in": ("o1o1xo2/oooo4/8/8/8/8/5x2/5xxx", True),
    "a stone steps out of the hole": ("8/oooo4/oooo4/8/8/8/5x2/5xxx", True),
    "a stone jumps out of the hole": ("8/1x6/oooo4/oooo4/8/8/5x2/5xxx", True),
    "the mouth slants": ("oo6/oo1o4/2oo4/4o3/8/8/5x2/5xxx", True),
    "nobody can join": ("o1o5/oooo4/8/6o1/8/8/5x2/5xxx", False),
    "the hole is stopped up": ("oxoo4/oooo4/8/8/8/8/5x2/5xxx", False),
}


@pytest.mark.parametrize("flying", ["0", "20"])
@pytest.mark.parametrize("kind", REPLIES)
def test_replies_that_make_a_dalian_are_feared(kind: str, flying: str) -> None:
    stones, feared = REPLIES[kind]
    spec = f"jiu(size=8,fly_threshold={flying},min_stones=0,shape_check=off)"
    position = parsed(spec, stones + " x battle 0 10")
    before, worths = slow.Scene.of(position), values(position)
    if flying == "0":
        replies = slow.displacements(position.play("H8-G8"))
        assert feared == any(slow.makes_dalian(turn, before, 0) for turn in replies)
    # Where all fly there are hundreds of turns, each with hundreds of replies.
    for turn in islice(slow.displacements(position), 1 if flying == "20" else None):
        assert worths[turn.moves] == slow.worth(turn, before, position.turn)


def test_going_back_to_where_one_was_is_worth_a_draw_at_most() -> None:
    spec = "jiu(size=8,fly_threshold=0,min_stones=0,shape_check=off)"
    position = parsed(spec, "x1xx4/xxxx4/8/8/8/8/6oo/7o x battle 0 10")
    for text in ("B1-C1", "G7-F7", "C1-B1", "F7-G7"):
        worth = {position.move_text(moves[0]): w for moves, w in jiu_players.paper_turns(position)}
        position = position.play(text)
    assert worth["F7-G7"] < 0  # White stands badly, and may go back
    worth = {position.move_text(moves[0]): w for moves, w in jiu_players.paper_turns(position)}
    assert worth["B1-C1"] == 0  # where Black has been before; other steps win more
    assert max(worth.values()) > 0


WIN = "x1xx3x/xxxx3x/8/o1o1o1o1/8/o1o1o1o1/8/o7 x battle 0 10"
LOSS = "x1x1x1x1/8/x1x1x1x1/2xo4/8/o1o1oo2/4o2o/o1o5 x battle 0 10"


def test_a_turn_that_wins_is_played_and_one_that_loses_is_not() -> None:
    position = parsed(
        "jiu(size=8)", WIN
    )  # a capture by the Dalian leaves White with eight stones and no gate
    for move in jiu_players.choose_turn(position, "paper", 1):
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.scores == (-1, 1)
    position = parsed("jiu(size=8)", LOSS)  # taking D4 hands White the game by reversal
    for seed in range(10):
        moves = jiu_players.choose_turn(position, "paper", seed)
        assert position.move_text(moves[0]) != "D3-D5"


def test_equal_turns_are_drawn_by_the_seed() -> None:
    position = battles(2, 8)[0]
    turns = [tuple(jiu_players.choose_turn(position, "random", seed)) for seed in range(20)]
    assert len(set(turns)) > 1
    for seed in range(20):
        assert tuple(jiu_players.choose_turn(position, "random", seed)) == turns[seed]


def test_results_do_not_depend_on_threads_or_company() -> None:
    starts = battles(8)
    alone = [
        jiu_players.play_battles([start], seeds(8)[i : i + 1], ("paper", "paper"))
        for i, start in enumerate(starts)
    ]
    for threads in (1, 2):
        scores, plies, reasons, _ = jiu_players.play_battles(
            starts, seeds(8), ("paper", "paper"), threads=threads
        )
        for i, one in enumerate(alone):
            np.testing.assert_array_equal(scores[i], one[0][0])
            assert (plies[i], reasons[i]) == (one[1][0], one[2][0])


def test_kept_moves_replay_to_the_same_end() -> None:
    starts = battles(4, 8)
    scores, plies, reasons, moves = jiu_players.play_battles(
        starts, seeds(4), ("paper", "search:40"), keep_moves=True
    )
    for i, start in enumerate(starts):
        position = start
        for move in moves[i]:
            position = position.play(int(move))
        outcome = position.outcome
        assert outcome is not None
        assert (outcome.reason, tuple(scores[i])) == (reasons[i], outcome.scores)
        assert position.plies == plies[i]


def test_engines_by_strength() -> None:
    starts = battles(40)
    for strong, weak in (("paper", "random"), ("search:60", "paper")):
        as_white, _, _, _ = jiu_players.play_battles(starts, seeds(40), (strong, weak), threads=2)
        as_black, _, _, _ = jiu_players.play_battles(starts, seeds(40), (weak, strong), threads=2)
        assert as_white[:, 0].mean() > 0.4
        assert as_black[:, 1].mean() > 0.4


def test_the_engine_goes_on_with_a_turn_under_way() -> None:
    spec = "jiu(size=6,fly_threshold=0,min_stones=0,shape_check=off)"
    position = parsed(spec, "6/6/xo1o2/6/6/5o x battle 0 0").play("C1-C3")
    assert position.in_turn
    turn = jiu_players.choose_turn(position, "paper", 1)
    assert position.move_text(turn[0]) in ("-C5", "stop")
    for move in turn:
        position = position.play(move)
    assert not position.in_turn


@pytest.mark.parametrize("engine", ["", "strong", "search", "search:", "search:0", "search:1x"])
def test_engines_that_there_are_not(engine: str) -> None:
    with pytest.raises(ParseError, match="there are paper, random and search:N"):
        jiu_players.choose_turn(battles(2, 6)[0], engine, 1)


def test_what_is_no_battle_is_refused() -> None:
    start = tempo.load("jiu").start()
    assert isinstance(start, Position)
    with pytest.raises(ParseError, match="this is the preparation"):
        jiu_players.choose_turn(start, "paper", 1)
    boards = Layouts.start(rules(), seeds(1)).boards
    with pytest.raises(ParseError, match="board 0 has 0 white and 0 black stones; a battle begins"):
        jiu_players.battles(rules(), boards)
    boards[:] = 3
    with pytest.raises(ParseError, match="boards holds 3; expected 0 to 2"):
        jiu_players.battles(rules(), boards)
