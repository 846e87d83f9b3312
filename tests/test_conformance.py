"""Every property of the conformance suite on every game; and proof that each of them can fail.

The broken games are proxies: everything comes from the real core except one answer that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import game_data
import numpy as np
import pytest

from tempo import testing
from tempo.games import Game

SEEDS = (1, 2026)
DATA_KINDS = ("perft", "playthroughs", "notation")
Property = Callable[[Game, int], None]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("holds", testing.PROPERTIES, ids=lambda holds: holds.__name__)
def test_conformance(game: Game, holds: Property, seed: int) -> None:
    holds(game, seed)


@pytest.mark.parametrize("name", game_data.NAMES)
@pytest.mark.parametrize("kind", DATA_KINDS)
def test_every_game_has_its_data(name: str, kind: str) -> None:
    assert game_data.data_lines(kind, name)


@pytest.mark.parametrize("name", game_data.NAMES)
def test_every_game_has_a_reference(name: str) -> None:
    path = Path(__file__).parent / "reference" / f"{name}.py"
    assert path.is_file(), f"{name} has no slow second implementation of its rules, {path.name}"


def test_a_game_without_data_is_noticed() -> None:
    with pytest.raises(AssertionError, match="every game needs one"):
        game_data.data_lines("perft", "checkers")


class Proxy:
    """An object of the core of which some answers are replaced; what it makes is wrapped too."""

    def __init__(self, real: Any, wrong: Wrong) -> None:
        self._real = real
        self._wrong = wrong

    def __getattr__(self, name: str) -> Any:
        if name in self._wrong:
            return self._wrong[name](self._real)
        found = getattr(self._real, name)
        if not callable(found):
            return wrap(found, self._wrong)
        return lambda *arguments: wrap(found(*(bare(a) for a in arguments)), self._wrong)

    def __eq__(self, other: object) -> bool:
        if "__eq__" in self._wrong:
            return bool(self._wrong["__eq__"](self._real)(bare(other)))
        return bool(self._real == bare(other))

    def __hash__(self) -> int:
        return hash(self._real)

    def __str__(self) -> str:
        return str(self._real)

    def __repr__(self) -> str:
        return f"broken {self._real!r}"


Wrong = dict[str, Callable[[Any], Any]]


def wrap(value: Any, wrong: Wrong) -> Any:
    return Proxy(value, wrong) if type(value).__name__ in {"Position", "View"} else value


def bare(value: Any) -> Any:
    return value._real if isinstance(value, Proxy) else value


class BrokenCore(ModuleType):
    """A game's core whose positions (and views) answer wrongly to what `wrong` names."""

    def __init__(self, core: ModuleType, wrong: Wrong) -> None:
        super().__init__(core.__name__)
        self._core = core
        self._wrong = wrong

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._core, name)
        if name not in {"start", "parse", "deal", "perft", "divide"}:
            return found
        replaced = self._wrong.get(name, lambda core: getattr(core, name))(self._core)
        return lambda *arguments: wrap(replaced(*(bare(a) for a in arguments)), self._wrong)


def broken(spec: str, **wrong: Callable[[Any], Any]) -> Game:
    game = game_data.load(spec)
    return Game(BrokenCore(game.core, wrong), game.options)


class WrongEnd:
    """An outcome with scores of one's own."""

    def __init__(self, *scores: float) -> None:
        self.scores = scores
        self.reason = "because"


def end_with(*scores: float) -> Callable[[Any], Any]:
    return lambda position: position.outcome and WrongEnd(*scores)


class Forgetful:
    """A position whose text changes by being looked at."""

    texts = 0

    @classmethod
    def text(cls, position: Any) -> str:
        cls.texts += 1
        return f"{position.text} {cls.texts}"


def toy_start() -> Any:
    return game_data.load("quarrel").start()


def shuffled(position: Any) -> list[int]:
    return sorted(position.legal_moves, key=lambda move: hash((id(position), move)))


# Each property beside a mistake that it has to see.
MISTAKES: list[tuple[Property, str, Wrong]] = [
    (
        testing.someone_moves_until_the_end,
        "gomoku(size=5)",
        {"outcome": lambda p: p.outcome or (len(p.legal_moves) < 9 or None)},
    ),
    (testing.someone_moves_until_the_end, "quarrel", {"turn": lambda p: p.turn + 1}),
    (testing.moves_have_one_order, "gomoku(size=5)", {"legal_moves": shuffled}),
    (
        testing.moves_have_one_order,
        "chess",
        {"legal_moves": lambda p: [*p.legal_moves, *list(p.legal_moves)[:1]]},
    ),
    (testing.playing_is_pure, "gomoku(size=5)", {"text": Forgetful.text}),
    (testing.playing_is_pure, "chess", {"__eq__": lambda p: lambda other: other is p}),
    (
        testing.parsing_undoes_printing,
        "chess",
        {"text": lambda p: p.text.replace(" b ", " w ")},
    ),
    (testing.parsing_undoes_printing, "gomoku(size=5)", {"parse_move": lambda p: lambda t: 0}),
    (testing.keys_are_sound, "gomoku(size=5)", {"key": lambda p: p.key ^ len(p.legal_moves)}),
    (
        testing.keys_are_sound,
        "chess",
        {"key": lambda p: p.turn, "scratch_key": lambda p: p.turn},
    ),
    (
        testing.legality_agrees_for_every_number,
        "gomoku(size=5)",
        {"is_legal": lambda p: lambda m: p.is_legal(m) and m != 12},
    ),
    (
        testing.legality_agrees_for_every_number,
        "quarrel",
        {"is_legal": lambda p: lambda m: p.is_legal(m) or m == 65535},
    ),
    (testing.scores_are_fair, "gomoku(size=5)", {"outcome": end_with(1, 1)}),
    (testing.scores_are_fair, "gomoku(size=5)", {"outcome": end_with(2, -2)}),
    (testing.scores_are_fair, "chess", {"outcome": end_with(0)}),
    (testing.scores_are_fair, "quarrel", {"outcome": end_with(1, -1, -1, 1)}),
    (
        testing.positions_stay_sound,
        "chess",
        {"check": lambda p: lambda: "too late" if p.text.endswith(" 9") else p.check()},
    ),
    (
        testing.mirroring_commutes,
        "gomoku(size=5)",
        {"transformed_move": lambda p: lambda m, k: m},
    ),
    (
        testing.mirroring_commutes,
        "gomoku(size=5)",
        {"features": lambda p: lambda: np.arange(75.0).reshape(3, 5, 5)},
    ),
    (testing.mirroring_commutes, "quarrel", {"transformed": lambda p: lambda k: p}),
    (testing.views_hide_what_they_must, "quarrel", {"view": lambda p: lambda seat: p.view(0)}),
    (testing.views_hide_what_they_must, "quarrel", {"sample": lambda v: lambda seed: toy_start()}),
    (
        testing.perft_counts_sequences,
        "gomoku(size=5)",
        {"perft": lambda core: lambda p, d: core.perft(p, d) + (d == 2)},
    ),
    (
        testing.bad_texts_are_refused,
        "gomoku(size=5)",
        {"parse": lambda core: lambda text, options: core.start(options)},
    ),
]


@pytest.mark.parametrize(
    ("holds", "spec", "wrong"),
    MISTAKES,
    ids=[f"{holds.__name__}-{'-'.join(wrong)}-{spec}" for holds, spec, wrong in MISTAKES],
)
def test_each_property_sees_its_mistake(holds: Property, spec: str, wrong: Wrong) -> None:
    with pytest.raises(AssertionError):
        holds(broken(spec, **wrong), 1)


@pytest.mark.parametrize("channel", ["text", "key", "board"])
def test_a_leaking_view_is_seen(channel: str) -> None:
    """Whatever lets a seat tell two determinizations apart is found, though views compare equal."""

    def look(position: Any) -> Callable[[Any], Any]:
        leak: Wrong = {
            channel: lambda _: getattr(position, channel),
            "sample": lambda view: lambda draw: Proxy(view.sample(draw), {"view": look}),
        }
        return lambda seat: Proxy(position.view(seat), leak)

    with pytest.raises(AssertionError):
        testing.views_hide_what_they_must(broken("quarrel", view=look), 1)


def test_leaking_features_are_seen() -> None:
    leaky = broken("quarrel", features=lambda p: lambda seat=None: np.array([p.key % 1000]))
    with pytest.raises(AssertionError):
        testing.views_hide_what_they_must(leaky, 1)


def test_a_broken_batch_is_seen() -> None:
    real = game_data.load("gomoku(size=5)")

    lazy = type("Lazy", (real.core.Batch,), {"play": lambda _self, _moves: None})  # no game moves
    core = cast(Any, BrokenCore(real.core, {}))
    core.Batch = lambda first, *rest: lazy(bare(first), *rest)
    with pytest.raises(AssertionError):
        testing.batches_agree_with_single_games(Game(core, real.options), 1)


@pytest.mark.parametrize("spec", ["gomoku(size=5)", "quarrel"])
def test_an_unbroken_proxy_passes(spec: str) -> None:
    """So what the mistakes above show is the mistake and not the proxy."""
    for holds in testing.PROPERTIES:
        if holds is not testing.batches_agree_with_single_games:
            holds(broken(spec), 1)


def test_check_game_runs_all_of_it() -> None:
    testing.check_game(game_data.load("gomoku(size=5)"), seed=3)
    with pytest.raises(AssertionError):
        testing.check_game(broken("gomoku(size=5)", outcome=end_with(1, 1)))
