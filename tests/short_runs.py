"""A short run of every learner that recipes name."""

from __future__ import annotations

from typing import Any

from tempo import recipes

STAGE = {"games": 4, "iterations": 2}
# A short run of every learner: its recipe, what is shorter, and which arrays are exported of it.
RUNS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "search_td": (
        {**recipes.read("krk"), "hidden": [4], "updates": 4, "stages": [{**STAGE, "depth": 1}]},
        set(),
    ),
    "tree_strap": (
        {**recipes.read("gomoku-terms"), "steps": 2, "games": 2, "depth": 1}, {"weights"},
    ),
    "td_leaf": ({**recipes.read("shogi-terms"), "stages": [STAGE]}, {"weights"}),
    "regression": (
        {**recipes.read("gomoku-network"), "steps": 1, "games": 2, "positions": 100, "updates": 1},
        {"first", "bias", "second", "last"},
    ),
    "tabular": ({"learner": "tabular", "games": 200, "report": 100}, set()),
    "adp": ({**recipes.read("gomoku-critic"), "stages": [STAGE]}, {"first", "second"}),
    "dqn": (
        {**recipes.read("minishogi-dqn"), "games": 16, "plies": 4, "steps": 2, "first": 16,
         "batch": 8, "channels": 8, "blocks": 1, "half": False, "memory": 500, "exam": 0},
        set(),
    ),
    "truncated": ({**recipes.read("siguo-q"), "games": 2, "report": 1}, {"first", "second"}),
    "results": ({**recipes.read("siguo-terms"), "steps": 1, "games": 2}, {"weights"}),
}  # fmt: skip
