"""The trainings of the shogi paper: games counted, checkpoints, tests against random moves."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tempo.ledger import Ledger
from tempo.papers.shogi import costs
from tempo.papers.shogi import published as printed
from tempo.papers.shogi import training as networks
from tempo.papers.shogi.training import Training

Row = dict[str, Any]


class Learner:
    """As much of a learner as is asked for: games of 3, 4, 5, ... moves, won by turns."""

    def __init__(self) -> None:
        self.settings = SimpleNamespace(exploration="exponential")
        self.ledger = Ledger()
        self.games, self.begun, self.moves, self.updates, self._ply = 0, 1, 0, 0, 0
        self.nets, self.slow = "nets", "slow"
        self.step = 0

    def arrays(self) -> dict[str, Any]:
        return {"weights": np.full(3, self.games)}

    def state(self) -> Row:
        return {"games": self.games, "begun": self.begun, "moves": self.moves}

    def restore(self, step: int, arrays: dict[str, Any], state: Row) -> None:
        self.step = step
        assert arrays["weights"].tolist() == [state["games"]] * 3
        for name, value in state.items():
            setattr(self, name, value)

    @property
    def done(self) -> bool:
        return False

    def iterate(self) -> Row:
        self.ledger.wall_seconds += 1
        self.step += 1
        self.moves += 1
        self._ply += 1
        row: Row = {"won": 0.5}
        if self._ply == self.games + 3:
            row = {"length": float(self._ply), "won": (1.0, 0.0, 0.5)[self.games % 3]}
            self.games, self.begun, self._ply = self.games + 1, self.begun + 1, 0
        return row


def noted(_: Training, goal: int, learner: Any, nets: Any) -> Row:
    return {"after": goal, "moves": learner.moves, "nets": nets}


def test_games_are_counted_one_by_one_as_in_table_7(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "_point", noted)
    training = Training("faithful", 1, (2, 10), 4, 0)
    learner: Any = Learner()
    found = networks._by_game(Path(), training, learner)
    assert [game["moves"] for game in found["games"]] == list(range(3, 13))
    assert [game["winner"] for game in found["games"][:4]] == [1, 2, 0, 1]
    epsilons = [game["epsilon"] for game in found["games"]]
    assert epsilons == pytest.approx(printed.EPSILONS, abs=0.001)
    assert epsilons[1] == pytest.approx(0.1 + 0.7 * np.exp(-0.5), abs=1e-6)
    assert [game["wall_seconds"] for game in found["games"][:2]] == [3, 4]
    assert [point["moves"] for point in found["points"]] == [3 + 4, sum(range(3, 13))]
    assert found["points"][0]["nets"] == "nets"


def test_a_long_training_goes_on_from_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networks, "_point", noted)
    monkeypatch.setattr(networks, "CHECKPOINT_SECONDS", 0)
    training = Training("corrected", 1, (2, 6), 4, 0)
    straight: Any = Learner()
    expected = networks._by_game(tmp_path / "other", training, straight)

    class Killed(Learner):
        def iterate(self) -> Row:
            if self.games == 4 and self._ply == 2:
                raise KeyboardInterrupt
            return super().iterate()

    killed: Any = Killed()
    with pytest.raises(KeyboardInterrupt):
        networks._by_game(tmp_path, training, killed)
    assert list((tmp_path / "checkpoints").glob("*/*.safetensors"))
    again: Any = Learner()
    assert networks._by_game(tmp_path, training, again) == expected
    assert again.ledger.wall_seconds == straight.ledger.wall_seconds
    assert not list((tmp_path / "checkpoints").iterdir())


def test_the_clock_decides_when_the_improved_networks_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[tuple[int, float]] = []
    monkeypatch.setattr(networks, "_point", noted)
    monkeypatch.setattr(
        networks, "_keep",
        lambda _, __, goal, learner: kept.append((goal, learner.ledger.wall_seconds)),
    )  # fmt: skip
    training = Training("improved", 1, (3, 7, 10), 4, 0)

    class Ending(Learner):
        @property
        def done(self) -> bool:
            return self.ledger.wall_seconds >= 10

    learner: Any = Ending()
    found = networks._by_clock(tmp_path, training, learner)
    assert kept == [(3, 3), (7, 7), (10, 10)]
    assert [point["nets"] for point in found["points"]] == ["slow"] * 3
    assert training.config["seconds"] == 10


def test_points_are_counted_by_seats_and_by_pairs() -> None:
    found = networks.tested(np.array([1, 0, 0.5, 0.5, 1, 1, 0, 0.5]))
    assert found["first"] == [2, 1, 1]
    assert found["second"] == [1, 2, 1]
    assert found["pairs"] == [0, 1, 2, 0, 1]
    assert found["score"] == pytest.approx(4.5 / 8)


class FirstWins:
    """Stands for game, batch and encoding: a move each, and the first mover has won."""

    length_bound = 10

    def __init__(self, games: int = 0, **_: int) -> None:
        self.ply, self.games = 0, games
        self.played: list[Any] = []

    def batch(self, games: int, **_: int) -> FirstWins:
        return FirstWins(games)

    def legal(self, batch: FirstWins) -> Any:
        count = 2 if batch.ply < 2 else 0
        start = count * np.arange(batch.games)
        return SimpleNamespace(
            offsets=count * np.arange(batch.games + 1), moves=np.tile([0, 1], batch.games),
            bits=None, places=lambda chosen: start + chosen, drawn=lambda _: start,
        )  # fmt: skip

    def observe(self, _: FirstWins) -> None:
        return None

    @property
    def turns(self) -> Any:
        return np.full(self.games, self.ply % 2)

    def play(self, moves: Any) -> None:
        self.played.append(moves)
        self.ply += 1
        PLAYED[:] = self.played

    @property
    def scores(self) -> Any:
        return np.tile([1.0, -1.0], (self.games, 1))


PLAYED: list[Any] = []


def test_the_network_sits_at_either_seat_by_turns() -> None:
    stub: Any = FirstWins()
    row = networks.versus_random(stub, stub, lambda *_: np.ones(6, int), games=6, seed=1)
    assert (row["first"], row["second"]) == ([3, 0, 0], [0, 0, 3])
    # Its own moves are 1, random ones 0.
    assert [moves.tolist() for moves in PLAYED] == [[1, 0] * 3, [0, 1] * 3]
    assert row["ledger"]["a"]["moves"] == 6


def test_games_against_random_moves_are_played_to_their_ends_from_both_seats() -> None:
    from tempo.games import load  # noqa: PLC0415
    from tempo.nets.encodings import encoding_of  # noqa: PLC0415

    game = load("minishogi")
    encoding = encoding_of(game, "paper", "paper")

    def first_legal(_: Any, bits: Any) -> Any:
        return np.unpackbits(np.asarray(bits), axis=1, bitorder="little").argmax(1)

    row = networks.versus_random(game, encoding, first_legal, games=8, seed=5)
    assert sum(row["first"]) == sum(row["second"]) == 4
    assert sum(row["pairs"]) == 4
    won, drawn = (row["first"][i] + row["second"][i] for i in (0, 1))
    assert row["score"] == pytest.approx((won + drawn / 2) / 8)
    ledger = row["ledger"]["a"]
    assert abs(ledger["moves"] - 8 * row["length"] / 2) <= 4  # every second move is its own
    again = networks.versus_random(game, encoding, first_legal, games=8, seed=5)
    assert (again["first"], again["second"], again["length"]) == (
        row["first"], row["second"], row["length"])  # fmt: skip


def test_weights_are_counted_as_printed(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    found = costs.Counting().carry_out(tmp_path)["counts"]
    for net, published in printed.WEIGHTS.items():
        assert tuple(found["faithful"][net]["layers"].values()) == published
        assert found["faithful"][net]["total"] == printed.TOTALS[net]
    assert found["corrected"]["s"]["total"] == 25_270_291
    assert found["faithful"]["multiply_adds"] == pytest.approx(2 * 226.65e6, rel=1e-4)
