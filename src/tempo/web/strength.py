"""Opponents: strength in plain words, and exact agents within bounds.

An agent's text comes from outside, so it may not name a file or a program, nor think without limit.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from tempo import agents, texts
from tempo.agents.settings import check_names, shown, split
from tempo.errors import ParseError, TempoError
from tempo.games import Game
from tempo.games.description import Level
from tempo.web import fitting
from tempo.web.messages import Refused


def plays(agent: str) -> tuple[str, ...]:
    """The games that an agent may play at a table, by its name: none if it starts a program."""
    kind = agents.kinds().get(agent)
    return () if kind is None or kind.starts_program else kind.games


# Most of each number that costs time or memory. The real guard is the limit on a choice as a whole
# (`Limits.choice_seconds`); these keep honest settings below it.
_MOST: dict[str, float] = {
    "time": 60, "nodes": 20_000_000, "sims": 200_000, "depth": 12, "table": 128, "memory": 256,
    "threads": 2, "trees": 8, "determinizations": 200, "playouts": 2000, "top": 30,
    "extra": 100_000, "rollout": 2000, "plies": 200, "moves": 200, "candidates": 200, "fills": 5000,
    "area": 20, "fours": 2000, "inner": 2000, "threats": 2000, "mate": 1000, "leaf": 3,
    "search": 1_000_000,
}  # fmt: skip
_MOST_OF: dict[tuple[str, str], float] = {
    ("stand-in", "depth"): 6,  # looks at every move that deep
    ("siguo-strong", "determinizations"): 5000,  # tries a move on each; the searches search each
    ("siguo-strong-1", "determinizations"): 5000,
}
# Numbers that cost nothing, whatever they are. A number that is in neither list is refused.
_FREE = frozenset({
    "c", "fpu", "constant", "security", "critic", "slips", "temperature", "anchor", "explore",
})  # fmt: skip

# Settings that may name files elsewhere: here only these words.
_WORDS = {
    "eval": {"static", "none", "learned"},
    "tells": {"none", "learned"},
    "weights": {"priority", "score"},
    "library": {"sarsa", "q_learning"},
    "tables": {"bayes-300", "bayes-3000"},
    "folder": set(),
    "path": set(),
    "options": set(),
}
_WORD = re.compile(r"[A-Za-z_]{1,40}")
_STEPS = re.compile(r"[a-z_]+(:[0-9]{1,4})?(\+[a-z_]+(:[0-9]{1,4})?){0,40}")  # within any budget
_NESTED = re.compile(r"([a-z]+):([0-9]{1,12})")  # battle=search:1000


def levels(game: Game) -> tuple[Level, ...]:
    """The strengths that a game has words for, weakest first."""
    return game.description.levels


def words_of(game: Game, agent: str) -> str:
    """An agent's strength in plain words; empty if it is none of the levels."""
    level = next((level for level in levels(game) if level.spec == agent), None)
    if level is None:
        return ""
    words = texts.word("level", level.name)
    return level.words if words == level.name else words


def agents_of(game: Game) -> list[dict[str, Any]]:
    """Every agent that plays a game, with its settings; without those that lack their weights."""
    found = []
    for name, summary in agents.names().items():
        if game.name in plays(name):
            with suppress(ValueError, OSError, TempoError):
                found.append({"name": name, "summary": summary, "settings": _settings(name)})
    return found


@lru_cache(maxsize=64)
def _settings(name: str) -> list[dict[str, Any]]:
    settings = getattr(agents.load(name), "settings", None)
    return [
        {"name": one.name, "default": shown(one.default), "help": one.metadata["help"],
         "most": most_of(name, one.name)}
        for one in (fields(settings) if settings is not None else ())
        if _WORDS.get(one.name, {""})
    ]  # fmt: skip


def agent_for(game: Game, text: str, runs: Path | None = None) -> str:
    """The exact agent that a level or an agent's text names; Refused if it may not play here."""
    for level in levels(game):
        if level.name == text:
            return level.spec
    if runs is not None and text in fitting.runs_of(runs):
        if why := fitting.run_misfit(game, text, runs):
            raise Refused("agent", why)
        return text
    try:
        name, given = split(text)
    except ParseError as error:
        raise Refused("agent", str(error)) from None
    if not plays(name):
        raise Refused("agent", f"there is no agent '{name[:40]}' at this table")
    if game.name not in plays(name):
        raise Refused("agent", f"{name} does not play {game.name}")
    try:
        check_names(agents.kinds()[name].settings, given, name)
        for setting, value in given.items():
            _check(name, setting, value)
        return _canonical(text)
    except (ValueError, TempoError, OSError) as error:
        raise Refused("agent", str(error)) from None


@lru_cache(maxsize=512)
def _canonical(spec: str) -> str:
    """An agent's own name for itself; some take seconds to load."""
    return agents.load(spec, inside=True).name


def _check(agent: str, setting: str, value: str) -> None:
    if setting in _WORDS and value not in _WORDS[setting]:
        allowed = ", ".join(sorted(_WORDS[setting])) or "nothing"
        raise Refused("agent", f"{agent}: '{setting}' takes {allowed} at this table")
    if setting in _WORDS or (setting == "steps" and _STEPS.fullmatch(value)):
        return
    if nested := _NESTED.fullmatch(value):
        _check_amount(agent, nested[1], nested[2])
    elif setting in _MOST or setting in _FREE or not _WORD.fullmatch(value):
        _check_amount(agent, setting, value)


def _check_amount(agent: str, setting: str, value: str) -> None:
    """Refuses what is no number, too large, or of unknown cost."""
    try:
        amount = float(value) if len(value) <= 40 else math.nan
    except ValueError:
        amount = math.nan
    if not math.isfinite(amount):
        raise Refused("agent", f"{agent}: '{setting}' takes a number")
    if setting in _FREE:
        return
    most = most_of(agent, setting)
    if most is None:
        raise Refused("agent", f"{agent}: '{setting}' takes no number at this table")
    if amount > most:
        raise Refused("agent", f"{agent}: '{setting}' is at most {most:g} here")


def most_of(agent: str, setting: str) -> float | None:
    """The most that a setting may be, where it is a number that costs something."""
    kind = agents.kinds().get(agent)
    meant = kind.meant.partition(":")[0] if kind is not None else ""
    for name in (agent, meant):
        if (name, setting) in _MOST_OF:
            return _MOST_OF[name, setting]
    return _MOST.get(setting)


def bounded(spec: str) -> str:
    """The same agent that keeps less, where it can be told."""
    if "/" in spec:
        return spec
    name, given = split(spec)
    settings = getattr(agents.load(name), "settings", None)
    known = {one.name for one in fields(settings)} if settings is not None else set()
    if "memory" in known and "memory" not in given:
        given = {**given, "memory": "64"}
    return name + (":" + ",".join(f"{k}={v}" for k, v in given.items()) if given else "")
