"""What a seat can deduce in Siguo: the worked examples, joint deductions, and the prior."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import tempo
from tempo import _core
from tempo.stopping import Stop

DATA = Path(__file__).parent / "data" / "siguo"
GAME = tempo.load("siguo")
CORE = _core.siguo
BACK = " ".join(f"{s}.F@{s}62 {s}.2@{s}61" for s in "SENW")
HOMES = [
    f"{seat}{row}{column}"
    for seat in "SENW"
    for row in range(1, 7)
    for column in range(1, 6)
    if (row, column) not in {(2, 2), (2, 4), (3, 3), (4, 2), (4, 4)}
]
KINDS = "987654321BMF"


def at(pieces: str, turn: str = "S") -> Any:
    return GAME.parse(f"{BACK} {pieces} turn={turn}")


def belief(position: Any, seat: str) -> Any:
    return CORE.Belief(position.view("SENW".index(seat)))


def home_of(position: Any, station: str) -> str:
    """The home of the piece that stands on a station."""
    for word in position.text.split(" "):
        home, _, where = word.partition("@")
        if where.rstrip("~*") == station:
            return str(home)
    return station


@pytest.mark.parametrize(
    ("name", "pieces", "move", "seat", "expected"),
    [
        ("T30", "S.7@W31 W.9@W41", "W31xW41-", "S", {"W41": "98"}),
        ("T30 bystander", "S.7@W31 W.9@W41", "W31xW41-", "E", {"W41": "98765432", "": "87654321"}),
        ("T30 partner", "S.7@W31 W.9@W41", "W31xW41-", "N", {"W41": "98765432", "": "87654321"}),
        ("T31", "S.7@W41 W.9@W51", "W41xW51-", "S", {"W51": "98M"}),
        ("T31 bystander", "S.7@W41 W.9@W51", "W41xW51-", "N", {"W51": "98765432M"}),
        ("T32", "S.2@W54 W.5@W64", "W54xW64-", "S", {"W64": "9876543M", "W62": "F"}),
        ("T33", "S.2@W54 W.1@W64", "W54xW64+", "S", {"W64": "1", "W62": "F"}),
        ("T34", "W.9@C7 S.8@S11", "C7xS11+", "S", {"": "9"}),
        ("T35", "W.5@C7 S.3@S11", "C7xS11+", "S", {"": "987654"}),
        ("T36", "W.B@C7 S.9@S11", "C7xS11= !S62", "S", {"": "B"}),
        ("T37", "W.1@S41 S.M@S51", "S41xS51+", "S", {"": "1"}),
        ("T37 bomb", "W.B@S41 S.M@S51", "S41xS51=", "S", {"": "B"}),
        ("T38", "S.1@W54 W.M@W55", "W54xW55+", "S", {"W55": "M"}),
        ("T38 lost", "S.1@W54 W.3@W55", "W54xW55-", "S", {"W55": "98765432"}),
        ("T39", "S.5@S15 E.5@E11", "S15xE11=", "N", {"S15": "87654321", "E11": "87654321"}),
        ("T14", "E.B@E11 S.9@C9", "E11xC9= !S62", "W", {"": "B", "S62": "F"}),
        ("T13", "S.9@S51 W.M@W55", "S51xW55- !S62", "N", {"S51": "9", "W55": "M", "S62": "F"}),
        ("sapper", "S.1@S13 W.M@W53", "S13xW53+ ~", "E", {"S13": "1", "W53": "M"}),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("T") else "",
)
def test_worked_examples(
    name: str, pieces: str, move: str, seat: str, expected: dict[str, str]
) -> None:
    """ "" names the attacker, whose home the position found for it."""
    turn = next(
        word[0] for word in pieces.split(" ") if word.endswith("@" + move[: move.find("x")])
    )
    position = at(pieces, turn)
    attacker = home_of(position, move.partition("x")[0])
    known = belief(position.play(move), seat)
    for home, kinds in expected.items():
        assert known.candidates(home or attacker) == kinds, name


def test_a_battle_of_others_becomes_useful_later() -> None:
    """D19: north lost to east, and east's piece then lost to a Colonel of one's own."""
    position = at("N.2@C3 E.4@E15 S.5@C2", "N")
    north = home_of(position, "C3")
    position = position.play("C3xE15-")
    before = belief(position, "S")
    assert before.candidates("E15") == "98765432"
    assert before.candidates(north) == "87654321"
    position = position.play("W61-W51").play("C2xE15+")
    after = belief(position, "S")
    assert after.candidates("E15") == "432"
    assert after.candidates(north) == "321"
    assert belief(position, "W").candidates(north) == "7654321"  # east's piece was below the 9


def test_the_prior() -> None:
    """T40, and the chances of each kind of slot under a uniform prior."""
    known = belief(GAME.start(4), "S")
    assert known.is_exact
    assert known.determinizations == pytest.approx(709_596_419_051_520_000**3)
    chances = known.chances()
    counts = np.array([1, 1, 2, 2, 2, 2, 3, 3, 3])
    for seat in range(1, 4):
        own = chances[25 * seat : 25 * (seat + 1)]
        assert own.sum(axis=0) == pytest.approx([*counts, 2, 3, 1], abs=1e-4)
        for slot, home in enumerate(HOMES[:25]):
            row, locked = int(home[1]), home[1:] in {"62", "64"}
            mine = 1 / 6 if locked else 1 / 3 if row >= 5 else 0
            bomb = 1 / 24 if locked else 1 / 12 if row >= 5 else 1 / 8 if row > 1 else 0
            flag = 0.5 if locked else 0
            assert own[slot, 9:] == pytest.approx([bomb, mine, flag], abs=1e-6)
            rest = 1 - mine - bomb - flag
            assert own[slot, :9] == pytest.approx(rest * counts / 19, abs=1e-6)


def test_beliefs_are_sound_and_drawn_chances_near_counted_ones() -> None:
    """In random games: the truth is a candidate, and both ways to the chances agree."""
    compared = 0
    for seed in range(12):
        random = Random(seed)
        position: Any = GAME.start(seed)
        for _ in range(30 + 40 * seed):
            if position.is_over:
                break
            moves = position.legal_moves
            position = position.play(moves[int(random.random() * len(moves))])
        seat = seed % 4
        view = position.view(seat)
        drawn = CORE.Belief(view, seed=seed, draws=1500, limit=0)
        chances = drawn.chances()
        assert chances.sum(axis=1) == pytest.approx(np.ones(100), abs=1e-3)
        for piece, home in enumerate(HOMES):
            kind = position.setup(piece // 25).replace("/", "").replace(".", "")[piece % 25]
            assert kind in drawn.candidates(home)
            assert set(drawn.candidates(home)) <= set(view.possible(home))
            seen = {KINDS[k] for k in np.flatnonzero(chances[piece] > 0)}
            assert seen <= set(drawn.candidates(home))
        counted = CORE.Belief(view, limit=20_000)
        if counted.is_exact and not drawn.is_exact:
            compared += 1
            assert counted.error == 0
            assert drawn.determinizations == pytest.approx(counted.determinizations, rel=0.3)
            assert np.abs(counted.chances() - chances).max() < 5 * drawn.error
            for home in HOMES:
                assert counted.candidates(home) == drawn.candidates(home)
    assert compared >= 1


def test_a_late_game_with_many_battles_among_others_is_judged_in_time() -> None:
    """Ruling out every kind that no draw has shown took longer than anybody has waited."""
    spec, text = (DATA / "late.txt").read_text().split("\n", 1)
    truth: Any = tempo.load(spec).parse(text.strip())
    with Stop(seconds=20):
        found = CORE.Belief(truth.view(3))
    setups = "".join(truth.setup(seat) for seat in range(4))
    kinds = [letter for letter in setups if letter in KINDS]
    for home, kind in zip(HOMES, kinds, strict=True):
        assert kind in found.candidates(home), home
