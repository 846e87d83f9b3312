"""The learners by their names: where their settings stand, and which module makes and exports them.

A module of this package has `make(recipe, settings, seed, threads)`, which joins a learner and a
game, and `export(source)`, which gives what agents need of a run (`tempo.recipes.exports`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError, quoted

if TYPE_CHECKING:
    from types import ModuleType


@dataclass(frozen=True)
class Kind:
    """A learner: modules of `tempo.learners` and of this package."""

    settings: str
    maker: str
    deep: bool = False  # needs JAX

    def load(self) -> ModuleType:
        """The module with `make` and `export`."""
        return import_module(f"tempo.recipes.{self.maker}")

    def settings_class(self) -> type[Any]:
        """What the learner's settings are read into."""
        found: type[Any] = import_module(f"tempo.learners.fast.{self.settings}").Settings
        return found


USUAL = "search_td"
KINDS = {
    "search_td": Kind("search_td", "endings", deep=True),
    "tree_strap": Kind("tree_strap", "terms"),
    "td_leaf": Kind("td_leaf", "terms"),
    "regression": Kind("regression", "gomoku_regression"),
    "tabular": Kind("tabular", "jiu_tabular"),
    "adp": Kind("adp", "gomoku_critic"),
    "dqn": Kind("dqn_settings", "dqn", deep=True),
    "truncated": Kind("truncated", "siguo_truncated"),
    "results": Kind("results", "siguo_results"),
}
RENAMED = {"lessons": "regression"}  # what runs of earlier versions say


def kind_of(recipe: Mapping[str, Any]) -> Kind:
    """The learner that a recipe names."""
    name = recipe.get("learner", USUAL)
    name = RENAMED.get(name, name)
    if name not in KINDS:
        raise ParseError(f"there is no learner {quoted(name)}; there are {', '.join(KINDS)}")
    return KINDS[name]
