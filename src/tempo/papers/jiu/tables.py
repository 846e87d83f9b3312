"""What the report and the figures of the Jiu paper show side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tempo.papers.jiu.claims import RULE_NAMES, chosen, figure_runs, tests_of
from tempo.papers.jiu.plan import POINTS
from tempo.papers.jiu.training import RULES

Tests = Sequence[Mapping[str, Any]]

BASELINES = {
    "expert": "no library: the expert alone",
    "random": "random central stones",
    "reward": "the paper's reward, greedily",
    "bayes": "the Bayesian network itself",
}


def arms(results: Mapping[str, Any]) -> list[tuple[str, Tests]]:
    """Every arm with its last matches, one of each training."""
    found: list[tuple[str, Tests]] = []
    for rule in RULES:
        name, runs = RULE_NAMES[rule], figure_runs(results, rule)
        found += [
            (f"{name}, own_turn", tests_of(results, runs, POINTS[-1])),
            (f"{name}, negamax", _last(results, player=rule, successor="negamax")),
            (f"{name}, literal", _last(results, player=rule, successor="literal")),
            (f"{name}, positions up to symmetry", _last(results, player=rule, keys="position")),
            (f"{name}, placements tried twice", tests_of(results, runs, POINTS[-1], visits=2)),
            (f"{name}, nobody wavers", tests_of(results, runs, POINTS[-1], wavers=0.0)),
            (f"{name} against the expert", tests_of(results, runs, POINTS[-1], opponent="expert")),
        ]
    found += [
        (name, [run["tests"][0] for run in chosen(results, "baselines", player=player)])
        for player, name in BASELINES.items()
    ]
    return found


def searching(results: Mapping[str, Any]) -> list[tuple[str, Tests]]:
    """The same stones in the hands of a better fighter, by who placed them."""
    found = [
        (name, [run["tests"][0] for run in chosen(results, "searching", player=player)])
        for player, name in {**RULE_NAMES, **BASELINES}.items()
    ]
    return [(name, tests) for name, tests in found if tests]


def _last(results: Mapping[str, Any], **fields: str) -> Tests:
    return [run["tests"][-1] for run in chosen(results, "successors", **fields)]
