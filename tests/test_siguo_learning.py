"""The 130 inputs of Siguo's learners: beliefs, stations, expected after-states, the network."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tempo
from tempo import _core
from tempo.errors import ParseError

GAME: Any = tempo.load("siguo")
CORE = _core.siguo
LEARNING = _core.siguo_learning
KINDS = "987654321BMF"
COUNTS = np.array([1, 1, 2, 2, 2, 2, 3, 3, 3, 2, 3, 1])
STATIONS = np.array([1, 0.9, 0.72, 0.5, 0.42, 0.28, 0.22, 0.18, 0.4, 0.52, 0.45, 1])
RANKS = np.array([9, 8, 7, 6, 5, 4, 3, 2, 1, 5, 4, 9]) / 9
CAMPS = {(2, 2), (2, 4), (3, 3), (4, 2), (4, 4)}
HOMES = [
    f"{seat}{row}{column}"
    for seat in "SENW"
    for row in range(1, 7)
    for column in range(1, 6)
    if (row, column) not in CAMPS
]
Floats = NDArray[np.floating[Any]]
Small = NDArray[np.float32]


def game(seed: int, most: int = 10_000) -> list[Any]:
    """The views of a random game, each of the seat to move, of positions not over."""
    random, position = Random(seed), GAME.start(seed)
    views: list[Any] = []
    while not position.is_over and len(views) < most:
        views.append(position.view(position.turn))
        position = position.play(random.choice(list(position.legal_moves)))
    return views


def pieces(view: Any) -> dict[int, int]:
    """Piece by station, read from the text; those of seats that are out are gone."""
    places = {home: home for home in HOMES}
    for word in view.text.split(" "):
        home, _, where = word.partition("@")
        if where:
            places[home] = where.rstrip("~*")
        if fought := re.fullmatch(r"([SENW]..)x([SENW]..)([-+=])\S*", word):
            attacker, defender, result = fought.groups()
            dead = {"+": [defender], "-": [attacker], "=": [attacker, defender]}[result]
            places.update(dict.fromkeys(dead, "-"))
    out = re.search(r" out=(\w+)", view.text)
    gone = out[1] if out else ""
    return {
        CORE.station(where): piece
        for piece, (home, where) in enumerate(places.items())
        if where != "-" and home[0] not in gone
    }


def slow(view: Any, kind: str) -> Floats:
    """The inputs of a view one piece at a time."""
    worths = STATIONS if kind == "stations" else RANKS
    partner = 0.75 if kind == "stations" else 1.0
    chances = LEARNING.chances(view)
    x = np.zeros(130)
    for station, piece in pieces(view).items():
        relative = (piece // 25 - view.seat) % 4
        factor = {0: 1.0, 1: -1.0, 2: partner, 3: -1.0}[relative]
        x[CORE.turned(station, (4 - view.seat) % 4)] = factor * (chances[piece] @ worths)
    same_team = (view.turn - view.seat) % 2 == 0
    x[129] = 1.0 if kind == "stations" or same_team else -1.0
    return x


def battle(attacker: str, defender: str) -> str:
    """+ the attacker wins, - it loses, = both go."""
    if "B" in (attacker, defender):
        return "="
    if defender == "F":
        return "+"
    if defender == "M":
        return "+" if attacker == "1" else "-"
    return "=" if attacker == defender else "+" if attacker > defender else "-"


def slow_after(view: Any, move: int) -> Floats:
    """The expected stations after a move, kind by kind of the piece attacked."""
    turns = (4 - view.seat) % 4
    start, target = (CORE.turned(station, turns) for station in divmod(move, 129))
    standing, chances = pieces(view), LEARNING.chances(view)
    x = slow(view, "stations")
    own = int(chances[standing[move // 129]].argmax())
    met = standing.get(move % 129)
    x[start], x[target] = 0, STATIONS[own]
    if met is None:
        return x
    keeps = 1 - chances[met][11]
    for station, piece in standing.items():
        if piece // 25 == met // 25:
            x[CORE.turned(station, turns)] *= keeps
    x[target] = 0
    for k, chance in enumerate(chances[met]):
        result = battle(KINDS[own], KINDS[k])
        x[target] += chance * {"+": STATIONS[own], "-": -STATIONS[k], "=": 0.0}[result]
    return x


def test_the_start_has_the_published_values() -> None:
    view = GAME.start().view(0)
    x = LEARNING.features([view])[0]
    assert x[30:35] == pytest.approx([-8.14 / 19] * 5, abs=1e-4)
    assert x[60:65] == pytest.approx([0.75 * 8.14 / 19] * 5, abs=1e-4)
    assert x[90:95] == pytest.approx([-8.14 / 19] * 5, abs=1e-4)
    assert not x[120:129].any()
    assert x[129] == 1
    exact = CORE.Belief(view).chances()
    assert LEARNING.chances(view) == pytest.approx(exact, abs=2e-4)


def test_quick_chances_fit_every_army_and_stay_near_the_exact_ones() -> None:
    views = game(3)[100:400:60]
    for view in views:
        quick = LEARNING.chances(view)
        assert quick.sum(axis=1) == pytest.approx(np.ones(100), abs=1e-3)
        for seat in range(4):
            army = quick[25 * seat : 25 * seat + 25].sum(axis=0)
            assert army == pytest.approx(COUNTS, abs=0.02)
        exact = CORE.Belief(view, seed=1, draws=4000)
        off = np.abs(quick - exact.chances())
        assert off.mean() < 0.01 + exact.error
        for piece, home in enumerate(HOMES):
            possible = set(view.possible(home))
            assert {KINDS[k] for k in np.flatnonzero(quick[piece])} <= possible


@pytest.mark.parametrize("kind", ["stations", "ranks"])
def test_inputs_are_those_of_a_slow_computation(kind: str) -> None:
    views = game(5)
    rows = LEARNING.features(views, kind)
    assert rows.shape == (len(views), 130)
    assert np.abs(rows).max() <= 1
    for i in [*range(0, 60, 7), *range(60, len(views), 41)]:
        assert rows[i] == pytest.approx(slow(views[i], kind), abs=1e-5)
        alone = LEARNING.features([views[i]], kind)[0]
        assert np.array_equal(alone, rows[i])  # followed or new, a view gives the same


def test_a_seat_sees_itself_at_the_south() -> None:
    setup = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B"
    position = CORE.of_setups([setup] * 4, GAME.options)
    rows = LEARNING.features([position.view(seat) for seat in range(4)])
    for row in rows[1:]:
        assert np.array_equal(row, rows[0])
    ranks = LEARNING.features([position.view(seat) for seat in range(4)], "ranks")
    assert ranks[:, 129].tolist() == [1, -1, 1, -1]


def test_what_a_seat_cannot_see_changes_nothing() -> None:
    for view in game(8)[40::70]:
        for seed in range(3):
            other = view.sample(seed).view(view.seat)
            for kind in ("stations", "ranks"):
                seen = LEARNING.features([view, other], kind)
                assert np.array_equal(seen[0], seen[1])
            for mine, theirs in zip(made(1).judge(view), made(1).judge(other), strict=True):
                assert np.array_equal(mine, theirs)


def test_expected_states_after_moves_are_those_of_a_slow_computation() -> None:
    attacks = 0
    for view in game(6)[10::37]:
        moves, rows = LEARNING.after_moves(view)
        assert moves.tolist() == list(view.legal_moves)
        for move, row in zip(moves.tolist(), rows, strict=True):
            assert row == pytest.approx(slow_after(view, move), abs=1e-5)
            attacks += pieces(view).get(move % 129) is not None
    assert attacks > 20


def test_an_attack_on_a_headquarters_fades_its_owner() -> None:
    back = " ".join(f"{s}.F@{s}62 {s}.2@{s}61" for s in "SENW")
    position = GAME.parse(f"{back} W.5@W64 W.4@W11 S.2@W52 turn=S")
    view = position.view(0)
    west = CORE.station("W62")
    chance = LEARNING.chances(view)[75 + HOMES[75:].index("W62")]
    assert 0.2 < chance[11] < 0.8
    moves, rows = LEARNING.after_moves(view)
    row = rows[moves.tolist().index(129 * CORE.station("W52") + west)]
    before = LEARNING.features([view])[0]
    for name in ("W64", "W11", "W61"):
        station = CORE.station(name)
        assert row[station] == pytest.approx(before[station] * (1 - chance[11]), abs=1e-6)
    lost = sum(chance[k] * STATIONS[k] for k, kind in enumerate(KINDS) if kind in "9876543M")
    won = 0.18 * (chance[8] + chance[11])
    assert row[west] == pytest.approx(won - lost, abs=1e-6)
    assert made(7).judge(view)[1] == pytest.approx(network(7, rows), abs=1e-5)


def weights(seed: int) -> tuple[Small, Small, Small]:
    random = np.random.default_rng(seed)
    first, bias, second = (random.uniform(-0.5, 0.5, shape) for shape in ((130, 5), 5, 5))
    return first.astype(np.float32), bias.astype(np.float32), second.astype(np.float32)


def made(seed: int, kind: str = "stations") -> Any:
    first, bias, second = weights(seed)
    return LEARNING.Player(first, bias, second, 0.3, inputs=kind)


def network(seed: int, rows: Floats) -> Floats:
    """The same in NumPy."""
    first, bias, second = weights(seed)
    return np.asarray(np.tanh(np.tanh(rows @ first + bias) @ second + 0.3))


@pytest.mark.parametrize("kind", ["stations", "ranks", "summary"])
def test_the_network_is_two_layers_of_tanh_on_the_after_states(kind: str) -> None:
    for view in game(7, 300)[::50]:
        moves, values = made(2, kind).judge(view)
        numbers, rows = LEARNING.after_moves(view, kind)
        assert np.array_equal(moves, numbers)
        assert values == pytest.approx(network(2, rows), abs=1e-5)


def test_games_with_itself_are_the_same_whatever_the_threads() -> None:
    one = made(1).play(GAME.options, 6, seed=4, random_share=0.2)
    two = made(1).play(GAME.options, 6, seed=4, random_share=0.2, threads=2)
    later = made(1).play(GAME.options, 3, seed=4, begin=3, random_share=0.2)
    for a, b in zip(one[:-1], two[:-1], strict=True):
        assert np.array_equal(a, b)
    assert np.array_equal(one[5][3:], later[5])
    rows, taken, best, turn, gains, lengths, scores, judged = one
    assert not gains.sum(axis=1).any()  # what one takes another loses
    assert set(np.abs(gains).ravel()) <= set(range(10))
    assert ((gains != 0).sum(axis=1) <= 2).all()
    assert gains.any()
    assert rows.shape == (lengths.sum(), 130)
    assert (taken <= best).all()
    assert turn[0] == 0
    assert judged > lengths.sum()
    assert np.array_equal(scores[:, 0], scores[:, 2])
    assert np.array_equal(scores[:, 0], -scores[:, 1])


def test_tests_are_pairs_of_games_against_stand_ins() -> None:
    scores, counts, judged = made(1).test(GAME.options, 6, seed=4, notices=0.5)
    again = made(1).test(GAME.options, 6, seed=4, notices=0.5, threads=2)
    later = made(1).test(GAME.options, 2, seed=4, begin=4, notices=0.5)
    assert np.array_equal(scores, again[0])
    assert np.array_equal(counts, again[1])
    assert np.array_equal(counts[4:], later[1])
    assert set(scores.ravel()) <= {-1, 0, 1}
    length, made_, explored, undone = np.moveaxis(counts, 2, 0)
    assert (undone < made_).all()
    assert (made_ < length).all()
    assert not explored.any()  # without exploring every move is the best
    assert judged > made_.sum()
    assert made(1).test(GAME.options, 2, seed=4, random_share=0.5)[1][..., 2].all()
    # A player that notices good attacks wins more than one that never does.
    keen, blind = (made(1).test(GAME.options, 20, seed=6, notices=n)[0] for n in (1.0, 0.0))
    assert keen.mean() < blind.mean()
    with pytest.raises(ParseError, match="notices lies"):
        made(1).test(GAME.options, 1, seed=4, notices=2.0)


def test_exploration_is_as_told() -> None:
    def share(**how: float) -> float:
        _, taken, best, *_ = made(1).play(GAME.options, 8, seed=9, **how)
        return float((taken < best).mean())

    assert share() == 0
    assert 0.07 < share(random_share=0.1) < 0.11
    assert share(random_share=1.0) > 0.9
    assert share(temperature=1e-3) < share(temperature=0.1) < share(temperature=10.0)
    assert share(temperature=10.0) > 0.85


def test_wrong_weights_and_names_are_refused() -> None:

    def zeros(*shape: int) -> Small:
        return np.zeros(shape, np.float32)

    with pytest.raises(ParseError, match="expected stations, ranks, summary"):
        LEARNING.features([], "faces")
    with pytest.raises(ParseError, match="9 hidden units"):
        LEARNING.Player(zeros(130, 9), zeros(9), zeros(9), 0.0)
    with pytest.raises(ParseError, match=r"must be \[130, H\]"):
        LEARNING.Player(zeros(129, 5), zeros(5), zeros(5), 0.0)
    with pytest.raises(ParseError, match="finite"):
        LEARNING.Player(zeros(130, 5), zeros(5), zeros(5), float("nan"))
