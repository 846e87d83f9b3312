"""Agents by name: `random`, `mcts:sims=2000`, `alphabeta:depth=4,eval=static`, `runs/krk`."""

from tempo.agents.base import Agent, Candidate, Choice, Cost, Resigns
from tempo.agents.own import register
from tempo.agents.registry import Kind, declare, kinds, load, names, settings_of

__all__ = [
    "Agent",
    "Candidate",
    "Choice",
    "Cost",
    "Kind",
    "Resigns",
    "declare",
    "kinds",
    "load",
    "names",
    "register",
    "settings_of",
]
