"""Gomoku's playouts against a slow definition of their rules, and the agents made of them."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from safetensors.numpy import save_file

import tempo
from tempo import ParseError, _core, agents
from tempo._core import gomoku, gomoku_playouts
from tempo.agents.gomoku.playouts import (
    AdpMcts,
    AdpSettings,
    Hmcts,
    HmctsSettings,
    Uct,
    UctSettings,
)

RULES = ("freestyle", "exactly_five")
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))

Point = tuple[int, int]
Stones = dict[Point, int]


def options(size: int = 15, rule: str = "freestyle") -> gomoku.Options:
    return gomoku.Options({"size": str(size), "rule": rule})


def drawn(text: str, size: int = 9, rule: str = "freestyle") -> gomoku.Position:
    return gomoku.parse(text, options(size, rule))


@cache
def windows(size: int) -> list[tuple[list[Point], list[Point]]]:
    """The five points of every window, and the two beside it."""
    found = []
    for x, y, (dx, dy) in product(range(size), range(size), LINES):
        seven = [(x + k * dx, y + k * dy) for k in range(-1, 6)]
        if all(0 <= a < size and 0 <= b < size for a, b in seven[1:6]):
            found.append((seven[1:6], [seven[0], seven[6]]))
    return found


def slow_rule(stones: Stones, size: int, exactly: bool, seat: int) -> tuple[str, set[int]]:
    """The first rule of the paper that has something to say, and the points it names."""
    named: dict[tuple[int, int], set[int]] = defaultdict(set)  # by seat and number of stones
    for cells, ends in windows(size):
        held = [stones.get(cell) for cell in cells]
        for whose in (0, 1):
            if whose not in held or 1 - whose in held:
                continue
            if exactly and any(stones.get(end) == whose for end in ends):
                continue
            empty = {y * size + x for x, y in cells if (x, y) not in stones}
            named[whose, held.count(whose)] |= empty
    order = {"complete": (seat, 4), "block": (1 - seat, 4), "extend": (seat, 3)}
    for name, key in {**order, "hinder": (1 - seat, 3)}.items():
        if named[key]:
            return name, named[key]
    return "any", {y * size + x for x in range(size) for y in range(size) if (x, y) not in stones}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5, 6, 9, 15, 20])
def test_every_move_of_a_playout_is_what_the_rules_name(size: int, rule: str) -> None:
    seen = set()
    for seed in range(6 if size < 15 else 1):
        position = gomoku.start(options(size, rule))
        stones: Stones = {}
        for ply, move in enumerate(gomoku_playouts.play_out(position, seed)):
            name, points = slow_rule(stones, size, rule == "exactly_five", ply % 2)
            assert gomoku_playouts.named(position) == (name, sorted(points))
            assert move in points
            seen.add(name)
            stones[move % size, move // size] = ply % 2
            position = position.play(move)
        assert position.is_over
    if size > 5:  # where few windows stay free of the other seat
        assert {"block", "extend", "hinder", "any"} <= seen


@pytest.mark.parametrize(
    ("text", "rule", "expected"),
    [
        # x has a four and so has o: completing comes first.
        ("9/9/9/9/xxxx5/9/oooo5/9/9 x", "complete", {"e5"}),
        # o alone has a four; x's own three has to wait.
        ("9/9/9/9/xxx6/9/oooo5/9/7x1 x", "block", {"e3"}),
        # Threes of both: one's own is extended, at any empty point of its windows.
        ("9/9/9/9/xxx6/9/ooo6/9/9 x", "extend", {"d5", "e5"}),
        # A three of the other's alone.
        ("9/9/9/9/xx6x/9/ooo6/9/9 x", "hinder", {"d3", "e3"}),
        # Twos only.
        ("9/9/9/9/xx7/9/oo7/9/9 x", "any", None),
    ],
)
def test_rules_come_in_order(text: str, rule: str, expected: set[str] | None) -> None:
    position = drawn(text)
    name, points = gomoku_playouts.named(position)
    assert name == rule
    if expected is None:
        assert points == list(position.legal_moves)
    else:
        assert {position.move_text(point) for point in points} == expected
    first = {gomoku_playouts.play_out(position, seed)[0] for seed in range(2000)}
    assert first == set(points)  # any of them, and nothing else


def test_an_overline_is_no_four_under_exactly_five() -> None:
    text = "9/9/9/9/xxx1xx3/9/oo6o/o8/o8 x"
    assert gomoku_playouts.named(drawn(text)) == ("complete", [4 * 9 + 3])
    name, points = gomoku_playouts.named(drawn(text, rule="exactly_five"))
    assert name != "complete"
    assert (name, set(points)) == slow_rule(stones_of(text), 9, True, 0)


def stones_of(text: str) -> Stones:
    stones: Stones = {}
    rows = text.split(maxsplit=1)[0].split("/")
    for y, row in enumerate(reversed(rows)):
        x = 0
        for letter in row:
            if letter.isdigit():
                x += int(letter)
                continue
            stones[x, y] = "xo".index(letter)
            x += 1
    return stones


def test_playouts_are_counted_exactly_whatever_the_threads() -> None:
    position = gomoku.start(options(9)).play("e5").play("d5")
    moves = gomoku_playouts.candidates(position)
    one, cost = gomoku_playouts.by_playouts(position, moves, 20, seed=3)
    three, same = gomoku_playouts.by_playouts(position, moves, 20, seed=3, threads=3)
    assert one.tolist() == three.tolist()
    assert cost == same
    assert np.allclose(one * 20, np.round(one * 20))  # wins of 20
    assert gomoku_playouts.by_playouts(position, moves, 20, seed=4)[0].tolist() != one.tolist()
    # A stream belongs to its move, not to its place in the list.
    assert gomoku_playouts.by_playouts(position, moves[7:8], 20, seed=3)[0][0] == one[7]


def test_draws_are_no_wins_and_a_won_game_is_not_played_on() -> None:
    won = drawn("9/9/9/9/xxxx5/9/oooo5/9/9 x")
    rewards, positions = gomoku_playouts.by_playouts(won, [won.parse_move("e5")], 50, seed=1)
    assert rewards.tolist() == [1.0]
    assert positions == 50
    drawn_out = drawn("xxoox/ooxxo/xxoox/ooxxo/1xoox x", 5)
    rewards, _ = gomoku_playouts.by_playouts(drawn_out, [0], 50, seed=1)
    assert rewards.tolist() == [0.0]


def tree(simulations: int, seed: int, threads: int = 1) -> _core.MonteCarloSettings:
    return _core.MonteCarloSettings(
        simulations=simulations, exploration=1.0, seed=seed, threads=threads
    )


@pytest.mark.parametrize("text", ["9/9/9/9/2xxx4/9/2ooo4/9/9 x", "9/9/9/9/2ooo4/9/2xxx4/8x/9 o"])
def test_a_good_move_is_good_for_its_own_seat(text: str) -> None:
    """Either seat has an open three and is to move: a four wins, a move far off loses."""
    position = drawn(text)
    moves = [position.parse_move("b5"), position.parse_move("i9")]
    rewards, _ = gomoku_playouts.by_playouts(position, moves, 300, seed=1)
    assert rewards[0] > 0.95
    assert rewards[1] < 0.3
    rewards, _ = gomoku_playouts.by_trees(position, moves, tree(2000, seed=1))
    assert rewards[0] > 0.75
    assert rewards[1] < 0.35


def exact(position: gomoku.Position, known: dict[int, float]) -> float:
    """What the seat to move gets if both play perfectly."""
    if position.outcome is not None:
        return position.outcome.scores[position.turn]
    if position.key not in known:
        moves = position.legal_moves
        known[position.key] = max(-exact(position.play(move), known) for move in moves)
    return known[position.key]


def close_endings(empty: int, count: int) -> list[tuple[gomoku.Position, set[int]]]:
    """Positions with few empty points in which some moves are worse than others, with the best."""
    random = Random(4)
    found: list[tuple[gomoku.Position, set[int]]] = []
    while len(found) < count:
        position = gomoku.start(options(6))
        while not position.is_over and len(position.legal_moves) > empty:
            position = position.play(random.choice(list(position.legal_moves)))
        if position.is_over:
            continue
        known: dict[int, float] = {}
        worth = {move: -exact(position.play(move), known) for move in position.legal_moves}
        if len(set(worth.values())) > 1:
            best = max(worth.values())
            found.append((position, {move for move in worth if worth[move] == best}))
    return found


@pytest.mark.parametrize(("empty", "seat"), [(7, 1), (8, 0)])
def test_a_tree_finds_what_is_best_against_the_best_replies(empty: int, seat: int) -> None:
    """Rewards backed up without change of side would count on replies that help."""
    misled = 0
    for position, best in close_endings(empty, 20):
        assert position.turn == seat
        assert gomoku_playouts.search(position, tree(20_000, seed=1)).move in best
        moves = list(position.legal_moves)
        rewards, _ = gomoku_playouts.by_playouts(position, moves, 500, seed=1)
        misled += moves[int(rewards.argmax())] not in best
    assert misled > 2  # by playouts alone: these endings need a tree


def test_trees_keep_their_budget_whatever_the_threads() -> None:
    position = gomoku.start(options(9)).play("e5").play("d5")
    moves = gomoku_playouts.candidates(position)[:4]
    one = gomoku_playouts.by_trees(position, moves, tree(60, seed=2))
    three = gomoku_playouts.by_trees(position, moves, tree(60, seed=2, threads=3))
    assert one[0].tolist() == three[0].tolist()
    assert one[1] == three[1]
    found = gomoku_playouts.search(position, tree(500, seed=2))
    assert sum(root.visits for root in found.root) == 500
    near = set(gomoku_playouts.candidates(position))
    assert {root.move for root in found.root} <= near


def test_bad_questions_are_refused() -> None:
    position = gomoku.start(options(9)).play("e5")
    with pytest.raises(ParseError, match="0 playouts"):
        gomoku_playouts.by_playouts(position, [0], 0, seed=1)
    with pytest.raises(tempo.IllegalMove):
        gomoku_playouts.by_playouts(position, [40], 1, seed=1)
    with pytest.raises(ParseError, match="radius"):
        gomoku_playouts.candidates(position, radius=9)
    with pytest.raises(ParseError, match="playouts cannot be '0'"):
        Hmcts(HmctsSettings(playouts=0))
    with pytest.raises(ParseError, match="hmcts plays gomoku, not chess"):
        Hmcts().choose(tempo.load("chess").start())


# ---- agents


def critic_file(folder: Path) -> str:
    """A critic of small random weights."""
    random = np.random.default_rng(1)
    first = random.uniform(-0.5, 0.5, (274, 20)).astype(np.float32)
    second = random.uniform(-0.5, 0.5, 20).astype(np.float32)
    file = folder / "critic.safetensors"
    save_file({"first": first, "second": second}, file)
    return str(file)


def test_hmcts_tries_every_candidate_and_says_what_it_cost() -> None:
    position = gomoku.start(options(9)).play("e5").play("d5")
    agent = Hmcts(HmctsSettings(playouts=10))
    choice = agent.choose(position)
    moves = gomoku_playouts.candidates(position)
    seed = Random(0).getrandbits(64)
    rewards, positions = gomoku_playouts.by_playouts(position, moves, 10, seed)
    assert rewards[moves.index(choice.move)] == rewards.max()
    assert choice.cost.positions == positions
    assert choice.values[0] == -choice.values[1] == pytest.approx(2 * rewards.max() - 1)
    agent.reset(0)
    assert agent.choose(position) == choice


def test_uct_is_the_published_formula() -> None:
    position = gomoku.start(options(9)).play("e5").play("d5")
    choice = Uct(UctSettings(playouts=5)).choose(position)
    number = 5 * len(gomoku_playouts.candidates(position))
    # Q/N + c sqrt(2 ln N / n) with c = 1/sqrt 2 is Q/N + sqrt(ln N / n).
    settings = _core.MonteCarloSettings(
        simulations=number,
        exploration=(1 / math.sqrt(2)) * math.sqrt(2),
        seed=Random(0).getrandbits(64),
    )
    found = gomoku_playouts.search(position, settings)
    assert choice.move == found.move
    assert sum(candidate.visits for candidate in choice.candidates) == number


@pytest.mark.parametrize("kind", ["hmcts", "uct"])
@pytest.mark.parametrize("seat", [0, 1])
def test_adp_mixes_the_critic_with_what_was_tried(kind: str, seat: int, tmp_path: Path) -> None:
    weights = critic_file(tmp_path)
    position = gomoku.start(options(9)).play("e5").play("d5").play("e6")
    if seat == 0:
        position = position.play("d6")
    settings = AdpSettings(playouts=30, weights=weights, critic=0.25)
    agent = AdpMcts(kind, settings)
    choice = agent.choose(position)
    moves, liked, five = agent._judge(position)
    assert five == -1
    top = sorted(range(len(moves)), key=lambda i: -liked[i])[:5]
    named = [int(moves[i]) for i in top]
    agent.reset(0)
    found, positions = agent._try(position, named)
    worth = 0.25 * liked[top] + 0.75 * found
    assert choice.move == named[int(worth.argmax())]
    assert {candidate.move for candidate in choice.candidates} == set(named)
    assert choice.cost.positions == positions + len(moves)
    assert choice.cost.evaluations == len(moves)
    assert choice.values[seat] == pytest.approx(2 * worth.max() - 1)


def test_adp_with_one_opinion_only(tmp_path: Path) -> None:
    weights = critic_file(tmp_path)
    position = gomoku.start(options(9)).play("e5").play("d5")
    agent = AdpMcts("hmcts", AdpSettings(playouts=20, weights=weights, critic=1.0))
    moves, liked, _ = agent._judge(position)
    assert agent.choose(position).move == moves[liked.argmax()]
    win = drawn("9/9/9/9/xxxx5/9/oooo5/9/9 x")
    assert agent.choose(win).move == win.parse_move("e5")
    for wrong in ("top=0", "critic=1.5", "player=three"):
        with pytest.raises(ParseError, match="cannot be"):
            agents.load(f"adp-hmcts:{wrong}")
