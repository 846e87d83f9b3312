"""Agents: their names with settings, and what they choose with small budgets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from random import Random
from typing import Any

from soak.mutating import NUMBERS, ODD, Texts
from soak.subject import REFUSALS, Subject
from soak.subjects.texts import positions_of
from tempo import agents, games
from tempo.agents.base import Resigns

PROGRAMS = ("usi", "gnushogi", "uci", "ugi", "gomocup")  # agents that start a program
# Settings that say how much an agent may spend, and a little of each.
LITTLE = {"time": "0.01", "seconds": "0.01", "nodes": "50", "sims": "8", "depth": "1",
          "determinizations": "2", "rollouts": "2", "playouts": "2", "samples": "2",
          "positions": "50", "simulations": "8", "candidates": "2", "trees": "1", "memory": "1",
          "table": "1"}  # fmt: skip
SMALL = ("0", "1", "2", "-1", "0.5", "0.01", "nan", "inf", "yes", "no", "static", "none", "learned",
         "", "x", "1e9", "robust", "path", "sarsa", "beginner", "ucb1", "puct")  # fmt: skip


@lru_cache
def settings_of(name: str) -> dict[str, str]:
    """An agent's settings with their defaults."""
    found = getattr(agents.load(name), "settings", None)
    if found is None:
        return {}
    return {item.name: str(getattr(found, item.name)) or "x" for item in fields(found)}


def spec(name: str, random: Random, values: tuple[str, ...]) -> str:
    """An agent with some of its settings, each at its default or something else."""
    known = settings_of(name)
    wanted = random.sample(list(known), min(len(known), random.randrange(4)))
    given = {key: known[key] if random.random() < 0.3 else random.choice(values) for key in wanted}
    listed = ",".join(f"{key}={value}" for key, value in given.items())
    return f"{name}:{listed}" if listed else name


def corpus() -> list[str]:
    """Every agent with every setting at its default."""
    found = list(agents.names())
    for name in agents.names():
        found += [f"{name}:{key}={value}" for key, value in settings_of(name).items()]
    return found


TEXTS = Texts(corpus, SMALL)


def make_spec(random: Random) -> str:
    """A text that may name an agent."""
    if random.random() < 0.5:
        return TEXTS(random)
    return spec(random.choice(list(agents.names())), random, (*SMALL, *NUMBERS, *ODD))


def load_spec(text: str) -> str:
    """What is loaded says its name, and the name loads the same."""
    agent = agents.load(text)
    assert agents.load(agent.name).name == agent.name
    return "accepted"


# ---- choices -------------------------------------------------------------------------------------


def make_choice(random: Random) -> tuple[str, str, str, int]:
    """An agent with a small budget, and a position of the games it may play."""
    name = random.choice([one for one in agents.names() if one not in PROGRAMS])
    game = next((g for g in games.names() if name.startswith(g)), None)
    if game is None or random.random() < 0.1:
        game = random.choice(games.names())
    position = random.choice([one for one in positions_of(game) if not one.is_over])
    text = spec(name, random, SMALL)
    little = [f"{key}={LITTLE[key]}" for key in settings_of(name)
              if key in LITTLE and f"{key}=" not in text]  # fmt: skip
    if little:
        text += ("," if ":" in text else ":") + ",".join(little)
    return text, position.game, position.text, random.getrandbits(32)


def choose(given: tuple[str, str, str, int]) -> str:
    """A legal move, the same again with the same seed, or a clear refusal."""
    text, game, start, seed = given
    position: Any = games.load(game).parse(start)
    view = position.view(position.turn)
    agent = agents.load(text)
    agent.reset(seed)
    try:
        choice = agent.choose(view)
    except Resigns:
        return "accepted, resigns"
    assert position.is_legal(choice.move)
    assert all(-1.001 <= value <= 1.001 for value in choice.values)
    known = settings_of(text.partition(":")[0])
    if known and not {"time", "seconds"} & known.keys():
        agent.reset(seed)
        assert agent.choose(view).move == choice.move
    return "accepted"


def subjects() -> Iterator[Subject]:
    """Names, and choices."""
    yield Subject("agents.specs", make_spec, load_spec, slice=80, weight=2, patience=60)
    yield Subject("agents.choices", make_choice, choose, REFUSALS, slice=8, weight=4, patience=240)
