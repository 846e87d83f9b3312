"""Agents' names from anywhere: each is a working agent or one sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

import pytest

import tempo
from tempo import agents
from tempo.agents.search import AlphaBetaSettings
from tempo.agents.settings import split, text_of, with_new_names
from tempo.errors import ParseError, TempoError

WRONG = (
    "x", "-1", "-0.5", "0", "1", "2.5", "nan", "inf", "-inf", "1e308", str(10**30), "9" * 5000,
    "1_0", "٣", "é", "\ud800", "\0", "yes", "static", "learned", "none", "/", ".", "/dev/null",
    "search:0",
)  # fmt: skip


def view_of(name: str, spec: str) -> Any:
    """A position that an agent knows."""
    kind = agents.kinds()[name]
    if kind.misfit is not None:
        return tempo.load("chess").parse("8/8/8/4k3/8/8/8/K1R5 w - - 0 1")
    game = kind.games[0] if kind.games else "gomoku"
    if "determinizations" in spec:
        game = "siguo"
    position: Any = tempo.load({"gomoku": "gomoku(size=9)"}.get(game, game)).start()
    if game == "gomoku":
        position = position.play("e5").play("e6")
    return position.view(position.turn)


def fault_of(action: Callable[[], object]) -> str:
    """What is said against it; empty if nothing is. Any other exception fails the test."""
    try:
        action()
    except (ParseError, TempoError) as error:
        return str(error) or "\0"
    return ""


def one_sentence(fault: str) -> bool:
    return fault.isprintable() and len(fault) < 1000


ALL = [
    (name, one)
    for name in agents.names()
    for one in fields(agents.settings_of(name))
    if one.name not in split(agents.kinds()[name].meant or name)[1]  # what a second name fixes
]


@pytest.mark.parametrize(("name", "setting"), ALL, ids=[f"{n}:{s.name}" for n, s in ALL])
def test_every_setting_of_every_agent_with_wrong_values(name: str, setting: Any) -> None:
    for value in WRONG:
        spec = f"{name}:{setting.name}={value}"
        fault = fault_of(partial(agents.load, spec))
        assert one_sentence(fault), (spec, fault)


def test_every_number_has_a_range_and_refuses_what_is_beyond() -> None:
    for name, setting in ALL:
        if setting.type not in ("int", "float"):
            continue
        assert setting.metadata["within"], f"{name}:{setting.name} has no range"
        low, high = setting.metadata["within"]
        for value in (low - 1, high * 2 + 1, "nan", "inf", "1e400"):
            with pytest.raises(ParseError, match=f"{setting.name} cannot be .* from .* to "):
                agents.load(f"{name}:{setting.name}={value}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "mcts:determinizations=0",
            "mcts:determinizations cannot be '0'; it takes a whole number from 1 to 1,000,000",
        ),
        ("mcts:truths=4", "mcts: the setting 'truths' is now called 'determinizations'"),
        (
            "alphabeta:time=-1",
            "alphabeta:time cannot be '-1.0'; it takes a number from 0 to 1,000,",
        ),
        ("gomoku-strong:inner=99999999999", "gomoku-strong:inner cannot be '99999999999'"),
        (
            "alphabeta:eval=nonsense",
            "eval cannot be 'nonsense'; it takes static, none, learned or a run folder",
        ),
        ("alphabeta:depth=\ud800", r"depth cannot be '\\ud800'"),
        ("random:x=1", "random has no setting 'x'; it has none"),
    ],
)
def test_messages(spec: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        agents.load(spec)
    with pytest.raises(ParseError):
        AlphaBetaSettings(time=float("nan"))


@pytest.mark.parametrize("game", tempo.games.names())
def test_learned_where_there_is_none(game: str) -> None:
    """It was an AttributeError where a game's evaluators know no linear one."""
    position: Any = tempo.load(game).start()
    view = position.view(position.turn)
    for spec in (
        "alphabeta:nodes=50,determinizations=1",
        "mcts:sims=5,determinizations=1,rollout=2",
    ):
        for evaluator in ("learned", "static", "none"):
            agent = agents.load(f"{spec},eval={evaluator}")
            assert one_sentence(fault_of(partial(agent.choose, view)))


@pytest.mark.parametrize("name", sorted({name for name, _ in ALL} - {"usi", "gnushogi"}))
def test_smallest_budgets_give_a_move(name: str) -> None:
    """Every number at its low end, one at a time."""
    for other, setting in ALL:
        within = setting.metadata["within"]
        if within is None or other != name:
            continue
        cheap = _cheap(name) | {setting.name: f"{within[0]:g}"}
        spec = f"{name}:" + ",".join(f"{key}={value}" for key, value in cheap.items())
        view = view_of(name, setting.name)
        moves: list[int] = []
        fault = fault_of(lambda: moves.append(agents.load(spec).choose(view).move))  # noqa: B023
        assert one_sentence(fault), (spec, fault)
        assert fault or moves[0] in view.legal_moves, spec


def _cheap(name: str) -> dict[str, str]:
    known = {one.name for one in fields(agents.settings_of(name))}
    small = {
        "time": "0.02",
        "nodes": "50",
        "sims": "5",
        "playouts": "1",
        "fills": "1",
        "determinizations": "1",
    }
    return {key: value for key, value in small.items() if key in known}


@pytest.mark.parametrize(
    "spec",
    [
        "", ":", "mcts:", "mcts:=", "mcts:sims", "mcts:sims=", "\ud800", "\0", "a" * 100_000,
        "mcts:" + "sims=1," * 1000, "runs/" * 2000, "mcts:sims=1,sims=1", "/", ".", "..", "~",
        "gomoku-beginner:level=x",
    ],
)  # fmt: skip
def test_what_is_no_agent(spec: str) -> None:
    fault = fault_of(lambda: agents.load(spec))
    assert fault
    assert one_sentence(fault)


def test_stored_agents_get_the_new_names_of_settings() -> None:
    stored = '{"a":"siguo-strong:sims=5,truths=3","b":"mcts:truths=2"}'
    expected = stored.replace("truths", "determinizations")
    assert with_new_names(stored) == expected
    assert with_new_names(expected) == expected


def test_an_agents_name_loads_the_same_agent() -> None:
    for spec in (
        "mcts:sims=7,c=0.5",
        "stand-in:depth=1",
        "siguo-strong:determinizations=3,moves=2",
    ):
        agent: Any = agents.load(spec)
        assert agents.load(agent.name).name == agent.name == spec
        assert text_of(split(spec)[0], agent.settings) == spec
